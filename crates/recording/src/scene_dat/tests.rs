//! Round trips, exact bytes, early ends and hostile files.

use super::*;
use proptest::prelude::*;
use std::io::Cursor;

fn objects() -> Vec<Object> {
    let object = |form| Object { form, visible: true, colour: [1, 2, 3] };
    vec![
        object(Form::Ball { radius: 0.5 }),
        Object { visible: false, ..object(Form::Capsule { radius: 0.3, length: 2.0 }) },
        object(Form::Tile { length: 30.0, width: 20.0 }),
        object(Form::Rocket { radius: 0.1, length: 1.0 }),
    ]
}

fn pose(object: usize, frame: u32) -> Pose {
    let x = (object * 1000) as f32 + frame as f32;
    Pose { position: [x, -x, 0.5 * x], rotation: std::array::from_fn(|k| x + k as f32 / 16.0) }
}

fn write(path: &std::path::Path, announced: u32, pushed: u32) {
    let objects = objects();
    let mut writer = Writer::create(path, &objects, announced, 60).unwrap();
    for frame in 0..pushed {
        writer.push((0..objects.len()).map(|object| pose(object, frame))).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), pushed);
}

#[test]
fn every_frame_reads_back_and_the_length_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    // As announced, and ended early: the file is the same as if the shorter length had been
    // announced.
    for announced in [7, 20] {
        let path = folder.path().join("scene.dat");
        write(&path, announced, 7);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 12 + 4 * (16 + 48 * 7));
        let mut reader = Reader::open(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!((reader.objects(), reader.frames(), reader.fps()), (objects().as_slice(), 7, 60));
        for frame in 0..7 {
            let expected: Vec<Pose> = (0..4).map(|object| pose(object, frame)).collect();
            assert_eq!(reader.frame(frame).unwrap(), expected);
        }
        assert!(matches!(reader.frame(7), Err(SceneDatReadError::NoFrame { frame: 7, frames: 7 })));
    }
}

#[test]
fn bytes_are_those_of_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.dat");
    let ball = Object { form: Form::Ball { radius: 1.0 }, visible: true, colour: [10, 20, 30] };
    let mut writer = Writer::create(&path, &[ball], 1, 25).unwrap();
    let pose = Pose { position: [1.0, 2.0, 3.0], rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] };
    writer.push([pose].into_iter()).unwrap();
    writer.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes[..12], [1, 0, 0, 0, 1, 0, 0, 0, 25, 0, 0, 0]);
    assert_eq!(
        bytes[12..28],
        [0, 0xFF, 10, 20, 30, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0],
        "padding is zero"
    );
    assert_eq!(bytes[28..32], [0, 0, 0x80, 0x3F]);
}

#[test]
fn too_many_frames_or_poses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&folder.path().join("a"), &objects(), 1, 60).unwrap();
    assert!(writer.push(std::iter::once(pose(0, 0))).is_err(), "one pose for four objects");
    writer.push((0..4).map(|o| pose(o, 0))).unwrap();
    assert!(writer.push((0..4).map(|o| pose(o, 1))).is_err(), "a second frame of one");
    assert!(matches!(
        Writer::create(&folder.path().join("b"), &objects(), 1, 60).map(Writer::finish),
        Ok(Ok(0))
    ));
}

#[test]
fn four_billion_objects_in_a_small_file_are_an_error_not_an_allocation() {
    let mut bytes = Vec::new();
    [u32::MAX, u32::MAX, 60].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    bytes.resize(1000, 0);
    let error = Reader::open(Cursor::new(bytes)).unwrap_err().to_string();
    assert!(error.contains("claims 4294967295 objects"), "{error}");
    assert!(Reader::open(Cursor::new(vec![0; 5])).is_err());
    let mut bytes = vec![0; 28];
    (bytes[0], bytes[12]) = (1, 9);
    assert!(Reader::open(Cursor::new(bytes)).unwrap_err().to_string().contains("type 9"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(mut reader) = Reader::open(Cursor::new(bytes)) {
            for frame in 0..reader.frames().min(3) {
                let read = reader.frame(frame);
                let fine = matches!(read, Ok(_) | Err(SceneDatReadError::NotFinite { .. }));
                prop_assert!(fine, "frame {frame}: {read:?}");
            }
        }
    }
}
