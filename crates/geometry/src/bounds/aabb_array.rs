//! One box against an array of boxes, at the speed of memory.
//!
//! Boxes lie in blocks of eight: first eight lowest x, then eight lowest y, … so that one
//! instruction compares four boxes and a query is one stream through memory (24 bytes per box in 3
//! dimensions, nothing else is read). The last block is filled up with NaN, which overlaps nothing.
//! Answers equal [`Aabb::overlaps`] bit for bit, NaN included.

use carom_core::simd::f32x4;

use super::Aabb;
use crate::simd::LANES;

/// Vectors per block and bound.
const WIDTH: usize = 2;
/// Boxes per block.
const BLOCK: usize = WIDTH * LANES;
/// Bits per word of a mask.
const WORD: usize = u64::BITS as usize;

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Block<const D: usize> {
    min: [[f32x4; WIDTH]; D],
    max: [[f32x4; WIDTH]; D],
}

impl<const D: usize> Block<D> {
    fn empty() -> Self {
        // Not [`Aabb::EMPTY`], which a query that reaches to infinity both ways would meet.
        Self { min: [[f32x4::splat(f32::NAN); WIDTH]; D], max: [[f32x4::splat(f32::NAN); WIDTH]; D] }
    }

    fn set(&mut self, slot: usize, aabb: &Aabb<D>) {
        for k in 0..D {
            self.min[k][slot / LANES].as_mut_array()[slot % LANES] = aabb.min[k];
            self.max[k][slot / LANES].as_mut_array()[slot % LANES] = aabb.max[k];
        }
    }
}

/// A box in every lane.
struct Query<const D: usize> {
    min: [f32x4; D],
    max: [f32x4; D],
}

impl<const D: usize> Query<D> {
    fn new(aabb: &Aabb<D>) -> Self {
        Self { min: aabb.min.map(f32x4::splat), max: aabb.max.map(f32x4::splat) }
    }

    /// One bit per box of the block that overlaps.
    #[inline]
    fn mask(&self, block: &Block<D>) -> u32 {
        let mut bits = 0;
        for half in 0..WIDTH {
            let mut overlap =
                self.max[0].simd_ge(block.min[0][half]) & self.min[0].simd_le(block.max[0][half]);
            for k in 1..D {
                overlap &= self.max[k].simd_ge(block.min[k][half]);
                overlap &= self.min[k].simd_le(block.max[k][half]);
            }
            bits |= overlap.to_bitmask() << (half * LANES);
        }
        bits
    }
}

/// Boxes stored for [tests of one against all](Self::overlap_mask).
///
/// ```
/// use carom_geometry::bounds::{Aabb, AabbArray};
/// let boxes: AabbArray<2> = (0..100).map(|i| Aabb::new([i as f32, 0.0], [i as f32 + 0.5, 1.0])).collect();
/// let mut found = Vec::new();
/// boxes.overlapping(&Aabb::new([7.2, 0.5], [9.0, 3.0]), &mut found);
/// assert_eq!(found, [7, 8, 9]);
/// ```
#[derive(Clone, Debug)]
pub struct AabbArray<const D: usize> {
    blocks: Vec<Block<D>>,
    len: usize,
}

impl<const D: usize> Default for AabbArray<D> {
    fn default() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }
}

impl<const D: usize> FromIterator<Aabb<D>> for AabbArray<D> {
    fn from_iter<I: IntoIterator<Item = Aabb<D>>>(boxes: I) -> Self {
        let mut array = Self::default();
        array.extend(boxes);
        array
    }
}

impl<const D: usize> Extend<Aabb<D>> for AabbArray<D> {
    fn extend<I: IntoIterator<Item = Aabb<D>>>(&mut self, boxes: I) {
        for aabb in boxes {
            self.push(&aabb);
        }
    }
}

impl<const D: usize> AabbArray<D> {
    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Appends a box.
    pub fn push(&mut self, aabb: &Aabb<D>) {
        if self.len == self.blocks.len() * BLOCK {
            self.blocks.push(Block::empty());
        }
        self.len += 1;
        self.set(self.len - 1, aabb);
    }

    /// Box `index`.
    ///
    /// # Panics
    /// If there is no such box.
    #[must_use]
    pub fn get(&self, index: usize) -> Aabb<D> {
        assert!(index < self.len, "box {index} of {}", self.len);
        let (block, slot) = (&self.blocks[index / BLOCK], index % BLOCK);
        let pick = |bound: &[[f32x4; WIDTH]; D]| bound.map(|k| k[slot / LANES].as_array()[slot % LANES]);
        Aabb { min: pick(&block.min), max: pick(&block.max) }
    }

    /// Replaces box `index`.
    ///
    /// # Panics
    /// If there is no such box.
    pub fn set(&mut self, index: usize, aabb: &Aabb<D>) {
        assert!(index < self.len, "box {index} of {}", self.len);
        self.blocks[index / BLOCK].set(index % BLOCK, aabb);
    }

    /// Overwrites `mask` with one bit per box: bit `i % 64` of word `i / 64` is set iff box `i`
    /// overlaps `query`.
    pub fn overlap_mask(&self, query: &Aabb<D>, mask: &mut Vec<u64>) {
        let query = Query::new(query);
        mask.clear();
        mask.extend(self.blocks.chunks(WORD / BLOCK).map(|blocks| word(&query, blocks)));
    }

    /// Overwrites `found` with the indices of the boxes that overlap `query`, ascending.
    pub fn overlapping(&self, query: &Aabb<D>, found: &mut Vec<u32>) {
        found.clear();
        let query = Query::new(query);
        for (base, blocks) in (0..).step_by(WORD).zip(self.blocks.chunks(WORD / BLOCK)) {
            let mut bits = word(&query, blocks);
            while bits != 0 {
                found.push(base + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// Number of boxes that overlap `query`.
    #[must_use]
    pub fn count_overlapping(&self, query: &Aabb<D>) -> usize {
        let query = Query::new(query);
        self.blocks.chunks(WORD / BLOCK).map(|blocks| word(&query, blocks).count_ones() as usize).sum()
    }
}

/// The mask of up to 64 boxes.
#[inline]
fn word<const D: usize>(query: &Query<D>, blocks: &[Block<D>]) -> u64 {
    let mut bits = 0;
    for (i, block) in blocks.iter().enumerate() {
        bits |= u64::from(query.mask(block)) << (i * BLOCK);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Coordinates on a coarse grid, so that faces often touch, and now and then a NaN.
    fn boxes<const D: usize>(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Aabb<D>>> {
        let coordinate = prop_oneof![20 => (-4i32..5).prop_map(|c| c as f32), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)];
        let corner = prop::collection::vec((coordinate, 0i32..4), D);
        prop::collection::vec(corner, count).prop_map(|boxes| {
            let one = |c: &Vec<(f32, i32)>| {
                Aabb::new(std::array::from_fn(|k| c[k].0), std::array::from_fn(|k| c[k].0 + c[k].1 as f32))
            };
            boxes.iter().map(one).collect()
        })
    }

    fn agrees_with_one_by_one<const D: usize>(boxes: &[Aabb<D>]) -> Result<(), TestCaseError> {
        let (query, boxes) = (&boxes[0], &boxes[1..]);
        let array: AabbArray<D> = boxes.iter().copied().collect();
        let right: Vec<u32> =
            (0u32..).zip(boxes).filter(|(_, b)| b.overlaps(query)).map(|(i, _)| i).collect();
        let (mut found, mut mask) = (vec![7], vec![7]);
        array.overlapping(query, &mut found);
        array.overlap_mask(query, &mut mask);
        let of_mask: Vec<u32> =
            (0..mask.len() as u32 * 64).filter(|&i| mask[i as usize / 64] >> (i % 64) & 1 == 1).collect();
        prop_assert_eq!(&found, &right);
        prop_assert_eq!(of_mask, right);
        prop_assert_eq!(array.count_overlapping(query), found.len());
        Ok(())
    }

    #[test]
    fn a_query_for_everything_finds_what_is_there() {
        let array: AabbArray<3> = (0..11).map(|i| Aabb::new([i as f32; 3], [i as f32; 3])).collect();
        let mut found = Vec::new();
        array.overlapping(&Aabb::EVERYTHING, &mut found);
        assert_eq!(found, (0..11).collect::<Vec<u32>>());
        assert_eq!(array.count_overlapping(&Aabb::EVERYTHING), 11);
    }

    proptest! {
        #[test]
        fn arrays_in_two_dimensions_agree_with_one_by_one(boxes in boxes::<2>(1..200)) {
            agrees_with_one_by_one(&boxes)?;
        }

        #[test]
        fn arrays_in_three_dimensions_agree_with_one_by_one(boxes in boxes::<3>(1..200)) {
            agrees_with_one_by_one(&boxes)?;
        }
    }

    #[test]
    fn boxes_come_back_and_can_be_replaced() {
        let box_of = |i: usize| Aabb::<3>::new([i as f32, 0.0, -1.0], [i as f32 + 1.0, 2.0, 3.0]);
        let mut array: AabbArray<3> = (0..13).map(box_of).collect();
        array.set(9, &box_of(77));
        assert_eq!((array.len(), array.get(8), array.get(9)), (13, box_of(8), box_of(77)));
        array.clear();
        assert!(array.is_empty());
        assert_eq!(array.count_overlapping(&Aabb::EVERYTHING), 0);
    }
}
