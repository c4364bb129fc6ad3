use std::ops::ControlFlow;

use carom_scene::model::{Anchors, Body, Joint, JointKind, Shape, ShapeKind};

use super::*;
use crate::registry::{Effect, Registry};
use crate::session::{Listener, Session};

fn ball(id: &str, x: f32, y: f32) -> Body {
    let shapes = vec![Shape::new(ShapeKind::Sphere { radius: 0.5 })];
    Body { id: id.into(), position: [x, y, 0.0], shapes, ..Body::default() }
}

fn falling() -> Arc<Scene> {
    let mut scene = Scene { bodies: vec![ball("a", 0.0, 0.0), ball("b", 3.0, 0.0)], ..Scene::default() };
    scene.world.gravity = [0.0, -10.0, 0.0];
    Arc::new(scene)
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.register(Box::new(EngineFactory));
    registry
}

fn built(scene: &Arc<Scene>, spec: &str) -> Box<dyn Simulation> {
    registry().build(scene, &spec.parse().unwrap()).unwrap()
}

#[test]
fn time_is_reached_in_whole_steps() {
    let mut simulation = built(&falling(), "soft-step@dt=1/100");
    let advance = simulation.advance_to(0.5).unwrap();
    assert_eq!((advance.steps, advance.time, advance.is_rounded), (50, 0.5, false));
    let advance = simulation.advance_to(0.517).unwrap();
    assert_eq!((advance.steps, advance.time, advance.is_rounded), (2, 0.52, true));
    assert_eq!(simulation.advance_to(0.1).unwrap().steps, 0, "time does not go back");
    assert_eq!(simulation.steps(), 52);
}

#[test]
fn instances_of_one_engine_have_settings_of_their_own() {
    let scene = falling();
    let mut fine = Session::new(built(&scene, "soft-step@dt=1/240,substeps=1"), 60, 31);
    let mut coarse = Session::new(built(&scene, "soft-step@threads=2,simd=scalar"), 60, 31);
    let counted = fine.run(&mut []).unwrap();
    coarse.run(&mut []).unwrap();
    assert_eq!((fine.simulation().steps(), coarse.simulation().steps(), counted.steps), (120, 30, 30));
    assert_eq!(fine.time(), coarse.time());
    assert_eq!((coarse.info().threads, coarse.info().simd_width), (2, 1));
    // Two bodies awake in every step of every frame.
    assert_eq!(counted.count("awake_bodies"), 240);
    assert_eq!(counted.last_count("awake_bodies"), Some(8));
    assert_eq!(counted.last.len(), counted.schema.metrics.len());
}

#[test]
fn settings_that_are_not_there_are_refused_with_those_that_are() {
    let refused = |spec: &str| {
        let error = registry().build(&falling(), &spec.parse().unwrap()).err().unwrap();
        error.to_string()
    };
    assert_eq!(
        refused("soft-step@speed=8"),
        "the simulation soft-step has no setting 'speed': it has dt, substeps, sleep, length-scale, broad, narrow, \
         integrator, simd, threads, folder"
    );
    assert_eq!(
        refused("soft-step@substeps=0"),
        "setting 'substeps' is '0': expected a whole number from 1 to 1000"
    );
    assert_eq!(refused("bullet"), "unknown solver 'bullet': expected one of soft-step");
}

#[test]
fn a_restored_state_goes_on_as_if_nothing_had_been() {
    let scene = falling();
    let mut straight = built(&scene, "soft-step");
    straight.advance_to(0.5).unwrap();
    let snapshot = straight.snapshot();
    straight.advance_to(1.0).unwrap();
    let mut restored = built(&scene, "soft-step");
    restored.restore(&snapshot, &mut || {}).unwrap();
    assert_eq!((restored.time(), restored.steps()), (0.5, 30));
    restored.advance_to(1.0).unwrap();
    assert_eq!(restored.state_hash(), straight.state_hash());
}

/// Lets a ball appear after half a second and ends the run when three are there.
struct Dropper;

impl Listener for Dropper {
    fn pre_step(&mut self, session: &mut Session) -> Result<(), SimulationError> {
        if session.steps() == 30 {
            let velocity = [0.0, 5.0, 0.0];
            let simulation = session.simulation_mut();
            simulation.apply(&Action::Spawn(Box::new(ball("c", 6.0, 0.0))))?;
            simulation.apply(&Action::SetVelocity { body: "a".into(), velocity })?;
        }
        Ok(())
    }

    fn post_step(&mut self, session: &Session, _: &crate::StepMetrics) -> ControlFlow<()> {
        if session.simulation().body_count() == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn listeners_change_the_scene_and_end_the_run() {
    let mut session = Session::new(built(&falling(), "soft-step"), 60, 100);
    let mut seen = 0;
    let mut count = |_: &Session, _: &crate::StepMetrics| {
        seen += 1;
        ControlFlow::Continue(())
    };
    let metrics = session.run(&mut [&mut Dropper, &mut count]).unwrap();
    assert_eq!((metrics.steps, seen, metrics.interrupted, metrics.bodies), (31, 31, true, 3));
    let mut bodies = BodyBuffer::default();
    session.simulation().bodies(&mut bodies);
    assert_eq!(bodies.numbers, [0, 1, 2]);
    assert!(bodies.velocities[0].y > 0.0 && bodies.velocities[1].y < 0.0);
    assert_eq!(session.simulation().body_name(2), Some("c"));
}

#[test]
fn joints_and_what_cannot_be_done_are_told_as_data() {
    let mut scene = Scene::clone(&falling());
    let anchors = Anchors::Local([0.0; 3], [0.0, 2.0, 0.0]);
    let rod = Joint::new("rod", "a", "a", JointKind::Rod { length: None });
    scene.joints.push(Joint { b: None, anchors, ..rod });
    scene.solver.iterations = Some(3);
    let scene = Arc::new(scene);
    let mut simulation = built(&scene, "soft-step");
    simulation.advance_to(1.0).unwrap();
    let mut joints = Vec::new();
    simulation.joints(&mut joints);
    assert_eq!((joints.len(), joints[0].bodies.contains(&NO_BODY)), (1, true));
    assert_eq!(simulation.joint_count(), 1);
    assert_eq!(simulation.body_count(), 2, "the body that stands for the world does not count");
    let limits = EngineFactory.limitations(&scene);
    assert_eq!((limits.len(), limits[0].effect), (1, Effect::Ignored));
}
