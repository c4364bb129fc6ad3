//! Cylinders with flat ends.

use super::ray::{cast_solid, first_hit, normal_or_back, slab};
use super::{Bounded, RayCast, ShapeError, Support, disc_extent, round_sizes, stretched_across};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Cylinder with flat ends along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder<S: Real = f32> {
    /// Radius.
    pub radius: S,
    /// Half of the length along z.
    pub half_length: S,
}

impl<S: Real> Cylinder<S> {
    /// Cylinder along z of half its length and its radius. [`along_y`](Cylinder::along_y) and its
    /// siblings turn it.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn new(half_length: S, radius: S) -> Result<Self, ShapeError> {
        let (half_length, radius) = round_sizes("cylinder", half_length, radius)?;
        Ok(Self { radius, half_length })
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        let (x, y) = (point.x(), point.y());
        x * x + y * y <= self.radius * self.radius && point.z().abs() <= self.half_length
    }

    /// Distance of a local point from the surface, negative inside.
    #[inline]
    #[must_use]
    pub fn signed_distance(&self, point: S::Vec3) -> S {
        let (x, y) = (point.x(), point.y());
        let beyond_wall = (x * x + y * y).sqrt() - self.radius;
        let beyond_end = point.z().abs() - self.half_length;
        let (w, e) = (Real::max(beyond_wall, S::ZERO), Real::max(beyond_end, S::ZERO));
        (w * w + e * e).sqrt() + Real::min(Real::max(beyond_wall, beyond_end), S::ZERO)
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(2.0 * std::f64::consts::PI) * self.radius * self.radius * self.half_length
    }

    /// Area of the wall and both ends.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(2.0 * std::f64::consts::PI) * self.radius * (self.radius + S::TWO * self.half_length)
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Cylinder<T> {
        Cylinder { radius: T::of(self.radius.to_f64()), half_length: T::of(self.half_length.to_f64()) }
    }

    /// The hit of a ray that starts outside.
    #[inline]
    pub(super) fn cast_from_outside(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let (o, d) = (ray.origin, ray.direction);
        let ends = slab(o.z(), d.z(), self.half_length);
        let end_normal = S::Vec3::new(S::ZERO, S::ZERO, d.z().sign_of(-S::ONE));
        let square = d.x() * d.x() + d.y() * d.y();
        // A smaller square is not trustworthy, and then the ray is parallel for every size of
        // interest.
        if square <= S::MIN_POSITIVE / S::EPSILON {
            if o.x() * o.x() + o.y() * o.y() > self.radius * self.radius {
                return None;
            }
            let t = first_hit(ends.0, ends.1, S::ZERO, max)?;
            return Some(RayHit { t, normal: end_normal });
        }
        // The distance of the line from the axis, times the length of the direction across it.
        let moment = o.x() * d.y() - o.y() * d.x();
        let rest = self.radius * self.radius * square - moment * moment;
        if rest < S::ZERO {
            return None;
        }
        let (inverse, root) = (S::ONE / square, rest.sqrt());
        let approach = -(o.x() * d.x() + o.y() * d.y());
        let (enter_wall, leave_wall) = ((approach - root) * inverse, (approach + root) * inverse);
        let enter = Real::max(ends.0, enter_wall);
        let leave = Real::min(ends.1, leave_wall);
        let t = first_hit(enter, leave, (approach.abs() + root) * inverse, max)?;
        let normal = if ends.0 > enter_wall {
            end_normal
        } else {
            let (x, y) = (d.y() * moment - d.x() * root, -d.x() * moment - d.y() * root);
            normal_or_back::<S>(S::Vec3::new(x, y, S::ZERO) * (inverse / self.radius), d)
        };
        Some(RayHit { t, normal })
    }
}

impl<S: Real> Support<S> for Cylinder<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        let rim = stretched_across(direction, self.radius);
        S::Vec3::new(rim.x(), rim.y(), direction.z().sign_of(self.half_length))
    }
}

impl<S: Real> Bounded<S> for Cylinder<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let axis = pose.rotation.to_matrix().columns[2];
        let half = Vector::abs(axis) * self.half_length + disc_extent::<S>(axis) * self.radius;
        Aabb::around(pose.translation, half)
    }
}

impl<S: Real> RayCast<S> for Cylinder<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_solid(
            ray,
            max,
            |point| self.contains_point(point),
            |ray, _, max| self.cast_from_outside(ray, max),
        )
    }
}
