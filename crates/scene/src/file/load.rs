//! Reading a scene from a path or from the library.
//!
//! A library name wins over a file of the same name, so that `carom run rain` means the same in
//! every folder, even in one where an earlier run left its results under `rain/`. Write `./rain`
//! for the file.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use carom_core::input_file;

use super::{Format, SceneFile};
use crate::diagnostic::{Diagnostic, ParseError};
use crate::library::{self, LibraryError};
use crate::limits::MAX_FILE_BYTES;
use crate::native::{self, BinaryError};
use crate::nearest::nearest;
use crate::{fingsics, planar_model, validate};

/// Extensions tried for the hint when a path does not exist.
const EXTENSIONS: [&str; 5] = ["xml", "toml", "carom", "txt", "model"];

/// Where a scene came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// The library, with the request.
    Library(String),
}

/// A scene with what is known about its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The scene.
    pub scene: SceneFile,
    /// Where it came from.
    pub origin: Origin,
    /// In which format it was.
    pub format: Format,
    /// What the reader remarked on.
    pub warnings: Vec<Diagnostic>,
}

impl Loaded {
    /// Everything that stands against simulating the scene, in words; empty if nothing does.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        match &self.scene {
            SceneFile::Spatial(scene) => validate::validate(scene).iter().map(ToString::to_string).collect(),
            SceneFile::Planar(scene) => scene.validate().iter().map(ToString::to_string).collect(),
        }
    }
}

/// Why there is no scene.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No such file.
    #[error("there is no file `{path}`")]
    NotFound {
        /// As asked for.
        path: String,
        /// What may have been meant.
        hint: Option<String>,
    },
    /// The path is a directory.
    #[error("`{path}` is a directory, not a scene")]
    Directory {
        /// As asked for.
        path: String,
    },
    /// The file is larger than any scene.
    #[error("`{path}` is larger than {limit} bytes, the limit for scenes")]
    TooLarge {
        /// As asked for.
        path: String,
        /// The limit.
        limit: u64,
    },
    /// The system does not let us read it.
    #[error("`{path}` cannot be read: {error}")]
    Unreadable {
        /// As asked for.
        path: String,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// Neither name nor content tell what it is.
    #[error("`{path}` is in no format known here")]
    UnknownFormat {
        /// As asked for.
        path: String,
    },
    /// A text file with mistakes.
    #[error("`{path}` ({format}): {error}")]
    Text {
        /// As asked for.
        path: String,
        /// Format it was read as.
        format: Format,
        /// The mistakes.
        #[source]
        error: ParseError,
    },
    /// A binary file with a fault.
    #[error("`{path}`: {error}")]
    Binary {
        /// As asked for.
        path: String,
        /// The fault.
        #[source]
        error: BinaryError,
    },
    /// The library cannot meet the request.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl LoadError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { hint, .. } => hint.clone(),
            Self::UnknownFormat { .. } => {
                Some("scenes are called .xml, .toml, .carom, .txt or .model".to_owned())
            }
            Self::Text { error, .. } => error.errors.iter().find_map(|error| error.hint.clone()),
            Self::Library(error) => error.hint(),
            _ => None,
        }
    }
}

/// Loads a scene: a path, or a library request such as `box:1000?seed=7`.
///
/// # Errors
/// Says what is wrong with the name, the file or its content.
pub fn load(source: &str) -> Result<Loaded, LoadError> {
    if library::knows(source) || looks_like_a_request(source) {
        let scene = library::build(source)?;
        let origin = Origin::Library(source.to_owned());
        return Ok(Loaded { scene, origin, format: Format::Library, warnings: Vec::new() });
    }
    let bytes = read_bytes(source)?;
    let path = Path::new(source);
    let format =
        Format::of_file(path, &bytes).ok_or_else(|| LoadError::UnknownFormat { path: source.to_owned() })?;
    let (scene, warnings) = parse(source, format, &bytes)?;
    Ok(Loaded { scene, origin: Origin::File(path.to_owned()), format, warnings })
}

/// A bare word that is no file was meant for the library; its error lists what there is.
fn looks_like_a_request(source: &str) -> bool {
    let bare = !source.contains(['/', '\\', '.']) && !source.is_empty();
    bare && !Path::new(source).exists() && !has_file_beside(source)
}

fn has_file_beside(source: &str) -> bool {
    EXTENSIONS.iter().any(|extension| Path::new(&format!("{source}.{extension}")).is_file())
}

/// The bytes of a file, at most [`MAX_FILE_BYTES`] of them.
///
/// # Errors
/// If there is no such file, it is a directory, larger than any scene, or unreadable.
pub fn read_bytes(source: &str) -> Result<Vec<u8>, LoadError> {
    let path = Path::new(source);
    let unreadable = |error| LoadError::Unreadable { path: source.to_owned(), error };
    let file = match input_file::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(LoadError::NotFound { path: source.to_owned(), hint: hint_for_missing(source) });
        }
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            return Err(LoadError::Directory { path: source.to_owned() });
        }
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    let too_large = || LoadError::TooLarge { path: source.to_owned(), limit: MAX_FILE_BYTES };
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    // Pipes have no length beforehand.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES { Err(too_large()) } else { Ok(bytes) }
}

fn hint_for_missing(source: &str) -> Option<String> {
    for extension in EXTENSIONS {
        let candidate = format!("{source}.{extension}");
        if Path::new(&candidate).is_file() {
            return Some(format!("there is `{candidate}`"));
        }
    }
    let stem = Path::new(source).file_stem()?.to_str()?;
    nearest(stem, library::names()).map(|near| format!("the library has a scene `{near}`"))
}

fn parse(source: &str, format: Format, bytes: &[u8]) -> Result<(SceneFile, Vec<Diagnostic>), LoadError> {
    let name = stem(source);
    let in_text = |error| LoadError::Text { path: source.to_owned(), format, error };
    let (mut scene, warnings) = match format {
        Format::FingsicsXml => {
            let parsed = fingsics::read_scene(bytes, &name).map_err(in_text)?;
            (SceneFile::Spatial(parsed.value), parsed.warnings)
        }
        Format::NativeText => {
            let parsed = native::read_text(bytes).map_err(in_text)?;
            (SceneFile::Spatial(parsed.value), parsed.warnings)
        }
        Format::PlanarModel => {
            let parsed = planar_model::read_model(bytes, &name).map_err(in_text)?;
            (SceneFile::Planar(parsed.value), parsed.warnings)
        }
        Format::NativeBinary | Format::Library => {
            let scene = native::read_binary(bytes)
                .map_err(|error| LoadError::Binary { path: source.to_owned(), error })?;
            (SceneFile::Spatial(scene), Vec::new())
        }
    };
    let given = match &mut scene {
        SceneFile::Spatial(scene) => &mut scene.name,
        SceneFile::Planar(scene) => &mut scene.name,
    };
    if given.is_empty() {
        *given = name;
    }
    Ok((scene, warnings))
}

fn stem(source: &str) -> String {
    Path::new(source).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
