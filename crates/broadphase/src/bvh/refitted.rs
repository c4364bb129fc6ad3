//! `bvh-refit`: the tree is kept, its bounds follow the boxes.
//!
//! A box keeps its slot. What moved is marked up to the root, and bounds are made right where there
//! are marks. Boxes that moved are looked up in the tree one by one (on 256 000 boxes with 1 %
//! moving a third of the time of a search of the tree against itself); if they are a third or more,
//! the tree is searched against itself where there are marks on at least one side. Pairs of boxes
//! at rest are kept. New boxes are appended behind the others, in blocks of their own, where they
//! are as good as a list that is searched wholly; removed ones leave holes.
//!
//! The order is renewed when appended boxes and holes are more than a sixteenth (and 64) of the
//! slots, or when the areas of all blocks have grown by more than [`DECAY`] since: then searching
//! wastes more than sorting costs.
//!
//! Refitting instead of rebuilding: van den Bergen 1997, "Efficient Collision Detection of Complex
//! Deformable Models using AABB Trees". Searching only where something moved is how Rapier's broad
//! phase works.

use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use super::block::{WIDTH, area};
use super::ledger::Ledger;
use super::order::Order;
use super::search::{Kind, Search};
use super::tree::WideTree;
use crate::Table;
use crate::broad_phase::{BroadPhase, Counters, Found, Hierarchy, Outcome};

/// Growth of the sum of areas at which the order is renewed: searching costs more than sorting soon
/// (gases of 1000 to 10 000 bodies take 7 % longer in the broad phase with 1.3).
const DECAY: f64 = 1.1;
/// If at least one in so many moved, the tree is searched against itself.
const MANY: usize = 3;
/// One in so many blocks is looked at to see whether following is worth while.
const SAMPLE: usize = 16;
/// One in so many slots may be a hole or appended.
const LOOSE_SHARE: usize = 16;
/// So many always may.
const LOOSE: usize = 64;

/// The method `bvh-refit`.
#[derive(Clone, Debug, Default)]
pub struct RefittedTree<const D: usize> {
    order: Order,
    tree: WideTree<D>,
    search: Search,
    ledger: Ledger,
    /// Slot by id; meaningless for ids not in the tree.
    slots: Vec<u32>,
    /// Slots that are holes or were appended since the order was renewed.
    loose: usize,
    /// Area when the order was renewed.
    area: f64,
    /// Sides of boxes count up to here in areas: one box without end must not hide the decay of all
    /// others.
    longest: f32,
    counters: Counters,
}

impl<const D: usize> RefittedTree<D> {
    /// Did so much move so far that the order is certainly not worth it? Looks at some blocks,
    /// before any is brought up to date.
    fn is_hopeless(&self, table: &Table<D>) -> bool {
        if table.changed().len() * 2 < table.len() {
            return false;
        }
        let [leaves, parents, ..] = self.tree.levels() else { return false };
        let (mut before, mut now) = (0.0, 0.0);
        for block in (0..leaves.blocks.len()).step_by(SAMPLE) {
            let slots = (block * WIDTH) as u32..((block + 1) * WIDTH) as u32;
            let ids = slots.map(|slot| self.tree.id(slot)).filter(|&id| table.is_alive(id));
            let bounds = ids.fold(Aabb::EMPTY, |all, id| all.union(table.aabb(id)));
            if bounds.is_valid() {
                before += f64::from(area(&parents.blocks[block / WIDTH].get(block % WIDTH), self.longest));
                now += f64::from(area(&bounds, self.longest));
            }
        }
        now > DECAY * before
    }

    /// Brings boxes of the tree to where they are now; returns false if the order is no longer
    /// worth it.
    fn follow(&mut self, table: &Table<D>) -> bool {
        let new = table.changed().iter().filter(|&&id| table.is_new(id)).count();
        let loose = self.loose + table.removed().len() + new;
        if loose > LOOSE.max(self.tree.slots() / LOOSE_SHARE) {
            return false;
        }
        self.loose = loose;
        for &id in table.removed() {
            self.tree.clear(self.slots[id as usize] as usize);
        }
        for &id in table.changed() {
            if table.is_new(id) {
                self.slots[id as usize] = self.tree.push(id, table.aabb(id)) as u32;
            } else {
                self.tree.set(self.slots[id as usize] as usize, table.aabb(id));
            }
        }
        self.tree.grow();
        true
    }

    fn rebuild(&mut self, table: &Table<D>, pool: &mut ThreadPool) {
        self.order.sort(table.boxes(), table.ids());
        self.tree.build(&self.order, table.boxes(), pool);
        for (slot, id) in self.order.ids().enumerate() {
            self.slots[id as usize] = slot as u32;
        }
        self.loose = 0;
        // Four times the half extent: twice the world, and never infinite when squared.
        self.longest = (4.0 * self.order.extent()).clamp(f32::MIN_POSITIVE, 1e12);
        self.area = self.tree.area(self.longest);
    }

    fn mark_changed(&mut self, table: &Table<D>) {
        for &id in table.changed() {
            self.tree.mark(self.slots[id as usize] as usize);
        }
    }
}

impl<const D: usize> BroadPhase<D> for RefittedTree<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        if self.slots.len() < table.slots() {
            self.slots.resize(table.slots(), u32::MAX);
        }
        self.ledger.touch(table.changed().iter().chain(table.removed()), table.slots());
        let moved = table.changed().len();
        let kind = if moved == table.len() {
            Kind::All
        } else if moved * MANY >= table.len() {
            Kind::Marked
        } else {
            Kind::OneByOne
        };
        // Holes keep their bounds until something near them moves: too large is not wrong.
        let kept = !self.is_hopeless(table) && self.follow(table);
        if kept {
            self.mark_changed(table);
            self.tree.refit();
        }
        if !kept || self.tree.area(self.longest) > DECAY * self.area {
            self.rebuild(table, pool);
            if kind != Kind::All {
                self.mark_changed(table);
            }
        }
        self.search.run(&self.tree, table, pool, kind, (&mut found.pairs, &mut self.counters));
        self.tree.clear_marks();
        self.ledger.renew(table.changed().iter().chain(table.removed()), found, &mut self.counters)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.order.bytes()
            + self.tree.bytes()
            + self.search.bytes()
            + self.ledger.bytes()
            + self.slots.capacity() * size_of::<u32>()
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        Some(&self.tree)
    }
}
