//! Joints are changed piece by piece, and go on from where they were.

use carom_dynamics::{
    Axis, BodyDef, BodyId, JointAxis, JointDef, JointId, JointKind, Motor, Spring, World, WorldDef,
};
use carom_geometry::Pose;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, run, space};

/// An arm of 1 m on a post, by any joint.
fn arm(def: WorldDef, joint: impl Fn(BodyId, BodyId) -> JointDef) -> (World, BodyId, JointId) {
    let mut world = World::new(def.can_sleep(false));
    let post = world.add_body(BodyDef::fixed(), []).unwrap();
    let arm = cuboid(0.5, 0.1, 0.1).density(100.0);
    let arm = world.add_body(BodyDef::dynamic().at(0.5, 0.0, 0.0), [arm]).unwrap();
    let joint = world.add_joint(joint(post, arm).at(DVec3::ZERO).axis(Vec3::Z)).unwrap();
    (world, arm, joint)
}

#[test]
fn a_range_is_set_moved_and_taken_away() {
    let (mut world, _, joint) = arm(WorldDef::default(), |a, b| JointDef::hinge(a, b, Axis::FREE));
    world.joint_mut(joint).unwrap().set_range(Some([-0.3, 0.3])).unwrap();
    run(&mut world, 2.0);
    assert!((world.joint(joint).unwrap().angle() + 0.3).abs() < 0.02);
    world.joint_mut(joint).unwrap().set_range(Some([-0.6, 0.3])).unwrap();
    run(&mut world, 2.0);
    assert!((world.joint(joint).unwrap().angle() + 0.6).abs() < 0.02);
    world.joint_mut(joint).unwrap().set_range(None).unwrap();
    let mut lowest = 0.0f32;
    for _ in 0..120 {
        world.step(DT).unwrap();
        lowest = lowest.min(world.joint(joint).unwrap().angle());
    }
    assert!(lowest < -1.5, "{lowest}");
    assert!(world.joint_mut(joint).unwrap().set_range(Some([1.0, 0.0])).is_err());
}

#[test]
fn a_servo_follows_its_target() {
    let servo = Axis::FREE.motor(Motor::servo(0.0, 5000.0, 500.0, 1e5));
    let (mut world, _, joint) =
        arm(WorldDef::default().gravity(Vec3::ZERO), |a, b| JointDef::hinge(a, b, servo));
    for target in [0.7, -0.4] {
        world.joint_mut(joint).unwrap().set_motor_position(target).unwrap();
        run(&mut world, 2.0);
        assert!((world.joint(joint).unwrap().angle() - target).abs() < 0.01);
    }
    world.joint_mut(joint).unwrap().set_motor_max(0.0).unwrap().set_motor_position(0.5).unwrap();
    run(&mut world, 1.0);
    assert!((world.joint(joint).unwrap().angle() + 0.4).abs() < 0.01, "it has no strength");
}

#[test]
fn a_change_of_numbers_keeps_the_load_and_one_of_rows_does_not() {
    let hold = Axis::FREE.motor(Motor::new(0.0, f32::INFINITY));
    let (mut world, arm, joint) = arm(WorldDef::default(), |a, b| JointDef::hinge(a, b, hold));
    run(&mut world, 1.0);
    let sag = |world: &mut World| {
        let before = world.body(arm).unwrap().position().y;
        world.step(DT).unwrap();
        (world.body(arm).unwrap().position().y - before).abs()
    };
    let still = sag(&mut world);
    world.joint_mut(joint).unwrap().set_motor_speed(0.0).unwrap();
    assert!(sag(&mut world) <= 2.0 * still + 1e-7, "warm starting went on");
    assert!(world.joint_mut(joint).unwrap().set_motor_speed(f32::NAN).is_err());
    world.joint_mut(joint).unwrap().set_motor(None).unwrap();
    run(&mut world, 0.3);
    assert!(world.body(arm).unwrap().position().y < -0.1);
    assert!(world.joint_mut(joint).unwrap().set_motor_speed(1.0).is_err(), "there is no motor");
}

#[test]
fn springs_of_all_kinds_are_set() {
    let spring = Spring::new(3.0, 1.0);
    let kinds: [fn(BodyId, BodyId) -> JointDef; 5] = [
        |a, b| JointDef::hinge(a, b, Axis::FREE),
        |a, b| JointDef::slider(a, b, Axis::FREE),
        JointDef::ball,
        JointDef::fixed,
        |a, b| JointDef::rope(a, b, [DVec3::ZERO; 2], 1.0),
    ];
    for kind in kinds {
        let (mut world, _, joint) = arm(WorldDef::default(), kind);
        world.joint_mut(joint).unwrap().set_spring(Some(spring)).unwrap();
        let found = match world.joint(joint).unwrap().kind() {
            JointKind::Hinge(axis) | JointKind::Slider(axis) => axis.spring,
            JointKind::Ball { spring, .. }
            | JointKind::Fixed { spring }
            | JointKind::Distance { spring, .. } => spring,
            _ => None,
        };
        assert_eq!(found, Some(spring));
        run(&mut world, 0.5);
        assert_eq!(world.validate(), []);
    }
    // A hinge with a spring swings back.
    let (mut world, _, joint) =
        arm(WorldDef::default().gravity(Vec3::ZERO), |a, b| JointDef::hinge(a, b, Axis::FREE));
    world.joint_mut(joint).unwrap().set_spring(Some(spring.rest(0.5))).unwrap();
    run(&mut world, 3.0);
    assert!((world.joint(joint).unwrap().angle() - 0.5).abs() < 0.01);
}

#[test]
fn cones_and_friction_belong_to_balls() {
    let (mut world, arm, joint) = arm(WorldDef::default(), JointDef::ball);
    world.joint_mut(joint).unwrap().set_cone(Some(0.4)).unwrap().set_range(Some([-0.1, 0.1])).unwrap();
    let JointKind::Ball { cone, twist, .. } = world.joint(joint).unwrap().kind() else { panic!() };
    assert_eq!((cone, twist), (Some(0.4), Some([-0.1, 0.1])));
    world.joint_mut(joint).unwrap().set_cone(None).unwrap().set_range(None).unwrap();
    world.joint_mut(joint).unwrap().set_friction(1e6).unwrap();
    run(&mut world, 1.0);
    assert!(world.body(arm).unwrap().position().y > -0.05, "friction holds it");
    world.joint_mut(joint).unwrap().set_friction(0.0).unwrap();
    run(&mut world, 0.5);
    assert!(world.body(arm).unwrap().position().y < -0.2);
    assert!(world.joint_mut(joint).unwrap().set_motor(None).is_err());
    let kind = JointKind::Hinge(Axis::FREE);
    assert!(world.joint_mut(joint).unwrap().set_kind(kind).unwrap().set_cone(None).is_err());
}

#[test]
fn every_axis_of_every_kind_is_reached_by_name() {
    let axis = Axis::FREE.range(-0.2, 0.3);
    let all = [
        (JointKind::Hinge(Axis::FREE), vec![JointAxis::Main]),
        (JointKind::Universal([Axis::FREE; 2]), vec![JointAxis::Main, JointAxis::Second]),
        (
            JointKind::Wheel { suspension: Axis::FREE, steering: Axis::LOCKED, spin: Axis::FREE },
            vec![JointAxis::Main, JointAxis::Suspension, JointAxis::Steering],
        ),
        (
            JointKind::SixAxis { linear: [Axis::LOCKED; 3], angular: [Axis::FREE; 3] },
            (0..3).flat_map(|k| [JointAxis::Linear(k), JointAxis::Angular(k)]).collect(),
        ),
    ];
    for (kind, axes) in all {
        let (mut world, _, joint) = arm(WorldDef::default(), |a, b| JointDef::new(a, b, kind));
        for which in axes {
            world.joint_mut(joint).unwrap().set_axis(which, axis).unwrap();
            assert_eq!(world.joint(joint).unwrap().axis(which), Some(axis), "{kind:?} {which:?}");
        }
        assert!(world.joint_mut(joint).unwrap().set_axis(JointAxis::Linear(3), axis).is_err());
        run(&mut world, 0.3);
        assert_eq!(world.validate(), []);
    }
}

#[test]
fn limits_of_breaking_and_collisions_change() {
    let mut world = space();
    let a = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let b = world.add_body(BodyDef::dynamic().at(0.8, 0.0, 0.0), [ball(0.5)]).unwrap();
    let rope = JointDef::rope(a, b, [DVec3::ZERO, DVec3::X * 0.8], 1.5).user_data(5);
    let joint = world.add_joint(rope).unwrap();
    assert_eq!((world.joint(joint).unwrap().user_data(), world.joint(joint).unwrap().collides()), (5, false));
    run(&mut world, 0.2);
    let gap = |world: &World| world.joint(joint).unwrap().displacement();
    assert!((gap(&world) - 0.8).abs() < 1e-5, "they do not collide");
    world.joint_mut(joint).unwrap().set_collides(true).set_user_data(6);
    run(&mut world, 1.0);
    assert!(gap(&world) > 0.95, "they do now: {}", gap(&world));
    world.joint_mut(joint).unwrap().set_collides(false);
    assert_eq!(world.validate(), []);
    world.joint_mut(joint).unwrap().set_break_limits(10.0, f32::INFINITY).unwrap();
    assert!(world.joint_mut(joint).unwrap().set_break_limits(0.0, 1.0).is_err());
    assert_eq!(world.joint(joint).unwrap().break_force(), 10.0);
    world.body_mut(b).unwrap().set_velocity(Vec3::X * 5.0).unwrap();
    let mut broken = Vec::new();
    for _ in 0..60 {
        world.step(DT).unwrap();
        broken.extend(world.broken_joints().iter().map(|broken| (broken.joint, broken.user_data)));
    }
    assert_eq!(broken, [(joint, 6)]);
}

#[test]
fn frames_move_on_their_bodies() {
    let (mut world, arm, joint) =
        arm(WorldDef::default().gravity(Vec3::ZERO), |a, b| JointDef::hinge(a, b, Axis::FREE));
    let [on_post, on_arm] = world.joint(joint).unwrap().local_frames();
    let lifted = Pose::new(on_post.translation + Vec3::Y, on_post.rotation);
    world.joint_mut(joint).unwrap().set_local_frames([lifted, on_arm]).unwrap();
    run(&mut world, 2.0);
    assert!(world.joint(joint).unwrap().error().distance < 1e-3);
    let [_, at] = world.joint(joint).unwrap().anchors();
    assert!((at - DVec3::Y).length() < 1e-3, "{at}");
    assert!(world.joint(joint).unwrap().bodies().unwrap().contains(&arm));
}
