//! `cargo bench -p carom-dynamics [-- WORD… --quick --threads N --csv FILE]`: time of a step, and of its stages.
//!
//! Scenes are built with the API alone. Words keep the scenes whose name contains one of them. Every scene is stepped until it
//! is warm, then timed over rounds; the figures are the median and the least time of a step in milliseconds, and the mean
//! time of each stage. The state hash at the end tells whether two builds computed the same.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // a program for developers

use std::time::{Duration, Instant};

use carom_core::random::Random;
use carom_dynamics::{BodyDef, BodyId, JointDef, ShapeDef, StepTimes, World, WorldDef};
use carom_geometry::shape::{Capsule, Cuboid, HalfSpace, Sphere};
use glam::{DVec3, Vec3};

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
    Scene { name: "box-1000", build: |def| balls_in_box(def, 1000), steps: [60, 300] },
    Scene { name: "box-10000", build: |def| balls_in_box(def, 10_000), steps: [30, 100] },
    Scene { name: "pyramid-40", build: |def| pyramid(def, 40), steps: [60, 200] },
    Scene { name: "pile-2000", build: |def| pile(def, 2000), steps: [240, 120] },
    Scene { name: "joints-30", build: |def| net(def, 30), steps: [60, 200] },
    Scene { name: "free-10000", build: |def| free_bodies(def, 10_000), steps: [30, 200] },
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

fn add(world: &mut World, def: BodyDef, shape: ShapeDef) -> BodyId {
    world.add_body(def, [shape]).unwrap()
}

fn cuboid(half: Vec3) -> ShapeDef {
    ShapeDef::new(Cuboid::new(half).unwrap())
}

/// A number within ±1.
fn signed(random: &mut Random) -> f32 {
    random.range(-1.0, 1.0)
}

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(signed(random), signed(random), signed(random))
}

/// Elastic balls without gravity in a closed box.
fn balls_in_box(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def.gravity(Vec3::ZERO).restitution_threshold(0.0));
    let mut random = Random::new(1);
    let side = (count as f64).cbrt().ceil() as usize;
    let half = side as f32 * 0.75 + 1.0;
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (mut at, mut size) = (Vec3::ZERO, Vec3::splat(half + 2.0));
            (at[axis], size[axis]) = (sign * (half + 1.0), 1.0);
            let at = at.as_dvec3();
            add(
                &mut world,
                BodyDef::fixed().at(at.x, at.y, at.z),
                cuboid(size).friction(0.0).restitution(1.0),
            );
        }
    }
    let ball = ShapeDef::new(Sphere::new(0.4).unwrap()).friction(0.0).restitution(1.0);
    for number in 0..count {
        let cell = [number % side, number / side % side, number / (side * side)];
        let [x, y, z] = cell.map(|k| (k as f64 + 0.5 - side as f64 * 0.5) * 1.5);
        add(&mut world, BodyDef::dynamic().at(x, y, z).velocity(vector(&mut random) * 5.0), ball.clone());
    }
    world
}

/// Boxes in a triangle, `base` of them at the bottom.
fn pyramid(def: WorldDef, base: usize) -> World {
    let mut world = World::new(def);
    add(&mut world, BodyDef::fixed(), ShapeDef::new(HalfSpace));
    let cube = cuboid(Vec3::splat(0.5));
    for row in 0..base {
        for k in 0..base - row {
            let x = k as f64 * 1.05 - (base - row) as f64 * 0.525;
            add(&mut world, BodyDef::dynamic().at(x, 0.5 + row as f64, 0.0), cube.clone());
        }
    }
    world
}

/// Boxes, balls and capsules that fall into a heap.
fn pile(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def);
    let mut random = Random::new(2);
    add(&mut world, BodyDef::fixed(), ShapeDef::new(HalfSpace));
    let shapes = [
        cuboid(Vec3::new(0.4, 0.3, 0.5)),
        ShapeDef::new(Sphere::new(0.4).unwrap()),
        ShapeDef::new(Capsule::new(Vec3::Y * -0.3, Vec3::Y * 0.3, 0.3).unwrap()),
    ];
    for number in 0..count {
        let layer = [number % 12, number / 144, number / 12 % 12].map(|k| k as f64 * 1.1);
        let off = vector(&mut random).as_dvec3() * 0.05;
        let def = BodyDef::dynamic().at(layer[0] + off.x - 6.0, layer[1] + 0.6, layer[2] + off.z - 6.0);
        add(&mut world, def, shapes[number % 3].clone());
    }
    world
}

/// A net of balls, `side` by `side`, held at its upper edge by ball joints.
fn net(def: WorldDef, side: usize) -> World {
    let mut world = World::new(def);
    let ball = ShapeDef::new(Sphere::new(0.2).unwrap());
    let mut ids = Vec::new();
    for k in 0..side * side {
        let (x, z) = ((k % side) as f64, (k / side) as f64);
        let kind = if k < side { BodyDef::fixed() } else { BodyDef::dynamic() };
        ids.push(add(&mut world, kind.at(x, 0.0, z), ball.clone()));
    }
    for k in 0..side * side {
        let (x, z) = ((k % side) as f64, (k / side) as f64);
        let right = (k % side + 1 < side).then(|| (ids[k + 1], DVec3::new(x + 0.5, 0.0, z)));
        let below = (k + side < side * side).then(|| (ids[k + side], DVec3::new(x, 0.0, z + 0.5)));
        for (other, anchor) in right.into_iter().chain(below) {
            world.add_joint(JointDef::ball(ids[k], other).at(anchor)).unwrap();
        }
    }
    world
}

/// Spinning boxes that meet nothing.
fn free_bodies(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def);
    let mut random = Random::new(3);
    let shape = cuboid(Vec3::new(0.2, 0.3, 0.5));
    for number in 0..count {
        let [x, y, z] = [number % 25, number / 625, number / 25 % 25].map(|k| k as f64 * 4.0);
        let def = BodyDef::dynamic().at(x, y, z).angular_velocity(vector(&mut random) * 3.0);
        add(&mut world, def, shape.clone());
    }
    world
}
