//! What a ball does after an impact: it slides along the plane tangent to it at the contact point,
//! or bounces off it.
//!
//! The tangent plane of the *ball* is used, not that of the polygon: they differ at borders, and
//! that is what lets a character climb steps.

use carom_geometry::{Real, Vector};

use super::SphereImpact;

/// The part of a displacement behind an impact.
#[inline]
#[must_use]
pub fn remaining<S: Real>(displacement: S::Vec3, distance: S) -> S::Vec3 {
    let length = displacement.length();
    if length > S::ZERO {
        displacement * (Real::max(length - distance, S::ZERO) / length)
    } else {
        displacement
    }
}

/// What is left of the remaining way along the tangent plane, shortened by a friction of 0 (keeps
/// it) to 1 (ends it).
#[inline]
#[must_use]
pub fn slide<S: Real>(remaining: S::Vec3, impact: &SphereImpact<S>, friction: S) -> S::Vec3 {
    let normal = impact.normal;
    (remaining - normal * remaining.dot(normal)) * (S::ONE - friction)
}

/// The remaining way mirrored at the tangent plane, times a factor of 0 to 1 that damps it.
#[inline]
#[must_use]
pub fn bounce<S: Real>(remaining: S::Vec3, impact: &SphereImpact<S>, damping: S) -> S::Vec3 {
    let normal = impact.normal;
    (remaining - normal * (S::TWO * remaining.dot(normal))) * damping
}
