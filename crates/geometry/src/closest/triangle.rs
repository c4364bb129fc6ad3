//! The point of a triangle nearest to a given point, with its weights and its feature.
//!
//! The regions are those of Ericson, "Real-Time Collision Detection", 5.1.5, decided here by the 2
//! × 2 Gram matrix of two sides, whose rounding errors grow with the distance of the point rather
//! than with its square. Sharp corners and extreme sizes take a slower way that compares
//! candidates.

use super::Span;
use super::face::Face;
use crate::primitive::{Segment, Triangle};
use crate::real::{Real, Vector};

/// Part of a triangle that a point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleFeature {
    /// Corner a, b or c (0, 1, 2).
    Vertex(u8),
    /// Side ab, bc or ca (0, 1, 2), without its ends but for rounding.
    Edge(u8),
    /// Inside.
    Face,
}

/// A point of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrianglePoint<S: Real = f32> {
    /// Where it is.
    pub point: S::Vec3,
    /// Barycentric coordinates: weights of the corners, none negative, sum 1.
    pub weights: [S; 3],
    /// The smallest part of the triangle that contains it.
    pub feature: TriangleFeature,
}

impl<S: Real> TrianglePoint<S> {
    /// The point of `triangle` nearest to `point`. A triangle without area is the segment or point
    /// that it covers.
    ///
    /// ```
    /// use carom_geometry::closest::{TriangleFeature, TrianglePoint};
    /// use carom_geometry::primitive::Triangle;
    /// use glam::Vec3;
    /// let triangle = Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::Y);
    /// let found = TrianglePoint::nearest(&triangle, Vec3::new(0.5, -1.0, 2.0));
    /// assert_eq!(found.feature, TriangleFeature::Edge(0));
    /// assert_eq!(found.weights, [0.5, 0.5, 0.0]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn nearest(triangle: &Triangle<S>, point: S::Vec3) -> Self {
        let (zero, one) = (S::ZERO, S::ONE);
        let (ab, ac, ap) = (triangle.b - triangle.a, triangle.c - triangle.a, point - triangle.a);
        let (bb, cc, bc) = (ab.length_squared(), ac.length_squared(), ab.dot(ac));
        let (bp, cp) = (ab.dot(ap), ac.dot(ap));
        let scale = bb * cc;
        let determinant = scale - bc * bc;
        // Weights of b, c and a, times the determinant.
        let (v, w) = (cc * bp - bc * cp, bb * cp - bc * bp);
        let u = determinant - v - w;
        // sin² of the angle at a above 1/64, nothing over- or underflown; NaN fails.
        let ordinary = determinant > scale * S::of(1.0 / 64.0)
            && scale > S::MIN_POSITIVE / S::EPSILON
            && u.abs() <= S::MAX;
        if !ordinary {
            return Self::nearest_scaled(triangle, point);
        }
        if u > zero && v > zero && w > zero {
            let (v, w) = (v / determinant, w / determinant);
            let weights = [Real::max(one - v - w, zero), v, w];
            return Self { point: triangle.a + ab * v + ac * w, weights, feature: TriangleFeature::Face };
        }
        let corner = |index: u8, point: S::Vec3| {
            let mut weights = [zero; 3];
            weights[usize::from(index)] = one;
            Self { point, weights, feature: TriangleFeature::Vertex(index) }
        };
        // Projections on the sides: of ab by bp, of ac by cp, of bc by what lies beyond b and
        // beyond c.
        if bp <= zero && cp <= zero {
            return corner(0, triangle.a);
        }
        if w <= zero && bp > zero && bp < bb {
            let t = bp / bb;
            let weights = [one - t, t, zero];
            return Self { point: triangle.a + ab * t, weights, feature: TriangleFeature::Edge(0) };
        }
        if v <= zero && cp > zero && cp < cc {
            let t = cp / cc;
            let weights = [one - t, zero, t];
            return Self { point: triangle.a + ac * t, weights, feature: TriangleFeature::Edge(2) };
        }
        let (past_b, past_c) = ((cp - bc) - (bp - bb), (bp - bc) - (cp - cc));
        if past_b <= zero {
            return corner(1, triangle.b);
        }
        if past_c <= zero {
            return corner(2, triangle.c);
        }
        let t = past_b / (past_b + past_c);
        let weights = [zero, one - t, t];
        let point = triangle.b + (triangle.c - triangle.b) * t;
        Self { point, weights, feature: TriangleFeature::Edge(1) }
    }

    /// The same for needles, triangles without area and extreme sizes: the best of the three sides
    /// and the inside.
    ///
    /// Each candidate is a point of the triangle, so a bad one does no harm.
    #[cold]
    #[inline(never)]
    fn nearest_scaled(triangle: &Triangle<S>, point: S::Vec3) -> Self {
        let from = triangle.corners().map(|c| c - point);
        let largest = from.iter().fold(S::ZERO, |m, c| Real::max(Vector::abs(*c).max_element(), m));
        let size = if largest > S::ZERO { largest } else { S::ONE };
        let [a, b, c] = from.map(|c| c / size);
        let mut weights = [S::ONE, S::ZERO, S::ZERO];
        let mut feature = TriangleFeature::Vertex(0);
        let mut smallest = a.length_squared();
        for (edge, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            let span = Span::<S>::from_segment(&Segment::new(from, to));
            let t = span.parameter_near(S::Vec3::ZERO);
            let square = span.at(t).length_squared();
            if square < smallest {
                smallest = square;
                weights = [S::ZERO; 3];
                weights[edge] = S::ONE - t;
                weights[(edge + 1) % 3] = t;
                feature = match t {
                    t if t <= S::ZERO => TriangleFeature::Vertex(edge as u8),
                    t if t >= S::ONE => TriangleFeature::Vertex((edge as u8 + 1) % 3),
                    _ => TriangleFeature::Edge(edge as u8),
                };
            }
        }
        let inside =
            Face::<S>::new(&Triangle::new(a, b, c)).and_then(|face| face.foot_weights(S::Vec3::ZERO));
        // The foot is nearer than any side, but close to one by less than rounding.
        let rounded = smallest * (S::ONE + S::of(8.0) * S::EPSILON);
        if let Some([u, v, w]) = inside
            && (a * u + b * v + c * w).length_squared() < rounded
            && u > S::ZERO
            && v > S::ZERO
            && w > S::ZERO
        {
            weights = [u, v, w];
            feature = TriangleFeature::Face;
        }
        let corners = triangle.corners();
        let point = match feature {
            TriangleFeature::Vertex(index) => corners[usize::from(index)],
            _ => {
                let [p, q, r] = corners;
                p + (q - p) * weights[1] + (r - p) * weights[2]
            }
        };
        Self { point, weights, feature }
    }
}
