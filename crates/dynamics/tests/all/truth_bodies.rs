//! Few bodies whose motion can be worked out by hand: a top, light on heavy, two balls and a
//! capsule, a cluster in free space.

use carom_dynamics::{BodyDef, JointDef, ShapeDef, World, WorldDef};
use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, ground, kinetic_energy, space};

/// A disc on a massless rod that stands on its tip and leans by an angle. Steady precession is the
/// slow root of I₁ Ω² cos θ − I₃ ω Ω + m g l = 0.
#[test]
fn a_spinning_top_precesses_as_fast_as_it_should() {
    let (mass, length, along, across) = (2.0f64, 0.5f64, 0.2f64, 0.12f64);
    let (lean, spin, g) = (0.3f64, 60.0f64, 9.81f64);
    let about_tip = across + mass * length * length;
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let stand = world.add_body(BodyDef::fixed(), []).unwrap();
    let tilt = Rotation::about_axis(Vec3::Z, -lean as f32);
    let axis = tilt.rotate(Vec3::Y);
    // I₃ (ω + Ω cos θ) is what the equation calls the spin about the axis.
    let (a, b, c) = (about_tip * lean.cos(), -along * spin, mass * g * length);
    let turn = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    let across_axis = Vec3::Y - axis * axis.y;
    let angular = axis * spin as f32 + across_axis * turn as f32;
    let at = axis * length as f32;
    let def = BodyDef::dynamic()
        .at(f64::from(at.x), f64::from(at.y), f64::from(at.z))
        .rotated(tilt)
        .angular_velocity(angular)
        .velocity(angular.cross(at));
    let inertia = Vec3::new(across as f32, along as f32, across as f32);
    let def = BodyDef { mass: Some(MassProperties::diagonal(mass as f32, Vec3::ZERO, inertia)), ..def };
    let top = world.add_body(def, [cuboid(0.1, 0.02, 0.1)]).unwrap();
    world.add_joint(JointDef::ball(stand, top).at(DVec3::ZERO)).unwrap();
    let (mut angle, mut before) = (0.0f64, 0.0f64);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..300 {
        world.step(DT).unwrap();
        let at = world.body(top).unwrap().position();
        let now = (-at.z).atan2(at.x);
        let step = now - before;
        angle += step - (step / std::f64::consts::TAU).round() * std::f64::consts::TAU;
        before = now;
        let leans = at.x.hypot(at.z).atan2(at.y);
        (low, high) = (low.min(leans), high.max(leans));
    }
    let rate = angle / (300.0 * f64::from(DT));
    assert!((rate / turn - 1.0).abs() < 0.02, "{rate} rad/s instead of {turn}");
    assert!((low - lean).abs() < 0.02 && (high - lean).abs() < 0.02, "leans between {low} and {high}");
}

#[test]
fn a_box_stands_on_one_a_thousand_times_heavier() {
    let mut world = ground(WorldDef::default());
    let heavy = cuboid(0.5, 0.5, 0.5).density(1e6);
    world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [heavy]).unwrap();
    let light = world.add_body(BodyDef::dynamic().at(0.0, 1.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    for _ in 0..600 {
        world.step(DT).unwrap();
        let at = world.body(light).unwrap().position();
        assert!((at - DVec3::Y * 1.5).length() < 0.01, "{at}");
    }
}

/// Two balls meet the ends of a capsule that lies across at the same time, from the same side: both
/// bounce back.
#[test]
fn two_balls_that_meet_a_capsule_are_both_reversed() {
    let elastic = |shape: ShapeDef| shape.friction(0.0).restitution(1.0).density(1.0);
    let mut world = space();
    let bar = elastic(capsule(2.0, 0.5)).density(20.0);
    let bar = world.add_body(BodyDef::dynamic(), [bar]).unwrap();
    let balls = [-1.5, 1.5].map(|y| {
        let def = BodyDef::dynamic().at(-3.0, y, 0.0).velocity(Vec3::X * 4.0);
        world.add_body(def, [elastic(ball(0.5))]).unwrap()
    });
    let energy = kinetic_energy(&world);
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    for id in balls {
        let v = world.body(id).unwrap().velocity();
        assert!(v.x < -3.0 && v.y.abs() + v.z.abs() < 1e-3, "{v}");
    }
    let after = kinetic_energy(&world);
    assert!((after / energy - 1.0).abs() < 1e-4, "{after} of {energy} J");
    assert!(world.body(bar).unwrap().velocity().x > 0.0);
}

/// Boxes, capsules and compounds that fly into each other and rub: what all of them have together
/// stays.
#[test]
fn a_cluster_in_free_space_keeps_its_momenta() {
    let mut world = space();
    let mut numbers = Numbers(31);
    let mut ids = Vec::new();
    for k in 0..24 {
        let at = numbers.vector() * 2.0;
        let def = BodyDef::dynamic()
            .at(f64::from(at.x), f64::from(at.y), f64::from(at.z))
            .velocity(-at + numbers.vector())
            .angular_velocity(numbers.vector() * 3.0);
        let shapes = match k % 3 {
            0 => vec![cuboid(0.3, 0.2, 0.4)],
            1 => vec![capsule(0.3, 0.2)],
            _ => [-0.3, 0.3].map(|x| ball(0.25).local_pose(Pose::at(Vec3::X * x))).to_vec(),
        };
        ids.push(world.add_body(def, shapes.into_iter().map(|shape| shape.density(1.0))).unwrap());
    }
    let momenta = |world: &World| {
        ids.iter().fold((DVec3::ZERO, DVec3::ZERO, 0.0), |(linear, angular, size), id| {
            let body = world.body(*id).unwrap();
            let p = body.velocity().as_dvec3() * f64::from(body.mass());
            let about = body.centre_of_mass().cross(p) + body.angular_momentum().as_dvec3();
            (linear + p, angular + about, size + about.length())
        })
    };
    let (p, l, size) = momenta(&world);
    let mut touched = 0;
    for _ in 0..180 {
        touched += world.step(DT).unwrap().touching;
    }
    let (after_p, after_l, _) = momenta(&world);
    assert!(touched > 300);
    assert!((after_p - p).length() < 1e-4 * size, "{p} {after_p}");
    assert!((after_l - l).length() < 1e-2 * size, "{l} {after_l}, of {size}");
}
