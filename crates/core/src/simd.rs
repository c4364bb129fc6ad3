//! SIMD: several `f32` per instruction, with the same bits on every platform.
//!
//! Kernels are written once over [`SimdFloat`]; its instances differ in width. Only operations that
//! are exact or correctly rounded are offered, so each lane computes what the scalar instance
//! computes, to the bit: the scalar instance is the oracle of the others and the fallback. There is
//! no `mul_add`, no approximate reciprocal or root and nothing transcendental. Minimum and maximum
//! are defined by a comparison, because processors differ in how they treat zeros and NaN.
//!
//! | type | lanes | where |
//! |---|---|---|
//! | `f32` | 1 | everywhere; the scalar twin |
//! | [`f32x4`] | 4 | every x86-64 and ARM64 without asking, elsewhere emulated |
//! | [`f32x8`] | 8 | two registers of four, or one if the whole program is built for AVX |
//! | `Avx8` | 8 | one AVX register, chosen at run time |
//! | [`Pair`] | 2 × | any of them twice |
//!
//! The vectors come from the crate `wide`, whose exact operations may be used directly on them.
//! [`dispatch`] compiles a kernel for instructions that not every processor has.
//!
//! | module | holds |
//! |---|---|
//! | `float` | [`SimdFloat`] for `f32`, [`f32x4`] and [`f32x8`] |
//! | `pair` | [`Pair`]: twice as many lanes |
//! | `avx` | `Avx8`: eight lanes in one register, x86-64 only |
//! | `vec3` | [`SimdVec3`], [`SimdQuat`]: vectors and rotations, one per lane |
//! | [`dispatch`] | instruction sets chosen when the program runs |

#[cfg(target_arch = "x86_64")]
mod avx;
pub mod dispatch;
mod float;
mod pair;
mod vec3;

#[cfg(target_arch = "x86_64")]
pub use avx::Avx8;
pub use float::SimdFloat;
pub use pair::Pair;
pub use vec3::{SimdQuat, SimdVec3};
pub use wide::{f32x4, f32x8, i32x4};
