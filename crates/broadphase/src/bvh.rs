//! Trees of boxes.
//!
//! `bvh` and `bvh-refit` share one tree without pointers, eight children wide; `dbvt` is the binary
//! tree of fat boxes that grows and shrinks one leaf at a time.

mod binary;
pub(crate) mod block;
mod dynamic;
pub(crate) mod ledger;
mod opening;
pub(crate) mod order;
mod rebuilt;
mod refitted;
#[cfg(test)]
mod samples;
mod search;
pub(crate) mod tree;

pub use dynamic::DynamicTree;
pub use rebuilt::RebuiltTree;
pub use refitted::RefittedTree;

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::BroadPhaseOptions;

pub(crate) fn about(method: Method) -> About {
    match method {
        Method::Dbvt => About {
            name: "dbvt",
            what: "A binary tree of boxes with a margin; what leaves its margin is put in anew.",
            contract: "Pairs of boxes with their margins: none is missed, and some are near rather than touching.",
            cost: "O(log n) for each box that leaves its margin, nothing for others.",
            best: "Worlds in which little moves, or slowly, and boxes come and go.",
            options: &["margin"],
        },
        Method::BvhRefit => About {
            name: "bvh-refit",
            what: "A tree eight wide is kept; its bounds follow the boxes, its order is renewed when it has decayed.",
            contract: "Exactly the pairs of overlapping boxes.",
            cost: "O(n) at worst to follow, O(log n) for each box that moved; nothing at rest.",
            best: "Large worlds in which a part moves, and small steps.",
            options: &[],
        },
        _ => About {
            name: "bvh",
            what: "A tree eight wide is built anew along a curve through space and searched against itself.",
            contract: "Exactly the pairs of overlapping boxes.",
            cost: "O(n log n), whatever the steps and sizes.",
            best: "Large worlds in which everything moves, far and without pattern; several threads.",
            options: &[],
        },
    }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    match method {
        Method::Dbvt => Box::new(DynamicTree::new(options.margin)),
        Method::BvhRefit => Box::new(RefittedTree::default()),
        _ => Box::new(RebuiltTree::default()),
    }
}
