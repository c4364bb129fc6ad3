//! Batches of boxes and of triangles with spheres.

use carom_geometry::Pose;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::Sphere;
use glam::Vec3;

use super::round::{grown, nearest, within};
use super::{Answer, Cuboids, Hit, Spheres, Turns, largest, run, too_near};
use crate::closed;
use crate::lanes::{Lanes, Vec3Lanes};

/// Appends the pairs of a box and a sphere that are at most `margin` apart; a pair is an index into each table.
///
/// # Panics
/// If an index is outside of a column.
pub fn cuboid_sphere<L: Lanes>(
    a: &Cuboids<'_>,
    b: &Spheres<'_>,
    pairs: &[(u32, u32)],
    margin: f32,
    hits: &mut Vec<Hit>,
) {
    let kernel = |lanes: &[(u32, u32)]| {
        let (i, j) = (|k: usize| lanes[k].0 as usize, |k: usize| lanes[k].1 as usize);
        let way = Vec3Lanes::<L>::gather(|k| b.positions[j(k)]) - Vec3Lanes::gather(|k| a.positions[i(k)]);
        let radius = L::gather(|k| b.radii[j(k)]);
        let turns = Turns::gather(|k| a.rotations[i(k)]);
        let half = Vec3Lanes::<L>::gather(|k| a.half[i(k)]);
        let point = turns.rotate_back(way);
        let on_box = Vec3Lanes {
            x: point.x.clamp(-half.x, half.x),
            y: point.y.clamp(-half.y, half.y),
            z: point.z.clamp(-half.z, half.z),
        };
        let across = point - on_box;
        let square = across.dot(across);
        let hits = within(square, radius, margin);
        L::any(hits).then(|| {
            let (zero, one) = (L::splat(0.0), L::splat(1.0));
            let inside = square.at_most(zero);
            let distance = square.sqrt();
            let outwards = across.scaled(one / distance);
            // Inside, out through the nearest face; y before x before z, as closed forms have it.
            let room =
                Vec3Lanes { x: half.x - point.x.abs(), y: half.y - point.y.abs(), z: half.z - point.z.abs() };
            let by_x = room.x.below(room.y);
            let least = L::select(by_x, room.x, room.y);
            let by_z = room.z.below(least);
            let least = L::select(by_z, room.z, least);
            let sign = |c: L| L::select(c.below(zero), -one, one);
            let through = Vec3Lanes {
                x: L::select(by_x & !by_z, sign(point.x), zero),
                y: L::select(!by_x & !by_z, sign(point.y), zero),
                z: L::select(by_z, sign(point.z), zero),
            };
            let core_distance = L::select(inside, -least, distance);
            let local = Vec3Lanes::select(inside, through, outwards);
            let normal = turns.rotate(local);
            Answer {
                hits,
                // Squares that underflow.
                unsure: hits & !inside & square.below(L::splat(f32::MIN_POSITIVE / f32::EPSILON)),
                separation: core_distance - radius,
                normal,
                arm_a: way - normal.scaled(core_distance),
                arm_b: -normal.scaled(radius),
            }
        })
    };
    run(pairs, hits, kernel, |pair, (i, j)| {
        let (i, j) = (i as usize, j as usize);
        let (turn, way) = (a.rotations[i], b.positions[j] - a.positions[i]);
        let place = Pose::at(turn.rotate_back(way));
        let cuboid = carom_geometry::shape::Cuboid { half: a.half[i] };
        let found = closed::cuboid_sphere(&cuboid, &Sphere { radius: b.radii[j] }, &place);
        (found.distance <= margin).then(|| Hit::new(pair, &found, turn, way))
    });
}

/// Appends those of many triangles that are at most `margin` from one sphere, all in one frame: [`Hit::pair`] is the number
/// of the triangle, the normal points from triangle to sphere, and the arms start at the centre of the sphere.
pub fn triangles_sphere<L: Lanes>(
    triangles: &[Triangle],
    centre: Vec3,
    radius: f32,
    margin: f32,
    hits: &mut Vec<Hit>,
) {
    let kernel = |lanes: &[Triangle]| {
        let centre = Vec3Lanes::<L>::splat(centre);
        let a = Vec3Lanes::gather(|k| lanes[k].a) - centre;
        let b = Vec3Lanes::gather(|k| lanes[k].b) - centre;
        let c = Vec3Lanes::gather(|k| lanes[k].c) - centre;
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let area = ab.cross(-ca);
        let zero = L::splat(0.0);
        let origin = Vec3Lanes::splat(Vec3::ZERO);
        // On which side of the sides the centre is; it is the origin.
        let beside = |from: Vec3Lanes<L>, side: Vec3Lanes<L>| zero.at_most(area.dot(from.cross(side)));
        let square_area = area.dot(area);
        let over_face = beside(a, ab) & beside(b, bc) & beside(c, ca) & zero.below(square_area);
        let foot = area.scaled(L::select(over_face, area.dot(a) / square_area, zero));
        let nearer = |p: Vec3Lanes<L>, q: Vec3Lanes<L>| Vec3Lanes::select(q.dot(q).below(p.dot(p)), q, p);
        let on_sides = nearer(nearer(nearest(a, b, origin), nearest(b, c, origin)), nearest(c, a, origin));
        let on_a = Vec3Lanes::select(over_face, foot, on_sides);
        let square = on_a.dot(on_a);
        let hits = within(square, L::splat(radius), margin);
        let sharp = square_area.at_most(L::splat(1.0 / 64.0) * ab.dot(ab) * ca.dot(ca));
        let size = largest(a).max(largest(b)).max(largest(c));
        let unsure = hits & (sharp | too_near(square, size));
        L::any(hits | unsure)
            .then(|| grown(hits, unsure, [on_a, origin], square, [zero, L::splat(radius)], origin))
    };
    run(triangles, hits, kernel, |pair, triangle| {
        let near = Triangle::new(triangle.a - centre, triangle.b - centre, triangle.c - centre);
        let found = closed::triangle_sphere(&near, &Sphere { radius }, &Pose::IDENTITY);
        (found.distance <= margin)
            .then(|| Hit::new(pair, &found, carom_geometry::Rotation::IDENTITY, Vec3::ZERO))
    });
}
