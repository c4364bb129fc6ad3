//! Rules about joints, motors and springs.

use std::fmt::Display;

use super::report::Report;
use crate::model::{Anchors, AxisFreedom, Freedom, Joint, JointKind, Limits, Motor, SpringLaw};

/// Checks the numbers of one joint; `place` names it.
pub(super) fn check(joint: &Joint, place: &dyn Display, report: &mut Report) {
    match joint.anchors {
        Anchors::World(point) => {
            report.finite(place, "anchor", &point);
        }
        Anchors::Local(a, b) => {
            report.finite(place, "first anchor", &a);
            report.finite(place, "second anchor", &b);
        }
    }
    report.positive(place, "breaking force", joint.break_force.as_slice());
    report.positive(place, "breaking torque", joint.break_torque.as_slice());
    kind(&joint.kind, place, report);
}

fn kind(kind: &JointKind, place: &dyn Display, report: &mut Report) {
    match kind {
        JointKind::Boundary { min, max } => report.ordered(place, "boundary", min, max),
        JointKind::Rod { length } => report.positive(place, "rod length", length.as_slice()),
        JointKind::Rope { length } => report.positive(place, "rope length", length.as_slice()),
        JointKind::Spring { rest_length, law } => {
            report.not_negative(place, "spring rest length", rest_length.as_slice());
            spring(Some(*law), place, report);
        }
        JointKind::Distance { min, max, rest_length, spring: law } => {
            report.not_negative(place, "least distance", min.as_slice());
            report.not_negative(place, "greatest distance", max.as_slice());
            if let (Some(min), Some(max)) = (min, max) {
                report.ordered(place, "distance", &[*min], &[*max]);
            }
            report.not_negative(place, "rest length", rest_length.as_slice());
            spring(*law, place, report);
        }
        JointKind::Ball { cone, twist, axis, spring: law, friction } => {
            report.not_negative(place, "cone", cone.as_slice());
            range(*twist, "twist", place, report);
            report.direction(place, "ball axis", *axis);
            spring(*law, place, report);
            report.not_negative(place, "ball friction", friction.as_slice());
        }
        JointKind::Hinge { axis, limits, motor: drive, spring: law } => {
            report.direction(place, "hinge axis", *axis);
            range(*limits, "hinge limits", place, report);
            motor(*drive, place, report);
            spring(*law, place, report);
        }
        JointKind::Slider { axis, limits, motor: drive, spring: law } => {
            report.direction(place, "slider axis", *axis);
            range(*limits, "slider limits", place, report);
            motor(*drive, place, report);
            spring(*law, place, report);
        }
        JointKind::Fixed { spring: law } => spring(*law, place, report),
        JointKind::Universal { axis_a, axis_b } => {
            report.direction(place, "first axis", *axis_a);
            report.direction(place, "second axis", *axis_b);
        }
        JointKind::Wheel { suspension, axle, spring: law, travel, motor: drive, steering } => {
            report.direction(place, "suspension", *suspension);
            report.direction(place, "axle", *axle);
            spring(*law, place, report);
            range(*travel, "suspension travel", place, report);
            motor(*drive, place, report);
            freedom(steering, place, report);
        }
        JointKind::Generic { axes } => axes.iter().for_each(|axis| freedom(axis, place, report)),
    }
}

fn freedom(axis: &AxisFreedom, place: &dyn Display, report: &mut Report) {
    if let Freedom::Limited(limits) = axis.freedom {
        range(Some(limits), "limits", place, report);
    }
    motor(axis.motor, place, report);
    spring(axis.spring, place, report);
}

fn range(limits: Option<Limits>, name: &str, place: &dyn Display, report: &mut Report) {
    if let Some(Limits { min, max }) = limits {
        report.ordered(place, name, &[min], &[max]);
    }
}

/// Checks a motor's numbers.
pub(super) fn motor(motor: Option<Motor>, place: &dyn Display, report: &mut Report) {
    let Some(motor) = motor else { return };
    report.finite(place, "motor velocity", &[motor.velocity]);
    report.finite(place, "motor position", motor.position.as_slice());
    report.not_negative(place, "motor stiffness", &[motor.stiffness]);
    report.not_negative(place, "motor damping", &[motor.damping]);
    report.not_negative(place, "motor force", motor.max_force.as_slice());
}

fn spring(law: Option<SpringLaw>, place: &dyn Display, report: &mut Report) {
    match law {
        None => {}
        Some(SpringLaw::Hooke { stiffness, damping }) => {
            report.not_negative(place, "spring stiffness", &[stiffness]);
            report.not_negative(place, "spring damping", &[damping]);
        }
        Some(SpringLaw::Tuned { hertz, ratio }) => {
            report.not_negative(place, "spring hertz", &[hertz]);
            report.not_negative(place, "spring damping ratio", &[ratio]);
        }
    }
}

/// True if an event may set the motor of such a joint.
pub(super) fn has_drive(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Hinge { .. } | JointKind::Slider { .. } | JointKind::Wheel { .. })
}
