//! Batches of spheres and capsules.

use carom_core::simd::{SimdFloat, SimdVec3};
use carom_geometry::Rotation;
use carom_geometry::shape::Sphere;

use super::{BatchHit, BatchLanes, Capsules, RotationLanes, Spheres, largest, relative, run, too_near};
use crate::analytic;

/// Appends the pairs of spheres that are at most `speculative_distance` apart; a pair is an index
/// into each table.
///
/// # Panics
/// If an index is outside of a column.
pub fn sphere_sphere<L: SimdFloat>(
    a: &Spheres<'_>,
    b: &Spheres<'_>,
    pairs: &[(u32, u32)],
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let kernel = |lanes: &[(u32, u32)]| {
        let (i, j) = (|k: usize| lanes[k].0 as usize, |k: usize| lanes[k].1 as usize);
        let way = SimdVec3::<L>::from_fn(|k| b.positions[j(k)]) - SimdVec3::from_fn(|k| a.positions[i(k)]);
        let (radius_a, radius_b) = (L::from_fn(|k| a.radii[i(k)]), L::from_fn(|k| b.radii[j(k)]));
        let square = way.dot(way);
        let hits = within(square, radius_a + radius_b, speculative_distance);
        L::any(hits).then(|| {
            // The way is a difference of two given points: only its absence is not to be trusted.
            let unsure = square.at_most(L::splat(f32::MIN_POSITIVE / f32::EPSILON));
            grown(hits, unsure, [SimdVec3::splat(glam::Vec3::ZERO), way], square, [radius_a, radius_b], way)
        })
    };
    run(pairs, hits, kernel, |pair, (i, j)| {
        let (i, j) = (i as usize, j as usize);
        let way = b.positions[j] - a.positions[i];
        let pose = relative(Rotation::IDENTITY, way, Rotation::IDENTITY);
        let (first, second) = (Sphere { radius: a.radii[i] }, Sphere { radius: b.radii[j] });
        let found = analytic::sphere_sphere(&first, &second, &pose);
        (found.distance <= speculative_distance).then(|| BatchHit::new(pair, &found, Rotation::IDENTITY, way))
    });
}

/// Appends the pairs of a capsule and a sphere that are at most `speculative_distance` apart.
///
/// # Panics
/// If an index is outside of a column.
pub fn capsule_sphere<L: SimdFloat>(
    a: &Capsules<'_>,
    b: &Spheres<'_>,
    pairs: &[(u32, u32)],
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let kernel = |lanes: &[(u32, u32)]| {
        let (i, j) = (|k: usize| lanes[k].0 as usize, |k: usize| lanes[k].1 as usize);
        let way = SimdVec3::<L>::from_fn(|k| b.positions[j(k)]) - SimdVec3::from_fn(|k| a.positions[i(k)]);
        let radii = [L::from_fn(|k| a.capsules[i(k)].radius), L::from_fn(|k| b.radii[j(k)])];
        let [start, end] = axis::<L>(a, i);
        let on_axis = nearest(start, end, way);
        let across = way - on_axis;
        let square = across.dot(across);
        let unsure = too_near(square, largest(start).max(largest(end)));
        let hits = within(square, radii[0] + radii[1], speculative_distance);
        L::any(hits).then(|| grown(hits, unsure & hits, [on_axis, way], square, radii, way))
    };
    run(pairs, hits, kernel, |pair, (i, j)| {
        let (i, j) = (i as usize, j as usize);
        let (rotation, way) = (a.rotations[i], b.positions[j] - a.positions[i]);
        let pose = relative(rotation, way, Rotation::IDENTITY);
        let found = analytic::capsule_sphere(&a.capsules[i], &Sphere { radius: b.radii[j] }, &pose);
        (found.distance <= speculative_distance).then(|| BatchHit::new(pair, &found, rotation, way))
    });
}

/// Appends the pairs of capsules that are at most `speculative_distance` apart.
///
/// # Panics
/// If an index is outside of a column.
pub fn capsule_capsule<L: SimdFloat>(
    a: &Capsules<'_>,
    b: &Capsules<'_>,
    pairs: &[(u32, u32)],
    speculative_distance: f32,
    hits: &mut Vec<BatchHit>,
) {
    let kernel = |lanes: &[(u32, u32)]| {
        let (i, j) = (|k: usize| lanes[k].0 as usize, |k: usize| lanes[k].1 as usize);
        let way = SimdVec3::<L>::from_fn(|k| b.positions[j(k)]) - SimdVec3::from_fn(|k| a.positions[i(k)]);
        let radii = [L::from_fn(|k| a.capsules[i(k)].radius), L::from_fn(|k| b.capsules[j(k)].radius)];
        let ([p, p_end], [q, q_end]) = (axis::<L>(a, i), axis::<L>(b, j));
        let (q, q_end) = (q + way, q_end + way);
        let (d, e, r) = (p_end - p, q_end - q, p - q);
        let (dd, ee, de) = (d.dot(d), e.dot(e), d.dot(e));
        let (dr, er) = (d.dot(r), e.dot(r));
        let scale = dd * ee;
        let determinant = scale - de * de;
        // At an angle, and neither of them a point; the others are marked.
        let ordinary = (L::splat(1.0 / 16.0) * scale).below(determinant)
            & L::splat(f32::MIN_POSITIVE / f32::EPSILON).below(scale);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let divide = |x: L, y: L| L::select(ordinary, x / y, zero);
        let s = divide(de * er - dr * ee, determinant).clamp(zero, one);
        let t = divide(de * s + er, ee).clamp(zero, one);
        let s = divide(de * t - dr, dd).clamp(zero, one);
        let (on_a, on_b) = (p + d.scaled(s), q + e.scaled(t));
        let across = on_b - on_a;
        let square = across.dot(across);
        let size = largest(p).max(largest(p_end)) + largest(q).max(largest(q_end));
        // The distance of balls round both is below that of the axes: marked pairs far apart need
        // no second look.
        let close = within(square, radii[0] + radii[1], speculative_distance);
        let middle = (q + q_end - p - p_end).scaled(L::splat(0.5));
        let reach = (dd.sqrt() + ee.sqrt()) * L::splat(0.5) + radii[0] + radii[1];
        let unsure = !ordinary & within(middle.dot(middle), reach, speculative_distance)
            | ordinary & close & too_near(square, size);
        let hits = close & ordinary;
        L::any(hits | unsure).then(|| grown(hits, unsure, [on_a, on_b], square, radii, way))
    };
    run(pairs, hits, kernel, |pair, (i, j)| {
        let (i, j) = (i as usize, j as usize);
        let (rotation, way) = (a.rotations[i], b.positions[j] - a.positions[i]);
        let pose = relative(rotation, way, b.rotations[j]);
        let found = analytic::capsule_capsule(&a.capsules[i], &b.capsules[j], &pose);
        (found.distance <= speculative_distance).then(|| BatchHit::new(pair, &found, rotation, way))
    });
}

/// The ends of the axes of capsules, relative to their positions, in the directions of the world.
#[inline]
fn axis<L: SimdFloat>(capsules: &Capsules<'_>, index: impl Fn(usize) -> usize) -> [SimdVec3<L>; 2] {
    let rotations = RotationLanes::gather(|k| capsules.rotations[index(k)]);
    let start = SimdVec3::from_fn(|k| capsules.capsules[index(k)].segment.a);
    let end = SimdVec3::from_fn(|k| capsules.capsules[index(k)].segment.b);
    [rotations.rotate(start), rotations.rotate(end)]
}

/// The points of segments nearest to points; the ends are hit exactly.
#[inline]
pub(super) fn nearest<L: SimdFloat>(start: SimdVec3<L>, end: SimdVec3<L>, point: SimdVec3<L>) -> SimdVec3<L> {
    let along = end - start;
    let square = along.dot(along);
    let has_length = L::splat(f32::MIN_POSITIVE / f32::EPSILON).below(square);
    let t = L::select(has_length, along.dot(point - start) / square, L::splat(0.0));
    let t = t.clamp(L::splat(0.0), L::splat(1.0));
    start.scaled(L::splat(1.0) - t) + end.scaled(t)
}

/// Is the root of the square at most `reach + speculative_distance`? Without a root.
#[inline]
pub(super) fn within<L: SimdFloat>(square: L, reach: L, speculative_distance: f32) -> L::Mask {
    let limit = reach + L::splat(speculative_distance);
    square.at_most(limit * limit) & L::splat(0.0).at_most(limit)
}

/// The answer of nearest points of two cores, relative to the position of the first, and their
/// radii.
#[inline]
pub(super) fn grown<L: SimdFloat>(
    hits: L::Mask,
    unsure: L::Mask,
    [on_a, on_b]: [SimdVec3<L>; 2],
    square: L,
    [radius_a, radius_b]: [L; 2],
    way: SimdVec3<L>,
) -> BatchLanes<L> {
    let distance = square.sqrt();
    let normal = (on_b - on_a).scaled(L::splat(1.0) / distance);
    BatchLanes {
        hits,
        unsure,
        separation: distance - radius_a - radius_b,
        normal,
        arm_a: on_a + normal.scaled(radius_a),
        arm_b: on_b - normal.scaled(radius_b) - way,
    }
}
