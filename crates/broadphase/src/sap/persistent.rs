//! `sap`: persistent sweep and prune on all axes (after Terdiman 2007 and Tracy, Buss, Woods 2009).
//!
//! Per axis all endpoints are kept in order from update to update. An overlap can begin only where
//! a lower end passes below an upper end on some axis, and an insertion sort from the old order
//! sees each such passage once; an overlap that ended is found by looking through the set of pairs,
//! which is no longer than what the next phase goes through anyway. So an update whose boxes move
//! little costs a walk along each axis, and tells the difference to the last one.
//!
//! * All new values come first, then one insertion sort per axis: only what really changed order is
//!   exchanged, and a box that jumps across others touches each of them once. Where nearly nothing
//!   moved, endpoints are searched and moved alone (module `axis`). The order has no ties (module
//!   `endpoint`), so pairs never depend on history.
//! * Boxes that come are sorted among themselves, merged into the axes, and found by one walk along
//!   one axis (batch insertion); boxes that go are dropped in passing.
//! * Where order is lost (many boxes come at once, or everything jumps), an insertion sort is
//!   quadratic. After as many exchanges as sorting and sweeping anew would cost, the update is made
//!   that way (module `segments`), and so are the next ones until a sample of boxes shows that they
//!   move little (module `pace`). The axes are not kept meanwhile.
//!
//! Counters: pair changes are counted in updates by difference only.

use carom_core::threads::ThreadPool;

use super::active::Active;
use super::axis::{Axis, GONE, MOVED, NEW};
use super::cells::Cells;
use super::endpoint::{id, is_upper};
use super::pace::Pace;
use super::segments::Segments;
use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};
use crate::pair::PairSet;
use crate::{Pair, Table};

/// Exchanges per box up to which following changes is cheaper than starting anew: the first ones
/// take some 13 ns because nobody can guess where they happen, and starting anew takes 65 ns per
/// box (1000 and 16 000 cubes in a ball).
const FEW: u64 = 3;
/// Exchanges per box after which the next update starts again.
const MANY: u64 = 6;
/// Exchanges per box after which an update is given up and starts anew: many in a row take 3 ns
/// each.
const TOO_MANY: u64 = 24;

/// So many boxes to one that moved, and endpoints are searched instead of walking along the axes: a
/// search takes some 150 ns, a step of the walk 3 ns.
const BOXES_PER_SEARCH: usize = 64;

/// When to start anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Whenever that is cheaper.
    Adaptive,
    /// Never: every change of order is followed, however many there are.
    Never,
}

/// `sap`, and `incremental-sap` with `update=delta`.
pub(super) struct Sap<const D: usize> {
    policy: Policy,
    /// Are the axes and the set those of the last update?
    is_kept: bool,
    axes: [Axis; D],
    set: PairSet,
    /// By id, what happened to the box; all 0 between updates.
    marks: Vec<u8>,
    newcomers: Vec<u32>,
    scratch: [Vec<u64>; 2],
    open: Active,
    open_newcomers: Active,
    segments: Segments<D>,
    pace: Pace<D>,
    numbers: Vec<f32>,
    counters: Counters,
    updates: u64,
    sweeps: u64,
}

impl<const D: usize> Sap<D> {
    pub(super) fn new(policy: Policy) -> Self {
        Self {
            policy,
            is_kept: policy == Policy::Never,
            axes: std::array::from_fn(Axis::new),
            set: PairSet::default(),
            marks: Vec::new(),
            newcomers: Vec::new(),
            scratch: [Vec::new(), Vec::new()],
            open: Active::default(),
            open_newcomers: Active::default(),
            segments: Segments::default(),
            pace: Pace::default(),
            numbers: Vec::new(),
            counters: Counters::default(),
            updates: 0,
            sweeps: 0,
        }
    }

    /// Exchanges after which an update is given up.
    fn budget(&self, boxes: usize) -> u64 {
        match self.policy {
            Policy::Adaptive => boxes as u64 * TOO_MANY,
            Policy::Never => u64::MAX,
        }
    }

    /// All pairs by sweeps. If boxes have moved little since the last time, the axes are put in
    /// order again.
    fn start_anew(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        found.begun.clear();
        found.ended.clear();
        let swept = self.segments.pairs(table, pool, None, &mut found.pairs);
        self.sweeps += 1;
        self.counters.box_tests += swept.tests;
        self.counters.cells += swept.entries;
        let was_kept = std::mem::replace(&mut self.is_kept, false);
        let few = (table.len() as u64 * FEW) as f32;
        if !was_kept && self.pace.exchanges(table, &swept.cells) <= few {
            self.keep(table, &found.pairs);
        } else {
            self.pace.watch(table);
        }
        Outcome::All
    }

    /// Puts the axes in order and takes over the pairs: from now on changes are followed.
    fn keep(&mut self, table: &Table<D>, pairs: &[Pair]) {
        self.is_kept = true;
        for axis in &mut self.axes {
            axis.rebuild(table, &mut self.scratch);
        }
        self.set.clear();
        for &pair in pairs {
            self.set.insert(pair);
        }
    }

    /// Drops the pairs that ended.
    fn end_pairs(&mut self, table: &Table<D>, ended: &mut Vec<Pair>) {
        let marks = &self.marks;
        let mut tests = 0;
        self.set.retain(|pair| {
            let mark = marks[pair.a as usize] | marks[pair.b as usize];
            if mark == 0 {
                return true;
            }
            // An id that was given away again, or whose filter changed, may go on with the same
            // pair.
            let may_pair = mark & GONE == 0
                || table.is_alive(pair.a) && table.is_alive(pair.b) && table.admits(pair.a, pair.b);
            tests += 1;
            let stays = may_pair && table.aabb(pair.a).overlaps(table.aabb(pair.b));
            if !stays {
                ended.push(pair);
            }
            stays
        });
        self.counters.box_tests += tests;
    }

    /// Puts the axes in order and begins the pairs that this shows. False if that took too many
    /// exchanges.
    fn sort_axes(&mut self, table: &Table<D>, begun: &mut Vec<Pair>) -> bool {
        let budget = self.budget(table.len());
        let is_quiet = table.removed().is_empty()
            && self.newcomers.is_empty()
            && table.changed().len() * BOXES_PER_SEARCH < table.len();
        let (set, all_pair) = (&mut self.set, table.admits_all());
        let (mut exchanges, mut tests, mut is_done) = (0, 0, true);
        for axis in &mut self.axes {
            let begin = |a: u32, b: u32| {
                tests += 1;
                if table.aabb(a).overlaps(table.aabb(b))
                    && (all_pair || table.admits(a, b))
                    && !table.has_too_many_pairs()
                    && set.insert(Pair::new(a, b))
                {
                    table.push_pair(begun, Pair::new(a, b));
                }
            };
            let followed = if is_quiet {
                axis.follow_few(table, budget - exchanges, begin)
            } else {
                axis.follow_all(table, &self.marks, budget - exchanges, begin)
            };
            exchanges += followed.exchanges;
            is_done = followed.is_done;
            if !is_done {
                break;
            }
        }
        self.counters.swaps += exchanges;
        self.counters.box_tests += tests;
        if is_done && self.policy == Policy::Adaptive && exchanges > table.len() as u64 * MANY {
            self.is_kept = false;
            self.pace.watch(table);
        }
        is_done
    }

    /// Finds the pairs of newcomers by a walk along one axis.
    fn begin_pairs_of_newcomers(&mut self, table: &Table<D>, begun: &mut Vec<Pair>) {
        let axis = Cells::fit(table, &self.newcomers, None, &mut self.numbers).axes[0];
        let (set, all_pair) = (&mut self.set, table.admits_all());
        let mut tests = 0;
        let mut meet = |a: u32, b: u32| {
            tests += 1;
            if table.aabb(a).overlaps(table.aabb(b))
                && (all_pair || table.admits(a, b))
                && !table.has_too_many_pairs()
                && set.insert(Pair::new(a, b))
            {
                table.push_pair(begun, Pair::new(a, b));
            }
        };
        let (open, open_newcomers) = (&mut self.open, &mut self.open_newcomers);
        open.reset(table.slots());
        open_newcomers.reset(table.slots());
        for &endpoint in self.axes[axis].endpoints() {
            if table.has_too_many_pairs() {
                break;
            }
            let id = id(endpoint);
            let is_new = self.marks[id as usize] & NEW != 0;
            let list = if is_new { &mut *open_newcomers } else { &mut *open };
            if is_upper(endpoint) {
                list.close(id);
                continue;
            }
            list.open(id);
            if is_new {
                open.ids().iter().for_each(|&other| meet(id, other));
            }
            for &other in open_newcomers.ids() {
                if other != id {
                    meet(id, other);
                }
            }
        }
        self.counters.box_tests += tests;
    }

    /// Follows the changes one by one. False if there are too many.
    fn follow(&mut self, table: &Table<D>, found: &mut Found) -> bool {
        self.end_pairs(table, &mut found.ended);
        if !self.sort_axes(table, &mut found.begun) {
            return false;
        }
        if !self.newcomers.is_empty() {
            for axis in &mut self.axes {
                axis.merge(table, &self.newcomers, &mut self.scratch);
            }
            for &id in &self.newcomers {
                self.marks[id as usize] = NEW;
            }
            self.begin_pairs_of_newcomers(table, &mut found.begun);
        }
        true
    }

    fn mark_changes(&mut self, table: &Table<D>) {
        self.marks.resize(table.slots(), 0);
        for &id in table.removed() {
            self.marks[id as usize] = GONE;
        }
        self.newcomers.clear();
        for &id in table.changed() {
            if table.is_new(id) {
                self.newcomers.push(id);
            } else {
                self.marks[id as usize] = MOVED;
            }
        }
    }

    fn forget_marks(&mut self, table: &Table<D>) {
        for &id in table.removed().iter().chain(table.changed()) {
            self.marks[id as usize] = 0;
        }
    }
}

impl<const D: usize> BroadPhase<D> for Sap<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.updates += 1;
        self.mark_changes(table);
        let too_many = self.policy == Policy::Adaptive && self.newcomers.len() * 4 > table.len();
        let followed = self.is_kept && !too_many && self.follow(table, found);
        self.forget_marks(table);
        if !followed {
            return self.start_anew(table, pool, found);
        }
        self.counters.pair_changes += (found.begun.len() + found.ended.len()) as u64;
        Outcome::Difference
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.axes.iter().map(Axis::bytes).sum::<usize>()
            + self.scratch.iter().map(Vec::capacity).sum::<usize>() * size_of::<u64>()
            + self.set.bytes()
            + self.marks.capacity()
            + self.newcomers.capacity() * size_of::<u32>()
            + self.open.bytes()
            + self.open_newcomers.bytes()
            + self.numbers.capacity() * size_of::<f32>()
            + self.segments.bytes()
            + self.pace.bytes()
    }

    fn remark(&self) -> Option<String> {
        (self.policy == Policy::Adaptive)
            .then(|| format!("{} of {} updates sorted and swept anew", self.sweeps, self.updates))
    }
}
