//! Sine and cosine.
//!
//! * [`sin_cos`] works in `f64` and rounds once.
//! * [`sin_cos_f64`] has an error of about one ulp for |x| ≤ 2²⁰ and serves geometry that is built
//!   once.
//!
//! Method: subtract the nearest multiple of π/2, held in three parts (Cody and Waite); for huge
//! arguments multiply by a long binary expansion of 2/π in integers and keep the fraction (Payne
//! and Hanek). Then Taylor polynomials on [−π/4, π/4], long enough that their truncation is below
//! 2⁻⁶⁰: two terms more than a minimax fit, and no table of coefficients to trust.
//!
//! The order of every operation is fixed: stored results of simulations depend on these bits.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4};

use super::choice::{negate_if, select};
use super::polynomial::{eight, six};
use super::rounding::ROUNDER;

/// π/2 in three parts. The first two have 33 bits, so their products with integers below 2²⁰ are
/// exact.
pub(super) const PI_2_HIGH: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
pub(super) const PI_2_MID: f64 = f64::from_bits(0x3DD0_B461_1A60_0000);
pub(super) const PI_2_LOW: f64 = f64::from_bits(0x3BA3_198A_2E03_7073);

/// Largest argument of the three-part reduction.
pub(super) const MAX_THREE_PART: f64 = 1_048_576.0;

/// 64 zeros, then the first 256 bits of 2/π after the binary point.
const TWO_OVER_PI: [u64; 5] =
    [0, 0xA2F9_836E_4E44_1529, 0xFC27_57D1_F534_DDC0, 0xDB62_9599_3C43_9041, 0xFE51_63AB_DEBB_C561];

/// Sine and cosine of an angle in radians. The sine of −0 is +0 (unlike C99's); NaN or infinity
/// gives NaN.
///
/// Correctly rounded for every `f32` but three, up to sign: the sine of 9830.398 and the cosines of
/// 1.1004678 · 10¹⁹ and 1.7269983 · 10²⁰ are the other neighbour of values that lie within 10⁻⁹ of
/// a midpoint. They stay so because stored results depend on every bit.
///
/// ```
/// let (sine, cosine) = carom_core::trig::sin_cos(std::f32::consts::FRAC_PI_6);
/// assert_eq!((sine, cosine), (0.5, 0.866_025_4));
/// ```
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    let x = f64::from(angle);
    if x.abs() > MAX_THREE_PART || x.is_nan() {
        return of_huge(angle);
    }
    let (sine, cosine) = sin_cos_before_rounding(x);
    (sine as f32, cosine as f32)
}

/// Sine and cosine of an `f32` up to 2²⁰ in magnitude, within one ulp.
#[inline]
pub(super) fn sin_cos_before_rounding(x: f64) -> (f64, f64) {
    // No `f32` lies so close to an odd multiple of π/4 that ties matter here.
    let shifted = x * FRAC_2_PI + ROUNDER;
    in_quadrant(shifted.to_bits(), near_zero(three_part_rest(x, shifted - ROUNDER)))
}

#[cold]
fn of_huge(angle: f32) -> (f32, f32) {
    if !angle.is_finite() {
        return (f32::NAN, f32::NAN);
    }
    let (quadrant, rest) = reduce_huge(angle);
    let (sine, cosine) = in_quadrant(quadrant, near_zero_f64(rest as f64 / HUGE_UNIT * FRAC_PI_2));
    (sine as f32, cosine as f32)
}

/// Sine of an angle in radians: the first number of [`sin_cos`].
#[inline]
#[must_use]
pub fn sin(angle: f32) -> f32 {
    sin_cos(angle).0
}

/// Cosine of an angle in radians: the second number of [`sin_cos`].
#[inline]
#[must_use]
pub fn cos(angle: f32) -> f32 {
    sin_cos(angle).1
}

/// Sine and cosine in `f64`; for |x| ≤ 2²⁰ within about one ulp, beyond that with the error of
/// reducing modulo a `f64` π/2. NaN or infinity gives NaN.
#[must_use]
pub fn sin_cos_f64(angle: f64) -> (f64, f64) {
    if angle.abs() <= FRAC_PI_4 {
        return near_zero_f64(angle);
    }
    if !angle.is_finite() {
        return (f64::NAN, f64::NAN);
    }
    let turns = (angle * FRAC_2_PI).round();
    let rest = three_part_rest(angle, turns);
    // Beyond 2²⁰ the products are rounded and the rest may leave its interval a little; clamping
    // keeps |sine| ≤ 1.
    in_quadrant((turns % 4.0) as i64 as u64, near_zero_f64(rest.clamp(-FRAC_PI_4 * 1.001, FRAC_PI_4 * 1.001)))
}

#[inline]
fn three_part_rest(angle: f64, turns: f64) -> f64 {
    ((angle - turns * PI_2_HIGH) - turns * PI_2_MID) - turns * PI_2_LOW
}

/// Sine and cosine of an angle plus `quadrant · π/2`; only the last two bits of the quadrant count.
#[inline]
fn in_quadrant(quadrant: u64, (sine, cosine): (f64, f64)) -> (f64, f64) {
    let is_odd = quadrant & 1 != 0;
    let (a, b) = (select(is_odd, cosine, sine), select(is_odd, sine, cosine));
    (negate_if(quadrant >> 1, a), negate_if(quadrant.wrapping_add(1) >> 1, b))
}

/// Bits of 2/π that one reduction looks at.
const WINDOW: u32 = 104;
/// One right angle in the unit of the rest of [`reduce_huge`].
pub(super) const HUGE_UNIT: f64 = (1u128 << (WINDOW - 2)) as f64;

/// `angle = quadrant · π/2 + rest / HUGE_UNIT · π/2` for |angle| ≥ 2²⁰, exact to some 2⁻⁷⁸.
///
/// With `angle = m · 2^e` (m of 24 bits), bits of 2/π whose weight times 2^e is a multiple of 4
/// cannot change the quadrant and are skipped; the next 104 bits times m fit 128 bits.
pub(super) fn reduce_huge(angle: f32) -> (u64, i128) {
    let bits = angle.to_bits();
    let exponent = ((bits >> 23) & 0xFF) as i32 - 127 - 23;
    let mantissa = u128::from((bits & 0x007F_FFFF) | 0x0080_0000);
    // Bit i after the binary point (from 1) has weight 2^(e−i); the window starts at weight 2¹,
    // which is i = e − 1.
    let first = (64 + exponent - 2) as usize;
    let (word, shift) = (first / 64, first % 64);
    let [high, mid, low] = [0, 1, 2].map(|k| u128::from(TWO_OVER_PI[word + k]));
    let window = (((high << 64 | mid) << shift) | ((low << shift) >> 64)) >> (128 - WINDOW);
    let product = (mantissa * window) & ((1 << WINDOW) - 1);
    let quadrant = (product + (1 << (WINDOW - 3))) >> (WINDOW - 2);
    let rest = product as i128 - (quadrant << (WINDOW - 2)) as i128;
    let quadrant = (quadrant & 3) as u64;
    if angle < 0.0 { (quadrant.wrapping_neg(), -rest) } else { (quadrant, rest) }
}

/// Taylor polynomial of the sine to x¹⁷ on [−π/4, π/4], from x³.
const SINE: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// Taylor polynomial of the cosine to x¹⁸ on [−π/4, π/4], from x⁴.
const COSINE: [f64; 8] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
    -1.0 / 6_402_373_705_728_000.0,
];

/// (sin √s / √s − 1) / s on [0, π²/16], relative error of the sine 2⁻⁵⁵.
const SHORT_SINE: [f64; 6] = [
    f64::from_bits(0xBFC5_5555_5555_5555),
    f64::from_bits(0x3F81_1111_1111_0BB2),
    f64::from_bits(0xBF2A_01A0_19E8_3816),
    f64::from_bits(0x3EC7_1DE3_7965_4304),
    f64::from_bits(0xBE5A_E600_ACA9_2C64),
    f64::from_bits(0x3DE5_E0B0_5BFF_20F2),
];

/// (cos √s − 1 + s/2) / s² on [0, π²/16], relative error of the cosine 2⁻⁵⁹.
const SHORT_COSINE: [f64; 6] = [
    f64::from_bits(0x3FA5_5555_5555_5555),
    f64::from_bits(0xBF56_C16C_16C1_6967),
    f64::from_bits(0x3EFA_01A0_19F4_E9B4),
    f64::from_bits(0xBE92_7E4F_A17B_F139),
    f64::from_bits(0x3E21_EEB6_8CD2_2F56),
    f64::from_bits(0xBDA9_07D8_F29F_E831),
];

/// Sine and cosine on [−π/4, π/4] for [`sin_cos_f64`] and huge angles. Horner's order is slower
/// than Estrin's, but it is the order that its results were stored with.
#[inline]
fn near_zero_f64(x: f64) -> (f64, f64) {
    let s = x * x;
    let (main, lost) = one_minus_half(s);
    (x + x * s * horner(&SINE, s), main + (lost + s * s * horner(&COSINE, s)))
}

/// Sine and cosine on [−π/4, π/4].
#[inline]
fn near_zero(x: f64) -> (f64, f64) {
    let s = x * x;
    let (main, lost) = one_minus_half(s);
    (x + x * s * six(&SHORT_SINE, s), main + (lost + s * s * six(&SHORT_COSINE, s)))
}

/// sin x − x, given s = x².
#[inline]
pub(super) fn sine_tail(x: f64, s: f64) -> f64 {
    x * s * eight(&SINE, s)
}

/// cos x as a sum of 1 − s/2, rounded, and what is missing, given s = x².
#[inline]
pub(super) fn cosine_parts(s: f64) -> (f64, f64) {
    let (main, lost) = one_minus_half(s);
    (main, lost + s * s * eight(&COSINE, s))
}

/// 1 − s/2 and the part lost in rounding it.
#[inline]
fn one_minus_half(s: f64) -> (f64, f64) {
    let half = 0.5 * s;
    let main = 1.0 - half;
    (main, (1.0 - main) - half)
}

#[inline]
fn horner(c: &[f64; 8], s: f64) -> f64 {
    ((((((c[7] * s + c[6]) * s + c[5]) * s + c[4]) * s + c[3]) * s + c[2]) * s + c[1]) * s + c[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inputs below 64 whose sine or cosine comes within three `f64` ulps of a rounding
    /// boundary of `f32`, with the right answers from 300-bit arithmetic.
    #[test]
    fn the_hardest_cases_round_correctly() {
        let cosines = [
            (0x3980_0000, 0x3F80_0000),
            (0x3A54_4395, 0x3F7F_FFFB),
            (0x3C10_7FE6, 0x3F7F_FD74),
            (0x4237_8DB8, 0xBEA8_7A07),
            (0x4247_90CE, 0x3F6E_4C01),
        ];
        let sines = [(0x3DCF_5597, 0x3DCE_FAF9), (0x3EF3_830F, 0x3EEA_6F45)];
        for (input, right) in cosines {
            assert_eq!(sin_cos(f32::from_bits(input)).1.to_bits(), right, "cosine of {input:#x}");
        }
        for (input, right) in sines {
            assert_eq!(sin_cos(f32::from_bits(input)).0.to_bits(), right, "sine of {input:#x}");
        }
    }

    #[test]
    fn all_sizes_agree_with_a_second_implementation() {
        // A stride through all floats, both signs, every exponent.
        for bits in (0..0x7F80_0000u32).step_by(9_973) {
            for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
                let right = (libm::sin(f64::from(x)) as f32, libm::cos(f64::from(x)) as f32);
                assert_eq!(sin_cos(x), right, "at {x:e}");
            }
        }
    }

    #[test]
    fn f64_stays_within_two_ulps() {
        let mut x = 1e-9;
        while x < 1e6 {
            let (sine, cosine) = sin_cos_f64(x);
            assert!((sine - libm::sin(x)).abs() <= 2.0 * f64::EPSILON * sine.abs().max(1e-10), "sine of {x}");
            assert!(
                (cosine - libm::cos(x)).abs() <= 2.0 * f64::EPSILON * cosine.abs().max(1e-10),
                "cosine of {x}"
            );
            x *= 1.000_7;
        }
    }

    #[test]
    fn infinities_and_nan_give_nan() {
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let (sine, cosine) = sin_cos(x);
            assert!(sine.is_nan() && cosine.is_nan());
        }
        assert!(sin_cos_f64(f64::MAX).0.abs() <= 1.0);
    }
}
