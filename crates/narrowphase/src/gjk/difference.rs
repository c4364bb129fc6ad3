//! The Minkowski difference of two cores, seen through its support function.
//!
//! The difference is the set of all `b − a`, with `a` in the first core and `b` in the second, in
//! the frame of the first. Its point nearest to the origin is the shortest way from the first to
//! the second.
//!
//! Shapes are asked in their own scalar; what they answer is placed and subtracted in `f64`. The
//! points of a shape are exact numbers, so differences of single precision are known to sixteen
//! digits and everything that is computed from them is far better conditioned than in `f32`, for
//! the price of a few conversions: scalar `f64` arithmetic takes as long as `f32`.

use carom_geometry::{Matrix3, Pose, Real, Rotation, Vector};
use glam::DVec3;

use super::cache::Hints;
use crate::Convex;

/// A point of the difference and where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex<S: Real> {
    /// Point of the first core, in its frame.
    pub(crate) a: S::Vec3,
    /// Point of the second core, in its own frame.
    pub(crate) b: S::Vec3,
    /// Their difference `b − a` in the frame of the first.
    pub(crate) w: DVec3,
}

impl<S: Real> Vertex<S> {
    pub(crate) const ZERO: Self = Self { a: S::Vec3::ZERO, b: S::Vec3::ZERO, w: DVec3::ZERO };
}

/// Directions whose largest coordinate lies between these are handed to shapes as they are; others
/// would over- or underflow in products with sizes.
const ORDINARY: [f64; 2] = [1e-8, 1e8];

/// Two cores, the second placed in the frame of the first.
pub(crate) struct Difference<'q, S: Real, A: ?Sized, B: ?Sized> {
    a: &'q A,
    b: &'q B,
    rotation: Matrix3<f64>,
    shift: DVec3,
    pub(crate) hints: Hints,
    pub(crate) supports: u32,
    scalar: std::marker::PhantomData<S>,
}

impl<'q, S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized> Difference<'q, S, A, B> {
    #[inline]
    pub(crate) fn new(a: &'q A, b: &'q B, pose: &Pose<S>, hints: Hints) -> Self {
        let rotation = Rotation::<f64> { xyz: pose.rotation.xyz.to::<f64>(), w: pose.rotation.w.to_f64() };
        Self {
            a,
            b,
            rotation: rotation.to_matrix(),
            shift: pose.translation.to::<f64>(),
            hints,
            supports: 0,
            scalar: std::marker::PhantomData,
        }
    }

    /// The vertex least far along a direction, which must not be null.
    #[inline]
    pub(crate) fn lowest(&mut self, direction: DVec3) -> Vertex<S> {
        let largest = Vector::max_element(Vector::abs(direction));
        let direction =
            if largest > ORDINARY[0] && largest < ORDINARY[1] { direction } else { direction / largest };
        self.supports += 1;
        let a = self.a.core_support(direction.to::<S>(), &mut self.hints.a);
        let back = -self.rotation.transposed_times(direction);
        let b = self.b.core_support(back.to::<S>(), &mut self.hints.b);
        self.vertex(a, b)
    }

    /// The vertex of two points of the cores.
    #[inline]
    pub(crate) fn vertex(&self, a: S::Vec3, b: S::Vec3) -> Vertex<S> {
        Vertex { a, b, w: self.rotation.times(b.to::<f64>()) + self.shift - a.to::<f64>() }
    }

    /// Where to look first: from origin to origin, or anywhere if they coincide.
    #[inline]
    pub(crate) fn first_direction(&self) -> DVec3 {
        if self.shift == DVec3::ZERO { DVec3::X } else { self.shift }
    }

    /// From middle to middle.
    #[inline]
    pub(crate) fn centre(&self) -> Vertex<S> {
        self.vertex(self.a.centre(), self.b.centre())
    }

    /// The radii round both cores.
    #[inline]
    pub(crate) fn radii(&self) -> [f64; 2] {
        [self.a.radius().to_f64(), self.b.radius().to_f64()]
    }
}
