//! What drives and limits the coordinates of a joint, on the wire: motors, springs, ranges and
//! degrees of freedom.

use serde::{Deserialize, Serialize};

use super::scalar::{Num, unless_one, wire};
use crate::model::{AxisFreedom, Freedom, Limits, Motor, SpringLaw};

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct WireMotor {
    velocity: Option<Num>,
    position: Option<Num>,
    stiffness: Option<Num>,
    damping: Option<Num>,
    max_force: Option<Num>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct WireLaw {
    pub(super) stiffness: Option<Num>,
    pub(super) damping: Option<Num>,
    pub(super) hertz: Option<Num>,
    pub(super) damping_ratio: Option<Num>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct WireFreedom {
    free: Option<bool>,
    limits: Option<[Num; 2]>,
    motor: Option<WireMotor>,
    spring: Option<WireLaw>,
}

/// A range from its pair.
pub(super) fn range_of([min, max]: [Num; 2]) -> Limits {
    Limits { min: min.0, max: max.0 }
}

/// A range as a pair.
pub(super) fn range_on_wire(limits: Limits) -> [Num; 2] {
    wire([limits.min, limits.max])
}

impl From<Motor> for WireMotor {
    fn from(motor: Motor) -> Self {
        Self {
            velocity: unless_one(motor.velocity, 0.0),
            position: motor.position.map(Num),
            stiffness: unless_one(motor.stiffness, 0.0),
            damping: unless_one(motor.damping, 0.0),
            max_force: motor.max_force.map(Num),
        }
    }
}

impl From<WireMotor> for Motor {
    fn from(motor: WireMotor) -> Self {
        Self {
            velocity: motor.velocity.map_or(0.0, |n| n.0),
            position: motor.position.map(|n| n.0),
            stiffness: motor.stiffness.map_or(0.0, |n| n.0),
            damping: motor.damping.map_or(0.0, |n| n.0),
            max_force: motor.max_force.map(|n| n.0),
        }
    }
}

impl From<SpringLaw> for WireLaw {
    fn from(law: SpringLaw) -> Self {
        let none = Self { stiffness: None, damping: None, hertz: None, damping_ratio: None };
        match law {
            SpringLaw::Hooke { stiffness, damping } => {
                Self { stiffness: Some(Num(stiffness)), damping: unless_one(damping, 0.0), ..none }
            }
            SpringLaw::Tuned { hertz, ratio } => {
                Self { hertz: Some(Num(hertz)), damping_ratio: unless_one(ratio, 0.0), ..none }
            }
        }
    }
}

/// The law of its keys: `stiffness` with `damping`, or `hertz` with `damping-ratio`.
pub(super) fn law_of(law: WireLaw) -> Result<SpringLaw, String> {
    let or_zero = |number: Option<Num>| number.map_or(0.0, |n| n.0);
    match (law.stiffness, law.hertz) {
        (Some(stiffness), None) if law.damping_ratio.is_none() => {
            Ok(SpringLaw::Hooke { stiffness: stiffness.0, damping: or_zero(law.damping) })
        }
        (None, Some(hertz)) if law.damping.is_none() => {
            Ok(SpringLaw::Tuned { hertz: hertz.0, ratio: or_zero(law.damping_ratio) })
        }
        _ => Err("a spring has either `stiffness` and `damping`, or `hertz` and `damping-ratio`".to_owned()),
    }
}

/// The same for a spring that may be left out.
pub(super) fn spring_of(law: Option<WireLaw>) -> Result<Option<SpringLaw>, String> {
    law.map(law_of).transpose()
}

/// Everything at its default means a locked coordinate and is left out.
pub(super) fn freedom_on_wire(axis: AxisFreedom) -> Option<WireFreedom> {
    if axis == AxisFreedom::default() {
        return None;
    }
    let (free, limits) = match axis.freedom {
        Freedom::Locked => (None, None),
        Freedom::Limited(limits) => (None, Some(range_on_wire(limits))),
        Freedom::Free => (Some(true), None),
    };
    Some(WireFreedom { free, limits, motor: axis.motor.map(Into::into), spring: axis.spring.map(Into::into) })
}

/// A coordinate from its keys; `name` is for the message.
pub(super) fn freedom_of(name: &str, axis: Option<WireFreedom>) -> Result<AxisFreedom, String> {
    let Some(axis) = axis else { return Ok(AxisFreedom::default()) };
    let freedom = match (axis.free.unwrap_or(false), axis.limits) {
        (true, Some(_)) => return Err(format!("`{name}` is both free and limited; keep one")),
        (true, None) => Freedom::Free,
        (false, Some(limits)) => Freedom::Limited(range_of(limits)),
        (false, None) => Freedom::Locked,
    };
    Ok(AxisFreedom { freedom, motor: axis.motor.map(Into::into), spring: spring_of(axis.spring)? })
}
