//! The pairs of a space as a sorted list, and what changed in it.

use crate::broad_phase::Found;
use crate::{Pair, PairChanges, radix};

/// Below this many pairs a comparison sort is as fast as counting digits.
const FEW: usize = 512;

/// Sorted pairs of this update and the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairList {
    now: Vec<Pair>,
    before: Vec<Pair>,
    begun: Vec<Pair>,
    ended: Vec<Pair>,
    /// Are `begun` and `ended` those of this update?
    compared: bool,
    scratch: Vec<Pair>,
}

impl PairList {
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.now
    }

    /// Nothing changed.
    pub(crate) fn keep(&mut self) {
        self.begun.clear();
        self.ended.clear();
        self.compared = true;
    }

    /// Takes over a complete list (and leaves another vector behind, to be cleared by the caller).
    /// Ids are below `bound`.
    pub(crate) fn replace(&mut self, pairs: &mut Vec<Pair>, bound: usize) {
        sort(pairs, &mut self.scratch, bound);
        self.replace_sorted(pairs);
    }

    /// Takes over a complete list that ascends.
    pub(crate) fn replace_sorted(&mut self, pairs: &mut Vec<Pair>) {
        debug_assert!(pairs.is_sorted_by(|a, b| a < b), "a method reported a pair twice");
        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.now, pairs);
        self.compared = false;
    }

    /// Takes over a difference.
    pub(crate) fn apply(&mut self, found: &mut Found, bound: usize) {
        std::mem::swap(&mut self.begun, &mut found.begun);
        std::mem::swap(&mut self.ended, &mut found.ended);
        self.compared = true;
        if self.begun.is_empty() && self.ended.is_empty() {
            return;
        }
        sort(&mut self.begun, &mut self.scratch, bound);
        sort(&mut self.ended, &mut self.scratch, bound);
        debug_assert!(self.begun.is_sorted_by(|a, b| a < b), "a method began a pair twice");
        debug_assert!(self.ended.is_sorted_by(|a, b| a < b), "a method ended a pair twice");
        std::mem::swap(&mut self.before, &mut self.now);
        merge(&self.before, &self.begun, &self.ended, &mut self.now);
    }

    pub(crate) fn changes(&mut self) -> PairChanges<'_> {
        if !self.compared {
            difference(&self.before, &self.now, &mut self.ended);
            difference(&self.now, &self.before, &mut self.begun);
            self.compared = true;
        }
        PairChanges { begun: &self.begun, ended: &self.ended }
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.now, &self.before, &self.begun, &self.ended, &self.scratch];
        lists.iter().map(|list| list.capacity() * size_of::<Pair>()).sum()
    }
}

/// Writes `old` − `ended` + `begun` to `out`; all ascending.
fn merge(old: &[Pair], begun: &[Pair], ended: &[Pair], out: &mut Vec<Pair>) {
    out.clear();
    let (mut begun, mut ended) = (begun.iter().copied().peekable(), ended.iter().copied().peekable());
    for &pair in old {
        while let Some(new) = begun.next_if(|&new| new < pair) {
            out.push(new);
        }
        if ended.next_if(|&gone| gone == pair).is_none() {
            out.push(pair);
        }
    }
    out.extend(begun);
    debug_assert!(ended.next().is_none(), "a method ended a pair that was not there");
    debug_assert!(out.is_sorted_by(|a, b| a < b), "a method began a pair that was there");
}

/// Writes what is in `a` and not in `b` to `out`; all ascending.
pub(crate) fn difference(a: &[Pair], b: &[Pair], out: &mut Vec<Pair>) {
    out.clear();
    let mut other = b.iter().peekable();
    for pair in a {
        while other.next_if(|&o| o < pair).is_some() {}
        if other.peek() != Some(&pair) {
            out.push(*pair);
        }
    }
}

/// Writes two ascending lists to `out` as one.
pub(crate) fn unite(a: &[Pair], b: &[Pair], out: &mut Vec<Pair>) {
    merge(a, b, &[], out);
}

/// Sorts pairs whose ids are below `bound`: by digits from the least, as many as the ids have, so
/// the time does not depend on how they are distributed.
pub(crate) fn sort(pairs: &mut Vec<Pair>, scratch: &mut Vec<Pair>, bound: usize) {
    // What a refinement leaves is in order already; a list that is not shows it within a few pairs.
    if pairs.is_sorted() {
        return;
    }
    if pairs.len() <= FEW {
        pairs.sort_unstable();
        return;
    }
    let bits = usize::BITS - bound.leading_zeros();
    radix::sort(pairs, scratch, bits, |pair| pair.b);
    radix::sort(pairs, scratch, bits, |pair| pair.a);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn pairs(below: u32, most: usize) -> impl Strategy<Value = BTreeSet<Pair>> {
        prop::collection::btree_set((0..below, 0..below), 0..most)
            .prop_map(|set| set.into_iter().filter(|(a, b)| a < b).map(|(a, b)| Pair { a, b }).collect())
    }

    proptest! {
        #[test]
        fn many_pairs_are_sorted_as_few_are(keys in prop::collection::vec((0u32..3000, 0u32..3000), 0..2000)) {
            let mut pairs: Vec<Pair> = keys.into_iter().map(|(a, b)| Pair { a, b }).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sort(&mut pairs, &mut Vec::new(), 3000);
            prop_assert_eq!(pairs, expected);
        }

        #[test]
        fn lists_and_differences_tell_the_same(sets in prop::collection::vec(pairs(24, 300), 1..6)) {
            let (mut by_list, mut by_difference) = (PairList::default(), PairList::default());
            let mut old = BTreeSet::new();
            for set in sets {
                let begun: Vec<Pair> = set.difference(&old).copied().collect();
                let ended: Vec<Pair> = old.difference(&set).copied().collect();
                // Any order will do.
                let mut found = Found {
                    pairs: Vec::new(),
                    begun: begun.iter().rev().copied().collect(),
                    ended: ended.iter().rev().copied().collect(),
                };
                by_list.replace(&mut set.iter().rev().copied().collect(), 24);
                by_difference.apply(&mut found, 24);
                for list in [&mut by_list, &mut by_difference] {
                    prop_assert_eq!(list.pairs(), set.iter().copied().collect::<Vec<_>>());
                    prop_assert_eq!(list.changes(), PairChanges { begun: &begun, ended: &ended });
                }
                old = set;
            }
        }
    }
}
