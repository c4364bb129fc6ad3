//! Rows of bodies in lanes of AVX registers.
//!
//! Values of [`Avx8`] are only made and used below kernels that are compiled for AVX2 and run after
//! asking the processor for it ([`super::wide`]).

// The operations are instructions that not every processor has; who uses the type has asked for
// them.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    _mm256_load_ps, _mm256_permute2f128_ps, _mm256_setzero_ps, _mm256_shuffle_ps, _mm256_store_ps,
    _mm256_unpackhi_ps, _mm256_unpacklo_ps,
};

use carom_core::simd::{Avx8, SimdVec3};

use super::lanes::SolverLanes;
use super::rows::{FIXED, Half, Rows};

impl SolverLanes for Avx8 {
    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [SimdVec3<Self>; 2] {
        let mut quads = [[Self::default().register(); 3]; 2];
        for (quad, which) in quads.iter_mut().zip(which.chunks_exact(4)) {
            // SAFETY: the processor has AVX, see the head of the file; the address is that of eight
            // numbers, as aligned as needed, that nobody writes meanwhile.
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
                SimdVec3 {
                    x: Self::from_register(_mm256_permute2f128_ps::<LOWER>(x, u)),
                    y: Self::from_register(_mm256_permute2f128_ps::<LOWER>(y, v)),
                    z: Self::from_register(_mm256_permute2f128_ps::<LOWER>(z, w)),
                },
                SimdVec3 {
                    x: Self::from_register(_mm256_permute2f128_ps::<UPPER>(x, u)),
                    y: Self::from_register(_mm256_permute2f128_ps::<UPPER>(y, v)),
                    z: Self::from_register(_mm256_permute2f128_ps::<UPPER>(z, w)),
                },
            ]
        }
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, [a, b]: &[SimdVec3<Self>; 2]) {
        // SAFETY: the processor has AVX, see the head of the file.
        let quads = unsafe {
            [
                [
                    _mm256_permute2f128_ps::<LOWER>(a.x.register(), b.x.register()),
                    _mm256_permute2f128_ps::<LOWER>(a.y.register(), b.y.register()),
                    _mm256_permute2f128_ps::<LOWER>(a.z.register(), b.z.register()),
                ],
                [
                    _mm256_permute2f128_ps::<UPPER>(a.x.register(), b.x.register()),
                    _mm256_permute2f128_ps::<UPPER>(a.y.register(), b.y.register()),
                    _mm256_permute2f128_ps::<UPPER>(a.z.register(), b.z.register()),
                ],
            ]
        };
        for ([x, y, z], which) in quads.into_iter().zip(which.chunks_exact(4)) {
            // SAFETY: the processor has AVX, see the head of the file; the address is that of eight
            // numbers, as aligned as needed, that nobody else has a hand on meanwhile.
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
    use crate::solver::lanes::tests::rows_come_and_go;
    use carom_core::simd::Pair;
    use carom_core::simd::dispatch::{Avx2, InstructionSet, Kernel};

    struct Compare;

    impl Kernel for Compare {
        #[inline(always)]
        fn run(self) {
            rows_come_and_go::<Avx8>();
            rows_come_and_go::<Pair<Avx8>>();
        }
    }

    #[test]
    fn rows_come_and_go_in_wide_registers() {
        if let Some(avx2) = Avx2::detect() {
            avx2.run(Compare);
        }
    }
}
