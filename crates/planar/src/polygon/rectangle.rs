//! Axis-aligned rectangles in `f64`: the bounding boxes of plane polygons.
//!
//! The rest of the engine bounds bodies with the `f32` boxes of [`carom_geometry::bounds::aabb`];
//! plane scenes are `f64` throughout, because their kinetic algorithms compute with the times at
//! which box sides cross.

use std::cmp::Ordering;

use carom_geometry::Aabb;

use crate::vector::{Point, add};

/// A closed rectangle by its lowest and highest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// Lowest corner.
    pub min: Point,
    /// Highest corner.
    pub max: Point,
}

impl Rectangle {
    /// The smallest rectangle round some points, in any order; none if there are none.
    #[must_use]
    pub fn around(points: &[Point]) -> Option<Self> {
        let (&first, rest) = points.split_first()?;
        let start = Self { min: first, max: first };
        Some(rest.iter().fold(start, |r, &p| r.union(&Self { min: p, max: p })))
    }

    /// The smallest rectangle round two.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }

    /// Do the closed rectangles share a point? Touching counts.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Extent along x.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.max[0] - self.min[0]
    }

    /// Extent along y.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.max[1] - self.min[1]
    }

    /// Width times height.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.width() * self.height()
    }

    /// The rectangle moved by a vector.
    #[must_use]
    pub fn translated(&self, by: Point) -> Self {
        Self { min: add(self.min, by), max: add(self.max, by) }
    }

    /// The smallest box of less precision that contains the rectangle.
    #[must_use]
    pub fn to_aabb(&self) -> Aabb<2> {
        Aabb { min: self.min.map(round_down), max: self.max.map(round_up) }
    }

    /// Order by the lower side on an axis (0 is x, anything else y), then by the upper side.
    #[must_use]
    pub fn compare_on_axis(&self, other: &Self, axis: usize) -> Ordering {
        let axis = axis.min(1);
        self.min[axis].total_cmp(&other.min[axis]).then(self.max[axis].total_cmp(&other.max[axis]))
    }

    /// Order by area.
    #[must_use]
    pub fn compare_by_area(&self, other: &Self) -> Ordering {
        self.area().total_cmp(&other.area())
    }
}

/// The largest `f32` that is not above `x`.
fn round_down(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) > x { rounded.next_down() } else { rounded }
}

/// The smallest `f32` that is not below `x`.
fn round_up(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) < x { rounded.next_up() } else { rounded }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rectangle(min: Point, max: Point) -> Rectangle {
        Rectangle { min, max }
    }

    #[test]
    fn sides_and_area_follow_from_the_corners() {
        let r = rectangle([-1.0, 2.0], [3.0, 5.0]);
        assert_eq!((r.width(), r.height(), r.area()), (4.0, 3.0, 12.0));
        assert_eq!(Rectangle::around(&[]), None);
        assert_eq!(Rectangle::around(&[[1.0, 2.0]]), Some(rectangle([1.0, 2.0], [1.0, 2.0])));
    }

    #[test]
    fn touching_rectangles_overlap() {
        let r = rectangle([0.0, 0.0], [1.0, 1.0]);
        assert!(r.overlaps(&rectangle([1.0, 1.0], [2.0, 2.0])));
        assert!(!r.overlaps(&rectangle([0.0, 1.5], [1.0, 2.0])));
        assert!(r.overlaps(&rectangle([0.2, 0.2], [0.3, 0.3])));
        assert_eq!(r.union(&rectangle([2.0, -1.0], [3.0, 0.5])), rectangle([0.0, -1.0], [3.0, 1.0]));
    }

    #[test]
    fn rectangles_compare_by_axis_and_by_area() {
        let (wide, tall) = (rectangle([0.0, 1.0], [9.0, 2.0]), rectangle([1.0, 0.0], [2.0, 5.0]));
        assert_eq!(wide.compare_on_axis(&tall, 0), Ordering::Less);
        assert_eq!(wide.compare_on_axis(&tall, 1), Ordering::Greater);
        assert_eq!(wide.compare_by_area(&tall), Ordering::Greater);
        assert_eq!(wide.compare_on_axis(&rectangle([0.0, 0.0], [8.0, 0.0]), 0), Ordering::Greater);
    }

    proptest! {
        #[test]
        fn the_rectangle_is_the_extreme_of_each_axis_in_any_order(
            points in proptest::collection::vec([-1e3..1e3_f64, -1e3..1e3_f64], 1..20),
        ) {
            let r = Rectangle::around(&points).unwrap();
            for axis in 0..2 {
                let mut sorted: Vec<f64> = points.iter().map(|p| p[axis]).collect();
                sorted.sort_by(f64::total_cmp);
                prop_assert_eq!(Some(&r.min[axis]), sorted.first());
                prop_assert_eq!(Some(&r.max[axis]), sorted.last());
            }
            let reversed: Vec<Point> = points.iter().rev().copied().collect();
            prop_assert_eq!(Rectangle::around(&reversed), Some(r));
        }
    }
}
