//! What the scenes of other engines have in common: the ground, unit boxes, and settings for the
//! engine.

use super::walls::{fixed, numbered};
use crate::model::{Body, Camera, Material, Scene, Shape, ShapeKind, SolverSettings, WorldSettings};

/// Steps per second of all of them.
pub(super) const RATE: u32 = 60;

/// A surface that rubs and does not bounce.
pub(super) const fn rough(friction: f32, density: f32) -> Material {
    Material { friction, restitution: 0.0, density, rolling_friction: 0.0 }
}

/// A static box of these half extents whose top is the plane y = 0.
pub(super) fn ground(half_x: f32, half_z: f32, material: Material) -> Body {
    let size = [2.0 * half_x, 2.0, 2.0 * half_z];
    Body { position: [0.0, -1.0, 0.0], ..fixed(ShapeKind::Box { size }, material) }
}

/// A body of one shape.
pub(super) fn body(position: [f32; 3], kind: ShapeKind, material: Material) -> Body {
    Body { position, shapes: vec![Shape::new(kind).with_material(material)], ..Body::default() }
}

/// A scene for the engine: weight along −y, so many steps, and a camera that sees a ball of this
/// radius about the target.
pub(super) fn engine_scene(
    name: String,
    description: String,
    weight: f32,
    steps: u32,
    bodies: Vec<Body>,
    view: ([f32; 3], f32),
) -> Scene {
    let (target, radius) = view;
    Scene {
        name,
        description,
        world: WorldSettings { gravity: [0.0, -weight, 0.0], ..WorldSettings::default() },
        solver: SolverSettings {
            steps_per_second: Some(RATE),
            // The first frame is the scene as it is.
            frames: Some(steps + 1),
            solver: Some("soft-step".to_owned()),
            ..SolverSettings::default()
        },
        camera: Camera::Orbit { distance: 2.5 * radius, pitch: -25.0, yaw: 60.0, target },
        bodies: numbered(bodies),
        ..Scene::default()
    }
}

/// The same scene without sleep, as its authors run it.
pub(super) fn sleepless(mut scene: Scene) -> Scene {
    scene.solver.sleep = Some(false);
    scene
}
