//! Tangent: sine over cosine.
//!
//! [`tan_f64`] carries both with their rounding errors and corrects the quotient by its remainder.
//! [`tan`] does without unless the quotient comes close to a midpoint between two `f32`.

use std::f64::consts::FRAC_2_PI;

use super::choice::select;
use super::pair::{Pair, product, sum, sum_ordered};
use super::rounding::{ROUNDER, is_doubtful, round_sum};
use super::sine::{
    HUGE_UNIT, MAX_THREE_PART, PI_2_HIGH, PI_2_LOW, PI_2_MID, cosine_parts, reduce_huge,
    sin_cos_before_rounding, sin_cos_f64, sine_tail,
};

/// π/2 to 106 bits.
const HALF_PI: Pair =
    Pair { hi: f64::from_bits(0x3FF9_21FB_5444_2D18), lo: f64::from_bits(0x3C91_A626_3314_5C07) };

/// Tangent of an angle in radians, correctly rounded. NaN or infinity gives NaN.
///
/// ```
/// assert_eq!(carom_core::trig::tan(std::f32::consts::FRAC_PI_4), 1.0);
/// ```
#[inline]
#[must_use]
pub fn tan(angle: f32) -> f32 {
    let x = f64::from(angle);
    if x.abs() <= MAX_THREE_PART {
        let (sine, cosine) = sin_cos_before_rounding(x);
        let tangent = sine / cosine;
        if is_doubtful(tangent.abs()) { in_doubt(x) } else { tangent as f32 }
    } else {
        of_huge(angle)
    }
}

#[cold]
fn in_doubt(angle: f64) -> f32 {
    if angle == 0.0 {
        return angle as f32; // the sums below would lose the sign
    }
    let (quadrant, rest) = reduce(angle);
    let (main, rest) = ratio(quadrant, rest);
    round_sum(main, rest)
}

#[cold]
fn of_huge(angle: f32) -> f32 {
    if !angle.is_finite() {
        return f32::NAN;
    }
    let (quadrant, rest) = reduce_huge(angle);
    let high = rest as f64;
    let low = (rest - high as i128) as f64;
    let main = product(high / HUGE_UNIT, HALF_PI.hi);
    let rest = sum_ordered(main.hi, main.lo + (high * HALF_PI.lo + low * HALF_PI.hi) / HUGE_UNIT);
    let (main, rest) = ratio(quadrant, rest);
    round_sum(main, rest)
}

/// Tangent in `f64`: within one ulp for |x| ≤ 2²⁰; beyond that the quotient of [`sin_cos_f64`]. NaN
/// or infinity gives NaN.
#[must_use]
pub fn tan_f64(angle: f64) -> f64 {
    if angle == 0.0 {
        angle // as above
    } else if angle.abs() <= MAX_THREE_PART {
        let (quadrant, rest) = reduce(angle);
        let (main, rest) = ratio(quadrant, rest);
        main + rest
    } else {
        let (sine, cosine) = sin_cos_f64(angle);
        sine / cosine
    }
}

/// `angle = quadrant · π/2 + rest` for |angle| ≤ 2²⁰, the rest with its rounding error.
#[inline]
fn reduce(angle: f64) -> (u64, Pair) {
    let shifted = angle * FRAC_2_PI + ROUNDER;
    let turns = shifted - ROUNDER;
    // Both products are exact; the first difference is as well.
    let first = sum(angle - turns * PI_2_HIGH, -turns * PI_2_MID);
    let low = turns * PI_2_LOW;
    let rest = sum(first.hi, -low);
    (shifted.to_bits(), sum_ordered(rest.hi, rest.lo + first.lo))
}

/// Tangent of `quadrant · π/2 + rest` as a sum of two; only the last bit of the quadrant counts.
#[inline]
fn ratio(quadrant: u64, rest: Pair) -> (f64, f64) {
    let s = rest.hi * rest.hi;
    let (main, tail) = cosine_parts(s);
    let sine = sum_ordered(rest.hi, sine_tail(rest.hi, s) + rest.lo * main);
    let cosine = sum_ordered(main, tail - rest.hi * rest.lo);
    let is_odd = quadrant & 1 != 0;
    let choose =
        |yes: Pair, no: Pair| Pair { hi: select(is_odd, yes.hi, no.hi), lo: select(is_odd, yes.lo, no.lo) };
    let (above, below) = (choose(cosine.negated(), sine), choose(sine, cosine));
    let inverse = 1.0 / below.hi;
    let first = above.hi * inverse;
    let p = product(first, below.hi);
    let remainder = ((above.hi - p.hi) - p.lo) + (above.lo - first * below.lo);
    (first, remainder * inverse)
}
