//! Joints on the wire: like a shape, a flat table in which one key names the kind.
//!
//! `bodies` lists one body (held to the world) or two. `at` is an anchor in world coordinates,
//! `anchors` gives one in each body's frame. Ranges are pairs `[min, max]`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{Id, Num, Triple, at_most_one, exactly_one, plain, unless, unless_equal, wire};
use super::wire_drive::{
    WireFreedom, WireLaw, WireMotor, freedom_of, freedom_on_wire, law_of, range_of, range_on_wire, spring_of,
};
use crate::model::{Anchors, AxisFreedom, Joint, JointKind, Limits, Motor, SpringLaw};

/// Axis of a hinge, slider or ball joint that gives none: up.
const UP: [f32; 3] = [0.0, 1.0, 0.0];

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Boundary {
    min: Triple,
    max: Triple,
}

/// Rod and rope.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Length {
    length: Option<Num>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Spring {
    rest_length: Option<Num>,
    stiffness: Option<Num>,
    damping: Option<Num>,
    hertz: Option<Num>,
    damping_ratio: Option<Num>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Distance {
    min: Option<Num>,
    max: Option<Num>,
    rest_length: Option<Num>,
    spring: Option<WireLaw>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Ball {
    cone: Option<Num>,
    twist: Option<[Num; 2]>,
    axis: Option<Triple>,
    spring: Option<WireLaw>,
    friction: Option<Num>,
}

/// Hinge and slider.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct OneAxis {
    axis: Option<Triple>,
    limits: Option<[Num; 2]>,
    motor: Option<WireMotor>,
    spring: Option<WireLaw>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Fixed {
    spring: Option<WireLaw>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Universal {
    axis_a: Triple,
    axis_b: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Wheel {
    suspension: Option<Triple>,
    axle: Triple,
    spring: Option<WireLaw>,
    travel: Option<[Num; 2]>,
    motor: Option<WireMotor>,
    steering: Option<WireFreedom>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Generic {
    move_x: Option<WireFreedom>,
    move_y: Option<WireFreedom>,
    move_z: Option<WireFreedom>,
    turn_x: Option<WireFreedom>,
    turn_y: Option<WireFreedom>,
    turn_z: Option<WireFreedom>,
}

/// Every key a joint can have.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireJoint {
    id: Option<Id>,
    bodies: Vec<Id>,
    at: Option<Triple>,
    anchors: Option<[Triple; 2]>,
    boundary: Option<Boundary>,
    rod: Option<Length>,
    rope: Option<Length>,
    spring: Option<Spring>,
    distance: Option<Distance>,
    ball: Option<Ball>,
    hinge: Option<OneAxis>,
    slider: Option<OneAxis>,
    fixed: Option<Fixed>,
    universal: Option<Universal>,
    wheel: Option<Wheel>,
    generic: Option<Generic>,
    collide: Option<bool>,
    break_force: Option<Num>,
    break_torque: Option<Num>,
}

/// A joint as it stands in a file: without an id its index is its id.
#[derive(Clone, Debug)]
pub(super) struct JointEntry {
    id: Option<String>,
    joint: Joint,
}

impl JointEntry {
    /// The entry of the joint with this index.
    pub(super) fn new(joint: Joint, index: usize) -> Self {
        Self { id: unless_equal(joint.id.clone(), &index.to_string()), joint }
    }

    /// The joint at this index.
    pub(super) fn into_model(self, index: usize) -> Joint {
        Joint { id: self.id.unwrap_or_else(|| index.to_string()), ..self.joint }
    }
}

impl<'de> Deserialize<'de> for JointEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireJoint::deserialize(deserializer)?.into_entry().map_err(D::Error::custom)
    }
}

impl Serialize for JointEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WireJoint::from_entry(self).serialize(serializer)
    }
}

impl Generic {
    fn new(axes: [AxisFreedom; 6]) -> Self {
        let [move_x, move_y, move_z, turn_x, turn_y, turn_z] = axes.map(freedom_on_wire);
        Self { move_x, move_y, move_z, turn_x, turn_y, turn_z }
    }

    fn into_kind(self) -> Result<JointKind, String> {
        Ok(JointKind::Generic {
            axes: [
                freedom_of("move-x", self.move_x)?,
                freedom_of("move-y", self.move_y)?,
                freedom_of("move-z", self.move_z)?,
                freedom_of("turn-x", self.turn_x)?,
                freedom_of("turn-y", self.turn_y)?,
                freedom_of("turn-z", self.turn_z)?,
            ],
        })
    }
}

impl OneAxis {
    fn new(
        axis: [f32; 3],
        limits: Option<Limits>,
        motor: Option<Motor>,
        spring: Option<SpringLaw>,
    ) -> Option<Self> {
        Some(Self {
            axis: unless(axis, UP),
            limits: limits.map(range_on_wire),
            motor: motor.map(Into::into),
            spring: spring.map(Into::into),
        })
    }

    fn into_hinge(self) -> Result<JointKind, String> {
        Ok(JointKind::Hinge {
            axis: self.axis.map_or(UP, plain),
            limits: self.limits.map(range_of),
            motor: self.motor.map(Into::into),
            spring: spring_of(self.spring)?,
        })
    }

    fn into_slider(self) -> Result<JointKind, String> {
        Ok(JointKind::Slider {
            axis: self.axis.map_or(UP, plain),
            limits: self.limits.map(range_of),
            motor: self.motor.map(Into::into),
            spring: spring_of(self.spring)?,
        })
    }
}

impl Spring {
    fn into_kind(self) -> Result<JointKind, String> {
        let Self { rest_length, stiffness, damping, hertz, damping_ratio } = self;
        Ok(JointKind::Spring {
            rest_length: rest_length.map(|n| n.0),
            law: law_of(WireLaw { stiffness, damping, hertz, damping_ratio })?,
        })
    }
}

impl Distance {
    fn into_kind(self) -> Result<JointKind, String> {
        Ok(JointKind::Distance {
            min: self.min.map(|n| n.0),
            max: self.max.map(|n| n.0),
            rest_length: self.rest_length.map(|n| n.0),
            spring: spring_of(self.spring)?,
        })
    }
}

impl Ball {
    fn into_kind(self) -> Result<JointKind, String> {
        Ok(JointKind::Ball {
            cone: self.cone.map(|n| n.0),
            twist: self.twist.map(range_of),
            axis: self.axis.map_or(UP, plain),
            spring: spring_of(self.spring)?,
            friction: self.friction.map(|n| n.0),
        })
    }
}

impl Fixed {
    fn into_kind(self) -> Result<JointKind, String> {
        Ok(JointKind::Fixed { spring: spring_of(self.spring)? })
    }
}

impl Wheel {
    fn into_kind(self) -> Result<JointKind, String> {
        Ok(JointKind::Wheel {
            suspension: self.suspension.map_or(UP, plain),
            axle: plain(self.axle),
            spring: spring_of(self.spring)?,
            travel: self.travel.map(range_of),
            motor: self.motor.map(Into::into),
            steering: freedom_of("steering", self.steering)?,
        })
    }
}

impl WireJoint {
    fn from_entry(JointEntry { id, joint }: &JointEntry) -> Self {
        let (at, anchors) = match joint.anchors {
            Anchors::World(point) => (Some(wire(point)), None),
            Anchors::Local(a, b) => {
                let is_default = unless(a, [0.0; 3]).is_none() && unless(b, [0.0; 3]).is_none();
                (None, (!is_default).then(|| [wire(a), wire(b)]))
            }
        };
        let mut keys = Self {
            id: id.clone().map(Id),
            bodies: std::iter::once(&joint.a).chain(&joint.b).cloned().map(Id).collect(),
            at,
            anchors,
            boundary: None,
            rod: None,
            rope: None,
            spring: None,
            distance: None,
            ball: None,
            hinge: None,
            slider: None,
            fixed: None,
            universal: None,
            wheel: None,
            generic: None,
            collide: unless_equal(joint.collide, &false),
            break_force: joint.break_force.map(Num),
            break_torque: joint.break_torque.map(Num),
        };
        keys.set_kind(&joint.kind);
        keys
    }

    fn set_kind(&mut self, kind: &JointKind) {
        match *kind {
            JointKind::Boundary { min, max } => {
                self.boundary = Some(Boundary { min: wire(min), max: wire(max) });
            }
            JointKind::Rod { length } => self.rod = Some(Length { length: length.map(Num) }),
            JointKind::Rope { length } => self.rope = Some(Length { length: length.map(Num) }),
            JointKind::Spring { rest_length, law } => {
                let WireLaw { stiffness, damping, hertz, damping_ratio } = law.into();
                let rest_length = rest_length.map(Num);
                self.spring = Some(Spring { rest_length, stiffness, damping, hertz, damping_ratio });
            }
            JointKind::Distance { min, max, rest_length, spring } => {
                self.distance = Some(Distance {
                    min: min.map(Num),
                    max: max.map(Num),
                    rest_length: rest_length.map(Num),
                    spring: spring.map(Into::into),
                });
            }
            JointKind::Ball { cone, twist, axis, spring, friction } => {
                self.ball = Some(Ball {
                    cone: cone.map(Num),
                    twist: twist.map(range_on_wire),
                    axis: unless(axis, UP),
                    spring: spring.map(Into::into),
                    friction: friction.map(Num),
                });
            }
            JointKind::Hinge { axis, limits, motor, spring } => {
                self.hinge = OneAxis::new(axis, limits, motor, spring);
            }
            JointKind::Slider { axis, limits, motor, spring } => {
                self.slider = OneAxis::new(axis, limits, motor, spring);
            }
            JointKind::Fixed { spring } => self.fixed = Some(Fixed { spring: spring.map(Into::into) }),
            JointKind::Universal { axis_a, axis_b } => {
                self.universal = Some(Universal { axis_a: wire(axis_a), axis_b: wire(axis_b) });
            }
            JointKind::Wheel { suspension, axle, spring, travel, motor, steering } => {
                self.wheel = Some(Wheel {
                    suspension: unless(suspension, UP),
                    axle: wire(axle),
                    spring: spring.map(Into::into),
                    travel: travel.map(range_on_wire),
                    motor: motor.map(Into::into),
                    steering: freedom_on_wire(steering),
                });
            }
            JointKind::Generic { axes } => self.generic = Some(Generic::new(axes)),
        }
    }

    fn into_entry(mut self) -> Result<JointEntry, String> {
        let mut bodies = std::mem::take(&mut self.bodies).into_iter().map(|id| id.0);
        let (a, b) = match (bodies.next(), bodies.next(), bodies.next()) {
            (Some(a), b, None) => (a, b),
            (None, ..) => return Err("`bodies` is empty: name one body or two".to_owned()),
            (_, _, Some(_)) => return Err("`bodies` names more than two".to_owned()),
        };
        let anchors = match at_most_one("anchor", ("at", self.at), ("anchors", self.anchors))? {
            (Some(point), _) => Anchors::World(plain(point)),
            (None, Some([a, b])) => Anchors::Local(plain(a), plain(b)),
            (None, None) => Anchors::default(),
        };
        let (id, collide) = (self.id.take().map(|id| id.0), self.collide.unwrap_or(false));
        let (break_force, break_torque) = (self.break_force.map(|n| n.0), self.break_torque.map(|n| n.0));
        let kind = self.into_kind()?;
        let joint = Joint { id: String::new(), a, b, anchors, kind, collide, break_force, break_torque };
        Ok(JointEntry { id, joint })
    }

    fn into_kind(self) -> Result<JointKind, String> {
        let length = |keys: Length| keys.length.map(|n| n.0);
        let kinds = [
            ("boundary", self.boundary.map(|b| JointKind::Boundary { min: plain(b.min), max: plain(b.max) })),
            ("rod", self.rod.map(|keys| JointKind::Rod { length: length(keys) })),
            ("rope", self.rope.map(|keys| JointKind::Rope { length: length(keys) })),
            ("spring", self.spring.map(Spring::into_kind).transpose()?),
            ("distance", self.distance.map(Distance::into_kind).transpose()?),
            ("ball", self.ball.map(Ball::into_kind).transpose()?),
            ("hinge", self.hinge.map(OneAxis::into_hinge).transpose()?),
            ("slider", self.slider.map(OneAxis::into_slider).transpose()?),
            ("fixed", self.fixed.map(Fixed::into_kind).transpose()?),
            (
                "universal",
                self.universal
                    .map(|u| JointKind::Universal { axis_a: plain(u.axis_a), axis_b: plain(u.axis_b) }),
            ),
            ("wheel", self.wheel.map(Wheel::into_kind).transpose()?),
            ("generic", self.generic.map(Generic::into_kind).transpose()?),
        ];
        exactly_one("the joint", kinds)
    }
}
