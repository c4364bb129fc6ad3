//! Slopes and rolling.

use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::{Cylinder, HalfSpace};
use glam::Vec3;

use crate::scenes::{ball, cuboid, run};

/// A plane that falls along +x by an angle.
fn slope(angle: f32, friction: f32) -> (World, Rotation) {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let tilt = Rotation::about_axis(Vec3::Z, -angle);
    world.add_body(BodyDef::fixed().rotated(tilt), [ShapeDef::new(HalfSpace).friction(friction)]).unwrap();
    (world, tilt)
}

#[test]
fn a_box_sticks_below_the_angle_of_friction_and_slides_above_it_as_it_should() {
    for (angle, friction) in [(0.3f32, 0.5f32), (0.6, 0.5), (0.4, 0.1), (0.2, 0.0)] {
        let (mut world, tilt) = slope(angle, friction);
        let at = tilt.rotate(Vec3::new(0.0, 0.25, 0.0)).as_dvec3();
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).rotated(tilt);
        let id = world.add_body(def, [cuboid(0.5, 0.25, 0.5).friction(friction)]).unwrap();
        run(&mut world, 2.0);
        let along = tilt.rotate(Vec3::X);
        let travelled = (world.body(id).unwrap().position() - at).dot(along.as_dvec3());
        let acceleration = 9.81 * (f64::from(angle).sin() - f64::from(friction) * f64::from(angle).cos());
        if acceleration <= 0.0 {
            assert!(travelled.abs() < 5e-3, "angle {angle}: crept {travelled} m");
        } else {
            let expected = 0.5 * acceleration * 4.0;
            assert!(
                (travelled / expected - 1.0).abs() < 0.02,
                "angle {angle}: {travelled} instead of {expected}"
            );
        }
    }
}

#[test]
fn a_solid_ball_wins_the_race_against_a_hollow_one() {
    let (mut world, tilt) = slope(0.3, 0.9);
    let racers = [0.4f32, 2.0 / 3.0].map(|share| {
        let at = tilt.rotate(Vec3::new(0.0, 0.5, 0.0)).as_dvec3();
        let z = f64::from(share) * 10.0;
        let mut def = BodyDef::dynamic().at(at.x, at.y, z);
        def.mass = Some(MassProperties::diagonal(1.0, Vec3::ZERO, Vec3::splat(share * 0.25)));
        (share, world.add_body(def, [ball(0.5).friction(0.9)]).unwrap())
    });
    run(&mut world, 2.0);
    let along = tilt.rotate(Vec3::X);
    for (share, id) in racers {
        let body = world.body(id).unwrap();
        let expected = 9.81 * f64::from(0.3f32).sin() / (1.0 + f64::from(share)) * 2.0;
        let speed = f64::from(body.velocity().dot(along));
        assert!((speed / expected - 1.0).abs() < 0.01, "share {share}: {speed} instead of {expected}");
        let slip = body.velocity().dot(along) + body.angular_velocity().z * 0.5;
        assert!(slip.abs() < 0.02, "it rolls: {slip}");
    }
}

#[test]
fn a_spinning_box_is_slowed_by_twist() {
    let mut world = crate::scenes::ground(WorldDef::default());
    let def = BodyDef::dynamic().at(0.0, 0.1, 0.0).angular_velocity(Vec3::Y * 5.0);
    let id = world.add_body(def, [cuboid(0.5, 0.1, 0.5).friction(0.5)]).unwrap();
    run(&mut world, 2.0);
    let body = world.body(id).unwrap();
    assert!(
        body.angular_velocity().length() < 1e-2 && body.position().x.abs() < 0.05,
        "{} {}",
        body.angular_velocity(),
        body.position()
    );
}

#[test]
fn a_conveyor_carries_what_lies_on_it() {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let belt = BodyDef::kinematic().velocity(Vec3::X * 2.0);
    world.add_body(belt, [cuboid(50.0, 0.5, 5.0)]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.75, 0.0), [cuboid(0.25, 0.25, 0.25)]).unwrap();
    run(&mut world, 3.0);
    let body = world.body(id).unwrap();
    assert!((body.velocity() - Vec3::X * 2.0).length() < 0.02, "{}", body.velocity());
}

#[test]
fn a_ball_rolls_as_far_as_its_resistance_lets_it() {
    for (rolling, speed, radius) in [(0.005f32, 3.0f32, 0.5f32), (0.02, 5.0, 0.25), (0.001, 1.0, 0.1)] {
        let mut world = World::new(WorldDef::default().can_sleep(false));
        world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
        let def = BodyDef::dynamic()
            .at(0.0, f64::from(radius), 0.0)
            .velocity(Vec3::X * speed)
            .angular_velocity(Vec3::Z * (-speed / radius));
        let id = world.add_body(def, [ball(radius).rolling(rolling)]).unwrap();
        let slowing = 5.0 / 7.0 * 9.81 * f64::from(rolling / radius);
        let expected = f64::from(speed * speed) / (2.0 * slowing);
        run(&mut world, (1.2 * f64::from(speed) / slowing) as f32 + 1.0);
        let body = world.body(id).unwrap();
        let ratio = body.position().x / expected;
        assert!((ratio - 1.0).abs() < 0.02, "rolling {rolling}: {ratio} of {expected} m");
        assert!(
            body.velocity().length() < 1e-3 && body.angular_velocity().length() < 1e-2,
            "{}",
            body.velocity()
        );
    }
}

#[test]
fn a_ball_that_spins_on_the_spot_comes_to_rest_as_it_should() {
    let mut world = crate::scenes::ground(WorldDef::default());
    let def = BodyDef::dynamic().at(0.0, 0.5, 0.0).angular_velocity(Vec3::Y * 20.0);
    let id = world.add_body(def, [ball(0.5).rolling(0.01)]).unwrap();
    run(&mut world, 2.0);
    // The torque is a hundredth of a metre times the weight, the inertia 2/5 m r².
    let expected = 20.0 - 2.0 * 0.01 * 9.81 / (0.4 * 0.25);
    let spin = f64::from(world.body(id).unwrap().angular_velocity().y);
    assert!((spin / expected - 1.0).abs() < 0.01, "{spin} instead of {expected}");
}

/// A disc of radius 0.5 on a plane that slides along x and spins: how far it slides, and its speeds
/// in time, until it stops.
fn puck(velocity: f32, spin: f32, friction: f32) -> (f64, Vec<[f32; 2]>) {
    let (mut world, _) = slope(0.0, friction);
    let disc = ShapeDef::new(Cylinder::new(0.025, 0.5).unwrap()).friction(friction);
    let upright = Rotation::about_axis(Vec3::X, std::f32::consts::FRAC_PI_2);
    let def = BodyDef::dynamic()
        .at(0.0, 0.025, 0.0)
        .rotated(upright)
        .velocity(Vec3::X * velocity)
        .angular_velocity(Vec3::Y * spin);
    let id = world.add_body(def, [disc]).unwrap();
    let mut speeds = Vec::new();
    for _ in 0..1200 {
        world.step(1.0 / 240.0).unwrap();
        let body = world.body(id).unwrap();
        speeds.push([body.velocity().length(), body.angular_velocity().length()]);
    }
    (world.body(id).unwrap().position().x, speeds)
}

#[test]
fn a_spinning_puck_slides_farther() {
    let (straight, _) = puck(2.0, 0.0, 0.3);
    let expected = 2.0 * 2.0 / (2.0 * 9.81 * 0.3);
    assert!((straight / expected - 1.0).abs() < 0.02, "{straight} instead of {expected}");
    // With R ω = 2 v the disc of uniform pressure slides 1.72 times as far; a ring somewhat less.
    let mut last = straight;
    for (spin, least) in [(4.0, 1.05), (8.0, 1.3), (16.0, 1.7)] {
        let (slid, _) = puck(2.0, spin, 0.3);
        assert!(slid > least * straight && slid > last, "spin {spin}: {slid} against {straight}");
        last = slid;
    }
}

#[test]
fn sliding_and_spinning_end_at_the_same_time() {
    // Whatever it begins with, a uniform disc ends with v = 0.653 R ω (Z. Farkas and others, 2003).
    for (velocity, spin) in [(2.0f32, 8.0f32), (1.0, 12.0), (3.0, 4.0)] {
        let (_, speeds) = puck(velocity, spin, 0.3);
        let first_below =
            |k: usize, part: f32| speeds.iter().position(|speed| speed[k] < part).unwrap_or(speeds.len());
        let (stands, turns_not) = (first_below(0, 0.01), first_below(1, 0.02));
        assert!(stands < 1200 && turns_not < 1200, "it stops");
        assert!(stands.abs_diff(turns_not) <= 6, "{velocity} {spin}: steps {stands} and {turns_not}");
        let at = stands.min(turns_not) - 12;
        let ratio = speeds[at][0] / (0.5 * speeds[at][1]);
        assert!((0.45..0.95).contains(&ratio), "{velocity} {spin}: v / R ω = {ratio} near the end");
    }
}
