//! Elementary functions with the same bits on every platform.
//!
//! The platform's own functions differ between C libraries, so simulation code never calls them.
//! Only `+`, `−`, `×`, `÷`, square root and integer arithmetic are used here, all exact or
//! correctly rounded by IEEE 754; there is no fused multiply-add. Special values follow Annex F of
//! the C99 standard except that the sine of −0 is +0; a domain error is a NaN and nothing else.
//!
//! | functions | in `f64`, measured error in ulps |
//! |---|---|
//! | [`sin_cos`], [`sin`], [`cos`] | [`sin_cos_f64`], about 1 up to 2²⁰ |
//! | [`tan`] | [`tan_f64`], 0.9 up to 2²⁰ |
//! | [`asin`], [`acos`] | [`asin_f64`], [`acos_f64`], 1.1 |
//! | [`atan`], [`atan2`] | [`atan_f64`], [`atan2_f64`], 1.3 |
//! | [`exp`], [`exp2`] | [`exp_f64`], 0.6 |
//! | [`ln`], [`log2`] | [`ln_f64`], 0.6 |
//! | [`powf`] | [`pow_f64`], 0.6 |
//! | [`cbrt`], [`hypot`] | |
//!
//! The `f32` functions are **correctly rounded**: the result is the `f32` nearest to the true
//! value. They work in `f64`, whose error is some 2⁻²⁹ of the spacing of `f32`, and round once, so
//! only inputs whose value lies that close to a midpoint between two `f32` can go wrong. For
//! functions of one argument these inputs, at most a few dozen each, have been found by visiting
//! every `f32` and compared with 600-bit arithmetic; they are kept as tests (three exceptions are
//! named at [`sin_cos`]). Functions of two arguments notice the closeness and decide it by
//! arithmetic of twice the length ([`atan2`] and [`powf`]) or exactly ([`hypot`]).
//!
//! The errors in `f64` are the largest of 20 000 to 40 000 random arguments per function, compared
//! with 200-bit arithmetic.

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
