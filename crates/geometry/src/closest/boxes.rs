//! Closest points of two boxes.
//!
//! A corner and a face are found by projecting back and forth a few times. What is left are two
//! edges, or boxes that cross: every contact involves an edge of one of them, so all edges of each
//! are measured against the other box, beginning with those at the corners that face each other. In
//! both parts the search ends as soon as a pair of points proves itself: no point of one box is
//! farther along their difference than its own, but for rounding.

use super::span_box::meeting_parameter;
use super::{Closest, Nearest, Obb, Span};
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// Projections to and fro before the edges are tried.
const PROJECTIONS: usize = 4;
/// Excess of a distance over its lower bound at which it is taken, in ε × the extent of the boxes.
const PROOF: f64 = 4.0;

/// What a search has found, in the frame of the second box.
enum Found<S: Real> {
    Common(S::Vec3),
    Apart([S::Vec3; 2]),
}

/// Both boxes in the frame of the second.
struct Boxes<S: Real> {
    first: Obb<S>,
    /// Half extents of the second.
    half: S::Vec3,
    /// The largest coordinate.
    extent: S,
}

impl<S: Real> Boxes<S> {
    fn new(first: &Obb<S>, second: &Obb<S>) -> Self {
        let axes = Matrix3 { columns: first.axes.columns.map(|axis| second.axes.transposed_times(axis)) };
        let first = Obb { centre: second.local(first.centre), axes, half: first.half };
        let largest = |v: S::Vec3| Vector::abs(v).max_element();
        let extent = largest(first.centre) + largest(first.half) + largest(second.half);
        Self { first, half: second.half, extent }
    }

    /// The point of the second box nearest to `point`.
    fn on_second(&self, point: S::Vec3) -> S::Vec3 {
        Vector::clamp(point, -self.half, self.half)
    }

    /// No two points of the boxes are closer than these, but for rounding.
    fn are_closest(&self, [a, b]: [S::Vec3; 2]) -> bool {
        let across = a - b;
        let square = across.length_squared();
        let reach = Vector::abs(self.first.axes.transposed_times(across)).dot(self.first.half);
        let bound = self.first.centre.dot(across) - reach - Vector::abs(across).dot(self.half);
        let excess = square - bound;
        let tolerance = S::of(PROOF) * S::EPSILON * self.extent;
        excess <= S::ZERO || excess <= tolerance * square.sqrt()
    }

    /// Edge of a box along `axis`, in its own frame. Of the corners on it, bits 0 and 1 of `flip`
    /// give those that differ from `corner` along the two other axes.
    fn edge(half: S::Vec3, corner: S::Vec3, axis: usize, flip: usize) -> Span<S> {
        let mut origin = corner;
        for (bit, other) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
            if flip >> bit & 1 == 1 {
                origin[other] = -origin[other];
            }
        }
        origin[axis] = -half[axis];
        let mut direction = S::Vec3::ZERO;
        direction[axis] = half[axis] * S::TWO;
        Span { origin, direction, low: S::ZERO, high: S::ONE }
    }

    /// Closest points of an edge of the first box, in its own frame, and the second.
    fn edge_of_first(&self, edge: &Span<S>) -> Found<S> {
        let moved = Span {
            origin: self.first.world(edge.origin),
            direction: self.first.axes.times(edge.direction),
            ..*edge
        };
        match meeting_parameter(&moved, self.half) {
            Ok(t) => Found::Common(moved.at(t)),
            Err(t) => Found::Apart([moved.at(t), self.on_second(moved.at(t))]),
        }
    }

    /// Closest points of the first box and an edge of the second.
    fn edge_of_second(&self, edge: &Span<S>) -> Found<S> {
        let moved = Span {
            origin: self.first.local(edge.origin),
            direction: self.first.axes.transposed_times(edge.direction),
            ..*edge
        };
        match meeting_parameter(&moved, self.first.half) {
            Ok(t) => Found::Common(edge.at(t)),
            Err(t) => {
                let half = self.first.half;
                Found::Apart([self.first.world(Vector::clamp(moved.at(t), -half, half)), edge.at(t)])
            }
        }
    }

    /// The corner of the second box farthest along a direction.
    fn corner_of_second(&self, direction: S::Vec3) -> S::Vec3 {
        Obb { centre: S::Vec3::ZERO, axes: Matrix3::<S>::IDENTITY, half: self.half }.local_support(direction)
    }

    fn measure(&self) -> Found<S> {
        let mut b = self.on_second(self.first.centre);
        let mut best = [self.first.centre, b];
        for _ in 0..PROJECTIONS {
            let a = self.first.nearest(b);
            if a == b {
                return Found::Common(a);
            }
            b = self.on_second(a);
            if a == b {
                return Found::Common(a);
            }
            best = [a, b];
            if self.are_closest(best) {
                return Found::Apart(best);
            }
        }
        let across = best[0] - best[1];
        let mut smallest = across.length_squared();
        let corners = [
            self.first.local_support(-self.first.axes.transposed_times(across)),
            self.corner_of_second(across),
        ];
        for flip in 0..4 {
            for index in 0..6 {
                let axis = index % 3;
                let found = if index < 3 {
                    self.edge_of_first(&Self::edge(self.first.half, corners[0], axis, flip))
                } else {
                    self.edge_of_second(&Self::edge(self.half, corners[1], axis, flip))
                };
                match found {
                    Found::Common(_) => return found,
                    Found::Apart(pair) => {
                        let square = (pair[0] - pair[1]).length_squared();
                        if square < smallest {
                            (best, smallest) = (pair, square);
                            if self.are_closest(best) {
                                return found;
                            }
                        }
                    }
                }
            }
        }
        Found::Apart(best)
    }
}

/// Closest points of two boxes.
pub(super) fn box_box<S: Real>(first: &Obb<S>, second: &Obb<S>) -> Closest<S> {
    match Boxes::new(first, second).measure() {
        Found::Common(point) => Closest::common(second.world(point)),
        Found::Apart([a, b]) => Closest::between(second.world(a), second.world(b)),
    }
}
