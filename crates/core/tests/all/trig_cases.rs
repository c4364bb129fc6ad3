//! The elementary functions where they are hardest: inputs whose value lies closest to a midpoint
//! between two `f32`, exact ties, special values, monotonicity and identities.

use std::f32::consts::{FRAC_PI_2, PI};

use carom_core::trig;
use proptest::prelude::*;

fn check(name: &str, function: fn(f32) -> f32, cases: &[(u32, u32)]) {
    for &(input, right) in cases {
        let ours = function(f32::from_bits(input));
        assert_eq!(ours.to_bits(), right, "{name} of {input:#x}: {ours:e}");
    }
}

/// All inputs, up to symmetry, whose value comes within three `f64` ulps of a midpoint, found by
/// visiting every `f32`; the right answers are from 600-bit arithmetic.
#[test]
fn the_hardest_cases_of_one_argument_round_correctly() {
    check(
        "acos",
        trig::acos,
        &[
            (0x3288_85A3, 0x3FC9_0FDB),
            (0x3982_6222, 0x3FC9_07B5),
            (0x3B7D_281B, 0x3FC8_9147),
            (0x3C8A_2F9B, 0x3FC6_E716),
            (0xBA9D_5F75, 0x3FC9_3733),
            (0xBC40_6CCD, 0x3FCA_90B6),
        ],
    );
    check(
        "asin",
        trig::asin,
        &[(0x3D07_959C, 0x3D07_9BF3), (0x3DE5_FA1E, 0x3DE6_768E), (0x3F08_3A1A, 0x3F0F_A5B2)],
    );
    check(
        "atan",
        trig::atan,
        &[
            (0x3A27_BA3B, 0x3A27_BA3A),
            (0x3AD6_37FA, 0x3AD6_37EE),
            (0x3B7C_1BC9, 0x3B7C_1B78),
            (0x3D8D_6B23, 0x3D8D_31C3),
            (0x4035_7F1D, 0x3F9D_AB29),
            (0x4C70_0517, 0x3FC9_0FDA),
            (0x4C70_0518, 0x3FC9_0FDB),
        ],
    );
    check(
        "cos",
        trig::cos,
        &[
            (0x3980_0000, 0x3F80_0000),
            (0x3A54_4395, 0x3F7F_FFFB),
            (0x3C10_7FE6, 0x3F7F_FD74),
            (0x4237_8DB8, 0xBEA8_7A07),
            (0x4247_90CE, 0x3F6E_4C01),
            (0x4A01_DCA4, 0x3F30_B318),
            (0x52D9_D3FE, 0xBF5E_187B),
            (0x55E5_235D, 0xBE83_C11A),
            (0x5922_AA80, 0x3F08_AEBF),
            (0x5944_3C0A, 0x3F42_5F62),
            (0x6170_3976, 0x3EDA_CC56),
            (0x7908_CD73, 0x3F79_8BB5),
            (0x7A38_AB34, 0x3F7B_3195),
            (0x7A4B_1A27, 0x3F7C_54DA),
        ],
    );
    check(
        "exp",
        trig::exp,
        &[(0x377E_FF81, 0x3F80_0080), (0xBBF0_EDF1, 0x3F7E_1FE9), (0xC169_12CD, 0x34FD_331B)],
    );
    check(
        "exp2",
        trig::exp2,
        &[
            (0x3687_9CF7, 0x3F80_0018),
            (0x3A07_857C, 0x3F80_0BBE),
            (0x3B42_9D37, 0x3F80_4385),
            (0x3C02_A9AD, 0x3F80_B5A3),
            (0xB52D_1F9A, 0x3F7F_FFF8),
            (0xB8D3_D026, 0x3F7F_FB69),
            (0xBAEC_2B40, 0x3F7F_AE34),
            (0xBCF3_A937, 0x3F7A_C6B1),
            (0xBE1F_29DE, 0x3F65_DA56),
            (0xC316_0000, 0x0000_0000),
        ],
    );
    check(
        "ln",
        trig::ln,
        &[
            (0x064C_B44B, 0xC29E_7C1A),
            (0x07C0_60FA, 0xC29A_733A),
            (0x0DC8_BBA4, 0xC289_BAC4),
            (0x0F61_FF63, 0xC285_5565),
            (0x111C_87F8, 0xC280_85DF),
            (0x1A84_46CB, 0xC24D_0A45),
            (0x1F11_6AB8, 0xC233_B53E),
            (0x2423_C085, 0xC217_81D1),
            (0x28E3_FA26, 0xC1FA_75E0),
            (0x29E6_126B, 0xC1EF_4C02),
            (0x29FD_22F8, 0xC1EE_8859),
            (0x2C4C_24B7, 0xC1D4_8710),
            (0x2E49_2984, 0xC1BE_76EE),
            (0x38DC_BE38, 0xC112_8BA4),
            (0x3BF8_6EF0, 0xC09C_399E),
            (0x3C41_3D3A, 0xC08E_158F),
            (0x4117_8FEB, 0x400F_E5E7),
            (0x464D_5B2B, 0x4117_BCF1),
            (0x4665_A9A6, 0x4119_8725),
            (0x4C5D_65A5, 0x418F_034B),
            (0x4D60_4EBE, 0x419A_352C),
            (0x4E85_F412, 0x41A6_B811),
            (0x54AF_989D, 0x41EB_6D3C),
            (0x5D80_0341, 0x4226_5B10),
            (0x5EE8_984E, 0x422E_4A21),
            (0x5F64_C24A, 0x4230_FEE2),
            (0x62B4_67BA, 0x4243_7434),
            (0x65D8_90D3, 0x4254_D1F9),
            (0x66A8_C860, 0x4259_5E46),
            (0x66AB_BD63, 0x4259_700E),
            (0x6F31_A8EC, 0x4284_5A89),
            (0x79E7_EC37, 0x42A1_FFB7),
        ],
    );
    check("log2", trig::log2, &[(0x3EA0_7AB9, 0xBFD6_3DA2), (0x4020_7AB9, 0x3FA9_C25E)]);
    check(
        "sin",
        trig::sin,
        &[
            (0x3DCF_5597, 0x3DCE_FAF9),
            (0x3EF3_830F, 0x3EEA_6F45),
            (0x4371_ADE3, 0x3E62_DA56),
            (0x45A8_ABB3, 0x3E51_ADE2),
            (0x4967_CB9B, 0x3EC9_DF85),
            (0x4FB5_6937, 0xBF7F_FCB7),
            (0x55CA_FB2A, 0xBF7E_7A17),
            (0x5DAD_D689, 0xBF74_FC9E),
            (0x5F20_8D82, 0x3F2C_7688),
            (0x61DF_C847, 0xBF00_94DF),
            (0x6446_CEC0, 0xBF69_95BD),
            (0x653C_EE8F, 0x3F30_DF39),
            (0x67A9_242B, 0xBF7F_AB81),
            (0x6A3F_60FF, 0xBF79_EE5F),
            (0x6D73_4599, 0xBF5B_5135),
            (0x7324_3F06, 0x3E94_3A84),
            (0x79D1_F6D3, 0xBF7A_88EE),
            (0x7A5A_ACDB, 0x3EDA_83BB),
            (0x7A81_7B08, 0x3E1B_493E),
        ],
    );
    check(
        "tan",
        trig::tan,
        &[
            (0x3E19_205E, 0x3E1A_4733),
            (0x4081_74DD, 0x3FA2_9B31),
            (0x40E6_7F59, 0x3FA8_0C88),
            (0x451E_0885, 0xBEF7_14D6),
            (0x453C_5846, 0x3F64_FA0E),
            (0x5758_52F8, 0xBFC0_E1DA),
            (0x5D58_73AE, 0x3EA6_BFED),
            (0x5FFD_33A4, 0x3FD0_6C8C),
            (0x7714_B423, 0x3FE8_3698),
            (0x77CD_A26B, 0x3F88_2B34),
            (0x7DAE_7426, 0x3F4A_C6DB),
        ],
    );
}

/// The roundings of sine and cosine that are wrong and stay so, and one that a slightly different
/// polynomial would lose.
#[test]
fn stored_roundings_do_not_change() {
    check("sin", trig::sin, &[(0x4619_9998, 0xBEB1_FA5E)]);
    check(
        "cos",
        trig::cos,
        &[(0x5F18_B878, 0x3F7F_14BC), (0x6115_CB11, 0x3F78_142E), (0x5922_AA80, 0x3F08_AEBF)],
    );
}

/// Points found by continued fractions of tangents of midpoints: within 2⁻⁵⁴ of a tie, where `f64`
/// cannot tell.
#[test]
fn the_hardest_angles_of_points_round_correctly() {
    for (y, x, right) in [
        (0x8F67_2ECD, 0x0E19_E4B8, 0xBFB3_F423),
        (0x4B3D_87A9, 0xCB23_1B15, 0x4012_027A),
        (0x498D_53A8, 0xCAC4_941A, 0x403D_AE37),
        (0x7D25_187C, 0xFC25_D0C4, 0x3FE8_8CEC),
        (0xCF98_D1E0, 0x4D35_2C40, 0xBFC4_526D),
        (0x7D58_31A7, 0xFA04_FA40, 0x3FCA_4AC5),
        (0x4AC6_4B86, 0xC851_ED40, 0x3FCD_4B86),
        (0x4A2B_4310, 0xCB3F_BBB7, 0x403B_003E),
        (0x506E_3011, 0x501E_2907, 0x3F7C_10D2),
        (0x4FB1_F7F0, 0xCF8E_CC0A, 0x400F_CE8E),
        (0x5014_4239, 0xCF43_B128, 0x3FF1_DC1B),
        (0x40E8_781E, 0xC049_2A34, 0x3FFD_54A4),
        (0x7CF8_2C26, 0xFD42_FAFA, 0x4024_CA19),
        (0x4A53_53E8, 0x4A59_1CD4, 0x3F45_9B09),
        (0x48D5_C4E0, 0x4AC7_B616, 0x3D88_CE5F),
        (0xD05C_77C7, 0x4EF0_1498, 0xBFB7_BEB9),
        (0x5052_8721, 0xD079_9682, 0x401C_376F),
        (0x0F5C_4C81, 0x0DAB_98C8, 0x3FBC_A364),
        (0x4FBA_A496, 0xCF85_BF4A, 0x400C_531D),
        (0x8F6B_6A44, 0x8EBE_EE1E, 0xBFFA_5FDD),
        (0x495A_3C30, 0x4B1F_D4EB, 0x3DAE_5979),
        (0xFD7B_5718, 0x7B65_7AB0, 0xBFC1_C402),
        (0x7CD7_83D8, 0xFB75_2730, 0x3FDB_241E),
        (0x4B33_3DAF, 0xCB6B_88B2, 0x401F_6E04),
    ] {
        let ours = trig::atan2(f32::from_bits(y), f32::from_bits(x));
        assert_eq!(ours.to_bits(), right, "{y:#x}, {x:#x}: {ours:e}");
    }
}

#[test]
fn powers_that_are_ties_go_to_the_even_neighbour() {
    // 25-bit results, exactly between two `f32`.
    for (x, y, right) in [
        (4_097.0, 2.0, 16_785_408.0),
        (4_099.0, 2.0, 16_801_800.0),
        (293.0, 3.0, 25_153_756.0),
        (85_849.0, 1.5, 25_153_756.0),
        (841.0, 2.5, 20_511_148.0),
        (707_281.0, 1.25, 20_511_148.0),
        (29.0, 5.0, 20_511_148.0),
        (-29.0, 5.0, -20_511_148.0),
        (2.0, -150.0, 0.0),
        (8.0, -50.0, 0.0),
        (2.0, -149.0, f32::from_bits(1)),
    ] {
        assert_eq!(trig::powf(x, y), right, "{x}^{y}");
    }
    // Within 2⁻⁵² and 2⁻⁵⁴ of a tie.
    for (x, y, right) in [(0x4103_F2BF, 0x3EE8_B439, 0x4026_F793), (0x3E51_DA38, 0xC000_0000, 0x41BE_7C4A)] {
        assert_eq!(trig::powf(f32::from_bits(x), f32::from_bits(y)).to_bits(), right, "{x:#x} {y:#x}");
    }
}

const SPECIAL: [f32; 13] = [
    0.0,
    f32::from_bits(1),
    f32::MIN_POSITIVE,
    0.25,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    16_777_216.0,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
];

#[test]
fn special_values_follow_c99() {
    let signed = || SPECIAL.into_iter().flat_map(|x| [x, -x]);
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    for a in signed() {
        for b in signed() {
            let (wide_a, wide_b) = (f64::from(a), f64::from(b));
            assert!(
                same(trig::powf(a, b), libm::pow(wide_a, wide_b) as f32),
                "{a}^{b} = {}",
                trig::powf(a, b)
            );
            let right = libm::atan2(wide_a, wide_b) as f32;
            assert!(same(trig::atan2(a, b), right), "atan2({a}, {b}) = {}", trig::atan2(a, b));
            assert!(same(trig::hypot(a, b), libm::hypot(wide_a, wide_b) as f32), "hypot({a}, {b})");
        }
    }
    assert_eq!(trig::atan2(0.0, -0.0), PI);
    assert_eq!(trig::atan2(-0.0, -0.0), -PI);
    assert_eq!(trig::atan2(f32::NEG_INFINITY, f32::NEG_INFINITY), -0.75 * PI);
    assert_eq!(trig::atan2(1e-45, 0.0), FRAC_PI_2);
    assert_eq!(trig::powf(f32::NAN, 0.0), 1.0);
    assert_eq!(trig::powf(-1.0, f32::INFINITY), 1.0);
    assert!(trig::powf(-8.0, 1.0 / 3.0).is_nan());
    assert_eq!(trig::hypot(f32::NAN, f32::NEG_INFINITY), f32::INFINITY);
    assert!(
        trig::ln(-1.0).is_nan()
            && trig::log2(-f32::MIN_POSITIVE).is_nan()
            && trig::acos(1.000_000_1).is_nan()
    );
    assert!(
        trig::tan(f32::INFINITY).is_nan()
            && trig::sin(f32::NEG_INFINITY).is_nan()
            && trig::cos(f32::NAN).is_nan()
    );
    let odd: [fn(f32) -> f32; 4] = [trig::tan, trig::asin, trig::atan, trig::cbrt];
    for function in odd {
        assert_eq!(function(-0.0).to_bits(), 1 << 31);
        assert_eq!(function(0.0).to_bits(), 0);
    }
    // The one departure from C99: stored results depend on it.
    assert_eq!((trig::sin(-0.0).to_bits(), trig::sin_cos_f64(-0.0).0.to_bits()), (0, 0));
}

#[test]
fn exact_results_are_exact() {
    for k in -149i16..128 {
        let power = 2f64.powi(i32::from(k)) as f32;
        assert_eq!(trig::exp2(f32::from(k)), power);
        assert_eq!(trig::log2(power), f32::from(k));
    }
    for k in -255i16..=255 {
        let root = f32::from(k);
        assert_eq!(trig::cbrt(root * root * root), root);
        assert_eq!(trig::powf(root, 3.0), root * root * root);
    }
    assert_eq!((trig::exp(0.0), trig::ln(1.0), trig::acos(1.0), trig::asin(1.0)), (1.0, 0.0, 0.0, FRAC_PI_2));
}

/// A function and the bounds between which it rises.
type Rising = (fn(f32) -> f32, f32, f32);

/// Correctly rounded functions are as monotonic as what they round.
#[test]
fn rising_functions_never_fall() {
    let rising: [Rising; 7] = [
        (trig::asin, -1.0, 1.0),
        (trig::atan, f32::MIN, f32::MAX),
        (trig::exp, -110.0, 90.0),
        (trig::exp2, -160.0, 130.0),
        (trig::ln, 1e-45, f32::MAX),
        (trig::log2, 1e-45, f32::MAX),
        (trig::cbrt, f32::MIN, f32::MAX),
    ];
    // Floats in the order of their values.
    let key = |x: f32| if x < 0.0 { -i64::from((-x).to_bits()) } else { i64::from(x.to_bits()) };
    let float = |k: i64| if k < 0 { -f32::from_bits(-k as u32) } else { f32::from_bits(k as u32) };
    for (index, (function, low, high)) in rising.into_iter().enumerate() {
        let mut last = f32::NEG_INFINITY;
        for k in (key(low)..=key(high)).step_by(7_919) {
            for k in [k, k + 1] {
                let value = function(float(k.min(key(high))));
                assert!(value >= last, "function {index} falls at {:e}", float(k));
                last = value;
            }
        }
    }
}

/// √(a² + b²) rounded to 24 bits in integers, for numbers below 2⁵².
fn exact_hypot(a: u128, b: u128) -> f64 {
    // At least 24 bits and a half must stand before the point.
    let scale = if a.max(b) < 1 << 30 { 26 } else { 0 };
    let (a, b) = (a << scale, b << scale);
    let square = a * a + b * b;
    let root = square.isqrt();
    let shift = 128 - root.leading_zeros() - 24;
    let quotient = root >> shift;
    let midpoint = (2 * quotient + 1) << (shift - 1);
    let is_above = square > midpoint * midpoint;
    let is_tie = square == midpoint * midpoint;
    let rounded = quotient + u128::from(is_above || (is_tie && quotient & 1 == 1));
    rounded as f64 * 2f64.powi(shift as i32 - scale)
}

#[test]
fn lengths_that_are_ties_go_to_the_even_neighbour() {
    // Pythagorean triples with a hypotenuse of 25 bits, found by its formula.
    let mut ties = 0;
    for m in (2_900u128..5_700).step_by(3) {
        for n in (1..m).step_by(211).filter(|n| (m + n) % 2 == 1) {
            let (a, b, c) = (m * m - n * n, 2 * m * n, m * m + n * n);
            let fits = |v: u128| (v as f32) as u128 == v;
            if fits(a) && fits(b) && c > 1 << 24 && c < 1 << 25 {
                ties += 1;
                assert_eq!(f64::from(trig::hypot(a as f32, b as f32)), exact_hypot(a, b), "{a} {b}");
            }
        }
    }
    assert!(ties > 1_000, "{ties}");
}

proptest! {
    #[test]
    fn lengths_round_correctly(a in 1u32..1 << 24, b in 1u32..1 << 24, shift in 0u32..28, near in 0i32..3) {
        // Half of the cases sit where the shorter side moves the longer one by about half a step.
        let a_wide = u128::from(a) << shift;
        let b = if near > 0 && shift > 2 {
            let step = (f64::from(a) * 2f64.powi(shift as i32 * 2)).sqrt();
            (step as u128 + near as u128 - 1).min((1 << 24) - 1)
        } else {
            u128::from(b)
        };
        let ours = trig::hypot(a_wide as f32, b as f32);
        prop_assert_eq!(f64::from(ours), exact_hypot(a_wide, b));
        prop_assert_eq!(trig::hypot(-(b as f32), a_wide as f32), ours);
    }

    #[test]
    fn functions_undo_each_other(x in -1.5f32..1.5, y in 0.01f32..50.0) {
        prop_assert!((trig::asin(trig::sin(x)) - x).abs() < 1e-5 + 1e-6 / (1.571 - x.abs()));
        prop_assert!((trig::atan(trig::tan(x)) - x).abs() < 3e-7);
        prop_assert!((trig::ln(trig::exp(x)) - x).abs() < 3e-7);
        prop_assert!((trig::exp2(trig::log2(y)) / y - 1.0).abs() < 1e-6);
        prop_assert!((trig::cbrt(y * y * y) / y - 1.0).abs() < 2e-7);
        prop_assert!((trig::powf(y, 2.0) / (y * y) - 1.0).abs() < 2e-7);
        let (sine, cosine) = trig::sin_cos(x * 2.0);
        prop_assert!((trig::atan2(sine * y, cosine * y) - x * 2.0).abs() < 1e-6);
        prop_assert!((trig::hypot(sine, cosine) - 1.0).abs() < 1e-6);
        prop_assert!((trig::asin(sine) + trig::acos(sine) - FRAC_PI_2).abs() < 3e-7);
    }

    #[test]
    fn angles_of_points_know_their_symmetries(y in any::<f32>(), x in any::<f32>()) {
        let angle = trig::atan2(y, x);
        prop_assume!(!angle.is_nan());
        prop_assert_eq!(trig::atan2(-y, x).to_bits(), (-angle).to_bits());
        prop_assert!(angle.abs() <= PI && (angle.abs() <= FRAC_PI_2) == (x.is_sign_positive() || angle.abs() == FRAC_PI_2));
        prop_assert!((f64::from(angle.abs()) + f64::from(trig::atan2(y, -x).abs()) - std::f64::consts::PI).abs() < 3e-7);
    }

    #[test]
    fn powers_of_whole_exponents_are_products(x in -4.0f32..4.0, n in -6i32..7) {
        let product = f64::from(x).powi(n);
        prop_assume!(product.is_finite());
        let ours = trig::powf(x, n as f32);
        prop_assert!((f64::from(ours) / product - 1.0).abs() < 6e-8 || ours == product as f32);
    }
}
