//! `direct-sap` and `incremental-sap`: sweep and prune as in Moraga's thesis (2019), to measure
//! what it measured.
//!
//! Both sort the endpoints of each axis and get all pairs from the sorted axes (module
//! `extraction`). The direct one does so in every update; the incremental one keeps the axes and
//! does nothing more if all of them are still in order, which means that no pair can have changed.
//! How many updates that were is in its remark. The version that follows single changes of order is
//! module `persistent`.

use carom_core::threads::ThreadPool;

use super::endpoint::{SENTINEL, id, insertion_sort, is_upper, moved, push_ends, sink};
use super::extraction::Extractor;
use crate::Table;
use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};
use crate::options::{Extraction, Sort};
use crate::radix::ordered;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Pairs in every update.
    Always,
    /// Pairs when an order broke.
    OrderBroke,
}

/// `direct-sap`, and `incremental-sap` with `update=recompute`.
pub(super) struct Direct<const D: usize> {
    when: When,
    sort: Sort,
    /// Per axis a sentinel and all endpoints, in the order of the last update.
    axes: [Vec<u64>; D],
    extractor: Extractor<D>,
    /// By id, true if the box is gone; all false between updates.
    gone: Vec<bool>,
    counters: Counters,
    updates: u64,
    recomputed: u64,
}

impl<const D: usize> Direct<D> {
    pub(super) fn new(when: When, sort: Sort, pairs: Extraction) -> Self {
        Self {
            when,
            sort,
            axes: std::array::from_fn(|_| vec![SENTINEL]),
            extractor: Extractor::new(pairs),
            gone: Vec::new(),
            counters: Counters::default(),
            updates: 0,
            recomputed: 0,
        }
    }

    /// Drops ends of boxes that are gone, appends those of new ones and gives all their present
    /// values.
    fn follow(&mut self, table: &Table<D>) {
        self.gone.resize(table.slots(), false);
        table.removed().iter().for_each(|&id| self.gone[id as usize] = true);
        for (axis, endpoints) in self.axes.iter_mut().enumerate() {
            if !table.removed().is_empty() {
                let gone = &self.gone;
                // The sentinel looks like an end of box 0.
                endpoints.retain(|&endpoint| endpoint == SENTINEL || !gone[id(endpoint) as usize]);
            }
            for endpoint in &mut endpoints[1..] {
                let aabb = table.aabb(id(*endpoint));
                let value = if is_upper(*endpoint) { aabb.max[axis] } else { aabb.min[axis] };
                *endpoint = moved(*endpoint, ordered(value));
            }
            for &id in table.changed().iter().filter(|&&id| table.is_new(id)) {
                push_ends(endpoints, table.aabb(id), id, axis);
            }
        }
        table.removed().iter().for_each(|&id| self.gone[id as usize] = false);
    }

    fn sort_axis(&mut self, axis: usize, table: &Table<D>) {
        let endpoints = &mut self.axes[axis];
        match self.sort {
            Sort::Insertion => self.counters.swaps += insertion_sort(endpoints).exchanges,
            Sort::Full => {
                // From the order of the ids, as if there had been no update before.
                endpoints.truncate(1);
                table.ids().for_each(|id| push_ends(endpoints, table.aabb(id), id, axis));
                endpoints.sort_unstable();
            }
            Sort::Scratch => {
                endpoints.truncate(1);
                for id in table.ids() {
                    push_ends(endpoints, table.aabb(id), id, axis);
                    for at in [endpoints.len() - 2, endpoints.len() - 1] {
                        let moving = endpoints[at];
                        self.counters.swaps += sink(endpoints, at, moving, |_| ());
                    }
                }
            }
        }
    }
}

impl<const D: usize> BroadPhase<D> for Direct<D> {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.updates += 1;
        let is_same = table.removed().is_empty() && !table.changed().iter().any(|&id| table.is_new(id));
        self.follow(table);
        let mut broke = false;
        for axis in 0..D {
            if self.when == When::Always || !self.axes[axis].is_sorted() {
                broke = true;
                self.sort_axis(axis, table);
            }
        }
        if self.when == When::OrderBroke && is_same && !broke {
            return Outcome::Unchanged;
        }
        self.recomputed += 1;
        let axes = std::array::from_fn(|axis| &self.axes[axis][1..]);
        self.counters.box_tests += self.extractor.pairs(table, axes, &mut found.pairs);
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        let endpoints: usize = self.axes.iter().map(Vec::capacity).sum();
        endpoints * size_of::<u64>() + self.gone.capacity() + self.extractor.bytes()
    }

    fn remark(&self) -> Option<String> {
        let recomputed = (self.when == When::OrderBroke)
            .then(|| format!("{} of {} updates computed the pairs anew", self.recomputed, self.updates));
        let parts: Vec<String> = recomputed.into_iter().chain(self.extractor.remark()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
