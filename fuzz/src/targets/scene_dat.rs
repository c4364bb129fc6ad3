//! Any bytes as Fingsics' recording `scene.dat`: no panic, and a recording that opens has the
//! poses it promises, or says that they are not finite.

use std::io::Cursor;

use carom_recording::scene_dat::{Reader, SceneDatReadError};

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(mut reader) = Reader::open(Cursor::new(bytes)) else { return };
    let (objects, frames) = (reader.objects().len(), reader.frames());
    // A recording without objects may promise any number of frames: the ends and the middle are
    // enough.
    for frame in [0, frames / 2, frames.saturating_sub(1)].into_iter().filter(|frame| *frame < frames) {
        match reader.frame(frame) {
            Ok(poses) => assert_eq!(poses.len(), objects, "in frame {frame} of {frames}"),
            Err(SceneDatReadError::NotFinite { .. }) => {}
            Err(error) => panic!("the length was checked when it was opened: {error}"),
        }
    }
    assert!(reader.frame(frames).is_err(), "there is no frame {frames}");
}
