//! The shapes given by a few numbers.

use crate::primitive::Segment;
use crate::real::Real;

/// Ball around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<S: Real = f32> {
    /// Radius.
    pub radius: S,
}

/// All points within `radius` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<S: Real = f32> {
    /// The segment, anywhere in the local frame.
    pub segment: Segment<S>,
    /// Radius.
    pub radius: S,
}

/// Rectangle in the local x–z plane, without thickness, two-sided, normal +y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile<S: Real = f32> {
    /// Half extent along x.
    pub half_x: S,
    /// Half extent along z.
    pub half_z: S,
}

/// Box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<S: Real = f32> {
    /// Half extents along x, y, z.
    pub half: S::Vec3,
}

/// Cylinder with flat ends along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder<S: Real = f32> {
    /// Radius.
    pub radius: S,
    /// Half of the length along z.
    pub half_length: S,
}

/// Cone with its tip at `z = half_length` and its base at `z = −half_length`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone<S: Real = f32> {
    /// Radius of the base.
    pub radius: S,
    /// Half of the distance from base to tip.
    pub half_length: S,
}

/// Ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<S: Real = f32> {
    /// Half-axes along x, y, z.
    pub radii: S::Vec3,
}

/// Everything below the plane y = 0: unbounded, so it has no support function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HalfSpace;
