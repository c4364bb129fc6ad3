//! Behaviour of worlds of two dimensions, against what mechanics says of them.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod joints;
mod motion;
mod plane;
mod surfaces;

use carom_dynamics2d::{BodyDef, BodyId, ShapeDef, World, WorldDef};

const DT: f32 = 1.0 / 60.0;

fn world() -> World {
    World::new(WorldDef::default())
}

/// A world with a floor whose top is y = 0.
fn with_floor() -> World {
    let mut world = world();
    world.add_body(BodyDef::fixed().at(0.0, -1.0), [ShapeDef::rectangle(100.0, 1.0).unwrap()]).unwrap();
    world
}

fn steps(world: &mut World, count: u32) {
    for _ in 0..count {
        world.step(DT).unwrap();
    }
}

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().position().y
}
