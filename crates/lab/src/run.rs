//! A run: stepping a world and keeping the figures.

use std::ops::ControlFlow;
use std::time::Duration;

use carom_broadphase::Counters;
use carom_fingsics::{FingsicsReport, FingsicsStageTimes, FingsicsWorld, PairKindReport};

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFigures {
    /// Steps done.
    pub steps: u64,
    /// Candidate pairs, summed over the steps.
    pub candidates: u64,
    /// Tested pairs, summed.
    pub tested: u64,
    /// Contacts, summed.
    pub contacts: u64,
    /// Contacts answered with an impulse, summed.
    pub acting: u64,
    /// Stage times, summed.
    pub times: FingsicsStageTimes,
    /// Tests and times by kind of pair, summed.
    pub kinds: [PairKindReport; 5],
    /// Work of the broad phase, the same on every machine.
    pub broad_work: Counters,
    /// Time of each step.
    pub step_times: Vec<Duration>,
    /// Bodies that left the finite numbers, with the step (from 1).
    pub quarantined: Vec<(u64, u32)>,
    /// Did the observer end the run early?
    pub interrupted: bool,
    /// Fingerprint of the final state.
    pub state_hash: u64,
}

impl RunFigures {
    fn take_in(&mut self, report: &FingsicsReport) {
        self.steps += 1;
        self.candidates += report.candidates;
        self.tested += report.tested;
        self.contacts += report.contacts;
        self.acting += report.acting;
        self.times.broad += report.times.broad;
        self.times.narrow += report.times.narrow;
        self.times.response += report.times.response;
        self.times.motion += report.times.motion;
        for (sum, kind) in self.kinds.iter_mut().zip(&report.kinds) {
            sum.tests += kind.tests;
            sum.time += kind.time;
        }
        self.step_times.push(report.times.total());
        self.quarantined.extend(report.quarantined.iter().map(|&body| (self.steps, body)));
    }

    /// Milliseconds per step.
    #[must_use]
    pub fn ms_per_step(&self) -> Spread {
        Spread::of(&self.step_times)
    }
}

/// Steps a world, showing it to `observe` after each step; the observer may end the run.
pub fn run(
    world: &mut FingsicsWorld,
    steps: u64,
    mut observe: impl FnMut(&FingsicsWorld, &FingsicsReport) -> ControlFlow<()>,
) -> RunFigures {
    let mut figures = RunFigures::default();
    for _ in 0..steps {
        world.step();
        let report = world.last_report();
        figures.take_in(report);
        if observe(world, report).is_break() {
            figures.interrupted = figures.steps < steps;
            break;
        }
    }
    figures.broad_work = world.broad_counters();
    figures.state_hash = world.state_hash();
    figures
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
