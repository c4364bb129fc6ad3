//! Frames as plain data, made up at random, recorded and compared bit by bit.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use carom_recording::track::{
    Contact, Event, EventKind, Frame, Header, Position, PositionKind, RecordingOptions, Rotation,
    RotationKind, Stamp, Writer,
};
use proptest::prelude::*;

/// A body in a frame, with all that any kind of recording may want of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyState {
    pub(crate) number: u32,
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f32; 9],
    pub(crate) velocity: [f32; 6],
}

/// A frame.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) stamp: Stamp,
    pub(crate) list: Vec<BodyState>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) events: Vec<Event>,
}

impl Moment {
    pub(crate) fn bodies(&self) -> Vec<u32> {
        self.list.iter().map(|body| body.number).collect()
    }

    pub(crate) fn of_still_bodies(count: u32) -> Self {
        let body = |number| BodyState {
            number,
            position: [f64::from(number), 0.5, -3.0],
            rotation: [0.5; 9],
            velocity: [0.0; 6],
        };
        let list = (0..count).map(body).collect();
        Self { stamp: Stamp::default(), list, contacts: Vec::new(), events: Vec::new() }
    }
}

/// Numbers of all sorts: ordinary ones, and any bits, not-a-numbers among them.
fn wide() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![8 => -100.0f64..100.0, 1 => any::<u64>().prop_map(f64::from_bits), 1 => Just(-0.0)]
}

fn narrow() -> impl Strategy<Value = f32> + Clone {
    prop_oneof![8 => -1.0f32..1.0, 1 => any::<u32>().prop_map(f32::from_bits), 1 => Just(-0.0)]
}

/// A run of frames in which every body that stays moves along from its last state, so that
/// predictions have something to do.
pub(crate) fn moments() -> impl Strategy<Value = Vec<Moment>> {
    let state =
        (prop::array::uniform3(wide()), prop::array::uniform9(narrow()), prop::array::uniform6(narrow()));
    let contact = (any::<[u32; 2]>(), prop::array::uniform3(wide()), prop::array::uniform5(narrow()))
        .prop_map(|(bodies, point, [x, y, z, depth, impulse])| Contact {
            bodies,
            point,
            normal: [x, y, z],
            depth,
            impulse,
        });
    let event = (0usize..9, any::<[u32; 2]>(), narrow()).prop_map(|(kind, bodies, strength)| Event {
        kind: EventKind::ALL[kind],
        bodies,
        strength,
    });
    let start = prop::collection::btree_map(0u32..200, state.clone(), 0..20);
    let change = (
        any::<(u64, u64, u64)>(),
        prop::collection::btree_map(0u32..200, prop::option::of(state), 0..3),
        prop::collection::vec(contact, 0..4),
        prop::collection::vec(event, 0..4),
    );
    (start, prop::collection::vec(change, 0..30)).prop_map(|(mut now, changes)| {
        let mut moments = Vec::new();
        for ((number, time, state_hash), change, contacts, events) in changes {
            for (position, rotation, velocity) in now.values_mut() {
                position.iter_mut().zip(&*velocity).for_each(|(x, v)| *x += f64::from(*v));
                rotation.iter_mut().for_each(|x| *x *= 0.99);
            }
            for (body, state) in change {
                match state {
                    Some(state) => drop(now.insert(body, state)),
                    None => drop(now.remove(&body)),
                }
            }
            let list = now.iter().map(|(number, (position, rotation, velocity))| BodyState {
                number: *number,
                position: *position,
                rotation: *rotation,
                velocity: *velocity,
            });
            let stamp = Stamp { number, time: f64::from_bits(time), state_hash };
            moments.push(Moment { stamp, list: list.collect(), contacts, events });
        }
        moments
    })
}

/// A file in memory that several hands hold.
#[derive(Clone, Default)]
pub(crate) struct Shared(pub(crate) Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes of a recording that `fill` writes.
pub(crate) fn record_with(
    header: &Header,
    options: RecordingOptions,
    fill: impl FnOnce(&mut Writer),
) -> Vec<u8> {
    let file = Shared::default();
    let mut writer = Writer::to(file.clone(), "memory.crec".as_ref(), header, options).unwrap();
    fill(&mut writer);
    let summary = writer.finish().unwrap();
    let bytes = std::mem::take(&mut *file.0.lock().unwrap());
    assert_eq!(summary.bytes, bytes.len() as u64);
    bytes
}

/// The bytes of a recording of `moments`.
pub(crate) fn record(header: &Header, moments: &[Moment], chunk_frames: u32) -> Vec<u8> {
    record_with(header, RecordingOptions { chunk_frames, ..RecordingOptions::default() }, |writer| {
        for moment in moments {
            writer.frame(moment.stamp, |frame| fill(frame, moment, header)).unwrap();
        }
    })
}

pub(crate) fn fill(frame: &mut Frame, moment: &Moment, header: &Header) {
    for body in &moment.list {
        let position = match header.pose.position {
            PositionKind::Single => Position::Single(body.position.map(|x| x as f32)),
            PositionKind::Double => Position::Double(body.position),
        };
        let rotation = match header.pose.rotation {
            RotationKind::Quaternion => Rotation::Quaternion(std::array::from_fn(|k| body.rotation[k])),
            RotationKind::Rows => Rotation::Rows(body.rotation),
        };
        frame.body(body.number, position, rotation);
        if header.channels.velocities {
            let [a, b, c, d, e, f] = body.velocity;
            frame.velocity([a, b, c], [d, e, f]);
        }
    }
    if header.channels.contacts {
        moment.contacts.iter().for_each(|contact| frame.contact(*contact));
    }
    if header.channels.events {
        moment.events.iter().for_each(|event| frame.event(*event));
    }
}

/// All bits of a frame as this header records it.
fn bits(frame: &Frame) -> Vec<u64> {
    let narrow = |x: &f32| u64::from(x.to_bits());
    let stamp = frame.stamp();
    let mut bits = vec![stamp.number, stamp.time.to_bits(), stamp.state_hash];
    bits.push(frame.bodies().len() as u64);
    bits.extend(frame.bodies().iter().map(|body| u64::from(*body)));
    for place in 0..frame.bodies().len() {
        match frame.position(place) {
            Position::Single(position) => bits.extend(position.iter().map(narrow)),
            Position::Double(position) => bits.extend(position.iter().map(|x| x.to_bits())),
        }
        match frame.rotation(place) {
            Rotation::Quaternion(rotation) => bits.extend(rotation.iter().map(narrow)),
            Rotation::Rows(rotation) => bits.extend(rotation.iter().map(narrow)),
        }
    }
    bits.extend(frame.velocities().iter().flatten().map(narrow));
    bits.push(frame.contacts().len() as u64);
    for contact in frame.contacts() {
        bits.extend(contact.bodies.iter().map(|body| u64::from(*body)));
        bits.extend(contact.point.iter().map(|x| x.to_bits()));
        bits.extend(contact.normal.iter().chain([&contact.depth, &contact.impulse]).map(narrow));
    }
    bits.push(frame.events().len() as u64);
    for event in frame.events() {
        bits.extend([event.kind as u64, u64::from(event.bodies[0]), u64::from(event.bodies[1])]);
        bits.push(narrow(&event.strength));
    }
    bits
}

/// Is the frame that was read the moment that was recorded, to the bit?
pub(crate) fn is_same(read: &Frame, moment: &Moment, header: &Header) -> bool {
    let mut wanted = Frame::default();
    fill(&mut wanted, moment, header);
    let mut wanted = bits(&wanted);
    wanted[0] = moment.stamp.number;
    wanted[1] = moment.stamp.time.to_bits();
    wanted[2] = moment.stamp.state_hash;
    bits(read) == wanted
}

pub(crate) fn assert_same(read: &Frame, moment: &Moment, header: &Header) {
    assert!(is_same(read, moment, header), "read {read:?}\nwanted {moment:?}");
}
