//! Fingsics' published results, row for row, from the shared sample data.
//!
//! The data is not part of this repository; without it the tests say so and pass.

use std::path::PathBuf;

use carom_broadphase::Method;
use carom_fingsics::verify::{check, find_cases};
use carom_fingsics::{FingsicsReport, FingsicsSettings, FingsicsWorld, Quirk, Rules};
use carom_scene::Scene;
use carom_scene::fingsics::read_scene;

fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/fingsics"));
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: the sample data ../shared/data/fingsics is not there");
    None
}

fn scene(folder: &str, name: &str) -> Option<Scene> {
    let bytes = std::fs::read(data()?.join(folder).join(format!("{name}.xml"))).unwrap();
    Some(read_scene(&bytes, name).unwrap().value)
}

fn tests_over(scene: &Scene, settings: FingsicsSettings, frames: u64) -> u64 {
    let mut world = FingsicsWorld::from_scene(scene, settings).unwrap();
    (1..frames).map(|_| world.step().tested).sum()
}

#[test]
fn every_published_report_is_exact_in_every_row() {
    let Some(folder) = data() else { return };
    let cases = find_cases(&folder).unwrap();
    assert!(cases.len() >= 10, "the data has ten reports, found {}", cases.len());
    for case in cases {
        let outcome = check(&case, Method::Sap, None).unwrap();
        assert!(outcome.is_exact(), "{}: {outcome:?}", case.report.display());
    }
}

#[test]
fn collisions_do_not_depend_on_the_broad_phase() {
    let Some(folder) = data() else { return };
    for case in find_cases(&folder).unwrap() {
        for method in Method::ALL {
            let outcome = check(&case, method, None).unwrap();
            assert_eq!(outcome.collisions, None, "{} with {method}", case.name);
        }
    }
}

#[test]
fn the_thesis_figures_for_long_capsules() {
    let Some(scene) = scene("scenes-src", "capsule-box-4-1") else { return };
    let sap = FingsicsSettings { method: Method::Sap, ..FingsicsSettings::default() };
    assert_eq!(tests_over(&scene, sap, 600), 419_274);
    let mut rules = Rules::NEWEST;
    Quirk::Obb.set(&mut rules, true);
    let sapobb = FingsicsSettings { method: Method::SapObb, rules, ..FingsicsSettings::default() };
    assert_eq!(tests_over(&scene, sapobb, 600), 135_933);
}

#[test]
fn what_is_fixed_by_default_changes_nothing_on_the_real_scenes() {
    let Some(folder) = data() else { return };
    // The whole set at 600 frames is checked by hand (docs/decisions/0003-compatible-rules.md);
    // here the smaller scenes.
    for set in ["scenes", "scenes-src"] {
        for entry in std::fs::read_dir(folder.join(set)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let scene = read_scene(&std::fs::read(&path).unwrap(), &name).unwrap().value;
            if scene.bodies.len() > 700 {
                continue;
            }
            let counts = |fix: bool| {
                let mut rules = Rules::NEWEST;
                if !fix {
                    Quirk::ALL.iter().for_each(|quirk| quirk.set(&mut rules, true));
                }
                let mut world = FingsicsWorld::from_scene(
                    &scene,
                    FingsicsSettings { rules, ..FingsicsSettings::default() },
                )
                .unwrap();
                let counts = |report: &FingsicsReport| (report.tested, report.contacts);
                (0..299).map(|_| counts(world.step())).collect::<Vec<_>>()
            };
            assert_eq!(counts(true), counts(false), "{set}/{name}");
        }
    }
}
