//! Joints of scenes on the engine: every kind arrives as the scene says, and the library's scenes
//! with joints hold together.

use carom_scene::Scene;
use carom_scene::model::{
    Action, Anchors, AxisFreedom, Body, BodyKind, Event, Freedom, Joint, JointKind, Limits, Mass, Motor,
    Shape, ShapeKind, SpringLaw,
};
use carom_sim::Simulation;
use carom_sim::engine::{EngineSettings, build};
use glam::DVec3;

use super::{Run, spatial};

/// A block of 2 kg below a beam, joined at a point between them, in a world with gravity.
fn hung(kind: JointKind) -> Scene {
    let block = |id: &str, kind: BodyKind, y: f32| Body {
        id: id.into(),
        kind,
        position: [0.0, y, 0.0],
        mass: Mass::Total(2.0),
        shapes: vec![Shape::new(ShapeKind::Box { size: [0.2, 1.0, 0.4] })],
        ..Body::default()
    };
    let joint = Joint::new("joint", "weight", "beam", kind);
    let mut scene = Scene {
        bodies: vec![block("beam", BodyKind::Static, 10.0), block("weight", BodyKind::Dynamic, 8.0)],
        joints: vec![Joint { anchors: Anchors::World([0.0, 9.0, 0.0]), ..joint }],
        ..Scene::default()
    };
    scene.world.gravity = [0.0, -10.0, 0.0];
    scene.solver.sleep = Some(false);
    scene
}

fn stepped(scene: &Scene, steps: u64) -> Run {
    let run = Run::new(scene, &EngineSettings::default(), steps).unwrap();
    assert!(run.quarantined.is_empty());
    run
}

/// Where the weight is after so many seconds.
fn place(scene: &Scene, seconds: u64) -> DVec3 {
    let run = stepped(scene, 60 * seconds);
    let built = run.simulation.built();
    assert!(run.joint_error.distance < 5e-3, "{:?}", run.joint_error);
    built.world.body(built.bodies[1]).unwrap().position()
}

fn is_at(found: DVec3, expected: [f64; 3]) {
    assert!(found.distance(DVec3::from(expected)) < 0.02, "{found} for {expected:?}");
}

const HOOKE: SpringLaw = SpringLaw::Hooke { stiffness: 40.0, damping: 20.0 };

#[test]
fn lengths_hold() {
    let local = |kind: JointKind| {
        let mut scene = hung(kind);
        scene.joints[0].anchors = Anchors::Local([0.0, 0.5, 0.0], [0.0, -0.5, 0.0]);
        scene
    };
    is_at(place(&local(JointKind::Rod { length: None }), 2), [0.0, 8.0, 0.0]);
    is_at(place(&local(JointKind::Rod { length: Some(1.5) }), 2), [0.0, 7.5, 0.0]);
    is_at(place(&local(JointKind::Rope { length: Some(3.0) }), 4), [0.0, 6.0, 0.0]);
    // A weight of 20 N stretches a spring of 40 N/m by half a metre.
    is_at(place(&local(JointKind::Spring { rest_length: Some(2.0), law: HOOKE }), 6), [0.0, 6.5, 0.0]);
    is_at(place(&local(JointKind::Spring { rest_length: None, law: HOOKE }), 6), [0.0, 7.5, 0.0]);
    let distance = JointKind::Distance { min: None, max: Some(1.2), rest_length: None, spring: Some(HOOKE) };
    is_at(place(&local(distance), 6), [0.0, 7.8, 0.0]);
    let distance = JointKind::Distance { min: Some(0.5), max: None, rest_length: None, spring: None };
    let fallen = place(&local(distance), 1);
    assert!(fallen.y < 4.0, "nothing holds it from above: {fallen}");
}

#[test]
fn the_world_holds_as_well() {
    let mut scene = hung(JointKind::Rod { length: None });
    scene.world.origin = [1000.0, 0.0, 0.0];
    scene.joints[0].b = None;
    scene.joints[0].anchors = Anchors::Local([0.0, 0.5, 0.0], [0.0, 12.0, 0.0]);
    let run = stepped(&scene, 120);
    let built = run.simulation.built();
    assert_eq!(
        (run.simulation.body_count(), built.world.len(), run.simulation.joint_count()),
        (2, 3, 1),
        "the ground is none of the scene's"
    );
    is_at(built.world.body(built.bodies[1]).unwrap().position(), [1000.0, 8.0, 0.0]);
    assert!(run.joint_error.distance < 1e-3);
}

#[test]
fn sliders_go_the_way_of_the_first_body() {
    let slider = |limits, motor, spring| JointKind::Slider { axis: [0.0, 1.0, 0.0], limits, motor, spring };
    let limits = Some(Limits { min: -2.0, max: 0.0 });
    is_at(place(&hung(slider(limits, None, None)), 3), [0.0, 6.0, 0.0]);
    let other = Some(Limits { min: 0.0, max: 2.0 });
    is_at(place(&hung(slider(other, None, None)), 3), [0.0, 8.0, 0.0]);
    is_at(place(&hung(slider(None, None, Some(HOOKE))), 6), [0.0, 7.5, 0.0]);
    let up = Motor { velocity: 0.5, ..Motor::default() };
    is_at(place(&hung(slider(None, Some(up), None)), 2), [0.0, 9.0, 0.0]);
    let servo = Motor {
        position: Some(1.0),
        stiffness: 40.0,
        damping: 20.0,
        max_force: Some(1e4),
        ..Motor::default()
    };
    is_at(place(&hung(slider(None, Some(servo), None)), 6), [0.0, 8.5, 0.0]);
    // Anchors that are apart: limits are of their distance along the axis, springs pull to the
    // start.
    let mut apart = hung(slider(Some(Limits { min: -3.0, max: 0.0 }), None, None));
    apart.joints[0].anchors = Anchors::Local([0.0; 3], [0.0; 3]);
    is_at(place(&apart, 3), [0.0, 7.0, 0.0]);
    apart.joints[0].kind = slider(None, None, Some(HOOKE));
    is_at(place(&apart, 6), [0.0, 7.5, 0.0]);
}

#[test]
fn hinges_turn_the_way_of_the_first_body() {
    let hinge = |motor, limits| JointKind::Hinge { axis: [0.0, 0.0, 1.0], limits, motor, spring: None };
    let motor = Some(Motor { velocity: 0.5, ..Motor::default() });
    let (sine, cosine) = 1.0f64.sin_cos();
    is_at(place(&hung(hinge(motor, None)), 2), [sine, 9.0 - cosine, 0.0]);
    let limits = Some(Limits { min: -0.3, max: 0.6 });
    let (sine, cosine) = 0.6f64.sin_cos();
    is_at(place(&hung(hinge(motor, limits)), 2), [sine, 9.0 - cosine, 0.0]);
    // Switched off and on again by events.
    let mut scene = hung(hinge(motor, None));
    let set = |time, motor| Event { time, action: Action::SetMotor { joint: "joint".into(), motor } };
    scene.events = vec![
        set(1.0, Some(Motor { velocity: 0.0, ..Motor::default() })),
        set(3.0, Some(Motor { velocity: -1.0, ..Motor::default() })),
    ];
    let (sine, cosine) = 0.5f64.sin_cos();
    is_at(place(&scene, 3), [sine, 9.0 - cosine, 0.0]);
    is_at(place(&scene, 4), [-sine, 9.0 - cosine, 0.0]);
    scene.events = vec![set(1.0, None)];
    (scene.bodies[1].linear_damping, scene.bodies[1].angular_damping) = (1.0, 1.0);
    is_at(place(&scene, 12), [0.0, 8.0, 0.0]);
}

#[test]
fn what_holds_all_or_much() {
    is_at(place(&hung(JointKind::Fixed { spring: None }), 2), [0.0, 8.0, 0.0]);
    let mut apart = hung(JointKind::Fixed { spring: None });
    apart.joints[0].anchors = Anchors::default();
    is_at(place(&apart, 2), [0.0, 8.0, 0.0]);
    let soft = SpringLaw::Hooke { stiffness: 40.0, damping: 20.0 };
    is_at(place(&hung(JointKind::Fixed { spring: Some(soft) }), 6), [0.0, 7.5, 0.0]);
    // A universal joint swings about x and z, and does not turn about y.
    let mut universal = hung(JointKind::Universal { axis_a: [1.0, 0.0, 0.0], axis_b: [0.0, 0.0, 1.0] });
    universal.bodies[1].angular_velocity = carom_scene::model::AngularVelocity::Radians([0.0, 2.0, 0.0]);
    let run = stepped(&universal, 60);
    let built = run.simulation.built();
    assert!(built.world.body(built.bodies[1]).unwrap().angular_velocity().y.abs() < 1e-3);
    universal.bodies[1].velocity = [1.0, 0.0, 1.0];
    let run = stepped(&universal, 30);
    let built = run.simulation.built();
    let swung = built.world.body(built.bodies[1]).unwrap().position();
    assert!(swung.x.abs() > 0.05 && swung.z.abs() > 0.05, "{swung}");
    // A ball joint with a cone: thrown hard, it does not leave it.
    let kind = JointKind::Ball {
        cone: Some(0.5),
        twist: None,
        axis: [0.0, -1.0, 0.0],
        spring: Some(SpringLaw::Tuned { hertz: 0.2, ratio: 1.0 }),
        friction: Some(0.1),
    };
    let mut ball = hung(kind);
    ball.bodies[1].velocity = [8.0, 0.0, 0.0];
    let mut built = build::world(&ball, &EngineSettings::default()).unwrap();
    let mut widest = 0.0f32;
    for _ in 0..120 {
        built.world.step(1.0 / 60.0).unwrap();
        let down = built.world.body(built.bodies[1]).unwrap().rotation().rotate(glam::Vec3::NEG_Y);
        widest = widest.max(down.angle_between(glam::Vec3::NEG_Y));
    }
    assert!(widest > 0.45 && widest < 0.55, "{widest}");
}

#[test]
fn wheels_and_generic_joints_have_their_axes() {
    let wheel = JointKind::Wheel {
        suspension: [0.0, 1.0, 0.0],
        axle: [0.0, 0.0, 1.0],
        spring: Some(HOOKE),
        travel: Some(Limits { min: -1.0, max: 1.0 }),
        motor: Some(Motor { velocity: 4.0, max_force: Some(100.0), ..Motor::default() }),
        steering: AxisFreedom::default(),
    };
    let mut scene = hung(wheel);
    scene.joints[0].anchors = Anchors::World([0.0, 8.0, 0.0]);
    let run = stepped(&scene, 360);
    let built = run.simulation.built();
    let body = built.world.body(built.bodies[1]).unwrap();
    assert!((body.angular_velocity() - glam::Vec3::Z * 4.0).length() < 0.01, "{}", body.angular_velocity());
    is_at(body.position(), [0.0, 7.5, 0.0]);

    let mut axes = [AxisFreedom::default(); 6];
    axes[1] = AxisFreedom { freedom: Freedom::Limited(Limits { min: -1.0, max: 0.2 }), ..axes[1] };
    is_at(place(&hung(JointKind::Generic { axes }), 2), [0.0, 7.0, 0.0]);
    axes[1] = AxisFreedom { freedom: Freedom::Free, spring: Some(HOOKE), motor: None };
    is_at(place(&hung(JointKind::Generic { axes }), 6), [0.0, 7.5, 0.0]);
    // Locked where it was at the start, anchors apart as they are.
    let mut apart = hung(JointKind::Generic { axes: [AxisFreedom::default(); 6] });
    apart.joints[0].anchors = Anchors::Local([0.1, 0.2, 0.3], [0.0; 3]);
    is_at(place(&apart, 2), [0.0, 8.0, 0.0]);
}

#[test]
fn joints_break_and_let_go() {
    let limits = Some(Limits { min: 0.0, max: 0.1 });
    let mut scene = hung(JointKind::Slider { axis: [0.0, 1.0, 0.0], limits, motor: None, spring: None });
    scene.joints[0].break_force = Some(30.0);
    // It hangs on its limit from the beginning, for a fall on it would be a blow of 170 N. It
    // weighs 20 N, then 40 N; a motor that comes too late has no effect.
    let gravity = Action::SetGravity { gravity: [0.0, -20.0, 0.0] };
    let motor = Action::SetMotor { joint: "joint".into(), motor: Some(Motor::default()) };
    scene.events = vec![Event { time: 1.0, action: gravity }, Event { time: 1.5, action: motor }];
    let before = stepped(&scene, 59);
    assert_eq!((before.simulation.joint_count(), before.count("broken_joints")), (1, 0));
    let after = stepped(&scene, 120);
    let built = after.simulation.built();
    assert_eq!((after.simulation.joint_count(), after.count("broken_joints")), (0, 1));
    assert!(built.world.body(built.bodies[1]).unwrap().position().y < 0.0, "it fell");
}

#[test]
fn scenes_of_the_library_hold_together() {
    // Steps, largest errors on the way and at the end. The net falls and snaps taut again and
    // again; the ragdolls hit the ground at 20 m/s, which tears at their limits, and lie still in
    // the end, some limbs jammed below others.
    for (request, steps, way, end) in [
        ("joints:30", 240, (0.25, 0.0), (0.25, 0.0)),
        ("joint_grid:30", 240, (0.01, 0.0), (0.005, 0.0)),
        ("ragdoll_rain:2?waves=2", 480, (0.05, 0.6), (0.005, 0.02)),
    ] {
        let scene = spatial(request).unwrap();
        let run = stepped(&scene, steps);
        let built = run.simulation.built();
        assert_eq!(
            (run.simulation.joint_count(), run.count("broken_joints")),
            (scene.joints.len(), 0),
            "{request}"
        );
        for (error, (distance, angle)) in [(run.joint_error, way), (built.world.joint_error(), end)] {
            assert!(error.distance < distance && error.angle <= angle, "{request}: {error:?}");
        }
        assert_eq!(built.world.validate(), [], "{request}");
    }
}
