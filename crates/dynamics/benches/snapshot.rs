//! `cargo bench -p carom-dynamics --bench snapshot [-- WORD…]`: time of going back.
//!
//! Every scene is stepped until it is warm, then goes eight frames on and back again and again, as
//! rollback does. The figures are the median and the least time in milliseconds of: a new snapshot,
//! one into memory that is there, going back, the first step after that, and a step otherwise.
#![allow(missing_docs, clippy::unwrap_used)] // a program for developers

use std::time::Instant;

use carom_dynamics::{Snapshot, World, WorldDef};

#[path = "common/scenes.rs"]
mod scenes;

const DT: f32 = 1.0 / 60.0;
const ROUNDS: usize = 60;
const COLUMNS: [&str; 5] = ["new", "reused", "restore", "first step", "step"];

struct Scene {
    name: &'static str,
    build: fn(WorldDef) -> World,
    warm: usize,
}

const SCENES: [Scene; 4] = [
    Scene { name: "pile-2000", build: |def| scenes::pile(def, 2000), warm: 240 },
    Scene { name: "mesh-2000", build: |def| scenes::pile_on_mesh(def, 2000), warm: 240 },
    Scene { name: "net-2025", build: |def| scenes::net(def, 45), warm: 60 },
    Scene { name: "box-2000", build: |def| scenes::balls_in_box(def, 2000), warm: 60 },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    println!("{:<10} {:>7} {}", "scene", "bodies", COLUMNS.map(|name| format!("{name:>15}")).join(" "));
    for scene in SCENES.iter().filter(|s| words.is_empty() || words.iter().any(|w| s.name.contains(w))) {
        let mut world = (scene.build)(WorldDef::default().can_sleep(false));
        for _ in 0..scene.warm {
            world.step(DT).unwrap();
        }
        let mut times: [Vec<f64>; 5] = std::array::from_fn(|_| Vec::new());
        let mut reused = Snapshot::default();
        for _ in 0..ROUNDS {
            let mut lap = |column: usize, start: Instant| {
                times[column].push(start.elapsed().as_secs_f64() * 1e3);
                Instant::now()
            };
            let start = Instant::now();
            let fresh = world.snapshot();
            lap(0, start);
            drop(fresh);
            let start = Instant::now();
            world.snapshot_into(&mut reused);
            lap(1, start);
            for _ in 0..8 {
                let start = Instant::now();
                world.step(DT).unwrap();
                lap(4, start);
            }
            let start = Instant::now();
            world.restore(&reused);
            let start = lap(2, start);
            world.step(DT).unwrap();
            lap(3, start);
        }
        // Without the first rounds, in which memory grows.
        let figures = times.map(|mut times| {
            times.drain(..times.len() / 10);
            times.sort_by(f64::total_cmp);
            format!("{:>7.3} {:>7.3}", times[times.len() / 2], times[0])
        });
        println!("{:<10} {:>7} {}", scene.name, world.len(), figures.join(" "));
    }
}
