//! Closest points and distances between the simplest figures.
//!
//! Points, segments, rays, lines, planes, triangles, rectangles and boxes, every pair of them,
//! through one function: [`closest_points`]. Segments, rays and lines are one [form](Figure::Form),
//! the [`Span`], which differs in the range of its parameter; rectangles and axis-aligned boxes are
//! [oriented boxes](Obb). That leaves five forms and a few exact kernels:
//!
//! | kernel | method |
//! |---|---|
//! | span–span | quadratic in two parameters over a rectangle ([`span`]) |
//! | point–triangle | Voronoi regions by barycentric weights ([`triangle`]) |
//! | span–box | zero of a monotone, piecewise linear derivative ([`span_box`]) |
//! | box–box | projections, then edges, until a pair proves itself |
//! | everything else | the best pair of features, put together from these ([`pairs`]) |
//!
//! Invariants: the points returned belong to their figures up to rounding, so the distance is never
//! less than the true one by more than rounding; degenerate figures (a segment that is a point, a
//! triangle without area, a ray without direction, a flat box) count as the smaller figure that
//! they are; finite input gives no NaN. The error of the distance is a small multiple of ε × the
//! largest coordinate, also for nearly parallel lines and needles: whatever is ill conditioned is
//! settled by comparing the distances of several candidates.
//!
//! Limits: coordinates, extents and directions between 10⁻¹⁵ and 10¹⁵ in `f32` (10⁻¹⁰⁰ and 10¹⁰⁰ in
//! `f64`), as squares of lengths must fit. Smaller distances count as zero, larger ones as
//! infinite.

mod boxes;
mod face;
pub mod pairs;
pub mod point;
pub mod span;
pub mod span_box;
pub mod triangle;

use crate::bounds::{Aabb, Obb};
use crate::primitive::{Line, Plane, Ray, Rectangle, Segment, Triangle};
use crate::real::{Real, Vector};

pub use point::Nearest;
pub use span::Span;
pub use triangle::{TriangleFeature, TrianglePoint};

/// Two closest points; a common point of both figures if they meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest<S: Real = f32> {
    /// Point of the first figure.
    pub a: S::Vec3,
    /// Point of the second figure.
    pub b: S::Vec3,
    /// Square of their distance.
    pub distance_squared: S,
}

impl<S: Real> Closest<S> {
    /// Two points with the distance between them.
    #[inline]
    #[must_use]
    pub fn between(a: S::Vec3, b: S::Vec3) -> Self {
        Self { a, b, distance_squared: (a - b).length_squared() }
    }

    /// A point that both figures have.
    #[inline]
    #[must_use]
    pub fn common(point: S::Vec3) -> Self {
        Self { a: point, b: point, distance_squared: S::ZERO }
    }

    /// Distance of the two points.
    #[inline]
    #[must_use]
    pub fn distance(&self) -> S {
        self.distance_squared.sqrt()
    }

    /// The same with the figures exchanged.
    #[inline]
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { a: self.b, b: self.a, distance_squared: self.distance_squared }
    }

    /// The pair with the smaller distance, this one if they are equal.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if other.distance_squared < self.distance_squared { other } else { self }
    }
}

/// A figure that distances can be measured from and to.
pub trait Figure {
    /// Its coordinates.
    type Scalar: Real;
    /// What it is reduced to before measuring: [`Point`], [`Span`], [`Plane`], [`Triangle`] or
    /// [`Obb`].
    type Form;

    /// The figure as its form.
    fn form(&self) -> Self::Form;
}

/// A form that knows its closest points to the form `B`. Every form knows every other; callers use
/// [`closest_points`].
pub trait ClosestTo<B> {
    /// Coordinates of both.
    type Scalar: Real;

    /// A point of each at the smallest distance.
    fn closest_to(&self, other: &B) -> Closest<Self::Scalar>;
}

/// A point as a [form](Figure::Form); vectors are figures of this form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<S: Real = f32>(
    /// Its coordinates.
    pub S::Vec3,
);

/// Closest points of two figures; see the [module](self) for accuracy and limits.
///
/// ```
/// use carom_geometry::closest::closest_points;
/// use carom_geometry::primitive::{Segment, Triangle};
/// use glam::Vec3;
/// let floor = Triangle::<f32>::new(Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0));
/// let rod = Segment::<f32>::new(Vec3::new(1.0, 1.0, 2.0), Vec3::new(5.0, 5.0, 9.0));
/// let closest = closest_points(&rod, &floor);
/// assert_eq!((closest.b, closest.distance_squared), (Vec3::new(1.0, 1.0, 0.0), 4.0));
/// assert_eq!(closest_points(&Vec3::new(1.0, 1.0, -3.0), &floor).distance(), 3.0);
/// ```
#[inline]
pub fn closest_points<A, B>(a: &A, b: &B) -> Closest<A::Scalar>
where
    A: Figure,
    B: Figure<Scalar = A::Scalar>,
    A::Form: ClosestTo<B::Form, Scalar = A::Scalar>,
{
    a.form().closest_to(&b.form())
}

/// Distance of two figures: 0 if they meet.
#[inline]
pub fn distance<A, B>(a: &A, b: &B) -> A::Scalar
where
    A: Figure,
    B: Figure<Scalar = A::Scalar>,
    A::Form: ClosestTo<B::Form, Scalar = A::Scalar>,
{
    closest_points(a, b).distance()
}

macro_rules! figure {
    ($figure:ty => $form:ty, $reduce:expr) => {
        impl<S: Real> Figure for $figure {
            type Scalar = S;
            type Form = $form;

            #[inline]
            fn form(&self) -> $form {
                $reduce(self)
            }
        }
    };
}

figure!(Point<S> => Point<S>, |p: &Self| *p);
figure!(Segment<S> => Span<S>, Span::from_segment);
figure!(Ray<S> => Span<S>, Span::from_ray);
figure!(Line<S> => Span<S>, Span::from_line);
figure!(Span<S> => Span<S>, |s: &Self| *s);
figure!(Plane<S> => Plane<S>, |p: &Self| *p);
figure!(Triangle<S> => Triangle<S>, |t: &Self| *t);
figure!(Rectangle<S> => Obb<S>, Obb::of_rectangle);
figure!(Aabb<3, S> => Obb<S>, Obb::of_aabb);
figure!(Obb<S> => Obb<S>, |b: &Self| *b);

impl Figure for glam::Vec3 {
    type Scalar = f32;
    type Form = Point<f32>;

    #[inline]
    fn form(&self) -> Point<f32> {
        Point(*self)
    }
}

impl Figure for glam::DVec3 {
    type Scalar = f64;
    type Form = Point<f64>;

    #[inline]
    fn form(&self) -> Point<f64> {
        Point(*self)
    }
}
