//! Events on the wire: a time and one key for what happens.
//!
//! A spawned body without an id is numbered on from the bodies of the scene: in a scene of 20
//! bodies the first body to appear is "20", the next "21".

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{Id, Num, Triple, exactly_one, plain, wire};
use super::wire_body::BodyEntry;
use super::wire_drive::WireMotor;
use crate::model::{Action, Event};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Remove {
    body: Id,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct SetMotor {
    joint: Id,
    motor: Option<WireMotor>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct SetVelocity {
    body: Id,
    velocity: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Impulse {
    body: Id,
    impulse: Triple,
    point: Option<Triple>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct SetGravity {
    gravity: Triple,
}

/// Every key an event can have.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireEvent {
    time: Num,
    spawn: Option<BodyEntry>,
    remove: Option<Remove>,
    set_motor: Option<SetMotor>,
    set_velocity: Option<SetVelocity>,
    impulse: Option<Impulse>,
    set_gravity: Option<SetGravity>,
}

/// Hands out the default ids of spawned bodies in file order.
pub(super) struct EventIds {
    next: usize,
}

impl EventIds {
    /// Numbers on from the bodies of the scene.
    pub(super) fn new(bodies: usize) -> Self {
        Self { next: bodies }
    }

    fn take(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}

/// What happens, with the spawned body still without its default id.
#[derive(Clone, Debug)]
enum ActionEntry {
    Spawn(Box<BodyEntry>),
    Other(Action),
}

/// An event as it stands in a file.
#[derive(Clone, Debug)]
pub(super) struct EventEntry {
    time: f32,
    action: ActionEntry,
}

impl EventEntry {
    /// The entry of an event.
    pub(super) fn new(event: Event, ids: &mut EventIds) -> Self {
        let action = match event.action {
            Action::Spawn(body) => ActionEntry::Spawn(Box::new(BodyEntry::new(*body, ids.take()))),
            other => ActionEntry::Other(other),
        };
        Self { time: event.time, action }
    }

    /// The event.
    pub(super) fn into_model(self, ids: &mut EventIds) -> Event {
        let action = match self.action {
            ActionEntry::Spawn(entry) => Action::Spawn(Box::new(entry.into_model(ids.take()))),
            ActionEntry::Other(other) => other,
        };
        Event { time: self.time, action }
    }
}

impl<'de> Deserialize<'de> for EventEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireEvent::deserialize(deserializer)?.into_entry().map_err(D::Error::custom)
    }
}

impl Serialize for EventEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WireEvent::from_entry(self).serialize(serializer)
    }
}

impl WireEvent {
    fn from_entry(entry: &EventEntry) -> Self {
        let mut keys = Self {
            time: Num(entry.time),
            spawn: None,
            remove: None,
            set_motor: None,
            set_velocity: None,
            impulse: None,
            set_gravity: None,
        };
        match &entry.action {
            ActionEntry::Spawn(body) => keys.spawn = Some((**body).clone()),
            ActionEntry::Other(action) => keys.set_action(action),
        }
        keys
    }

    fn set_action(&mut self, action: &Action) {
        let id = |name: &String| Id(name.clone());
        match action {
            Action::Spawn(body) => {
                self.spawn = Some(BodyEntry { id: Some(body.id.clone()), body: (**body).clone() });
            }
            Action::Remove { body } => self.remove = Some(Remove { body: id(body) }),
            Action::SetMotor { joint, motor } => {
                self.set_motor = Some(SetMotor { joint: id(joint), motor: motor.map(Into::into) });
            }
            Action::SetVelocity { body, velocity } => {
                self.set_velocity = Some(SetVelocity { body: id(body), velocity: wire(*velocity) });
            }
            Action::Impulse { body, impulse, point } => {
                let (impulse, point) = (wire(*impulse), point.map(wire));
                self.impulse = Some(Impulse { body: id(body), impulse, point });
            }
            Action::SetGravity { gravity } => {
                self.set_gravity = Some(SetGravity { gravity: wire(*gravity) });
            }
        }
    }

    fn into_entry(self) -> Result<EventEntry, String> {
        let other = ActionEntry::Other;
        let actions = [
            ("spawn", self.spawn.map(|body| ActionEntry::Spawn(Box::new(body)))),
            ("remove", self.remove.map(|r| other(Action::Remove { body: r.body.0 }))),
            (
                "set-motor",
                self.set_motor
                    .map(|s| other(Action::SetMotor { joint: s.joint.0, motor: s.motor.map(Into::into) })),
            ),
            (
                "set-velocity",
                self.set_velocity
                    .map(|s| other(Action::SetVelocity { body: s.body.0, velocity: plain(s.velocity) })),
            ),
            (
                "impulse",
                self.impulse.map(|i| {
                    let (impulse, point) = (plain(i.impulse), i.point.map(plain));
                    other(Action::Impulse { body: i.body.0, impulse, point })
                }),
            ),
            (
                "set-gravity",
                self.set_gravity.map(|s| other(Action::SetGravity { gravity: plain(s.gravity) })),
            ),
        ];
        Ok(EventEntry { time: self.time.0, action: exactly_one("the event", actions)? })
    }
}
