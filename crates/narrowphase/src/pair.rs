//! Distance, overlap and contact points of any two convex shapes.
//!
//! With [`NarrowMethod::Auto`] the functions look up the [dispatch table](crate::dispatch) once and
//! hand over to the algorithm that it names; that is what the engine does. Any other method is
//! asked by name, in [`alternatives`](crate::alternatives), and refuses shapes that it has no
//! answer for ([`Unsupported`]). Meshes, height fields and compounds are in
//! [`composite`](crate::composite).
//!
//! | module | holds |
//! |---|---|
//! | `distance` | signed distances |
//! | `overlap` | whether shapes touch |
//! | `manifold` | contact points |
//! | `polyhedra` | contact points by separating axes |
//! | `revolution` | cylinders and cones: candidate directions, or GJK and EPA |
//! | `separation` | quick tests that rule pairs out |

mod distance;
mod manifold;
mod overlap;
mod polyhedra;
mod revolution;
mod separation;

use carom_geometry::Shape;

pub use distance::proximity;
pub use manifold::manifold;
pub use overlap::touches;

pub(crate) use distance::gjk_epa;
pub(crate) use manifold::ManifoldQuery;

use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::support_feature::{Solid, SupportFeature, solid_of};
use crate::{NarrowMethod, analytic, gjk, revolved, sat, vclip};

carom_core::error_type! {
    /// A method that has no answer for two kinds of shapes.
    #[error("{method} has no answer for a {a} and a {b}: see `carom list narrow`, or take auto")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Unsupported {
        /// The method.
        pub method: NarrowMethod,
        /// Kind of the first shape.
        pub a: &'static str,
        /// Kind of the second shape.
        pub b: &'static str,
    }
}

impl Unsupported {
    #[cold]
    pub(crate) fn new(method: NarrowMethod, a: &Shape, b: &Shape) -> Self {
        Self { method, a: a.name(), b: b.name() }
    }
}

/// What is known of a pair from the query before, whichever algorithm it was; to be kept per pair.
/// The axis, which most queries read first, stands first in memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PairCache {
    /// Separating axes: the axis found last.
    pub axis: sat::SatCache,
    /// GJK: the simplex found last.
    pub simplex: gjk::SimplexCache<f32>,
    /// V-Clip: the features found last.
    pub witness: Option<vclip::Witness>,
    /// Cylinders and cones: the direction found last.
    pub direction: revolved::AxisHint,
}

impl PairCache {
    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        self.axis = sat::SatCache::default();
        self.simplex.clear();
        self.witness = None;
        self.direction = revolved::AxisHint::default();
    }
}

/// Buffers that queries need while they run; to be kept per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    axes: sat::SatScratch,
    support_features: [SupportFeature; 2],
}

/// Whether a method has an answer for two shapes.
#[must_use]
pub fn supports(method: NarrowMethod, a: &Shape, b: &Shape) -> bool {
    let is_polyhedron = |shape: &Shape| {
        matches!(shape, Shape::Cuboid(_) | Shape::Tile(_) | Shape::Triangle(_) | Shape::Polytope(_))
    };
    match method {
        NarrowMethod::Auto => algorithm_for(Question::Distance, a, b) != Algorithm::Unsupported,
        NarrowMethod::Analytic => analytic::has(a, b),
        NarrowMethod::Sat => is_polyhedron(a) && is_polyhedron(b),
        NarrowMethod::GjkEpa | NarrowMethod::Mpr => solid_of(a).is_some() && solid_of(b).is_some(),
        NarrowMethod::VClip => matches!((a, b), (Shape::Polytope(_), Shape::Polytope(_))),
    }
}

/// Both shapes with their support functions; an error if one has none.
pub(crate) fn solids<'s>(
    method: NarrowMethod,
    a: &'s Shape,
    b: &'s Shape,
) -> Result<(&'s dyn Solid, &'s dyn Solid), Unsupported> {
    match (solid_of(a), solid_of(b)) {
        (Some(a), Some(b)) => Ok((a, b)),
        _ => Err(Unsupported::new(method, a, b)),
    }
}
