//! `aabb`: every pair of boxes tested, plainly and several per instruction.

use carom_core::threads::ThreadPool;

use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};
use crate::{Pair, Table};

use crate::columns::{Columns, note};

/// `aabb` in the plainest words: the oracle of all other methods.
#[derive(Clone, Debug, Default)]
pub struct AllBoxes {
    counters: Counters,
    ids: Vec<u32>,
}

impl<const D: usize> BroadPhase<D> for AllBoxes {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.ids.clear();
        self.ids.extend(table.ids());
        for (i, &a) in self.ids.iter().enumerate() {
            if table.has_too_many_pairs() {
                break;
            }
            for &b in &self.ids[i + 1..] {
                self.counters.box_tests += 1;
                if table.aabb(a).overlaps(table.aabb(b)) && table.admits(a, b) {
                    table.push_pair(&mut found.pairs, Pair { a, b });
                }
            }
        }
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>()
    }
}

/// `aabb` with eight boxes per instruction pair.
#[derive(Clone, Debug)]
pub(super) struct BoxLanes<const D: usize> {
    columns: Columns<D>,
    counters: Counters,
}

impl<const D: usize> Default for BoxLanes<D> {
    fn default() -> Self {
        Self { columns: Columns::default(), counters: Counters::default() }
    }
}

impl<const D: usize> BroadPhase<D> for BoxLanes<D> {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.columns.fill(table, table.ids(), std::array::from_fn(|k| k));
        let report = |a, b| note(table, &mut found.pairs, a, b);
        self.counters.box_tests += self.columns.meet_each_other(|| table.has_too_many_pairs(), report);
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.columns.bytes()
    }
}
