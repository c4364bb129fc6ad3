//! A session into a recording, frame by frame.
//!
//! Only copying happens here, on the thread that simulates; the recording's own thread packs and writes.

use std::path::Path;

use carom_dynamics::BodyId;
use carom_dynamics::ContactRef;
use carom_fingsics::FingsicsWorld;
use carom_recording::track::{
    Channels, Contact, Event, EventKind, Frame, Header, NO_BODY, Options, PoseKind, PositionKind, Precision,
    RotationKind, Stamp, Summary, WriteError, Writer,
};
use carom_scene::native::write_binary;

use crate::session::Session;
use crate::session::bodies::{BodyState, Turn};
use crate::session::figures::StepFigures;

/// Fingerprints of the state are taken every so many steps: reading all bits of a large world takes as long as half a step of it.
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
    states: Vec<BodyState>,
}

impl Track {
    pub(super) fn create(
        path: &Path,
        session: &Session,
        recorded: Recorded,
        about: String,
    ) -> Result<Self, WriteError> {
        let pose = match session.engine() {
            Some(_) => PoseKind { position: PositionKind::Double, rotation: RotationKind::Quaternion },
            None => PoseKind { position: PositionKind::Single, rotation: RotationKind::Rows },
        };
        let precision = recorded.quantise.map_or(Precision::Exact, |step| Precision::Quantised {
            position: 2.0 * step,
            rotation: step,
            velocity: 2.0 * step,
        });
        let names =
            (0..).map_while(|number| session.body_name(number)).map(str::to_owned).collect::<Vec<_>>();
        let named = names.len() as u32;
        let header = Header {
            steps_per_second: session.steps_per_second(),
            pose,
            channels: recorded.channels,
            precision,
            names,
            scene: write_binary(&session.recorded_scene()),
            about,
        };
        let writer = Writer::create(path, &header, Options::default())?;
        let (bodies, touching, states) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { writer, channels: recorded.channels, named, bodies, touching, states })
    }

    /// Records the session as it is now; `step` is what the last step did, if there was one.
    pub(super) fn frame(&mut self, session: &Session, step: Option<&StepFigures>) -> Result<(), WriteError> {
        while let Some(name) = session.body_name(self.named) {
            self.writer.name_body(name)?;
            self.named += 1;
        }
        let number = session.steps();
        let state_hash = if number.is_multiple_of(HASH_EVERY) { session.state_hash() } else { 0 };
        let stamp = Stamp { number, time: session.time(), state_hash };
        let channels = self.channels;
        let events = if channels.events { self.events(session, step) } else { Vec::new() };
        let states = &mut self.states;
        self.writer.frame(stamp, |frame| {
            put_bodies(session, channels, states, frame);
            if channels.contacts {
                put_contacts(session, frame);
            }
            events.into_iter().for_each(|event| frame.event(event));
        })
    }

    pub(super) fn finish(self) -> Result<Summary, WriteError> {
        self.writer.finish()
    }

    /// What happened since the frame before.
    fn events(&mut self, session: &Session, step: Option<&StepFigures>) -> Vec<Event> {
        let mut events = Vec::new();
        let mut tell = |kind, bodies, strength| events.push(Event { kind, bodies, strength });
        let mut bodies = Vec::with_capacity(self.bodies.len());
        session.for_each_body(|body| bodies.push(body.number));
        bodies.sort_unstable();
        if step.is_some() {
            let (gone, came) = changes(&self.bodies, &bodies);
            came.into_iter().for_each(|body| tell(EventKind::Appeared, [body, NO_BODY], 0.0));
            gone.into_iter().for_each(|body| tell(EventKind::Vanished, [body, NO_BODY], 0.0));
        }
        self.bodies = bodies;
        if let Some(built) = session.engine() {
            let world = &built.world;
            let number = |id: BodyId| session.number_of(id).unwrap_or(NO_BODY);
            let told = world.events();
            told.touch_begin().iter().for_each(|e| tell(EventKind::Begin, e.bodies.map(number), 0.0));
            told.touch_end().iter().for_each(|e| tell(EventKind::End, e.bodies.map(number), 0.0));
            told.hits().iter().for_each(|e| tell(EventKind::Hit, e.bodies.map(number), e.approach));
            told.woken().iter().for_each(|id| tell(EventKind::Woke, [number(*id), NO_BODY], 0.0));
            told.slept().iter().for_each(|id| tell(EventKind::Slept, [number(*id), NO_BODY], 0.0));
            for broken in world.broken_joints() {
                tell(EventKind::JointBroken, broken.bodies.map(number), broken.force.length());
            }
            for id in &world.report().quarantined {
                tell(EventKind::Quarantined, [number(*id), NO_BODY], 0.0);
            }
        } else if let Some(world) = session.fingsics() {
            let mut touching: Vec<[u32; 2]> =
                world.contacts().map(|(a, b, _)| [a.min(b), a.max(b)]).collect();
            touching.sort_unstable();
            let (ended, begun) = changes(&self.touching, &touching);
            begun.into_iter().for_each(|pair| tell(EventKind::Begin, pair, 0.0));
            ended.into_iter().for_each(|pair| tell(EventKind::End, pair, 0.0));
            self.touching = touching;
            for &body in &world.last_report().quarantined {
                tell(EventKind::Quarantined, [body, NO_BODY], 0.0);
            }
        }
        events
    }
}

/// What is in the first of two sorted lists only, and what in the second only.
fn changes<T: Ord + Copy>(before: &[T], now: &[T]) -> (Vec<T>, Vec<T>) {
    let gone = before.iter().copied().filter(|x| now.binary_search(x).is_err()).collect();
    let came = now.iter().copied().filter(|x| before.binary_search(x).is_err()).collect();
    (gone, came)
}

/// All bodies, in the order of their numbers.
fn put_bodies(session: &Session, channels: Channels, states: &mut Vec<BodyState>, frame: &mut Frame) {
    if let Some(world) = session.fingsics() {
        return put_fingsics(world, channels, frame);
    }
    let mut put = |body: BodyState| {
        match body.turn {
            Turn::Quaternion(turn) => frame.body(body.number, body.position.to_array(), turn),
            Turn::Rows(rows) => frame.body(body.number, body.position.as_vec3().to_array(), rows),
        }
        if channels.velocities {
            frame.velocity(body.velocity.to_array(), body.spin.to_array());
        }
    };
    if session.is_in_order() {
        return session.for_each_body(put);
    }
    states.clear();
    session.for_each_body(|body| states.push(body));
    states.sort_unstable_by_key(|body| body.number);
    states.iter().copied().for_each(&mut put);
}

/// All bodies at once. One by one, copying was 4.7 % of a run of `box:10000`.
fn put_fingsics(world: &FingsicsWorld, channels: Channels, frame: &mut Frame) {
    frame.count_bodies(world.len() as u32);
    frame.put_singles(world.positions().iter().map(glam::Vec3::to_array));
    frame.put_rows(world.rotations().iter().map(|rows| {
        let [a, b, c] = rows.0.map(|row| row.to_array());
        [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
    }));
    if channels.velocities {
        for body in 0..world.len() as u32 {
            frame.velocity(world.velocity(body).to_array(), world.angular_velocity(body).to_array());
        }
    }
}

fn put_contacts(session: &Session, frame: &mut Frame) {
    if let Some(world) = session.fingsics() {
        for (a, b, contact) in world.contacts() {
            frame.contact(Contact {
                bodies: [a, b],
                point: contact.point.as_dvec3().to_array(),
                normal: contact.normal.to_array(),
                depth: contact.depth,
                // The rules average impulses per body and axis: no contact has one of its own.
                impulse: 0.0,
            });
        }
    } else if let Some(built) = session.engine() {
        for contact in built.world.contacts().filter(ContactRef::is_touching) {
            let bodies =
                contact.bodies().map(|id| id.and_then(|id| session.number_of(id)).unwrap_or(NO_BODY));
            let normal = contact.normal().to_array();
            for point in contact.points() {
                frame.contact(Contact {
                    bodies,
                    point: point.position.to_array(),
                    normal,
                    depth: -point.separation,
                    impulse: point.normal_impulse,
                });
            }
        }
    }
}
