//! Sweep and prune: what overlaps on every axis overlaps.
//!
//! | module | holds |
//! |---|---|
//! | `endpoint`, `axis` | ends of boxes as integers, their sorts; an axis kept in order |
//! | `persistent`, `pace` | `sap`: axes kept in order, pairs by difference |
//! | `direct`, `extraction` | `direct-sap` and `incremental-sap` of Moraga's thesis |
//! | `multi` | `multi-sap` |
//! | `segments`, `cells` | a sweep in each column of a grid: `multi-sap`, and the way of `sap` out of disorder |
//! | `active` | intervals open at a point of a sweep |

mod active;
mod axis;
mod cells;
mod direct;
mod endpoint;
mod extraction;
mod multi;
mod pace;
mod persistent;
mod segments;

use direct::{Direct, When};
use multi::MultiSap;
use persistent::{Policy, Sap};

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::{BroadPhaseOptions, Extraction, Sort, Update};
use crate::refine::{Refined, Refinement};

pub(crate) fn about(method: Method) -> About {
    let exact = "Exactly the pairs whose boxes overlap.";
    match method {
        Method::SapObb => About {
            name: "sapobb",
            what: "Persistent sweep and prune, then a test of oriented boxes.",
            contract: "The pairs whose boxes and oriented boxes overlap.",
            cost: "That of sap, and some 15 ns per pair that sap finds.",
            best: "Long things at an angle whose contacts are expensive to compute.",
            options: &[],
        },
        Method::DirectSap => About {
            name: "direct-sap",
            what: "All axes are sorted anew and their pairs intersected, as in Moraga's thesis.",
            contract: exact,
            cost: "O(n log n), and the pairs that overlap on each single axis: nearly O(n²).",
            best: "To compare with the thesis; use another method for work.",
            options: &["sort", "pairs"],
        },
        Method::IncrementalSap => About {
            name: "incremental-sap",
            what: "Axes are kept in order, and pairs computed anew (or followed, with update=delta) when an order broke.",
            contract: exact,
            cost: "O(n) while no order changes, else that of direct-sap; with update=delta O(n) and the changes of order.",
            best: "To compare with the thesis; nearly resting scenes.",
            options: &["sort", "pairs", "update"],
        },
        Method::MultiSap => About {
            name: "multi-sap",
            what: "Space is cut into columns, and each is swept alone along its length.",
            contract: exact,
            cost: "O(n) for sorting and dealing out, and a few tests per box; no better if little moves.",
            best: "Many boxes of similar size in fast motion.",
            options: &["cell"],
        },
        _ => About {
            name: "sap",
            what: "Ends of boxes are kept in order on every axis, and pairs follow the changes of order.",
            contract: exact,
            cost: "O(n) and the changes of order; sorts and sweeps in columns anew when that is cheaper.",
            best: "Up to some ten thousand boxes that move little per update.",
            options: &[],
        },
    }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    let pairs = options.pairs.unwrap_or(Extraction::Sorted);
    match method {
        Method::SapObb => Box::new(Refined::new(Box::new(Sap::new(Policy::Adaptive)), Refinement::Obb)),
        Method::DirectSap => Box::new(Direct::new(When::Always, options.sort.unwrap_or(Sort::Full), pairs)),
        // Changes of order are followed where an insertion sort makes them: the other options have
        // no meaning there.
        Method::IncrementalSap if options.update == Some(Update::Delta) => Box::new(Sap::new(Policy::Never)),
        Method::IncrementalSap => {
            Box::new(Direct::new(When::OrderBroke, options.sort.unwrap_or(Sort::Insertion), pairs))
        }
        Method::MultiSap => Box::new(MultiSap::new(options.cell)),
        _ => Box::new(Sap::new(Policy::Adaptive)),
    }
}
