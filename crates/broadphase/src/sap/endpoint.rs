//! The ends of boxes on an axis as plain numbers.
//!
//! An endpoint is 64 bits: the coordinate in a form that compares as an integer, then one bit that
//! is set for upper ends, then the id of the box. Integers in ascending order are endpoints in
//! ascending order, at equal values lower ends before upper ends, so that a box that touches
//! another overlaps it: `lower of a < upper of b` as integers iff `min a ≤ max b`. There are no
//! ties, hence one order only, whatever the history.

use carom_geometry::Aabb;

use crate::radix::{ordered, sort_by_upper_half};

/// Bit that tells upper ends.
const UPPER: u64 = 1 << 31;
/// Below every endpoint: the coordinate of −∞ is not 0.
pub(super) const SENTINEL: u64 = 0;

#[inline]
pub(super) fn lower(value: f32, id: u32) -> u64 {
    u64::from(ordered(value)) << 32 | u64::from(id)
}

#[inline]
pub(super) fn upper(value: f32, id: u32) -> u64 {
    lower(value, id) | UPPER
}

#[inline]
pub(super) fn is_upper(endpoint: u64) -> bool {
    endpoint & UPPER != 0
}

#[inline]
pub(super) fn id(endpoint: u64) -> u32 {
    (endpoint & (UPPER - 1)) as u32
}

/// An end of a box at coordinate 0, to be [moved].
#[inline]
pub(super) fn end_of(id: u32, is_upper: bool) -> u64 {
    if is_upper { upper(0.0, id) } else { lower(0.0, id) }
}

/// The same end of the same box at another coordinate, given as an integer.
#[inline]
pub(super) fn moved(endpoint: u64, ordered: u32) -> u64 {
    u64::from(ordered) << 32 | endpoint & u64::from(u32::MAX)
}

/// Appends both ends of a box.
#[inline]
pub(super) fn push_ends<const D: usize>(out: &mut Vec<u64>, aabb: &Aabb<D>, id: u32, axis: usize) {
    out.push(lower(aabb.min[axis], id));
    out.push(upper(aabb.max[axis], id));
}

/// What a sort has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) comparisons: u64,
    pub(super) exchanges: u64,
}

/// Moves the endpoint at `at` down to its place among those before it, which are in order. Element
/// 0 is the sentinel: no index is checked against the beginning. Calls `passed` for each endpoint
/// that is passed; returns how many.
#[inline]
pub(super) fn sink(endpoints: &mut [u64], at: usize, moving: u64, mut passed: impl FnMut(u64)) -> u64 {
    let mut hole = at;
    while endpoints[hole - 1] > moving {
        let other = endpoints[hole - 1];
        endpoints[hole] = other;
        passed(other);
        hole -= 1;
    }
    endpoints[hole] = moving;
    (at - hole) as u64
}

/// Insertion sort of everything after the sentinel at index 0.
pub(super) fn insertion_sort(endpoints: &mut [u64]) -> Work {
    let mut work = Work::default();
    for at in 1..endpoints.len() {
        let moving = endpoints[at];
        let exchanges = sink(endpoints, at, moving, |_| ());
        // One comparison more than exchanges: the one that ends the loop.
        work.comparisons += exchanges + 1;
        work.exchanges += exchanges;
    }
    work
}

/// Sorts endpoints: lower ends must stand before upper ones of the same value, and ids ascend.
pub(super) fn sort(items: &mut Vec<u64>, scratch: &mut Vec<u64>) {
    sort_by_upper_half(items, scratch);
    // Only runs of equal values are left to be put in order.
    let mut first = 0;
    for at in 1..=items.len() {
        if at == items.len() || items[at] >> 32 != items[first] >> 32 {
            if at - first > 1 {
                items[first..at].sort_unstable();
            }
            first = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -10.0f32..10.0,
            4 => (-3i8..3).prop_map(f32::from),
            1 => prop::sample::select(vec![f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, 0.0, -0.0, 1e-40, -1e-40]),
        ]
    }

    proptest! {
        #[test]
        fn integers_order_as_numbers_and_touching_counts(x in number(), y in number(), a in 0u32..9, b in 0u32..9) {
            prop_assert_eq!(ordered(x) < ordered(y), x < y);
            prop_assert_eq!(lower(x, a) < upper(y, b), x <= y);
            prop_assert!(lower(x, a) > SENTINEL);
            prop_assert!((id(upper(x, a)), is_upper(upper(x, a)), is_upper(lower(x, a))) == (a, true, false));
        }

        #[test]
        fn sentinel_sort_equals_library_sort(values in prop::collection::vec((number(), any::<bool>()), 0..200)) {
            let ends = |(id, (v, is_upper)): (u32, &(f32, bool))| if *is_upper { upper(*v, id) } else { lower(*v, id) };
            let mut list = vec![SENTINEL];
            list.extend((0..).zip(&values).map(ends));
            let mut expected = list.clone();
            expected.sort_unstable();
            let inversions = (0..list.len()).map(|i| list[..i].iter().filter(|e| **e > list[i]).count() as u64).sum::<u64>();
            let work = insertion_sort(&mut list);
            prop_assert_eq!(&list, &expected);
            prop_assert_eq!(work, Work { exchanges: inversions, comparisons: inversions + values.len() as u64 });
            // What is in order takes one comparison each.
            let again = insertion_sort(&mut list);
            prop_assert_eq!(again, Work { exchanges: 0, comparisons: values.len() as u64 });
        }

        #[test]
        fn sort_by_digits_equals_library_sort(values in prop::collection::vec((number(), any::<bool>()), 0..3000)) {
            let ends = |(id, (v, is_upper)): (u32, &(f32, bool))| if *is_upper { upper(*v, id) } else { lower(*v, id) };
            let mut list: Vec<u64> = (0..).zip(&values).map(ends).collect();
            list.reverse();
            let mut expected = list.clone();
            expected.sort_unstable();
            sort(&mut list, &mut Vec::new());
            prop_assert_eq!(list, expected);
        }
    }
}
