//! Eight numbers in one AVX register, for x86-64 processors that have them.
//!
//! Values of [`Avx8`] are only made and used in kernels that [`Avx2`](super::dispatch::Avx2) runs:
//! these are compiled for AVX2, and the processor was asked for it.

// The operations are instructions that not every processor has; who uses the type has asked for
// them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm256_add_ps, _mm256_and_ps, _mm256_andnot_ps,
    _mm256_blendv_ps, _mm256_cmp_ps, _mm256_div_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_sqrt_ps, _mm256_sub_ps,
    _mm256_xor_ps,
};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::float::SimdFloat;

/// Eight numbers, or a mask of them, in one register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Avx8(__m256);

impl Avx8 {
    /// The numbers of a register.
    #[inline(always)]
    #[must_use]
    pub fn from_register(register: __m256) -> Self {
        Self(register)
    }

    /// The register.
    #[inline(always)]
    #[must_use]
    pub fn register(self) -> __m256 {
        self.0
    }

    #[inline(always)]
    fn from_array(array: [f32; 8]) -> Self {
        // SAFETY: eight `f32` in order, without padding, are a register of eight `f32`.
        Self(unsafe { std::mem::transmute::<[f32; 8], __m256>(array) })
    }
}

impl Default for Avx8 {
    #[inline(always)]
    fn default() -> Self {
        Self::from_array([0.0; 8])
    }
}

macro_rules! operator {
    ($($trait:ident, $function:ident, $instruction:ident);*) => {$(
        impl $trait for Avx8 {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: the processor has AVX, see the head of the file.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    )*};
}

operator!(
    Add, add, _mm256_add_ps;
    Sub, sub, _mm256_sub_ps;
    Mul, mul, _mm256_mul_ps;
    Div, div, _mm256_div_ps;
    BitAnd, bitand, _mm256_and_ps;
    BitOr, bitor, _mm256_or_ps
);

impl Neg for Avx8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Not for Avx8 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(f32::from_bits(u32::MAX))) })
    }
}

impl SimdFloat for Avx8 {
    type Mask = Self;

    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn from_fn(mut at: impl FnMut(usize) -> f32) -> Self {
        Self::from_array([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)])
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        // SAFETY: as in `from_array`, in place.
        let array = unsafe { &*(&raw const self.0).cast::<[f32; 8]>() };
        array[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: f32) {
        // SAFETY: as in `from_array`, in place. Through a copy it takes ten times as long.
        let array = unsafe { &mut *(&raw mut self.0).cast::<[f32; 8]>() };
        array[lane] = value;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(mask: Self, yes: Self, no: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
    }

    #[inline(always)]
    fn bits(mask: Self) -> u32 {
        // SAFETY: the processor has AVX, see the head of the file.
        unsafe { _mm256_movemask_ps(mask.0) as u32 }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // The instruction takes the second if they are equal or one is NaN, as it is defined here.
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        unsafe {
            let mask = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_blendv_ps(no.0, yes.0, mask))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Pair;
    use crate::simd::dispatch::{Avx2, InstructionSet, Kernel};
    use crate::simd::float::tests::{agrees_with_one, number};
    use proptest::prelude::*;

    struct Compare<'a>(&'a [f32; 16], &'a [f32; 16]);

    impl Kernel for Compare<'_> {
        #[inline(always)]
        fn run(self) {
            agrees_with_one::<Avx8>(self.0, self.1);
            agrees_with_one::<Pair<Avx8>>(self.0, self.1);
        }
    }

    proptest! {
        #[test]
        fn eight_lanes_do_not_see_each_other(
            a in prop::array::uniform16(number()),
            b in prop::array::uniform16(number()),
        ) {
            if let Some(avx2) = Avx2::detect() {
                avx2.run(Compare(&a, &b));
            }
        }
    }
}
