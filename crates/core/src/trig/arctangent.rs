//! Arc tangent of a number and of a quotient.
//!
//! A quotient up to tan π/8 goes into a polynomial; a larger one first becomes the tangent of the
//! angle from the diagonal, (a − b) / (a + b). The octants differ in a constant and a sign, which
//! are looked up, so that the path has no branch on the data and one division.

use std::f64::consts::FRAC_PI_2;

use super::choice::negate_if;
use super::pair::{Pair, sum, sum_ordered};
use super::polynomial::twelve;
use super::rounding::{Boundary, is_doubtful, round_sum};

/// (arctan √s / √s − 1) / s on [0, tan² π/8], relative error of the arc tangent 2⁻⁵⁸.
const ARCTANGENT: [f64; 12] = [
    f64::from_bits(0xBFD5_5555_5555_5555),
    f64::from_bits(0x3FC9_9999_9999_9953),
    f64::from_bits(0xBFC2_4924_9248_D7DC),
    f64::from_bits(0x3FBC_71C7_1C30_3DBB),
    f64::from_bits(0xBFB7_45D1_65DC_9713),
    f64::from_bits(0x3FB3_B139_2D51_9DB1),
    f64::from_bits(0xBFB1_10E8_7B43_57D2),
    f64::from_bits(0x3FAE_19A0_BFA3_EEF9),
    f64::from_bits(0xBFAA_C7A5_A79B_3F26),
    f64::from_bits(0x3FA7_4DCC_FB93_FFF0),
    f64::from_bits(0xBFA1_B311_BB48_C215),
    f64::from_bits(0x3F90_ACD9_E91A_5A35),
];

/// tan π/8, where the reduction to the diagonal begins to pay.
const TAN_PI_8: f64 = f64::from_bits(0x3FDA_8279_99FC_EF32);

/// Multiples of π/4 as pairs, by octant: bit 0 is set beyond π/8 of an axis, bit 1 if the ordinate
/// is the larger coordinate, bit 2 if the abscissa is negative.
const OCTANT: [[u64; 2]; 8] = [
    [0, 0],
    [0x3FE9_21FB_5444_2D18, 0x3C81_A626_3314_5C07],
    [0x3FF9_21FB_5444_2D18, 0x3C91_A626_3314_5C07],
    [0x3FE9_21FB_5444_2D18, 0x3C81_A626_3314_5C07],
    [0x4009_21FB_5444_2D18, 0x3CA1_A626_3314_5C07],
    [0x4002_D97C_7F33_21D2, 0x3C9A_7939_4C9E_8A0A],
    [0x3FF9_21FB_5444_2D18, 0x3C91_A626_3314_5C07],
    [0x4002_D97C_7F33_21D2, 0x3C9A_7939_4C9E_8A0A],
];

/// Arc tangent in radians, in [−π/2, π/2], correctly rounded. NaN gives NaN.
///
/// ```
/// assert_eq!(carom_core::trig::atan(1.0), std::f32::consts::FRAC_PI_4);
/// ```
#[inline]
#[must_use]
pub fn atan(tangent: f32) -> f32 {
    let a = f64::from(tangent.abs());
    if !a.is_finite() {
        return if a.is_nan() { f32::NAN } else { (FRAC_PI_2 as f32).copysign(tangent) };
    }
    let (main, rest) = parts(a, 1.0, false);
    round_sum(main, rest).copysign(tangent)
}

/// The angle of the point (x, y) in radians, in [−π, π], correctly rounded: arctan(y/x) in the
/// right quadrant.
///
/// A zero keeps its sign: `atan2(±0, x)` is ±0 for positive x or x = +0 and ±π for negative x or x
/// = −0. Infinite coordinates count as directions: `atan2(∞, ∞)` is π/4. NaN gives NaN.
///
/// ```
/// use std::f32::consts::{FRAC_PI_2, PI};
/// assert_eq!(carom_core::trig::atan2(1.0, 0.0), FRAC_PI_2);
/// assert_eq!(carom_core::trig::atan2(-0.0, -1.0), -PI);
/// ```
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (ay, ax) = (f64::from(y.abs()), f64::from(x.abs()));
    let sum = ay + ax;
    if !(sum > 0.0 && sum < f64::INFINITY) {
        return atan2_of_extremes(f64::from(y), f64::from(x)) as f32;
    }
    let angle = magnitude(ay, ax, x.is_sign_negative());
    let rounded = if is_doubtful(angle) { decide(ay, f64::from(x), angle) } else { angle as f32 };
    rounded.copysign(y)
}

/// Arc tangent in `f64`, in [−π/2, π/2], within 1.3 ulp. NaN gives NaN.
#[must_use]
pub fn atan_f64(tangent: f64) -> f64 {
    atan2_f64(tangent, 1.0)
}

/// The angle of the point (x, y) in `f64`, within 1.3 ulp; special values as [`atan2`].
#[must_use]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    const TOO_LARGE: f64 = f64::from_bits(0x7FD0_0000_0000_0000); // 2¹⁰²²: the sum could overflow
    let (mut ay, mut ax) = (y.abs(), x.abs());
    if !(ay < TOO_LARGE && ax < TOO_LARGE && ay + ax > 0.0) {
        if !(ay < f64::INFINITY && ax < f64::INFINITY && ay + ax > 0.0) {
            return atan2_of_extremes(y, x);
        }
        (ay, ax) = (ay * 0.25, ax * 0.25);
    }
    let (octant, [small, large]) = Octant::of(ay, ax, x.is_sign_negative());
    // The reduction rounds sum and difference; a first-order correction of the quotient repairs
    // that.
    let above = sum(small, -octant.if_diagonal(large));
    let below = sum(large, octant.if_diagonal(small));
    let quotient = above.hi / below.hi;
    let missing = (above.lo - quotient * below.lo) / below.hi;
    let (main, rest) = octant.angle(quotient, missing);
    (main + rest).copysign(y)
}

/// What is left when a coordinate is infinite or NaN, or both are zero.
#[cold]
fn atan2_of_extremes(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    // Infinite coordinates outweigh finite ones; the origin counts as a point on the x axis.
    let ay = if y.is_infinite() { 1.0 } else { 0.0 };
    let ax = if x.is_infinite() || ay == 0.0 { 1.0 } else { 0.0 };
    magnitude(ay, ax, x.is_sign_negative()).copysign(y)
}

/// Angle in [0, π] of the point with these absolute coordinates of at most 25 bits, not both zero.
#[inline]
fn magnitude(ay: f64, ax: f64, is_left: bool) -> f64 {
    let (main, rest) = parts(ay, ax, is_left);
    main + rest
}

/// The same as a sum of two.
#[inline]
fn parts(ay: f64, ax: f64, is_left: bool) -> (f64, f64) {
    let (octant, [small, large]) = Octant::of(ay, ax, is_left);
    octant.angle((small - octant.if_diagonal(large)) / (large + octant.if_diagonal(small)), 0.0)
}

/// An eighth of the plane.
#[derive(Clone, Copy)]
struct Octant {
    is_steep: bool,
    is_diagonal: bool,
    is_left: bool,
}

impl Octant {
    /// The octant of these absolute coordinates, and the smaller and the larger of the two.
    #[inline]
    fn of(ay: f64, ax: f64, is_left: bool) -> (Self, [f64; 2]) {
        let small = if ay < ax { ay } else { ax };
        let large = if ay > ax { ay } else { ax };
        (Self { is_steep: ay > ax, is_diagonal: small > TAN_PI_8 * large, is_left }, [small, large])
    }

    #[inline]
    fn if_diagonal(self, value: f64) -> f64 {
        if self.is_diagonal { value } else { 0.0 }
    }

    /// The angle from the positive x axis whose reduced tangent is `quotient + missing`, as a sum
    /// of two.
    #[inline]
    fn angle(self, quotient: f64, missing: f64) -> (f64, f64) {
        let square = quotient * quotient;
        let tail = quotient * square * twelve(&ARCTANGENT, square) + missing;
        let is_backwards = u64::from(self.is_steep ^ self.is_left);
        let signed = |v: f64| negate_if(is_backwards, v);
        let index =
            usize::from(self.is_diagonal) | usize::from(self.is_steep) << 1 | usize::from(self.is_left) << 2;
        let [high, low] = OCTANT[index].map(f64::from_bits);
        let main = sum_ordered(high, signed(quotient));
        (main.hi, main.lo + (low + signed(tail)))
    }
}

/// The correctly rounded angle where `f64` cannot tell: on which side of the ray at the boundary
/// lies the point?
#[cold]
fn decide(ay: f64, x: f64, angle: f64) -> f32 {
    let Some(boundary) = Boundary::near(angle) else { return angle as f32 };
    let (sine, cosine) = Pair::sin_cos(boundary.at);
    let side = Pair::from(ay).times(cosine).plus(Pair::from(-x).times(sine)).hi;
    // An angle is no rational number unless it is zero, so a side of zero comes from sin m = m for
    // tiny m; the truth is that the arc tangent is a little less than its tangent.
    boundary.round(if side == 0.0 { -1.0 } else { side })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow decision is rare; here it is asked about points whose rounding `f64` can tell.
    #[test]
    fn the_decision_of_doubts_agrees_where_there_is_none() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 40) as u32) - 8_388_608.0
        };
        for k in 0..4_000 {
            let (y, x) = (random().abs() * if k % 3 == 0 { 1e-5 } else { 1.0 }, random());
            let (y, x) = (f64::from(y as f32), f64::from(x as f32));
            let angle = magnitude(y, x.abs(), x < 0.0);
            if !is_doubtful(angle) {
                assert_eq!(decide(y, x, angle), angle as f32, "{y} {x}");
            }
        }
    }

    #[test]
    fn angles_below_the_normal_numbers_round_towards_their_tangent_from_below() {
        // y/x is a tie between two subnormal numbers; the arc tangent is a little less.
        let tiny = f32::from_bits(3);
        assert_eq!(atan2(tiny, 2.0).to_bits(), 1);
        assert_eq!(atan2(f32::from_bits(5), 2.0).to_bits(), 2);
        assert_eq!(atan2(f32::from_bits(7), -2.0), std::f32::consts::PI);
        assert_eq!(atan2(f32::from_bits(7), 4.0).to_bits(), 2);
        assert_eq!(atan2(-f32::from_bits(1), f32::MAX).to_bits(), 1 << 31);
    }
}
