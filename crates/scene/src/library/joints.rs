//! Spheres on ball joints: a net held at its four corners, the classic test of joint solvers, and
//! Box3D's curtain.

use super::request::Parameter;
use super::setting::{body, engine_scene, rough, sleepless};
use super::walls::{PALETTE, colour, numbered};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{
    Anchors, Body, BodyKind, Camera, Joint, JointKind, Look, Material, Scene, Shape, ShapeKind,
    SolverSettings, WorldSettings,
};

const MATERIAL: Material = Material { friction: 0.5, restitution: 0.0, density: 1.0, rolling_friction: 0.0 };
/// Radius of a sphere, metres; neighbours are one metre apart.
const RADIUS: f32 = 0.4;

/// `joints`.
pub(super) const JOINTS: Generator = Generator {
    name: "joints",
    description: "A horizontal net of spheres joined by ball joints, held at its corners",
    parameters: &[Parameter { name: "side", default: "30", meaning: "spheres along each side" }],
    sample: ":5",
    dimensions: Dimensions::Three,
    build: |arguments| arguments.count("side", 2..=1000).map(|side| SceneSource::Spatial(net(side))),
};

/// `joint_grid`.
pub(super) const JOINT_GRID: Generator = Generator {
    name: "joint_grid",
    description: "A curtain of spheres on ball joints that hangs from its upper edge (Box3D's benchmark)",
    parameters: &[Parameter { name: "side", default: "100", meaning: "spheres along each side" }],
    sample: ":4",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 2..=1000)?;
        Ok(SceneSource::Spatial(sleepless(curtain(side))))
    },
};

/// The joint of two neighbours.
fn ball_joint(id: usize, a: usize, b: usize, anchor: [f32; 3]) -> Joint {
    let axis = [0.0, 1.0, 0.0];
    let kind = JointKind::Ball { cone: None, twist: None, axis, spring: None, friction: None };
    let joint = Joint::new(id.to_string(), a.to_string(), b.to_string(), kind);
    Joint { anchors: Anchors::World(anchor), ..joint }
}

fn curtain(side: usize) -> Scene {
    let (mut bodies, mut joints) = (Vec::with_capacity(side * side), Vec::new());
    for column in 0..side {
        for row in 0..side {
            let (x, y) = (column as f32, -(row as f32));
            let mut sphere = body([x, y, 0.0], ShapeKind::Sphere { radius: RADIUS }, rough(0.6, 1000.0));
            sphere.shapes[0].filter.mask = 0;
            sphere.kind = if row == 0 { BodyKind::Static } else { BodyKind::Dynamic };
            bodies.push(Body { look: colour(row), ..sphere });
            let me = column * side + row;
            if row > 0 {
                joints.push(ball_joint(joints.len(), me - 1, me, [x, y + 0.5, 0.0]));
            }
            if column > 0 {
                joints.push(ball_joint(joints.len(), me - side, me, [x - 0.5, y, 0.0]));
            }
        }
    }
    let about = format!("a curtain of {} spheres and {} ball joints", side * side, joints.len());
    let middle = side as f32 * 0.5;
    let view = ([middle, -middle, 0.0], side as f32);
    let scene = engine_scene(format!("joint_grid-{side}"), about, 10.0, 100, bodies, view);
    Scene { joints, ..scene }
}

fn net(side: usize) -> Scene {
    let mut bodies = Vec::with_capacity(side * side);
    let mut joints = Vec::new();
    let mut join = |a: usize, b: usize, anchor: [f32; 3]| {
        joints.push(ball_joint(joints.len(), a, b, anchor));
    };
    let at_end = |k: usize| k == 0 || k == side - 1;
    for row in 0..side {
        for column in 0..side {
            let (x, z) = (column as f32, row as f32);
            let corner = at_end(row) && at_end(column);
            bodies.push(Body {
                kind: if corner { BodyKind::Static } else { BodyKind::Dynamic },
                position: [x, 0.0, z],
                shapes: vec![Shape::new(ShapeKind::Sphere { radius: RADIUS }).with_material(MATERIAL)],
                look: if corner { Look::default() } else { colour((row + column) % PALETTE.len()) },
                ..Body::default()
            });
            let me = row * side + column;
            if column > 0 {
                join(me - 1, me, [x - 0.5, 0.0, z]);
            }
            if row > 0 {
                join(me - side, me, [x, 0.0, z - 0.5]);
            }
        }
    }
    let middle = (side - 1) as f32 * 0.5;
    Scene {
        name: format!("joints-{side}"),
        description: format!("a net of {} spheres and {} ball joints", side * side, joints.len()),
        world: WorldSettings { gravity: [0.0, -9.81, 0.0], ..WorldSettings::default() },
        solver: SolverSettings { steps_per_second: Some(60), frames: Some(300), ..SolverSettings::default() },
        camera: Camera::Orbit {
            distance: 2.0 * side as f32,
            pitch: -20.0,
            yaw: 30.0,
            target: [middle, -middle * 0.5, middle],
        },
        bodies: numbered(bodies),
        joints,
        ..Scene::default()
    }
}
