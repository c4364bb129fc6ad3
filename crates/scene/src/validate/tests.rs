//! Every rule is broken once; good scenes pass.

use proptest::prelude::*;

use super::*;
use crate::limits;
use crate::model::{
    Action, Anchors, Axis, Body, BodyKind, Camera, Event, Field, FieldKind, Joint, JointKind, Limits, Mass,
    Motor, Orientation, Region, Shape, ShapeKind, SpringLaw,
};
use crate::native;

fn ball(id: &str) -> Body {
    with(id, ShapeKind::Sphere { radius: 0.5 })
}

fn with(id: &str, kind: ShapeKind) -> Body {
    Body { id: id.into(), shapes: vec![Shape::new(kind)], ..Body::default() }
}

fn fixed(id: &str, kind: ShapeKind) -> Body {
    Body { kind: BodyKind::Static, ..with(id, kind) }
}

fn scene(bodies: Vec<Body>) -> Scene {
    Scene { bodies, ..Scene::default() }
}

fn joined(kind: JointKind) -> Scene {
    Scene { joints: vec![Joint::new("j", "a", "b", kind)], ..scene(vec![ball("a"), ball("b")]) }
}

fn event(time: f32, action: Action) -> Scene {
    let hinge = JointKind::Hinge { axis: [0.0, 1.0, 0.0], limits: None, motor: None, spring: None };
    Scene { events: vec![Event { time, action }], ..joined(hinge) }
}

/// The only problem of a scene.
fn only(scene: &Scene) -> Problem {
    let mut problems = validate(scene);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

fn check_body(body: Body, cause: Cause, text: &str) {
    let problem = only(&scene(vec![body]));
    assert_eq!((problem.cause, problem.to_string().as_str()), (cause, text));
}

fn check(scene: &Scene, cause: Cause, text: &str) {
    let problem = only(scene);
    assert_eq!((problem.cause, problem.to_string().as_str()), (cause, text));
}

#[test]
fn sizes_must_be_positive() {
    let small = |kind: ShapeKind, text: &str| check_body(fixed("7", kind), Cause::OutOfRange, text);
    small(ShapeKind::Sphere { radius: 0.0 }, "body \"7\" shape 0: sphere radius: 0 must be greater than 0");
    small(
        ShapeKind::Capsule { radius: -1.0, length: 0.0, axis: Axis::Z },
        "body \"7\" shape 0: capsule radius: -1 must be greater than 0",
    );
    small(
        ShapeKind::Capsule { radius: 1.0, length: -0.5, axis: Axis::Z },
        "body \"7\" shape 0: capsule length: -0.5 must not be negative",
    );
    small(
        ShapeKind::Tile { length: 1.0, width: 0.0 },
        "body \"7\" shape 0: tile width: 0 must be greater than 0",
    );
    small(ShapeKind::Box { size: [1.0, 0.0, 1.0] }, "body \"7\" shape 0: box size: 0 must be greater than 0");
    small(
        ShapeKind::Convex { points: vec![[0.0; 3]; 3] },
        "body \"7\" shape 0: number of convex points: 3 is too few: a solid needs four",
    );
    small(
        ShapeKind::Convex { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]] },
        "body \"7\" shape 0: convex points: their hull is no solid: all points are in a plane: they are 0e0 thick, \
         the tolerance is 1.430511474609375e-6",
    );
    small(
        ShapeKind::HeightField { columns: 3, heights: vec![0.0; 8], spacing: [1.0; 2] },
        "body \"7\" shape 0: height-field samples: 8 heights do not make two or more full rows of 3",
    );
    small(
        ShapeKind::HeightField { columns: 1, heights: vec![0.0; 8], spacing: [1.0; 2] },
        "body \"7\" shape 0: height-field columns: 1 is too few: a surface needs two",
    );
    small(
        ShapeKind::Triangle { corners: [[0.0; 3], [0.0; 3], [1.0; 3]] },
        "body \"7\" shape 0: triangle corners: two of them are the same point",
    );
    assert_eq!(
        validate(&scene(vec![with("c", ShapeKind::Capsule { radius: 1.0, length: 0.0, axis: Axis::X })])),
        []
    );
}

#[test]
fn bodies_need_mass_and_a_rotation() {
    let out = Cause::OutOfRange;
    check_body(
        Body { mass: Mass::Total(0.0), ..ball("a") },
        out,
        "body \"a\": mass: 0 must be greater than 0",
    );
    check_body(
        Body { orientation: Orientation::Quaternion([0.0; 4]), ..ball("a") },
        out,
        "body \"a\": quaternion: [0, 0, 0, 0] is no rotation",
    );
    check_body(
        Body { id: "a".into(), ..Body::default() },
        Cause::Inconsistent,
        "body \"a\": shapes: none and no mass given: a dynamic body needs one",
    );
    check_body(
        with("a", ShapeKind::Tile { length: 1.0, width: 1.0 }),
        Cause::Inconsistent,
        "body \"a\": mass: tile weighs nothing: a dynamic body needs a mass",
    );
    check_body(
        Body { mass: Mass::Total(1.0), ..with("a", ShapeKind::HalfSpace) },
        Cause::Inconsistent,
        "body \"a\" shape 0: half-space is endless and cannot move by forces",
    );
    check_body(ball(""), out, "body \"\": id: \"\" is no id");
    let particle = Body { kind: BodyKind::Particle, id: "p".into(), ..Body::default() };
    let massive = Body { mass: Mass::Total(1.0), id: "m".into(), ..Body::default() };
    assert_eq!(validate(&scene(vec![particle, massive])), []);
}

#[test]
fn materials_must_not_be_negative() {
    for name in ["friction", "restitution", "density", "rolling friction"] {
        let mut body = Body { mass: Mass::Total(1.0), ..ball("a") };
        let material = &mut body.shapes[0].material;
        *match name {
            "friction" => &mut material.friction,
            "restitution" => &mut material.restitution,
            "density" => &mut material.density,
            _ => &mut material.rolling_friction,
        } = -0.1;
        let text = format!("body \"a\" shape 0: {name}: -0.1 must not be negative");
        check_body(body, Cause::OutOfRange, &text);
    }
}

#[test]
fn triangles_name_vertices_that_are_there() {
    let mesh = |vertices: Vec<[f32; 3]>, triangles| {
        let mut body = ball("a");
        body.kind = BodyKind::Static;
        body.shapes[0].kind = ShapeKind::TriangleMesh { vertices, triangles };
        body
    };
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(validate(&scene(vec![mesh(corners.clone(), vec![[0, 2, 1]])])), []);
    let text = "body \"a\" shape 0: mesh triangles: 3 names no vertex: there are 3";
    check_body(mesh(corners.clone(), vec![[0, 3, 1]]), Cause::OutOfRange, text);
    let text = "body \"a\" shape 0: mesh triangles: 0 is too few: a mesh needs one";
    check_body(mesh(corners, Vec::new()), Cause::OutOfRange, text);
    let text = "body \"a\" shape 0: mesh vertices: NaN is not a finite number";
    check_body(mesh(vec![[f32::NAN, 0.0, 0.0]], vec![[0, 0, 0]]), Cause::NotFinite, text);
}

#[test]
fn names_must_be_unique_and_known() {
    check(&scene(vec![ball("a"), ball("a")]), Cause::Duplicate, "body \"a\": id is used by an earlier body");
    let mut unknown = joined(JointKind::Fixed { spring: None });
    unknown.bodies[0].id = "front wheel".into();
    unknown.joints[0].a = "frontwheel".into();
    let problem = only(&unknown);
    assert_eq!(problem.to_string(), "joint \"j\": body: \"frontwheel\" is not a body of the scene");
    assert_eq!(problem.hint.as_deref(), Some("did you mean \"front wheel\"?"));
    let mut itself = joined(JointKind::Fixed { spring: None });
    itself.joints[0].b = Some("a".into());
    check(&itself, Cause::Inconsistent, "joint \"j\": \"a\" is joined with itself");
    let long = "x".repeat(limits::MAX_NAME_BYTES + 1);
    assert_eq!(only(&scene(vec![ball(&long)])).cause, Cause::TooMany);
}

#[test]
fn joints_need_axes_and_ordered_limits() {
    let limits = Some(Limits { min: 1.0, max: -1.0 });
    let hinge = |axis, limits, motor| JointKind::Hinge { axis, limits, motor, spring: None };
    let up = [0.0, 1.0, 0.0];
    check(
        &joined(hinge(up, limits, None)),
        Cause::OutOfRange,
        "joint \"j\": hinge limits: minimum 1 is above the maximum -1",
    );
    check(
        &joined(hinge([0.0; 3], None, None)),
        Cause::OutOfRange,
        "joint \"j\": hinge axis: [0, 0, 0] has no direction",
    );
    check(
        &joined(hinge(up, None, Some(Motor { max_force: Some(-1.0), ..Motor::default() }))),
        Cause::OutOfRange,
        "joint \"j\": motor force: -1 must not be negative",
    );
    let law = SpringLaw::Hooke { stiffness: -1.0, damping: 0.0 };
    check(
        &joined(JointKind::Spring { rest_length: None, law }),
        Cause::OutOfRange,
        "joint \"j\": spring stiffness: -1 must not be negative",
    );
    let law = SpringLaw::Tuned { hertz: 2.0, ratio: -0.5 };
    check(
        &joined(JointKind::Fixed { spring: Some(law) }),
        Cause::OutOfRange,
        "joint \"j\": spring damping ratio: -0.5 must not be negative",
    );
    check(
        &joined(JointKind::Distance { min: Some(2.0), max: Some(1.0), rest_length: None, spring: None }),
        Cause::OutOfRange,
        "joint \"j\": distance: minimum 2 is above the maximum 1",
    );
    check(
        &joined(JointKind::Boundary { min: [0.0, 2.0, 0.0], max: [1.0; 3] }),
        Cause::OutOfRange,
        "joint \"j\": boundary: minimum 2 is above the maximum 1",
    );
    let mut anchored = joined(JointKind::Fixed { spring: None });
    anchored.joints[0].anchors = Anchors::World([f32::NAN, 0.0, 0.0]);
    check(&anchored, Cause::NotFinite, "joint \"j\": anchor: NaN is not a finite number");
}

#[test]
fn events_need_a_time_and_known_names() {
    let gravity = Action::SetGravity { gravity: [0.0; 3] };
    check(&event(-1.0, gravity), Cause::OutOfRange, "event 0: time: -1 must not be negative");
    check(
        &event(1.0, Action::Remove { body: "ghost".into() }),
        Cause::Unknown,
        "event 0: body: \"ghost\" is not a body of the scene",
    );
    check(
        &event(1.0, Action::SetMotor { joint: "x".into(), motor: None }),
        Cause::Unknown,
        "event 0: joint: \"x\" is not a joint of the scene",
    );
    let mut rigid = event(1.0, Action::SetMotor { joint: "j".into(), motor: None });
    assert_eq!(validate(&rigid), []);
    rigid.joints[0].kind = JointKind::Fixed { spring: None };
    check(&rigid, Cause::Inconsistent, "event 0: joint: \"j\" is a fixed joint, which has no motor");
    let mut spawned = event(2.0, Action::Remove { body: "late".into() });
    spawned.events.push(Event { time: 1.0, action: Action::Spawn(Box::new(ball("late"))) });
    assert_eq!(validate(&spawned), []);
    spawned.events.push(Event { time: 3.0, action: Action::Spawn(Box::new(ball("a"))) });
    check(&spawned, Cause::Duplicate, "event 2 body \"a\": id is used by an earlier body");
}

#[test]
fn settings_and_fields_have_their_ranges() {
    let mut still = scene(vec![ball("a")]);
    still.solver.steps_per_second = Some(0);
    check(&still, Cause::OutOfRange, "solver: steps per second: 0 must be at least 1");
    let camera = Camera::Free { position: [f32::INFINITY, 0.0, 0.0], pitch: 0.0, yaw: 0.0 };
    let blind = Scene { camera, ..scene(vec![ball("a")]) };
    check(&blind, Cause::NotFinite, "camera: position: inf is not a finite number");
    let region = Region::Sphere { centre: [0.0; 3], radius: 0.0 };
    let kind = FieldKind::Vortex { centre: [0.0; 3], axis: [0.0, 1.0, 0.0], strength: 1.0 };
    let field = Scene { fields: vec![Field { region, kind }], ..Scene::default() };
    check(&field, Cause::OutOfRange, "field 0: region radius: 0 must be greater than 0");
}

#[test]
fn meshes_stay_in_the_folder_of_the_scene() {
    let mesh =
        |path: &str| validate(&scene(vec![fixed("m", ShapeKind::Mesh { path: path.into(), scale: 1.0 })]));
    for good in ["bunny.obj", "meshes/bunny.obj", "./a..b/c.obj"] {
        assert_eq!(mesh(good), [], "{good}");
    }
    for bad in
        ["", "/etc/passwd", "../x.obj", "a/../../x.obj", "C:\\x.obj", "\\\\host\\x", "a\\..\\x", "a\0b"]
    {
        let problems = mesh(bad);
        assert_eq!(problems.len(), 1, "{bad}: {problems:?}");
        assert_eq!(problems[0].cause, Cause::Path);
    }
}

#[test]
fn all_problems_are_reported_together() {
    let bad = |id: &str| Body { position: [f32::NAN; 3], ..with(id, ShapeKind::Sphere { radius: -1.0 }) };
    assert_eq!(validate(&scene(vec![bad("a"), bad("b")])).len(), 4);
}

proptest! {
    /// Whatever the file says, checking it does not panic, and a number that is not finite is
    /// always found.
    #[test]
    fn nothing_escapes(mut any in native::arbitrary::scene(), axis in 0usize..3, index: prop::sample::Index) {
        let _ = validate(&any);
        if !any.bodies.is_empty() {
            let body = index.index(any.bodies.len());
            any.bodies[body].velocity[axis] = f32::NAN;
            prop_assert!(validate(&any).iter().any(|p| p.cause == Cause::NotFinite));
        }
    }
}
