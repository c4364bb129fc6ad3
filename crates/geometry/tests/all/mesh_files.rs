//! Mesh files through the file system: formats, limits, round trips.

use std::fs;
use std::path::PathBuf;

use carom_geometry::mesh::files::{
    DEFAULT_MAX_BYTES, FileError, Format, file_options, format_of, load, read_obj, read_stl, write_obj,
    write_stl,
};
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use proptest::prelude::*;

/// A file in the folder for temporary files of this test run, removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn torus() -> Mesh {
    let (vertices, triangles) = generate::torus(2.0, 0.7, 13, 7);
    Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()
}

/// The triangles as sets of corners, in the order of the file.
fn soup(mesh: &Mesh) -> Vec<[[u32; 3]; 3]> {
    let mut list: Vec<_> = (0..mesh.triangle_count() as u32)
        .map(|t| mesh.triangle(t).corners().map(|c| c.to_array().map(f32::to_bits)))
        .collect();
    list.sort_unstable();
    list
}

#[test]
fn both_formats_survive_writing_and_loading() {
    let mesh = torus();
    let files = [
        Temporary::new("torus.obj", write_obj(&mesh).as_bytes()),
        Temporary::new("torus.STL", &write_stl(&mesh)),
        Temporary::new("torus-obj", write_obj(&mesh).as_bytes()),
        Temporary::new("torus-stl", &write_stl(&mesh)),
    ];
    for file in &files {
        let again = load(&file.0, &file_options(), DEFAULT_MAX_BYTES).unwrap();
        again.check().unwrap();
        assert!(again.is_closed() && again.is_oriented(), "{}", file.0.display());
        assert_eq!(again.vertices().len(), mesh.vertices().len());
        let mut corners = soup(&again);
        corners.sort_unstable();
        assert_eq!(corners, soup(&mesh));
    }
}

#[test]
fn the_length_is_checked_before_reading_and_messages_name_the_file() {
    let file = Temporary::new("long.obj", write_obj(&torus()).as_bytes());
    let length = fs::metadata(&file.0).unwrap().len();
    assert!(load(&file.0, &file_options(), length).is_ok());
    match load(&file.0, &file_options(), length - 1) {
        Err(FileError::TooLong { bytes, max, .. }) => assert_eq!((bytes, max), (length, length - 1)),
        other => panic!("{other:?}"),
    }
    let missing = load("no/such/file.obj", &file_options(), DEFAULT_MAX_BYTES).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read no/such/file.obj: "), "{missing}");
    let broken = Temporary::new("broken.obj", b"v 0 0 zero\n");
    let message = load(&broken.0, &file_options(), DEFAULT_MAX_BYTES).unwrap_err().to_string();
    assert!(message.ends_with("broken.obj: line 1: `zero` is not a finite number"), "{message}");
    let flat = Temporary::new("flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    assert!(matches!(load(&flat.0, &file_options(), DEFAULT_MAX_BYTES), Err(FileError::Mesh { .. })));
    let picture = Temporary::new("picture", b"\x89PNG\r\n\x1a\n");
    assert!(matches!(
        load(&picture.0, &file_options(), DEFAULT_MAX_BYTES),
        Err(FileError::UnknownFormat { .. })
    ));
}

#[test]
fn the_content_tells_the_format_where_the_name_does_not() {
    let name = std::path::Path::new("mesh");
    assert_eq!(format_of(name, b"# x\nv 1 2 3\n"), Some(Format::Obj));
    assert_eq!(format_of(name, b" solid x\n"), Some(Format::Stl));
    assert_eq!(format_of(name, &write_stl(&torus())), Some(Format::Stl));
    assert_eq!(format_of(name, b"solidarity"), None);
    assert_eq!(format_of(std::path::Path::new("a.OBJ"), b"solid x\n"), Some(Format::Obj));
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_obj(&bytes);
        let _ = read_stl(&bytes);
    }

    #[test]
    fn a_broken_file_is_read_or_refused_but_never_misjudged(
        at in 0usize..10_000,
        byte in any::<u8>(),
        cut in any::<bool>(),
        binary in any::<bool>(),
    ) {
        let mesh = torus();
        let mut bytes = if binary { write_stl(&mesh) } else { write_obj(&mesh).into_bytes() };
        let at = at % bytes.len();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let soup = if binary { read_stl(&bytes) } else { read_obj(&bytes) };
        if binary && cut {
            prop_assert!(soup.is_err(), "a binary file without its end");
        }
        if let Ok((vertices, triangles)) = soup
            && let Ok(mesh) = Mesh::new(vertices, triangles, &file_options())
        {
            mesh.check().map_err(TestCaseError::fail)?;
        }
    }
}
