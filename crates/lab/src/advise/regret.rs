//! Regret: what a choice costs, over what the best method would have cost.
//!
//! A model is judged by its choices, not by how well it tells times: to take the second of two that
//! are nearly alike costs nothing, and no error of a prediction matters that does not change the
//! choice.

use carom_broadphase::Method;
use carom_broadphase::auto::features::Features;
use carom_broadphase::auto::model::{self, Fitted};
use carom_core::trig::{exp_f64, ln_f64};

use super::by_hand;
use super::sample::Sample;

/// Who chooses.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// Models that were fitted: the cheapest of them.
    Fitted(Vec<Fitted>),
    /// The former model.
    ByHand,
    /// Whatever the scene.
    Always(Method),
}

impl Chooser {
    /// What it takes.
    #[must_use]
    pub fn choose(&self, features: &Features) -> Method {
        match self {
            Self::Fitted(table) => model::cheapest_of(table, features),
            Self::ByHand => by_hand::cheapest(features),
            Self::Always(method) => *method,
        }
    }

    /// Its name in tables.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Fitted(_) => "fitted model".to_owned(),
            Self::ByHand => "model by hand".to_owned(),
            Self::Always(method) => format!("always {method}"),
        }
    }

    /// Its regret on every sample.
    #[must_use]
    pub fn regrets(&self, samples: &[Sample]) -> Vec<f64> {
        samples.iter().map(|sample| sample.regret(self.choose(&sample.features))).collect()
    }
}

/// Regrets in short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of regrets.
    pub count: usize,
    /// Geometric mean of the finite ones: factors count alike whether up or down.
    pub mean: f64,
    /// Nine of ten are at most this.
    pub ninth: f64,
    /// The worst; infinite if a choice took no part or was not done in time.
    pub worst: f64,
    /// Share that is at most 1.1.
    pub good: f64,
}

impl Summary {
    /// Of these regrets; zeros for none.
    #[must_use]
    pub fn of(regrets: &[f64]) -> Self {
        let mut sorted = regrets.to_vec();
        sorted.sort_by(f64::total_cmp);
        let Some(worst) = sorted.last().copied() else { return Self::default() };
        let finite: Vec<f64> = sorted.iter().copied().filter(|regret| regret.is_finite()).collect();
        let logarithms: f64 = finite.iter().map(|regret| ln_f64(*regret)).sum();
        Self {
            count: sorted.len(),
            mean: exp_f64(logarithms / finite.len().max(1) as f64),
            ninth: quantile(&sorted, 0.9),
            worst,
            good: sorted.iter().filter(|regret| **regret <= 1.1).count() as f64 / sorted.len() as f64,
        }
    }
}

/// The value that a share of the sorted values does not exceed; 0 for none.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(at.saturating_sub(1).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::sample::made_up::sample;
    use super::super::situation::Situation;
    use super::*;

    #[test]
    fn choices_are_judged_by_what_they_cost() {
        let some = [
            sample(Situation::USUAL, &[(Method::Aabb, 2.0), (Method::Bvh, 1.0)]),
            sample(Situation::USUAL, &[(Method::Aabb, 1.0), (Method::Bvh, 3.0)]),
        ];
        assert_eq!(Chooser::Always(Method::Aabb).regrets(&some), [2.0, 1.0]);
        assert_eq!(Chooser::Always(Method::Bvh).regrets(&some), [1.0, 3.0]);
        assert_eq!(Chooser::Always(Method::Grid).regrets(&some), [f64::INFINITY; 2]);
    }

    #[test]
    fn summaries_are_those_of_known_numbers() {
        let summary = Summary::of(&[4.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
        assert_eq!((summary.count, summary.ninth, summary.worst, summary.good), (10, 2.0, 4.0, 0.8));
        assert!((summary.mean - 8f64.powf(0.1)).abs() < 1e-12, "{summary:?}");
        assert_eq!(Summary::of(&[]), Summary::default());
        let with_none = Summary::of(&[1.0, f64::INFINITY]);
        assert_eq!((with_none.mean, with_none.worst, with_none.good), (1.0, f64::INFINITY, 0.5));
        assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&[1.0, 2.0, 3.0, 4.0], share)), [1.0, 2.0, 4.0]);
    }
}
