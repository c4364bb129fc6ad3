//! The scenes that Broadmark records for its broad phases, as physics: `freefall` and `gravity`.
//!
//! The cube grows with the number of bodies so that they always fill the same share of it, and with
//! it speeds and gravity: a scene of a thousand and one of a million look alike. Bodies start
//! anywhere, overlaps included.

use carom_core::random::Random;
use carom_geometry::Rotation;
use glam::Vec3;

use super::request::{Arguments, LibraryError, Parameter};
use super::setting::{body, engine_scene, rough, sleepless};
use super::walls::{colour, slabs};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;
use crate::model::{Action, Body, Event, Mass, Material, Scene, ShapeKind, WorldSettings};

/// Steps per second: one for each recorded frame.
const RATE: u32 = 30;
const STEPS: u32 = 1000;
/// Share of the cube that unit cubes fill.
const FILLED: f32 = 0.01;
/// Seconds in which gravity turns once.
const TURN: f32 = 6.2;
const MATERIAL: Material = Material { restitution: 0.25, ..rough(0.3, 1.0) };

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "n", default: "2000", meaning: "number of bodies" },
    Parameter { name: "objects", default: "cubes", meaning: "cubes, spheres or assorted" },
    Parameter { name: "seed", default: "0x5EED2029", meaning: "seed of places, velocities and sizes" },
];

/// `freefall`.
pub(super) const FREEFALL: Generator = Generator {
    name: "freefall",
    description: "A cloud of bodies in a closed cube falls, bounces and comes to rest (Broadmark)",
    parameters: PARAMETERS,
    sample: ":60?objects=assorted",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let (scene, _) = cloud(arguments, "freefall", 1.0)?;
        Ok(SceneSource::Spatial(scene))
    },
};

/// `gravity`.
pub(super) const GRAVITY: Generator = Generator {
    name: "gravity",
    description: "The same cloud under a gravity that turns about two axes: it sloshes for ever (Broadmark)",
    parameters: PARAMETERS,
    sample: ":60",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let (scene, magnitude) = cloud(arguments, "gravity", 4.0)?;
        // It begins along +x, and turns before every frame but the first.
        let (mut second, mut third) = (Vec3::Y, Vec3::X);
        let angle = std::f32::consts::TAU / (TURN * RATE as f32);
        let mut events = Vec::with_capacity(STEPS as usize);
        for step in 1..STEPS {
            second = Rotation::about_axis(Vec3::Z, angle).rotate(second).normalize();
            third = Rotation::about_axis(second, angle).rotate(third).normalize();
            let action = Action::SetGravity { gravity: (third * magnitude).to_array() };
            events.push(Event { time: step as f32 / RATE as f32, action });
        }
        let world = WorldSettings { gravity: [magnitude, 0.0, 0.0], ..scene.world };
        Ok(SceneSource::Spatial(sleepless(Scene { world, events, ..scene })))
    },
};

/// The common part, with gravity along −y, and its magnitude.
fn cloud(arguments: &Arguments<'_>, name: &str, weight: f32) -> Result<(Scene, f32), LibraryError> {
    let n = arguments.count("n", 1..=limits::MAX_ITEMS - 6)?;
    let objects = arguments.choice("objects", &["cubes", "spheres", "assorted"])?;
    let mut random = Random::new(arguments.seed("seed")?);
    let side = carom_core::trig::cbrt(n as f32 / FILLED);
    let mut bodies = slabs([0.0; 3], [0.5 * side; 3], 0.5 * side, false, MATERIAL);
    for k in 0..n {
        let position = in_ball(&mut random, 0.45 * side);
        let velocity = in_ball(&mut random, 0.75 * side);
        let kind = match objects {
            "spheres" => ShapeKind::Sphere { radius: 0.5 },
            "assorted" => ShapeKind::Box { size: assorted(k, &mut random) },
            _ => ShapeKind::Box { size: [1.0; 3] },
        };
        let thing = body(position, kind, MATERIAL);
        bodies.push(Body { velocity, mass: Mass::Total(1.0), look: colour(k), ..thing });
    }
    let magnitude = 0.0981 * side * weight;
    let about = format!("{n} {objects} in a cube of {side:.1} m");
    let mut scene =
        engine_scene(format!("{name}-{n}"), about, magnitude, STEPS, bodies, ([0.0; 3], 0.8 * side));
    scene.solver.steps_per_second = Some(RATE);
    Ok((scene, magnitude))
}

fn in_ball(random: &mut Random, radius: f32) -> [f32; 3] {
    loop {
        let point: [f32; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
        if point.iter().map(|x| x * x).sum::<f32>() <= 1.0 {
            return point.map(|x| x * radius);
        }
    }
}

/// Edges of object `k` of the assortment: a few cubes, bars, planks and squares, and many boxes of
/// any size.
fn assorted(k: usize, random: &mut Random) -> [f32; 3] {
    match k % 80 {
        0..=3 => [0.5; 3],
        4..=7 => [1.9; 3],
        8..=10 => [15.2, 0.4, 0.4],
        11 => [0.4, 15.2, 0.4],
        12 => [0.4, 0.4, 15.2],
        13 => [1.9, 5.7, 0.1],
        14 => [1.9, 0.1, 5.7],
        15 => [0.1, 1.9, 0.3],
        16 => [3.8, 3.8, 0.1],
        17 => [3.8, 0.1, 3.8],
        18 => [0.1, 3.8, 3.8],
        _ => std::array::from_fn(|_| 0.803 * (0.1 + 1.8 * random.unit())),
    }
}
