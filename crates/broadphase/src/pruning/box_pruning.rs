//! `box-pruning`: boxes sorted along one axis, each tested against those that begin before it ends,
//! eight at a time.
//!
//! After Terdiman ("Box pruning revisited"): one axis only, minima sorted, coordinates apart so
//! that one instruction tests several boxes, no early outs. The axis is the one on which boxes are
//! widest apart for their size. The order of the last update is mended by insertion as long as that
//! is cheap, else all keys are sorted by their digits.

use carom_core::threads::{ThreadPool, task_range};

use super::entry::{Entry, Spread};
use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};
use crate::columns::{Columns, note};
use crate::options::Sort;
use crate::radix::{self, ordered};
use crate::{Pair, Table};

/// Exchanges per box after which insertion gives up.
const PATIENCE: u64 = 4;
/// Updates that sort by digits after insertion gave up.
const WAIT: u32 = 16;
/// Boxes that judge the axes.
const SAMPLE: usize = 64;
/// Below this many boxes one thread sweeps.
const FEW: usize = 4096;

/// A box in the order: its minimum in ordered bits, and its id.
#[derive(Clone, Copy, Debug)]
struct Key {
    min: u32,
    id: u32,
}

/// What one share of the sweep found.
#[derive(Clone, Debug, Default)]
struct Share {
    pairs: Vec<Pair>,
    tests: u64,
}

/// The method.
#[derive(Clone, Debug)]
pub(super) struct BoxPruning<const D: usize> {
    sort: Option<Sort>,
    axis: usize,
    order: Vec<Key>,
    scratch: Vec<Key>,
    columns: Columns<D>,
    sample: Vec<Entry<D>>,
    shares: Vec<Share>,
    wait: u32,
    counters: Counters,
}

impl<const D: usize> BoxPruning<D> {
    pub(super) fn new(sort: Option<Sort>) -> Self {
        Self {
            sort,
            axis: 0,
            order: Vec::new(),
            scratch: Vec::new(),
            columns: Columns::default(),
            sample: Vec::new(),
            shares: Vec::new(),
            wait: 0,
            counters: Counters::default(),
        }
    }

    /// The order of the last update, with those that left taken out, those that came put behind,
    /// and all keys new.
    fn renew_keys(&mut self, table: &Table<D>) {
        self.sample.clear();
        let slots = table.slots();
        let places = (0..slots).step_by((slots / SAMPLE).max(1)).filter(|&id| table.is_alive(id as u32));
        self.sample.extend(places.map(|id| Entry::of(table, id as u32)));
        let (axis, _) = Spread::of(self.sample.len(), |i| self.sample[i]).best_axis();
        if axis != self.axis {
            // The old order says nothing about another axis.
            self.axis = axis;
            self.wait = WAIT;
        }
        if !table.removed().is_empty() {
            self.order.retain(|key| table.is_alive(key.id) && !table.is_new(key.id));
        }
        let new = table.changed().iter().copied().filter(|&id| table.is_new(id));
        self.order.extend(new.map(|id| Key { min: 0, id }));
        for key in &mut self.order {
            key.min = ordered(table.aabb(key.id).min[axis]);
        }
    }

    fn sort(&mut self) {
        let insertion = match self.sort {
            // `scratch` is refused by name; anew is anew.
            Some(Sort::Full | Sort::Scratch) => false,
            Some(Sort::Insertion) => true,
            None => self.wait == 0,
        };
        self.wait = self.wait.saturating_sub(1);
        if insertion && self.insert_all() {
            return;
        }
        if insertion {
            self.wait = WAIT;
        }
        radix::sort(&mut self.order, &mut self.scratch, u32::BITS, |key| key.min);
    }

    /// Insertion sort; false if it gave up, with the order half mended.
    fn insert_all(&mut self) -> bool {
        let order = self.order.as_mut_slice();
        let most = PATIENCE * order.len() as u64;
        let mut swaps = 0;
        for at in 1..order.len() {
            let key = order[at];
            let mut hole = at;
            while hole > 0 && order[hole - 1].min > key.min {
                order[hole] = order[hole - 1];
                hole -= 1;
            }
            order[hole] = key;
            swaps += (at - hole) as u64;
            if swaps > most {
                break;
            }
        }
        self.counters.swaps += swaps;
        swaps <= most
    }
}

impl<const D: usize> BroadPhase<D> for BoxPruning<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.renew_keys(table);
        self.sort();
        let (order, axes) = (&self.order, std::array::from_fn(|k| (self.axis + k) % D));
        self.columns.fill(table, order.iter().map(|key| key.id), axes);
        let threads = if order.len() < FEW { 1 } else { pool.threads() };
        let shares = if threads == 1 { 1 } else { 4 * threads };
        self.shares.resize_with(shares, Share::default);
        let columns = &self.columns;
        pool.for_each(&mut self.shares, |index, Share { pairs, tests }| {
            pairs.clear();
            let mut one = |i| {
                let report = |i, j| note(table, pairs, columns.id(i), columns.id(j));
                columns.sweep(i, columns, i + 1, order.len(), report)
            };
            let places = task_range(order.len(), index, shares);
            *tests = places.take_while(|_| !table.has_too_many_pairs()).map(&mut one).sum();
        });
        for share in &self.shares {
            found.pairs.extend_from_slice(&share.pairs);
            self.counters.box_tests += share.tests;
        }
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        (self.order.capacity() + self.scratch.capacity()) * size_of::<Key>()
            + self.columns.bytes()
            + self.sample.capacity() * size_of::<Entry<D>>()
            + self.shares.iter().map(|share| share.pairs.capacity() * size_of::<Pair>()).sum::<usize>()
    }

    fn remark(&self) -> Option<String> {
        ["along x", "along y", "along z"].get(self.axis).map(|&axis| axis.to_owned())
    }
}
