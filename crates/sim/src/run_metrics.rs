//! What is known of a frame and of a whole run, the same way for every simulation.

use std::sync::Arc;
use std::time::Duration;

use crate::joint::JointError;
use crate::metrics::{Metric, MetricGroup, MetricKind, MetricSchema, MetricValue, add_all};
use crate::simulation::Activity;

/// Metrics of one frame of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepMetrics {
    /// Computing time of the frame, without what the scene itself changes between steps.
    pub time: Duration,
    /// A value for each metric of the simulation's schema.
    pub values: Vec<MetricValue>,
    /// Numbers of bodies whose state became non-finite and was put back and stopped.
    pub quarantined: Vec<u32>,
}

/// Metrics of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMetrics {
    /// What there is.
    pub schema: Arc<MetricSchema>,
    /// Frames done, the scene as loaded not counted: steps, at one step per frame.
    pub steps: u64,
    /// Sums over the run, in the order of the schema.
    pub sums: Vec<MetricValue>,
    /// Values of the last frame, in the order of the schema.
    pub last: Vec<MetricValue>,
    /// Computing time of each frame.
    pub step_times: Vec<Duration>,
    /// Names of bodies whose state became non-finite, with the frame (from 1).
    pub quarantined: Vec<(u64, String)>,
    /// Bodies at the end; scenes may make and remove some.
    pub bodies: usize,
    /// Dynamic bodies awake and asleep at the end.
    pub activity: Activity,
    /// Joints at the end.
    pub joints: usize,
    /// Largest errors of joints over all frames; `None` for a simulation that knows no joints.
    pub joint_error: Option<JointError>,
    /// Was it ended early?
    pub interrupted: bool,
    /// Fingerprint of the final state.
    pub state_hash: u64,
}

impl RunMetrics {
    /// Of no frame yet.
    #[must_use]
    pub fn new(schema: &Arc<MetricSchema>) -> Self {
        let zeros = schema.zeros();
        Self {
            schema: Arc::clone(schema),
            steps: 0,
            sums: zeros.clone(),
            last: zeros,
            step_times: Vec::new(),
            quarantined: Vec::new(),
            bodies: 0,
            activity: Activity::default(),
            joints: 0,
            joint_error: None,
            interrupted: false,
            state_hash: 0,
        }
    }

    /// Adds a frame; `name` gives the name of a body.
    pub(crate) fn add(&mut self, step: &StepMetrics, name: impl Fn(u32) -> String) {
        self.steps += 1;
        add_all(&mut self.sums, &step.values);
        self.last.clone_from(&step.values);
        self.step_times.push(step.time);
        self.quarantined.extend(step.quarantined.iter().map(|&body| (self.steps, name(body))));
    }

    /// Metrics of a group with their sums.
    pub fn group(&self, group: MetricGroup) -> impl Iterator<Item = (&Metric, MetricValue)> + '_ {
        self.schema.group(group).map(|(at, metric)| (metric, self.sums[at]))
    }

    /// Stages with their times, summed.
    pub fn stages(&self) -> impl Iterator<Item = (&Metric, Duration)> + '_ {
        self.group(MetricGroup::Stages).map(|(metric, sum)| (metric, sum.as_time()))
    }

    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.stages().map(|(_, time)| time).sum()
    }

    /// Counts, summed.
    pub fn counts(&self) -> impl Iterator<Item = (&Metric, u64)> + '_ {
        self.group(MetricGroup::Counts).map(|(metric, sum)| (metric, sum.as_count()))
    }

    /// A count by its key; 0 for one that the simulation does not give.
    #[must_use]
    pub fn count(&self, key: &str) -> u64 {
        let at = self.schema.position(MetricGroup::Counts, key);
        at.map_or(0, |at| self.sums[at].as_count())
    }

    /// A count of the last frame; `None` for one that the simulation does not give.
    #[must_use]
    pub fn last_count(&self, key: &str) -> Option<u64> {
        self.schema.position(MetricGroup::Counts, key).map(|at| self.last[at].as_count())
    }

    /// Kinds of pairs with the tests of the narrow phase and their times; none where it does not
    /// tell.
    pub fn pair_kinds(&self) -> impl Iterator<Item = (&str, u64, Duration)> + '_ {
        let tests = self.group(MetricGroup::PairKinds).filter(|(metric, _)| metric.kind == MetricKind::Count);
        tests.map(|(metric, tests)| {
            let times = self.group(MetricGroup::PairKinds).filter(|(one, _)| one.kind == MetricKind::Time);
            let time = times.filter(|(one, _)| one.key == metric.key).map(|(_, time)| time.as_time()).sum();
            (&*metric.key, tests.as_count(), time)
        })
    }

    /// Milliseconds per frame.
    #[must_use]
    pub fn ms_per_step(&self) -> Spread {
        Spread::of(&self.step_times)
    }

    /// A sum divided by the number of frames.
    #[must_use]
    pub fn per_step(&self, sum: f64) -> f64 {
        sum / self.steps.max(1) as f64
    }
}

/// Spread of times, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the times are at most this.
    pub median: f64,
    /// 95 % of the times are at most this.
    pub p95: f64,
    /// Longest.
    pub max: f64,
}

impl Spread {
    /// Spread of some times; zeros for none.
    #[must_use]
    pub fn of(times: &[Duration]) -> Self {
        let mut ms: Vec<f64> = times.iter().map(|t| t.as_secs_f64() * 1000.0).collect();
        ms.sort_by(f64::total_cmp);
        let Some(&max) = ms.last() else { return Self::default() };
        // Nearest rank: the smallest value that at least the given share of values do not exceed.
        let at = |share: f64| ms[((ms.len() as f64 * share).ceil() as usize).clamp(1, ms.len()) - 1];
        Self { mean: ms.iter().sum::<f64>() / ms.len() as f64, median: at(0.5), p95: at(0.95), max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_takes_nearest_ranks() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        let spread = Spread::of(&times);
        assert_eq!((spread.median, spread.p95, spread.max), (50.0, 95.0, 100.0));
        assert!((spread.mean - 50.5).abs() < 1e-9);
        assert_eq!(Spread::of(&[]), Spread::default());
    }
}
