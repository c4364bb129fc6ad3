//! Shapes in their own frame, centred on the origin unless stated.
//!
//! Long shapes lie along local z, as in the scene files. A shape does not know where it is:
//! functions that need to know take a [`Pose`]. The shapes are plain data with public fields; the
//! constructors refuse sizes that are negative or not finite ([`ShapeError`]). Size zero is allowed
//! everywhere: a sphere of radius 0 is a point, a cuboid with a half extent of 0 a rectangle, and
//! every function answers for them as for any other closed set.
//!
//! | file | holds |
//! |---|---|
//! | [`sphere`], [`capsule`], [`cuboid`], [`cylinder`], [`cone`], [`ellipsoid`] | solids |
//! | [`tile`], [`triangle`] | surfaces without thickness, two-sided |
//! | [`half_space`] | the unbounded solid |
//! | [`planar`] | figures of the plane z = 0, for worlds of two dimensions |
//! | [`compound`] | several shapes as one |
//! | [`any`] | the enum over all shapes, those of other modules included |
//!
//! What they have in common is in the traits below: [`Support`], [`Bounded`], [`RayCast`]. Mass
//! properties are in [`crate::mass`].

pub mod any;
pub mod capsule;
pub mod compound;
pub mod cone;
pub mod cuboid;
pub mod cylinder;
pub mod ellipsoid;
pub mod half_space;
pub mod planar;
mod ray;
pub mod sphere;
pub mod tile;
pub mod triangle;

use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::real::{Real, Vector};

pub use any::{Shape, ShapeMassError};
pub use capsule::Capsule;
pub use compound::{Child, Compound, CompoundError};
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use planar::{Planar, PlanarPolygon};
pub use sphere::Sphere;
pub use tile::Tile;

/// A bounded convex set given by its support function.
pub trait Support<S: Real> {
    /// A point of the set that lies farthest along `direction`, in local coordinates. The direction
    /// may have any length but zero as long as its products with the sizes of the shape neither
    /// over- nor underflow (10⁻³⁰ to 10³⁰ in `f32`).
    ///
    /// For the null vector or one that is not finite the answer is some point of the set, never
    /// NaN.
    fn support(&self, direction: S::Vec3) -> S::Vec3;
}

/// A set with an exact axis-aligned box in every pose: no smaller box contains the posed shape, up
/// to rounding.
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
    /// A ray that starts inside a solid or on its surface meets it at once
    /// ([`RayHit::inside`](crate::primitive::RayHit::inside)). Surfaces without thickness are
    /// two-sided; a ray in their plane does not meet them. A null direction meets only the solids
    /// around the origin of the ray, and a ray that is not finite meets nothing.
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

carom_core::error_type! {
    /// A size that no shape can have.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum ShapeError {
        /// NaN or infinite.
        #[error("the {quantity} of the {shape} is {value}, which is not a finite number")]
        NotFinite {
            /// Kind of shape.
            shape: &'static str,
            /// Which of its sizes.
            quantity: &'static str,
            /// The value.
            value: f64,
        },
        /// Below zero.
        #[error("the {quantity} of the {shape} is {value}, but must not be negative")]
        Negative {
            /// Kind of shape.
            shape: &'static str,
            /// Which of its sizes.
            quantity: &'static str,
            /// The value.
            value: f64,
        },
    }
}

/// A number if it is finite.
fn finite<S: Real>(shape: &'static str, quantity: &'static str, value: S) -> Result<S, ShapeError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError::NotFinite { shape, quantity, value: value.to_f64() })
    }
}

/// A size if it is finite and not negative.
fn size<S: Real>(shape: &'static str, quantity: &'static str, value: S) -> Result<S, ShapeError> {
    if finite(shape, quantity, value)? < S::ZERO {
        Err(ShapeError::Negative { shape, quantity, value: value.to_f64() })
    } else {
        Ok(value)
    }
}

/// Half length and radius of a shape round z.
fn round_sizes<S: Real>(shape: &'static str, half_length: S, radius: S) -> Result<(S, S), ShapeError> {
    Ok((size(shape, "half length", half_length)?, size(shape, "radius", radius)?))
}

/// Three sizes along x, y, z.
fn sizes<S: Real>(
    shape: &'static str,
    quantities: [&'static str; 3],
    values: S::Vec3,
) -> Result<S::Vec3, ShapeError> {
    for (axis, quantity) in quantities.into_iter().enumerate() {
        size(shape, quantity, values[axis])?;
    }
    Ok(values)
}

/// The vector of this length along `direction`; along z if there is no direction.
#[inline]
fn stretched<S: Real>(direction: S::Vec3, length: S) -> S::Vec3 {
    let square = direction.length_squared();
    if is_ordinary_square(square) {
        direction * (length / square.sqrt())
    } else {
        stretched_extreme(direction, length)
    }
}

/// Lengths whose square over- or underflows.
#[cold]
#[inline(never)]
fn stretched_extreme<S: Real>(direction: S::Vec3, length: S) -> S::Vec3 {
    direction.unit().unwrap_or(S::Vec3::AXES[2]) * length
}

/// The vector of this length along the part of `direction` across z; null if there is no such part.
#[inline]
fn stretched_across<S: Real>(direction: S::Vec3, length: S) -> S::Vec3 {
    let (x, y) = (direction.x(), direction.y());
    let square = x * x + y * y;
    if is_ordinary_square(square) {
        let factor = length / square.sqrt();
        S::Vec3::new(x * factor, y * factor, S::ZERO)
    } else {
        stretched_across_extreme::<S>(x, y, length)
    }
}

#[cold]
#[inline(never)]
fn stretched_across_extreme<S: Real>(x: S, y: S, length: S) -> S::Vec3 {
    S::Vec3::new(x, y, S::ZERO).unit().unwrap_or(S::Vec3::ZERO) * length
}

/// The box half extents of a disc of radius 1 with this unit normal. `1 − nᵢ²` is taken from the
/// other two coordinates, where nothing cancels.
#[inline]
fn disc_extent<S: Real>(normal: S::Vec3) -> S::Vec3 {
    let [x, y, z] = (normal * normal).to_array();
    S::Vec3::new((y + z).sqrt(), (x + z).sqrt(), (x + y).sqrt())
}

/// Is the number far enough from the ends of the range to be a trustworthy square?
#[inline]
fn is_ordinary_square<S: Real>(square: S) -> bool {
    square > S::MIN_POSITIVE / S::EPSILON && square < S::MAX
}
