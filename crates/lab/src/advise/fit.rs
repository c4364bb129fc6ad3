//! From samples to models of cost.
//!
//! Each method has a menu of terms that its work can depend on ([`menu`]); a fit gives each a price
//! that is not negative. What is made small is the sum of squares of the logarithms of predicted
//! over measured: a scene of ten boxes counts as much as one of ten thousand, and to predict half
//! counts as much as to predict twice. (Squares of relative errors would forgive a model that
//! predicts nothing for what is expensive: fits of `sap` so were 80 times too cheap in places, and
//! chosen there.) Times of methods that were stopped do not count: they are those of other frames.

use carom_broadphase::Method;
use carom_broadphase::auto::model::{Fitted, TERMS, Term, terms};
use carom_core::trig::ln_f64;

use super::measure::CANDIDATES;
use super::regret::quantile;
use super::sample::Sample;
use crate::stats::{Sign, least_squares};

/// Fewer samples than this are no ground for a model.
const FEWEST: usize = 24;
/// Steps of the fit; after eight, prices no longer change in their second digit.
const ROUNDS: usize = 12;
/// No prediction counts as less than this part of what was measured, so that a bad first step can
/// be mended.
const LEAST_PREDICTED: f64 = 1e-3;

/// What the work of a method can depend on. Which terms stand here was decided by what the methods
/// do and by fits to the situations, a fifth of them left out in turn.
#[must_use]
pub fn menu(method: Method) -> &'static [Term] {
    use Term::{
        AllPairs, BoxLevels, Boxes, Concerned, ConcernedOverlaps, Exchanges, MoverLevels, MoverOverlaps,
        Movers, Once, Overlaps, Searched, Sizes, Spread, Strides, SweepTests, Walked,
    };
    match method {
        Method::Aabb => &[Once, Boxes, AllPairs, Overlaps],
        Method::Sap => &[Once, Movers, Overlaps, MoverOverlaps, Exchanges, Walked, Searched],
        Method::MultiSap => &[Once, Boxes, BoxLevels, Overlaps, Movers, Sizes, Spread],
        Method::BoxPruning => &[Once, Boxes, BoxLevels, SweepTests, Overlaps, Movers, Strides],
        Method::BucketPruning => {
            &[Once, Boxes, Concerned, ConcernedOverlaps, MoverOverlaps, SweepTests, MoverLevels]
        }
        Method::Bvh => &[Once, Boxes, BoxLevels, Overlaps, Movers, Sizes],
        Method::BvhRefit => {
            &[Once, Boxes, MoverLevels, MoverOverlaps, Concerned, ConcernedOverlaps, Strides, Exchanges]
        }
        Method::KdSweep => &[Once, Boxes, MoverLevels, MoverOverlaps, Strides, Concerned, Sizes],
        _ => &[Once, Boxes, Movers, Overlaps, MoverOverlaps, Concerned, Sizes],
    }
}

/// Models of all methods that have samples enough, in the order of the candidates.
#[must_use]
pub fn fit(samples: &[Sample]) -> Vec<Fitted> {
    CANDIDATES.into_iter().filter_map(|method| fit_one(method, samples)).collect()
}

/// The model of a method; `None` if there are too few samples of it.
#[must_use]
pub fn fit_one(method: Method, samples: &[Sample]) -> Option<Fitted> {
    let menu = menu(method);
    let measured: Vec<([f32; TERMS.len()], f64)> = samples
        .iter()
        .filter_map(|sample| {
            let timing = sample.timing(method).filter(|timing| !timing.over_budget)?;
            (timing.us.value > 0.0).then(|| (terms(&sample.features), 1000.0 * timing.us.value))
        })
        .collect();
    if measured.len() < FEWEST {
        return None;
    }
    let rows: Vec<Vec<f64>> = measured
        .iter()
        .map(|(terms, _)| menu.iter().map(|t| f64::from(terms[*t as usize])).collect())
        .collect();
    let ns: Vec<f64> = measured.iter().map(|(_, ns)| *ns).collect();
    let coefficients = logarithmic(&rows, &ns)?;
    let mut prices = [0.0; TERMS.len()];
    for (term, price) in menu.iter().zip(&coefficients) {
        prices[*term as usize] = significant(*price);
    }
    Some(Fitted { method, prices })
}

/// Prices, none below zero, with the smallest squares of the logarithms of predicted over measured.
///
/// Gauss and Newton's way: the logarithm is replaced by its tangent at the last prediction, and
/// what is then linear is solved.
fn logarithmic(rows: &[Vec<f64>], measured: &[f64]) -> Option<Vec<f64>> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut prices: Vec<f64> = Vec::new();
    // The first round makes relative errors small.
    let mut predicted = measured.to_vec();
    for round in 0..ROUNDS {
        let column =
            |k: usize| -> Vec<f64> { rows.iter().zip(&predicted).map(|(row, p)| row[k] / p).collect() };
        let scaled: Vec<Vec<f64>> = (0..columns).map(column).collect();
        let scaled: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
        let target: Vec<f64> = measured.iter().zip(&predicted).map(|(m, p)| 1.0 + ln_f64(m / p)).collect();
        let fit = least_squares(&scaled, &target, Sign::NotNegative)?;
        // Half a step: whole ones may go to and fro.
        let is_first = round == 0;
        let step = |(old, new): (&f64, &f64)| f64::midpoint(*old, *new);
        prices = if is_first {
            fit.coefficients
        } else {
            prices.iter().zip(&fit.coefficients).map(step).collect()
        };
        for ((p, row), m) in predicted.iter_mut().zip(rows).zip(measured) {
            let sum: f64 = row.iter().zip(&prices).map(|(term, price)| term * price).sum();
            *p = sum.max(LEAST_PREDICTED * m);
        }
    }
    Some(prices)
}

/// Four significant digits: what a table can show and a machine can hold.
fn significant(price: f64) -> f32 {
    format!("{price:.3e}").parse().unwrap_or(0.0)
}

/// Measured over predicted of a method on samples, sorted.
#[must_use]
pub fn errors(model: &Fitted, samples: &[Sample]) -> Vec<f64> {
    let mut errors: Vec<f64> = samples
        .iter()
        .filter_map(|sample| {
            let timing = sample.timing(model.method).filter(|timing| !timing.over_budget)?;
            let predicted = f64::from(model.cost(&sample.features));
            (predicted > 0.0).then(|| 1000.0 * timing.us.value / predicted)
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    errors
}

/// The factors between which measured over predicted lay in nine of ten samples.
#[must_use]
pub fn band(errors: &[f64]) -> (f64, f64) {
    (quantile(errors, 0.05), quantile(errors, 0.95))
}

/// The table as it stands in `crates/broadphase/src/auto/fitted.rs`.
#[must_use]
pub fn source(table: &[Fitted], from: &str) -> String {
    let mut text = format!(
        "//! What each term of a method's work costs, in nanoseconds: fitted to measurements, not written by hand.\n\
         //!\n\
         //! {from}\n\
         //! Made by `carom advise --measure`; a test of the laboratory fits the committed samples again and compares.\n\n\
         use super::model::{{Fitted, TERMS}};\n\
         use crate::Method;\n\n\
         /// The models, one per candidate, with the prices in the order of [`TERMS`].\n\
         pub const FITTED: [Fitted; {}] = [\n",
        table.len()
    );
    for Fitted { method, prices } in table {
        let prices: Vec<String> = prices.iter().map(|price| format!("{price:?}")).collect();
        text += &format!("    row(Method::{method:?}, [{}]),\n", prices.join(", "));
    }
    text + "];\n\nconst fn row(method: Method, prices: [f32; TERMS.len()]) -> Fitted {\n    Fitted { method, prices }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::super::sample::made_up::sample;
    use super::super::survey::Survey;
    use super::*;

    /// Samples of a made-up law, in situations that differ in everything.
    fn lawful(method: Method, prices: &[(Term, f32)], noise: f64) -> Vec<Sample> {
        let mut law = Fitted { method, prices: [0.0; TERMS.len()] };
        prices.iter().for_each(|(term, price)| law.prices[*term as usize] = *price);
        let mut samples = Vec::new();
        for (at, situation) in Survey::full().scattered.into_iter().enumerate() {
            let mut one = sample(situation, &[(method, 1.0)]);
            one.features.crowding = 8.0 * situation.density;
            one.features.best_part = 1.0 / (1.0 + at as f32 % 37.0);
            let wobble = if at % 2 == 0 { 1.0 + noise } else { 1.0 / (1.0 + noise) };
            one.timings[0].us.value = f64::from(law.cost(&one.features)) / 1000.0 * wobble;
            samples.push(one);
        }
        samples
    }

    #[test]
    fn made_up_laws_are_found() {
        let law =
            [(Term::Once, 500.0), (Term::Walked, 12.0), (Term::Exchanges, 90.0), (Term::MoverOverlaps, 30.0)];
        for noise in [0.0, 0.1] {
            let fitted = fit_one(Method::Sap, &lawful(Method::Sap, &law, noise)).unwrap();
            for (term, price) in law {
                let found = fitted.prices[term as usize];
                let allowed = 1e-3 + 2.0 * noise as f32;
                assert!(
                    (found / price - 1.0).abs() <= allowed,
                    "{term:?}: {found} for {price}, noise {noise}"
                );
            }
        }
    }

    #[test]
    fn errors_and_band_are_those_of_the_noise() {
        let samples = lawful(Method::Bvh, &[(Term::Once, 300.0), (Term::Boxes, 50.0)], 0.25);
        let fitted = fit_one(Method::Bvh, &samples).unwrap();
        let (low, high) = band(&errors(&fitted, &samples));
        // Half of the samples lie above the law by a quarter, half below; the fit may lean a
        // little.
        assert!((0.74..0.87).contains(&low) && (1.16..1.35).contains(&high), "{low} to {high}");
    }

    #[test]
    fn too_few_samples_and_stopped_ones_make_no_model() {
        let mut samples = lawful(Method::Bvh, &[(Term::Boxes, 50.0)], 0.0);
        assert_eq!(fit_one(Method::Grid, &samples), None);
        assert_eq!(fit_one(Method::Bvh, &samples[..FEWEST - 1]), None);
        samples.iter_mut().for_each(|sample| sample.timings[0].over_budget = true);
        assert_eq!(fit(&samples), []);
    }

    #[test]
    fn tables_are_written_as_source() {
        let mut prices = [0.0; TERMS.len()];
        (prices[0], prices[6]) = (108.0, 0.349);
        let text = source(&[Fitted { method: Method::Aabb, prices }], "From nowhere.");
        assert!(text.contains("//! From nowhere.\n"), "{text}");
        assert!(text.contains("    row(Method::Aabb, [108.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.349, "), "{text}");
        assert_eq!([1.0 / 3.0, 0.0, 12345.6].map(significant), [0.3333, 0.0, 12350.0]);
    }
}
