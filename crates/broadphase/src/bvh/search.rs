//! All overlapping pairs of a tree: the tree against itself.
//!
//! A pair of blocks is opened into the pairs of their children that overlap, from (root, root) down
//! to the boxes; of a block with itself only the upper triangle, so each pair of boxes is met once.
//! Where only changes are of interest, pairs without a mark on either side are dropped on every
//! level: what rests costs nothing. Few marked boxes are looked up one by one, in the order of
//! their slots, so that neighbours find the blocks in the cache.
//!
//! Pairs are opened some hundred at a time by [`open`], on which no branch depends: one by one,
//! mispredicted branches were half of the time of a dense gas.
//!
//! The first levels are opened one after another until there is work for all; then a number of
//! parts that depends on the size of the tree alone goes down, each with its own lists. What is
//! found and counted does not depend on the number of threads.

use std::marker::PhantomData;
use std::ops::Range;

use carom_core::simd::dispatch::{Baseline, InstructionSet, Kernel};
#[cfg(target_arch = "x86_64")]
use carom_core::simd::{Avx8, dispatch::Avx2};
use carom_core::simd::{SimdFloat, f32x8};
use carom_core::threads::{ThreadPool, task_range};

use super::block::WIDTH;
use super::opening::{Opened, PairList, PlacePair, Tests, open};
use super::tree::{LEVELS, Level, WideTree};
use crate::broad_phase::Counters;
use crate::tasks::{MAX_TASKS, task_count};
use crate::{Pair, Table};

/// Pairs of blocks that make enough work for all parts.
const ENOUGH: usize = 16 * MAX_TASKS;
/// Pairs of blocks that are opened at once: what they open into stays in the nearest cache.
const AT_ONCE: usize = 128;

/// Which pairs, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All pairs.
    All,
    /// Pairs with at least one mark; the tree against itself.
    Marked,
    /// The same; each marked box against the tree.
    OneByOne,
}

/// Memory of a search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pairs: PairList,
    opened: PairList,
    tests: Tests,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    found: Vec<Pair>,
    /// By level: pairs of blocks to be opened.
    pending: Vec<PairList>,
    /// Pairs of slots that overlap.
    slots: PairList,
    tests: Tests,
    node_visits: u64,
    box_tests: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            pairs: PairList::default(),
            opened: PairList::default(),
            tests: Tests::default(),
            parts: vec![Part::default(); MAX_TASKS],
        }
    }
}

/// One part's way down from pairs of blocks of a level.
struct Descent<'a, const D: usize, const ALL: bool, L> {
    part: &'a mut Part,
    tree: &'a WideTree<D>,
    table: &'a Table<D>,
    level: usize,
    pairs: &'a [PlacePair],
    lanes: PhantomData<L>,
}

impl<const D: usize, const ALL: bool, L: SimdFloat> Kernel for Descent<'_, D, ALL, L> {
    #[inline(always)]
    fn run(self) {
        let Self { part, tree, table, level, pairs, .. } = self;
        let levels = tree.levels();
        if part.pending.len() < levels.len() {
            part.pending.resize(levels.len(), PairList::default());
        }
        part.pending[level].refill(pairs);
        // By level: pairs that are open already.
        let mut done = [0; LEVELS];
        let mut at = level;
        loop {
            let first = done[at];
            let last = part.pending[at].as_slice().len().min(first + AT_ONCE);
            if first == last || table.has_too_many_pairs() {
                if at == level {
                    return;
                }
                at += 1;
                continue;
            }
            done[at] = last;
            part.node_visits += (last - first) as u64;
            let opened = Opened { level: at, own: at > 0 };
            let (below, above) = part.pending.split_at_mut(at);
            let out = below.last_mut().unwrap_or(&mut part.slots);
            out.clear();
            let pairs = &above[0].as_slice()[first..last];
            let tests = open::<D, ALL, L>(levels, opened, pairs, &mut part.tests, out);
            if at == 0 {
                part.box_tests += tests * WIDTH as u64;
                part.report(tree, table);
            } else {
                at -= 1;
                done[at] = 0;
            }
        }
    }
}

impl Part {
    /// Notes the pairs of slots that were found.
    #[inline(always)]
    fn report<const D: usize>(&mut self, tree: &WideTree<D>, table: &Table<D>) {
        let admits_all = table.admits_all();
        for &[x, y] in self.slots.as_slice() {
            let (x, y) = (tree.id(x), tree.id(y));
            if admits_all || table.admits(x, y) {
                table.push_pair(&mut self.found, Pair::new(x, y));
            }
        }
    }

    /// Goes down from pairs of blocks of a level.
    fn run<const D: usize, const ALL: bool>(
        &mut self,
        tree: &WideTree<D>,
        table: &Table<D>,
        level: usize,
        pairs: &[PlacePair],
    ) {
        let part = self;
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            avx2.run(Descent::<D, ALL, Avx8> { part, tree, table, level, pairs, lanes: PhantomData });
            return;
        }
        Baseline.run(Descent::<D, ALL, f32x8> { part, tree, table, level, pairs, lanes: PhantomData });
    }

    /// Looks up each marked box of some blocks.
    fn look_up<const D: usize>(&mut self, tree: &WideTree<D>, table: &Table<D>, blocks: Range<usize>) {
        let admits_all = table.admits_all();
        let Some(Level { blocks: leaves, marks }) = tree.levels().first() else { return };
        for block in blocks {
            if table.has_too_many_pairs() {
                return;
            }
            let mut places = u32::from(marks[block]);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let own = block * WIDTH + place;
                let id = tree.id(own as u32);
                let (visits, tests) = tree.overlapping(&leaves[block].get(place), |slot| {
                    // Of two marked ones the first reports.
                    let is_marked = marks[slot / WIDTH] >> (slot % WIDTH) & 1 == 1;
                    if slot == own || is_marked && slot < own {
                        return;
                    }
                    let other = tree.id(slot as u32);
                    if admits_all || table.admits(id, other) {
                        table.push_pair(&mut self.found, Pair::new(id, other));
                    }
                });
                self.node_visits += visits;
                self.box_tests += tests;
            }
        }
    }
}

impl Search {
    /// Appends the admissible pairs of overlapping boxes to `out`.
    pub(crate) fn run<const D: usize>(
        &mut self,
        tree: &WideTree<D>,
        table: &Table<D>,
        pool: &mut ThreadPool,
        kind: Kind,
        (out, counters): (&mut Vec<Pair>, &mut Counters),
    ) {
        match kind {
            Kind::All => self.run_as::<D, true>(tree, table, pool, counters),
            Kind::Marked => self.run_as::<D, false>(tree, table, pool, counters),
            Kind::OneByOne => {
                let blocks = tree.levels().first().map_or(0, |level| level.blocks.len());
                let count = task_count(tree.slots());
                pool.for_each(&mut self.parts[..count], |index, part| {
                    part.look_up(tree, table, task_range(blocks, index, count));
                });
            }
        }
        for part in &mut self.parts {
            out.append(&mut part.found);
            counters.node_visits += std::mem::take(&mut part.node_visits);
            counters.box_tests += std::mem::take(&mut part.box_tests);
        }
    }

    fn run_as<const D: usize, const ALL: bool>(
        &mut self,
        tree: &WideTree<D>,
        table: &Table<D>,
        pool: &mut ThreadPool,
        counters: &mut Counters,
    ) {
        let levels = tree.levels();
        let Some(mut level) = levels.len().checked_sub(1) else { return };
        let Self { pairs, opened, tests, parts } = self;
        pairs.refill(&[[0, 0]]);
        while level > 1 && pairs.as_slice().len() < ENOUGH {
            opened.clear();
            open::<D, ALL, f32x8>(levels, Opened { level, own: true }, pairs.as_slice(), tests, opened);
            counters.node_visits += pairs.as_slice().len() as u64;
            std::mem::swap(pairs, opened);
            level -= 1;
        }
        let (pairs, count) = (pairs.as_slice(), task_count(tree.slots()));
        pool.for_each(&mut parts[..count], |index, part| {
            part.run::<D, ALL>(tree, table, level, &pairs[task_range(pairs.len(), index, count)]);
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| {
            let pending: usize = part.pending.iter().map(PairList::bytes).sum();
            part.found.capacity() * size_of::<Pair>() + pending + part.slots.bytes() + part.tests.bytes()
        });
        parts.sum::<usize>() + self.pairs.bytes() + self.opened.bytes() + self.tests.bytes()
    }
}
