//! Closest points of every pair of figures against an independent measure in `f64`.

use carom_geometry::Obb;
use carom_geometry::closest::{Closest, Nearest, TriangleFeature, TrianglePoint, closest_points};
use carom_geometry::primitive::{Line, Segment, Triangle};
use carom_geometry::real::{Real, Vector};
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::closest_oracle::{Any, KINDS, Piece, closest, distance, points, turn, with_figure};

fn measure<S: Real>(a: &Any<S>, b: &Any<S>) -> Closest<S>
where
    S::Vec3: carom_geometry::closest::Figure<Scalar = S, Form = carom_geometry::closest::Point<S>>,
{
    with_figure!(a, x => with_figure!(b, y => closest_points(x, y)))
}

/// Compares the measure with the oracle; errors are counted in ε × the largest coordinate.
fn check<S: Real>(a: &Any<S>, b: &Any<S>, allowed: f64) -> Result<(), TestCaseError>
where
    S::Vec3: carom_geometry::closest::Figure<Scalar = S, Form = carom_geometry::closest::Point<S>>,
{
    let found = measure(a, b);
    prop_assert!(
        found.a.is_finite() && found.b.is_finite() && found.distance_squared.is_finite(),
        "{found:?}"
    );
    let (p, q) = (found.a.to::<f64>(), found.b.to::<f64>());
    let (pieces_a, pieces_b) = (a.pieces(), b.pieces());
    let (x, y) = closest(&pieces_a, &pieces_b);
    let expected = (x - y).length();
    // Unbounded figures that are nearly parallel may meet far away.
    let largest = [p, q, x, y].into_iter().fold(0.0, |m: f64, v| m.max(v.abs().max_element()));
    let size = a.size().max(b.size()).max(largest);
    let unit = S::EPSILON.to_f64() * size;
    let error = (found.distance().to_f64() - expected).abs() / unit;
    prop_assert!(
        error <= allowed || size == 0.0,
        "distance off by {error} ε: {found:?}, expected {expected}, {a:?} {b:?}"
    );
    for (point, pieces) in [(p, &pieces_a), (q, &pieces_b)] {
        let off = distance(&Piece::all(point, &[], &[]), pieces) / unit;
        prop_assert!(off <= allowed || size == 0.0, "{point} is off its figure by {off} ε, {a:?} {b:?}");
    }
    let swapped = measure(b, a).distance().to_f64();
    prop_assert!(
        (swapped - expected).abs() <= allowed * unit,
        "swapped: {swapped}, expected {expected}, {a:?} {b:?}"
    );
    Ok(())
}

/// Error allowed, in ε × the largest coordinate.
const ALLOWED: f64 = 24.0;

proptest! {
    #[test]
    fn every_pair_agrees_with_the_oracle(v in points(), r in turn(), s in turn(), i in 0..KINDS, j in 0..KINDS) {
        let a = Any::<f32>::new(i, [v[0], v[1], v[2], v[3]], r);
        let b = Any::<f32>::new(j, [v[4], v[5], v[6], v[7]], s);
        check(&a, &b, ALLOWED)?;
    }

    #[test]
    fn flat_figures_agree_with_the_oracle(v in points(), r in turn(), i in 1..6usize, j in 1..7usize) {
        let a = Any::<f32>::new(i, [v[0], v[1], v[2], v[3]], r);
        let b = Any::<f32>::new(j, [v[4], v[5], v[6], v[7]], r);
        check(&a, &b, ALLOWED)?;
    }

    #[test]
    fn sizes_from_the_smallest_to_the_largest(
        v in points(), r in turn(), s in turn(), i in 0..KINDS, j in 0..KINDS,
        scale in prop::sample::select(vec![1e-15f32, 1e-12, 1e-8, 1e-4, 1e4, 1e8, 1e12, 1e15]),
    ) {
        let v = v.map(|v| v * scale);
        let a = Any::<f32>::new(i, [v[0], v[1], v[2], v[3]], r);
        let b = Any::<f32>::new(j, [v[4], v[5], v[6], v[7]], s);
        // Directions from nearly equal points may be smaller than the smallest that is supported.
        let directions = [v[1] - v[0], v[5] - v[4]].map(|d| d.abs().max_element());
        if directions.iter().any(|d| *d > 0.0 && *d < 1e-17) {
            return Ok(());
        }
        check(&a, &b, ALLOWED)?;
    }

    #[test]
    fn unequal_sizes(
        v in points(), r in turn(), s in turn(), i in 0..KINDS, j in 0..KINDS, exponents in prop::array::uniform8(-6i32..6),
    ) {
        let mut v = v;
        for k in 0..8 {
            v[k] *= 10f32.powi(exponents[k]);
        }
        let a = Any::<f32>::new(i, [v[0], v[1], v[2], v[3]], r);
        let b = Any::<f32>::new(j, [v[4], v[5], v[6], v[7]], s);
        check(&a, &b, ALLOWED)?;
    }

    #[test]
    fn boxes_of_all_proportions(
        at in prop::array::uniform3(-1.5f32..1.5), r in turn(), s in turn(),
        exponents in prop::array::uniform6(-2.0f32..0.5),
    ) {
        let e = exponents.map(|e| 10f32.powf(e));
        let a = Obb::of_pose(&Pose::new(Vec3::ZERO, r), Vec3::new(e[0], e[1], e[2]));
        let b = Obb::of_pose(&Pose::new(Vec3::from(at), s), Vec3::new(e[3], e[4], e[5]));
        check(&Any::Box(a), &Any::Box(b), ALLOWED)?;
        let (pieces_a, pieces_b) = (Any::Box(a).pieces(), Any::Box(b).pieces());
        let found = closest_points(&a, &b);
        prop_assert!(found.distance_squared == 0.0 || distance(&pieces_a, &pieces_b) > 0.0 || found.distance() < 1e-5);
    }

    #[test]
    fn double_precision(v in points(), r in turn(), s in turn(), i in 0..KINDS, j in 0..KINDS) {
        let v = v.map(Vector::to::<f64>);
        let a = Any::<f64>::new(i, [v[0], v[1], v[2], v[3]], r.to());
        let b = Any::<f64>::new(j, [v[4], v[5], v[6], v[7]], s.to());
        // The oracle itself is no better than this.
        check(&a, &b, 1e-11 / f64::EPSILON)?;
    }

    #[test]
    fn the_weights_and_the_feature_of_a_triangle_point_describe_it(v in points(), thin in prop::bool::ANY) {
        let v = v.map(Vector::to::<f64>);
        let c = if thin { v[0] + (v[1] - v[0]) * 0.4 + v[2] * 1e-7 } else { v[2] };
        let triangle = Triangle::<f64>::new(v[0], v[1], c);
        let found = TrianglePoint::nearest(&triangle, v[4]);
        let [a, b, c] = triangle.corners();
        let [x, y, z] = found.weights;
        prop_assert!(x >= 0.0 && y >= 0.0 && z >= 0.0 && (x + y + z - 1.0).abs() < 1e-14);
        prop_assert!((a * x + b * y + c * z - found.point).length() < 1e-14 * 10.0);
        let zeros = found.weights.iter().filter(|w| **w == 0.0).count();
        match found.feature {
            TriangleFeature::Vertex(k) => {
                prop_assert_eq!(zeros, 2);
                prop_assert_eq!(triangle.corners()[usize::from(k)], found.point);
            }
            TriangleFeature::Edge(k) => {
                prop_assert!(zeros >= 1 && found.weights[(usize::from(k) + 2) % 3] == 0.0);
            }
            TriangleFeature::Face => prop_assert_eq!(zeros, 0),
        }
        let expected = distance(&Piece::all(v[4], &[], &[]), &Piece::of_triangle(triangle.corners()));
        prop_assert!(((found.point - v[4]).length() - expected).abs() < 1e-13);
    }

    #[test]
    fn the_measure_does_not_depend_on_the_frame(v in points(), place in prop::array::uniform3(-3.0f64..3.0), r in turn()) {
        let v = v.map(Vector::to::<f64>);
        let pose = Pose::<f64>::new(DVec3::from(place), r.to());
        let (a, b) = (Triangle::<f64>::new(v[0], v[1], v[2]), Triangle::<f64>::new(v[4], v[5], v[6]));
        let here = closest_points(&a, &b).distance();
        let there = closest_points(&a.posed(&pose), &b.posed(&pose)).distance();
        prop_assert!((here - there).abs() < 1e-13 * 20.0, "{here} {there}");
    }
}

#[test]
fn nearly_parallel_segments_find_where_they_cross() {
    for k in 1..40 {
        let angle = 0.5f32.powi(k);
        let a = Segment::<f32>::new(Vec3::new(-1.0, -angle, 0.25), Vec3::new(1.0, angle, 0.25));
        let b = Segment::<f32>::new(Vec3::new(-1.0, angle * 0.5, 0.25), Vec3::new(1.0, -angle * 1.5, 0.25));
        let found = closest_points(&a, &b);
        assert!(found.distance() < 4.0 * f32::EPSILON, "angle {angle}: {found:?}");
    }
}

#[test]
fn an_edge_nearly_parallel_to_a_box_is_measured_at_its_nearer_end() {
    // The distance grows from 5·10⁻⁶ at z = 0 to 10⁻⁵ at z = 1: rounding along z must not hide
    // that.
    let solid = Aabb::<3>::new([-1.0, 0.0, 0.0], [0.0, 0.0, 1.229_689]);
    let edge = Segment::<f32>::new(Vec3::new(-1.0, 0.0, -1.0), Vec3::new(-1.000_01, 0.0, 1.0));
    let found = closest_points(&edge, &solid).distance();
    assert!((found - 5e-6).abs() < 4e-7, "{found}");
}

#[test]
fn a_segment_through_a_needle_has_a_common_point_with_it() {
    // The needle is 10⁻⁷ high: its normal is good to 10⁻⁹ only, and heights over its plane are no
    // better.
    let wide = |x: f32, y: f32, z: f32| Vector::to::<f64>(Vec3::new(x, y, z));
    let [a, b] = [DVec3::ZERO, wide(2.0, 1.071_338_8, -0.970_592_7)];
    let needle = Triangle::<f64>::new(
        wide(7.0, -1.125_385_2, 1.530_500_9),
        wide(5.0, -0.246_695_52, 0.530_063_57),
        wide(0.0, 1.950_028_3, -1.971_030_1),
    );
    let turn = Rotation::<f64> { xyz: DVec3::Z * 0.526_392_64, w: 0.850_241_6 }.normalised();
    for pose in [Pose::IDENTITY, Pose::new(DVec3::ZERO, turn)] {
        let (segment, needle) = (Segment::<f64>::new(a, b).posed(&pose), needle.posed(&pose));
        assert!(closest_points(&segment, &needle).distance() < 1e-14);
        assert!(
            closest_points(&Triangle::<f64>::new(segment.a, segment.b, segment.a), &needle).distance()
                < 1e-14
        );
    }
}

#[test]
fn degenerate_figures_are_the_smaller_ones_they_cover() {
    let point = Vec3::new(1.0, 2.0, 3.0);
    let target = Segment::<f32>::new(Vec3::ZERO, Vec3::X * 4.0);
    let expected = 13.0f32.sqrt();
    let needle = Triangle::<f32>::new(point, point, point);
    assert_eq!(closest_points(&Segment::<f32>::new(point, point), &target).distance(), expected);
    assert_eq!(closest_points(&Line::<f32>::new(point, Vec3::ZERO), &target).distance(), expected);
    assert_eq!(closest_points(&needle, &target).distance(), expected);
    assert_eq!(closest_points(&needle, &needle).distance(), 0.0);
    let flat = Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::X * 4.0);
    assert_eq!(closest_points(&flat, &point).distance(), expected);
    assert_eq!(flat.nearest(Vec3::new(9.0, 0.0, 0.0)), Vec3::X * 4.0);
}

#[test]
fn figures_that_meet_have_a_common_point() {
    let floor = Triangle::<f32>::new(Vec3::ZERO, Vec3::X * 4.0, Vec3::Z * 4.0);
    let rod = Segment::<f32>::new(Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, 1.0));
    let found = closest_points(&rod, &floor);
    assert_eq!(
        (found.a, found.b, found.distance_squared),
        (Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), 0.0)
    );
    let fin = Triangle::<f32>::new(rod.a, rod.b, Vec3::new(9.0, 0.0, 9.0));
    assert_eq!(closest_points(&fin, &floor).distance_squared, 0.0);
    let turned = Rotation::about_axis(Vec3::Z, 0.5);
    let cube = Obb::of_pose(&Pose::new(Vec3::new(1.0, 0.2, 1.0), turned), Vec3::splat(0.5));
    assert_eq!(closest_points(&floor, &cube).distance_squared, 0.0, "a box through the inside of a triangle");
    assert_eq!(closest_points(&rod, &cube).distance_squared, 0.0);
    assert_eq!(closest_points(&cube, &cube).distance_squared, 0.0);
}
