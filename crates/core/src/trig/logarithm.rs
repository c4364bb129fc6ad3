//! Logarithms to the bases e and 2.
//!
//! x = 2^k · z with z in [0.69, 1.39). A table gives a short number c near 1/z, so that r = zc − 1
//! is exact and below 1/65; then ln x = k ln 2 − ln c + ln(1 + r), the constants as sums of two.
//! Around z = 1 the table has c = 1, so nothing cancels there. The method is Tang's (*Table-driven
//! implementation of the logarithm function*, 1990); an interval with c = 1 around 1 is an idea of
//! Arm's optimized routines (Szabolcs Nagy).

use super::pair::{Pair, sum_ordered};
use super::polynomial::eight;
use super::rounding::round_sum;

/// Bits of the smallest z.
const FIRST: u64 = 0x3FE6_2AC0_0000_0000;

/// c for 32 intervals of z: multiples of 1/512.
const RECIPROCAL: [f64; 32] = {
    const TIMES_512: [u16; 32] = [
        731, 715, 700, 685, 671, 658, 645, 632, 620, 609, 598, 587, 577, 567, 557, 548, 539, 530, 522, 512,
        499, 484, 470, 457, 445, 433, 422, 411, 401, 392, 383, 374,
    ];
    let mut c = [0.0; 32];
    let mut k = 0;
    while k < 32 {
        c[k] = TIMES_512[k] as f64 / 512.0;
        k += 1;
    }
    c
};

/// −ln c: a multiple of 2⁻⁴² and what is missing.
pub(super) const LN_OF_RECIPROCAL: [[u64; 2]; 32] = [
    [0xBFD6_CA28_D2E3_5000, 0x3D39_EA5E_8E76_DD34],
    [0xBFD5_5F91_07A4_4000, 0x3D11_E647_78DF_4A62],
    [0xBFD4_0430_8686_A000, 0xBD3F_8EF4_3049_F7D3],
    [0xBFD2_A149_9F76_3000, 0x3D30_DBBF_51F3_AADC],
    [0xBFD1_4EF6_7F88_7000, 0x3D3E_97A6_5DFC_9794],
    [0xBFD0_0E6C_45AD_5000, 0xBCDC_C68D_52E0_1203],
    [0xBFCD_8EF9_1AF3_2000, 0x3D15_105F_C364_C784],
    [0xBFCA_F3C9_4E80_C000, 0x3CBA_4E63_3FCD_9066],
    [0xBFC8_7FA0_6520_C000, 0xBD32_2120_4012_02FC],
    [0xBFC6_350A_28AA_A000, 0xBD2D_5EC0_AB81_63AF],
    [0xBFC3_DFC2_B0EC_C000, 0xBD28_A72A_62B8_C13F],
    [0xBFC1_7F64_58FC_A000, 0xBD28_43FA_D093_C8DC],
    [0xBFBE_98B5_4967_0000, 0xBD34_6774_89C5_0E97],
    [0xBFBA_1EF1_D806_0000, 0xBD3C_D417_6DF9_7BCB],
    [0xBFB5_90CA_FDF0_0000, 0xBD3C_284F_5722_ABAA],
    [0xBFB1_6536_EEA3_8000, 0x3D14_7C5E_768F_A309],
    [0xBFAA_4FE9_FFA4_0000, 0x3D36_E584_A040_2925],
    [0xBFA1_B0D9_8924_0000, 0x3D33_401E_9AE8_89BB],
    [0xBF93_CEA4_4347_0000, 0x3D36_A2C4_32D6_A40B],
    [0x0000_0000_0000_0000, 0x0000_0000_0000_0000],
    [0x3F9A_55F5_48C6_0000, 0xBD2D_E070_9F2D_03C9],
    [0x3FAC_CB73_CDDD_8000, 0x3D39_65C3_6E09_F5FE],
    [0x3FB5_E95A_4D97_8000, 0x3D31_CB7C_E1D1_7171],
    [0x3FBD_1797_8821_8000, 0x3D33_6433_B5EF_BEED],
    [0x3FC1_F3B9_25F2_6000, 0xBD15_F74E_9B08_3633],
    [0x3FC5_737C_C901_8000, 0x3D39_BAA7_A6B8_87F6],
    [0x3FC8_BEAF_EB39_0000, 0xBD07_3D54_AAE9_2CD1],
    [0x3FCC_2028_AB18_0000, 0xBD29_2E0E_E55C_7AC6],
    [0x3FCF_474B_134E_0000, 0xBD3B_AE49_F1DF_7B5E],
    [0x3FD1_178E_8227_E000, 0x3D31_EF78_CE2D_07F2],
    [0x3FD2_941A_FB18_7000, 0xBD32_10C2_B730_E28B],
    [0x3FD4_19B4_23D5_F000, 0xBD3C_E379_226D_E3EC],
];

/// −log₂ c in the same form.
const LOG2_OF_RECIPROCAL: [[u64; 2]; 32] = [
    [0xBFE0_7074_DAF5_6000, 0xBD3D_990D_1E0F_6657],
    [0xBFDE_D5CD_488F_1000, 0xBD3C_C65B_9682_5EC6],
    [0xBFDC_E0A4_923A_6000, 0x3D3E_0CDA_8BD7_4461],
    [0xBFDA_E0A0_A75E_B000, 0x3D3E_7958_691D_DAB5],
    [0xBFD8_F887_36B2_D000, 0xBD33_9EEC_34CE_3CE3],
    [0xBFD7_2A16_37CB_C000, 0xBD18_2943_4D99_4A2A],
    [0xBFD5_526A_D184_9000, 0xBD2E_6C52_2CED_A3FB],
    [0xBFD3_7124_CEA4_D000, 0x3D20_9933_7664_9B50],
    [0xBFD1_AC05_B291_F000, 0xBCFC_14A3_1CE1_B7E3],
    [0xBFD0_04E3_A7C9_8000, 0x3D2A_15A5_B343_A140],
    [0xBFCC_AC16_3C77_0000, 0xBD3B_912D_8994_B162],
    [0xBFC9_3E65_8791_0000, 0xBD21_0F7A_C89C_6F2D],
    [0xBFC6_121A_C748_2000, 0x3D38_61E0_1D20_0CE1],
    [0xBFC2_D79C_6937_E000, 0xBD3F_B9B1_AAF5_4BCC],
    [0xBFBF_1CD2_1258_0000, 0x3D3E_742A_6951_096D],
    [0xBFB9_18A1_6E46_4000, 0x3D29_4AA3_1B9B_6D65],
    [0xBFB2_FAEF_55CC_C000, 0x3D29_1B41_5EEB_24ED],
    [0xBFA9_85BF_C349_8000, 0x3D37_35CF_AF8E_2578],
    [0xBF9C_9363_BA85_0000, 0xBD0F_0CCC_DD01_EE2F],
    [0x0000_0000_0000_0000, 0x0000_0000_0000_0000],
    [0x3FA2_FF4B_7741_0000, 0x3D3E_E547_81C5_47E6],
    [0x3FB4_C560_FE68_C000, 0xBD30_77F1_F5F0_CC83],
    [0x3FBF_9C95_DC1D_0000, 0x3D31_64E9_32B2_D51C],
    [0x3FC4_FC4D_4D9B_C000, 0xBD39_D941_E9E7_46A4],
    [0x3FC9_E63A_2497_2000, 0xBCF7_42A6_B282_7CF0],
    [0x3FCE_F28A_ACD7_2000, 0x3D11_8906_313E_79CF],
    [0x3FD1_D982_C9D5_2000, 0x3D3C_20D7_4C02_11BF],
    [0x3FD4_49D1_15EF_8000, 0xBD23_C49C_247A_B6AF],
    [0x3FD6_900A_8836_D000, 0x3D0A_A0E9_E6BC_A777],
    [0x3FD8_A898_0ABF_C000, 0xBD26_6CCC_AB24_0E90],
    [0x3FDA_CD9C_130D_D000, 0x3D34_FD70_6131_1744],
    [0x3FDC_FFAE_611A_D000, 0x3D12_B628_E2D0_5D76],
];

/// ln 2 in the same form.
pub(super) const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEFA_3800);
pub(super) const LN2_LOW: f64 = f64::from_bits(0x3D2E_F357_93C7_6730);

/// 1/ln 2: the first 24 bits, whose product with r of an `f32` is exact, and the rest.
const INVERSE_LN2_HIGH: f64 = f64::from_bits(0x3FF7_1547_6000_0000);
const INVERSE_LN2_LOW: f64 = f64::from_bits(0x3E54_AE0B_F85D_DF44);

/// (ln(1 + r) − r) / r² for |r| ≤ 0.0153, relative error of the logarithm 2⁻⁶³.
const LN: [f64; 8] = [
    f64::from_bits(0xBFE0_0000_0000_0000),
    f64::from_bits(0x3FD5_5555_5555_5555),
    f64::from_bits(0xBFD0_0000_0000_1689),
    f64::from_bits(0x3FC9_9999_9999_C293),
    f64::from_bits(0xBFC5_5555_46A2_B751),
    f64::from_bits(0x3FC2_4924_84EC_9031),
    f64::from_bits(0xBFC0_0188_9D0D_BE74),
    f64::from_bits(0x3FBC_7490_F4EE_A466),
];

/// The same divided by ln 2.
const LOG2: [f64; 8] = [
    f64::from_bits(0xBFE7_1547_652B_82FE),
    f64::from_bits(0x3FDE_C709_DC3A_03FD),
    f64::from_bits(0xBFD7_1547_652B_A381),
    f64::from_bits(0x3FD2_776C_50EF_B98D),
    f64::from_bits(0xBFCE_C709_C705_B4D3),
    f64::from_bits(0x3FCA_6176_1734_046C),
    f64::from_bits(0xBFC7_177D_D115_5248),
    f64::from_bits(0x3FC4_86B4_2BC4_7CDA),
];

/// Natural logarithm, correctly rounded: −∞ at ±0, NaN for negative numbers and NaN, ∞ at ∞.
///
/// ```
/// assert_eq!(carom_core::trig::ln(std::f32::consts::E), 0.999_999_94);
/// assert_eq!(carom_core::trig::ln(0.0), f32::NEG_INFINITY);
/// ```
#[inline]
#[must_use]
pub fn ln(x: f32) -> f32 {
    if !(x > 0.0 && x < f32::INFINITY) {
        return of_extremes(f64::from(x)) as f32;
    }
    let (power, index, r) = reduce(f64::from(x));
    let [high, low] = LN_OF_RECIPROCAL[index].map(f64::from_bits);
    let main = sum_ordered(power * LN2_HIGH + high, r);
    round_sum(main.hi, main.lo + (power * LN2_LOW + low) + r * r * eight(&LN, r))
}

/// Logarithm to base 2, correctly rounded and exact for powers of two; special values as [`ln`].
///
/// ```
/// assert_eq!(carom_core::trig::log2(0.125), -3.0);
/// ```
#[inline]
#[must_use]
pub fn log2(x: f32) -> f32 {
    if !(x > 0.0 && x < f32::INFINITY) {
        return of_extremes(f64::from(x)) as f32;
    }
    let main = log2_pair(f64::from(x));
    round_sum(main.hi, main.lo)
}

/// Natural logarithm in `f64`, within 0.6 ulp; special values as [`ln`].
#[must_use]
pub fn ln_f64(x: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY) {
        return of_extremes(x);
    }
    let (power, index, r) = reduce_long(x);
    let [high, low] = LN_OF_RECIPROCAL[index].map(f64::from_bits);
    let main = sum_ordered(power * LN2_HIGH + high, r.hi);
    main.hi + (main.lo + (power * LN2_LOW + low + r.lo) + r.hi * r.hi * eight(&LN, r.hi))
}

/// Base-2 logarithm of a positive number of at most 25 bits, with a relative error of some 2⁻⁶⁰;
/// the lower part is up to 2⁻⁷ of the upper one.
#[inline]
pub(super) fn log2_pair(x: f64) -> Pair {
    let (power, index, r) = reduce(x);
    let [high, low] = LOG2_OF_RECIPROCAL[index].map(f64::from_bits);
    let main = sum_ordered(power + high, r * INVERSE_LN2_HIGH);
    Pair { hi: main.hi, lo: main.lo + (low + r * INVERSE_LN2_LOW + r * r * eight(&LOG2, r)) }
}

/// Exponent k, interval and z of a positive number.
#[inline]
fn interval(x: f64) -> (f64, usize, f64) {
    let above = x.to_bits().wrapping_sub(FIRST);
    let power = (above as i64) >> 52;
    let z = f64::from_bits(x.to_bits().wrapping_sub((power << 52) as u64));
    (power as f64, (above >> 47) as usize & 31, z)
}

/// Exponent k, interval and r of a positive normal number of at most 43 bits; r is exact.
#[inline]
pub(super) fn reduce(x: f64) -> (f64, usize, f64) {
    let (power, index, z) = interval(x);
    (power, index, z * RECIPROCAL[index] - 1.0)
}

/// The same for any positive finite number, r as an exact sum of two.
#[inline]
pub(super) fn reduce_long(x: f64) -> (f64, usize, Pair) {
    const TWO_54: f64 = 18_014_398_509_481_984.0;
    let (power, index, z) = if x < f64::MIN_POSITIVE {
        let (power, index, z) = interval(x * TWO_54);
        (power - 54.0, index, z)
    } else {
        interval(x)
    };
    let c = RECIPROCAL[index];
    // Both halves of z have at most 27 bits, so the products with c are exact.
    let upper = f64::from_bits(z.to_bits() & !((1 << 26) - 1));
    let main = upper * c - 1.0;
    let rest = (z - upper) * c;
    (power, index, super::pair::sum(main, rest))
}

/// Logarithm of zero, infinity, NaN or a negative number.
#[cold]
fn of_extremes(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 {
        f64::INFINITY
    } else {
        f64::NAN
    }
}
