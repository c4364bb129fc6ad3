//! Rules about bodies: their state, mass and shapes.

use std::fmt::Display;

use super::Cause;
use super::report::{At, Numbers, Report};
use super::shape;
use crate::limits;
use crate::model::{Body, BodyKind, Mass, Orientation};

/// Checks one body; `place` names it.
pub(super) fn check(body: &Body, place: &dyn Display, report: &mut Report) {
    report.name(&At(place, "id"), &body.id);
    report.finite(place, "position", &body.position);
    orientation(body.orientation, place, report);
    report.finite(place, "velocity", &body.velocity);
    report.finite(place, "angular velocity", &body.angular_velocity.components());
    report.finite(place, "acceleration", &body.acceleration);
    report.finite(place, "gravity scale", &[body.gravity_scale]);
    report.not_negative(place, "linear damping", &[body.linear_damping]);
    report.not_negative(place, "angular damping", &[body.angular_damping]);
    report.not_negative(place, "highest speed", body.max_speed.as_slice());
    report.not_negative(place, "highest angular speed", body.max_angular_speed.as_slice());
    mass(body, place, report);
    report.at_most(&At(place, "number of shapes"), body.shapes.len(), limits::MAX_SHAPES_PER_BODY);
    for (index, shape) in body.shapes.iter().enumerate() {
        let place = ShapePlace { body: place, index };
        shape::check(shape, body.kind, &place, report);
    }
}

struct ShapePlace<'a> {
    body: &'a dyn Display,
    index: usize,
}

impl Display for ShapePlace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} shape {}", self.body, self.index)
    }
}

/// A quaternion is normalised later, so it must have a length; angles may be anything finite.
pub(super) fn orientation(orientation: Orientation, place: &dyn Display, report: &mut Report) {
    match orientation {
        Orientation::Quaternion(q) => {
            if report.finite(place, "quaternion", &q) && q == [0.0; 4] {
                report.add(Cause::OutOfRange, &At(place, "quaternion"), Numbers(&q), "is no rotation");
                report.hint("no rotation is [0, 0, 0, 1]");
            }
        }
        Orientation::EulerDegrees(degrees) => {
            report.finite(place, "euler angles", &degrees);
        }
    }
}

fn mass(body: &Body, place: &dyn Display, report: &mut Report) {
    let moves = !body.kind.is_immovable();
    let check_mass = |mass: f32, report: &mut Report| {
        if moves {
            report.positive(place, "mass", &[mass]);
        } else {
            // Nothing weighs a static body, but a negative mass is a slip of the pen all the same.
            report.not_negative(place, "mass", &[mass]);
        }
    };
    match body.mass {
        Mass::FromDensity => without_mass(body, place, report),
        Mass::Total(mass) => check_mass(mass, report),
        Mass::Full { mass, centre, inertia } => {
            check_mass(mass, report);
            report.finite(place, "centre of mass", &centre);
            report.finite(place, "inertia", &inertia);
            let turns = body.kind == BodyKind::Dynamic;
            if turns {
                report.not_negative(place, "moments of inertia", &inertia[..3]);
            }
        }
    }
}

/// A body that moves by forces needs a mass from somewhere: solid shapes with density, or a number.
fn without_mass(body: &Body, place: &dyn Display, report: &mut Report) {
    if body.kind != BodyKind::Dynamic {
        return;
    }
    if body.shapes.is_empty() {
        report.add(
            Cause::Inconsistent,
            &At(place, "shapes"),
            "none",
            "and no mass given: a dynamic body needs one",
        );
        report.hint("add a shape or `mass`, or make it a `particle`");
    } else if !body.shapes.iter().any(|shape| shape::has_volume(&shape.kind) && shape.material.density != 0.0)
    {
        let kind = body.shapes[0].kind.name();
        report.add(
            Cause::Inconsistent,
            &At(place, "mass"),
            kind,
            "weighs nothing: a dynamic body needs a mass",
        );
        report.hint("give `mass`, a density above 0, or `kind = \"static\"`");
    }
}
