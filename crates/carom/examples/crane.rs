//! A crane: a chain of light links carries a load a thousand times as heavy as one of them, while
//! the boom turns by a motor. A rope that is as long as the chain would do the same with one joint.
//!
//!     cargo run -p carom --example crane

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    let mast = world.add_body(BodyDef::fixed(), [])?;
    let boom = ShapeDef::new(Cuboid::new(Vec3::new(4.0, 0.2, 0.2))?).density(2000.0);
    let boom = world.add_body(BodyDef::dynamic().at(4.0, 10.0, 0.0).can_sleep(false), [boom])?;
    let slewing = Axis::FREE.motor(Motor::new(0.0, 5e6));
    let slewing = JointDef::hinge(mast, boom, slewing).at(DVec3::new(0.0, 10.0, 0.0)).axis(Vec3::Y);
    let slewing = world.add_joint(slewing)?;

    // Twelve links of 0.4 m from the tip of the boom, then the load.
    let link = ShapeDef::new(Capsule::along_y(0.15, 0.05)?).density(2000.0);
    let (mut above, mut links) = (boom, Vec::new());
    for k in 0..12 {
        let top = 10.0 - 0.4 * f64::from(k);
        let next = world.add_body(BodyDef::dynamic().at(8.0, top - 0.2, 0.0), [link.clone()])?;
        world.add_joint(JointDef::ball(above, next).at(DVec3::new(8.0, top, 0.0)))?;
        above = next;
        links.push(next);
    }
    let hook = 10.0 - 0.4 * 12.0;
    let load = ShapeDef::new(Cuboid::new(Vec3::new(0.7, 0.5, 0.7))?).density(3000.0);
    let load = world.add_body(BodyDef::dynamic().at(8.0, hook - 0.5, 0.0), [load])?;
    let lifting = world.add_joint(JointDef::ball(above, load).at(DVec3::new(8.0, hook, 0.0)))?;
    let ratio = world.body(load)?.mass() / world.body(links[0])?.mass();
    println!("the load weighs {:.0} kg, {ratio:.0} times a link", world.body(load)?.mass());

    // The load bounces a little on its chain, so the force is a mean over a hundred steps.
    let weight = 9.81 * world.body(load)?.mass();
    let (mut widest, mut sum, mut mean) = (0.0f32, 0.0f32, 0.0f32);
    for step in 1..=600 {
        // Faster for three seconds, then slower for three: a jerk would set the load swinging.
        let seconds = step as f32 / 60.0;
        let speed = if seconds < 3.0 { 0.1 * seconds } else { (0.3 - 0.1 * (seconds - 3.0)).max(0.0) };
        world.joint_mut(slewing)?.set_motor_speed(speed)?;
        world.step(1.0 / 60.0)?;
        widest = widest.max(world.joint_error().distance);
        sum += world.joint(lifting)?.force().length();
        if step % 100 == 0 {
            (mean, sum) = (sum / 100.0, 0.0);
            let angle = world.joint(slewing)?.angle().to_degrees();
            println!("{seconds:4.1} s: boom at {angle:5.1}°, {:.1} kN on the hook", 1e-3 * mean);
        }
    }
    let angle = world.joint(slewing)?.angle();
    let place = world.body(load)?.position();
    println!("the load weighs {:.1} kN; no joint opened by more than {:.1} mm", 1e-3 * weight, 1e3 * widest);
    assert!(ratio > 800.0 && widest < 0.02, "the chain held: {widest} m");
    assert!((mean / weight - 1.0).abs() < 0.05, "the hook carries the load");
    assert!((angle - 0.9).abs() < 0.05, "0.45 rad to speed up, as much to slow down");
    let reach = (place.x * place.x + place.z * place.z).sqrt();
    assert!(
        (reach - 8.0).abs() < 1.0 && (place.y - (hook - 0.5)).abs() < 0.3,
        "the load hangs below the tip"
    );
    Ok(())
}
