//! A task: what to simulate and how, in words that a file can hold.
//!
//! The command line, plans, manifests of runs and measuring processes all say what they want as a
//! [`Task`]; this is the one place where it becomes a scene with settings. What is left open is the
//! scene's to say, and then the solver's.

mod meshes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom_broadphase::{Choice, ChoiceError};
use carom_fingsics::QuirkList;
use carom_scene::Scene;
use carom_sim::engine::SimdSetting;
use carom_sim::load::{SceneError, load_scene};
use carom_sim::registry::Effect;
use carom_sim::spec::SettingError;
use carom_sim::{Factory, Settings, SimulationSpec};
use serde::{Deserialize, Serialize};

use crate::by_name;
use crate::solver::{self, SolverError, registry};
pub use meshes::MeshFileError;

/// Frames of a run when neither the user nor the scene says.
pub const DEFAULT_FRAMES: u64 = 600;
/// Most frames of a run: three weeks at 60 per second.
pub const MAX_FRAMES: u64 = 100_000_000;
/// Most steps per simulated second.
pub const MAX_FPS: u32 = 1_000_000;
/// Most threads of a step.
pub const MAX_THREADS: u16 = 1024;

/// What to simulate and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Task {
    /// Scene file or library name.
    pub scene: String,
    /// Seed of a library scene that is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Frames; the first is the scene as loaded, so N frames are N−1 steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// Steps per simulated second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u32>,
    /// Solver.
    #[serde(with = "by_name::option", skip_serializing_if = "Option::is_none")]
    pub solver: Option<SimulationSpec>,
    /// Broad phase.
    #[serde(with = "by_name::option", skip_serializing_if = "Option::is_none")]
    pub broad: Option<Choice>,
    /// Threads of a step.
    pub threads: u16,
    /// Narrow phase, if not the simulation's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrow: Option<String>,
    /// Integrator, to be sure of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator: Option<String>,
    /// SIMD width of the solver.
    #[serde(with = "by_name")]
    pub simd: SimdSetting,
    /// Quirks of Fingsics to keep; `keep` in files.
    #[serde(
        rename = "keep",
        alias = "keep-quirks",
        with = "by_name::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub keep_quirks: Option<QuirkList>,
    /// Quirks of Fingsics to fix; `mend` in files.
    #[serde(
        rename = "mend",
        alias = "fix-quirks",
        with = "by_name::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub fix_quirks: Option<QuirkList>,
}

impl Default for Task {
    fn default() -> Self {
        Self {
            scene: String::new(),
            seed: None,
            frames: None,
            fps: None,
            solver: None,
            broad: None,
            threads: 1,
            narrow: None,
            integrator: None,
            simd: SimdSetting::default(),
            keep_quirks: None,
            fix_quirks: None,
        }
    }
}

/// A task that is ready to go.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The scene.
    pub scene: Arc<Scene>,
    /// What simulates it.
    pub solver: SolverConfig,
    /// Frames; the first is the scene as loaded.
    pub frames: u64,
    /// What the simulation ignores, in words.
    pub notes: Vec<String>,
}

/// A simulation with all its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverConfig {
    /// Its name and settings.
    pub spec: SimulationSpec,
    /// Frames per simulated second. Its steps have this rate too, unless the settings say
    /// otherwise.
    pub frames_per_second: u32,
}

/// Why a task cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The scene cannot be had.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The scene names a solver that there is none of.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A setting that the simulation cannot take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The scene names a broad phase that there is none of.
    #[error(transparent)]
    Broad(#[from] ChoiceError),
    /// A number that no run can have; the command line refuses it, a file may hold it.
    #[error("{name} of the task is {value}: from 1 to {most} is possible")]
    OutOfRange {
        /// Which.
        name: &'static str,
        /// Its value.
        value: u64,
        /// The largest one that is possible.
        most: u64,
    },
    /// A mesh file that cannot be read.
    #[error(transparent)]
    Mesh(#[from] MeshFileError),
    /// Quirks for a simulation that has none.
    #[error("--keep-quirks and --fix-quirks are about quirks of the fingsics rules; the solver is {0}")]
    NoQuirks(&'static str),
}

impl TaskError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Scene(error) => error.hint(),
            Self::Setting(_) => Some("leave it out, or choose another --solver".into()),
            Self::NoQuirks(_) => Some("leave them out, or choose --solver fingsics".into()),
            Self::Mesh(_) => Some("paths of meshes are relative to the file of the scene".into()),
            Self::Solver(_) | Self::Broad(_) | Self::OutOfRange { .. } => None,
        }
    }
}

impl Task {
    /// A text that only equal tasks share.
    #[must_use]
    pub fn key(&self) -> String {
        // Plain data with text keys: writing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Loads the scene and settles what was left open.
    ///
    /// # Errors
    /// If there is no such scene, or it does not go with the settings.
    pub fn prepare(&self) -> Result<Prepared, TaskError> {
        self.prepare_with(load_scene(&self.scene, self.seed)?.scene)
    }

    /// The same with a scene that has been loaded. Meshes in files become part of it.
    ///
    /// # Errors
    /// If the scene does not go with the settings.
    pub fn prepare_with(&self, mut scene: Scene) -> Result<Prepared, TaskError> {
        self.check_numbers(&scene)?;
        let mut spec = solver::choose(&scene, self.solver.as_ref())?;
        let factory = registry().factory(&spec.name).map_err(SolverError::from)?;
        let frames_per_second = self.frames_per_second(&scene);
        let mut notes = Vec::new();
        let settings = self.settings(factory, &scene, frames_per_second, &mut notes)?;
        spec.settings = settings.overridden_by(&spec.settings);
        factory.check(&spec.settings)?;
        let limitations = factory.limitations(&scene);
        if limitations.iter().all(|limitation| limitation.effect == Effect::Ignored) {
            notes.extend(limitations.into_iter().map(|limitation| limitation.reason));
            meshes::embed(&mut scene, &self.folder())?;
        }
        let frames = self.frames.or(scene.solver.frames.map(u64::from)).unwrap_or(DEFAULT_FRAMES).max(1);
        let solver = SolverConfig { spec, frames_per_second };
        Ok(Prepared { scene: Arc::new(scene), solver, frames, notes })
    }

    /// The settings of the task, as text, as far as the simulation has them.
    fn settings(
        &self,
        factory: &dyn Factory,
        scene: &Scene,
        frames_per_second: u32,
        notes: &mut Vec<String>,
    ) -> Result<Settings, TaskError> {
        let mut settings = Settings::default();
        settings.set("dt", &format!("1/{frames_per_second}"));
        if let Some(broad) = self.chosen_broad(scene)? {
            settings.set("broad", &broad);
        }
        for (key, value) in [("narrow", &self.narrow), ("integrator", &self.integrator)] {
            value.iter().for_each(|value| settings.set(key, value));
        }
        for (key, quirks) in [("keep-quirks", &self.keep_quirks), ("fix-quirks", &self.fix_quirks)] {
            if quirks.is_some() && !factory.has_setting(key) {
                return Err(TaskError::NoQuirks(factory.name()));
            }
            quirks.iter().for_each(|quirks| settings.set(key, quirks));
        }
        if factory.has_setting("threads") {
            settings.set("threads", &self.threads);
        } else if self.threads > 1 {
            notes.push(format!("the {} rules run on one thread", factory.name()));
        }
        if factory.has_setting("simd") {
            settings.set("simd", &self.simd);
        }
        if factory.has_setting("folder") {
            settings.set("folder", &self.folder().display());
        }
        Ok(settings)
    }

    /// Meshes lie beside the file of the scene.
    fn folder(&self) -> PathBuf {
        Path::new(&self.scene).parent().map_or_else(PathBuf::new, Path::to_path_buf)
    }

    /// A task may come from a file that anybody wrote.
    fn check_numbers(&self, scene: &Scene) -> Result<(), TaskError> {
        let numbers = [
            ("frames", self.frames.unwrap_or(1), MAX_FRAMES),
            ("fps", self.frames_per_second(scene).into(), MAX_FPS.into()),
            ("threads", self.threads.into(), MAX_THREADS.into()),
        ];
        match numbers.into_iter().find(|(_, value, most)| !(1..=*most).contains(value)) {
            Some((name, value, most)) => Err(TaskError::OutOfRange { name, value, most }),
            None => Ok(()),
        }
    }

    fn frames_per_second(&self, scene: &Scene) -> u32 {
        self.fps.or(scene.solver.steps_per_second).unwrap_or(60)
    }

    /// The broad phase that somebody chose.
    fn chosen_broad(&self, scene: &Scene) -> Result<Option<Choice>, TaskError> {
        let named = scene.solver.broad.as_deref().filter(|name| !name.is_empty());
        match (self.broad, named) {
            (Some(choice), _) => Ok(Some(choice)),
            (None, Some(name)) => Ok(Some(name.parse()?)),
            (None, None) => Ok(None),
        }
    }
}
