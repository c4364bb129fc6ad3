//! Disabled bodies, shapes and joints are as good as gone, and come back as they were.

use carom_dynamics::{
    Axis, BodyDef, BodyId, BodyKind, JointDef, QueryFilter, Ray, Snapshot, World, WorldDef,
};
use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, run};

fn is_hit(world: &World, from: DVec3) -> Option<BodyId> {
    world.cast_ray(&Ray::new(from, Vec3::NEG_Y, 20.0), &QueryFilter::default()).map(|hit| hit.body)
}

/// Steps, and checks every invariant.
fn checked(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT).unwrap();
        assert_eq!(world.validate(), []);
    }
}

#[test]
fn a_disabled_body_is_not_met_not_found_and_does_not_move() {
    let mut world = ground(WorldDef::default());
    let table = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(1.0, 0.5, 1.0)]).unwrap();
    let cup = world.add_body(BodyDef::dynamic().at(0.0, 1.2, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap();
    checked(&mut world, 60);
    assert_eq!(is_hit(&world, DVec3::new(0.8, 5.0, 0.0)), Some(table));
    world.body_mut(table).unwrap().set_enabled(false);
    assert_eq!(world.validate(), []);
    assert_ne!(is_hit(&world, DVec3::new(0.8, 5.0, 0.0)), Some(table));
    world.step(DT).unwrap();
    let ended = world.events().touch_end();
    assert_eq!(ended.len(), 2, "with the cup and with the ground");
    assert!(ended.iter().all(|event| event.bodies.contains(&table)));
    let place = world.body(table).unwrap().position();
    checked(&mut world, 60);
    assert!((world.body(cup).unwrap().position().y - 0.2).abs() < 0.01, "it fell through");
    assert_eq!(world.body(table).unwrap().position(), place);
    assert!(!world.body(table).unwrap().is_enabled() && !world.body(table).unwrap().is_awake());
    // Back again where there is room.
    world.body_mut(table).unwrap().set_position(DVec3::new(5.0, 2.0, 0.0)).unwrap();
    checked(&mut world, 3);
    assert_eq!(is_hit(&world, DVec3::new(5.0, 9.0, 0.0)).unwrap().index(), 0, "the ground");
    world.body_mut(table).unwrap().set_enabled(true);
    assert_eq!(is_hit(&world, DVec3::new(5.0, 9.0, 0.0)), Some(table));
    checked(&mut world, 120);
    assert!((world.body(table).unwrap().position().y - 0.5).abs() < 0.01, "it fell and stands");
}

#[test]
fn a_body_comes_back_with_its_velocity() {
    for kind in [BodyKind::Dynamic, BodyKind::Kinematic] {
        let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
        let def = BodyDef { kind, ..BodyDef::dynamic().velocity(Vec3::X).angular_velocity(Vec3::Y) };
        let id = world.add_body(def, [ball(0.5)]).unwrap();
        world.body_mut(id).unwrap().set_enabled(false);
        checked(&mut world, 10);
        assert_eq!(world.body(id).unwrap().position(), DVec3::ZERO);
        assert_eq!(world.body(id).unwrap().kind(), kind);
        world.body_mut(id).unwrap().set_velocity(Vec3::X * 2.0).unwrap().set_enabled(true);
        checked(&mut world, 60);
        let body = world.body(id).unwrap();
        assert!((body.position().x - 2.0).abs() < 1e-5 && body.angular_velocity().y == 1.0);
    }
}

#[test]
fn joints_of_a_disabled_body_hold_nobody() {
    let mut world = World::new(WorldDef::default());
    let hook = world.add_body(BodyDef::fixed().at(0.0, 5.0, 0.0), [ball(0.1)]).unwrap();
    let lamp = world.add_body(BodyDef::dynamic().at(0.0, 4.0, 0.0), [ball(0.2)]).unwrap();
    let rod = JointDef::rod(hook, lamp, [DVec3::Y * 5.0, DVec3::Y * 4.0]);
    let joint = world.add_joint(rod).unwrap();
    run(&mut world, 2.0);
    assert!(world.joint(joint).unwrap().force().length() > 1.0);
    world.body_mut(hook).unwrap().set_enabled(false);
    assert_eq!(world.joint(joint).unwrap().force(), Vec3::ZERO);
    checked(&mut world, 30);
    assert!(world.body(lamp).unwrap().position().y < 3.5, "it falls, though it slept");
    assert!(world.joint_error().distance == 0.0, "disabled joints have no errors");
    world.body_mut(lamp).unwrap().set_pose(DVec3::Y * 4.0, Rotation::IDENTITY).unwrap();
    world.body_mut(lamp).unwrap().set_velocity(Vec3::ZERO).unwrap();
    world.body_mut(hook).unwrap().set_enabled(true);
    checked(&mut world, 60);
    assert!((world.body(lamp).unwrap().position().y - 4.0).abs() < 0.01, "it hangs again");
}

#[test]
fn a_joint_is_disabled_by_itself() {
    let mut world = World::new(WorldDef::default());
    let post = world.add_body(BodyDef::fixed(), []).unwrap();
    let arm = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [cuboid(1.0, 0.1, 0.1)]).unwrap();
    let def = JointDef::hinge(post, arm, Axis::LOCKED).at(DVec3::ZERO).axis(Vec3::Z).enabled(false);
    let joint = world.add_joint(def).unwrap();
    assert!(!world.joint(joint).unwrap().is_enabled());
    checked(&mut world, 10);
    assert!(world.body(arm).unwrap().position().y < -0.05, "it falls");
    world.joint_mut(joint).unwrap().set_enabled(true);
    checked(&mut world, 60);
    assert!(world.joint(joint).unwrap().error().distance < 0.01, "it is drawn back");
    world.joint_mut(joint).unwrap().set_enabled(false);
    checked(&mut world, 60);
    assert!(world.body(arm).unwrap().position().y < -1.0);
}

#[test]
fn a_disabled_shape_leaves_the_others_of_its_body() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 1.0, 0.0), [ball(1.0), ball(0.5)]).unwrap();
    let mass = world.body(id).unwrap().mass();
    checked(&mut world, 30);
    let large = world.body(id).unwrap().shapes().last().unwrap();
    world.shape_mut(large).unwrap().set_enabled(false);
    world.step(DT).unwrap();
    assert_eq!(world.events().touch_end().len(), 1);
    checked(&mut world, 60);
    assert!((world.body(id).unwrap().position().y - 0.5).abs() < 0.01, "it rests on the small one");
    assert_eq!(world.body(id).unwrap().mass(), mass);
    // A shape that was disabled by itself stays so while its body comes and goes.
    world.body_mut(id).unwrap().set_enabled(false).set_enabled(true);
    assert!(!world.shape(large).unwrap().is_enabled());
    checked(&mut world, 5);
    assert!((world.body(id).unwrap().position().y - 0.5).abs() < 0.01);
    world.shape_mut(large).unwrap().set_enabled(true);
    checked(&mut world, 120);
    assert!((world.body(id).unwrap().position().y - 1.0).abs() < 0.02);
}

#[test]
fn sensors_and_bullets_pass_over_what_is_disabled() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let zone = world.add_body(BodyDef::fixed(), [cuboid(1.0, 1.0, 1.0).sensor()]).unwrap();
    let guest = world.add_body(BodyDef::dynamic(), [ball(0.2)]).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.events().sensor_begin().len(), 1);
    world.body_mut(guest).unwrap().set_enabled(false);
    world.step(DT).unwrap();
    assert_eq!(world.events().sensor_end().len(), 1);
    world.body_mut(zone).unwrap().set_enabled(false);
    let wall = BodyDef::fixed().at(5.0, 0.0, 0.0).enabled(false);
    world.add_body(wall, [cuboid(0.01, 2.0, 2.0)]).unwrap();
    let shot = BodyDef::dynamic().velocity(Vec3::X * 300.0).bullet();
    let shot = world.add_body(shot, [ball(0.05)]).unwrap();
    checked(&mut world, 30);
    assert!(world.body(shot).unwrap().position().x > 100.0);
}

#[test]
fn what_is_disabled_stays_so_in_snapshots() {
    let mut world = ground(WorldDef::default());
    let ids: Vec<BodyId> = (0..6)
        .map(|k| {
            let def = BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0).enabled(k % 2 == 0);
            world.add_body(def, [cuboid(0.5, 0.5, 0.5)]).unwrap()
        })
        .collect();
    world.add_joint(JointDef::ball(ids[0], ids[1])).unwrap();
    world.add_joint(JointDef::ball(ids[2], ids[4]).enabled(false)).unwrap();
    checked(&mut world, 20);
    let mut other = World::new(WorldDef::default().can_sleep(false));
    other.restore(&Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    for step in 0..60 {
        if step == 20 {
            for world in [&mut world, &mut other] {
                world.body_mut(ids[1]).unwrap().set_enabled(true);
                world.body_mut(ids[2]).unwrap().set_kind(BodyKind::Kinematic).unwrap().set_enabled(false);
            }
        }
        checked(&mut world, 1);
        checked(&mut other, 1);
        assert_eq!(world.state_hash(), other.state_hash());
    }
}
