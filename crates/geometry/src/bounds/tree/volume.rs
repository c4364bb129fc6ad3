//! The volumes that trees are made of.
//!
//! Two trees are tested in a relative pose. What that takes is prepared once per walk: a matrix for
//! boxes, sums of three bounds for k-DOPs. A volume that is moved is rounded relative to its
//! distance from the origin, which the tests of the volumes themselves do not know; each one is
//! enlarged for that here.

use crate::bounds::kdop::transform::KdopTransform;
use crate::bounds::obb::fit;
use crate::bounds::rounding::sum;
use crate::bounds::{Aabb, BoundingSphere, Kdop, Obb};
use crate::pose::Pose;
use crate::primitive::Triangle;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// Bound on the error of a posed point relative to its distances, in units of ε.
const GROWTH: f64 = 16.0;

/// A volume that bounds triangles and can be tested against one in another frame.
pub trait TreeVolume<S: Real>: Copy {
    /// A relative pose, prepared.
    type RelativePose;

    /// A volume around triangles; `None` without any, or if sizes are not finite.
    fn around(triangles: &[Triangle<S>]) -> Option<Self>;

    /// Prepares the pose of the second tree as seen from the first.
    fn prepare(relative: &Pose<S>) -> Self::RelativePose;

    /// Does this volume overlap `other`, placed? Never false if they share a point.
    fn overlaps_transformed(&self, other: &Self, relative: &Self::RelativePose) -> bool;

    /// Does this volume overlap one in the same frame? Never false if they share a point.
    fn overlaps_volume(&self, other: &Self) -> bool;

    /// Something that grows with the volume, to descend into the larger one first.
    fn size(&self) -> S;
}

fn corners<S: Real>(triangles: &[Triangle<S>]) -> Vec<S::Vec3> {
    triangles.iter().flat_map(Triangle::corners).collect()
}

/// A pose as a matrix.
#[derive(Clone, Copy, Debug)]
pub struct RelativePose<S: Real = f32> {
    axes: Matrix3<S>,
    translation: S::Vec3,
}

impl<S: Real> RelativePose<S> {
    fn new(pose: &Pose<S>) -> Self {
        Self { axes: pose.rotation.to_matrix(), translation: pose.translation }
    }

    /// A centre, with the bound on the error of it and of a body of this size around it.
    fn centre(&self, local: S::Vec3, size: S) -> (S::Vec3, S) {
        let distance = sum(Vector::abs(local)) + sum(Vector::abs(self.translation)) + size;
        (self.axes.times(local) + self.translation, S::of(GROWTH) * S::EPSILON * distance)
    }

    fn obb(&self, local: &Obb<S>) -> Obb<S> {
        let (centre, rounding) = self.centre(local.centre, sum(local.half));
        Obb { centre, half: local.half, axes: self.axes * local.axes }.grown(rounding)
    }
}

impl<S: Real> TreeVolume<S> for BoundingSphere<S> {
    type RelativePose = RelativePose<S>;

    fn around(triangles: &[Triangle<S>]) -> Option<Self> {
        Self::smallest(&corners(triangles))
    }

    fn prepare(relative: &Pose<S>) -> Self::RelativePose {
        RelativePose::new(relative)
    }

    #[inline]
    fn overlaps_transformed(&self, other: &Self, relative: &Self::RelativePose) -> bool {
        let (centre, rounding) = relative.centre(other.centre, other.radius + self.radius);
        self.overlaps(&Self { centre, radius: other.radius + rounding })
    }

    #[inline]
    fn overlaps_volume(&self, other: &Self) -> bool {
        let rounding = S::of(GROWTH) * S::EPSILON * (self.radius + other.radius);
        self.overlaps(&Self { radius: other.radius + rounding, ..*other })
    }

    #[inline]
    fn size(&self) -> S {
        self.radius
    }
}

impl<S: Real> TreeVolume<S> for Aabb<3, S> {
    type RelativePose = RelativePose<S>;

    fn around(triangles: &[Triangle<S>]) -> Option<Self> {
        let aabb = Self::of_points(corners(triangles));
        (aabb.is_valid() && aabb.half().is_finite()).then_some(aabb)
    }

    fn prepare(relative: &Pose<S>) -> Self::RelativePose {
        RelativePose::new(relative)
    }

    #[inline]
    fn overlaps_transformed(&self, other: &Self, relative: &Self::RelativePose) -> bool {
        relative.obb(&Obb::of_aabb(other)).overlaps_aabb(self)
    }

    #[inline]
    fn overlaps_volume(&self, other: &Self) -> bool {
        self.overlaps(other)
    }

    #[inline]
    fn size(&self) -> S {
        sum(self.half())
    }
}

impl<S: Real> TreeVolume<S> for Obb<S> {
    type RelativePose = RelativePose<S>;

    fn around(triangles: &[Triangle<S>]) -> Option<Self> {
        fit::around_triangles(triangles)
    }

    fn prepare(relative: &Pose<S>) -> Self::RelativePose {
        RelativePose::new(relative)
    }

    #[inline]
    fn overlaps_transformed(&self, other: &Self, relative: &Self::RelativePose) -> bool {
        self.overlaps(&relative.obb(other))
    }

    #[inline]
    fn overlaps_volume(&self, other: &Self) -> bool {
        self.overlaps(other)
    }

    #[inline]
    fn size(&self) -> S {
        sum(self.half)
    }
}

impl<const K2: usize, S: Real> TreeVolume<S> for Kdop<K2, S> {
    type RelativePose = KdopTransform<K2, S>;

    fn around(triangles: &[Triangle<S>]) -> Option<Self> {
        let dop = Self::of_points(corners(triangles));
        (dop.is_valid() && dop.aabb().half().is_finite()).then_some(dop)
    }

    fn prepare(relative: &Pose<S>) -> Self::RelativePose {
        KdopTransform::new(relative)
    }

    #[inline]
    fn overlaps_transformed(&self, other: &Self, relative: &Self::RelativePose) -> bool {
        self.overlaps(&other.transformed(relative))
    }

    #[inline]
    fn overlaps_volume(&self, other: &Self) -> bool {
        self.overlaps(other)
    }

    #[inline]
    fn size(&self) -> S {
        sum(self.aabb().half())
    }
}
