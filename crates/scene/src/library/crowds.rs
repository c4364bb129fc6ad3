//! Dense crowds that are hard on broad and narrow phases: `fast-fountain`, many small bodies at 20
//! to 42 m/s, and `mixed-rain`, bodies whose sizes differ by a factor of 50.

use carom_core::random::Random;

use super::gas::{DenseGrid, ball_or_capsule};
use super::request::Parameter;
use super::setting::{body, engine_scene, rough, sleepless};
use super::walls::{colour, slabs};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;
use crate::model::{Axis, Body, Material, Orientation, ShapeKind};

/// Walls are at most six bodies.
const MOST: usize = limits::MAX_ITEMS - 6;
/// Thickness of walls, metres.
const SLAB: f32 = 10.0;

/// Elastic and smooth, as the bodies of the fountain.
const ELASTIC: Material = Material { restitution: 1.0, ..rough(0.0, 1.0) };
/// Least and highest speed upwards, m/s.
const UPWARDS: [f32; 2] = [20.0, 42.0];
/// Highest speed sideways along each axis, m/s.
const SIDEWAYS: f32 = 5.0;
/// Height of the shaft above the highest cell, metres: the fastest body rises by 90.
const RISE: f32 = 120.0;

/// `fast-fountain`.
pub(super) const FAST_FOUNTAIN: Generator = Generator {
    name: "fast-fountain",
    description: "Small spheres and capsules, close together, are shot up a shaft at 20 to 42 m/s and fall back",
    parameters: &[
        Parameter { name: "n", default: "3420", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2031", meaning: "seed of places and velocities" },
    ],
    sample: ":60",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=MOST)?;
        let mut random = Random::new(arguments.seed("seed")?);
        // About as high as wide: half as many cells along y.
        let side = DenseGrid::side_for(n);
        let grid = DenseGrid { counts: [side, n.div_ceil(side * side), side] };
        let half = grid.half_extents();
        let shaft = [half[0], half[1] + 0.5 * RISE, half[2]];
        let mut bodies = slabs([0.0, 0.5 * RISE, 0.0], shaft, SLAB, false, ELASTIC);
        for k in 0..n {
            // Layer by layer from below.
            let index = [k / side % side, k / (side * side), k % side];
            let position = grid.position(index, &mut random);
            let [x, z] = std::array::from_fn(|_| random.range(-SIDEWAYS, SIDEWAYS));
            let velocity = [x, random.range(UPWARDS[0], UPWARDS[1]), z];
            bodies.push(Body { position, velocity, look: colour(k), ..ball_or_capsule(index) });
        }
        let about = format!("{n} bodies fly up a shaft of {:.0} m and fall back", 2.0 * shaft[1]);
        let view = ([0.0, 0.3 * RISE, 0.0], 0.5 * RISE);
        let scene = engine_scene(format!("fast-fountain-{n}"), about, 9.81, 600, bodies, view);
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};

/// Bounding radii of the rain, metres: 1 to 50.
const RADII: [f32; 2] = [0.04, 2.0];
/// Each class of sizes ends at twice the radius at which it begins.
const CLASSES: usize = 6;
/// Distance of neighbours of a class at the start, in bounding radii.
const PITCH: f32 = 2.1;
const RAIN: Material = rough(0.5, 1000.0);

/// `mixed-rain`.
pub(super) const MIXED_RAIN: Generator = Generator {
    name: "mixed-rain",
    description: "Spheres, boxes and capsules of sizes from 1 to 50 rain into a container and come to rest",
    parameters: &[
        Parameter { name: "n", default: "2000", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2032", meaning: "seed of sizes, kinds and velocities" },
    ],
    sample: ":60",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=MOST)?;
        let mut random = Random::new(arguments.seed("seed")?);
        let mut classes: [Vec<f32>; CLASSES] = Default::default();
        for k in 0..n {
            let radius = radius(k, &mut random);
            let octave = (1..CLASSES).take_while(|octave| radius >= RADII[0] * (1 << octave) as f32).count();
            classes[octave].push(radius);
        }
        // Wide enough for a layer of a few of the largest.
        let mut across = 2;
        while across * across * 100 < n {
            across += 1;
        }
        let half = 0.5 * PITCH * RADII[1] * across as f32;
        let mut rain = Vec::with_capacity(n);
        let mut bottom = 1.0;
        for (class, layer) in layers(&classes, half) {
            let pitch = pitch_of(class);
            let along = cells_along(half, class);
            for (place, &radius) in layer.iter().enumerate() {
                let middle = |cell: usize| (cell as f32 - 0.5 * (along - 1) as f32) * pitch;
                let position = [middle(place % along), bottom + 0.5 * pitch, middle(place / along)];
                let velocity = [random.range(-1.0, 1.0), random.range(-6.0, -4.0), random.range(-1.0, 1.0)];
                let drop = body(position, kind(rain.len(), radius), RAIN);
                let orientation = Orientation::Quaternion(random.rotation());
                rain.push(Body { velocity, orientation, look: colour(class), ..drop });
            }
            bottom += pitch;
        }
        let centre = [0.0, 0.5 * bottom, 0.0];
        let mut bodies = slabs(centre, [half, 0.5 * bottom, half], SLAB, true, RAIN);
        bodies.append(&mut rain);
        let about = format!("{n} bodies of 4 cm to 2 m fall into a container of {:.1} m", 2.0 * half);
        let view = ([0.0, 0.3 * bottom, 0.0], half.max(0.5 * bottom));
        Ok(SceneSource::Spatial(engine_scene(format!("mixed-rain-{n}"), about, 9.81, 600, bodies, view)))
    },
};

/// A bounding radius, twice as often if half as large; the first two are the ends of the range.
fn radius(k: usize, random: &mut Random) -> f32 {
    let [smallest, largest] = RADII;
    let share = random.unit();
    match k {
        0 => largest,
        1 => smallest,
        _ => 1.0 / (1.0 / largest + share * (1.0 / smallest - 1.0 / largest)),
    }
}

/// Spheres, boxes and capsules in turn, of a bounding radius.
fn kind(k: usize, radius: f32) -> ShapeKind {
    match k % 3 {
        0 => ShapeKind::Sphere { radius },
        1 => {
            // The diagonal of a cube is √3 edges.
            let edge = 2.0 * radius / 3.0f32.sqrt();
            ShapeKind::Box { size: [edge; 3] }
        }
        _ => ShapeKind::Capsule { radius: 0.5 * radius, length: radius, axis: Axis::Y },
    }
}

/// Distance of the cells of a class, metres.
fn pitch_of(class: usize) -> f32 {
    PITCH * (RADII[0] * (2 << class) as f32).min(RADII[1])
}

/// Cells of a class along a side of the container.
fn cells_along(half: f32, class: usize) -> usize {
    (2.0 * half / pitch_of(class)) as usize
}

/// All layers, the classes mixed so that each is spread over the whole height.
fn layers(classes: &[Vec<f32>; CLASSES], half: f32) -> Vec<(usize, &[f32])> {
    let mut all = Vec::new();
    for (class, radii) in classes.iter().enumerate() {
        let layers = radii.chunks(cells_along(half, class).pow(2));
        let count = layers.len() as f32;
        all.extend(layers.enumerate().map(|(at, layer)| ((at as f32 + 0.5) / count, class, layer)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.into_iter().map(|(_, class, layer)| (class, layer)).collect()
}
