//! *Which pairs may touch*: the broad phases.
//!
//! A broad phase turns boxes into candidate pairs. All methods stand behind one trait, [`BroadPhase`], and are chosen at
//! run time by name ([`Method`]); there is one virtual call per step and none per pair.
//!
//! | module | holds |
//! |---|---|
//! | [`method`] | the names, and which stages make up each method |
//! | [`pair`] | pairs and the persistent pair set |
//! | [`brute_force`] | `none` and `aabb`: every pair looked at, the oracles of the rest |
//! | [`sap`] | persistent three-axis sweep and prune |
//! | [`refine`] | oriented boxes after (or instead of) another method: `obb`, `sapobb` |
#![forbid(unsafe_code)]

pub mod brute_force;
pub mod method;
pub mod pair;
pub mod refine;
pub mod sap;

use carom_geometry::Aabb;

pub use method::{Method, UnknownMethod};
pub use pair::Pair;

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

/// Work done so far, the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Box-against-box tests.
    pub box_tests: u64,
    /// Exchanges of neighbouring endpoints.
    pub swaps: u64,
    /// Pairs that appeared or disappeared.
    pub pair_changes: u64,
}

/// A method that finds candidate pairs.
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
