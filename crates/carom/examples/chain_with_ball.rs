//! A chain that holds: twenty light links carry a ball 2500 times as heavy as one of them, and no
//! joint opens by more than millimetres.
//!
//!     cargo run -p carom --example chain_with_ball

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let ceiling = world.add_body(BodyDef::fixed(), [])?;
    let link = ShapeDef::new(Capsule::along_x(0.15, 0.05)?);
    let mut before = ceiling;
    // It begins sideways and swings down.
    for k in 0..20 {
        let place = BodyDef::dynamic().at(0.25 + 0.5 * f64::from(k), 0.0, 0.0);
        let next = world.add_body(place, [link.clone()])?;
        let at = DVec3::new(0.5 * f64::from(k), 0.0, 0.0);
        world.add_joint(JointDef::ball(before, next).at(at))?;
        before = next;
    }
    let links = world.body(before)?.mass();
    let ball = ShapeDef::new(Sphere::new(0.6)?).density(8000.0);
    let ball = world.add_body(BodyDef::dynamic().at(10.6, 0.0, 0.0), [ball])?;
    world.add_joint(JointDef::ball(before, ball).at(DVec3::new(10.0, 0.0, 0.0)))?;
    println!("the ball weighs {:.0} links", world.body(ball)?.mass() / links);

    let mut worst = 0.0f32;
    for step in 1..=300 {
        let stiff = world.step(1.0 / 60.0)?.extra_substep_bodies;
        worst = worst.max(world.joint_error().distance);
        if step % 60 == 0 {
            let place = world.body(ball)?.position();
            let gap = 1000.0 * world.joint_error().distance;
            println!(
                "{} s: the ball is {:6.3} m from the ceiling, the widest gap {gap:5.2} mm, {stiff} bodies in more substeps",
                step / 60,
                place.length(),
            );
        }
    }
    assert!(worst < 0.01, "no joint ever opened by a centimetre, but by {worst} m");
    assert!((world.body(ball)?.position().length() / 10.6 - 1.0).abs() < 0.01, "it is as long as it was");
    Ok(())
}
