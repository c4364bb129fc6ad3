//! Witnesses by pair of bodies, for engines that have no record per pair to keep them in.
//!
//! A table with open addresses and linear probing: 24 bytes per pair, no order that could reach a
//! result. A pair is found in either order. Witnesses that nobody asked for in a number of updates
//! are dropped, as are those of bodies that are removed: numbers of bodies are used again, and a
//! witness of another body, though harmless, is a bad start.

use carom_geometry::{Polytope, Pose, Real};

use crate::vclip::{VClip, VClipAnswer, Witness, facing};

/// What a cache has seen since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounters {
    /// Questions answered with a witness.
    pub hits: u64,
    /// Questions without a witness.
    pub misses: u64,
    /// Witnesses dropped because of their age.
    pub evicted: u64,
    /// Witnesses dropped with a body.
    pub removed: u64,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    witness: Witness,
    /// Update of the last use.
    used: u32,
}

/// No pair has this key: it would be a body with itself.
const FREE: u64 = u64::MAX;
const EMPTY: Slot = Slot { key: FREE, witness: START, used: 0 };
const START: Witness = Witness::VERTICES;

/// Witnesses of pairs of bodies that are named by numbers.
#[derive(Clone, Debug)]
pub struct WitnessCache {
    /// A power of two, or none yet.
    slots: Vec<Slot>,
    filled: usize,
    update: u32,
    swept: u32,
    keep: u32,
    enabled: bool,
    counters: CacheCounters,
}

impl Default for WitnessCache {
    /// Keeps a witness for a second of 60 updates.
    fn default() -> Self {
        Self::new(60)
    }
}

/// The pair in canonical order, and whether that is the other order.
fn key(a: u32, b: u32) -> (u64, bool) {
    (u64::from(a.min(b)) << 32 | u64::from(a.max(b)), a > b)
}

/// Fibonacci hashing (Knuth): the upper bits of a product.
fn home(key: u64, slots: usize) -> usize {
    let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & (slots - 1)
}

impl WitnessCache {
    /// Drops witnesses that were not used for `keep` updates, at the latest after twice as many.
    #[must_use]
    pub fn new(keep: u32) -> Self {
        let keep = keep.max(1);
        let counters = CacheCounters::default();
        Self { slots: Vec::new(), filled: 0, update: 0, swept: 0, keep, enabled: true, counters }
    }

    /// Turned off, it forgets everything and answers every question with nothing.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.clear();
        }
    }

    /// Is it on?
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Number of witnesses kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.filled
    }

    /// True without witnesses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.filled == 0
    }

    /// What it has seen.
    #[must_use]
    pub fn counters(&self) -> CacheCounters {
        self.counters
    }

    /// Forgets all witnesses; counters stay.
    pub fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.filled = 0;
    }

    /// The witness of a pair, for the polytopes in this order.
    pub fn get(&mut self, a: u32, b: u32) -> Option<Witness> {
        let (key, is_swapped) = key(a, b);
        if let Some(at) = self.find(key) {
            self.counters.hits += 1;
            let slot = &mut self.slots[at];
            slot.used = self.update;
            return Some(if is_swapped { slot.witness.swapped() } else { slot.witness });
        }
        self.counters.misses += 1;
        None
    }

    /// Keeps the witness of a pair, for the polytopes in this order.
    pub fn set(&mut self, a: u32, b: u32, witness: Witness) {
        let (key, is_swapped) = key(a, b);
        if !self.enabled || key == FREE {
            return;
        }
        // At most half full, so that probes stay short.
        if 2 * (self.filled + 1) > self.slots.len() {
            self.grow();
        }
        let at = self.probe(key);
        self.filled += usize::from(self.slots[at].key == FREE);
        let witness = if is_swapped { witness.swapped() } else { witness };
        self.slots[at] = Slot { key, witness, used: self.update };
    }

    /// Says that an update is over.
    pub fn advance(&mut self) {
        self.update = self.update.wrapping_add(1);
        if self.update.wrapping_sub(self.swept) >= self.keep {
            self.swept = self.update;
            let (update, keep) = (self.update, self.keep);
            self.counters.evicted += self.drop_if(|slot| update.wrapping_sub(slot.used) > keep);
        }
    }

    /// Forgets the pairs of a body.
    pub fn remove_body(&mut self, body: u32) {
        let has = |slot: &Slot| (slot.key >> 32) as u32 == body || slot.key as u32 == body;
        self.counters.removed += self.drop_if(has);
    }

    /// Asks V-Clip with the witness of the pair, or with a start of its own, and keeps where it
    /// ends.
    pub fn solve<S: Real>(
        &mut self,
        query: &VClip,
        [id_a, id_b]: [u32; 2],
        [a, b]: [&Polytope<S>; 2],
        pose: &Pose<S>,
    ) -> VClipAnswer<S> {
        let seed = self.get(id_a, id_b).unwrap_or_else(|| facing(a, b, pose));
        let answer = query.solve(a, b, pose, seed);
        self.set(id_a, id_b, answer.witness);
        answer
    }

    /// The slot of a pair, or the free one that it would get. There is a free one.
    fn probe(&self, key: u64) -> usize {
        let mut at = home(key, self.slots.len());
        while self.slots[at].key != key && self.slots[at].key != FREE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn find(&self, key: u64) -> Option<usize> {
        if self.filled == 0 || key == FREE {
            return None;
        }
        Some(self.probe(key)).filter(|&at| self.slots[at].key == key)
    }

    fn grow(&mut self) {
        let slots = vec![EMPTY; (self.slots.len() * 2).max(16)];
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.into_iter().filter(|slot| slot.key != FREE) {
            let at = self.probe(slot.key);
            self.slots[at] = slot;
        }
    }

    /// Drops slots and tells how many.
    fn drop_if(&mut self, is_dropped: impl Fn(&Slot) -> bool) -> u64 {
        let before = self.filled;
        for at in 0..self.slots.len() {
            while self.slots[at].key != FREE && is_dropped(&self.slots[at]) {
                self.free(at);
            }
        }
        (before - self.filled) as u64
    }

    /// Frees a slot and moves those behind it that were pushed on by it (Knuth, algorithm R).
    fn free(&mut self, mut hole: usize) {
        let mask = self.slots.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot.key == FREE {
                break;
            }
            // It may move into the hole if that is not before its home.
            let pushed = at.wrapping_sub(home(slot.key, self.slots.len())) & mask;
            if pushed >= at.wrapping_sub(hole) & mask {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole] = EMPTY;
        self.filled -= 1;
    }
}
