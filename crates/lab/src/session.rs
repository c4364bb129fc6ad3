//! From a task to a session, and sessions on disk ([`saved`]).
//!
//! What runs, records, replays, compares and measures holds a [`Session`] and does not ask which
//! simulation is in it.

pub mod saved;

use carom_scene::Scene;
use carom_sim::registry::Effect;
pub use carom_sim::{BuildError, Session, SimulationError};

use crate::solver::registry;
use crate::task::Prepared;

/// Why a session cannot begin, or not go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The simulation cannot be built.
    #[error("{error}")]
    Build {
        /// Why.
        error: BuildError,
        /// A simulation that can run the scene.
        can_run: Option<&'static str>,
    },
    /// The simulation cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

impl SessionError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Build { can_run: Some(name), .. } => Some(format!("--solver {name} can run it")),
            _ => None,
        }
    }
}

impl Prepared {
    /// Builds the simulation.
    ///
    /// # Errors
    /// If it cannot run the scene.
    pub fn session(&self) -> Result<Session, SessionError> {
        let spec = &self.solver.spec;
        let failed = |error| {
            let can_run = match &error {
                BuildError::Unsupported { .. } => able(&self.scene),
                _ => None,
            };
            SessionError::Build { error, can_run }
        };
        let factory = registry().factory(&spec.name);
        let factory = factory.map_err(|error| failed(BuildError::engine(error)))?;
        let simulation = factory.build(&self.scene, &spec.settings).map_err(failed)?;
        Ok(Session::new(simulation, self.solver.frames_per_second, self.frames))
    }
}

/// A simulation that can run a scene.
fn able(scene: &Scene) -> Option<&'static str> {
    let mut factories = registry().factories();
    let can = |name: &&dyn carom_sim::Factory| {
        name.limitations(scene).iter().all(|limitation| limitation.effect == Effect::Ignored)
    };
    factories.find(can).map(carom_sim::Factory::name)
}
