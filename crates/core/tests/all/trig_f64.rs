//! The `f64` functions: within two ulps of a second implementation, which has an error of up to one
//! ulp of its own, and within one ulp of known values from 400-bit arithmetic, chosen at the seams
//! of tables and ranges.

use carom_core::trig;

/// Distance in steps of `f64`; zero for equal numbers and for two NaN, huge across zero.
fn steps(a: f64, b: f64) -> u64 {
    if a == b && a.is_sign_negative() == b.is_sign_negative() || (a.is_nan() && b.is_nan()) {
        0
    } else {
        a.to_bits().abs_diff(b.to_bits())
    }
}

/// Geometric progressions through the positive floats between two bounds, and their negatives.
fn sweep(low: f64, high: f64, ours: fn(f64) -> f64, right: fn(f64) -> f64) {
    let count = 40_000;
    let factor = (high / low).powf(1.0 / f64::from(count));
    let mut x = low;
    while x <= high {
        for x in [x, -x] {
            assert!(steps(ours(x), right(x)) <= 2, "at {x:e}: {:e} instead of {:e}", ours(x), right(x));
        }
        x *= factor;
    }
    for x in [0.0, 1.0, 0.5, 2.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::from_bits(1)] {
        for x in [x, -x] {
            assert!(steps(ours(x), right(x)) <= 2, "at {x:e}: {:e} instead of {:e}", ours(x), right(x));
        }
    }
}

#[test]
fn functions_of_one_argument_stay_within_two_ulps() {
    sweep(1e-12, 1e6, trig::tan_f64, libm::tan);
    sweep(1e-12, 1.0, trig::asin_f64, libm::asin);
    sweep(0.3, 1.1, trig::asin_f64, libm::asin);
    sweep(1e-12, 1.0, trig::acos_f64, libm::acos);
    sweep(0.3, 1.1, trig::acos_f64, libm::acos);
    sweep(1e-300, 1e300, trig::atan_f64, libm::atan);
    sweep(0.1, 10.0, trig::atan_f64, libm::atan);
    sweep(1e-20, 708.0, trig::exp_f64, libm::exp);
    sweep(5e-324, 1e308, trig::ln_f64, libm::log);
    sweep(0.6, 1.5, trig::ln_f64, libm::log);
}

#[test]
fn functions_of_two_arguments_stay_within_two_ulps() {
    let mut numbers = vec![0.0, 1.0, 0.5, 2.0, 3.0, 1e16, f64::INFINITY, f64::NAN, f64::MAX, 5e-324];
    let mut x = 1e-300;
    while x < 1e300 {
        numbers.push(x);
        x *= 7_312.9;
    }
    numbers.extend((1..60).map(|k| f64::from(k) * 0.037));
    numbers.extend(numbers.clone().iter().map(|x| -x));
    for &a in &numbers {
        for &b in &numbers {
            let (ours, right) = (trig::atan2_f64(a, b), libm::atan2(a, b));
            assert!(steps(ours, right) <= 2, "atan2 {a:e}, {b:e}: {ours:e} instead of {right:e}");
            let (ours, right) = (trig::pow_f64(a, b), libm::pow(a, b));
            assert!(steps(ours, right) <= 2, "pow {a:e}, {b:e}: {ours:e} instead of {right:e}");
        }
    }
}

/// Input and correctly rounded result, as bits.
type Known<const N: usize> = [(u64, u64); N];

fn check<const N: usize>(name: &str, function: fn(f64) -> f64, known: Known<N>) {
    for (input, right) in known {
        let (x, right) = (f64::from_bits(input), f64::from_bits(right));
        assert!(steps(function(x), right) <= 1, "{name} {x:e}: {:e} instead of {right:e}", function(x));
    }
}

#[test]
fn known_values() {
    check(
        "tan",
        trig::tan_f64,
        [
            (0x3E11_2E0B_E826_D695, 0x3E11_2E0B_E826_D695),
            (0x3FE9_21FB_5444_2D18, 0x3FEF_FFFF_FFFF_FFFF),
            (0x3FF9_21FB_5444_2D18, 0x434D_0296_7C31_CDB5),
            (0xC001_9999_9999_999A, 0x3FF5_FB2D_E2B5_00EB),
            (0x4036_0000_0000_0000, 0x3F82_20D1_29B7_3EF8),
            (0x4066_3000_0000_0000, 0xC0F0_32B6_AE57_D44E),
            (0x4066_3000_0000_0000, 0xC0F0_32B6_AE57_D44E),
            (0x40F8_6A00_0000_0000, 0xBFA2_50A9_D503_313D),
            (0x412F_FFFE_8000_0000, 0xBFDC_0EE8_BB28_A297),
            (0x4009_21FB_5444_2D18, 0xBCA1_A626_3314_5C07),
        ],
    );
    check(
        "asin",
        trig::asin_f64,
        [
            (0x3E45_798E_E230_8C3A, 0x3E45_798E_E230_8C3A),
            (0x3FD0_0000_0000_0000, 0x3FD0_2BE9_CE0B_87CD),
            (0x3FDF_FFFF_FFFF_FFFF, 0x3FE0_C152_382D_7365),
            (0x3FE0_0000_0000_0000, 0x3FE0_C152_382D_7366),
            (0x3FE0_0000_0000_0001, 0x3FE0_C152_382D_7367),
            (0x3FE6_A09E_667F_3BCD, 0x3FE9_21FB_5444_2D19),
            (0x3FEF_AE14_7AE1_47AE, 0x3FF6_DE3C_6F33_D51D),
            (0x3FEF_FFFF_FFFF_FFFF, 0x3FF9_21FB_5044_2D18),
            (0xBFD3_3333_3333_3333, 0xBFD3_8015_9E14_F6FF),
        ],
    );
    check(
        "acos",
        trig::acos_f64,
        [
            (0x3E45_798E_E230_8C3A, 0x3FF9_21FB_5194_FB3C),
            (0x3FD0_0000_0000_0000, 0x3FF5_1700_E0C1_4B25),
            (0x3FE0_0000_0000_0000, 0x3FF0_C152_382D_7366),
            (0x3FE0_0000_0000_0001, 0x3FF0_C152_382D_7365),
            (0xBFE0_0000_0000_0000, 0x4000_C152_382D_7366),
            (0xBFE6_A09E_667F_3BCD, 0x4002_D97C_7F33_21D2),
            (0x3FEF_AE14_7AE1_47AE, 0x3FC2_1DF7_2882_BFD8),
            (0x3FEF_FFFF_FFFF_FFFF, 0x3E50_0000_0000_0000),
            (0xBFEF_FFFF_FFFF_FFFF, 0x4009_21FB_5244_2D18),
        ],
    );
    check(
        "atan",
        trig::atan_f64,
        [
            (0x3D71_9799_812D_EA11, 0x3D71_9799_812D_EA11),
            (0x3FDA_8279_99FC_EF32, 0x3FD9_21FB_5444_2D18),
            (0x3FDA_8279_99FC_EF33, 0x3FD9_21FB_5444_2D19),
            (0x3FE6_6666_6666_6666, 0x3FE3_8B11_2D7B_D4AD),
            (0x3FF0_0000_0000_0001, 0x3FE9_21FB_5444_2D19),
            (0x4003_504F_333F_9DE6, 0x3FF2_D97C_7F33_21D2),
            (0x408F_4000_0000_0000, 0x3FF9_1DE2_C0E6_58BD),
            (0xC376_3457_85D8_A000, 0xBFF9_21FB_5444_2D18),
            (0x3FC9_9999_9999_999A, 0x3FC9_4441_F8F7_260C),
        ],
    );
    check(
        "exp",
        trig::exp_f64,
        [
            (0x3C67_0EF5_4646_D497, 0x3FF0_0000_0000_0000),
            (0x3F86_2E42_FEFA_39EF, 0x3FF0_2C9A_3E77_8061),
            (0x3FF0_0000_0000_0000, 0x4005_BF0A_8B14_5769),
            (0xBFF0_0000_0000_0000, 0x3FD7_8B56_362C_EF38),
            (0x3FD6_2E42_FEFA_39EE, 0x3FF6_A09E_667F_3BCC),
            (0x4086_2E3D_70A3_D70A, 0x7FEF_E9CE_5C4C_52B4),
            (0xC086_2266_6666_6666, 0x0011_9E98_B83D_E7A3),
            (0x4059_2000_0000_0000, 0x48FF_CC37_A76F_9E76),
            (0xC046_0000_0000_0000, 0x3BF6_F741_DE17_48EC),
        ],
    );
    check(
        "ln",
        trig::ln_f64,
        [
            (0x0000_1268_8B70_E62B, 0xC086_4E69_394D_9508),
            (0x3FE0_0000_0000_0000, 0xBFE6_2E42_FEFA_39EF),
            (0x3FEF_FFFF_FFFF_FFFF, 0xBCA0_0000_0000_0000),
            (0x3FF0_0000_0000_0001, 0x3CAF_FFFF_FFFF_FFFF),
            (0x3FEF_AABF_FFFF_FFFF, 0xBF85_6C96_6114_C76B),
            (0x3FEF_AAC0_0000_0000, 0xBF85_6C96_6114_C72A),
            (0x3FF0_2ABF_FFFF_FFFF, 0x3F85_43A4_384C_5C74),
            (0x3FF0_2AC0_0000_0000, 0x3F85_43A4_384C_5CF3),
            (0x3FF6_2A7F_FFFF_FFFF, 0x3FD4_DCB7_D7DF_580E),
            (0x4008_0000_0000_0000, 0x3FF1_93EA_7AAD_030B),
            (0x7E37_E43C_8800_759C, 0x4085_9634_47F8_7FB5),
        ],
    );
}

#[test]
fn known_values_of_pairs() {
    for (a, b, right) in [
        (0x3FF0_0000_0000_0000, 0x4008_0000_0000_0000, 0x3FD4_978F_A326_9EE1),
        (0xBFF0_0000_0000_0000, 0x4008_0000_0000_0000, 0xBFD4_978F_A326_9EE1),
        (0x4008_0000_0000_0000, 0xBFF0_0000_0000_0000, 0x3FFE_47DF_3D0D_D4D1),
        (0xC008_0000_0000_0000, 0xBFF0_0000_0000_0000, 0xBFFE_47DF_3D0D_D4D1),
        (0x01A5_6E1F_C2F8_F359, 0x03B8_F2B0_61AE_A072, 0x3DDB_7CDF_D9D7_BDBA),
        (0x0000_0000_0000_0001, 0x0000_0000_0000_07E8, 0x3F40_3091_9F05_7214),
        (0x7FE1_CCF3_85EB_C8A0, 0x7FEE_42D1_3077_3B76, 0x3FE1_03E2_30EB_ECF3),
        (0x7FEE_42D1_3077_3B76, 0xFFEE_42D1_3077_3B76, 0x4002_D97C_7F33_21D2),
        (0x3FDA_8279_99FC_EF32, 0x3FF0_0000_0000_0000, 0x3FD9_21FB_5444_2D18),
        (0x3FF0_0000_0000_0000, 0xC341_C379_37E0_8000, 0x4009_21FB_5444_2D18),
        (0x4000_0000_0000_0000, 0xC000_0000_0000_0001, 0x4002_D97C_7F33_21D2),
    ] {
        let [a, b, right] = [a, b, right].map(f64::from_bits);
        let ours = trig::atan2_f64(a, b);
        assert!(steps(ours, right) <= 1, "atan2 {a:e}, {b:e}: {ours:e} instead of {right:e}");
    }
    for (a, b, right) in [
        (0x4000_0000_0000_0000, 0x3FE0_0000_0000_0000, 0x3FF6_A09E_667F_3BCD),
        (0x4024_0000_0000_0000, 0xC072_C000_0000_0000, 0x01A5_6E1F_C2F8_F359),
        (0x3FF0_0000_0000_0001, 0x43AB_C16D_674E_C800, 0x53F4_4A12_826F_5073),
        (0x3FEF_FFFF_FFFF_FFFF, 0xC390_A741_A462_7800, 0x42F0_948E_0D67_0A10),
        (0x3FF8_0000_0000_0000, 0x409B_5800_0000_0000, 0x7FE9_B64D_0768_F358),
        (0x4008_0000_0000_0000, 0xC084_0400_0000_0000, 0x007C_7910_F291_B3CA),
        (0x0000_1268_8B70_E62B, 0x3FE0_0000_0000_0000, 0x1FC1_2978_72D9_CBAE),
        (0x7E37_E43C_8800_759C, 0x3F50_624D_D2F1_A9FC, 0x3FFF_EC98_2D5B_B8B0),
        (0x3FD3_3333_3333_3333, 0x401C_0000_0000_0000, 0x3F2C_AA5A_B1FD_3DAC),
        (0x401C_0000_0000_0000, 0xBFD5_5553_EF6B_5D46, 0x3FE0_BA6F_9C04_7BC9),
    ] {
        let [a, b, right] = [a, b, right].map(f64::from_bits);
        let ours = trig::pow_f64(a, b);
        assert!(steps(ours, right) <= 1, "pow {a:e}, {b:e}: {ours:e} instead of {right:e}");
    }
}

#[test]
fn exponentials_and_powers_end_softly() {
    assert_eq!(trig::exp_f64(-745.2), 0.0);
    assert_eq!(trig::exp_f64(-745.1), f64::from_bits(1));
    assert_eq!(trig::exp_f64(709.79), f64::INFINITY);
    assert!(trig::exp_f64(709.782_712_893_383_9).is_finite());
    assert_eq!(trig::pow_f64(2.0, -1074.0), f64::from_bits(1));
    assert_eq!(trig::pow_f64(-2.0, 1023.0), -(2f64.powi(1023)));
    assert_eq!(trig::pow_f64(2.0, 1024.0), f64::INFINITY);
    for k in -1022..1024 {
        assert_eq!(trig::pow_f64(2.0, f64::from(k)), 2f64.powi(k), "2^{k}");
    }
}
