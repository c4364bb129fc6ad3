//! Bodies on the wire.
//!
//! Where the model has alternatives, the text has one key for each (`angular-velocity` or
//! `angular-velocity-degrees`, `quaternion` or `euler-degrees`), so that units are in the key and
//! nothing is converted on the way. Keys of older files (`spin`, `spin-degrees`, `max-spin`) are
//! still read.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{
    Id, List, Num, Triple, at_most_one, entries, plain, unless, unless_equal, unless_one, wire,
};
use super::wire_shape::{ShapeEntry, orientation_keys, orientation_of};
use crate::model::{AngularVelocity, Body, BodyKind, LockedAxes, Look, Mass, Style};

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WireKind {
    Static,
    Kinematic,
    Dynamic,
    Particle,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WireStyle {
    Plain,
    Rocket,
}

/// One locked coordinate.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Lock {
    MoveX,
    MoveY,
    MoveZ,
    TurnX,
    TurnY,
    TurnZ,
}

const MOVE_LOCKS: [Lock; 3] = [Lock::MoveX, Lock::MoveY, Lock::MoveZ];
const TURN_LOCKS: [Lock; 3] = [Lock::TurnX, Lock::TurnY, Lock::TurnZ];

/// Every key a body can have.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireBody {
    id: Option<Id>,
    kind: Option<WireKind>,
    position: Option<Triple>,
    quaternion: Option<[Num; 4]>,
    euler_degrees: Option<Triple>,
    velocity: Option<Triple>,
    #[serde(alias = "spin")]
    angular_velocity: Option<Triple>,
    #[serde(alias = "spin-degrees")]
    angular_velocity_degrees: Option<Triple>,
    acceleration: Option<Triple>,
    gravity_scale: Option<Num>,
    linear_damping: Option<Num>,
    angular_damping: Option<Num>,
    max_speed: Option<Num>,
    #[serde(alias = "max-spin")]
    max_angular_speed: Option<Num>,
    mass: Option<Num>,
    centre_of_mass: Option<Triple>,
    inertia: Option<[Num; 6]>,
    lock: Option<Vec<Lock>>,
    bullet: Option<bool>,
    can_sleep: Option<bool>,
    shape: Option<List<ShapeEntry>>,
    colour: Option<[u8; 3]>,
    visible: Option<bool>,
    style: Option<WireStyle>,
}

/// A body as it stands in a file: its id may be left out, and then its index is its id.
#[derive(Clone, Debug)]
pub(super) struct BodyEntry {
    /// The id in the file.
    pub(super) id: Option<String>,
    /// The rest; its own id is empty.
    pub(super) body: Body,
}

impl BodyEntry {
    /// The entry of the body with this index.
    pub(super) fn new(body: Body, index: usize) -> Self {
        Self { id: unless_equal(body.id.clone(), &index.to_string()), body }
    }

    /// The body at this index.
    pub(super) fn into_model(self, index: usize) -> Body {
        Body { id: self.id.unwrap_or_else(|| index.to_string()), ..self.body }
    }
}

impl<'de> Deserialize<'de> for BodyEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireBody::deserialize(deserializer)?.into_entry().map_err(D::Error::custom)
    }
}

impl Serialize for BodyEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WireBody::from_entry(self).serialize(serializer)
    }
}

impl WireBody {
    fn from_entry(BodyEntry { id, body }: &BodyEntry) -> Self {
        let default = Body::default();
        let (quaternion, euler_degrees) = orientation_keys(body.orientation);
        let (angular_velocity, angular_velocity_degrees) = match body.angular_velocity {
            AngularVelocity::Radians(angular_velocity) => (unless(angular_velocity, [0.0; 3]), None),
            AngularVelocity::Degrees(angular_velocity) => (None, Some(wire(angular_velocity))),
        };
        let (mass, centre_of_mass, inertia) = match body.mass {
            Mass::FromDensity => (None, None, None),
            Mass::Total(mass) => (Some(Num(mass)), None, None),
            Mass::Full { mass, centre, inertia } => {
                (Some(Num(mass)), unless(centre, [0.0; 3]), Some(wire(inertia)))
            }
        };
        Self {
            id: id.clone().map(Id),
            kind: match body.kind {
                BodyKind::Static => Some(WireKind::Static),
                BodyKind::Kinematic => Some(WireKind::Kinematic),
                BodyKind::Dynamic => None,
                BodyKind::Particle => Some(WireKind::Particle),
            },
            position: unless(body.position, default.position),
            quaternion,
            euler_degrees,
            velocity: unless(body.velocity, default.velocity),
            angular_velocity,
            angular_velocity_degrees,
            acceleration: unless(body.acceleration, default.acceleration),
            gravity_scale: unless_one(body.gravity_scale, default.gravity_scale),
            linear_damping: unless_one(body.linear_damping, default.linear_damping),
            angular_damping: unless_one(body.angular_damping, default.angular_damping),
            max_speed: body.max_speed.map(Num),
            max_angular_speed: body.max_angular_speed.map(Num),
            mass,
            centre_of_mass,
            inertia,
            lock: locks_of(body.locked),
            bullet: unless_equal(body.bullet, &default.bullet),
            can_sleep: unless_equal(body.can_sleep, &default.can_sleep),
            shape: List::unless_empty(body.shapes.iter().cloned().map(ShapeEntry).collect()),
            colour: unless_equal(body.look.colour, &default.look.colour),
            visible: unless_equal(body.look.visible, &default.look.visible),
            style: match body.look.style {
                Style::Plain => None,
                Style::Rocket => Some(WireStyle::Rocket),
            },
        }
    }

    fn into_entry(self) -> Result<BodyEntry, String> {
        let default = Body::default();
        let body = Body {
            id: String::new(),
            kind: match self.kind {
                Some(WireKind::Static) => BodyKind::Static,
                Some(WireKind::Kinematic) => BodyKind::Kinematic,
                Some(WireKind::Dynamic) | None => BodyKind::Dynamic,
                Some(WireKind::Particle) => BodyKind::Particle,
            },
            position: self.position.map_or(default.position, plain),
            orientation: orientation_of(self.quaternion, self.euler_degrees)?,
            velocity: self.velocity.map_or(default.velocity, plain),
            angular_velocity: angular_velocity_of(self.angular_velocity, self.angular_velocity_degrees)?,
            acceleration: self.acceleration.map_or(default.acceleration, plain),
            gravity_scale: self.gravity_scale.map_or(default.gravity_scale, |n| n.0),
            linear_damping: self.linear_damping.map_or(default.linear_damping, |n| n.0),
            angular_damping: self.angular_damping.map_or(default.angular_damping, |n| n.0),
            max_speed: self.max_speed.map(|n| n.0),
            max_angular_speed: self.max_angular_speed.map(|n| n.0),
            mass: mass_of(self.mass, self.centre_of_mass, self.inertia)?,
            locked: locked_by(&self.lock.unwrap_or_default()),
            bullet: self.bullet.unwrap_or(default.bullet),
            can_sleep: self.can_sleep.unwrap_or(default.can_sleep),
            shapes: entries(self.shape).into_iter().map(|entry| entry.0).collect(),
            look: Look {
                colour: self.colour.unwrap_or(default.look.colour),
                visible: self.visible.unwrap_or(default.look.visible),
                style: match self.style {
                    Some(WireStyle::Rocket) => Style::Rocket,
                    Some(WireStyle::Plain) | None => Style::Plain,
                },
            },
        };
        Ok(BodyEntry { id: self.id.map(|id| id.0), body })
    }
}

fn angular_velocity_of(radians: Option<Triple>, degrees: Option<Triple>) -> Result<AngularVelocity, String> {
    Ok(
        match at_most_one(
            "angular velocity",
            ("angular-velocity", radians),
            ("angular-velocity-degrees", degrees),
        )? {
            (Some(angular_velocity), _) => AngularVelocity::Radians(plain(angular_velocity)),
            (None, Some(angular_velocity)) => AngularVelocity::Degrees(plain(angular_velocity)),
            (None, None) => AngularVelocity::ZERO,
        },
    )
}

fn mass_of(mass: Option<Num>, centre: Option<Triple>, inertia: Option<[Num; 6]>) -> Result<Mass, String> {
    match (mass, centre, inertia) {
        (None, None, None) => Ok(Mass::FromDensity),
        (Some(mass), None, None) => Ok(Mass::Total(mass.0)),
        (Some(mass), centre, Some(inertia)) => {
            Ok(Mass::Full { mass: mass.0, centre: centre.map_or([0.0; 3], plain), inertia: plain(inertia) })
        }
        (_, Some(_), None) => Err("`centre-of-mass` needs `mass` and `inertia` beside it".to_owned()),
        (None, _, Some(_)) => Err("`inertia` needs `mass` beside it".to_owned()),
    }
}

fn locks_of(locked: LockedAxes) -> Option<Vec<Lock>> {
    let chosen = |locks: [Lock; 3], on: [bool; 3]| locks.into_iter().zip(on).filter(|(_, on)| *on);
    let locks: Vec<Lock> = chosen(MOVE_LOCKS, locked.translation)
        .chain(chosen(TURN_LOCKS, locked.rotation))
        .map(|(lock, _)| lock)
        .collect();
    (!locks.is_empty()).then_some(locks)
}

fn locked_by(locks: &[Lock]) -> LockedAxes {
    let mut locked = LockedAxes::default();
    for lock in locks {
        let axis = match lock {
            Lock::MoveX => &mut locked.translation[0],
            Lock::MoveY => &mut locked.translation[1],
            Lock::MoveZ => &mut locked.translation[2],
            Lock::TurnX => &mut locked.rotation[0],
            Lock::TurnY => &mut locked.rotation[1],
            Lock::TurnZ => &mut locked.rotation[2],
        };
        *axis = true;
    }
    locked
}
