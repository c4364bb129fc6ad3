//! Any text as a polytope: no panic, and what was read is sound and is written and read the same.

use carom_geometry::polytope::Polytope;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let text = super::text(bytes);
    let Ok(first) = Polytope::<f32>::from_text(text) else { return };
    first.check().expect("what the reader accepts is sound");
    let written = first.to_text();
    let second = Polytope::<f32>::from_text(&written).expect("what was written can be read");
    assert_eq!(first, second, "through\n{written}");
}
