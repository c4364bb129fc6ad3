//! Carom's own recording, `.crec`: every pose of every frame to the bit, streamed while the
//! simulation runs, readable after a crash, with any frame at hand at once.
//!
//! ```
//! use carom_recording::track::{Header, RecordingOptions, Recording, Stamp, Writer};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("fall.crec");
//! let header = Header { steps_per_second: 60, names: vec!["ball".to_owned()], ..Header::default() };
//! let mut writer = Writer::create(&path, &header, RecordingOptions::default())?;
//! for number in 0..100 {
//!     let time = number as f64 / 60.0;
//!     writer.frame(Stamp { number, time, state_hash: 0 }, |frame| {
//!         frame.body(0, [0.0, 10.0 - 4.905 * time * time, 0.0], [0.0, 0.0, 0.0, 1.0]);
//!     })?;
//! }
//! writer.finish()?;
//!
//! let mut recording = Recording::open(&path)?;
//! assert_eq!((recording.frames(), recording.is_complete()), (100, true));
//! assert_eq!(recording.frame(60)?.position(0).to_double(), [0.0, 5.095, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A file is a header, then blocks (`block`): chunks of up to 64 frames, names of bodies that came
//! later, and at the end an index. Blocks are only ever appended. A frame is predicted from the
//! frames before it in its chunk and what is left is packed in few bits (`column`, `pack`). The
//! whole is described in `docs/recordings.md`.
//!
//! Invariants: what is read back is what was written, to the bit, or within the bounds of
//! [`Precision`]; whatever bytes a file has, reading gives that or an error that says where, never
//! a panic, and takes memory in proportion to the file. Positions and rotations need not be finite.

mod block;
mod codec;
mod column;
mod error;
mod frame;
mod group;
mod header;
mod index;
mod limits;
mod pack;
mod recording;
mod sink;
mod source;
mod word;
mod writer;

use carom_core::envelope::{Envelope, Layout};

pub use block::BlockFault;
pub use error::{ChunkError, RecordingReadError, WriteError};
pub use frame::{Contact, Event, EventKind, Frame, FrameFault, NO_BODY, Position, Rotation, Stamp};
pub use header::{Channels, Header, PoseKind, PositionKind, Precision, RotationKind};
pub use index::Damage;
pub use recording::Recording;
pub use sink::Summary;
pub use writer::{RecordingOptions, Writer};

/// First bytes of every recording, with a line end inside that a text-mode copy would spoil.
pub const MAGIC: [u8; 8] = *b"\x89CREC\r\n\x1a";
/// Version of the layout.
pub const VERSION: u32 = 1;

/// The file's preamble around its header; the blocks stand behind it.
const ENVELOPE: Envelope = Envelope { magic: MAGIC, version: VERSION, layout: Layout::LengthCrc32 };
