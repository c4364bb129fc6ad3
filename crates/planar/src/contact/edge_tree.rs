//! All pairs of touching edges of two polygons, by trees of boxes.
//!
//! The edges of an outline follow each other, so halves of the list are compact pieces of the
//! outline: the tree halves the list, needs no sorting, and suits outlines of any shape. Two trees
//! are walked together, the larger box first. Whether two edges touch is decided exactly
//! (Shewchuk's orientation test on the placed corners), so the answer is that of comparing all
//! edges, shared corners and overlaps on one line included.
//!
//! (H. Moraga's thesis keeps such trees for the polygons of its scenes.)

use std::cmp::Ordering;

use carom_geometry::Real;

use crate::polygon::{Edge, Polygon, Rectangle, orient2d};
use crate::pose::Pose2;

/// Edges in a leaf: fewer boxes against more edges to compare.
const LEAF: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Rectangle,
    /// Edges of this piece.
    start: u32,
    end: u32,
    /// The second child; the first one follows. 0 for a leaf.
    second: u32,
}

/// A tree over the edges of a polygon, in its own frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeTree {
    edges: Vec<Edge>,
    nodes: Vec<Node>,
}

/// What a search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeTreeCounts {
    /// Pairs of boxes compared.
    pub boxes: u64,
    /// Pairs of edges compared.
    pub edges: u64,
}

impl EdgeTree {
    /// The tree of a polygon; it need not be convex, nor simple.
    #[must_use]
    pub fn new(polygon: &Polygon) -> Self {
        let mut tree = Self { edges: polygon.edges().collect(), nodes: Vec::new() };
        if !tree.edges.is_empty() {
            tree.build(0, tree.edges.len());
        }
        tree
    }

    /// The edges, each named by its place here: the number of the corner it starts from.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    fn build(&mut self, start: usize, end: usize) -> usize {
        let bounds = self.edges[start..end].iter().map(bounds_of).reduce(|a, b| a.union(&b));
        let bounds = bounds.unwrap_or(Rectangle { min: [0.0; 2], max: [0.0; 2] });
        let index = self.nodes.len();
        self.nodes.push(Node { bounds, start: start as u32, end: end as u32, second: 0 });
        if end - start > LEAF {
            let middle = start + (end - start) / 2;
            self.build(start, middle);
            self.nodes[index].second = self.build(middle, end) as u32;
        }
        index
    }
}

fn bounds_of(edge: &Edge) -> Rectangle {
    let (a, b) = (edge.a, edge.b);
    Rectangle {
        min: [Real::min(a[0], b[0]), Real::min(a[1], b[1])],
        max: [Real::max(a[0], b[0]), Real::max(a[1], b[1])],
    }
}

/// Appends all pairs (edge of the first, edge of the second) that share a point, in an order that
/// depends on the input only. Allocates nothing but for the list.
pub fn touching_edges(
    a: &EdgeTree,
    b: &EdgeTree,
    pose: &Pose2,
    found: &mut Vec<(u32, u32)>,
) -> EdgeTreeCounts {
    let mut walk = Walk { a, b, pose, found, counts: EdgeTreeCounts::default() };
    if !(a.nodes.is_empty() || b.nodes.is_empty()) {
        walk.visit(0, 0);
    }
    walk.counts
}

/// Do two closed edges share a point? Exact.
///
/// Boxes that overlap, and the ends of each not on one side of the other: that is enough also for
/// edges on one line and for edges that are points.
#[must_use]
pub fn edges_touch(e: &Edge, f: &Edge) -> bool {
    let straddles = |e: &Edge, f: &Edge| {
        let (a, b) = (orient2d(e.a, e.b, f.a), orient2d(e.a, e.b, f.b));
        a != b || a == Ordering::Equal
    };
    bounds_of(e).overlaps(&bounds_of(f)) && straddles(e, f) && straddles(f, e)
}

struct Walk<'a> {
    a: &'a EdgeTree,
    b: &'a EdgeTree,
    pose: &'a Pose2,
    found: &'a mut Vec<(u32, u32)>,
    counts: EdgeTreeCounts,
}

impl Walk<'_> {
    fn visit(&mut self, i: usize, j: usize) {
        self.counts.boxes += 1;
        let (first, second) = (self.a.nodes[i], self.b.nodes[j]);
        if !first.bounds.overlaps(&self.placed(&second.bounds)) {
            return;
        }
        let extent = |node: &Node| Real::max(node.bounds.width(), node.bounds.height());
        if first.second == 0 && second.second == 0 {
            self.compare(&first, &second);
        } else if second.second == 0 || first.second != 0 && extent(&first) >= extent(&second) {
            self.visit(i + 1, j);
            self.visit(first.second as usize, j);
        } else {
            self.visit(i, j + 1);
            self.visit(i, second.second as usize);
        }
    }

    /// The box round a placed box, rounded outwards: it contains the placed edges as they are
    /// computed.
    fn placed(&self, bounds: &Rectangle) -> Rectangle {
        let pose = self.pose;
        let middle = [0, 1].map(|k| (bounds.min[k] + bounds.max[k]) * 0.5);
        let half = [bounds.width() * 0.5, bounds.height() * 0.5];
        let centre = pose.apply(middle);
        let (sine, cosine) = (pose.sine.abs(), pose.cosine.abs());
        let reach = [cosine * half[0] + sine * half[1], sine * half[0] + cosine * half[1]];
        let numbers = [0, 1].map(|k| middle[k].abs() + half[k]);
        let size = numbers[0] + numbers[1] + pose.translation[0].abs() + pose.translation[1].abs();
        let pad = 8.0 * f64::EPSILON * size;
        Rectangle {
            min: [0, 1].map(|k| centre[k] - reach[k] - pad),
            max: [0, 1].map(|k| centre[k] + reach[k] + pad),
        }
    }

    fn compare(&mut self, first: &Node, second: &Node) {
        for j in second.start..second.end {
            let edge = self.b.edges[j as usize];
            let edge = Edge { a: self.pose.apply(edge.a), b: self.pose.apply(edge.b) };
            for i in first.start..first.end {
                self.counts.edges += 1;
                if edges_touch(&self.a.edges[i as usize], &edge) {
                    self.found.push((i, j));
                }
            }
        }
    }
}
