//! Any bytes as a Fingsics scene: no panic, and what was read can be written and read again.

use carom_scene::fingsics::{read_scene, write_scene};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(first) = read_scene(bytes, "fuzz") else { return };
    let written = write_scene(&first.value).expect("a scene that came from XML fits into XML");
    let second = read_scene(written.as_bytes(), "fuzz").expect("what the writer writes can be read");
    assert_eq!(first.value, second.value, "through\n{written}");
}
