//! Boxes.

use super::{Bounded, RayCast, ShapeError, Support, size, sizes};
use crate::bounds::Aabb;
use crate::intersect::ray::cast_at_box;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<S: Real = f32> {
    /// Half extents along x, y, z.
    pub half: S::Vec3,
}

impl<S: Real> Cuboid<S> {
    /// Box of half extents.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn new<V>(half: V) -> Result<Self, ShapeError>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Ok(Self { half: sizes::<S>("cuboid", ["half extent x", "half extent y", "half extent z"], half)? })
    }

    /// Cube of half the length of its edges.
    ///
    /// # Errors
    /// If it is negative or not finite.
    pub fn cube(half: S) -> Result<Self, ShapeError> {
        Ok(Self { half: S::Vec3::splat(size("cube", "half edge", half)?) })
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        let p = Vector::abs(point);
        p.x() <= self.half.x() && p.y() <= self.half.y() && p.z() <= self.half.z()
    }

    /// Distance of a local point from the surface, negative inside.
    #[inline]
    #[must_use]
    pub fn signed_distance(&self, point: S::Vec3) -> S {
        let beyond = Vector::abs(point) - self.half;
        Vector::max(beyond, S::Vec3::ZERO).length() + Real::min(beyond.max_element(), S::ZERO)
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(8.0) * self.half.x() * self.half.y() * self.half.z()
    }

    /// Area of the six faces.
    #[must_use]
    pub fn surface_area(&self) -> S {
        let h = self.half;
        S::of(8.0) * (h.x() * h.y() + h.y() * h.z() + h.z() * h.x())
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Cuboid<T> {
        Cuboid { half: self.half.to::<T>() }
    }
}

impl<S: Real> Support<S> for Cuboid<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        S::Vec3::new(
            direction.x().sign_of(self.half.x()),
            direction.y().sign_of(self.half.y()),
            direction.z().sign_of(self.half.z()),
        )
    }
}

impl<S: Real> Bounded<S> for Cuboid<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let half = S::rotated_half_extents(pose.rotation.to_xyzw(), self.half.to_array());
        Aabb::around(pose.translation, S::Vec3::from_array(half))
    }
}

impl<S: Real> RayCast<S> for Cuboid<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_at_box(ray, [-self.half, self.half], max)
    }
}
