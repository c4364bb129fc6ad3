//! Eight boxes in SIMD lanes, tested against one box at once.
//!
//! First the eight lowest x, then the eight lowest y …, so that a comparison of vectors compares
//! eight boxes on one axis. An empty place holds NaN, which overlaps nothing, not even an infinite
//! box.

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::Aabb;

/// Boxes per block.
pub(crate) const WIDTH: usize = 8;

/// Eight boxes or empty places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<const D: usize> {
    min: [f32x8; D],
    max: [f32x8; D],
}

/// Half the surface of a box, in the plane half its outline: how likely a box is met. Sides longer
/// than `longest` count as that long, so that the measure of a valid box is never infinite or NaN.
#[inline]
pub(crate) fn area<const D: usize>(aabb: &Aabb<D>, longest: f32) -> f32 {
    let sides: [f32; D] = std::array::from_fn(|k| {
        let side = aabb.max[k] - aabb.min[k];
        if side < longest { side } else { longest }
    });
    if D < 3 {
        return sides.iter().sum();
    }
    (0..D).fold(0.0, |sum, k| sum + sides[k] * sides[(k + 1) % D])
}

impl<const D: usize> Block<D> {
    pub(crate) const EMPTY: Self =
        Self { min: [f32x8::new([f32::NAN; WIDTH]); D], max: [f32x8::new([f32::NAN; WIDTH]); D] };

    /// The box in a place; meaningless if it is empty.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Aabb<D> {
        Aabb {
            min: std::array::from_fn(|k| self.min[k].as_array()[place]),
            max: std::array::from_fn(|k| self.max[k].as_array()[place]),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, place: usize, aabb: &Aabb<D>) {
        for k in 0..D {
            self.min[k].as_mut_array()[place] = aabb.min[k];
            self.max[k].as_mut_array()[place] = aabb.max[k];
        }
    }

    /// Empties a place.
    pub(crate) fn clear(&mut self, place: usize) {
        self.set(place, &Aabb::new([f32::NAN; D], [f32::NAN; D]));
    }

    /// The smallest box around all; [`Aabb::EMPTY`] around none.
    #[inline]
    pub(crate) fn bounds(&self) -> Aabb<D> {
        let mut all = Aabb::EMPTY;
        for k in 0..D {
            // False for empty places.
            for &c in self.min[k].as_array() {
                all.min[k] = if c < all.min[k] { c } else { all.min[k] };
            }
            for &c in self.max[k].as_array() {
                all.max[k] = if c > all.max[k] { c } else { all.max[k] };
            }
        }
        all
    }

    /// One bit per place whose box overlaps.
    #[inline]
    pub(crate) fn overlapping(&self, query: &Aabb<D>) -> u32 {
        let mut all =
            f32x8::splat(query.max[0]).simd_ge(self.min[0]) & f32x8::splat(query.min[0]).simd_le(self.max[0]);
        for k in 1..D {
            all &= f32x8::splat(query.max[k]).simd_ge(self.min[k]);
            all &= f32x8::splat(query.min[k]).simd_le(self.max[k]);
        }
        all.to_bitmask()
    }

    /// The same in lanes of a kind: one register where the processor has them.
    #[inline(always)]
    pub(crate) fn overlapping_in<L: SimdFloat>(&self, query: &Aabb<D>) -> u32 {
        let lanes = |of: &f32x8| {
            let of = of.as_array();
            L::from_fn(|lane| of[lane])
        };
        let begins = |k: usize| lanes(&self.min[k]).at_most(L::splat(query.max[k]));
        let ends = |k: usize| L::splat(query.min[k]).at_most(lanes(&self.max[k]));
        let mut all = begins(0) & ends(0);
        for k in 1..D {
            all = all & begins(k) & ends(k);
        }
        L::bits(all)
    }

    /// Sum of the [areas](area) of the boxes that there are.
    pub(crate) fn area(&self, longest: f32) -> f32 {
        (0..WIDTH).map(|place| self.get(place)).filter(Aabb::is_valid).map(|aabb| area(&aabb, longest)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_box() -> impl Strategy<Value = Aabb<3>> {
        let end = prop_oneof![9 => (-3i8..4).prop_map(f32::from), 1 => Just(f32::INFINITY), 1 => Just(f32::NEG_INFINITY)];
        prop::array::uniform3((end.clone(), end))
            .prop_map(|e| Aabb { min: e.map(|(a, b)| a.min(b)), max: e.map(|(a, b)| a.max(b)) })
    }

    proptest! {
        #[test]
        fn eight_at_once_are_eight_one_by_one(
            boxes in prop::array::uniform8(prop::option::of(any_box())),
            query in any_box(),
        ) {
            let mut block = Block::EMPTY;
            let (mut mask, mut bounds, mut sum) = (0, Aabb::EMPTY, 0.0);
            for (place, aabb) in boxes.iter().enumerate() {
                // Whatever was there before is gone.
                block.set(place, &query);
                match aabb {
                    Some(aabb) => {
                        block.set(place, aabb);
                        prop_assert_eq!(block.get(place), *aabb);
                        mask |= u32::from(aabb.overlaps(&query)) << place;
                        bounds = bounds.union(aabb);
                        sum += area(aabb, 50.0);
                    }
                    None => block.clear(place),
                }
            }
            prop_assert_eq!(block.overlapping(&query), mask);
            prop_assert_eq!(block.bounds(), bounds);
            prop_assert_eq!(block.area(50.0), sum);
            prop_assert!(sum.is_finite());
        }
    }

    #[test]
    fn areas_are_half_the_surface() {
        assert_eq!(area(&Aabb::new([0.0; 3], [1.0, 2.0, 3.0]), 10.0), 11.0);
        assert_eq!(area(&Aabb::new([0.0; 2], [1.0, 2.0]), 10.0), 3.0);
        assert_eq!(area(&Aabb::new([0.0, 0.0], [f32::INFINITY, 2.0]), 10.0), 12.0);
    }
}
