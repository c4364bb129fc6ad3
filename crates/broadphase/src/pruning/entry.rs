//! A box on its way through the buckets, and lattices that cut space into buckets.

use carom_geometry::Aabb;
use wide::{f32x4, i32x4};

use crate::Table;
use crate::table::MAX_ID;

/// Who an entry is, and on which axes it begins in its bucket.
///
/// Bit k of the lowest three is set if the box begins there on axis k; the id stands above. A pair that shares several buckets
/// has exactly one in which on every axis at least one of the two begins: there it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag(u32);

const AXES: u32 = 3;

impl Tag {
    #[inline]
    fn new(id: u32, dimensions: usize) -> Self {
        debug_assert!(id <= MAX_ID, "ids leave room for the axes");
        Self(id << AXES | ((1 << dimensions) - 1))
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
#[repr(C)]
pub(super) struct Entry<const D: usize> {
    pub(super) min: [f32; D],
    pub(super) max: [f32; D],
    pub(super) tag: Tag,
}

impl<const D: usize> Entry<D> {
    #[inline]
    pub(super) fn new(id: u32, aabb: &Aabb<D>) -> Self {
        Self { min: aabb.min, max: aabb.max, tag: Tag::new(id, D) }
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

/// Boxes looked at to choose a lattice.
const SAMPLE: usize = 128;
/// A cell is at least so many times as long as the boxes are on average: few boxes then touch more than one.
const LEAST_EDGE: f32 = 2.5;

/// Equal cells, numbered along each axis; the outermost ones reach to infinity.
///
/// The cell of a coordinate is a monotone function of it, whatever the rounding: that is all that correctness needs, so the
/// lattice may be chosen from a sample.
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

impl<const D: usize> Lattice<D> {
    /// A lattice of about `cells` cells for `len` entries, judged by a sample of them; `None` if it would have one cell only.
    pub(super) fn choose(len: usize, cells: usize, entry: impl Fn(usize) -> Entry<D>) -> Option<Self> {
        let mut low = [f32::INFINITY; D];
        let mut high = [f32::NEG_INFINITY; D];
        let (mut extent, mut seen) = ([0.0f32; D], [0u32; D]);
        let samples = len.min(SAMPLE);
        for i in 0..samples {
            let e = entry(i * len / samples);
            for k in 0..D {
                if e.min[k].is_finite() && e.max[k].is_finite() {
                    low[k] = low[k].min(e.min[k]);
                    high[k] = high[k].max(e.max[k]);
                    extent[k] += e.max[k] * 0.5 - e.min[k] * 0.5;
                    seen[k] += 1;
                }
            }
        }
        let mut edge = [0.0f32; D];
        let mut least = [0.0f32; D];
        for k in 0..D {
            if seen[k] > 0 {
                edge[k] = high[k] * 0.5 - low[k] * 0.5;
                least[k] = extent[k] / seen[k] as f32 * LEAST_EDGE;
            }
        }
        let mut count = [1u32; D];
        let mut total = 1;
        while total * 2 <= cells {
            let longest = (0..D).filter(|&k| edge[k] * 0.5 >= least[k] && edge[k] > 0.0);
            let Some(k) = longest.reduce(|a, b| if edge[b] > edge[a] { b } else { a }) else { break };
            count[k] *= 2;
            edge[k] *= 0.5;
            total *= 2;
        }
        let lanes = |value: &dyn Fn(usize) -> f32| {
            f32x4::new(std::array::from_fn(|k| if k < D { value(k) } else { 0.0 }))
        };
        (total > 1).then(|| Self {
            low: lanes(&|k| if low[k].is_finite() { low[k] } else { 0.0 }),
            // Half edges were halved as the cells were. A positive scale keeps ∞ · 0 away.
            scale: lanes(&|k| {
                if edge[k] > 0.0 {
                    (0.5 / edge[k]).clamp(f32::MIN_POSITIVE, f32::MAX)
                } else {
                    f32::MIN_POSITIVE
                }
            }),
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
            // No lane is NaN, so minimum and maximum are the same everywhere; the result is in range, so is its whole part.
            let cell = ((at - self.low) * self.scale).fast_max(f32x4::ZERO).fast_min(self.last);
            cell.fast_trunc_int()
        };
        Range { first: index(&entry.min), last: index(&entry.max) }
    }

    /// Number of a cell.
    #[inline]
    pub(super) fn number(&self, cell: [u32; D]) -> usize {
        (0..D).fold(0, |number, k| number * self.count[k] as usize + cell[k] as usize)
    }
}
