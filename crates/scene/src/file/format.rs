//! Which format a file is in: by its name, and by its first bytes where the name does not tell.

use std::fmt;
use std::path::Path;

use crate::native;

/// Where a scene's bytes came from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Fingsics' scene XML, `.xml`.
    FingsicsXml,
    /// The native text form, `.toml`.
    NativeText,
    /// The native binary form, `.carom`.
    NativeBinary,
    /// A model file of two-dimensional scenes, `.txt` or `.model`.
    PlanarModel,
    /// No file: made by the library.
    Library,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FingsicsXml => "Fingsics XML",
            Self::NativeText => "Carom text",
            Self::NativeBinary => "Carom binary",
            Self::PlanarModel => "planar model",
            Self::Library => "library",
        })
    }
}

impl Format {
    /// The format a file name stands for.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "xml" => Some(Self::FingsicsXml),
            "toml" => Some(Self::NativeText),
            "carom" => Some(Self::NativeBinary),
            "txt" | "model" => Some(Self::PlanarModel),
            _ => None,
        }
    }

    /// The format that bytes look like.
    #[must_use]
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if native::is_binary(bytes) {
            return Some(Self::NativeBinary);
        }
        let start = &bytes[..bytes.len().min(4096)];
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            Some(Self::FingsicsXml)
        } else if text.starts_with("marco") {
            Some(Self::PlanarModel)
        } else if text.lines().any(is_version_line) {
            Some(Self::NativeText)
        } else {
            None
        }
    }

    /// The format of a file with this name and content. Names of other programs' text files
    /// (`.txt`) say little, so there the content speaks first; a binary scene is one under any
    /// name.
    #[must_use]
    pub fn of_file(path: &Path, bytes: &[u8]) -> Option<Self> {
        let by_content = Self::of_content(bytes);
        match Self::of_path(path) {
            _ if by_content == Some(Self::NativeBinary) => by_content,
            Some(Self::PlanarModel) => by_content.or(Some(Self::PlanarModel)),
            Some(by_name) => Some(by_name),
            None => by_content,
        }
    }
}

/// `carom = 1`
fn is_version_line(line: &str) -> bool {
    line.trim_start().strip_prefix("carom").is_some_and(|rest| rest.trim_start().starts_with('='))
}
