//! The half of the writer that turns frames into blocks of a file. It knows nothing of threads.

use std::io::{self, Write};

use carom_core::envelope::crc32;
use carom_geometry::bytes::Writer as Bytes;

use super::ENVELOPE;
use super::block::{HEAD_BYTES, Head, Kind};
use super::codec::Codec;
use super::frame::Frame;
use super::header::{Header, put_names};
use super::index::{Entry, Index};
use super::limits::{CHUNK_FRAMES, ENOUGH_BYTES, ENOUGH_FRAMES, FRAME_BYTES};

/// What was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Frames.
    pub frames: u64,
    /// Length of the file.
    pub bytes: u64,
    /// What the frames would take without any packing.
    pub unpacked: u64,
}

/// Frames in, blocks out.
pub(super) struct Sink<W> {
    file: W,
    header: Header,
    codec: Codec,
    summary: Summary,
    entries: Vec<Entry>,
    /// The chunk at hand: room for its head, then its frames.
    chunk: Vec<u8>,
    chunk_frames: u32,
    chunk_unpacked: u64,
    /// Frames of a chunk at most.
    longest: u32,
    /// Names that came after the last chunk, and the number of the next one.
    fresh_names: Vec<String>,
    first_name: u64,
}

impl<W: Write> Sink<W> {
    /// Writes the header.
    pub(super) fn new(mut file: W, header: &Header, longest: u32) -> io::Result<Self> {
        let bytes = header_block(header);
        file.write_all(&bytes)?;
        Ok(Self {
            file,
            codec: Codec::new(header),
            summary: Summary { frames: 0, bytes: bytes.len() as u64, unpacked: 0 },
            entries: Vec::new(),
            chunk: Vec::new(),
            chunk_frames: 0,
            chunk_unpacked: 0,
            longest: longest.clamp(1, CHUNK_FRAMES),
            fresh_names: Vec::new(),
            first_name: header.names.len() as u64,
            // Names and scene are on disk and of no further use here.
            header: Header { names: Vec::new(), scene: Vec::new(), about: String::new(), ..header.clone() },
        })
    }

    /// A body that comes later has this name.
    pub(super) fn name(&mut self, name: String) {
        self.fresh_names.push(name);
    }

    /// Takes in a frame; writes the chunk if it is full.
    pub(super) fn frame(&mut self, frame: &Frame) -> io::Result<()> {
        if self.chunk_frames == 0 {
            self.chunk.clear();
            self.chunk.resize(HEAD_BYTES, 0);
            self.codec.restart();
        }
        self.codec.encode(frame, &mut self.chunk);
        self.chunk_frames += 1;
        self.chunk_unpacked += frame.raw_bytes(&self.header);
        let is_large = self.chunk_unpacked >= ENOUGH_BYTES && self.chunk_frames >= ENOUGH_FRAMES;
        if is_large || self.chunk_frames >= self.longest || self.chunk_unpacked >= FRAME_BYTES {
            self.end_chunk()?;
        }
        Ok(())
    }

    /// Writes what is held and the index.
    pub(super) fn finish(mut self) -> io::Result<Summary> {
        self.end_chunk()?;
        let ending = Index::ending(&self.entries, self.summary.bytes);
        self.file.write_all(&ending)?;
        self.file.flush()?;
        self.summary.bytes += ending.len() as u64;
        Ok(self.summary)
    }

    fn end_chunk(&mut self) -> io::Result<()> {
        // Names first: whoever reads the chunk of a body finds its name before it.
        if !self.fresh_names.is_empty() {
            let mut payload = Bytes::default();
            put_names(&self.fresh_names, &mut payload);
            let mut block = vec![0; HEAD_BYTES];
            block.extend(payload.as_bytes());
            let count = self.fresh_names.len() as u32;
            let unpacked = payload.as_bytes().len() as u64;
            self.write(Kind::Names, self.first_name, count, unpacked, &mut block)?;
            self.first_name += u64::from(count);
            self.fresh_names.clear();
        }
        if self.chunk_frames > 0 {
            let mut chunk = std::mem::take(&mut self.chunk);
            let (first, unpacked) = (self.summary.frames, self.chunk_unpacked);
            self.write(Kind::Frames, first, self.chunk_frames, unpacked, &mut chunk)?;
            self.chunk = chunk;
            self.summary.frames += u64::from(self.chunk_frames);
            self.summary.unpacked += self.chunk_unpacked;
            (self.chunk_frames, self.chunk_unpacked) = (0, 0);
        }
        Ok(())
    }

    /// Writes a block whose head is still to be filled in, in one piece.
    fn write(
        &mut self,
        kind: Kind,
        first: u64,
        count: u32,
        unpacked: u64,
        block: &mut [u8],
    ) -> io::Result<()> {
        let (head, payload) = block.split_at_mut(HEAD_BYTES);
        let packed = payload.len() as u64;
        let filled = Head { kind, first, count, checksum: crc32(payload), unpacked, packed };
        head.copy_from_slice(&filled.to_bytes());
        self.file.write_all(block)?;
        self.entries.push(Entry::of(&filled, self.summary.bytes));
        self.summary.bytes += block.len() as u64;
        Ok(())
    }
}

/// The header in its envelope.
fn header_block(header: &Header) -> Vec<u8> {
    ENVELOPE.seal(&header.to_bytes())
}
