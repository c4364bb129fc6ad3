//! Why a recording could not be written or read.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use carom_geometry::bytes::BytesReadError;

use super::block::BlockFault;
use super::frame::FrameFault;

/// Why a recording could not be written.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The disk says no; what was written before stays readable.
    #[error("{}: {source}", path.display())]
    Io {
        /// File.
        path: PathBuf,
        /// Reason.
        source: Arc<io::Error>,
    },
    /// A step that cannot be.
    #[error("precision of the recording, {name}: it cannot be {value}: {hint}")]
    Precision {
        /// Which step.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        hint: &'static str,
    },
    /// Something that has more entries or bytes than 32 bits can count.
    #[error("the {what} of a recording cannot be larger than 4 GB")]
    TooLarge {
        /// What.
        what: &'static str,
    },
    /// A frame that does not fit the header.
    #[error("frame {frame} of the recording: {fault}")]
    Frame {
        /// Its number in the recording, from 0.
        frame: u64,
        /// What is wrong.
        fault: FrameFault,
    },
    /// The thread that writes is gone without a word.
    #[error("{}: the thread that writes the recording has ended unexpectedly", path.display())]
    Thread {
        /// File.
        path: PathBuf,
    },
}

/// Why a recording, or a frame of it, could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingReadError {
    /// The disk says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// File.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// The first bytes are not those of a recording.
    #[error("{}: not a Carom recording: it does not start with the mark of one", path.display())]
    NotARecording {
        /// File.
        path: PathBuf,
    },
    /// Written by a newer or an older program.
    #[error("{}: recording of version {found}; this program reads version {supported}", path.display())]
    Version {
        /// File.
        path: PathBuf,
        /// Version of the file.
        found: u32,
        /// Version this program reads.
        supported: u32,
    },
    /// The header is cut short or damaged; without it no frame can be read.
    #[error("{}: the header of the recording is damaged: {reason}", path.display())]
    Header {
        /// File.
        path: PathBuf,
        /// What is wrong.
        reason: BytesReadError,
    },
    /// A chunk cannot be read; the others can.
    #[error(transparent)]
    Chunk(Box<ChunkError>),
    /// The chunk of a frame was in a damaged part of a file that has no index.
    #[error("{}: frame {frame} is lost: the part of the file that held it is damaged", path.display())]
    Lost {
        /// File.
        path: PathBuf,
        /// The frame, from 0.
        frame: u64,
    },
    /// A frame that does not exist.
    #[error("{}: there is no frame {frame}, the recording has {frames}", path.display())]
    NoFrame {
        /// File.
        path: PathBuf,
        /// The frame asked for.
        frame: u64,
        /// Frames there are.
        frames: u64,
    },
}

/// Which chunk of a recording cannot be read, and why.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: chunk {chunk} (frames {first} to {last}), at byte {offset}: {fault}; other chunks can be read",
    path.display()
)]
pub struct ChunkError {
    /// File.
    pub path: PathBuf,
    /// Its number, from 0.
    pub chunk: usize,
    /// Its first frame.
    pub first: u64,
    /// Its last frame.
    pub last: u64,
    /// Where it begins.
    pub offset: u64,
    /// What is wrong.
    pub fault: BlockFault,
}
