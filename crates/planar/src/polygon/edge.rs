//! Edges: directed segments of the plane.
//!
//! How two edges meet is decided from the signs of four areas computed in `f64`. For coordinates
//! that are small integers or halves these are exact; in general an edge that passes within some
//! 10⁻¹⁶ of a corner, relative to the lengths involved, may be taken for touching or for passing
//! by.

use crate::vector::{Point, add, distance, scale};

/// A directed segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Start.
    pub a: Point,
    /// End.
    pub b: Point,
}

/// How two closed edges meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeIntersection {
    /// They share no point.
    Apart,
    /// They cross at one point inside both.
    Crossing(Point),
    /// They share one point, which is an end of at least one of them. Collinear edges that meet end
    /// to end also do this.
    Touching(Point),
    /// They lie on one line and share a segment, given by its ends in the order of the first edge.
    Overlapping(Point, Point),
}

impl Edge {
    /// Length of the edge.
    #[must_use]
    pub fn length(&self) -> f64 {
        distance(self.a, self.b)
    }

    /// Signed area of the triangle of the edge and a point: positive if the point lies to the left.
    #[must_use]
    pub fn signed_area_with(&self, point: Point) -> f64 {
        self.cross_with(point) / 2.0
    }

    /// Twice the signed area of the triangle of the edge and a point.
    fn cross_with(&self, point: Point) -> f64 {
        (self.b[0] - self.a[0]) * (point[1] - self.a[1]) - (self.b[1] - self.a[1]) * (point[0] - self.a[0])
    }

    /// Does the point lie on the closed edge?
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        self.cross_with(point) == 0.0 && self.spans(point)
    }

    /// Is the point inside the rectangle of the edge? For a point of its line that means on the
    /// edge.
    fn spans(&self, point: Point) -> bool {
        (0..2).all(|i| self.a[i].min(self.b[i]) <= point[i] && point[i] <= self.a[i].max(self.b[i]))
    }

    /// Do the closed edges share a point?
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.intersection(other) != EdgeIntersection::Apart
    }

    /// How the closed edges meet. Edges of no length are points.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> EdgeIntersection {
        let (c, d) = (self.cross_with(other.a), self.cross_with(other.b));
        let (a, b) = (other.cross_with(self.a), other.cross_with(self.b));
        if a == 0.0 && b == 0.0 && c == 0.0 && d == 0.0 {
            return self.collinear_intersection(other);
        }
        for (area, point, edge) in
            [(c, other.a, self), (d, other.b, self), (a, self.a, other), (b, self.b, other)]
        {
            if area == 0.0 && edge.spans(point) {
                return EdgeIntersection::Touching(point);
            }
        }
        // Strictly opposite signs; the product could underflow to zero.
        let opposite = |x: f64, y: f64| (x < 0.0 && y > 0.0) || (x > 0.0 && y < 0.0);
        if opposite(a, b) && opposite(c, d) {
            let share = a / (a - b);
            let along = [self.b[0] - self.a[0], self.b[1] - self.a[1]];
            return EdgeIntersection::Crossing(add(self.a, scale(along, share)));
        }
        EdgeIntersection::Apart
    }

    /// The same for edges on one line, where an edge may be a point.
    fn collinear_intersection(&self, other: &Self) -> EdgeIntersection {
        // Compare along the axis in which the pair is longer, so that an upright line is no special
        // case.
        let extent = |i: usize| (self.a[i] - self.b[i]).abs().max((other.a[i] - other.b[i]).abs());
        let axis = usize::from(extent(1) > extent(0));
        let sorted = |e: &Self| if e.a[axis] <= e.b[axis] { (e.a, e.b) } else { (e.b, e.a) };
        let ((low_1, high_1), (low_2, high_2)) = (sorted(self), sorted(other));
        let low = if low_1[axis] >= low_2[axis] { low_1 } else { low_2 };
        let high = if high_1[axis] <= high_2[axis] { high_1 } else { high_2 };
        // Two points always count as collinear, so a single common coordinate proves nothing.
        let is_apart =
            low[axis] > high[axis] || (low[axis] == high[axis] && !(self.spans(low) && other.spans(low)));
        if is_apart {
            EdgeIntersection::Apart
        } else if low[axis] == high[axis] {
            EdgeIntersection::Touching(low)
        } else if self.a[axis] <= self.b[axis] {
            EdgeIntersection::Overlapping(low, high)
        } else {
            EdgeIntersection::Overlapping(high, low)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edge(a: Point, b: Point) -> Edge {
        Edge { a, b }
    }

    #[test]
    fn points_add_scale_and_measure() {
        assert_eq!(add([1.0, 2.0], [3.0, -5.0]), [4.0, -3.0]);
        assert_eq!(scale([1.0, -2.0], 3.0), [3.0, -6.0]);
        assert_eq!(distance([1.0, 1.0], [4.0, 5.0]), 5.0);
    }

    #[test]
    fn an_edge_has_a_length_and_a_left_side() {
        let e = edge([0.0, 0.0], [3.0, 4.0]);
        assert_eq!(e.length(), 5.0);
        assert_eq!(e.signed_area_with([0.0, 4.0]), 6.0);
        assert_eq!(e.signed_area_with([3.0, 0.0]), -6.0);
        assert_eq!(e.signed_area_with([6.0, 8.0]), 0.0);
        assert!(e.holds([1.5, 2.0]) && e.holds([3.0, 4.0]) && !e.holds([6.0, 8.0]));
    }

    #[test]
    fn edges_cross_inside_both() {
        let e = edge([0.0, 0.0], [2.0, 2.0]);
        assert_eq!(e.intersection(&edge([0.0, 2.0], [2.0, 0.0])), EdgeIntersection::Crossing([1.0, 1.0]));
        assert_eq!(e.intersection(&edge([0.0, 5.0], [5.0, 0.0])), EdgeIntersection::Apart);
        assert_eq!(e.intersection(&edge([1.0, 0.0], [3.0, 2.0])), EdgeIntersection::Apart, "parallel");
    }

    #[test]
    fn edges_touch_at_an_end() {
        let e = edge([0.0, 0.0], [2.0, 0.0]);
        assert_eq!(
            e.intersection(&edge([1.0, 0.0], [1.0, 5.0])),
            EdgeIntersection::Touching([1.0, 0.0]),
            "T"
        );
        assert_eq!(
            e.intersection(&edge([1.0, 5.0], [2.0, 0.0])),
            EdgeIntersection::Touching([2.0, 0.0]),
            "L"
        );
        assert_eq!(
            e.intersection(&edge([2.0, 0.0], [5.0, 0.0])),
            EdgeIntersection::Touching([2.0, 0.0]),
            "in line"
        );
        assert_eq!(
            e.intersection(&edge([3.0, 0.0], [3.0, 5.0])),
            EdgeIntersection::Apart,
            "on the line but beyond"
        );
    }

    #[test]
    fn collinear_edges_overlap_touch_or_stay_apart() {
        let e = edge([0.0, 0.0], [0.0, 4.0]);
        assert_eq!(
            e.intersection(&edge([0.0, 9.0], [0.0, 1.0])),
            EdgeIntersection::Overlapping([0.0, 1.0], [0.0, 4.0])
        );
        let back = edge([0.0, 4.0], [0.0, 0.0]);
        assert_eq!(
            back.intersection(&edge([0.0, 1.0], [0.0, 2.0])),
            EdgeIntersection::Overlapping([0.0, 2.0], [0.0, 1.0])
        );
        assert_eq!(e.intersection(&edge([0.0, 5.0], [0.0, 6.0])), EdgeIntersection::Apart);
        assert_eq!(e.intersection(&e), EdgeIntersection::Overlapping(e.a, e.b));
    }

    #[test]
    fn an_edge_of_no_length_is_a_point() {
        let point = edge([1.0, 1.0], [1.0, 1.0]);
        assert_eq!(edge([0.0, 0.0], [2.0, 2.0]).intersection(&point), EdgeIntersection::Touching([1.0, 1.0]));
        assert_eq!(point.intersection(&edge([0.0, 0.0], [2.0, 1.0])), EdgeIntersection::Apart);
        assert_eq!(point.intersection(&point), EdgeIntersection::Touching([1.0, 1.0]));
        assert_eq!(point.intersection(&edge([1.0, 2.0], [1.0, 2.0])), EdgeIntersection::Apart);
        assert_eq!(
            edge([0.0, 0.0], [2.0, 2.0]).intersection(&edge([3.0, 3.0], [3.0, 3.0])),
            EdgeIntersection::Apart
        );
    }

    fn small_edge() -> impl Strategy<Value = Edge> {
        let coordinate = || (-4..=4_i8).prop_map(f64::from);
        ([coordinate(), coordinate()], [coordinate(), coordinate()]).prop_map(|(a, b)| Edge { a, b })
    }

    proptest! {
        /// On small integers every sign is exact, so that all four directions must agree.
        #[test]
        fn meeting_does_not_depend_on_order_or_direction(e in small_edge(), f in small_edge()) {
            let reversed = edge(f.b, f.a);
            prop_assert_eq!(e.intersects(&f), f.intersects(&e));
            prop_assert_eq!(e.intersects(&f), e.intersects(&reversed));
            let kind = |m: EdgeIntersection| std::mem::discriminant(&m);
            prop_assert_eq!(kind(e.intersection(&f)), kind(reversed.intersection(&e)));
            match e.intersection(&f) {
                EdgeIntersection::Touching(p) => prop_assert!(e.holds(p) && f.holds(p)),
                EdgeIntersection::Overlapping(p, q) => prop_assert!([p, q].iter().all(|&x| e.holds(x) && f.holds(x))),
                EdgeIntersection::Crossing(p) => prop_assert!(e.signed_area_with(p).abs() + f.signed_area_with(p).abs() < 1e-9),
                EdgeIntersection::Apart => {}
            }
        }
    }
}
