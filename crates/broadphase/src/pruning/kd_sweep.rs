//! `kd-sweep`: space is halved until a sweep is cheap.
//!
//! The cells ([`cells`]) are kept from update to update: a box that moves within its cell only
//! marks it, one that leaves is put into its new cells, full cells are cut and nearly empty ones
//! joined. Marked cells are swept ([`sweep`]) for pairs with something that moved; all other pairs
//! are kept. If more than half of the boxes moved, all are inserted again, neighbours one after
//! another, which is faster than looking for their old entries; the cells stay.
//!
//! Boxes in very many cells are kept apart, in a tree of their own that is rebuilt when there is
//! something to do.
//!
//! A kd-tree with sweeps in its leaves that follows the boxes over time is the idea of Serpa and
//! Rodrigues 2019, "Flexible Use of Temporal and Spatial Reasoning for Fast and Scalable CPU
//! Broad-Phase Collision Detection Using KD-Trees". Theirs shifts planes too, and uses fat boxes.

mod cells;
mod sweep;

use carom_core::threads::{ThreadPool, task_range};

use cells::{Cells, NONE};
use sweep::Sweep;

use crate::broad_phase::{BroadPhase, Counters, Found, Hierarchy, Outcome};
use crate::bvh::ledger::Ledger;
use crate::bvh::order::Order;
use crate::bvh::tree::WideTree;
use crate::method::About;
use crate::tasks::{MAX_TASKS, task_count};
use crate::{Pair, Table};

pub(super) const ABOUT: About = About {
    name: "kd-sweep",
    what: "Space is halved into cells that are kept; cells in which something moved are sorted and swept.",
    contract: "Exactly the pairs of overlapping boxes.",
    cost: "O(n) where everything moves, O(1) for a box that moves within its cell; nothing at rest.",
    best: "Worlds of any density, boxes of similar size, much or little movement.",
    options: &["leaf"],
};

/// Entries above which a cell is cut. Of 48, 96, 160 and 256, measured on 16 000 and 256 000 boxes,
/// the smaller ones cost more where all moved and 256 where 1 % did.
const FULL: u32 = 160;

/// The method `kd-sweep`.
#[derive(Clone, Debug)]
pub struct KdSweep<const D: usize> {
    cells: Cells<D>,
    marked: Vec<u32>,
    ids: Vec<u32>,
    parts: Vec<Sweep<D>>,
    order: Order,
    large: WideTree<D>,
    ledger: Ledger,
    counters: Counters,
}

impl<const D: usize> KdSweep<D> {
    /// Cells are cut when they have more than `leaf` boxes.
    #[must_use]
    pub fn new(leaf: Option<u32>) -> Self {
        Self {
            // With fewer than four a cut is no gain.
            cells: Cells::new(leaf.unwrap_or(FULL).max(4) as usize),
            marked: Vec::new(),
            ids: Vec::new(),
            parts: vec![Sweep::default(); MAX_TASKS],
            order: Order::default(),
            large: WideTree::default(),
            ledger: Ledger::default(),
            counters: Counters::default(),
        }
    }

    fn follow(&mut self, table: &Table<D>) {
        for &id in table.removed() {
            self.cells.remove(id);
        }
        if table.changed().len() * 2 > table.len() {
            self.ids.clear();
            self.cells.empty(&mut self.ids);
            for &id in &self.ids {
                self.cells.put_back(id, table.aabb(id));
            }
            for &id in table.changed().iter().filter(|&&id| table.is_new(id)) {
                self.cells.insert(id, table.aabb(id));
            }
        } else {
            for &id in table.changed() {
                if table.is_new(id) {
                    self.cells.insert(id, table.aabb(id));
                } else {
                    self.cells.set(id, table.aabb(id));
                }
            }
        }
        self.cells.tidy();
    }

    fn sweep(&mut self, table: &Table<D>, pool: &mut ThreadPool) {
        self.marked.clear();
        for (cell, at) in self.cells.cells.iter_mut().zip(0..NONE) {
            if std::mem::take(&mut cell.is_marked) {
                self.marked.push(at);
            }
        }
        let (cells, marked, touched) = (&self.cells.cells, &self.marked, self.ledger.touched());
        let count = task_count(table.len());
        pool.for_each(&mut self.parts[..count], |index, part| {
            for &cell in &marked[task_range(marked.len(), index, count)] {
                part.run(&cells[cell as usize], table, touched);
            }
        });
        for part in &mut self.parts {
            self.counters.box_tests += std::mem::take(&mut part.box_tests);
            self.counters.cells += std::mem::take(&mut part.entries);
        }
    }

    /// Pairs with boxes that are in no cell.
    fn search_large(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Vec<Pair>) {
        let Self { cells, ledger, order, large, counters, .. } = self;
        let touched = ledger.touched();
        if cells.large.is_empty() {
            return;
        }
        order.sort(table.boxes(), cells.large.iter().copied());
        large.build(order, table.boxes(), pool);
        let mut search = |id: u32| {
            if table.has_too_many_pairs() {
                return;
            }
            let is_large = cells.is_large(id);
            let (nodes, tests) = large.overlapping(table.aabb(id), |slot| {
                let other = large.id(slot as u32);
                let is_mine = !is_large || id < other;
                let is_news = touched[id as usize] || touched[other as usize];
                if is_mine && is_news && table.admits(id, other) {
                    table.push_pair(found, Pair::new(id, other));
                }
            });
            counters.node_visits += nodes;
            counters.box_tests += tests;
        };
        if cells.large.iter().any(|&id| touched[id as usize]) {
            table.ids().for_each(&mut search);
        } else {
            table.changed().iter().copied().for_each(&mut search);
        }
    }
}

impl<const D: usize> BroadPhase<D> for KdSweep<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.cells.reserve(table.slots());
        self.ledger.touch(table.changed().iter().chain(table.removed()), table.slots());
        self.follow(table);
        self.sweep(table, pool);
        for part in &mut self.parts {
            found.pairs.append(&mut part.found);
        }
        self.search_large(table, pool, &mut found.pairs);
        self.ledger.renew(table.changed().iter().chain(table.removed()), found, &mut self.counters)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
            + (self.marked.capacity() + self.ids.capacity()) * size_of::<u32>()
            + self.parts.iter().map(Sweep::bytes).sum::<usize>()
            + self.order.bytes()
            + self.large.bytes()
            + self.ledger.bytes()
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        Some(&self.cells)
    }
}
