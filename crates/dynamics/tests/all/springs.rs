//! Springs of Hooke's law, servos and dampers against what mechanics says of them.

use carom_dynamics::{Axis, BodyDef, BodyId, JointDef, JointKind, Motor, Spring, World, WorldDef};
use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid};

fn empty(gravity: f32) -> World {
    World::new(WorldDef::default().gravity(Vec3::Y * -gravity).can_sleep(false))
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(DT).unwrap();
    }
}

/// A ball of this density under the origin, and a spring between.
fn hung(world: &mut World, density: f32, spring: Spring) -> BodyId {
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    let b = world.add_body(BodyDef::dynamic().at(0.0, -1.0, 0.0), [ball(0.2).density(density)]).unwrap();
    let ends = [DVec3::ZERO, DVec3::new(0.0, -1.0, 0.0)];
    world.add_joint(JointDef::spring(a, b, ends, spring)).unwrap();
    b
}

#[test]
fn a_weight_sags_by_its_weight_over_the_stiffness() {
    for (density, stiffness) in [(1000.0, 2000.0), (1000.0, 4000.0), (250.0, 2000.0)] {
        let mut world = empty(9.81);
        let b = hung(&mut world, density, Spring::hooke(stiffness, 150.0));
        steps(&mut world, 1200);
        let sag = -1.0 - world.body(b).unwrap().position().y as f32;
        let expected = world.body(b).unwrap().mass() * 9.81 / stiffness;
        assert!((sag / expected - 1.0).abs() < 1e-3, "{sag} m for {expected} m");
    }
}

#[test]
fn a_weight_swings_in_the_time_that_mass_and_stiffness_say() {
    // The same spring, and bodies of which one is four times heavier: it takes twice as long.
    for density in [1000.0, 4000.0] {
        let mut world = empty(0.0);
        let b = hung(&mut world, density, Spring::hooke(2000.0, 0.0));
        world.body_mut(b).unwrap().set_pose(DVec3::new(0.0, -1.2, 0.0), Rotation::IDENTITY).unwrap();
        let mass = f64::from(world.body(b).unwrap().mass());
        let expected = std::f64::consts::TAU * (mass / 2000.0).sqrt();
        let (mut passages, mut before) = (Vec::new(), -0.2);
        for step in 1..1000 {
            world.step(DT).unwrap();
            let now = world.body(b).unwrap().position().y + 1.0;
            if now * before < 0.0 {
                passages.push((f64::from(step) - now / (now - before)) * f64::from(DT));
            }
            before = now;
        }
        let found = (passages[4] - passages[0]) / 2.0;
        assert!((found / expected - 1.0).abs() < 5e-3, "{found} s for {expected} s");
    }
}

#[test]
fn two_free_bodies_swing_by_their_reduced_mass() {
    let mut world = empty(0.0);
    let [a, b] = [(0.0, 1000.0), (1.2, 3000.0)].map(|(x, density)| {
        world.add_body(BodyDef::dynamic().at(x, 0.0, 0.0), [ball(0.2).density(density)]).unwrap()
    });
    let spring = Spring::hooke(3000.0, 0.0).rest(1.0);
    let kind = JointKind::Distance { range: [0.0, f32::INFINITY], spring: Some(spring) };
    let ends = [DVec3::ZERO, DVec3::new(1.2, 0.0, 0.0)];
    let joint = world.add_joint(JointDef::new(a, b, kind).anchors(ends)).unwrap();
    let [m, n] = [a, b].map(|id| world.body(id).unwrap().mass());
    let half = std::f32::consts::PI * (m * n / (m + n) / 3000.0).sqrt();
    let count = (half / DT).round() as usize;
    steps(&mut world, count);
    let length = world.joint(joint).unwrap().displacement();
    assert!((length - 0.8).abs() < 0.02, "half a period later it is pressed as it was drawn: {length}");
}

#[test]
fn turning_springs_know_the_moment_of_inertia() {
    let mut world = empty(0.0);
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    let wheel = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let axis = Axis::FREE.spring(Spring::hooke(1000.0, 0.0).rest(0.3));
    let hinge = world.add_joint(JointDef::hinge(a, wheel, axis).at(DVec3::ZERO).axis(Vec3::Z)).unwrap();
    let inertia = 0.4 * world.body(wheel).unwrap().mass() * 0.25;
    let half = std::f32::consts::PI * (inertia / 1000.0).sqrt();
    steps(&mut world, (half / DT).round() as usize);
    let angle = world.joint(hinge).unwrap().angle();
    assert!((angle - 0.6).abs() < 0.02, "{angle}");
}

#[test]
fn a_ball_joint_with_a_spring_comes_back() {
    let mut world = empty(9.81);
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    // An arm that lies on its spring as its weight says: k φ = m g l for small angles.
    let arm = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [cuboid(1.0, 0.1, 0.1)]).unwrap();
    let moment = world.body(arm).unwrap().mass() * 9.81;
    let spring = Some(Spring::hooke(10.0 * moment, 4.0 * moment));
    let kind = JointKind::Ball { cone: None, twist: None, friction: 0.0, spring };
    world.add_joint(JointDef::new(a, arm, kind).at(DVec3::ZERO)).unwrap();
    steps(&mut world, 600);
    let sunk = world.body(arm).unwrap().position();
    assert!((sunk.y + 0.1).abs() < 2e-3 && sunk.z.abs() < 1e-4, "{sunk}");
}

#[test]
fn servos_hold_a_position_and_dampers_pull_towards_a_speed() {
    let mut world = empty(9.81);
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    let sled = world.add_body(BodyDef::dynamic(), [ball(0.2)]).unwrap();
    let mass = world.body(sled).unwrap().mass();
    let weight = mass * 9.81;
    // Half a metre up, less what the weight makes of the stiffness.
    let servo = Motor::servo(0.5, 10.0 * weight, 4.0 * weight, f32::INFINITY);
    let slider = JointDef::slider(a, sled, Axis::FREE.motor(servo)).at(DVec3::ZERO).axis(Vec3::Y);
    let slider = world.add_joint(slider).unwrap();
    steps(&mut world, 600);
    let up = world.joint(slider).unwrap().displacement();
    assert!((up - 0.4).abs() < 2e-3, "{up}");
    // Too weak to carry it: it falls by what is missing.
    let weak = Motor::servo(0.5, 10.0 * weight, 0.0, 0.5 * weight);
    world.joint_mut(slider).unwrap().set_motor(Some(weak)).unwrap();
    steps(&mut world, 60);
    let speed = world.body(sled).unwrap().velocity().y;
    assert!((speed + 0.5 * 9.81).abs() < 0.05, "{speed}");
    // A damper towards 1 m/s, against the weight: c (1 − v) = m g.
    let damper = Motor::new(1.0, f32::INFINITY).damping(2.0 * weight);
    world.joint_mut(slider).unwrap().set_motor(Some(damper)).unwrap();
    steps(&mut world, 300);
    let speed = world.body(sled).unwrap().velocity().y;
    assert!((speed - 0.5).abs() < 1e-3, "{speed}");
    world.joint_mut(slider).unwrap().set_motor(None).unwrap();
    steps(&mut world, 60);
    let falling = world.body(sled).unwrap().velocity().y;
    assert!((falling - speed + 9.81).abs() < 1e-2, "{falling}");
}

#[test]
fn a_motor_that_nothing_stops_stops_at_its_end() {
    let mut world = empty(9.81);
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    let arm = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [cuboid(1.0, 0.1, 0.1)]).unwrap();
    let axis = Axis::FREE.range(-0.3, 0.6).motor(Motor::new(0.7, f32::INFINITY));
    let hinge = world.add_joint(JointDef::hinge(a, arm, axis).at(DVec3::ZERO).axis(Vec3::Z)).unwrap();
    for (speed, end) in [(0.7, 0.6), (-0.7, -0.3)] {
        world.joint_mut(hinge).unwrap().set_motor_speed(speed).unwrap();
        steps(&mut world, 180);
        let angle = world.joint(hinge).unwrap().angle();
        assert!((angle - end).abs() < 1e-3, "{angle}");
    }
}

#[test]
fn springs_of_any_strength_are_stable() {
    for (stiffness, damping) in [(0.0, 0.0), (1e-38, 0.0), (1e9, 0.0), (3e38, 3e38), (0.0, 1e12)] {
        let mut world = empty(9.81);
        let b = hung(&mut world, 1000.0, Spring::hooke(stiffness, damping));
        steps(&mut world, 120);
        let fallen = -1.0 - world.body(b).unwrap().position().y;
        let expected = if stiffness + damping < 1.0 { 19.7 } else { 0.0 };
        assert!((fallen - expected).abs() < 0.1, "{stiffness} N/m, {damping} N·s/m: {fallen} m");
        assert!(world.validate().is_empty());
    }
}

#[test]
fn errors_are_measured() {
    let mut world = empty(0.0);
    let a = world.add_body(BodyDef::fixed(), []).unwrap();
    let b = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    let slider = JointDef::slider(a, b, Axis::FREE.range(-0.5, 0.5)).at(DVec3::ZERO).axis(Vec3::X);
    let slider = world.add_joint(slider).unwrap();
    assert_eq!((world.joint_error().distance, world.joint_error().angle), (0.0, 0.0));
    let turned = Rotation::about_axis(Vec3::Y, 0.25f32);
    world.body_mut(b).unwrap().set_pose(DVec3::new(1.0, 0.0, 0.0), turned).unwrap();
    let angle = world.joint(slider).unwrap().error().angle;
    assert!((angle - 0.25).abs() < 1e-5, "{angle}");
    // 0.3 beyond its range, 0.4 beside its line.
    world.body_mut(b).unwrap().set_pose(DVec3::new(1.8, 0.4, 0.0), Rotation::IDENTITY).unwrap();
    let error = world.joint(slider).unwrap().error();
    assert!((error.distance - 0.5).abs() < 1e-5 && error.angle < 1e-5, "{error:?}");
    world.remove_joint(slider).unwrap();
    let rope = world.add_joint(JointDef::rope(a, b, [DVec3::ZERO, DVec3::new(1.8, 0.4, 0.0)], 1.0)).unwrap();
    let error = world.joint(rope).unwrap().error();
    assert!((f64::from(error.distance) - (1.8f64.hypot(0.4) - 1.0)).abs() < 1e-5, "{error:?}");
}
