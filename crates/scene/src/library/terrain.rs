//! Bodies on triangle meshes: Box3D's `trees100`, `trees50` and `trees25`, Jolt's ConvexVsMesh and
//! LargeMesh.

use carom_core::trig::{cos, sin};
use carom_geometry::mesh::generate;

use super::heaps::prism;
use super::request::{Arguments, LibraryError, Parameter};
use super::setting::{body, engine_scene, rough};
use super::walls::{colour, fixed};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{AngularVelocity, Axis, Body, Material, Shape, ShapeKind};

const TAU: f32 = std::f32::consts::TAU;
/// Bark.
const WOOD: Material = Material { friction: 0.9, restitution: 0.0, density: 1000.0, rolling_friction: 0.05 };
/// Jolt's bodies on a mesh.
const LIVELY: Material = Material { friction: 0.5, restitution: 0.6, density: 1000.0, rolling_friction: 0.0 };

const fn trees(name: &'static str, description: &'static str, build: super::Build) -> Generator {
    let parameters = &[
        Parameter { name: "n", default: "50", meaning: "number of trees, at most 50" },
        Parameter { name: "scale", default: "1", meaning: "factor on the sides of the mesh, 150 and 200 m" },
    ];
    Generator { name, description, parameters, sample: ":2?scale=0.1", dimensions: Dimensions::Three, build }
}

/// `trees100`.
pub(super) const TREES_100: Generator = trees(
    "trees100",
    "Trees of 22 logs fall over on a wavy mesh of 60 000 triangles (Box3D's benchmark)",
    |arguments| forest(arguments, "trees100", 1.0),
);
/// `trees50`.
pub(super) const TREES_50: Generator =
    trees("trees50", "The same trees on 240 000 triangles (Box3D's benchmark)", |arguments| {
        forest(arguments, "trees50", 0.5)
    });
/// `trees25`.
pub(super) const TREES_25: Generator =
    trees("trees25", "The same trees on 960 000 triangles (Box3D's benchmark)", |arguments| {
        forest(arguments, "trees25", 0.25)
    });

/// A mesh over the x–z plane, centred.
fn landscape(columns: u32, rows: u32, cell: f32, height: impl Fn(f32, f32) -> f32) -> ShapeKind {
    let (vertices, triangles) = generate::terrain(columns, rows, cell, height);
    ShapeKind::TriangleMesh { vertices: vertices.iter().map(glam::Vec3::to_array).collect(), triangles }
}

fn forest(arguments: &Arguments<'_>, name: &str, cell: f32) -> Result<SceneSource, LibraryError> {
    let n = arguments.count("n", 1..=50)?;
    let scale = arguments.number("scale", 0.02..=4.0)?;
    let cells = |metres: f32| (scale * metres / cell) as u32;
    let wave = |x: f32, z: f32| 0.4 * sin(TAU * 0.05 * x) * cos(TAU * 0.1 * z);
    let mesh = landscape(cells(150.0), cells(200.0), cell, wave);
    let mut bodies = vec![fixed(mesh, WOOD)];
    for k in 0..n {
        let x = ((k % 5) as f32 - 2.0) * 28.0 * scale;
        let z = ((k / 5) as f32 - 4.5) * 19.0 * scale;
        let speed = 0.25 + 0.25 * k as f32 / 49.0;
        let angular_velocity = AngularVelocity::Radians([0.0, 0.0, if k % 2 == 0 { speed } else { -speed }]);
        bodies.push(Body {
            position: [x, 1.0, z],
            angular_velocity,
            shapes: logs(),
            look: colour(3),
            ..Body::default()
        });
    }
    let about = format!("{n} trees on a mesh with cells of {cell} m");
    let scene = engine_scene(name.to_owned(), about, 10.0, 500, bodies, ([0.0, 10.0, 0.0], 90.0));
    Ok(SceneSource::Spatial(scene))
}

/// A trunk: 22 logs of six sides, each a little thinner, overlapping like the beads of a chain.
fn logs() -> Vec<Shape> {
    let (mut radius, mut height) = (0.75f32, 0.0);
    let mut shapes = Vec::with_capacity(22);
    for _ in 0..22 {
        let length = 1.5 + 2.0 * radius;
        let mut log = Shape::new(prism(6, radius, length)).with_material(WOOD);
        log.position = [0.0, height + 0.5 * length, 0.0];
        shapes.push(log);
        height += 1.5;
        radius *= 0.95;
    }
    shapes
}

/// `convex_vs_mesh`.
pub(super) const CONVEX_VS_MESH: Generator = Generator {
    name: "convex_vs_mesh",
    description: "Boxes, balls, capsules and hulls bounce on a wavy mesh of 20 000 triangles (Jolt's ConvexVsMesh)",
    parameters: &[Parameter {
        name: "side",
        default: "21",
        meaning: "columns of four bodies along each side",
    }],
    sample: ":3",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=38)?;
        let wave = |x: f32, z: f32| {
            // In cells of the mesh: 50 radians over its whole length.
            let [column, row] = [x, z].map(|c| c / 3.0 + 50.0);
            5.0 * sin(0.5 * column) * cos(0.5 * row)
        };
        let mut bodies = vec![fixed(landscape(100, 100, 3.0, wave), LIVELY)];
        for k in 0..4 * side * side {
            let [x, z] = [k / 4 % side, k / 4 / side].map(|i| (i as f32 - (side - 1) as f32 * 0.5) * 7.5);
            let kind = match k % 4 {
                0 => ShapeKind::Box { size: [1.0, 1.5, 2.0] },
                1 => ShapeKind::Sphere { radius: 0.5 },
                2 => ShapeKind::Capsule { radius: 0.5, length: 1.5, axis: Axis::Y },
                _ => ShapeKind::Convex {
                    points: vec![
                        [-0.5, -0.5, -0.5],
                        [0.5, -0.5, -0.5],
                        [-0.5, -0.5, 0.5],
                        [0.5, -0.5, 0.5],
                        [0.0, 1.0, 0.0],
                    ],
                },
            };
            let thing = body([x, 15.0 + 7.5 * (k % 4) as f32, z], kind, LIVELY);
            bodies.push(Body { look: colour(k % 4 * 2), ..thing });
        }
        let about = format!("{} bodies of four kinds on waves of five metres", bodies.len() - 1);
        let name = format!("convex_vs_mesh-{side}");
        Ok(SceneSource::Spatial(engine_scene(name, about, 9.81, 500, bodies, ([0.0; 3], 120.0))))
    },
};

/// `large_mesh`.
pub(super) const LARGE_MESH: Generator = Generator {
    name: "large_mesh",
    description: "4410 boxes fall on a mesh as large as one likes (Jolt's LargeMesh)",
    parameters: &[
        Parameter {
            name: "cells",
            default: "500",
            meaning: "squares of a metre along each side of the mesh",
        },
        Parameter { name: "layers", default: "10", meaning: "layers of 441 boxes" },
    ],
    sample: ":60?layers=1",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let cells = arguments.count("cells", 50..=2000)?;
        let layers = arguments.count("layers", 1..=100)?;
        let wave = |x: f32, z: f32| sin(0.5 * x) * cos(0.5 * z);
        let mut bodies = vec![fixed(landscape(cells as u32, cells as u32, 1.0, wave), rough(0.5, 1000.0))];
        for k in 0..441 * layers {
            let [x, z] = [k % 21, k / 21 % 21].map(|i| (i as f32 - 10.0) * 2.0);
            let place = [x, 5.0 + 2.0 * (k / 441) as f32, z];
            let cube = body(place, ShapeKind::Box { size: [1.0; 3] }, rough(0.5, 1000.0));
            bodies.push(Body { look: colour(k / 441), ..cube });
        }
        let about = format!("{} boxes on {} triangles", bodies.len() - 1, 2 * cells * cells);
        let name = format!("large_mesh-{cells}");
        Ok(SceneSource::Spatial(engine_scene(name, about, 9.81, 500, bodies, ([0.0; 3], 40.0))))
    },
};
