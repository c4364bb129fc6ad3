//! One axis sorted and swept, and what becomes of that idea when space is divided first.
//!
//! | file | holds |
//! |---|---|
//! | `box_pruning.rs` | `box-pruning` |
//! | `bucket.rs` | `bucket-pruning`: what is active and what is still |
//! | `search.rs`, `divide.rs` | the division of active boxes into columns, on several threads |
//! | `still.rs` | buckets that are kept |
//! | `kd_sweep/` | `kd-sweep`: a tree of cells that is kept, each swept |
//! | `sweep.rs` | tests of a set of boxes: sorted and swept, or outright |
//! | `entry.rs` | boxes on their way, and lattices |

mod box_pruning;
mod bucket;
mod divide;
mod entry;
mod kd_sweep;
mod search;
mod still;
mod sweep;

pub use kd_sweep::KdSweep;

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::BroadPhaseOptions;

pub(crate) fn about(method: Method) -> About {
    match method {
        Method::BoxPruning => About {
            name: "box-pruning",
            what: "Boxes sorted along one axis, each tested against those that begin before it ends, eight per instruction.",
            contract: "exact",
            cost: "O(n) if coherent, plus the boxes that overlap on one axis: O(n^5/3) in a full volume",
            best: "up to a few thousand boxes, and scenes that are long in one direction",
            options: &["sort"],
        },
        Method::BucketPruning => About {
            name: "bucket-pruning",
            what: "Space divided into columns that follow the density, each sorted and swept, eight boxes per instruction; what \
                   rests is kept in buckets of its own.",
            contract: "exact",
            cost: "O(n) for what moves, nothing for what rests",
            best: "nearly everywhere: all moving, few moving, at rest, clusters, many sizes",
            options: &[],
        },
        _ => kd_sweep::ABOUT,
    }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    match method {
        Method::BoxPruning => Box::new(box_pruning::BoxPruning::new(options.sort)),
        Method::BucketPruning => Box::new(bucket::BucketPruning::default()),
        _ => Box::new(KdSweep::new(options.leaf)),
    }
}
