//! Pairs kept from update to update by methods that look only at what moved.
//!
//! Pairs of which neither box was touched stay as they are; those of touched boxes are compared
//! with what was found for them anew. One pass through all pairs and a sort of those found; no hash
//! table.

use crate::Pair;
use crate::broad_phase::{Counters, Found, Outcome};
use crate::pair_list;

/// The pairs as of the last update.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Ascending.
    pairs: Vec<Pair>,
    kept: Vec<Pair>,
    /// By id: moved, new or removed in this update.
    touched: Vec<bool>,
    scratch: Vec<Pair>,
}

impl Ledger {
    /// Notes boxes that are touched in this update; ids are below `slots`.
    pub(crate) fn touch<'a>(&mut self, ids: impl IntoIterator<Item = &'a u32>, slots: usize) {
        if self.touched.len() < slots {
            self.touched.resize(slots, false);
        }
        for &id in ids {
            self.touched[id as usize] = true;
        }
    }

    /// By id: is the box touched?
    pub(crate) fn touched(&self) -> &[bool] {
        &self.touched
    }

    /// Replaces the pairs of touched boxes by those in `found.pairs`, and leaves the difference in
    /// `found`. Then no box is touched any more: `ids` are those that were.
    pub(crate) fn renew<'a>(
        &mut self,
        ids: impl IntoIterator<Item = &'a u32>,
        found: &mut Found,
        counters: &mut Counters,
    ) -> Outcome {
        let new = &mut found.pairs;
        pair_list::sort(new, &mut self.scratch, self.touched.len());
        debug_assert!(new.is_sorted_by(|a, b| a < b), "a pair was found twice");
        // One pass through both sorted lists: old pairs stay, or are compared with the new ones.
        self.kept.clear();
        let mut news = new.iter().copied().peekable();
        for &pair in &self.pairs {
            while let Some(begun) = news.next_if(|&n| n < pair) {
                found.begun.push(begun);
                self.kept.push(begun);
            }
            let is_touched = self.touched[pair.a as usize] || self.touched[pair.b as usize];
            let stays = !is_touched || news.next_if_eq(&pair).is_some();
            if stays {
                self.kept.push(pair);
            } else {
                found.ended.push(pair);
            }
        }
        found.begun.extend(news.clone());
        self.kept.extend(news);
        std::mem::swap(&mut self.pairs, &mut self.kept);
        counters.pair_changes += (found.begun.len() + found.ended.len()) as u64;
        new.clear();
        for &id in ids {
            self.touched[id as usize] = false;
        }
        if found.begun.is_empty() && found.ended.is_empty() {
            Outcome::Unchanged
        } else {
            Outcome::Difference
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.pairs.capacity() + self.kept.capacity() + self.scratch.capacity()) * size_of::<Pair>()
            + self.touched.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    proptest! {
        #[test]
        fn differences_follow_the_pairs(rounds in prop::collection::vec((prop::collection::btree_set((0u32..12, 0u32..12), 0..40), any::<u16>()), 1..8)) {
            let (mut ledger, mut pairs) = (Ledger::default(), BTreeSet::new());
            for (candidates, touched) in rounds {
                let is_touched = |id: u32| touched >> id & 1 == 1;
                let touches = |p: &Pair| is_touched(p.a) || is_touched(p.b);
                let new: BTreeSet<Pair> =
                    candidates.iter().filter(|(a, b)| a < b).map(|&(a, b)| Pair { a, b }).filter(touches).collect();
                let mut expected: BTreeSet<Pair> = pairs.iter().copied().filter(|p| !touches(p)).collect();
                expected.extend(&new);
                let mut found = Found { pairs: new.iter().rev().copied().collect(), ..Found::default() };
                let ids: Vec<u32> = (0..12).filter(|&id| is_touched(id)).collect();
                ledger.touch(&ids, 12);
                let outcome = ledger.renew(&ids, &mut found, &mut Counters::default());
                prop_assert!(!ledger.touched().contains(&true));
                prop_assert_eq!(&found.begun, &expected.difference(&pairs).copied().collect::<Vec<_>>());
                prop_assert_eq!(&found.ended, &pairs.difference(&expected).copied().collect::<Vec<_>>());
                prop_assert_eq!(outcome == Outcome::Unchanged, expected == pairs);
                pairs = expected;
            }
        }
    }
}
