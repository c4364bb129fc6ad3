//! Outward rounding: bounds that stay bounds although they were computed in floating point.

use crate::real::{Real, Vector};

/// A number below `x` by at least half a unit in the last place, hence below every number that
/// rounds to `x`.
#[inline]
pub(crate) fn below<S: Real>(x: S) -> S {
    x - (x.abs() * S::EPSILON + S::MIN_POSITIVE)
}

/// A number above every number that rounds to `x`.
#[inline]
pub(crate) fn above<S: Real>(x: S) -> S {
    x + (x.abs() * S::EPSILON + S::MIN_POSITIVE)
}

/// Sum of the coordinates of a vector that has no negative one: a cheap bound on its length.
#[inline]
pub(crate) fn sum<V: Vector>(v: V) -> V::Scalar {
    v.x() + v.y() + v.z()
}
