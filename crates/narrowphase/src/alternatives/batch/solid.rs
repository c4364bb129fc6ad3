//! Batches of boxes and of triangles with spheres.

use carom_core::simd::{SimdFloat, SimdVec3};
use carom_geometry::Pose;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Sphere};
use glam::Vec3;

use super::round::{grown, nearest, within};
use super::{BatchHit, BatchLanes, Cuboids, RotationLanes, Spheres, largest, run, too_near};
use crate::analytic;

/// Appends the pairs of a box and a sphere that are at most `speculative_distance` apart; a pair is
/// an index into each table.
///
/// # Panics
/// If an index is outside of a column.
pub fn cuboid_sphere<L: SimdFloat>(
    a: &Cuboids<'_>,
    b: &Spheres<'_>,
    pairs: &[(u32, u32)],
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let kernel = |lanes: &[(u32, u32)]| {
        let (i, j) = (|k: usize| lanes[k].0 as usize, |k: usize| lanes[k].1 as usize);
        let way = SimdVec3::<L>::from_fn(|k| b.positions[j(k)]) - SimdVec3::from_fn(|k| a.positions[i(k)]);
        let radius = L::from_fn(|k| b.radii[j(k)]);
        let rotations = RotationLanes::gather(|k| a.rotations[i(k)]);
        let half = SimdVec3::<L>::from_fn(|k| a.half[i(k)]);
        near_boxes(way, rotations, half, radius, speculative_distance)
    };
    run(pairs, hits, kernel, |pair, (i, j)| {
        let (i, j) = (i as usize, j as usize);
        let pose = Pose::new(a.positions[i], a.rotations[i]);
        exact(a.half[i], &pose, b.positions[j], b.radii[j], pair, speculative_distance)
    });
}

/// Appends those of many spheres that are at most `speculative_distance` from one box or tile (a
/// box of height 0), as a floor or a wall has them round it: [`BatchHit::pair`] is the place in the
/// list of spheres. Half of the time of pairs, as only spheres are gathered.
///
/// ```
/// use carom_geometry::Pose;
/// use carom_narrowphase::alternatives::batch::{Spheres, cuboid_spheres};
/// use carom_core::simd::f32x4;
/// use glam::Vec3;
/// let balls = Spheres { positions: &[Vec3::Y, Vec3::new(0.0, 0.4, 3.0)], radii: &[0.5, 0.5] };
/// let (floor, mut hits) = (Vec3::new(10.0, 0.0, 10.0), Vec::new());
/// cuboid_spheres::<f32x4>(floor, &Pose::IDENTITY, &balls, &[0, 1], 0.02, &mut hits);
/// assert_eq!((hits.len(), hits[0].pair, hits[0].normal), (1, 1, Vec3::Y));
/// ```
///
/// # Panics
/// If an index is outside of a column.
pub fn cuboid_spheres<L: SimdFloat>(
    half: Vec3,
    pose: &Pose,
    spheres: &Spheres<'_>,
    list: &[u32],
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let (from, sides) = (SimdVec3::<L>::splat(pose.translation), SimdVec3::splat(half));
    let rotations = Columns(pose.rotation.to_matrix().columns.map(SimdVec3::splat));
    let kernel = |lanes: &[u32]| {
        let way = SimdVec3::from_fn(|k| spheres.positions[lanes[k] as usize]) - from;
        let radius = L::from_fn(|k| spheres.radii[lanes[k] as usize]);
        near_boxes(way, rotations, sides, radius, speculative_distance)
    };
    run(list, hits, kernel, |pair, j| {
        let j = j as usize;
        exact(half, pose, spheres.positions[j], spheres.radii[j], pair, speculative_distance)
    });
}

/// Into the directions of the world and back.
trait Turning<L: SimdFloat>: Copy {
    fn rotate(self, v: SimdVec3<L>) -> SimdVec3<L>;
    fn rotate_back(self, v: SimdVec3<L>) -> SimdVec3<L>;
}

impl<L: SimdFloat> Turning<L> for RotationLanes<L> {
    #[inline]
    fn rotate(self, v: SimdVec3<L>) -> SimdVec3<L> {
        self.rotate(v)
    }

    #[inline]
    fn rotate_back(self, v: SimdVec3<L>) -> SimdVec3<L> {
        self.rotate_back(v)
    }
}

/// One rotation as a matrix, which is made once.
#[derive(Clone, Copy)]
struct Columns<L>([SimdVec3<L>; 3]);

impl<L: SimdFloat> Turning<L> for Columns<L> {
    #[inline]
    fn rotate(self, v: SimdVec3<L>) -> SimdVec3<L> {
        let Self([x, y, z]) = self;
        x.scaled(v.x) + y.scaled(v.y) + z.scaled(v.z)
    }

    #[inline]
    fn rotate_back(self, v: SimdVec3<L>) -> SimdVec3<L> {
        let Self([x, y, z]) = self;
        SimdVec3 { x: x.dot(v), y: y.dot(v), z: z.dot(v) }
    }
}

/// Boxes and spheres in lanes: `way` leads from box to sphere.
#[inline]
fn near_boxes<L: SimdFloat>(
    way: SimdVec3<L>,
    rotations: impl Turning<L>,
    half: SimdVec3<L>,
    radius: L,
    speculative_distance: f32,
) -> Option<BatchLanes<L>> {
    let point = rotations.rotate_back(way);
    let on_box = SimdVec3 {
        x: point.x.clamp(-half.x, half.x),
        y: point.y.clamp(-half.y, half.y),
        z: point.z.clamp(-half.z, half.z),
    };
    let across = point - on_box;
    let square = across.dot(across);
    let hits = within(square, radius, speculative_distance);
    L::any(hits).then(|| {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let inside = square.at_most(zero);
        let distance = square.sqrt();
        let outwards = across.scaled(one / distance);
        // Inside, out through the nearest face; y before x before z, as closed forms have it.
        let room =
            SimdVec3 { x: half.x - point.x.abs(), y: half.y - point.y.abs(), z: half.z - point.z.abs() };
        let by_x = room.x.below(room.y);
        let least = L::select(by_x, room.x, room.y);
        let by_z = room.z.below(least);
        let least = L::select(by_z, room.z, least);
        let sign = |c: L| L::select(c.below(zero), -one, one);
        let through = SimdVec3 {
            x: L::select(by_x & !by_z, sign(point.x), zero),
            y: L::select(!by_x & !by_z, sign(point.y), zero),
            z: L::select(by_z, sign(point.z), zero),
        };
        let core_distance = L::select(inside, -least, distance);
        let local = SimdVec3::select(inside, through, outwards);
        let normal = rotations.rotate(local);
        BatchLanes {
            hits,
            // Squares that underflow.
            unsure: hits & !inside & square.below(L::splat(f32::MIN_POSITIVE / f32::EPSILON)),
            separation: core_distance - radius,
            normal,
            arm_a: way - normal.scaled(core_distance),
            arm_b: -normal.scaled(radius),
        }
    })
}

/// One pair by the formula for all cases; `pose` is that of the box.
fn exact(
    half: Vec3,
    pose: &Pose,
    centre: Vec3,
    radius: f32,
    pair: u32,
    speculative_distance: f32,
) -> Option<BatchHit> {
    let (rotation, way) = (pose.rotation, centre - pose.translation);
    let at = Pose::at(rotation.rotate_back(way));
    let found = analytic::cuboid_sphere(&Cuboid { half }, &Sphere { radius }, &at);
    (found.distance <= speculative_distance).then(|| BatchHit::new(pair, &found, rotation, way))
}

/// Appends those of many triangles that are at most `speculative_distance` from one sphere, all in
/// one frame: [`BatchHit::pair`] is the number of the triangle, the normal points from triangle to
/// sphere, and the arms start at the centre of the sphere.
pub fn triangles_sphere<L: SimdFloat>(
    triangles: &[Triangle],
    centre: Vec3,
    radius: f32,
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let kernel = |lanes: &[Triangle]| {
        let centre = SimdVec3::<L>::splat(centre);
        let a = SimdVec3::from_fn(|k| lanes[k].a) - centre;
        let b = SimdVec3::from_fn(|k| lanes[k].b) - centre;
        let c = SimdVec3::from_fn(|k| lanes[k].c) - centre;
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let area = ab.cross(-ca);
        let zero = L::splat(0.0);
        let origin = SimdVec3::splat(Vec3::ZERO);
        // On which side of the sides the centre is; it is the origin.
        let beside = |from: SimdVec3<L>, side: SimdVec3<L>| zero.at_most(area.dot(from.cross(side)));
        let square_area = area.dot(area);
        let over_face = beside(a, ab) & beside(b, bc) & beside(c, ca) & zero.below(square_area);
        let foot = area.scaled(L::select(over_face, area.dot(a) / square_area, zero));
        let nearer = |p: SimdVec3<L>, q: SimdVec3<L>| SimdVec3::select(q.dot(q).below(p.dot(p)), q, p);
        let on_sides = nearer(nearer(nearest(a, b, origin), nearest(b, c, origin)), nearest(c, a, origin));
        let on_a = SimdVec3::select(over_face, foot, on_sides);
        let square = on_a.dot(on_a);
        let hits = within(square, L::splat(radius), speculative_distance);
        let sharp = square_area.at_most(L::splat(1.0 / 64.0) * ab.dot(ab) * ca.dot(ca));
        let size = largest(a).max(largest(b)).max(largest(c));
        let unsure = hits & (sharp | too_near(square, size));
        L::any(hits | unsure)
            .then(|| grown(hits, unsure, [on_a, origin], square, [zero, L::splat(radius)], origin))
    };
    run(triangles, hits, kernel, |pair, triangle| {
        let near = Triangle::new(triangle.a - centre, triangle.b - centre, triangle.c - centre);
        let found = analytic::triangle_sphere(&near, &Sphere { radius }, &Pose::IDENTITY);
        (found.distance <= speculative_distance)
            .then(|| BatchHit::new(pair, &found, carom_geometry::Rotation::IDENTITY, Vec3::ZERO))
    });
}
