//! A gas in a box: `dense-gas` with the geometry of Fingsics' experiment E1 (how the algorithms
//! scale), `box`, the same with far more room, and `capsules`, its experiment E2 (elongation).
//!
//! A grid with three times as many cells as bodies; a random third of the cells is filled;
//! velocities are random; nothing is lost in collisions. Cells, kinds, positions and velocities of
//! `box` are those other engines are measured with, bit for bit: the order of random draws is part
//! of the promise.
//!
//! Cells of `dense-gas` are 1 × 2 × 1 m, with capsules upright: 7.4 m³ per body, a tenth of `box`.
//! Balls and capsules alternate like the fields of a chessboard, so that no two capsules stand on
//! each other: with a jitter of a tenth of a metre nothing touches at the start.

use carom_core::random::Random;

use super::request::{Arguments, LibraryError, Parameter};
use super::walls::{colour, numbered, slabs, tiles};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;
use crate::model::{Axis, Body, Camera, Mass, Material, Scene, Shape, ShapeKind, SolverSettings};

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
    description: "A sparse gas of spheres and capsules in a closed box, without gravity and friction",
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

/// Masses in Fingsics' files, kilograms.
const BALL_MASS: f32 = 1.0;
const CAPSULE_MASS: f32 = 7.666_666_5;

/// `dense-gas`.
pub(super) const DENSE: Generator = Generator {
    name: "dense-gas",
    description: "A dense gas of spheres and capsules, 7.4 m³ each, in a closed box (the geometry of experiment E1)",
    parameters: &[
        Parameter { name: "n", default: "1000", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2026", meaning: "seed of cells, jitter and velocities" },
        Parameter { name: "speed", default: "5", meaning: "highest speed along each axis, m/s" },
    ],
    sample: ":50",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=MOST)?;
        let speed = arguments.number("speed", 0.0..=1e6)?;
        let side = DenseGrid::side_for(3 * n);
        let grid = DenseGrid { counts: [side, side / 2, side] };
        let (counts, inner) = (grid.counts, grid.half_extents());
        let mut bodies = tiles(inner, MATERIAL);
        let mut random = Random::new(arguments.seed("seed")?);
        for (i, cell) in third(counts.iter().product(), n, &mut random).into_iter().enumerate() {
            let index = [cell / (counts[1] * counts[2]), cell / counts[2] % counts[1], cell % counts[2]];
            let position = grid.position(index, &mut random);
            let velocity = std::array::from_fn(|_| random.range(-speed, speed));
            bodies.push(Body { position, velocity, look: colour(i), ..ball_or_capsule(index) });
        }
        let about = format!("{n} bodies bouncing for ever with {:.1} m³ each", volume(inner) / n as f32);
        let radius = inner.into_iter().fold(0.0, f32::max);
        Ok(SceneSource::Spatial(Scene { name: format!("dense-gas-{n}"), ..gas_scene(about, radius, bodies) }))
    },
};

/// The grid of `dense-gas` and `fast-fountain`: cells of 1 × 2 × 1 m about the origin.
pub(super) struct DenseGrid {
    /// Cells along each axis.
    pub(super) counts: [usize; 3],
}

impl DenseGrid {
    /// Size of a cell, metres.
    const CELL: [f32; 3] = [1.0, 2.0, 1.0];
    /// Farthest that a body is from the middle of its cell, along each axis, metres.
    const JITTER: f32 = 0.1;
    /// From the middle of an outermost cell to the wall, metres.
    const MARGIN: [f32; 3] = [0.75, 1.75, 0.75];

    /// Cells along x and z of a cube of at least so many cells, with half as many along y.
    pub(super) fn side_for(cells: usize) -> usize {
        let mut side = 2;
        while side * (side / 2) * side < cells {
            side += 1;
        }
        side
    }

    /// Half extents of the container, metres.
    pub(super) fn half_extents(&self) -> [f32; 3] {
        std::array::from_fn(|axis| self.last_cell(axis) * Self::CELL[axis] + Self::MARGIN[axis])
    }

    /// A random place near the middle of a cell.
    pub(super) fn position(&self, index: [usize; 3], random: &mut Random) -> [f32; 3] {
        std::array::from_fn(|axis| {
            let middle = (index[axis] as f32 - self.last_cell(axis)) * Self::CELL[axis];
            middle + random.range(-Self::JITTER, Self::JITTER)
        })
    }

    /// From the middle of the grid to that of the last cell, in cells.
    fn last_cell(&self, axis: usize) -> f32 {
        0.5 * (self.counts[axis] - 1) as f32
    }
}

fn volume(half: [f32; 3]) -> f32 {
    half.iter().map(|x| 2.0 * x).product()
}

/// The body of a cell of a chessboard of balls and upright capsules, with Fingsics' masses.
pub(super) fn ball_or_capsule(index: [usize; 3]) -> Body {
    let (kind, mass) = if index.iter().sum::<usize>() % 2 == 0 {
        (ShapeKind::Sphere { radius: RADIUS }, BALL_MASS)
    } else {
        (ShapeKind::Capsule { radius: RADIUS, length: LENGTH, axis: Axis::Y }, CAPSULE_MASS)
    };
    let shapes = vec![Shape::new(kind).with_material(MATERIAL)];
    Body { shapes, mass: Mass::Total(mass), ..Body::default() }
}

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
        _ => tiles([inner; 3], MATERIAL),
    };
    let mut random = Random::new(arguments.seed("seed")?);
    bodies.reserve(n);
    for (i, cell) in third(cells, n, &mut random).into_iter().enumerate() {
        let index = [cell % side, cell / side % side, cell / (side * side)];
        let position = index.map(|k| (k as f32 + 0.5) * spacing - half);
        let velocity = std::array::from_fn(|_| random.range(-speed, speed));
        let shapes = vec![Shape::new(form(i)).with_material(MATERIAL)];
        bodies.push(Body { position, velocity, shapes, look: colour(i), ..Body::default() });
    }
    Ok(gas_scene(format!("{n} bodies bouncing for ever in a cube of {} m", 2.0 * inner), inner, bodies))
}

/// So many of the cells, in ascending order.
fn third(cells: usize, n: usize, random: &mut Random) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..cells).collect();
    random.shuffle(&mut chosen);
    chosen.truncate(n);
    chosen.sort_unstable();
    chosen
}

/// A scene that never comes to rest, seen from so far that a cube of this half side is in the
/// picture.
fn gas_scene(description: String, half: f32, bodies: Vec<Body>) -> Scene {
    Scene {
        description,
        solver: SolverSettings {
            steps_per_second: Some(60),
            frames: Some(600),
            sleep: Some(false),
            ..SolverSettings::default()
        },
        camera: Camera::Orbit { distance: 4.0 * half, pitch: -25.0, yaw: 30.0, target: [0.0; 3] },
        bodies: numbered(bodies),
        ..Scene::default()
    }
}

/// Smallest side of a cube of at least `cells` cells.
fn side_of_cube(cells: usize) -> usize {
    let mut side = 1;
    while side * side * side < cells {
        side += 1;
    }
    side
}
