//! Intervals of medians and of ratios by resampling (Efron's bootstrap, percentile form).
//!
//! A set of n values is drawn from n times with replacement, its median taken, and so [`RESAMPLES`]
//! times over; the interval holds the middle 95 % of those medians. For few values such intervals
//! are too narrow: with seven, they hold the true median in 88 % of all cases. So the interval of a
//! median is never narrower than the one between its order statistics, which holds it in at least
//! 95 % whatever the law of the values (the sign test turned around). Below [`FEW`] values there is
//! none of those, and the interval is the range; it holds the true median with probability 1 −
//! 2^(1−n): 50 % for two values, 75 % for three, 94 % for five.

use carom_core::random::Random;
use carom_core::trig::exp_f64;

use super::{Interval, median, median_in_place};

/// Resamples behind an interval.
pub const RESAMPLES: usize = 2000;
/// Fewer values than this have their range as interval.
pub const FEW: usize = 6;
/// With more values than this the chances below would be too small for a number, and resampling is
/// exact enough.
const MANY: usize = 1000;
/// Share of the resamples left out at each end.
const TAIL: f64 = 0.025;

/// The median of some values with its 95 % interval; zeros for none.
#[must_use]
pub fn median_interval(values: &[f64], seed: u64) -> Interval {
    let value = median(values);
    if values.len() < FEW {
        return range(value, values);
    }
    let mut random = Random::new(seed);
    let mut drawn = vec![0.0; values.len()];
    let resampled = middle(value, || {
        draw(values, &mut drawn, &mut random);
        median_in_place(&mut drawn)
    });
    let certain = order_statistics(value, values);
    Interval { value, low: resampled.low.min(certain.low), high: resampled.high.max(certain.high) }
}

/// The median of a/b over rounds: the k-th values of both were measured one after the other. Values
/// without a partner, and those divided by 0, do not count.
#[must_use]
pub fn ratio_interval(a: &[f64], b: &[f64], seed: u64) -> Interval {
    let rounds = a.iter().zip(b).filter(|(_, b)| **b != 0.0);
    let ratios: Vec<f64> = rounds.map(|(a, b)| a / b).collect();
    median_interval(&ratios, seed)
}

/// The ratio of the medians of two sets that were measured apart, each resampled on its own.
#[must_use]
pub fn ratio_of_medians(a: &[f64], b: &[f64], seed: u64) -> Interval {
    let over = median(b);
    if over == 0.0 || a.is_empty() {
        return Interval::default();
    }
    let value = median(a) / over;
    if a.len() < FEW || b.len() < FEW {
        let (a, b) = (range(0.0, a), range(0.0, b));
        return Interval { value, low: a.low / b.high, high: a.high / b.low };
    }
    let mut random = Random::new(seed);
    let (mut some, mut others) = (vec![0.0; a.len()], vec![0.0; b.len()]);
    middle(value, || {
        draw(a, &mut some, &mut random);
        draw(b, &mut others, &mut random);
        median_in_place(&mut some) / median_in_place(&mut others)
    })
}

/// From the k-th smallest to the k-th largest value, for the largest k that leaves at most 5 %
/// outside: the median lies outside if fewer than k of n values, each above or below it with equal
/// chances, are on one side.
fn order_statistics(value: f64, values: &[f64]) -> Interval {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    if n > MANY {
        return Interval { value, low: value, high: value };
    }
    // Chances that exactly `below`, and at most `below`, values lie on one side, built up from
    // none.
    let (mut exactly, mut at_most) = (exp_f64(-(n as f64) * std::f64::consts::LN_2), 0.0);
    let mut k = 0;
    for below in 0..n / 2 {
        at_most += exactly;
        if at_most > TAIL {
            break;
        }
        k = below;
        exactly *= (n - below) as f64 / (below + 1) as f64;
    }
    Interval { value, low: sorted[k], high: sorted[n - 1 - k] }
}

/// From the smallest to the largest.
fn range(value: f64, values: &[f64]) -> Interval {
    let low = values.iter().copied().min_by(f64::total_cmp).unwrap_or(value);
    let high = values.iter().copied().max_by(f64::total_cmp).unwrap_or(value);
    Interval { value, low, high }
}

/// Fills `drawn` with values, each taken from all of them.
fn draw(values: &[f64], drawn: &mut [f64], random: &mut Random) {
    for slot in drawn {
        *slot = values[random.below(values.len() as u64) as usize];
    }
}

/// The middle 95 % of what `resample` gives.
fn middle(value: f64, resample: impl FnMut() -> f64) -> Interval {
    let mut medians: Vec<f64> = std::iter::repeat_with(resample).take(RESAMPLES).collect();
    medians.sort_by(f64::total_cmp);
    let skipped = (RESAMPLES as f64 * TAIL) as usize;
    Interval { value, low: medians[skipped], high: medians[RESAMPLES - 1 - skipped] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::trig::ln_f64;

    /// Times as programs have them: a floor and a long tail upwards. Their median is
    /// `floor + ln 2`.
    fn skewed(floor: f64, n: usize, random: &mut Random) -> Vec<f64> {
        (0..n).map(|_| floor - ln_f64(1.0 - random.unit_f64())).collect()
    }

    #[test]
    fn few_values_have_their_range() {
        assert_eq!(median_interval(&[], 1), Interval::default());
        assert_eq!(median_interval(&[4.0], 1), Interval { value: 4.0, low: 4.0, high: 4.0 });
        assert_eq!(median_interval(&[9.0, 2.0, 3.0], 1), Interval { value: 3.0, low: 2.0, high: 9.0 });
    }

    #[test]
    fn equal_values_have_no_width_and_seeds_decide_everything() {
        let same = median_interval(&[2.5; 20], 7);
        assert_eq!(same, Interval { value: 2.5, low: 2.5, high: 2.5 });
        let values = skewed(1.0, 30, &mut Random::new(3));
        assert_eq!(median_interval(&values, 7), median_interval(&values, 7));
    }

    #[test]
    fn the_interval_agrees_with_the_law_of_resampled_medians() {
        // For odd n the median of a resample is at most the k-th value if at least (n+1)/2 of n
        // draws are among the first k, so its law is known. With 2000 resamples the ends are off by
        // one place at most.
        let n = 21;
        let values: Vec<f64> = (1..=n).map(f64::from).collect();
        let at_most = |k: i32| {
            let p = f64::from(k) / f64::from(n);
            let (mut term, mut sum) = ((1.0 - p).powi(n), 0.0);
            for j in 0..=n {
                if j >= (n + 1) / 2 {
                    sum += term;
                }
                term *= f64::from(n - j) / f64::from(j + 1) * p / (1.0 - p);
            }
            sum
        };
        let low = (1..n).find(|&k| at_most(k) > TAIL).unwrap();
        let high = (1..n).find(|&k| at_most(k) >= 1.0 - TAIL).unwrap();
        let found = median_interval(&values, 11);
        assert!((found.low - f64::from(low)).abs() <= 1.0, "{found:?}, {low}");
        assert!((found.high - f64::from(high)).abs() <= 1.0, "{found:?}, {high}");
    }

    #[test]
    fn order_statistics_are_those_of_the_printed_tables() {
        // Ranks of the 95 % interval of a median, from tables of the sign test.
        for (n, k) in [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (30, 10), (100, 40)] {
            let values: Vec<f64> = (1..=n).map(f64::from).collect();
            let found = order_statistics(0.0, &values);
            assert_eq!((found.low, found.high), (f64::from(k), f64::from(n + 1 - k)), "{n}");
        }
        let many: Vec<f64> = (1..=5000).map(f64::from).collect();
        assert_eq!(order_statistics(2500.5, &many), Interval { value: 2500.5, low: 2500.5, high: 2500.5 });
    }

    /// Share of trials whose interval holds the truth.
    fn coverage(truth: f64, mut trial: impl FnMut(u64) -> Interval) -> f64 {
        let trials = 600;
        (0..trials).filter(|&seed| trial(seed).holds(truth)).count() as f64 / trials as f64
    }

    #[test]
    fn intervals_hold_the_true_median_about_as_often_as_they_say() {
        let mut random = Random::new(5);
        for n in [6, 7, 8, 15, 31] {
            let share = coverage(1.0 + std::f64::consts::LN_2, |seed| {
                median_interval(&skewed(1.0, n, &mut random), seed)
            });
            assert!((0.93..=0.998).contains(&share), "{n} values: {share}");
        }
        let share = coverage(1.0 + std::f64::consts::LN_2, |seed| {
            median_interval(&skewed(1.0, 3, &mut random), seed)
        });
        assert!((0.70..=0.80).contains(&share), "three values: 75 %, not {share}");
    }

    #[test]
    fn ratios_cancel_what_both_of_a_round_suffer() {
        // The machine is up to twice as slow in some rounds; the ratio does not see it, if paired.
        let mut random = Random::new(9);
        let slow: Vec<f64> = (0..25).map(|_| 1.0 + random.unit_f64()).collect();
        let a: Vec<f64> = slow.iter().map(|s| 3.0 * s * random.range_f64(0.99, 1.01)).collect();
        let b: Vec<f64> = slow.iter().map(|s| 2.0 * s * random.range_f64(0.99, 1.01)).collect();
        let paired = ratio_interval(&a, &b, 1);
        assert!(paired.holds(1.5) && paired.high - paired.low < 0.03, "{paired:?}");
        let apart = ratio_of_medians(&a, &b, 1);
        assert!(apart.holds(1.5) && apart.high - apart.low > 0.1, "{apart:?}");
    }

    #[test]
    fn ratios_hold_the_truth_about_as_often_as_they_say() {
        let mut random = Random::new(6);
        let truth = (5.0 + std::f64::consts::LN_2) / (2.0 + std::f64::consts::LN_2);
        let share = coverage(truth, |seed| {
            ratio_of_medians(&skewed(5.0, 15, &mut random), &skewed(2.0, 15, &mut random), seed)
        });
        assert!((0.90..=0.995).contains(&share), "{share}");
    }

    #[test]
    fn ratios_of_nothing_are_no_numbers_that_mislead() {
        assert_eq!(ratio_interval(&[1.0], &[0.0], 1), Interval::default());
        assert_eq!(ratio_of_medians(&[1.0], &[], 1), Interval::default());
        assert_eq!(ratio_of_medians(&[], &[1.0], 1), Interval::default());
        let few = ratio_of_medians(&[4.0, 6.0], &[1.0, 2.0], 1);
        assert_eq!((few.low, few.high), (2.0, 6.0));
    }
}
