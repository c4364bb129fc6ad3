//! Intersections and ray casts against an independent measure of distance in `f64`.

use carom_geometry::Obb;
use carom_geometry::intersect::{
    Culling, polygon_aabb, ray_disc, ray_triangle, segment_aabb, segment_box, segment_triangle,
    triangle_aabb, triangle_box, triangles_overlap, within,
};
use carom_geometry::primitive::{Plane, Ray, Rectangle, Segment, Triangle};
use carom_geometry::real::Vector;
use carom_geometry::shape::RayCast;
use carom_geometry::{Aabb, Pose};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::closest_oracle::{Any, Piece, distance, points, turn, with_figure};

/// The gap that a test may overlook or invent, in ε × the largest coordinate.
const GAP: f64 = 200.0;

fn gap(a: &Any<f32>, b: &Any<f32>) -> (f64, f64) {
    let size = a.size().max(b.size());
    (distance(&a.pieces(), &b.pieces()), GAP * f64::from(f32::EPSILON) * size)
}

fn sizes() -> impl Strategy<Value = f32> {
    prop::sample::select(vec![1.0f32, 1.0, 1.0, 1e-15, 1e-6, 1e6, 1e15])
}

proptest! {
    #[test]
    fn triangles_overlap_if_their_distance_is_zero(v in points(), scale in sizes()) {
        let v = v.map(|p| p * scale);
        let (a, b) = (Triangle::<f32>::new(v[0], v[1], v[2]), Triangle::<f32>::new(v[4], v[5], v[6]));
        let (distance, allowed) = gap(&Any::Triangle(a), &Any::Triangle(b));
        for found in [triangles_overlap(&a, &b), triangles_overlap(&b, &a)] {
            prop_assert!(!found || distance <= allowed, "{distance} apart, {a:?} {b:?}");
            // Contact in f64 is contact here; rounding in the last place of f32 decides nothing.
            prop_assert!(found || distance > 1e-12 * f64::from(scale), "missed: {distance} apart, {a:?} {b:?}");
        }
    }

    #[test]
    fn segments_meet_triangles_where_their_distance_is_zero(v in points(), scale in sizes()) {
        let v = v.map(|p| p * scale);
        let (a, b) = (Segment::<f32>::new(v[0], v[1]), Triangle::<f32>::new(v[4], v[5], v[6]));
        let (apart, allowed) = gap(&Any::Segment(a), &Any::Triangle(b));
        match segment_triangle(&a, &b) {
            Some(t) => {
                prop_assert!((0.0..=1.0).contains(&t) && apart <= allowed);
                let off = distance(&Piece::all(a.at(t).to::<f64>(), &[], &[]), &Any::Triangle(b).pieces());
                prop_assert!(off <= allowed, "the point at {t} is {off} off");
            }
            None => prop_assert!(apart > 1e-12 * f64::from(scale), "missed: {apart} apart, {a:?} {b:?}"),
        }
    }

    #[test]
    fn boxes_never_miss_triangles_and_segments(v in points(), r in turn(), scale in sizes()) {
        let v = v.map(|p| p * scale);
        let (triangle, segment) = (Triangle::<f32>::new(v[0], v[1], v[2]), Segment::<f32>::new(v[0], v[1]));
        let aabb = Aabb::<3>::of_points([v[4], v[5]]);
        let solid = Obb::<f32>::of_pose(&Pose::new(v[6], r), Vector::abs(v[5] - v[4]));
        for (name, found, a, b) in [
            ("triangle–aabb", triangle_aabb(&triangle, &aabb), Any::Triangle(triangle), Any::Aabb(aabb)),
            ("triangle–box", triangle_box(&triangle, &solid), Any::Triangle(triangle), Any::Box(solid)),
            ("segment–aabb", segment_aabb(&segment, &aabb), Any::Segment(segment), Any::Aabb(aabb)),
            ("segment–box", segment_box(&segment, &solid), Any::Segment(segment), Any::Box(solid)),
        ] {
            let (distance, allowed) = gap(&a, &b);
            prop_assert!(found || distance > 0.0, "{name} missed: {a:?} {b:?}");
            // Beside a sharp corner no axis shows the whole gap, so sharp figures get more.
            prop_assert!(!found || distance <= allowed * 50.0, "{name}: {distance} apart, {a:?} {b:?}");
        }
        let corners = triangle.corners();
        let found = polygon_aabb::<f32>(&corners, &aabb).unwrap();
        let (distance, allowed) = gap(&Any::Triangle(triangle), &Any::Aabb(aabb));
        prop_assert!(!found || distance <= allowed, "clipped, but {distance} apart");
        prop_assert!(found || distance > 0.0 || depth(&triangle, &aabb) <= allowed, "clipped away: {triangle:?} {aabb:?}");
    }

    #[test]
    fn balls_meet_what_is_within_their_radius(v in points(), r in turn(), radius in 0.0f32..3.0, kind in 1..9usize) {
        let figure = Any::<f32>::new(kind, [v[4], v[5], v[6], v[7]], r);
        let apart = distance(&Piece::all(v[0].to::<f64>(), &[], &[]), &figure.pieces());
        prop_assume!((apart - f64::from(radius)).abs() > 1e-5);
        let found = with_figure!(&figure, x => within(&v[0], x, radius));
        prop_assert_eq!(found, apart < f64::from(radius));
    }

    #[test]
    fn rays_hit_triangles_where_the_equations_say(v in points(), scale in sizes(), fast in sizes()) {
        let v = v.map(|p| p * scale);
        let (ray, triangle) = (Ray::<f32>::new(v[0], (v[1] - v[0]) * fast), Triangle::<f32>::new(v[4], v[5], v[6]));
        if !(f64::from(scale) * f64::from(fast) < 1e25 && f64::from(scale) * f64::from(fast) > 1e-25) {
            return Ok(());
        }
        let (o, d) = (ray.origin.to::<f64>(), ray.direction.to::<f64>());
        let [a, b, c] = triangle.corners().map(Vector::to::<f64>);
        let n = (b - a).cross(c - a);
        // Leave out what is nearly edge-on or nearly a segment: the equations are ill conditioned
        // there.
        let size = [a, b, c, o].iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        if !(n.dot(d).abs() > 1e-2 * size * size * d.length() && d.length() > 0.0) {
            return Ok(());
        }
        let t = n.dot(a - o) / n.dot(d);
        let p = o + d * t;
        let weights = [(c - b).cross(p - b), (a - c).cross(p - c), (b - a).cross(p - a)].map(|v| v.dot(n) / n.dot(n));
        let margin = weights.iter().copied().fold(f64::INFINITY, f64::min).min(t * d.length() / size);
        if margin.abs() <= 1e-3 {
            return Ok(());
        }
        let found = ray_triangle(&ray, &triangle, Culling::None, f32::INFINITY);
        prop_assert_eq!(found.is_some(), margin > 0.0);
        let front = ray_triangle(&ray, &triangle, Culling::Back, f32::INFINITY);
        let back = ray_triangle(&ray, &triangle, Culling::Front, f32::INFINITY);
        prop_assert_eq!(front.is_some(), margin > 0.0 && n.dot(d) < 0.0);
        prop_assert_eq!(back.is_some(), margin > 0.0 && n.dot(d) > 0.0);
        if let Some((hit, found)) = found {
            prop_assert!((f64::from(hit.t) - t).abs() * d.length() < 1e-3 * size, "{} {t}", hit.t);
            for k in 0..3 {
                prop_assert!((f64::from(found[k]) - weights[k]).abs() < 1e-3);
            }
            let unit = n.normalize() * -n.dot(d).signum();
            prop_assert!((hit.normal.to::<f64>() - unit).length() < 1e-4);
            prop_assert!(ray_triangle(&ray, &triangle, Culling::None, hit.t * 0.9).is_none());
            prop_assert_eq!(triangle.cast_ray(&ray, f32::INFINITY), Some(hit));
        }
    }

    #[test]
    fn rays_through_a_common_edge_hit_a_side(v in points(), t in 0.0f32..1.0) {
        // The edge is v[1] v[2]; the ray aims at a point of it, rounded.
        let ray = Ray::<f32>::new(v[0], v[1] + (v[2] - v[1]) * t - v[0]);
        let opposite = v[1] + v[2] - v[3] + v[4] * 0.1;
        let (left, right) = (Triangle::<f32>::new(v[1], v[2], v[3]), Triangle::<f32>::new(v[2], v[1], opposite));
        // Both must face the same way, and not be edge-on.
        let speeds = [left, right].map(|t| t.area_vector().dot(ray.direction));
        if !(speeds[0] * speeds[1] > 0.0 && speeds.iter().all(|s| s.abs() > 0.1)) {
            return Ok(());
        }
        // Away from the ends, where other edges decide.
        if !(t > 0.1 && t < 0.9) {
            return Ok(());
        }
        let hits = [left, right].map(|t| t.cast_ray(&ray, f32::INFINITY).is_some());
        prop_assert!(hits[0] || hits[1]);
    }

    #[test]
    fn rays_hit_flat_figures_in_their_planes(v in points(), r in turn(), radius in 0.1f32..2.0) {
        let ray = Ray::<f32>::new(v[0], v[1] - v[0]);
        let axes = r.to_matrix().columns;
        let rectangle = Rectangle::<f32> { centre: v[2], axes: [axes[0], axes[1]], half: [radius, 0.7] };
        let plane = Plane::<f32>::through(v[2], axes[2]);
        // Rounding decides for a ray that starts in the plane.
        if plane.signed_distance(ray.origin).abs() <= 1e-4 {
            return Ok(());
        }
        let in_plane = plane.cast_ray(&ray, 100.0);
        if let Some(hit) = in_plane {
            let speed = plane.normal.dot(ray.direction).abs();
            if speed <= 1e-2 {
            return Ok(());
        }
            let p = ray.at(hit.t);
            prop_assert!(plane.signed_distance(p).abs() < 1e-3 && hit.normal.dot(ray.direction) <= 0.0);
            let disc = ray_disc(&ray, v[2], axes[2], radius, 100.0);
            let off = (p - v[2]).length() - radius;
            prop_assert!(disc.is_some() == (off < 0.0) || off.abs() < 1e-3);
            let local = [axes[0].dot(p - v[2]).abs() - radius, axes[1].dot(p - v[2]).abs() - 0.7];
            let off = local[0].max(local[1]);
            let found = rectangle.cast_ray(&ray, 100.0);
            prop_assert!(found.is_some() == (off < 0.0) || off.abs() < 1e-3);
            if let Some(found) = found {
                prop_assert!((found.t - hit.t).abs() * speed < 1e-4);
            }
        } else {
            prop_assert_eq!(rectangle.cast_ray(&ray, 50.0), None);
            prop_assert_eq!(ray_disc(&ray, v[2], axes[2], radius, 50.0), None);
        }
    }

    #[test]
    fn rays_enter_boxes_at_their_first_point(v in points(), max in 0.1f32..20.0) {
        let (ray, aabb) = (Ray::<f32>::new(v[0], v[1] - v[0]), Aabb::<3>::of_points([v[4], v[5]]));
        let segment = Segment::<f32>::new(ray.origin, ray.at(max));
        let apart = distance(&Any::Segment(segment).pieces(), &Any::Aabb(aabb).pieces());
        let (hit, range) = (aabb.cast_ray(&ray, max), aabb.ray_interval(&ray, max).map(|range| [range.enter, range.exit]));
        prop_assert!(hit.is_none() || range.is_some(), "the interval never loses a hit");
        prop_assert!(hit.is_some() || apart > 0.0 || grazes(&segment, &aabb), "missed");
        if let (Some(hit), Some([low, high])) = (hit, range) {
            prop_assert!(apart < 1e-5);
            prop_assert!(hit.t == low && low <= high && high <= max);
            let off = |t: f32| distance(&Piece::all(ray.at(t).to::<f64>(), &[], &[]), &Any::Aabb(aabb).pieces());
            prop_assert!(off(low) < 1e-5 && off(high) < 1e-5);
            if hit.normal == Vec3::ZERO {
                prop_assert!(hit.t == 0.0 && off(0.0) == 0.0);
            } else {
                prop_assert!(hit.normal.length() == 1.0 && hit.normal.dot(ray.direction) < 0.0);
                let axis = hit.normal.largest_axis();
                let face = if hit.normal[axis] > 0.0 { aabb.max[axis] } else { aabb.min[axis] };
                prop_assert!((ray.at(hit.t)[axis] - face).abs() < 1e-5);
            }
        }
    }
}

/// How deep a triangle reaches into a box: the distance from its deepest point to the border, by
/// trying many points.
fn depth(triangle: &Triangle<f32>, aabb: &Aabb<3>) -> f64 {
    let [a, b, c] = triangle.corners().map(Vector::to::<f64>);
    let (low, high) = (aabb.low().to::<f64>(), aabb.high().to::<f64>());
    let mut deepest = f64::NEG_INFINITY;
    for i in 0..=40 {
        for j in 0..=40 - i {
            let p: DVec3 = a + (b - a) * (f64::from(i) / 40.0) + (c - a) * (f64::from(j) / 40.0);
            deepest = deepest.max((p - low).min(high - p).min_element());
        }
    }
    deepest
}

/// Does a segment only touch a box, so that rounding may miss it?
fn grazes(segment: &Segment<f32>, aabb: &Aabb<3>) -> bool {
    let inner = aabb.grown(-1e-5);
    !inner.is_valid() || distance(&Any::Segment(*segment).pieces(), &Any::Aabb(inner).pieces()) > 0.0
}

#[test]
fn rays_along_axes_and_borders_of_boxes() {
    let cube = Aabb::<3>::new([-1.0; 3], [1.0; 3]);
    let cast =
        |o: [f32; 3], d: [f32; 3], max: f32| cube.cast_ray(&Ray::new(Vec3::from(o), Vec3::from(d)), max);
    let hit = cast([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0], 9.0).unwrap();
    assert_eq!((hit.t, hit.normal), (2.0, -Vec3::X));
    assert!(cast([-3.0, 1.0, 1.0], [1.0, 0.0, 0.0], 9.0).is_some(), "along an edge");
    assert!(cast([-3.0, 1.0, 1.0], [1.0, -0.0, -0.0], 9.0).is_some(), "along an edge, negative zeros");
    assert!(cast([-3.0, 1.1, 0.0], [1.0, 0.0, 0.0], f32::INFINITY).is_none());
    assert!(cast([-3.0, -1.1, 0.0], [1.0, 0.0, 0.0], f32::INFINITY).is_none());
    assert!(cast([-3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 9.0).is_none(), "behind");
    assert!(cast([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0], 1.9).is_none(), "too far");
    assert_eq!(cast([0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 0.1).unwrap().normal, Vec3::ZERO, "inside");
    assert_eq!(cast([0.5, 0.0, 0.0], [0.0; 3], 1.0).unwrap().t, 0.0, "no direction, inside");
    assert!(cast([1.5, 0.0, 0.0], [0.0; 3], f32::INFINITY).is_none(), "no direction, outside");
    let everything = Aabb::<3>::EVERYTHING.cast_ray(&Ray::new(Vec3::ONE, Vec3::X), 1.0).unwrap();
    assert_eq!(everything.t, 0.0);
}

#[test]
fn rays_in_the_plane_of_a_triangle_and_on_its_border() {
    let triangle = Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::Y);
    assert_eq!(triangle.cast_ray(&Ray::new(Vec3::new(-1.0, 0.25, 0.0), Vec3::X), 9.0), None);
    for border in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X * 0.5, Vec3::new(0.5, 0.5, 0.0)] {
        assert!(triangle.cast_ray(&Ray::new(border + Vec3::Z, -Vec3::Z), 1.0).is_some(), "{border}");
        assert!(triangle.cast_ray(&Ray::new(border, Vec3::Z), 1.0).is_some(), "starts on it: {border}");
    }
    let flat = Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::X * 2.0);
    assert_eq!(flat.cast_ray(&Ray::new(Vec3::new(0.5, 0.0, 1.0), -Vec3::Z), 9.0), None);
}

#[test]
fn triangles_that_touch_in_every_way_overlap() {
    let t = |a: [f32; 3], b: [f32; 3], c: [f32; 3]| Triangle::<f32>::new(a.into(), b.into(), c.into());
    let floor = t([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]);
    for (name, other) in [
        ("corner on corner", t([4.0, 0.0, 0.0], [5.0, 0.0, 1.0], [5.0, 1.0, 1.0])),
        ("corner on edge", t([2.0, 0.0, 0.0], [2.0, -1.0, 1.0], [3.0, -1.0, 1.0])),
        ("corner on face", t([1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0])),
        ("edge on edge", t([2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 1.0])),
        ("coplanar inside", t([1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0])),
        ("coplanar around", t([-9.0, -9.0, 0.0], [19.0, -9.0, 0.0], [-9.0, 19.0, 0.0])),
        ("coplanar edge", t([0.0; 3], [4.0, 0.0, 0.0], [0.0, -4.0, 0.0])),
        ("itself", floor),
        ("a point of it", t([1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 0.0])),
        ("a segment through it", t([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5])),
    ] {
        assert!(triangles_overlap(&floor, &other) && triangles_overlap(&other, &floor), "{name}");
    }
    for (name, other) in [
        ("parallel", t([0.0, 0.0, 0.001], [4.0, 0.0, 0.001], [0.0, 4.0, 0.001])),
        ("coplanar beside", t([4.001, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 1.0, 0.0])),
        ("through its plane beside it", t([5.0, 5.0, -1.0], [5.0, 5.0, 1.0], [6.0, 5.0, 0.0])),
        ("a point above it", t([1.0, 1.0, 0.001], [1.0, 1.0, 0.001], [1.0, 1.0, 0.001])),
    ] {
        assert!(!triangles_overlap(&floor, &other) && !triangles_overlap(&other, &floor), "{name}");
    }
}

#[test]
fn rays_that_are_none_miss_boxes_and_rays_from_the_surface_hit_at_once() {
    let aabb = Aabb::<3>::new([-1.0; 3], [1.0; 3]);
    for bad in [f32::NAN, f32::INFINITY] {
        for axis in 0..3 {
            let (mut origin, mut direction) = (Vec3::ZERO, Vec3::ONE);
            origin[axis] = bad;
            assert!(aabb.cast_ray(&Ray::new(origin, direction), 9.0).is_none());
            (origin[axis], direction[axis]) = (0.0, bad);
            assert!(aabb.cast_ray(&Ray::new(origin, direction), 9.0).is_none());
        }
    }
    for direction in [Vec3::X, -Vec3::X, Vec3::Y, Vec3::ZERO] {
        let hit = aabb.cast_ray(&Ray::new(Vec3::new(1.0, 0.5, 0.0), direction), 9.0).unwrap();
        assert_eq!((hit.t, hit.normal), (0.0, Vec3::ZERO), "{direction}");
    }
}
