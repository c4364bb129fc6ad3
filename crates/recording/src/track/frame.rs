//! What is known of one moment: the poses of the bodies that are there and, if recorded, their
//! velocities, contacts, events.

use super::header::{Channels, Header, PositionKind, RotationKind};

/// Stands for "no body" where a contact or an event names one.
pub const NO_BODY: u32 = u32::MAX;

/// Which moment a frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamp {
    /// Number of the step, from 0, the scene as loaded. Frames may leave steps out.
    pub number: u64,
    /// Simulated seconds.
    pub time: f64,
    /// State hash of the simulation, by which a run can be compared with its recording.
    pub state_hash: u64,
}

/// A position in the precision of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// `f32`.
    Single([f32; 3]),
    /// `f64`.
    Double([f64; 3]),
}

impl Position {
    /// As `f64`.
    #[must_use]
    pub fn to_double(self) -> [f64; 3] {
        match self {
            Self::Single(position) => position.map(f64::from),
            Self::Double(position) => position,
        }
    }
}

impl From<[f32; 3]> for Position {
    fn from(position: [f32; 3]) -> Self {
        Self::Single(position)
    }
}

impl From<[f64; 3]> for Position {
    fn from(position: [f64; 3]) -> Self {
        Self::Double(position)
    }
}

/// A rotation in the form of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// Quaternion x, y, z, w.
    Quaternion([f32; 4]),
    /// Matrix by rows; those of Fingsics' rules are not quite orthonormal.
    Rows([f32; 9]),
}

impl From<[f32; 4]> for Rotation {
    fn from(quaternion: [f32; 4]) -> Self {
        Self::Quaternion(quaternion)
    }
}

impl From<[f32; 9]> for Rotation {
    fn from(rows: [f32; 9]) -> Self {
        Self::Rows(rows)
    }
}

/// Two bodies that touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Their numbers.
    pub bodies: [u32; 2],
    /// Where, in the world.
    pub point: [f64; 3],
    /// From the first to the second.
    pub normal: [f32; 3],
    /// How deep.
    pub depth: f32,
    /// How hard they were pushed apart in this step.
    pub impulse: f32,
}

/// What an event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum EventKind {
    /// Two bodies begin to touch.
    Begin = 0,
    /// Two bodies touch no more.
    End = 1,
    /// A blow; the strength is its approach speed or impulse, as the simulation says.
    Hit = 2,
    /// The joint between two bodies broke.
    JointBroken = 3,
    /// A body was put aside because its state became non-finite.
    Quarantined = 4,
    /// A body came into the world.
    Appeared = 5,
    /// A body left the world.
    Vanished = 6,
    /// A body woke up.
    Woke = 7,
    /// A body fell asleep.
    Slept = 8,
}

impl EventKind {
    /// All kinds, in the order of their numbers in a file.
    pub const ALL: [Self; 9] = [
        Self::Begin,
        Self::End,
        Self::Hit,
        Self::JointBroken,
        Self::Quarantined,
        Self::Appeared,
        Self::Vanished,
        Self::Woke,
        Self::Slept,
    ];

    /// The kind of a number.
    pub(super) fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// The name used in exports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::End => "end",
            Self::Hit => "hit",
            Self::JointBroken => "joint-broken",
            Self::Quarantined => "quarantined",
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
            Self::Woke => "woke",
            Self::Slept => "slept",
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// To whom; [`NO_BODY`] where there is no second one.
    pub bodies: [u32; 2],
    /// How hard; zero where that means nothing.
    pub strength: f32,
}

/// Why a frame was refused. Nothing of it is recorded; the recording goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// Bodies out of order.
    #[error(
        "body {number} comes after body {before}: bodies must come in ascending order of their numbers, each once"
    )]
    Order {
        /// The body.
        number: u32,
        /// The one before it.
        before: u32,
    },
    /// A body nobody has named.
    #[error("there is no body {number}, only {bodies} have names: name it with `Writer::name_body` first")]
    UnknownBody {
        /// The body.
        number: u32,
        /// Bodies there are.
        bodies: usize,
    },
    /// A pose of another kind than the header says.
    #[error("body {number}: its pose is of another kind than the header of the recording says")]
    PoseKind {
        /// The body.
        number: u32,
    },
    /// Velocities are recorded and some are missing, or the other way round.
    #[error("{velocities} velocities for {bodies} bodies; the header says that velocities are {}recorded", if *.wanted { "" } else { "not " })]
    Velocities {
        /// Velocities given.
        velocities: usize,
        /// Bodies given.
        bodies: usize,
        /// Does the header announce them?
        wanted: bool,
    },
    /// Contacts or events although the header says that there are none.
    #[error("{what} were given, but the header says that they are not recorded")]
    Channel {
        /// Which.
        what: &'static str,
    },
    /// More than a frame may hold.
    #[error("the frame has {bytes} bytes, at most {limit} are possible")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
}

/// A frame, being filled or read.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub(super) stamp: Stamp,
    pub(super) bodies: Vec<u32>,
    // Of positions and of rotations only the kind that the header names is used.
    pub(super) singles: Vec<[f32; 3]>,
    pub(super) doubles: Vec<[f64; 3]>,
    pub(super) quaternions: Vec<[f32; 4]>,
    pub(super) rows: Vec<[f32; 9]>,
    pub(super) velocities: Vec<[f32; 6]>,
    pub(super) contacts: Vec<Contact>,
    pub(super) events: Vec<Event>,
    /// The first body out of order, and the one before it.
    disorder: Option<[u32; 2]>,
}

impl Frame {
    /// Adds a body. They come in ascending order of their numbers.
    #[inline]
    pub fn body(&mut self, number: u32, position: impl Into<Position>, rotation: impl Into<Rotation>) {
        if let Some(before) = self.bodies.last().copied().filter(|before| *before >= number) {
            self.disorder.get_or_insert([number, before]);
        }
        self.bodies.push(number);
        match position.into() {
            Position::Single(position) => self.singles.push(position),
            Position::Double(position) => self.doubles.push(position),
        }
        match rotation.into() {
            Rotation::Quaternion(quaternion) => self.quaternions.push(quaternion),
            Rotation::Rows(rows) => self.rows.push(rows),
        }
    }

    /// Adds the velocities of the body that was added last: metres and radians per second.
    #[inline]
    pub fn velocity(&mut self, linear: [f32; 3], angular: [f32; 3]) {
        self.velocities.push([linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]]);
    }

    /// Adds the bodies 0 to `count` − 1, if there are none yet; their poses follow with the
    /// functions below, one per body. This is what [`Self::body`] does one by one, several times as
    /// fast: the simulation waits for it.
    pub fn count_bodies(&mut self, count: u32) {
        if self.bodies.is_empty() {
            self.bodies.extend(0..count);
        } else if count > 0 {
            let before = self.bodies.last().copied().unwrap_or_default();
            self.disorder.get_or_insert([0, before]);
        }
    }

    /// Positions of the bodies that were counted, in `f32`.
    pub fn put_singles(&mut self, positions: impl Iterator<Item = [f32; 3]>) {
        self.singles.extend(positions);
    }

    /// Rotations of the bodies that were counted, as matrices by rows.
    pub fn put_rows(&mut self, rotations: impl Iterator<Item = [f32; 9]>) {
        self.rows.extend(rotations);
    }

    /// Adds a contact.
    pub fn contact(&mut self, contact: Contact) {
        self.contacts.push(contact);
    }

    /// Adds an event.
    pub fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Which moment it shows.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Numbers of the bodies that are there, ascending.
    #[must_use]
    pub fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// Where a body stands among [`Self::bodies`], if it is there.
    #[must_use]
    pub fn index_of(&self, body: u32) -> Option<usize> {
        self.bodies.binary_search(&body).ok()
    }

    /// Position of the body at a index among [`Self::bodies`].
    ///
    /// # Panics
    /// If there is no such index.
    #[must_use]
    pub fn position(&self, index: usize) -> Position {
        match self.doubles.is_empty() {
            true => Position::Single(self.singles[index]),
            false => Position::Double(self.doubles[index]),
        }
    }

    /// Rotation of the body at a index among [`Self::bodies`].
    ///
    /// # Panics
    /// If there is no such index.
    #[must_use]
    pub fn rotation(&self, index: usize) -> Rotation {
        match self.quaternions.is_empty() {
            true => Rotation::Rows(self.rows[index]),
            false => Rotation::Quaternion(self.quaternions[index]),
        }
    }

    /// Linear and angular velocities in the order of [`Self::bodies`]; empty if they are not
    /// recorded.
    #[must_use]
    pub fn velocities(&self) -> &[[f32; 6]] {
        &self.velocities
    }

    /// Contacts; empty if they are not recorded.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Events; empty if they are not recorded.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Empties it and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.stamp = Stamp::default();
        self.bodies.clear();
        self.singles.clear();
        self.doubles.clear();
        self.quaternions.clear();
        self.rows.clear();
        self.velocities.clear();
        self.contacts.clear();
        self.events.clear();
        self.disorder = None;
    }

    /// What the frame takes without any packing.
    pub(super) fn raw_bytes(&self, header: &Header) -> u64 {
        let per_body = header.body_bytes() * self.bodies.len() as u64;
        24 + per_body + 52 * self.contacts.len() as u64 + 16 * self.events.len() as u64
    }

    /// What is wrong with it, if `bodies` have names.
    pub(super) fn fault(&self, header: &Header, bodies: usize) -> Option<FrameFault> {
        if let Some([number, before]) = self.disorder {
            return Some(FrameFault::Order { number, before });
        }
        if let Some(number) = self.bodies.last().copied().filter(|number| *number as usize >= bodies) {
            return Some(FrameFault::UnknownBody { number, bodies });
        }
        let count = self.bodies.len();
        let (positions, rotations) = match (header.pose.position, header.pose.rotation) {
            (PositionKind::Single, RotationKind::Quaternion) => (self.singles.len(), self.quaternions.len()),
            (PositionKind::Single, RotationKind::Rows) => (self.singles.len(), self.rows.len()),
            (PositionKind::Double, RotationKind::Quaternion) => (self.doubles.len(), self.quaternions.len()),
            (PositionKind::Double, RotationKind::Rows) => (self.doubles.len(), self.rows.len()),
        };
        if positions != count || rotations != count {
            let number = self.bodies.get(positions.min(rotations)).copied().unwrap_or(NO_BODY);
            return Some(FrameFault::PoseKind { number });
        }
        let Channels { velocities: wanted, contacts, events } = header.channels;
        let velocities = self.velocities.len();
        if velocities != if wanted { count } else { 0 } {
            return Some(FrameFault::Velocities { velocities, bodies: count, wanted });
        }
        if !contacts && !self.contacts.is_empty() {
            return Some(FrameFault::Channel { what: "contacts" });
        }
        if !events && !self.events.is_empty() {
            return Some(FrameFault::Channel { what: "events" });
        }
        let (bytes, limit) = (self.raw_bytes(header), super::limits::FRAME_BYTES);
        (bytes > limit).then_some(FrameFault::TooLarge { bytes, limit })
    }
}
