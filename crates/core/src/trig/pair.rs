//! Numbers of some 106 bits: unevaluated sums of two `f64` (Dekker; Knuth).
//!
//! They decide the few roundings that `f64` leaves open. Nothing here is in a fast path except the
//! exact sum and the exact product. Magnitudes stay within 2^±400, so that nothing over- or
//! underflows.

use super::logarithm::{LN_OF_RECIPROCAL, LN2_HIGH, LN2_LOW, reduce};

/// `hi + lo` with |lo| at most half an ulp of `hi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

/// `a + b` exactly.
#[inline]
pub(super) fn sum(a: f64, b: f64) -> Pair {
    let hi = a + b;
    let of_b = hi - a;
    Pair { hi, lo: (a - (hi - of_b)) + (b - of_b) }
}

/// `a + b` exactly, for |a| ≥ |b| or a = 0.
#[inline]
pub(super) fn sum_ordered(a: f64, b: f64) -> Pair {
    let hi = a + b;
    Pair { hi, lo: (a - hi) + b }
}

/// Upper and lower 26 bits of `a`.
#[inline]
fn halves(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2²⁷ + 1
    let c = SPLITTER * a;
    let upper = c - (c - a);
    (upper, a - upper)
}

/// `a · b` exactly.
#[inline]
pub(super) fn product(a: f64, b: f64) -> Pair {
    let hi = a * b;
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    Pair { hi, lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl From<f64> for Pair {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Pair {
    pub(super) fn plus(self, other: Self) -> Self {
        let (s, t) = (sum(self.hi, other.hi), sum(self.lo, other.lo));
        let s = sum_ordered(s.hi, s.lo + t.hi);
        sum_ordered(s.hi, s.lo + t.lo)
    }

    pub(super) fn negated(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let p = product(self.hi, other.hi);
        sum_ordered(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    /// Quotient by a number that is an `f64`.
    pub(super) fn over(self, divisor: f64) -> Self {
        let first = self.hi / divisor;
        let p = product(first, divisor);
        let rest = ((self.hi - p.hi) - p.lo) + self.lo;
        sum_ordered(first, rest / divisor)
    }

    /// Sine and cosine of an angle in [−4, 4] with a relative error of some 2⁻¹⁰⁰.
    pub(super) fn sin_cos(angle: f64) -> (Self, Self) {
        /// π/2 to 159 bits.
        const HALF_PI: [f64; 3] = [
            f64::from_bits(0x3FF9_21FB_5444_2D18),
            f64::from_bits(0x3C91_A626_3314_5C07),
            f64::from_bits(0xB91F_1976_B7ED_8FBC),
        ];
        let quarters = (angle * std::f64::consts::FRAC_2_PI).round();
        // Close to a multiple of π/2 the first part cancels exactly, so the rest keeps its relative
        // accuracy.
        let rest = HALF_PI.iter().fold(Self::from(angle), |rest, part| rest.plus(product(-quarters, *part)));
        let square = rest.times(rest);
        let (mut sine, mut cosine) = (rest, Self::from(1.0));
        let (mut odd, mut even) = (rest, Self::from(1.0));
        for k in 1..=15 {
            let n = f64::from(2 * k);
            even = even.times(square).over(-(n - 1.0) * n);
            odd = odd.times(square).over(-n * (n + 1.0));
            cosine = cosine.plus(even);
            sine = sine.plus(odd);
        }
        match (quarters as i64).rem_euclid(4) {
            0 => (sine, cosine),
            1 => (cosine, sine.negated()),
            2 => (sine.negated(), cosine.negated()),
            _ => (cosine.negated(), sine),
        }
    }

    /// Natural logarithm of a positive number of at most 42 bits, with a relative error of some
    /// 2⁻⁹⁰.
    pub(super) fn ln(x: f64) -> Self {
        let (power, index, rest) = reduce(x);
        // ln(1 + r) = 2 artanh(r / (2 + r)); 2 + r is exact for so few bits, and |r| < 1/65.
        let ratio = Self::from(rest).over(2.0 + rest);
        let square = ratio.times(ratio);
        let series = (0..9).rev().fold(Self::from(0.0), |acc, k| {
            Self::from(1.0).over(f64::from(2 * k + 1)).plus(acc.times(square))
        });
        let [high, low] = LN_OF_RECIPROCAL[index].map(f64::from_bits);
        let constant =
            Self::from(power * LN2_HIGH + high).plus(product(power, LN2_LOW)).plus(Self::from(low));
        constant.plus(ratio.times(series).times(Self::from(2.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_sums_lose_nothing() {
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        let p = product(a, b);
        assert_eq!((p.hi, p.lo), (1.0, -f64::EPSILON * f64::EPSILON));
        let s = sum(1e-30, 1e30);
        assert_eq!((s.hi, s.lo), (1e30, 1e-30));
        let third = Pair::from(1.0).over(3.0);
        let back = third.times(Pair::from(3.0)).plus(Pair::from(-1.0));
        assert!(back.hi.abs() < 1e-31);
    }

    #[test]
    fn sine_and_cosine_have_a_hundred_bits() {
        for k in -400..=400 {
            let (s, c) = Pair::sin_cos(f64::from(k) / 100.0);
            let one = s.times(s).plus(c.times(c)).plus(Pair::from(-1.0));
            assert!(one.hi.abs() < 1e-30, "{k}: {one:?}");
        }
        // Digits from 300-bit arithmetic.
        let (s, _) = Pair::sin_cos(1.0);
        assert!(s.hi == 0.841_470_984_807_896_5 && (s.lo - 1.776_845_092_935_536e-18).abs() < 1e-31);
    }

    #[test]
    fn logarithms_have_ninety_bits() {
        let l = Pair::ln(10.0);
        assert_eq!(l.hi, std::f64::consts::LN_10);
        assert!((l.lo + 2.170_756_223_382_249_4e-16).abs() < 1e-28);
        let (a, b) = (Pair::ln(1.0 + 2f64.powi(-23)), Pair::ln(1.0 - 2f64.powi(-23)));
        let product = Pair::ln(1.0 - 2f64.powi(-46));
        assert!((a.plus(b).plus(product.negated()).hi).abs() < 1e-38);
    }
}
