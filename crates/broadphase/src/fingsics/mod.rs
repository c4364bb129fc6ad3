//! The broad phases of the original, with its behaviour on ties: what the compatible simulation steps with.
//!
//! The original's sweep and prune counts boxes that exactly touch by the history of their endpoints, and reports "ghosts" of
//! bodies that jump. To give its results to the last collision we must do the same; no new scene wants it. So these five
//! methods (`none`, `aabb`, `obb`, `sap`, `sapobb`) live behind a contract of their own, fenced from the exact ones beside
//! them, which a compatible world may use as well ([`finder`]).

pub mod brute_force;
pub mod refine;
pub mod sap;

use carom_geometry::Aabb;

use crate::{Counters, Filter, Method, Pair, Space};
use brute_force::{AllBoxes, AllPairs};
use sap::Sap;

/// The methods the original has.
pub const METHODS: [Method; 5] = [Method::None, Method::Aabb, Method::Obb, Method::Sap, Method::SapObb];

/// What a broad phase is given each step. Bodies are dense indices, the same every step.
#[derive(Clone, Copy, Debug)]
pub struct Proxies<'a, const D: usize> {
    /// One valid box per body ([`Aabb::is_valid`]).
    pub boxes: &'a [Aabb<D>],
    /// True for bodies that impulses do not move; pairs of two such bodies are never reported.
    pub immovable: &'a [bool],
}

impl<const D: usize> Proxies<'_, D> {
    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Are there no bodies?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// May the two bodies form a pair at all?
    #[inline]
    #[must_use]
    pub fn may_pair(&self, a: usize, b: usize) -> bool {
        a != b && !(self.immovable[a] && self.immovable[b])
    }
}

/// A method that finds candidate pairs for the compatible simulation.
///
/// Contract: every pair of boxes that overlap with more than a shared boundary is reported, once, and no pair of two
/// immovable bodies. Boxes that only touch may be reported or not, as the method says. The order of the pairs depends
/// on nothing but the calls so far.
pub trait BroadPhase<const D: usize>: Send {
    /// The pairs of this step.
    fn pairs(&mut self, proxies: &Proxies<'_, D>) -> &[Pair];

    /// Work done so far.
    fn counters(&self) -> Counters;
}

/// The finder of pairs of a method; `None` for `obb`, which looks at all pairs itself ([`refine::all_pairs`]).
#[must_use]
pub fn finder(method: Method) -> Option<Box<dyn BroadPhase<3>>> {
    match method {
        Method::None => Some(Box::new(AllPairs::default())),
        Method::Aabb => Some(Box::new(AllBoxes::default())),
        Method::Obb => None,
        Method::Sap | Method::SapObb => Some(Box::new(Sap::default())),
        other => Some(Box::new(Exact { space: Space::new(other), len: 0 })),
    }
}

/// One of the exact methods, for a compatible world.
struct Exact {
    space: Space<3>,
    len: usize,
}

impl BroadPhase<3> for Exact {
    fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        if self.len != proxies.len() {
            self.space.clear();
            self.len = proxies.len();
            for (aabb, &immovable) in proxies.boxes.iter().zip(proxies.immovable) {
                // Boxes are checked where bodies move; one that is bad all the same touches nothing.
                let filter = if immovable { Filter::STATIC } else { Filter::default() };
                if self.space.insert_filtered(*aabb, filter).is_err() {
                    debug_assert!(false, "an invalid box reached the broad phase");
                }
            }
        } else if self.space.set_boxes(proxies.boxes).is_err() {
            debug_assert!(false, "an invalid box reached the broad phase");
        }
        self.space.update()
    }

    fn counters(&self) -> Counters {
        self.space.counters()
    }
}
