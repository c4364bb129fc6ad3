//! Wheel joints: a car with springs, driven by its rear wheels and steered by its front wheels.
//!
//!     cargo run -p carom --example car

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace).friction(1.0)])?;
    // Forward is −z.
    let body = ShapeDef::new(Cuboid::new(Vec3::new(0.8, 0.25, 1.6))?).density(300.0);
    let car = world.add_body(BodyDef::dynamic().at(0.0, 0.8, 0.0), [body])?;
    let tyre = ShapeDef::new(Sphere::new(0.4)?).density(200.0).friction(1.0);
    let mut front = Vec::new();
    for (x, z) in [(-0.9, -1.2), (0.9, -1.2), (-0.9, 1.2), (0.9, 1.2)] {
        let wheel = world.add_body(BodyDef::dynamic().at(x, 0.4, z), [tyre.clone()])?;
        let suspension = Axis::FREE.spring(Spring::new(2.5, 0.7)).range(-0.25, 0.25);
        let is_front = z < 0.0;
        let steering = Axis::FREE.range(-0.6, 0.6).motor(Motor::servo(0.0, 4000.0, 200.0, 1e4));
        let kind = JointKind::Wheel {
            suspension,
            steering: if is_front { steering } else { Axis::LOCKED },
            // Turning about +x by the right hand rolls backwards.
            spin: if is_front { Axis::FREE } else { Axis::FREE.motor(Motor::new(-15.0, 300.0)) },
        };
        let joint = JointDef::new(car, wheel, kind).at(DVec3::new(x, 0.4, z)).axes(Vec3::X, Vec3::Y);
        let joint = world.add_joint(joint)?;
        if is_front {
            front.push(joint);
        }
    }
    for step in 1..=360 {
        if step == 180 {
            println!("{} s: to the left", step / 60);
            for joint in &front {
                let mut kind = world.joint(*joint)?.kind();
                if let JointKind::Wheel { steering, .. } = &mut kind {
                    steering.motor = Some(Motor::servo(0.3, 4000.0, 200.0, 1e4));
                }
                world.joint_mut(*joint)?.set_kind(kind)?;
            }
        }
        world.step(1.0 / 60.0)?;
        if step % 60 == 0 {
            let car = world.body(car)?;
            let (place, ahead) = (car.position(), car.rotation().rotate(Vec3::NEG_Z));
            let heading = (-ahead.x).atan2(-ahead.z).to_degrees();
            println!(
                "{} s: at x {:5.1} z {:6.1}, {:4.1} m/s, heading {heading:5.1}°",
                step / 60,
                place.x,
                place.z,
                car.velocity().length()
            );
        }
    }
    let (place, up) = (world.body(car)?.position(), world.body(car)?.rotation().rotate(Vec3::Y));
    assert!(place.z < -10.0 && place.x < -1.0 && up.y > 0.9, "forward, then to the left, on its wheels");
    Ok(())
}
