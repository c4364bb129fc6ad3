//! Rectangles without thickness.

use super::ray::cast_surface;
use super::{Bounded, RayCast, ShapeError, Support, size};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Rectangle in the local x–z plane, without thickness, two-sided, normal +y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile<S: Real = f32> {
    /// Half extent along x.
    pub half_x: S,
    /// Half extent along z.
    pub half_z: S,
}

impl<S: Real> Tile<S> {
    /// Rectangle of half extents.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn new(half_x: S, half_z: S) -> Result<Self, ShapeError> {
        Ok(Self {
            half_x: size("tile", "half extent x", half_x)?,
            half_z: size("tile", "half extent z", half_z)?,
        })
    }

    /// Is the local point exactly on the rectangle?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        point.y() == S::ZERO && self.spans(point)
    }

    /// Is the point on the rectangle after moving it along y?
    #[inline]
    fn spans(&self, point: S::Vec3) -> bool {
        point.x().abs() <= self.half_x && point.z().abs() <= self.half_z
    }

    /// Always zero.
    #[must_use]
    pub fn volume(&self) -> S {
        S::ZERO
    }

    /// Area of one side.
    #[must_use]
    pub fn area(&self) -> S {
        S::of(4.0) * self.half_x * self.half_z
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Tile<T> {
        Tile { half_x: T::of(self.half_x.to_f64()), half_z: T::of(self.half_z.to_f64()) }
    }
}

impl<S: Real> Support<S> for Tile<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        S::Vec3::new(direction.x().sign_of(self.half_x), S::ZERO, direction.z().sign_of(self.half_z))
    }
}

impl<S: Real> Bounded<S> for Tile<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let [x, _, z] = pose.rotation.to_matrix().columns;
        Aabb::around(pose.translation, Vector::abs(x) * self.half_x + Vector::abs(z) * self.half_z)
    }
}

impl<S: Real> RayCast<S> for Tile<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_surface(ray, max, |ray, _, max| {
            let fall = ray.direction.y();
            if fall == S::ZERO {
                return None;
            }
            let t = -ray.origin.y() / fall;
            if t >= S::ZERO && t <= max && self.spans(ray.at(t)) {
                // Zero may be negative.
                Some(RayHit { t: t + S::ZERO, normal: S::Vec3::AXES[1] * fall.sign_of(-S::ONE) })
            } else {
                None
            }
        })
    }
}
