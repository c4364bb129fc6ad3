//! Benchmarks: several tasks on one scene, each run several times, compared only if they computed
//! the same.
//!
//! A [`Row`] holds all runs of one task, a [`Comparison`] the rows of one scene. The figure of a
//! run is its mean time per step, that of a row the median over its runs, with an interval: runs
//! are what repeats, steps are not (the scene changes under way).
//!
//! | module | holds |
//! |---|---|
//! | [`agree`] | did they compute the same? |
//! | [`rounds`] | the runs themselves |
//! | [`rank`] | who is faster, as far as the intervals say |
//! | [`cost`] | the cost model: volumes tested, objects tested, and what each costs |
//! | [`baseline`] | figures kept for later, and what became of them |
//! | [`files`] | the folder of a benchmark |
//! | [`page`] | the same as a page |
//! | [`fingsics_files`] | Fingsics' reports |

pub mod agree;
pub mod baseline;
pub mod cost;
pub mod files;
pub mod fingsics_files;
pub mod page;
pub mod rank;
pub mod rounds;

use crate::measure::{Failed, Measured, Sample};
use crate::stats::{Interval, median, median_interval, ratio_interval};
use crate::task::Task;
use carom_sim::Spread;

/// Seed of the resampling: figures of the same samples are the same.
pub(crate) const SEED: u64 = 0xCA20;

/// All runs of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What sets it apart from the other rows.
    pub label: String,
    /// What was run.
    pub task: Task,
    /// What came of it, in the order of the rounds.
    pub measured: Vec<Measured>,
}

/// The rows of one scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Rows, in the order asked for.
    pub rows: Vec<Row>,
}

impl Row {
    /// A row without runs.
    #[must_use]
    pub fn new(label: impl Into<String>, task: Task) -> Self {
        Self { label: label.into(), task, measured: Vec::new() }
    }

    /// Runs that gave figures, those cut short among them.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> + Clone {
        self.measured.iter().filter_map(Measured::sample)
    }

    /// Runs that went to their end.
    pub fn complete(&self) -> impl Iterator<Item = &Sample> + Clone {
        self.samples().filter(|sample| !sample.over_budget)
    }

    /// A run that was cut short.
    #[must_use]
    pub fn over_budget(&self) -> Option<&Sample> {
        self.samples().find(|sample| sample.over_budget)
    }

    /// A run without figures.
    #[must_use]
    pub fn failed(&self) -> Option<&Failed> {
        self.measured.iter().find_map(|measured| match measured {
            Measured::Failed(failed) => Some(&**failed),
            Measured::Done(_) => None,
        })
    }

    /// Is there a run of this round?
    #[must_use]
    pub fn has_round(&self, round: u32) -> bool {
        self.measured.iter().any(|measured| measured.round() == round)
    }

    /// Is there no use in running it again?
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.over_budget().is_some() || self.failed().is_some()
    }

    /// A run to take counts from: one that went to its end, else one that was cut short.
    #[must_use]
    pub fn example(&self) -> Option<&Sample> {
        self.complete().next().or_else(|| self.samples().next())
    }

    /// Milliseconds per step of every run that went to its end.
    #[must_use]
    pub fn times(&self) -> Vec<f64> {
        self.complete().map(Sample::ms_per_step).collect()
    }

    /// Median of [`times`](Self::times) with its interval.
    #[must_use]
    pub fn ms_per_step(&self) -> Interval {
        median_interval(&self.times(), SEED)
    }

    /// Spread of the times of all steps of all runs that went to their end.
    #[must_use]
    pub fn spread(&self) -> Spread {
        let steps = self.complete().flat_map(|sample| sample.step_ns.iter().copied());
        Spread::of(&steps.map(std::time::Duration::from_nanos).collect::<Vec<_>>())
    }

    /// Milliseconds of every step: the median over the runs that went to their end, since the same
    /// step does the same work in each.
    #[must_use]
    pub fn steps_ms(&self) -> Vec<f64> {
        let count = self.complete().map(|sample| sample.step_ns.len()).min().unwrap_or(0);
        let of_step =
            |at: usize| self.complete().map(|sample| sample.step_ns[at] as f64 / 1e6).collect::<Vec<_>>();
        (0..count).map(|at| median(&of_step(at))).collect()
    }

    /// The slowest of [`steps_ms`](Self::steps_ms).
    #[must_use]
    pub fn slowest_step_ms(&self) -> f64 {
        self.steps_ms().into_iter().fold(0.0, f64::max)
    }

    /// The median over the runs that went to their end of something that they may not know.
    #[must_use]
    pub fn middle(&self, pick: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.complete().filter_map(pick).collect();
        if values.is_empty() { None } else { Some(median(&values)) }
    }

    /// Processor time per step, milliseconds.
    #[must_use]
    pub fn processor_ms(&self) -> Option<f64> {
        self.middle(|sample| sample.processor_ns.map(|ns| sample.per_step(ns as f64 / 1e6)))
    }

    /// Highest memory, MiB.
    #[must_use]
    pub fn peak_mib(&self) -> Option<f64> {
        self.middle(|sample| sample.peak_bytes.map(|bytes| bytes as f64 / 1_048_576.0))
    }

    /// A stage, milliseconds per step.
    #[must_use]
    pub fn stage_ms(&self, key: &str) -> Option<f64> {
        self.middle(|sample| sample.stage(key).map(|stage| sample.per_step(stage.sum_ns as f64 / 1e6)))
    }

    /// Time of this row in parts of another's, round by round.
    #[must_use]
    pub fn ratio_to(&self, other: &Self) -> Option<Interval> {
        let partner = |sample: &Sample| other.complete().find(|theirs| theirs.round == sample.round);
        let pairs =
            self.complete().filter_map(|ours| Some((ours.ms_per_step(), partner(ours)?.ms_per_step())));
        let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.unzip();
        if ours.is_empty() { None } else { Some(ratio_interval(&ours, &theirs, SEED)) }
    }
}

impl Comparison {
    /// Ratio of every row to the first one.
    #[must_use]
    pub fn ratios(&self) -> Vec<Option<Interval>> {
        let first = self.rows.first();
        self.rows.iter().map(|row| first.and_then(|first| row.ratio_to(first))).collect()
    }

    /// Rows that can be compared by time: begun, and neither failed nor cut short.
    pub(crate) fn contestants(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.is_out() && !row.measured.is_empty())
    }

    /// Rounds in which every contestant has a run to its end.
    #[must_use]
    pub fn complete_rounds(&self) -> usize {
        self.contestants().map(|row| row.complete().count()).min().unwrap_or(0)
    }

    /// Drops the runs of a round that not every row has had: a comparison of unequal chances is
    /// none.
    pub fn drop_round(&mut self, round: u32) {
        for row in &mut self.rows {
            row.measured.retain(|measured| measured.round() != round);
        }
    }
}

/// Rows made up for tests.
#[cfg(test)]
pub(crate) mod made_up {
    use super::*;
    use crate::measure::sample::{Series, Stage};

    /// A row whose runs took these milliseconds per step, for two steps each.
    pub(crate) fn row(label: &str, times: &[f64]) -> Row {
        let task = Task { scene: "made up".into(), seed: Some(label.len() as u64), ..Task::default() };
        let sample = |(at, &ms): (usize, &f64)| {
            let step_ns = vec![(ms * 1e6) as u64; 2];
            Sample {
                task: task.clone(),
                round: at as u32 + 1,
                scene: "made up".into(),
                broad: label.into(),
                steps: 2,
                frames: 3,
                stages: vec![Stage {
                    key: "broad".into(),
                    sum_ns: step_ns.iter().sum(),
                    step_ns: step_ns.clone(),
                    ..Stage::default()
                }],
                step_ns,
                series: Series { contacts: vec![3, 4], tested: vec![9, 9], ..Series::default() },
                state_hash: 7,
                output_hash: 8,
                work_hash: 9,
                ..Sample::default()
            }
        };
        let measured = times.iter().enumerate().map(sample).map(|s| Measured::Done(Box::new(s))).collect();
        Row { label: label.into(), task: task.clone(), measured }
    }

    /// Changes the first sample of a row.
    pub(crate) fn change(row: &mut Row, change: impl FnOnce(&mut Sample)) {
        if let Some(Measured::Done(sample)) = row.measured.first_mut() {
            change(sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::made_up::{change, row};
    use super::*;

    #[test]
    fn runs_cut_short_and_failures_are_kept_but_do_not_count() {
        let mut row = row("sap", &[1.0, 2.0, 3.0]);
        assert!(!row.is_out());
        change(&mut row, |sample| sample.over_budget = true);
        row.measured.push(Measured::Failed(Box::new(Failed { reason: "gone".into(), ..Failed::default() })));
        assert_eq!((row.times(), row.samples().count(), row.measured.len()), (vec![2.0, 3.0], 3, 4));
        assert!(row.is_out() && row.failed().unwrap().reason == "gone");
        assert_eq!(row.ms_per_step(), Interval { value: 2.5, low: 2.0, high: 3.0 });
        assert_eq!(row.stage_ms("broad"), Some(2.5));
        assert_eq!((row.stage_ms("narrow"), row.processor_ms()), (None, None));
    }

    #[test]
    fn ratios_go_round_by_round() {
        let (a, mut b) = (row("a", &[10.0, 20.0, 40.0]), row("b", &[5.0, 10.0, 20.0]));
        assert_eq!(a.ratio_to(&b), Some(Interval { value: 2.0, low: 2.0, high: 2.0 }));
        // Without the first round of one, the first of the other has no partner.
        b.measured.remove(0);
        assert_eq!(a.ratio_to(&b), Some(Interval { value: 2.0, low: 2.0, high: 2.0 }));
        b.measured.clear();
        assert_eq!(a.ratio_to(&b), None);
    }

    #[test]
    fn a_step_that_was_slow_in_one_run_only_is_no_slow_step() {
        let mut row = row("sap", &[1.0, 2.0, 3.0]);
        change(&mut row, |sample| sample.step_ns[1] = 99_000_000);
        assert_eq!((row.steps_ms(), row.slowest_step_ms()), (vec![2.0, 3.0], 3.0));
        assert_eq!(Row::new("none", Task::default()).slowest_step_ms(), 0.0);
    }

    #[test]
    fn a_round_that_is_not_whole_is_dropped() {
        let mut all = Comparison { rows: vec![row("a", &[1.0, 2.0, 3.0]), row("b", &[1.0, 2.0])] };
        assert_eq!(all.complete_rounds(), 2);
        all.drop_round(3);
        assert_eq!(all.rows[0].times(), [1.0, 2.0]);
        change(&mut all.rows[1], |sample| sample.over_budget = true);
        assert_eq!(all.complete_rounds(), 2, "a row that is out holds nobody up");
    }
}
