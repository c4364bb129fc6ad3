//! Where two runs part: the first frame, stage, body and field in which they differ.
//!
//! Both are stepped side by side and compared to the bit after every step. States decide: runs whose pairs differ while
//! everything stays where it is have not parted (a finer broad phase may leave out pairs that do not touch), but that is told.
//! When states differ, the step is looked through in the order it was done: pairs, contacts, velocities, places.

use std::fmt;

use carom_dynamics::ContactRef;
use glam::DVec3;

use crate::session::bodies::{BodyState, Turn};
use crate::session::{Session, SessionError};

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
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Setup => "scene as loaded",
            Self::Broad => "broad phase",
            Self::Narrow => "narrow phase",
            Self::Response => "response",
            Self::Motion => "motion",
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
    /// First frame whose pairs differ.
    pub pairs_differ: Option<u64>,
}

/// Steps both to the end of the shorter one, or to the first difference; `progress` hears of each step.
///
/// # Errors
/// If one of them cannot go on.
pub fn compare(
    first: &mut Session,
    second: &mut Session,
    mut progress: impl FnMut() -> std::ops::ControlFlow<()>,
) -> Result<Compared, SessionError> {
    let mut compared = Compared { frames: 1, divergence: None, pairs_differ: None };
    compared.divergence = difference(first, second, |_, _| Stage::Setup);
    let frames = first.frames().min(second.frames());
    while compared.divergence.is_none() && compared.frames < frames {
        first.step()?;
        second.step()?;
        let same_pairs = pairs(first) == pairs(second);
        if !same_pairs && compared.pairs_differ.is_none() {
            compared.pairs_differ = Some(first.steps());
        }
        compared.divergence = difference(first, second, |a, b| stage(first, second, same_pairs, a, b));
        compared.frames += 1;
        if progress().is_break() {
            break;
        }
    }
    Ok(compared)
}

fn states(session: &Session) -> Vec<BodyState> {
    let mut states = Vec::new();
    session.for_each_body(|body| states.push(body));
    states.sort_unstable_by_key(|body| body.number);
    states
}

/// The first body and field in which states differ.
fn difference(
    first: &Session,
    second: &Session,
    stage: impl Fn(&[BodyState], &[BodyState]) -> Stage,
) -> Option<Divergence> {
    let (a, b) = (states(first), states(second));
    let (mut found, mut bodies) = (None, 0);
    let (mut at, mut other) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let number = match (at.peek(), other.peek()) {
            (None, None) => break,
            (Some(x), Some(y)) => x.number.min(y.number),
            (Some(x), None) | (None, Some(x)) => x.number,
        };
        let pair = [at.next_if(|x| x.number == number), other.next_if(|x| x.number == number)];
        let Some((field, values)) = first_field(pair) else { continue };
        bodies += 1;
        found.get_or_insert((number, field, values));
    }
    let (body, field, values) = found?;
    let name = first.body_name(body).or_else(|| second.body_name(body)).unwrap_or("?").to_owned();
    Some(Divergence { frame: first.steps(), stage: stage(&a, &b), body, name, field, values, bodies })
}

/// Velocities come first: a place that differs in the same step follows from them.
fn first_field(pair: [Option<&BodyState>; 2]) -> Option<(&'static str, [Option<f64>; 2])> {
    let [Some(a), Some(b)] = pair else {
        return Some(("present", pair.map(|body| body.map(|_| 1.0))));
    };
    let fields = |body: &BodyState| {
        let (v, s, p) = (body.velocity.as_dvec3(), body.spin.as_dvec3(), body.position);
        [
            ("velocity.x", v.x),
            ("velocity.y", v.y),
            ("velocity.z", v.z),
            ("spin.x", s.x),
            ("spin.y", s.y),
            ("spin.z", s.z),
            ("position.x", p.x),
            ("position.y", p.y),
            ("position.z", p.z),
        ]
    };
    let differing = |((name, x), (_, y)): ((&'static str, f64), (&'static str, f64))| {
        (x.to_bits() != y.to_bits()).then_some((name, [Some(x), Some(y)]))
    };
    fields(a).into_iter().zip(fields(b)).find_map(differing).or_else(|| turned(a.turn, b.turn))
}

fn turned(a: Turn, b: Turn) -> Option<(&'static str, [Option<f64>; 2])> {
    let differ = |(x, y): (&f32, &f32)| {
        let values = [Some(f64::from(*x)), Some(f64::from(*y))];
        (x.to_bits() != y.to_bits()).then_some(("rotation", values))
    };
    match (a, b) {
        (Turn::Quaternion(a), Turn::Quaternion(b)) => a.iter().zip(&b).find_map(differ),
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
    let velocities = |states: &[BodyState]| -> Vec<(u32, [u32; 6])> {
        let bits = |body: &BodyState| {
            let [a, b, c] = body.velocity.to_array().map(f32::to_bits);
            let [d, e, f] = body.spin.to_array().map(f32::to_bits);
            (body.number, [a, b, c, d, e, f])
        };
        states.iter().map(bits).collect()
    };
    if velocities(a) == velocities(b) { Stage::Motion } else { Stage::Response }
}

/// Pairs that the narrow phase looked at, by numbers, sorted.
fn pairs(session: &Session) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = match (session.compatible(), session.engine()) {
        (Some(world), _) => world.tested_pairs().map(|(a, b)| [a.min(b), a.max(b)]).collect(),
        (None, Some(built)) => built.world.contacts().map(|contact| numbers(session, &contact)).collect(),
        (None, None) => Vec::new(),
    };
    pairs.sort_unstable();
    pairs
}

/// Pairs that have contact points, by numbers, sorted.
fn contact_bodies(session: &Session) -> Vec<[u32; 2]> {
    contacts(session).into_iter().map(|(pair, _)| pair).collect()
}

/// Contacts to the bit: who, and normal, depth and place of each point.
fn contacts(session: &Session) -> Vec<([u32; 2], [u64; 7])> {
    let bits = |point: DVec3, normal: glam::Vec3, depth: f32| {
        let [x, y, z] = point.to_array().map(f64::to_bits);
        let [u, v, w] = normal.to_array().map(|n| u64::from(n.to_bits()));
        [x, y, z, u, v, w, u64::from(depth.to_bits())]
    };
    let mut all = Vec::new();
    if let Some(world) = session.compatible() {
        all.extend(world.contacts().map(|(a, b, contact)| {
            ([a.min(b), a.max(b)], bits(contact.point.as_dvec3(), contact.normal, contact.depth))
        }));
    } else if let Some(built) = session.engine() {
        for contact in built.world.contacts() {
            let pair = numbers(session, &contact);
            // Where the point lies follows from where the bodies went; what the narrow phase said is the rest.
            all.extend(contact.points().map(|p| (pair, bits(DVec3::ZERO, glam::Vec3::ZERO, p.separation))));
        }
    }
    all.sort_unstable();
    all
}

fn numbers(session: &Session, contact: &ContactRef<'_>) -> [u32; 2] {
    let [a, b] = contact.bodies().map(|id| id.and_then(|id| session.number_of(id)).unwrap_or(u32::MAX));
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use carom_scene::Scene;
    use carom_scene::model::{Body, Shape, ShapeKind};

    use super::*;
    use crate::task::Task;

    fn compared(tasks: [Task; 2]) -> Compared {
        let [mut a, mut b] = tasks.map(|task| Session::new(task.prepare().unwrap()).unwrap());
        compare(&mut a, &mut b, || ControlFlow::Continue(())).unwrap()
    }

    fn task(scene: &str, change: impl FnOnce(&mut Task)) -> Task {
        let mut task = Task { scene: scene.to_owned(), frames: Some(60), ..Task::default() };
        change(&mut task);
        task
    }

    #[test]
    fn runs_that_must_be_equal_are() {
        for change in [
            (|t| t.threads = 3) as fn(&mut Task),
            |t| t.lanes = "scalar".parse().unwrap(),
            |t| t.broad = Some("grid".parse().unwrap()),
        ] {
            let found = compared([task("pile:30", |_| {}), task("pile:30", change)]);
            assert_eq!((found.frames, found.divergence, found.pairs_differ), (60, None, None));
        }
    }

    #[test]
    fn finer_pairs_are_told_and_are_no_divergence() {
        let broad = |name: &str| {
            let choice = name.parse().unwrap();
            task("capsules:8?n=60", move |t| t.broad = Some(choice))
        };
        let found = compared([broad("sap"), broad("sapobb")]);
        assert_eq!(found.divergence, None);
        assert!(found.pairs_differ.is_some());
    }

    #[test]
    fn the_first_difference_is_found() {
        let seeds = [1, 2].map(|seed| task("box:20", |t| t.seed = Some(seed)));
        let found = compared(seeds).divergence.unwrap();
        assert_eq!((found.frame, found.stage), (0, Stage::Setup));

        // Two balls meet after half a second; one of them is a little larger in the second run.
        let scene = |radius: f32| {
            let ball = |id: &str, x: f32, speed: f32, radius: f32| Body {
                id: id.into(),
                position: [x, 0.0, 0.0],
                velocity: [speed, 0.0, 0.0],
                shapes: vec![Shape::new(ShapeKind::Sphere { radius })],
                ..Body::default()
            };
            let bodies = vec![ball("left", -1.0, 1.0, 0.5), ball("right", 1.0, -1.0, radius)];
            Scene { bodies, ..Scene::default() }
        };
        for solver in ["soft-step", "fingsics"] {
            let [mut a, mut b] = [0.5, 0.501].map(|radius| {
                let task = task("", |t| t.solver = Some(solver.parse().unwrap()));
                Session::new(task.prepare_with(scene(radius)).unwrap()).unwrap()
            });
            let found = compare(&mut a, &mut b, || ControlFlow::Continue(())).unwrap().divergence.unwrap();
            assert!((29..=31).contains(&found.frame), "{solver}: {found:?}");
            assert!(matches!(found.stage, Stage::Narrow | Stage::Broad), "{solver}: {found:?}");
            assert_eq!((found.name.as_str(), found.field), ("left", "velocity.x"), "{solver}: {found:?}");
        }
    }
}
