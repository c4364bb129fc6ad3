//! `bucket-pruning`: buckets plus wide SIMD, and what rests is kept.
//!
//! Terdiman's box pruning sorts one axis and tests several boxes per instruction; his last version
//! divides the plane of the other two axes into four buckets and left open what buckets and wide
//! registers do together. Here boxes are divided into as many columns as their density asks for,
//! and each is sorted and swept, eight boxes at a time ([`super::divide`]): a dozen tests per box
//! whatever the number of boxes, memory walked in straight lines.
//!
//! Boxes are *active* (they moved lately) or *still*. Active ones are dealt anew in each update;
//! still ones stay in a tree of buckets ([`super::still`]) and their mutual pairs in a list. An
//! update costs what its active boxes cost. When those that rest among the active have cost as much
//! as putting them away would have, they are put away (rent or buy: at most twice the cost of
//! knowing the future).

use carom_core::threads::ThreadPool;

use super::divide::Work;
use super::entry::Entry;
use super::search::Search;
use super::still::Still;
use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};
use crate::pair_list::{difference, unite};
use crate::{Pair, Table};

/// Where a box is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tier {
    #[default]
    Absent,
    /// Among the active, and did not move in this update.
    Resting,
    /// Among the active, and moved in this update.
    Moving,
    Still,
}

/// The method.
#[derive(Clone, Debug)]
pub(super) struct BucketPruning<const D: usize> {
    tiers: Vec<Tier>,
    active: Vec<u32>,
    search: Search<D>,
    /// Pairs with at least one active box, ascending.
    active_pairs: Vec<Pair>,
    still: Still<D>,
    /// Boxes that are still, and entries made for such boxes (some have left since).
    still_now: usize,
    still_built: usize,
    /// Pairs of two still boxes, ascending.
    still_pairs: Vec<Pair>,
    /// Resting boxes that were dealt with although nothing happened to them, summed over updates.
    rent: usize,
    former: Vec<Pair>,
    lost: Vec<Pair>,
    work: Work,
}

impl<const D: usize> Default for BucketPruning<D> {
    fn default() -> Self {
        Self {
            tiers: Vec::new(),
            active: Vec::new(),
            search: Search::default(),
            active_pairs: Vec::new(),
            still: Still::default(),
            still_now: 0,
            still_built: 0,
            still_pairs: Vec::new(),
            rent: 0,
            former: Vec::new(),
            lost: Vec::new(),
            work: Work::default(),
        }
    }
}

impl<const D: usize> BroadPhase<D> for BucketPruning<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        let familiar = self.is_familiar(table);
        let left = !familiar && self.follow(table);
        let had_still = !self.still.is_empty();
        self.former.clear();
        if had_still && self.still_now * 4 < self.active.len() {
            self.dissolve();
        } else if self.is_time_to_settle(table.changed().len()) {
            self.settle(table);
        } else if left {
            self.drop_left();
        } else {
            std::mem::swap(&mut self.former, &mut self.active_pairs);
        }
        let tiers = &self.tiers;
        let is_still = |id: u32| tiers[id as usize] == Tier::Still;
        let work = self.search.run(table, &self.active, &self.still, is_still, pool, &mut self.active_pairs);
        self.work.tests += work.tests;
        self.work.cells += work.cells;
        if !familiar {
            for &id in table.changed() {
                self.tiers[id as usize] = Tier::Resting;
            }
        }
        if had_still || !self.still.is_empty() {
            difference(&self.active_pairs, &self.former, &mut found.begun);
            difference(&self.former, &self.active_pairs, &mut found.ended);
            Outcome::Difference
        } else {
            found.pairs.extend_from_slice(&self.active_pairs);
            Outcome::Sorted
        }
    }

    fn counters(&self) -> Counters {
        Counters { box_tests: self.work.tests, cells: self.work.cells, ..Counters::default() }
    }

    fn bytes(&self) -> usize {
        let pairs = [&self.active_pairs, &self.still_pairs, &self.former, &self.lost];
        self.tiers.capacity()
            + self.active.capacity() * 4
            + self.search.bytes()
            + self.still.bytes()
            + pairs.iter().map(|list| list.capacity() * size_of::<Pair>()).sum::<usize>()
    }

    fn remark(&self) -> Option<String> {
        Some(format!("{} active, {} still", self.active.len(), self.still_now))
    }
}

impl<const D: usize> BucketPruning<D> {
    /// True if all boxes are active already, and most of them moved: tiers need no looking at.
    fn is_familiar(&self, table: &Table<D>) -> bool {
        let all_active = self.still.is_empty() && table.removed().is_empty() && !table.has_new();
        all_active && 2 * table.changed().len() > self.active.len()
    }

    /// Gives everything that changed its tier; true if a box that was still has left.
    fn follow(&mut self, table: &Table<D>) -> bool {
        self.tiers.resize(table.slots(), Tier::Absent);
        let (mut left, mut lost_active) = (false, false);
        for &id in table.removed() {
            match std::mem::take(&mut self.tiers[id as usize]) {
                Tier::Still => {
                    self.still_now -= 1;
                    left = true;
                }
                _ => lost_active = true,
            }
        }
        if lost_active {
            self.active.retain(|&id| self.tiers[id as usize] != Tier::Absent);
        }
        for &id in table.changed() {
            match std::mem::replace(&mut self.tiers[id as usize], Tier::Moving) {
                Tier::Still => {
                    self.still_now -= 1;
                    left = true;
                    self.active.push(id);
                }
                Tier::Absent => self.active.push(id),
                Tier::Resting | Tier::Moving => {}
            }
        }
        left
    }

    /// Has being active cost those at rest as much as settling would?
    fn is_time_to_settle(&mut self, moved: usize) -> bool {
        let resting = self.active.len() - moved;
        let mostly_left = self.still_built > 2 * self.still_now + 64;
        if mostly_left {
            return true;
        }
        if resting * 2 < self.active.len() {
            return false;
        }
        self.rent += resting;
        self.rent >= self.still_now + resting
    }

    /// Makes everything active again.
    fn dissolve(&mut self) {
        for (id, tier) in self.tiers.iter_mut().enumerate() {
            if *tier == Tier::Still {
                *tier = Tier::Resting;
                self.active.push(id as u32);
            }
        }
        unite(&self.active_pairs, &self.still_pairs, &mut self.former);
        self.still_pairs.clear();
        self.still.clear();
        (self.still_now, self.still_built, self.rent) = (0, 0, 0);
    }

    /// Puts the resting boxes with the still ones, and rebuilds their tree. What they pair with
    /// each other is known.
    fn settle(&mut self, table: &Table<D>) {
        self.active.retain(|&id| self.tiers[id as usize] == Tier::Moving);
        let mut entries = Vec::new();
        for (id, tier) in self.tiers.iter_mut().enumerate() {
            if matches!(tier, Tier::Still | Tier::Resting) {
                *tier = Tier::Still;
                entries.push(Entry::of(table, id as u32));
            }
        }
        self.still.build(&entries);
        (self.still_now, self.still_built, self.rent) = (entries.len(), entries.len(), 0);
        let mut all = Vec::new();
        unite(&self.active_pairs, &self.still_pairs, &mut all);
        let rests = |pair: &Pair| self.both_still(pair);
        let (still, other): (Vec<Pair>, Vec<Pair>) = all.into_iter().partition(rests);
        (self.still_pairs, self.former) = (still, other);
        // What was active and is still now needs its memory no more.
        self.search = Search::default();
        self.active.shrink_to_fit();
    }

    /// Moves the pairs of boxes that are no longer still to those that are searched again.
    fn drop_left(&mut self) {
        let mut kept = std::mem::take(&mut self.still_pairs);
        self.lost.clear();
        let (mut lost, tiers) = (std::mem::take(&mut self.lost), &self.tiers);
        kept.retain(|pair| {
            let still = [pair.a, pair.b].iter().all(|&id| tiers[id as usize] == Tier::Still);
            if !still {
                lost.push(*pair);
            }
            still
        });
        unite(&self.active_pairs, &lost, &mut self.former);
        (self.still_pairs, self.lost) = (kept, lost);
    }

    fn both_still(&self, pair: &Pair) -> bool {
        [pair.a, pair.b].iter().all(|&id| self.tiers[id as usize] == Tier::Still)
    }
}
