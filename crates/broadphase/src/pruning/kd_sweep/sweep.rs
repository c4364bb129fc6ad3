//! The pairs of one cell.
//!
//! The boxes are sorted on the axis on which they are spread furthest, in blocks of eight; each is
//! tested against the blocks that begin before it ends. If few of them moved, those few are tested
//! against all, without sorting.
//!
//! A pair whose boxes meet in several cells is reported in one: that with the lowest corner of what
//! they share (Dittrich and Seeger 2000, "Data Redundancy and Duplicate Detection in Spatial Join
//! Processing").

use carom_geometry::Aabb;

use super::cells::Cell;
use crate::bvh::block::{Block, WIDTH};
use crate::radix::ordered;
use crate::{Pair, Table};

/// Sorting is worth its time if more than one in so many entries moved.
const FEW: usize = 8;

/// Memory of a sweep, its results and counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep<const D: usize> {
    pub(super) found: Vec<Pair>,
    pub(super) box_tests: u64,
    pub(super) entries: u64,
    boxes: Vec<Aabb<D>>,
    /// Place on the axis above, index in the cell below.
    keys: Vec<u64>,
    blocks: Vec<Block<D>>,
    /// By block: where it begins on the axis.
    starts: Vec<f32>,
    /// In the order of the blocks.
    ids: Vec<u32>,
    moved: Vec<bool>,
}

/// Is the lowest corner of what two boxes share in a half-open cell?
#[inline]
fn meet_in<const D: usize>(a: &Aabb<D>, b: &Aabb<D>, cell: &Aabb<D>) -> bool {
    (0..D).all(|k| {
        let low = if a.min[k] > b.min[k] { a.min[k] } else { b.min[k] };
        low >= cell.min[k] && (low < cell.max[k] || cell.max[k] == f32::INFINITY)
    })
}

impl<const D: usize> Sweep<D> {
    /// Appends the pairs of a cell of which at least one moved.
    pub(super) fn run(&mut self, cell: &Cell<D>, table: &Table<D>, touched: &[bool]) {
        let count = cell.ids.len();
        self.entries += count as u64;
        self.boxes.clear();
        self.boxes.extend(cell.ids.iter().map(|&id| *table.aabb(id)));
        let moved = cell.ids.iter().filter(|&&id| touched[id as usize]).count();
        self.keys.clear();
        if moved * FEW > count {
            let axis = self.widest();
            self.keys
                .extend((0u64..).zip(&self.boxes).map(|(i, b)| u64::from(ordered(b.min[axis])) << 32 | i));
            self.keys.sort_unstable();
            self.fill(cell, touched);
            self.starts.clear();
            let firsts = self.keys.iter().step_by(WIDTH);
            self.starts.extend(firsts.map(|&key| self.boxes[key as u32 as usize].min[axis]));
            self.sweep(cell, table, axis);
        } else {
            self.keys.extend(0..count as u64);
            self.fill(cell, touched);
            self.test_moved(cell, table);
        }
    }

    /// The axis on which the boxes are spread furthest.
    fn widest(&self) -> usize {
        let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
        for aabb in &self.boxes {
            for k in 0..D {
                low[k] = if aabb.min[k] < low[k] { aabb.min[k] } else { low[k] };
                high[k] = if aabb.min[k] > high[k] { aabb.min[k] } else { high[k] };
            }
        }
        // NaN, where all are at infinity, is not further than anything.
        (1..D).fold(0, |best, k| if high[k] - low[k] > high[best] - low[best] { k } else { best })
    }

    /// Puts the boxes into blocks, in the order of the keys.
    fn fill(&mut self, cell: &Cell<D>, touched: &[bool]) {
        self.blocks.clear();
        self.ids.clear();
        self.moved.clear();
        for (place, &key) in self.keys.iter().enumerate() {
            let at = key as u32 as usize;
            if place % WIDTH == 0 {
                self.blocks.push(Block::EMPTY);
            }
            self.blocks[place / WIDTH].set(place % WIDTH, &self.boxes[at]);
            self.ids.push(cell.ids[at]);
            self.moved.push(touched[cell.ids[at] as usize]);
        }
    }

    fn sweep(&mut self, cell: &Cell<D>, table: &Table<D>, axis: usize) {
        for i in 0..self.keys.len() {
            if table.has_too_many_pairs() {
                return;
            }
            let own = self.boxes[self.keys[i] as u32 as usize];
            // Only later ones; every pair is met from its earlier end.
            let mut later = 0xfe << (i % WIDTH);
            for block in i / WIDTH..self.blocks.len() {
                if self.starts[block] > own.max[axis] {
                    break;
                }
                self.box_tests += WIDTH as u64;
                let mut hits = self.blocks[block].overlapping(&own) & later;
                later = 0xff;
                while hits != 0 {
                    let j = block * WIDTH + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if self.moved[i] || self.moved[j] {
                        self.report(i, j, cell, table);
                    }
                }
            }
        }
    }

    fn test_moved(&mut self, cell: &Cell<D>, table: &Table<D>) {
        for i in 0..self.keys.len() {
            if table.has_too_many_pairs() {
                return;
            }
            if !self.moved[i] {
                continue;
            }
            let own = self.boxes[i];
            self.box_tests += (self.blocks.len() * WIDTH) as u64;
            for block in 0..self.blocks.len() {
                let mut hits = self.blocks[block].overlapping(&own);
                while hits != 0 {
                    let j = block * WIDTH + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    // Of two that moved, the first reports.
                    if j > i || !self.moved[j] {
                        self.report(i, j, cell, table);
                    }
                }
            }
        }
    }

    #[inline]
    fn report(&mut self, i: usize, j: usize, cell: &Cell<D>, table: &Table<D>) {
        let [a, b] = [i, j].map(|at| &self.boxes[self.keys[at] as u32 as usize]);
        let (x, y) = (self.ids[i], self.ids[j]);
        if meet_in(a, b, &cell.bounds) && (table.admits_all() || table.admits(x, y)) {
            table.push_pair(&mut self.found, Pair::new(x, y));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<Pair>()
            + self.boxes.capacity() * size_of::<Aabb<D>>()
            + self.keys.capacity() * size_of::<u64>()
            + self.blocks.capacity() * size_of::<Block<D>>()
            + (self.starts.capacity() + self.ids.capacity()) * size_of::<u32>()
            + self.moved.capacity()
    }
}
