//! A second, tighter test after any method.
//!
//! The candidates of the method are kept as a sorted list, since a method may tell only the
//! difference, and the volumes inside the boxes may change although the boxes do not. Every update
//! that changes anything tests all candidates anew: there are few of them, and the tests are made
//! in batches.

mod dops;
mod oriented;
mod spheres;

pub(crate) use oriented::OrientedBoxes;
pub(crate) use spheres::{Ball, ball, overlap as balls_overlap};

use carom_core::threads::ThreadPool;

use dops::Dops;
use spheres::Spheres;

use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Hierarchy, Outcome};
use crate::pair_list::PairList;
use crate::{Pair, Table};

/// The volume of the second test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// Spheres.
    Sphere,
    /// Oriented boxes.
    Obb,
    /// 14-DOPs around what the oriented box and the sphere have in common.
    Kdop14,
    /// 18-DOPs of the same.
    Kdop18,
    /// 26-DOPs of the same.
    Kdop26,
}

impl Refinement {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sphere, Self::Obb, Self::Kdop14, Self::Kdop18, Self::Kdop26];

    /// The name after the plus sign.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Obb => "obb",
            Self::Kdop14 => "kdop14",
            Self::Kdop18 => "kdop18",
            Self::Kdop26 => "kdop26",
        }
    }
}

/// The tighter volumes of a table by id.
enum Volumes {
    Spheres(Spheres),
    Oriented(OrientedBoxes),
    Dop14(Dops<7>),
    Dop18(Dops<9>),
    Dop26(Dops<13>),
}

impl Volumes {
    fn follow<const D: usize>(&mut self, table: &Table<D>) {
        match self {
            Self::Spheres(volumes) => volumes.follow(table),
            Self::Oriented(volumes) => volumes.follow(table),
            Self::Dop14(volumes) => volumes.follow(table),
            Self::Dop18(volumes) => volumes.follow(table),
            Self::Dop26(volumes) => volumes.follow(table),
        }
    }

    /// Appends the pairs whose volumes overlap to `out`, in their order.
    fn keep_overlapping<const D: usize>(&mut self, table: &Table<D>, pairs: &[Pair], out: &mut Vec<Pair>) {
        match self {
            Self::Oriented(volumes) => volumes.keep_overlapping(table, pairs, out),
            Self::Spheres(volumes) => out.extend(pairs.iter().filter(|p| volumes.overlap(p.a, p.b))),
            Self::Dop14(volumes) => out.extend(pairs.iter().filter(|p| volumes.overlap(p.a, p.b))),
            Self::Dop18(volumes) => out.extend(pairs.iter().filter(|p| volumes.overlap(p.a, p.b))),
            Self::Dop26(volumes) => out.extend(pairs.iter().filter(|p| volumes.overlap(p.a, p.b))),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Spheres(volumes) => volumes.bytes(),
            Self::Oriented(volumes) => volumes.bytes(),
            Self::Dop14(volumes) => volumes.bytes(),
            Self::Dop18(volumes) => volumes.bytes(),
            Self::Dop26(volumes) => volumes.bytes(),
        }
    }
}

/// A method followed by a second test.
pub struct Refined<const D: usize> {
    inner: Box<dyn BroadPhase<D>>,
    refinement: Refinement,
    volumes: Volumes,
    /// What the method says.
    found: Found,
    candidates: PairList,
    tests: u64,
}

impl<const D: usize> Refined<D> {
    /// A method and what follows it.
    #[must_use]
    pub fn new(inner: Box<dyn BroadPhase<D>>, refinement: Refinement) -> Self {
        let volumes = match refinement {
            Refinement::Sphere => Volumes::Spheres(Spheres::default()),
            Refinement::Obb => Volumes::Oriented(OrientedBoxes::default()),
            Refinement::Kdop14 => Volumes::Dop14(Dops::default()),
            Refinement::Kdop18 => Volumes::Dop18(Dops::default()),
            Refinement::Kdop26 => Volumes::Dop26(Dops::default()),
        };
        let (found, candidates) = (Found::default(), PairList::default());
        Self { inner, refinement, volumes, found, candidates, tests: 0 }
    }
}

impl<const D: usize> BroadPhase<D> for Refined<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.found.pairs.clear();
        self.found.begun.clear();
        self.found.ended.clear();
        let outcome = self.inner.update(table, pool, &mut self.found);
        match outcome {
            // The method saw no change of its pairs; those of the volumes may change all the same.
            Outcome::Unchanged if table.changed().is_empty() => return Outcome::Unchanged,
            Outcome::Unchanged => self.candidates.keep(),
            Outcome::All => self.candidates.replace(&mut self.found.pairs, table.slots()),
            Outcome::Sorted => self.candidates.replace_sorted(&mut self.found.pairs),
            Outcome::Difference => self.candidates.apply(&mut self.found, table.slots()),
        }
        self.volumes.follow(table);
        self.tests += self.candidates.pairs().len() as u64;
        self.volumes.keep_overlapping(table, self.candidates.pairs(), &mut found.pairs);
        Outcome::All
    }

    fn counters(&self) -> Counters {
        let inner = self.inner.counters();
        Counters { box_tests: inner.box_tests + self.tests, ..inner }
    }

    fn bytes(&self) -> usize {
        let found = self.found.pairs.capacity() + self.found.begun.capacity() + self.found.ended.capacity();
        self.inner.bytes() + self.volumes.bytes() + self.candidates.bytes() + found * size_of::<Pair>()
    }

    fn contract(&self) -> Contract {
        let (also, margin) = match self.inner.contract() {
            Contract::Exact => (None, 0.0),
            Contract::Fattened { margin } => (None, margin),
            Contract::Everything => (None, f32::INFINITY),
            Contract::Spheres => (Some(Refinement::Sphere), f32::INFINITY),
            Contract::OrientedBoxes => (Some(Refinement::Obb), f32::INFINITY),
            Contract::OrientedSubset => (Some(Refinement::Obb), 0.0),
            Contract::Refined { by, margin, .. } => (Some(by), margin),
        };
        Contract::Refined { by: self.refinement, also, margin }
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        self.inner.hierarchy()
    }

    fn remark(&self) -> Option<String> {
        self.inner.remark()
    }
}
