//! On every scene of Fingsics, moved by its first velocities: sweep and prune finds the pairs
//! of boxes that brute force finds, and with oriented boxes after it those whose oriented boxes
//! overlap too.
//!
//! The data is not part of this repository; without it the test says so and passes.

use std::path::{Path, PathBuf};

use carom_broadphase::{Method, Pair, Space};
use carom_lab::pairs::bodies::Bodies;
use carom_lab::pairs::contender::{Contender, Own};
use carom_lab::pairs::{Frames, oracle};
use carom_scene::fingsics::read_scene;

/// Pairs of bodies looked at in all frames of a scene: large scenes get fewer frames.
const BUDGET: usize = 100_000_000;

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fingsics");
    let mut found = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        eprintln!("skipped: the sample data ../shared/data/fingsics is not there");
    }
    found.sort();
    found
}

#[test]
fn sweep_and_prune_is_brute_force_and_oriented_boxes_come_on_top() {
    let longer = if std::env::var_os("CAROM_LONG").is_some() { 20 } else { 1 };
    for path in scenes() {
        let Ok(scene) = read_scene(&std::fs::read(&path).unwrap(), "scene") else { continue };
        let mut bodies = Bodies::new(&scene.value, Path::new(".")).unwrap();
        let n = bodies.frame().boxes.len();
        let frames = (longer * BUDGET / (n * n).max(1)).clamp(3, 60 * longer);
        let [mut aabb, mut sap, mut sapobb] =
            [Method::Aabb, Method::Sap, Method::SapObb].map(|method| Own::new(Space::<3>::new(method)));
        for number in 0..frames {
            let frame = bodies.frame();
            for method in [&mut aabb, &mut sap, &mut sapobb] {
                if number == 0 {
                    method.start(&frame).unwrap();
                } else {
                    method.follow(&frame).unwrap();
                }
                method.update();
            }
            let (boxes, swept, refined) = (aabb.pairs(&frame), sap.pairs(&frame), sapobb.pairs(&frame));
            assert_eq!(boxes, swept, "{}, frame {number}", path.display());
            if n <= oracle::BRUTE_FORCE_MOST {
                assert_eq!(boxes, oracle::brute_force(&frame), "{}, frame {number}", path.display());
            }
            let by_obb = |pair: &Pair| match (frame.bound(pair.a), frame.bound(pair.b)) {
                (Some(a), Some(b)) => a.obb.overlaps(&b.obb),
                _ => true,
            };
            let expected: Vec<Pair> = boxes.iter().copied().filter(by_obb).collect();
            assert_eq!(refined, expected, "{}, frame {number}", path.display());
            bodies.step();
        }
    }
}
