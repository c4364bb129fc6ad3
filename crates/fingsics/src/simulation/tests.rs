//! The adapter adds nothing to a result: it shows what the world itself says.

use carom_scene::library::{self, SceneSource};
use carom_sim::{Registry, Session};

use super::*;
use carom_sim::MetricKind;

fn scene(request: &str) -> Arc<Scene> {
    match library::build(request).unwrap() {
        SceneSource::Spatial(scene) => Arc::new(scene),
        SceneSource::Planar(_) => panic!("{request} is planar"),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    FingsicsVersion::ALL
        .into_iter()
        .for_each(|version| registry.register(Box::new(FingsicsFactory(version))));
    registry
}

fn built(scene: &Arc<Scene>, spec: &str) -> Box<dyn Simulation> {
    registry().build(scene, &spec.parse().unwrap()).unwrap()
}

#[test]
fn a_run_is_that_of_the_world() {
    let scene = scene("box:100");
    let mut session = Session::new(built(&scene, "fingsics"), 60, 121);
    let metrics = session.run(&mut []).unwrap();
    let mut world = FingsicsWorld::from_scene(&scene, FingsicsSettings::default()).unwrap();
    let (mut tested, mut tests) = (0, [0; 5]);
    for _ in 0..120 {
        let report = world.step();
        tested += report.tested;
        tests.iter_mut().zip(&report.kinds).for_each(|(sum, kind)| *sum += kind.tests);
    }
    assert_eq!((metrics.state_hash, metrics.count("tested_pairs")), (world.state_hash(), tested));
    assert_eq!(metrics.last_count("contacts"), Some(world.last_report().contacts));
    let kinds = metrics.group(MetricGroup::PairKinds).filter(|(kind, _)| kind.kind == MetricKind::Count);
    assert_eq!(kinds.map(|(_, sum)| sum.as_count()).collect::<Vec<_>>(), tests);
    let swaps = metrics.schema.position(MetricGroup::BroadPhase, "swaps").unwrap();
    assert_eq!(metrics.sums[swaps].as_count(), world.broad_counters().swaps);
    assert_eq!(metrics.joint_error, None, "the rules know no joints");
    let mut bodies = BodyBuffer::default();
    session.simulation().bodies(&mut bodies);
    assert_eq!(bodies.len(), world.len());
    assert_eq!(bodies.get(7).position, world.positions()[7].as_dvec3());
    let mut contacts = Vec::new();
    session.simulation().contacts(&mut contacts);
    assert_eq!(contacts.len(), world.contacts().count());
}

#[test]
fn a_restored_state_goes_on_as_if_nothing_had_been() {
    let scene = scene("box:60");
    let mut straight = built(&scene, "fingsics-2021-09@broad=grid");
    straight.advance_to(0.5).unwrap();
    let snapshot = straight.snapshot();
    straight.advance_to(1.0).unwrap();
    let (mut restored, mut repeated) = (built(&scene, "fingsics-2021-09@broad=grid"), 0);
    restored.restore(&snapshot, &mut || repeated += 1).unwrap();
    assert_eq!((restored.time(), restored.steps(), repeated), (0.5, 30, 30));
    restored.advance_to(1.0).unwrap();
    assert_eq!(restored.state_hash(), straight.state_hash());
}

#[test]
fn settings_are_read_and_refused() {
    let scene = scene("box:10");
    let fine = built(&scene, "fingsics@dt=1/120,broad=aabb,keep-quirks=obb+parallel-normal");
    assert_eq!(fine.info().steps_per_second(), Some(120));
    assert_eq!(fine.info().broad_phase, "aabb");
    let refused = |spec: &str| registry().build(&scene, &spec.parse().unwrap()).err().unwrap().to_string();
    assert_eq!(
        refused("fingsics@broad=grid?cell=2"),
        "setting 'broad' is 'grid?cell=2': the fingsics rules take broad phases without options"
    );
    assert_eq!(
        refused("fingsics@threads=2"),
        "the simulation fingsics has no setting 'threads': it has dt, broad, narrow, integrator, keep-quirks, fix-quirks"
    );
    assert!(refused("fingsics@fix-quirks=gravity").contains("unknown quirk 'gravity'"));
}

#[test]
fn a_scene_that_the_rules_do_not_know_is_refused_with_all_reasons() {
    let pyramid = scene("pyramid:3");
    let limits = FingsicsFactory::default().limitations(&pyramid);
    assert!(limits.len() >= 6, "{limits:?}");
    let error = registry().build(&pyramid, &"fingsics".parse().unwrap()).err().unwrap().to_string();
    assert!(error.starts_with("the fingsics rules cannot run this scene:\n  body '"), "{error}");
}
