//! All overlapping pairs of a tree: the tree against itself.
//!
//! A pair of blocks is opened into the pairs of their children that overlap, from (root, root) down
//! to the boxes; of a block with itself only the upper triangle, so each pair of boxes is met once.
//! Where only changes are of interest, pairs without a mark on either side are dropped on every
//! level: what rests costs nothing. Few marked boxes are looked up one by one, in the order of
//! their slots, so that neighbours find the blocks in the cache.
//!
//! The first levels are opened one after another until there is work for all; then a number of
//! parts that depends on the size of the tree alone goes down, each with its own stack and list.
//! What is found and counted does not depend on the number of threads.

use std::ops::Range;

use carom_core::threads::{ThreadPool, task_range};

use super::block::WIDTH;
use super::tree::{Level, WideTree};
use crate::broad_phase::Counters;
use crate::tasks::{MAX_TASKS, task_count};
use crate::{Pair, Table};

/// Pairs of blocks that make enough work for all parts.
const ENOUGH: usize = 16 * MAX_TASKS;

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
    pairs: Vec<(u32, u32)>,
    opened: Vec<(u32, u32)>,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    found: Vec<Pair>,
    /// Pairs of blocks to be opened: level, block, block.
    stack: Vec<(u32, u32, u32)>,
    node_visits: u64,
    box_tests: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self { pairs: Vec::new(), opened: Vec::new(), parts: vec![Part::default(); MAX_TASKS] }
    }
}

/// Opens a pair of blocks of a level: calls `open` for each pair of places that overlap, and
/// returns the number of tests of one box against a block. `own` says whether a place pairs with
/// itself. If not `ALL`, one of the two must be marked.
#[inline(always)]
fn open<const D: usize, const ALL: bool>(
    levels: &[Level<D>],
    level: usize,
    (a, b): (u32, u32),
    own: bool,
    mut open: impl FnMut(u32, u32),
) -> u64 {
    let (from, to) = (a * WIDTH as u32, b * WIDTH as u32);
    let (a, b) = (a as usize, b as usize);
    let Level { blocks, marks } = &levels[level];
    let (first, second) = (&blocks[a], &blocks[b]);
    let mut tests = 0;
    let mut lanes = if a == b {
        0xff
    } else {
        // Most places of one block are away from the other; its bounds stand in its parent.
        tests += 1;
        let bounds = levels[level + 1].blocks[b / WIDTH].get(b % WIDTH);
        first.overlapping(&bounds)
    };
    if !ALL && marks[b] == 0 {
        lanes &= u32::from(marks[a]);
    }
    while lanes != 0 {
        let place = lanes.trailing_zeros();
        lanes &= lanes - 1;
        tests += 1;
        let mut others = second.overlapping(&first.get(place as usize));
        if a == b {
            others &= if own { 0xff << place } else { 0xfe << place };
        }
        if !ALL && marks[a] >> place & 1 == 0 {
            others &= u32::from(marks[b]);
        }
        while others != 0 {
            open(from + place, to + others.trailing_zeros());
            others &= others - 1;
        }
    }
    tests
}

impl Part {
    /// Goes down from pairs of blocks of a level.
    fn run<const D: usize, const ALL: bool>(
        &mut self,
        tree: &WideTree<D>,
        table: &Table<D>,
        level: usize,
        pairs: &[(u32, u32)],
    ) {
        let levels = tree.levels();
        let admits_all = table.admits_all();
        let Self { found, stack, node_visits, box_tests } = self;
        let mut leaf = |a: u32, b: u32| {
            let tests = open::<D, ALL>(levels, 0, (a, b), false, |x, y| {
                let (x, y) = (tree.id(x), tree.id(y));
                if admits_all || table.admits(x, y) {
                    table.push_pair(found, Pair::new(x, y));
                }
            });
            *box_tests += tests * WIDTH as u64;
        };
        for &(a, b) in pairs {
            stack.push((level as u32, a, b));
            while let Some((level, a, b)) = stack.pop() {
                if table.has_too_many_pairs() {
                    stack.clear();
                    return;
                }
                *node_visits += 1;
                match level {
                    0 => leaf(a, b),
                    1 => {
                        open::<D, ALL>(levels, 1, (a, b), true, |a, b| {
                            *node_visits += 1;
                            leaf(a, b);
                        });
                    }
                    _ => {
                        open::<D, ALL>(levels, level as usize, (a, b), true, |a, b| {
                            stack.push((level - 1, a, b));
                        });
                    }
                }
            }
        }
    }
}

impl Part {
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
        self.pairs.clear();
        self.pairs.push((0, 0));
        while level > 1 && self.pairs.len() < ENOUGH {
            self.opened.clear();
            for &pair in &self.pairs {
                open::<D, ALL>(levels, level, pair, true, |a, b| self.opened.push((a, b)));
            }
            counters.node_visits += self.pairs.len() as u64;
            std::mem::swap(&mut self.pairs, &mut self.opened);
            level -= 1;
        }
        let (pairs, count) = (&self.pairs, task_count(tree.slots()));
        pool.for_each(&mut self.parts[..count], |index, part| {
            part.run::<D, ALL>(tree, table, level, &pairs[task_range(pairs.len(), index, count)]);
        });
    }

    pub(crate) fn bytes(&self) -> usize {
        let parts: usize =
            self.parts.iter().map(|p| p.found.capacity() * size_of::<Pair>() + p.stack.capacity() * 12).sum();
        (self.pairs.capacity() + self.opened.capacity()) * size_of::<(u32, u32)>() + parts
    }
}
