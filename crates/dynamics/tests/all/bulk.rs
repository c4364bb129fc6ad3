//! Many bodies at once: iterators, arrays, copies of worlds, steps of one length.

use carom_dynamics::{
    BodyArrays, BodyDef, BodyId, FixedStep, JointDef, JointId, ShapeId, World, WorldDef, WorldError,
};
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, heap, run, space};
use crate::zoo::zoo;

#[test]
fn iterators_name_everything_once_in_the_order_of_slots() {
    let (mut world, ids) = heap(WorldDef::default(), 20);
    let joints: Vec<JointId> = ids
        .windows(2)
        .take(5)
        .map(|pair| world.add_joint(JointDef::ball(pair[0], pair[1])).unwrap())
        .collect();
    world.remove_body(ids[7]).unwrap();
    let extra = world.add_shape(ids[9], &ball(0.1)).unwrap();
    assert!(world.bodies().map(|body| body.id()).eq(world.body_ids()));
    assert!(world.joints().map(|joint| joint.id()).eq(world.joint_ids()));
    let shapes: Vec<ShapeId> = world.shapes().map(|shape| shape.id()).collect();
    assert!(shapes.is_sorted() && shapes.contains(&extra));
    assert_eq!(shapes.len(), world.len() + 1);
    let mut of_bodies: Vec<ShapeId> = world.bodies().flat_map(|body| body.shapes()).collect();
    of_bodies.sort_unstable();
    assert_eq!(shapes, of_bodies);
    assert!(world.body(ids[1]).unwrap().joints().eq([joints[1], joints[0]]));
    assert_eq!(world.body(ids[15]).unwrap().joints().count(), 0);
}

#[test]
fn awake_and_moved_bodies_are_told_from_the_rest() {
    let mut world = World::new(WorldDef::default());
    let floor = world.add_body(BodyDef::fixed(), [cuboid(9.0, 0.5, 9.0)]).unwrap();
    let slab = world.add_body(BodyDef::kinematic().at(20.0, 0.0, 0.0), [ball(0.5)]).unwrap();
    let boxed = world.add_body(BodyDef::dynamic().at(0.0, 1.0, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let faller = world.add_body(BodyDef::dynamic().at(50.0, 99.0, 0.0), [ball(0.5)]).unwrap();
    let of = |bodies: &mut dyn Iterator<Item = carom_dynamics::BodyRef<'_>>| -> Vec<BodyId> {
        bodies.map(|body| body.id()).collect()
    };
    let mut before = BodyArrays::default();
    let mut saw_sleep = false;
    for _ in 0..120 {
        world.read_bodies(&mut before);
        world.step(DT).unwrap();
        let moved = of(&mut world.moved_bodies());
        for (at, id) in before.ids.iter().enumerate() {
            let body = world.body(*id).unwrap();
            let is_same = (body.position(), body.rotation()) == (before.positions[at], before.rotations[at]);
            assert!(is_same || moved.contains(id), "{id} moved and is not listed");
        }
        saw_sleep |= moved.contains(&boxed) && !world.body(boxed).unwrap().is_awake();
    }
    assert!(saw_sleep, "the step in which it fell asleep still moved it");
    assert_eq!(of(&mut world.awake_bodies()), [slab, faller]);
    assert_eq!(of(&mut world.moved_bodies()), [faller]);
    world.body_mut(floor).unwrap().set_position(DVec3::Y * -0.1).unwrap();
    world.body_mut(faller).unwrap().set_position(DVec3::X * 30.0).unwrap();
    assert_eq!(of(&mut world.moved_bodies()), [floor, faller]);
}

#[test]
fn arrays_hold_what_views_show_and_write_it_back() {
    let mut world = zoo(DVec3::ZERO, 3);
    run(&mut world, 0.3);
    let mut arrays = BodyArrays::default();
    world.read_bodies(&mut arrays);
    assert_eq!(arrays.len(), world.len());
    for (at, body) in world.bodies().enumerate() {
        assert_eq!((arrays.ids[at], arrays.positions[at]), (body.id(), body.position()));
        assert_eq!((arrays.rotations[at], arrays.velocities[at]), (body.rotation(), body.velocity()));
        assert_eq!(arrays.angular_velocities[at], body.angular_velocity());
        assert_eq!(world.motions()[body.id().index()].position, body.centre_of_mass());
    }
    let capacity = arrays.ids.capacity();
    world.read_bodies(&mut arrays);
    assert_eq!(arrays.ids.capacity(), capacity);

    run(&mut world, 0.3);
    world.write_bodies(&arrays).unwrap();
    assert_eq!(world.validate(), []);
    let mut back = BodyArrays::default();
    world.read_bodies(&mut back);
    for at in 0..arrays.len() {
        assert!((back.positions[at] - arrays.positions[at]).length() < 1e-5);
        assert_eq!(back.velocities[at], arrays.velocities[at]);
    }
    // All or nothing.
    let hash = world.state_hash();
    let last = arrays.len() - 1;
    arrays.velocities[last] = Vec3::NAN;
    assert!(matches!(world.write_bodies(&arrays), Err(WorldError::Value { .. })));
    arrays.velocities.pop();
    assert!(matches!(world.write_bodies(&arrays), Err(WorldError::Value { .. })));
    assert_eq!(world.state_hash(), hash);
}

#[test]
fn a_clone_goes_on_to_the_same_bits() {
    let (mut world, ids) = heap(WorldDef::default().threads(2), 50);
    world.add_joint(JointDef::ball(ids[3], ids[4])).unwrap();
    run(&mut world, 0.7);
    let mut other = world.clone();
    assert_eq!(other.threads(), world.threads());
    let hash = world.state_hash();
    for k in 0..90 {
        for world in [&mut world, &mut other] {
            if k == 30 {
                world.remove_body(ids[10]).unwrap();
                world.add_body(BodyDef::dynamic().at(0.0, 8.0, 0.0), [ball(0.4)]).unwrap();
            }
            world.step(DT).unwrap();
        }
        assert_eq!(world.state_hash(), other.state_hash());
        assert_eq!(world.events().touch_begin(), other.events().touch_begin());
    }
    assert!(world.body_ids().eq(other.body_ids()));
    assert_ne!(world.state_hash(), hash, "they are apart");
}

#[test]
fn frames_of_any_length_make_the_same_steps() {
    let (mut first, _) = heap(WorldDef::default(), 20);
    let mut second = first.clone();
    let (mut one, mut other) = (FixedStep::new(DT).unwrap(), FixedStep::new(DT).unwrap());
    let mut steps = [0; 2];
    for k in 0..400 {
        let seconds = [0.003, 0.021, 0.0, 0.011][k % 4];
        steps[0] += one.advance(&mut first, seconds).unwrap().steps;
    }
    let total: f64 = (0..400).map(|k| [0.003, 0.021, 0.0, 0.011][k % 4]).sum();
    while steps[1] < steps[0] {
        steps[1] += other.advance(&mut second, f64::from(DT)).unwrap().steps;
    }
    assert_eq!(steps[0], (total / f64::from(DT)) as u32);
    assert_eq!(first.state_hash(), second.state_hash());
}

#[test]
fn poses_in_between_move_evenly() {
    let mut world = space();
    let def = BodyDef::dynamic().velocity(Vec3::X * 3.0).angular_velocity(Vec3::Y * 2.0);
    let arm = ball(0.3).local_pose(Pose::at(Vec3::X * 0.4));
    let id = world.add_body(def, [ball(0.5), arm]).unwrap();
    let mut clock = FixedStep::new(DT).unwrap();
    let mut last: Option<(DVec3, Rotation)> = None;
    for k in 0..300 {
        clock.advance(&mut world, 0.004).unwrap();
        assert!((0.0..1.0).contains(&clock.alpha()));
        let shown = clock.pose(world.body(id).unwrap());
        if let Some((_, before)) = last.filter(|_| k > 10) {
            let turn = (shown.1 * before.inverse()).angle();
            assert!((turn - 0.008).abs() < 1e-4, "{turn}");
        }
        last = Some(shown);
    }
    // A body that is put elsewhere is not drawn on its way there.
    let away = DVec3::new(100.0, 0.0, 0.0);
    world.body_mut(id).unwrap().set_position(away).unwrap();
    assert!((clock.pose(world.body(id).unwrap()).0 - away).length() < 1e-6);
    clock.advance(&mut world, 0.02).unwrap();
    assert!((clock.pose(world.body(id).unwrap()).0 - away).length() < 1.0);
    // Nor one that came into the slot of another.
    world.remove_body(id).unwrap();
    let next = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    assert_eq!(clock.pose(world.body(next).unwrap()).0, DVec3::ZERO);
}

#[test]
fn a_frame_that_is_too_long_says_what_it_dropped() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let mut clock = FixedStep::new(0.125).unwrap().max_steps(3);
    let push = |world: &mut World| {
        world.body_mut(id)?.apply_force(Vec3::X)?;
        Ok(())
    };
    let frame = clock.advance_with(&mut world, 1.0625, push).unwrap();
    assert_eq!((frame.steps, frame.dropped, clock.alpha()), (3, 0.625, 0.5));
    let expected = 0.375 / world.body(id).unwrap().mass();
    assert!((world.body(id).unwrap().velocity().x / expected - 1.0).abs() < 1e-5);
    assert!(clock.advance(&mut world, f64::NAN).is_err() && clock.advance(&mut world, -1.0).is_err());
    assert!(FixedStep::new(0.0).is_err() && FixedStep::new(2.0).is_err());
}
