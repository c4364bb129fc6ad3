//! Any bytes as a model file of a planar scene: no panic, and what was read can be written and read
//! again.

use carom_scene::planar_model::{read_model, write_model};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(first) = read_model(bytes, "fuzz") else { return };
    let written = write_model(&first.value).expect("a scene that came from a model file fits into one");
    let second = read_model(written.as_bytes(), "fuzz").expect("what the writer writes can be read");
    assert_eq!(first.value, second.value, "through\n{written}");
    assert_eq!(write_model(&second.value), Ok(written), "a file written twice is the same file");
}
