//! Any bytes as a Fingsics configuration: no panic, and what can be written reads back equal.

use carom_scene::fingsics::{read_config, write_config};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(first) = read_config(bytes) else { return };
    // Names may hold what the writer refuses, a blank at the end for one.
    let Ok(written) = write_config(&first.value) else { return };
    let second = read_config(written.as_bytes()).expect("what the writer writes can be read");
    assert_eq!(first.value, second.value, "through\n{written}");
}
