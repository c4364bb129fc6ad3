//! Reading and writing the binary form (`.carom`): the wire types in postcard, in an envelope.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic, with a line end inside that a text-mode copy would spoil |
//! | 4 | version of the binary layout |
//! | 8 | length of the payload |
//! | 4 | CRC-32 of the payload |
//! | … | payload |
//!
//! Numbers are little-endian. Postcard has no keys, so any change of the wire types is a new
//! version; the text form is the one to keep for years. A hostile file costs no more memory than a
//! small multiple of its own size: lists grow with what is there, not with what is claimed.

use carom_core::envelope::{Envelope, EnvelopeError, Layout, Opened};

use super::VERSION;
use super::wire::WireScene;
use crate::model::Scene;
use crate::validate::{self, Cause};

/// First bytes of every binary scene.
pub const MAGIC: [u8; 8] = *b"\x89carom\n\x1a";
/// Version of the binary layout; 2 came with meshes in the scene itself and springs by frequency.
pub const LAYOUT: u32 = 2;
const ENVELOPE: Envelope = Envelope { magic: MAGIC, version: LAYOUT, layout: Layout::LengthCrc32 };

/// Why bytes are not a binary scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// The first bytes are not those of a binary scene.
    #[error("not a binary Carom scene: it does not start with the mark of one")]
    Magic,
    /// Written by a newer or an older program.
    #[error("binary scene of version {found}; this program reads version {supported}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version this program reads.
        supported: u32,
    },
    /// The file ends early.
    #[error("binary scene cut short: {needed} bytes needed, {found} there")]
    Truncated {
        /// Bytes the header promises (or the header itself).
        needed: u64,
        /// Bytes there are.
        found: u64,
    },
    /// There is more than the header says.
    #[error("binary scene followed by {extra} unknown bytes")]
    Trailing {
        /// Bytes too many.
        extra: u64,
    },
    /// The payload was changed.
    #[error("binary scene damaged: checksum {found:08x} instead of {expected:08x}")]
    Checksum {
        /// As the header says.
        expected: u32,
        /// As the payload is.
        found: u32,
    },
    /// The payload is whole but makes no scene.
    #[error("binary scene makes no sense: {reason}")]
    Payload {
        /// What the decoder says.
        reason: String,
    },
    /// A number is infinite or not a number.
    #[error("{place}: `{value}` is not a finite number")]
    NotFinite {
        /// Where in the scene.
        place: String,
        /// The value.
        value: String,
    },
}

/// True if the bytes start like a binary scene.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    ENVELOPE.is_start_of(bytes)
}

/// Reads a scene from its binary form.
///
/// # Errors
/// What is wrong with the envelope, the payload or a number in it.
pub fn read_binary(bytes: &[u8]) -> Result<Scene, BinaryError> {
    let payload = open_envelope(bytes)?;
    let (wire, rest) = postcard::take_from_bytes::<WireScene>(payload)
        .map_err(|error| BinaryError::Payload { reason: error.to_string() })?;
    if !rest.is_empty() {
        return Err(BinaryError::Payload { reason: format!("{} bytes left over", rest.len()) });
    }
    let scene = wire.into_model();
    match validate::validate(&scene).into_iter().find(|problem| problem.cause == Cause::NotFinite) {
        Some(problem) => Err(BinaryError::NotFinite { place: problem.place, value: problem.value }),
        None => Ok(scene),
    }
}

fn open_envelope(bytes: &[u8]) -> Result<&[u8], BinaryError> {
    let Opened { payload, rest } = ENVELOPE.open(bytes).map_err(|error| match error {
        EnvelopeError::Magic => BinaryError::Magic,
        EnvelopeError::Version { found } => BinaryError::Version { found, supported: LAYOUT },
        EnvelopeError::Truncated { needed, found } => BinaryError::Truncated { needed, found },
        EnvelopeError::Checksum { stored, computed } => {
            BinaryError::Checksum { expected: stored as u32, found: computed as u32 }
        }
    })?;
    if rest.is_empty() { Ok(payload) } else { Err(BinaryError::Trailing { extra: rest.len() as u64 }) }
}

/// Writes a scene in its binary form.
#[must_use]
pub fn write_binary(scene: &Scene) -> Vec<u8> {
    match postcard::to_extend(&WireScene::from_model(scene, VERSION), ENVELOPE.begin()) {
        Ok(bytes) => ENVELOPE.finish(bytes),
        Err(error) => {
            // A growing buffer never fills up and the wire types know their lengths: nothing else
            // can fail.
            debug_assert!(false, "{error}");
            Vec::new()
        }
    }
}
