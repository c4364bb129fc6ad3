//! What is recorded is read back: to the bit, with bodies that come and go, through any order of
//! access; on grids within bounds.

use crate::common::{Moment, assert_same, moments, record, record_with};
use carom_recording::track::{
    Channels, Contact, Event, EventKind, Frame, FrameFault, Header, PoseKind, Position, PositionKind,
    Precision, Recording, RecordingOptions, RecordingReadError, Rotation, RotationKind, Stamp, WriteError,
    Writer,
};
use proptest::prelude::*;

fn header(names: usize) -> Header {
    Header {
        steps_per_second: 60,
        names: (0..names).map(|number| format!("body {number}")).collect(),
        about: "{\"seed\": 1}".to_owned(),
        ..Header::default()
    }
}

fn kinds() -> impl Strategy<Value = (PoseKind, Channels)> {
    (any::<[bool; 5]>()).prop_map(|[double, rows, velocities, contacts, events]| {
        let position = if double { PositionKind::Double } else { PositionKind::Single };
        let rotation = if rows { RotationKind::Rows } else { RotationKind::Quaternion };
        (PoseKind { position, rotation }, Channels { velocities, contacts, events })
    })
}

proptest! {
    #[test]
    fn any_frames_read_back_to_the_bit(
        (pose, channels) in kinds(),
        moments in moments(),
        chunk_frames in 1u32..70,
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let header = Header { pose, channels, ..header(200) };
        let bytes = record(&header, &moments, chunk_frames);
        let mut recording = Recording::from_bytes(bytes, "test.crec".as_ref()).unwrap();
        prop_assert!(recording.is_complete() && recording.damage().is_empty());
        prop_assert_eq!(recording.header(), &header);
        prop_assert_eq!(recording.frames(), moments.len() as u64);
        for (k, moment) in moments.iter().enumerate() {
            assert_same(recording.frame(k as u64).unwrap(), moment, &header);
        }
        if !moments.is_empty() {
            for index in order {
                let k = index.index(moments.len());
                assert_same(recording.frame(k as u64).unwrap(), &moments[k], &header);
            }
        }
        let beyond = recording.frame(moments.len() as u64);
        let is_refused = matches!(beyond, Err(RecordingReadError::NoFrame { .. }));
        prop_assert!(is_refused);
        prop_assert_eq!(recording.verify().len(), 0);
    }

    /// Numbers that have no place on the grid make their frame exact; all others keep the bounds.
    #[test]
    fn grids_keep_their_bounds(
        moments in moments(),
        position in 1e-6f64..1.0,
        rotation in 1e-5f64..0.5,
        velocity in 1e-6f64..1.0,
        double: bool,
    ) {
        let precision = Precision::Quantised { position, rotation, velocity };
        let kind = if double { PositionKind::Double } else { PositionKind::Single };
        let header = Header {
            precision,
            pose: PoseKind { position: kind, rotation: RotationKind::Quaternion },
            channels: Channels { velocities: true, contacts: true, events: true },
            ..header(200)
        };
        let bytes = record(&header, &moments, 7);
        let mut recording = Recording::from_bytes(bytes, "test.crec".as_ref()).unwrap();
        for (k, moment) in moments.iter().enumerate() {
            let frame = recording.frame(k as u64).unwrap();
            prop_assert_eq!(frame.bodies(), moment.bodies());
            for (place, body) in moment.list.iter().enumerate() {
                let read = frame.position(place).to_double();
                let wanted = body.position.map(|x| if double { x } else { f64::from(x as f32) });
                // Half a step, and the rounding of the number itself.
                let ulp = if double { f64::EPSILON } else { f64::from(f32::EPSILON) };
                for (read, wanted) in read.iter().zip(wanted) {
                    let close = (read - wanted).abs() <= 0.5 * position * (1.0 + 1e-9) + wanted.abs() * ulp;
                    prop_assert!(close || read.to_bits() == wanted.to_bits(), "{read} for {wanted}");
                }
                for (read, wanted) in frame.velocities()[place].iter().zip(body.velocity) {
                    let bound = 0.5 * velocity * (1.0 + 1e-9) + f64::from(wanted.abs() * f32::EPSILON);
                    let close = f64::from((read - wanted).abs()) <= bound;
                    prop_assert!(close || read.to_bits() == wanted.to_bits(), "{read} for {wanted}");
                }
            }
            prop_assert_eq!(frame.contacts().len(), moment.contacts.len());
        }
    }

    #[test]
    fn rotations_on_a_grid_are_off_by_no_more_than_the_angle(
        quaternions in prop::collection::vec(prop::array::uniform4(-1.0f32..1.0), 1..50),
        rotation in prop_oneof![1e-5f64..1e-4, 1e-4f64..0.01, 0.01f64..0.5],
    ) {
        let units: Vec<[f32; 4]> = quaternions.into_iter().filter_map(|q| {
            let length = q.iter().map(|x| x * x).sum::<f32>().sqrt();
            (length > 0.01).then(|| q.map(|x| x / length))
        }).collect();
        let precision = Precision::Quantised { position: 1.0, rotation, velocity: 1.0 };
        let header = Header { precision, ..header(50) };
        let bytes = record_with(&header, RecordingOptions::default(), |writer| {
            writer.frame(Stamp::default(), |frame| {
                for (number, q) in (0..).zip(&units) {
                    frame.body(number, [0.0f64; 3], *q);
                }
            }).unwrap();
        });
        let mut recording = Recording::from_bytes(bytes, "test.crec".as_ref()).unwrap();
        let frame = recording.frame(0).unwrap();
        for (place, wanted) in units.iter().enumerate() {
            let Rotation::Quaternion(read) = frame.rotation(place) else { panic!("another kind") };
            let (p, q) = (wanted.map(f64::from), read.map(f64::from));
            let length = |v: [f64; 4]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            // The angle by its sine and cosine: the distance of the two directions along and across
            // each other.
            let (p, q) = (p.map(|x| x / length(p)), q.map(|x| x / length(q)));
            let (minus, plus): ([f64; 4], [f64; 4]) =
                (std::array::from_fn(|k| p[k] - q[k]), std::array::from_fn(|k| p[k] + q[k]));
            let angle = 4.0 * length(minus).atan2(length(plus));
            prop_assert!(angle <= rotation, "{angle} > {rotation}");
        }
    }
}

#[test]
fn bodies_that_come_later_have_names_and_numbers() {
    let options = RecordingOptions { chunk_frames: 3, ..RecordingOptions::default() };
    let bytes = record_with(&header(1), options, |writer| {
        for number in 0..10u32 {
            if number > 0 {
                assert_eq!(writer.name_body(format!("late {number}")).unwrap(), number);
            }
            writer
                .frame(Stamp { number: u64::from(number), ..Stamp::default() }, |frame| {
                    (0..=number)
                        .for_each(|body| frame.body(body, [f64::from(body); 3], [0.0, 0.0, 0.0, 1.0f32]));
                })
                .unwrap();
        }
    });
    let recording = Recording::from_bytes(bytes.clone(), "late.crec".as_ref()).unwrap();
    assert_eq!((recording.names().len(), recording.names()[7].as_str()), (10, "late 7"));
    // Without the index as well: the names of all whole chunks are there.
    let cut = Recording::from_bytes(bytes[..bytes.len() - 1].to_vec(), "late.crec".as_ref()).unwrap();
    assert_eq!((cut.names(), cut.is_complete()), (recording.names(), false));
}

#[test]
fn frames_that_do_not_fit_the_header_are_refused_and_the_others_stay() {
    let unit = [0.0, 0.0, 0.0, 1.0f32];
    let refused = |fill: &dyn Fn(&mut Frame)| {
        let mut fault = None;
        let bytes = record_with(&header(3), RecordingOptions::default(), |writer| {
            writer.frame(Stamp::default(), |frame| frame.body(1, [1.0f64; 3], unit)).unwrap();
            match writer.frame(Stamp::default(), |frame| fill(frame)).unwrap_err() {
                WriteError::Frame { frame: 1, fault: found } => fault = Some(found),
                other => panic!("{other}"),
            }
            writer.frame(Stamp::default(), |frame| frame.body(2, [2.0f64; 3], unit)).unwrap();
        });
        let mut recording = Recording::from_bytes(bytes, "x".as_ref()).unwrap();
        assert_eq!(recording.frames(), 2);
        assert_eq!(recording.frame(1).unwrap().position(0), Position::Double([2.0; 3]));
        fault.unwrap()
    };
    assert_eq!(
        refused(&|frame| frame.body(3, [0.0f64; 3], unit)),
        FrameFault::UnknownBody { number: 3, bodies: 3 }
    );
    let disorder = refused(&|frame| [2, 1].iter().for_each(|body| frame.body(*body, [0.0f64; 3], unit)));
    assert_eq!(disorder, FrameFault::Order { number: 1, before: 2 });
    let twice = refused(&|frame| [1, 1].iter().for_each(|body| frame.body(*body, [0.0f64; 3], unit)));
    assert_eq!(twice, FrameFault::Order { number: 1, before: 1 });
    assert_eq!(refused(&|frame| frame.body(2, [0.0f32; 3], unit)), FrameFault::PoseKind { number: 2 });
    assert_eq!(refused(&|frame| frame.body(2, [0.0f64; 3], [0.0f32; 9])), FrameFault::PoseKind { number: 2 });
    let velocities = refused(&|frame| {
        frame.body(0, [0.0f64; 3], unit);
        frame.velocity([0.0; 3], [0.0; 3]);
    });
    assert_eq!(velocities, FrameFault::Velocities { velocities: 1, bodies: 1, wanted: false });
    assert_eq!(refused(&|frame| frame.contact(Contact::default())), FrameFault::Channel { what: "contacts" });
    let event = Event { kind: EventKind::Hit, bodies: [0, 1], strength: 1.0 };
    assert_eq!(refused(&|frame| frame.event(event)), FrameFault::Channel { what: "events" });
}

#[test]
fn the_scene_is_in_the_recording() {
    let scene = carom_scene::Scene { name: "two".to_owned(), ..carom_scene::Scene::default() };
    let header = Header { scene: carom_scene::native::write_binary(&scene), ..header(0) };
    let bytes = record_with(&header, RecordingOptions::default(), |_| {});
    let recording = Recording::from_bytes(bytes, "x".as_ref()).unwrap();
    assert_eq!(recording.scene().unwrap(), Some(scene));
    assert_eq!((recording.frames(), recording.is_complete()), (0, true));
}

#[test]
fn a_body_that_sleeps_costs_almost_nothing() {
    let still: Vec<Moment> = (0..64).map(|_| Moment::of_still_bodies(128)).collect();
    let header = header(200);
    let length = |count: usize| record(&header, &still[..count], 64).len();
    // Stamp 24, flag 1, two groups of 1, seven columns of order and one byte per block.
    assert_eq!(length(64) - length(63), 24 + 1 + 2 + 7 * 2);
}

#[test]
fn a_path_that_cannot_be_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no").join("such.crec");
    let error = Writer::create(&path, &header(0), RecordingOptions::default()).unwrap_err().to_string();
    assert!(error.contains("such.crec"), "{error}");
    let error = Recording::open(&path).unwrap_err().to_string();
    assert!(error.contains("such.crec"), "{error}");
    std::fs::write(folder.path().join("empty.crec"), "").unwrap();
    let error = Recording::open(&folder.path().join("empty.crec")).unwrap_err();
    assert!(matches!(error, RecordingReadError::NotARecording { .. }), "{error}");
    let precision = Precision::Quantised { position: 0.0, rotation: 0.1, velocity: 0.1 };
    let error =
        Writer::create(&path, &Header { precision, ..header(0) }, RecordingOptions::default()).unwrap_err();
    assert!(matches!(error, WriteError::Precision { name: "position", .. }), "{error}");
}
