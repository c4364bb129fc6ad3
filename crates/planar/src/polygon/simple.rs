//! Is an outline simple: does it neither cross nor touch itself? Exact, by comparing all pairs of
//! edges.

use std::cmp::Ordering;

use super::Polygon;
use super::edge::Edge;
use super::orientation::orient2d;
use crate::vector::Point;

/// Why the outline of a polygon is not simple.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NotSimple {
    /// Fewer than three vertices.
    #[error("an outline needs at least 3 vertices, not {count}")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {index} is not finite: ({}, {})", point[0], point[1])]
    NotFinite {
        /// Which vertex.
        index: usize,
        /// Its coordinates.
        point: Point,
    },
    /// A vertex is at the same place as the next one.
    #[error("vertex {index} is at the same place as the next one")]
    NoLength {
        /// Which vertex.
        index: usize,
    },
    /// The outline turns back on itself at a vertex.
    #[error("the outline turns back on itself at vertex {index}")]
    Spike {
        /// Which vertex.
        index: usize,
    },
    /// Two edges that are not neighbours share a point. Edges are named by the vertex they start
    /// from.
    #[error("edges {first} and {second} meet")]
    EdgeIntersection {
        /// The earlier edge.
        first: usize,
        /// The later edge.
        second: usize,
    },
}

impl Polygon {
    /// Checks that the outline neither crosses nor touches itself. Straight corners are allowed.
    /// Takes time proportional to the square of the number of edges.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn check_simple(&self) -> Result<(), NotSimple> {
        let count = self.vertices.len();
        if count < 3 {
            return Err(NotSimple::TooFew { count });
        }
        for (index, &point) in self.vertices.iter().enumerate() {
            if !point.iter().all(|c| c.is_finite()) {
                return Err(NotSimple::NotFinite { index, point });
            }
        }
        let at = |k: usize| self.vertices[k % count];
        for index in 0..count {
            if at(index) == at(index + 1) {
                return Err(NotSimple::NoLength { index });
            }
            if turns_back(at(index + count - 1), at(index), at(index + 1)) {
                return Err(NotSimple::Spike { index });
            }
        }
        let edge = |k: usize| Edge { a: at(k), b: at(k + 1) };
        for first in 0..count {
            // The last edge is a neighbour of the first.
            let end = if first == 0 { count - 1 } else { count };
            for second in first + 2..end {
                if share_a_point(&edge(first), &edge(second)) {
                    return Err(NotSimple::EdgeIntersection { first, second });
                }
            }
        }
        Ok(())
    }
}

/// Does the path a → b → c run back over itself?
fn turns_back(a: Point, b: Point, c: Point) -> bool {
    let same_side = |k: usize| (a[k] < b[k] && c[k] < b[k]) || (a[k] > b[k] && c[k] > b[k]);
    orient2d(a, b, c) == Ordering::Equal && (same_side(0) || same_side(1))
}

/// Do two closed edges share a point? Exact.
fn share_a_point(e: &Edge, f: &Edge) -> bool {
    let spans = |e: &Edge, p: Point| {
        (0..2).all(|k| (e.a[k] <= p[k] && p[k] <= e.b[k]) || (e.b[k] <= p[k] && p[k] <= e.a[k]))
    };
    let sides = |e: &Edge, f: &Edge| [orient2d(e.a, e.b, f.a), orient2d(e.a, e.b, f.b)];
    let (of_f, of_e) = (sides(e, f), sides(f, e));
    let holds = |e: &Edge, p: Point, side: Ordering| side == Ordering::Equal && spans(e, p);
    let touches =
        holds(e, f.a, of_f[0]) || holds(e, f.b, of_f[1]) || holds(f, e.a, of_e[0]) || holds(f, e.b, of_e[1]);
    let crosses = |s: [Ordering; 2]| s[0] == s[1].reverse() && s[0] != Ordering::Equal;
    touches || (crosses(of_f) && crosses(of_e))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::polygon::{EdgeIntersection, ShapeName, unit_shape};

    fn check(vertices: &[Point]) -> Result<(), NotSimple> {
        Polygon::new(vertices.to_vec()).check_simple()
    }

    #[test]
    fn the_named_shapes_are_simple() {
        for shape in ShapeName::ALL {
            assert_eq!(unit_shape(shape).check_simple(), Ok(()), "{}", shape.name());
        }
    }

    #[test]
    fn every_kind_of_fault_is_named() {
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0]]), Err(NotSimple::TooFew { count: 2 }));
        assert_eq!(
            check(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
            Err(NotSimple::NoLength { index: 1 })
        );
        assert_eq!(
            check(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
            Err(NotSimple::Spike { index: 1 })
        );
        let bow_tie = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        assert_eq!(check(&bow_tie), Err(NotSimple::EdgeIntersection { first: 0, second: 2 }));
        let touching = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        assert!(matches!(check(&touching), Err(NotSimple::EdgeIntersection { first: 0, .. })));
        let nan = check(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]);
        assert!(matches!(nan, Err(NotSimple::NotFinite { index: 1, .. })));
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), Ok(()), "a straight corner");
    }

    proptest! {
        /// On small integers the meeting of edges is exact, and with it this oracle.
        #[test]
        fn agrees_with_meetings_of_all_edges(
            points in proptest::collection::vec([-3..=3i8, -3..=3i8], 3..7)
        ) {
            let polygon = Polygon::new(points.into_iter().map(|p| p.map(f64::from)).collect());
            let edges: Vec<Edge> = polygon.edges().collect();
            let n = edges.len();
            let mut is_simple = edges.iter().all(|e| e.a != e.b);
            for i in 0..n {
                for j in i + 1..n {
                    let meeting = edges[i].intersection(&edges[j]);
                    let is_neighbour = j == i + 1 || (i == 0 && j == n - 1);
                    is_simple &= match meeting {
                        EdgeIntersection::Apart => true,
                        EdgeIntersection::Touching(_) => is_neighbour,
                        EdgeIntersection::Crossing(_) | EdgeIntersection::Overlapping(..) => false,
                    };
                }
            }
            prop_assert_eq!(polygon.check_simple().is_ok(), is_simple);
        }
    }
}
