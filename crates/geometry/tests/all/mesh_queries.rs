//! Every query of a mesh against looking at all its triangles.

use carom_geometry::bounds::Aabb;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Ray;
use carom_geometry::shape::{Bounded, RayCast};
use carom_geometry::{Pose, Rotation};
use glam::Vec3;
use proptest::prelude::*;

use crate::every_triangle::{check_limit, check_nearest, check_sweep, direction};

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

fn numbers(mesh: &Mesh) -> std::ops::Range<u32> {
    0..mesh.triangle_count() as u32
}

/// What a sweep that always answers `limit` tells.
fn swept(mesh: &Mesh, start: &Aabb<3>, d: Vec3, limit: f32) -> Vec<(u32, f32)> {
    let mut found = Vec::new();
    mesh.sweep_box(start, d, |t, time| {
        found.push((t, time));
        limit
    });
    found
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
        check_nearest(&ray, max, numbers(&mesh).map(|t| mesh.triangle(t).corners()), hit.map(|h| h.t))?;
        if let Some(hit) = hit {
            prop_assert!(hit.normal.dot(d) <= 1e-6 * d.length());
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6);
            let own = mesh.normal(hit.triangle).unwrap();
            prop_assert_eq!(hit.normal, if hit.front { own } else { -own });
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
        let boxes = numbers(&mesh).map(|t| (t, mesh.triangle_box(t)));
        check_sweep(&start, d, boxes, swept(&mesh, &start, d, 1.0), 2e-5)?;
    }

    #[test]
    fn a_limit_silences_what_comes_later(mesh in mesh(), centre in point(4.0), d in point(6.0)) {
        let start = Aabb::around(centre, Vec3::splat(0.2));
        check_limit(|limit| swept(&mesh, &start, d, limit))?;
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
