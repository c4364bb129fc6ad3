//! Reads a recording: any frame at any time, with one chunk decoded at a time.

use std::path::{Path, PathBuf};

use carom_core::envelope::{EnvelopeError, Opened};
use carom_geometry::bytes::{BytesReadError, Fault, Reader};
use carom_scene::Scene;
use carom_scene::native::{BinaryError, read_binary};

use super::ENVELOPE;
use super::block::{BlockFault, Kind, read_block, read_whole};
use super::codec::Codec;
use super::error::{ChunkError, RecordingReadError};
use super::frame::Frame;
use super::header::{Header, take_names};
use super::index::{Damage, Entry, Index};
use super::source::Source;

/// An open recording.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    source: Source,
    header: Header,
    chunks: Vec<Entry>,
    damage: Vec<Damage>,
    is_complete: bool,
    codec: Codec,
    /// The chunk that was decoded last, as far as it was.
    open: Option<OpenChunk>,
    /// Frames of that chunk; the memory of those beyond is kept for the next.
    frames: Vec<Frame>,
}

/// How far a chunk has been decoded.
#[derive(Clone, Copy, Debug)]
struct OpenChunk {
    number: usize,
    /// Offset in the payload of the next frame.
    at: usize,
    decoded: usize,
    /// Unpacked bytes that the rest may have.
    budget: u64,
}

impl Recording {
    /// Opens a recording, one that was cut off or damaged as well: what is whole can be read.
    ///
    /// The file is mapped into memory. It must not be shortened while it is open.
    ///
    /// # Errors
    /// If it cannot be read, is no recording, or its header is damaged.
    pub fn open(path: &Path) -> Result<Self, RecordingReadError> {
        let source = Source::map(path)
            .map_err(|source| RecordingReadError::Io { path: path.to_path_buf(), source })?;
        Self::read(source, path)
    }

    /// A recording from bytes in memory; `path` is what errors call it.
    ///
    /// # Errors
    /// If they are no recording, or its header is damaged.
    pub fn from_bytes(bytes: Vec<u8>, path: &Path) -> Result<Self, RecordingReadError> {
        Self::read(Source::Held(bytes), path)
    }

    fn read(source: Source, path: &Path) -> Result<Self, RecordingReadError> {
        let path = path.to_path_buf();
        let bytes = source.bytes();
        let (mut header, end) = read_header(bytes, &path)?;
        let Index { entries, mut damage, is_complete } = Index::find(bytes, end as u64);
        let mut chunks = Vec::new();
        for entry in entries {
            match entry.kind {
                Kind::Frames => chunks.push(entry),
                _ => add_names(bytes, &entry, &mut header.names, &mut damage),
            }
        }
        let codec = Codec::new(&header);
        Ok(Self { path, source, header, chunks, damage, is_complete, codec, open: None, frames: Vec::new() })
    }

    /// What the recording says of itself; its names include those that came later.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Names of all bodies, by number.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.header.names
    }

    /// The scene that was simulated, if it was recorded.
    ///
    /// # Errors
    /// If its bytes are no scene.
    pub fn scene(&self) -> Result<Option<Scene>, BinaryError> {
        if self.header.scene.is_empty() { Ok(None) } else { read_binary(&self.header.scene).map(Some) }
    }

    /// Number of frames, those in damaged chunks included.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.chunks.last().map_or(0, Entry::end)
    }

    /// Number of chunks.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Was the recording finished, and is its index whole? If not, [`Self::damage`] tells what was
    /// found.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Parts of the file that are no whole block, as far as opening it shows: the end of a
    /// recording that was cut off, torn heads. Payloads are looked at when they are read;
    /// [`Self::verify`] looks at all of them.
    #[must_use]
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Length of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.source.bytes().len() as u64
    }

    /// A frame, by its number in the recording from 0 (which is not the number of its step if steps
    /// were left out).
    ///
    /// Decodes the chunk it is in from its beginning, and keeps what it decoded: the frames before
    /// it, and the next ones, cost nothing or one frame each.
    ///
    /// # Errors
    /// If there is no such frame, or its chunk is damaged.
    pub fn frame(&mut self, frame: u64) -> Result<&Frame, RecordingReadError> {
        let frames = self.frames();
        if frame >= frames {
            return Err(RecordingReadError::NoFrame { path: self.path.clone(), frame, frames });
        }
        // The last chunk that begins no later; the first frame of a file without an index may be
        // lost.
        let number = self.chunks.partition_point(|chunk| chunk.first <= frame).checked_sub(1);
        let Some(number) = number.filter(|number| frame < self.chunks[*number].end()) else {
            return Err(RecordingReadError::Lost { path: self.path.clone(), frame });
        };
        let place = (frame - self.chunks[number].first) as usize;
        self.decode(number, place).map_err(|fault| self.chunk_error(number, fault))?;
        Ok(&self.frames[place])
    }

    /// Checks every chunk to its last bit and gives the error of each that is damaged.
    pub fn verify(&mut self) -> Vec<RecordingReadError> {
        let mut errors = Vec::new();
        for number in 0..self.chunks.len() {
            let last = self.chunks[number].count.saturating_sub(1) as usize;
            if let Err(fault) = self.decode(number, last) {
                errors.push(self.chunk_error(number, fault));
            }
        }
        errors
    }

    fn chunk_error(&self, chunk: usize, fault: BlockFault) -> RecordingReadError {
        let Entry { offset, first, .. } = self.chunks[chunk];
        let last = self.chunks[chunk].end().saturating_sub(1);
        let path = self.path.clone();
        RecordingReadError::Chunk(Box::new(ChunkError { path, chunk, first, last, offset, fault }))
    }

    /// Sees to it that the frame at a place of a chunk is decoded.
    fn decode(&mut self, number: usize, place: usize) -> Result<(), BlockFault> {
        let file = self.source.bytes();
        let entry = self.chunks[number];
        let (mut open, payload) = match self.open.take().filter(|open| open.number == number) {
            Some(open) if place < open.decoded => {
                self.open = Some(open);
                return Ok(());
            }
            // The checksum was right when the chunk was opened.
            Some(open) => (open, super::block::find_block(file, entry.offset)?.1),
            None => {
                let (head, payload) = read_block(file, entry.offset)?;
                if Entry::of(&head, entry.offset) != entry {
                    return Err(BlockFault::Other);
                }
                self.codec.restart();
                (OpenChunk { number, at: 0, decoded: 0, budget: head.unpacked }, payload)
            }
        };
        while open.decoded <= place {
            if self.frames.len() == open.decoded {
                self.frames.push(Frame::default());
            }
            let frame = &mut self.frames[open.decoded];
            frame.clear();
            let mut from = Reader::new(payload);
            from.slice(open.at).map_err(BlockFault::Content)?;
            self.codec.decode(&mut from, frame, open.budget).map_err(BlockFault::Content)?;
            let used = frame.raw_bytes(&self.header);
            open.budget = open.budget.checked_sub(used).ok_or_else(|| {
                BlockFault::Content(from.refused("its frames are larger unpacked than its head says"))
            })?;
            open.at = from.at();
            open.decoded += 1;
            if open.decoded == entry.count as usize && from.left() > 0 {
                let why = format_args!("{} bytes are left over behind its last frame", from.left());
                return Err(BlockFault::Content(from.refused(why)));
            }
        }
        self.open = Some(open);
        Ok(())
    }
}

/// The header and where it ends.
fn read_header(bytes: &[u8], path: &Path) -> Result<(Header, usize), RecordingReadError> {
    let path = || path.to_path_buf();
    let header_error = |reason| RecordingReadError::Header { path: path(), reason };
    let damaged = |at: usize, reason: String| {
        header_error(BytesReadError { at, path: String::new(), fault: Fault::Refused { reason } })
    };
    let payload = match ENVELOPE.open(bytes) {
        Ok(Opened { payload, .. }) => payload,
        Err(EnvelopeError::Magic) => return Err(RecordingReadError::NotARecording { path: path() }),
        Err(EnvelopeError::Version { found }) => {
            return Err(RecordingReadError::Version { path: path(), found, supported: ENVELOPE.version });
        }
        Err(EnvelopeError::Truncated { needed, found }) => {
            let reason = format!("the data ends: {needed} bytes are wanted, {found} are there");
            return Err(damaged(bytes.len(), reason));
        }
        Err(EnvelopeError::Checksum { stored, computed }) => {
            let reason = format!("its checksum is {computed:08x} instead of {stored:08x}");
            return Err(damaged(20, reason));
        }
    };
    let header = Header::from_bytes(payload).map_err(header_error)?;
    Ok((header, ENVELOPE.header_len() + payload.len()))
}

/// Adds the names of a block. Those that are lost are empty, so that the others keep their numbers.
fn add_names(file: &[u8], entry: &Entry, names: &mut Vec<String>, damage: &mut Vec<Damage>) {
    let read = read_block(file, entry.offset).and_then(|(head, payload)| {
        let found = read_whole(payload, take_names)?;
        let is_promised = Entry::of(&head, entry.offset) == *entry && found.len() == entry.count as usize;
        if is_promised { Ok(found) } else { Err(BlockFault::Other) }
    });
    match (read, usize::try_from(entry.first)) {
        // What is missing was in a damaged part of the file, and no more names than bytes can have
        // been.
        (Ok(found), Ok(first)) if first >= names.len() && first <= names.len() + file.len() => {
            names.resize(first, String::new());
            names.extend(found);
        }
        (Ok(_), _) => damage.push(Damage { offset: entry.offset, bytes: 0, fault: BlockFault::Other }),
        (Err(fault), _) => damage.push(Damage { offset: entry.offset, bytes: 0, fault }),
    }
}
