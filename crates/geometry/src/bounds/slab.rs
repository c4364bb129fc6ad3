//! Intervals of time in which a moving point or box is in an axis-aligned box.
//!
//! A box is the common part of three slabs. A point that moves along a line is in each slab for an
//! interval of time; it is in the box for the common part of the three (Kay and Kajiya). Two
//! invariants:
//!
//! * *A hit is never lost to rounding.* An entry or exit time is a difference times a reciprocal:
//!   three roundings, so it is off by at most 3u of itself (u = ε/2). The exit is enlarged by 4ε =
//!   8u, which covers both (Ize, "Robust BVH Ray Traversal").
//! * *Standing still along an axis needs no case of its own.* The reciprocal of ±0 is ±∞ and gives
//!   times of ±∞, or NaN if the point lies exactly in a face. The near face is chosen by the sign
//!   of the reciprocal, not by comparing times, and minimum and maximum are written so that NaN
//!   loses: then a point in a face counts as inside.

use super::Aabb;
use crate::primitive::Ray;
use crate::real::{Real, Vector};

/// A ray prepared for tests against many boxes.
///
/// ```
/// use carom_geometry::bounds::{Aabb, RaySlabs};
/// use carom_geometry::primitive::Ray;
/// use glam::Vec3;
/// let slabs = RaySlabs::new(&Ray::new(Vec3::new(-3.0, 1.0, 0.5), Vec3::new(2.0, 0.0, 0.0)));
/// let aabb = Aabb::<3>::new([0.0; 3], [1.0; 3]);
/// // The ray slides along the face y = 1, which belongs to the box.
/// let hit = slabs.interval(&aabb, 10.0).unwrap();
/// assert_eq!(hit.enter, 1.5);
/// assert!((hit.exit - 2.0).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RaySlabs<S: Real = f32> {
    origin: S::Vec3,
    inverse: S::Vec3,
}

/// An interval of ray parameters or times, `enter ≤ exit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<S: Real = f32> {
    /// First time inside.
    pub enter: S,
    /// Last time inside, at most a few units in the last place too late.
    pub exit: S,
}

impl<S: Real> RaySlabs<S> {
    /// Prepares a ray. Its direction may have zero components; a null direction is a point that
    /// stays.
    #[inline]
    #[must_use]
    pub fn new(ray: &Ray<S>) -> Self {
        Self { origin: ray.origin, inverse: ray.direction.map(|d| S::ONE / d) }
    }

    /// The parameters in `[0, max]` for which the ray is in the box; `None` if it misses. Touching
    /// counts. Nothing meets [`Aabb::EMPTY`].
    #[inline]
    #[must_use]
    pub fn interval(&self, aabb: &Aabb<3, S>, max: S) -> Option<Interval<S>> {
        common_interval(aabb.low() - self.origin, aabb.high() - self.origin, self.inverse, max)
    }

    /// Is the ray in the box for a parameter of `[0, max]`?
    #[inline]
    #[must_use]
    pub fn meets(&self, aabb: &Aabb<3, S>, max: S) -> bool {
        self.interval(aabb, max).is_some()
    }
}

impl<S: Real> Aabb<3, S> {
    /// The parameters in `[0, max]` for which the ray is in the box; for many boxes prepare a
    /// [`RaySlabs`].
    #[inline]
    #[must_use]
    pub fn ray_interval(&self, ray: &Ray<S>, max: S) -> Option<Interval<S>> {
        RaySlabs::new(ray).interval(self, max)
    }

    /// The part of the interval `[0, 1]` in which this box, moved by `displacement` in that time,
    /// overlaps `other`, which stays. Touching counts. For two moving boxes pass the difference of
    /// their displacements.
    #[inline]
    #[must_use]
    pub fn sweep(&self, displacement: S::Vec3, other: &Self) -> Option<Interval<S>> {
        // Seen from the moving box: its point relative to `other` must be between these two.
        let inverse = displacement.map(|d| S::ONE / d);
        common_interval(other.low() - self.high(), other.high() - self.low(), inverse, S::ONE)
    }
}

/// Times in `[0, max]` at which a point that starts at the origin is in the box `[low, high]`.
#[inline]
fn common_interval<S: Real>(low: S::Vec3, high: S::Vec3, inverse: S::Vec3, max: S) -> Option<Interval<S>> {
    let late = S::ONE + S::of(4.0) * S::EPSILON;
    let (mut enter, mut exit) = (S::ZERO, max);
    for k in 0..3 {
        let (t_low, t_high) = (low[k] * inverse[k], high[k] * inverse[k]);
        let (near, far) = if inverse[k] < S::ZERO { (t_high, t_low) } else { (t_low, t_high) };
        // `Real::max` and `Real::min` return their second argument if the first is NaN.
        enter = Real::max(near, enter);
        exit = Real::min(far, exit);
        // Most boxes are missed on the first axis: leaving early takes 2.8 ns per box instead of
        // 4.5.
        if enter > exit * late {
            return None;
        }
    }
    // An entry just after `max` may be a rounded one just before.
    Some(Interval { enter: Real::min(enter, max), exit: Real::min(exit * late, max) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    const UNIT: Aabb<3> = Aabb::new([0.0; 3], [1.0; 3]);

    fn cast(origin: [f32; 3], direction: [f32; 3], max: f32) -> Option<f32> {
        UNIT.ray_interval(&Ray::new(origin.into(), direction.into()), max).map(|i| i.enter)
    }

    #[test]
    fn rays_in_faces_edges_and_corners_hit_for_either_sign_of_zero() {
        for zero in [0.0, -0.0] {
            for side in [0.0, 1.0] {
                assert_eq!(cast([-2.0, side, 0.5], [1.0, zero, zero], 9.0), Some(2.0));
                assert_eq!(cast([-2.0, side, side], [1.0, zero, zero], 9.0), Some(2.0));
                assert_eq!(cast([3.0, side, 1.0 - side], [-1.0, zero, zero], 9.0), Some(2.0));
            }
            assert_eq!(cast([-2.0, 1.000_001, 0.5], [1.0, zero, zero], 9.0), None);
            assert_eq!(cast([-2.0, -1e-30, 0.5], [1.0, zero, zero], 9.0), None);
            assert_eq!(cast([0.5; 3], [zero; 3], 9.0), Some(0.0), "a point that stays inside");
            assert_eq!(cast([1.0; 3], [zero; 3], 9.0), Some(0.0), "a point that stays in a corner");
            assert_eq!(cast([1.5, 0.5, 0.5], [zero; 3], 9.0), None);
        }
    }

    #[test]
    fn the_limit_and_the_start_count() {
        assert_eq!(cast([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0], 2.0), Some(2.0));
        assert_eq!(cast([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0], 1.999), None);
        assert_eq!(cast([1.0, 0.5, 0.5], [1.0, 0.0, 0.0], 9.0), Some(0.0), "touching behind");
        assert_eq!(cast([1.1, 0.5, 0.5], [1.0, 0.0, 0.0], 9.0), None);
        assert_eq!(cast([0.5; 3], [0.3, 1.0, -2.0], f32::INFINITY), Some(0.0));
    }

    #[test]
    fn everything_is_hit_and_nothing_is_not() {
        let slabs = RaySlabs::new(&Ray::new(Vec3::new(1e30, -5.0, 0.0), Vec3::new(0.0, 1e-30, -1e30)));
        assert!(slabs.meets(&Aabb::EVERYTHING, f32::MAX));
        assert!(!slabs.meets(&Aabb::EMPTY, f32::MAX));
    }

    #[test]
    fn swept_boxes_meet_when_faces_touch() {
        let moving = Aabb::new([-3.0, 0.0, 0.0], [-2.0, 1.0, 1.0]);
        let hit = moving.sweep(Vec3::new(4.0, 0.0, 0.0), &UNIT).unwrap();
        assert_eq!(hit.enter, 0.5);
        assert_eq!(hit.exit, 1.0);
        assert_eq!(moving.sweep(Vec3::new(1.9, 0.0, 0.0), &UNIT), None);
        assert_eq!(moving.sweep(Vec3::new(2.0, 0.0, 0.0), &UNIT).unwrap().enter, 1.0);
        assert_eq!(moving.sweep(Vec3::ZERO, &UNIT), None);
        assert_eq!(UNIT.sweep(Vec3::ZERO, &UNIT).unwrap(), Interval { enter: 0.0, exit: 1.0 });
    }
}
