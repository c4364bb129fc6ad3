//! Heavy on light, long chains, tall towers: where sweeps from neighbour to neighbour do not
//! suffice.

use carom_dynamics::{BodyDef, BodyId, JointDef, World, WorldDef};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, capsule, cuboid, ground};

/// A chain that hangs from the origin, with a ball so many times heavier than a link at its end.
fn chain(links: u32, heavier: f32) -> (World, BodyId, f64) {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let mut last = world.add_body(BodyDef::fixed(), []).unwrap();
    for k in 0..links {
        let def = BodyDef::dynamic().at(0.0, -0.1 - 0.2 * f64::from(k), 0.0);
        let link = world.add_body(def, [capsule(0.08, 0.02)]).unwrap();
        let at = DVec3::new(0.0, -0.2 * f64::from(k), 0.0);
        world.add_joint(JointDef::ball(last, link).at(at)).unwrap();
        last = link;
    }
    let mass = heavier * world.body(last).unwrap().mass();
    let radius = 0.2f32;
    let density = mass / (4.0 / 3.0 * std::f32::consts::PI * radius.powi(3));
    let length = 0.2 * f64::from(links);
    let def = BodyDef::dynamic().at(0.0, -length - f64::from(radius), 0.0);
    let bob = world.add_body(def, [ball(radius).density(density)]).unwrap();
    world.add_joint(JointDef::ball(last, bob).at(DVec3::new(0.0, -length, 0.0))).unwrap();
    (world, bob, length + f64::from(radius))
}

#[test]
fn chains_with_a_heavy_ball_do_not_stretch() {
    for (links, heavier, allowed) in [(50, 100.0, 0.02), (100, 100.0, 0.04)] {
        let (mut world, bob, length) = chain(links, heavier);
        let mut worst = 0.0f64;
        for _ in 0..600 {
            world.step(DT).unwrap();
            worst = worst.max(-world.body(bob).unwrap().position().y - length);
        }
        assert!(worst < allowed, "{links} links stretch by {worst} m");
    }
}

#[test]
fn a_swinging_chain_with_a_heavy_ball_does_not_stretch() {
    let (mut world, bob, length) = chain(50, 100.0);
    world.body_mut(bob).unwrap().set_velocity(Vec3::new(5.0, 0.0, 0.0)).unwrap();
    let mut worst = 0.0f64;
    for _ in 0..600 {
        world.step(DT).unwrap();
        worst = worst.max(world.body(bob).unwrap().position().length() - length);
    }
    assert!(worst < 0.05, "it stretches by {worst} m");
}

#[test]
fn a_light_box_carries_one_a_thousand_times_heavier() {
    let mut world = ground(WorldDef::default());
    world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let heavy = cuboid(0.5, 0.5, 0.5).density(1e6);
    let heavy = world.add_body(BodyDef::dynamic().at(0.0, 1.5, 0.0), [heavy]).unwrap();
    for _ in 0..600 {
        world.step(DT).unwrap();
        let sunk = 1.5 - world.body(heavy).unwrap().position().y;
        assert!(sunk < 0.01, "it sank by {sunk} m");
    }
    assert_eq!(world.report().extra_substep_bodies, 2);
}

/// Farthest that a box of a tower strays from its axis.
fn sway(boxes: u32, seconds: u32) -> f64 {
    let mut world = ground(WorldDef::default());
    let tower: Vec<BodyId> = (0..boxes)
        .map(|k| {
            let def = BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0);
            world.add_body(def, [cuboid(0.5, 0.5, 0.5)]).unwrap()
        })
        .collect();
    let mut worst = 0.0f64;
    for _ in 0..60 * seconds {
        world.step(DT).unwrap();
        for id in &tower {
            let DVec3 { x, z, .. } = world.body(*id).unwrap().position();
            worst = worst.max(x.abs().max(z.abs()));
        }
    }
    worst
}

#[test]
fn towers_stand() {
    let thirty = sway(30, 20);
    assert!(thirty < 0.002, "30 boxes sway by {thirty} m");
    let fifty = sway(50, 60);
    assert!(fifty < 0.01, "50 boxes sway by {fifty} m");
}

#[test]
fn what_needs_no_more_substeps_gets_none() {
    let mut world = ground(WorldDef::default());
    for k in 0..6 {
        let def = BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0);
        world.add_body(def, [cuboid(0.5, 0.5, 0.5)]).unwrap();
    }
    for _ in 0..60 {
        world.step(DT).unwrap();
    }
    assert_eq!(world.report().extra_substep_bodies, 0);
}
