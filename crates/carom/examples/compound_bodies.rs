//! Compound bodies: several shapes on one body. A hammer turns about its centre of mass, which is
//! near the head.
//!
//!     cargo run -p carom --example compound_bodies

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let handle = ShapeDef::new(Capsule::along_x(0.2, 0.02)?).density(700.0);
    let head = ShapeDef::new(Cuboid::new(Vec3::new(0.03, 0.03, 0.08))?)
        .density(7800.0)
        .local_pose(Pose::at(Vec3::new(0.2, 0.0, 0.0)));
    let throw =
        BodyDef::dynamic().velocity(Vec3::new(3.0, 5.0, 0.0)).angular_velocity(Vec3::new(0.0, 0.0, 12.0));
    let hammer = world.add_body(throw, [handle, head])?;
    let centre = world.body(hammer)?.centre_of_mass();
    println!(
        "{:.2} kg, centre of mass {:.3} m from the middle of the handle",
        world.body(hammer)?.mass(),
        centre.x
    );
    for step in 1..=50 {
        world.step(1.0 / 60.0)?;
        if step % 10 == 0 {
            let body = world.body(hammer)?;
            let (middle, centre) = (body.position(), body.centre_of_mass());
            println!(
                "handle at {:5.2}, {:5.2}; centre of mass at {:5.2}, {:5.2}",
                middle.x, middle.y, centre.x, centre.y
            );
        }
    }
    // The centre of mass flies like a stone, however the hammer turns.
    let time = 50.0 / 60.0;
    let expected = centre + DVec3::new(3.0 * time, 5.0 * time - 0.5 * 9.81 * time * time, 0.0);
    assert!((world.body(hammer)?.centre_of_mass() - expected).length() < 0.01);
    Ok(())
}
