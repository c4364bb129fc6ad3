//! Recordings that were cut off, flipped, made up by an enemy, or whose disk was full: what is
//! whole is read, what is not is said, nothing panics and nothing wrong is believed.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::common::{BodyState, Moment, Shared, fill, is_same, record, record_with};
use carom_recording::track::{
    Channels, Contact, Event, EventKind, Header, Recording, RecordingOptions, RecordingReadError, Stamp,
    WriteError, Writer,
};
use proptest::prelude::*;

/// First bytes of a block.
const MARK: [u8; 4] = [0xC4, 0x9B, 0xE7, 0xB1];
const PATH: &str = "damaged.crec";

fn header() -> Header {
    Header {
        steps_per_second: 60,
        names: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()],
        channels: Channels { velocities: false, contacts: true, events: true },
        ..Header::default()
    }
}

/// Three bodies, one of which is not always there; a contact and an event now and then.
fn moment(k: u32) -> Moment {
    let body = |number: u32| BodyState {
        number,
        position: [f64::from(k) * 0.1, 1.0 / f64::from(k + 1), f64::from(number)],
        rotation: [0.5 + k as f32 * 0.01; 9],
        velocity: [0.0; 6],
    };
    let contact =
        Contact { bodies: [0, 1], point: [1.5; 3], normal: [0.0, 1.0, 0.0], depth: 0.01, impulse: 3.0 };
    let event = Event { kind: EventKind::Begin, bodies: [0, 1], strength: 2.5 };
    Moment {
        stamp: Stamp {
            number: u64::from(k) * 2,
            time: f64::from(k) / 30.0,
            state_hash: u64::from(k) << 40 | 5,
        },
        list: [0, 1, 2].into_iter().filter(|number| *number != 1 || k % 5 < 3).map(body).collect(),
        contacts: k.is_multiple_of(2).then_some(contact).into_iter().collect(),
        events: k.is_multiple_of(3).then_some(event).into_iter().collect(),
    }
}

/// A recording of so many frames with a late name in it, and its frames.
fn sample(frames: u32, chunk_frames: u32) -> (Vec<u8>, Vec<Moment>) {
    let moments: Vec<Moment> = (0..frames).map(moment).collect();
    let options = RecordingOptions { chunk_frames, ..RecordingOptions::default() };
    let bytes = record_with(&header(), options, |writer| {
        for (k, moment) in moments.iter().enumerate() {
            if k == moments.len() / 2 {
                writer.name_body("late").unwrap();
            }
            writer.frame(moment.stamp, |frame| fill(frame, moment, &header())).unwrap();
        }
    });
    (bytes, moments)
}

/// Where blocks begin, by their marks, and where the last one ends.
fn block_starts(bytes: &[u8]) -> Vec<usize> {
    let starts = bytes.windows(4).enumerate().filter(|(_, window)| *window == MARK).map(|(at, _)| at);
    starts.chain([bytes.len()]).collect()
}

/// What is left of a recording that ends at `length`: every whole chunk, and the number of bytes
/// behind the last one.
fn check_cut(bytes: &[u8], length: usize, moments: &[Moment], chunk_frames: usize) {
    let starts = block_starts(bytes);
    let read = Recording::from_bytes(bytes[..length].to_vec(), PATH.as_ref());
    if length < starts[0] {
        let error = read.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with(PATH), "cut at {length}: {error}");
        return;
    }
    let mut recording = read.unwrap();
    let is_frames = |start: usize| bytes[start + 4] == 1;
    let whole = starts.windows(2).filter(|pair| pair[1] <= length && is_frames(pair[0])).count();
    let frames = (whole * chunk_frames).min(moments.len());
    assert_eq!(recording.frames(), frames as u64, "cut at {length}");
    assert_eq!(recording.is_complete(), length == bytes.len(), "cut at {length}");
    for (k, moment) in moments[..frames].iter().enumerate() {
        assert!(is_same(recording.frame(k as u64).unwrap(), moment, &header()), "cut at {length}, frame {k}");
    }
    // The index, once it is whole, is not missing bytes though its tail is.
    let index = starts[starts.len() - 2];
    let index_end = bytes.len() - 24;
    let behind = match length {
        _ if length >= index_end => 0,
        _ if length >= index => length - index,
        _ => length - starts.iter().rev().find(|start| **start <= length).unwrap(),
    };
    let damage: u64 = recording.damage().iter().map(|damage| damage.bytes).sum();
    assert_eq!(damage, behind as u64, "cut at {length}");
}

#[test]
fn cut_anywhere_every_whole_chunk_is_readable() {
    let (bytes, moments) = sample(11, 3);
    for length in 0..=bytes.len() {
        check_cut(&bytes, length, &moments, 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_larger_one_cut_anywhere_as_well(cut: prop::sample::Index) {
        let (bytes, moments) = sample(300, 16);
        check_cut(&bytes, cut.index(bytes.len()), &moments, 16);
    }
}

#[test]
fn no_flipped_bit_is_believed_and_other_chunks_stay_readable() {
    let (bytes, moments) = sample(8, 3);
    let starts = block_starts(&bytes);
    let chunks: Vec<usize> = (0..starts.len() - 1).filter(|block| bytes[starts[*block] + 4] == 1).collect();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let Ok(mut recording) = Recording::from_bytes(flipped, PATH.as_ref()) else {
            assert!(bit / 8 < starts[0], "bit {bit} is not in the header");
            continue;
        };
        assert!(bit / 8 >= starts[0], "bit {bit} of the header is not covered by its checksum");
        assert_eq!(recording.frames(), 8, "bit {bit}");
        for (k, moment) in moments.iter().enumerate() {
            let block = chunks[k / 3];
            let is_hit = (starts[block]..starts[block + 1]).contains(&(bit / 8));
            match recording.frame(k as u64) {
                Ok(frame) => assert!(!is_hit && is_same(frame, moment, &header()), "bit {bit}, frame {k}"),
                Err(RecordingReadError::Chunk(error)) => {
                    assert!(is_hit, "bit {bit}, frame {k}: {error}");
                    let last = (k / 3 * 3 + 2).min(7) as u64;
                    assert_eq!((error.chunk, error.first, error.last), (k / 3, k as u64 / 3 * 3, last));
                    assert_eq!(error.offset, starts[block] as u64);
                }
                Err(error) => panic!("bit {bit}, frame {k}: {error}"),
            }
        }
        assert_eq!(
            recording.verify().len(),
            usize::from(
                chunks.iter().any(|chunk| { (starts[*chunk]..starts[*chunk + 1]).contains(&(bit / 8)) })
            )
        );
        let is_named = recording.names().get(3).is_some_and(|name| name == "late");
        assert!(is_named || !recording.damage().is_empty(), "bit {bit}: a name is gone and nobody says so");
    }
}

#[test]
fn behind_a_torn_head_without_an_index_the_others_are_found() {
    let (mut bytes, moments) = sample(9, 3);
    let starts = block_starts(&bytes);
    let second = (0..starts.len()).filter(|block| bytes[starts[*block] + 4] == 1).nth(1).unwrap();
    bytes[starts[second] + 9] ^= 0x40;
    bytes.truncate(starts[starts.len() - 2]);
    let mut recording = Recording::from_bytes(bytes, PATH.as_ref()).unwrap();
    assert_eq!((recording.frames(), recording.chunks(), recording.is_complete()), (9, 2, false));
    assert_eq!(recording.damage().len(), 1);
    assert_eq!(recording.damage()[0].offset, starts[second] as u64);
    for (k, moment) in moments.iter().enumerate() {
        match recording.frame(k as u64) {
            Ok(frame) => assert!(!(3..6).contains(&k) && is_same(frame, moment, &header())),
            Err(RecordingReadError::Lost { frame, .. }) => assert!((3..6).contains(&k) && frame == k as u64),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A block with the checksums it should have.
fn block(kind: u32, first: u64, count: u32, unpacked: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(kind.to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(carom_core::envelope::crc32(payload).to_le_bytes());
    bytes.extend(unpacked.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(carom_core::envelope::crc32(&bytes).to_le_bytes());
    bytes.extend(payload);
    bytes
}

fn only_header() -> Vec<u8> {
    let mut bytes = record(&header(), &[], 1);
    let start = block_starts(&bytes)[0];
    bytes.truncate(start);
    bytes
}

#[test]
fn four_billion_bodies_in_a_small_chunk_are_an_error_and_not_an_allocation() {
    // A stamp, "other bodies", and a count.
    let mut payload = vec![0; 24];
    payload.push(1);
    payload.extend(u32::MAX.to_le_bytes());
    payload.extend([0; 400]);
    let mut bytes = only_header();
    bytes.extend(block(1, 0, 1, 400 * 1024, &payload));
    let mut recording = Recording::from_bytes(bytes, PATH.as_ref()).unwrap();
    let error = recording.frame(0).unwrap_err().to_string();
    assert!(error.contains("chunk 0 (frames 0 to 0)") && error.contains("4294967295 entries"), "{error}");
}

#[test]
fn a_head_that_lies_about_lengths_is_not_followed() {
    for (unpacked, packed) in [(u64::MAX, 10u64), (10, u64::MAX), (1 << 40, 1 << 40)] {
        let mut lie = block(1, 0, 1, unpacked, &[0; 10]);
        lie[32..40].copy_from_slice(&packed.to_le_bytes());
        let checksum = carom_core::envelope::crc32(&lie[..40]);
        lie[40..44].copy_from_slice(&checksum.to_le_bytes());
        let mut bytes = only_header();
        bytes.extend(&lie);
        let recording = Recording::from_bytes(bytes, PATH.as_ref()).unwrap();
        assert_eq!((recording.frames(), recording.damage()[0].bytes), (0, lie.len() as u64));
    }
}

proptest! {
    #[test]
    fn any_payload_under_a_right_checksum_is_read_or_refused(
        payload in prop::collection::vec(any::<u8>(), 0..400),
        kind in 1u32..4,
        first in prop_oneof![Just(0u64), any::<u64>()],
        count in 0u32..66,
        unpacked in 0u64..100_000,
    ) {
        let mut bytes = only_header();
        bytes.extend(block(kind, first, count, unpacked, &payload));
        if let Ok(mut recording) = Recording::from_bytes(bytes, PATH.as_ref()) {
            let frames = recording.frames();
            for frame in [frames.saturating_sub(1), 0, first] {
                let _ = recording.frame(frame);
            }
            let _ = recording.verify();
        }
    }

    #[test]
    fn a_changed_payload_under_a_right_checksum_is_read_or_refused(
        at: prop::sample::Index, value: u8, cut in 0usize..3,
    ) {
        let (bytes, _) = sample(6, 6);
        let starts = block_starts(&bytes);
        let chunk = (0..starts.len()).find(|block| bytes[starts[*block] + 4] == 1).unwrap();
        let mut payload = bytes[starts[chunk] + 44..starts[chunk + 1]].to_vec();
        let place = at.index(payload.len());
        payload[place] = value;
        payload.truncate(payload.len() - cut);
        let mut bytes = only_header();
        bytes.extend(block(1, 0, 6, 6 * 300, &payload));
        let mut recording = Recording::from_bytes(bytes, PATH.as_ref()).unwrap();
        let _ = recording.verify();
    }
}

/// A disk with room for so many bytes.
struct SmallDisk {
    room: usize,
    kept: Shared,
}

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no room is left"));
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        self.kept.write(&bytes[..taken])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_at_the_next_call_and_at_the_end_and_what_fitted_is_readable() {
    let (whole, moments) = sample(12, 2);
    for room in (0..whole.len()).step_by(7) {
        let kept = Shared::default();
        let disk = SmallDisk { room, kept: kept.clone() };
        let options = RecordingOptions { chunk_frames: 2, buffers: 2 };
        let is_full = |error: &WriteError| {
            let text = error.to_string();
            matches!(error, WriteError::Io { .. }) && text.contains("no room") && text.contains("full.crec")
        };
        let mut writer = match Writer::to(disk, "full.crec".as_ref(), &header(), options) {
            Ok(writer) => writer,
            Err(error) => {
                assert!(is_full(&error), "{error}");
                continue;
            }
        };
        // The thread lags behind by two frames at most, so that of many frames some call must see
        // the error.
        let mut first_error = None;
        for k in 0..40u32 {
            let moment = moment(k);
            if let Err(error) = writer.frame(moment.stamp, |frame| fill(frame, &moment, &header())) {
                assert!(is_full(&error), "{error}");
                first_error = Some(k);
                let again = writer.frame(moment.stamp, |_| ()).unwrap_err();
                assert!(is_full(&again), "{again}");
                break;
            }
        }
        assert!(first_error.is_some(), "{room} bytes held 40 frames");
        let error = writer.finish().unwrap_err();
        assert!(is_full(&error), "{error}");
        let bytes = kept.0.lock().unwrap().clone();
        assert_eq!(bytes.len(), room);
        let mut recording = Recording::from_bytes(bytes, PATH.as_ref()).unwrap();
        for k in 0..recording.frames() {
            assert!(is_same(recording.frame(k).unwrap(), &moments[k as usize], &header()));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_device_that_is_always_full_is_an_error() {
    let error = Writer::create(Path::new("/dev/full"), &header(), RecordingOptions::default()).unwrap_err();
    assert!(matches!(error, WriteError::Io { .. }), "{error}");
    assert!(error.to_string().starts_with("/dev/full"), "{error}");
}

#[test]
fn dropped_or_in_the_middle_of_a_panic_the_file_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    for panics in [false, true] {
        let path = folder.path().join(format!("{panics}.crec"));
        let run = std::panic::catch_unwind(|| {
            let mut writer = Writer::create(&path, &header(), RecordingOptions::default()).unwrap();
            for k in 0..5 {
                let moment = moment(k);
                writer.frame(moment.stamp, |frame| fill(frame, &moment, &header())).unwrap();
            }
            if panics {
                let _ = writer.frame(Stamp::default(), |_| panic!("the simulation breaks down"));
            }
        });
        assert_eq!(run.is_err(), panics);
        let mut recording = Recording::open(&path).unwrap();
        assert_eq!((recording.frames(), recording.is_complete()), (5, true));
        assert!(is_same(recording.frame(4).unwrap(), &moment(4), &header()));
    }
}

/// A slow disk that looks how far the simulation is ahead of it.
struct SlowDisk {
    accepted: Arc<AtomicU64>,
    farthest: Arc<AtomicU64>,
    blocks: u64,
}

impl Write for SlowDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(2));
        // The header is written before the first frame, so the k-th call writes frame k − 1.
        let ahead = self.accepted.load(Ordering::SeqCst).saturating_sub(self.blocks.saturating_sub(1));
        self.farthest.fetch_max(ahead, Ordering::SeqCst);
        self.blocks += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_slow_disk_slows_the_simulation_down_and_does_not_fill_the_memory() {
    let (accepted, farthest) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let disk = SlowDisk { accepted: Arc::clone(&accepted), farthest: Arc::clone(&farthest), blocks: 0 };
    let options = RecordingOptions { chunk_frames: 1, buffers: 3 };
    let mut writer = Writer::to(disk, PATH.as_ref(), &header(), options).unwrap();
    for k in 0..50 {
        let moment = moment(k);
        writer.frame(moment.stamp, |frame| fill(frame, &moment, &header())).unwrap();
        accepted.fetch_add(1, Ordering::SeqCst);
    }
    assert_eq!(writer.finish().unwrap().frames, 50);
    let farthest = farthest.load(Ordering::SeqCst);
    assert!((1..=3).contains(&farthest), "{farthest} frames were under way in 3 buffers");
}

#[test]
fn a_frame_allocates_nothing_on_the_simulating_thread() {
    let mut writer = Writer::to(io::sink(), PATH.as_ref(), &header(), RecordingOptions::default()).unwrap();
    let moments: Vec<Moment> = (0..200).map(moment).collect();
    let header = header();
    for (k, moment) in moments.iter().enumerate() {
        let measured = allocation_counter::measure(|| {
            writer.frame(moment.stamp, |frame| fill(frame, moment, &header)).unwrap();
        });
        assert!(k < 100 || measured.count_total == 0, "{measured:?} in frame {k}");
    }
    writer.finish().unwrap();
}
