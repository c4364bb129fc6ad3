//! Separating axes of convex polygons.
//!
//! Two convex polygons are apart if and only if some edge of one has the whole of the other in
//! front of it. The axis is the normal of the edge (not its direction). Where no edge separates,
//! the one that comes closest to it gives the shortest way apart.

use crate::polygon::ConvexPolygon;
use crate::pose::Pose2;
use crate::vector::{Point, dot, normalized, sub};

/// The edge whose front the other polygon is farthest in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Gap along the normal of the edge; below zero, minus the depth.
    pub distance: f64,
    /// Unit vector from the first polygon to the second, in the frame of the first.
    pub normal: Point,
    /// Does the edge belong to the first polygon?
    pub of_first: bool,
    /// The edge, by the corner it starts from.
    pub edge: usize,
}

/// Relative lead that an edge of the second polygon needs over one of the first: contacts of
/// parallel edges keep their features while roundings change.
const LEAD: f64 = 1e-9;

/// The widest gap between two convex polygons over all normals of edges, or the narrowest overlap.
/// A gap above zero is a lower bound of the distance. Takes time proportional to the product of the
/// corners.
#[must_use]
pub fn max_separation(a: &ConvexPolygon, b: &ConvexPolygon, pose: &Pose2) -> Separation {
    let (first, first_size) = over_edges(a.vertices(), b.vertices(), pose);
    let (second, second_size) = over_edges(b.vertices(), a.vertices(), &pose.inverse());
    if second.distance > first.distance + LEAD * (first_size + second_size) {
        let [x, y] = pose.rotate(second.normal);
        Separation { normal: [-x, -y], of_first: false, ..second }
    } else {
        first
    }
}

/// The same over the edges of `a` only, and the largest number met.
fn over_edges(a: &[Point], b: &[Point], pose: &Pose2) -> (Separation, f64) {
    let mut best = Separation { distance: f64::NEG_INFINITY, normal: [0.0, 1.0], of_first: true, edge: 0 };
    let mut size = 0.0;
    for (edge, &from) in a.iter().enumerate() {
        let [x, y] = sub(a[(edge + 1) % a.len()], from);
        let Some((normal, length)) = normalized([y, -x]) else { continue };
        let across = pose.rotate_back(normal);
        let lowest = b.iter().map(|&p| dot(across, p)).fold(f64::INFINITY, carom_geometry::Real::min);
        let distance = lowest + dot(normal, sub(pose.translation, from));
        if distance > best.distance {
            best = Separation { distance, normal, of_first: true, edge };
        }
        size = carom_geometry::Real::max(size, length);
    }
    (best, size)
}
