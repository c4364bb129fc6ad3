//! Grids: uniform (`grid`), without borders in a hash table (`hash-grid`), one per size of boxes
//! (`hier-grid`).
//!
//! All three are the same two things: a plan that says how large cells are and who stands in them,
//! and levels of boxes sorted by cell. They are refilled at each update, which takes less time
//! than to follow every box; with few moving boxes only those ask for partners. No world size is
//! needed: a uniform grid lies over the crowd, and who is outside belongs to the cells at its
//! border.
//!
//! The hashed table of 2^i cells and the levels by powers of two are those of ODE's hash space and
//! of Mirtich's hierarchical hash table (*Impulse-based Dynamic Simulation*, 1996), where a box is
//! entered in all cells it meets; here it is entered in one.
//!
//! Cost per update: O(n + cells) to sort, then per asking box the boxes of the 3^D cells around it,
//! half of them where all ask.

mod broad_phase;
mod frame;
mod level;
mod order;
mod plan;

pub(crate) use frame::{Crowd, sample};
pub(crate) use order::SpatialOrder;

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::BroadPhaseOptions;

pub(crate) fn about(method: Method) -> About {
    let (name, what, cost, best) = match method {
        Method::HashGrid => (
            "hash-grid",
            "Boxes are sorted into the cells of an endless grid, kept in a table of 2^i buckets.",
            "O(n + pairs) for boxes of similar size; boxes far larger than most are compared with all.",
            "Boxes of similar size in clusters with much empty space between.",
        ),
        Method::HierGrid => (
            "hier-grid",
            "One grid for each power of two of box size; small boxes look into the grids of larger ones.",
            "O(n × sizes + pairs); at most 17 sizes, rarer ones are joined.",
            "Boxes of very different sizes.",
        ),
        _ => (
            "grid",
            "Boxes are sorted into the cells of a uniform grid over the crowd.",
            "O(n + cells + pairs) for boxes of similar size; boxes far larger than most are compared with all near them.",
            "Boxes of similar size, evenly spread, moving in any way.",
        ),
    };
    About { name, what, contract: "Exactly the pairs of overlapping boxes.", cost, best, options: &["cell"] }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    Box::new(broad_phase::Grids::new(method, options.cell))
}
