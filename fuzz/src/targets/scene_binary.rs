//! Any bytes as a scene in binary form, and any bytes inside a sound envelope: no panic, and what
//! was read can be written and read again. Without the second, the checksum would keep the fuzzer
//! out of the payload.

use carom_scene::Scene;
use carom_scene::native::{read_binary, write_binary};

/// Bytes of magic and version at the head of every file.
const MARK: usize = 12;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes);
    check(&enveloped(bytes));
}

fn check(bytes: &[u8]) {
    let Ok(first) = read_binary(bytes) else { return };
    let second = read_binary(&write_binary(&first)).expect("what the writer writes can be read");
    assert_eq!(first, second);
}

fn enveloped(payload: &[u8]) -> Vec<u8> {
    let mut file = write_binary(&Scene::default());
    file.truncate(MARK);
    file.extend((payload.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(payload).to_le_bytes());
    file.extend(payload);
    file
}
