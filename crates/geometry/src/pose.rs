//! Place and orientation of a body or shape.

use std::ops::Mul;

use crate::real::{Real, Vector};
use crate::rotation::Rotation;

/// A rotation followed by a translation: maps local coordinates to those of the surrounding frame.
///
/// ```
/// use carom_geometry::{Pose, Rotation};
/// use glam::Vec3;
/// let pose = Pose::new(Vec3::new(1.0, 0.0, 0.0), Rotation::about_axis(Vec3::Z, std::f32::consts::PI));
/// assert!((pose.apply(Vec3::X) - Vec3::ZERO).length() < 1e-6);
/// assert!((pose.undo(Vec3::ZERO) - Vec3::X).length() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S: Real = f32> {
    /// Where the local origin lies.
    pub translation: S::Vec3,
    /// Rotation of the local axes.
    pub rotation: Rotation<S>,
}

impl<S: Real> Default for Pose<S> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<S: Real> Pose<S> {
    /// The identity.
    pub const IDENTITY: Self = Self { translation: S::Vec3::ZERO, rotation: Rotation::IDENTITY };

    /// Pose of a place and an orientation.
    #[inline]
    #[must_use]
    pub fn new(translation: S::Vec3, rotation: Rotation<S>) -> Self {
        Self { translation, rotation }
    }

    /// At `translation` without rotation.
    #[inline]
    #[must_use]
    pub fn at<V>(translation: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { translation, rotation: Rotation::IDENTITY }
    }

    /// A local point in the surrounding frame.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: S::Vec3) -> S::Vec3 {
        self.translation + self.rotation.rotate(point)
    }

    /// A point of the surrounding frame in local coordinates.
    #[inline]
    #[must_use]
    pub fn undo(&self, point: S::Vec3) -> S::Vec3 {
        self.rotation.rotate_back(point - self.translation)
    }

    /// The pose that undoes this one.
    #[inline]
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self { translation: self.rotation.rotate_back(-self.translation), rotation: self.rotation.inverse() }
    }

    /// `other` as seen from this pose: `self⁻¹ · other`.
    #[inline]
    #[must_use]
    pub fn relative(&self, other: &Self) -> Self {
        Self { translation: self.undo(other.translation), rotation: self.rotation.inverse() * other.rotation }
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.xyz.is_finite() && self.rotation.w.is_finite()
    }

    /// The same pose in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Pose<T> {
        Pose { translation: self.translation.to::<T>(), rotation: self.rotation.to::<T>() }
    }
}

/// First the right pose, then the left one: the right one is given in the frame of the left.
impl<S: Real> Mul for Pose<S> {
    type Output = Self;

    #[inline]
    fn mul(self, child: Self) -> Self {
        Self { translation: self.apply(child.translation), rotation: self.rotation * child.rotation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn pose() -> impl Strategy<Value = Pose<f64>> {
        (prop::array::uniform3(-5.0f64..5.0), prop::array::uniform4(-1.0f64..1.0))
            .prop_filter_map("null quaternion", |(t, q)| Some(Pose::new(t.into(), Rotation::from_xyzw(q)?)))
    }

    proptest! {
        #[test]
        fn chains_and_inverses(a in pose(), b in pose(), p in prop::array::uniform3(-5.0f64..5.0)) {
            let p = DVec3::from(p);
            prop_assert!(((a * b).apply(p) - a.apply(b.apply(p))).length() < 1e-11);
            prop_assert!((a.undo(a.apply(p)) - p).length() < 1e-11);
            prop_assert!((a.inverse().apply(a.apply(p)) - p).length() < 1e-11);
            prop_assert!((a.apply(a.relative(&b).apply(p)) - b.apply(p)).length() < 1e-11);
        }
    }
}
