//! A wall of unit boxes stacked as a triangle: the classic test of stacking.

use super::request::Parameter;
use super::walls::{colour, fixed, numbered};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{Body, Camera, Material, Scene, Shape, ShapeKind, SolverSettings, WorldSettings};

const MATERIAL: Material = Material { friction: 0.6, restitution: 0.0, density: 1.0, rolling_friction: 0.0 };
/// Distance between the centres of neighbours in a row, metres.
const PITCH: f32 = 1.05;

/// `pyramid`.
pub(super) const PYRAMID: Generator = Generator {
    name: "pyramid",
    description: "A wall of unit boxes stacked as a triangle",
    parameters: &[Parameter { name: "base", default: "40", meaning: "boxes in the lowest row" }],
    sample: ":5",
    dimensions: Dimensions::Three,
    build: |arguments| arguments.count("base", 1..=2000).map(|base| SceneSource::Spatial(pyramid(base))),
};

fn pyramid(base: usize) -> Scene {
    let ground =
        Body { position: [0.0, -1.0, 0.0], ..fixed(ShapeKind::Box { size: [200.0, 2.0, 200.0] }, MATERIAL) };
    let mut bodies = vec![ground];
    for row in 0..base {
        for column in 0..base - row {
            let x = (column as f32 - (base - row - 1) as f32 * 0.5) * PITCH;
            bodies.push(Body {
                position: [x, row as f32 + 0.5, 0.0],
                shapes: vec![Shape::new(ShapeKind::Box { size: [1.0; 3] }).with_material(MATERIAL)],
                look: colour(row),
                ..Body::default()
            });
        }
    }
    let height = base as f32;
    Scene {
        name: format!("pyramid-{base}"),
        description: format!("{} boxes that must stand still", bodies.len() - 1),
        world: WorldSettings { gravity: [0.0, -9.81, 0.0], ..WorldSettings::default() },
        solver: SolverSettings { steps_per_second: Some(60), frames: Some(300), ..SolverSettings::default() },
        camera: Camera::Orbit {
            distance: 1.5 * height + 5.0,
            pitch: -15.0,
            yaw: 70.0,
            target: [0.0, height * 0.4, 0.0],
        },
        bodies: numbered(bodies),
        ..Scene::default()
    }
}
