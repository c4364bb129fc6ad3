//! Cube root and the length of a plane vector.

use super::polynomial::four;
use super::rounding::{Boundary, is_doubtful};

/// ∛2 and ∛4 beside 1.
const ROOT_OF_OCTAVE: [u64; 3] = [0x3FF0_0000_0000_0000, 0x3FF4_28A2_F98D_728B, 0x3FF9_65FE_A53D_6E3D];

/// 1/∛z for z in [1, 2], error 2⁻¹⁴.
const INVERSE_ROOT: [f64; 5] = [
    f64::from_bits(0x3FFA_A913_E4C9_30EC),
    f64::from_bits(0xBFF2_992D_F8A9_809C),
    f64::from_bits(0x3FE5_E8AC_CB9A_7D37),
    f64::from_bits(0xBFCB_B1BE_C900_C2FD),
    f64::from_bits(0x3F9C_7318_3710_7B28),
];

/// Cube root, correctly rounded, of numbers of either sign. ±0, ±∞ and NaN give themselves.
///
/// ```
/// assert_eq!(carom_core::trig::cbrt(-27.0), -3.0);
/// ```
#[inline]
#[must_use]
pub fn cbrt(x: f32) -> f32 {
    if !(x != 0.0 && x.abs() < f32::INFINITY) {
        return x;
    }
    let bits = f64::from(x.abs()).to_bits();
    // A multiple of 3 makes the exponent positive, so that integer division rounds down.
    let exponent = (bits >> 52) as u32 + 3 * 100 - 1023;
    let (third, octave) = (exponent / 3, exponent % 3);
    let z = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let c = &INVERSE_ROOT;
    let z2 = z * z;
    let start = four([c[0], c[1], c[2], c[3]], z, z2) + c[4] * (z2 * z2);
    // With h = 1 − z y³ the root is y (1 − h)^(−1/3); four terms of that series leave 2⁻⁵⁴.
    let h = 1.0 - z * (start * start * start);
    let y = start + start * (h * (1.0 / 3.0 + h * (2.0 / 9.0 + h * (14.0 / 81.0))));
    let scale = f64::from_bits(ROOT_OF_OCTAVE[octave as usize] + (u64::from(third) << 52) - (100 << 52));
    ((z * (y * y) * scale) as f32).copysign(x)
}

/// √(x² + y²), correctly rounded; never over- or underflows on the way. ∞ if a coordinate is
/// infinite, even if the other is NaN; else NaN if one is.
///
/// ```
/// assert_eq!(carom_core::trig::hypot(3e30, -4e30), 5e30);
/// ```
#[inline]
#[must_use]
pub fn hypot(x: f32, y: f32) -> f32 {
    if x.abs() == f32::INFINITY || y.abs() == f32::INFINITY {
        return f32::INFINITY;
    }
    // The squares are exact in `f64`.
    let (a, b) = (f64::from(x) * f64::from(x), f64::from(y) * f64::from(y));
    let square = a + b;
    let root = square.sqrt();
    if is_doubtful(root) { decide_root(a, b, root) } else { root as f32 }
}

/// The rounded root of a + b where `f64` cannot tell: the square of a boundary is exact, so compare
/// squares.
#[cold]
fn decide_root(a: f64, b: f64, root: f64) -> f32 {
    let Some(boundary) = Boundary::near(root) else { return root as f32 };
    let square = super::pair::sum(a, b);
    boundary.round((square.hi - boundary.at * boundary.at) + square.lo)
}
