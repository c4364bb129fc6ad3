//! A session: a simulation shown in frames, and the one run loop with its listeners.
//!
//! The first frame is the scene as loaded, so N frames are N − 1 advances. Frame k is at k divided
//! by the frame rate: a simulation with a fixed step of the same rate does one step per frame, one
//! with a finer step several.

use std::ops::ControlFlow;
use std::sync::Arc;

use carom_scene::Scene;

use crate::joint::JointError;
use crate::metrics::MetricSchema;
use crate::run_metrics::{RunMetrics, StepMetrics};
use crate::simulation::{Simulation, SimulationError, SimulationInfo, Snapshot};

/// Hears of every frame of a run, and may change what it sees.
pub trait Listener {
    /// Before a frame: the place to change the scene with [`Simulation::apply`].
    ///
    /// # Errors
    /// What the simulation refuses.
    fn pre_step(&mut self, session: &mut Session) -> Result<(), SimulationError> {
        let _ = session;
        Ok(())
    }

    /// After a frame; may end the run.
    fn post_step(&mut self, session: &Session, step: &StepMetrics) -> ControlFlow<()>;
}

impl<F: FnMut(&Session, &StepMetrics) -> ControlFlow<()>> Listener for F {
    fn post_step(&mut self, session: &Session, step: &StepMetrics) -> ControlFlow<()> {
        self(session, step)
    }
}

/// A simulation shown in frames.
pub struct Session {
    simulation: Box<dyn Simulation>,
    frames_per_second: u32,
    frames: u64,
    steps: u64,
}

impl Session {
    /// A simulation as it was built, to be shown in so many frames at a rate.
    #[must_use]
    pub fn new(simulation: Box<dyn Simulation>, frames_per_second: u32, frames: u64) -> Self {
        let frames_per_second = frames_per_second.max(1);
        Self { simulation, frames_per_second, frames, steps: 0 }
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &dyn Simulation {
        &*self.simulation
    }

    /// The simulation, for listeners that change the scene.
    pub fn simulation_mut(&mut self) -> &mut dyn Simulation {
        &mut *self.simulation
    }

    /// Facts about the simulation.
    #[must_use]
    pub fn info(&self) -> &SimulationInfo {
        self.simulation.info()
    }

    /// What the simulation measures.
    #[must_use]
    pub fn schema(&self) -> &Arc<MetricSchema> {
        &self.simulation.info().metrics
    }

    /// The scene as loaded.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        self.simulation.scene()
    }

    /// Frames of the run; the first is the scene as loaded.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Frames per simulated second.
    #[must_use]
    pub fn frames_per_second(&self) -> u32 {
        self.frames_per_second
    }

    /// Frames done, the scene as loaded not counted.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time of the frame that is shown, seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time_of(self.steps)
    }

    fn time_of(&self, frame: u64) -> f64 {
        frame as f64 / f64::from(self.frames_per_second)
    }

    /// Name of a body; `?` if it has none.
    #[must_use]
    pub fn body_name(&self, number: u32) -> &str {
        self.simulation.body_name(number).unwrap_or("?")
    }

    /// The next frame.
    ///
    /// # Errors
    /// If the simulation cannot go on.
    pub fn step(&mut self) -> Result<StepMetrics, SimulationError> {
        let mut step = StepMetrics::default();
        self.step_into(&mut step)?;
        Ok(step)
    }

    /// The same into a buffer of the caller.
    ///
    /// # Errors
    /// If the simulation cannot go on.
    pub fn step_into(&mut self, step: &mut StepMetrics) -> Result<(), SimulationError> {
        let advance = self.simulation.advance_to(self.time_of(self.steps + 1))?;
        self.steps += 1;
        step.time = advance.elapsed;
        self.simulation.metrics(&mut step.values);
        self.simulation.quarantined(&mut step.quarantined);
        Ok(())
    }

    /// Goes to a saved state after so many frames. The simulation must be as it was built.
    ///
    /// # Errors
    /// If the state is damaged or of another simulation.
    pub fn restore(
        &mut self,
        steps: u64,
        state: Vec<u8>,
        progress: &mut dyn FnMut(),
    ) -> Result<(), SimulationError> {
        let time = self.time_of(steps);
        self.simulation.restore(&Snapshot { time, state }, progress)?;
        self.steps = steps;
        Ok(())
    }

    /// Runs to the last frame; listeners hear of each frame in their order, and any of them may end
    /// the run.
    ///
    /// # Errors
    /// If the simulation cannot go on.
    pub fn run(&mut self, listeners: &mut [&mut dyn Listener]) -> Result<RunMetrics, SimulationError> {
        let mut metrics = RunMetrics::new(self.schema());
        let mut step = StepMetrics::default();
        let last = self.frames.saturating_sub(1);
        while self.steps < last {
            for listener in &mut *listeners {
                listener.pre_step(self)?;
            }
            self.step_into(&mut step)?;
            metrics.add(&step, |body| self.body_name(body).to_owned());
            let error = self.simulation.joint_error();
            metrics.joint_error = error.map(|now| metrics.joint_error.map_or(now, |error| error.max(now)));
            let mut is_over = false;
            for listener in &mut *listeners {
                is_over |= listener.post_step(self, &step).is_break();
            }
            if is_over {
                metrics.interrupted = self.steps < last;
                break;
            }
        }
        if metrics.joint_error.is_none() {
            metrics.joint_error = self.simulation.joint_error().map(|_| JointError::default());
        }
        metrics.bodies = self.simulation.body_count();
        metrics.activity = self.simulation.activity();
        metrics.joints = self.simulation.joint_count();
        metrics.state_hash = self.simulation.state_hash();
        Ok(metrics)
    }
}
