//! `dbvt`: a dynamic binary tree of fat boxes.
//!
//! A leaf holds a box grown by a margin. As long as the box stays inside, and the fat box is not
//! much larger than it, nothing at all happens: no change of the tree, no search. What left its fat
//! box is taken out, put in anew ([`BinaryTree`]), and searched for, in the order of a curve
//! through space, so that neighbours find the nodes in the cache. When more than a quarter left at
//! once, all are put into a tree eight wide ([`WideTree`]) and searched there, as `bvh` does; the
//! binary tree is built when next only few leave.
//!
//! The pairs are those of the fat boxes. A test of the boxes themselves would need a pass through
//! all pairs of moving boxes in each update, which is just what the margin saves; whoever wants
//! exact pairs sets the margin to 0.
//!
//! How large are fat boxes? Grown by m, a box that then moves to one side of its fat box is 2m away
//! from the other side. So a leaf is renewed if its fat box reaches further than 2m beyond the box
//! on any side (it may have shrunk), and the contract says 2m for the largest m there was.

use carom_core::threads::{ThreadPool, task_range};
use carom_geometry::Aabb;

use super::binary::BinaryTree;
use super::ledger::Ledger;
use super::order::Order;
use super::search::{Kind, Search};
use super::tree::WideTree;
use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Hierarchy, Outcome};
use crate::tasks::{MAX_TASKS, task_count};
use crate::{Pair, Table};

/// Default margin, as a share of the longest side: that of Box3D.
const SHARE: f32 = 0.125;
/// Largest default margin, metres: a walking pace (1.4 m/s) for four updates at 60 Hz.
const MOST: f32 = 0.1;
/// Boxes with a side from here on are not grown.
const HUGE: f32 = 1e6;
/// The tree is rebuilt when one in so many boxes left its leaf.
const REBUILD: usize = 4;

#[derive(Clone, Debug, Default)]
struct Part {
    found: Vec<Pair>,
    node_visits: u64,
    box_tests: u64,
}

/// The method `dbvt`.
#[derive(Clone, Debug)]
pub struct DynamicTree<const D: usize> {
    /// Growth given by the user.
    margin: Option<f32>,
    /// What the contract says: twice the largest growth so far.
    reach: f32,
    tree: BinaryTree<D>,
    /// Fat boxes by id.
    fat: Vec<Aabb<D>>,
    /// Left their leaves or are new.
    moved: Vec<u32>,
    order: Order,
    ids: Vec<u32>,
    wide: WideTree<D>,
    /// All boxes are in the wide tree, and the binary one is out of date.
    is_wide: bool,
    search: Search,
    parts: Vec<Part>,
    ledger: Ledger,
    counters: Counters,
}

/// Growth of a box on each side.
fn margin<const D: usize>(aabb: &Aabb<D>, given: Option<f32>) -> f32 {
    let longest = (0..D).fold(0.0, |most, k| {
        let side = aabb.max[k] - aabb.min[k];
        // A side of infinite length, or at infinity (NaN), is huge.
        if side <= most {
            most
        } else if side < HUGE {
            side
        } else {
            HUGE
        }
    });
    if longest >= HUGE {
        return 0.0;
    }
    given.unwrap_or(if longest * SHARE < MOST { longest * SHARE } else { MOST })
}

/// Is `fat` around the box and no further away from it than `reach` on any side? In `f64`, where
/// the differences of `f32` that are near `reach` do not round up to it.
fn fits<const D: usize>(fat: &Aabb<D>, aabb: &Aabb<D>, reach: f32) -> bool {
    let near = |low: f32, high: f32| {
        low == high || f64::from(high) - f64::from(low) <= f64::from(reach) * (1.0 - 1e-12)
    };
    fat.contains(aabb) && (0..D).all(|k| near(fat.min[k], aabb.min[k]) && near(aabb.max[k], fat.max[k]))
}

impl<const D: usize> DynamicTree<D> {
    /// Boxes are grown by `margin`, or by an eighth of their longest side up to 10 cm.
    #[must_use]
    pub fn new(margin: Option<f32>) -> Self {
        Self {
            margin,
            reach: 0.0,
            tree: BinaryTree::default(),
            fat: Vec::new(),
            moved: Vec::new(),
            order: Order::default(),
            ids: Vec::new(),
            wide: WideTree::default(),
            is_wide: false,
            search: Search::default(),
            parts: vec![Part::default(); MAX_TASKS],
            ledger: Ledger::default(),
            counters: Counters::default(),
        }
    }

    /// Fills the list of those that need new fat boxes, and gives them.
    fn find_moved(&mut self, table: &Table<D>) {
        self.moved.clear();
        for &id in table.changed() {
            let aabb = table.aabb(id);
            let margin = margin(aabb, self.margin);
            let fat = &mut self.fat[id as usize];
            if !table.is_new(id) && fits(fat, aabb, 2.0 * margin) {
                continue;
            }
            *fat = aabb.grown(margin);
            // Far from the origin a small growth may round to a large one, and near the largest
            // number to infinity.
            if !fits(fat, aabb, 2.0 * margin) {
                *fat = *aabb;
            } else if 2.0 * margin > self.reach {
                self.reach = 2.0 * margin;
            }
            self.moved.push(id);
        }
    }

    /// Many moved: everything anew.
    fn rebuild(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) {
        self.order.sort(&self.fat, table.ids());
        self.wide.build(&self.order, &self.fat, pool);
        self.ids.clear();
        self.ids.extend(self.order.ids());
        self.is_wide = true;
        for (slot, &id) in self.ids.iter().enumerate() {
            if self.ledger.touched()[id as usize] {
                self.wide.mark(slot);
            }
        }
        let kind = if self.moved.len() == table.len() { Kind::All } else { Kind::Marked };
        self.search.run(&self.wide, table, pool, kind, (&mut found.pairs, &mut self.counters));
    }

    /// Few moved: out with them and in again.
    fn reinsert(&mut self, table: &Table<D>) {
        if std::mem::take(&mut self.is_wide) {
            let touched = self.ledger.touched();
            self.ids.retain(|&id| !touched[id as usize]);
            self.tree.build(&mut self.ids, &self.fat);
        } else {
            for &id in table.removed() {
                self.tree.remove(id);
            }
            for &id in &self.moved {
                if self.tree.holds(id) {
                    self.tree.remove(id);
                }
            }
        }
        self.order.sort(&self.fat, self.moved.iter().copied());
        self.moved.clear();
        self.moved.extend(self.order.ids());
        for &id in &self.moved {
            self.tree.insert(id, &self.fat[id as usize]);
        }
    }

    /// Searches the tree for each box that moved.
    fn look_up(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) {
        let Self { tree, fat, moved, .. } = self;
        let touched = self.ledger.touched();
        let admits_all = table.admits_all();
        let count = task_count(moved.len());
        let parts = &mut self.parts[..count];
        pool.for_each(parts, |index, part| {
            for &id in &moved[task_range(moved.len(), index, count)] {
                if table.has_too_many_pairs() {
                    break;
                }
                let (nodes, leaves) = tree.overlapping(&fat[id as usize], |other| {
                    // Of two that moved, the smaller one reports.
                    let is_mine = if touched[other as usize] { id < other } else { true };
                    if is_mine && (admits_all || table.admits(id, other)) {
                        table.push_pair(&mut part.found, Pair::new(id, other));
                    }
                });
                part.node_visits += nodes;
                part.box_tests += leaves;
            }
        });
        for part in parts {
            found.pairs.append(&mut part.found);
            self.counters.node_visits += std::mem::take(&mut part.node_visits);
            self.counters.box_tests += std::mem::take(&mut part.box_tests);
        }
    }
}

impl<const D: usize> BroadPhase<D> for DynamicTree<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        if self.fat.len() < table.slots() {
            self.fat.resize(table.slots(), Aabb::EMPTY);
            self.tree.reserve(table.slots());
        }
        self.find_moved(table);
        if self.moved.is_empty() && table.removed().is_empty() {
            return Outcome::Unchanged;
        }
        self.ledger.touch(self.moved.iter().chain(table.removed()), table.slots());
        if self.moved.len() * REBUILD > table.len() {
            self.rebuild(table, pool, found);
        } else {
            self.reinsert(table);
            self.look_up(table, pool, found);
        }
        self.ledger.renew(self.moved.iter().chain(table.removed()), found, &mut self.counters)
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        let parts: usize = self.parts.iter().map(|part| part.found.capacity() * size_of::<Pair>()).sum();
        self.tree.bytes()
            + self.fat.capacity() * size_of::<Aabb<D>>()
            + (self.moved.capacity() + self.ids.capacity()) * size_of::<u32>()
            + self.order.bytes()
            + self.wide.bytes()
            + self.search.bytes()
            + parts
            + self.ledger.bytes()
    }

    fn contract(&self) -> Contract {
        if self.reach > 0.0 { Contract::Fattened { margin: self.reach } } else { Contract::Exact }
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        if self.is_wide { Some(&self.wide) } else { Some(&self.tree) }
    }
}
