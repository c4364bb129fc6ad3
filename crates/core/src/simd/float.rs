//! The trait that kernels are written over, and its instances of one, four and eight lanes.
//!
//! Everything is `inline(always)`: a kernel compiled for wider instructions calls nothing that is
//! not.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use wide::{f32x4, f32x8};

/// A vector of `f32` of some width.
pub trait SimdFloat:
    'static
    + Copy
    + Debug
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// One truth value per lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// Number of lanes.
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// Lane `k` is `at(k)`.
    fn from_fn(at: impl FnMut(usize) -> f32) -> Self;
    /// The number in a lane.
    fn get(&self, lane: usize) -> f32;
    /// Writes the number in a lane.
    fn set(&mut self, lane: usize, value: f32);
    /// Square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Where this is less than the other.
    fn below(self, other: Self) -> Self::Mask;
    /// Where this is less than or equal to the other.
    fn at_most(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Bit `k` is lane `k` of the mask.
    fn bits(mask: Self::Mask) -> u32;

    /// The smaller number; `other` if they are equal or one is NaN.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        Self::select(self.below(other), self, other)
    }

    /// The larger number; `other` if they are equal or one is NaN.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        Self::select(other.below(self), self, other)
    }

    /// The nearest number of `[low, high]`.
    #[inline(always)]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// `yes` where this is above zero, `no` elsewhere.
    #[inline(always)]
    #[must_use]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self::select(Self::splat(0.0).below(self), yes, no)
    }

    /// True if the mask holds in any lane.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }
}

impl SimdFloat for f32 {
    type Mask = bool;

    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn from_fn(mut at: impl FnMut(usize) -> f32) -> Self {
        at(0)
    }

    #[inline(always)]
    fn get(&self, _: usize) -> f32 {
        *self
    }

    #[inline(always)]
    fn set(&mut self, _: usize, value: f32) {
        *self = value;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }

    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

macro_rules! wide_floats {
    ($($vector:ident, $width:literal, [$($lane:literal),*]);*) => {$(
        impl SimdFloat for $vector {
            type Mask = $vector;

            const WIDTH: usize = $width;

            #[inline(always)]
            fn splat(value: f32) -> Self {
                $vector::splat(value)
            }

            #[inline(always)]
            fn from_fn(mut at: impl FnMut(usize) -> f32) -> Self {
                // Written out: `array::from_fn` stays a loop of calls, four times as slow (batches
                // of spheres).
                $vector::new([$(at($lane)),*])
            }

            #[inline(always)]
            fn get(&self, lane: usize) -> f32 {
                self.as_array()[lane]
            }

            #[inline(always)]
            fn set(&mut self, lane: usize, value: f32) {
                self.as_mut_array()[lane] = value;
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $vector::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $vector::abs(self)
            }

            #[inline(always)]
            fn below(self, other: Self) -> Self {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn at_most(self, other: Self) -> Self {
                self.simd_le(other)
            }

            #[inline(always)]
            fn select(mask: Self, yes: Self, no: Self) -> Self {
                // The blend of `wide` is a call where the processor has no such instruction.
                no ^ ((yes ^ no) & mask)
            }

            #[inline(always)]
            fn bits(mask: Self) -> u32 {
                mask.to_bitmask()
            }

            // The instruction of these processors takes the second if they are equal or one is NaN,
            // as it is defined here; one instead of four.
            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                self.fast_min(other)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                self.fast_max(other)
            }
        }
    )*};
}

wide_floats!(f32x4, 4, [0, 1, 2, 3]; f32x8, 8, [0, 1, 2, 3, 4, 5, 6, 7]);

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::simd::{Pair, SimdVec3};
    use proptest::prelude::*;

    /// Everything the trait offers, on two numbers.
    fn all_operations<L: SimdFloat>(a: L, b: L) -> Vec<L> {
        let mask = a.below(b) | a.at_most(L::splat(0.0)) & !b.below(a);
        let v = SimdVec3 { x: a, y: b, z: a - b };
        let w = SimdVec3 { x: b, y: a + b, z: -a };
        let mut sum = v;
        sum.add_scaled(a, w);
        vec![
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.abs().sqrt(),
            (a * b) / (a - L::splat(7.5)),
            a.min(b),
            a.max(b),
            a.clamp(L::splat(-1.0), b),
            a.if_positive(b, -b),
            L::select(mask, a, b),
            L::splat(if L::any(a.below(b)) { 1.0 } else { 0.0 }),
            v.dot(w),
            v.cross(w).y,
            sum.z,
        ]
    }

    /// What decides about all lanes at once is compared apart from what each lane computes.
    const ANY: usize = 12;

    /// Every lane of a width computes what one lane computes.
    pub(in crate::simd) fn agrees_with_one<L: SimdFloat>(a: &[f32; 16], b: &[f32; 16]) {
        let wide = all_operations(L::from_fn(|k| a[k]), L::from_fn(|k| b[k]));
        for lane in 0..L::WIDTH {
            let single = all_operations::<f32>(a[lane], b[lane]);
            for (k, (wide, single)) in wide.iter().zip(single).enumerate() {
                let wide = wide.get(lane);
                let is_same = wide.to_bits() == single.to_bits() || wide.is_nan() && single.is_nan();
                assert!(is_same || k == ANY, "operation {k} of {} and {}: {wide} {single}", a[lane], b[lane]);
            }
        }
        let below = L::bits(L::from_fn(|k| a[k]).below(L::from_fn(|k| b[k])));
        let expected = (0..L::WIDTH).fold(0, |bits, k| bits | u32::from(a[k] < b[k]) << k);
        assert_eq!(below, expected);
        assert_eq!(wide[ANY].get(0), if expected != 0 { 1.0 } else { 0.0 });
        let mut changed = L::from_fn(|k| a[k]);
        for lane in 0..L::WIDTH {
            changed.set(lane, b[lane]);
            assert_eq!(changed.get(lane).to_bits(), b[lane].to_bits());
            let others = (0..L::WIDTH).skip(lane + 1);
            others.for_each(|k| assert_eq!(changed.get(k).to_bits(), a[k].to_bits()));
        }
    }

    /// Numbers of every size, many of them equal, and some that are none.
    pub(in crate::simd) fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => -2.0f32..2.0,
            4 => (-2i8..3).prop_map(f32::from),
            2 => prop::sample::select(vec![1e-20f32, -1e-16, 1e-9, -1e9, 1e15, 3e19]),
            1 => prop::sample::select(vec![f32::INFINITY, f32::NAN, f32::MAX, -0.0]),
        ]
    }

    proptest! {
        #[test]
        fn lanes_do_not_see_each_other(
            a in prop::array::uniform16(number()),
            b in prop::array::uniform16(number()),
        ) {
            agrees_with_one::<f32>(&a, &b);
            agrees_with_one::<f32x4>(&a, &b);
            agrees_with_one::<f32x8>(&a, &b);
            agrees_with_one::<Pair<f32x4>>(&a, &b);
            agrees_with_one::<Pair<Pair<f32x4>>>(&a, &b);
        }
    }
}
