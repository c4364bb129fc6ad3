//! Shapes in their own frame, centred on the origin unless stated.
//!
//! Long shapes lie along local z, as in the scene files. Sizes are checked where data enters the program; the shapes
//! themselves are plain data. A shape does not know where it is: functions that need to know take a [`Pose`].

pub mod basic;

use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::real::Real;

pub use basic::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Tile};

/// A bounded convex set given by its support function.
pub trait Support<S: Real> {
    /// A point of the set that lies farthest along `direction` (of any length but zero), in local coordinates.
    fn support(&self, direction: S::Vec3) -> S::Vec3;
}

/// A set with an exact axis-aligned box in every pose: no smaller box contains the posed shape, up to rounding.
pub trait Bounded<S: Real> {
    /// The box in local coordinates.
    fn aabb(&self) -> Aabb<3, S> {
        self.aabb_at(&Pose::IDENTITY)
    }

    /// The box of the shape placed by `pose`.
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S>;
}

/// A set that rays can meet.
pub trait RayCast<S: Real> {
    /// First point of the shape met by a ray given in local coordinates, with `0 ≤ t ≤ max`.
    ///
    /// A ray that starts inside a solid meets it at once ([`RayHit::inside`](crate::primitive::RayHit::inside)).
    /// Surfaces without thickness are two-sided.
    fn cast_ray(&self, ray: &crate::primitive::Ray<S>, max: S) -> Option<crate::primitive::RayHit<S>>;

    /// The same for a ray in the frame that `pose` places the shape in.
    fn cast_ray_at(
        &self,
        pose: &Pose<S>,
        ray: &crate::primitive::Ray<S>,
        max: S,
    ) -> Option<crate::primitive::RayHit<S>> {
        Some(self.cast_ray(&ray.seen_from(pose), max)?.posed(pose))
    }
}
