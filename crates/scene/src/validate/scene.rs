//! Rules about the scene as a whole: settings, fields, events, and references from part to part.

use std::collections::{HashMap, HashSet};

use super::Cause;
use super::report::{At, Report};
use super::{body, joint};
use crate::limits;
use crate::model::{Action, Camera, Event, Field, FieldKind, JointKind, Region, Scene};
use crate::nearest::nearest;

/// Most ids that are compared for a "did you mean".
const SUGGEST_FROM: usize = 1000;

/// Names seen so far.
struct Known<'a> {
    bodies: HashSet<&'a str>,
    joints: HashMap<&'a str, &'a JointKind>,
}

/// Checks everything.
pub(super) fn check(scene: &Scene, report: &mut Report) {
    report.short_name(&"scene: name", &scene.name);
    settings(scene, report);
    for (what, count) in [
        ("bodies", scene.bodies.len()),
        ("joints", scene.joints.len()),
        ("fields", scene.fields.len()),
        ("events", scene.events.len()),
    ] {
        report.at_most(&format_args!("scene: number of {what}"), count, limits::MAX_ITEMS);
    }
    let mut known = Known { bodies: HashSet::with_capacity(scene.bodies.len()), joints: HashMap::new() };
    for body in &scene.bodies {
        let place = format_args!("body {:?}", body.id);
        body::check(body, &place, report);
        if !known.bodies.insert(&body.id) {
            report.add(Cause::Duplicate, &place, "id", "is used by an earlier body");
        }
    }
    // Joints hold what is there at the start; spawned bodies may be named by events, whatever the
    // order in the file.
    joints(scene, &mut known, report);
    for (index, field) in scene.fields.iter().enumerate() {
        check_field(field, index, report);
    }
    spawned(scene, &mut known, report);
    for (index, event) in scene.events.iter().enumerate() {
        check_event(event, index, &known, report);
    }
}

fn settings(scene: &Scene, report: &mut Report) {
    report.finite(&"world", "gravity", &scene.world.gravity);
    if let Some(value) = scene.world.origin.iter().find(|value| !value.is_finite()) {
        report.add(Cause::NotFinite, &"world: origin", value, "is not a finite number");
    }
    let solver = &scene.solver;
    for (name, value) in [
        ("solver: steps per second", solver.steps_per_second),
        ("solver: substeps", solver.substeps),
        ("solver: iterations", solver.iterations),
    ] {
        if value == Some(0) {
            report.add(Cause::OutOfRange, &name, 0, "must be at least 1");
        }
    }
    match scene.camera {
        Camera::Orbit { distance, pitch, yaw, target } => {
            report.positive(&"camera", "distance", &[distance]);
            report.finite(&"camera", "angles", &[pitch, yaw]);
            report.finite(&"camera", "target", &target);
        }
        Camera::Free { position, pitch, yaw } => {
            report.finite(&"camera", "position", &position);
            report.finite(&"camera", "angles", &[pitch, yaw]);
        }
    }
}

fn joints<'a>(scene: &'a Scene, known: &mut Known<'a>, report: &mut Report) {
    for joint in &scene.joints {
        let place = format_args!("joint {:?}", joint.id);
        report.name(&At(&place, "id"), &joint.id);
        if known.joints.insert(&joint.id, &joint.kind).is_some() {
            report.add(Cause::Duplicate, &place, "id", "is used by an earlier joint");
        }
        for id in std::iter::once(&joint.a).chain(&joint.b) {
            known_body(id, &At(&place, "body"), known, report);
        }
        if joint.b.as_ref() == Some(&joint.a) {
            report.add(Cause::Inconsistent, &place, format_args!("{:?}", joint.a), "is joined with itself");
        }
        joint::check(joint, &place, report);
    }
}

fn known_body(id: &str, place: &At<'_>, known: &Known<'_>, report: &mut Report) {
    if !known.bodies.contains(id) {
        report.add(Cause::Unknown, place, format_args!("{id:?}"), "is not a body of the scene");
        suggest(id, known.bodies.iter().copied(), known.bodies.len(), report);
    }
}

fn suggest<'a>(id: &str, names: impl Iterator<Item = &'a str>, count: usize, report: &mut Report) {
    if count > SUGGEST_FROM {
        return;
    }
    // Sorted, so that the advice does not depend on the order of a hash table.
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    if let Some(near) = nearest(id, names) {
        report.hint(format!("did you mean {near:?}?"));
    }
}

fn check_field(field: &Field, index: usize, report: &mut Report) {
    let place = format_args!("field {index}");
    match field.region {
        Region::Everywhere => {}
        Region::Box { min, max } => report.ordered(&place, "region", &min, &max),
        Region::Sphere { centre, radius } => {
            report.finite(&place, "region centre", &centre);
            report.positive(&place, "region radius", &[radius]);
        }
    }
    match field.kind {
        FieldKind::Uniform { acceleration } => {
            report.finite(&place, "acceleration", &acceleration);
        }
        FieldKind::Attractor { centre, strength, softening } => {
            report.finite(&place, "centre", &centre);
            report.finite(&place, "strength", &[strength]);
            report.positive(&place, "softening", &[softening]);
        }
        FieldKind::Drag { wind, linear, quadratic } => {
            report.finite(&place, "wind", &wind);
            report.not_negative(&place, "drag", &[linear, quadratic]);
        }
        FieldKind::Vortex { centre, axis, strength } => {
            report.finite(&place, "centre", &centre);
            report.direction(&place, "axis", axis);
            report.finite(&place, "strength", &[strength]);
        }
        FieldKind::Buoyancy { level, density, drag } => {
            report.finite(&place, "level", &[level]);
            report.not_negative(&place, "density", &[density]);
            report.not_negative(&place, "drag", &[drag]);
        }
    }
}

fn spawned<'a>(scene: &'a Scene, known: &mut Known<'a>, report: &mut Report) {
    for (index, event) in scene.events.iter().enumerate() {
        let Action::Spawn(body) = &event.action else { continue };
        let place = format_args!("event {index} body {:?}", body.id);
        body::check(body, &place, report);
        if !known.bodies.insert(&body.id) {
            report.add(Cause::Duplicate, &place, "id", "is used by an earlier body");
        }
    }
}

fn check_event(event: &Event, index: usize, known: &Known<'_>, report: &mut Report) {
    let place = format_args!("event {index}");
    report.not_negative(&place, "time", &[event.time]);
    match &event.action {
        Action::Spawn(_) => {} // checked above, with the names
        Action::Remove { body } => known_body(body, &At(&place, "body"), known, report),
        Action::SetMotor { joint, motor } => {
            joint::motor(*motor, &place, report);
            match known.joints.get(joint.as_str()) {
                None => {
                    report.add(
                        Cause::Unknown,
                        &At(&place, "joint"),
                        format_args!("{joint:?}"),
                        "is not a joint of the scene",
                    );
                    suggest(joint, known.joints.keys().copied(), known.joints.len(), report);
                }
                Some(kind) if !joint::has_drive(kind) => {
                    let reason = format!("is a {} joint, which has no motor", kind.name());
                    report.add(Cause::Inconsistent, &At(&place, "joint"), format_args!("{joint:?}"), &reason);
                    report.hint("hinges, sliders and wheels have one");
                }
                Some(_) => {}
            }
        }
        Action::SetVelocity { body, velocity } => {
            known_body(body, &At(&place, "body"), known, report);
            report.finite(&place, "velocity", velocity);
        }
        Action::Impulse { body, impulse, point } => {
            known_body(body, &At(&place, "body"), known, report);
            report.finite(&place, "impulse", impulse);
            report.finite(&place, "point", point.as_ref().map_or(&[], |p| p.as_slice()));
        }
        Action::SetGravity { gravity } => {
            report.finite(&place, "gravity", gravity);
        }
    }
}
