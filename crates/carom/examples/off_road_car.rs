//! A car on bumpy ground: four wheel joints with suspension on a height field, driven by all wheels
//! and held on its course by steering. The suspension takes the bumps, and the body stays upright.
//!
//!     cargo run -p carom --example off_road_car

use carom::prelude::*;

/// Half the length of the ground, metres; forward is −z.
const REACH: f32 = 40.0;

fn bumpy_ground() -> Result<HeightField, Box<dyn std::error::Error>> {
    // Bumps of 15 cm, 3 m apart, which left and right wheels meet at different times.
    let tent = |x: f32| 1.0 - (2.0 * (x - x.floor()) - 1.0).abs();
    let (columns, rows) = (21u32, 161u32);
    let mut heights = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (x, z) = (column as f32, 0.5 * row as f32);
            heights.push(0.15 * tent(z / 3.0 + x / 7.0));
        }
    }
    Ok(HeightField::new(columns, rows, heights, [1.0, 0.5])?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(bumpy_ground()?).friction(1.0)])?;

    let start = f64::from(REACH) - 4.0;
    let chassis = ShapeDef::new(Cuboid::new(Vec3::new(0.8, 0.2, 1.6))?).density(300.0);
    let car = world.add_body(BodyDef::dynamic().at(0.0, 1.0, start).can_sleep(false), [chassis])?;
    let tyre = ShapeDef::new(Sphere::new(0.4)?).density(200.0).friction(1.0);
    let mut wheels = Vec::new();
    for (x, z) in [(-0.9, -1.2), (0.9, -1.2), (-0.9, 1.2), (0.9, 1.2)] {
        let hub = DVec3::new(x, 0.7, start + z);
        let wheel = world.add_body(BodyDef::dynamic().position(hub), [tyre.clone()])?;
        let is_front = z < 0.0;
        let kind = JointKind::Wheel {
            // Stiff enough for a quarter of the car: it sags by five centimetres.
            suspension: Axis::FREE.spring(Spring::hooke(30_000.0, 3_000.0)).range(-0.25, 0.25),
            steering: if is_front {
                Axis::FREE.range(-0.5, 0.5).motor(Motor::servo(0.0, 4000.0, 200.0, 1e4))
            } else {
                Axis::LOCKED
            },
            // Turning about +x by the right hand rolls backwards, so forward is a negative speed.
            spin: Axis::FREE.motor(Motor::new(-12.0, 250.0)),
        };
        let joint = world.add_joint(JointDef::new(car, wheel, kind).at(hub).axes(Vec3::X, Vec3::Y))?;
        wheels.push((joint, is_front));
    }

    let (mut lowest_up, mut travel) = (1.0f32, [0.0f32; 2]);
    for step in 1..=600 {
        // The driver steers back towards the line x = 0.
        let (place, ahead) = (world.body(car)?.position(), world.body(car)?.rotation().rotate(Vec3::NEG_Z));
        let wish = (0.1 * place.x as f32 + 1.0 * ahead.x).clamp(-0.4, 0.4);
        for (joint, _) in wheels.iter().filter(|(_, is_front)| *is_front) {
            let steering = Axis::FREE.range(-0.5, 0.5).motor(Motor::servo(wish, 4000.0, 200.0, 1e4));
            world.joint_mut(*joint)?.set_axis(JointAxis::Steering, steering)?;
        }
        world.step(1.0 / 60.0)?;
        lowest_up = lowest_up.min(world.body(car)?.rotation().rotate(Vec3::Y).y);
        for (joint, _) in &wheels {
            let along = world.joint(*joint)?.displacement();
            travel = [travel[0].min(along), travel[1].max(along)];
        }
        if step % 60 == 0 {
            let (place, speed) = (world.body(car)?.position(), world.body(car)?.velocity().length());
            println!(
                "{:2} s: {:5.1} m driven, {:+.2} m beside the line, {speed:.1} m/s",
                step / 60,
                start - place.z,
                place.x
            );
        }
        if world.body(car)?.position().z < -f64::from(REACH) + 6.0 {
            println!("the end of the ground after {:.1} s", f64::from(step) / 60.0);
            break;
        }
    }
    let place = world.body(car)?.position();
    println!(
        "wheels moved from {:+.2} to {:+.2} m along their suspension; least upright {lowest_up:.3}",
        travel[0], travel[1]
    );
    assert!(start - place.z > 25.0, "it drove {} m", start - place.z);
    assert!(place.x.abs() < 2.0, "it kept to its line");
    assert!(lowest_up > 0.9, "it never leaned far");
    assert!(travel[0] > -0.3 && travel[1] < 0.3, "the suspension stayed near its range");
    Ok(())
}
