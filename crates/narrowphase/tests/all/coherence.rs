//! What pairs remember from query to query: contacts of polyhedra in motion, from their caches,
//! against the distance and against contacts from nothing.

use std::sync::Arc;

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::oracle::depth::gap;
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod, gjk, pair};
use glam::{DVec3, Vec3};

use crate::cases::{Numbers, count};

fn bodies() -> Vec<(Shape, Box<dyn OracleShape>)> {
    let mut bodies: Vec<(Shape, Box<dyn OracleShape>)> = Vec::new();
    let hulls = [
        Polytope::<f32>::random_on_sphere(32, 0.5, 1),
        Polytope::random_on_sphere(32, 0.4, 2),
        Polytope::random_on_sphere(12, 0.5, 3),
        Polytope::prism(6, 0.6, 0.4),
        Polytope::cube(0.4),
    ];
    for hull in hulls {
        let hull = hull.unwrap();
        let wide = hull.to::<f64>();
        bodies.push((Shape::Polytope(Arc::new(hull)), Box::new(wide)));
    }
    let cuboid = Cuboid::<f32>::new(Vec3::new(0.5, 0.3, 0.4)).unwrap();
    bodies.push((cuboid.into(), Box::new(cuboid.to::<f64>())));
    let tile = Tile::<f32>::new(0.5, 0.4).unwrap();
    bodies.push((tile.into(), Box::new(tile.to::<f64>())));
    let triangle =
        Triangle::<f32>::new(Vec3::new(-0.5, 0.0, -0.4), Vec3::new(0.6, 0.1, -0.3), Vec3::new(0.0, 0.0, 0.6));
    bodies.push((triangle.into(), Box::new(triangle.to::<f64>())));
    bodies
}

/// A second shape that turns and wanders beside the first, kept about so far from it.
struct Walk {
    rotation: Rotation<f64>,
    way: DVec3,
    speed: f64,
}

impl Walk {
    fn new(numbers: &mut Numbers) -> Self {
        let speed = [1e-5, 2e-4, 2e-3, 2e-2][numbers.below(4) as usize];
        Self { rotation: numbers.rotation(), way: numbers.vector(1.0), speed }
    }

    fn step(&mut self, numbers: &mut Numbers, a: &dyn OracleShape, b: &dyn OracleShape) -> Pose {
        let turn = Rotation::from_rotation_vector(numbers.vector(2.0 * self.speed));
        self.rotation = (turn * self.rotation).normalised();
        self.way += numbers.vector(self.speed);
        let pose = Pose::new(self.way, self.rotation);
        let found = gjk::proximity(a, b, &pose, &mut gjk::SimplexCache::default());
        let kept = found.distance.clamp(-0.015, 0.06);
        self.way += found.normal * (kept - found.distance);
        Pose::new(self.way, self.rotation).to::<f32>()
    }
}

/// With a cache contacts are those of the shapes as they are now: as near as the shapes where they
/// are apart, as deep up to twice the slop, along a way that parts them.
#[test]
fn contacts_in_motion_are_as_near_and_as_deep_as_the_shapes() {
    let bodies = bodies();
    let mut numbers = Numbers(0x3077);
    let mut scratch = pair::Scratch::default();
    let mut touching = 0;
    for track in 0..count() / 40 {
        let (a, wide_a) = &bodies[numbers.below(bodies.len() as u64) as usize];
        let (b, wide_b) = &bodies[numbers.below(bodies.len() as u64) as usize];
        let slop = [0.0, 0.005][numbers.below(2) as usize];
        let tolerances = Tolerances { speculative_distance: 0.04, slop };
        let (mut cache, mut contact) = (pair::PairCache::default(), Manifold::default());
        let mut walk = Walk::new(&mut numbers);
        for step in 0..40 {
            let pose = walk.step(&mut numbers, &**wide_a, &**wide_b);
            let auto = NarrowMethod::Auto;
            pair::manifold(a, b, &pose, tolerances, auto, &mut cache, &mut scratch, &mut contact).unwrap();
            let exact = pose.to::<f64>();
            let truth = gjk::proximity(&**wide_a, &**wide_b, &exact, &mut gjk::SimplexCache::default());
            let what = || {
                let (a, b, axis) = (a.name(), b.name(), cache.axis);
                format!("{track}.{step} slop {slop}: {a} {b} {pose:?} {truth:?} {contact:?} {axis:?}")
            };
            let (tolerance, slop) = (5e-5, f64::from(slop));
            if truth.distance > 0.04 + tolerance {
                assert!(contact.is_empty(), "{}", what());
                continue;
            }
            if truth.distance > 0.04 - tolerance {
                continue;
            }
            let off = f64::from(contact.deepest()) - truth.distance;
            let above = if truth.distance < 0.0 { 2.0 * slop } else { 0.2 * slop };
            assert!((-2.0 * slop - tolerance..=above + tolerance).contains(&off), "off by {off}: {}", what());
            let along = gap(&**wide_a, &**wide_b, &exact, contact.normal.as_dvec3());
            assert!(along > truth.distance - 2.0 * slop - tolerance, "{along} {}", what());
            touching += u32::from(truth.distance < 0.0);
        }
    }
    assert!(touching > count() / 10, "{touching}");
}

/// Bars that lie on each other and tilt by tenths of a degree: the edges that look along the axis
/// of before may be those of other sides, which pass each other far away.
#[test]
fn points_of_bars_that_rock_on_each_other_are_above_each_other() {
    let mut numbers = Numbers(29);
    let [a, b] = [Vec3::new(0.5, 0.1, 0.1), Vec3::new(0.1, 0.5, 0.1)];
    let [a, b] = [a, b].map(|half| Shape::from(Cuboid::new(half).unwrap()));
    let (wish, mut scratch) = (Tolerances::default(), pair::Scratch::default());
    let mut single = 0u32;
    for case in 0..count() {
        let turn = Rotation::from_rotation_vector(DVec3::Z * numbers.between(-1.0, 1.0));
        let beside = numbers.vector(0.6);
        let (mut cache, mut contact) = (pair::PairCache::default(), Manifold::default());
        for _ in 0..12 {
            let tilt = numbers.vector(0.004);
            let turned = Rotation::from_rotation_vector(DVec3::new(tilt.x, tilt.y, 0.0)) * turn;
            let height = 0.2 + numbers.between(-0.004, 0.002);
            let pose = Pose::new(DVec3::new(beside.x, beside.y, height), turned.normalised()).to::<f32>();
            let auto = NarrowMethod::Auto;
            pair::manifold(&a, &b, &pose, wish, auto, &mut cache, &mut scratch, &mut contact).unwrap();
            if let [point] = contact.points() {
                single += 1;
                let off = pose.apply(point.on_b) - point.on_a - contact.normal * point.separation;
                assert!(off.length() < 1e-3, "case {case}: {off} beside each other, {contact:?}");
            }
        }
    }
    assert!(single > count() / 40, "{single}");
}
