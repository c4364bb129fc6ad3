//! Golden fingerprints: library scenes, frames, state hash under the newest Fingsics rules with
//! sweep and prune.
//!
//! The same bits in debug and release, on every platform and machine. If one of these moves,
//! results have changed: the new value goes here together with a line under *Behaviour* in
//! `CHANGELOG.md` that says why.

use carom_fingsics::{FingsicsSettings, FingsicsWorld};
use carom_scene::library::{self, SceneSource};

const GOLDENS: &[(&str, u64, &str)] = &[
    ("box:100", 600, "6bb0a1094395d6d5"),
    ("box:1000", 120, "0d554b574875a25b"),
    ("capsules:8?n=125", 300, "503084f3f4ab9449"),
    ("cradle", 600, "76de986cbf5cb4f1"),
    ("bowling-alley", 600, "67ff5431be846bd7"),
    ("dominoes", 600, "f4d6c9a996750c23"),
    ("funnel", 600, "374e3108a0cc4963"),
    ("marble-run", 600, "58250e1b7fad228f"),
    ("piston", 600, "954375696b079895"),
    ("rain", 600, "9d0bfc34c5189310"),
    ("rockets", 600, "aaa9e6d8770820e7"),
    ("two-spheres-one-capsule", 600, "28cc2e8bb1c38488"),
];

#[test]
fn library_scenes_end_in_their_golden_states() {
    let mut moved = Vec::new();
    for &(request, frames, golden) in GOLDENS {
        let SceneSource::Spatial(scene) = library::build(request).unwrap() else {
            panic!("{request} is planar")
        };
        let mut world = FingsicsWorld::from_scene(&scene, FingsicsSettings::default()).unwrap();
        let contacts: u64 = (1..frames).map(|_| world.step().contacts).sum();
        let hash = format!("{:016x}", world.state_hash());
        assert!(contacts > 0, "{request}: a golden without contacts proves little");
        if hash != golden {
            moved.push(format!("(\"{request}\", {frames}, \"{hash}\"),"));
        }
    }
    assert!(moved.is_empty(), "goldens moved:\n{}", moved.join("\n"));
}
