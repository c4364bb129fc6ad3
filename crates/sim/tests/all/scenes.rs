//! Library scenes on the engine: what it knows runs and stays whole, the rest is refused with the
//! reason; the figures do not depend on width or broad phase.

use carom_narrowphase::NarrowMethod;
use carom_scene::Scene;
use carom_scene::library;
use carom_scene::model::{
    AngularVelocity, Body, BodyKind, Filter, Joint, JointKind, Mass, Orientation, Shape, ShapeKind,
};
use carom_sim::engine::{EngineSettings, SceneWorld, SimdSetting, build};
use carom_sim::{BuildError, Simulation};

use super::{Run, spatial};

fn settings(scene: &Scene) -> EngineSettings {
    let steps_per_second = scene.solver.steps_per_second.unwrap_or(60);
    EngineSettings { steps_per_second, ..EngineSettings::default() }
}

fn stepped(scene: &Scene, settings: &EngineSettings, steps: u64) -> Run {
    Run::new(scene, settings, steps).unwrap()
}

#[test]
fn every_scene_runs_or_says_why_not() {
    let (mut ran, mut refused) = (0, Vec::new());
    for request in library::samples() {
        let Some(scene) = spatial(&request) else { continue };
        let settings = settings(&scene);
        match Run::new(&scene, &settings, 30) {
            Ok(run) => {
                assert!(run.quarantined.is_empty(), "{request}: {:?}", run.quarantined);
                assert_eq!(run.simulation.steps(), 30);
                ran += 1;
            }
            Err(BuildError::Unsupported { limitations, .. }) => refused.push((request, limitations)),
            Err(error) => panic!("{request}: {error}"),
        }
    }
    assert!(ran >= 32, "{ran} ran, refused: {refused:?}");
    for (request, reasons) in refused {
        let known = ["boundary", "force fields"];
        assert!(reasons.iter().all(|r| known.iter().any(|k| r.reason.contains(k))), "{request}: {reasons:?}");
    }
}

#[test]
fn width_and_broad_phase_change_nothing() {
    let scene = spatial("pile:60").unwrap();
    let own = settings(&scene);
    let expected = stepped(&scene, &own, 150);
    assert!(expected.count("contacts") > 0);
    for simd in SimdSetting::ALL {
        let run = stepped(&scene, &EngineSettings { simd, ..own.clone() }, 150);
        assert_eq!(run.simulation.state_hash(), expected.simulation.state_hash(), "{simd}");
        assert_eq!(run.counts(), expected.counts(), "{simd}");
    }
    // Those that hand over the boxes that overlap and no others.
    for broad in ["sap", "grid", "kd-sweep", "bvh"] {
        let broad = Some(broad.parse().unwrap());
        let run = stepped(&scene, &EngineSettings { broad, ..own.clone() }, 150);
        assert_eq!(run.simulation.state_hash(), expected.simulation.state_hash(), "{broad:?}");
    }
}

#[test]
fn every_narrow_phase_holds_a_pyramid() {
    let scene = spatial("pyramid:5").unwrap();
    for narrow in NarrowMethod::ALL {
        let run = stepped(&scene, &EngineSettings { narrow, ..settings(&scene) }, 120);
        assert!(run.quarantined.is_empty() && run.count("contacts") > 0, "{narrow}");
        let built = run.simulation.built();
        for (body, id) in scene.bodies.iter().zip(&built.bodies) {
            let start = glam::Vec3::from(body.position).as_dvec3();
            let moved = built.world.body(*id).unwrap().position() - start;
            assert!(moved.length() < 0.1, "{narrow}: body {} moved by {moved}", body.id);
        }
    }
}

#[test]
fn threads_and_widths_change_nothing_with_joints_either() {
    for request in ["joints:8", "joint_grid:6", "ragdoll_rain:1?waves=3", "pyramid:12", "washer:4"] {
        let scene = spatial(request).unwrap();
        let own = settings(&scene);
        let expected = stepped(&scene, &own, 60);
        for threads in [2, 4] {
            let run = stepped(&scene, &EngineSettings { threads, ..own.clone() }, 60);
            assert_eq!(
                run.simulation.state_hash(),
                expected.simulation.state_hash(),
                "{request}: {threads} threads"
            );
        }
        for simd in SimdSetting::ALL {
            let settings = EngineSettings { simd, threads: 2, ..own.clone() };
            let run = stepped(&scene, &settings, 60);
            assert_eq!(
                run.simulation.state_hash(),
                expected.simulation.state_hash(),
                "{request}: SIMD {simd}"
            );
        }
    }
}

#[test]
fn a_pyramid_stands_and_falls_asleep() {
    let scene = spatial("pyramid:6").unwrap();
    let run = stepped(&scene, &settings(&scene), 240);
    let built = run.simulation.built();
    for (body, id) in scene.bodies.iter().zip(&built.bodies) {
        let moved = built.world.body(*id).unwrap().position() - glam::Vec3::from(body.position).as_dvec3();
        assert!(moved.length() < 0.05, "body {} moved by {moved}", body.id);
    }
    assert_eq!((run.last_count("awake_bodies"), run.count("fell_asleep")), (0, 21));
}

#[test]
fn the_gas_of_the_original_keeps_its_energy_and_stays_in_its_box() {
    let scene = spatial("box:150").unwrap();
    let settings = settings(&scene);
    let energy = |built: &SceneWorld| -> f64 {
        built.bodies.iter().map(|id| built.world.body(*id).unwrap().kinetic_energy()).sum()
    };
    let before = energy(&build::world(&scene, &settings).unwrap());
    let run = stepped(&scene, &settings, 300);
    let built = run.simulation.built();
    assert!(run.count("contacts") > 0);
    assert!((energy(built) / before - 1.0).abs() < 0.01, "{before} J to {} J", energy(built));
    let ShapeKind::Tile { length, .. } = scene.bodies[0].shapes[0].kind else { panic!("no tile") };
    let inside = |id| built.world.body(id).unwrap().position().abs().max_element() <= f64::from(length) * 0.5;
    assert!(built.bodies.iter().all(|id| inside(*id)));
}

fn one(body: Body) -> Scene {
    Scene { bodies: vec![Body { id: "a".into(), ..body }], ..Scene::default() }
}

fn cube() -> Body {
    Body { shapes: vec![Shape::new(ShapeKind::Box { size: [1.0; 3] })], ..Body::default() }
}

#[test]
fn a_body_arrives_as_the_scene_says() {
    let mut scene = one(Body {
        position: [1.0, 2.0, 3.0],
        orientation: Orientation::EulerDegrees([0.0, 90.0, 0.0]),
        velocity: [4.0, 5.0, 6.0],
        angular_velocity: AngularVelocity::Degrees([0.0, 180.0, 0.0]),
        mass: Mass::Total(7.0),
        ..cube()
    });
    scene.world.origin = [1e6, 0.0, 0.0];
    let built = build::world(&scene, &EngineSettings::default()).unwrap();
    let body = built.world.body(built.bodies[0]).unwrap();
    assert_eq!(body.position().to_array(), [1e6 + 1.0, 2.0, 3.0]);
    assert!((body.rotation().rotate(glam::Vec3::X) + glam::Vec3::Z).length() < 1e-6);
    assert_eq!(body.velocity().to_array(), [4.0, 5.0, 6.0]);
    assert!((body.angular_velocity().y - std::f32::consts::PI).abs() < 1e-6);
    assert_eq!(body.mass(), 7.0);

    let inertia = [2.0, 3.0, 4.0, 0.0, 0.0, 0.0];
    let scene = one(Body {
        mass: Mass::Full { mass: 5.0, centre: [0.25, 0.0, 0.0], inertia },
        angular_velocity: AngularVelocity::Radians([0.0, 1.0, 0.0]),
        ..cube()
    });
    let built = build::world(&scene, &EngineSettings::default()).unwrap();
    let body = built.world.body(built.bodies[0]).unwrap();
    assert!((body.centre_of_mass().x - 0.25).abs() < 1e-6);
    assert!((body.angular_momentum().y - 3.0).abs() < 1e-5, "{}", body.angular_momentum());

    let still = one(Body { kind: BodyKind::Static, mass: Mass::Total(3.0), ..cube() });
    let built = build::world(&still, &EngineSettings::default()).unwrap();
    assert_eq!(built.world.body(built.bodies[0]).unwrap().mass(), 0.0);
}

#[test]
fn surfaces_and_layers_arrive_as_well() {
    let surface = |kind: BodyKind, y: f32, friction: f32, mask: u32| {
        let mut shape = Shape::new(ShapeKind::Box { size: [1.0, 1.0, 1.0] });
        if kind == BodyKind::Static {
            shape.kind = ShapeKind::Box { size: [100.0, 1.0, 100.0] };
        }
        shape.material.friction = friction;
        shape.filter.mask = mask;
        Body {
            id: format!("{kind:?}"),
            kind,
            position: [0.0, y, 0.0],
            shapes: vec![shape],
            ..Body::default()
        }
    };
    let slide = |friction: f32, mask: u32| {
        let mut thing = surface(BodyKind::Dynamic, 0.5, friction, mask);
        thing.velocity = [3.0, 0.0, 0.0];
        let mut scene = Scene {
            bodies: vec![surface(BodyKind::Static, -0.5, friction, u32::MAX), thing],
            ..Scene::default()
        };
        scene.world.gravity = [0.0, -10.0, 0.0];
        let run = stepped(&scene, &EngineSettings::default(), 120);
        let built = run.simulation.built();
        built.world.body(built.bodies[1]).unwrap().position()
    };
    // v² / (2 μ g) and then it rests.
    assert!((slide(0.5, u32::MAX).x - 0.9).abs() < 0.05, "{}", slide(0.5, u32::MAX));
    assert!((slide(0.0, u32::MAX).x - 6.0).abs() < 0.01, "{}", slide(0.0, u32::MAX));
    assert!((slide(0.5, 0).y + 19.5).abs() < 0.5, "it falls through: {}", slide(0.5, 0));
}

#[test]
fn groups_arrive_as_well() {
    for (group, mask, distance) in [(0, u32::MAX, 1.0), (-1, u32::MAX, 0.5), (1, 0, 1.0), (0, 0, 0.5)] {
        let at = |id: &str, x: f32| {
            let mut shape = Shape::new(ShapeKind::Sphere { radius: 0.5 });
            shape.filter = Filter { group, mask, ..Filter::default() };
            Body { id: id.into(), position: [x, 0.0, 0.0], shapes: vec![shape], ..Body::default() }
        };
        let scene = Scene { bodies: vec![at("a", 0.0), at("b", 0.5)], ..Scene::default() };
        let run = stepped(&scene, &EngineSettings::default(), 60);
        let built = run.simulation.built();
        let [a, b] = [0, 1].map(|k| built.world.body(built.bodies[k]).unwrap().position());
        assert!((a.distance(b) - distance).abs() < 0.05, "group {group}: {}", a.distance(b));
    }
}

#[test]
fn what_cannot_be_is_named_with_its_body() {
    let build = |scene: &Scene| match build::world(scene, &EngineSettings::default()) {
        Ok(_) => panic!("it was built"),
        Err(error) => error.to_string(),
    };
    let mut bounded = one(cube());
    let boundary = JointKind::Boundary { min: [-1.0; 3], max: [1.0; 3] };
    bounded.joints = vec![Joint { b: None, ..Joint::new("fence", "a", "a", boundary) }];
    assert!(build(&bounded).contains("joint 'fence' is a boundary"), "{}", build(&bounded));
    let mut lonely = one(cube());
    lonely.joints = vec![Joint::new("weld", "a", "b", JointKind::Fixed { spring: None })];
    assert_eq!(build(&lonely), "joint 'weld': there is no body 'b' when it is made");
    let mesh = ShapeKind::Mesh { path: "missing.obj".into(), scale: 1.0 };
    let broken = one(Body { shapes: vec![Shape::new(mesh)], ..Body::default() });
    let text = build(&broken);
    assert!(text.starts_with("body 'a': shape 0: ") && text.contains("missing.obj"), "{text}");
    let mut weightless = one(cube());
    weightless.bodies[0].shapes[0].material.density = 0.0;
    assert!(build(&weightless).starts_with("body 'a': "), "{}", build(&weightless));
}

#[test]
fn crowds_keep_their_energy_and_stay_where_they_are_held() {
    for (request, steps) in
        [("dense-gas:300", 200), ("fast-fountain:200", 200), ("fast-fountain:60?seed=3", 400)]
    {
        let scene = spatial(request).unwrap();
        let start = stepped(&scene, &settings(&scene), 0).simulation.mechanics();
        let run = stepped(&scene, &settings(&scene), steps);
        let end = run.simulation.mechanics();
        assert!(run.count("contacts") > 0 && run.quarantined.is_empty(), "{request}");
        let gained = end.kinetic + end.potential - start.kinetic - start.potential;
        assert!((gained / start.kinetic).abs() < 0.01, "{request}: {gained} J of {} J", start.kinetic);
        inside(&scene, &run, request);
    }
    for request in ["mixed-rain:300", "mixed-rain:80?seed=9"] {
        let scene = spatial(request).unwrap();
        let run = stepped(&scene, &settings(&scene), 300);
        assert!(run.count("contacts") > 0 && run.quarantined.is_empty(), "{request}");
        inside(&scene, &run, request);
    }
}

/// Every dynamic body is inside the box that the middles of the walls span.
fn inside(scene: &Scene, run: &Run, request: &str) {
    let built = run.simulation.built();
    let walls = || scene.bodies.iter().filter(|body| body.kind == BodyKind::Static);
    for (body, id) in scene.bodies.iter().zip(&built.bodies).filter(|(b, _)| b.kind == BodyKind::Dynamic) {
        let place = built.world.body(*id).unwrap().position().to_array();
        for axis in 0..3 {
            let least = walls().map(|wall| wall.position[axis]).fold(f32::INFINITY, f32::min);
            let most = walls().map(|wall| wall.position[axis]).fold(f32::NEG_INFINITY, f32::max);
            // A container without a lid is open upwards.
            let is_open = axis == 1 && walls().count() == 5;
            let is_in = place[axis] > f64::from(least) && (is_open || place[axis] < f64::from(most));
            assert!(is_in, "{request}: body {} is at {place:?}", body.id);
        }
    }
}

#[test]
fn rolling_friction_arrives_as_well() {
    let ball = |rolling_friction: f32| {
        let mut shape = Shape::new(ShapeKind::Sphere { radius: 0.5 });
        (shape.material.friction, shape.material.rolling_friction) = (0.8, rolling_friction);
        let rolling = Body {
            id: "ball".into(),
            position: [0.0, 0.5, 0.0],
            velocity: [2.0, 0.0, 0.0],
            angular_velocity: AngularVelocity::Radians([0.0, 0.0, -4.0]),
            shapes: vec![shape],
            ..Body::default()
        };
        let mut floor = cube();
        floor.shapes[0].kind = ShapeKind::Box { size: [100.0, 1.0, 100.0] };
        let floor = Body { id: "floor".into(), kind: BodyKind::Static, position: [0.0, -0.5, 0.0], ..floor };
        let mut scene = Scene { bodies: vec![floor, rolling], ..Scene::default() };
        scene.world.gravity = [0.0, -10.0, 0.0];
        let run = stepped(&scene, &EngineSettings::default(), 120);
        let built = run.simulation.built();
        built.world.body(built.bodies[1]).unwrap().velocity().x
    };
    assert!(ball(0.0) > 1.95, "{}", ball(0.0));
    // The deceleration of rolling is 5/7 of g times the lever arm over the radius.
    assert!((ball(0.02) - (2.0 - 2.0 * 10.0 * 0.02 / 0.5 * 5.0 / 7.0)).abs() < 0.1, "{}", ball(0.02));
}
