//! A ragdoll: eleven limbs, ten joints with limits. Shoulders, hips, neck and waist are ball joints
//! with cone and twist; elbows and knees are hinges. It falls down a flight of stairs and comes to
//! rest with all its joints together.
//!
//!     cargo run -p carom --example ragdoll

use carom::prelude::*;

/// A limb between two points, as a capsule along y. Limbs of one doll do not collide with each
/// other.
fn limb(
    world: &mut World,
    from: [f64; 2],
    to: [f64; 2],
    radius: f32,
) -> Result<BodyId, Box<dyn std::error::Error>> {
    let (from, to) = (DVec3::new(from[0], from[1], 0.0), DVec3::new(to[0], to[1], 0.0));
    let half = 0.5 * (to - from).length() as f32;
    let along = Rotation::between(Vec3::Y, (to - from).as_vec3().normalize());
    let shape = ShapeDef::new(Capsule::along_y(half, radius)?).group(-1).friction(0.8);
    let def = BodyDef::dynamic().position(START + 0.5 * (from + to)).rotated(along).angular_damping(0.5);
    Ok(world.add_body(def, [shape])?)
}

/// Where its feet are at first.
const START: DVec3 = DVec3::new(0.0, 2.6, 0.0);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    let stair = ShapeDef::new(Cuboid::new(Vec3::new(0.3, 0.25, 2.0))?);
    for k in 0..5 {
        let place = BodyDef::fixed().at(0.6 * f64::from(k), 2.25 - 0.5 * f64::from(k), 0.0);
        world.add_body(place, [stair.clone()])?;
    }

    let chest = limb(&mut world, [0.0, 1.2], [0.0, 1.4], 0.15)?;
    let pelvis = limb(&mut world, [0.0, 0.95], [0.0, 1.0], 0.14)?;
    let head = limb(&mut world, [0.0, 1.65], [0.0, 1.72], 0.1)?;
    let mut joints = Vec::new();
    let mut ball = |world: &mut World, a, b, at: [f64; 2], axis: Vec3, cone| -> Result<(), WorldError> {
        let kind =
            JointKind::Ball { cone: Some(cone), twist: Some([-0.5, 0.5]), friction: 2.0, spring: None };
        let place = START + DVec3::new(at[0], at[1], 0.0);
        joints.push(world.add_joint(JointDef::new(a, b, kind).at(place).axis(axis))?);
        Ok(())
    };
    ball(&mut world, chest, head, [0.0, 1.55], Vec3::Y, 0.6)?;
    ball(&mut world, pelvis, chest, [0.0, 1.1], Vec3::Y, 0.5)?;
    let mut elbows_and_knees = Vec::new();
    for side in [-1.0, 1.0] {
        let upper_arm = limb(&mut world, [0.25 * side, 1.4], [0.5 * side, 1.4], 0.05)?;
        let forearm = limb(&mut world, [0.55 * side, 1.4], [0.8 * side, 1.4], 0.045)?;
        let thigh = limb(&mut world, [0.1 * side, 0.9], [0.1 * side, 0.55], 0.08)?;
        let shin = limb(&mut world, [0.1 * side, 0.45], [0.1 * side, 0.1], 0.06)?;
        ball(&mut world, chest, upper_arm, [0.2 * side, 1.4], Vec3::X * side as f32, 1.3)?;
        ball(&mut world, pelvis, thigh, [0.1 * side, 0.93], Vec3::NEG_Y, 0.8)?;
        elbows_and_knees.push((upper_arm, forearm, [0.525 * side, 1.4], Vec3::Y * side as f32));
        elbows_and_knees.push((thigh, shin, [0.1 * side, 0.5], Vec3::X));
    }
    let bend = Axis::FREE.range(0.0, 2.2).motor(Motor::friction(2.0));
    for (a, b, at, axis) in elbows_and_knees {
        let place = START + DVec3::new(at[0], at[1], 0.0);
        joints.push(world.add_joint(JointDef::hinge(a, b, bend).at(place).axis(axis))?);
    }

    // A push over the edge.
    world.body_mut(chest)?.apply_impulse(Vec3::new(25.0, 0.0, 3.0))?;
    let mut widest = 0.0f32;
    for step in 1..=480 {
        world.step(1.0 / 60.0)?;
        widest = widest.max(world.joint_error().distance);
        if step % 80 == 0 {
            let (place, speed) = (world.body(pelvis)?.position(), world.body(pelvis)?.velocity().length());
            println!(
                "{:3.1} s: pelvis at {:4.2}, {:4.2} m, {speed:4.2} m/s",
                f64::from(step) / 60.0,
                place.x,
                place.y
            );
        }
    }
    let error = world.joint_error();
    println!(
        "{} joints; the widest gap was {:.1} mm and is {:.2} mm now",
        joints.len(),
        1e3 * widest,
        1e3 * error.distance
    );
    let place = world.body(pelvis)?.position();
    assert!(joints.len() == 10 && place.x > 0.5 && place.y < START.y, "it fell down the stairs");
    assert!(error.distance < 0.01 && widest < 0.1, "its joints held");
    assert!(world.body(pelvis)?.velocity().length() < 0.5, "it lies still, or nearly so");
    Ok(())
}
