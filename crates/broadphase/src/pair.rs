//! Pairs of bodies, and the set that holds them between steps.

/// Two bodies by index, the smaller first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Smaller index.
    pub a: u32,
    /// Larger index.
    pub b: u32,
}

impl Pair {
    /// The unordered pair of two different bodies.
    #[inline]
    #[must_use]
    pub fn new(x: u32, y: u32) -> Self {
        debug_assert_ne!(x, y, "a body makes no pair with itself");
        Self { a: x.min(y), b: x.max(y) }
    }

    fn key(self) -> u64 {
        (u64::from(self.a) << 32) | u64::from(self.b)
    }
}

/// A set of pairs with O(1) insertion and removal that keeps its members in one dense array.
///
/// The members stand in `dense`; `slots` is an open-addressing table of indices into it (linear
/// probing, deletion by shifting back). Order and layout depend only on the sequence of calls,
/// never on addresses or a random seed.
#[derive(Clone, Debug, Default)]
pub struct PairSet {
    dense: Vec<Pair>,
    /// Index into `dense` plus one; 0 is empty. The length is zero or a power of two, at most half
    /// full.
    slots: Vec<u32>,
}

impl PairSet {
    /// Members in their present order.
    #[must_use]
    pub fn as_slice(&self) -> &[Pair] {
        &self.dense
    }

    /// Removes all members, keeping the memory.
    pub fn clear(&mut self) {
        self.dense.clear();
        self.slots.fill(0);
    }

    /// Is the pair a member?
    #[must_use]
    pub fn contains(&self, pair: Pair) -> bool {
        !self.slots.is_empty() && self.slots[self.find(pair)] != 0
    }

    /// Adds a pair; false if it was there.
    pub fn insert(&mut self, pair: Pair) -> bool {
        if (self.dense.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.find(pair);
        if self.slots[slot] != 0 {
            return false;
        }
        self.dense.push(pair);
        self.slots[slot] = self.dense.len() as u32;
        true
    }

    /// Removes a pair; false if it was not there.
    pub fn remove(&mut self, pair: Pair) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let slot = self.find(pair);
        let Some(index) = self.slots[slot].checked_sub(1) else { return false };
        self.close_gap(slot);
        self.dense.swap_remove(index as usize);
        if let Some(&moved) = self.dense.get(index as usize) {
            // The last member now stands in the hole; its slot still names the old place.
            let old = self.dense.len() as u32 + 1;
            let slot = self.slot_holding(moved, old);
            self.slots[slot] = index + 1;
        }
        true
    }

    /// Removes the members that fail a test; returns how many.
    pub fn retain(&mut self, mut test: impl FnMut(Pair) -> bool) -> u64 {
        let before = self.dense.len();
        let mut at = 0;
        while let Some(&pair) = self.dense.get(at) {
            if test(pair) {
                at += 1;
            } else {
                self.remove(pair); // the last member takes its place and is looked at next
            }
        }
        (before - self.dense.len()) as u64
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.dense.capacity() * size_of::<Pair>() + self.slots.capacity() * size_of::<u32>()
    }

    fn home(&self, pair: Pair) -> usize {
        // Fibonacci hashing: the multiplier spreads neighbouring indices, the top bits are the best
        // mixed.
        let shift = 64 - self.slots.len().trailing_zeros();
        (pair.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
    }

    /// The slot that holds the pair, or the empty one where it belongs.
    fn find(&self, pair: Pair) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(pair) & mask;
        while let Some(index) = self.slots[slot].checked_sub(1) {
            if self.dense[index as usize] == pair {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn slot_holding(&self, pair: Pair, entry: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(pair) & mask;
        while self.slots[slot] != entry {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Empties a slot and moves later members of the same run back, so that no search stops early.
    fn close_gap(&mut self, mut gap: usize) {
        let mask = self.slots.len() - 1;
        let mut next = (gap + 1) & mask;
        while let Some(index) = self.slots[next].checked_sub(1) {
            let home = self.home(self.dense[index as usize]) & mask;
            // May this member stand in the gap? Only if its home is not between the gap and where
            // it stands.
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(gap) & mask) {
                self.slots[gap] = self.slots[next];
                gap = next;
            }
            next = (next + 1) & mask;
        }
        self.slots[gap] = 0;
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for index in 0..self.dense.len() {
            let slot = self.find(self.dense[index]);
            self.slots[slot] = index as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_a_tree_set(ops in prop::collection::vec((any::<bool>(), 0u32..12, 12u32..24), 0..600)) {
            let (mut fast, mut slow) = (PairSet::default(), BTreeSet::new());
            for (insert, x, y) in ops {
                let pair = Pair::new(y, x);
                if insert {
                    prop_assert_eq!(fast.insert(pair), slow.insert(pair));
                } else {
                    prop_assert_eq!(fast.remove(pair), slow.remove(&pair));
                }
                prop_assert_eq!(fast.contains(pair), slow.contains(&pair));
            }
            let mut members = fast.as_slice().to_vec();
            members.sort_unstable();
            prop_assert_eq!(members, slow.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn thousands_of_members_survive_growth_and_removal() {
        let mut set = PairSet::default();
        for i in 0..5_000 {
            assert!(set.insert(Pair::new(i, i + 1 + i % 7)));
        }
        for i in (0..5_000).step_by(2) {
            assert!(set.remove(Pair::new(i, i + 1 + i % 7)));
        }
        assert_eq!(set.as_slice().len(), 2_500);
        assert!((0..5_000).all(|i| set.contains(Pair::new(i, i + 1 + i % 7)) == (i % 2 == 1)));
        set.clear();
        assert!(!set.contains(Pair::new(1, 3)) && set.as_slice().is_empty());
    }
}
