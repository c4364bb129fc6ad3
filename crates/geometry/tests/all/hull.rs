//! Convex hulls against plain oracles: every point inside, and on small integer grids the exact
//! list of facets.

use std::collections::BTreeSet;

use carom_geometry::hull::{HullError, HullOptions, convex_hull};
use carom_geometry::polytope::Polytope;
use carom_geometry::real::{Real, Vector};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

fn hull<V: Vector>(points: &[V]) -> Result<Polytope<V::Scalar>, HullError> {
    convex_hull(points, &HullOptions::default())
}

/// Everything that holds for every hull of all its points.
fn assert_sound<V: Vector>(points: &[V], hull: &Polytope<V::Scalar>) {
    assert_eq!(hull.check(), Ok(()));
    let tolerance = 1.5 * hull.tolerance().to_f64();
    for plane in hull.planes() {
        let normal = plane.normal.to::<f64>();
        for (i, p) in points.iter().enumerate() {
            let height = normal.dot(p.to::<f64>()) - plane.offset.to_f64();
            assert!(
                height <= tolerance,
                "point {i} is {height:e} above a face, the tolerance is {tolerance:e}"
            );
        }
    }
    // Vertices are points of the input, in its order.
    let mut rest = points.iter();
    for vertex in hull.points() {
        assert!(rest.any(|p| p == vertex), "{vertex} is not a point, or out of order");
    }
}

/// Unit vectors.
fn direction() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-1.0..1.0f64).prop_filter_map("null", |d| DVec3::from(d).unit())
}

/// One point of a distribution.
type PointStrategy = BoxedStrategy<DVec3>;

fn in_cube() -> PointStrategy {
    prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from).boxed()
}

/// Sets of points of many kinds, some of them without volume.
fn cloud() -> impl Strategy<Value = Vec<DVec3>> {
    let lattice = |reach: i32| {
        prop::array::uniform3(-reach..=reach).prop_map(|p| DVec3::from(p.map(f64::from))).boxed()
    };
    let jittered = (lattice(2), in_cube(), prop::sample::select(vec![1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-12]));
    let jittered = jittered.prop_map(|(p, j, size)| p + j * size).boxed();
    let clusters = (lattice(1), in_cube()).prop_map(|(p, j)| p + j * 1e-6).boxed();
    let plate = in_cube().prop_map(|p| p * DVec3::new(1.0, 1.0, 1e-5)).boxed();
    let needle = in_cube().prop_map(|p| p * DVec3::new(1.0, 1e-4, 1e-5)).boxed();
    let sliver = (in_cube(), 0..3usize).prop_map(|(p, k)| {
        // On three nearly parallel lines.
        DVec3::new(p.x, k as f64 * 1e-3 + p.y * 1e-6, f64::from(k == 1) * 1e-3)
    });
    let lens = direction().prop_map(|d| d * DVec3::new(1.0, 1.0, 3e-6)).boxed();
    let on_box = (in_cube(), 0..3usize, any::<bool>()).prop_map(|(mut p, k, side)| {
        p[k] = if side { 1.0 } else { -1.0 };
        p
    });
    let kinds: Vec<PointStrategy> = vec![
        in_cube(),
        direction().boxed(),
        lattice(1),
        lattice(3),
        jittered,
        clusters,
        plate,
        needle,
        sliver.boxed(),
        lens,
        on_box.boxed(),
    ];
    let points = prop::sample::select(kinds).prop_flat_map(|kind| prop::collection::vec(kind, 4..60));
    let turn = (direction(), 0.0..7.0f64, prop::sample::select(vec![0.0, 0.0, 3.0, 300.0]));
    (points, turn, 0..3usize).prop_map(|(mut points, (axis, angle, far), change)| {
        if change > 0 {
            let rotation = carom_geometry::Rotation::<f64>::about_axis(axis, angle);
            for p in &mut points {
                *p = rotation.rotate(*p) + axis * far;
            }
        }
        if change > 1 {
            let copies: Vec<DVec3> = points.iter().step_by(2).copied().collect();
            points.extend(copies);
        }
        points
    })
}

fn scale() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 1.0, 1e20, 1e-20, 0.37])
}

proptest! {
    #[test]
    fn all_points_are_inside_a_sound_polytope(points in cloud(), scale in scale()) {
        let wide: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
        let narrow: Vec<Vec3> = wide.iter().map(|&p| Vector::to::<f32>(p)).collect();
        if let Ok(found) = hull(&wide) {
            assert_sound(&wide, &found);
        }
        if let Ok(found) = hull(&narrow) {
            assert_sound(&narrow, &found);
        }
    }

    #[test]
    fn the_hull_of_the_vertices_is_the_hull(points in cloud()) {
        let Ok(first) = hull(&points) else { return Ok(()) };
        // Vertices within the tolerance of a face or edge may go the second time. In clouds with
        // clear corners none do.
        let second = hull(first.points()).unwrap();
        prop_assert!(second.points().iter().all(|p| first.points().contains(p)));
        assert_sound(&points, &convex_hull(&points, &HullOptions::default()).unwrap());
    }

    #[test]
    fn clear_corners_survive_a_second_time(points in prop::collection::vec(direction(), 4..80)) {
        let Ok(first) = hull(&points) else { return Ok(()) };
        let second = hull(first.points()).unwrap();
        prop_assert_eq!(first.points(), second.points());
        prop_assert_eq!(first.face_count(), second.face_count());
    }

    #[test]
    fn integer_points_give_exactly_the_facets_of_brute_force(
        points in prop::collection::vec(prop::array::uniform3(-4i64..=4), 4..14)
    ) {
        compare_with_brute_force(&points, 4e-3);
    }

    #[test]
    fn larger_integers_too(points in prop::collection::vec(prop::array::uniform3(-500i64..=500), 4..12)) {
        compare_with_brute_force(&points, 1e9);
    }

    #[test]
    fn the_order_of_points_does_not_change_clear_hulls(points in prop::collection::vec(direction(), 8..60)) {
        let Ok(forwards) = hull(&points) else { return Ok(()) };
        let reversed: Vec<DVec3> = points.iter().rev().copied().collect();
        let backwards = hull(&reversed).unwrap();
        let set = |h: &Polytope<f64>| h.points().iter().map(|p| p.to_array().map(f64::to_bits)).collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&forwards), set(&backwards));
        prop_assert_eq!(forwards.face_count(), backwards.face_count());
    }

    #[test]
    fn powers_of_two_change_nothing_but_the_size(points in cloud(), exponent in -60i32..60) {
        let factor = 2f64.powi(exponent);
        let scaled: Vec<DVec3> = points.iter().map(|&p| p * factor).collect();
        match (hull(&points), hull(&scaled)) {
            (Ok(a), Ok(b)) => {
                prop_assert!(a.points().iter().zip(b.points()).all(|(&a, &b)| a * factor == b));
                prop_assert!(a.half_edges().eq(b.half_edges()));
                prop_assert!(a.half_edges().all(|h| a.half_edge(h) == b.half_edge(h)));
            }
            (a, b) => prop_assert_eq!(a.is_ok(), b.is_ok()),
        }
    }

    #[test]
    fn a_limit_of_vertices_holds(points in prop::collection::vec(direction(), 20..100), limit in 4..20usize) {
        let options = HullOptions { max_vertices: Some(limit), ..HullOptions::default() };
        let Ok(found) = convex_hull(&points, &options) else { return Ok(()) };
        prop_assert_eq!(found.check(), Ok(()));
        prop_assert!(found.vertex_count() <= limit);
    }

    #[test]
    fn a_wide_tolerance_gives_fewer_faces_and_keeps_its_word(points in prop::collection::vec(direction(), 20..90)) {
        let options = HullOptions { tolerance: 0.05, ..HullOptions::default() };
        let found = convex_hull(&points, &options).unwrap();
        assert_sound(&points, &found);
        let exact = hull(&points).unwrap();
        prop_assert!(found.face_count() <= exact.face_count());
        prop_assert_eq!(found.tolerance(), 0.05);
    }
}

/// All facets by trying every plane through three points, in integers: the vertex sets.
fn brute_force_facets(points: &[[i64; 3]]) -> BTreeSet<BTreeSet<[i64; 3]>> {
    let sub = |a: [i64; 3], b: [i64; 3]| std::array::from_fn(|k| i128::from(a[k] - b[k]));
    let cross = |u: [i128; 3], v: [i128; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let dot = |u: [i128; 3], v: [i128; 3]| (0..3).map(|k| u[k] * v[k]).sum::<i128>();
    let mut facets = BTreeSet::new();
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            for c in b + 1..points.len() {
                let normal = cross(sub(points[b], points[a]), sub(points[c], points[a]));
                if normal == [0; 3] {
                    continue;
                }
                let heights: Vec<i128> = points.iter().map(|&p| dot(normal, sub(p, points[a]))).collect();
                let on: Vec<[i64; 3]> =
                    points.iter().zip(&heights).filter(|(_, h)| **h == 0).map(|(p, _)| *p).collect();
                if on.len() < points.len()
                    && (heights.iter().all(|&h| h <= 0) || heights.iter().all(|&h| h >= 0))
                {
                    // Corners: not strictly between two others, and not inside, of the points in
                    // the plane.
                    facets.insert(corners_in_plane(&on, normal));
                }
            }
        }
    }
    facets
}

/// The corners of the polygon of coplanar points: those that some line in the plane separates from
/// all others.
fn corners_in_plane(on: &[[i64; 3]], normal: [i128; 3]) -> BTreeSet<[i64; 3]> {
    // Drop the axis where the normal is largest and take the plane hull (gift wrapping over all
    // pairs).
    let axis = (0..3).max_by_key(|&k| normal[k].abs()).unwrap();
    let flat = |p: [i64; 3]| [i128::from(p[(axis + 1) % 3]), i128::from(p[(axis + 2) % 3])];
    let turn = |a: [i128; 2], b: [i128; 2], c: [i128; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut corners = BTreeSet::new();
    for &a in on {
        for &b in on {
            if a == b {
                continue;
            }
            let is_side = on.iter().all(|&c| turn(flat(a), flat(b), flat(c)) >= 0);
            if is_side {
                // The ends of the side: the collinear points farthest apart.
                let line: Vec<[i64; 3]> =
                    on.iter().copied().filter(|&c| turn(flat(a), flat(b), flat(c)) == 0).collect();
                corners.insert(*line.iter().min_by_key(|p| flat(**p)).unwrap());
                corners.insert(*line.iter().max_by_key(|p| flat(**p)).unwrap());
            }
        }
    }
    corners
}

/// In `f64` always, in `f32` where `single` says that features are clear of its tolerance.
fn compare_with_brute_force(points: &[[i64; 3]], single: f64) {
    let right = brute_force_facets(points);
    let wide: Vec<DVec3> = points.iter().map(|p| DVec3::from(p.map(|c| c as f64))).collect();
    let narrow: Vec<Vec3> = wide.iter().map(|p| p.as_vec3()).collect();
    compare(&right, hull(&wide));
    if single < 1.0 {
        compare(&right, hull(&narrow));
    }
}

fn compare<S: Real>(right: &BTreeSet<BTreeSet<[i64; 3]>>, found: Result<Polytope<S>, HullError>) {
    let Ok(found) = found else {
        assert!(right.is_empty(), "refused, but there are facets: {:?}", found.unwrap_err());
        return;
    };
    assert_eq!(found.check(), Ok(()));
    let facets: BTreeSet<BTreeSet<[i64; 3]>> = found
        .faces()
        .map(|f| found.face_points(f).map(|p| p.to_array().map(|c| c.to_f64() as i64)).collect())
        .collect();
    assert_eq!(&facets, right);
}

fn counts<S: Real>(p: &Polytope<S>) -> (usize, usize, usize) {
    (p.vertex_count(), p.edge_count(), p.face_count())
}

#[test]
fn points_on_faces_edges_and_inside_of_a_box_leave_six_quads() {
    for n in [2, 3, 5, 20] {
        for size in [1.0f32, 0.1, 1e30, 1e-30, 1e-37] {
            let points: Vec<Vec3> = (0..n * n * n)
                .map(|i| {
                    Vec3::new((i % n) as f32, (i / n % n) as f32, (i / n / n) as f32) * (size / n as f32)
                })
                .collect();
            let found = hull(&points).unwrap();
            assert_sound(&points, &found);
            assert_eq!(counts(&found), (8, 12, 6), "{n} {size}");
        }
    }
}

#[test]
fn turned_and_moved_boxes_have_six_faces_too() {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    for _ in 0..300 {
        let rotation = carom_geometry::Rotation::<f32>::from_xyzw([next(), next(), next(), next()]).unwrap();
        let (half, centre) =
            (Vec3::new(1.0, 0.4 + next().abs(), 0.3), Vec3::new(next(), next(), next()) * 30.0);
        let points: Vec<Vec3> = (0..125)
            .map(|i| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32) / 2.0 - 1.0)
            .map(|p| rotation.rotate(p * half) + centre)
            .collect();
        let found = hull(&points).unwrap();
        assert_sound(&points, &found);
        assert_eq!(counts(&found), (8, 12, 6), "{rotation:?}");
    }
}

#[test]
fn turned_prisms_keep_their_caps_whole() {
    for sides in [5, 12, 32, 100] {
        let prism = Polytope::<f64>::prism(sides, 1.0, 1.0).unwrap();
        for angle in [0.3, 1.0, 2.0, 2.9] {
            let axis = DVec3::new(0.3, 0.5, -0.8).unit().unwrap();
            let rotation = carom_geometry::Rotation::<f64>::about_axis(axis, angle);
            let points: Vec<Vec3> = prism.points().iter().map(|&p| rotation.rotate(p).as_vec3()).collect();
            let found = hull(&points).unwrap();
            assert_sound(&points, &found);
            assert_eq!(counts(&found), (2 * sides, 3 * sides, sides + 2), "{sides} {angle}");
        }
    }
}

#[test]
fn points_without_volume_are_refused_by_kind() {
    let line: Vec<Vec3> = (0..50).map(|i| Vec3::new(0.1, 0.7, -0.3) * i as f32 + Vec3::ONE).collect();
    assert!(matches!(hull(&line), Err(HullError::Collinear { .. })));
    let flat: Vec<Vec3> = (0..50)
        .map(|i| Vec3::new(0.1, 0.7, -0.3) * (i % 7) as f32 + Vec3::new(0.9, -0.2, 0.4) * (i / 7) as f32)
        .collect();
    match hull(&flat) {
        Err(HullError::Flat { thickness, tolerance }) => assert!(thickness < tolerance && tolerance < 1e-4),
        other => panic!("{other:?}"),
    }
    assert!(matches!(hull(&[Vec3::ONE; 9]), Err(HullError::Coincident { .. })));
    assert!(matches!(hull(&[Vec3::ZERO; 9]), Err(HullError::Coincident { .. })));
    assert_eq!(hull(&[Vec3::ZERO, Vec3::X, Vec3::Y]), Err(HullError::TooFew { count: 3 }));
    assert_eq!(hull::<Vec3>(&[]), Err(HullError::TooFew { count: 0 }));
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    let mut points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
    points[3].y = f32::NEG_INFINITY;
    assert_eq!(hull(&points), Err(HullError::NotFinite { index: 3, axis: 1, value: f64::NEG_INFINITY }));
    points[2].z = f32::NAN;
    let error = hull(&points).unwrap_err();
    assert!(matches!(error, HullError::NotFinite { index: 2, axis: 2, value } if value.is_nan()));
    assert_eq!(error.to_string(), "point 2 has the coordinate z = NaN, which is not finite");
}

#[test]
fn options_are_checked() {
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let with = |tolerance, max_vertices| convex_hull(&points, &HullOptions { tolerance, max_vertices });
    assert!(matches!(with(f64::NAN, None), Err(HullError::BadTolerance { .. })));
    assert_eq!(with(-1.0, None), Err(HullError::BadTolerance { value: -1.0 }));
    assert_eq!(with(0.0, Some(3)), Err(HullError::BadLimit { limit: 3 }));
    assert!(matches!(with(10.0, None), Err(HullError::Coincident { .. })));
    assert!(with(0.1, Some(4)).is_ok());
}

#[test]
fn many_points_on_a_sphere_are_all_vertices() {
    let found = Polytope::<f32>::random_on_sphere(10_000, 1.0, 3).unwrap();
    assert_eq!(found.check_links(), Ok(()));
    // Random points may be closer together than the tolerance, or so close to the plane of three
    // others.
    assert!(found.vertex_count() > 9_950, "{}", found.vertex_count());
    let mean_side = found.half_edge_count() as f64 / found.face_count() as f64;
    assert!(mean_side < 3.02, "{mean_side}");
}

#[test]
fn hundred_thousand_points_in_a_cube() {
    let points: Vec<DVec3> = (0..100_000u64)
        .map(|i| {
            let part = |k: u64| {
                (i.wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ k).rotate_left(31).wrapping_mul(k | 1) >> 11) as f64
            };
            DVec3::new(part(0x1234_5671), part(0x2545_F491_4F6C_DD1D), part(0xD6E8_FEB8_6659_FD93))
                / (1u64 << 53) as f64
        })
        .collect();
    let found = hull(&points).unwrap();
    assert_sound(&points, &found);
    assert!(found.vertex_count() < 2_000);
}

#[test]
fn the_extremes_of_both_precisions_work() {
    let unit = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
    for size in [1e300, 1e-300, 2e307, 1e-307, 1e-310] {
        let points = unit.map(|p| p * size);
        let found = hull(&points).unwrap();
        assert_eq!(found.check(), Ok(()), "{size}");
        assert_eq!(counts(&found), (5, 9, 6), "{size}");
    }
    for size in [4e37f32, 1e-37, 1e-40] {
        let points = unit.map(|p| p.as_vec3() * size);
        assert_eq!(hull(&points).unwrap().check(), Ok(()), "{size}");
    }
    let too_large = unit.map(|p| p.as_vec3() * -1e38);
    assert!(matches!(hull(&too_large), Err(HullError::TooLarge { index: 1, axis: 0, .. })));
    assert!(matches!(hull(&unit.map(|p| p * f64::MAX)), Err(HullError::TooLarge { index: 1, .. })));
}

/// The outline of a face along the needle ran forwards, back and forwards again, and was then cut
/// across.
#[test]
fn faces_along_a_needle_do_not_run_to_and_fro() {
    let points = [
        [-0.140_450_55f32, -0.147_559_55, 0.072_801_26],
        [-0.161_569_83, -0.169_644_56, 0.083_755_76],
        [0.240_650_49, 0.251_652, -0.124_829_5],
        [0.063_122, 0.065_319_19, -0.032_795_74],
        [-0.054_697_98, -0.057_886_712, 0.028_319_981],
        [0.237_249_03, 0.247_406_44, -0.123_118_624],
        [-0.190_572_14, -0.199_284_21, 0.098_853_12],
        [0.000_024_596_506, -0.000_347_398_13, -0.000_652_923_83],
    ]
    .map(Vec3::from);
    assert_sound(&points, &hull(&points).unwrap());
}
