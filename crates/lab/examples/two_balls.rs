//! A scene made in code: two balls meet head-on. Prints where they are every tenth of a second.
//!
//!     cargo run -p carom-lab --example two_balls

use std::error::Error;

use carom_fingsics::{FingsicsSettings, FingsicsWorld};
use carom_scene::Scene;
use carom_scene::model::{Body, Mass, Material, Shape, ShapeKind};

fn ball(id: &str, x: f32, speed: f32) -> Body {
    let elastic = Material { restitution: 1.0, friction: 0.0, ..Material::default() };
    Body {
        id: id.into(),
        position: [x, 0.0, 0.0],
        velocity: [speed, 0.0, 0.0],
        mass: Mass::Total(1.0),
        shapes: vec![Shape::new(ShapeKind::Sphere { radius: 0.5 }).with_material(elastic)],
        ..Body::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene { bodies: vec![ball("left", -3.0, 4.0), ball("right", 3.0, -2.0)], ..Scene::default() };
    let mut world = FingsicsWorld::from_scene(&scene, FingsicsSettings::default())?;
    let mut hits = 0;
    for step in 1..=120 {
        let acting = world.step().acting;
        if step % 6 == 0 || acting > 0 {
            let [left, right] = [world.positions()[0].x, world.positions()[1].x];
            let touch = if acting > 0 { "  they meet" } else { "" };
            println!("step {step:3}: left {left:6.2}, right {right:6.2}{touch}");
        }
        hits += acting;
    }
    assert_eq!(hits, 1, "they meet once");
    assert_eq!(
        (world.velocity(0).x, world.velocity(1).x),
        (-2.0, 4.0),
        "equal masses exchange their velocities"
    );
    Ok(())
}
