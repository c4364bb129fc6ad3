//! Basic shapes: posed boxes, support points, ray casts.
//!
//! parry3d's cylinders and cones lie along y and their origin is in the middle as well, so its
//! inputs have y and z exchanged (and one sign flipped to keep the frame right-handed). Its
//! half-space has the same infinite box in every pose; ours is exact along an axis, so there is
//! nothing to compare.

use carom_geometry::Vector;
use carom_geometry::primitive::{Ray, Triangle};
use carom_geometry::shape::{Bounded, Capsule, Cone, Cuboid, Cylinder, HalfSpace, RayCast, Sphere, Support};
use glam::Vec3;
use parry3d::shape::{self as parry, SupportMap};

use crate::table::{Random, Table, pose, theirs};

const ITEMS: usize = 1024;

/// A shape of ours and the same for parry3d, with the axes of long shapes exchanged.
fn pairs<A, B>(seed: u64, make: impl Fn(&mut Random) -> (A, B)) -> (Vec<A>, Vec<B>) {
    let mut random = Random::new(seed);
    (0..ITEMS).map(|_| make(&mut random)).unzip()
}

fn size(random: &mut Random) -> f32 {
    random.between(0.2, 2.0)
}

fn ball(random: &mut Random) -> (Sphere, parry::Ball) {
    let r = size(random);
    (Sphere { radius: r }, parry::Ball::new(r))
}

fn capsule(random: &mut Random) -> (Capsule, parry::Capsule) {
    let (a, b, r) = (random.vector(1.0), random.vector(1.0), size(random) * 0.5);
    (Capsule::new(a, b, r).unwrap(), parry::Capsule::new(theirs(a), theirs(b), r))
}

fn cuboid(random: &mut Random) -> (Cuboid, parry::Cuboid) {
    let half = Vec3::new(size(random), size(random), size(random));
    (Cuboid { half }, parry::Cuboid::new(theirs(half)))
}

fn cylinder(random: &mut Random) -> (Cylinder, parry::Cylinder) {
    let (h, r) = (size(random), size(random));
    (Cylinder { half_length: h, radius: r }, parry::Cylinder::new(h, r))
}

fn cone(random: &mut Random) -> (Cone, parry::Cone) {
    let (h, r) = (size(random), size(random));
    (Cone { half_length: h, radius: r }, parry::Cone::new(h, r))
}

fn triangle(random: &mut Random) -> (Triangle, parry::Triangle) {
    let c = [random.vector(1.5), random.vector(1.5), random.vector(1.5)];
    (Triangle::new(c[0], c[1], c[2]), parry::Triangle::new(theirs(c[0]), theirs(c[1]), theirs(c[2])))
}

fn half_space(_: &mut Random) -> (HalfSpace, parry::HalfSpace) {
    (HalfSpace, parry::HalfSpace::new(parry3d::math::Vector::Y))
}

/// Local z becomes local y.
fn swapped(v: Vec3) -> Vec3 {
    Vec3::new(v.x, v.z, -v.y)
}

pub(crate) fn rows(table: &mut Table) {
    table.heading("basic shapes");
    boxes(table, "ball", &pairs(1, ball));
    boxes(table, "capsule", &pairs(2, capsule));
    boxes(table, "cuboid", &pairs(3, cuboid));
    boxes(table, "cylinder", &pairs(4, cylinder));
    boxes(table, "cone", &pairs(5, cone));
    boxes(table, "triangle", &pairs(6, triangle));
    supports(table, "ball", false, &pairs(1, ball));
    supports(table, "capsule", false, &pairs(2, capsule));
    supports(table, "cuboid", false, &pairs(3, cuboid));
    supports(table, "cylinder", true, &pairs(4, cylinder));
    supports(table, "cone", true, &pairs(5, cone));
    supports(table, "triangle", false, &pairs(6, triangle));
    rays(table, "ball", false, 1, &pairs(1, ball));
    rays(table, "capsule", false, 1, &pairs(2, capsule));
    rays(table, "cuboid", false, 1, &pairs(3, cuboid));
    rays(table, "cylinder", true, 1, &pairs(4, cylinder));
    rays(table, "cone", true, 1, &pairs(5, cone));
    rays(table, "triangle", false, 8, &pairs(6, triangle));
    rays(table, "half-space", false, 1, &pairs(7, half_space));
}

fn boxes<A: Bounded<f32>, B: parry::Shape>(table: &mut Table, name: &str, (ours, parrys): &(Vec<A>, Vec<B>)) {
    let mut random = Random::new(11);
    let (our_poses, their_poses): (Vec<_>, Vec<_>) = (0..ITEMS).map(|_| pose(&mut random, 10.0)).unzip();
    table.row(
        &format!("box of posed {name}"),
        ITEMS,
        || {
            let boxes = ours.iter().zip(&our_poses).map(|(s, p)| s.aabb_at(p));
            boxes.fold((Vec3::ZERO, Vec3::ZERO), |(low, high), b| (low + b.low(), high + b.high()))
        },
        || {
            let boxes = parrys.iter().zip(&their_poses).map(|(s, p)| s.compute_aabb(p));
            let zero = parry3d::math::Vector::ZERO;
            boxes.fold((zero, zero), |(low, high), b| (low + b.mins, high + b.maxs))
        },
    );
}

fn supports<A: Support<f32>, B: SupportMap>(
    table: &mut Table,
    name: &str,
    along_y: bool,
    (ours, parrys): &(Vec<A>, Vec<B>),
) {
    let mut random = Random::new(12);
    let directions: Vec<Vec3> = (0..ITEMS).map(|_| random.vector(1.0)).collect();
    let their_directions: Vec<_> =
        directions.iter().map(|d| theirs(if along_y { swapped(*d) } else { *d })).collect();
    for (k, d) in directions.iter().enumerate() {
        let (a, b) = (ours[k].support(*d), parrys[k].local_support_point(their_directions[k]));
        let (reach, their_reach) = (a.dot(*d), b.dot(their_directions[k]));
        assert!((reach - their_reach).abs() < 1e-4, "support of {name}: {reach} against {their_reach}");
    }
    table.row(
        &format!("support of {name}"),
        ITEMS,
        || ours.iter().zip(&directions).map(|(s, d)| s.support(*d)).sum::<Vec3>(),
        || {
            let points = parrys.iter().zip(&their_directions).map(|(s, d)| s.local_support_point(*d));
            points.sum::<parry3d::math::Vector>()
        },
    );
}

/// Rays from around the shape towards points in and near it: about two thirds hit. Each ray is cast
/// at `shapes_per_ray` shapes in turn: one, or for triangles as many as a leaf of a mesh's tree
/// holds.
fn rays<A: RayCast<f32>, B: parry3d::query::RayCast>(
    table: &mut Table,
    name: &str,
    along_y: bool,
    shapes_per_ray: usize,
    (ours, parrys): &(Vec<A>, Vec<B>),
) {
    let mut random = Random::new(13);
    let rays: Vec<Ray> = (0..ITEMS / shapes_per_ray)
        .flat_map(|_| {
            let start = Vector::unit(random.vector(1.0)).unwrap() * random.between(3.0, 10.0);
            let ray = Ray::new(start, (random.vector(1.0) - start) * random.between(0.1, 2.0));
            std::iter::repeat_n(ray, shapes_per_ray)
        })
        .collect();
    let their_rays: Vec<_> = rays
        .iter()
        .map(|r| {
            let turn = |v| theirs(if along_y { swapped(v) } else { v });
            parry3d::query::Ray::new(turn(r.origin), turn(r.direction))
        })
        .collect();
    let ours_of = |k: usize| ours[k].cast_ray(&rays[k], 100.0);
    let theirs_of = |k: usize| parrys[k].cast_local_ray_and_get_normal(&their_rays[k], 100.0, true);
    let different = (0..ITEMS).filter(|k| match (ours_of(*k), theirs_of(*k)) {
        (Some(a), Some(b)) => (a.t - b.time_of_impact).abs() > 1e-2 * a.t,
        (a, b) => a.is_some() != b.is_some(),
    });
    let different = different.count();
    // Their general method for cylinders and cones stops at a tolerance.
    assert!(different <= ITEMS / 50, "rays at {name}: {different} of {ITEMS} differ");
    table.row(
        &format!("ray at {name}"),
        ITEMS,
        || {
            let hits = ours.iter().zip(&rays).filter_map(|(s, r)| s.cast_ray(r, 100.0));
            hits.fold((0.0, Vec3::ZERO), |(t, n), hit| (t + hit.t, n + hit.normal))
        },
        || {
            let hits = parrys.iter().zip(&their_rays);
            let hits = hits.filter_map(|(s, r)| s.cast_local_ray_and_get_normal(r, 100.0, true));
            hits.fold((0.0, parry3d::math::Vector::ZERO), |(t, n), hit| {
                (t + hit.time_of_impact, n + hit.normal)
            })
        },
    );
}
