//! The order of boxes along a curve that fills space: what is near in the order is near in space.
//!
//! Centres are put into a grid of 2¹⁰ cells per axis (2¹⁵ in the plane) over the box of all finite
//! centres, the bits of the cell numbers are interleaved (Morton 1966) and the codes sorted by
//! digits from the least. Boxes larger than an eighth of the world come last: among small ones they
//! would blow up every group they are in.
//!
//! One far box makes the grid too coarse for all others. So groups of equal codes are ordered again
//! by a grid of their own, until they are small or all centres are equal. Every round separates at
//! least two centres and makes cells a thousand times smaller; the range of `f32` is used up after
//! about 26 rounds.
//!
//! Invariant: the result is a permutation of the ids given, and depends on nothing but the boxes
//! and the order of the ids.

use carom_geometry::Aabb;

use crate::radix;

/// Bits of a code without the mark of large boxes.
const CODE: u32 = 30;
/// The same where two digits will do.
const SHORT_CODE: u32 = 21;
/// Up to so many boxes get short codes (a million cells for a few thousand boxes).
const SHORT: usize = 4096;
/// Up to so many keys a comparison sort is as fast as counting digits.
const FEW: usize = 256;
/// Equal codes in a row that are not worth another round.
const RUN: usize = 32;
/// Larger than this share of the world on any axis is large.
const LARGE: f32 = 0.125;

/// Sorted keys and memory for sorting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Code above, id below.
    keys: Vec<u64>,
    scratch: Vec<u64>,
    /// Ranges of equal codes that wait for another round.
    runs: Vec<(u32, u32)>,
    extent: f32,
}

/// Centre on an axis: infinite or NaN if the box is infinite there.
#[inline]
fn centre(min: f32, max: f32) -> f32 {
    0.5 * min + 0.5 * max
}

/// Grid over the finite centres of some boxes.
struct Grid<const D: usize> {
    /// Half the lowest centre; halves, because the difference of two `f32` may overflow.
    low: [f32; D],
    /// Cells per half metre.
    scale: [f32; D],
    /// Half the range.
    range: [f32; D],
    bits: u32,
}

impl<const D: usize> Grid<D> {
    fn new<'a>(boxes: impl Iterator<Item = &'a Aabb<D>>, code: u32) -> Self {
        let (mut low, mut high) = ([f32::MAX; D], [-f32::MAX; D]);
        for aabb in boxes {
            for k in 0..D {
                let c = centre(aabb.min[k], aabb.max[k]);
                // False for NaN; infinite ones must not count.
                let finite = c.abs() <= f32::MAX;
                low[k] = if finite & (c < low[k]) { c } else { low[k] };
                high[k] = if finite & (c > high[k]) { c } else { high[k] };
            }
        }
        let bits = code / D as u32;
        let cells = (1u32 << bits) as f32;
        let range: [f32; D] = std::array::from_fn(|k| 0.5 * high[k] - 0.5 * low[k]);
        let scale = range.map(|r| {
            // Without a range all are in cell 0; so they are if it is too small to be divided by.
            let scale = cells / r;
            if scale > 0.0 && scale < f32::MAX { scale } else { 0.0 }
        });
        Self { low: low.map(|c| 0.5 * c), scale, range, bits }
    }

    /// Can the grid tell any two centres apart?
    fn is_of_use(&self) -> bool {
        self.scale.iter().any(|&s| s > 0.0)
    }

    #[inline]
    fn code(&self, aabb: &Aabb<D>) -> u32 {
        let last = (1u32 << self.bits) - 1;
        (0..D).fold(0, |code, k| {
            let cell = (0.5 * centre(aabb.min[k], aabb.max[k]) - self.low[k]) * self.scale[k];
            // The conversion saturates; NaN becomes 0.
            code | spread::<D>((cell as u32).min(last)) << k
        })
    }

    #[inline]
    fn is_large(&self, aabb: &Aabb<D>) -> bool {
        // NaN (a box at infinity) is large too.
        !(0..D).all(|k| 0.5 * aabb.max[k] - 0.5 * aabb.min[k] <= LARGE * self.range[k])
    }
}

/// Moves bit i to bit i·D.
#[inline]
fn spread<const D: usize>(v: u32) -> u32 {
    match D {
        1 => v,
        2 => {
            let v = (v | v << 8) & 0x00ff_00ff;
            let v = (v | v << 4) & 0x0f0f_0f0f;
            let v = (v | v << 2) & 0x3333_3333;
            (v | v << 1) & 0x5555_5555
        }
        3 => {
            let v = (v | v << 16) & 0x0300_00ff;
            let v = (v | v << 8) & 0x0300_f00f;
            let v = (v | v << 4) & 0x030c_30c3;
            (v | v << 2) & 0x0924_9249
        }
        _ => (0..32 / D as u32).fold(0, |out, bit| out | (v >> bit & 1) << (bit * D as u32)),
    }
}

impl Order {
    /// Puts boxes in order; `boxes` are by id.
    pub(crate) fn sort<const D: usize>(&mut self, boxes: &[Aabb<D>], ids: impl Iterator<Item = u32>) {
        self.keys.clear();
        self.keys.extend(ids.map(u64::from));
        let code = if self.keys.len() <= SHORT { SHORT_CODE } else { CODE };
        let grid = Grid::new(self.keys.iter().map(|&key| &boxes[id(key) as usize]), code);
        self.extent = grid.range.iter().fold(0.0, |most, &half| if half > most { half } else { most });
        for key in &mut self.keys {
            let aabb = &boxes[*key as usize];
            let large = u32::from(grid.is_large(aabb)) << code;
            *key |= u64::from(grid.code(aabb) | large) << 32;
        }
        self.scratch.resize(self.keys.len().max(self.scratch.len()), 0);
        sort_codes(&mut self.keys, &mut self.scratch, code + 1);
        self.find_runs(0, self.keys.len());
        self.settle_runs(boxes);
    }

    /// The ids in order.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.keys.iter().map(|&key| id(key))
    }

    /// The ids of a range of the order.
    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = u32> + '_ {
        self.keys[range].iter().map(|&key| id(key))
    }

    /// Half the largest distance of finite centres on an axis.
    pub(crate) fn extent(&self) -> f32 {
        self.extent
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.keys.capacity() + self.scratch.capacity() + self.runs.capacity()) * size_of::<u64>()
    }

    /// Notes the ranges of more than [`RUN`] equal codes.
    fn find_runs(&mut self, first: usize, end: usize) {
        let code = |key: u64| key >> 32;
        let mut at = first;
        while at + RUN < end {
            let own = code(self.keys[at]);
            if own != code(self.keys[at + RUN]) {
                at += 1;
                continue;
            }
            let next = at + self.keys[at..end].partition_point(|&key| code(key) == own);
            self.runs.push((at as u32, next as u32));
            at = next;
        }
    }

    fn settle_runs<const D: usize>(&mut self, boxes: &[Aabb<D>]) {
        while let Some((first, end)) = self.runs.pop() {
            let (first, end) = (first as usize, end as usize);
            let run = &mut self.keys[first..end];
            let grid = Grid::new(run.iter().map(|&key| &boxes[id(key) as usize]), CODE);
            if !grid.is_of_use() {
                continue;
            }
            for key in &mut *run {
                let own = id(*key);
                *key = u64::from(own) | u64::from(grid.code(&boxes[own as usize])) << 32;
            }
            sort_codes(run, &mut self.scratch, CODE);
            self.find_runs(first, end);
        }
    }
}

#[inline]
fn id(key: u64) -> u32 {
    key as u32
}

/// Sorts by the codes, which have so many bits.
fn sort_codes(keys: &mut [u64], scratch: &mut [u64], bits: u32) {
    if keys.len() <= FEW {
        // Equal codes by id: needs no memory, and is as good as any other order.
        keys.sort_unstable();
    } else {
        let count = keys.len();
        radix::sort_slice(keys, &mut scratch[..count], bits, |key| (key >> 32) as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted<const D: usize>(boxes: &[Aabb<D>]) -> Vec<u32> {
        let mut order = Order::default();
        order.sort(boxes, 0..boxes.len() as u32);
        order.ids().collect()
    }

    fn points(centres: impl Iterator<Item = [f32; 3]>) -> Vec<Aabb<3>> {
        centres.map(|c| Aabb::new(c, c)).collect()
    }

    proptest! {
        #[test]
        fn every_id_once_whatever_the_boxes(
            ends in prop::collection::vec(prop::array::uniform3(any::<(f32, f32)>()), 0..600),
        ) {
            let valid = |e: &[(f32, f32); 3]| e.iter().all(|(a, b)| !a.is_nan() && !b.is_nan());
            let boxes: Vec<Aabb<3>> = ends.iter().filter(|e| valid(e))
                .map(|e| Aabb { min: e.map(|(a, b)| a.min(b)), max: e.map(|(a, b)| a.max(b)) }).collect();
            let mut ids = sorted(&boxes);
            ids.sort_unstable();
            prop_assert_eq!(ids, (0..boxes.len() as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn bits_are_spread() {
        let slow = |v: u32, d: u32| (0..32 / d).fold(0, |out, bit| out | (v >> bit & 1) << (bit * d));
        for v in [0, 1, 5, 0x55, 0xaa, 0xff] {
            assert_eq!((spread::<1>(v), spread::<4>(v)), (v, slow(v, 4)));
        }
        for v in [0, 1, 5, 0x155, 0x2aa, 0x3ff] {
            assert_eq!((spread::<2>(v * 32), spread::<3>(v)), (slow(v * 32, 2), slow(v, 3)));
        }
    }

    /// Are places in order, but for groups too small to be worth another round?
    fn is_nearly_sorted(places: &[u32]) -> bool {
        places.windows(2 * RUN).all(|places| places[0] < places[2 * RUN - 1])
    }

    #[test]
    fn a_line_is_in_order_beside_far_and_large_boxes() {
        // Shuffled, so that the order of the ids is of no help.
        let place = |id: u32| id * 1009 % 3000;
        let mut boxes = points((0..3000).map(|id| [place(id) as f32, 0.0, 0.0]));
        boxes.push(Aabb::new([1e30; 3], [1e30; 3]));
        boxes.push(Aabb::EVERYTHING);
        let ids = sorted(&boxes);
        let places: Vec<u32> = ids.iter().copied().filter(|&id| id < 3000).map(place).collect();
        assert!(is_nearly_sorted(&places), "{places:?}");
        assert_eq!(ids[3001], 3001, "what is large comes last");
    }

    #[test]
    fn every_scale_of_a_shrinking_row_is_told_apart() {
        // Eight in each octave from 2⁻¹²⁰ to 2¹¹⁹: all but the last few are in one cell of the
        // first grid.
        let place = |id: u32| id * 1009 % 1920;
        let octave = |i: u32| {
            let power = |i: u32| (1u128 << i) as f32;
            if i < 120 { 1.0 / power(120 - i) } else { power(i - 120) }
        };
        let coordinate = |place: u32| octave(place / 8) * (1.0 + (place % 8) as f32 / 8.0);
        let boxes = points((0..1920).map(|id| [coordinate(place(id)); 3]));
        let places: Vec<u32> = sorted(&boxes).into_iter().map(place).collect();
        assert!(is_nearly_sorted(&places), "{places:?}");
    }
}
