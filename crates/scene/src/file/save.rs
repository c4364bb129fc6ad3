//! Writing a scene to a file, whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, are flushed to the disk and then take the
//! place of the old file in one step. A crash leaves the old file or the new one, never half of
//! either.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Format, SceneFile};
use crate::fingsics::{self, WriteError};
use crate::native;
use crate::planar_model;

/// Names tried for the temporary file before giving up.
const ATTEMPTS: u32 = 16;

/// Why a scene was not written.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The name does not say which format is wanted.
    #[error("`{}`: the extension must be .xml, .toml, .carom, .txt or .model", path.display())]
    UnknownFormat {
        /// As asked for.
        path: PathBuf,
    },
    /// A two-dimensional scene in a three-dimensional format, or the other way round.
    #[error("`{}`: a {scene} scene cannot be written as {format}", path.display())]
    WrongWorld {
        /// As asked for.
        path: PathBuf,
        /// `three-dimensional` or `two-dimensional`.
        scene: &'static str,
        /// Format of the extension.
        format: Format,
    },
    /// The Fingsics format cannot hold the scene.
    #[error(transparent)]
    Fingsics(#[from] WriteError),
    /// The two-dimensional scene is not sound.
    #[error(transparent)]
    Planar(#[from] carom_planar::PlanarSceneError),
    /// The system does not let us write.
    #[error("`{}` cannot be written: {error}", path.display())]
    Unwritable {
        /// As asked for.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

/// Writes a scene; the extension chooses the format.
///
/// # Errors
/// If the format cannot hold the scene or the file cannot be written; an old file is then still
/// there, unchanged.
pub fn save(path: &Path, scene: &SceneFile) -> Result<(), SaveError> {
    let bytes = encode(path, scene)?;
    replace(path, &bytes).map_err(|error| SaveError::Unwritable { path: path.to_owned(), error })
}

fn encode(path: &Path, scene: &SceneFile) -> Result<Vec<u8>, SaveError> {
    let unknown = || SaveError::UnknownFormat { path: path.to_owned() };
    let format = Format::of_path(path).ok_or_else(unknown)?;
    let wrong = |scene| SaveError::WrongWorld { path: path.to_owned(), scene, format };
    match (scene, format) {
        (SceneFile::Spatial(scene), Format::FingsicsXml) => Ok(fingsics::write_scene(scene)?.into_bytes()),
        (SceneFile::Spatial(scene), Format::NativeText) => Ok(native::write_text(scene).into_bytes()),
        (SceneFile::Spatial(scene), Format::NativeBinary) => Ok(native::write_binary(scene)),
        (SceneFile::Planar(scene), Format::PlanarModel) => Ok(planar_model::write_model(scene)?.into_bytes()),
        (SceneFile::Spatial(_), Format::PlanarModel) => Err(wrong("three-dimensional")),
        (SceneFile::Planar(_), _) => Err(wrong("two-dimensional")),
        (SceneFile::Spatial(_), Format::Library) => Err(unknown()),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_beside(path)?;
    let written = (|| {
        file.write_all(bytes)?;
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // The first error is the one to report; a left-over file is the lesser evil.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file with a name of its own in the folder of `path`: renaming works within one file system
/// only.
fn create_beside(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut attempt = 0;
    loop {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let temporary = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}
