//! Kinematic bodies that are sent to places: they arrive exactly, and carry what lies on them.

use carom_dynamics::{BodyDef, BodyKind, Snapshot, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mass::MassProperties;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, run};

fn platform(def: WorldDef) -> (World, carom_dynamics::BodyId) {
    let mut world = World::new(def);
    let id = world.add_body(BodyDef::kinematic(), [cuboid(3.0, 0.2, 3.0).friction(1.0)]).unwrap();
    (world, id)
}

#[test]
fn a_target_is_reached_exactly_whatever_the_step() {
    let (mut world, id) = platform(WorldDef::default());
    for k in 1..200 {
        let t = f64::from(k) * 0.037;
        let place = DVec3::new(1e5 + t.sin(), (2.0 * t).cos(), 0.3 * t);
        let turn = Rotation::about_axis(Vec3::new(1.0, 2.0, -1.0).normalize(), 0.3 * t as f32);
        let mut body = world.body_mut(id).unwrap();
        body.set_kinematic_target(place, turn).unwrap();
        let (aimed, _) = body.view().kinematic_target().unwrap();
        assert_eq!(aimed, place);
        world.step(if k % 3 == 0 { 0.5 * DT } else { DT }).unwrap();
        let body = world.body(id).unwrap();
        assert_eq!(body.position(), place);
        assert!((body.rotation() * turn.inverse()).angle() < 1e-6, "but for the rounding of a unit");
        assert_eq!(body.kinematic_target(), None);
        assert_eq!(world.validate(), []);
    }
}

#[test]
fn the_frame_arrives_also_off_the_centre_of_mass() {
    let mut world = World::new(WorldDef::default());
    let mass = MassProperties::diagonal(1.0, Vec3::new(0.5, 0.2, 0.0), Vec3::ONE);
    let id = world.add_body(BodyDef::kinematic().mass(mass), [ball(0.5)]).unwrap();
    let (place, turn) = (DVec3::new(0.1, 0.2, 0.3), Rotation::about_axis(Vec3::Y, 1.0));
    world.body_mut(id).unwrap().set_kinematic_target(place, turn).unwrap();
    world.step(DT).unwrap();
    let body = world.body(id).unwrap();
    assert!((body.position() - place).length() < 1e-7);
    assert!((body.rotation() * turn.inverse()).angle() < 1e-6);
}

#[test]
fn the_velocity_is_that_of_the_way_and_ends_with_it() {
    let (mut world, id) = platform(WorldDef::default());
    world.body_mut(id).unwrap().set_kinematic_target(DVec3::X * 0.1, Rotation::IDENTITY).unwrap();
    world.step(0.02).unwrap();
    assert!((world.body(id).unwrap().velocity().x - 5.0).abs() < 1e-5);
    world.step(0.02).unwrap();
    let body = world.body(id).unwrap();
    assert_eq!((body.velocity(), body.position()), (Vec3::ZERO, DVec3::X * 0.1));
    // A velocity set by hand takes the target back.
    let mut body = world.body_mut(id).unwrap();
    body.set_kinematic_target(DVec3::X * 9.0, Rotation::IDENTITY).unwrap();
    body.set_velocity(Vec3::X).unwrap();
    world.step(0.02).unwrap();
    assert!((world.body(id).unwrap().position().x - 0.12).abs() < 1e-6);
    world.step(0.02).unwrap();
    assert!((world.body(id).unwrap().position().x - 0.14).abs() < 1e-6);
}

#[test]
fn riders_are_carried() {
    let (mut world, id) = platform(WorldDef::default());
    let rider = world.add_body(BodyDef::dynamic().at(0.0, 0.7, 0.0), [cuboid(0.3, 0.5, 0.3)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(rider).unwrap().is_awake());
    // It speeds up at 1 m/s², and friction holds the rider.
    for k in 1..=180 {
        let t = f64::from(k) / 60.0;
        let place = DVec3::new(0.5 * t * t, 0.2 * t, 0.0);
        world.body_mut(id).unwrap().set_kinematic_target(place, Rotation::IDENTITY).unwrap();
        world.step(DT).unwrap();
    }
    let seen = world.body(rider).unwrap().position() - world.body(id).unwrap().position();
    assert!((seen - DVec3::Y * 0.7).length() < 0.05, "{seen}");
}

#[test]
fn a_turning_platform_wakes_and_carries_what_sleeps_on_it() {
    let (mut world, id) = platform(WorldDef::default());
    let rider = world.add_body(BodyDef::dynamic().at(1.0, 0.4, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(rider).unwrap().is_awake());
    for k in 1..=120 {
        let turn = Rotation::about_axis(Vec3::Y, 0.5 * k as f32 / 60.0);
        world.body_mut(id).unwrap().set_kinematic_target(DVec3::ZERO, turn).unwrap();
        world.step(DT).unwrap();
    }
    let place = world.body(rider).unwrap().position();
    let expected = DVec3::new(1f64.cos(), 0.4, -1f64.sin());
    assert!((place - expected).length() < 0.05, "{place}");
}

#[test]
fn a_target_is_part_of_the_state() {
    let (mut world, id) = platform(WorldDef::default());
    world.add_body(BodyDef::dynamic().at(0.0, 0.7, 0.0), [cuboid(0.3, 0.5, 0.3)]).unwrap();
    run(&mut world, 0.5);
    world.body_mut(id).unwrap().set_kinematic_target(DVec3::X * 0.05, Rotation::IDENTITY).unwrap();
    let bytes = world.snapshot().to_bytes();
    let mut other = World::new(WorldDef::default());
    other.restore(&Snapshot::from_bytes(&bytes).unwrap());
    for _ in 0..30 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(world.state_hash(), other.state_hash());
    }
    assert_eq!(other.body(id).unwrap().position(), DVec3::X * 0.05);
}

#[test]
fn a_target_goes_with_its_body_and_its_kind() {
    let (mut world, id) = platform(WorldDef::default().gravity(Vec3::ZERO));
    world.body_mut(id).unwrap().set_kinematic_target(DVec3::X, Rotation::IDENTITY).unwrap();
    world.body_mut(id).unwrap().set_kind(BodyKind::Dynamic).unwrap();
    assert_eq!(world.validate(), []);
    world.step(DT).unwrap();
    assert_eq!(world.body(id).unwrap().position(), DVec3::ZERO);
    world.body_mut(id).unwrap().set_kind(BodyKind::Kinematic).unwrap();
    world.body_mut(id).unwrap().set_kinematic_target(DVec3::X, Rotation::IDENTITY).unwrap();
    world.remove_body(id).unwrap();
    let next = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    assert_eq!(next.index(), id.index());
    world.step(DT).unwrap();
    assert_eq!(world.body(next).unwrap().position(), DVec3::ZERO);
    assert_eq!(world.validate(), []);
}

#[test]
fn a_target_too_far_for_a_step_leaves_a_world_that_is_sound() {
    let (mut world, id) = platform(WorldDef::default());
    world.body_mut(id).unwrap().set_kinematic_target(DVec3::X * 1e8, Rotation::IDENTITY).unwrap();
    let report = world.step(DT).unwrap();
    assert_eq!(report.quarantined, [id], "nothing is that fast");
    assert_eq!(world.body(id).unwrap().position(), DVec3::X * 1e8);
    assert_eq!(world.validate(), []);
}
