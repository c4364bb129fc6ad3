//! The half-space: ground without end.

use super::{Bounded, RayCast};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Plane, Ray, RayHit};
use crate::real::{Real, Vector};

/// Everything below the plane y = 0: unbounded, so it has no support function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HalfSpace;

impl HalfSpace {
    /// Is the local point below or on the plane?
    #[inline]
    #[must_use]
    pub fn contains_point<S: Real>(&self, point: S::Vec3) -> bool {
        point.y() <= S::ZERO
    }

    /// Distance of a local point from the surface, negative inside.
    #[inline]
    #[must_use]
    pub fn signed_distance<S: Real>(&self, point: S::Vec3) -> S {
        point.y()
    }

    /// The surface of the posed half-space; its normal points out.
    #[inline]
    #[must_use]
    pub fn surface_at<S: Real>(&self, pose: &Pose<S>) -> Plane<S> {
        Plane::through(pose.translation, pose.rotation.rotate(S::Vec3::AXES[1]))
    }
}

/// Infinite on every side, except above the surface if the turned normal is along a coordinate
/// axis, to the last bit: if it leans by the least amount, the half-space reaches everywhere.
impl<S: Real> Bounded<S> for HalfSpace {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let normal = pose.rotation.rotate(S::Vec3::AXES[1]);
        let is_along = |axis: usize| normal[(axis + 1) % 3] == S::ZERO && normal[(axis + 2) % 3] == S::ZERO;
        let Some(axis) = (0..3).find(|axis| is_along(*axis)) else { return Aabb::EVERYTHING };
        let mut bounds = Aabb::EVERYTHING;
        if normal[axis] > S::ZERO {
            bounds.max[axis] = pose.translation[axis];
        } else if normal[axis] < S::ZERO {
            bounds.min[axis] = pose.translation[axis];
        }
        bounds
    }
}

impl<S: Real> RayCast<S> for HalfSpace {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        // Only y takes part in the answer, but a ray with another coordinate that is not finite has
        // no point to hit. Zero times NaN or infinity is NaN.
        if (ray.origin + ray.direction) * S::ZERO != S::Vec3::ZERO {
            return None;
        }
        if self.contains_point::<S>(ray.origin) {
            return (max >= S::ZERO).then(RayHit::inside);
        }
        let fall = -ray.direction.y();
        if fall <= S::ZERO {
            return None;
        }
        let t = ray.origin.y() / fall;
        (t <= max && t.is_finite()).then_some(RayHit { t, normal: S::Vec3::AXES[1] })
    }
}
