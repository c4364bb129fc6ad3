//! `manifest.json`: what a run was, so that anybody can repeat it.
//!
//! It is written when the run begins, so that a run that is killed leaves word of itself, and again
//! when it ends. Each time a whole file takes the place of the old one: there is never half a
//! manifest.

use std::io;
use std::path::{Path, PathBuf};

use carom_core::input_file;
use carom_core::state_hash::StateHasher;
use carom_scene::Scene;
use carom_scene::native::write_binary;
use serde::{Deserialize, Serialize};

use crate::machine::Machine;
use crate::session::Session;
use crate::solver;
use crate::task::Task;

/// Its name in the folder of a run.
pub const FILE: &str = "manifest.json";
/// The scene as it was run, in the folder of a run.
pub const SCENE_FILE: &str = "scene.carom";

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It goes on, or was killed.
    Running,
    /// All frames were done.
    Complete,
    /// Somebody ended it early; what was done is whole.
    Interrupted,
}

/// What a run was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this program.
    pub carom: String,
    /// The words that started it.
    pub command: Vec<String>,
    /// What was asked for.
    pub task: Task,
    /// Name of the scene.
    pub scene: String,
    /// Fingerprint of the scene as it was run.
    pub scene_hash: String,
    /// Bodies at the beginning.
    pub bodies: usize,
    /// Solver that was used.
    pub solver: String,
    /// Broad phase that was used.
    pub broad: String,
    /// Steps per simulated second.
    pub steps_per_second: u32,
    /// Frames asked for; the first is the scene as loaded.
    pub frames: u64,
    /// Local time of the start.
    pub started: String,
    /// Local time of the end.
    pub finished: Option<String>,
    /// How far it came.
    pub ending: Ending,
    /// Steps done.
    pub steps: u64,
    /// Fingerprint of the state after the last step.
    pub state_hash: Option<String>,
    /// The machine, the compiler and the sources.
    #[serde(default)]
    pub machine: Machine,
    /// Files of the run beside this one.
    pub files: Vec<String>,
}

/// Why there is no manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The disk says no.
    #[error("{path}: {error}")]
    Io {
        /// File.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Not a manifest.
    #[error("{path}: not a manifest of a run: {error}")]
    Text {
        /// File.
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
}

impl Manifest {
    /// Of a run that begins.
    #[must_use]
    pub fn new(task: &Task, session: &Session, command: Vec<String>) -> Self {
        Self {
            carom: env!("CARGO_PKG_VERSION").to_owned(),
            command,
            // With the solver that was used: another version may have another default.
            task: Task { solver: Some(solver::used(task.solver.as_ref(), session)), ..task.clone() },
            scene: session.scene().name.clone(),
            scene_hash: scene_hash(session.scene()),
            bodies: session.scene().bodies.len(),
            solver: session.info().name.clone(),
            broad: session.info().broad_phase.clone(),
            steps_per_second: session.frames_per_second(),
            frames: session.frames(),
            started: now(),
            finished: None,
            ending: Ending::Running,
            steps: 0,
            state_hash: None,
            machine: Machine::here(),
            files: Vec::new(),
        }
    }

    /// Notes how the run ended.
    pub fn end(&mut self, session: &Session) {
        self.finished = Some(now());
        self.steps = session.steps();
        self.state_hash = Some(format!("{:016x}", session.simulation().state_hash()));
        let is_complete = self.steps + 1 >= self.frames;
        self.ending = if is_complete { Ending::Complete } else { Ending::Interrupted };
    }

    /// Writes it into a folder.
    ///
    /// # Errors
    /// If the disk says no; an older manifest is then still there.
    pub fn write(&self, folder: &Path) -> Result<(), ManifestError> {
        let path = folder.join(FILE);
        let io_error = |error| ManifestError::Io { path: path.clone(), error };
        let text = self.to_json().map_err(|error| io_error(error.into()))?;
        super::replace(&path, &text).map_err(io_error)
    }

    /// Its text.
    ///
    /// # Errors
    /// Never in practice: all it holds are texts and numbers.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Reads the manifest of a folder, or the file itself.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(place: &Path) -> Result<Self, ManifestError> {
        let path = if place.is_dir() { place.join(FILE) } else { place.to_path_buf() };
        let text =
            input_file::read(&path).map_err(|error| ManifestError::Io { path: path.clone(), error })?;
        Self::from_json(&text).map_err(|error| ManifestError::Text { path, error })
    }

    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(text: &[u8]) -> Result<Self, serde_json::Error> {
        let mut manifest: Self = serde_json::from_slice(text)?;
        // Older manifests leave the solver out of the task if nobody asked for one.
        let task = &mut manifest.task;
        task.solver = task.solver.take().or_else(|| solver::parse(&manifest.solver).ok());
        Ok(manifest)
    }
}

/// Fingerprint of a scene: of the bytes of its binary form.
#[must_use]
pub fn scene_hash(scene: &Scene) -> String {
    let mut hasher = StateHasher::default();
    hasher.write_bytes(&write_binary(scene));
    format!("{:016x}", hasher.finish())
}

/// Local time with its zone.
pub(crate) fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}
