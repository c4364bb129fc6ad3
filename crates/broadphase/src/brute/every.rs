//! `none`: every pair goes on.
//!
//! All n(n − 1)/2 pairs are written, eight bytes each, up to the limit of the space: there is no
//! honest way to leave some out. Boxes that merely move change nothing, so such an update is free.

use carom_core::threads::ThreadPool;

use crate::Table;
use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Outcome};
use crate::columns::note;

/// `none`.
#[derive(Clone, Debug, Default)]
pub(super) struct Every {
    ids: Vec<u32>,
}

impl<const D: usize> BroadPhase<D> for Every {
    fn update(&mut self, table: &Table<D>, _: &mut ThreadPool, found: &mut Found) -> Outcome {
        if table.removed().is_empty() && !table.changed().iter().any(|&id| table.is_new(id)) {
            return Outcome::Unchanged;
        }
        self.ids.clear();
        self.ids.extend(table.ids());
        for (i, &a) in self.ids.iter().enumerate() {
            if table.has_too_many_pairs() {
                break;
            }
            for &b in &self.ids[i + 1..] {
                note(table, &mut found.pairs, a, b);
            }
        }
        Outcome::All
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>()
    }

    fn contract(&self) -> Contract {
        Contract::Everything
    }
}
