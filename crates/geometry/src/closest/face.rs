//! The inside of a triangle, for dropping points on it.

use super::Closest;
use crate::primitive::Triangle;
use crate::real::{Real, Vector};

/// A point counts as lying on a face if it is within this many ε × the extent of the figures.
const TOUCH: f64 = 4.0;

/// A triangle with its normal, seen from one of its corners.
///
/// The corner is a, or for a needle the one opposite to the longest side: vector products of the
/// two shorter sides are accurate unless the corners are nearly in line.
pub(crate) struct Face<S: Real> {
    corner: S::Vec3,
    sides: [S::Vec3; 2],
    /// Unit normal.
    pub(crate) normal: S::Vec3,
    /// Twice the area.
    area: S,
    /// Index of the corner.
    first: usize,
    /// The corners are nearly in line: the normal is not to be trusted with comparisons.
    pub(crate) sharp: bool,
}

impl<S: Real> Face<S> {
    /// The inside of a triangle, or `None` if it has none.
    #[inline]
    pub(crate) fn new(triangle: &Triangle<S>) -> Option<Self> {
        let face = Self::seen_from(triangle.corners(), 0)?;
        if face.sharp { Self::of_needle(triangle) } else { Some(face) }
    }

    #[cold]
    #[inline(never)]
    fn of_needle(triangle: &Triangle<S>) -> Option<Self> {
        let size = |v: S::Vec3| Vector::abs(v).max_element();
        let [ab, bc, ca] = triangle.edges().map(|edge| size(edge.direction()));
        let first = if bc >= ab && bc >= ca {
            0
        } else if ca >= ab {
            1
        } else {
            2
        };
        let mut corners = triangle.corners();
        corners.rotate_left(first);
        Self::seen_from(corners, first)
    }

    #[inline]
    fn seen_from([a, b, c]: [S::Vec3; 3], first: usize) -> Option<Self> {
        let sides = [b - a, c - a];
        let vector = sides[0].cross(sides[1]);
        let normal = vector.unit()?;
        let area = vector.dot(normal);
        let product = Vector::abs(sides[0]).max_element() * Vector::abs(sides[1]).max_element();
        Some(Self { corner: a, sides, normal, area, first, sharp: area < product * S::of(0.125) })
    }

    /// Height of a point above the plane.
    #[inline]
    pub(crate) fn height(&self, point: S::Vec3) -> S {
        self.normal.dot(point - self.corner)
    }

    /// Parts of the two sides in a vector from the corner, times the area.
    #[inline]
    fn parts(&self, from: S::Vec3) -> [S; 2] {
        [from.cross(self.sides[1]).dot(self.normal), self.sides[0].cross(from).dot(self.normal)]
    }

    /// Parts of the two sides in the foot of `point` on the plane, if the foot lies in the
    /// triangle.
    #[inline]
    fn foot_parts(&self, point: S::Vec3) -> Option<[S; 2]> {
        let from = point - self.corner;
        let [v, w] = self.parts(from);
        if self.sharp {
            return self.needle_parts(from, [v, w]);
        }
        let inside = v >= S::ZERO && w >= S::ZERO && v + w <= self.area;
        inside.then(|| [v / self.area, w / self.area])
    }

    /// The parts are inaccurate by ε/h for a needle of relative height h, along its length. What
    /// they leave of the vector is small, and its parts make up for that.
    #[cold]
    #[inline(never)]
    fn needle_parts(&self, from: S::Vec3, parts: [S; 2]) -> Option<[S; 2]> {
        let [v, w] = parts.map(|part| Real::clamp(part / self.area, S::ZERO, S::ONE));
        let [dv, dw] = self.parts(from - self.sides[0] * v - self.sides[1] * w);
        let [v, w] = [v + dv / self.area, w + dw / self.area];
        (v >= S::ZERO && w >= S::ZERO && v + w <= S::ONE).then_some([v, w])
    }

    /// Weights of the corners of the triangle in the foot of `point` on the plane, if the foot lies
    /// in the triangle.
    pub(crate) fn foot_weights(&self, point: S::Vec3) -> Option<[S; 3]> {
        let [v, w] = self.foot_parts(point)?;
        let mut weights = [Real::max(S::ONE - v - w, S::ZERO), v, w];
        weights.rotate_right(self.first);
        Some(weights)
    }

    /// `point` of another figure and its foot in this triangle, if it has one; a common point if
    /// they agree but for rounding. `path` is what was added to a point of the other figure to get
    /// to `point`.
    #[inline]
    pub(crate) fn meet(&self, point: S::Vec3, path: S::Vec3) -> Option<Closest<S>> {
        let [v, w] = self.foot_parts(point)?;
        let foot = self.corner + self.sides[0] * v + self.sides[1] * w;
        let extent =
            Vector::abs(point) + Vector::abs(path) + Vector::abs(self.sides[0]) + Vector::abs(self.sides[1]);
        let tolerance = extent.max_element() * (S::of(TOUCH) * S::EPSILON);
        let found = Closest::between(point, foot);
        Some(if found.distance_squared <= tolerance * tolerance { Closest::common(point) } else { found })
    }
    /// Where `from + t · path` pierces the face, given its t by the heights; `None` if that is
    /// outside the triangle.
    #[inline]
    pub(crate) fn pierce(&self, from: S::Vec3, path: S::Vec3, t: S) -> Option<Closest<S>> {
        let found = self.meet(from + path * t, path * t)?;
        if self.sharp && found.distance_squared > S::ZERO {
            return Some(self.pierce_needle(from, path, t, found));
        }
        Some(found)
    }

    /// Heights over a needle are off by ε/h of the distance from its corner, and so is t. The
    /// height over the foot is not, as the foot is near.
    #[cold]
    #[inline(never)]
    fn pierce_needle(&self, from: S::Vec3, path: S::Vec3, t: S, found: Closest<S>) -> Closest<S> {
        let (mut best, mut t) = (found, t);
        let climb = self.normal.dot(path);
        let [low, high] = [Real::min(t, S::ZERO), Real::max(t, S::ONE)];
        for _ in 0..2 {
            t = Real::clamp(t - self.normal.dot(best.a - best.b) / climb, low, high);
            match self.meet(from + path * t, path * t) {
                Some(next) => best = best.or(next),
                None => break,
            }
        }
        best
    }
}
