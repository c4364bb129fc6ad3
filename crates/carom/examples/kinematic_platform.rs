//! Kinematic bodies: a lift that goes its own way and takes along what stands on it.
//!
//!     cargo run -p carom --example kinematic_platform

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let lift = world.add_body(
        BodyDef::kinematic().velocity(Vec3::new(0.5, 1.0, 0.0)),
        [ShapeDef::new(Cuboid::new(Vec3::new(2.0, 0.1, 2.0))?)],
    )?;
    let crate_on_it =
        world.add_body(BodyDef::dynamic().at(0.0, 0.6, 0.0), [ShapeDef::new(Cuboid::cube(0.5)?)])?;
    for step in 1..=180 {
        // After two seconds it stops.
        if step == 120 {
            world.body_mut(lift)?.set_velocity(Vec3::ZERO)?;
        }
        world.step(1.0 / 60.0)?;
        if step % 30 == 0 {
            let (below, above) = (world.body(lift)?.position(), world.body(crate_on_it)?.position());
            println!(
                "{:3.1} s: lift at {:.2}, {:.2}; crate at {:.2}, {:.2}",
                f64::from(step) / 60.0,
                below.x,
                below.y,
                above.x,
                above.y
            );
        }
    }
    let offset = world.body(crate_on_it)?.position() - world.body(lift)?.position();
    assert!((offset.y - 0.6).abs() < 0.02, "the crate still stands on the lift");
    Ok(())
}
