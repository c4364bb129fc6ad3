//! Boxes as columns of numbers, eight of them compared per instruction pair.
//!
//! Every column ends with a vector of NaN, which compares false with everything: a vector may begin
//! at any box, and no box is found beyond the last one, not even by a box that is infinite on all
//! sides.

use carom_core::simd::f32x8;
use carom_geometry::Aabb;

use crate::{Pair, Table};

/// Boxes per vector.
pub(crate) const WIDTH: usize = 8;

/// Boxes per tile: 24 kB in three dimensions.
const TILE: usize = 1024;

/// Boxes in an order chosen by the user of the columns.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const D: usize> {
    ids: Vec<u32>,
    min: [Vec<f32>; D],
    max: [Vec<f32>; D],
}

impl<const D: usize> Default for Columns<D> {
    fn default() -> Self {
        Self { ids: Vec::new(), min: [const { Vec::new() }; D], max: [const { Vec::new() }; D] }
    }
}

/// A box in every lane.
struct Query<const D: usize> {
    min: [f32x8; D],
    max: [f32x8; D],
}

impl<const D: usize> Query<D> {
    #[inline]
    fn new(min: [f32; D], max: [f32; D]) -> Self {
        Self { min: min.map(f32x8::splat), max: max.map(f32x8::splat) }
    }
}

/// Eight numbers of a column, which is a vector longer than there are boxes.
#[inline]
fn lanes(column: &[f32], at: usize) -> f32x8 {
    // The slice has the length of the array: nothing is left to go wrong, and the compiler knows.
    f32x8::new(column[at..at + WIDTH].try_into().unwrap_or([f32::NAN; WIDTH]))
}

impl<const D: usize> Columns<D> {
    /// Takes boxes over in the order of `ids`, with coordinate `axes[k]` in column `k`.
    pub(crate) fn fill(&mut self, table: &Table<D>, ids: impl Iterator<Item = u32>, axes: [usize; D]) {
        self.clear();
        for id in ids {
            self.push(id, table.aabb(id), axes);
        }
        self.close();
    }

    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.min.iter_mut().chain(&mut self.max).for_each(Vec::clear);
    }

    #[inline]
    pub(crate) fn push(&mut self, id: u32, aabb: &Aabb<D>, axes: [usize; D]) {
        self.ids.push(id);
        for k in 0..D {
            self.min[k].push(aabb.min[axes[k]]);
            self.max[k].push(aabb.max[axes[k]]);
        }
    }

    /// Ends the columns; nothing may be pushed after it.
    pub(crate) fn close(&mut self) {
        for column in self.min.iter_mut().chain(&mut self.max) {
            column.extend([f32::NAN; WIDTH]);
        }
    }

    /// Room for `len` boxes, to be put in any order.
    pub(crate) fn reserve(&mut self, len: usize) {
        self.ids.clear();
        self.ids.resize(len, u32::MAX);
        for column in self.min.iter_mut().chain(&mut self.max) {
            // What a longer list left behind must not be read as the end of this one.
            column.resize(len + WIDTH, f32::NAN);
            column[len..].fill(f32::NAN);
        }
    }

    /// Puts a box in a place that was reserved.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, id: u32, aabb: &Aabb<D>, axes: [usize; D]) {
        self.ids[at] = id;
        for k in 0..D {
            self.min[k][at] = aabb.min[axes[k]];
            self.max[k][at] = aabb.max[axes[k]];
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(crate) fn id(&self, at: usize) -> u32 {
        self.ids[at]
    }

    /// Lower ends in column 0, without the vector at the end.
    pub(crate) fn lows(&self) -> &[f32] {
        &self.min[0][..self.ids.len()]
    }

    #[inline]
    pub(crate) fn low(&self, at: usize, k: usize) -> f32 {
        self.min[k][at]
    }

    #[inline]
    fn query(&self, at: usize) -> Query<D> {
        Query::new(std::array::from_fn(|k| self.min[k][at]), std::array::from_fn(|k| self.max[k][at]))
    }

    /// One bit for each of the boxes from `at` on that overlaps.
    #[inline]
    fn mask(&self, query: &Query<D>, at: usize) -> u32 {
        let mut overlap =
            lanes(&self.min[0], at).simd_le(query.max[0]) & lanes(&self.max[0], at).simd_ge(query.min[0]);
        for k in 1..D {
            overlap &= lanes(&self.min[k], at).simd_le(query.max[k]);
            overlap &= lanes(&self.max[k], at).simd_ge(query.min[k]);
        }
        overlap.to_bitmask()
    }

    /// Tests a box against those from `first` to before `end`; returns the number of tests.
    #[inline]
    fn meet(&self, query: &Query<D>, first: usize, end: usize, mut report: impl FnMut(u32)) -> u64 {
        for at in (first..end).step_by(WIDTH) {
            let mut bits = self.mask(query, at);
            if end - at < WIDTH {
                bits &= (1 << (end - at)) - 1;
            }
            while bits != 0 {
                report(self.ids[at + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
        end.saturating_sub(first) as u64
    }

    /// Tests every box against every other; returns the number of tests. Tile by tile: one tile
    /// stays in the first cache while the boxes before it go by. Ends early if `stop` says so.
    pub(crate) fn meet_each_other(&self, stop: impl Fn() -> bool, mut report: impl FnMut(u32, u32)) -> u64 {
        let len = self.ids.len();
        let mut tests = 0;
        for start in (0..len).step_by(TILE) {
            let end = (start + TILE).min(len);
            for of in 0..end {
                if stop() {
                    return tests;
                }
                let (query, a) = (self.query(of), self.ids[of]);
                tests += self.meet(&query, start.max(of + 1), end, |b| report(a, b));
            }
        }
        tests
    }

    /// Tests a box against all, whose axes are in this order; returns the number of tests.
    #[inline]
    pub(crate) fn meet_all(&self, aabb: &Aabb<D>, axes: [usize; D], report: impl FnMut(u32)) -> u64 {
        let query = Query::new(axes.map(|axis| aabb.min[axis]), axes.map(|axis| aabb.max[axis]));
        self.meet(&query, 0, self.ids.len(), report)
    }

    /// Tests box `of` against boxes of `other` from `first` on, as long as their lower end in
    /// column 0, which ascends, is not above the box, and before `end`; returns the number of
    /// tests, a whole vector at a time.
    #[inline]
    pub(crate) fn sweep(
        &self,
        of: usize,
        other: &Self,
        first: usize,
        end: usize,
        mut report: impl FnMut(usize, usize),
    ) -> u64 {
        let high = self.max[0][of];
        // Most boxes of a sparse scene meet nobody: the vectors of the query are not made for them.
        if first >= end || other.min[0][first] > high {
            return 0;
        }
        let query = self.query(of);
        let mut at = first;
        while at < end && other.min[0][at] <= high {
            let mut bits = other.mask(&query, at);
            if end - at < WIDTH {
                bits &= (1 << (end - at)) - 1;
            }
            while bits != 0 {
                report(of, at + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            at += WIDTH;
        }
        (at.min(end) - first) as u64
    }

    pub(crate) fn bytes(&self) -> usize {
        let numbers: usize = self.min.iter().chain(&self.max).map(Vec::capacity).sum();
        numbers * size_of::<f32>() + self.ids.capacity() * size_of::<u32>()
    }
}

/// Notes a pair if the table admits it.
#[inline]
pub(crate) fn note<const D: usize>(table: &Table<D>, out: &mut Vec<Pair>, a: u32, b: u32) {
    if table.admits_all() || table.admits(a, b) {
        table.push_pair(out, Pair::new(a, b));
    }
}
