//! Differences that are there are found, those that are not are not made up.

use std::ops::ControlFlow;

use carom_scene::Scene;
use carom_scene::model::{Body, Shape, ShapeKind};

use super::*;
use crate::task::{Prepared, Task};

fn live(prepared: &Prepared) -> Course {
    Course::live(prepared.session().unwrap())
}

fn compared(tasks: [Task; 2]) -> Compared {
    let [mut a, mut b] = tasks.map(|task| live(&task.prepare().unwrap()));
    compare(&mut a, &mut b, || ControlFlow::Continue(())).unwrap()
}

fn task(scene: &str, change: impl FnOnce(&mut Task)) -> Task {
    let mut task = Task { scene: scene.to_owned(), frames: Some(60), ..Task::default() };
    change(&mut task);
    task
}

#[test]
fn runs_that_must_be_equal_are() {
    for change in [
        (|t| t.threads = 3) as fn(&mut Task),
        |t| t.simd = "scalar".parse().unwrap(),
        |t| t.broad = Some("grid".parse().unwrap()),
    ] {
        let found = compared([task("pile:30", |_| {}), task("pile:30", change)]);
        assert_eq!((found.frames, found.divergence, found.pairs_differ), (60, None, None));
    }
}

#[test]
fn finer_pairs_are_told_and_are_no_divergence() {
    let broad = |name: &str| {
        let choice = name.parse().unwrap();
        task("capsules:8?n=60", move |t| {
            t.broad = Some(choice);
            t.solver = Some("fingsics".parse().unwrap());
        })
    };
    let found = compared([broad("sap"), broad("sapobb")]);
    assert_eq!(found.divergence, None);
    assert!(found.pairs_differ.is_some());
}

#[test]
fn the_first_difference_is_found() {
    let seeds = [1, 2].map(|seed| task("box:20", |t| t.seed = Some(seed)));
    let found = compared(seeds).divergence.unwrap();
    assert_eq!((found.frame, found.stage), (0, Stage::Setup));

    // Two balls meet after half a second; one of them is a little larger in the second run.
    let scene = |radius: f32| {
        let ball = |id: &str, x: f32, speed: f32, radius: f32| Body {
            id: id.into(),
            position: [x, 0.0, 0.0],
            velocity: [speed, 0.0, 0.0],
            shapes: vec![Shape::new(ShapeKind::Sphere { radius })],
            ..Body::default()
        };
        let bodies = vec![ball("left", -1.0, 1.0, 0.5), ball("right", 1.0, -1.0, radius)];
        Scene { bodies, ..Scene::default() }
    };
    for solver in ["soft-step", "fingsics"] {
        let [mut a, mut b] = [0.5, 0.501].map(|radius| {
            let task = task("", |t| t.solver = Some(solver.parse().unwrap()));
            live(&task.prepare_with(scene(radius)).unwrap())
        });
        let found = compare(&mut a, &mut b, || ControlFlow::Continue(())).unwrap().divergence.unwrap();
        assert!((29..=31).contains(&found.frame), "{solver}: {found:?}");
        assert!(matches!(found.stage, Stage::Narrow | Stage::Broad), "{solver}: {found:?}");
        assert_eq!((found.name.as_str(), found.field), ("left", "velocity.x"), "{solver}: {found:?}");
    }
}
