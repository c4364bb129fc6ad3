//! Library scenes under the compatible rules: those they know run, the others are refused with the
//! reason.

use carom_fingsics::{FingsicsSceneError, FingsicsSettings, FingsicsWorld};
use carom_lab::bench::{Row, fingsics_files};
use carom_lab::measure::{Conditions, Measured, here};
use carom_lab::task::Task;
use carom_scene::library::{self, SceneSource};

fn spatial(request: &str) -> Option<carom_scene::Scene> {
    match library::build(request).unwrap() {
        SceneSource::Spatial(scene) => Some(scene),
        SceneSource::Planar(_) => None,
    }
}

#[test]
fn every_scene_runs_or_says_why_not() {
    let (mut ran, mut refused) = (Vec::new(), Vec::new());
    for name in library::samples() {
        let Some(scene) = spatial(&name) else { continue };
        match FingsicsWorld::from_scene(&scene, FingsicsSettings::default()) {
            Ok(mut world) => {
                let is_finite = (0..120).all(|_| world.step().quarantined.is_empty());
                assert!(is_finite, "{name} blew up");
                ran.push(name);
            }
            Err(FingsicsSceneError::Unsupported(reasons)) => {
                assert!(!reasons.is_empty());
                refused.push(name);
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(ran.len() >= 8, "too few scenes run today: {ran:?}");
    assert!(refused.iter().any(|name| name.starts_with("pyramid:")), "{refused:?}");
}

#[test]
fn the_gas_keeps_its_bodies_in_its_box_and_most_of_its_energy() {
    let scene = spatial("box:200").unwrap();
    let mut world = FingsicsWorld::from_scene(&scene, FingsicsSettings::default()).unwrap();
    let energy = |world: &FingsicsWorld| -> f32 {
        (0..world.len() as u32).map(|b| world.velocity(b).length_squared()).sum()
    };
    let before = energy(&world);
    let (mut contacts, mut acting, mut tested) = (0, 0, 0);
    for _ in 0..600 {
        let report = world.step();
        (contacts, acting, tested) =
            (contacts + report.contacts, acting + report.acting, tested + report.tested);
    }
    assert!(contacts > 0 && acting <= contacts && contacts <= tested);
    // The averaging of impulses does not conserve energy; it must not run away either.
    assert!(energy(&world) < 4.0 * before, "{} to {}", before, energy(&world));
    let limit = world.boxes().iter().flat_map(|b| b.max).fold(0.0f32, f32::max);
    let escaped = world.positions().iter().filter(|p| p.abs().max_element() > limit).count();
    assert_eq!(escaped, 0);
}

#[test]
fn a_benchmark_writes_the_files_of_the_original() {
    let solver = Some("fingsics".parse().unwrap());
    let task = Task { scene: "box:2000".into(), frames: Some(31), solver, ..Task::default() };
    let one = || Measured::Done(Box::new(here(&task, &Conditions::default()).unwrap()));
    let row = Row { measured: vec![one(), one()], ..Row::new("sap", task.clone()) };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("deep/er");
    fingsics_files::write(&row, &folder).unwrap();
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for name in ["run1.csv", "run2.csv", "averages_per_frame.csv"] {
        assert_eq!(text(name).lines().count(), 31, "{name}: a header and 30 rows");
    }
    let summary = text("summary.txt");
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(
        lines[..5].join("|"),
        "Scene: box-2000|FPS: 60|BPCD Algorithm: SAP|Number of runs: 2|Number of frames per run: 31"
    );
    assert!(lines[6].starts_with("Avg. BPCD time per run: ") && lines[6].ends_with(" ms"));
    assert_eq!(lines[9], format!("NPCD tests per run: {}", row.example().unwrap().count("tested_pairs")));
    assert!(lines[12].starts_with("Avg. capsule-capsule time per run: "));
    assert!(lines[18].starts_with("Capsule-capsule tests per run: ") && lines.len() == 23);
    let responses: f64 = text("averages_per_frame.csv")
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(4).unwrap().parse::<f64>().unwrap())
        .sum();
    assert!(responses > 0.0, "response times are averaged, not left at zero");
}

/// The spec of Fingsics: a scene that claims to be experiment E1 with 1000 bodies has within 10 %
/// of the 194 784 tests that the published one has in 300 frames.
#[test]
fn the_dense_gas_is_as_dense_as_the_published_scene() {
    for seed in [1, 2, 3] {
        let scene = spatial(&format!("dense-gas:1000?seed={seed}")).unwrap();
        let mut world = FingsicsWorld::from_scene(&scene, FingsicsSettings::default()).unwrap();
        let tested: u64 = (0..299).map(|_| world.step().tested).sum();
        assert!((175_306..=214_262).contains(&tested), "seed {seed}: {tested}");
    }
}
