//! Any bytes as an STL file, text or binary: no panic, a mesh that is built is sound, and what was
//! written reads back the same. Bytes are also tried as triangles behind a sound header, since the
//! length keeps most of them out.

use carom_geometry::mesh::Mesh;
use carom_geometry::mesh::files::{file_options, read_stl, write_stl};

/// Bytes of a triangle.
const RECORD: usize = 50;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes);
    let count = bytes.len() / RECORD;
    let mut file = vec![0; 80];
    file.extend((count as u32).to_le_bytes());
    file.extend(&bytes[..count * RECORD]);
    check(&file);
}

fn check(bytes: &[u8]) {
    let Ok((vertices, triangles)) = read_stl(bytes) else { return };
    let Ok(mesh) = Mesh::new(vertices, triangles, &file_options()) else { return };
    mesh.check().expect("a mesh that was built is sound");
    let (vertices, _) = read_stl(&write_stl(&mesh)).expect("what the writer writes can be read");
    let corners = mesh.indices().iter().flatten().map(|v| mesh.vertices()[*v as usize]);
    assert!(corners.eq(vertices), "written and read again");
}
