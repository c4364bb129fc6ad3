//! Any bytes as an OBJ file: no panic, a mesh that is built is sound, and what was written reads
//! back the same.

use carom_geometry::mesh::Mesh;
use carom_geometry::mesh::files::{file_options, read_obj, write_obj};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok((vertices, triangles)) = read_obj(bytes) else { return };
    let Ok(first) = Mesh::new(vertices, triangles, &file_options()) else { return };
    first.check().expect("a mesh that was built is sound");
    let written = write_obj(&first);
    let (vertices, triangles) = read_obj(written.as_bytes()).expect("what the writer writes can be read");
    assert_eq!((vertices.as_slice(), triangles.as_slice()), (first.vertices(), first.indices()));
}
