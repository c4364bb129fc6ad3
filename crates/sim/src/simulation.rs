//! The interface of a simulation.
//!
//! Bodies have numbers: those of the scene in its order, then bodies that appear, in the order they
//! do. A number belongs to one body for the whole run, so that recordings and comparisons mean the
//! same body by it.
//!
//! Everything that is read in every frame goes into buffers of the caller, which are cleared and
//! filled: once they have grown, reading allocates nothing.
//!
//! Time is asked for, not steps: [`Simulation::advance_to`] takes a fixed number of steps in one
//! simulation, as many as it needs in an adaptive one, and all events up to that time in an
//! event-driven one. A simulation with a fixed step ends at the nearest whole step and says so.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use carom_scene::Scene;
use carom_scene::model::Action;

use crate::bodies::{BodyBuffer, PoseFormat};
use crate::contact::{Contact, ContactEvaluation};
use crate::event::Event;
use crate::joint::{JointError, JointState};
use crate::mechanics::Mechanics;
use crate::metrics::{MetricSchema, MetricValue};

/// How a simulation moves through time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepping {
    /// Steps of equal length.
    Fixed {
        /// Steps per simulated second.
        steps_per_second: u32,
    },
    /// Steps whose length it chooses.
    Adaptive,
    /// From event to event.
    EventDriven,
}

/// Facts that do not change during a run.
#[derive(Clone, Debug)]
pub struct SimulationInfo {
    /// Its name in the registry.
    pub name: String,
    /// Broad phase.
    pub broad_phase: String,
    /// Narrow phase.
    pub narrow_phase: String,
    /// Integrator.
    pub integrator: String,
    /// Threads that work on a step.
    pub threads: usize,
    /// SIMD width as asked for: `auto`, `scalar`, `4`, `8`, `16`.
    pub simd: String,
    /// SIMD width that is used.
    pub simd_width: usize,
    /// How it moves through time.
    pub stepping: Stepping,
    /// How exact its poses are, and how it keeps orientations.
    pub pose_format: PoseFormat,
    /// When points and normals of its contacts are evaluated.
    pub contact_evaluation: ContactEvaluation,
    /// Does it tell when contacts begin and end? If not, a listener can see it from the contacts.
    pub has_contact_events: bool,
    /// What it measures.
    pub metrics: Arc<MetricSchema>,
}

impl SimulationInfo {
    /// Steps per simulated second, of a simulation with a fixed step.
    #[must_use]
    pub fn steps_per_second(&self) -> Option<u32> {
        match self.stepping {
            Stepping::Fixed { steps_per_second } => Some(steps_per_second),
            Stepping::Adaptive | Stepping::EventDriven => None,
        }
    }
}

/// What [`Simulation::advance_to`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// Simulated time that was reached, seconds.
    pub time: f64,
    /// Steps (or events) on the way.
    pub steps: u64,
    /// Is the time that was reached not the one asked for, because steps are whole?
    pub is_rounded: bool,
    /// Computing time, without what the scene itself changes between steps.
    pub elapsed: Duration,
}

/// Why a simulation cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// It cannot do this at all.
    #[error("the simulation {simulation} cannot {what}")]
    Unsupported {
        /// Its name in the registry.
        simulation: String,
        /// What was asked for.
        what: &'static str,
    },
    /// The engine refuses, with its reason.
    #[error(transparent)]
    Engine(Box<dyn Error + Send + Sync>),
}

impl SimulationError {
    /// An engine's own error.
    pub fn engine(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Engine(error.into())
    }
}

/// A state to go on from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Simulated time, seconds.
    pub time: f64,
    /// The state in the simulation's own format. It may be empty: a simulation whose state depends
    /// on its whole history repeats it, which gives the same bits.
    pub state: Vec<u8>,
}

/// Dynamic bodies by whether they take part in steps; static and kinematic ones are in neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Bodies that are awake.
    pub awake: u64,
    /// Bodies that sleep.
    pub asleep: u64,
}

/// One engine with one scene and its settings.
pub trait Simulation: Send {
    /// Facts that do not change during a run.
    fn info(&self) -> &SimulationInfo;

    /// The scene it was built from.
    fn scene(&self) -> &Arc<Scene>;

    /// Simulated time, seconds.
    fn time(&self) -> f64;

    /// Steps (or events) since the scene was loaded.
    fn steps(&self) -> u64;

    /// Goes on to a time. Does nothing if that time has passed.
    ///
    /// # Errors
    /// If the engine refuses, for instance a body that the scene lets appear on the way.
    fn advance_to(&mut self, time: f64) -> Result<Advance, SimulationError>;

    /// Bodies now.
    fn body_count(&self) -> usize;

    /// Dynamic bodies awake and asleep now. Takes time in proportion to the bodies.
    fn activity(&self) -> Activity;

    /// Name of a body of the scene, or of one that appeared.
    fn body_name(&self, number: u32) -> Option<&str>;

    /// All bodies with poses and velocities, in ascending order of their numbers.
    fn bodies(&self, out: &mut BodyBuffer);

    /// All contact points of the last step.
    fn contacts(&self, out: &mut Vec<Contact>);

    /// Pairs that the narrow phase looked at in the last step, smaller number first.
    fn tested_pairs(&self, out: &mut Vec<[u32; 2]>);

    /// Joints now.
    fn joint_count(&self) -> usize {
        0
    }

    /// All joints.
    fn joints(&self, out: &mut Vec<JointState>) {
        out.clear();
    }

    /// Largest errors of all joints; `None` for a simulation that knows no joints.
    fn joint_error(&self) -> Option<JointError> {
        None
    }

    /// What happened in the last step.
    fn events(&self, out: &mut Vec<Event>);

    /// Bodies whose state became non-finite in the last advance and was put back and stopped.
    fn quarantined(&self, out: &mut Vec<u32>);

    /// Metrics of the last advance: one value for each metric of the schema.
    fn metrics(&self, out: &mut Vec<MetricValue>);

    /// Energies, momenta and overlaps now. Takes time in proportion to bodies and contacts.
    fn mechanics(&self) -> Mechanics;

    /// Fingerprint of the state: equal for equal histories.
    fn state_hash(&self) -> u64;

    /// The state as bytes.
    fn snapshot(&self) -> Snapshot;

    /// Goes to a state. The simulation must be as it was built. `progress` hears of each step that
    /// is repeated, if any.
    ///
    /// # Errors
    /// If the bytes are damaged or of another simulation.
    fn restore(&mut self, snapshot: &Snapshot, progress: &mut dyn FnMut()) -> Result<(), SimulationError>;

    /// Does to the simulation what an event of a scene would do: bodies appear and vanish, get
    /// impulses and velocities, gravity changes. For listeners; not part of a snapshot.
    ///
    /// # Errors
    /// If the simulation cannot do this.
    fn apply(&mut self, action: &Action) -> Result<(), SimulationError> {
        let _ = action;
        Err(SimulationError::Unsupported {
            simulation: self.info().name.clone(),
            what: "change the scene while it runs",
        })
    }

    /// The scene with bodies as their poses mean them. It differs from [`scene`](Self::scene) where
    /// the simulation gives a body other local axes than the scene does.
    fn recorded_scene(&self) -> Scene {
        Scene::clone(self.scene())
    }
}
