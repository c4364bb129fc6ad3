//! A run on the engine: stepping a world and keeping the figures.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use carom_dynamics::StepTimes;
use carom_dynamics::{JointError, StepReport, World};

use super::{EngineError, EngineSettings, SceneWorld};
use crate::run::Spread;

/// Errors of joints are looked at after every so many steps, and after the last one: it takes time in proportion to their number.
const LOOKS: u64 = 10;

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineFigures {
    /// Steps done.
    pub steps: u64,
    /// Bodies at the end; scenes may make and remove some.
    pub bodies: usize,
    /// Joints at the end.
    pub joints: usize,
    /// Joints that broke.
    pub broken: u64,
    /// Largest errors of joints, of every tenth step and the last one.
    pub joint_error: JointError,
    /// Lanes that the solver used.
    pub lanes: usize,
    /// Sums over the steps.
    pub sums: Sums,
    /// Bodies awake in the last step.
    pub awake_at_end: u32,
    /// Contacts solved in the last step.
    pub touching_at_end: u32,
    /// Stage times, summed.
    pub times: StepTimes,
    /// Time of each step, what the scene does between steps left out.
    pub step_times: Vec<Duration>,
    /// Bodies that blew up, with the step (from 1).
    pub quarantined: Vec<(u64, String)>,
    /// Did the observer end the run early?
    pub interrupted: bool,
    /// Fingerprint of the final state.
    pub state_hash: u64,
}

/// Counts, summed over the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Bodies that took part.
    pub awake: u64,
    /// Boxes given to the broad phase anew.
    pub boxes_moved: u64,
    /// Pairs of boxes that overlap.
    pub pairs: u64,
    /// Contacts looked at.
    pub tested: u64,
    /// Contacts whose points were kept from the step before.
    pub recycled: u64,
    /// Contacts that were solved.
    pub touching: u64,
    /// Bodies that were solved.
    pub constrained: u64,
    /// Contacts and joints that found no colour.
    pub crowded: u64,
    /// Bodies that were solved in more substeps than the world's.
    pub stiff: u64,
    /// Bodies that were woken.
    pub woken: u64,
    /// Bodies that fell asleep.
    pub fell_asleep: u64,
}

impl EngineFigures {
    fn take_in(&mut self, report: &StepReport, time: Duration) {
        self.steps += 1;
        let sums = &mut self.sums;
        for (sum, count) in [
            (&mut sums.awake, report.awake),
            (&mut sums.boxes_moved, report.boxes_moved),
            (&mut sums.pairs, report.pairs),
            (&mut sums.tested, report.contacts),
            (&mut sums.recycled, report.recycled),
            (&mut sums.touching, report.touching),
            (&mut sums.constrained, report.constrained),
            (&mut sums.crowded, report.crowded),
            (&mut sums.stiff, report.stiff),
            (&mut sums.woken, report.woken),
            (&mut sums.fell_asleep, report.fell_asleep),
        ] {
            *sum += u64::from(count);
        }
        (self.awake_at_end, self.touching_at_end) = (report.awake, report.touching);
        for (sum, stage) in [
            (&mut self.times.fit, report.times.fit),
            (&mut self.times.broad, report.times.broad),
            (&mut self.times.narrow, report.times.narrow),
            (&mut self.times.solve, report.times.solve),
            (&mut self.times.flight, report.times.flight),
            (&mut self.times.sleep, report.times.sleep),
        ] {
            *sum += stage;
        }
        self.step_times.push(time);
        self.quarantined.extend(report.quarantined.iter().map(|id| (self.steps, id.to_string())));
    }

    /// Milliseconds per step.
    #[must_use]
    pub fn ms_per_step(&self) -> Spread {
        Spread::of(&self.step_times)
    }
}

/// Steps a built scene, showing it to `observe` after each step; the observer may end the run.
///
/// # Errors
/// If a body that should appear on the way cannot be.
pub fn run(
    built: &mut SceneWorld,
    settings: &EngineSettings,
    steps: u64,
    mut observe: impl FnMut(&World) -> ControlFlow<()>,
) -> Result<EngineFigures, EngineError> {
    let SceneWorld { world, timeline, ground, .. } = built;
    let mut figures = EngineFigures { lanes: world.lanes(), ..EngineFigures::default() };
    for step in 0..steps {
        let time = step as f64 / f64::from(settings.steps_per_second.max(1));
        timeline.advance(time, world, &settings.folder)?;
        let start = Instant::now();
        world.step(settings.dt())?;
        figures.take_in(world.report(), start.elapsed());
        figures.broken += world.broken_joints().len() as u64;
        if figures.steps.is_multiple_of(LOOKS) || figures.steps == steps {
            figures.joint_error = figures.joint_error.max(world.joint_error());
        }
        if observe(world).is_break() {
            figures.interrupted = figures.steps < steps;
            break;
        }
    }
    figures.bodies = world.len() - usize::from(ground.is_some());
    figures.joints = world.joint_ids().count();
    figures.state_hash = world.state_hash();
    Ok(figures)
}
