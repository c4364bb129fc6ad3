//! Stacks of other engines' benchmarks: Box3D's `large_pyramid` and `many_pyramids`, Jolt's
//! pyramid.

use super::request::Parameter;
use super::setting::{body, engine_scene, ground, rough, sleepless};
use super::walls::colour;
use super::{Dimensions, Generator, SceneSource};
use crate::model::{Body, Material, ShapeKind};

/// Box3D's friction, and the density of its pyramids.
const BOX3D: Material = rough(0.6, 100.0);
/// Jolt's default friction and density.
const JOLT: Material = rough(0.2, 1000.0);

/// `large_pyramid`.
pub(super) const LARGE: Generator = Generator {
    name: "large_pyramid",
    description: "A wall of unit boxes that touch exactly, stacked as a triangle (Box3D's benchmark)",
    parameters: &[Parameter { name: "base", default: "100", meaning: "boxes in the lowest row" }],
    sample: ":6",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let base = arguments.count("base", 1..=1000)?;
        let mut bodies = vec![ground(400.0, 400.0, BOX3D)];
        wall(&mut bodies, base, [0.0; 2]);
        let about = format!("{} boxes that must stand", bodies.len() - 1);
        let view = ([0.0, base as f32 * 0.4, 0.0], base as f32);
        let scene = engine_scene(format!("large_pyramid-{base}"), about, 10.0, 200, bodies, view);
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};

/// `many_pyramids`.
pub(super) const MANY: Generator = Generator {
    name: "many_pyramids",
    description: "A square of walls of unit boxes, each stacked as a triangle (Box3D's benchmark)",
    parameters: &[
        Parameter { name: "side", default: "14", meaning: "walls along each side of the square" },
        Parameter { name: "base", default: "10", meaning: "boxes in the lowest row of each" },
    ],
    sample: ":2?base=3",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=100)?;
        let base = arguments.count("base", 1..=100)?;
        let spacing = base as f32 + 1.0;
        let half = spacing * side as f32 * 0.5;
        let mut bodies = vec![ground(half, half, BOX3D)];
        for k in 0..side * side {
            let place = [k % side, k / side].map(|i| (i as f32 + 0.5) * spacing - half);
            wall(&mut bodies, base, place);
        }
        let about = format!("{} pyramids of {} boxes", side * side, base * (base + 1) / 2);
        let scene =
            engine_scene(format!("many_pyramids-{side}"), about, 10.0, 100, bodies, ([0.0; 3], half * 1.5));
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};

/// `jolt_pyramid`.
pub(super) const JOLT_PYRAMID: Generator = Generator {
    name: "jolt_pyramid",
    description: "A four-sided pyramid of boxes of two metres that fall half a metre onto each other (Jolt's Pyramid)",
    parameters: &[Parameter { name: "height", default: "15", meaning: "layers" }],
    sample: ":4",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let height = arguments.count("height", 1..=100)?;
        let mut bodies = vec![ground(50.0 + height as f32, 50.0 + height as f32, JOLT)];
        for layer in 0..height {
            let side = height - layer;
            for k in 0..side * side {
                let [x, z] = [k % side, k / side].map(|i| 2.0 * i as f32 - (side - 1) as f32);
                let place = [x, 1.0 + 2.5 * layer as f32, z];
                let cube = body(place, ShapeKind::Box { size: [2.0; 3] }, JOLT);
                bodies.push(Body { look: colour(layer), ..cube });
            }
        }
        let about = format!("{} boxes in {height} layers", bodies.len() - 1);
        let view = ([0.0, height as f32, 0.0], 2.0 * height as f32);
        let scene = engine_scene(format!("jolt_pyramid-{height}"), about, 9.81, 500, bodies, view);
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};

/// A triangle of unit boxes that touch, along x, its middle at this x and z.
fn wall(bodies: &mut Vec<Body>, base: usize, [x, z]: [f32; 2]) {
    for row in 0..base {
        for column in 0..base - row {
            let along = column as f32 - (base - row - 1) as f32 * 0.5;
            let place = [x + along, row as f32 + 0.5, z];
            let cube = body(place, ShapeKind::Box { size: [1.0; 3] }, BOX3D);
            bodies.push(Body { look: colour(row), ..cube });
        }
    }
}
