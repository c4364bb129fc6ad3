//! Oriented boxes by id, tested in batches.
//!
//! [`ObbArray`] answers for boxes of common size. Those beyond (coordinates above 10¹⁵ m, where
//! single precision overflows, and sizes between 10⁻²⁴ m and 10⁻¹⁸ m, where squares of the size
//! underflow and those of distances do not yet) are tested in double precision one by one; an
//! infinite box overlaps everything.

use carom_geometry::bounds::{Obb, ObbArray};
use carom_geometry::rotation::Matrix3;
use glam::Vec3;

use crate::{Bound, Pair, Table};

/// Largest coordinate and size of the batch test, metres.
const FAR: f32 = 1e15;
/// Sizes that the batch test does not take, metres.
const UNDERFLOW: std::ops::Range<f32> = 1e-24..1e-18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In the array.
    Common,
    /// Too large or too small for it.
    Special,
    /// Overlaps everything.
    Infinite,
}

fn kind(bound: Option<&Bound>) -> Kind {
    let Some(Bound { obb, .. }) = bound else { return Kind::Infinite };
    let far = obb.centre.abs().max_element().max(obb.half.max_element());
    let is_number = !obb.centre.is_nan() && !obb.half.is_nan();
    if is_number && far <= FAR && !UNDERFLOW.contains(&obb.half.max_element()) {
        Kind::Common
    } else {
        Kind::Special
    }
}

/// The oriented boxes of a table by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrientedBoxes {
    array: ObbArray,
    kinds: Vec<Kind>,
    /// Number of boxes that are not common, those of free ids included.
    uncommon: usize,
    batch: Vec<(u32, u32)>,
    mask: Vec<u64>,
}

impl OrientedBoxes {
    /// Takes over the changed boxes.
    pub(crate) fn follow<const D: usize>(&mut self, table: &Table<D>) {
        let nothing = Obb { centre: Vec3::ZERO, half: Vec3::ZERO, axes: Matrix3::IDENTITY };
        while self.kinds.len() < table.slots() {
            self.kinds.push(Kind::Infinite);
            self.array.push(&nothing);
            self.uncommon += 1;
        }
        for &id in table.changed() {
            let (at, bound) = (id as usize, table.bound(id));
            let kind = kind(bound.as_ref());
            self.uncommon -= usize::from(self.kinds[at] != Kind::Common);
            self.uncommon += usize::from(kind != Kind::Common);
            self.kinds[at] = kind;
            if let (Kind::Common, Some(bound)) = (kind, bound) {
                self.array.set(at, &bound.obb);
            }
        }
    }

    /// Appends the pairs whose boxes overlap to `out`, in their order.
    pub(crate) fn keep_overlapping<const D: usize>(
        &mut self,
        table: &Table<D>,
        pairs: &[Pair],
        out: &mut Vec<Pair>,
    ) {
        self.batch.clear();
        self.batch.extend(pairs.iter().map(|pair| (pair.a, pair.b)));
        self.array.overlap_pairs(&self.array, &self.batch, &mut self.mask);
        for (at, &pair) in pairs.iter().enumerate() {
            let in_batch = self.mask[at / 64] >> (at % 64) & 1 == 1;
            let overlap = match self.uncommon {
                0 => in_batch,
                _ => self.decide(table, pair, in_batch),
            };
            if overlap {
                out.push(pair);
            }
        }
    }

    fn decide<const D: usize>(&self, table: &Table<D>, pair: Pair, in_batch: bool) -> bool {
        match [pair.a, pair.b].map(|id| self.kinds[id as usize]) {
            [Kind::Common, Kind::Common] => in_batch,
            [Kind::Infinite, _] | [_, Kind::Infinite] => true,
            _ => match (table.bound(pair.a), table.bound(pair.b)) {
                (Some(a), Some(b)) => a.obb.to::<f64>().overlaps(&b.obb.to::<f64>()),
                _ => true,
            },
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        // A box takes a cache line in the array, which tells no capacity.
        self.array.len() * 64
            + self.kinds.capacity() * size_of::<Kind>()
            + self.batch.capacity() * size_of::<(u32, u32)>()
            + self.mask.capacity() * size_of::<u64>()
    }
}
