//! The broad phases of other engines miss nothing on our frames: the bridge to them carries every box and every pair.
#![cfg(feature = "peers")]
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use std::time::Duration;

use carom_lab::pairs::contest::{Ending, Terms, contest};
use carom_lab::pairs::{AnyFrames, Entrants, open};
use carom_scene::swarm::SWARMS;

const TERMS: Terms =
    Terms { frames: 12, warmup: 1, threads: 1, verify: true, budget: Duration::from_secs(600) };

fn run(source: &str) {
    let Entrants(entrants) = "peers,aabb".parse().unwrap();
    let report = match open(source).unwrap() {
        AnyFrames::Plane(mut frames) => contest(&mut *frames, &entrants, &TERMS, || ()).unwrap(),
        AnyFrames::Space(mut frames) => contest(&mut *frames, &entrants, &TERMS, || ()).unwrap(),
    };
    assert_eq!(report.difference, None, "{source}");
    assert_eq!(report.frames, 14);
    let own = report.figures.last().unwrap();
    for figures in &report.figures {
        assert_eq!((figures.ending, figures.times.len()), (Ending::Done, 12), "{source}: {}", figures.name);
        assert!(figures.pairs >= own.pairs, "{source}: {}", figures.name);
    }
}

#[test]
fn peers_miss_nothing_in_any_swarm() {
    for swarm in SWARMS {
        for d in [2, 3] {
            run(&format!("{}:700?d={d}", swarm.name));
        }
    }
}

#[test]
fn peers_miss_nothing_in_scenes_with_static_bodies() {
    for scene in ["box:300", "pile:4", "joints:3", "random2d:200", "bowling-alley"] {
        run(scene);
    }
}
