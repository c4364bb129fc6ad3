//! Any bytes as a scene in text form: no panic, and what was read can be written and read again.

use carom_scene::native::{read_binary, read_text, write_binary, write_text};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(first) = read_text(bytes) else { return };
    let written = write_text(&first.value);
    let second = read_text(written.as_bytes()).expect("what the writer writes can be read");
    assert_eq!(first.value, second.value, "through\n{written}");
    let twin =
        read_binary(&write_binary(&first.value)).expect("what the text form holds, the binary form holds");
    assert_eq!(first.value, twin, "through the binary form of\n{written}");
}
