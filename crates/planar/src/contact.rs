//! Contacts in the plane, in `f64`: convex polygons, discs, rectangles, and all touching edges of
//! any two polygons.
//!
//! A function works in the frame of its first shape and takes the relative [`Pose2`](crate::Pose2)
//! of the second. Normals are unit vectors from the first shape to the second. Sets are closed, so
//! touching counts (the sources of these tests differ: strict for circles, inclusive for boxes).
//!
//! | module | holds |
//! |---|---|
//! | [`separation`] | the axis along which two convex polygons are farthest apart, or overlap least |
//! | [`manifold`] | contact points of polygons, discs and rectangles |
//! | [`edge_tree`] | all pairs of touching edges of two polygons, convex or not |

pub mod edge_tree;
pub mod manifold;
pub mod separation;

pub use edge_tree::{EdgeTree, EdgeTreeCounts, touching_edges};
pub use manifold::{circle_circle, polygon_circle, polygon_polygon, rectangle_rectangle};
pub use separation::{Separation, max_separation};

use crate::vector::Point;

/// One point of a contact in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// Half-way between the two surfaces.
    pub position: Point,
    /// Along the normal; below zero where the shapes overlap.
    pub separation: f64,
    /// Which corners and edges meet: the same while the same ones do.
    pub feature: u32,
}

/// One or two contact points with a common normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactManifold {
    /// Unit vector from the first shape to the second.
    pub normal: Point,
    /// Below zero: moving the second shape by minus this along the normal is the shortest way
    /// apart.
    pub separation: f64,
    points: [ContactPoint; 2],
    count: u8,
}

impl ContactManifold {
    fn one(normal: Point, separation: f64, position: Point, feature: u32) -> Self {
        let point = ContactPoint { position, separation, feature };
        Self { normal, separation, points: [point, ContactPoint::default()], count: 1 }
    }

    fn push(&mut self, point: ContactPoint) {
        if let Some(slot) = self.points.get_mut(usize::from(self.count)) {
            *slot = point;
            self.count += 1;
        }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The shortest move of the second shape that ends the overlap.
    #[must_use]
    pub fn minimum_translation(&self) -> Point {
        self.normal.map(|c| -self.separation * c)
    }
}
