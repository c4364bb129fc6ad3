//! Support, boxes and rays of polytopes against brute force over all points and faces in `f64`.

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::polytope::{Polytope, VertexId};
use carom_geometry::primitive::{Ray, RayHit};
use carom_geometry::real::{Real, Vector};
use carom_geometry::shape::{Bounded, RayCast, Support};
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

fn vector(reach: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-reach..reach).prop_map(DVec3::from)
}

fn direction() -> impl Strategy<Value = DVec3> {
    vector(1.0).prop_filter_map("null", Vector::unit)
}

/// Points, and the hull of them: small ones with many ties, and some that are large enough to be
/// climbed.
fn hull() -> impl Strategy<Value = (Vec<DVec3>, Polytope<f64>)> {
    let lattice = prop::array::uniform3(-2..=2i8).prop_map(|p| DVec3::from(p.map(f64::from)));
    let points = prop_oneof![
        4 => prop::collection::vec(vector(1.0), 4..60),
        4 => prop::collection::vec(lattice, 4..60),
        1 => (200..700usize, any::<u64>()).prop_map(|(count, seed)| {
            Polytope::<f64>::random_on_sphere(count, 1.0, seed).unwrap().points().to_vec()
        }),
    ];
    points.prop_filter_map("no volume", |points| {
        let hull = convex_hull(&points, &HullOptions::default()).ok()?;
        Some((points, hull))
    })
}

fn pose() -> impl Strategy<Value = Pose<f64>> {
    let rotation = prop::array::uniform4(-1.0..1.0f64).prop_filter_map("null", Rotation::from_xyzw);
    (vector(5.0), rotation).prop_map(|(translation, rotation)| Pose::new(translation, rotation))
}

/// Where a line crosses the half-spaces of all faces, in `f64`: the parameters of entry and exit.
fn crossing<S: Real>(hull: &Polytope<S>, ray: &Ray<f64>) -> (f64, f64) {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for plane in hull.planes() {
        let normal = plane.normal.to::<f64>();
        let depth = plane.offset.to_f64() - normal.dot(ray.origin);
        let slope = normal.dot(ray.direction);
        if slope < 0.0 {
            enter = enter.max(depth / slope);
        } else if slope > 0.0 {
            leave = leave.min(depth / slope);
        } else if depth < 0.0 {
            return (f64::INFINITY, f64::NEG_INFINITY);
        }
    }
    (enter, leave)
}

fn compare_ray<S: Real>(hull: &Polytope<S>, origin: DVec3, direction: DVec3, max: f64, near: f64) {
    let ray = Ray::<S>::new(origin.to::<S>(), direction.to::<S>());
    let found = hull.cast_ray(&ray, S::of(max));
    let wide = Ray::<f64>::new(ray.origin.to::<f64>(), ray.direction.to::<f64>());
    let (enter, leave) = crossing(hull, &wide);
    match found {
        Some(hit) if hit == RayHit::inside() => assert!(enter <= near && leave >= -near, "{enter} {leave}"),
        Some(hit) => {
            assert!(
                (hit.t.to_f64() - enter).abs() <= near && enter <= leave + near,
                "{hit:?} {enter} {leave}"
            );
            assert!(hit.t.to_f64() <= max);
            assert!(hit.normal.dot(ray.direction) < S::ZERO);
            // The normal is that of a face that holds the point.
            let point = ray.at(hit.t);
            let on_face = |f| {
                let plane = hull.plane(f);
                plane.normal == hit.normal && plane.signed_distance(point).to_f64().abs() <= near
            };
            assert!(hull.faces().any(on_face));
        }
        None => assert!(enter > leave - near || enter > max - near || leave < near, "{enter} {leave}"),
    }
}

proptest! {
    #[test]
    fn support_is_that_of_all_points((points, hull) in hull(), direction in direction(), start in any::<u32>()) {
        let best = points.iter().map(|p| p.dot(direction)).fold(f64::MIN, f64::max);
        let tolerance = 4.0 * hull.tolerance();
        prop_assert!(hull.support(direction).dot(direction) >= best - tolerance);
        let start = VertexId(start % hull.vertex_count() as u32);
        let climbed = hull.support_from(direction, start);
        prop_assert!(hull.point(climbed).dot(direction) >= best - tolerance);
        let narrow = hull.to::<f32>();
        let found = narrow.support(direction.as_vec3()).as_dvec3().dot(direction);
        prop_assert!(found >= best - 1e-5, "{} {}", found, best);
    }

    #[test]
    fn the_first_of_equal_vertices_is_the_support((_, hull) in hull(), axis in 0..3usize, sign in any::<bool>()) {
        prop_assume!(hull.vertex_count() <= 80);
        let direction = if sign { DVec3::AXES[axis] } else { -DVec3::AXES[axis] };
        let best = hull.points().iter().map(|p| p.dot(direction)).fold(f64::MIN, f64::max);
        let first = hull.vertices().find(|&v| hull.point(v).dot(direction) == best);
        prop_assert_eq!(Some(hull.support_vertex(direction)), first);
    }

    #[test]
    fn boxes_are_exact((_, hull) in hull(), pose in pose()) {
        let found = hull.aabb_at(&pose);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &p in hull.points() {
            low = low.min(pose.apply(p));
            high = high.max(pose.apply(p));
        }
        let near = 1e-13 + hull.tolerance();
        prop_assert!((found.low() - low).abs().max_element() <= near);
        prop_assert!((found.high() - high).abs().max_element() <= near);
        if hull.vertex_count() <= 512 {
            let local = hull.aabb();
            for k in 0..3 {
                prop_assert_eq!(local.min[k], hull.points().iter().map(|p| p[k]).fold(f64::MAX, f64::min));
                prop_assert_eq!(local.max[k], hull.points().iter().map(|p| p[k]).fold(f64::MIN, f64::max));
            }
        }
    }

    #[test]
    fn rays_enter_where_all_half_spaces_agree(
        (_, hull) in hull(), origin in vector(3.0), target in vector(1.5), max in 0.0..3.0f64
    ) {
        let direction = target - origin;
        prop_assume!(direction.length() > 0.1);
        compare_ray(&hull, origin, direction, max, 1e-9);
        compare_ray(&hull.to::<f32>(), origin, direction, max, 2e-4);
        // Along an axis, where slopes are zero.
        let axis = DVec3::AXES[direction.largest_axis()] * direction[direction.largest_axis()].signum();
        compare_ray(&hull, origin, axis, 10.0, 1e-9);
    }

    #[test]
    fn posed_rays_hit_the_posed_polytope((_, hull) in hull(), pose in pose(), origin in vector(3.0), target in vector(0.5)) {
        let local = Ray::<f64>::new(origin, target - origin);
        let world = Ray::new(pose.apply(origin), pose.rotation.rotate(local.direction));
        let (a, b) = (hull.cast_ray(&local, 5.0), hull.cast_ray_at(&pose, &world, 5.0));
        if let (Some(a), Some(b)) = (a, b) {
            prop_assert!((a.t - b.t).abs() < 1e-6 || crossing(&hull, &local).0.abs() < 1e-6);
        }
    }

    #[test]
    fn rays_from_vertices_inside_hit_at_once((_, hull) in hull(), direction in direction()) {
        let centre = hull.vertex_centroid();
        prop_assert_eq!(hull.cast_ray(&Ray::new(centre, direction), 1.0), Some(RayHit::inside()));
        prop_assert!(hull.contains(centre));
    }
}

#[test]
fn rays_with_odd_numbers_hit_nothing() {
    let cube = Polytope::<f32>::cube(1.0).unwrap();
    let nan = Vec3::new(0.0, f32::NAN, 0.0);
    for (origin, direction) in [(nan, Vec3::X), (Vec3::ZERO, nan), (Vec3::splat(f32::INFINITY), Vec3::X)] {
        assert_eq!(cube.cast_ray(&Ray::new(origin, direction), 10.0), None);
    }
    let towards = Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::X);
    assert_eq!(cube.cast_ray(&towards, f32::NAN), None);
    assert_eq!(cube.cast_ray(&towards, 1.9), None);
    assert_eq!(cube.cast_ray(&towards, 2.0), Some(RayHit { t: 2.0, normal: -Vec3::X }));
    assert_eq!(cube.cast_ray(&Ray::new(Vec3::X, Vec3::X), 1.0), Some(RayHit::inside()), "on the surface");
    assert_eq!(
        cube.cast_ray(&Ray::new(Vec3::new(-3.0, 1.0, 0.0), Vec3::X), 9.0).map(|h| h.t),
        Some(2.0),
        "along a face"
    );
}
