//! Contacts of meshes, height fields and compounds.
//!
//! A [surface](surface_contacts) of triangles meets a convex shape in many triangles at once. The
//! answer is a short list of [manifolds](crate::Manifold), one per direction in which the shape is
//! held, without the bumps that triangles measured one by one would make at their seams.
//! [Compounds](contacts) are walked down to such pairs. Everything works in the frame of the first
//! shape; the normals point from it to the second.
//!
//! | module | holds |
//! |---|---|
//! | [`triangles`] | what is asked of a surface |
//! | `list` | the triangles near a body, kept while it stays there |
//! | `mover` | the convex shape, against one triangle |
//! | `ghost` | normals that edges and corners allow |
//! | `surface` | contacts with one convex shape |
//! | `compound` | contacts of any two shapes, down to the children of compounds |
//! | [`seam`] | contacts with seams between shapes of one surface |
//! | `cluster` | contacts merged by normal |
//!
//! No call allocates once its cache and list have grown to what the pair needs, and no number of
//! triangles is too many.

mod cluster;
mod compound;
mod ghost;
mod list;
mod mover;
pub mod seam;
mod surface;
pub mod triangles;

pub use compound::{CompositeCache, contacts};
pub use surface::{SurfaceCache, surface_contacts};
pub use triangles::Triangles;

/// Which sides of a surface stop bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceSides {
    /// Both: a body is pushed to the side on which its centre is.
    Both,
    /// The front: a body is pushed there, also if its centre is slightly behind.
    Front {
        /// How far the centre may be behind a triangle, as a share of what the body reaches from
        /// there along its normal. For triangles that the body was in contact with in the last call
        /// it is twice as much.
        through: f32,
    },
}

/// How contacts are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshContactOptions {
    /// Points farther apart are not contact points.
    pub speculative_distance: f32,
    /// Differences of depth that do not matter: the face of a triangle is preferred to an edge that
    /// is better by less.
    pub slop: f32,
    /// Which sides count.
    pub sides: SurfaceSides,
    /// Distance at which shapes without thickness are held from each other: where two of them
    /// touch, rounding decides on which sides they are.
    pub flat_skin: f32,
}

impl Default for MeshContactOptions {
    /// 2 cm, 1 mm, both sides, no skin.
    fn default() -> Self {
        Self { speculative_distance: 0.02, slop: 0.001, sides: SurfaceSides::Both, flat_skin: 0.0 }
    }
}

impl MeshContactOptions {
    fn is_front_only(&self) -> bool {
        matches!(self.sides, SurfaceSides::Front { .. })
    }
}

/// What a call did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshContactReport {
    /// Triangles in the list near the body.
    pub triangles: usize,
    /// Of these, measured one by one; the others were ruled out eight at a time.
    pub measured: usize,
    /// Contacts with edges and corners that the surface does not allow and that were left to the
    /// neighbours.
    pub ghosts: usize,
    /// Contacts that were rotated to the normal of their triangle.
    pub rotated: usize,
    /// Triangles that have no area and were passed over.
    pub without_area: usize,
    /// True if the list was rebuilt.
    pub refilled: bool,
    /// Pairs of shapes that have no contacts by this method.
    pub not_handled: usize,
}

impl MeshContactReport {
    /// Both calls together.
    fn add(&mut self, other: &Self) {
        self.triangles += other.triangles;
        self.measured += other.measured;
        self.ghosts += other.ghosts;
        self.rotated += other.rotated;
        self.without_area += other.without_area;
        self.refilled |= other.refilled;
        self.not_handled += other.not_handled;
    }
}
