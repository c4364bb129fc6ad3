//! The answer of every distance query.

use carom_geometry::{Pose, Real, Vector};

/// How two convex sets lie to each other: the shortest way between them, or the shortest way out of
/// each other.
///
/// All vectors are in the frame of the first set. Up to rounding `on_b − on_a = distance · normal`:
/// moving the second set by `−distance · normal` makes the two just touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity<S: Real = f32> {
    /// From set to set; below zero if they overlap, and then minus the depth.
    pub distance: S,
    /// Unit vector from the first set to the second; also where the distance is zero.
    pub normal: S::Vec3,
    /// The point of the first set.
    pub on_a: S::Vec3,
    /// The point of the second set.
    pub on_b: S::Vec3,
}

impl<S: Real> Proximity<S> {
    /// From the two cores of rounded sets to the sets themselves.
    #[inline]
    #[must_use]
    pub fn grown(&self, radius_a: S, radius_b: S) -> Self {
        Self {
            distance: self.distance - radius_a - radius_b,
            normal: self.normal,
            on_a: self.on_a + self.normal * radius_a,
            on_b: self.on_b - self.normal * radius_b,
        }
    }

    /// The same answer with the sets exchanged: `pose` is the pose of the second in the frame of
    /// the first, and the answer is in the frame of the second.
    #[inline]
    #[must_use]
    pub fn swapped(&self, pose: &Pose<S>) -> Self {
        Self {
            distance: self.distance,
            normal: -pose.rotation.rotate_back(self.normal),
            on_a: pose.undo(self.on_b),
            on_b: pose.undo(self.on_a),
        }
    }

    /// The same answer in the frame that `pose` places the first set in.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self {
            distance: self.distance,
            normal: pose.rotation.rotate(self.normal),
            on_a: pose.apply(self.on_a),
            on_b: pose.apply(self.on_b),
        }
    }

    /// Half-way between the two points.
    #[inline]
    #[must_use]
    pub fn midpoint(&self) -> S::Vec3 {
        (self.on_a + self.on_b) * S::HALF
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.distance.is_finite() && self.normal.is_finite() && self.on_a.is_finite() && self.on_b.is_finite()
    }
}
