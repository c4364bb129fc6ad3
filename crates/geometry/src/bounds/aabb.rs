//! Axis-aligned boxes in `D` dimensions.

use crate::primitive::Plane;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// A box by its lowest and highest corner. Valid if `min ≤ max` on every axis; a point or a flat
/// box is valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize, S: Real = f32> {
    /// Lowest corner.
    pub min: [S; D],
    /// Highest corner.
    pub max: [S; D],
}

/// Where a bounded set lies relative to a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSide {
    /// Wholly on the side that the normal points to.
    Positive,
    /// Wholly on the other side.
    Negative,
    /// On both sides, or touching the plane.
    Straddling,
}

impl PlaneSide {
    /// Side of a set that reaches `reach` along the normal, both ways from a point at `distance`
    /// from the plane.
    #[inline]
    #[must_use]
    pub fn of<S: Real>(distance: S, reach: S) -> Self {
        if distance > reach {
            Self::Positive
        } else if distance < -reach {
            Self::Negative
        } else {
            Self::Straddling
        }
    }
}

impl<const D: usize, S: Real> Default for Aabb<D, S> {
    fn default() -> Self {
        Self { min: [S::ZERO; D], max: [S::ZERO; D] }
    }
}

impl<const D: usize, S: Real> Aabb<D, S> {
    /// The box that contains nothing: the union with it is the other box. Not
    /// [valid](Self::is_valid).
    pub const EMPTY: Self = Self { min: [S::INFINITY; D], max: [S::NEG_INFINITY; D] };
    /// The box that contains everything.
    pub const EVERYTHING: Self = Self { min: [S::NEG_INFINITY; D], max: [S::INFINITY; D] };

    /// Box of two corners.
    #[must_use]
    pub const fn new(min: [S; D], max: [S; D]) -> Self {
        Self { min, max }
    }

    /// Do the closed boxes share a point? Touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without early outs: after a broad phase the answer is a coin toss, and a wrong guess
        // costs more than six comparisons.
        (0..D).fold(true, |all, k| all & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    /// True if no coordinate is NaN and no axis is inverted.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        (0..D).all(|axis| self.min[axis] <= self.max[axis])
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| Real::min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| Real::max(self.max[k], other.max[k])),
        }
    }

    /// The common part, or `None` if the boxes are apart.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let common = Self {
            min: std::array::from_fn(|k| Real::max(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| Real::min(self.max[k], other.max[k])),
        };
        common.is_valid().then_some(common)
    }

    /// Is the other box inside this one? Touching faces count as inside.
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        (0..D).all(|axis| self.min[axis] <= other.min[axis] && other.max[axis] <= self.max[axis])
    }

    /// The box with every face moved outwards by `margin`.
    #[inline]
    #[must_use]
    pub fn grown(&self, margin: S) -> Self {
        Self { min: self.min.map(|c| c - margin), max: self.max.map(|c| c + margin) }
    }
}

impl<S: Real> Aabb<3, S> {
    /// Box of a centre and half extents.
    #[inline]
    #[must_use]
    pub fn around<V>(centre: V, half: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { min: (centre - half).to_array(), max: (centre + half).to_array() }
    }

    /// The smallest box around points; [`Aabb::EMPTY`] around none.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = S::Vec3>) -> Self {
        // Two boxes in turn: neither comparison waits for the one before it.
        let mut points = points.into_iter();
        let (mut even, mut odd) = (Self::EMPTY, Self::EMPTY);
        while let Some(p) = points.next() {
            even = even.with_point(p);
            if let Some(p) = points.next() {
                odd = odd.with_point(p);
            }
        }
        even.union(&odd)
    }

    /// The smallest box around this one and a point.
    #[inline]
    #[must_use]
    pub fn with_point(&self, point: S::Vec3) -> Self {
        Self {
            min: Vector::min(self.low(), point).to_array(),
            max: Vector::max(self.high(), point).to_array(),
        }
    }

    /// Lowest corner.
    #[inline]
    #[must_use]
    pub fn low(&self) -> S::Vec3 {
        S::Vec3::from_array(self.min)
    }

    /// Highest corner.
    #[inline]
    #[must_use]
    pub fn high(&self) -> S::Vec3 {
        S::Vec3::from_array(self.max)
    }

    /// Centre.
    #[inline]
    #[must_use]
    pub fn centre(&self) -> S::Vec3 {
        self.low() * S::HALF + self.high() * S::HALF
    }

    /// Half extents.
    #[inline]
    #[must_use]
    pub fn half(&self) -> S::Vec3 {
        self.high() * S::HALF - self.low() * S::HALF
    }

    /// Is the point inside or on the border?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        (0..3).all(|k| self.min[k] <= point[k] && point[k] <= self.max[k])
    }

    /// The point of the box nearest to `point`: the point itself if it is inside.
    #[inline]
    #[must_use]
    pub fn closest_point(&self, point: S::Vec3) -> S::Vec3 {
        Vector::clamp(point, self.low(), self.high())
    }

    /// Square of the distance from a point to the box, 0 inside.
    #[inline]
    #[must_use]
    pub fn distance_squared(&self, point: S::Vec3) -> S {
        (point - self.closest_point(point)).length_squared()
    }

    /// On which side of the plane is the box? A box that touches the plane straddles it.
    #[inline]
    #[must_use]
    pub fn side_of(&self, plane: &Plane<S>) -> PlaneSide {
        PlaneSide::of(plane.signed_distance(self.centre()), Vector::abs(plane.normal).dot(self.half()))
    }

    /// Area of the six faces.
    #[inline]
    #[must_use]
    pub fn surface_area(&self) -> S {
        let d = self.high() - self.low();
        S::TWO * (d.x() * d.y() + d.y() * d.z() + d.z() * d.x())
    }

    /// Volume.
    #[inline]
    #[must_use]
    pub fn volume(&self) -> S {
        let d = self.high() - self.low();
        d.x() * d.y() * d.z()
    }

    /// The box around this box after a rotation and a translation: exact for the box, loose for
    /// what is in it.
    #[must_use]
    pub fn transformed(&self, rotation: &Matrix3<S>, translation: S::Vec3) -> Self {
        Self::around(rotation.times(self.centre()) + translation, rotation.abs().times(self.half()))
    }

    /// The corner with the highest coordinates on the axes whose bit is set in `index`, else the
    /// lowest.
    #[must_use]
    pub fn corner(&self, index: usize) -> S::Vec3 {
        let pick = |k: usize| if index >> k & 1 == 1 { self.max[k] } else { self.min[k] };
        S::Vec3::new(pick(0), pick(1), pick(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn touching_boxes_overlap_and_apart_ones_do_not() {
        let a = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        assert!(a.overlaps(&Aabb::new([1.0, 1.0], [2.0, 2.0])));
        assert!(!a.overlaps(&Aabb::new([1.0, 1.000_1], [2.0, 2.0])));
        assert!(a.overlaps(&Aabb::new([0.2, 0.2], [0.3, 0.3])), "containment is overlap");
    }

    #[test]
    fn a_plane_has_three_answers_for_a_box() {
        let b = Aabb::<3>::new([1.0, 2.0, 3.0], [2.0, 4.0, 5.0]);
        let side = |normal: Vec3, offset| b.side_of(&Plane::new(normal, offset));
        assert_eq!(side(Vec3::X, 0.5), PlaneSide::Positive);
        assert_eq!(side(Vec3::X, 1.0), PlaneSide::Straddling, "touching");
        assert_eq!(side(Vec3::X, 2.5), PlaneSide::Negative);
        assert_eq!(side(-Vec3::X, -2.5), PlaneSide::Positive);
        // The corner nearest to the origin along (1, 1, 1)/√3 is at 6/√3 = 3.464, the farthest at
        // 11/√3 = 6.351.
        let diagonal = Vec3::splat(1.0 / 3f32.sqrt());
        assert_eq!(side(diagonal, 3.46), PlaneSide::Positive);
        assert_eq!(side(diagonal, 3.47), PlaneSide::Straddling);
        assert_eq!(side(diagonal, 6.36), PlaneSide::Negative);
    }

    #[test]
    fn distances_to_faces_edges_corners_and_inside() {
        let b = Aabb::<3>::new([0.0; 3], [1.0, 2.0, 3.0]);
        for (point, square) in
            [([0.5, 1.0, 1.0], 0.0), ([3.0, 1.0, 1.0], 4.0), ([3.0, -1.0, 1.0], 5.0), ([3.0, -1.0, 4.0], 6.0)]
        {
            assert_eq!(b.distance_squared(point.into()), square);
        }
        assert_eq!(b.closest_point(Vec3::new(3.0, -1.0, 4.0)), Vec3::new(1.0, 0.0, 3.0));
    }

    #[test]
    fn nan_and_inverted_boxes_are_invalid() {
        assert!(Aabb::new([0.0; 3], [0.0; 3]).is_valid());
        assert!(!Aabb::new([0.0, 1.0], [1.0, 0.0]).is_valid());
        assert!(!Aabb::new([f32::NAN], [1.0]).is_valid());
    }
}
