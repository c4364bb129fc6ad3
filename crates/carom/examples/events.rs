//! Events: hits with their speed, visitors of a sensor, bodies that fall asleep.
//!
//!     cargo run -p carom --example events

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let gate = ShapeDef::new(Cuboid::new(Vec3::new(2.0, 0.1, 2.0))?).sensor();
    world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [gate])?;
    let ball = ShapeDef::new(Sphere::new(0.3)?).restitution(0.5);
    world.add_body(BodyDef::dynamic().at(0.0, 4.0, 0.0), [ball])?;

    let (mut hits, mut visits, mut slept) = (0, 0, 0);
    for step in 1..=300 {
        world.step(1.0 / 60.0)?;
        let time = f64::from(step) / 60.0;
        let events = world.events();
        for visit in events.sensor_begin() {
            println!("{time:4.2} s: {} comes through the gate", visit.visitor_body);
            visits += 1;
        }
        for hit in events.hits() {
            println!("{time:4.2} s: a hit at {:.1} m/s, impulse {:.0} N·s", hit.approach, hit.impulse);
            hits += 1;
        }
        for body in events.slept() {
            println!("{time:4.2} s: {body} sleeps");
            slept += 1;
        }
    }
    assert!(hits >= 2 && visits == 1 && slept == 1, "it comes once, bounces and rests");
    Ok(())
}
