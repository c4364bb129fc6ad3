//! Arc tangent of a number and of a quotient.
//!
//! A quotient up to tan π/8 goes into a polynomial; a larger one first becomes the tangent of the angle from the
//! diagonal, (a − b) / (a + b). The octants differ in a constant and a sign, which are looked up, so that the path has
//! no branch on the data and one division.

use std::f64::consts::FRAC_PI_2;

use super::pair::{Pair, sum, sum_ordered};
use super::polynomial::twelve;
use super::rounding::{Boundary, is_doubtful};

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

/// Multiples of π/4 as pairs, by octant: bit 0 is set beyond π/8 of an axis, bit 1 if the ordinate is the larger
/// coordinate, bit 2 if the abscissa is negative.
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
/// assert_eq!(carom_geometry::trig::atan(1.0), std::f32::consts::FRAC_PI_4);
/// ```
#[inline]
#[must_use]
pub fn atan(tangent: f32) -> f32 {
    let a = f64::from(tangent.abs());
    if !a.is_finite() {
        return if a.is_nan() { f32::NAN } else { (FRAC_PI_2 as f32).copysign(tangent) };
    }
    (magnitude(a, 1.0, false) as f32).copysign(tangent)
}

/// The angle of the point (x, y) in radians, in [−π, π], correctly rounded: arctan(y/x) in the right quadrant.
///
/// A zero keeps its sign: `atan2(±0, x)` is ±0 for positive x or x = +0 and ±π for negative x or x = −0. Infinite
/// coordinates count as directions: `atan2(∞, ∞)` is π/4. NaN gives NaN.
///
/// ```
/// use std::f32::consts::{FRAC_PI_2, PI};
/// assert_eq!(carom_geometry::trig::atan2(1.0, 0.0), FRAC_PI_2);
/// assert_eq!(carom_geometry::trig::atan2(-0.0, -1.0), -PI);
/// ```
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (ay, ax) = (f64::from(y.abs()), f64::from(x.abs()));
    if !(ay + ax).is_finite() {
        return atan2_of_extremes(f64::from(y), f64::from(x)) as f32;
    }
    let angle = magnitude(ay, ax, x.is_sign_negative());
    let rounded = if is_doubtful(angle) { decide(ay, f64::from(x), angle) } else { angle as f32 };
    rounded.copysign(y)
}

/// Arc tangent in `f64`, in [−π/2, π/2], within one ulp. NaN gives NaN.
#[must_use]
pub fn atan_f64(tangent: f64) -> f64 {
    atan2_f64(tangent, 1.0)
}

/// The angle of the point (x, y) in `f64`, within one ulp; special values as [`atan2`].
#[must_use]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    const TOO_LARGE: f64 = f64::from_bits(0x7FD0_0000_0000_0000); // 2¹⁰²²: the sum could overflow
    let (mut ay, mut ax) = (y.abs(), x.abs());
    if !(ay < TOO_LARGE && ax < TOO_LARGE) {
        if !(ay < f64::INFINITY && ax < f64::INFINITY) {
            return atan2_of_extremes(y, x);
        }
        (ay, ax) = (ay * 0.25, ax * 0.25);
    }
    let octant = Octant::of(ay, ax, x.is_sign_negative());
    // The reduction rounds sum and difference; a first-order correction of the quotient repairs that.
    let (above, below) = octant.quotient(ay, ax);
    let quotient = above.hi / below.hi;
    let missing = (above.lo - quotient * below.lo) / below.hi;
    octant.angle(quotient, missing).copysign(y)
}

/// What is left when a coordinate is infinite or NaN.
#[cold]
fn atan2_of_extremes(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    let coordinate = |c: f64| if c.is_infinite() { 1.0 } else { 0.0 };
    magnitude(coordinate(y), coordinate(x), x.is_sign_negative()).copysign(y)
}

/// Angle in [0, π] of the point with these absolute coordinates of at most 25 bits.
#[inline]
fn magnitude(ay: f64, ax: f64, is_left: bool) -> f64 {
    let octant = Octant::of(ay, ax, is_left);
    let (small, large) = if ay > ax { (ax, ay) } else { (ay, ax) };
    let (above, below) = if octant.is_diagonal() { (small - large, small + large) } else { (small, large) };
    // The origin lies on both axes; dividing by one instead of zero gives it the angle of its signs.
    octant.angle(above / if below == 0.0 { 1.0 } else { below }, 0.0)
}

/// An eighth of the plane, as the index of [`OCTANT`].
#[derive(Clone, Copy)]
struct Octant(usize);

impl Octant {
    #[inline]
    fn of(ay: f64, ax: f64, is_left: bool) -> Self {
        let is_steep = ay > ax;
        let (small, large) = if is_steep { (ax, ay) } else { (ay, ax) };
        let is_diagonal = small > TAN_PI_8 * large;
        Self(usize::from(is_diagonal) | usize::from(is_steep) << 1 | usize::from(is_left) << 2)
    }

    #[inline]
    fn is_diagonal(self) -> bool {
        self.0 & 1 != 0
    }

    /// Numerator and denominator of the reduced tangent, exact.
    #[inline]
    fn quotient(self, ay: f64, ax: f64) -> (Pair, Pair) {
        let (small, large) = if self.0 & 2 != 0 { (ax, ay) } else { (ay, ax) };
        if self.is_diagonal() {
            (sum(small, -large), sum(small, large))
        } else {
            (Pair::from(small), Pair::from(if large == 0.0 { 1.0 } else { large }))
        }
    }

    /// The angle from the positive x axis whose reduced tangent is `quotient + missing`.
    #[inline]
    fn angle(self, quotient: f64, missing: f64) -> f64 {
        let square = quotient * quotient;
        let tail = quotient * square * twelve(&ARCTANGENT, square) + missing;
        // The angle runs backwards where exactly one of bits 1 and 2 is set.
        let sign = (((self.0 >> 1) ^ (self.0 >> 2)) as u64 & 1) << 63;
        let signed = |v: f64| f64::from_bits(v.to_bits() ^ sign);
        let [high, low] = OCTANT[self.0 & 7].map(f64::from_bits);
        let main = sum_ordered(high, signed(quotient));
        main.hi + (main.lo + (low + signed(tail)))
    }
}

/// The correctly rounded angle where `f64` cannot tell: on which side of the ray at the boundary lies the point?
#[cold]
fn decide(ay: f64, x: f64, angle: f64) -> f32 {
    let Some(boundary) = Boundary::near(angle) else { return angle as f32 };
    let (sine, cosine) = Pair::sin_cos(boundary.at);
    let side = Pair::from(ay).times(cosine).plus(Pair::from(-x).times(sine)).hi;
    // An angle is no rational number unless it is zero, so a side of zero comes from sin m = m for tiny m; the truth is
    // that the arc tangent is a little less than its tangent.
    boundary.round(if side == 0.0 { -1.0 } else { side })
}
