//! Balls.

use super::ray::{cast_solid, normal_or_back};
use super::{Bounded, RayCast, ShapeError, Support, size, stretched};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Ball around the origin.
///
/// ```
/// use carom_geometry::primitive::Ray;
/// use carom_geometry::shape::{RayCast, Sphere};
/// use glam::Vec3;
/// let ball = Sphere::new(2.0f32)?;
/// let hit = ball.cast_ray(&Ray::new(Vec3::new(5.0, 0.0, 0.0), -Vec3::X), 10.0);
/// assert_eq!(hit.map(|h| (h.t, h.normal)), Some((3.0, Vec3::X)));
/// assert!(Sphere::new(-1.0f32).is_err());
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<S: Real = f32> {
    /// Radius.
    pub radius: S,
}

impl<S: Real> Sphere<S> {
    /// Ball of a radius.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn new(radius: S) -> Result<Self, ShapeError> {
        Ok(Self { radius: size("sphere", "radius", radius)? })
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        point.length_squared() <= self.radius * self.radius
    }

    /// Distance of a local point from the surface, negative inside.
    #[inline]
    #[must_use]
    pub fn signed_distance(&self, point: S::Vec3) -> S {
        point.length() - self.radius
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(4.0 / 3.0 * std::f64::consts::PI) * self.radius * self.radius * self.radius
    }

    /// Area of the surface.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(4.0 * std::f64::consts::PI) * self.radius * self.radius
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Sphere<T> {
        Sphere { radius: T::of(self.radius.to_f64()) }
    }
}

impl<S: Real> Support<S> for Sphere<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        stretched(direction, self.radius)
    }
}

impl<S: Real> Bounded<S> for Sphere<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        Aabb::around(pose.translation, S::Vec3::splat(self.radius))
    }
}

impl<S: Real> RayCast<S> for Sphere<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_solid(
            ray,
            max,
            |point| self.contains_point(point),
            |ray, square, max| cast_at_ball(ray.origin, ray.direction, square, self.radius, max),
        )
    }
}

/// The hit of a ray that starts outside the ball of this radius around the origin.
#[inline]
pub(super) fn cast_at_ball<S: Real>(
    origin: S::Vec3,
    direction: S::Vec3,
    square: S,
    radius: S,
    max: S,
) -> Option<RayHit<S>> {
    let approach = -origin.dot(direction);
    // Perpendicular to the plane of line and centre; the distance of the line is its length over
    // that of the direction.
    let moment = origin.cross(direction);
    let rest = radius * radius * square - moment.length_squared();
    // The nearest point of the line is ahead, and in the ball.
    if approach > S::ZERO && rest >= S::ZERO {
        let inverse = S::ONE / square;
        let root = rest.sqrt();
        // The origin is outside, so a negative entry is rounding.
        let t = Real::max((approach - root) * inverse, S::ZERO);
        if t <= max {
            // The nearest point is `direction × moment / square`.
            let normal = (direction.cross(moment) - direction * root) * (inverse / radius);
            return Some(RayHit { t, normal: normal_or_back::<S>(normal, direction) });
        }
    }
    None
}
