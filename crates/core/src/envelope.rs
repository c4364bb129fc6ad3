//! The envelope of every binary file: magic, version and checksum around a payload.
//!
//! Each kind of file keeps its own magic, version and layout, so files written before stay
//! readable:
//!
//! | layout | bytes | used by |
//! |---|---|---|
//! | [`Layout::LengthCrc32`] | magic 8, version 4, length 8, CRC-32 4, payload; more may follow | scenes, recordings |
//! | [`Layout::Crc32`] | magic 8, version 4, CRC-32 4, payload to the end | saved sessions |
//! | [`Layout::TrailingFnv1a`] | magic 8, version 4, payload, FNV-1a 8 of all bytes before it | snapshots, trees |
//!
//! Numbers are little-endian. A reader believes nothing: no input panics, and nothing is allocated.
//! What the payload means is for others to check.

use crate::state_hash::StateHasher;

/// Where the checksum stands and what it covers; see the table of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Length of the payload and its CRC-32 before it.
    LengthCrc32,
    /// CRC-32 of the payload before it; the payload goes to the end.
    Crc32,
    /// 64-bit FNV-1a of all bytes before it, at the end.
    TrailingFnv1a,
}

/// What a kind of file begins with, and how it is checked.
///
/// ```
/// use carom_core::envelope::{Envelope, EnvelopeError, Layout};
///
/// const NOTES: Envelope = Envelope { magic: *b"CaromNot", version: 3, layout: Layout::Crc32 };
/// let mut bytes = NOTES.seal(b"some text");
/// assert_eq!(NOTES.open(&bytes)?.payload, b"some text");
/// bytes[20] ^= 1;
/// assert!(matches!(NOTES.open(&bytes), Err(EnvelopeError::Checksum { .. })));
/// # Ok::<(), EnvelopeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// First bytes of the file.
    pub magic: [u8; 8],
    /// The one version that is read and written.
    pub version: u32,
    /// Where the checksum stands.
    pub layout: Layout,
}

/// The content of an envelope whose checksum is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened<'a> {
    /// What was sealed.
    pub payload: &'a [u8],
    /// Bytes behind the payload; only [`Layout::LengthCrc32`] can tell them apart.
    pub rest: &'a [u8],
}

crate::error_type! {
    /// Why bytes cannot be opened.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum EnvelopeError {
        /// They begin with something else.
        #[error("it begins with other bytes than such a file")]
        Magic,
        /// Another version.
        #[error("it is of version {found}")]
        Version {
            /// Version of the bytes.
            found: u32,
        },
        /// They end early.
        #[error("it is cut short: {needed} bytes are needed, {found} are there")]
        Truncated {
            /// Bytes that there should be at least.
            needed: u64,
            /// Bytes there are.
            found: u64,
        },
        /// They are not those that were written.
        #[error("it is damaged: its checksum is {computed:08x} instead of {stored:08x}")]
        Checksum {
            /// As the bytes say.
            stored: u64,
            /// As they are.
            computed: u64,
        },
    }
}

/// Bytes of magic and version.
const START: usize = 12;
/// Bytes of a checksum at the end.
const TRAILER: usize = 8;

impl Envelope {
    /// Bytes before the payload.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        match self.layout {
            Layout::LengthCrc32 => START + 12,
            Layout::Crc32 => START + 4,
            Layout::TrailingFnv1a => START,
        }
    }

    /// True if the bytes begin like this kind of file.
    #[must_use]
    pub fn is_start_of(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.magic)
    }

    /// The payload in its envelope.
    #[must_use]
    pub fn seal(&self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = self.begin();
        bytes.extend_from_slice(payload);
        self.finish(bytes)
    }

    /// Room for the header, behind which a payload can be written without copying it later.
    #[must_use]
    pub fn begin(&self) -> Vec<u8> {
        vec![0; self.header_len()]
    }

    /// Seals what was written behind [`Envelope::begin`].
    ///
    /// # Panics
    /// If the bytes are fewer than those of the header.
    #[must_use]
    pub fn finish(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let (header, payload) = bytes.split_at_mut(self.header_len());
        header[..8].copy_from_slice(&self.magic);
        header[8..START].copy_from_slice(&self.version.to_le_bytes());
        match self.layout {
            Layout::LengthCrc32 => {
                header[START..START + 8].copy_from_slice(&(payload.len() as u64).to_le_bytes());
                header[START + 8..].copy_from_slice(&crc32(payload).to_le_bytes());
            }
            Layout::Crc32 => header[START..].copy_from_slice(&crc32(payload).to_le_bytes()),
            Layout::TrailingFnv1a => {
                let sum = fnv1a(&bytes);
                bytes.extend_from_slice(&sum.to_le_bytes());
            }
        }
        bytes
    }

    /// Compares magic and version; returns what stands behind them.
    ///
    /// # Errors
    /// If one of them differs, or the bytes end before.
    pub fn check_start<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], EnvelopeError> {
        let rest = bytes.strip_prefix(&self.magic).ok_or(EnvelopeError::Magic)?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(|| self.truncated(bytes))?;
        let found = u32::from_le_bytes(*version);
        if found == self.version { Ok(rest) } else { Err(EnvelopeError::Version { found }) }
    }

    /// Opens the envelope.
    ///
    /// # Errors
    /// See [`EnvelopeError`].
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<Opened<'a>, EnvelopeError> {
        let rest = self.check_start(bytes)?;
        let truncated = || self.truncated(bytes);
        let (opened, stored, computed) = match self.layout {
            Layout::LengthCrc32 => {
                let (length, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
                let (stored, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
                let length = u64::from_le_bytes(*length);
                let parts = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
                let (payload, rest) = parts.ok_or(EnvelopeError::Truncated {
                    needed: length.saturating_add(self.header_len() as u64),
                    found: bytes.len() as u64,
                })?;
                let sums = (u32::from_le_bytes(*stored), crc32(payload));
                (Opened { payload, rest }, sums.0.into(), sums.1.into())
            }
            Layout::Crc32 => {
                let (stored, payload) = rest.split_first_chunk().ok_or_else(truncated)?;
                let sums = (u32::from_le_bytes(*stored), crc32(payload));
                (Opened { payload, rest: &[] }, sums.0.into(), sums.1.into())
            }
            Layout::TrailingFnv1a => {
                let (payload, stored) = rest.split_last_chunk().ok_or_else(truncated)?;
                let computed = fnv1a(&bytes[..bytes.len() - TRAILER]);
                (Opened { payload, rest: &[] }, u64::from_le_bytes(*stored), computed)
            }
        };
        if stored == computed { Ok(opened) } else { Err(EnvelopeError::Checksum { stored, computed }) }
    }

    fn truncated(&self, bytes: &[u8]) -> EnvelopeError {
        let trailer = if self.layout == Layout::TrailingFnv1a { TRAILER } else { 0 };
        EnvelopeError::Truncated { needed: (self.header_len() + trailer) as u64, found: bytes.len() as u64 }
    }
}

/// CRC-32 (IEEE 802.3) of bytes.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// 64-bit FNV-1a of bytes.
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.write_bytes(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUTS: [Layout; 3] = [Layout::LengthCrc32, Layout::Crc32, Layout::TrailingFnv1a];

    fn envelope(layout: Layout) -> Envelope {
        Envelope { magic: *b"\x89Carom\n\x1a", version: 0x0102, layout }
    }

    #[test]
    fn what_is_sealed_comes_back_and_every_damage_is_noticed() {
        for layout in LAYOUTS {
            for payload in [&b""[..], b"x", b"a longer payload, with some bytes"] {
                let bytes = envelope(layout).seal(payload);
                let opened = envelope(layout).open(&bytes);
                assert_eq!(opened, Ok(Opened { payload, rest: &[] }), "{layout:?}");
                for length in 0..bytes.len() {
                    assert!(envelope(layout).open(&bytes[..length]).is_err(), "{layout:?} cut at {length}");
                }
                for at in 0..bytes.len() {
                    let mut bad = bytes.clone();
                    bad[at] ^= 4;
                    assert!(envelope(layout).open(&bad).is_err(), "{layout:?} changed at {at}");
                }
            }
        }
    }

    #[test]
    fn layouts_are_the_documented_ones() {
        let start = b"\x89Carom\n\x1a\x02\x01\0\0";
        let crc = 0xCBF4_3926_u32.to_le_bytes();
        let payload = b"123456789";
        let sized = [&start[..], &9u64.to_le_bytes(), &crc, payload].concat();
        assert_eq!(envelope(Layout::LengthCrc32).seal(payload), sized);
        assert_eq!(envelope(Layout::Crc32).seal(payload), [&start[..], &crc, payload].concat());
        let before = [&start[..], payload].concat();
        let sum = fnv1a(&before).to_le_bytes();
        assert_eq!(envelope(Layout::TrailingFnv1a).seal(payload), [&before[..], &sum].concat());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let envelope = envelope(Layout::LengthCrc32);
        let bytes = envelope.seal(b"text");
        assert_eq!(envelope.open(b"PNG"), Err(EnvelopeError::Magic));
        assert_eq!(envelope.open(&bytes[..9]), Err(EnvelopeError::Truncated { needed: 24, found: 9 }));
        assert_eq!(envelope.open(&bytes[..27]), Err(EnvelopeError::Truncated { needed: 28, found: 27 }));
        let newer = Envelope { version: 9, ..envelope };
        assert_eq!(envelope.open(&newer.seal(b"text")), Err(EnvelopeError::Version { found: 9 }));
        let longer = [&bytes[..], b"more"].concat();
        assert_eq!(envelope.open(&longer), Ok(Opened { payload: b"text", rest: b"more" }));
        let mut absurd = bytes;
        absurd[12..20].copy_from_slice(&u64::MAX.to_le_bytes());
        let error = EnvelopeError::Truncated { needed: u64::MAX, found: 28 };
        assert_eq!(envelope.open(&absurd), Err(error), "no memory is asked for");
    }
}
