//! Ray casts of the basic shapes against a search along the ray.
//!
//! The distance from a convex set is a convex function along a line, so the least distance is found
//! by ternary search and the entry by bisection: slow, in `f64`, and without any knowledge of the
//! shape but its distance function.

use carom_geometry::primitive::{Ray, RayHit, Triangle};
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, RayCast, Sphere, Tile};
use carom_geometry::{Real, Vector};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::shapes_zoo::{Kind, kind, pose};

/// What the search found.
struct Found {
    /// Least distance over the ray, and where.
    depth: f64,
    deepest: f64,
    /// Where the distance becomes zero, if it does.
    entry: Option<f64>,
}

fn search(kind: &Kind, ray: &Ray<f64>) -> Found {
    let level = |t: f64| kind.level(ray.at(t));
    // Past this parameter the ray is farther away than at its start.
    let end = 2.0 * (ray.origin.length() + kind.size()) / ray.direction.length();
    let (mut low, mut high) = (0.0, end);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if level(a) < level(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let deepest = [0.0, low, high, 0.5 * (low + high)]
        .into_iter()
        .min_by(|a, b| level(*a).total_cmp(&level(*b)))
        .unwrap();
    let depth = level(deepest);
    let entry = (depth <= 0.0).then(|| {
        let (mut out, mut inside) = (0.0, deepest);
        for _ in 0..100 {
            let middle = 0.5 * (out + inside);
            if level(middle) > 0.0 {
                out = middle;
            } else {
                inside = middle;
            }
        }
        inside
    });
    Found { depth, deepest, entry }
}

/// Where a line crosses the plane of a surface, and how far inside its border (negative: outside).
fn crossing(kind: &Kind, ray: &Ray<f64>) -> Option<(f64, f64)> {
    let [a, b, c] = match *kind {
        Kind::Tile(x, z) => {
            let t = -ray.origin.y / ray.direction.y;
            let p = ray.at(t);
            return t.is_finite().then(|| (t, (f64::from(x) - p.x.abs()).min(f64::from(z) - p.z.abs())));
        }
        Kind::Triangle(corners) => corners.map(|c| DVec3::from(c.map(f64::from))),
        _ => return None,
    };
    let n = (b - a).cross(c - a).normalize();
    let t = (a - ray.origin).dot(n) / ray.direction.dot(n);
    let p = ray.at(t);
    let margin = |u: DVec3, v: DVec3| (v - u).normalize().cross(p - u).dot(n);
    t.is_finite().then(|| (t, margin(a, b).min(margin(b, c)).min(margin(c, a))))
}

/// Compares a cast with the search. `epsilon` is the rounding unit of the scalar.
fn check<S: Real>(kind: &Kind, ray: &Ray<S>, epsilon: f64) -> Result<(), TestCaseError> {
    let hit = kind.build::<S>().cast_ray(ray, S::INFINITY);
    let ray = Ray::<f64>::new(ray.origin.to::<f64>(), ray.direction.to::<f64>());
    let hit = hit.map(|h| RayHit::<f64> { t: h.t.to_f64(), normal: h.normal.to::<f64>() });
    // Rounding moves the ray by some ulps of its coordinates.
    let tolerance = 40.0 * epsilon * (kind.size() + ray.origin.length());
    if kind.is_surface() {
        return check_surface(kind, &ray, hit, tolerance);
    }
    let start = kind.level(ray.origin);
    if start.abs() > tolerance {
        let inside = start < 0.0;
        prop_assert_eq!(hit == Some(RayHit::inside()), inside, "starts at depth {}", start);
        if inside {
            return Ok(());
        }
    }
    let found = search(kind, &ray);
    let Some(hit) = hit else {
        prop_assert!(found.depth > -tolerance, "missed, but the ray goes {} deep", -found.depth);
        return Ok(());
    };
    prop_assert!(found.depth < tolerance, "hit at {}, but the ray stays {} away", hit.t, found.depth);
    if hit == RayHit::inside() {
        return Ok(());
    }
    let p = ray.at(hit.t);
    prop_assert!(kind.level(p).abs() <= tolerance, "{p} is {} off the surface", kind.level(p));
    // The entry and not the exit.
    let speed = ray.direction.length();
    let slack = tolerance / speed;
    if let Some(entry) = found.entry {
        // A grazing ray has its entry where rounding puts it: anywhere within the tolerance of the
        // surface.
        prop_assert!(hit.t <= found.deepest + slack || kind.level(ray.at(found.deepest)) > -tolerance);
        if kind.level(ray.at(entry + (hit.t - entry) * 0.5)).abs() > tolerance {
            prop_assert!((hit.t - entry).abs() <= slack, "t {} against {entry}", hit.t);
        }
    }
    check_normal(kind, p, hit.normal, &ray, tolerance)
}

fn check_normal(
    kind: &Kind,
    p: DVec3,
    normal: DVec3,
    ray: &Ray<f64>,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let coarse = tolerance / kind.size();
    prop_assert!((normal.length() - 1.0).abs() <= coarse.min(1e-3), "length {}", normal.length());
    if let Kind::Ellipsoid(radii) = *kind {
        let radii = DVec3::from(radii.map(f64::from));
        let right = (p / (radii * radii)).normalize();
        // The direction turns fastest where the ellipsoid is most curved.
        let curvature = radii.max_element() / radii.min_element().powi(2);
        prop_assert!(
            (right - normal).length() <= 4.0 * tolerance * curvature + 1e-5,
            "{normal} against {right}"
        );
    } else {
        // A normal of a convex body leads straight away from it.
        for step in [0.01, 0.3, 3.0].map(|s| s * kind.size()) {
            let away = kind.level(p + normal * step);
            prop_assert!(
                (away - step).abs() <= tolerance + 1e-3 * step * coarse,
                "{normal} leads to {away} after {step}"
            );
        }
    }
    // A tangent ray may see the normal from the side.
    let cosine = normal.dot(ray.direction.normalize());
    prop_assert!(cosine <= 1e-3 || cosine * kind.size() * 0.01 <= tolerance.sqrt(), "faces away: {cosine}");
    Ok(())
}

fn check_surface(
    kind: &Kind,
    ray: &Ray<f64>,
    hit: Option<RayHit<f64>>,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let Some((t, margin)) = crossing(kind, ray) else {
        prop_assert!(hit.is_none() || kind.level(ray.at(hit.unwrap().t)) < tolerance);
        return Ok(());
    };
    let reach = |t: f64| t * ray.direction.length();
    // A ray close to the plane crosses it where rounding says.
    let normal = kind_normal(kind);
    let tolerance = tolerance / normal.dot(ray.direction.normalize()).abs().max(1e-9);
    match hit {
        None => prop_assert!(margin < tolerance || reach(t) < tolerance, "missed {margin} inside, at {t}"),
        Some(hit) => {
            prop_assert!(margin > -tolerance, "hit {} outside the border", -margin);
            prop_assert!(reach(hit.t - t).abs() <= tolerance && hit.t >= 0.0, "t {} against {t}", hit.t);
            let towards = -normal * normal.dot(ray.direction).signum();
            prop_assert!((hit.normal - towards).length() < 1e-5, "normal {}", hit.normal);
        }
    }
    Ok(())
}

fn kind_normal(kind: &Kind) -> DVec3 {
    match *kind {
        Kind::Triangle(corners) => {
            let [a, b, c] = corners.map(|c| DVec3::from(c.map(f64::from)));
            (b - a).cross(c - a).normalize()
        }
        _ => DVec3::Y,
    }
}

/// A start and a target in units of the shape's size; components near zero become zero, for rays
/// parallel to faces.
fn line() -> impl Strategy<Value = (DVec3, DVec3)> {
    let coordinate = || (-3.0f64..3.0).prop_map(|c| if c.abs() < 0.4 { 0.0 } else { c });
    let target = || (-1.2f64..1.2).prop_map(|c| if c.abs() < 0.2 { 0.0 } else { c });
    (
        [coordinate(), coordinate(), coordinate()].prop_map(DVec3::from),
        prop_oneof![
            [target(), target(), target()].prop_map(DVec3::from),
            // Along an axis.
            (0usize..3, -1.0f64..1.0).prop_map(|(axis, way)| DVec3::AXES[axis] * way.signum() * 100.0),
        ],
    )
}

fn ray_of(kind: &Kind, (start, target): (DVec3, DVec3), length: f64) -> Option<Ray<f64>> {
    let origin = start * kind.size();
    // 100 marks a direction rather than a place.
    let direction = if target.length() > 50.0 { target } else { target * kind.size() - origin };
    let direction = direction.normalize_or_zero() * length;
    (direction.length() > 0.0).then(|| Ray::new(origin, direction))
}

proptest! {
    #[test]
    fn casts_find_what_a_search_finds(kind in kind(), line in line(), exponent in -4.0f64..4.0) {
        let Some(ray) = ray_of(&kind, line, 10f64.powf(exponent)) else { return Ok(()) };
        check::<f64>(&kind, &ray, f64::EPSILON)?;
        let single = Ray::<f32>::new(ray.origin.as_vec3(), ray.direction.as_vec3());
        check::<f32>(&kind, &single, f64::from(f32::EPSILON))?;
    }

    #[test]
    fn far_origins_lose_no_more_than_their_own_rounding(kind in kind(), line in line(), distance in 1e2f64..1e4) {
        let Some(ray) = ray_of(&kind, line, 1.0) else { return Ok(()) };
        let far = Ray::<f32>::new((ray.origin - ray.direction * distance).as_vec3(), ray.direction.as_vec3());
        check::<f32>(&kind, &far, f64::from(f32::EPSILON))?;
    }

    #[test]
    fn far_rays_nearly_along_a_capsule_lose_no_more_either(
        axis in prop::array::uniform3(-1.0f64..1.0),
        lean in prop::array::uniform3(-1.0f64..1.0),
        exponent in -3.0f64..-1.0,
        target in prop::array::uniform3(-0.3f64..0.3),
    ) {
        let axis = DVec3::from(axis).normalize_or(DVec3::Z) * 2.0;
        let kind = Kind::Capsule((-axis).as_vec3().to_array(), axis.as_vec3().to_array(), 0.5);
        let direction = (axis * 0.5 + DVec3::from(lean) * 10f64.powf(exponent)).normalize();
        let ray = Ray::<f32>::new((DVec3::from(target) - direction * 1e4).as_vec3(), direction.as_vec3());
        let hit = kind.build::<f32>().cast_ray(&ray, f32::INFINITY);
        // A few of these rays leave the capsule within its rounding; they are the business of the
        // other tests.
        let seen = search(&kind, &Ray::new(ray.origin.as_dvec3(), ray.direction.as_dvec3()));
        if seen.depth > -0.1 {
            return Ok(());
        }
        let hit = hit.expect("the ray goes deep");
        let level = kind.level(ray.origin.as_dvec3() + ray.direction.as_dvec3() * f64::from(hit.t));
        // Four ulps of the distance.
        prop_assert!(level.abs() < 4.0 * f64::from(f32::EPSILON) * 1e4, "{level} off the surface");
    }

    #[test]
    fn directions_of_every_length_hit_the_same_point(kind in kind(), line in line(), exponent in -30i32..30) {
        let Some(ray) = ray_of(&kind, line, 1.0) else { return Ok(()) };
        let ray = Ray::<f32>::new(ray.origin.as_vec3(), ray.direction.as_vec3());
        let shape = kind.build::<f32>();
        let scaled = Ray::<f32>::new(ray.origin, ray.direction * 10f32.powi(exponent));
        let (Some(a), Some(b)) = (shape.cast_ray(&ray, f32::INFINITY), shape.cast_ray(&scaled, f32::INFINITY)) else {
            // A grazing ray may be lost by the rounding of its direction.
            let ray = Ray::<f64>::new(ray.origin.as_dvec3(), ray.direction.as_dvec3());
            let tolerance = 1e-5 * (kind.size() + ray.origin.length());
            if kind.is_surface() {
                let slope = kind_normal(&kind).dot(ray.direction).abs().max(1e-9);
                let lost = |(t, margin): (f64, f64)| margin < tolerance / slope || t < tolerance / slope;
                prop_assert!(crossing(&kind, &ray).is_none_or(lost));
            } else {
                prop_assert!(search(&kind, &ray).depth > -tolerance);
            }
            return Ok(());
        };
        let ends = [f64::from(a.t), f64::from(b.t) * 10f64.powi(exponent)];
        let points = ends.map(|t| ray.origin.as_dvec3() + ray.direction.as_dvec3() * t);
        prop_assert!(
            points.iter().all(|p| kind.level(*p).abs() < 1e-4 * kind.size() || (a.t == 0.0 && b.t == 0.0)),
            "{a:?} and {b:?}"
        );
    }

    #[test]
    fn posed_casts_are_local_casts(kind in kind(), line in line(), pose in pose()) {
        let Some(ray) = ray_of(&kind, line, 1.0) else { return Ok(()) };
        let shape = kind.build::<f64>();
        let world = Ray::new(pose.apply(ray.origin), pose.rotation.rotate(ray.direction));
        let local = world.seen_from(&pose);
        let (there, here) = (shape.cast_ray_at(&pose, &world, 1e9), shape.cast_ray(&local, 1e9));
        prop_assert_eq!(there.is_some(), here.is_some());
        if let (Some(there), Some(here)) = (there, here) {
            prop_assert_eq!(there.t, here.t);
            prop_assert!((there.normal - pose.rotation.rotate(here.normal)).length() < 1e-12);
        }
    }

    #[test]
    fn the_limit_is_sharp(kind in kind(), line in line()) {
        let Some(ray) = ray_of(&kind, line, 1.0) else { return Ok(()) };
        let shape = kind.build::<f64>();
        if let Some(hit) = shape.cast_ray(&ray, f64::INFINITY) {
            prop_assert_eq!(shape.cast_ray(&ray, hit.t), Some(hit));
            prop_assert_eq!(shape.cast_ray(&ray, hit.t - hit.t * 1e-15 - 1e-300), None);
        }
    }

    #[test]
    fn rays_through_a_shared_edge_are_not_lost(
        corners in prop::array::uniform4(prop::array::uniform3(-2.0f32..2.0)),
        at in 0.02f32..0.98,
        start in prop::array::uniform3(-20.0f32..20.0),
    ) {
        let [a, b, c, d] = corners.map(Vec3::from);
        let target = a + (b - a) * at;
        let ray = Ray::<f32>::new(Vec3::from(start), target - Vec3::from(start));
        // One triangle on either side of the edge as the ray sees it: otherwise the edge is a
        // silhouette.
        let side = |p: Vec3| ray.direction.as_dvec3().cross((b - a).as_dvec3()).dot((p - a).as_dvec3());
        let d = if (side(c) > 0.0) == (side(d) > 0.0) { a + b - d } else { d };
        if side(c).abs() < 0.05 || side(d).abs() < 0.05 || side(c) * side(d) > 0.0 {
            return Ok(());
        }
        let hits = [Triangle::new(a, b, c), Triangle::new(b, a, d)].map(|t: Triangle| t.cast_ray(&ray, 10.0));
        prop_assert!(hits.iter().any(Option::is_some), "lost between two triangles");
    }
}

fn down(x: f32, y: f32, z: f32) -> Ray {
    Ray::new(Vec3::new(x, y, z), -Vec3::Z)
}

#[test]
fn shapes_of_size_zero_are_points_and_segments() {
    let through = |target: Vec3| Ray::new(target + Vec3::new(0.0, 3.0, 4.0), Vec3::new(0.0, -3.0, -4.0));
    let point = Sphere::new(0.0f32).unwrap();
    let hit = point.cast_ray(&through(Vec3::ZERO), 2.0).unwrap();
    assert_eq!((hit.t, hit.normal), (1.0, Vec3::new(0.0, 0.6, 0.8)));
    assert!(point.cast_ray(&through(Vec3::new(0.1, 0.0, 0.0)), 2.0).is_none());
    assert_eq!(point.cast_ray(&Ray::new(Vec3::ZERO, Vec3::X), 1.0), Some(RayHit::inside()));
    let same = Capsule::new(Vec3::X, Vec3::X, 0.0f32).unwrap();
    assert_eq!(same.cast_ray(&through(Vec3::X), 2.0), Some(hit));
    let nothing = Ellipsoid::new(Vec3::ZERO).unwrap();
    assert_eq!(nothing.cast_ray(&through(Vec3::ZERO), 2.0), Some(hit));
    for segment in [
        &Cylinder::new(1.0f32, 0.0).unwrap() as &dyn RayCast<f32>,
        &Cone::new(1.0f32, 0.0).unwrap(),
        &Capsule::along_z(1.0f32, 0.0).unwrap(),
    ] {
        let hit = segment.cast_ray(&Ray::new(Vec3::new(2.0, 0.0, 0.5), -Vec3::X), 9.0).unwrap();
        assert_eq!((hit.t, hit.normal), (2.0, Vec3::X));
        let top = segment.cast_ray(&down(0.0, 0.0, 5.0), 9.0).unwrap();
        assert_eq!((top.t, top.normal), (4.0, Vec3::Z));
        assert!(segment.cast_ray(&down(0.1, 0.0, 5.0), 9.0).is_none());
    }
}

#[test]
fn flat_solids_are_met_from_both_sides() {
    let discs: [&dyn RayCast<f32>; 4] = [
        &Cuboid::new(Vec3::new(1.0, 1.0, 0.0)).unwrap(),
        &Cylinder::new(0.0f32, 1.0).unwrap(),
        &Cone::new(0.0f32, 1.0).unwrap(),
        &Ellipsoid::new(Vec3::new(1.0, 1.0, 0.0)).unwrap(),
    ];
    for (index, disc) in discs.into_iter().enumerate() {
        let hit = disc.cast_ray(&down(0.3, -0.4, 2.0), 9.0).unwrap();
        assert!((hit.t - 2.0).abs() < 1e-6 && (hit.normal - Vec3::Z).length() < 1e-5, "{index}: {hit:?}");
        let up = Ray::new(Vec3::new(0.3, -0.4, -2.0), Vec3::Z * 0.5);
        let hit = disc.cast_ray(&up, 9.0).unwrap();
        assert!((hit.t - 4.0).abs() < 1e-6 && (hit.normal + Vec3::Z).length() < 1e-5, "{index}: {hit:?}");
        let slanting = Ray::new(Vec3::new(-3.0, 0.2, 2.0), Vec3::new(3.0, 0.0, -2.0));
        let hit = disc.cast_ray(&slanting, 9.0).unwrap();
        assert!((hit.t - 1.0).abs() < 1e-6 && (hit.normal - Vec3::Z).length() < 1e-5, "{index}: {hit:?}");
        assert!(disc.cast_ray(&down(1.1, 0.0, 2.0), 9.0).is_none());
        assert_eq!(disc.cast_ray(&down(0.5, 0.0, 0.0), 9.0), Some(RayHit::inside()));
    }
}

#[test]
fn rays_along_faces_and_axes() {
    let cuboid = Cuboid::new(Vec3::splat(1.0)).unwrap();
    // In the plane of a face: touches the closed box. Just outside: does not.
    assert_eq!(cuboid.cast_ray(&down(1.0, 0.5, 3.0), 9.0).map(|h| h.t), Some(2.0));
    assert!(cuboid.cast_ray(&down(1.0 + f32::EPSILON, 0.5, 3.0), 9.0).is_none());
    let cylinder = Cylinder::new(1.0f32, 1.0).unwrap();
    assert_eq!(cylinder.cast_ray(&down(1.0, 0.0, 3.0), 9.0).map(|h| h.t), Some(2.0));
    let along_end = Ray::new(Vec3::new(-3.0, 0.0, 1.0), Vec3::X);
    assert_eq!(cylinder.cast_ray(&along_end, 9.0).map(|h| h.t), Some(2.0));
    // Onto the tip, through the tip sideways, and up through the base.
    let cone = Cone::new(1.0f32, 1.0).unwrap();
    assert_eq!(cone.cast_ray(&down(0.0, 0.0, 3.0), 9.0), Some(RayHit { t: 2.0, normal: Vec3::Z }));
    assert_eq!(cone.cast_ray(&along_end, 9.0).map(|h| h.t), Some(3.0));
    let up = Ray::new(Vec3::new(0.5, 0.0, -3.0), Vec3::Z);
    assert_eq!(cone.cast_ray(&up, 9.0), Some(RayHit { t: 2.0, normal: -Vec3::Z }));
    // Tangent to a ball, to the bit.
    let ball = Sphere::new(1.0f32).unwrap();
    assert_eq!(ball.cast_ray(&down(1.0, 0.0, 3.0), 9.0).map(|h| h.t), Some(3.0));
    assert!(ball.cast_ray(&down(1.0 + f32::EPSILON, 0.0, 3.0), 9.0).is_none());
    // In the plane of a surface without thickness.
    let tile = Tile::new(1.0f32, 1.0).unwrap();
    assert!(tile.cast_ray(&Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::X), 9.0).is_none());
    assert_eq!(tile.cast_ray(&Ray::new(Vec3::ZERO, Vec3::Y), 9.0), Some(RayHit { t: 0.0, normal: -Vec3::Y }));
}

#[test]
fn the_half_space_is_solid_below() {
    let ray = |y: f32, dy: f32| Ray::<f32>::new(Vec3::new(1e4, y, 7.0), Vec3::new(3.0, dy, 0.0));
    assert_eq!(HalfSpace.cast_ray(&ray(4.0, -2.0), 9.0), Some(RayHit { t: 2.0, normal: Vec3::Y }));
    assert_eq!(HalfSpace.cast_ray(&ray(4.0, -2.0), 1.9), None);
    assert_eq!(HalfSpace.cast_ray(&ray(4.0, 0.0), 9.0), None);
    assert_eq!(HalfSpace.cast_ray(&ray(4.0, 1.0), 9.0), None);
    assert_eq!(HalfSpace.cast_ray(&ray(0.0, 1.0), 9.0), Some(RayHit::inside()));
    assert_eq!(HalfSpace.cast_ray(&ray(-1.0, 1.0), 9.0), Some(RayHit::inside()));
}

#[test]
fn rays_that_are_none_meet_nothing() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for kind in crate::shapes_zoo::zoo() {
        let shape = kind.build::<f32>();
        for value in bad {
            for axis in 0..3 {
                let mut wrong = Vec3::new(0.1, 0.2, 0.3);
                wrong[axis] = value;
                assert_eq!(shape.cast_ray(&Ray::new(wrong, Vec3::Z), 9.0), None, "{kind:?} from {wrong}");
                assert_eq!(
                    shape.cast_ray(&Ray::new(Vec3::splat(9.0), wrong), 9.0),
                    None,
                    "{kind:?} along {wrong}"
                );
                assert_eq!(shape.cast_ray(&Ray::new(Vec3::ZERO, wrong), 9.0), None, "{kind:?} along {wrong}");
            }
        }
        let outside = Ray::new(Vec3::splat(9.0), Vec3::ZERO);
        assert_eq!(shape.cast_ray(&outside, 9.0), None);
        let ray = Ray::new(Vec3::splat(9.0), Vec3::splat(-1.0));
        assert_eq!(shape.cast_ray(&ray, f32::NAN), None);
        assert_eq!(shape.cast_ray(&ray, -1.0), None);
    }
    for value in bad {
        for wrong in [Vec3::new(value, 2.0, 0.0), Vec3::new(0.0, value, 0.0), Vec3::new(0.0, 2.0, value)] {
            assert_eq!(HalfSpace.cast_ray(&Ray::<f32>::new(wrong, -Vec3::Y), 9.0), None);
            assert_eq!(HalfSpace.cast_ray(&Ray::<f32>::new(Vec3::Y, -wrong), 9.0), None);
            assert_eq!(HalfSpace.cast_ray(&Ray::<f32>::new(-Vec3::Y, -wrong), 9.0), None);
        }
    }
    let ball = Sphere::new(1.0f32).unwrap();
    assert_eq!(ball.cast_ray(&Ray::new(Vec3::ZERO, Vec3::ZERO), 0.0), Some(RayHit::inside()));
    assert_eq!(ball.cast_ray(&Ray::new(Vec3::ZERO, Vec3::ZERO), -1.0), None);
}
