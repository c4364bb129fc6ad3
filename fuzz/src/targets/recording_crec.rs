//! Any bytes as a recording, as its header and as a chunk of frames under right checksums: no
//! panic, no memory out of proportion, and what a recording promises it gives or refuses. The first
//! byte says what kind of frames a chunk has; without right checksums the fuzzer would never get
//! past them.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use carom_recording::track::{
    Channels, Header, MAGIC, PoseKind, PositionKind, Precision, Recording, RecordingOptions, RotationKind,
    VERSION, Writer,
};

/// First bytes of a block.
const MARK: [u8; 4] = [0xC4, 0x9B, 0xE7, 0xB1];
/// Recordings of every kind without frames.
static BEGUN: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
/// A chunk may claim this many times its bytes.
const EXPANSION: u64 = 1024;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    read_all(bytes.to_vec());
    let Some((kinds, payload)) = bytes.split_first() else { return };
    read_all(with_header(payload));
    // A writer is a thread, so each kind of recording is begun once.
    let begun = BEGUN.get_or_init(|| (0..=u8::MAX).map(|kinds| empty(&header_of(kinds))).collect());
    // The index of a recording that was not finished is found by walking, and so is what stands
    // behind it.
    let mut file = begun[usize::from(*kinds)].clone();
    let count = 1 + u32::from(kinds >> 6);
    file.extend(block(1, 0, count, EXPANSION * payload.len() as u64, payload));
    file.extend(block(2, 3, count, payload.len() as u64, payload));
    read_all(file);
}

/// Reads everything there is; the far end of a recording that claims to be long is enough.
fn read_all(bytes: Vec<u8>) {
    let length = bytes.len() as u64;
    let Ok(mut recording) = Recording::from_bytes(bytes, Path::new("fuzz.crec")) else { return };
    assert_eq!(recording.bytes(), length);
    assert!(recording.damage().iter().all(|damage| damage.offset + damage.bytes <= length));
    let frames = recording.frames();
    let bodies = |recording: &mut Recording, number| match recording.frame(number) {
        Ok(frame) => {
            let count = frame.bodies().len();
            for place in 0..count {
                let _ = (frame.position(place), frame.rotation(place));
            }
            assert!(frame.bodies().windows(2).all(|pair| pair[0] < pair[1]));
            Some(count)
        }
        Err(_) => None,
    };
    for number in [0, 1, frames / 2, frames.saturating_sub(1)].into_iter().filter(|n| *n < frames) {
        let (first, again) = (bodies(&mut recording, number), bodies(&mut recording, number));
        assert_eq!(first, again, "frame {number} of {frames}");
    }
    assert!(recording.frame(frames).is_err(), "there is no frame {frames}");
    let _ = recording.verify();
    let _ = recording.scene();
}

fn header_of(kinds: u8) -> Header {
    let is = |bit: u8| kinds >> bit & 1 == 1;
    Header {
        steps_per_second: 60,
        pose: PoseKind {
            position: if is(0) { PositionKind::Double } else { PositionKind::Single },
            rotation: if is(1) { RotationKind::Rows } else { RotationKind::Quaternion },
        },
        channels: Channels { velocities: is(2), contacts: is(3), events: is(4) },
        precision: if is(5) {
            Precision::Quantised { position: 1e-3, rotation: 1e-3, velocity: 1e-3 }
        } else {
            Precision::Exact
        },
        names: ["a", "b", "c"].map(str::to_owned).to_vec(),
        ..Header::default()
    }
}

/// A recording of no frames without its index.
fn empty(header: &Header) -> Vec<u8> {
    let file = Shared::default();
    let writer = Writer::to(file.clone(), Path::new("fuzz.crec"), header, RecordingOptions::default());
    writer.expect("the header is possible").finish().expect("memory takes all bytes");
    let mut bytes = std::mem::take(&mut *file.0.lock().expect("the writer has ended"));
    let index = bytes.windows(4).rposition(|window| window == MARK).unwrap_or(bytes.len());
    bytes.truncate(index);
    bytes
}

/// Any bytes as the header of a recording.
fn with_header(payload: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// A block with the checksums it should have.
fn block(kind: u32, first: u64, count: u32, unpacked: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(kind.to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(crc32fast::hash(payload).to_le_bytes());
    bytes.extend(unpacked.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// A file in memory that the writer's thread and we hold.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics with it").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
