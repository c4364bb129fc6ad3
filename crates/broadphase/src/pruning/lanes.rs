//! Eight boxes per test.

use wide::f32x8;

use super::entry::{Entry, Tag};
use crate::{Pair, Table};

/// Boxes per block.
pub(super) const LANES: usize = 8;

/// Where found pairs go.
pub(super) struct Sink<'a, const D: usize> {
    pub(super) table: &'a Table<D>,
    /// Need filters be asked?
    pub(super) filtered: bool,
    pub(super) pairs: &'a mut Vec<Pair>,
}

impl<const D: usize> Sink<'_, D> {
    /// Takes a pair of overlapping boxes, if this is the bucket that reports it and its filters admit it.
    #[inline]
    pub(super) fn take(&mut self, a: Tag, b: Tag) {
        if !a.meets_first(b, D) {
            return;
        }
        let (a, b) = (a.id(), b.id());
        // A box can meet an entry that it left behind when it began to move.
        if a != b && (!self.filtered || self.table.admits(a, b)) {
            self.pairs.push(Pair::new(a, b));
        }
    }
}

/// Eight boxes, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<const D: usize> {
    min: [f32x8; D],
    max: [f32x8; D],
}

impl<const D: usize> Block<D> {
    /// Up to eight entries; what the rest overlaps means nothing.
    #[inline]
    pub(super) fn of(entries: &[Entry<D>]) -> Self {
        let mut min = [[0.0; LANES]; D];
        let mut max = [[0.0; LANES]; D];
        for (lane, entry) in entries.iter().take(LANES).enumerate() {
            for k in 0..D {
                min[k][lane] = entry.min[k];
                max[k][lane] = entry.max[k];
            }
        }
        Self { min: min.map(f32x8::new), max: max.map(f32x8::new) }
    }

    /// One bit per box that overlaps.
    #[inline]
    pub(super) fn overlaps(&self, query: &Splat<D>) -> u32 {
        let mut hit = query.max[0].simd_ge(self.min[0]) & query.min[0].simd_le(self.max[0]);
        for k in 1..D {
            hit &= query.max[k].simd_ge(self.min[k]);
            hit &= query.min[k].simd_le(self.max[k]);
        }
        hit.to_bitmask()
    }
}

/// One box in all lanes.
pub(super) struct Splat<const D: usize> {
    min: [f32x8; D],
    max: [f32x8; D],
}

impl<const D: usize> Splat<D> {
    #[inline]
    pub(super) fn of(entry: &Entry<D>) -> Self {
        Self { min: entry.min.map(f32x8::splat), max: entry.max.map(f32x8::splat) }
    }
}

/// Most entries of [`all_pairs`].
pub(super) const MOST: usize = 64;

/// Tests all pairs of a few entries. Returns the number of tests.
pub(super) fn all_pairs<const D: usize>(entries: &[Entry<D>], sink: &mut Sink<'_, D>) -> u64 {
    debug_assert!(entries.len() <= MOST);
    let Some(empty) = entries.first().map(|_| Block::of(&[])) else { return 0 };
    let mut blocks = [empty; MOST / LANES];
    for (block, part) in blocks.iter_mut().zip(entries.chunks(LANES)) {
        *block = Block::of(part);
    }
    let count = entries.len();
    for (i, entry) in entries.iter().enumerate() {
        let query = Splat::of(entry);
        let first = (i + 1) / LANES;
        for at in first..count.div_ceil(LANES) {
            let mut hits = blocks[at].overlaps(&query);
            if at == first {
                hits &= u32::MAX << ((i + 1) % LANES);
            }
            while hits != 0 {
                let j = at * LANES + hits.trailing_zeros() as usize;
                hits &= hits - 1;
                if j >= count {
                    break;
                }
                sink.take(entry.tag, entries[j].tag);
            }
        }
    }
    (count * count.saturating_sub(1) / 2) as u64
}

/// Tests all of `many` against all of `few`; `blocks` is scratch. Returns the number of tests.
pub(super) fn cross<const D: usize>(
    many: impl Iterator<Item = Entry<D>>,
    few: &[Entry<D>],
    blocks: &mut Vec<Block<D>>,
    sink: &mut Sink<'_, D>,
) -> u64 {
    blocks.clear();
    blocks.extend(few.chunks(LANES).map(Block::of));
    let mut tests = 0;
    for entry in many {
        tests += few.len() as u64;
        let query = Splat::of(&entry);
        for (block, part) in blocks.iter().zip(few.chunks(LANES)) {
            let mut hits = block.overlaps(&query);
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                if let Some(other) = part.get(lane) {
                    sink.take(entry.tag, other.tag);
                }
            }
        }
    }
    tests
}
