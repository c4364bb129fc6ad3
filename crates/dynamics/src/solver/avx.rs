//! Eight numbers in one register, for machines with AVX.
//!
//! Values of [`Eight`] are only made and used below functions that are compiled for AVX2 and called after asking the processor
//! for it ([`super::wide`]).

// The operations are instructions that not every machine has; who uses the type has asked for them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _mm256_add_ps, _mm256_blendv_ps, _mm256_cmp_ps, _mm256_div_ps, _mm256_load_ps,
    _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_permute2f128_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_shuffle_ps, _mm256_sqrt_ps, _mm256_store_ps, _mm256_sub_ps, _mm256_unpackhi_ps,
    _mm256_unpacklo_ps, _mm256_xor_ps,
};
use std::ops::{Add, Mul, Neg, Sub};

use super::lanes::{Lanes, Vec3Lanes};
use super::rows::{FIXED, Half, Rows};

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Eight(__m256);

/// A register of numbers.
#[inline(always)]
fn from_array(array: [f32; 8]) -> __m256 {
    // SAFETY: eight `f32` in order, without padding, are a register of eight `f32`.
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
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [Vec3Lanes<Self>; 2] {
        let mut quads = [[from_array([0.0; 8]); 3]; 2];
        for (quad, which) in quads.iter_mut().zip(which.chunks_exact(4)) {
            // SAFETY: the processor has AVX, see the head of the file; the address is that of eight numbers, as aligned as needed,
            // that nobody writes meanwhile.
            unsafe {
                let [a, b, c, d] = [
                    _mm256_load_ps(rows.address(which[0], half).cast()),
                    _mm256_load_ps(rows.address(which[1], half).cast()),
                    _mm256_load_ps(rows.address(which[2], half).cast()),
                    _mm256_load_ps(rows.address(which[3], half).cast()),
                ];
                let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                // The first part in the lower half, the second in the upper.
                *quad = [
                    _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
                    _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
                    _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                ];
            }
        }
        let [[x, y, z], [u, v, w]] = quads;
        // SAFETY: the processor has AVX, see the head of the file.
        unsafe {
            [
                Vec3Lanes {
                    x: Self(_mm256_permute2f128_ps::<LOWER>(x, u)),
                    y: Self(_mm256_permute2f128_ps::<LOWER>(y, v)),
                    z: Self(_mm256_permute2f128_ps::<LOWER>(z, w)),
                },
                Vec3Lanes {
                    x: Self(_mm256_permute2f128_ps::<UPPER>(x, u)),
                    y: Self(_mm256_permute2f128_ps::<UPPER>(y, v)),
                    z: Self(_mm256_permute2f128_ps::<UPPER>(z, w)),
                },
            ]
        }
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, [a, b]: &[Vec3Lanes<Self>; 2]) {
        // SAFETY: the processor has AVX, see the head of the file.
        let quads = unsafe {
            [
                [
                    _mm256_permute2f128_ps::<LOWER>(a.x.0, b.x.0),
                    _mm256_permute2f128_ps::<LOWER>(a.y.0, b.y.0),
                    _mm256_permute2f128_ps::<LOWER>(a.z.0, b.z.0),
                ],
                [
                    _mm256_permute2f128_ps::<UPPER>(a.x.0, b.x.0),
                    _mm256_permute2f128_ps::<UPPER>(a.y.0, b.y.0),
                    _mm256_permute2f128_ps::<UPPER>(a.z.0, b.z.0),
                ],
            ]
        };
        for ([x, y, z], which) in quads.into_iter().zip(which.chunks_exact(4)) {
            // SAFETY: the processor has AVX, see the head of the file; the address is that of eight numbers, as aligned as needed,
            // that nobody else has a hand on meanwhile.
            unsafe {
                let (xy_low, xy_high) = (_mm256_unpacklo_ps(x, y), _mm256_unpackhi_ps(x, y));
                let nothing = _mm256_setzero_ps();
                let (z_low, z_high) = (_mm256_unpacklo_ps(z, nothing), _mm256_unpackhi_ps(z, nothing));
                let halves = [
                    _mm256_shuffle_ps::<0b01_00_01_00>(xy_low, z_low),
                    _mm256_shuffle_ps::<0b11_10_11_10>(xy_low, z_low),
                    _mm256_shuffle_ps::<0b01_00_01_00>(xy_high, z_high),
                    _mm256_shuffle_ps::<0b11_10_11_10>(xy_high, z_high),
                ];
                for lane in 0..4 {
                    if which[lane] != FIXED {
                        _mm256_store_ps(rows.address(which[lane], half).cast(), halves[lane]);
                    }
                }
            }
        }
    }
}

/// The lower halves of two registers.
const LOWER: i32 = 0x20;
/// The upper halves.
const UPPER: i32 = 0x31;

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
