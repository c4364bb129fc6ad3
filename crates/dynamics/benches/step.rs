//! `cargo bench -p carom-dynamics [-- WORD… --quick --threads N --csv FILE]`: time of a step, and
//! of its stages.
//!
//! Scenes are built with the API alone. Words keep the scenes whose name contains one of them.
//! Every scene is stepped until it is warm, then timed over rounds; the figures are the median and
//! the least time of a step in milliseconds, and the mean time of each stage. The state hash at the
//! end tells whether two builds computed the same.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers

use std::time::{Duration, Instant};

use carom_dynamics::{StepTimes, World, WorldDef};

#[path = "common/scenes.rs"]
mod scenes;

const DT: f32 = 1.0 / 60.0;

/// Names of the stages, in the order of [`stages_of`].
const STAGES: [&str; 6] = ["update_aabbs", "broad_phase", "narrow_phase", "solve", "integrate", "sleep"];

fn stages_of(times: &StepTimes) -> [Duration; 6] {
    [times.update_aabbs, times.broad_phase, times.narrow_phase, times.solve, times.integrate, times.sleep]
}

struct Scene {
    name: &'static str,
    build: fn(WorldDef) -> World,
    /// Steps before the clock runs, and while it runs.
    steps: [usize; 2],
}

const SCENES: [Scene; 6] = [
    Scene { name: "box-1000", build: |def| scenes::balls_in_box(def, 1000), steps: [60, 300] },
    Scene { name: "box-10000", build: |def| scenes::balls_in_box(def, 10_000), steps: [30, 100] },
    Scene { name: "pyramid-40", build: |def| scenes::pyramid(def, 40), steps: [60, 200] },
    Scene { name: "pile-2000", build: |def| scenes::pile(def, 2000), steps: [240, 120] },
    Scene { name: "joints-30", build: |def| scenes::net(def, 30), steps: [60, 200] },
    Scene { name: "free-10000", build: |def| scenes::free_bodies(def, 10_000), steps: [30, 200] },
];

/// What the command line says.
struct Options {
    words: Vec<String>,
    is_quick: bool,
    threads: usize,
    csv: Option<String>,
}

impl Options {
    fn parse() -> Self {
        let mut options = Self { words: Vec::new(), is_quick: false, threads: 1, csv: None };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.is_quick = true,
                "--threads" => options.threads = arguments.next().unwrap().parse().unwrap(),
                "--csv" => options.csv = arguments.next(),
                // Cargo adds it.
                "--bench" => {}
                word => options.words.push(word.to_owned()),
            }
        }
        options
    }
}

/// Times of a scene, milliseconds.
struct Row {
    name: &'static str,
    bodies: usize,
    median: f64,
    least: f64,
    stages: [f64; 6],
    hash: u64,
}

fn main() {
    let options = Options::parse();
    let is_wanted =
        |scene: &&Scene| options.words.is_empty() || options.words.iter().any(|w| scene.name.contains(w));
    println!(
        "{:<12} {:>7} {:>9} {:>9}  {}  state hash",
        "scene",
        "bodies",
        "median",
        "least",
        STAGES.join(" ")
    );
    let mut rows = Vec::new();
    for scene in SCENES.iter().filter(is_wanted) {
        let row = run(scene, &options);
        let stages: Vec<String> = row
            .stages
            .iter()
            .zip(STAGES)
            .map(|(time, name)| format!("{time:>width$.3}", width = name.len()))
            .collect();
        println!(
            "{:<12} {:>7} {:>9.3} {:>9.3}  {}  {:016x}",
            row.name,
            row.bodies,
            row.median,
            row.least,
            stages.join(" "),
            row.hash
        );
        rows.push(row);
    }
    if let Some(path) = &options.csv {
        write_csv(path, options.threads, &rows);
    }
}

fn run(scene: &Scene, options: &Options) -> Row {
    let def = WorldDef::default().can_sleep(false).events(false).threads(options.threads);
    let mut world = (scene.build)(def);
    let [warm, timed] = scene.steps.map(|steps| if options.is_quick { steps / 4 } else { steps });
    for _ in 0..warm {
        world.step(DT).unwrap();
    }
    let mut times = Vec::with_capacity(timed);
    let mut stages = [Duration::ZERO; 6];
    for _ in 0..timed {
        let start = Instant::now();
        let report = world.step(DT).unwrap();
        times.push(start.elapsed());
        for (sum, time) in stages.iter_mut().zip(stages_of(&report.times)) {
            *sum += time;
        }
    }
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    Row {
        name: scene.name,
        bodies: world.len(),
        median: milliseconds(times[times.len() / 2]),
        least: milliseconds(times[0]),
        stages: stages.map(|sum| milliseconds(sum) / timed as f64),
        hash: world.state_hash(),
    }
}

/// One row per scene; a file that exists is continued, so that builds can be compared.
fn write_csv(path: &str, threads: usize, rows: &[Row]) {
    use std::fmt::Write as _;
    let mut text = std::fs::read_to_string(path).unwrap_or_default();
    if text.is_empty() {
        let _ = writeln!(
            text,
            "scene,bodies,threads,median_ms,least_ms,{},state_hash",
            STAGES.map(|s| format!("{s}_ms")).join(",")
        );
    }
    for row in rows {
        let stages = row.stages.map(|time| format!("{time:.4}")).join(",");
        let Row { name, bodies, median, least, hash, .. } = row;
        let _ = writeln!(text, "{name},{bodies},{threads},{median:.4},{least:.4},{stages},{hash:016x}");
    }
    std::fs::write(path, text).unwrap();
}
