//! A run in this process.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carom_sim::{MetricGroup, MetricSchema, RunMetrics, StepMetrics};

use carom_core::state_hash::StateHasher;

use super::sample::{Count, Kind, Sample, Series, Stage, Work};
use super::{Conditions, process};
use crate::folder::manifest::scene_hash;
use crate::session::{Session, SessionError, SimulationError};
use crate::task::{Task, TaskError};

/// Steps that memory is set aside for; longer runs take more as they go.
const EXPECTED_STEPS: u64 = 1 << 16;
/// Counts of a step in the fingerprint of the work; missing ones count as 0. Samples of earlier
/// versions were hashed over so many.
const HASHED_COUNTS: usize = 12;

/// Why a task could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// It is none that can be done.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// Its solver cannot run it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
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

/// The same, telling `observe` after every step, outside the measured time, how many are done; it
/// may end the run.
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
        let mut thrown_away = prepared.session()?;
        let last = conditions.warmup.min(thrown_away.frames().saturating_sub(1));
        while warmup_steps < last && !is_over() {
            thrown_away.step()?;
            warmup_steps += 1;
        }
    }

    let start = Instant::now();
    let mut session = prepared.session()?;
    let setup = start.elapsed();
    let mut kept = Kept::new(&session);
    let (mut over_budget, mut interrupted) = (false, false);
    let (start, processor) = (Instant::now(), process::processor_time());
    let metrics = session.run(&mut [&mut |session: &Session, step: &StepMetrics| {
        kept.add(step);
        interrupted = observe(session.steps()).is_break();
        over_budget = is_over() && session.steps() + 1 < session.frames();
        if over_budget || interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }])?;
    let wall = start.elapsed();
    if interrupted && metrics.interrupted {
        return Err(MeasureError::Interrupted);
    }
    let processor = processor.zip(process::processor_time()).map(|(from, to)| ns(to.saturating_sub(from)));
    let mut sample = kept.into_sample(&session, &metrics);
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
    schema: Arc<MetricSchema>,
    stages: Vec<Vec<u64>>,
    series: Series,
    output: StateHasher,
    work: StateHasher,
    /// Places of candidates, tests and contacts among the values.
    places: [Option<usize>; 3],
    /// Place of the box tests of the broad phase.
    box_tests: Option<usize>,
}

impl Kept {
    fn new(session: &Session) -> Self {
        let steps = session.frames().min(EXPECTED_STEPS) as usize;
        let room = || Vec::with_capacity(steps);
        let schema = Arc::clone(session.schema());
        let place = |key: &str| schema.position(MetricGroup::Counts, key);
        Self {
            stages: schema.group(MetricGroup::Stages).map(|_| room()).collect(),
            series: Series { candidates: room(), tested: room(), contacts: room(), box_tests: room() },
            output: StateHasher::default(),
            work: StateHasher::default(),
            places: ["candidate_pairs", "tested_pairs", "contacts"].map(place),
            box_tests: schema.position(MetricGroup::BroadPhase, "box_tests"),
            schema,
        }
    }

    fn add(&mut self, step: &StepMetrics) {
        let stages = self.schema.group(MetricGroup::Stages).map(|(at, _)| step.values[at].as_time());
        self.stages.iter_mut().zip(stages).for_each(|(times, time)| times.push(ns(time)));
        let count = |place: Option<usize>| place.map_or(0, |at| step.values[at].as_count());
        let [candidates, tested, contacts] = self.places.map(count);
        self.series.candidates.push(candidates);
        self.series.tested.push(tested);
        self.series.contacts.push(contacts);
        self.series.box_tests.extend(self.box_tests.map(|at| step.values[at].as_count()));
        write(&mut self.output, contacts);
        let mut hashed = 0;
        for (at, _) in self.schema.group(MetricGroup::Counts) {
            write(&mut self.work, step.values[at].as_count());
            hashed += 1;
        }
        (hashed..HASHED_COUNTS).for_each(|_| write(&mut self.work, 0));
    }

    fn into_sample(self, session: &Session, metrics: &RunMetrics) -> Sample {
        let stages = metrics.stages().zip(self.stages).map(|((metric, sum), step_ns)| Stage {
            key: metric.key.to_string(),
            label: metric.label.to_string(),
            sum_ns: ns(sum),
            step_ns,
        });
        let counts = metrics.counts().map(|(metric, sum)| Count {
            key: metric.key.to_string(),
            label: metric.label.to_string(),
            sum,
            last: metrics.last_count(&metric.key).unwrap_or(0),
        });
        let work = |key: &str| {
            let at = metrics.schema.position(MetricGroup::BroadPhase, key);
            at.map_or(0, |at| metrics.sums[at].as_count())
        };
        let info = session.info();
        let joint_error = metrics.joint_error.unwrap_or_default();
        Sample {
            scene: session.scene().name.clone(),
            scene_hash: scene_hash(session.scene()),
            bodies: metrics.bodies,
            awake: metrics.activity.awake,
            asleep: metrics.activity.asleep,
            joints: metrics.joints,
            frames: session.frames(),
            fps: session.frames_per_second(),
            solver: info.name.clone(),
            broad: info.broad_phase.clone(),
            narrow: info.narrow_phase.clone(),
            integrator: info.integrator.clone(),
            threads: info.threads,
            simd: info.simd.clone(),
            lanes: info.simd_width,
            steps: metrics.steps,
            step_ns: metrics.step_times.iter().copied().map(ns).collect(),
            stages: stages.collect(),
            counts: counts.collect(),
            series: self.series,
            kinds: metrics
                .pair_kinds()
                .map(|(name, tests, time)| Kind { name: name.to_owned(), tests, ns: ns(time) })
                .collect(),
            broad_work: Work {
                box_tests: work("box_tests"),
                node_visits: work("node_visits"),
                cells: work("cells"),
                swaps: work("swaps"),
                pair_changes: work("pair_changes"),
            },
            joint_error: [joint_error.distance, joint_error.angle],
            quarantined: metrics
                .quarantined
                .iter()
                .map(|(step, body)| format!("{body} in step {step}"))
                .collect(),
            state_hash: metrics.state_hash,
            output_hash: self.output.finish(),
            work_hash: self.work.finish(),
            ..Sample::default()
        }
    }
}

fn write(hasher: &mut StateHasher, count: u64) {
    hasher.write_u32(count as u32);
    hasher.write_u32((count >> 32) as u32);
}
