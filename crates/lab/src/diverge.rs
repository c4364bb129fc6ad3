//! Where two runs part: the first frame, stage, body and field in which they differ.
//!
//! Runs are simulated side by side, or read from recordings, and compared to the bit in every step
//! that both have. States decide: runs whose pairs differ while everything stays where it is have
//! not parted (a finer broad phase may leave out pairs that do not touch), but that is told. When
//! states differ, the step is looked through in the order it was done: pairs, contacts, velocities,
//! places; of a recording as far as it tells.

mod course;

use std::fmt;
use std::ops::ControlFlow;

use carom_sim::Contact;
use carom_sim::bodies::{BodyState, Orientation};
use carom_sim::contact::ContactEvaluation;

use crate::session::Session;
pub use course::{CompareError, Course, Recorded};

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The scene as loaded.
    Setup,
    /// Pairs.
    Broad,
    /// Contacts.
    Narrow,
    /// Velocities.
    Response,
    /// Places.
    Motion,
    /// A recording of places alone does not tell.
    Untold,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Setup => "scene as loaded",
            Self::Broad => "broad phase",
            Self::Narrow => "narrow phase",
            Self::Response => "response",
            Self::Motion => "motion",
            Self::Untold => "stage unknown",
        })
    }
}

/// The first difference of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// Frame, from 0 for the scene as loaded.
    pub frame: u64,
    /// Where in the step it came about.
    pub stage: Stage,
    /// Number of the body.
    pub body: u32,
    /// Its name.
    pub name: String,
    /// What differs, such as `velocity.y`.
    pub field: &'static str,
    /// In both runs; `None` if the body is not there.
    pub values: [Option<f64>; 2],
    /// Bodies whose states differ in this frame.
    pub bodies: usize,
}

/// What the comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Frames that were compared.
    pub frames: u64,
    /// The first difference.
    pub divergence: Option<Divergence>,
    /// First frame whose pairs differ, of two that are simulated.
    pub pairs_differ: Option<u64>,
    /// All bodies are equal in the last frame, and the fingerprints of the whole state, of two that
    /// are simulated, are not: something that is carried over into the next step differs.
    pub hidden: bool,
}

/// Compares two runs to the end of the shorter one, or to the first difference; `progress` hears of
/// each frame.
///
/// # Errors
/// If one of them cannot go on, or they have no step in common.
pub fn compare(
    first: &mut Course,
    second: &mut Course,
    mut progress: impl FnMut() -> ControlFlow<()>,
) -> Result<Compared, CompareError> {
    let mut compared = Compared { frames: 0, divergence: None, pairs_differ: None, hidden: false };
    while meet(first, second)? {
        let states = [first.states()?, second.states()?];
        let same_pairs = match (first.session(), second.session()) {
            (Some(a), Some(b)) => a.steps() == 0 || pairs(a) == pairs(b),
            _ => true,
        };
        if !same_pairs && compared.pairs_differ.is_none() {
            compared.pairs_differ = Some(first.step());
        }
        compared.divergence = difference(first, second, &states, same_pairs)?;
        compared.frames += 1;
        let is_over = compared.divergence.is_some() || progress().is_break();
        if is_over || !first.advance()? || !second.advance()? {
            break;
        }
    }
    if compared.frames == 0 {
        return Err(CompareError::NothingInCommon);
    }
    if let (None, Some(a), Some(b)) = (&compared.divergence, first.session(), second.session()) {
        compared.hidden = a.steps() == b.steps()
            && a.info().name == b.info().name
            && a.simulation().state_hash() != b.simulation().state_hash();
    }
    Ok(compared)
}

/// Lets the one that is behind go on until both stand at the same step; false if they do not meet.
fn meet(first: &mut Course, second: &mut Course) -> Result<bool, CompareError> {
    while first.step() != second.step() {
        let behind = if first.step() < second.step() { &mut *first } else { &mut *second };
        if !behind.advance()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first body and field in which states differ.
fn difference(
    first: &mut Course,
    second: &mut Course,
    states: &[Vec<BodyState>; 2],
    same_pairs: bool,
) -> Result<Option<Divergence>, CompareError> {
    let [a, b] = states;
    let known = Known {
        speeds: first.has_speeds() && second.has_speeds(),
        in_single: first.is_single() || second.is_single(),
    };
    let (mut found, mut bodies) = (None, 0);
    let (mut at, mut other) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let number = match (at.peek(), other.peek()) {
            (None, None) => break,
            (Some(x), Some(y)) => x.number.min(y.number),
            (Some(x), None) | (None, Some(x)) => x.number,
        };
        let pair = [at.next_if(|x| x.number == number), other.next_if(|x| x.number == number)];
        let Some((field, values)) = known.first_field(pair) else { continue };
        bodies += 1;
        found.get_or_insert((number, field, values));
    }
    let Some((body, field, values)) = found else { return Ok(None) };
    let stage = match (first.session(), second.session()) {
        _ if first.step() == 0 => Stage::Setup,
        (Some(x), Some(y)) => stage(x, y, same_pairs, a, b),
        _ => recorded_stage(first, second, states)?,
    };
    let name = first.name(body).or_else(|| second.name(body)).unwrap_or("?").to_owned();
    Ok(Some(Divergence { frame: first.step(), stage, body, name, field, values, bodies }))
}

/// How far two runs can be compared.
struct Known {
    speeds: bool,
    /// Are places of one of them `f32`?
    in_single: bool,
}

impl Known {
    /// Velocities come first: a place that differs in the same step follows from them.
    fn first_field(&self, pair: [Option<&BodyState>; 2]) -> Option<(&'static str, [Option<f64>; 2])> {
        let [Some(a), Some(b)] = pair else {
            return Some(("present", pair.map(|body| body.map(|_| 1.0))));
        };
        let speeds = |body: &BodyState| {
            let (v, s) = (body.velocity.as_dvec3(), body.angular_velocity.as_dvec3());
            [
                ("velocity.x", v.x),
                ("velocity.y", v.y),
                ("velocity.z", v.z),
                ("spin.x", s.x),
                ("spin.y", s.y),
                ("spin.z", s.z),
            ]
        };
        let places = |body: &BodyState| {
            let p = if self.in_single { body.position.as_vec3().as_dvec3() } else { body.position };
            [("position.x", p.x), ("position.y", p.y), ("position.z", p.z)]
        };
        let differing = |((name, x), (_, y)): ((&'static str, f64), (&'static str, f64))| {
            (x.to_bits() != y.to_bits()).then_some((name, [Some(x), Some(y)]))
        };
        let in_speeds = || speeds(a).into_iter().zip(speeds(b)).find_map(differing);
        let in_places = || places(a).into_iter().zip(places(b)).find_map(differing);
        let found = if self.speeds { in_speeds() } else { None };
        found.or_else(in_places).or_else(|| orientation_field(a.orientation, b.orientation))
    }
}

fn orientation_field(a: Orientation, b: Orientation) -> Option<(&'static str, [Option<f64>; 2])> {
    let differ = |(x, y): (&f32, &f32)| {
        let values = [Some(f64::from(*x)), Some(f64::from(*y))];
        (x.to_bits() != y.to_bits()).then_some(("rotation", values))
    };
    match (a, b) {
        (Orientation::Quaternion(a), Orientation::Quaternion(b)) => a.iter().zip(&b).find_map(differ),
        // The same way of keeping it for both, so that runs of two solvers can be compared.
        (a, b) => a.rows().iter().zip(&b.rows()).find_map(differ),
    }
}

/// The stage of the step in which states came to differ.
fn stage(first: &Session, second: &Session, same_pairs: bool, a: &[BodyState], b: &[BodyState]) -> Stage {
    if !same_pairs && contact_bodies(first) != contact_bodies(second) {
        return Stage::Broad;
    }
    if contacts(first) != contacts(second) {
        return Stage::Narrow;
    }
    if speeds(a) == speeds(b) { Stage::Motion } else { Stage::Response }
}

/// The same as far as recordings tell.
fn recorded_stage(
    first: &mut Course,
    second: &mut Course,
    [a, b]: &[Vec<BodyState>; 2],
) -> Result<Stage, CompareError> {
    if let (Some(x), Some(y)) = (first.recorded_contacts()?, second.recorded_contacts()?)
        && x != y
    {
        return Ok(Stage::Narrow);
    }
    Ok(match first.has_speeds() && second.has_speeds() {
        true if speeds(a) == speeds(b) => Stage::Motion,
        true => Stage::Response,
        false => Stage::Untold,
    })
}

/// Velocities of bodies to the bit.
fn speeds(states: &[BodyState]) -> Vec<(u32, [u32; 6])> {
    let bits = |body: &BodyState| {
        let [a, b, c] = body.velocity.to_array().map(f32::to_bits);
        let [d, e, f] = body.angular_velocity.to_array().map(f32::to_bits);
        (body.number, [a, b, c, d, e, f])
    };
    states.iter().map(bits).collect()
}

/// Pairs that the narrow phase looked at, by numbers, sorted.
fn pairs(session: &Session) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    session.simulation().tested_pairs(&mut pairs);
    pairs.sort_unstable();
    pairs
}

/// Pairs that have contact points, by numbers, sorted.
fn contact_bodies(session: &Session) -> Vec<[u32; 2]> {
    contacts(session).into_iter().map(|(pair, _)| pair).collect()
}

/// What the narrow phase said of contacts, to the bit: who, and normal, depth and position of each
/// point.
fn contacts(session: &Session) -> Vec<([u32; 2], [u64; 7])> {
    // Points that are evaluated later follow from where the bodies went; only depths are its own.
    let is_exact = session.info().contact_evaluation == ContactEvaluation::NarrowPhase;
    let mut all = Vec::new();
    session.simulation().contacts(&mut all);
    let bits = |contact: &Contact| {
        let (mut point, mut normal) = ([0; 3], [0; 3]);
        if is_exact {
            point = contact.point.to_array().map(f64::to_bits);
            normal = contact.normal.to_array().map(|n| u64::from(n.to_bits()));
        }
        let ([x, y, z], [u, v, w], [a, b]) = (point, normal, contact.bodies);
        ([a.min(b), a.max(b)], [x, y, z, u, v, w, u64::from(contact.depth.to_bits())])
    };
    let mut all: Vec<([u32; 2], [u64; 7])> = all.iter().map(bits).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests;
