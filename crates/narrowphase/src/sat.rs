//! Separating axes of polyhedra: boxes, tiles, triangles, polytopes.
//!
//! Two convex polyhedra are apart if and only if they are apart along the normal of a face of one
//! of them or along the common perpendicular of an edge of each; where they overlap, the axis along
//! which they do so least gives depth and normal. So the depth is exact. For pairs that are apart,
//! the greatest gap along an axis is a **lower bound** of the distance: it is smaller where two
//! vertices, or a vertex and an edge, are closest. There contacts are made from the closest points
//! (`closest`).
//!
//! Tiles and triangles have no thickness and two sides, as polyhedra with two faces back to back.
//!
//! | module | holds |
//! |---|---|
//! | [`boxes`] | the fifteen axes of two boxes, several pairs at a time |
//! | [`box_contact`] | contact points of two boxes |
//! | [`polyhedron`] | what the search asks of a polyhedron, and who can answer |
//! | [`search`] | the axes of two polyhedra, most of them ruled out unseen |
//! | [`pair`] | contact points of two polyhedra |
//! | `closest` | contacts of polyhedra whose closest points belong to no axis |
//! | `triangles` | a box against several triangles |
//! | `box_triangle` | contact points of a box and one triangle: `triangle_axis`, `triangle_clip` |
//!
//! The axis that was found is kept in a [`SatCache`] of 16 bytes and tried first the next time: it
//! often still separates, or still gives the contact (the feature cache is Box3D's, E. Catto and D.
//! Gregorius; the Gauss map that prunes edge pairs is from D. Gregorius, *The Separating Axis Test
//! between Convex Polyhedra*, GDC 2013).

mod box_clip;
pub mod box_contact;
pub(crate) mod box_triangle;
pub mod boxes;
mod closest;
pub mod pair;
pub mod polyhedron;
pub mod search;
mod triangle_axis;
mod triangle_clip;
pub(crate) mod triangles;

pub use box_contact::box_box;
pub use pair::contact_of_polyhedra;
pub use polyhedron::Polyhedron;
pub use search::{SatScratch, deepest_axis};

/// The two lengths that contact search depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Pairs farther apart have no contact; points farther apart are not contact points.
    pub speculative_distance: f32,
    /// Differences of depth that do not matter: a face is preferred to a pair of edges that is
    /// better by less, and the feature of the step before is kept if the depth has changed by less
    /// than half of it. Depths of contacts can therefore be too great by twice the slop where
    /// features are about to change.
    pub slop: f32,
}

impl Tolerances {
    /// May the feature be kept along which the gap was `before` and is `now`?
    #[inline]
    pub(crate) fn keeps(&self, before: f32, now: f32) -> bool {
        before <= self.speculative_distance && carom_geometry::Real::abs(now - before) <= 0.5 * self.slop
    }
}

impl Default for Tolerances {
    /// 2 cm and 5 mm, for bodies of about a metre.
    fn default() -> Self {
        Self { speculative_distance: 0.02, slop: 0.005 }
    }
}

/// An axis by the features it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feature {
    /// None yet.
    #[default]
    None,
    /// Outward normal of this face of the first polyhedron.
    FaceA(u32),
    /// Inward normal of this face of the second polyhedron.
    FaceB(u32),
    /// Perpendicular to these edges of the first and the second.
    Edges(u32, u32),
    /// None: the closest points belong to no axis.
    Closest,
}

impl Feature {
    /// The same axis with the polyhedra exchanged.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::None | Self::Closest => self,
            Self::FaceA(face) => Self::FaceB(face),
            Self::FaceB(face) => Self::FaceA(face),
            Self::Edges(a, b) => Self::Edges(b, a),
        }
    }
}

/// The axis found last, to be tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SatCache {
    /// Whose axis it was.
    pub feature: Feature,
    /// The gap along it; below zero for an overlap.
    pub separation: f32,
}
