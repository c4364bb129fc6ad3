//! Intersections and ray casts.

use carom_geometry::Aabb;
use carom_geometry::Obb;
use carom_geometry::intersect::{
    Culling, ray_triangle, segment_aabb, triangle_aabb, triangle_box, triangles_overlap,
};
use carom_geometry::primitive::Ray;
use carom_geometry::shape::RayCast;
use parry3d::query::RayCast as _;
use parry3d::query::details::{
    intersection_test_aabb_segment, intersection_test_aabb_triangle, intersection_test_cuboid_triangle,
    local_ray_intersection_with_triangle,
};
use parry3d::shape as parry;

use crate::closest::{segment, triangle};
use crate::table::{Random, Table, pose, theirs};

const N: usize = 1024;

pub(crate) fn rows(table: &mut Table) {
    table.heading("intersections");
    let mut random = Random::new(22);
    let (segments, their_segments): (Vec<_>, Vec<_>) = (0..N).map(|_| segment(&mut random, 1.0)).unzip();
    let (triangles, their_triangles): (Vec<_>, Vec<_>) = (0..N).map(|_| triangle(&mut random, 1.0)).unzip();
    let (boxes, their_boxes): (Vec<_>, Vec<_>) = (0..N)
        .map(|_| {
            let (centre, half) = (random.vector(1.0), random.vector(1.0).abs());
            let aabb = Aabb::around(centre, half);
            (aabb, parry3d::bounding_volume::Aabb::new(theirs(aabb.low()), theirs(aabb.high())))
        })
        .unzip();
    let (rays, their_rays): (Vec<_>, Vec<_>) = (0..N)
        .map(|_| {
            let origin = random.vector(3.0);
            // Most rays aim at the middle of things, as most rays that survive a tree do.
            let direction = random.vector(1.0) - origin;
            (Ray::new(origin, direction), parry3d::query::Ray::new(theirs(origin), theirs(direction)))
        })
        .unzip();
    let identity = parry3d::math::Pose::identity();

    table.row(
        "ray–triangle",
        N,
        || {
            let all = rays.iter().zip(&triangles);
            all.filter_map(|(r, t)| t.cast_ray(r, 4.0)).map(|h| h.t + h.normal.x).sum::<f32>()
        },
        || {
            let all = their_rays.iter().zip(&their_triangles);
            let hits = all.filter_map(|(r, t)| t.cast_local_ray_and_get_normal(r, 4.0, true));
            hits.map(|h| h.time_of_impact + h.normal.x).sum::<f32>()
        },
    );
    table.row(
        "ray–triangle with weights",
        N,
        || {
            let all = rays.iter().zip(&triangles);
            let hits = all.filter_map(|(r, t)| ray_triangle(r, t, Culling::None, f32::MAX));
            hits.map(|(h, w)| h.t + h.normal.x + w[0]).sum::<f32>()
        },
        || {
            let all = their_rays.iter().zip(&their_triangles);
            let hits = all.filter_map(|(r, t)| local_ray_intersection_with_triangle(t.a, t.b, t.c, r));
            hits.map(|(h, w)| h.time_of_impact + h.normal.x + w.x).sum::<f32>()
        },
    );
    table.row(
        "ray–box with normal",
        N,
        || {
            let all = rays.iter().zip(&boxes);
            all.filter_map(|(r, b)| b.cast_ray(r, 4.0)).map(|h| h.t + h.normal.x).sum::<f32>()
        },
        || {
            let all = their_rays.iter().zip(&their_boxes);
            let hits = all.filter_map(|(r, b)| b.cast_local_ray_and_get_normal(r, 4.0, true));
            hits.map(|h| h.time_of_impact + h.normal.x).sum::<f32>()
        },
    );
    table.row(
        "ray–box entry only",
        N,
        || {
            let all = rays.iter().zip(&boxes);
            all.filter_map(|(r, b)| b.ray_interval(r, 4.0)).map(|range| range.enter).sum::<f32>()
        },
        || {
            let all = their_rays.iter().zip(&their_boxes);
            all.filter_map(|(r, b)| b.cast_local_ray(r, 4.0, true)).sum::<f32>()
        },
    );
    table.row(
        "overlap: triangle–triangle",
        N,
        || hits(triangles.windows(2).map(|t| triangles_overlap(&t[0], &t[1]))),
        || {
            let test = |t: &[parry::Triangle]| {
                parry3d::query::intersection_test(&identity, &t[0], &identity, &t[1]).unwrap().intersecting
            };
            hits(their_triangles.windows(2).map(test))
        },
    );
    table.row(
        "overlap: triangle–axis-aligned box",
        N,
        || hits(triangles.iter().zip(&boxes).map(|(t, b)| triangle_aabb(t, b))),
        || {
            let all = their_triangles.iter().zip(&their_boxes);
            hits(all.map(|(t, b)| intersection_test_aabb_triangle(b, t)))
        },
    );
    let (poses, their_poses): (Vec<_>, Vec<_>) = (0..N).map(|_| pose(&mut random, 1.0)).unzip();
    let halves: Vec<_> = boxes.iter().map(Aabb::half).collect();
    let cuboids: Vec<_> = halves.iter().map(|h| parry::Cuboid::new(theirs(*h))).collect();
    table.row(
        "overlap: triangle–box in a pose",
        N,
        || {
            let all = triangles.iter().zip(&halves).zip(&poses);
            hits(all.map(|((t, h), pose)| triangle_box(t, &Obb::of_pose(pose, *h))))
        },
        || {
            let all = their_triangles.iter().zip(&cuboids).zip(&their_poses);
            hits(all.map(|((t, c), pose)| intersection_test_cuboid_triangle(&pose.inverse(), c, t)))
        },
    );
    table.row(
        "overlap: segment–axis-aligned box",
        N,
        || hits(segments.iter().zip(&boxes).map(|(s, b)| segment_aabb(s, b))),
        || {
            let all = their_segments.iter().zip(&their_boxes);
            hits(all.map(|(s, b)| intersection_test_aabb_segment(b, s)))
        },
    );
}

fn hits(all: impl Iterator<Item = bool>) -> usize {
    all.filter(|hit| *hit).count()
}
