//! What showing a recorded frame takes, without drawing it.
//!
//! The scene is recorded as `carom run --record` does it, then every frame is read in order, as a
//! viewer plays it, and some at random, as one that is dragged through it. Drawing is not in these
//! times.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use carom_core::random::Random;
use carom_recording::track::{Recording, RecordingReadError};
use serde::{Deserialize, Serialize};

use crate::folder::track::Recorded;
use crate::folder::{FolderError, OutputOptions, RunFolder};
use crate::session::{SessionError, SimulationError};
use crate::task::{Task, TaskError};

/// Frames read at random.
const SEEKS: u64 = 50;
/// Its file in the folder of an experiment.
const FILE: &str = "replays.json";

/// What recording and reading back took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// What was recorded.
    pub task: Task,
    /// Bodies of a frame.
    pub bodies: usize,
    /// Length of the file.
    pub bytes: u64,
    /// Milliseconds of opening it.
    pub open_ms: f64,
    /// Milliseconds of every frame, read in order.
    pub frame_ms: Vec<f64>,
    /// Milliseconds of frames read at random.
    pub seek_ms: Vec<f64>,
}

impl Replayed {
    /// The slowest frame in order, milliseconds.
    #[must_use]
    pub fn slowest(&self) -> f64 {
        self.frame_ms.iter().copied().fold(0.0, f64::max)
    }

    /// Bytes of a body in a frame.
    #[must_use]
    pub fn bytes_per_body_and_frame(&self) -> f64 {
        self.bytes as f64 / (self.bodies.max(1) * self.frame_ms.len().max(1)) as f64
    }
}

/// Why nothing was replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The task cannot be done.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// Its solver cannot run it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// It cannot be recorded.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The recording cannot be read.
    #[error(transparent)]
    Read(#[from] RecordingReadError),
    /// Somebody ended it.
    #[error("interrupted")]
    Interrupted,
    /// The file of figures.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// What was replayed in a folder so far.
///
/// # Errors
/// If its file cannot be read.
pub fn read(folder: &Path) -> Result<Vec<Replayed>, ReplayError> {
    let path = folder.join(FILE);
    let failed = |error: io::Error| ReplayError::File { path: path.clone(), error };
    match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(error)),
    }
}

/// Adds to what was replayed in a folder; what is there already stays.
///
/// # Errors
/// If the disk says no.
pub fn add(folder: &Path, new: Vec<Replayed>) -> Result<(), ReplayError> {
    let mut all = read(folder)?;
    for one in new {
        if !all.iter().any(|old| old.task == one.task) {
            all.push(one);
        }
    }
    let path = folder.join(FILE);
    let text = serde_json::to_vec(&all).map_err(io::Error::from);
    let written = text.and_then(|text| crate::folder::replace(&path, &text));
    written.map_err(|error| ReplayError::File { path, error })
}

/// Records a task below a folder, reads it back, and takes the recording away again. `go_on` is
/// asked before every step.
///
/// # Errors
/// If it cannot be recorded or read, or was ended.
pub fn replay(task: &Task, below: &Path, mut go_on: impl FnMut() -> bool) -> Result<Replayed, ReplayError> {
    let mut session = task.prepare()?.session()?;
    let options = OutputOptions { recording: Some(Recorded::default()), ..OutputOptions::default() };
    let mut folder = RunFolder::create(below, task, &session, Vec::new(), options)?;
    let path = folder.path().to_path_buf();
    let replayed = (|| {
        while session.steps() + 1 < session.frames() {
            if !go_on() {
                return Err(ReplayError::Interrupted);
            }
            let step = session.step()?;
            folder.step(&session, &step)?;
        }
        folder.finish(&session)?;
        read_back(&path.join("recording.crec"), task)
    })();
    // Gigabytes that nobody asked for; what cannot be taken away does not spoil the figures.
    let _ = fs::remove_dir_all(&path);
    let _ = path.parent().map(fs::remove_dir); // only if nothing else is in it
    replayed
}

fn read_back(file: &Path, task: &Task) -> Result<Replayed, ReplayError> {
    let ms = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    let mut recording = Recording::open(file)?;
    let mut replayed =
        Replayed { task: task.clone(), bytes: recording.bytes(), open_ms: ms(start), ..Replayed::default() };
    let frames = recording.frames();
    for number in 0..frames {
        let start = Instant::now();
        replayed.bodies = recording.frame(number)?.bodies().len();
        replayed.frame_ms.push(ms(start));
    }
    let mut random = Random::new(1);
    for _ in 0..SEEKS.min(frames) {
        let number = random.below(frames);
        let start = Instant::now();
        recording.frame(number)?;
        replayed.seek_ms.push(ms(start));
    }
    Ok(replayed)
}
