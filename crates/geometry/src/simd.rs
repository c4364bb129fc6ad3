//! Several `f32` per instruction, with the same bits on every platform.
//!
//! A thin choice from the crate `wide`: four lanes, which every x86-64 and ARM64 has without asking. Allowed are `+ − × ÷`,
//! comparisons, absolute value and the logic of masks, all exact or correctly rounded per lane, so a lane computes what the
//! same scalar expression computes. Not allowed are `mul_add`, `recip`, `recip_sqrt` and everything transcendental; minimum
//! and maximum treat NaN as the platform likes and are to be avoided too.
//!
//! Every function written with lanes has a scalar twin and a test that compares the two.

pub(crate) use wide::f32x4 as Lanes;

/// Numbers per vector.
pub(crate) const LANES: usize = 4;
