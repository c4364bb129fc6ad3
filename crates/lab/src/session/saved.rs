//! A session on disk, to go on from: the scene, the task and the state after some steps, in one
//! file.
//!
//! The engine's state is stored whole ([`carom_dynamics::world::snapshot`]) and going on from it
//! gives the bits that going on without it gives. Under Fingsics' rules the order of equal
//! endpoints in its sweep depends on the whole history; there the file holds the number of steps,
//! and they are done again, which gives the same bits because every run does. Either way the
//! fingerprint of the state is checked before anything goes on.
//!
//! Layout, little-endian: `CAROMRUN`, version (u32), CRC-32 of all that follows (u32), steps (u64),
//! state hash (u64), then three times a length (u64) and as many bytes: the task (JSON), the scene
//! (binary form), the state (empty under Fingsics' rules).

use carom_core::envelope::{Envelope, EnvelopeError, Layout, Opened};
use carom_scene::Scene;
use carom_scene::native::{BinaryError, read_binary, write_binary};

use carom_sim::SimulationSpec;

use super::{Session, SessionError, SimulationError};
use crate::solver;
use crate::task::{MAX_FRAMES, Task, TaskError};

const VERSION: u32 = 1;
const ENVELOPE: Envelope = Envelope { magic: *b"CAROMRUN", version: VERSION, layout: Layout::Crc32 };

/// Why a saved session cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// Some other file.
    #[error("not a saved session: it does not begin with CAROMRUN")]
    Foreign,
    /// Of a later program.
    #[error("saved in layout {0}; this program reads layout {VERSION}")]
    Version(u32),
    /// Cut short or changed.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// The task.
    #[error("its task cannot be read: {0}")]
    Task(#[from] serde_json::Error),
    /// The scene.
    #[error("its scene cannot be read: {0}")]
    Scene(#[from] BinaryError),
    /// The state.
    #[error("its state cannot be read: {0}")]
    State(SimulationError),
    /// The task does not go with its scene.
    #[error(transparent)]
    Prepare(#[from] TaskError),
    /// Its solver cannot run it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The state is not the one that was saved.
    #[error("the state after {steps} steps is {found:016x}, and was {saved:016x} when it was saved")]
    OtherState {
        /// Steps done.
        steps: u64,
        /// As it is now.
        found: u64,
        /// As it was.
        saved: u64,
    },
}

/// A saved session before it is woken.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What was run.
    pub task: Task,
    /// The scene at the beginning.
    pub scene: Scene,
    /// Steps done.
    pub steps: u64,
    /// Fingerprint of the state.
    pub state_hash: u64,
    state: Vec<u8>,
}

/// A session as bytes.
#[must_use]
pub fn save(session: &Session, task: &Task) -> Vec<u8> {
    let state = session.simulation().snapshot().state;
    let task = Task { solver: Some(solver::used(task.solver.as_ref(), session)), ..task.clone() };
    // A task is a tree of strings and numbers, which JSON always holds.
    let task = serde_json::to_vec(&task).unwrap_or_default();
    let mut body = ENVELOPE.begin();
    body.reserve(state.len() + task.len() + 64);
    body.extend(session.steps().to_le_bytes());
    body.extend(session.simulation().state_hash().to_le_bytes());
    for part in [&task, &write_binary(session.scene()), &state] {
        body.extend((part.len() as u64).to_le_bytes());
        body.extend(part);
    }
    ENVELOPE.finish(body)
}

impl Saved {
    /// Reads what [`save`] wrote.
    ///
    /// # Errors
    /// If it is something else, of a later version, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, SavedError> {
        let Opened { payload: mut body, .. } = ENVELOPE.open(bytes).map_err(|error| match error {
            EnvelopeError::Magic => SavedError::Foreign,
            EnvelopeError::Version { found } => SavedError::Version(found),
            EnvelopeError::Truncated { .. } => SavedError::Damaged("the file is cut short"),
            EnvelopeError::Checksum { .. } => {
                SavedError::Damaged("the checksum differs: the file was cut short or changed")
            }
        })?;
        let steps = long(&mut body)?;
        let state_hash = long(&mut body)?;
        if steps >= MAX_FRAMES {
            return Err(SavedError::Damaged("it claims more steps than any run has"));
        }
        let mut task: Task = serde_json::from_slice(part(&mut body)?)?;
        let scene = read_binary(part(&mut body)?)?;
        let state = part(&mut body)?.to_vec();
        // Older files leave the solver out if neither the user nor the scene asked for one. Under
        // the Fingsics rules there is no state but the history.
        if task.solver.is_none() && scene.solver.solver.is_none() {
            let name = if state.is_empty() { solver::FINGSICS } else { solver::ENGINE };
            task.solver = Some(SimulationSpec::named(name));
        }
        if !body.is_empty() {
            return Err(SavedError::Damaged("there are bytes behind its end"));
        }
        Ok(Self { task, scene, steps, state_hash, state })
    }

    /// Wakes it. Under Fingsics' rules this takes as long as the steps took; `progress` hears
    /// of each.
    ///
    /// # Errors
    /// If its solver cannot run it any more, or the state is not the one that was saved.
    pub fn wake(self, mut progress: impl FnMut()) -> Result<Session, SavedError> {
        let mut session = self.task.prepare_with(self.scene)?.session()?;
        session.restore(self.steps, self.state, &mut progress).map_err(SavedError::State)?;
        let found = session.simulation().state_hash();
        if found != self.state_hash {
            return Err(SavedError::OtherState { steps: self.steps, found, saved: self.state_hash });
        }
        Ok(session)
    }
}

fn long(body: &mut &[u8]) -> Result<u64, SavedError> {
    let (first, rest) = body.split_first_chunk::<8>().ok_or(SavedError::Damaged("a number is missing"))?;
    *body = rest;
    Ok(u64::from_le_bytes(*first))
}

fn part<'a>(body: &mut &'a [u8]) -> Result<&'a [u8], SavedError> {
    let length = long(body)?;
    let (first, rest) = usize::try_from(length)
        .ok()
        .and_then(|length| body.split_at_checked(length))
        .ok_or(SavedError::Damaged("a part is longer than the file"))?;
    *body = rest;
    Ok(first)
}
