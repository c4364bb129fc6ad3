//! Sleep: a heap that has come to rest costs nothing, until something falls on it.
//!
//!     cargo run -p carom --example sleeping

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let cube = ShapeDef::new(Cuboid::cube(0.5)?);
    for k in 0..30 {
        let place = BodyDef::dynamic().at(
            f64::from(k % 3) * 1.01,
            0.5 + f64::from(k / 3 % 5),
            f64::from(k / 15) * 3.0,
        );
        world.add_body(place, [cube.clone()])?;
    }
    let mut was_awake = 30;
    let mut is_asleep = false;
    for step in 0..300 {
        if step == 180 {
            is_asleep = world.report().awake == 0;
            println!("{:4.2} s: a ball is thrown at one of the two heaps", f64::from(step) / 60.0);
            let ball = BodyDef::dynamic().at(-4.0, 2.5, 0.0).velocity(Vec3::new(15.0, 0.0, 0.0));
            world.add_body(ball, [ShapeDef::new(Sphere::new(0.4)?).density(5000.0)])?;
        }
        let awake = world.step(1.0 / 60.0)?.awake;
        if awake != was_awake {
            println!("{:4.2} s: {awake} bodies awake", f64::from(step) / 60.0);
            was_awake = awake;
        }
    }
    assert!(is_asleep, "everything slept before the ball came");
    Ok(())
}
