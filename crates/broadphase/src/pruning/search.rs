//! The search for pairs among boxes that move, on one thread or several.
//!
//! Boxes are dealt into the cells of a first lattice in parts, cells are worked on in shares; which
//! thread does what leaves no trace, since each pair is found once and the list is sorted.

use carom_core::threads::{ThreadPool, task_range};

use super::divide::{Deal, Divider, Plan, Work, is_worth_it};
use super::entry::{Entry, most_cells};
use super::still::{Still, Walk};
use crate::pair_list::{sort, unite};
use crate::{Pair, Table};

/// Below this many boxes a second thread costs more than it brings.
const FEW: usize = 4096;

/// One share of the work.
#[derive(Clone, Debug)]
struct Share<const D: usize> {
    divider: Divider<D>,
    walk: Walk<D>,
    gathered: Vec<Entry<D>>,
    scratch: Vec<Pair>,
    /// Cells of the first lattice.
    cells: std::ops::Range<usize>,
}

impl<const D: usize> Default for Share<D> {
    fn default() -> Self {
        Self {
            divider: Divider::default(),
            walk: Walk::default(),
            gathered: Vec::new(),
            scratch: Vec::new(),
            cells: 0..0,
        }
    }
}

/// The search and its memory.
#[derive(Clone, Debug)]
pub(super) struct Search<const D: usize> {
    parts: Vec<Deal<D>>,
    shares: Vec<Share<D>>,
    aside: Vec<Entry<D>>,
}

impl<const D: usize> Default for Search<D> {
    fn default() -> Self {
        Self { parts: Vec::new(), shares: Vec::new(), aside: Vec::new() }
    }
}

impl<const D: usize> Search<D> {
    /// Writes the pairs among the boxes `ids` and between them and those at rest to `out`,
    /// ascending.
    pub(super) fn run(
        &mut self,
        table: &Table<D>,
        ids: &[u32],
        still: &Still<D>,
        is_still: impl Fn(u32) -> bool + Sync,
        pool: &mut ThreadPool,
        out: &mut Vec<Pair>,
    ) -> Work {
        let threads = if ids.len() < FEW { 1 } else { pool.threads() };
        let (parts, shares) = if threads == 1 { (1, 1) } else { (2 * threads, 4 * threads) };
        self.parts.resize_with(parts, Deal::default);
        self.shares.resize_with(shares, Share::default);
        let entry = |i: usize| Entry::of(table, ids[i]);
        let lattice = match Plan::of(ids.len(), entry) {
            Plan::Divide(lattice, _) => Some(lattice),
            Plan::Sweep(_) => None,
        };
        if let Some(lattice) = &lattice {
            pool.for_each(&mut self.parts, |index, part| {
                let range = task_range(ids.len(), index, parts);
                part.fill(lattice, range.len(), most_cells(D), |i| entry(range.start + i));
            });
        }
        let divided = lattice.is_some_and(|lattice| self.is_worth_it(ids.len(), lattice.cells()));
        self.aside.clear();
        if divided {
            self.share_cells();
            for part in &self.parts {
                self.aside.extend_from_slice(part.aside());
            }
        } else {
            self.parts.iter_mut().for_each(Deal::clear);
            self.shares.iter_mut().for_each(|share| share.cells = 0..0);
        }
        let (all_parts, aside) = (&self.parts, &self.aside);
        pool.for_each(&mut self.shares, |index, share| {
            if divided {
                share.search(table, all_parts);
            } else if index == 0 {
                share.gather(0..ids.len(), entry);
                share.divider.find(&share.gathered, table);
            }
            if let (Some(part), false) = (all_parts.get(index), aside.is_empty()) {
                let first = task_range(ids.len(), index, parts).start;
                let dealt = part.dealt_indices().map(|i| entry(first + i));
                share.divider.find_between(dealt, aside, table);
                if index == 0 {
                    share.divider.find(aside, table);
                }
            }
            let range = task_range(ids.len(), index, shares);
            if !still.is_empty() && !range.is_empty() {
                share.gather(range, entry);
                still.meet(&share.gathered, table, &is_still, &mut share.walk);
            }
            share.finish(table.slots());
        });
        self.collect(pool, out)
    }

    /// As [`Deal::is_worth_it`], for all parts together.
    fn is_worth_it(&self, len: usize, cells: usize) -> bool {
        let fullest = (0..cells).map(|cell| self.weight(cell)).max().unwrap_or(0);
        let dealt: usize = self.parts.iter().map(Deal::dealt).sum();
        let aside: usize = self.parts.iter().map(|part| part.aside().len()).sum();
        is_worth_it(len, fullest, dealt, aside)
    }

    fn weight(&self, cell: usize) -> usize {
        self.parts.iter().map(|part| part.cell(cell).len()).sum()
    }

    /// Gives the shares consecutive cells of about equal weight.
    fn share_cells(&mut self) {
        let cells = self.parts.first().map_or(0, Deal::cells);
        let total: usize = self.parts.iter().map(Deal::dealt).sum();
        let count = self.shares.len();
        let (mut cell, mut done) = (0, 0);
        for index in 0..count {
            let first = cell;
            while cell < cells && (done * count < total * (index + 1) || index + 1 == count) {
                done += self.weight(cell);
                cell += 1;
            }
            self.shares[index].cells = first..cell;
        }
    }

    /// Merges the sorted lists of all shares, two by two, into `out`.
    fn collect(&mut self, pool: &mut ThreadPool, out: &mut Vec<Pair>) -> Work {
        let mut width = 1;
        while width < self.shares.len() {
            pool.for_chunks(&mut self.shares, 2 * width, |_, shares| {
                if let (low, [high, ..]) = shares.split_at_mut(width.min(shares.len())) {
                    let low = &mut low[0];
                    unite(&low.divider.pairs, &high.divider.pairs, &mut low.scratch);
                    std::mem::swap(&mut low.divider.pairs, &mut low.scratch);
                    high.divider.pairs.clear();
                }
            });
            width *= 2;
        }
        out.clear();
        if let Some(share) = self.shares.first_mut() {
            std::mem::swap(out, &mut share.divider.pairs);
        }
        let mut work = Work::default();
        for share in &mut self.shares {
            for done in [std::mem::take(&mut share.divider.work), std::mem::take(&mut share.walk.work)] {
                work.tests += done.tests;
                work.cells += done.cells;
            }
        }
        work.cells += self.parts.iter().map(|part| part.dealt() as u64).sum::<u64>();
        work
    }

    pub(super) fn bytes(&self) -> usize {
        let shares = self.shares.iter().map(|share| {
            share.divider.bytes()
                + share.walk.bytes()
                + share.gathered.capacity() * size_of::<Entry<D>>()
                + share.scratch.capacity() * size_of::<Pair>()
        });
        shares.sum::<usize>()
            + self.parts.iter().map(Deal::bytes).sum::<usize>()
            + self.aside.capacity() * size_of::<Entry<D>>()
    }
}

impl<const D: usize> Share<D> {
    /// Pairs within the cells of this share.
    fn search(&mut self, table: &Table<D>, parts: &[Deal<D>]) {
        for cell in self.cells.clone() {
            if let [part] = parts {
                self.divider.find(part.cell(cell), table);
            } else {
                self.gathered.clear();
                for part in parts {
                    self.gathered.extend_from_slice(part.cell(cell));
                }
                self.divider.find(&self.gathered, table);
            }
        }
    }

    /// Copies some entries.
    fn gather(&mut self, range: std::ops::Range<usize>, entry: impl Fn(usize) -> Entry<D>) {
        self.gathered.clear();
        self.gathered.extend(range.map(entry));
    }

    /// One sorted list of all that was found.
    fn finish(&mut self, bound: usize) {
        self.divider.pairs.append(&mut self.walk.pairs);
        sort(&mut self.divider.pairs, &mut self.scratch, bound);
    }
}
