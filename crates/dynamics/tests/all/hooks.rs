//! Functions of the user that decide about pairs and contacts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use carom_dynamics::{BodyDef, BodyId, ShapeDef, ShapeId, World, WorldDef};
use carom_geometry::shape::{Child, Compound, Cuboid};
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, run};

fn shape_of(world: &World, body: BodyId) -> ShapeId {
    world.body(body).unwrap().shapes().next().unwrap()
}

#[test]
fn a_pair_filter_decides_who_collides() {
    let mut world = ground(WorldDef::default());
    world.set_pair_filter(|pair| !pair.user_data().contains(&7));
    let ids = [7, 8].map(|data| {
        world.add_body(BodyDef::dynamic().at(data as f64, 1.0, 0.0), [ball(0.5).user_data(data)]).unwrap()
    });
    run(&mut world, 1.0);
    let heights = ids.map(|id| world.body(id).unwrap().position().y);
    assert!(heights[0] < -2.0 && (heights[1] - 0.5).abs() < 0.01, "{heights:?}");
    assert_eq!(world.validate(), []);
}

#[test]
fn a_filter_that_is_set_or_changes_ends_contacts_and_wakes() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [cuboid(5.0, 0.5, 5.0)]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.25, 0.0), [cuboid(0.25, 0.25, 0.25)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(id).unwrap().is_awake());
    let allowed = Arc::new(AtomicUsize::new(1));
    let known = allowed.clone();
    world.set_pair_filter(move |_| known.load(Ordering::Relaxed) == 1);
    world.step(DT).unwrap();
    assert!(!world.body(id).unwrap().is_awake(), "nothing has changed for it");
    assert_eq!(world.touching_shapes().count(), 1);
    allowed.store(0, Ordering::Relaxed);
    world.refilter_pairs();
    assert_eq!(world.validate(), []);
    world.step(DT).unwrap();
    assert_eq!((world.events().touch_end().len(), world.contacts().count()), (1, 0));
    run(&mut world, 0.1);
    assert!(world.body(id).unwrap().position().y < 0.22);
    world.body_mut(id).unwrap().set_position(DVec3::new(0.0, 0.5, 0.0)).unwrap();
    world.body_mut(id).unwrap().set_velocity(Vec3::ZERO).unwrap();
    world.clear_pair_filter();
    run(&mut world, 1.0);
    assert!((world.body(id).unwrap().position().y - 0.25).abs() < 0.01);
}

#[test]
fn fast_bodies_pass_through_what_the_filter_leaves_out() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    world.set_pair_filter(|_| false);
    world.add_body(BodyDef::fixed(), [cuboid(0.05, 5.0, 5.0)]).unwrap();
    let shot = BodyDef::dynamic().at(-5.0, 0.0, 0.0).velocity(Vec3::X * 100.0);
    let id = world.add_body(shot, [ball(0.1)]).unwrap();
    run(&mut world, 0.2);
    assert!((world.body(id).unwrap().position().x - 15.0).abs() < 0.01);
}

#[test]
fn contacts_are_changed_for_the_step_only() {
    let mut world = ground(WorldDef::default());
    let sled = BodyDef::dynamic().at(0.0, 0.25, 0.0).velocity(Vec3::X * 3.0);
    let sled = world.add_body(sled, [cuboid(0.5, 0.25, 0.5)]).unwrap();
    world.set_contact_modifier(|contact| {
        assert!((contact.friction() - 0.6).abs() < 1e-6 && contact.restitution() == 0.0);
        assert!((contact.normal().y.abs() - 1.0).abs() < 1e-3);
        contact.set_friction(f32::NAN);
        contact.set_restitution(-1.0);
        assert_eq!((contact.friction(), contact.restitution()), (0.0, 0.0));
    });
    run(&mut world, 1.0);
    assert!((world.body(sled).unwrap().velocity().x - 3.0).abs() < 1e-3, "without friction");
    world.set_contact_modifier(|contact| {
        let to_second = if contact.normal().y > 0.0 { 1.0 } else { -1.0 };
        contact.set_surface_velocity(Vec3::Z * to_second * -2.0);
        assert!(contact.points().all(|point| point.is_enabled && point.position.y.abs() < 0.01));
    });
    run(&mut world, 1.0);
    let velocity = world.body(sled).unwrap().velocity();
    assert!((velocity - Vec3::Z * 2.0).length() < 1e-2, "{velocity}");
    world.clear_contact_modifier();
    run(&mut world, 1.0);
    assert!(world.body(sled).unwrap().velocity().length() < 1e-3);
}

#[test]
fn restitution_can_be_given_to_one_contact() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 1.5, 0.0), [ball(0.5)]).unwrap();
    world.set_contact_modifier(|contact| contact.set_restitution(1.0));
    let mut highest = 0.0_f64;
    run(&mut world, 0.5);
    for _ in 0..40 {
        world.step(DT).unwrap();
        highest = highest.max(world.body(id).unwrap().position().y);
    }
    assert!(highest > 1.45, "{highest}");
}

#[test]
fn a_box_tips_over_the_points_that_are_left() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    world.set_contact_modifier(|contact| {
        for number in 0..4 {
            if contact.points().nth(number).is_some_and(|point| point.position.x > 0.0) {
                contact.disable_point(number);
            }
        }
    });
    run(&mut world, 0.3);
    let body = world.body(id).unwrap();
    assert!(body.angular_velocity().z < -0.5, "{}", body.angular_velocity());
    assert_eq!(world.validate(), []);
}

/// A platform at height 2 and a ball below it that jumps.
fn jump(speed: f32, of: ShapeDef) -> (World, BodyId) {
    let mut world = ground(WorldDef::default());
    let ledge = world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [cuboid(2.0, 0.1, 2.0)]).unwrap();
    let platform = shape_of(&world, ledge);
    world.set_contact_modifier(move |contact| contact.one_way(platform, Vec3::Y));
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0).velocity(Vec3::Y * speed), [of]).unwrap();
    (world, id)
}

#[test]
fn a_one_way_platform_lets_through_and_holds() {
    let (mut world, id) = jump(8.0, ball(0.3));
    let mut begun = 0;
    for _ in 0..180 {
        world.step(DT).unwrap();
        begun += world.events().touch_begin().len();
        assert_eq!(world.validate(), []);
    }
    assert!((world.body(id).unwrap().position().y - 2.4).abs() < 0.01);
    assert_eq!(begun, 1, "passing is no touch");
}

#[test]
fn who_does_not_get_through_falls_back() {
    // The highest point of the centre lies within the platform.
    for speed in [5.2, 5.5, 5.8, 6.0] {
        let (mut world, id) = jump(speed, cuboid(0.3, 0.3, 0.3));
        run(&mut world, 4.0);
        let body = world.body(id).unwrap();
        assert!((body.position().y - 0.3).abs() < 0.02, "{} at {speed}", body.position());
    }
}

#[test]
fn parts_of_compounds_can_be_disabled_one_by_one() {
    // A groove of two boards, and a ball in it.
    let board = |side: f32| {
        let shape = Cuboid::new(Vec3::new(1.0, 0.1, 1.0)).unwrap().into();
        let turn = Rotation::about_axis(Vec3::Z, side * 0.25 * std::f32::consts::PI);
        Child { shape, pose: Pose::new(Vec3::new(0.75 * side, 0.75, 0.0), turn) }
    };
    let groove = Compound::new(vec![board(-1.0), board(1.0)]).unwrap();
    for side in [-1.0, 1.0] {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(groove.clone())]).unwrap();
        let id = world.add_body(BodyDef::dynamic().at(0.0, 0.86, 0.0), [ball(0.5)]).unwrap();
        run(&mut world, 0.3);
        assert_eq!(world.contacts().count(), 2);
        world.set_contact_modifier(move |contact| {
            if contact.points().all(|point| point.position.x * side > 0.0) {
                contact.disable();
                assert!(contact.is_disabled());
            }
        });
        run(&mut world, 0.2);
        let velocity = world.body(id).unwrap().velocity();
        assert!(f64::from(velocity.x) * side > 0.3, "{velocity}");
        assert_eq!((world.touching_shapes().count(), world.validate()), (1, vec![]));
        world.set_contact_modifier(|contact| {
            contact.disable();
        });
        world.step(DT).unwrap();
        assert_eq!(world.events().touch_end().len(), 1);
        run(&mut world, 1.0);
        assert!(world.body(id).unwrap().position().y < -1.0);
        assert_eq!(world.validate(), []);
    }
}

/// A heap with both hooks; returns the state and the order of calls.
fn heap(threads: usize) -> (u64, Vec<[ShapeId; 2]>) {
    let mut world = ground(WorldDef::default().threads(threads));
    let calls = Arc::new(Mutex::new(Vec::new()));
    let (of_filter, of_contacts) = (calls.clone(), calls.clone());
    world.set_pair_filter(move |pair| {
        of_filter.lock().unwrap().push(pair.shapes());
        pair.user_data()[0] != 3 || pair.user_data()[1] != 3
    });
    world.set_contact_modifier(move |contact| {
        of_contacts.lock().unwrap().push(contact.shapes());
        if contact.pair().user_data().contains(&4) {
            contact.set_friction(0.0);
        }
    });
    for k in 0..300_u32 {
        let at = BodyDef::dynamic().at(f64::from(k % 6), f64::from(k / 36) + 0.5, f64::from(k / 6 % 6));
        world.add_body(at, [ball(0.5).user_data(u64::from(k % 5))]).unwrap();
    }
    run(&mut world, 1.0);
    let mut clone = world.clone();
    run(&mut world, 0.2);
    let calls = std::mem::take(&mut *calls.lock().unwrap());
    run(&mut clone, 0.2);
    assert_eq!(clone.state_hash(), world.state_hash(), "a clone shares the hooks");
    (world.state_hash(), calls)
}

#[test]
fn hooks_are_called_in_the_same_order_for_any_number_of_threads() {
    let alone = heap(1);
    assert!(alone.1.len() > 10_000);
    assert!(heap(3) == alone);
}
