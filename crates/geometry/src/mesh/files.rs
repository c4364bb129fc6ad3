//! Mesh files: OBJ and STL, text and binary.
//!
//! Only geometry is read: materials, normals and texture coordinates do not matter to collisions.
//! Reading touches no other file than the one named, whatever that one says. Bytes of unknown
//! origin are welcome: every number is checked before it is believed, memory stays in proportion to
//! the bytes there are, and an error says what is wrong in which line.
//!
//! The readers are our own, since all of it is a page each. `tobj` says neither line nor value in
//! its errors, accepts NaN, wants UTF-8 throughout and cuts the mesh into groups that no longer
//! share vertices; `stl_io` takes any file that begins with `solid` for text, which many binary
//! ones do, gives no lines, and numbers vertices through a hash of random seed.

mod obj;
mod stl;
mod text;

use std::io::{self, Read};
use std::path::Path;

use carom_core::input_file;

use super::generate::Soup;
use super::{Mesh, MeshError, MeshOptions, Weld};

pub use obj::{read_obj, write_obj};
pub use stl::{read_stl, write_stl};

/// Longest file [`load`] reads if nothing else is said: 1 GiB.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
}

carom_core::error_type! {
    /// Why a file is not a mesh.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum FileError {
        /// The file cannot be opened or read.
        #[error("cannot read {name}: {source}")]
        Io {
            /// The file.
            name: String,
            /// The reason.
            source: io::Error,
        },
        /// The file is longer than allowed.
        #[error("{name} has {bytes} bytes or more, and at most {max} are read")]
        TooLong {
            /// The file.
            name: String,
            /// Its length as far as known.
            bytes: u64,
            /// The limit.
            max: u64,
        },
        /// Neither name nor content tell the format.
        #[error("{name} is neither OBJ nor STL")]
        UnknownFormat {
            /// The file.
            name: String,
        },
        /// The content breaks the rules of its format.
        #[error("{name}: {source}")]
        Syntax {
            /// The file.
            name: String,
            /// What and where.
            source: SyntaxError,
        },
        /// The content is in order but does not make a mesh.
        #[error("{name}: {source}")]
        Mesh {
            /// The file.
            name: String,
            /// The reason.
            source: MeshError,
        },
    }
}

carom_core::error_type! {
    /// What is wrong inside a mesh file.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum SyntaxError {
        /// A word that should be a number, or a number that is not finite.
        #[error("line {line}: `{word}` is not a finite number")]
        Number {
            /// From 1.
            line: usize,
            /// The word, shortened.
            word: String,
        },
        /// A line ends too early.
        #[error("line {line}: `{what}` needs {needed} numbers")]
        Missing {
            /// From 1.
            line: usize,
            /// The word the line begins with.
            what: &'static str,
            /// How many.
            needed: usize,
        },
        /// A face names a vertex that has not been given.
        #[error("line {line}: there is no vertex {index} among the {vertices} before this line")]
        Index {
            /// From 1.
            line: usize,
            /// As in the file: from 1, or negative from the end.
            index: i64,
            /// Vertices so far.
            vertices: usize,
        },
        /// Text STL continues with something else than it must.
        #[error("line {line}: `{expected}` expected, but there is `{found}`")]
        Expected {
            /// From 1.
            line: usize,
            /// The word that must come.
            expected: &'static str,
            /// What is there, shortened; empty at the end of the file.
            found: String,
        },
        /// Binary STL has another length than its number of triangles asks for.
        #[error("a binary STL file of {triangles} triangles has {needed} bytes, but there are {bytes}")]
        Length {
            /// Triangles promised.
            triangles: u32,
            /// Bytes that would take.
            needed: u64,
            /// Bytes there are.
            bytes: usize,
        },
        /// A number in binary STL is not finite.
        #[error("triangle {triangle}: coordinate {value} is not a finite number")]
        Coordinate {
            /// From 0.
            triangle: usize,
            /// The number.
            value: f32,
        },
        /// No face in the whole file.
        #[error("there is no face in it")]
        NoFaces,
        /// More vertices or triangles than 32 bits can count.
        #[error("line {line}: more vertices or triangles than a mesh can hold")]
        TooMuch {
            /// From 1.
            line: usize,
        },
    }
}

/// Options for files: those for meshes, with vertices of equal coordinates welded, since STL
/// repeats every vertex and OBJ often does along seams of textures.
#[must_use]
pub fn file_options() -> MeshOptions {
    MeshOptions { weld: Weld::Exact, ..MeshOptions::default() }
}

/// Reads a mesh file of at most `max_bytes`; the format follows from the name or, failing that,
/// from the content.
///
/// ```no_run
/// use carom_geometry::mesh::files;
/// let mesh = files::load("bunny.obj", &files::file_options(), files::DEFAULT_MAX_BYTES)?;
/// println!("{} triangles, closed: {}", mesh.triangle_count(), mesh.is_closed());
/// # Ok::<(), files::FileError>(())
/// ```
///
/// # Errors
/// See [`FileError`]; the name of the file is part of the message.
pub fn load(path: impl AsRef<Path>, options: &MeshOptions, max_bytes: u64) -> Result<Mesh, FileError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = read_bounded(path, max_bytes)?;
    let Some(format) = format_of(path, &bytes) else { return Err(FileError::UnknownFormat { name }) };
    let (vertices, triangles) = match read(&bytes, format) {
        Ok(soup) => soup,
        Err(source) => return Err(FileError::Syntax { name, source }),
    };
    Mesh::new(vertices, triangles, options).map_err(|source| FileError::Mesh { name, source })
}

/// Reads vertices and triangles in a given format.
///
/// # Errors
/// See [`SyntaxError`].
pub fn read(bytes: &[u8], format: Format) -> Result<Soup, SyntaxError> {
    match format {
        Format::Obj => read_obj(bytes),
        Format::Stl => read_stl(bytes),
    }
}

/// The format by the ending of the name, or else by the content; `None` if neither tells.
#[must_use]
pub fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("obj") => Some(Format::Obj),
        Some("stl") => Some(Format::Stl),
        _ if stl::looks_like(bytes) => Some(Format::Stl),
        _ if obj::looks_like(bytes) => Some(Format::Obj),
        _ => None,
    }
}

/// The bytes of a file. The length it claims is checked first, and what is read is counted: a pipe
/// claims nothing.
fn read_bounded(path: &Path, max: u64) -> Result<Vec<u8>, FileError> {
    let name = || path.display().to_string();
    let failed = |source: io::Error| FileError::Io { name: name(), source };
    let file = input_file::open(path).map_err(failed)?;
    let claimed = file.metadata().map_err(failed)?.len();
    if claimed > max {
        return Err(FileError::TooLong { name: name(), bytes: claimed, max });
    }
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let read = bytes.len() as u64;
    if read > max {
        return Err(FileError::TooLong { name: name(), bytes: read, max });
    }
    Ok(bytes)
}
