//! Every function of one argument over floats of every size and sign, every function of two over
//! random pairs, beside a second implementation in `f64`, rounded.
//!
//! By default a stride through all 2³² floats; with `CAROM_LONG=1` all of them, which takes minutes
//! per function. Where the second implementation, whose own error is about an ulp, comes within
//! three ulps of a midpoint between two `f32`, it cannot tell; those inputs are settled in
//! `trig_cases.rs`.

use carom_core::trig;

/// A prime, so that all mantissas and exponents are mixed.
const STRIDE: u64 = 4_999;
/// Pairs per function of two arguments; a thousand times as many in long runs.
const PAIRS: u64 = 300_000;

fn is_long() -> bool {
    std::env::var_os("CAROM_LONG").is_some()
}

/// True if `ours` is `right` rounded, or `right` lies within three ulps of where rounding changes.
fn agrees(ours: f32, right: f64) -> bool {
    let rounded = right as f32;
    if ours.to_bits() == rounded.to_bits() || (ours.is_nan() && rounded.is_nan()) {
        return true;
    }
    let slack = 3.0 * right.abs() * f64::EPSILON;
    ours == (right - slack) as f32 || ours == (right + slack) as f32
}

fn sweep(ours: fn(f32) -> f32, right: fn(f64) -> f64) {
    let (stride, workers) = if is_long() { (1, 8) } else { (STRIDE, 1) };
    let check = |first: u64| {
        for bits in (first * stride..1 << 32).step_by((stride * workers) as usize) {
            let x = f32::from_bits(bits as u32);
            let (ours, right) = (ours(x), right(f64::from(x)));
            assert!(agrees(ours, right), "at {x:e} ({bits:#x}): {ours:e} instead of {right:e}");
        }
    };
    std::thread::scope(|scope| {
        for first in 0..workers {
            scope.spawn(move || check(first));
        }
    });
    for x in [0.0, 1.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 0.5, 2.0] {
        for x in [x, -x] {
            assert!(agrees(ours(x), right(f64::from(x))), "at {x:e}: {:e}", ours(x));
        }
    }
}

#[test]
fn sines() {
    sweep(trig::sin, libm::sin);
}

#[test]
fn cosines() {
    sweep(trig::cos, libm::cos);
}

#[test]
fn tangents() {
    sweep(trig::tan, libm::tan);
}

#[test]
fn arc_sines() {
    sweep(trig::asin, libm::asin);
}

#[test]
fn arc_cosines() {
    sweep(trig::acos, libm::acos);
}

#[test]
fn arc_tangents() {
    sweep(trig::atan, libm::atan);
}

#[test]
fn exponentials() {
    sweep(trig::exp, libm::exp);
}

#[test]
fn powers_of_two() {
    sweep(trig::exp2, libm::exp2);
}

#[test]
fn logarithms() {
    sweep(trig::ln, libm::log);
}

#[test]
fn binary_logarithms() {
    sweep(trig::log2, libm::log2);
}

#[test]
fn cube_roots() {
    sweep(trig::cbrt, libm::cbrt);
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// Any float, or one whose exponent is that of `near` or close to it.
    fn float(&mut self, near: f32) -> f32 {
        let bits = self.bits();
        if bits & 3 == 0 {
            return f32::from_bits(self.bits());
        }
        let exponent = (near.to_bits() >> 23 & 0xFF).wrapping_add(bits >> 8 & 15).saturating_sub(8).min(254);
        f32::from_bits((self.bits() & 0x807F_FFFF) | exponent << 23)
    }
}

fn sweep_pairs(ours: fn(f32, f32) -> f32, right: fn(f64, f64) -> f64, partner: fn(f32) -> f32) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..if is_long() { PAIRS * 1_000 } else { PAIRS } {
        let a = f32::from_bits(random.bits());
        let b = random.float(partner(a));
        let (ours, right) = (ours(a, b), right(f64::from(a), f64::from(b)));
        assert!(agrees(ours, right), "at {a:e}, {b:e}: {ours:e} instead of {right:e}");
    }
}

#[test]
fn angles_of_points() {
    sweep_pairs(trig::atan2, libm::atan2, |y| y);
}

#[test]
fn lengths() {
    sweep_pairs(trig::hypot, libm::hypot, |x| x);
}

#[test]
fn powers() {
    // Exponents that keep the result in range for about half of the pairs.
    sweep_pairs(trig::powf, libm::pow, |x| 40.0 / x.abs().ln().abs().max(1e-7));
}

#[test]
fn powers_of_numbers_near_one() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for k in 0..if is_long() { PAIRS * 1_000 } else { PAIRS } {
        // 1 ± up to 2⁻⁴ … 2⁻²³, and an exponent that brings the result anywhere in the range.
        let x = 1.0 + (random.bits() as i32 >> (4 + k % 20)) as f32 * 2f32.powi(-31);
        let y = (random.bits() as i32) as f32 * 2f32.powi(-31) * 87.0
            / (f64::from(x).ln().abs().max(1e-9)) as f32;
        let (ours, right) = (trig::powf(x, y), libm::pow(f64::from(x), f64::from(y)));
        assert!(agrees(ours, right), "at {x:e}, {y:e}: {ours:e} instead of {right:e}");
    }
}
