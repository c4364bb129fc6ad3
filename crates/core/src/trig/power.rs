//! Powers with real exponents.
//!
//! [`powf`] is 2^(y log₂ x) with a logarithm of some 60 bits. Where the result comes within four
//! `f64` ulps of a midpoint between two `f32`, exact ties are found in integers and everything else
//! is decided by comparing y ln x with the logarithm of the midpoint in arithmetic of twice the
//! length.

use super::exponential::{exp_of_sum, exp2_parts};
use super::logarithm::{LN_OF_RECIPROCAL, LN2_HIGH, LN2_LOW, log2_pair, reduce_long};
use super::pair::{Pair, product, sum, sum_ordered};
use super::polynomial::eight;
use super::rounding::{Boundary, is_doubtful};

/// (ln(1 + r) − r + r²/2) / r³ for |r| ≤ 0.0153, relative error of the logarithm 2⁻⁶⁷.
const LN_FROM_CUBE: [f64; 9] = [
    f64::from_bits(0x3FD5_5555_5555_5555),
    f64::from_bits(0xBFD0_0000_0000_0000),
    f64::from_bits(0x3FC9_9999_9999_9999),
    f64::from_bits(0xBFC5_5555_5555_9BC3),
    f64::from_bits(0x3FC2_4924_9249_6595),
    f64::from_bits(0xBFBF_FFFF_DEED_BBE0),
    f64::from_bits(0x3FBC_71C6_FDEA_BA83),
    f64::from_bits(0xBFB9_9C79_C63E_7603),
    f64::from_bits(0x3FB7_4879_009D_D441),
];

/// x to the power y, rounded to the nearest `f32`; special cases as in C99: `powf(x, 0)` and
/// `powf(1, y)` are 1 even for NaN, a negative x needs an integer y (else NaN), zeros and
/// infinities keep their sign for odd integers y.
///
/// The rounding is right unless x^y lies within some 2⁻⁸⁰ of a midpoint without being one, which a
/// handful of the 2⁶⁴ arguments may do by chance.
///
/// ```
/// assert_eq!(carom_core::trig::powf(-2.0, 3.0), -8.0);
/// assert_eq!(carom_core::trig::powf(0.0, -1.0), f32::INFINITY);
/// ```
#[inline]
#[must_use]
pub fn powf(x: f32, y: f32) -> f32 {
    // Positive, finite and not zero, in one comparison of bits each.
    let is_plain =
        x.to_bits().wrapping_sub(1) < 0x7F7F_FFFF && (y.to_bits() << 1).wrapping_sub(1) < 0xFEFF_FFFF;
    if is_plain { power(f64::from(x), f64::from(y)) } else { unusual_power(x, y) }
}

/// The power of a positive finite number and a finite exponent other than zero.
#[inline]
fn power(base: f64, exponent: f64) -> f32 {
    let log = log2_pair(base);
    let log = sum_ordered(log.hi, log.lo);
    // The upper 24 bits times the 24 of the exponent are exact.
    let upper = f64::from_bits(log.hi.to_bits() & !((1 << 29) - 1));
    let main = exponent * upper;
    if main.abs() >= 160.0 {
        return if main > 0.0 { f32::INFINITY } else { 0.0 };
    }
    let (power, rest) = exp2_parts(main, exponent * ((log.hi - upper) + log.lo));
    let power = power + rest;
    if is_doubtful(power) { decide(base, exponent, power) } else { power as f32 }
}

#[cold]
fn unusual_power(x: f32, y: f32) -> f32 {
    match Kind::of(f64::from(x), f64::from(y)) {
        Kind::Ordinary { sign } => power(f64::from(x.abs()), f64::from(y)) * sign as f32,
        Kind::Special(value) => value as f32,
    }
}

/// x to the power y in `f64`, within 0.7 ulp; special cases as [`powf`]. Results below the normal
/// numbers are rounded twice and may be off by one unit of their last place.
#[must_use]
pub fn pow_f64(x: f64, y: f64) -> f64 {
    let sign = match Kind::of(x, y) {
        Kind::Ordinary { sign } => sign,
        Kind::Special(value) => return value,
    };
    let log = ln_pair(x.abs());
    if (log.hi * y).abs() >= 800.0 {
        return if (log.hi > 0.0) == (y > 0.0) { f64::INFINITY * sign } else { 0.0 * sign };
    }
    let main = product(log.hi, y);
    exp_of_sum(main.hi, main.lo + log.lo * y) * sign
}

/// What the special cases leave over.
enum Kind {
    /// x^y = sign · |x|^y with x and y finite and neither zero, and |x| ≠ 1.
    Ordinary {
        sign: f64,
    },
    Special(f64),
}

impl Kind {
    #[inline]
    fn of(x: f64, y: f64) -> Self {
        let is_plain = x > 0.0 && x < f64::INFINITY && x != 1.0 && y != 0.0 && y.abs() < f64::INFINITY;
        if is_plain { Self::Ordinary { sign: 1.0 } } else { Self::unusual(x, y) }
    }

    #[cold]
    fn unusual(x: f64, y: f64) -> Self {
        if y == 0.0 || x == 1.0 {
            return Self::Special(1.0);
        }
        if x.is_nan() || y.is_nan() {
            return Self::Special(f64::NAN);
        }
        let a = x.abs();
        if y.is_infinite() {
            let grows = (a > 1.0) == (y > 0.0);
            return Self::Special(if a == 1.0 {
                1.0
            } else if grows {
                f64::INFINITY
            } else {
                0.0
            });
        }
        // From 2⁵³ on every number is an even integer, and so is what the conversion saturates to.
        let is_integer = y.abs() >= 9_007_199_254_740_992.0 || (y as i64) as f64 == y;
        let is_odd = y.abs() < 9_007_199_254_740_992.0 && is_integer && (y as i64) & 1 != 0;
        let sign = if x.is_sign_negative() && is_odd { -1.0 } else { 1.0 };
        if a == 0.0 || a == f64::INFINITY {
            return Self::Special(if (a == 0.0) == (y > 0.0) { 0.0 * sign } else { f64::INFINITY * sign });
        }
        if !is_integer {
            return Self::Special(f64::NAN); // x is negative: positive finite numbers are not unusual here
        }
        if a == 1.0 { Self::Special(sign) } else { Self::Ordinary { sign } }
    }
}

/// Natural logarithm with a relative error of some 2⁻⁶⁵.
#[inline]
fn ln_pair(x: f64) -> Pair {
    let (power, index, r) = reduce_long(x);
    let [high, low] = LN_OF_RECIPROCAL[index].map(f64::from_bits);
    let c = &LN_FROM_CUBE;
    let square = product(r.hi, r.hi);
    let main = sum_ordered(power * LN2_HIGH + high, r.hi);
    let with_square = sum(main.hi, -0.5 * square.hi);
    let polynomial = c[0] + r.hi * eight(&[c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]], r.hi);
    let small = (r.lo - r.hi * r.lo - 0.5 * square.lo) + r.hi * square.hi * polynomial;
    let constants = power * LN2_LOW + low;
    sum_ordered(with_square.hi, (main.lo + with_square.lo) + (constants + small))
}

/// The rounded power where `f64` cannot tell.
#[cold]
fn decide(base: f64, exponent: f64, power: f64) -> f32 {
    let Some(boundary) = Boundary::near(power) else { return power as f32 };
    if is_power(base, exponent, boundary.at) {
        return boundary.round(0.0);
    }
    let logs = Pair::ln(base).times(Pair::from(exponent)).plus(Pair::ln(boundary.at).negated());
    boundary.round(logs.hi)
}

/// True if `base^exponent` is exactly `value`, given that the two are equal to 40 bits and `value`
/// has at most 25 bits.
///
/// With odd parts b and v of base and value and an exponent n / 2^j (n odd or j = 0), that is b^n =
/// v^(2^j): b must be the square of a square … of an odd number whose n-th power is v.
fn is_power(base: f64, exponent: f64, value: f64) -> bool {
    let (mut root, odd_value) = (odd_part(base), odd_part(value));
    if root == 1 {
        // A power of two to any power is one or is irrational, and equality to 40 bits excludes the
        // wrong one.
        return odd_value == 1;
    }
    let mut exponent = exponent;
    while exponent != (exponent as i64) as f64 {
        let half = (root as f64).sqrt() as u64;
        if half * half != root {
            return false;
        }
        (root, exponent) = (half, exponent * 2.0);
    }
    // 3¹⁶ has 26 bits already.
    (1.0..16.0).contains(&exponent) && root.checked_pow(exponent as u32) == Some(odd_value)
}

/// The significand of a positive number without its trailing zeros.
fn odd_part(x: f64) -> u64 {
    let significand = (x.to_bits() & ((1 << 52) - 1)) | 1 << 52;
    significand >> significand.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow decision is rare; here it is asked about powers whose rounding `f64` can tell.
    #[test]
    fn the_decision_of_doubts_agrees_where_there_is_none() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 40) as u32) / 16_777_216.0
        };
        for k in 0..4_000 {
            let base = f64::from((random() * if k % 2 == 0 { 2.0 } else { 1e4 } + 1e-3) as f32);
            let exponent = f64::from(((random() - 0.5) * 20.0) as f32);
            let power = pow_f64(base, exponent);
            if !is_doubtful(power) && power < 1e38 {
                assert_eq!(decide(base, exponent, power), power as f32, "{base} {exponent}");
            }
        }
    }

    #[test]
    fn exact_powers_are_recognised() {
        for (base, exponent, value) in
            [(4_097.0, 2.0, 16_785_409.0), (293.0, 3.0, 25_153_757.0), (85_849.0, 1.5, 25_153_757.0)]
        {
            assert!(is_power(base, exponent, value) && is_power(base * 4.0, exponent, value * 2.0));
            assert!(!is_power(base, exponent, value + 2.0) && !is_power(base + 2.0, exponent, value));
            assert!(!is_power(base, exponent + 0.25, value) && !is_power(base, -exponent, value));
        }
        assert!(is_power(841.0, 2.5, 20_511_149.0) && is_power(707_281.0, 1.25, 20_511_149.0));
        assert!(is_power(4.0, -75.0, 2f64.powi(-150)) && !is_power(2.0, 0.5, std::f64::consts::SQRT_2));
    }
}
