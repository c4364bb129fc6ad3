//! The bytes of a recording: a file mapped into memory, or bytes that somebody holds.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Where the bytes are.
#[derive(Debug)]
pub(super) enum Source {
    Mapped(Mmap),
    Held(Vec<u8>),
}

impl Source {
    /// Maps a file.
    #[expect(unsafe_code, reason = "there is no safe way to map a file")]
    pub(super) fn map(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            // Nothing to map, and some systems refuse to.
            return Ok(Self::Held(Vec::new()));
        }
        // No program can map a file and rule out that another shortens it; the system then ends the
        // process with a signal when the missing part is touched. Bytes that change underneath are
        // found by the checksum or give another frame. SAFETY: the map is only read, as plain
        // bytes, of which every pattern is sound; lengths are read once and checked against the map
        // before use, and each chunk is checked by its checksum before it is decoded.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::Mapped(map))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Held(bytes) => bytes,
        }
    }
}
