//! The half-space with everything that has a support function: the lowest point decides.

use carom_geometry::shape::{Capsule, HalfSpace, Sphere, Support};
use carom_geometry::{Pose, Real, Vector};

use super::cores::up;
use crate::proximity::Proximity;

/// The half-space and the point of the second set that is lowest over it, in the frame of the
/// half-space.
#[inline]
fn above_lowest<S: Real>(lowest: S::Vec3) -> Proximity<S> {
    let on_a = S::Vec3::new(lowest.x(), S::ZERO, lowest.z());
    Proximity { distance: lowest.y(), normal: up::<S>(), on_a, on_b: lowest }
}

/// The direction down in the frame of the second set.
#[inline]
fn down<S: Real>(pose: &Pose<S>) -> S::Vec3 {
    -pose.rotation.rotate_back(up::<S>())
}

/// A half-space and any bounded convex set.
#[inline]
#[must_use]
pub fn half_space_support<S: Real>(
    _: &HalfSpace,
    b: &(impl Support<S> + ?Sized),
    pose: &Pose<S>,
) -> Proximity<S> {
    above_lowest(pose.apply(b.support(down(pose))))
}

/// A half-space and a sphere.
#[inline]
#[must_use]
pub fn half_space_sphere<S: Real>(_: &HalfSpace, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    above_lowest::<S>(pose.translation).grown(S::ZERO, b.radius)
}

/// A half-space and a capsule.
#[inline]
#[must_use]
pub fn half_space_capsule<S: Real>(_: &HalfSpace, b: &Capsule<S>, pose: &Pose<S>) -> Proximity<S> {
    let segment = b.segment.posed(pose);
    let lowest = if segment.b.y() < segment.a.y() { segment.b } else { segment.a };
    above_lowest::<S>(lowest).grown(S::ZERO, b.radius)
}
