//! A box on its way through the buckets, and lattices that cut space into buckets.

use carom_core::simd::{f32x4, i32x4};
use carom_geometry::Aabb;

use crate::Table;
use crate::table::MAX_ID;

/// Who an entry is, and on which axes it begins in its bucket.
///
/// Bit k of the lowest three is set if the box begins there on axis k; the id stands above. A pair
/// that shares several buckets has exactly one in which on every axis at least one of the two
/// begins: there it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag(u32);

const AXES: u32 = 3;

impl Tag {
    #[inline]
    fn new(id: u32, dimensions: usize) -> Self {
        debug_assert!(id <= MAX_ID, "ids leave room for the axes");
        Self(id << AXES | ((1 << dimensions) - 1))
    }

    /// As a plain number, for columns of boxes that know ids only; and back.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) fn id(self) -> u32 {
        self.0 >> AXES
    }

    /// Of the axes on which it begins, keeps those in `axes`.
    #[inline]
    pub(super) fn begins_on(self, axes: u32) -> Self {
        Self(self.0 & (axes | u32::MAX << AXES))
    }

    /// Is this the bucket in which the pair is reported?
    #[inline]
    pub(super) fn meets_first(self, other: Self, dimensions: usize) -> bool {
        let all = (1 << dimensions) - 1;
        (self.0 | other.0) & all == all
    }
}

/// A copy of a box, so that whoever works on a bucket reads memory in a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry<const D: usize> {
    pub(super) aabb: Aabb<D>,
    pub(super) tag: Tag,
}

impl<const D: usize> Entry<D> {
    #[inline]
    pub(super) fn new(id: u32, aabb: &Aabb<D>) -> Self {
        Self { aabb: *aabb, tag: Tag::new(id, D) }
    }

    #[inline]
    pub(super) fn of(table: &Table<D>, id: u32) -> Self {
        Self::new(id, table.aabb(id))
    }
}

/// How many cells a box may touch before it is set aside instead of being copied into each.
pub(super) const fn most_cells(dimensions: usize) -> u32 {
    3 << (dimensions - 1)
}

/// Boxes looked at to choose a lattice: an eighth of them, within these limits.
const SAMPLE: usize = 128;
const LEAST_SAMPLE: usize = 24;
/// A cell is at least so many times as long as the boxes are on average: few boxes then touch more
/// than one.
const LEAST_EDGE: f32 = 2.5;

/// Most columns of a division: few enough that writing to all of them stays in the cache.
pub(super) const MOST_COLUMNS: u32 = 1024;

/// Equal cells, numbered along each axis; the outermost ones reach to infinity.
///
/// The cell of a coordinate is a monotone function of it, whatever the rounding: that is all that
/// correctness needs, so the lattice may be chosen from a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice<const D: usize> {
    low: f32x4,
    scale: f32x4,
    /// Highest cell on each axis.
    last: f32x4,
    pub(super) count: [u32; D],
}

/// The cells that a box touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range<const D: usize> {
    first: i32x4,
    last: i32x4,
}

impl<const D: usize> Range<D> {
    /// Is it one cell only? Nearly always.
    #[inline]
    pub(super) fn is_one(&self) -> bool {
        self.first.simd_eq(self.last).all()
    }

    #[inline]
    pub(super) fn first(&self) -> [u32; D] {
        let cell = self.first.to_array();
        std::array::from_fn(|k| cell[k] as u32)
    }

    /// Cells beyond the first on each axis.
    #[inline]
    pub(super) fn more(&self) -> [u32; D] {
        let more = (self.last - self.first).to_array();
        std::array::from_fn(|k| more[k] as u32)
    }
}

/// How entries lie, judged by a sample of them. All lengths are halved, so that none overflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread<const D: usize> {
    low: [f32; D],
    range: [f32; D],
    /// Mean extent of an entry.
    extent: [f32; D],
}

impl<const D: usize> Spread<D> {
    pub(super) fn of(len: usize, entry: impl Fn(usize) -> Entry<D>) -> Self {
        let mut low = [f32::INFINITY; D];
        let mut high = [f32::NEG_INFINITY; D];
        let (mut extent, mut seen) = ([0.0f32; D], [0u32; D]);
        let samples = len.min((len / 8).clamp(LEAST_SAMPLE, SAMPLE));
        for i in 0..samples {
            let e = entry(i * len / samples).aabb;
            for k in 0..D {
                if e.min[k].is_finite() && e.max[k].is_finite() {
                    low[k] = low[k].min(e.min[k]);
                    high[k] = high[k].max(e.max[k]);
                    extent[k] += e.max[k] * 0.5 - e.min[k] * 0.5;
                    seen[k] += 1;
                }
            }
        }
        for k in 0..D {
            if seen[k] == 0 {
                (low[k], high[k]) = (0.0, 0.0);
            }
            extent[k] /= seen[k].max(1) as f32;
        }
        Self { low, range: std::array::from_fn(|k| high[k] * 0.5 - low[k] * 0.5), extent }
    }

    /// The part of the entries that overlap a given one on an axis, if they lie evenly.
    fn part(&self, axis: usize) -> f32 {
        if self.extent[axis] < self.range[axis] { self.extent[axis] / self.range[axis] } else { 1.0 }
    }

    /// The axis on which entries are widest apart for their size, and the part that overlaps there.
    pub(super) fn best_axis(&self) -> (usize, f32) {
        let best = (1..D).fold(0, |best, k| if self.part(k) < self.part(best) { k } else { best });
        (best, self.part(best))
    }
}

impl<const D: usize> Lattice<D> {
    /// A lattice of about `cells` nearly cubic cells; `None` if it would have one cell only.
    pub(super) fn cubic(spread: &Spread<D>, cells: usize) -> Option<Self> {
        let (mut edge, mut count, mut total) = (spread.range, [1u32; D], 1);
        while total * 2 <= cells {
            let may_cut = |k: &usize| edge[*k] * 0.5 >= spread.extent[*k] * LEAST_EDGE && edge[*k] > 0.0;
            let longest = (0..D).filter(may_cut).reduce(|a, b| if edge[b] > edge[a] { b } else { a });
            let Some(k) = longest else { break };
            count[k] *= 2;
            edge[k] *= 0.5;
            total *= 2;
        }
        Self::of_counts(spread, count)
    }

    /// About `columns` columns along an axis; `None` if it would be one only.
    pub(super) fn columns(spread: &Spread<D>, columns: f32, along: usize) -> Option<Self> {
        let limit = |k: usize| spread.range[k] / (spread.extent[k] * LEAST_EDGE).max(f32::MIN_POSITIVE);
        let (first, second) = ((along + 1) % D, (along + 2) % D);
        let mut count = [1u32; D];
        // The cast saturates; a count of 0 or NaN means that there is nothing to cut.
        let whole = |count: f32| (count as u32).clamp(1, MOST_COLUMNS);
        if D == 2 {
            count[first] = whole(columns.min(limit(first)));
        } else {
            // Square columns, unless boxes are too long for that on one axis.
            let ratio = (spread.range[first] / spread.range[second].max(f32::MIN_POSITIVE)).clamp(1e-6, 1e6);
            let wanted = (columns * ratio).sqrt().min(limit(first)).max(1.0);
            count[second] = whole((columns / wanted).min(limit(second)));
            count[first] = whole((columns / count[second] as f32).min(limit(first)));
            let most = MOST_COLUMNS / count[second];
            count[first] = count[first].min(most.max(1));
        }
        Self::of_counts(spread, count)
    }

    fn of_counts(spread: &Spread<D>, count: [u32; D]) -> Option<Self> {
        let edge: [f32; D] = std::array::from_fn(|k| spread.range[k] / count[k] as f32);
        let lanes = |value: &dyn Fn(usize) -> f32| {
            f32x4::new(std::array::from_fn(|k| if k < D { value(k) } else { 0.0 }))
        };
        // Ranges were halved. A positive scale keeps ∞ · 0 away.
        let scale = |k: usize| {
            if edge[k] > 0.0 { (0.5 / edge[k]).clamp(f32::MIN_POSITIVE, f32::MAX) } else { f32::MIN_POSITIVE }
        };
        count.iter().any(|&count| count > 1).then(|| Self {
            low: lanes(&|k| spread.low[k]),
            scale: lanes(&scale),
            last: lanes(&|k| (count[k] - 1) as f32),
            count,
        })
    }

    /// Number of cells.
    pub(super) fn cells(&self) -> usize {
        self.count.iter().map(|&c| c as usize).product()
    }

    /// The cells that an entry touches.
    #[inline]
    pub(super) fn range(&self, entry: &Entry<D>) -> Range<D> {
        let index = |corner: &[f32; D]| {
            let at = f32x4::new(std::array::from_fn(|k| if k < D { corner[k] } else { 0.0 }));
            // No lane is NaN, so minimum and maximum are the same everywhere; the result is in
            // range, so is its whole part.
            let cell = ((at - self.low) * self.scale).fast_max(f32x4::ZERO).fast_min(self.last);
            cell.fast_trunc_int()
        };
        Range { first: index(&entry.aabb.min), last: index(&entry.aabb.max) }
    }

    /// Number of a cell.
    #[inline]
    pub(super) fn number(&self, cell: [u32; D]) -> usize {
        (0..D).fold(0, |number, k| number * self.count[k] as usize + cell[k] as usize)
    }
}
