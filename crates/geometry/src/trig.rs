//! Elementary functions with the same bits on every platform.
//!
//! The platform's own functions differ between C libraries, so simulation code never calls them. Only `+`, `−`, `×`,
//! `÷`, square root and integer arithmetic are used here, all exact or correctly rounded by IEEE 754; there is no fused
//! multiply-add. Special values follow Annex F of the C99 standard; a domain error is a NaN and nothing else.
//!
//! | functions | `f32` | `f64` |
//! |---|---|---|
//! | [`sin_cos`], [`sin`], [`cos`] | correctly rounded | [`sin_cos_f64`] |
//! | [`tan`] | correctly rounded | [`tan_f64`] |
//! | [`asin`], [`acos`] | correctly rounded | [`asin_f64`], [`acos_f64`] |
//! | [`atan`], [`atan2`] | correctly rounded | [`atan_f64`], [`atan2_f64`] |
//! | [`exp`], [`exp2`] | correctly rounded | [`exp_f64`] |
//! | [`ln`], [`log2`] | correctly rounded | [`ln_f64`] |
//! | [`powf`] | correctly rounded | [`pow_f64`] |
//! | [`cbrt`], [`hypot`] | correctly rounded | |
//!
//! *Correctly rounded* means the `f32` nearest to the true value. The functions work in `f64`, whose error is some 2⁻²⁹
//! of the spacing of `f32`, and round once, so only inputs whose value lies within that of a midpoint between two `f32`
//! can go wrong. Functions of one argument have been run over all 2³² inputs, and those that close to a midpoint, some
//! dozens per function, compared with 200-bit arithmetic; they are kept as tests. Functions of two arguments notice
//! closeness to a midpoint and decide it by arithmetic of twice the length ([`atan2`] and [`powf`]) or exactly
//! ([`hypot`]).

mod arc;
mod arctangent;
mod choice;
mod exponential;
mod logarithm;
mod pair;
mod polynomial;
mod power;
mod root;
mod rounding;
mod sine;
mod tangent;

pub use arc::{acos, acos_f64, asin, asin_f64};
pub use arctangent::{atan, atan_f64, atan2, atan2_f64};
pub use exponential::{exp, exp_f64, exp2};
pub use logarithm::{ln, ln_f64, log2};
pub use power::{pow_f64, powf};
pub use root::{cbrt, hypot};
pub use sine::{cos, sin, sin_cos, sin_cos_f64};
pub use tangent::{tan, tan_f64};
