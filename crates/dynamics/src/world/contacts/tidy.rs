//! Contacts in the order in which they are visited.
//!
//! Contacts begin in whatever slot is free, so in a world that has been moving for a while neighbours in the list of pairs lie anywhere in
//! memory, and a step waits for memory more than it computes. When too many of them lie out of order, all are moved to the order of the
//! list. Nothing but time depends on which slot a contact has.

use super::Contacts;

/// Fewer contacts than this are in the cache anyway.
const FEWEST: usize = 1024;
/// A list is out of order if more than one in so many of its contacts lies before the one it follows.
const ONE_IN: usize = 4;
/// Changes of the list between two times of tidying at least: moving all contacts takes about as long as visiting them twice.
const PATIENCE: u32 = 64;

impl Contacts {
    /// Moves all contacts to the order of the list if they are far from it. To be called whenever the list has changed.
    pub(super) fn tidy_now_and_then(&mut self) {
        self.changes = self.changes.saturating_add(1);
        if self.changes < PATIENCE || self.slots.len() < FEWEST {
            return;
        }
        let mut last = 0;
        let mut falls = 0;
        for slot in self.slots() {
            falls += usize::from(slot < last);
            last = slot;
        }
        if falls * ONE_IN > self.slots.len() {
            self.tidy();
            self.changes = 0;
        }
    }

    /// Moves all contacts to the order of the list, and the free slots to the end.
    pub(super) fn tidy(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(self.slots());
        let used = order.len() as u32;
        order.extend(&self.free);
        for at in 0..order.len() {
            // What belongs here may have made room for an earlier one: then it is where that one was.
            let mut from = order[at] as usize;
            while from < at {
                from = order[from] as usize;
            }
            if from != at {
                self.swap(at, from);
            }
        }
        let named = self.slots.iter_mut().filter(|slot| Self::is_contact(**slot));
        named.zip(0..).for_each(|(slot, place)| *slot = place);
        self.free.clear();
        // The first one is taken first.
        self.free.extend((used..order.len() as u32).rev());
        self.order = order;
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.heads.swap(a, b);
        self.dozes.swap(a, b);
        self.manifolds.swap(a, b);
        self.impulses.swap(a, b);
        self.memories.swap(a, b);
        self.records.swap(a, b);
        self.composites.swap(a, b);
        self.told.swap(a, b);
    }
}
