//! A snapshot as bytes: for files, for the other end of a line.
//!
//! ```text
//! offset  bytes  holds
//!      0      8  "CaromSnp"
//!      8      2  version of the format: how numbers, lists and geometry are written
//!     10      2  version of the state: which fields there are
//!     12      n  the state, see `carom_geometry::bytes`
//! 12 + n      8  FNV-1a of everything before
//! ```
//!
//! All numbers are little-endian. Shapes that are shared are written once. The same snapshot gives
//! the same bytes on every machine; how long stages took is not in them. A version that is not this
//! one is refused: a state of another engine would go on differently.
//!
//! Bytes may come from anywhere. Reading checks each number as it comes and every index against
//! what it names, and then asks [`World::validate`] whether the whole is a world; what passes can
//! be restored and stepped. The checksum finds what storage and lines do to bytes. It is no seal:
//! who wants to know where bytes come from signs them.

use carom_broadphase::Table;
use carom_core::envelope::{Envelope, EnvelopeError, Layout};
use carom_geometry::bytes::{BytesReadError, Fault, Reader, Stored, Writer};

use super::Snapshot;
use crate::state::bodies::Bodies;
use crate::state::bodies::flag;
use crate::state::settings::WorldDef;
use crate::state::shapes::Shapes;
use crate::state::violation::Violation;
use crate::world::World;

/// Version of the format.
const FORMAT: u16 = 1;
/// Version of the state: to be raised with every change of what is stored or of what it means.
const STATE: u16 = 6;
/// Both versions stand in the field of the version, that of the format first.
const ENVELOPE: Envelope = Envelope {
    magic: *b"CaromSnp",
    version: (STATE as u32) << 16 | FORMAT as u32,
    layout: Layout::TrailingFnv1a,
};

carom_core::error_type! {
    /// Why bytes are no snapshot.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum SnapshotError {
        /// Something else altogether.
        #[error("no snapshot begins with {found:?}: it would be \"CaromSnp\"")]
        Magic {
            /// How it begins.
            found: Vec<u8>,
        },
        /// Another version.
        #[error(
            "the {what} is of version {found}, and this engine reads version {known}: write it with the same engine"
        )]
        Version {
            /// Of what.
            what: &'static str,
            /// The version.
            found: u16,
            /// The one that is known.
            known: u16,
        },
        /// The bytes are not those that were written.
        #[error(
            "the checksum is {found:016x} and should be {computed:016x}: the bytes were damaged, or some are missing"
        )]
        Checksum {
            /// What the bytes say.
            found: u64,
            /// What they make.
            computed: u64,
        },
        /// A value that cannot be, or bytes that are missing.
        #[error(transparent)]
        Value(#[from] BytesReadError),
        /// More bytes than a state.
        #[error("{left} bytes are left after the state")]
        Trailing {
            /// How many.
            left: usize,
        },
        /// The values do not make a world.
        #[error("the state is none of a world: {0}")]
        Broken(#[from] Box<Violation>),
    }
}

impl Snapshot {
    /// The snapshot as bytes, the same on every machine.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, Snapshot, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0),
    /// [ShapeDef::new(Sphere::new(0.5)?)])?; world.step(1.0 / 60.0)?;
    /// let bytes = world.snapshot().to_bytes();
    ///
    /// let mut other = World::new(WorldDef::default());
    /// other.restore(&Snapshot::from_bytes(&bytes)?);
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    ///     other.step(1.0 / 60.0)?;
    ///     assert_eq!(other.state_hash(), world.state_hash());
    /// }
    /// assert_eq!(other.body(ball)?.position(), world.body(ball)?.position());
    /// assert!(Snapshot::from_bytes(&bytes[..100]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(&ENVELOPE.begin());
        self.put(&mut out);
        ENVELOPE.finish(out.into_bytes())
    }

    /// The snapshot of bytes that [`to_bytes`](Self::to_bytes) made. Any bytes may be given.
    ///
    /// # Errors
    /// Bytes of something else, of another version, damaged, or that make no world; see
    /// [`SnapshotError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let payload = ENVELOPE.open(bytes).map_err(|error| unsealed(&error, bytes))?.payload;
        let mut state = Reader::new(&bytes[..ENVELOPE.header_len() + payload.len()]);
        state.slice(ENVELOPE.header_len())?;
        let snapshot = Self::take(&mut state)?;
        if state.left() > 0 {
            return Err(SnapshotError::Trailing { left: state.left() });
        }
        let mut world = World::new(WorldDef::default());
        world.restore(&snapshot);
        match world.validate().into_iter().next() {
            Some(violation) => Err(SnapshotError::Broken(Box::new(violation))),
            None => Ok(snapshot),
        }
    }

    fn put(&self, out: &mut Writer) {
        self.bodies.put(out);
        self.shapes.put(&self.boxes, out);
        self.joints.put(out);
        self.contacts.put(out);
        self.active_manifolds.put(out);
        self.events.put(out);
        self.report.put(out);
        self.gravity.put(out);
        self.last.put(out);
        self.last_dt.put(out);
        self.settings.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let bodies: Bodies = from.field("bodies")?;
        let moves = flag::DYNAMIC | flag::KINEMATIC;
        let is_static = |body: u32| bodies.state.get(body as usize).is_none_or(|s| s.flags & moves == 0);
        let (shapes, boxes): (Shapes, Table<3>) =
            Shapes::take(from, is_static).map_err(|error| error.inside("shapes"))?;
        let mut snapshot = Self {
            bodies,
            shapes,
            boxes,
            joints: from.field("joints")?,
            contacts: from.field("contacts")?,
            active_manifolds: from.field("active_manifolds")?,
            events: from.field("events")?,
            report: from.field("report")?,
            gravity: from.field("gravity")?,
            last: from.field("last")?,
            last_dt: 0.0,
            settings: None,
        };
        let start = from.at();
        snapshot.last_dt = from.number("last_dt", 0.0, 1.0)?;
        snapshot.settings = from.field("settings")?;
        for last in snapshot.last {
            if last < 0.0 {
                return Err(
                    BytesReadError::of(start, last, "a length of substeps is not below 0").inside("last")
                );
            }
        }
        Ok(snapshot)
    }
}

/// The error of an envelope that does not open.
fn unsealed(error: &EnvelopeError, bytes: &[u8]) -> SnapshotError {
    match *error {
        EnvelopeError::Magic => SnapshotError::Magic { found: bytes[..bytes.len().min(8)].to_vec() },
        EnvelopeError::Version { found } if found as u16 != FORMAT => {
            SnapshotError::Version { what: "format", found: found as u16, known: FORMAT }
        }
        EnvelopeError::Version { found } => {
            SnapshotError::Version { what: "state", found: (found >> 16) as u16, known: STATE }
        }
        EnvelopeError::Truncated { needed, found } => {
            let fault = Fault::Truncated { wanted: needed as usize, left: found as usize };
            SnapshotError::Value(BytesReadError { at: 0, path: String::new(), fault })
        }
        EnvelopeError::Checksum { stored, computed } => SnapshotError::Checksum { found: stored, computed },
    }
}
