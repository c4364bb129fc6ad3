//! Axis-aligned boxes in `D` dimensions.

/// A box by its lowest and highest corner. Valid if `min ≤ max` on every axis; a point or a flat box is valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// Lowest corner.
    pub min: [f32; D],
    /// Highest corner.
    pub max: [f32; D],
}

impl<const D: usize> Default for Aabb<D> {
    fn default() -> Self {
        Self { min: [0.0; D], max: [0.0; D] }
    }
}

impl<const D: usize> Aabb<D> {
    /// Box of two corners.
    #[must_use]
    pub fn new(min: [f32; D], max: [f32; D]) -> Self {
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
