//! The point of a figure nearest to a given point.

use super::{Obb, Point, Span, TrianglePoint};
use crate::bounds::Aabb;
use crate::primitive::{Line, Plane, Ray, Rectangle, Segment, Triangle};
use crate::real::{Real, Vector};

/// A closed set with a nearest point to every point.
pub trait Nearest<S: Real> {
    /// The point of the set nearest to `point`: `point` itself if it belongs to a solid set.
    ///
    /// ```
    /// use carom_geometry::closest::Nearest;
    /// use carom_geometry::primitive::Segment;
    /// use glam::Vec3;
    /// let rod = Segment::<f32>::new(Vec3::ZERO, Vec3::X);
    /// assert_eq!(rod.nearest(Vec3::new(0.25, 7.0, 0.0)), Vec3::new(0.25, 0.0, 0.0));
    /// assert_eq!(rod.nearest(Vec3::new(3.0, 7.0, 0.0)), Vec3::X);
    /// ```
    #[must_use]
    fn nearest(&self, point: S::Vec3) -> S::Vec3;

    /// Square of the distance to `point`: 0 inside a solid set.
    #[inline]
    #[must_use]
    fn distance_squared_to(&self, point: S::Vec3) -> S {
        (point - self.nearest(point)).length_squared()
    }
}

impl<S: Real> Nearest<S> for Point<S> {
    #[inline]
    fn nearest(&self, _: S::Vec3) -> S::Vec3 {
        self.0
    }
}

impl<S: Real> Nearest<S> for Span<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        self.at(self.parameter_near(point))
    }
}

impl<S: Real> Nearest<S> for Segment<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        let direction = self.direction();
        let (along, square) = (direction.dot(point - self.a), direction.length_squared());
        if along <= S::ZERO {
            self.a
        } else if along >= square {
            self.b
        } else {
            self.a + direction * (along / square)
        }
    }
}

impl<S: Real> Nearest<S> for Ray<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        Span::from_ray(self).nearest(point)
    }
}

impl<S: Real> Nearest<S> for Line<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        Span::from_line(self).nearest(point)
    }
}

impl<S: Real> Nearest<S> for Plane<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        self.project(point)
    }
}

impl<S: Real> Nearest<S> for Triangle<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        TrianglePoint::nearest(self, point).point
    }
}

impl<S: Real> Nearest<S> for Rectangle<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        let ([u, v], [hu, hv]) = (self.axes, self.half);
        let from_centre = point - self.centre;
        let x = Real::clamp(u.dot(from_centre), -hu, hu);
        let y = Real::clamp(v.dot(from_centre), -hv, hv);
        self.centre + u * x + v * y
    }
}

impl<S: Real> Nearest<S> for Aabb<3, S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        Vector::clamp(point, self.low(), self.high())
    }
}

impl<S: Real> Nearest<S> for Obb<S> {
    #[inline]
    fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        let local = self.local(point);
        let inside = Vector::clamp(local, -self.half, self.half);
        // Back and forth would move a point of the box by rounding.
        if inside == local { point } else { self.world(inside) }
    }
}
