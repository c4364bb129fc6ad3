//! Ragdolls on meshes, after Box3D's `rain`: 14 capsules each, held by ball joints and hinges.
//!
//! In Box3D a column of ragdolls appears every second or so and the oldest is taken away
//! again. Here all are there from the beginning, higher up instead of later: a scene's events spawn
//! bodies, not joints.

use carom_geometry::mesh::generate;

use super::request::Parameter;
use super::setting::{engine_scene, rough};
use super::walls::{colour, fixed};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{
    Anchors, Axis, Body, Filter, Joint, JointKind, Limits, Material, Shape, ShapeKind, SpringLaw,
};

/// Side of a cell, metres.
const CELL: f32 = 15.0;
const SKIN: Material = Material { rolling_friction: 0.2, ..rough(0.6, 1000.0) };
/// What stiffens the joints, and what rubs in them (Nm).
const SPRING: SpringLaw = SpringLaw::Tuned { hertz: 1.0, ratio: 0.7 };
const FRICTION: f32 = 5.0;

/// `ragdoll_rain`.
pub(super) const RAGDOLL_RAIN: Generator = Generator {
    name: "ragdoll_rain",
    description: "Ragdolls rain on cells of grids and rings (Box3D's `rain`, all ragdolls there from the beginning)",
    parameters: &[
        Parameter { name: "side", default: "10", meaning: "cells along each side of the square" },
        Parameter { name: "waves", default: "3", meaning: "ragdolls above each cell" },
    ],
    sample: ":1?waves=2",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=40)?;
        let waves = arguments.count("waves", 1..=20)?;
        let (mut bodies, mut joints) = (Vec::new(), Vec::new());
        let places = (0..side * side)
            .map(|k| [k % side, k / side].map(|i| (i as f32 - (side - 1) as f32 * 0.5) * CELL));
        for [x, z] in places.clone() {
            bodies.push(cell([x, 0.0, z]));
        }
        for (k, [x, z]) in places.enumerate() {
            for wave in 0..waves {
                let height = 20.0 + 4.0 * wave as f32 + (k % side) as f32 * 2.0;
                let offset = (wave as f32 - (waves - 1) as f32 * 0.5) * 2.0;
                ragdoll([x + offset, height, z], k * waves + wave, &mut bodies, &mut joints);
            }
        }
        let about = format!("{} ragdolls of 14 capsules and 13 joints", side * side * waves);
        let view = ([0.0, 5.0, 0.0], side as f32 * CELL * 0.7);
        let mut scene = engine_scene(format!("ragdoll_rain-{side}"), about, 10.0, 400, bodies, view);
        scene.joints = joints;
        Ok(SceneSource::Spatial(scene))
    },
};

/// A grid of eight by eight squares with a ring standing on it.
fn cell(position: [f32; 3]) -> Body {
    let mesh = |(vertices, triangles): (Vec<glam::Vec3>, Vec<[u32; 3]>)| ShapeKind::TriangleMesh {
        vertices: vertices.iter().map(glam::Vec3::to_array).collect(),
        triangles,
    };
    let material = rough(0.6, 1000.0);
    let mut cell = fixed(mesh(generate::terrain(8, 8, CELL / 8.0, |_, _| 0.0)), material);
    let ring = Shape::new(mesh(generate::torus(3.75, 1.0, 16, 16))).with_material(material);
    cell.shapes.push(Shape { position: [0.0, 3.75, 0.0], ..ring });
    Body { position, ..cell }
}

/// A bone: a capsule along y or x, where it is, which bone it hangs on, where, and how.
struct Bone {
    centre: [f32; 3],
    radius: f32,
    length: f32,
    axis: Axis,
    /// Index of the parent, the place of the joint, and the hinge's axis and limits if it is one.
    joint: Option<(usize, [f32; 3], Option<[f32; 2]>)>,
}

/// The bones of one side, its sign on x, and the number of bones before.
fn limbs(side: f32, before: usize) -> [Bone; 5] {
    let bone = |centre: [f32; 3], radius, length, axis, parent, at: [f32; 3], hinge| Bone {
        centre: [side * centre[0], centre[1], centre[2]],
        radius,
        length,
        axis,
        joint: Some((parent, [side * at[0], at[1], at[2]], hinge)),
    };
    // Forearms bend to the front.
    let elbow = if side > 0.0 { [-2.3, 0.1] } else { [-0.1, 2.3] };
    [
        bone([0.36, 1.42, 0.0], 0.055, 0.22, Axis::X, 2, [0.2, 1.42, 0.0], None),
        bone([0.66, 1.42, 0.0], 0.045, 0.22, Axis::X, before, [0.51, 1.42, 0.0], Some(elbow)),
        bone([0.1, 0.72, 0.0], 0.08, 0.26, Axis::Y, 0, [0.1, 0.92, 0.0], None),
        bone([0.1, 0.3, 0.0], 0.06, 0.28, Axis::Y, before + 2, [0.1, 0.51, 0.0], Some([-0.1, 2.3])),
        bone([0.1, 0.06, 0.06], 0.05, 0.12, Axis::Z, before + 3, [0.1, 0.1, 0.0], None),
    ]
}

fn skeleton() -> Vec<Bone> {
    let trunk =
        |y: f32, radius, length, axis, joint| Bone { centre: [0.0, y, 0.0], radius, length, axis, joint };
    let mut bones = vec![
        trunk(0.98, 0.11, 0.14, Axis::X, None),
        trunk(1.16, 0.11, 0.12, Axis::X, Some((0, [0.0, 1.07, 0.0], None))),
        trunk(1.36, 0.13, 0.18, Axis::X, Some((1, [0.0, 1.25, 0.0], None))),
        trunk(1.68, 0.1, 0.06, Axis::Y, Some((2, [0.0, 1.53, 0.0], None))),
    ];
    bones.extend(limbs(1.0, 4));
    bones.extend(limbs(-1.0, 9));
    bones
}

/// Adds ragdoll `number` with its feet at this place.
fn ragdoll(place: [f32; 3], number: usize, bodies: &mut Vec<Body>, joints: &mut Vec<Joint>) {
    let first = bodies.len();
    let moved = |p: [f32; 3]| std::array::from_fn(|i| p[i] + place[i]);
    for bone in skeleton() {
        let kind = ShapeKind::Capsule { radius: bone.radius, length: bone.length, axis: bone.axis };
        let shape = Shape::new(kind).with_material(SKIN);
        // The bones of one ragdoll do not collide with each other.
        let filter = Filter { group: -1 - number as i32, ..Filter::default() };
        bodies.push(Body {
            position: moved(bone.centre),
            shapes: vec![Shape { filter, ..shape }],
            look: colour(number),
            ..Body::default()
        });
        let Some((parent, at, hinge)) = bone.joint else { continue };
        let kind = match hinge {
            Some([min, max]) => JointKind::Hinge {
                axis: if bone.axis == Axis::X { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] },
                limits: Some(Limits { min, max }),
                motor: None,
                spring: Some(SPRING),
            },
            None => JointKind::Ball {
                cone: Some(0.8),
                twist: Some(Limits { min: -0.4, max: 0.4 }),
                axis: [0.0, 1.0, 0.0],
                spring: Some(SPRING),
                friction: Some(FRICTION),
            },
        };
        let id = joints.len().to_string();
        // Limits are those of a bone as its parent sees it.
        let joint = Joint::new(id, (bodies.len() - 1).to_string(), (first + parent).to_string(), kind);
        joints.push(Joint { anchors: Anchors::World(moved(at)), ..joint });
    }
}
