//! `none`: every pair goes on.
//!
//! All n(n − 1)/2 pairs are written, eight bytes each, whatever n is: there is no honest way to
//! leave some out. Boxes that merely move change nothing, so such an update is free.

use carom_core::threads::ThreadPool;

use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Outcome};
use crate::{Pair, Table};

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
            let following = self.ids[i + 1..].iter().map(|&b| Pair { a, b });
            if table.admits_all() {
                found.pairs.extend(following);
            } else {
                found.pairs.extend(following.filter(|pair| table.admits(pair.a, pair.b)));
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
