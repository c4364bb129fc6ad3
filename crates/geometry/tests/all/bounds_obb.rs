//! Oriented boxes against an oracle in `f64` that knows nothing of frames: plain separating axes of
//! parallelepipeds.

use carom_geometry::bounds::obb::{fit, overlap::SLACK};
use carom_geometry::bounds::{Aabb, BoundingSphere, Obb, ObbArray};
use carom_geometry::primitive::Triangle;
use carom_geometry::{Matrix3, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

/// Gaps between two boxes along the normals of their Minkowski sum, each with the length of the
/// cross product it came from: the shorter that is, the less its direction, and so the gap, can be
/// trusted. Takes the columns as they are, orthonormal or not.
fn gaps(a: &Obb<f64>, b: &Obb<f64>) -> impl Iterator<Item = (f64, f64)> {
    let (p, q) = (a.axes.columns, b.axes.columns);
    let mut normals = vec![
        p[0].cross(p[1]),
        p[1].cross(p[2]),
        p[2].cross(p[0]),
        q[0].cross(q[1]),
        q[1].cross(q[2]),
        q[2].cross(q[0]),
    ];
    for u in p {
        for v in q {
            normals.push(u.cross(v));
        }
    }
    let t = b.centre - a.centre;
    let (a, b) = (*a, *b);
    let reach = |obb: &Obb<f64>, n: DVec3| {
        (0..3).map(|k| obb.half[k] * obb.axes.columns[k].dot(n).abs()).sum::<f64>()
    };
    normals.into_iter().map(|n| (n.length(), n)).filter(|(length, _)| *length > 1e-12).map(
        move |(length, n)| {
            let n = n / length;
            (t.dot(n).abs() - reach(&a, n) - reach(&b, n), length)
        },
    )
}

/// The largest of the gaps; negative if the boxes overlap.
fn gap(a: &Obb<f64>, b: &Obb<f64>) -> f64 {
    gaps(a, b).map(|(gap, _)| gap).fold(f64::NEG_INFINITY, f64::max)
}

fn size(obb: &Obb) -> f64 {
    obb.half.to_array().iter().map(|c| f64::from(*c)).sum()
}

fn rotation() -> impl Strategy<Value = Rotation<f64>> {
    prop::array::uniform4(-1.0f64..1.0).prop_filter_map("null quaternion", Rotation::from_xyzw)
}

/// Half extents from needles and plates to cubes, down to no thickness at all.
fn half() -> impl Strategy<Value = DVec3> {
    let extent = prop_oneof![4 => 0.1f64..2.0, 1 => Just(0.0), 1 => Just(1.0), 1 => 1e-6f64..1e-3];
    (prop::array::uniform3(extent), -3i32..4).prop_map(|(h, e)| DVec3::from(h) * 10f64.powi(e))
}

/// A turn that makes edges parallel, nearly parallel, or anything.
fn small_turn() -> impl Strategy<Value = Rotation<f64>> {
    let axis = prop_oneof![
        Just(DVec3::X),
        Just(DVec3::Y),
        Just(DVec3::Z),
        prop::array::uniform3(-1.0f64..1.0).prop_map(DVec3::from)
    ];
    let angle = prop_oneof![
        2 => Just(0.0),
        1 => Just(std::f64::consts::FRAC_PI_2),
        3 => (-9.0f64..-1.0).prop_map(|e| 10f64.powf(e)),
        2 => -3.0f64..3.0,
    ];
    (axis, angle)
        .prop_filter_map("no axis", |(v, angle)| Some(Rotation::about_axis(v.try_normalize()?, angle)))
}

/// Two boxes whose gap is a few rounding errors, of either sign, somewhere near the origin or far
/// from it.
fn nearly_touching() -> impl Strategy<Value = (Obb, Obb)> {
    let place =
        prop_oneof![2 => Just(DVec3::ZERO), 1 => prop::array::uniform3(-1e4f64..1e4).prop_map(DVec3::from)];
    let along = prop_oneof![
        1 => prop::sample::select(vec![DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(1.0, 1.0, 0.0), DVec3::ONE]),
        2 => prop::array::uniform3(-1.0f64..1.0).prop_map(DVec3::from)
    ];
    let gap_in_eps = prop_oneof![Just(0.0), -300.0f64..300.0, -1e5f64..1e5];
    (rotation(), small_turn(), half(), half(), place, along, gap_in_eps).prop_filter_map(
        "no direction",
        |(r, turn, ha, hb, place, along, gap_in_eps)| {
            let along = r.rotate(along.try_normalize()?);
            let mut a = Obb::of_pose(&Pose::new(DVec3::ZERO, r), ha);
            let mut b = Obb::of_pose(&Pose::new(DVec3::ZERO, r * turn), hb);
            let sizes = ha.element_sum() + hb.element_sum();
            // The gap grows with the offset: bisect to where they touch.
            let (mut low, mut high) = (0.0, 4.0 * sizes + 1e-9);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                b.centre = along * middle;
                if gap(&a, &b) > 0.0 { high = middle } else { low = middle }
            }
            b.centre = along * (high + gap_in_eps * f64::from(f32::EPSILON) * sizes);
            a.centre += place;
            b.centre += place;
            Some((a.to::<f32>(), b.to::<f32>()))
        },
    )
}

fn judge(a: &Obb, b: &Obb, reported: bool) -> Result<(), TestCaseError> {
    let gap = gap(&a.to(), &b.to());
    if gap <= 0.0 {
        prop_assert!(reported, "missed: gap {gap:e} of {a:?} and {b:?}");
    }
    if reported {
        let allowed = SLACK * f64::from(f32::EPSILON) * (size(a) + size(b)) + 1e-30;
        prop_assert!(gap <= allowed, "too cautious: gap {gap:e} > {allowed:e} of {a:?} and {b:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn an_overlap_is_never_missed_and_a_gap_only_if_tiny((a, b) in nearly_touching()) {
        judge(&a, &b, a.overlaps(&b))?;
        judge(&b, &a, b.overlaps(&a))?;
    }

    #[test]
    fn the_same_in_double_precision((a, b) in nearly_touching()) {
        // The oracle is no more precise than the code here, so leave room for its own rounding: the
        // direction of a normal is off by ε over the length of its cross product, and each gap by
        // that part of the boxes' size.
        let (a, b) = (a.to::<f64>(), b.to::<f64>());
        // Axes rounded to `f32` are far from orthonormal for `f64`: make them so again.
        let again = |o: &Obb<f64>| Obb { axes: Rotation::from_matrix(&o.axes).to_matrix(), ..*o };
        let (a, b) = (again(&a), again(&b));
        let h = a.half.element_sum() + b.half.element_sum();
        if gaps(&a, &b).all(|(gap, length)| gap * length < -1e-14 * h) {
            prop_assert!(a.overlaps(&b), "gap {:e}", gap(&a, &b));
        }
        if gaps(&a, &b).any(|(gap, length)| gap * length > 1e-13 * h + 1e-290) {
            prop_assert!(!a.overlaps(&b), "gap {:e}", gap(&a, &b));
        }
    }

    #[test]
    fn four_at_once_agree_with_one_by_one(pairs in prop::collection::vec(nearly_touching(), 1..40), repeat in 1usize..12) {
        let first: ObbArray = pairs.iter().map(|p| p.0).collect();
        let second: ObbArray = pairs.iter().map(|p| p.1).collect();
        let n = pairs.len() as u32;
        // Partners and strangers mixed, more than one round of the batch.
        let list: Vec<(u32, u32)> =
            (0..n * repeat as u32).map(|i| (i % n, (i * 7 / n.max(1) + i) % n)).chain((0..n).map(|i| (i, i))).collect();
        let mut mask = vec![1, 2, 3];
        first.overlap_pairs(&second, &list, &mut mask);
        prop_assert_eq!(mask.len(), list.len().div_ceil(64));
        for (i, (a, b)) in list.iter().enumerate() {
            let right = pairs[*a as usize].0.overlaps(&pairs[*b as usize].1);
            prop_assert_eq!(mask[i / 64] >> (i % 64) & 1 == 1, right, "pair {}: {:?}", i, (pairs[*a as usize].0, pairs[*b as usize].1));
        }
        first.overlap_mask(&pairs[0].1, &mut mask);
        for (i, (a, _)) in pairs.iter().enumerate() {
            prop_assert_eq!(mask[i / 64] >> (i % 64) & 1 == 1, pairs[0].1.overlaps(a));
        }
    }

    #[test]
    fn axis_aligned_boxes_are_judged_alike((a, b) in nearly_touching(), corner in prop::array::uniform3(-1.0f32..1.0)) {
        // An AABB whose faces are arbitrary numbers, near the other box.
        let aabb = b.aabb();
        let exact = |aabb: &Aabb<3>| Obb::<f64> {
            centre: (aabb.low().as_dvec3() + aabb.high().as_dvec3()) * 0.5,
            half: (aabb.high().as_dvec3() - aabb.low().as_dvec3()) * 0.5,
            axes: Matrix3::IDENTITY,
        };
        let shifted = Aabb::around(aabb.centre() + Vec3::from(corner) * a.half, aabb.half());
        for aabb in [aabb, shifted] {
            let gap = gap(&exact(&aabb), &a.to());
            let reported = a.overlaps_aabb(&aabb);
            prop_assert!(reported || gap > 0.0, "missed: gap {gap:e} of {a:?} and {aabb:?}");
            // The centre of an axis-aligned box is rounded relative to its distance from the
            // origin.
            let place = f64::from(aabb.centre().abs().max_element());
            let sizes = size(&a) + exact(&aabb).half.element_sum();
            prop_assert!(!reported || gap <= f64::from(f32::EPSILON) * (SLACK * sizes + 4.0 * place) + 1e-30, "gap {gap:e}");
        }
    }

    #[test]
    fn spheres_are_judged_alike((b, _) in nearly_touching(), at in prop::array::uniform3(-2.0f64..2.0), offset in -300.0f64..300.0) {
        let exact = b.to::<f64>();
        let size = size(&b);
        let centre = (exact.centre + DVec3::from(at) * size).as_vec3();
        // Distance in f64 by projection onto the box; its axes are orthonormal to f32's ε only,
        // hence the margin below.
        let distance = (centre.as_dvec3() - exact.closest_point(centre.as_dvec3())).length();
        let radius = ((distance + offset * f64::from(f32::EPSILON) * size) as f32).max(0.0);
        let reported = b.overlaps_sphere(&BoundingSphere { centre, radius });
        let gap = distance - f64::from(radius);
        let unsure = 30.0 * f64::from(f32::EPSILON) * (size + f64::from(radius));
        prop_assert!(reported || gap > -unsure, "missed by {gap:e}");
        prop_assert!(!reported || gap <= SLACK * f64::from(f32::EPSILON) * (size + f64::from(radius)) + unsure);
    }
}

/// Is the point in the parallelepiped of the stored numbers, up to the rounding of f64?
fn inside(obb: &Obb, point: DVec3) -> bool {
    let exact = obb.to::<f64>();
    let inverse = exact.axes.inverse().unwrap();
    let s = inverse.times(point - exact.centre);
    let rounding = 1e-14 * (exact.half.element_sum() + exact.centre.abs().max_element());
    (0..3).all(|k| s[k].abs() <= exact.half[k] + rounding)
}

fn cloud() -> impl Strategy<Value = Vec<Vec3>> {
    let place = prop_oneof![Just(Vec3::ZERO), prop::array::uniform3(-1e4f32..1e4).prop_map(Vec3::from)];
    let scale = prop::array::uniform3(prop_oneof![Just(0.0f32), 1e-4f32..1.0, Just(1.0)]);
    (place, scale, rotation(), prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 1..40)).prop_map(
        |(place, scale, turn, points)| {
            let turn = turn.to::<f32>();
            points.iter().map(|p| place + turn.rotate(Vec3::from(*p) * Vec3::from(scale))).collect()
        },
    )
}

proptest! {
    #[test]
    fn fitted_boxes_contain_their_points(points in cloud(), turn in rotation()) {
        let triangles: Vec<Triangle> = points.chunks_exact(3).map(|t| Triangle::new(t[0], t[1], t[2])).collect();
        let edges: Vec<Vec3> = points.windows(2).map(|p| p[1] - p[0]).collect();
        let boxes = [
            Obb::around(turn.to::<f32>().to_matrix(), &points).unwrap(),
            fit::around_points(&points).unwrap(),
            fit::near_minimal(&points, &edges).unwrap(),
        ];
        for (kind, obb) in boxes.iter().enumerate() {
            for p in &points {
                prop_assert!(inside(obb, p.as_dvec3()) && obb.contains_point(*p), "kind {kind}: {p} outside {obb:?}");
            }
        }
        if let Some(obb) = fit::around_triangles(&triangles) {
            prop_assert!(points[..triangles.len() * 3].iter().all(|p| inside(&obb, p.as_dvec3())));
        }
        // Turning about an edge cannot be worse than the boxes it starts from, except among flat
        // ones. The search does not know how far the rounding of the centre, which is coarse far
        // from the origin, will move the faces afterwards.
        let aabb = Obb::<f32>::of_aabb(&Aabb::of_points(points.iter().copied()));
        let moved = Vec3::splat(2.0 * f32::EPSILON * boxes[2].centre.abs().max_element());
        let searched = Obb { half: (boxes[2].half - moved).max(Vec3::ZERO), ..boxes[2] };
        prop_assert!(searched.volume() <= aabb.volume().min(boxes[1].volume()) * 1.01 + 2e-2 * boxes[2].half.max_element().powi(3));
    }

    #[test]
    fn unions_contain_both((a, b) in nearly_touching()) {
        let union = a.union(&b);
        for c in a.to::<f64>().corners().into_iter().chain(b.to::<f64>().corners()) {
            prop_assert!(inside(&union, c), "{c} outside {union:?} of {a:?} and {b:?}");
        }
        prop_assert!(union.volume() <= Obb::of_aabb(&a.aabb().union(&b.aabb())).volume() * 1.001);
    }

    #[test]
    fn world_boxes_are_exact_and_containing((b, _) in nearly_touching()) {
        let (aabb, exact) = (b.aabb(), b.to::<f64>());
        let right = Aabb::of_points(exact.corners());
        let aabb64 = Aabb::new(aabb.min.map(f64::from), aabb.max.map(f64::from));
        prop_assert!(aabb64.contains(&right), "{aabb:?} {right:?}");
        let slack = 1e-6 * (size(&b) + right.centre().abs().max_element()) + 1e-37;
        prop_assert!(right.grown(slack).contains(&aabb64));
    }

    #[test]
    fn posed_boxes_have_posed_corners((b, _) in nearly_touching(), turn in rotation(), t in prop::array::uniform3(-9.0f32..9.0)) {
        let pose = Pose::new(Vec3::from(t), turn.to::<f32>());
        let scale = b.centre.abs().max_element() + size(&b) as f32 + 10.0;
        for (c, d) in b.posed(&pose).corners().into_iter().zip(b.corners()) {
            prop_assert!((c - pose.apply(d)).length() <= 1e-5 * scale);
        }
    }
}

/// Points a hair apart: squares of their distance underflow, the sum of their half extents does
/// not.
#[test]
fn four_at_once_agree_about_points_whose_squared_distance_underflows() {
    let turn = Rotation::<f32>::from_rotation_vector(Vec3::new(0.3, -0.8, 1.9));
    for exponent in -44..-10 {
        for half in [0.0, 1e-38, 1e-30, 1e-24, 1e-20, 1e-16] {
            let a = Obb::of_pose(&Pose::at(Vec3::ZERO), Vec3::splat(half));
            let offset = Vec3::new(0.3, 1.3, -0.9) * 10f32.powi(exponent);
            let b = Obb::of_pose(&Pose::new(offset, turn), Vec3::splat(half));
            let mut mask = Vec::new();
            [a].iter().collect::<ObbArray>().overlap_mask(&b, &mut mask);
            assert_eq!(mask[0] == 1, b.overlaps(&a), "half {half:e}, offset 1e{exponent}");
        }
    }
}

#[test]
fn boxes_that_touch_exactly_are_reported() {
    // Faces, edges and corners of unit cubes that meet in numbers without rounding.
    let cube = |x: f32, y: f32, z: f32| Obb::<f32>::of_pose(&Pose::at(Vec3::new(x, y, z)), Vec3::splat(0.5));
    for offset in [0.0, 4096.0] {
        let a = cube(offset, 0.0, 0.0);
        for b in [cube(offset + 1.0, 0.25, 0.0), cube(offset + 1.0, 1.0, 0.0), cube(offset - 1.0, 1.0, -1.0)]
        {
            assert!(a.overlaps(&b) && b.overlaps(&a));
        }
        assert!(!a.overlaps(&cube(offset + 1.001, 0.0, 0.0)));
    }
}

#[test]
fn projections_on_the_coordinate_planes_may_overlap_while_the_boxes_are_apart() {
    // Two rods that pass each other at right angles: only the cross product of their long edges
    // separates them.
    let rod = |direction: Vec3, at: Vec3| {
        let turn = Rotation::between(Vec3::X, direction.normalize());
        Obb::<f32>::of_pose(&Pose::new(at, turn), Vec3::new(3.0, 0.1, 0.1))
    };
    let a = rod(Vec3::new(1.0, 1.0, 0.3), Vec3::ZERO);
    let b = rod(Vec3::new(1.0, -0.3, 1.0), Vec3::ZERO);
    let normal = a.axes.columns[0].cross(b.axes.columns[0]).normalize();
    let c = Obb { centre: normal * 0.4, ..b };
    assert!(a.overlaps(&b));
    assert!(a.aabb().overlaps(&c.aabb()), "the shadows on every coordinate plane overlap");
    assert!(!a.overlaps(&c));
}
