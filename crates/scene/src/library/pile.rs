//! Mixed convex shapes dropped into an open container: the test of general contact.
//!
//! Boxes, spheres, capsules and random hulls in turn. The same numbers as the engines' comparison,
//! but for the rotations, whose sine comes from our own trigonometry so that all platforms agree.

use carom_core::random::Random;

use super::request::Parameter;
use super::walls::{colour, numbered, slabs};
use super::{Dimensions, Generator, SceneSource};
use crate::limits;
use crate::model::{
    Axis, Body, Camera, Material, Orientation, Scene, Shape, ShapeKind, SolverSettings, WorldSettings,
};

const MATERIAL: Material = Material { friction: 0.5, restitution: 0.0, density: 1.0, rolling_friction: 0.0 };
/// Distance between the bodies at the start, metres.
const SPACING: f32 = 1.6;
/// Random offset of a body from its place, metres.
const JITTER: f32 = 0.05;
/// Thickness of the container's walls, metres.
const WALL: f32 = 4.0;
/// Points of a random hull, and the radius of the sphere they lie on.
const HULL_POINTS: usize = 12;
const HULL_RADIUS: f32 = 0.55;

/// `pile`.
pub(super) const PILE: Generator = Generator {
    name: "pile",
    description: "Boxes, spheres, capsules and convex hulls dropped into an open container",
    parameters: &[
        Parameter { name: "n", default: "2000", meaning: "number of bodies" },
        Parameter { name: "seed", default: "0x5EED2027", meaning: "seed of sizes, places and rotations" },
    ],
    sample: ":50",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=limits::MAX_ITEMS - 6)?;
        Ok(SceneSource::Spatial(pile(n, arguments.seed("seed")?)))
    },
};

fn pile(n: usize, seed: u64) -> Scene {
    let side = side_for(n);
    let half = side as f32 * SPACING * 0.5;
    let tall = n as f32 / (side * side) as f32 * SPACING;
    let (centre, inner) = ([0.0, tall, 0.0], [half + 0.25, tall, half + 0.25]);
    let mut bodies = slabs(centre, inner, WALL, true, MATERIAL);
    let mut random = Random::new(seed);
    for i in 0..n {
        // The order of the draws is part of the scene: x, z, sizes, rotation.
        let x = ((i % side) as f32 + 0.5) * SPACING - half + random.range(-JITTER, JITTER);
        let y = ((i / (side * side)) as f32 + 0.75) * SPACING;
        let z = ((i / side % side) as f32 + 0.5) * SPACING - half + random.range(-JITTER, JITTER);
        let kind = match i % 4 {
            0 => ShapeKind::Box { size: std::array::from_fn(|_| random.range(0.25, 0.45) * 2.0) },
            1 => ShapeKind::Sphere { radius: random.range(0.3, 0.5) },
            2 => {
                let half_length = random.range(0.2, 0.35);
                let radius = random.range(0.2, 0.35);
                ShapeKind::Capsule { radius, length: half_length * 2.0, axis: Axis::Y }
            }
            _ => ShapeKind::Convex { points: random_hull(&mut random, HULL_POINTS, HULL_RADIUS) },
        };
        bodies.push(Body {
            position: [x, y, z],
            orientation: Orientation::Quaternion(random.rotation()),
            shapes: vec![Shape::new(kind).with_material(MATERIAL)],
            look: colour(i % 4 * 2),
            ..Body::default()
        });
    }
    Scene {
        name: format!("pile-{n}"),
        description: format!("{n} convex bodies of four kinds fall into a container"),
        world: WorldSettings { gravity: [0.0, -9.81, 0.0], ..WorldSettings::default() },
        solver: SolverSettings { steps_per_second: Some(60), frames: Some(600), ..SolverSettings::default() },
        camera: Camera::Orbit {
            distance: 3.0 * tall + 4.0 * half,
            pitch: -30.0,
            yaw: 30.0,
            target: [0.0, tall * 0.5, 0.0],
        },
        bodies: numbered(bodies),
        ..Scene::default()
    }
}

/// Side of the square layers, so that the pile is about twice as tall as wide: the cube root of n /
/// 2 rounded up, at least 2, found in integers because cube roots differ between platforms.
fn side_for(n: usize) -> usize {
    let mut side = 2;
    while 2 * side * side * side < n {
        side += 1;
    }
    side
}

/// Random points on a sphere, apart from each other, moved so that the hull's centre of mass is the
/// origin.
fn random_hull(random: &mut Random, count: usize, radius: f32) -> Vec<[f32; 3]> {
    let mut points: Vec<[f32; 3]> = Vec::with_capacity(count);
    while points.len() < count {
        let candidate = random.direction().map(|x| x * radius);
        // Apart, so that no engine welds two of them.
        let far = |other: &[f32; 3]| {
            let d = minus(candidate, *other);
            dot(d, d).sqrt() > 0.25 * radius
        };
        if points.iter().all(far) {
            points.push(candidate);
        }
    }
    let centre = centroid(&points, &faces(&points));
    points.into_iter().map(|point| minus(point, centre)).collect()
}

/// Triangles of the hull of points on a sphere, counter-clockwise seen from outside: three points
/// make a face when all others lie on one side. Slow and obviously right; there are twelve points.
fn faces(points: &[[f32; 3]]) -> Vec<[usize; 3]> {
    let n = points.len();
    let mut faces = Vec::new();
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                let normal = cross(minus(points[b], points[a]), minus(points[c], points[a]));
                let above = (0..n)
                    .filter(|k| ![a, b, c].contains(k))
                    .filter(|&k| dot(normal, minus(points[k], points[a])) > 0.0)
                    .count();
                if above == 0 {
                    faces.push([a, b, c]);
                } else if above == n - 3 {
                    faces.push([a, c, b]);
                }
            }
        }
    }
    faces
}

/// Centre of mass of the solid, by tetrahedra from the origin.
fn centroid(points: &[[f32; 3]], faces: &[[usize; 3]]) -> [f32; 3] {
    let (mut volume, mut moment) = (0.0f64, [0.0f64; 3]);
    for face in faces {
        let [a, b, c] = face.map(|i| points[i]);
        let part = f64::from(dot(a, cross(b, c))) / 6.0;
        volume += part;
        for k in 0..3 {
            moment[k] += part * f64::from(a[k] + b[k] + c[k]) * 0.25;
        }
    }
    moment.map(|x| (x / volume) as f32)
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_is_the_cube_root_rounded_up() {
        for n in 1..100_000usize {
            let side = side_for(n);
            let least = side == 2 || 2 * (side - 1).pow(3) < n;
            assert!(2 * side.pow(3) >= n && least, "{n}");
        }
        assert_eq!([side_for(16), side_for(17), side_for(2000), side_for(2001)], [2, 3, 10, 11]);
    }

    #[test]
    fn hulls_are_closed_and_centred() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let points = random_hull(&mut random, 12, 0.5);
            let faces = faces(&points);
            assert_eq!(faces.len(), 2 * 12 - 4, "Euler's formula for a closed triangulated hull");
            let centre = centroid(&points, &faces);
            assert!(centre.iter().all(|x| x.abs() < 1e-6), "{centre:?}");
        }
    }
}
