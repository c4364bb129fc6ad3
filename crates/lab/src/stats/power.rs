//! How a cost grows with a size: the exponent of a power law, with its interval.

use carom_core::trig::{exp_f64, ln_f64};
use serde::{Deserialize, Serialize};

use super::student::t_95;

/// cost = factor · size^exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerFit {
    /// Exponent.
    pub exponent: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Cost at size 1.
    pub factor: f64,
}

impl PowerFit {
    /// The cost it gives for a size.
    #[must_use]
    pub fn cost(&self, size: f64) -> f64 {
        self.factor * exp_f64(self.exponent * ln_f64(size))
    }
}

/// Fits a power law to (size, cost) by least squares of the logarithms, so that relative errors
/// count alike at all sizes. The interval is Student's, which takes the errors of the points to be
/// independent; with two points it is without bounds.
///
/// `None` for fewer than two points with different sizes. Points with a size or cost that is not
/// positive and finite do not count.
#[must_use]
pub fn power_fit(points: &[(f64, f64)]) -> Option<PowerFit> {
    let good = |x: f64| x > 0.0 && x.is_finite();
    let points: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| good(*x) && good(*y)).map(|&(x, y)| (ln_f64(x), ln_f64(y))).collect();
    let n = points.len() as f64;
    let (mean_x, mean_y) = (sum(&points, |p| p.0) / n, sum(&points, |p| p.1) / n);
    let spread = sum(&points, |p| (p.0 - mean_x) * (p.0 - mean_x));
    // Sizes that differ by rounding only say nothing about growth.
    if points.len() < 2 || spread <= 1e-18 {
        return None;
    }
    let exponent = sum(&points, |p| (p.0 - mean_x) * (p.1 - mean_y)) / spread;
    let intercept = mean_y - exponent * mean_x;
    let residual = sum(&points, |p| {
        let off = p.1 - intercept - exponent * p.0;
        off * off
    });
    let half = match points.len() - 2 {
        0 => f64::INFINITY,
        degrees => t_95(degrees as u32) * (residual / degrees as f64 / spread).sqrt(),
    };
    Some(PowerFit { exponent, low: exponent - half, high: exponent + half, factor: exp_f64(intercept) })
}

fn sum(points: &[(f64, f64)], pick: impl Fn(&(f64, f64)) -> f64) -> f64 {
    points.iter().map(pick).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::random::Random;

    #[test]
    fn exact_powers_are_found_exactly() {
        for (exponent, factor) in [(2.0, 0.5), (1.0, 3.0), (0.0, 7.0), (-1.5, 1e-6)] {
            let points: Vec<(f64, f64)> =
                [10.0, 31.6, 100.0, 316.0, 1000.0].map(|n: f64| (n, factor * n.powf(exponent))).to_vec();
            let fit = power_fit(&points).unwrap();
            assert!((fit.exponent - exponent).abs() < 1e-9, "{fit:?}");
            assert!((fit.factor / factor - 1.0).abs() < 1e-9, "{fit:?}");
            assert!(
                fit.high - fit.low < 1e-6
                    && (fit.cost(50.0) / (factor * 50f64.powf(exponent)) - 1.0).abs() < 1e-9
            );
        }
    }

    #[test]
    fn a_known_line_has_its_known_interval() {
        // Logarithms 0, 1, 2 and 0, 1, 1: slope 1/2, residual 1/6, so the half width is t(1) ·
        // √(1/12) = 3.668.
        let e = std::f64::consts::E;
        let fit = power_fit(&[(1.0, 1.0), (e, e), (e * e, e)]).unwrap();
        assert!((fit.exponent - 0.5).abs() < 1e-12, "{fit:?}");
        assert!((fit.high - fit.exponent - 12.7062 / 12f64.sqrt()).abs() < 1e-3, "{fit:?}");
    }

    #[test]
    fn too_few_points_give_none_and_two_no_bounds() {
        assert_eq!(power_fit(&[]), None);
        assert_eq!(power_fit(&[(5.0, 1.0)]), None);
        assert_eq!(power_fit(&[(5.0, 1.0), (5.0, 2.0)]), None, "one size");
        assert_eq!(power_fit(&[(5.0, 1.0), (0.0, 2.0), (6.0, f64::NAN)]), None);
        let two = power_fit(&[(1.0, 1.0), (10.0, 100.0)]).unwrap();
        assert!(
            (two.exponent - 2.0).abs() < 1e-12 && two.low == f64::NEG_INFINITY && two.high == f64::INFINITY
        );
    }

    #[test]
    fn intervals_hold_the_true_exponent_about_as_often_as_they_say() {
        let mut random = Random::new(2);
        let trials = 1000;
        let held = (0..trials)
            .filter(|_| {
                let mut noise = || (0..12).map(|_| random.unit_f64() - 0.5).sum::<f64>();
                let points: Vec<(f64, f64)> = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0]
                    .map(|n: f64| (n, 2.0 * n.powf(1.3) * exp_f64(0.1 * noise())))
                    .to_vec();
                let fit = power_fit(&points).unwrap();
                (fit.low..=fit.high).contains(&1.3)
            })
            .count();
        let share = held as f64 / f64::from(trials);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
