//! A run to be compared: one that is simulated now, or a recording of one that was.

use carom_recording::track::{Frame, PositionKind, Recording, RecordingReadError, Rotation};
use glam::{DVec3, Vec3};

use carom_sim::bodies::{BodyBuffer, BodyState, Orientation, PositionPrecision};

use crate::session::{Session, SessionError, SimulationError};

/// Why two runs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them cannot go on.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// One of them cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingReadError),
    /// A recording without frames.
    #[error("the recording has no frames")]
    Empty,
    /// No step is in both.
    #[error("the two runs have no step in common")]
    NothingInCommon,
}

/// A run, frame after frame.
pub enum Course {
    /// Simulated now.
    Live(Box<Session>),
    /// Recorded before.
    Recorded(Box<Recorded>),
}

/// A recording, and the frame that is looked at.
pub struct Recorded {
    recording: Recording,
    at: u64,
    /// Step of that frame.
    step: u64,
}

impl Course {
    /// A session that has not begun.
    #[must_use]
    pub fn live(session: Session) -> Self {
        Self::Live(Box::new(session))
    }

    /// A recording from its first frame on.
    ///
    /// # Errors
    /// If it has none, or it cannot be read.
    pub fn recorded(mut recording: Recording) -> Result<Self, CompareError> {
        if recording.frames() == 0 {
            return Err(CompareError::Empty);
        }
        let step = recording.frame(0)?.stamp().number;
        Ok(Self::Recorded(Box::new(Recorded { recording, at: 0, step })))
    }

    /// Frames it has from here on at most.
    #[must_use]
    pub fn frames_left(&self) -> u64 {
        match self {
            Self::Live(session) => session.frames().saturating_sub(session.steps()),
            Self::Recorded(recorded) => recorded.recording.frames() - recorded.at,
        }
    }

    /// The session, if it is simulated now.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        match self {
            Self::Live(session) => Some(session),
            Self::Recorded(_) => None,
        }
    }

    /// The step it stands at.
    pub(super) fn step(&self) -> u64 {
        match self {
            Self::Live(session) => session.steps(),
            Self::Recorded(recorded) => recorded.step,
        }
    }

    /// Goes on by a frame; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, CompareError> {
        if self.frames_left() <= 1 {
            return Ok(false);
        }
        match self {
            Self::Live(session) => drop(session.step()?),
            Self::Recorded(recorded) => {
                recorded.at += 1;
                recorded.step = recorded.recording.frame(recorded.at)?.stamp().number;
            }
        }
        Ok(true)
    }

    /// Are velocities known?
    pub(super) fn has_speeds(&self) -> bool {
        match self {
            Self::Live(_) => true,
            Self::Recorded(recorded) => recorded.recording.header().channels.velocities,
        }
    }

    /// Are positions `f32`? Those of a `scene.dat` are, whatever was simulated.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Live(session) => session.info().pose_format.position == PositionPrecision::Single,
            Self::Recorded(recorded) => recorded.recording.header().pose.position == PositionKind::Single,
        }
    }

    /// Its bodies, by their numbers. Velocities that are not known are zero.
    pub(super) fn states(&mut self) -> Result<Vec<BodyState>, CompareError> {
        let mut states = Vec::new();
        match self {
            Self::Live(session) => {
                let mut bodies = BodyBuffer::default();
                session.simulation().bodies(&mut bodies);
                states.extend(bodies.iter());
            }
            Self::Recorded(recorded) => {
                let frame = recorded.frame()?;
                states.extend((0..frame.bodies().len()).map(|place| state(frame, place)));
            }
        }
        Ok(states)
    }

    /// Contacts to the bit, sorted, if they are recorded.
    pub(super) fn recorded_contacts(&mut self) -> Result<Option<Vec<[u64; 10]>>, CompareError> {
        let Self::Recorded(recorded) = self else { return Ok(None) };
        if !recorded.recording.header().channels.contacts {
            return Ok(None);
        }
        let bits = |c: &carom_recording::track::Contact| {
            let [a, b] = c.bodies.map(u64::from);
            let [x, y, z] = c.point.map(f64::to_bits);
            let [u, v, w] = c.normal.map(|n| u64::from(n.to_bits()));
            [a, b, x, y, z, u, v, w, u64::from(c.depth.to_bits()), u64::from(c.impulse.to_bits())]
        };
        let mut contacts: Vec<[u64; 10]> = recorded.frame()?.contacts().iter().map(bits).collect();
        contacts.sort_unstable();
        Ok(Some(contacts))
    }

    /// Name of a body.
    pub(super) fn name(&self, body: u32) -> Option<&str> {
        match self {
            Self::Live(session) => session.simulation().body_name(body),
            Self::Recorded(recorded) => recorded.recording.names().get(body as usize).map(String::as_str),
        }
    }
}

impl Recorded {
    fn frame(&mut self) -> Result<&Frame, RecordingReadError> {
        self.recording.frame(self.at)
    }
}

fn state(frame: &Frame, place: usize) -> BodyState {
    let [a, b, c, d, e, f] = frame.velocities().get(place).copied().unwrap_or_default();
    BodyState {
        number: frame.bodies()[place],
        position: DVec3::from_array(frame.position(place).to_double()),
        orientation: match frame.rotation(place) {
            Rotation::Quaternion(turn) => Orientation::Quaternion(turn),
            Rotation::Rows(rows) => Orientation::Matrix(rows),
        },
        velocity: Vec3::new(a, b, c),
        angular_velocity: Vec3::new(d, e, f),
    }
}
