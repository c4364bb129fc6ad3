//! A hinge: a motor opens a door as far as its limits let it, then a spring shuts it again.
//!
//!     cargo run -p carom --example hinged_door

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let frame = world.add_body(BodyDef::fixed(), [])?;
    let door = ShapeDef::new(Cuboid::new(Vec3::new(0.5, 1.0, 0.03))?).density(600.0);
    let door = world.add_body(BodyDef::dynamic().at(0.5, 1.0, 0.0), [door])?;

    // From shut to 100 degrees, half a radian per second, with no more than 30 N·m.
    let opening = Axis::FREE.range(0.0, 1.745).motor(Motor::new(0.5, 30.0));
    let hinge = world.add_joint(JointDef::hinge(frame, door, opening).at(DVec3::ZERO).axis(Vec3::Y))?;
    for step in 1..=300 {
        world.step(1.0 / 60.0)?;
        if step % 60 == 0 {
            println!("{} s: {:5.1}°, opening", step / 60, world.joint(hinge)?.angle().to_degrees());
        }
    }
    assert!((world.joint(hinge)?.angle() - 1.745).abs() < 0.01, "it stands at its stop");

    // A damped closer instead of the motor. The closer does not know the mass of the door: Hooke's
    // law.
    let closing = Axis::FREE.range(0.0, 1.745).spring(Spring::hooke(40.0, 60.0));
    world.joint_mut(hinge)?.set_kind(JointKind::Hinge(closing))?;
    for step in 1..=300 {
        world.step(1.0 / 60.0)?;
        if step % 60 == 0 {
            println!("{} s: {:5.1}°, closing", 5 + step / 60, world.joint(hinge)?.angle().to_degrees());
        }
    }
    assert!(world.joint(hinge)?.angle() < 0.15, "it is shut, or nearly");
    Ok(())
}
