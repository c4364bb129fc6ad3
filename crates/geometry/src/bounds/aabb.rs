//! Axis-aligned boxes in `D` dimensions.

use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// A box by its lowest and highest corner. Valid if `min ≤ max` on every axis; a point or a flat box is valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize, S: Real = f32> {
    /// Lowest corner.
    pub min: [S; D],
    /// Highest corner.
    pub max: [S; D],
}

impl<const D: usize, S: Real> Default for Aabb<D, S> {
    fn default() -> Self {
        Self { min: [S::ZERO; D], max: [S::ZERO; D] }
    }
}

impl<const D: usize, S: Real> Aabb<D, S> {
    /// The box that contains nothing: the union with it is the other box. Not [valid](Self::is_valid).
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
        (0..D).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
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
    pub fn around(centre: S::Vec3, half: S::Vec3) -> Self {
        Self { min: (centre - half).to_array(), max: (centre + half).to_array() }
    }

    /// The smallest box around points; [`Aabb::EMPTY`] around none.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = S::Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| b.with_point(p))
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

    /// The box around this box after a rotation and a translation: exact for the box, loose for what is in it.
    #[must_use]
    pub fn turned(&self, rotation: &Matrix3<S>, translation: S::Vec3) -> Self {
        Self::around(rotation.times(self.centre()) + translation, rotation.abs().times(self.half()))
    }

    /// The corner with the highest coordinates on the axes whose bit is set in `index`, else the lowest.
    #[must_use]
    pub fn corner(&self, index: usize) -> S::Vec3 {
        let pick = |k: usize| if index >> k & 1 == 1 { self.max[k] } else { self.min[k] };
        S::Vec3::new(pick(0), pick(1), pick(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_overlap_and_apart_ones_do_not() {
        let a = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        assert!(a.overlaps(&Aabb::new([1.0, 1.0], [2.0, 2.0])));
        assert!(!a.overlaps(&Aabb::new([1.0, 1.000_1], [2.0, 2.0])));
        assert!(a.overlaps(&Aabb::new([0.2, 0.2], [0.3, 0.3])), "containment is overlap");
    }

    #[test]
    fn nan_and_inverted_boxes_are_invalid() {
        assert!(Aabb::new([0.0; 3], [0.0; 3]).is_valid());
        assert!(!Aabb::new([0.0, 1.0], [1.0, 0.0]).is_valid());
        assert!(!Aabb::new([f32::NAN], [1.0]).is_valid());
    }
}
