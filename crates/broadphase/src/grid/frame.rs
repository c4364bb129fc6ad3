//! From coordinates to cells.
//!
//! Invariant: [`Frame::cell`] never decreases when the coordinate increases, for all coordinates,
//! infinite ones included (the rounded difference, the rounded product, the clamp and the floor are
//! monotone one by one). All that grids promise rests on it, and on nothing else about rounding:
//! boxes that overlap have overlapping ranges of cells.

use carom_geometry::Aabb;

/// Coordinates of cells are at most so large where the grid has no border.
const FAR: f32 = (1 << 29) as f32;
/// Sizes of cells: smaller ones have no finite reciprocal, larger ones none that is normal. The
/// largest is longer than any crowd, so that one cell can hold it.
const SMALLEST: f32 = 1e-30;
const LARGEST: f32 = 4e37;
/// Coordinates are clamped to this before differences are taken, so that no sum overflows.
const CLAMP: f32 = 1e37;
/// Cells along an axis at most: above it, indices have gaps in single precision.
const MOST_PER_AXIS: f64 = (1 << 22) as f64;
/// Boxes looked at for the place of the crowd.
const SAMPLE: usize = 512;

/// A grid in space: where it begins, how large its cells are, where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<const D: usize> {
    origin: [f32; D],
    size: f32,
    inverse: f32,
    /// Lowest and highest cell per axis; what lies beyond belongs to these.
    low: [f32; D],
    high: [f32; D],
}

impl<const D: usize> Frame<D> {
    /// Without borders.
    pub(super) fn unbounded(size: f32) -> Self {
        let size = size.clamp(SMALLEST, LARGEST);
        Self { origin: [0.0; D], size, inverse: 1.0 / size, low: [-FAR; D], high: [FAR; D] }
    }

    /// Over the crowd, with at least `size` cells and at most `most` of them; what is outside the
    /// crowd belongs to the cells at the border.
    pub(super) fn bounded(crowd: &Aabb<D>, size: f32, most: usize) -> Self {
        let mut size = size.clamp(SMALLEST, LARGEST);
        let count =
            |size: f32, k: usize| (f64::from(crowd.max[k] - crowd.min[k]) / f64::from(size)).floor() + 1.0;
        // At most 1 200 rounds from the smallest to the largest size.
        while size < LARGEST
            && ((0..D).fold(1.0, |cells, k| cells * count(size, k)) > most as f64
                || (0..D).any(|k| count(size, k) > MOST_PER_AXIS))
        {
            size *= 1.125;
        }
        let high = std::array::from_fn(|k| (count(size, k) as f32 - 1.0).min(MOST_PER_AXIS as f32));
        Self { origin: crowd.min, size, inverse: 1.0 / size, low: [0.0; D], high }
    }

    /// The cell of a coordinate on axis `k`.
    #[inline]
    pub(super) fn cell(&self, coordinate: f32, k: usize) -> i32 {
        // The factors are finite and not zero, so there is no NaN, and whether a zero is negative
        // makes no difference.
        let at = ((coordinate - self.origin[k]) * self.inverse).max(self.low[k]).min(self.high[k]);
        let whole = at as i32;
        whole - i32::from(at < whole as f32)
    }

    /// Number of cells on axis `k` of a bounded grid.
    pub(super) fn cells(&self, k: usize) -> u32 {
        self.high[k] as u32 + 1
    }

    /// Edge of a cell.
    pub(super) fn size(&self) -> f32 {
        self.size
    }

    /// An interval around all coordinates of a cell on axis `k`, rounding included; without end at
    /// the borders.
    pub(super) fn interval(&self, cell: i32, k: usize) -> (f32, f32) {
        let (first, last) = (cell as f32 <= self.low[k], cell as f32 >= self.high[k]);
        let begin = self.origin[k] + cell as f32 * self.size;
        let magnitude = self.origin[k].abs() + (cell as f32 + 2.0).abs() * self.size;
        let slack = 0.01 * self.size + 8.0 * f32::EPSILON * magnitude;
        (
            if first { f32::NEG_INFINITY } else { begin - slack },
            if last { f32::INFINITY } else { begin + self.size + slack },
        )
    }
}

/// Largest extent of a box.
pub(super) fn extent<const D: usize>(aabb: &Aabb<D>) -> f32 {
    // Both ends may be the same infinity: such a box is as large as can be.
    (0..D).fold(0.0, |most, k| {
        let width = aabb.max[k] - aabb.min[k];
        if width > most || width.is_nan() { if width.is_nan() { f32::INFINITY } else { width } } else { most }
    })
}

/// Up to `most` elements (or all of so few), spread without a regular step: whoever is inserted in
/// turns into two crowds would else be seen in one only.
pub(crate) fn sample<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let every = list.len() <= most;
    (0..list.len().min(most)).map(move |i| {
        // Multiples of the golden ratio, modulo 1, as a share of the list.
        let share = u64::from((i as u32).wrapping_mul(0x9E37_79B9));
        &list[if every { i } else { ((share * list.len() as u64) >> 32) as usize }]
    })
}

/// Finds where most boxes are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd {
    sample: Vec<f32>,
}

impl Crowd {
    /// A box around nearly all of the boxes (finite, whatever they are): all but the far-off, who
    /// must not make cells so large that the others fall into one. The quantiles 1/64 and 63/64 of
    /// a sample on each axis, widened by a quarter of their distance, cut to what there is.
    pub(crate) fn locate<const D: usize>(&mut self, boxes: &[Aabb<D>], ids: &[u32]) -> Aabb<D> {
        let place = |c: f32| c.clamp(-CLAMP, CLAMP);
        let mut crowd = Aabb { min: [0.0; D], max: [0.0; D] };
        if ids.is_empty() {
            return crowd;
        }
        for k in 0..D {
            let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
            for &id in ids {
                let at = place(boxes[id as usize].min[k]);
                low = low.min(at);
                high = high.max(at);
            }
            self.sample.clear();
            self.sample.extend(sample(ids, SAMPLE).map(|&id| place(boxes[id as usize].min[k])));
            let (rank, count) = (self.sample.len() / 64, self.sample.len());
            let first = *self.sample.select_nth_unstable_by(rank, f32::total_cmp).1;
            let last = *self.sample.select_nth_unstable_by(count - 1 - rank, f32::total_cmp).1;
            let widened = 0.25 * (last - first);
            crowd.min[k] = low.max(first - widened);
            crowd.max[k] = high.min(last + widened);
        }
        crowd
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sample.capacity() * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![-100.0f32..100.0, any::<f32>().prop_filter("no place", |c| !c.is_nan())]
    }

    proptest! {
        #[test]
        fn cells_follow_the_order_of_coordinates_and_contain_them(
            ends in prop::array::uniform2(coordinate()),
            [a, b] in prop::array::uniform2(coordinate()),
            size in prop_oneof![0.01f32..10.0, any::<f32>().prop_filter("no size", |s| *s >= 0.0)],
            most in 1usize..100_000,
        ) {
            let crowd = Aabb { min: [ends[0].min(ends[1]).clamp(-CLAMP, CLAMP)], max: [ends[0].max(ends[1]).clamp(-CLAMP, CLAMP)] };
            for frame in [Frame::<1>::unbounded(size), Frame::bounded(&crowd, size, most)] {
                let (first, second) = (frame.cell(a.min(b), 0), frame.cell(a.max(b), 0));
                prop_assert!(first <= second);
                let (low, high) = frame.interval(first, 0);
                prop_assert!(low <= a.min(b) && a.min(b) <= high, "{low} {high} {frame:?}");
            }
            prop_assert!(Frame::bounded(&crowd, size, most).cells(0) as usize <= most);
        }
    }

    #[test]
    fn one_cell_can_hold_the_widest_crowd() {
        let crowd = Aabb { min: [-CLAMP], max: [CLAMP] };
        assert_eq!(Frame::bounded(&crowd, 0.01, 1).cells(0), 1);
    }

    #[test]
    fn samples_are_everything_or_spread_over_it() {
        let list: Vec<u32> = (0..1000).collect();
        assert!(sample(&list[..50], 50).eq(&list[..50]));
        for modulus in [2, 4, 8] {
            let rest = |&&i: &&u32| i % modulus == 1;
            let share = sample(&list, 100).filter(rest).count() as u32 * modulus;
            assert!((60..140).contains(&share), "{share} % of those with remainder 1 modulo {modulus}");
        }
        let halves = sample(&list, 100).filter(|&&i| i < 500).count();
        assert!((45..55).contains(&halves));
    }

    #[test]
    fn a_stray_box_does_not_stretch_the_crowd() {
        let mut boxes: Vec<Aabb<2>> =
            (0..1000).map(|i| Aabb::new([(i % 40) as f32, (i / 40) as f32], [50.0; 2])).collect();
        boxes.push(Aabb::new([1e30; 2], [1e30; 2]));
        boxes.push(Aabb::new([f32::NEG_INFINITY; 2], [1.0; 2]));
        let ids: Vec<u32> = (0..boxes.len() as u32).collect();
        let crowd = Crowd::default().locate(&boxes, &ids);
        assert!(crowd.min[0] >= -12.0 && crowd.max[0] <= 52.0, "{crowd:?}");
        let frame = Frame::bounded(&crowd, 1.0, 4000);
        assert_eq!(frame.size(), 1.0);
        assert_eq!(frame.cell(1e30, 0), frame.cells(0) as i32 - 1);
        assert_eq!(frame.cell(f32::NEG_INFINITY, 0), 0);
    }
}
