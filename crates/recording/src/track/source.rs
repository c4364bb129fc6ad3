//! The bytes of a recording: a file mapped into memory, or bytes that somebody holds.

use std::io::{self, Read};
use std::path::Path;

use carom_core::input_file;
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
        let mut file = input_file::open(path)?;
        let metadata = file.metadata()?;
        if metadata.len() == 0 || !metadata.is_file() {
            // Nothing to map, and some systems refuse to; a pipe cannot be mapped.
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            return Ok(Self::Held(bytes));
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
