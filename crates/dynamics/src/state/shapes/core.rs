//! A segment with a rounding around every shape: enough to know that two shapes are apart without
//! looking at them. Balls and capsules are their own cores.

use carom_geometry::{Pose, Shape};
use glam::Vec3;

use super::ShapeRow;
use crate::state::motion::Motion;

/// What contains a shape, in the frame of its body: 32 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeCore {
    /// Middle of the segment.
    centre: Vec3,
    /// Distance from the segment within which the whole shape is; infinite for half-spaces.
    radius: f32,
    /// From the middle to an end.
    half_axis: Vec3,
    /// Farthest point from the middle.
    reach: f32,
}

/// Share of the reaches by which rounding may make a distance too large.
const ROUNDING: f32 = 1e-5;

impl ShapeCore {
    /// Of no shape.
    pub(super) const NONE: Self =
        Self { centre: Vec3::ZERO, radius: f32::INFINITY, half_axis: Vec3::ZERO, reach: f32::INFINITY };

    pub(super) fn of(row: &ShapeRow) -> Self {
        let (centre, half_axis, radius) = match &row.shape {
            Shape::Capsule(capsule) => {
                let (a, b) = (capsule.segment.a, capsule.segment.b);
                ((a + b) * 0.5, (b - a) * 0.5, capsule.radius)
            }
            _ => along_longest(row.centre, row.half, row.radius),
        };
        let Pose { translation, rotation } = row.local_pose;
        let reach = half_axis.length() + radius;
        if !reach.is_finite() {
            return Self::NONE;
        }
        Self {
            centre: translation + rotation.rotate(centre),
            radius,
            half_axis: rotation.rotate(half_axis),
            reach,
        }
    }

    /// From the middle of one shape to that of another.
    #[inline]
    fn between(a: &Self, on_a: &Motion, b: &Self, on_b: &Motion) -> Vec3 {
        let mut between = (on_b.position - on_a.position).as_vec3();
        if b.centre != Vec3::ZERO {
            between += on_b.rotation.rotate(b.centre);
        }
        if a.centre != Vec3::ZERO {
            between -= on_a.rotation.rotate(a.centre);
        }
        between
    }

    /// How far two shapes are apart at least while their bodies move on for a time as they do: what
    /// passes by fast is never near. Knows only the balls round their middles.
    #[inline]
    pub(crate) fn gap_in_passing(a: &Self, on_a: &Motion, b: &Self, on_b: &Motion, time: f32) -> f32 {
        let between = Self::between(a, on_a, b, on_b);
        let turning = |core: &Self, on: &Motion| match core.centre == Vec3::ZERO {
            true => 0.0,
            false => core.centre.length() * on.angular_velocity.length() * time,
        };
        let gap = least_distance(between, (on_b.velocity - on_a.velocity) * time);
        let rounding = ROUNDING * (a.reach + b.reach + between.abs().max_element());
        gap - a.reach - b.reach - turning(a, on_a) - turning(b, on_b) - rounding
    }

    /// How far two shapes are apart at least; below zero if nothing is known. Only if they are not
    /// farther apart than `enough` is it worth while to look closely.
    #[inline]
    pub(crate) fn gap(a: &Self, on_a: &Motion, b: &Self, on_b: &Motion, enough: f32) -> f32 {
        let between = Self::between(a, on_a, b, on_b);
        let rounding = ROUNDING * (a.reach + b.reach + between.abs().max_element());
        let outside = between.length() - a.reach - b.reach - rounding;
        if outside > enough || a.half_axis == Vec3::ZERO && b.half_axis == Vec3::ZERO {
            return outside;
        }
        let distance = apart(on_a.rotation.rotate(a.half_axis), on_b.rotation.rotate(b.half_axis), between);
        distance - a.radius - b.radius - rounding
    }
}

/// Distance of the origin from a segment, given by its begin and the way to its end.
#[inline]
pub(crate) fn least_distance(begin: Vec3, way: Vec3) -> f32 {
    let square = way.length_squared();
    let t = if square > 0.0 { (-begin.dot(way) / square).clamp(0.0, 1.0) } else { 0.0 };
    (begin + way * t).length()
}

/// A segment along the longest side of a box, and the rounding that covers the rest of it.
fn along_longest(centre: Vec3, half: Vec3, radius: f32) -> (Vec3, Vec3, f32) {
    let axis = half.max_position();
    let mut across = half;
    across[axis] = 0.0;
    (centre, half - across, across.length() + radius)
}

/// Square of the sine below which segments count as parallel: rounding would decide where on them
/// their closest points are.
const PARALLEL: f32 = 1e-3;

/// How far two segments are apart at least, given by their half axes and what is between their
/// middles. Exact but for segments that are nearly parallel.
#[inline]
fn apart(u: Vec3, v: Vec3, between: Vec3) -> f32 {
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let square = uu * vv - uv * uv;
    if square > PARALLEL * uu * vv {
        let s = (u.dot(between) * vv - uv * v.dot(between)) / square;
        return nearest(u, v, between, s.clamp(-1.0, 1.0));
    }
    // As if they were parallel; the ends of the second one are off by what is left out.
    let along = if uu > 0.0 { u * (uv / uu) } else { v };
    nearest(u, along, between, 0.0) - (v - along).length()
}

/// Distance from the point of the second segment that is nearest to `s` of the first one to the
/// whole first one.
#[inline]
fn nearest(u: Vec3, v: Vec3, between: Vec3, s: f32) -> f32 {
    let share = |numerator: f32, denominator: f32| {
        if denominator > 0.0 { (numerator / denominator).clamp(-1.0, 1.0) } else { 0.0 }
    };
    let t = share(u.dot(v) * s - v.dot(between), v.dot(v));
    let s = share(u.dot(v) * t + u.dot(between), u.dot(u));
    (between + v * t - u * s).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_segments_are_those_of_their_nearest_points() {
        let number = |seed: &mut u64| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let mut seed = 7;
        let mut vector = |scale: f32| Vec3::from_array(std::array::from_fn(|_| scale * number(&mut seed)));
        for round in 0..2000 {
            let (u, between) = (vector(1.0), vector(2.0));
            let v = match round % 4 {
                0 => u * 0.7,
                1 => u + vector(1e-4),
                2 => Vec3::ZERO,
                _ => vector(1.0),
            };
            let mut nearest = f32::INFINITY;
            for i in -40..=40i8 {
                // For one point of a segment the nearest of the other is known.
                let s = f32::from(i) / 40.0;
                let from = between - u * s;
                let t = if v == Vec3::ZERO { 0.0 } else { (-from.dot(v) / v.dot(v)).clamp(-1.0, 1.0) };
                nearest = nearest.min((from + v * t).length());
            }
            let found = apart(u, v, between);
            assert!(found <= nearest + 1e-5, "{found} is more than {nearest}: {u} {v} {between}");
            // Points of the first segment lie at most so far from one that was tried; of segments
            // that are nearly parallel less is known.
            let unknown = u.length() / 40.0 + v.length() * PARALLEL.sqrt();
            assert!(found >= nearest - unknown - 1e-5, "{found} is less than {nearest}: {u} {v} {between}");
        }
    }
}
