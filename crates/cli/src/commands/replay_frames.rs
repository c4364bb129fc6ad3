//! Frames of a recording as tables and as JSON, for `carom replay`.

use std::path::Path;

use carom_recording::track::{EventKind, Frame, Recording, Rotation};
use serde_json::{Map, Value, json};

use crate::args::ReplayOptions;
use crate::failure::Failure;
use crate::show::{grouped, line, table};

/// Rows of the table of frames.
const SHOWN_FRAMES: u64 = 12;

/// What it is.
pub(super) fn headline(recording: &Recording, path: &Path) {
    let header = recording.header();
    let (bodies, frames) = (header.names.len(), recording.frames());
    line(format!(
        "{}: {bodies} bodies, {frames} frames at {} Hz, {} bytes ({:.2} per body and frame)",
        path.display(),
        header.steps_per_second,
        grouped(recording.bytes()),
        recording.bytes() as f64 / (bodies.max(1) as f64 * frames.max(1) as f64)
    ));
}

/// The recording for programs; with `--frame`, that frame and the bodies asked for, or all of them.
pub(super) fn facts(
    recording: &mut Recording,
    path: &Path,
    options: &ReplayOptions,
) -> Result<Value, Failure> {
    let header = recording.header();
    let mut facts = json!({
        "recording": path, "bodies": header.names.len(), "frames": recording.frames(),
        "fps": header.steps_per_second, "bytes": recording.bytes(), "complete": recording.is_complete(),
        "velocities": header.channels.velocities, "contacts": header.channels.contacts,
        "events": header.channels.events, "damage": recording.damage().len(), "chunks": recording.chunks(),
    });
    if let Some(number) = options.frame {
        let wanted = numbers(recording, &options.body)?;
        let names = recording.names().to_vec();
        let frame = recording.frame(number)?;
        let places = (0..frame.bodies().len())
            .filter(|place| wanted.is_empty() || wanted.contains(&frame.bodies()[*place]));
        let bodies: Vec<Value> = places.map(|place| body_json(frame, place, &names)).collect();
        facts["frame"] = json!({
            "number": number, "step": frame.stamp().number, "time": frame.stamp().time,
            "state_hash": hash(frame), "bodies": bodies, "contacts": frame.contacts().len(), "events": events(frame),
        });
    }
    Ok(facts)
}

fn body_json(frame: &Frame, place: usize, names: &[String]) -> Value {
    let body = frame.bodies()[place];
    let mut value = json!({"body": body, "name": names.get(body as usize), "position": frame.position(place).to_double()});
    match frame.rotation(place) {
        Rotation::Quaternion(turn) => value["quaternion"] = json!(turn),
        Rotation::Rows(rows) => value["rows"] = json!(rows),
    }
    if let Some([a, b, c, d, e, f]) = frame.velocities().get(place) {
        value["velocity"] = json!([a, b, c]);
        value["angular_velocity"] = json!([d, e, f]);
        // The name before; programs may read it.
        value["spin"] = json!([d, e, f]);
    }
    value
}

/// The fingerprint that was recorded with a frame; not every frame has one.
fn hash(frame: &Frame) -> Option<String> {
    let hash = frame.stamp().state_hash;
    (hash != 0).then(|| format!("{hash:016x}"))
}

/// How many events of each kind there are.
fn events(frame: &Frame) -> Map<String, Value> {
    let count = |kind: EventKind| frame.events().iter().filter(|event| event.kind == kind).count();
    let counted = EventKind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0);
    counted.map(|(kind, count)| (kind.name().to_owned(), count.into())).collect()
}

/// Where everything is, every so many frames; a frame that is lost has a row that says so.
pub(super) fn overview(recording: &mut Recording) {
    let frames = recording.frames();
    let mut table = table(["frame", "time s", "bodies", "centre x", "y", "z", "lowest y", "highest y"], 0);
    let rows = SHOWN_FRAMES.min(frames);
    for row in 0..rows {
        let number = if rows > 1 { row * (frames - 1) / (rows - 1) } else { 0 };
        table.add_row(match recording.frame(number) {
            Ok(frame) => overview_row(number, frame),
            Err(_) => vec![number.to_string(), "damaged".to_owned()],
        });
    }
    line(table.to_string());
}

fn overview_row(number: u64, frame: &Frame) -> Vec<String> {
    let count = frame.bodies().len();
    let (mut sum, mut low, mut high) = ([0.0; 3], f64::INFINITY, f64::NEG_INFINITY);
    for place in 0..count {
        let position = frame.position(place).to_double();
        (0..3).for_each(|k| sum[k] += position[k] / count as f64);
        (low, high) = (low.min(position[1]), high.max(position[1]));
    }
    let mut cells = vec![number.to_string(), format!("{:.3}", frame.stamp().time), grouped(count as u64)];
    if count > 0 {
        cells.extend(sum.into_iter().chain([low, high]).map(|value| format!("{value:.3}")));
    }
    cells
}

/// One line about a frame.
pub(super) fn moment(frame: &Frame, number: u64) {
    let stamp = frame.stamp();
    let mut text = format!(
        "frame {number}, step {}, {:.4} s, {} bodies",
        stamp.number,
        stamp.time,
        frame.bodies().len()
    );
    if !frame.contacts().is_empty() {
        text += &format!(", {} contact points", grouped(frame.contacts().len() as u64));
    }
    for (kind, count) in events(frame) {
        text += &format!(", {count} {kind}");
    }
    if let Some(hash) = hash(frame) {
        text += &format!(", state {hash}");
    }
    line(text);
}

/// Some bodies in a frame, with all digits.
pub(super) fn bodies_of_frame(
    recording: &mut Recording,
    number: u64,
    wanted: &[String],
) -> Result<(), Failure> {
    let bodies = numbers(recording, wanted)?;
    let names = recording.names().to_vec();
    let frame = recording.frame(number)?;
    moment(frame, number);
    for body in bodies {
        let name = &names[body as usize];
        let Some(place) = frame.index_of(body) else {
            line(format!("{name} (body {body}): not there"));
            continue;
        };
        line(format!("{name} (body {body})"));
        line(format!("  position    {:?}", frame.position(place).to_double()));
        match frame.rotation(place) {
            Rotation::Quaternion(turn) => line(format!("  quaternion  {turn:?}")),
            Rotation::Rows(rows) => rows.chunks(3).for_each(|row| line(format!("  rotation    {row:?}"))),
        }
        if let Some([a, b, c, d, e, f]) = frame.velocities().get(place) {
            line(format!("  velocity    {:?}", [a, b, c]));
            line(format!("  angular velocity {:?}", [d, e, f]));
        }
    }
    Ok(())
}

/// The ways of some bodies, a row per frame.
pub(super) fn courses(recording: &mut Recording, options: &ReplayOptions) -> Result<(), Failure> {
    let bodies = numbers(recording, &options.body)?;
    let mut number = 0;
    while number < recording.frames() {
        let names: Vec<String> =
            bodies.iter().map(|body| recording.names()[*body as usize].clone()).collect();
        let frame = recording.frame(number)?;
        for (body, name) in bodies.iter().zip(&names) {
            if let Some(place) = frame.index_of(*body) {
                let [x, y, z] = frame.position(place).to_double();
                line(format!("{:.4} s  {name}  {x:.6} {y:.6} {z:.6}", frame.stamp().time));
            }
        }
        number += u64::from(options.stride);
    }
    Ok(())
}

/// Bodies by name or number.
fn numbers(recording: &Recording, wanted: &[String]) -> Result<Vec<u32>, Failure> {
    let names = recording.names();
    wanted
        .iter()
        .map(|word| {
            let by_name = names.iter().position(|name| name == word);
            let by_number = || word.parse().ok().filter(|number: &usize| *number < names.len());
            let found = by_name.or_else(by_number).ok_or_else(|| {
                Failure::new(format!("there is no body '{word}' in the recording")).with_hint(format!(
                    "bodies have names, and numbers from 0 to {}",
                    names.len().saturating_sub(1)
                ))
            })?;
            Ok(found as u32)
        })
        .collect()
}
