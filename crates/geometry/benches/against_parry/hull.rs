//! Convex hulls, and the support function and rays of polytopes.

use std::time::Instant;

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::polytope::Polytope;
use carom_geometry::primitive::Ray;
use carom_geometry::shape::{Bounded, RayCast, Support};
use glam::Vec3;
use parry3d::query::RayCast as _;
use parry3d::shape::{ConvexPolyhedron, Shape, SupportMap};

use crate::table::{Random, Table, pose, theirs};

pub(crate) fn rows(table: &mut Table) {
    table.heading("hulls");
    let mut random = Random::new(11);
    let mut in_ball = |count: usize| points(count, || direction(&mut random, 0.0));
    let ball = [100, 1_000, 10_000].map(&mut in_ball);
    for points in &ball {
        row(table, &format!("hull: {} points in a ball", points.len()), points);
    }
    with_adjacency(table, "hull: 100 points in a ball, with adjacency", &ball[0]);
    let sphere = points(10_000, || direction(&mut random, 1.0));
    row(table, "hull: 10000 points on a sphere", &sphere);
    let cube = points(10_000, || random.vector(1.0));
    row(table, "hull: 10000 points in a cube", &cube);
    let grid: Vec<Vec3> =
        (0..8_000).map(|i| Vec3::new((i % 20) as f32, (i / 20 % 20) as f32, (i / 400) as f32)).collect();
    row(table, "hull: grid of 20 x 20 x 20", &grid);
    let large = points(100_000, || direction(&mut random, 0.0));
    once(table, "hull: 100000 points in a ball, once", &large);
    let large = points(100_000, || direction(&mut random, 1.0));
    once(table, "hull: 100000 points on a sphere, once", &large);
    queries(table, &mut random);
}

fn points(count: usize, point: impl FnMut() -> Vec3) -> Vec<Vec3> {
    let mut point = point;
    (0..count).map(|_| point()).collect()
}

/// A point of the unit ball, moved to the sphere if `on_sphere` is 1.
fn direction(random: &mut Random, on_sphere: f32) -> Vec3 {
    loop {
        let v = random.vector(1.0);
        let square = v.length_squared();
        if square > 0.01 && square <= 1.0 {
            return v / (1.0 + on_sphere * (square.sqrt() - 1.0));
        }
    }
}

fn row(table: &mut Table, name: &str, points: &[Vec3]) {
    let parrys: Vec<_> = points.iter().map(|p| theirs(*p)).collect();
    table.row(
        name,
        points.len(),
        || convex_hull(points, &HullOptions::default()).unwrap().vertex_count(),
        || parry3d::transformation::convex_hull(&parrys).0.len(),
    );
}

/// Our hulls come with links, planes and tables for queries; so does parry3d's polyhedron, but not
/// its bare hull.
fn with_adjacency(table: &mut Table, name: &str, points: &[Vec3]) {
    let parrys: Vec<_> = points.iter().map(|p| theirs(*p)).collect();
    table.row(
        name,
        points.len(),
        || convex_hull(points, &HullOptions::default()).unwrap().vertex_count(),
        || ConvexPolyhedron::from_convex_hull(&parrys).unwrap().points().len(),
    );
}

/// Too slow for the rounds of the table: both sides once.
fn once(table: &Table, name: &str, points: &[Vec3]) {
    if !table.wanted(name) {
        return;
    }
    let parrys: Vec<_> = points.iter().map(|p| theirs(*p)).collect();
    let start = Instant::now();
    let ours = convex_hull(points, &HullOptions::default()).unwrap().vertex_count();
    let middle = Instant::now();
    let theirs = parry3d::transformation::try_convex_hull(&parrys).map(|(vertices, _)| vertices.len());
    let [a, b] = [middle - start, middle.elapsed()].map(|t| t.as_secs_f64() * 1e3);
    println!("{name:<52} {a:>7.1} ms {b:>7.1} ms {:>8.2}   vertices: {ours}, {theirs:?}", a / b);
}

fn queries(table: &mut Table, random: &mut Random) {
    table.heading("polytopes");
    let directions: Vec<Vec3> = points(1024, || direction(random, 1.0));
    let their_directions: Vec<_> = directions.iter().map(|d| theirs(*d)).collect();
    let (poses, their_poses): (Vec<_>, Vec<_>) = (0..1024).map(|_| pose(random, 3.0)).unzip();
    let rays: Vec<Ray> = (0..1024)
        .map(|_| {
            let origin = direction(random, 1.0) * 3.0;
            Ray::new(origin, direction(random, 0.0) - origin)
        })
        .collect();
    let their_rays: Vec<_> =
        rays.iter().map(|r| parry3d::query::Ray::new(theirs(r.origin), theirs(r.direction))).collect();
    for count in [8, 32, 128, 512, 2048] {
        let ours = Polytope::<f32>::random_on_sphere(count, 1.0, 5).unwrap();
        let points: Vec<_> = ours.points().iter().map(|p| theirs(*p)).collect();
        let parrys = ConvexPolyhedron::from_convex_hull(&points).unwrap();
        table.row(
            &format!("polytope: support, {count} vertices"),
            1024,
            || directions.iter().map(|d| ours.support(*d)).sum::<Vec3>(),
            || their_directions.iter().map(|d| parrys.local_support_point(*d)).sum::<parry3d::math::Vector>(),
        );
        table.row(
            &format!("polytope: box in a pose, {count} vertices"),
            1024,
            || poses.iter().map(|p| ours.aabb_at(p).high()).sum::<Vec3>(),
            || their_poses.iter().map(|p| parrys.compute_aabb(p).maxs).sum::<parry3d::math::Vector>(),
        );
        table.row(
            &format!("polytope: ray, {count} vertices"),
            1024,
            || rays.iter().filter_map(|r| ours.cast_ray(r, 10.0)).map(|hit| hit.t).sum::<f32>(),
            || their_rays.iter().filter_map(|r| parrys.cast_local_ray(r, 10.0, true)).sum::<f32>(),
        );
    }
}
