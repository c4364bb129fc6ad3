//! A tower of bricks in bond: the tower of Obugre's benchmark, without the wrecking ball.

use super::request::Parameter;
use super::setting::{body, engine_scene, ground, sleepless};
use super::walls::colour;
use super::{Dimensions, Generator, SceneSource};
use crate::model::{Body, Material, ShapeKind};

/// Side of the tower, metres.
const SIDE: f32 = 7.0;
/// Length of a brick of one metre by one, metres.
const BRICK: f32 = 3.0;
/// Mass of the plates under and on the tower, in bricks.
const PLATE: f32 = 10.0;

/// `brick_tower`.
pub(super) const BRICK_TOWER: Generator = Generator {
    name: "brick_tower",
    description: "A hollow square tower of bricks in bond, six a storey, between two plates",
    parameters: &[Parameter { name: "storeys", default: "50", meaning: "storeys of six bricks" }],
    sample: ":4",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let storeys = arguments.count("storeys", 1..=1000)?;
        let mut bodies = vec![ground(50.0, 50.0, surface(1.0))];
        bodies.push(plate(0.5));
        for storey in 1..=storeys {
            bodies.extend(bricks(storey));
        }
        bodies.push(plate(storeys as f32 + 1.5));
        let about = format!("{} bricks that must stand", 6 * storeys);
        let height = storeys as f32 + 2.0;
        let view = ([0.0, 0.5 * height, 0.0], 0.6 * height + 3.0);
        let scene = engine_scene(format!("brick_tower-{storeys}"), about, 10.0, 3600, bodies, view);
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};

/// Its surfaces, with a mass of a brick for the given volume.
fn surface(volume: f32) -> Material {
    Material { friction: 1.0, restitution: 0.3, density: 1.0 / volume, rolling_friction: 0.0 }
}

/// A plate over the whole tower.
fn plate(y: f32) -> Body {
    let material = surface(SIDE * SIDE / PLATE);
    body([0.0, y, 0.0], ShapeKind::Box { size: [SIDE, 1.0, SIDE] }, material)
}

/// A storey: two sides of two bricks with a gap, and two sides of one brick; crosswise in the next.
fn bricks(storey: usize) -> impl Iterator<Item = Body> {
    let (edge, part) = (0.5 * (SIDE - 1.0), 0.5 * (SIDE - BRICK));
    let places = [(-part, -edge), (part, -edge), (part, edge), (-part, edge), (0.0, edge), (0.0, -edge)];
    places.into_iter().enumerate().map(move |(k, (along, across))| {
        // The first four lie along x in even storeys, the others in odd ones.
        let is_along_x = (k < 4) == storey.is_multiple_of(2);
        let (place, size) = if is_along_x {
            ([along, storey as f32 + 0.5, across], [BRICK, 1.0, 1.0])
        } else {
            ([across, storey as f32 + 0.5, along], [1.0, 1.0, BRICK])
        };
        let brick = body(place, ShapeKind::Box { size }, surface(BRICK));
        Body { look: colour(storey), ..brick }
    })
}
