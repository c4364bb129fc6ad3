//! Which kinds of joints make sense, and which constraint rows each kind may have.

use super::{Axis, JointKind, Motor, Spring, SpringLaw};
use crate::state::error::WorldError;
use crate::state::impulses::JointClass;

/// Which rows a kind of joint may have.
pub(crate) fn class_of(kind: &JointKind) -> JointClass {
    match kind {
        JointKind::Distance { .. } => JointClass::Line,
        JointKind::Ball { cone: None, twist: None, friction: 0.0, spring: None } => JointClass::Point,
        _ => JointClass::Any,
    }
}

/// Refuses a kind whose numbers make no sense; `id` goes into the message.
pub(crate) fn check_kind(kind: &JointKind, id: &dyn std::fmt::Display) -> Result<(), WorldError> {
    let check = |axis: &Axis| check_axis(axis, id);
    match kind {
        JointKind::Distance { range, spring } => {
            if range[0] < 0.0 {
                return Err(WorldError::value(id, "range", range, "a distance is not below 0"));
            }
            if range[0].is_infinite() {
                return Err(WorldError::value(id, "range", range, "the least distance must be finite"));
            }
            check(&Axis { range: Some(*range), spring: *spring, ..Axis::FREE })
        }
        JointKind::Ball { cone, twist, friction, spring } => {
            if let Some(cone) = cone
                && !(*cone >= 0.0 && *cone <= std::f32::consts::PI)
            {
                return Err(WorldError::value(id, "cone", cone, "give an angle from 0 to π"));
            }
            if !(*friction >= 0.0 && friction.is_finite()) {
                return Err(WorldError::value(id, "friction", friction, "give a number not below 0"));
            }
            check(&Axis { range: *twist, spring: *spring, ..Axis::FREE })
        }
        JointKind::Hinge(axis) | JointKind::Slider(axis) => check(axis),
        JointKind::Fixed { spring } => check(&Axis { spring: *spring, ..Axis::FREE }),
        JointKind::Universal(axes) => axes.iter().try_for_each(check),
        JointKind::Wheel { suspension, steering, spin } => {
            [suspension, steering, spin].into_iter().try_for_each(check)
        }
        JointKind::SixAxis { linear, angular } => linear.iter().chain(angular).try_for_each(check),
    }
}

fn check_axis(axis: &Axis, id: &dyn std::fmt::Display) -> Result<(), WorldError> {
    if let Some([low, high]) = axis.range
        && !(low <= high && low < f32::INFINITY && high > f32::NEG_INFINITY)
    {
        return Err(WorldError::value(id, "range", [low, high], "give the lower end first"));
    }
    let is_strength = |number: f32| number >= 0.0 && number.is_finite();
    if let Some(motor) = axis.motor {
        let Motor { speed, max, position, stiffness, damping } = motor;
        if !(speed.is_finite() && max >= 0.0) {
            let hint = "give a finite speed and a largest force not below 0";
            return Err(WorldError::value(id, "motor", (speed, max), hint));
        }
        if !(position.is_finite() && is_strength(stiffness) && is_strength(damping)) {
            let hint = "give a finite position, and a stiffness and a damping not below 0";
            return Err(WorldError::value(id, "motor", (position, stiffness, damping), hint));
        }
    }
    if let Some(Spring { law, rest }) = axis.spring {
        let (strength, damping, hint) = match law {
            SpringLaw::Tuned { hertz, damping_ratio } => {
                (hertz, damping_ratio, "give a frequency and a damping ratio not below 0, and a finite rest")
            }
            SpringLaw::Hooke { stiffness, damping } => {
                (stiffness, damping, "give a stiffness and a damping not below 0, and a finite rest")
            }
        };
        if !(is_strength(strength) && is_strength(damping) && rest.is_finite()) {
            return Err(WorldError::value(id, "spring", (strength, damping, rest), hint));
        }
    }
    Ok(())
}
