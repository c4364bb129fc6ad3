//! Where the blocks of a file are: as its last block says, or found by walking through the file.
//!
//! A recording that was finished ends with an index block and a tail of 24 bytes that says where it
//! begins. One that was cut off has neither; then the heads are followed from the beginning. Behind
//! a damaged head the next mark is searched for, so one torn block costs its own frames only.

use carom_core::envelope::crc32;
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer as Bytes};

use super::block::{BlockFault, HEAD_BYTES, Head, Kind, MARK, find_block, read_block, read_whole};

/// Bytes of the tail.
pub(super) const TAIL_BYTES: usize = 24;
/// Last bytes of a finished recording.
const TAIL_MARK: [u8; 4] = *b"crec";

/// A block and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) offset: u64,
    pub(super) first: u64,
    pub(super) count: u32,
}

impl Entry {
    pub(super) fn of(head: &Head, offset: u64) -> Self {
        Self { kind: head.kind, offset, first: head.first, count: head.count }
    }

    pub(super) fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }
}

impl Stored for Entry {
    const LEAST: usize = 24;

    fn put(&self, out: &mut Bytes) {
        self.kind.number().put(out);
        self.offset.put(out);
        self.first.put(out);
        self.count.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let start = from.at();
        let number = from.field("kind")?;
        let kind = Kind::of_number(number).filter(|kind| *kind != Kind::Index);
        let kind =
            kind.ok_or_else(|| BytesReadError::of(start, number, "no block of an index has this kind"))?;
        let entry = Self {
            kind,
            offset: from.field("offset")?,
            first: from.field("first")?,
            count: from.field("count")?,
        };
        match entry.first.checked_add(u64::from(entry.count)) {
            Some(_) => Ok(entry),
            None => {
                Err(BytesReadError::of(start, entry.first, "no recording has as many frames").inside("first"))
            }
        }
    }
}

/// Bytes of a file that belong to no whole block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where they begin.
    pub offset: u64,
    /// How many there are.
    pub bytes: u64,
    /// What is wrong.
    pub fault: BlockFault,
}

/// What is known of the blocks of a file.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) entries: Vec<Entry>,
    /// Places between blocks, and at the end, that are none.
    pub(super) damage: Vec<Damage>,
    /// Was the recording finished?
    pub(super) is_complete: bool,
}

impl Index {
    /// The index block and the tail that end a file whose length so far is `offset`.
    pub(super) fn ending(entries: &[Entry], offset: u64) -> Vec<u8> {
        let mut payload = Bytes::default();
        payload.list(entries);
        let payload = payload.into_bytes();
        let head = Head {
            kind: Kind::Index,
            first: 0,
            count: entries.len() as u32,
            checksum: crc32(&payload),
            unpacked: payload.len() as u64,
            packed: payload.len() as u64,
        };
        let mut bytes = head.to_bytes().to_vec();
        bytes.extend(payload);
        let mut tail = [0; TAIL_BYTES];
        tail[..8].copy_from_slice(&offset.to_le_bytes());
        tail[8..16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        let checksum = crc32(&tail[..16]);
        tail[16..20].copy_from_slice(&checksum.to_le_bytes());
        tail[20..].copy_from_slice(&TAIL_MARK);
        bytes.extend(tail);
        bytes
    }

    /// Finds the blocks of a file from `start` on.
    pub(super) fn find(file: &[u8], start: u64) -> Self {
        Self::from_tail(file, start).unwrap_or_else(|| Self::walk(file, start))
    }

    /// What the end of the file says, if it is whole and fits the file.
    fn from_tail(file: &[u8], start: u64) -> Option<Self> {
        let tail: &[u8; TAIL_BYTES] = file.last_chunk()?;
        let (offset, rest) = tail.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (checksum, mark) = rest.split_first_chunk::<4>()?;
        let (offset, length) = (u64::from_le_bytes(*offset), u64::from_le_bytes(*length));
        let is_sound = u32::from_le_bytes(*checksum) == crc32(&tail[..16]) && mark == TAIL_MARK;
        let end = (file.len() - TAIL_BYTES) as u64;
        if !is_sound || offset < start || offset.checked_add(length) != Some(end) {
            return None;
        }
        let (head, payload) = read_block(file, offset).ok()?;
        if head.kind != Kind::Index || head.packed + HEAD_BYTES as u64 != length {
            return None;
        }
        let entries = read_whole(payload, Reader::list::<Entry>).ok()?;
        is_orderly(&entries, start, offset).then_some(Self { entries, damage: Vec::new(), is_complete: true })
    }

    /// Follows the heads.
    fn walk(file: &[u8], start: u64) -> Self {
        let mut index = Self::default();
        let (mut at, mut frames, mut names) = (start, 0, 0);
        while at < file.len() as u64 {
            let fault = match find_block(file, at) {
                // A head that belongs to an earlier moment is part of a payload whose own head is
                // damaged.
                Ok((head, _)) if head.kind == Kind::Frames && head.first < frames => BlockFault::Other,
                Ok((head, _)) if head.kind == Kind::Names && head.first < names => BlockFault::Other,
                Ok((head, payload)) => {
                    match head.kind {
                        Kind::Frames => frames = head.end(),
                        Kind::Names => names = head.end(),
                        // Behind the index there is only a tail, and it was no good.
                        Kind::Index => return index,
                    }
                    index.entries.push(Entry::of(&head, at));
                    at += (HEAD_BYTES + payload.len()) as u64;
                    continue;
                }
                Err(fault) => fault,
            };
            let next = next_mark(file, at + 1);
            index.add_damage(Damage { offset: at, bytes: next - at, fault });
            at = next;
        }
        index
    }

    /// Pieces that follow each other are one.
    fn add_damage(&mut self, damage: Damage) {
        match self.damage.last_mut().filter(|last| last.offset + last.bytes == damage.offset) {
            Some(last) => last.bytes += damage.bytes,
            None => self.damage.push(damage),
        }
    }
}

/// Do blocks follow each other in the file, and frames and names each other in number?
fn is_orderly(entries: &[Entry], start: u64, end: u64) -> bool {
    let (mut offset, mut frames, mut names) = (start, 0, 0);
    entries.iter().all(|entry| {
        let next = if entry.kind == Kind::Frames { &mut frames } else { &mut names };
        let is_next = entry.offset >= offset && entry.first >= *next && entry.offset < end;
        offset = entry.offset.saturating_add(HEAD_BYTES as u64);
        *next = entry.end();
        is_next
    })
}

/// Where the next mark stands from an offset on, or the end of the file.
fn next_mark(file: &[u8], from: u64) -> u64 {
    let rest = file.get(from as usize..).unwrap_or_default();
    let found = rest.windows(MARK.len()).position(|window| window == MARK);
    found.map_or(file.len() as u64, |at| from + at as u64)
}
