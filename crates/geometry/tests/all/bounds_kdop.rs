//! k-DOPs: containment, overlap of shapes that share a point, measures against sampling.

use carom_geometry::bounds::kdop::{Dop14, Dop18, Dop26, Kdop};
use carom_geometry::shape::Support;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

fn cloud(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
    let place =
        prop_oneof![2 => Just(Vec3::ZERO), 1 => prop::array::uniform3(-1e3f32..1e3).prop_map(Vec3::from)];
    let scale = prop::array::uniform3(prop_oneof![Just(0.0f32), 0.1f32..2.0, Just(1.0)]).prop_map(Vec3::from);
    (place, scale, prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), count))
        .prop_map(|(place, scale, points)| points.iter().map(|p| place + Vec3::from(*p) * scale).collect())
}

fn pose() -> impl Strategy<Value = Pose> {
    (prop::array::uniform3(-5.0f32..5.0), prop::array::uniform4(-1.0f32..1.0))
        .prop_filter_map("null quaternion", |(t, q)| Some(Pose::new(t.into(), Rotation::from_xyzw(q)?)))
}

/// A hull by its corners.
struct Hull<'a>(&'a [Vec3]);

impl Support<f32> for Hull<'_> {
    fn support(&self, direction: Vec3) -> Vec3 {
        *self.0.iter().max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap()
    }
}

/// Is a point of the hull in every slab, in f64?
fn holds<const K2: usize>(dop: &Kdop<K2>, p: DVec3) -> bool {
    (0..K2).all(|k| {
        let at = p.dot(DVec3::from_array(Kdop::<K2>::DIRECTIONS[k].map(f64::from)));
        f64::from(dop.min[k]) <= at && at <= f64::from(dop.max[k])
    })
}

fn contains_all<const K2: usize>(points: &[Vec3], pose: &Pose) -> Result<(), TestCaseError> {
    let dop: Kdop<K2> = Kdop::of_points(points.iter().copied());
    let exact = pose.to::<f64>();
    let (turned, tight) = (dop.posed(pose), Kdop::<K2>::of_support(&Hull(points), pose));
    for p in points {
        prop_assert!(holds(&dop, p.as_dvec3()) && dop.contains_point(*p), "{p} outside {dop:?}");
        let world = exact.apply(p.as_dvec3());
        prop_assert!(holds(&turned, world), "{world} outside the turned {turned:?}");
        prop_assert!(holds(&tight, world), "{world} outside the support's {tight:?}");
    }
    let size = points.iter().fold(1.0f32, |m, p| m.max(p.length()));
    prop_assert!(
        turned.grown(1e-5 * size).contains(&tight),
        "the turned polyhedron contains the turned points"
    );
    // Split in two: the union is the volume of all.
    let (a, b) = points.split_at(points.len() / 2);
    let parts = Kdop::<K2>::of_points(a.iter().copied()).union(&Kdop::of_points(b.iter().copied()));
    prop_assert_eq!(parts, dop);
    prop_assert!(dop.contains(&Kdop::of_points(a.iter().copied())) || a.is_empty());
    Ok(())
}

fn sharing_a_point<const K2: usize>(a: &[Vec3], b: &[Vec3], weights: &[f64]) -> Result<(), TestCaseError> {
    // Two hulls moved so that they share exactly one known point, up to rounding: overlap. Far
    // apart: none.
    let middle = |points: &[Vec3]| {
        let total: f64 = weights.iter().take(points.len()).sum();
        points.iter().zip(weights).map(|(p, w)| p.as_dvec3() * (w / total)).sum::<DVec3>()
    };
    let shift = (middle(a) - middle(b)).as_vec3();
    let dop = |points: &[Vec3], by: Vec3| Kdop::<K2>::of_points(points.iter().map(|p| *p + by));
    let size = a.iter().chain(b).fold(1.0f32, |m, p| m.max(p.length()));
    let (first, second) = (dop(a, Vec3::ZERO), dop(b, shift));
    prop_assert!(first.grown(1e-6 * size).overlaps(&second));
    for k in 0..K2 {
        let direction = Vec3::from(Kdop::<K2>::DIRECTIONS[k].map(f32::from)).normalize();
        let away = (first.max[k] - second.min[k]).max(0.0) + 1e-4 * size;
        prop_assert!(!first.overlaps(&dop(b, shift + direction * away)), "direction {k}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn volumes_contain_their_points(points in cloud(2..20), pose in pose()) {
        contains_all::<7>(&points, &pose)?;
        contains_all::<9>(&points, &pose)?;
        contains_all::<13>(&points, &pose)?;
    }

    #[test]
    fn hulls_that_share_a_point_have_overlapping_volumes(a in cloud(1..8), b in cloud(1..8), w in prop::collection::vec(0.01f64..1.0, 8)) {
        sharing_a_point::<7>(&a, &b, &w)?;
        sharing_a_point::<9>(&a, &b, &w)?;
        sharing_a_point::<13>(&a, &b, &w)?;
    }

    #[test]
    fn a_point_of_both_is_in_both_volumes(a in cloud(3..4), t in prop::array::uniform2(0.0f64..1.0)) {
        // Two triangles with a common corner: whatever the rounding, they overlap.
        let b = [a[0], a[0] + Vec3::new(t[0] as f32, 1.0, -0.5), a[0] + Vec3::new(0.3, t[1] as f32, 2.0)];
        prop_assert!(Dop26::<f32>::of_points(a.iter().copied()).overlaps(&Kdop::of_points(b)));
    }

    #[test]
    fn more_faces_fit_better(points in cloud(4..20)) {
        let dops = (
            Dop14::<f32>::of_points(points.iter().copied()),
            Dop18::<f32>::of_points(points.iter().copied()),
            Dop26::<f32>::of_points(points.iter().copied()),
        );
        let boxed = dops.0.aabb();
        let size = points.iter().fold(1.0f32, |m, p| m.max(p.length()));
        let slack = 1e-5 * size * boxed.surface_area().max(1.0);
        for volume in [dops.0.volume(), dops.1.volume()] {
            prop_assert!(dops.2.volume() <= volume + slack && volume <= boxed.volume() + slack);
        }
        for area in [dops.0.surface_area(), dops.1.surface_area()] {
            prop_assert!(dops.2.surface_area() <= area + slack && area <= boxed.surface_area() + slack);
        }
        for v in dops.2.vertices() {
            prop_assert!(dops.2.grown(1e-5 * size).contains_point(v));
        }
    }
}

#[test]
fn volumes_agree_with_counting_points() {
    let mut seed = 5u64;
    let mut unit = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1u64 << 24) as f32
    };
    for _ in 0..5 {
        let points: Vec<Vec3> = (0..6).map(|_| Vec3::new(unit(), unit(), unit()) * 2.0).collect();
        let dop = Dop26::<f32>::of_points(points);
        let aabb = dop.aabb();
        let n = 40_000;
        let inside = (0..n)
            .filter(|_| {
                dop.contains_point(
                    aabb.low() + (aabb.high() - aabb.low()) * Vec3::new(unit(), unit(), unit()),
                )
            })
            .count();
        let counted = aabb.volume() * inside as f32 / n as f32;
        assert!((dop.volume() / counted - 1.0).abs() < 0.05, "{} {counted}", dop.volume());
    }
}
