//! When a manifold may be recycled instead of rebuilt.
//!
//! Most contacts in a resting scene hardly move between steps. A [`PoseRecord`] remembers how the
//! second shape lay to the first when the manifold was made. While no point of the second shape has
//! moved farther than a tolerance since, in the frame of the first,
//! [`Manifold::refresh`](super::Manifold::refresh) is enough: separations are measured again along
//! the old normal between the old points. The measure is a bound on the motion of every point of
//! the shape, from its extent, so that one distance serves as the knob for pebbles and for ships.
//!
//! What it costs in accuracy: names and number of points stay as they were, and the separation at a
//! kept point is that of two material points instead of two surfaces, wrong by less than the motion
//! times the angle between them: second order in the motion for shapes with flat faces, first order
//! in the tolerance at most.
//!
//! The idea of recycled contacts is Box3D's (E. Catto), the gating by extents as well; the bound
//! from the chord instead of angles is ours.

use carom_geometry::{Pose, Real};

/// How the second shape lay to the first at the last full update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseRecord {
    pose: Pose,
}

carom_geometry::stored!(PoseRecord { pose: Pose });

impl PoseRecord {
    /// To be stored when a manifold has been made.
    #[inline]
    #[must_use]
    pub fn new(pose: &Pose) -> Self {
        Self { pose: *pose }
    }

    /// No point of the second shape has moved farther than this in the frame of the first; `extent`
    /// is the largest distance of a point of the second shape from its origin.
    ///
    /// The manifold may be recycled while this is at most a tolerance. The smaller of the two
    /// shapes should be the second: a long chord of a large one fails early. The speculative
    /// distance is the largest tolerance that is safe for separated pairs, which could meet
    /// otherwise unseen; touching pairs stand more, as their points are followed.
    ///
    /// The translation plus the chord that a point at the extent has turned through: exact if the
    /// two are parallel.
    #[inline]
    #[must_use]
    pub fn motion(&self, pose: &Pose, extent: f32) -> f32 {
        let moved = (pose.translation - self.pose.translation).length();
        let rotated = pose.rotation * self.pose.rotation.inverse();
        // The chord of the angle φ on a circle of radius 1 is 2 sin(φ/2), which the quaternion
        // holds.
        moved + 2.0 * Real::sqrt(rotated.xyz.length_squared()) * extent
    }
}
