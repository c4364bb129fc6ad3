//! Box pruning proper: boxes sorted along one axis, each tested against those that begin before it ends.

use wide::f32x8;

use super::entry::{Entry, Tag};
use super::lanes::{LANES, Sink};
use crate::radix;

/// Fewer are sorted by comparisons.
const FEW: usize = 1024;

/// Sorted boxes, coordinate by coordinate.
#[derive(Clone, Debug)]
pub(super) struct Sweep<const D: usize> {
    /// Ordered bits of the minimum above, place below.
    keys: Vec<u64>,
    scratch: Vec<u64>,
    min: [Vec<f32>; D],
    max: [Vec<f32>; D],
    who: Vec<Tag>,
}

impl<const D: usize> Default for Sweep<D> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            scratch: Vec::new(),
            min: std::array::from_fn(|_| Vec::new()),
            max: std::array::from_fn(|_| Vec::new()),
            who: Vec::new(),
        }
    }
}

/// Integers in the order of numbers that are not NaN; −0 comes before +0.
#[inline]
pub(super) fn ordered_bits(value: f32) -> u32 {
    let bits = value.to_bits();
    bits ^ ((((bits as i32) >> 31) as u32) | 0x8000_0000)
}

impl<const D: usize> Sweep<D> {
    /// Finds all pairs among the entries. Returns the number of tests.
    pub(super) fn all_pairs(&mut self, entries: &[Entry<D>], axis: usize, sink: &mut Sink<'_, D>) -> u64 {
        self.keys.clear();
        // −0 and +0 are equal to the sweep, so their order does not matter.
        let key = |(at, e): (usize, &Entry<D>)| u64::from(ordered_bits(e.min[axis])) << 32 | at as u64;
        self.keys.extend(entries.iter().enumerate().map(key));
        if entries.len() <= FEW {
            self.keys.sort_unstable();
        } else {
            radix::sort(&mut self.keys, &mut self.scratch, u32::BITS, |key| (key >> 32) as u32);
        }
        self.load(entries.len(), |keys, i| entries[keys[i] as u32 as usize]);
        self.run(axis, 0..entries.len(), sink)
    }

    /// Takes over boxes in sorted order.
    pub(super) fn load(&mut self, len: usize, entry: impl Fn(&[u64], usize) -> Entry<D>) {
        let padded = len + LANES;
        for k in 0..D {
            // What is longer stays as it is: only the places that will be read are written.
            if self.min[k].len() < padded {
                self.min[k].resize(padded, f32::INFINITY);
                self.max[k].resize(padded, f32::NEG_INFINITY);
            }
            self.min[k][len..padded].fill(f32::INFINITY);
            self.max[k][len..padded].fill(f32::NEG_INFINITY);
        }
        self.who.clear();
        for i in 0..len {
            let e = entry(&self.keys, i);
            for k in 0..D {
                self.min[k][i] = e.min[k];
                self.max[k][i] = e.max[k];
            }
            self.who.push(e.tag);
        }
    }

    /// The sweep from some of the boxes that were loaded, which must ascend in the minima of `axis`. Returns the number of tests.
    pub(super) fn run(&self, axis: usize, range: std::ops::Range<usize>, sink: &mut Sink<'_, D>) -> u64 {
        let count = self.who.len();
        let mut tests = 0;
        for i in range {
            let end = self.max[axis][i];
            // Most boxes of a sparse scene meet nobody.
            if self.min[axis][i + 1] > end {
                continue;
            }
            let query_min: [f32x8; D] = std::array::from_fn(|k| f32x8::splat(self.min[k][i]));
            let query_max: [f32x8; D] = std::array::from_fn(|k| f32x8::splat(self.max[k][i]));
            let mut at = i + 1;
            while at < count && self.min[axis][at] <= end {
                let mut hit = query_max[0].simd_ge(lanes(&self.min[0], at))
                    & query_min[0].simd_le(lanes(&self.max[0], at));
                for k in 1..D {
                    hit &= query_max[k].simd_ge(lanes(&self.min[k], at));
                    hit &= query_min[k].simd_le(lanes(&self.max[k], at));
                }
                let mut hits = hit.to_bitmask();
                while hits != 0 {
                    let j = at + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if j >= count {
                        break; // an infinite box overlaps even the padding
                    }
                    sink.take(self.who[i], self.who[j]);
                }
                at += LANES;
            }
            tests += (at.min(count) - i - 1) as u64;
        }
        tests
    }

    pub(super) fn bytes(&self) -> usize {
        (self.keys.capacity() + self.scratch.capacity()) * 8
            + self.who.capacity() * 4
            + self.min.iter().chain(&self.max).map(|v| v.capacity() * 4).sum::<usize>()
    }
}

#[inline]
fn lanes(values: &[f32], at: usize) -> f32x8 {
    let mut eight = [0.0; LANES];
    eight.copy_from_slice(&values[at..at + LANES]);
    f32x8::new(eight)
}
