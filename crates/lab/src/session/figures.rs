//! Figures of steps and runs, by name, the same way for every solver.
//!
//! Which stages and counts there are is the solver's to say; a figure's key is its name in JSON and CSV, its label the one in
//! tables. Values lie in fixed arrays, so that keeping them allocates nothing.

use std::time::Duration;

use carom_broadphase::Counters;
use carom_dynamics::JointError;
use carom_dynamics::StepReport;
use carom_fingsics::{FingsicsReport, PairKindReport};

use crate::run::Spread;

/// Most stages of a solver.
pub const MAX_STAGES: usize = 6;
/// Most counts of a solver.
pub const MAX_COUNTS: usize = 12;

/// What a figure is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// In files.
    pub key: &'static str,
    /// In tables.
    pub label: &'static str,
}

const fn named(key: &'static str, label: &'static str) -> Named {
    Named { key, label }
}

/// The figures that a solver gives.
#[derive(Debug, PartialEq, Eq)]
pub struct Figured {
    /// Its stages, in the order they happen.
    pub stages: &'static [Named],
    /// What it counts.
    pub counts: &'static [Named],
}

/// Figures of the Fingsics rules.
pub static FINGSICS: Figured = Figured {
    stages: &[
        named("broad", "broad phase"),
        named("narrow", "narrow phase"),
        named("response", "response"),
        named("motion", "motion"),
    ],
    counts: &[
        named("candidate_pairs", "candidate pairs"),
        named("tested_pairs", "pairs tested"),
        named("contacts", "collisions"),
        named("acting_contacts", "answered with an impulse"),
    ],
};

/// Figures of the engine.
pub static ENGINE: Figured = Figured {
    stages: &[
        named("fit", "fat boxes"),
        named("broad", "broad phase"),
        named("narrow", "narrow phase"),
        named("solve", "solver"),
        named("flight", "free flight"),
        named("sleep", "sleep"),
    ],
    counts: &[
        named("candidate_pairs", "pairs of boxes"),
        named("tested_pairs", "contacts looked at"),
        named("contacts", "contacts solved"),
        named("recycled_contacts", "contacts kept from before"),
        named("awake_bodies", "bodies awake"),
        named("boxes_moved", "boxes made anew"),
        named("constrained_bodies", "bodies solved"),
        named("crowded_contacts", "contacts without a colour"),
        named("stiff_bodies", "bodies in more substeps"),
        named("broken_joints", "joints broken"),
        named("woken", "bodies woken"),
        named("fell_asleep", "bodies fallen asleep"),
    ],
};

/// Figures of one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepFigures {
    /// The whole step, what the scene does between steps left out.
    pub time: Duration,
    /// Time of each stage.
    pub stages: [Duration; MAX_STAGES],
    /// Counts.
    pub counts: [u64; MAX_COUNTS],
    /// Bodies that blew up and were put back and stopped.
    pub quarantined: Vec<String>,
}

impl StepFigures {
    /// Of a step by the original's rules; `name` gives the id of a body.
    pub(crate) fn of_fingsics(report: &FingsicsReport, name: impl Fn(u32) -> String) -> Self {
        let (times, mut figures) = (&report.times, Self::default());
        figures.time = times.total();
        figures.stages[..4].copy_from_slice(&[times.broad, times.narrow, times.response, times.motion]);
        figures.counts[..4].copy_from_slice(&[
            report.candidates,
            report.tested,
            report.contacts,
            report.acting,
        ]);
        figures.quarantined = report.quarantined.iter().map(|&body| name(body)).collect();
        figures
    }

    /// Of a step of the engine that took `time` in all and broke some joints.
    pub(crate) fn of_engine(report: &StepReport, time: Duration, broken: usize) -> Self {
        let times = &report.times;
        let counts = [
            report.pairs,
            report.contacts,
            report.touching,
            report.recycled,
            report.awake,
            report.boxes_moved,
            report.constrained,
            report.crowded,
            report.stiff,
            broken as u32,
            report.woken,
            report.fell_asleep,
        ];
        Self {
            time,
            stages: [times.fit, times.broad, times.narrow, times.solve, times.flight, times.sleep],
            counts: counts.map(u64::from),
            quarantined: report.quarantined.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Figures of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// What there is.
    pub figured: &'static Figured,
    /// Steps done.
    pub steps: u64,
    /// Stage times, summed.
    pub stages: [Duration; MAX_STAGES],
    /// Counts, summed.
    pub counts: [u64; MAX_COUNTS],
    /// Counts of the last step.
    pub last_counts: [u64; MAX_COUNTS],
    /// Time of each step.
    pub step_times: Vec<Duration>,
    /// Bodies that blew up, with the step (from 1).
    pub quarantined: Vec<(u64, String)>,
    /// Bodies at the end; scenes may make and remove some.
    pub bodies: usize,
    /// Joints at the end.
    pub joints: usize,
    /// Largest errors of joints, of every tenth step and the last one.
    pub joint_error: JointError,
    /// Lanes that the solver used.
    pub lanes: usize,
    /// The broad phase that was used.
    pub broad: String,
    /// Work of the broad phase, the same on every machine.
    pub broad_work: Counters,
    /// Tests and times by kind of pair, of the original's rules.
    pub kinds: Option<[PairKindReport; 5]>,
    /// Was it ended early?
    pub interrupted: bool,
    /// Fingerprint of the final state.
    pub state_hash: u64,
}

impl Figures {
    /// Of no step yet.
    #[must_use]
    pub(crate) fn new(figured: &'static Figured) -> Self {
        Self {
            figured,
            steps: 0,
            stages: Default::default(),
            counts: Default::default(),
            last_counts: Default::default(),
            step_times: Vec::new(),
            quarantined: Vec::new(),
            bodies: 0,
            joints: 0,
            joint_error: JointError::default(),
            lanes: 1,
            broad: String::new(),
            broad_work: Counters::default(),
            kinds: None,
            interrupted: false,
            state_hash: 0,
        }
    }

    /// Takes in a step.
    pub(crate) fn take_in(&mut self, step: &StepFigures) {
        self.steps += 1;
        self.stages.iter_mut().zip(step.stages).for_each(|(sum, time)| *sum += time);
        self.counts.iter_mut().zip(step.counts).for_each(|(sum, count)| *sum += count);
        self.last_counts = step.counts;
        self.step_times.push(step.time);
        self.quarantined.extend(step.quarantined.iter().map(|body| (self.steps, body.clone())));
    }

    /// Stages with their times, summed.
    pub fn stages(&self) -> impl Iterator<Item = (Named, Duration)> + '_ {
        self.figured.stages.iter().copied().zip(self.stages)
    }

    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.stages.iter().sum()
    }

    /// Counts, summed.
    pub fn counts(&self) -> impl Iterator<Item = (Named, u64)> + '_ {
        self.figured.counts.iter().copied().zip(self.counts)
    }

    /// A count by its key; 0 for one that the solver does not give.
    #[must_use]
    pub fn count(&self, key: &str) -> u64 {
        self.counts().find(|(name, _)| name.key == key).map_or(0, |(_, count)| count)
    }

    /// A count of the last step.
    #[must_use]
    pub fn last_count(&self, key: &str) -> u64 {
        let at = self.figured.counts.iter().position(|name| name.key == key);
        at.map_or(0, |at| self.last_counts[at])
    }

    /// Milliseconds per step.
    #[must_use]
    pub fn ms_per_step(&self) -> Spread {
        Spread::of(&self.step_times)
    }

    /// A sum divided by the number of steps.
    #[must_use]
    pub fn per_step(&self, sum: f64) -> f64 {
        sum / self.steps.max(1) as f64
    }
}
