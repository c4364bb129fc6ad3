//! The blocks that a file is made of: a head of 44 bytes with a checksum of its own, then a
//! payload.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | mark, by which blocks are found again behind a damaged one |
//! | 4 | kind: 1 frames, 2 names of bodies, 3 index |
//! | 8 | number of the first frame or body in it, from 0 |
//! | 4 | how many there are |
//! | 4 | CRC-32 of the payload |
//! | 8 | bytes of the payload unpacked |
//! | 8 | bytes of the payload in the file |
//! | 4 | CRC-32 of the 40 bytes before |
//!
//! All numbers are little-endian.

use carom_core::envelope::crc32;
use carom_geometry::bytes::{BytesReadError, Reader};

use super::limits;

/// Bytes of a head.
pub(super) const HEAD_BYTES: usize = 44;
/// First bytes of a block: none of them is ASCII, so that no text looks like one.
pub(super) const MARK: [u8; 4] = [0xC4, 0x9B, 0xE7, 0xB1];

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Frames,
    Names,
    Index,
}

impl Kind {
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Frames => 1,
            Self::Names => 2,
            Self::Index => 3,
        }
    }

    pub(super) fn of_number(number: u32) -> Option<Self> {
        [Self::Frames, Self::Names, Self::Index].into_iter().find(|kind| kind.number() == number)
    }
}

/// What the head of a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) first: u64,
    pub(super) count: u32,
    pub(super) checksum: u32,
    pub(super) unpacked: u64,
    pub(super) packed: u64,
}

/// What is wrong with a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The file ends inside.
    #[error("the file ends inside it")]
    Cut,
    /// The head was changed.
    #[error("its head is damaged")]
    Head,
    /// The payload was changed.
    #[error("its checksum is {found:08x} instead of {expected:08x}")]
    Checksum {
        /// As the head says.
        expected: u32,
        /// As the payload is.
        found: u32,
    },
    /// It is not the block that the index promises.
    #[error("it is not the block that the index names there")]
    Other,
    /// The payload is whole and makes no sense.
    #[error("{0}")]
    Content(BytesReadError),
}

impl Head {
    pub(super) fn to_bytes(self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        bytes[..4].copy_from_slice(&MARK);
        bytes[4..8].copy_from_slice(&self.kind.number().to_le_bytes());
        bytes[8..16].copy_from_slice(&self.first.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.count.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.unpacked.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.packed.to_le_bytes());
        let checksum = crc32(&bytes[..40]);
        bytes[40..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The head at the beginning of `bytes`, if its checksum is right and its numbers are possible.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, BlockFault> {
        let bytes: &[u8; HEAD_BYTES] = bytes.first_chunk().ok_or(BlockFault::Cut)?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if bytes[..4] != MARK || word(40) != crc32(&bytes[..40]) {
            return Err(BlockFault::Head);
        }
        let kind = Kind::of_number(word(4)).ok_or(BlockFault::Head)?;
        let head = Self {
            kind,
            first: long(8),
            count: word(16),
            checksum: word(20),
            unpacked: long(24),
            packed: long(32),
        };
        let is_possible = match kind {
            Kind::Frames => {
                (1..=limits::CHUNK_FRAMES).contains(&head.count)
                    && head.unpacked <= limits::CHUNK_BYTES
                    && head.unpacked / limits::EXPANSION <= head.packed
            }
            Kind::Names | Kind::Index => true,
        };
        let has_end = head.first.checked_add(u64::from(head.count)).is_some();
        if is_possible && has_end { Ok(head) } else { Err(BlockFault::Head) }
    }

    /// One more than the number of its last frame or body.
    pub(super) fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }
}

/// A block at an offset of a file: its head and its payload, with both checksums right.
pub(super) fn read_block(file: &[u8], offset: u64) -> Result<(Head, &[u8]), BlockFault> {
    let (head, payload) = find_block(file, offset)?;
    let found = crc32(payload);
    if found != head.checksum {
        return Err(BlockFault::Checksum { expected: head.checksum, found });
    }
    Ok((head, payload))
}

/// The same, but the payload is not looked at.
pub(super) fn find_block(file: &[u8], offset: u64) -> Result<(Head, &[u8]), BlockFault> {
    let rest = usize::try_from(offset).ok().and_then(|at| file.get(at..)).ok_or(BlockFault::Cut)?;
    let head = Head::read(rest)?;
    let payload = &rest[HEAD_BYTES..];
    let length = usize::try_from(head.packed).map_err(|_| BlockFault::Cut)?;
    Ok((head, payload.get(..length).ok_or(BlockFault::Cut)?))
}

/// Reads something from a payload to its end.
pub(super) fn read_whole<'a, T>(
    payload: &'a [u8],
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, BytesReadError>,
) -> Result<T, BlockFault> {
    let mut from = Reader::new(payload);
    let value = read(&mut from).map_err(BlockFault::Content)?;
    match from.left() {
        0 => Ok(value),
        left => Err(BlockFault::Content(from.refused(format_args!("{left} bytes are left over")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_of_a_head_can_be_flipped_unseen() {
        let head = Head {
            kind: Kind::Frames,
            first: 7,
            count: 64,
            checksum: 0x1234_5678,
            unpacked: 9000,
            packed: 100,
        };
        let bytes = head.to_bytes();
        assert_eq!(Head::read(&bytes), Ok(head));
        for bit in 0..HEAD_BYTES * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Head::read(&flipped), Err(BlockFault::Head), "bit {bit}");
        }
        assert_eq!(Head::read(&bytes[..43]), Err(BlockFault::Cut));
    }

    #[test]
    fn heads_that_promise_too_much_are_refused_though_their_checksum_is_right() {
        let head = Head { kind: Kind::Frames, first: 0, count: 1, checksum: 0, unpacked: 1024, packed: 1 };
        assert_eq!(Head::read(&head.to_bytes()), Ok(head));
        for wrong in [
            Head { count: 0, ..head },
            Head { count: 65, ..head },
            Head { unpacked: 3 * 1024, ..head },
            Head { unpacked: limits::CHUNK_BYTES + 1, packed: u64::MAX, ..head },
            Head { first: u64::MAX, ..head },
        ] {
            assert_eq!(Head::read(&wrong.to_bytes()), Err(BlockFault::Head), "{wrong:?}");
        }
        let far = Head { unpacked: 0, packed: u64::MAX, ..head };
        assert_eq!(find_block(&far.to_bytes(), 0).err(), Some(BlockFault::Cut));
    }
}
