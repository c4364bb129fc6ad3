//! Bounding spheres: containment in `f64`, and the smallest sphere against brute force.

use carom_geometry::bounds::{Aabb, BoundingSphere};
use carom_geometry::primitive::Ray;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

/// Points in general position, on a coarse grid (duplicates, lines, planes, common spheres), on a
/// circle, far away.
fn cloud(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
    let grid = (-2i32..3, -2i32..3, -2i32..3).prop_map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32));
    let free = prop::array::uniform3(-2.0f32..2.0).prop_map(Vec3::from);
    let circle = (0.0f32..7.0).prop_map(|a| Vec3::new(a.cos(), a.sin(), 0.0));
    let line = (-2.0f32..2.0).prop_map(|t| Vec3::new(t, 2.0 * t, -t));
    let place =
        prop_oneof![2 => Just(Vec3::ZERO), 1 => prop::array::uniform3(-1e4f32..1e4).prop_map(Vec3::from)];
    let points = prop_oneof![
        prop::collection::vec(grid, count.clone()),
        prop::collection::vec(free, count.clone()),
        prop::collection::vec(circle, count.clone()),
        prop::collection::vec(line, count),
    ];
    (points, place).prop_map(|(points, place)| points.iter().map(|p| *p + place).collect())
}

fn holds(sphere: &BoundingSphere, p: Vec3) -> bool {
    (p.as_dvec3() - sphere.centre.as_dvec3()).length() <= f64::from(sphere.radius) && sphere.contains_point(p)
}

/// The smallest sphere by trying every sphere through two, three or four of the points.
fn brute_force(points: &[DVec3]) -> f64 {
    let n = points.len();
    let mut best = if n == 1 { 0.0 } else { f64::INFINITY };
    let mut consider = |centre: DVec3| {
        let radius = points.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
        best = best.min(radius);
    };
    for i in 0..n {
        for j in 0..i {
            consider((points[i] + points[j]) * 0.5);
            for k in 0..j {
                let (a, b) = (points[j] - points[i], points[k] - points[i]);
                let normal = a.cross(b);
                if normal.length() < 1e-9 {
                    continue;
                }
                let offset = (normal.cross(a) * b.length_squared() + b.cross(normal) * a.length_squared())
                    / (2.0 * normal.length_squared());
                consider(points[i] + offset);
                for l in 0..k {
                    let c = points[l] - points[i];
                    let volume = a.dot(b.cross(c));
                    if volume.abs() < 1e-9 {
                        continue;
                    }
                    let sum = b.cross(c) * a.length_squared()
                        + c.cross(a) * b.length_squared()
                        + a.cross(b) * c.length_squared();
                    consider(points[i] + sum / (2.0 * volume));
                }
            }
        }
    }
    best
}

proptest! {
    #[test]
    fn every_method_contains_and_the_smallest_is_smallest(points in cloud(1..60)) {
        let spheres = [
            BoundingSphere::<f32>::around_box(&points).unwrap(),
            BoundingSphere::<f32>::around_box_centre(&points).unwrap(),
            BoundingSphere::<f32>::ritter(&points).unwrap(),
            BoundingSphere::<f32>::smallest(&points).unwrap(),
        ];
        for (kind, sphere) in spheres.iter().enumerate() {
            for p in &points {
                prop_assert!(holds(sphere, *p), "kind {kind}: {p} outside {sphere:?}");
            }
            // The rounding of the centre moves the radius by as much.
            let rounding = f32::EPSILON * (8.0 * sphere.radius + 2.0 * sphere.centre.length());
            prop_assert!(spheres[3].radius <= sphere.radius + rounding, "kind {kind}");
        }
        prop_assert!(spheres[1].radius <= spheres[0].radius * (1.0 + 1e-6));
        prop_assert!(spheres[2].radius <= spheres[3].radius * 1.3 + 1e-2, "Ritter is some 5 to 20 % off");
    }

    #[test]
    fn the_smallest_sphere_is_that_of_brute_force(points in cloud(1..9)) {
        let exact: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        let right = brute_force(&exact);
        let found = BoundingSphere::<f64>::smallest(&exact).unwrap();
        prop_assert!((found.radius - right).abs() <= 1e-9 * right + 1e-11, "{} instead of {right}", found.radius);
    }

    #[test]
    fn unions_are_the_smallest_sphere_around_two(
        c in prop::array::uniform3(-5.0f32..5.0), d in prop::array::uniform3(-5.0f32..5.0),
        r in 0.0f32..4.0, s in 0.0f32..4.0, place in prop_oneof![Just(0.0f32), Just(1e4)],
    ) {
        let a = BoundingSphere::<f32>::new(Vec3::from(c) + place, r);
        let b = BoundingSphere::<f32>::new(Vec3::from(d) + place, s);
        let union = a.union(&b);
        for part in [a, b] {
            let reach = part.centre.as_dvec3().distance(union.centre.as_dvec3()) + f64::from(part.radius);
            prop_assert!(reach <= f64::from(union.radius) * (1.0 + 1e-9), "{reach} {}", union.radius);
        }
        let distance = a.centre.as_dvec3().distance(b.centre.as_dvec3());
        let right = (0.5 * (distance + f64::from(r) + f64::from(s))).max(f64::from(r)).max(f64::from(s));
        prop_assert!(f64::from(union.radius) <= right * (1.0 + 2e-6) + 2e-7 * f64::from(place));
        prop_assert_eq!(union.union(&a), union);
    }

    #[test]
    fn rotation_keeps_the_radius_and_boxes_meet_spheres(points in cloud(1..20), turn in prop::array::uniform4(-1.0f32..1.0)) {
        let Some(turn) = Rotation::from_xyzw(turn) else { return Ok(()) };
        let sphere = BoundingSphere::<f32>::smallest(&points).unwrap();
        let pose = Pose::new(Vec3::ONE, turn);
        let posed = sphere.posed(&pose);
        prop_assert_eq!(posed.radius, sphere.radius);
        let slack = 1e-6 * (sphere.centre.length() + 1.0);
        for p in &points {
            prop_assert!((pose.apply(*p) - posed.centre).length() <= posed.radius + slack);
            // A box that contains a point of the sphere overlaps it.
            prop_assert!(sphere.overlaps_aabb(&Aabb::around(*p, Vec3::splat(0.1))));
            prop_assert!(sphere.aabb().contains_point(*p));
        }
    }
}

#[test]
fn a_hundred_thousand_points_on_a_sphere() {
    // Nearly cospherical points are the hard case: very many candidates for the basis.
    let mut seed = 7u64;
    let mut unit = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    let mut points = Vec::new();
    while points.len() < 100_000 {
        let v = Vec3::new(unit(), unit(), unit());
        if v.length() > 0.1 && v.length() < 1.0 {
            points.push(v.normalize() * 3.0 + Vec3::new(1.0, -2.0, 5.0));
        }
    }
    let sphere = BoundingSphere::<f32>::smallest(&points).unwrap();
    assert!(
        (sphere.radius - 3.0).abs() < 1e-5 && (sphere.centre - Vec3::new(1.0, -2.0, 5.0)).length() < 1e-5
    );
    assert!(points.iter().all(|p| holds(&sphere, *p)));
}

fn any_box() -> impl Strategy<Value = Aabb<3>> {
    (prop::array::uniform3(-3i32..4), prop::array::uniform3(0i32..4), 0.0f32..1.0).prop_map(
        |(low, size, odd)| {
            let low = low.map(|c| c as f32 + odd);
            Aabb::new(low, std::array::from_fn(|k| low[k] + size[k] as f32 * 0.7))
        },
    )
}

proptest! {
    /// Rays towards known points of the box, often along faces and edges: all must hit, and where
    /// they enter is right.
    #[test]
    fn rays_aimed_at_a_box_hit_it(aabb in any_box(), aim in prop::array::uniform3(0i32..3), from in prop::array::uniform3(-4i32..5), scale in -6i32..7) {
        let target = Vec3::from_array(std::array::from_fn(|k| aabb.min[k] + (aabb.max[k] - aabb.min[k]) * aim[k] as f32 * 0.5));
        let origin = Vec3::from(from.map(|c| c as f32));
        let direction = (target - origin) * 10f32.powi(scale);
        let max = 1.001 * 10f32.powi(-scale);
        let hit = aabb.ray_interval(&Ray::new(origin, direction), max);
        // The target is rounded: only if the exact ray meets the box must the answer be a hit.
        let exact = Aabb::new(aabb.min.map(f64::from), aabb.max.map(f64::from));
        let ray = Ray::new(origin.as_dvec3(), direction.as_dvec3());
        let right = slow_interval(&exact, &ray, f64::from(max));
        if let Some((enter, exit)) = right {
            let hit = hit.expect("a hit is never lost");
            prop_assert!((f64::from(hit.enter) - enter).abs() <= 1e-6 * enter.abs());
            prop_assert!((f64::from(hit.exit) - exit).abs() <= 2e-6 * exit.abs());
        } else if let Some(hit) = hit {
            let grown = exact.grown(1e-5);
            prop_assert!(slow_interval(&grown, &ray, f64::from(max) * 1.00001).is_some(), "{hit:?} is a clear miss");
        }
    }

    #[test]
    fn swept_boxes_agree_with_sampling(a in any_box(), b in any_box(), d in prop::array::uniform3(-6i32..7)) {
        let displacement = Vec3::from(d.map(|c| c as f32 * 0.9));
        let sweep = a.sweep(displacement, &b);
        let at = |t: f32| {
            let shift = displacement * t;
            Aabb::new((a.low() + shift).to_array(), (a.high() + shift).to_array())
        };
        for step in 0..=100 {
            let t = step as f32 / 100.0;
            if at(t).grown(-1e-5).overlaps(&b) {
                let sweep = sweep.expect("an overlap on the way is found");
                prop_assert!(sweep.enter <= t + 1e-5 && t <= sweep.exit + 1e-5);
            }
        }
        if let Some(sweep) = sweep {
            prop_assert!(0.0 <= sweep.enter && sweep.enter <= sweep.exit && sweep.exit <= 1.0);
            prop_assert!(at(sweep.enter).grown(1e-5).overlaps(&b) && at(sweep.exit).grown(1e-5).overlaps(&b));
        }
    }
}

/// Clips the parameter interval axis by axis, with a case for standing still.
fn slow_interval(aabb: &Aabb<3, f64>, ray: &Ray<f64>, max: f64) -> Option<(f64, f64)> {
    let (mut enter, mut exit) = (0.0f64, max);
    for k in 0..3 {
        let (o, d) = (ray.origin[k], ray.direction[k]);
        if d == 0.0 {
            if o < aabb.min[k] || o > aabb.max[k] {
                return None;
            }
            continue;
        }
        let (t, u) = ((aabb.min[k] - o) / d, (aabb.max[k] - o) / d);
        enter = enter.max(t.min(u));
        exit = exit.min(t.max(u));
    }
    (enter <= exit).then_some((enter, exit))
}
