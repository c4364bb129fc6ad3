//! The face, edge or point of a convex shape that looks along a direction: what contact points are
//! clipped from.
//!
//! A support feature belongs to the core of its shape (see [`crate::convex`]): a capsule gives its
//! segment, a sphere its centre, and the radius stands beside. Shapes with flat faces give the face
//! that looks along the direction best among those at their farthest vertex, so the support feature
//! contains the farthest point; whether the face looks that way closely is for the caller to judge
//! by [`SupportFeature::normal`]. Round caps are regular octagons with fixed corners. A face
//! without area is given as the segment or point that it is.
//!
//! Corners and sides have names that do not depend on the direction, for
//! [`FeatureId`](crate::FeatureId). Corners are in the frame of the shape, counter-clockwise seen
//! from the tip of the normal. The idea that each shape hands out its supporting face is Jolt's (J.
//! Rouwe).

mod flat;
mod planar;
mod polytope;
mod round;

use carom_geometry::Pose;
use glam::Vec3;

pub(crate) use flat::{box_edge, box_face_names};
pub(crate) use round::END_COSINE_SQUARED;

/// Most corners of a support feature. Faces of polytopes with more are thinned out evenly.
pub const MAX_CORNERS: usize = 32;

/// A convex polygon (three corners or more), segment (two) or point (one) of the core of a shape.
#[derive(Clone, Debug)]
pub struct SupportFeature {
    corners: [Vec3; MAX_CORNERS],
    names: [u16; MAX_CORNERS],
    sides: [u16; MAX_CORNERS],
    count: u8,
    /// Number of the face, for feature identifiers.
    pub face: u16,
    /// Unit normal of a polygon, outwards; for segments and points the direction that was asked
    /// for.
    pub normal: Vec3,
    /// Radius of the ball rolled round the core.
    pub radius: f32,
    /// Radii of curvature across a segment that is a line of a round wall, at both ends; 0 for
    /// edges.
    pub wall: [f32; 2],
}

impl Default for SupportFeature {
    fn default() -> Self {
        Self {
            corners: [Vec3::ZERO; MAX_CORNERS],
            names: [0; MAX_CORNERS],
            sides: [0; MAX_CORNERS],
            count: 0,
            face: 0,
            normal: Vec3::ZERO,
            radius: 0.0,
            wall: [0.0; 2],
        }
    }
}

impl SupportFeature {
    /// The corners, in order.
    #[inline]
    #[must_use]
    pub fn corners(&self) -> &[Vec3] {
        &self.corners[..usize::from(self.count)]
    }

    /// The support feature as borrowed arrays.
    #[inline]
    #[must_use]
    pub fn view(&self) -> SupportFeatureView<'_> {
        let count = usize::from(self.count);
        SupportFeatureView {
            corners: &self.corners[..count],
            names: &self.names[..count],
            sides: &self.sides[..count],
            face: self.face,
            normal: self.normal,
            radius: self.radius,
            wall: self.wall,
        }
    }

    /// Makes the support feature one of a shape placed by `pose`, in the frame that it is placed
    /// in.
    #[inline]
    pub fn pose(&mut self, pose: &Pose) {
        let matrix = pose.rotation.to_matrix();
        self.normal = matrix.times(self.normal);
        for corner in &mut self.corners[..usize::from(self.count)] {
            *corner = matrix.times(*corner) + pose.translation;
        }
    }

    /// Starts over.
    #[inline]
    pub(crate) fn start(&mut self, face: u16, normal: Vec3) {
        (self.count, self.face, self.normal) = (0, face, normal);
        (self.radius, self.wall) = (0.0, [0.0; 2]);
    }

    /// Adds a corner and the side that leaves it; beyond the capacity nothing happens.
    #[inline]
    pub(crate) fn push(&mut self, corner: Vec3, name: u16, side: u16) {
        let at = usize::from(self.count);
        if at < MAX_CORNERS {
            (self.corners[at], self.names[at], self.sides[at]) = (corner, name, side);
            self.count += 1;
        }
    }
}

/// A support feature whose corners lie elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct SupportFeatureView<'a> {
    /// Corners in order.
    pub corners: &'a [Vec3],
    /// Name of each corner.
    pub names: &'a [u16],
    /// Name of the side from each corner to the next.
    pub sides: &'a [u16],
    /// Number of the face.
    pub face: u16,
    /// As [`SupportFeature::normal`].
    pub normal: Vec3,
    /// As [`SupportFeature::radius`].
    pub radius: f32,
    /// As [`SupportFeature::wall`].
    pub wall: [f32; 2],
}

/// A convex shape that knows its supporting support features.
pub trait SupportFeatureMap {
    /// Writes the support feature that looks along `direction` (of any length but zero) into
    /// `support_feature`, in local coordinates.
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature);
}

impl<F: SupportFeatureMap + ?Sized> SupportFeatureMap for &F {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        (**self).support_feature(direction, support_feature);
    }
}

/// A bounded convex shape with support features: what the iterating algorithms and clipping
/// together ask for.
pub(crate) trait Solid: crate::Convex<f32> + SupportFeatureMap {}

impl<T: crate::Convex<f32> + SupportFeatureMap> Solid for T {}

/// The shape inside if it is bounded and convex; `None` for half-space, mesh, height field and
/// compound.
pub(crate) fn solid_of(shape: &carom_geometry::Shape) -> Option<&dyn Solid> {
    use carom_geometry::Shape;
    Some(match shape {
        Shape::Sphere(shape) => shape,
        Shape::Capsule(shape) => shape,
        Shape::Tile(shape) => shape,
        Shape::Cuboid(shape) => shape,
        Shape::Cylinder(shape) => shape,
        Shape::Cone(shape) => shape,
        Shape::Ellipsoid(shape) => shape,
        Shape::Triangle(shape) => shape,
        Shape::Polytope(shape) => &**shape,
        Shape::Planar(shape) => shape,
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
    })
}
