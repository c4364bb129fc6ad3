//! Boxes of similar size, sorted by the cell of their lowest corner.
//!
//! A box stands in one cell only, its home. Boxes that overlap `A` have their home between the cell
//! of `A.min − reach` and the cell of `A.max`, where `reach` is the greatest width of a box here;
//! no box is stored or found twice, and there is nothing to deduplicate. Cells lie in rows along x,
//! so what to look at is one contiguous piece of memory per row.
//!
//! The number of a cell is `x + y · m₁ + z · m₂`, in a bounded grid with the sizes of the grid for
//! m, in an unbounded one with large odd numbers and modulo a power of two (a hash; rows stay
//! contiguous, and rows that fall on each other are told apart by their true coordinates when a box
//! overlaps). Sorting is by counting: two passes, dense arrays.
//!
//! Cell lists sorted by counting are common in particle simulation (Hockney and Eastwood, *Computer
//! Simulation Using Particles*, 1981); hashed cells follow Teschner et al., *Optimized spatial
//! hashing* (2003).

use std::ops::Range;

use carom_geometry::Aabb;

use super::frame::Frame;

/// In so small a level every box is looked at.
const FEW: usize = 12;
/// Multipliers of an unbounded grid; odd, their low bits without pattern.
const SPREAD: [u32; 2] = [0x9E37_79B1, 0x85EB_CA6B];

/// A box and its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub(super) aabb: Aabb<D>,
    pub(super) id: u32,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Level<const D: usize> {
    frame: Frame<D>,
    /// m₁ and m₂.
    strides: [u32; 2],
    /// `u32::MAX` in a bounded grid: its numbers do not wrap.
    mask: u32,
    /// Greatest width per axis, rounded up.
    reach: [f32; D],
    /// First entry of each cell, and one past the last of all.
    starts: Vec<u32>,
    entries: Vec<Entry<D>>,
    /// Number of the cell of each box, in the order given.
    keys: Vec<u32>,
}

impl<const D: usize> Default for Level<D> {
    fn default() -> Self {
        Self {
            frame: Frame::unbounded(1.0),
            strides: [0; 2],
            mask: 0,
            reach: [0.0; D],
            starts: Vec::new(),
            entries: Vec::new(),
            keys: Vec::new(),
        }
    }
}

impl<const D: usize> Level<D> {
    /// Sorts boxes into a grid with borders.
    pub(super) fn fill_bounded(&mut self, frame: Frame<D>, boxes: &[Aabb<D>], ids: &[u32]) {
        let count = |k: usize| if k < D { frame.cells(k) } else { 1 };
        self.strides = [count(0), count(0) * count(1)];
        self.mask = u32::MAX;
        self.fill(frame, (count(0) * count(1) * count(2)) as usize, boxes, ids);
    }

    /// Sorts boxes into a grid without borders: a table of 2^i buckets, at least two per box.
    pub(super) fn fill_unbounded(&mut self, frame: Frame<D>, boxes: &[Aabb<D>], ids: &[u32]) {
        let buckets = (2 * ids.len()).next_power_of_two().max(64);
        self.strides = SPREAD;
        self.mask = buckets as u32 - 1;
        self.fill(frame, buckets, boxes, ids);
    }

    fn fill(&mut self, frame: Frame<D>, cells: usize, boxes: &[Aabb<D>], ids: &[u32]) {
        self.frame = frame;
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        self.keys.clear();
        let mut reach = [0.0f32; D];
        for &id in ids {
            let aabb = &boxes[id as usize];
            for k in 0..D {
                reach[k] = reach[k].max(aabb.max[k] - aabb.min[k]);
            }
            let home = self.home(aabb);
            let key = self.bucket(home[0], home[1], home[2]);
            self.keys.push(key);
            self.starts[key as usize] += 1;
        }
        // Rounded up over the error of the difference: then min − reach, rounded, is not above any
        // min in question.
        self.reach = reach.map(|r| r + 4.0 * f32::EPSILON * r);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.clear();
        self.entries.resize(ids.len(), Entry { aabb: Aabb::EMPTY, id: 0 });
        // From the end, so that each start ends where its cell begins and boxes of a cell keep
        // their order.
        for (&id, &key) in ids.iter().zip(&self.keys).rev() {
            let start = &mut self.starts[key as usize];
            *start -= 1;
            self.entries[*start as usize] = Entry { aabb: boxes[id as usize], id };
        }
    }

    pub(super) fn entries(&self) -> &[Entry<D>] {
        &self.entries
    }

    pub(super) fn cell_size(&self) -> f32 {
        self.frame.size()
    }

    pub(super) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.keys.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry<D>>()
    }

    #[inline]
    fn home(&self, aabb: &Aabb<D>) -> [i32; 3] {
        std::array::from_fn(|k| if k < D { self.frame.cell(aabb.min[k], k) } else { 0 })
    }

    #[inline]
    fn bucket(&self, x: i32, y: i32, z: i32) -> u32 {
        let row =
            (y as u32).wrapping_mul(self.strides[0]).wrapping_add((z as u32).wrapping_mul(self.strides[1]));
        row.wrapping_add(x as u32) & self.mask
    }

    /// Lowest and highest cell of homes of boxes that may overlap a box.
    #[inline]
    fn range(&self, aabb: &Aabb<D>) -> ([i32; 3], [i32; 3]) {
        (
            std::array::from_fn(|k| if k < D { self.frame.cell(aabb.min[k] - self.reach[k], k) } else { 0 }),
            std::array::from_fn(|k| if k < D { self.frame.cell(aabb.max[k], k) } else { 0 }),
        )
    }

    /// Calls `visit` with each box that overlaps; returns the number of tests.
    #[inline]
    pub(super) fn overlapping(&self, aabb: &Aabb<D>, visit: &mut impl FnMut(u32)) -> u64 {
        let (low, high) = self.range(aabb);
        let span = |k: usize| u64::from(high[k].abs_diff(low[k])) + 1;
        if self.entries.len() <= FEW
            || span(1).saturating_mul(span(2)) > self.entries.len() as u64 / 4
            || span(0) + 1 >= self.starts.len() as u64
        {
            return scan(&self.entries, aabb, visit);
        }
        let mut tests = 0;
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                tests += self.scan_row(low[0], high[0], y, z, aabb, visit);
            }
        }
        tests
    }

    /// Calls `visit` with boxes that overlap entry `position`, such that over all positions each
    /// pair comes once: those in cells that come later in the order of z, y, x, and in its own cell
    /// those after it.
    #[inline]
    pub(super) fn overlapping_later(&self, position: usize, visit: &mut impl FnMut(u32)) -> u64 {
        let aabb = &self.entries[position].aabb;
        if self.entries.len() <= FEW {
            return scan(&self.entries[position + 1..], aabb, visit);
        }
        let home = self.home(aabb);
        let (low, high) = self.range(aabb);
        let own = self.bucket(home[0], home[1], home[2]);
        let (mut rest, wrapped) = self.pieces(own, high[0].abs_diff(home[0]));
        rest.start = position + 1;
        let mut tests = self.scan_piece(rest, home[1], home[2], aabb, visit);
        tests += self.scan_piece(wrapped, home[1], home[2], aabb, visit);
        for y in home[1] + 1..=high[1] {
            tests += self.scan_row(low[0], high[0], y, home[2], aabb, visit);
        }
        for z in home[2] + 1..=high[2] {
            for y in low[1]..=high[1] {
                tests += self.scan_row(low[0], high[0], y, z, aabb, visit);
            }
        }
        tests
    }

    #[inline]
    fn scan_row(
        &self,
        low: i32,
        high: i32,
        y: i32,
        z: i32,
        aabb: &Aabb<D>,
        visit: &mut impl FnMut(u32),
    ) -> u64 {
        let (piece, wrapped) = self.pieces(self.bucket(low, y, z), high.abs_diff(low));
        let tests = self.scan_piece(piece, y, z, aabb, visit);
        if wrapped.is_empty() { tests } else { tests + self.scan_piece(wrapped, y, z, aabb, visit) }
    }

    /// The entries of `more` + 1 cells from `first` on; the second piece is what lies beyond the
    /// end of the table.
    #[inline]
    fn pieces(&self, first: u32, more: u32) -> (Range<usize>, Range<usize>) {
        let buckets = self.starts.len() - 1;
        let (first, end) = (first as usize, first as usize + more as usize + 1);
        let begin = self.starts[first] as usize;
        if end <= buckets {
            (begin..self.starts[end] as usize, 0..0)
        } else {
            (begin..self.entries.len(), 0..self.starts[end - buckets] as usize)
        }
    }

    #[inline]
    fn scan_piece(
        &self,
        piece: Range<usize>,
        y: i32,
        z: i32,
        aabb: &Aabb<D>,
        visit: &mut impl FnMut(u32),
    ) -> u64 {
        let tests = piece.len() as u64;
        for entry in &self.entries[piece] {
            if entry.aabb.overlaps(aabb) && (self.is_bounded() || self.is_in_row(entry, y, z)) {
                visit(entry.id);
            }
        }
        tests
    }

    /// Does the box belong to the row, or has another row the same numbers?
    fn is_in_row(&self, entry: &Entry<D>, y: i32, z: i32) -> bool {
        let home = self.home(&entry.aabb);
        home[1] == y && home[2] == z
    }

    /// Has the grid borders?
    pub(super) fn is_bounded(&self) -> bool {
        self.mask == u32::MAX
    }

    /// [`crate::broad_phase::Hierarchy::descend`]: slabs, rows, cells. Volumes contain the boxes
    /// wholly. Without borders there is no such order and all boxes are visited.
    pub(super) fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        if !self.is_bounded() {
            self.entries.iter().for_each(|entry| visit(entry.id));
            return;
        }
        let mut volume = Aabb::EVERYTHING;
        self.descend_axis(D - 1, 0, &mut volume, enter, visit);
    }

    fn descend_axis(
        &self,
        axis: usize,
        first: u32,
        volume: &mut Aabb<D>,
        enter: &mut dyn FnMut(&Aabb<D>) -> bool,
        visit: &mut dyn FnMut(u32),
    ) {
        let stride = if axis == 0 { 1 } else { self.strides[axis - 1] };
        for cell in 0..self.frame.cells(axis) {
            let begin = first + cell * stride;
            let piece = self.starts[begin as usize] as usize..self.starts[(begin + stride) as usize] as usize;
            if piece.is_empty() {
                continue;
            }
            let (low, high) = self.frame.interval(cell as i32, axis);
            (volume.min[axis], volume.max[axis]) = (low, high + self.reach[axis]);
            if !enter(volume) {
                continue;
            }
            if axis == 0 {
                self.entries[piece].iter().for_each(|entry| visit(entry.id));
            } else {
                self.descend_axis(axis - 1, begin, volume, enter, visit);
            }
        }
        (volume.min[axis], volume.max[axis]) = (f32::NEG_INFINITY, f32::INFINITY);
    }
}

/// Looks at all boxes.
pub(super) fn scan<const D: usize>(entries: &[Entry<D>], aabb: &Aabb<D>, visit: &mut impl FnMut(u32)) -> u64 {
    for entry in entries {
        if entry.aabb.overlaps(aabb) {
            visit(entry.id);
        }
    }
    entries.len() as u64
}
