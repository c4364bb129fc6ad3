//! Eight numbers in one register, for machines with AVX.
//!
//! Values of [`Eight`] are only made and used below functions that are compiled for AVX2 and called after asking the processor
//! for it ([`super::wide`]).

// The operations are instructions that not every machine has; who uses the type has asked for them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _mm256_add_ps, _mm256_blendv_ps, _mm256_cmp_ps, _mm256_div_ps, _mm256_max_ps,
    _mm256_min_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_sqrt_ps,
    _mm256_sub_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps, _mm256_xor_ps,
};
use std::ops::{Add, Mul, Neg, Sub};

use super::lanes::{Lanes, Vec3Lanes};
use super::rows::{FIXED, Part, Rows};

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Eight(__m256);

/// The numbers of a register.
#[inline(always)]
fn to_array(value: __m256) -> [f32; 8] {
    // SAFETY: a register of eight `f32` is eight `f32` in order, without padding.
    unsafe { std::mem::transmute(value) }
}

#[inline(always)]
fn from_array(array: [f32; 8]) -> __m256 {
    // SAFETY: the same the other way round; every bit pattern is a number.
    unsafe { std::mem::transmute(array) }
}

impl Default for Eight {
    #[inline(always)]
    fn default() -> Self {
        Self(from_array([0.0; 8]))
    }
}

macro_rules! operator {
    ($trait:ident, $function:ident, $instruction:ident) => {
        impl $trait for Eight {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: the processor has AVX, see the head of the file.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}

operator!(Add, add, _mm256_add_ps);
operator!(Sub, sub, _mm256_sub_ps);
operator!(Mul, mul, _mm256_mul_ps);

impl Neg for Eight {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Lanes for Eight {
    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        // SAFETY: as in `to_array`, in place.
        let array = unsafe { &*(&raw const self.0).cast::<[f32; 8]>() };
        array[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: f32) {
        // SAFETY: as in `to_array`, in place. Through a copy it takes ten times as long.
        let array = unsafe { &mut *(&raw mut self.0).cast::<[f32; 8]>() };
        array[lane] = value;
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction takes the second if they are equal or one is NaN, as it is defined here.
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        unsafe {
            let mask = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_blendv_ps(no.0, yes.0, mask))
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the processor has AVX, see the head of the file.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], part: Part) -> Vec3Lanes<Self> {
        // Rows k and k + 4 share a register.
        let two = |k: usize| {
            let (low, high) = (rows.get(which[k], part), rows.get(which[k + 4], part));
            from_array([low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]])
        };
        let [x, y, z, _] = transposed([two(0), two(1), two(2), two(3)]);
        Vec3Lanes { x: Self(x), y: Self(y), z: Self(z) }
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], part: Part, values: &Vec3Lanes<Self>) {
        let parts = transposed([values.x.0, values.y.0, values.z.0, from_array([0.0; 8])]);
        for (k, both) in parts.into_iter().enumerate() {
            let [a, b, c, d, e, f, g, h] = to_array(both);
            if which[k] != FIXED {
                rows.set(which[k], part, [a, b, c, d]);
            }
            if which[k + 4] != FIXED {
                rows.set(which[k + 4], part, [e, f, g, h]);
            }
        }
    }
}

/// Both halves as 4 × 4 matrices, transposed.
#[inline(always)]
fn transposed([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the processor has AVX, see the head of the file.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::lanes::tests::agrees_with_one;

    #[test]
    fn eight_lanes_do_not_see_each_other() {
        if std::arch::is_x86_feature_detected!("avx2") {
            agrees_with_one::<Eight>();
        }
    }
}
