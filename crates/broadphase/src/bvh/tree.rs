//! A tree of boxes without pointers.
//!
//! Boxes stand in slots along a curve ([`Order`]); eight neighbouring slots are a block
//! ([`Block`]), the bounds of eight neighbouring blocks are a block of the next level, and so on up
//! to one block. So the children of block i are the blocks 8i to 8i + 7 of the level below,
//! everything is found by arithmetic, and one box is tested against eight children at once. Packing
//! along a curve is an old idea of R-trees (Roussopoulos and Leifker 1985; Kamel and Faloutsos
//! 1993, with another curve).
//!
//! Invariants: every box lies inside the bounds of its blocks on all levels after
//! [`WideTree::build`] and [`WideTree::refit`]; every id stands in one slot; empty slots hold
//! [`NOBODY`] and NaN. At most 11 levels (8¹¹ > 2³¹).

use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use super::block::{Block, WIDTH};
use super::order::Order;
use crate::broad_phase::Hierarchy;

/// The id of an empty slot.
pub(crate) const NOBODY: u32 = u32::MAX;
/// Most levels of a tree.
pub(super) const LEVELS: usize = 11;
/// Work on blocks is cut into so many parts for threads.
const PARTS: usize = 16;

/// The blocks of one level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level<const D: usize> {
    pub(crate) blocks: Vec<Block<D>>,
    /// By block: one bit per place with a mark in or below it.
    pub(crate) marks: Vec<u8>,
}

impl<const D: usize> Level<D> {
    fn resize(&mut self, blocks: usize) {
        self.blocks.resize(blocks, Block::EMPTY);
        self.marks.resize(blocks, 0);
    }
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideTree<const D: usize> {
    /// By slot, filled up to whole blocks.
    ids: Vec<u32>,
    /// Slots in use, holes included.
    slots: usize,
    /// From the boxes up; those beyond `depth` only keep memory.
    levels: Vec<Level<D>>,
    depth: usize,
}

/// Calls `work` with the first index of a part and the part.
fn in_parts<T: Send>(pool: &mut ThreadPool, items: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
    pool.for_chunks(items, items.len().div_ceil(PARTS).max(1), work);
}

impl<const D: usize> WideTree<D> {
    /// Rebuilds the tree over the boxes of an order, without marks.
    pub(crate) fn build(&mut self, order: &Order, boxes: &[Aabb<D>], pool: &mut ThreadPool) {
        self.slots = order.len();
        self.ids.clear();
        self.ids.extend(order.ids());
        self.ids.resize(self.slots.next_multiple_of(WIDTH), NOBODY);
        self.depth = 0;
        let mut blocks = self.ids.len() / WIDTH;
        while blocks > 0 {
            if self.levels.len() == self.depth {
                self.levels.push(Level::default());
            }
            let (below, level) = self.levels.split_at_mut(self.depth);
            let level = &mut level[0];
            level.resize(blocks);
            level.marks.fill(0);
            match below.last() {
                None => in_parts(pool, &mut level.blocks, |first, part| {
                    for (i, block) in part.iter_mut().enumerate() {
                        let from = (first + i) * WIDTH;
                        let ids = order.slice(from..(from + WIDTH).min(order.len()));
                        *block = gathered(ids.map(|id| boxes[id as usize]));
                    }
                }),
                Some(below) => in_parts(pool, &mut level.blocks, |first, part| {
                    for (i, block) in part.iter_mut().enumerate() {
                        let from = (first + i) * WIDTH;
                        let children = &below.blocks[from..(from + WIDTH).min(below.blocks.len())];
                        *block = gathered(children.iter().map(Block::bounds));
                    }
                }),
            }
            self.depth += 1;
            blocks = if blocks == 1 { 0 } else { blocks.div_ceil(WIDTH) };
        }
    }

    /// Appends a box, to be marked once all are appended ([`Self::grow`]); returns its slot.
    pub(crate) fn push(&mut self, id: u32, aabb: &Aabb<D>) -> usize {
        let slot = self.slots;
        self.slots += 1;
        if slot == self.ids.len() {
            self.ids.resize(slot + WIDTH, NOBODY);
            if self.depth == 0 {
                self.add_level();
            }
            self.levels[0].resize(slot / WIDTH + 1);
        }
        self.ids[slot] = id;
        self.set(slot, aabb);
        slot
    }

    /// Gives appended blocks their parents. Bounds are right after the next [`Self::refit`] that
    /// sees them marked.
    pub(crate) fn grow(&mut self) {
        let mut level = 0;
        while level < self.depth && self.levels[level].blocks.len() > 1 {
            let parents = self.levels[level].blocks.len().div_ceil(WIDTH);
            if level + 1 == self.depth {
                self.add_level();
                // Not only what was appended has no parent yet.
                self.levels[level + 1].resize(parents);
                let (below, above) = self.levels.split_at_mut(level + 1);
                for (i, block) in below[level].blocks.iter().enumerate() {
                    above[0].blocks[i / WIDTH].set(i % WIDTH, &block.bounds());
                }
            } else {
                self.levels[level + 1].resize(parents);
            }
            level += 1;
        }
    }

    fn add_level(&mut self) {
        if self.levels.len() == self.depth {
            self.levels.push(Level::default());
        }
        self.levels[self.depth].resize(0);
        self.depth += 1;
    }

    /// Moves the box of a slot; bounds above it are right after marking and refitting.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, aabb: &Aabb<D>) {
        self.levels[0].blocks[slot / WIDTH].set(slot % WIDTH, aabb);
    }

    /// Empties a slot.
    pub(crate) fn clear(&mut self, slot: usize) {
        self.levels[0].blocks[slot / WIDTH].clear(slot % WIDTH);
        self.ids[slot] = NOBODY;
    }

    /// Marks a slot and all above it.
    #[inline]
    pub(crate) fn mark(&mut self, slot: usize) {
        let mut at = slot;
        for level in &mut self.levels[..self.depth] {
            let marks = &mut level.marks[at / WIDTH];
            let was = std::mem::replace(marks, *marks | 1 << (at % WIDTH));
            if was != 0 {
                // Another place of the block has marked all above.
                return;
            }
            at /= WIDTH;
        }
    }

    /// Removes all marks.
    pub(crate) fn clear_marks(&mut self) {
        for level in &mut self.levels[..self.depth] {
            level.marks.fill(0);
        }
    }

    /// Makes the bounds above marked slots right.
    pub(crate) fn refit(&mut self) {
        for level in 1..self.depth {
            let (below, above) = self.levels.split_at_mut(level);
            let (below, above) = (&below[level - 1], &mut above[0]);
            for (i, _) in below.marks.iter().enumerate().filter(|(_, marks)| **marks != 0) {
                above.blocks[i / WIDTH].set(i % WIDTH, &below.blocks[i].bounds());
            }
        }
    }

    /// Sum of the areas of all blocks but the root, sides counted up to `longest`.
    pub(crate) fn area(&self, longest: f32) -> f64 {
        let blocks = self.levels[..self.depth].iter().skip(1).flat_map(|level| &level.blocks);
        blocks.map(|block| f64::from(block.area(longest))).sum()
    }

    /// Slots in use, holes included.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    #[inline]
    pub(crate) fn id(&self, slot: u32) -> u32 {
        self.ids[slot as usize]
    }

    /// Visits the slots whose boxes overlap; returns the number of blocks looked at and of boxes
    /// tested.
    #[inline]
    pub(crate) fn overlapping(&self, aabb: &Aabb<D>, mut visit: impl FnMut(usize)) -> (u64, u64) {
        let mut stack = [(0, 0); LEVELS * WIDTH];
        let (mut height, mut visits, mut tests) = (0, 0, 0);
        if self.depth > 0 {
            stack[0] = (self.depth - 1, 0);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            visits += 1;
            let (level, block) = stack[height];
            let mut hits = self.levels[level].blocks[block].overlapping(aabb);
            tests += if level == 0 { WIDTH as u64 } else { 0 };
            while hits != 0 {
                let child = block * WIDTH + hits.trailing_zeros() as usize;
                hits &= hits - 1;
                if level == 0 {
                    visit(child);
                } else {
                    stack[height] = (level - 1, child);
                    height += 1;
                }
            }
        }
        (visits, tests)
    }

    /// The levels from the boxes up.
    pub(crate) fn levels(&self) -> &[Level<D>] {
        &self.levels[..self.depth]
    }

    pub(crate) fn bytes(&self) -> usize {
        let blocks: usize = self
            .levels
            .iter()
            .map(|l| l.blocks.capacity() * size_of::<Block<D>>() + l.marks.capacity())
            .sum();
        self.ids.capacity() * size_of::<u32>() + blocks
    }
}

/// A block of up to eight boxes.
#[inline]
fn gathered<const D: usize>(boxes: impl Iterator<Item = Aabb<D>>) -> Block<D> {
    let mut block = Block::EMPTY;
    for (place, aabb) in boxes.enumerate() {
        block.set(place, &aabb);
    }
    block
}

impl<const D: usize> Hierarchy<D> for WideTree<D> {
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        // Each level leaves at most seven siblings behind.
        let mut stack = [(0, 0); LEVELS * WIDTH];
        let mut height = 0;
        if self.depth > 0 {
            stack[0] = (self.depth - 1, 0);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (level, block) = stack[height];
            if level == 0 {
                let ids = &self.ids[block * WIDTH..(block + 1) * WIDTH];
                ids.iter().filter(|id| **id != NOBODY).for_each(|&id| visit(id));
                continue;
            }
            for place in 0..WIDTH {
                let bounds = self.levels[level].blocks[block].get(place);
                // Not valid: an empty place, or a block whose boxes are all gone.
                if bounds.is_valid() && enter(&bounds) {
                    stack[height] = (level - 1, block * WIDTH + place);
                    height += 1;
                }
            }
        }
    }

    fn descend_near(&self, near: &mut dyn FnMut(&Aabb<D>) -> Option<f64>, visit: &mut dyn FnMut(u32) -> f64) {
        let mut limit = f64::INFINITY;
        // Each level leaves at most seven siblings behind.
        let mut stack = [(f64::NEG_INFINITY, 0, 0); LEVELS * WIDTH];
        let mut height = 0;
        if self.depth > 0 {
            stack[0] = (f64::NEG_INFINITY, self.depth - 1, 0);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (far, level, block) = stack[height];
            if far > limit {
                continue;
            }
            if level == 0 {
                for &id in self.ids[block * WIDTH..(block + 1) * WIDTH].iter().filter(|id| **id != NOBODY) {
                    limit = visit(id);
                }
                continue;
            }
            let bottom = height;
            for place in 0..WIDTH {
                let bounds = self.levels[level].blocks[block].get(place);
                // Not valid: an empty place, or a block whose boxes are all gone.
                if let Some(far) =
                    bounds.is_valid().then(|| near(&bounds)).flatten().filter(|far| *far <= limit)
                {
                    // The nearest on top.
                    let mut at = height;
                    while at > bottom && stack[at - 1].0 < far {
                        stack[at] = stack[at - 1];
                        at -= 1;
                    }
                    stack[at] = (far, level - 1, block * WIDTH + place);
                    height += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::any_box;
    use super::*;
    use proptest::prelude::*;

    /// Every box is in its slot and inside all above it.
    fn validate(tree: &WideTree<2>, slots: &[Option<(u32, Aabb<2>)>]) {
        assert_eq!(tree.slots(), slots.len());
        for (slot, expected) in slots.iter().enumerate() {
            let Some((id, aabb)) = expected else {
                assert_eq!(tree.id(slot as u32), NOBODY);
                continue;
            };
            assert_eq!(
                (tree.id(slot as u32), tree.levels()[0].blocks[slot / WIDTH].get(slot % WIDTH)),
                (*id, *aabb)
            );
            let mut at = slot / WIDTH;
            for level in &tree.levels()[1..] {
                assert!(level.blocks[at / WIDTH].get(at % WIDTH).contains(aabb), "slot {slot} sticks out");
                at /= WIDTH;
            }
            assert_eq!(at, 0);
        }
        let tops = tree.levels().last().map_or(0, |level| level.blocks.len());
        assert_eq!(tops, usize::from(!slots.is_empty()), "one root");
    }

    proptest! {
        #[test]
        fn boxes_stay_inside_their_blocks(
            first in prop::collection::vec(any_box(), 0..200),
            rounds in prop::collection::vec(
                (prop::collection::vec(any_box(), 0..80), prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any_box())), 0..20)),
                0..6,
            ),
        ) {
            let (mut tree, mut order) = (WideTree::default(), Order::default());
            order.sort(&first, 0..first.len() as u32);
            tree.build(&order, &first, &mut ThreadPool::default());
            let mut slots: Vec<Option<(u32, Aabb<2>)>> =
                order.ids().map(|id| Some((id, first[id as usize]))).collect();
            validate(&tree, &slots);
            for (appended, changed) in rounds {
                let mut marked = Vec::new();
                for (at, aabb) in if slots.is_empty() { &[][..] } else { &changed } {
                    let slot = at.index(slots.len());
                    match (slots[slot], aabb) {
                        (Some((id, _)), Some(aabb)) => {
                            tree.set(slot, aabb);
                            slots[slot] = Some((id, *aabb));
                            marked.push(slot);
                        }
                        (Some(_), None) => {
                            tree.clear(slot);
                            slots[slot] = None;
                        }
                        (None, _) => {}
                    }
                }
                for aabb in appended {
                    let id = slots.len() as u32;
                    marked.push(tree.push(id, &aabb));
                    slots.push(Some((id, aabb)));
                }
                tree.grow();
                marked.iter().for_each(|&slot| tree.mark(slot));
                tree.refit();
                tree.clear_marks();
                validate(&tree, &slots);
            }
        }
    }
}
