//! Arc sine and arc cosine.
//!
//! Up to ½ a polynomial in x²; beyond, arcsin x = π/2 − 2 arcsin √((1 − x)/2), whose argument is at
//! most ½ again and whose radicand is exact (as in fdlibm). Both cases are computed by the same
//! instructions with selected operands.

use super::choice::select;
use super::pair::sum_ordered;
use super::polynomial::{eight, four};
use super::rounding::round_sum;

/// (arcsin √s / √s − 1) / s on [0, ¼], relative error of the arc sine 2⁻⁵⁷.
const ARCSINE: [f64; 13] = [
    f64::from_bits(0x3FC5_5555_5555_5556),
    f64::from_bits(0x3FB3_3333_3333_2ECA),
    f64::from_bits(0x3FA6_DB6D_B6E3_1F13),
    f64::from_bits(0x3F9F_1C71_C1DB_0623),
    f64::from_bits(0x3F96_E8BB_1C82_09A2),
    f64::from_bits(0x3F91_C4D3_5CF9_5421),
    f64::from_bits(0x3F8C_9CF0_7674_736A),
    f64::from_bits(0x3F87_8265_1CAA_6547),
    f64::from_bits(0x3F85_2420_B04B_37BE),
    f64::from_bits(0x3F76_5A9C_4DFC_F8B2),
    f64::from_bits(0x3F91_D189_4083_14EE),
    f64::from_bits(0xBF8E_6AAA_8A0A_04CC),
    f64::from_bits(0x3F9D_72B2_BC81_55F8),
];

/// Where the angle starts, as a sum of two, and the multiple of the reduced angle that is added.
type Start = [f64; 3];
const FROM_ZERO: Start = [0.0, 0.0, 1.0];
const HALF_PI: f64 = f64::from_bits(0x3FF9_21FB_5444_2D18);
const HALF_PI_LOW: f64 = f64::from_bits(0x3C91_A626_3314_5C07);
/// By the case of the sine: beyond ½, up to ½.
const OF_SINE: [Start; 2] = [[HALF_PI, HALF_PI_LOW, -2.0], FROM_ZERO];
/// By the case of the cosine: beyond ½, up to ½, the same two with a negative sign.
const OF_COSINE: [Start; 4] = [
    [0.0, 0.0, 2.0],
    [HALF_PI, HALF_PI_LOW, -1.0],
    [2.0 * HALF_PI, 2.0 * HALF_PI_LOW, -2.0],
    [HALF_PI, HALF_PI_LOW, 1.0],
];

/// Arc sine in radians, in [−π/2, π/2], correctly rounded. NaN outside [−1, 1].
///
/// ```
/// assert_eq!(carom_core::trig::asin(1.0), std::f32::consts::FRAC_PI_2);
/// assert!(carom_core::trig::asin(1.5).is_nan());
/// ```
#[inline]
#[must_use]
pub fn asin(sine: f32) -> f32 {
    let (main, rest) = angle(f64::from(sine.abs()), &OF_SINE, 0);
    round_sum(main, rest).copysign(sine)
}

/// Arc cosine in radians, in [0, π], correctly rounded. NaN outside [−1, 1].
///
/// ```
/// assert_eq!(carom_core::trig::acos(-1.0), std::f32::consts::PI);
/// ```
#[inline]
#[must_use]
pub fn acos(cosine: f32) -> f32 {
    let (main, rest) = angle(f64::from(cosine.abs()), &OF_COSINE, usize::from(cosine < 0.0) << 1);
    round_sum(main, rest)
}

/// Arc sine in `f64`, within 1.1 ulp. NaN outside [−1, 1].
#[inline]
#[must_use]
pub fn asin_f64(sine: f64) -> f64 {
    let (main, rest) = angle(sine.abs(), &OF_SINE, 0);
    (main + rest).copysign(sine)
}

/// Arc cosine in `f64`, within 1.1 ulp. NaN outside [−1, 1].
#[inline]
#[must_use]
pub fn acos_f64(cosine: f64) -> f64 {
    let (main, rest) = angle(cosine.abs(), &OF_COSINE, usize::from(cosine < 0.0) << 1);
    main + rest
}

/// The start of this case plus its multiple of the angle whose sine is a, or whose sine is √((1 −
/// a)/2) if a > ½, as a sum of two.
#[inline]
fn angle<const N: usize>(a: f64, starts: &[Start; N], first: usize) -> (f64, f64) {
    // Selection by masks: a branch would be mispredicted for half of all random arguments.
    let is_small = a <= 0.5;
    let s = select(is_small, a * a, 0.5 - 0.5 * a);
    let root = select(is_small, a, (0.5 - 0.5 * a).sqrt());
    let c = &ARCSINE;
    let [s2, low] = [s * s, eight(&[c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]], s)];
    let s4 = s2 * s2;
    let high = four([c[8], c[9], c[10], c[11]], s, s2) + s4 * c[12];
    let tail = root * (s * (low + (s4 * s4) * high));
    let [start, start_low, times] = starts[(first | usize::from(is_small)) & (N - 1)];
    let main = sum_ordered(start, times * root);
    (main.hi, main.lo + (start_low + times * tail))
}
