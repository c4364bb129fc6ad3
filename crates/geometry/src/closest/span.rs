//! Segment, ray and line as one figure, and the closest points of two of them.

use crate::primitive::{Line, Ray, Segment};
use crate::real::{Real, Vector};

/// The points `origin + t · direction` for `low ≤ t ≤ high`: a segment, a ray or a line by its
/// range.
///
/// A direction of zero makes it a point. At least one number lies in the range, which may be
/// infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span<S: Real = f32> {
    /// The point at t = 0.
    pub origin: S::Vec3,
    /// Direction, of any length.
    pub direction: S::Vec3,
    /// Smallest parameter.
    pub low: S,
    /// Largest parameter.
    pub high: S,
}

impl<S: Real> Span<S> {
    /// A segment: parameters 0 to 1.
    #[inline]
    #[must_use]
    pub fn from_segment(segment: &Segment<S>) -> Self {
        Self { origin: segment.a, direction: segment.direction(), low: S::ZERO, high: S::ONE }
    }

    /// A ray: parameters from 0.
    #[inline]
    #[must_use]
    pub fn from_ray(ray: &Ray<S>) -> Self {
        Self { origin: ray.origin, direction: ray.direction, low: S::ZERO, high: S::INFINITY }
    }

    /// A line: every parameter.
    #[inline]
    #[must_use]
    pub fn from_line(line: &Line<S>) -> Self {
        Self { origin: line.point, direction: line.direction, low: S::NEG_INFINITY, high: S::INFINITY }
    }

    /// The point at `t`.
    #[inline]
    #[must_use]
    pub fn at(&self, t: S) -> S::Vec3 {
        self.origin + self.direction * t
    }

    /// The parameter of the range nearest to `t`.
    #[inline]
    #[must_use]
    pub fn clamp(&self, t: S) -> S {
        Real::clamp(t, self.low, self.high)
    }

    /// Parameter of the point nearest to `point`.
    #[inline(always)]
    #[must_use]
    pub fn parameter_near(&self, point: S::Vec3) -> S {
        let square = self.direction.length_squared();
        if square > S::MIN_POSITIVE / S::EPSILON {
            self.clamp(self.direction.dot(point - self.origin) / square)
        } else {
            self.parameter_near_scaled(point)
        }
    }

    /// The same for a direction whose square underflows, or none.
    #[cold]
    #[inline(never)]
    fn parameter_near_scaled(&self, point: S::Vec3) -> S {
        let length = Vector::abs(self.direction).max_element();
        if length == S::ZERO {
            return self.clamp(S::ZERO);
        }
        let unit = self.direction / length;
        let t = unit.dot(point - self.origin) / unit.length_squared() / length;
        self.clamp(if t.is_finite() { t } else { S::ZERO })
    }

    /// The ends that the figure has: two of a segment, one of a ray, none of a line.
    #[inline]
    pub fn ends(&self) -> impl Iterator<Item = S::Vec3> + '_ {
        [self.low, self.high].into_iter().filter(|t| t.is_finite()).map(|t| self.at(t))
    }

    /// Parameters of the closest points of two spans.
    ///
    /// Unique unless the directions are parallel; then a pair that contains an end is preferred.
    ///
    /// ```
    /// use carom_geometry::closest::Span;
    /// use carom_geometry::primitive::{Line, Segment};
    /// use glam::Vec3;
    /// let rod = Span::from_segment(&Segment::<f32>::new(Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 3.0, 1.0)));
    /// let axis = Span::from_line(&Line::<f32>::new(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0)));
    /// let [s, t] = rod.closest_parameters(&axis);
    /// assert_eq!((s, axis.at(t)), (0.0, Vec3::new(0.4, 0.2, 0.0)));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn closest_parameters(&self, other: &Self) -> [S; 2] {
        let (d, e, r) = (self.direction, other.direction, self.origin - other.origin);
        let (dd, ee, de) = (d.length_squared(), e.length_squared(), d.dot(e));
        let (dr, er) = (d.dot(r), e.dot(r));
        let (scale, numerator) = (dd * ee, de * er - dr * ee);
        let determinant = scale - de * de;
        // sin² > 1/64: the difference keeps its leading digits. The other bounds exclude over- and
        // underflow; NaN fails.
        let ordinary = determinant > scale * S::of(1.0 / 64.0)
            && scale > S::MIN_POSITIVE / S::EPSILON
            && Real::min(dd, ee) > S::MIN_POSITIVE / S::EPSILON
            && numerator.abs() <= S::MAX;
        if !ordinary {
            return self.closest_parameters_scaled(other);
        }
        // Three divisions that do not wait for each other.
        let (by_determinant, by_dd, by_ee) = (S::ONE / determinant, S::ONE / dd, S::ONE / ee);
        let s = self.clamp(numerator * by_determinant);
        let t = other.clamp((de * s + er) * by_ee);
        // The quadratic is convex: with t at its border, the best s is the one for that border.
        // With t inside it is the same s again, which is cheaper than to ask.
        [self.clamp((de * t - dr) * by_dd), t]
    }

    /// The same for nearly parallel, degenerate, huge or tiny spans: the best of several
    /// candidates.
    ///
    /// Directions are brought to length about 1 first. Where lines at a small angle θ cross comes
    /// from vector products, whose relative error is ε/θ; with scalar products it would be ε/θ². An
    /// error δ of the place makes one of δ·θ in the distance.
    #[cold]
    #[inline(never)]
    fn closest_parameters_scaled(&self, other: &Self) -> [S; 2] {
        let length = |v: S::Vec3| {
            let largest = Vector::abs(v).max_element();
            if largest > S::ZERO { largest } else { S::ONE }
        };
        let (d_length, e_length) = (length(self.direction), length(other.direction));
        let a = Self {
            origin: self.origin - other.origin,
            direction: self.direction / d_length,
            low: self.low * d_length,
            high: self.high * d_length,
        };
        let b = Self {
            origin: S::Vec3::ZERO,
            direction: other.direction / e_length,
            low: other.low * e_length,
            high: other.high * e_length,
        };
        let mut best = [a.clamp(S::ZERO), S::ZERO];
        best[1] = b.parameter_near(a.at(best[0]));
        let gap = |[s, t]: [S; 2]| (a.at(s) - b.at(t)).length_squared();
        let mut smallest = gap(best);
        let mut consider = |candidate: [S; 2]| {
            let square = gap(candidate);
            if square < smallest {
                (best, smallest) = (candidate, square);
            }
        };
        // A span without direction is a point; others may have no end.
        let t = b.clamp(S::ZERO);
        consider([a.parameter_near(b.at(t)), t]);
        for s in [a.low, a.high] {
            if s.is_finite() {
                consider([s, b.parameter_near(a.at(s))]);
            }
        }
        for t in [b.low, b.high] {
            if t.is_finite() {
                consider([a.parameter_near(b.at(t)), t]);
            }
        }
        let normal = a.direction.cross(b.direction);
        let square = normal.length_squared();
        if square > S::of(16.0) * S::EPSILON * S::EPSILON {
            let s = a.clamp(-(a.origin.cross(b.direction).dot(normal) / square));
            let t = b.parameter_near(a.at(s));
            let crossing = [a.parameter_near(b.at(t)), t];
            consider(crossing);
            // Within both ranges it is the answer. Beside a wide gap rounding hides how much less
            // wide it is than others, and those are as far beside each other as the root of that.
            // Directions that only rounding tells apart cross nowhere.
            let is_within = |span: &Self, t: S| t > span.low && t < span.high;
            if square > S::of(64.0 * 64.0) * S::EPSILON * S::EPSILON
                && is_within(&a, crossing[0])
                && is_within(&b, crossing[1])
                && gap(crossing) <= smallest * (S::ONE + S::of(8.0) * S::EPSILON)
            {
                best = crossing;
            }
        }
        // Rounding hides how far a candidate is from the best place by the root of its error: the
        // place for the other parameter is known better. Not where the two are the same but for
        // rounding, so that ends stay ends.
        let [mut s, mut t] = best;
        let extent = Vector::abs(a.origin).max_element() + s.abs() + t.abs();
        let is_other = |one: S, other: S| (one - other).abs() > S::of(16.0) * S::EPSILON * extent;
        for _ in 0..2 {
            let better = a.parameter_near(b.at(t));
            s = if is_other(better, s) { better } else { s };
            let better = b.parameter_near(a.at(s));
            t = if is_other(better, t) { better } else { t };
        }
        [s / d_length, t / e_length]
    }
}
