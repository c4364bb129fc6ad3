//! A gas in a box: Fingsics' experiments E1 (`box`, how the algorithms scale) and E2
//! (`capsules`, elongation).
//!
//! A cubic grid with three times as many cells as bodies; a random third of the cells is filled;
//! velocities are random; nothing is lost in collisions. Cells, kinds, positions and velocities of
//! `box` are those other engines are measured with, bit for bit: the order of random draws is part
//! of the promise.

use carom_core::random::Random;

use super::request::{Arguments, LibraryError, Parameter};
use super::walls::{colour, numbered, slabs, tiles};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;
use crate::model::{Axis, Body, Camera, Material, Scene, Shape, ShapeKind, SolverSettings};

/// Elastic and smooth; all bodies of the comparison scenes have density 1.
const MATERIAL: Material = Material { friction: 0.0, restitution: 1.0, density: 1.0, rolling_friction: 0.0 };
/// Radius of spheres and capsules, metres.
const RADIUS: f32 = 0.3;
/// Length of a capsule's cylinder in `box`, metres.
const LENGTH: f32 = 2.0;
/// Air between the outermost cells and the walls, metres.
const MARGIN: f32 = 0.5;
/// Thickness of the slabs, metres: nothing fast enough passes through in one step.
const SLAB: f32 = 10.0;
/// Walls are six bodies.
const MOST: usize = limits::MAX_ITEMS - 6;

/// `box`.
pub(super) const BOX: Generator = Generator {
    name: "box",
    description: "A gas of spheres and capsules in a closed box, without gravity and friction (experiment E1)",
    parameters: &[
        Parameter { name: "n", default: "1000", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2026", meaning: "seed of cells and velocities" },
        Parameter { name: "speed", default: "5", meaning: "highest speed along each axis, m/s" },
        Parameter { name: "spacing", default: "3", meaning: "size of a cell, metres" },
        Parameter { name: "walls", default: "tiles", meaning: "tiles or slabs" },
    ],
    sample: ":50",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=MOST)?;
        let longest = LENGTH + 2.0 * RADIUS;
        let scene = gas(arguments, n, longest, |i| {
            if i % 2 == 0 {
                ShapeKind::Capsule { radius: RADIUS, length: LENGTH, axis: Axis::Y }
            } else {
                ShapeKind::Sphere { radius: RADIUS }
            }
        })?;
        Ok(SceneSource::Spatial(Scene { name: format!("box-{n}"), ..scene }))
    },
};

/// `capsules`.
pub(super) const CAPSULES: Generator = Generator {
    name: "capsules",
    description: "A gas of capsules of one elongation in a closed box (experiment E2)",
    parameters: &[
        Parameter { name: "ratio", default: "4", meaning: "length from tip to tip over diameter, 1 to 64" },
        Parameter { name: "n", default: "1000", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2026", meaning: "seed of cells and velocities" },
        Parameter { name: "speed", default: "5", meaning: "highest speed along each axis, m/s" },
        Parameter { name: "spacing", default: "10", meaning: "size of a cell, metres; 16:1 is 9.6 long" },
        Parameter { name: "walls", default: "tiles", meaning: "tiles or slabs" },
    ],
    sample: "?n=50",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=MOST)?;
        let ratio = arguments.number("ratio", 1.0..=64.0)?;
        let longest = 2.0 * RADIUS * ratio;
        // At 1:1 nothing is left of the cylinder and the capsule is a ball.
        let length = 2.0 * RADIUS * (ratio - 1.0);
        let capsule = |_| ShapeKind::Capsule { radius: RADIUS, length, axis: Axis::Y };
        let scene = gas(arguments, n, longest, capsule)?;
        Ok(SceneSource::Spatial(Scene { name: format!("capsules-{ratio}-{n}"), ..scene }))
    },
};

/// The common part: grid, walls and velocities. `longest` is the largest extent of a body.
fn gas(
    arguments: &Arguments<'_>,
    n: usize,
    longest: f32,
    form: impl Fn(usize) -> ShapeKind,
) -> Result<Scene, LibraryError> {
    let spacing = arguments.number("spacing", 0.0..=1e6)?;
    if spacing < longest {
        return Err(arguments.bad("spacing", format!("is less than the longest body, {longest} m")));
    }
    let speed = arguments.number("speed", 0.0..=1e6)?;
    let cells = 3 * n;
    let side = side_of_cube(cells);
    let half = spacing * side as f32 * 0.5;
    let inner = half + MARGIN;
    let mut bodies = match arguments.choice("walls", &["tiles", "slabs"])? {
        "slabs" => slabs([0.0; 3], [inner; 3], SLAB, false, MATERIAL),
        _ => tiles(inner, MATERIAL),
    };
    let mut random = Random::new(arguments.seed("seed")?);
    let mut chosen: Vec<usize> = (0..cells).collect();
    random.shuffle(&mut chosen);
    chosen.truncate(n);
    chosen.sort_unstable();
    bodies.reserve(n);
    for (i, cell) in chosen.into_iter().enumerate() {
        let index = [cell % side, cell / side % side, cell / (side * side)];
        let position = index.map(|k| (k as f32 + 0.5) * spacing - half);
        let velocity = std::array::from_fn(|_| random.range(-speed, speed));
        let shapes = vec![Shape::new(form(i)).with_material(MATERIAL)];
        bodies.push(Body { position, velocity, shapes, look: colour(i), ..Body::default() });
    }
    Ok(Scene {
        description: format!("{n} bodies bouncing for ever in a cube of {} m", 2.0 * inner),
        solver: SolverSettings {
            steps_per_second: Some(60),
            frames: Some(600),
            sleep: Some(false),
            ..SolverSettings::default()
        },
        camera: Camera::Orbit { distance: 4.0 * inner, pitch: -25.0, yaw: 30.0, target: [0.0; 3] },
        bodies: numbered(bodies),
        ..Scene::default()
    })
}

/// Smallest side of a cube of at least `cells` cells.
fn side_of_cube(cells: usize) -> usize {
    let mut side = 1;
    while side * side * side < cells {
        side += 1;
    }
    side
}
