//! A session into a recording, frame by frame.
//!
//! Only copying happens here, on the thread that simulates; the recording's own thread packs and
//! writes.

use std::path::Path;

use carom_recording::track::{
    Channels, Contact, Event, EventKind, Frame, Header, NO_BODY, PoseKind, PositionKind, Precision,
    RecordingOptions, RotationKind, Stamp, Summary, WriteError, Writer,
};
use carom_scene::native::write_binary;
use carom_sim::StepMetrics;
use carom_sim::bodies::{
    BodyBuffer, BodyState, Orientation, OrientationKind, Orientations, PoseFormat, PositionPrecision,
};

use crate::session::Session;

/// Fingerprints of the state are taken every so many steps: reading all bits of a large world takes
/// as long as half a step of it.
const HASH_EVERY: u64 = 60;

/// What is recorded and how exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recorded {
    /// What is recorded beside places.
    pub channels: Channels,
    /// Largest error of places in metres and of turns in radians; exact without.
    pub quantise: Option<f64>,
}

/// A recording that goes on.
pub(super) struct Track {
    writer: Writer,
    channels: Channels,
    /// Bodies that have names in it.
    named: u32,
    /// Bodies and touching pairs of the frame before, for events; empty where none are recorded.
    bodies: Vec<u32>,
    touching: Vec<[u32; 2]>,
    /// Scratch.
    states: BodyBuffer,
    contacts: Vec<carom_sim::Contact>,
    told: Vec<carom_sim::Event>,
}

impl Track {
    pub(super) fn create(
        path: &Path,
        session: &Session,
        recorded: Recorded,
        about: String,
    ) -> Result<Self, WriteError> {
        let format = session.info().pose_format;
        let pose = PoseKind {
            position: match format.position {
                PositionPrecision::Single => PositionKind::Single,
                PositionPrecision::Double => PositionKind::Double,
            },
            rotation: match format.orientation {
                OrientationKind::Quaternion => RotationKind::Quaternion,
                OrientationKind::Matrix => RotationKind::Rows,
            },
        };
        let precision = recorded.quantise.map_or(Precision::Exact, |step| Precision::Quantised {
            position: 2.0 * step,
            rotation: step,
            velocity: 2.0 * step,
        });
        let names = (0..)
            .map_while(|number| session.simulation().body_name(number))
            .map(str::to_owned)
            .collect::<Vec<_>>();
        let named = names.len() as u32;
        let header = Header {
            steps_per_second: session.frames_per_second(),
            pose,
            channels: recorded.channels,
            precision,
            names,
            scene: write_binary(&session.simulation().recorded_scene()),
            about,
        };
        let writer = Writer::create(path, &header, RecordingOptions::default())?;
        Ok(Self {
            writer,
            channels: recorded.channels,
            named,
            bodies: Vec::new(),
            touching: Vec::new(),
            states: BodyBuffer::default(),
            contacts: Vec::new(),
            told: Vec::new(),
        })
    }

    /// Records the session as it is now; `step` is what the last step did, if there was one.
    pub(super) fn frame(&mut self, session: &Session, step: Option<&StepMetrics>) -> Result<(), WriteError> {
        while let Some(name) = session.simulation().body_name(self.named) {
            self.writer.name_body(name)?;
            self.named += 1;
        }
        let number = session.steps();
        let state_hash =
            if number.is_multiple_of(HASH_EVERY) { session.simulation().state_hash() } else { 0 };
        let stamp = Stamp { number, time: session.time(), state_hash };
        let channels = self.channels;
        let events = if channels.events { self.events(session, step) } else { Vec::new() };
        session.simulation().bodies(&mut self.states);
        if channels.contacts {
            session.simulation().contacts(&mut self.contacts);
        }
        let (states, contacts) = (&self.states, &self.contacts);
        self.writer.frame(stamp, |frame| {
            put_bodies(session.info().pose_format, channels, states, frame);
            if channels.contacts {
                put_contacts(contacts, frame);
            }
            events.into_iter().for_each(|event| frame.event(event));
        })
    }

    pub(super) fn finish(self) -> Result<Summary, WriteError> {
        self.writer.finish()
    }

    /// What happened since the frame before.
    fn events(&mut self, session: &Session, step: Option<&StepMetrics>) -> Vec<Event> {
        let mut events = Vec::new();
        let mut tell = |kind, bodies, strength| events.push(Event { kind, bodies, strength });
        session.simulation().bodies(&mut self.states);
        let bodies = self.states.numbers.clone();
        if step.is_some() {
            let (gone, came) = changes(&self.bodies, &bodies);
            came.into_iter().for_each(|body| tell(EventKind::Appeared, [body, NO_BODY], 0.0));
            gone.into_iter().for_each(|body| tell(EventKind::Vanished, [body, NO_BODY], 0.0));
        }
        self.bodies = bodies;
        session.simulation().events(&mut self.told);
        if !session.info().has_contact_events {
            session.simulation().contacts(&mut self.contacts);
            let pairs = self.contacts.iter().map(|contact| {
                let [a, b] = contact.bodies;
                [a.min(b), a.max(b)]
            });
            let mut touching: Vec<[u32; 2]> = pairs.collect();
            touching.sort_unstable();
            let (ended, begun) = changes(&self.touching, &touching);
            begun.into_iter().for_each(|pair| tell(EventKind::Begin, pair, 0.0));
            ended.into_iter().for_each(|pair| tell(EventKind::End, pair, 0.0));
            self.touching = touching;
        }
        self.told.iter().for_each(|event| tell(recorded_kind(event.kind), event.bodies, event.strength));
        events
    }
}

/// What is in the first of two sorted lists only, and what in the second only.
fn changes<T: Ord + Copy>(before: &[T], now: &[T]) -> (Vec<T>, Vec<T>) {
    let gone = before.iter().copied().filter(|x| now.binary_search(x).is_err()).collect();
    let came = now.iter().copied().filter(|x| before.binary_search(x).is_err()).collect();
    (gone, came)
}

/// Kind of an event in a recording.
fn recorded_kind(kind: carom_sim::EventKind) -> EventKind {
    match kind {
        carom_sim::EventKind::ContactBegin => EventKind::Begin,
        carom_sim::EventKind::ContactEnd => EventKind::End,
        carom_sim::EventKind::Hit => EventKind::Hit,
        carom_sim::EventKind::Woke => EventKind::Woke,
        carom_sim::EventKind::FellAsleep => EventKind::Slept,
        carom_sim::EventKind::JointBroken => EventKind::JointBroken,
        carom_sim::EventKind::Quarantined => EventKind::Quarantined,
    }
}

/// All bodies, in the order of their numbers, in the format of the simulation.
fn put_bodies(format: PoseFormat, channels: Channels, bodies: &BodyBuffer, frame: &mut Frame) {
    if let (PositionPrecision::Single, Orientations::Matrices(rows)) = (format.position, &bodies.orientations)
    {
        // All bodies at once. One by one, copying was 4.7 % of a run of `box:10000`.
        frame.count_bodies(bodies.len() as u32);
        frame.put_singles(bodies.positions.iter().map(|position| position.as_vec3().to_array()));
        frame.put_rows(rows.iter().copied());
        if channels.velocities {
            bodies.iter().for_each(|body| put_velocity(&body, frame));
        }
        return;
    }
    for body in bodies.iter() {
        match body.orientation {
            Orientation::Quaternion(xyzw) => frame.body(body.number, body.position.to_array(), xyzw),
            Orientation::Matrix(rows) => {
                frame.body(body.number, body.position.as_vec3().to_array(), rows);
            }
        }
        if channels.velocities {
            put_velocity(&body, frame);
        }
    }
}

fn put_velocity(body: &BodyState, frame: &mut Frame) {
    frame.velocity(body.velocity.to_array(), body.angular_velocity.to_array());
}

fn put_contacts(contacts: &[carom_sim::Contact], frame: &mut Frame) {
    for contact in contacts.iter().filter(|contact| contact.is_touching) {
        frame.contact(Contact {
            bodies: contact.bodies,
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            depth: contact.depth,
            impulse: contact.impulse,
        });
    }
}
