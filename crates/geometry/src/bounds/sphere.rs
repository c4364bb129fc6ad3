//! Bounding spheres.
use crate::real::Real;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere<S: Real = f32> {
    /// Centre.
    pub centre: S::Vec3,
    /// Radius, not negative.
    pub radius: S,
}
