//! Statistics for times: intervals instead of bare numbers, and fits with their uncertainty.
//!
//! Times of programs are skewed and have outliers, so the centre is the median and the intervals
//! come from resampling, not from a normal law. All of it is deterministic: resampling draws from a
//! seeded generator of our own, and the elementary functions are those of [`carom_core::trig`], so
//! that the same samples give the same figures on every machine.
//!
//! | module | holds |
//! |---|---|
//! | [`bootstrap`] | intervals of medians and of ratios |
//! | [`power`] | exponents: how a cost grows with a size |
//! | [`linear`] | least squares, with coefficients of any sign or none below zero |
//! | [`student`] | quantiles of Student's t |

pub mod bootstrap;
pub mod linear;
pub mod power;
pub mod student;

use serde::{Deserialize, Serialize};

pub use bootstrap::{median_interval, ratio_interval, ratio_of_medians};
pub use linear::{LinearFit, Sign, least_squares};
pub use power::{PowerFit, power_fit};

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Does any number lie in both? Ends count; an interval with an end that is no number overlaps
    /// everything.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let known = [self.low, self.high, other.low, other.high].iter().all(|end| !end.is_nan());
        !(known && (self.high < other.low || other.high < self.low))
    }

    /// Does it hold a number? Ends count.
    #[must_use]
    pub fn holds(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// Half of its width in parts of the value; 0 for the value 0.
    #[must_use]
    pub fn relative_half_width(&self) -> f64 {
        if self.value == 0.0 { 0.0 } else { 0.5 * (self.high - self.low) / self.value.abs() }
    }

    /// Value and ends times a factor that is not negative: another unit.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// The median: the middle value, or the mean of the two middle ones; 0 for none.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    median_in_place(&mut values.to_vec())
}

/// The median of values whose order is of no further use.
fn median_in_place(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp) {
        Some(lower) if even => 0.5 * (lower + upper),
        _ => upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, high: f64) -> Interval {
        Interval { value: 0.5 * (low + high), low, high }
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[9.0, 1.0]), 5.0);
        assert_eq!(median(&[3.0, 100.0, 1.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 100.0, 2.0]), 3.0);
    }

    #[test]
    fn intervals_that_touch_overlap() {
        assert!(interval(1.0, 2.0).overlaps(&interval(2.0, 3.0)));
        assert!(interval(1.0, 4.0).overlaps(&interval(2.0, 3.0)));
        assert!(interval(2.0, 3.0).overlaps(&interval(1.0, 4.0)));
        assert!(!interval(1.0, 2.0).overlaps(&interval(2.1, 3.0)));
        assert!(!interval(2.1, 3.0).overlaps(&interval(1.0, 2.0)));
        assert!(interval(f64::NAN, 2.0).overlaps(&interval(3.0, 4.0)), "no claim from what is no number");
    }

    #[test]
    fn intervals_hold_their_ends_and_scale() {
        let one = interval(1.0, 3.0);
        assert!(one.holds(1.0) && one.holds(3.0) && !one.holds(3.1));
        assert_eq!(one.relative_half_width(), 0.5);
        assert_eq!(one.scaled(10.0), Interval { value: 20.0, low: 10.0, high: 30.0 });
        assert_eq!(Interval::default().relative_half_width(), 0.0);
    }
}
