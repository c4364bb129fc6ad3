//! Every query of a mesh against looking at all its triangles.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use carom_geometry::bounds::Aabb;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Ray;
use carom_geometry::shape::{Bounded, RayCast};
use carom_geometry::{Pose, Rotation};
use glam::Vec3;
use proptest::prelude::*;

fn built((vertices, triangles): generate::Soup) -> Mesh {
    Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()
}

/// Closed meshes, terrain and soups, small enough to look at every triangle.
fn mesh() -> impl Strategy<Value = Mesh> {
    let soup = prop::collection::vec(prop::array::uniform9(-2.0f32..2.0), 1..80).prop_filter_map(
        "no area",
        |list| {
            let vertices = list
                .iter()
                .flat_map(|c| {
                    let centre = Vec3::new(c[0], c[1], c[2]);
                    [
                        centre,
                        centre + Vec3::new(c[3], c[4], c[5]) * 0.2,
                        centre + Vec3::new(c[6], c[7], c[8]) * 0.2,
                    ]
                })
                .collect();
            let triangles = (0..list.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            Mesh::new(vertices, triangles, &MeshOptions::default()).ok()
        },
    );
    prop_oneof![
        3 => soup,
        1 => (1u32..6).prop_map(|cuts| built(generate::icosphere(1.5, cuts))),
        1 => (3u32..12, 3u32..9).prop_map(|(a, b)| built(generate::torus(1.5, 0.5, a, b))),
        1 => (1u32..12, 1u32..12, 0.0f32..2.0).prop_map(|(c, r, h)| {
            built(generate::terrain(c, r, 0.4, |x, z| h * (3.0 * x).sin() * (2.0 * z).cos()))
        }),
    ]
}

fn point(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

/// Directions of all kinds, among them such along the axes.
fn direction() -> impl Strategy<Value = Vec3> {
    let coordinate = prop_oneof![4 => -1.0f32..1.0, 1 => Just(0.0), 1 => Just(-0.0)];
    (prop::array::uniform3(coordinate), prop_oneof![Just(1.0f32), Just(1e-6), Just(1e6)])
        .prop_map(|(d, scale)| Vec3::from(d) * scale)
        .prop_filter("null", |d| *d != Vec3::ZERO)
}

fn numbers(mesh: &Mesh) -> std::ops::Range<u32> {
    0..mesh.triangle_count() as u32
}

/// Möller and Trumbore's test in `f64`, without care for edges: the time, and how far inside in barycentric terms.
fn slow_hit(ray: &Ray, corners: [Vec3; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let (o, d) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    let p = d.cross(ac);
    let det = ab.dot(p);
    // Edge-on triangles are judged by their neighbours.
    if det.abs() < 1e-9 * ab.length() * ac.length() * d.length() {
        return None;
    }
    let u = (o - a).dot(p) / det;
    let q = (o - a).cross(ab);
    let v = d.dot(q) / det;
    Some((ac.dot(q) / det, u.min(v).min(1.0 - u - v)))
}

proptest! {
    #[test]
    fn boxes_find_exactly_the_triangles_they_meet(mesh in mesh(), centre in point(2.5), half in point(1.5)) {
        let region = Aabb::around(centre, half.abs());
        let mut found = Vec::new();
        mesh.for_each_in_box(&region, |t| found.push(t));
        found.sort_unstable();
        let right: Vec<u32> = numbers(&mesh).filter(|t| mesh.triangle_box(*t).overlaps(&region)).collect();
        prop_assert_eq!(&found, &right);
        let mut calls = 0;
        let any = mesh.any_in_box(&region, |_| { calls += 1; calls == 3 });
        prop_assert_eq!((any, calls), (right.len() >= 3, right.len().min(3)));
    }

    #[test]
    fn rays_find_the_nearest_triangle(mesh in mesh(), origin in point(4.0), d in direction(), far in 0.0f32..12.0) {
        let ray = Ray::new(origin, d);
        let max = far / d.length();
        let hit = mesh.cast(&ray, max);
        prop_assert_eq!(mesh.is_hit(&ray, max), hit.is_some());
        prop_assert_eq!(mesh.cast_ray(&ray, max).map(|h| (h.t, h.normal)), hit.map(|h| (h.t, h.normal)));
        // The nearest among those that are hit without doubt, and among those that may be hit.
        let slow: Vec<_> = numbers(&mesh).filter_map(|t| slow_hit(&ray, mesh.triangle(t).corners())).collect();
        let slack = 1e-5 * f64::from(max);
        let nearest = |least: f64, low: f64, high: f64| {
            slow.iter().filter(|(t, inside)| *inside > least && *t >= low && *t <= high)
                .map(|(t, _)| *t).fold(f64::INFINITY, f64::min)
        };
        let sure = nearest(1e-5, 0.0, f64::from(max) - slack);
        let possible = nearest(-1e-5, -slack, f64::from(max) + slack);
        match hit {
            None => prop_assert!(sure == f64::INFINITY, "missed {sure}"),
            Some(hit) => {
                let t = f64::from(hit.t);
                prop_assert!(hit.t <= max && t <= sure + slack && t >= possible - slack, "{sure} {possible} {hit:?}");
                prop_assert!(hit.normal.dot(d) <= 1e-6 * d.length());
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6);
                let own = mesh.normal(hit.triangle).unwrap();
                prop_assert_eq!(hit.normal, if hit.front { own } else { -own });
            }
        }
    }

    #[test]
    fn moving_boxes_meet_every_triangle_on_their_way(
        mesh in mesh(),
        centre in point(3.0),
        half in point(0.7),
        d in prop_oneof![9 => point(4.0), 1 => Just(Vec3::ZERO), 1 => Just(Vec3::X * -3.0)],
    ) {
        let start = Aabb::around(centre, half.abs());
        let mut found = Vec::new();
        mesh.sweep_box(&start, d, |t, time| { found.push((t, time)); 1.0 });
        found.sort_by_key(|f| f.0);
        prop_assert!(found.windows(2).all(|f| f[0].0 < f[1].0), "each once");
        for t in numbers(&mesh) {
            let reported = found.iter().find(|f| f.0 == t).map(|f| f64::from(f.1));
            match (slow_sweep(&start, d, &mesh.triangle_box(t), 0.0), reported) {
                (Some(right), Some(time)) => {
                    let earliest = slow_sweep(&start, d, &mesh.triangle_box(t), 2e-5).unwrap();
                    prop_assert!(time <= right && time > earliest - 1e-6, "{time} {right}");
                }
                (Some(right), None) => prop_assert!(false, "missed {t}, touched at {right}"),
                (None, Some(_)) => {
                    let close = slow_sweep(&start, d, &mesh.triangle_box(t), 2e-5);
                    prop_assert!(close.is_some(), "{t} is far away");
                }
                (None, None) => {}
            }
        }
    }

    #[test]
    fn a_limit_silences_what_comes_later(mesh in mesh(), centre in point(4.0), d in point(6.0)) {
        let start = Aabb::around(centre, Vec3::splat(0.2));
        let mut all = Vec::new();
        mesh.sweep_box(&start, d, |t, time| { all.push((t, time)); 1.0 });
        let limit = 0.4;
        let mut early = Vec::new();
        mesh.sweep_box(&start, d, |t, time| { early.push((t, time)); limit });
        let first = all.iter().filter(|f| f.1 <= limit).count();
        let told = early.iter().filter(|f| f.1 <= limit).count();
        prop_assert_eq!(told, first, "those within the limit are all told");
        prop_assert!(early.len() <= told + 1, "at most the first call can be late");
    }

    #[test]
    fn the_farthest_vertex_is_found(mesh in mesh(), d in direction()) {
        let found = mesh.vertices()[mesh.farthest_vertex(d) as usize];
        let best = mesh.vertices().iter().map(|v| d.dot(*v)).fold(f32::NEG_INFINITY, f32::max);
        prop_assert_eq!(d.dot(found), best);
    }

    #[test]
    fn the_box_in_a_pose_is_that_of_all_vertices(
        mesh in mesh(),
        place in prop_oneof![point(3.0), point(3000.0)],
        q in prop::array::uniform4(-1.0f32..1.0),
    ) {
        let Some(rotation) = Rotation::from_xyzw(q) else { return Ok(()) };
        let pose = Pose::new(place, rotation);
        prop_assert_eq!(mesh.aabb_at(&pose), Aabb::of_points(mesh.vertices().iter().map(|v| pose.apply(*v))));
        prop_assert_eq!(mesh.aabb(), Aabb::of_points(mesh.vertices().iter().copied()));
    }

    /// Rays from inside a closed surface cannot get out, least of all where triangles meet.
    #[test]
    fn no_ray_leaves_a_closed_mesh(
        cuts in 1u32..5,
        origin in point(0.4),
        at in 0usize..10_000,
        edge in 0usize..3,
        part in prop_oneof![Just(0.0f32), Just(0.5), 0.0f32..1.0],
        scale in prop_oneof![Just(1.0f32), Just(1e-3), Just(1e4)],
    ) {
        let (vertices, triangles) = generate::icosphere(scale, cuts);
        let mesh = built((vertices, triangles));
        let corners = mesh.triangle((at % mesh.triangle_count()) as u32).corners();
        let target = corners[edge] + (corners[(edge + 1) % 3] - corners[edge]) * part;
        for origin in [origin * scale, Vec3::ZERO] {
            let ray = Ray::new(origin, target - origin);
            let hit = mesh.cast(&ray, f32::INFINITY);
            prop_assert!(hit.is_some(), "through {target}");
            prop_assert!((hit.unwrap().t - 1.0).abs() < 1e-3);
            let outside = Ray::new(target + (target - origin) * 3.0, origin - target);
            prop_assert!(mesh.is_hit(&outside, 4.0), "from outside through {target}");
        }
    }
}

/// First time at which a moving box touches a box grown by `slack`, in `f64`.
fn slow_sweep(start: &Aabb<3>, d: Vec3, target: &Aabb<3>, slack: f64) -> Option<f64> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let gap_low = f64::from(target.min[k]) - slack - f64::from(start.max[k]);
        let gap_high = f64::from(target.max[k]) + slack - f64::from(start.min[k]);
        let v = f64::from(d[k]);
        if v == 0.0 {
            if gap_low > 0.0 || gap_high < 0.0 {
                return None;
            }
        } else {
            let (a, b) = (gap_low / v, gap_high / v);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    (enter <= leave).then_some(enter)
}

#[test]
fn a_thousand_poses_of_a_large_mesh() {
    let mesh = built(generate::torus(5.0, 1.0, 60, 30));
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    for _ in 0..1000 {
        let rotation = Rotation::from_xyzw([random(), random(), random(), random()]).unwrap();
        let pose = Pose::new(Vec3::new(random(), random(), random()) * 20.0, rotation);
        let right = Aabb::of_points(mesh.vertices().iter().map(|v| pose.apply(*v)));
        assert_eq!(mesh.aabb_at(&pose), right);
    }
}

#[test]
fn useless_rays_and_boxes_find_nothing() {
    let mesh = built(generate::cuboid(Vec3::ONE));
    let good = Ray::new(Vec3::new(0.0, 5.0, 0.0), -Vec3::Y);
    assert!(mesh.cast(&good, 5.0).is_some());
    assert!(mesh.cast(&good, f32::NAN).is_none() && mesh.cast(&good, -1.0).is_none());
    for bad in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY] {
        let ray = Ray::new(good.origin, bad);
        assert!(mesh.cast(&ray, 10.0).is_none() && !mesh.is_hit(&ray, 10.0));
    }
    let mut count = 0;
    mesh.for_each_in_box(&Aabb::EVERYTHING, |_| count += 1);
    assert_eq!(count, 12);
    mesh.for_each_in_box(&Aabb::EMPTY, |_| panic!("nothing is in an empty box"));
    mesh.for_each_in_box(&Aabb::new([f32::NAN; 3], [f32::NAN; 3]), |_| panic!("NaN meets nothing"));
    mesh.sweep_box(&Aabb::default(), Vec3::splat(f32::NAN), |_, _| panic!("NaN moves nowhere"));
    let far = mesh.vertices()[mesh.farthest_vertex(Vec3::new(1.0, -1.0, 1.0)) as usize];
    assert_eq!(far, Vec3::new(1.0, -1.0, 1.0));
}
