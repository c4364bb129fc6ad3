//! Exponentials: eˣ and 2ˣ.
//!
//! The argument is split into a multiple of 1/32 of an octave, whose power of two is a table entry
//! and an exponent, and a rest of at most 1/64 octave for a short polynomial (Tang, *Table-driven
//! implementation of the exponential function in IEEE floating-point arithmetic*, 1989).

use super::rounding::{ROUNDER, round_sum};

/// 2^(k/32).
const POWERS: [u64; 32] = [
    0x3FF0_0000_0000_0000,
    0x3FF0_59B0_D315_8574,
    0x3FF0_B558_6CF9_890F,
    0x3FF1_1301_D012_5B51,
    0x3FF1_72B8_3C7D_517B,
    0x3FF1_D487_3168_B9AA,
    0x3FF2_387A_6E75_6238,
    0x3FF2_9E9D_F51F_DEE1,
    0x3FF3_06FE_0A31_B715,
    0x3FF3_71A7_373A_A9CB,
    0x3FF3_DEA6_4C12_3422,
    0x3FF4_4E08_6061_892D,
    0x3FF4_BFDA_D536_2A27,
    0x3FF5_342B_569D_4F82,
    0x3FF5_AB07_DD48_5429,
    0x3FF6_247E_B03A_5585,
    0x3FF6_A09E_667F_3BCD,
    0x3FF7_1F75_E8EC_5F74,
    0x3FF7_A114_73EB_0187,
    0x3FF8_2589_994C_CE13,
    0x3FF8_ACE5_422A_A0DB,
    0x3FF9_3737_B0CD_C5E5,
    0x3FF9_C491_82A3_F090,
    0x3FFA_5503_B23E_255D,
    0x3FFA_E89F_995A_D3AD,
    0x3FFB_7F76_F2FB_5E47,
    0x3FFC_199B_DD85_529C,
    0x3FFC_B720_DCEF_9069,
    0x3FFD_5818_DCFB_A487,
    0x3FFD_FC97_337B_9B5F,
    0x3FFE_A4AF_A2A4_90DA,
    0x3FFF_5076_5B6E_4540,
];

/// What rounding the entry lost, relative to it.
const LOST: [u64; 32] = [
    0x0000_0000_0000_0000,
    0x3C8C_D252_3567_F613,
    0x3C97_9AA6_5D83_7B6C,
    0xBC95_5652_2A2F_BD0E,
    0xBC80_1B15_EAA5_9348,
    0x3C9A_ECF7_3E3A_2F5F,
    0x3C96_8EFD_E3A8_A893,
    0x3C82_F7E1_6D09_AB31,
    0x3C83_4D75_4DB0_ABB6,
    0xBC92_4AED_CC4B_5069,
    0x3C85_9F48_A72A_4C6C,
    0x3C43_63ED_60C2_AC11,
    0x3C76_90CE_BB7A_AFB0,
    0xBC78_DEC6_BD0F_3860,
    0x3C90_63E1_E21C_5409,
    0xBC8C_33C5_3BEF_4DA8,
    0xBC93_B3EF_BF5E_2229,
    0xBC78_1F64_7E5A_3ECF,
    0xBC7B_32DC_B94D_A51D,
    0xBC93_69B6_F13B_3734,
    0x3C8D_B72F_C1F0_EAB4,
    0xBC5D_A9B8_8B6C_1E29,
    0x3C71_AFFC_2B91_CE27,
    0xBC91_BBD1_D3BC_BB15,
    0x3C8C_1A77_92CB_3386,
    0xBC68_D6F4_38AD_9334,
    0x3C73_6EAE_30AF_0CB3,
    0x3C67_6B2C_6C92_1968,
    0x3C74_A385_A63D_07A7,
    0xBC82_D521_07B4_3E1F,
    0xBC8F_F712_8FD3_91F1,
    0x3C8A_64A9_31D1_85ED,
];

/// (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 64, error of eʳ 2⁻⁶².
const EXPONENTIAL: [f64; 5] = [
    f64::from_bits(0x3FE0_0000_0000_0000),
    f64::from_bits(0x3FC5_5555_5554_DD39),
    f64::from_bits(0x3FA5_5555_5555_1947),
    f64::from_bits(0x3F81_1114_F8DA_C296),
    f64::from_bits(0x3F56_C16F_FE8B_0841),
];

/// (2ʳ − 1) / r for |r| ≤ 1/64, error of 2ʳ 2⁻⁶⁶.
const POWER_OF_TWO: [f64; 6] = [
    f64::from_bits(0x3FE6_2E42_FEFA_39EF),
    f64::from_bits(0x3FCE_BFBD_FF82_C58F),
    f64::from_bits(0x3FAC_6B08_D703_80BF),
    f64::from_bits(0x3F83_B2AB_6FB9_EAA7),
    f64::from_bits(0x3F55_D885_E73D_B266),
    f64::from_bits(0x3F24_3095_57FE_1293),
];

/// Steps of the table per unit of the exponent.
const STEPS_PER_UNIT: f64 = f64::from_bits(0x4047_1547_652B_82FE); // 32 / ln 2
/// ln 2 / 32 in two parts; the first has 29 bits, so that its multiples are exact.
const STEP_HIGH: f64 = f64::from_bits(0x3F96_2E42_FF00_0000);
const STEP_LOW: f64 = f64::from_bits(0xBD77_1843_2A1B_0E26);

/// eˣ, correctly rounded; 0 or ∞ where it leaves the range of `f32`. NaN gives NaN.
///
/// ```
/// assert_eq!(carom_core::trig::exp(1.0), std::f32::consts::E);
/// ```
#[inline]
#[must_use]
pub fn exp(exponent: f32) -> f32 {
    let x = f64::from(exponent);
    if x.abs() >= 104.0 || x.is_nan() {
        return beyond(x) as f32;
    }
    let (steps, growth) = natural(x, 0.0);
    let power = power_of_two_steps(steps);
    round_sum(power, power * growth)
}

/// 2ˣ, correctly rounded; 0 or ∞ where it leaves the range of `f32`. NaN gives NaN.
///
/// ```
/// assert_eq!(carom_core::trig::exp2(-3.0), 0.125);
/// ```
#[inline]
#[must_use]
pub fn exp2(exponent: f32) -> f32 {
    let x = f64::from(exponent);
    if x.abs() >= 160.0 || x.is_nan() {
        return beyond(x) as f32;
    }
    let (power, rest) = exp2_parts(x, 0.0);
    round_sum(power, rest)
}

/// eˣ in `f64`, within 0.6 ulp; 0 or ∞ where it leaves the range of `f64`. NaN gives NaN.
///
/// Results below the normal numbers are rounded twice and may be off by one unit of their last
/// place.
#[must_use]
pub fn exp_f64(exponent: f64) -> f64 {
    exp_of_sum(exponent, 0.0)
}

/// `e^(x + small)` with |small| below 2⁻²⁰.
#[inline]
pub(super) fn exp_of_sum(x: f64, small: f64) -> f64 {
    if x.abs() >= 746.0 || x.is_nan() {
        return beyond(x);
    }
    let (steps, growth) = natural(x, small);
    if x.abs() < 708.0 {
        let power = power_of_two_steps(steps);
        return power + power * growth;
    }
    // The power alone may leave the range: scale in two steps.
    let mantissa = power_of_two_steps(steps & 31);
    let octaves = steps >> 5;
    let half = octaves / 2;
    (mantissa + mantissa * growth) * power_of_two_steps(half << 5) * power_of_two_steps((octaves - half) << 5)
}

/// `2^(x + small)` for |x| < 1000 and |small| below 2⁻²⁰, as a power of two from the table and what
/// is to be added; the error of their sum is 2⁻⁵⁷.
#[inline]
pub(super) fn exp2_parts(x: f64, small: f64) -> (f64, f64) {
    let c = &POWER_OF_TWO;
    let shifted = x * 32.0 + ROUNDER;
    let r = (x - (shifted - ROUNDER) * 0.03125) + small;
    let r2 = r * r;
    let growth = r * ((c[0] + r * c[1]) + r2 * ((c[2] + r * c[3]) + r2 * (c[4] + r * c[5])));
    let steps = integer(shifted);
    let power = power_of_two_steps(steps);
    (power, power * (growth + lost(steps)))
}

/// `e^(x + small)` as a number of steps of the table and the factor minus one that is left.
#[inline]
fn natural(x: f64, small: f64) -> (i64, f64) {
    let c = &EXPONENTIAL;
    let shifted = x * STEPS_PER_UNIT + ROUNDER;
    let steps = shifted - ROUNDER;
    let r = (x - steps * STEP_HIGH) - (steps * STEP_LOW - small);
    let r2 = r * r;
    let growth = r + r2 * ((c[0] + r * c[1]) + r2 * ((c[2] + r * c[3]) + r2 * c[4]));
    let steps = integer(shifted);
    (steps, growth + lost(steps))
}

/// The integer that adding [`ROUNDER`] left in the low bits.
#[inline]
fn integer(shifted: f64) -> i64 {
    shifted.to_bits().wrapping_sub(ROUNDER.to_bits()) as i64
}

#[inline]
fn lost(steps: i64) -> f64 {
    f64::from_bits(LOST[(steps & 31) as usize])
}

/// 2^(steps/32), which must be a normal number.
#[inline]
fn power_of_two_steps(steps: i64) -> f64 {
    f64::from_bits(POWERS[(steps & 31) as usize].wrapping_add((steps >> 5 << 52) as u64))
}

/// The exponential of NaN or of something far out of range.
#[cold]
fn beyond(x: f64) -> f64 {
    if x.is_nan() {
        f64::NAN
    } else if x > 0.0 {
        f64::INFINITY
    } else {
        0.0
    }
}
