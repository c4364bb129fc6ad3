//! The simplest figures: segment, line, ray, plane, triangle, rectangle.
//!
//! Plain data without checks; directions need not have length 1 unless a field says so. What is
//! measured between them lives in the modules for closest points, intersections, clipping and ray
//! casts.

use crate::pose::Pose;
use crate::real::{Real, Vector};

/// The points between `a` and `b`; `a == b` is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<S: Real = f32> {
    /// First end.
    pub a: S::Vec3,
    /// Second end.
    pub b: S::Vec3,
}

impl<S: Real> Segment<S> {
    /// Segment of two ends.
    #[inline]
    #[must_use]
    pub fn new<V>(a: V, b: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { a, b }
    }

    /// From the first end to the second.
    #[inline]
    #[must_use]
    pub fn direction(&self) -> S::Vec3 {
        self.b - self.a
    }

    /// The point at `t`: 0 is the first end, 1 the second.
    #[inline]
    #[must_use]
    pub fn at(&self, t: S) -> S::Vec3 {
        self.a + (self.b - self.a) * t
    }

    /// The segment seen from the frame that `pose` places it in.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self { a: pose.apply(self.a), b: pose.apply(self.b) }
    }
}

/// The points `point + t · direction` for every t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<S: Real = f32> {
    /// A point of the line.
    pub point: S::Vec3,
    /// Its direction, of any length but zero.
    pub direction: S::Vec3,
}

impl<S: Real> Line<S> {
    /// Line through a point.
    #[inline]
    #[must_use]
    pub fn new<V>(point: V, direction: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { point, direction }
    }

    /// The point at `t`.
    #[inline]
    #[must_use]
    pub fn at(&self, t: S) -> S::Vec3 {
        self.point + self.direction * t
    }
}

/// The points `origin + t · direction` for t ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<S: Real = f32> {
    /// Start.
    pub origin: S::Vec3,
    /// Direction, of any length but zero; parameters of hits are in units of it.
    pub direction: S::Vec3,
}

impl<S: Real> Ray<S> {
    /// Ray of a start and a direction.
    #[inline]
    #[must_use]
    pub fn new<V>(origin: V, direction: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { origin, direction }
    }

    /// The point at `t`.
    #[inline]
    #[must_use]
    pub fn at(&self, t: S) -> S::Vec3 {
        self.origin + self.direction * t
    }

    /// The ray in the local coordinates of `pose`.
    #[inline]
    #[must_use]
    pub fn seen_from(&self, pose: &Pose<S>) -> Self {
        Self { origin: pose.undo(self.origin), direction: pose.rotation.rotate_back(self.direction) }
    }
}

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<S: Real = f32> {
    /// The point is `ray.at(t)`.
    pub t: S,
    /// Unit normal of the surface, towards the origin of the ray; null if the ray starts inside a
    /// solid (then `t` is 0).
    pub normal: S::Vec3,
}

impl<S: Real> RayHit<S> {
    /// The hit of a ray that starts inside a solid.
    #[must_use]
    pub fn inside() -> Self {
        Self { t: S::ZERO, normal: S::Vec3::ZERO }
    }

    /// The hit of a ray given in local coordinates, in the frame of `pose`.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self { t: self.t, normal: pose.rotation.rotate(self.normal) }
    }
}

/// The points `x` with `normal · x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<S: Real = f32> {
    /// Unit normal, towards the positive side.
    pub normal: S::Vec3,
    /// Distance of the plane from the origin, along the normal.
    pub offset: S,
}

impl<S: Real> Plane<S> {
    /// Plane of a unit normal and its distance from the origin.
    #[inline]
    #[must_use]
    pub fn new<V>(normal: V, offset: S) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { normal, offset }
    }

    /// Plane through `point` with a unit normal.
    #[inline]
    #[must_use]
    pub fn through<V>(point: V, normal: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { normal, offset: normal.dot(point) }
    }

    /// Distance of a point, negative on the side away from the normal.
    #[inline]
    #[must_use]
    pub fn signed_distance(&self, point: S::Vec3) -> S {
        self.normal.dot(point) - self.offset
    }

    /// The nearest point of the plane.
    #[inline]
    #[must_use]
    pub fn project(&self, point: S::Vec3) -> S::Vec3 {
        point - self.normal * self.signed_distance(point)
    }

    /// The plane seen from the frame that `pose` places it in.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        let normal = pose.rotation.rotate(self.normal);
        Self { normal, offset: self.offset + normal.dot(pose.translation) }
    }

    /// The same plane with its sides exchanged.
    #[inline]
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// Three corners, counter-clockwise seen from the tip of the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle<S: Real = f32> {
    /// First corner.
    pub a: S::Vec3,
    /// Second corner.
    pub b: S::Vec3,
    /// Third corner.
    pub c: S::Vec3,
}

impl<S: Real> Triangle<S> {
    /// Triangle of three corners.
    #[inline]
    #[must_use]
    pub fn new<V>(a: V, b: V, c: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { a, b, c }
    }

    /// The corners.
    #[inline]
    #[must_use]
    pub fn corners(&self) -> [S::Vec3; 3] {
        [self.a, self.b, self.c]
    }

    /// The sides ab, bc, ca.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> [Segment<S>; 3] {
        [Segment::new(self.a, self.b), Segment::new(self.b, self.c), Segment::new(self.c, self.a)]
    }

    /// Twice the area times the unit normal: null for a triangle without area.
    #[inline]
    #[must_use]
    pub fn area_vector(&self) -> S::Vec3 {
        (self.b - self.a).cross(self.c - self.a)
    }

    /// Unit normal, or `None` for a triangle without area.
    #[must_use]
    pub fn normal(&self) -> Option<S::Vec3> {
        self.area_vector().unit()
    }

    /// The triangle seen from the frame that `pose` places it in.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self { a: pose.apply(self.a), b: pose.apply(self.b), c: pose.apply(self.c) }
    }

    /// The same triangle in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Triangle<T> {
        Triangle { a: self.a.to::<T>(), b: self.b.to::<T>(), c: self.c.to::<T>() }
    }
}

/// A rectangle in space, without thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle<S: Real = f32> {
    /// Centre.
    pub centre: S::Vec3,
    /// Unit vectors along the sides, perpendicular to each other.
    pub axes: [S::Vec3; 2],
    /// Half the length of the sides.
    pub half: [S; 2],
}

impl<S: Real> Rectangle<S> {
    /// Unit normal: first axis × second axis.
    #[inline]
    #[must_use]
    pub fn normal(&self) -> S::Vec3 {
        self.axes[0].cross(self.axes[1])
    }

    /// The four corners, counter-clockwise seen from the tip of the normal.
    #[must_use]
    pub fn corners(&self) -> [S::Vec3; 4] {
        let (u, v) = (self.axes[0] * self.half[0], self.axes[1] * self.half[1]);
        let c = self.centre;
        [c - u - v, c + u - v, c + u + v, c - u + v]
    }
}
