//! Simulations by name: factories that build any of them from a scene.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use carom_scene::Scene;

use crate::simulation::Simulation;
use crate::spec::{SettingError, Settings, SimulationSpec};

/// Most limitations listed in a message.
const SHOWN_LIMITATIONS: usize = 8;

/// What follows from a limitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The simulation cannot be built.
    Refused,
    /// The simulation runs as if the scene did not ask for it.
    Ignored,
}

/// Something in a scene that a simulation cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limitation {
    /// What it is about, such as `force fields`.
    pub feature: String,
    /// Why, with the place in the scene, as a sentence.
    pub reason: String,
    /// What follows.
    pub effect: Effect,
}

impl Limitation {
    /// Something without which the simulation cannot be built.
    pub fn refused(feature: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { feature: feature.into(), reason: reason.into(), effect: Effect::Refused }
    }

    /// Something that the simulation leaves out.
    pub fn ignored(feature: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { feature: feature.into(), reason: reason.into(), effect: Effect::Ignored }
    }
}

/// A setting of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingInfo {
    /// Key.
    pub key: &'static str,
    /// What it does and which values it takes, in a line.
    pub about: &'static str,
}

/// Builds one kind of simulation.
pub trait Factory: Send + Sync {
    /// Name in the registry: lower case, with hyphens.
    fn name(&self) -> &'static str;

    /// What it is, in a sentence or two.
    fn description(&self) -> &'static str;

    /// Its settings. `dt` (length of a step) is one that all with a fixed step have.
    fn settings(&self) -> &'static [SettingInfo];

    /// Checks settings without building anything.
    ///
    /// # Errors
    /// If a key is not its own, or a value is no good.
    fn check(&self, settings: &Settings) -> Result<(), SettingError>;

    /// Everything in a scene that it cannot do.
    fn limitations(&self, scene: &Scene) -> Vec<Limitation>;

    /// Builds the simulation of a sound scene.
    ///
    /// # Errors
    /// If the scene needs what it cannot do, a setting is no good, or the engine refuses.
    fn build(&self, scene: &Arc<Scene>, settings: &Settings) -> Result<Box<dyn Simulation>, BuildError>;
}

impl dyn Factory + '_ {
    /// Does it have a setting?
    #[must_use]
    pub fn has_setting(&self, key: &str) -> bool {
        self.settings().iter().any(|setting| setting.key == key)
    }

    /// What it is about the scene that it refuses; none if it runs it.
    #[must_use]
    pub fn refused(&self, scene: &Scene) -> Vec<Limitation> {
        let mut all = self.limitations(scene);
        all.retain(|limitation| limitation.effect == Effect::Refused);
        all
    }

    /// Checks that all keys of some settings are its own.
    ///
    /// # Errors
    /// If one is not.
    pub fn check_keys(&self, settings: &Settings) -> Result<(), SettingError> {
        let known: Vec<&'static str> = self.settings().iter().map(|setting| setting.key).collect();
        settings.check_keys(self.name(), &known)
    }
}

/// Why a simulation cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The scene needs what the simulation cannot do.
    #[error("{simulation} cannot run this scene:\n{}", listed(.limitations))]
    Unsupported {
        /// The simulation, in words: "the soft-step solver".
        simulation: String,
        /// Everything that stands against it.
        limitations: Vec<Limitation>,
    },
    /// A setting that it cannot take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The engine refuses, with its reason.
    #[error(transparent)]
    Engine(Box<dyn Error + Send + Sync>),
}

impl BuildError {
    /// An engine's own error.
    pub fn engine(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Engine(error.into())
    }

    /// The limitations that refuse a scene as an error, if there are any.
    ///
    /// # Errors
    /// If there are any.
    pub fn check(simulation: &str, limitations: Vec<Limitation>) -> Result<(), Self> {
        let refused: Vec<Limitation> =
            limitations.into_iter().filter(|one| one.effect == Effect::Refused).collect();
        if refused.is_empty() {
            return Ok(());
        }
        Err(Self::Unsupported { simulation: simulation.to_owned(), limitations: refused })
    }
}

fn listed(limitations: &[Limitation]) -> String {
    let shown = limitations.iter().take(SHOWN_LIMITATIONS).map(|one| format!("  {}", one.reason));
    let mut lines: Vec<String> = shown.collect();
    if limitations.len() > SHOWN_LIMITATIONS {
        lines.push(format!("  … and {} more", limitations.len() - SHOWN_LIMITATIONS));
    }
    lines.join("\n")
}

/// A name that no simulation has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown solver '{name}': expected one of {}", known.join(", "))]
pub struct UnknownSimulation {
    /// As asked for.
    pub name: String,
    /// What there is to choose from.
    pub known: Vec<&'static str>,
}

/// Factories by name.
#[derive(Default)]
pub struct Registry {
    factories: Vec<Box<dyn Factory>>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Registry {
    /// Adds a factory; one of the same name is replaced.
    pub fn register(&mut self, factory: Box<dyn Factory>) {
        match self.factories.iter_mut().find(|known| known.name() == factory.name()) {
            Some(known) => *known = factory,
            None => self.factories.push(factory),
        }
    }

    /// Names, in the order in which they were registered.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.factories.iter().map(|factory| factory.name())
    }

    /// Factories, in the order in which they were registered.
    pub fn factories(&self) -> impl Iterator<Item = &dyn Factory> + '_ {
        self.factories.iter().map(|factory| &**factory)
    }

    /// A factory by its name; case does not matter.
    ///
    /// # Errors
    /// If there is none.
    pub fn factory(&self, name: &str) -> Result<&dyn Factory, UnknownSimulation> {
        let found = self.factories().find(|factory| factory.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownSimulation { name: name.to_owned(), known: self.names().collect() })
    }

    /// Builds a simulation of a sound scene.
    ///
    /// # Errors
    /// If there is no such simulation, or it cannot be built.
    pub fn build(
        &self,
        scene: &Arc<Scene>,
        spec: &SimulationSpec,
    ) -> Result<Box<dyn Simulation>, RegistryError> {
        Ok(self.factory(&spec.name)?.build(scene, &spec.settings)?)
    }
}

/// Why a registry gives no simulation.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// There is none of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownSimulation),
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
