//! Quantiles of Student's t, for intervals of fits with few points.

use carom_core::trig::{atan_f64, sin_cos_f64};

/// The number t that |T| exceeds with probability 5 %, for a T with some degrees of freedom;
/// infinite for none.
#[must_use]
pub fn t_95(degrees: u32) -> f64 {
    if degrees == 0 {
        return f64::INFINITY;
    }
    // 12.71 is the largest, for one degree; the share grows with t, so halving finds it.
    let (mut low, mut high) = (0.0, 13.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if share_within(middle, degrees) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Probability of |T| < t, by the finite series for whole degrees of freedom (Abramowitz and
/// Stegun, 26.7.3 and 26.7.4).
fn share_within(t: f64, degrees: u32) -> f64 {
    let angle = atan_f64(t / f64::from(degrees).sqrt());
    let (sin, cos) = sin_cos_f64(angle);
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (cos, 0.0) } else { (1.0, 0.0) };
    let mut power = if odd { 1 } else { 0 };
    // Powers of the cosine up to degrees − 2, each with the ratio of the powers' products below it.
    while power + 2 <= degrees {
        sum += term;
        power += 2;
        term *= cos * cos * f64::from(power - 1) / f64::from(power);
    }
    if odd { std::f64::consts::FRAC_2_PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        for (degrees, expected) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ] {
            let t = t_95(degrees);
            assert!((t - expected).abs() < 6e-4, "{degrees}: {t}");
        }
        assert_eq!(t_95(0), f64::INFINITY);
        assert!((t_95(100_000) - 1.959_96).abs() < 1e-3, "the normal law in the end");
    }
}
