//! The cells of a multi-sweep: columns along the swept axis, of a size that makes sweeps short.
//!
//! The index of a cell is a monotone function of the coordinate and saturates at the border, so
//! every box has cells wherever it is, and boxes that overlap share one. Sizes follow from a sample
//! of boxes by quantiles: a few boxes far away or of enormous size do not spoil them.

use crate::Table;

/// Boxes looked at.
const SAMPLE: usize = 128;
/// Tests per box that a sweep may take; they come eight at a time.
const TESTS: f32 = 6.0;
/// Least size of a cell in sizes of a box: at three a box is in 1.8 cells of a grid of columns on
/// average.
const SIZES: f32 = 3.0;
/// Most cells along an axis.
const MOST: u32 = 1024;
/// Least size of a cell, metres: its inverse is a number.
const LEAST: f32 = 1e-30;

/// A grid across the swept axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<const D: usize> {
    /// The swept axis first.
    pub(super) axes: [usize; D],
    /// Per entry of `axes`; the first one is not used.
    origin: [f32; D],
    size: [f32; D],
    inverse: [f32; D],
    /// Cells along each; 1 along the first.
    pub(super) count: [u32; D],
    /// By axis, how far the boxes are spread, metres; the largest number there is if they are
    /// infinitely far.
    pub(super) range: [f32; D],
}

/// What a sample says about an axis.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    low: f32,
    range: f32,
    /// Of a large box, not of the largest.
    size: f32,
}

/// Up to `most` of the numbers below `len`, some perhaps twice: all, or scattered by multiples of
/// the golden ratio. A plain stride may fall into step with the boxes, and see only the walls.
pub(super) fn sample(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let scattered = move |at: usize| {
        let hash = (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        ((hash * len as u64) >> 32) as usize
    };
    (0..len.min(most)).map(move |at| if len <= most { at } else { scattered(at) })
}

/// Where boxes are on an axis, by quantiles. `numbers` is scratch.
fn spread<const D: usize>(table: &Table<D>, ids: &[u32], axis: usize, numbers: &mut Vec<f32>) -> Spread {
    let boxes = || sample(ids.len(), SAMPLE).map(|at| table.aabb(ids[at]));
    let mut sorted = |value: &dyn Fn(f32, f32) -> f32| {
        numbers.clear();
        numbers.extend(boxes().map(|b| value(b.min[axis], b.max[axis])).filter(|v| v.is_finite()));
        numbers.sort_unstable_by(f32::total_cmp);
        let len = numbers.len();
        // The first, last and a late one, without the outermost 3 %.
        (len > 0).then(|| (numbers[len / 32], numbers[len - 1 - len / 32], numbers[len * 3 / 4]))
    };
    let (Some((low, high, _)), Some((_, _, size))) =
        (sorted(&|min, max| min * 0.5 + max * 0.5), sorted(&|min, max| max - min))
    else {
        return Spread::default();
    };
    let width = high - low;
    let range = if width.is_finite() { width * 1.1 } else { f32::MAX };
    Spread { low: low - width * 0.05, range: if range.is_finite() { range } else { f32::MAX }, size }
}

impl<const D: usize> Cells<D> {
    /// Cells for the boxes of a table, of a given size if there is one; larger if there would be
    /// too many.
    pub(super) fn fit(table: &Table<D>, ids: &[u32], wanted: Option<f32>, numbers: &mut Vec<f32>) -> Self {
        let spreads: [Spread; D] = std::array::from_fn(|axis| spread(table, ids, axis, numbers));
        // The part of the axis that a box takes: of a sweep, the part of the boxes that it is
        // tested against.
        let part = |axis: usize| {
            let Spread { range, size, .. } = spreads[axis];
            if size < range { size / range } else { 1.0 }
        };
        let swept = (1..D).fold(0, |best, axis| if part(axis) < part(best) { axis } else { best });
        let axes = std::array::from_fn(|k| (swept + k) % D);
        let wanted_cells = ids.len() as f32 * part(swept) / TESTS;
        let along = if D == 2 { wanted_cells } else { wanted_cells.sqrt() };
        let most = (ids.len() as u32).saturating_mul(4).max(64);
        let most = if D == 2 { most.min(MOST) } else { most.isqrt().min(MOST) };
        let (mut origin, mut sizes, mut inverse, mut count) = ([0.0; D], [1.0; D], [1.0; D], [1; D]);
        for k in 1..D {
            let Spread { low, range, size } = spreads[axes[k]];
            let automatic = larger(range / larger(along, 1.0), SIZES * size);
            let cell = larger(wanted.unwrap_or(automatic), larger(range / most as f32, LEAST));
            let cell = if cell.is_finite() { cell } else { f32::MAX };
            // The cast saturates.
            (origin[k], sizes[k], inverse[k]) =
                (if low.is_finite() { low } else { -f32::MAX }, cell, 1.0 / cell);
            count[k] = (range / cell) as u32 + 1;
        }
        Self { axes, origin, size: sizes, inverse, count, range: spreads.map(|spread| spread.range) }
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.count.iter().map(|&count| count as usize).product()
    }

    /// The cell along entry `k` of the axes in which a coordinate lies.
    #[inline]
    pub(super) fn index(&self, k: usize, value: f32) -> u32 {
        // The cast drops the fraction and saturates, below at 0; infinities are no NaN, the other
        // numbers being finite.
        (((value - self.origin[k]) * self.inverse[k]) as u32).min(self.count[k] - 1)
    }

    /// What sizes were found.
    pub(super) fn remark(&self) -> String {
        let text = |parts: Vec<String>| parts.join(" × ");
        let sizes = (1..D).map(|k| format!("{:.3}", self.size[k])).collect();
        let counts = (1..D).map(|k| self.count[k].to_string()).collect();
        let axis = ["x", "y", "z"].get(self.axes[0]).copied().unwrap_or("?");
        format!("{} columns along {axis}, {} m wide", text(counts), text(sizes))
    }
}

/// The larger of two numbers, the first one if that is no number.
fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
