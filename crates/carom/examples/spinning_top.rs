//! Free rotation: a body spun about its middle axis tumbles over again and again, though nothing
//! touches it, and its angular momentum stays what it was.
//!
//!     cargo run -p carom --example spinning_top

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    // Three different sides, three different inertias; y is the middle one.
    let book = ShapeDef::new(Cuboid::new(Vec3::new(0.2, 0.1, 0.02))?);
    let spin = Vec3::new(0.01, 6.0, 0.01);
    let body = world.add_body(BodyDef::dynamic().angular_velocity(spin), [book])?;
    let before = (world.body(body)?.kinetic_energy(), world.body(body)?.angular_momentum());
    let (mut turns, mut is_up) = (0, true);
    for step in 0..1200 {
        world.step(1.0 / 60.0)?;
        let axis = world.body(body)?.rotation().rotate(Vec3::Y);
        if (axis.y > 0.0) != is_up && axis.y.abs() > 0.5 {
            is_up = axis.y > 0.0;
            turns += 1;
            println!(
                "{:5.2} s: it has turned {}",
                f64::from(step) / 60.0,
                if is_up { "back" } else { "over" }
            );
        }
    }
    let after = (world.body(body)?.kinetic_energy(), world.body(body)?.angular_momentum());
    println!("energy {:.6} J → {:.6} J", before.0, after.0);
    println!("momentum {:.6} → {:.6} kg m²/s", before.1.length(), after.1.length());
    assert!(turns >= 2);
    assert!((after.1 - before.1).length() < 1e-3 * before.1.length());
    Ok(())
}
