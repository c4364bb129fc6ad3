//! A run in this process.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use carom_core::state_hash::StateHasher;
use carom_fingsics::PairKind;

use super::sample::{Count, Kind, Sample, Series, Stage, Work};
use super::{Conditions, process};
use crate::folder::manifest::scene_hash;
use crate::session::figures::{Figured, Figures, StepFigures};
use crate::session::{Session, SessionError};
use crate::task::{Task, TaskError};

/// Steps that memory is set aside for; longer runs take more as they go.
const EXPECTED_STEPS: u64 = 1 << 16;

/// Why a task could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// It is none that can be done.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// Its solver cannot run it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The observer ended it.
    #[error("interrupted")]
    Interrupted,
}

/// Measures a task in this process.
///
/// # Errors
/// If the task cannot be done.
pub fn here(task: &Task, conditions: &Conditions) -> Result<Sample, MeasureError> {
    watched(task, conditions, |_| ControlFlow::Continue(()))
}

/// The same, telling `observe` after every step, outside the measured time, how many are done; it may end the run.
///
/// # Errors
/// If the task cannot be done, or the observer ended it.
pub fn watched(
    task: &Task,
    conditions: &Conditions,
    mut observe: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Sample, MeasureError> {
    let load_before = process::load_average();
    let pinned = conditions.pin.map_or_else(Vec::new, |pin| process::pin(pin, task.threads));
    let begin = Instant::now();
    let is_over = || conditions.budget.is_some_and(|budget| begin.elapsed() > budget);
    let prepared = task.prepare()?;
    let load = begin.elapsed();

    let mut warmup_steps = 0;
    if conditions.warmup > 0 {
        let mut thrown_away = Session::new(prepared.clone())?;
        let last = conditions.warmup.min(thrown_away.frames().saturating_sub(1));
        while warmup_steps < last && !is_over() {
            thrown_away.step()?;
            warmup_steps += 1;
        }
    }

    let start = Instant::now();
    let mut session = Session::new(prepared)?;
    let setup = start.elapsed();
    let mut kept = Kept::new(&session);
    let (mut over_budget, mut interrupted) = (false, false);
    let (start, processor) = (Instant::now(), process::processor_time());
    let figures = session.run(|session, step| {
        kept.take_in(session, step);
        interrupted = observe(session.steps()).is_break();
        over_budget = is_over() && session.steps() + 1 < session.frames();
        if over_budget || interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let wall = start.elapsed();
    if interrupted && figures.interrupted {
        return Err(MeasureError::Interrupted);
    }
    let processor = processor.zip(process::processor_time()).map(|(from, to)| ns(to.saturating_sub(from)));
    let mut sample = kept.into_sample(&session, figures);
    sample.task = task.clone();
    (sample.wall_ns, sample.processor_ns) = (ns(wall), processor);
    (sample.load_ns, sample.setup_ns, sample.warmup_steps) = (ns(load), ns(setup), warmup_steps);
    (sample.load_before, sample.pinned, sample.over_budget) = (load_before, pinned, over_budget);
    sample.peak_bytes = process::peak_memory();
    Ok(sample)
}

fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What is kept of every step.
struct Kept {
    stages: Vec<Vec<u64>>,
    series: Series,
    box_tests: u64,
    output: StateHasher,
    work: StateHasher,
    /// Places of candidates, tests and contacts among the counts.
    places: [Option<usize>; 3],
}

impl Kept {
    fn new(session: &Session) -> Self {
        let steps = session.frames().min(EXPECTED_STEPS) as usize;
        let room = || Vec::with_capacity(steps);
        let figured: &Figured = session.figured();
        let place = |key: &str| figured.counts.iter().position(|name| name.key == key);
        Self {
            stages: figured.stages.iter().map(|_| room()).collect(),
            series: Series { candidates: room(), tested: room(), contacts: room(), box_tests: room() },
            box_tests: 0,
            output: StateHasher::default(),
            work: StateHasher::default(),
            places: ["candidate_pairs", "tested_pairs", "contacts"].map(place),
        }
    }

    fn take_in(&mut self, session: &Session, step: &StepFigures) {
        self.stages.iter_mut().zip(step.stages).for_each(|(times, time)| times.push(ns(time)));
        let count = |place: Option<usize>| place.map_or(0, |at| step.counts[at]);
        let [candidates, tested, contacts] = self.places.map(count);
        self.series.candidates.push(candidates);
        self.series.tested.push(tested);
        self.series.contacts.push(contacts);
        if let Some(world) = session.fingsics() {
            let sum = world.broad_counters().box_tests;
            self.series.box_tests.push(sum - self.box_tests);
            self.box_tests = sum;
        }
        write(&mut self.output, contacts);
        step.counts.iter().for_each(|count| write(&mut self.work, *count));
    }

    fn into_sample(self, session: &Session, figures: Figures) -> Sample {
        let stages = figures.stages().zip(self.stages).map(|((name, sum), step_ns)| Stage {
            key: name.key.to_owned(),
            label: name.label.to_owned(),
            sum_ns: ns(sum),
            step_ns,
        });
        let counts = figures.counts().map(|(name, sum)| Count {
            key: name.key.to_owned(),
            label: name.label.to_owned(),
            sum,
            last: figures.last_count(name.key),
        });
        let kinds = figures.kinds.iter().flat_map(|kinds| PairKind::ALL.into_iter().zip(kinds));
        let work = &figures.broad_work;
        Sample {
            scene: session.scene().name.clone(),
            scene_hash: scene_hash(session.scene()),
            bodies: figures.bodies,
            joints: figures.joints,
            frames: session.frames(),
            fps: session.steps_per_second(),
            solver: session.solver().to_string(),
            lanes: figures.lanes,
            steps: figures.steps,
            step_ns: figures.step_times.iter().copied().map(ns).collect(),
            stages: stages.collect(),
            counts: counts.collect(),
            series: self.series,
            kinds: kinds
                .map(|(kind, k)| Kind { name: kind.name().to_owned(), tests: k.tests, ns: ns(k.time) })
                .collect(),
            broad_work: Work {
                box_tests: work.box_tests,
                node_visits: work.node_visits,
                cells: work.cells,
                swaps: work.swaps,
                pair_changes: work.pair_changes,
            },
            joint_error: [figures.joint_error.distance, figures.joint_error.angle],
            quarantined: figures
                .quarantined
                .iter()
                .map(|(step, body)| format!("{body} in step {step}"))
                .collect(),
            state_hash: figures.state_hash,
            output_hash: self.output.finish(),
            work_hash: self.work.finish(),
            broad: figures.broad,
            ..Sample::default()
        }
    }
}

fn write(hasher: &mut StateHasher, count: u64) {
    hasher.write_u32(count as u32);
    hasher.write_u32((count >> 32) as u32);
}
