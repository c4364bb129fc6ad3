//! Polynomials in Estrin's order: pairs first, so that a processor computes several products at
//! once.
//!
//! Where a fit is needed its coefficients come from Chebyshev interpolation with 70 digits of the
//! function named at the table (mpmath's `chebyfit`), rounded to `f64`; the error given there is
//! that of the rounded coefficients.

/// `c₀ + c₁x + c₂x² + c₃x³`, given `x2 = x²`.
#[inline]
pub(super) fn four(c: [f64; 4], x: f64, x2: f64) -> f64 {
    (c[0] + c[1] * x) + x2 * (c[2] + c[3] * x)
}

/// Degree 5.
#[inline]
pub(super) fn six(c: &[f64; 6], x: f64) -> f64 {
    let x2 = x * x;
    four([c[0], c[1], c[2], c[3]], x, x2) + (x2 * x2) * (c[4] + c[5] * x)
}

/// Degree 7.
#[inline]
pub(super) fn eight(c: &[f64; 8], x: f64) -> f64 {
    let x2 = x * x;
    four([c[0], c[1], c[2], c[3]], x, x2) + (x2 * x2) * four([c[4], c[5], c[6], c[7]], x, x2)
}

/// Degree 11.
#[inline]
pub(super) fn twelve(c: &[f64; 12], x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let low = four([c[0], c[1], c[2], c[3]], x, x2) + x4 * four([c[4], c[5], c[6], c[7]], x, x2);
    low + (x4 * x4) * four([c[8], c[9], c[10], c[11]], x, x2)
}
