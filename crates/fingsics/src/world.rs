//! The state of a Fingsics world and its step.
//!
//! Bodies are dense indices in the order they were given. Everything the step touches lies in
//! arrays by index; ids are strings only when a world is built: their order as strings becomes a
//! rank, and contacts are sorted by the ranks of their bodies. In the steady state a step allocates
//! nothing.

use crate::arithmetic::RowMatrix;
use crate::broad_phase::{self as broad, PairFinder, Proxies, refine};
use crate::narrow_phase::{FingsicsContact, PairKind, Posed, collide};
use crate::obb::FingsicsObb;
use carom_broadphase::{Counters, Method, Pair};
use carom_core::clock::{Clock, Stopwatch};
use carom_core::state_hash::StateHasher;
use carom_geometry::Aabb;
use glam::Vec3;

use crate::body::{FingsicsBody, aabb, half_extents};
use crate::motion::{Motion, advance};
use crate::report::FingsicsReport;
use crate::response::{Party, Response};
use crate::rules::Rules;

/// Most pairs that `none` may hand over in a step (2 GiB of them).
const MAX_ALL_PAIRS: u64 = 1 << 28;

/// How a world steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingsicsSettings {
    /// Broad phase.
    pub method: Method,
    /// Rules.
    pub rules: Rules,
    /// Steps per simulated second.
    pub steps_per_second: u32,
}

impl Default for FingsicsSettings {
    fn default() -> Self {
        Self { method: Method::Sap, rules: Rules::default(), steps_per_second: 60 }
    }
}

/// Why a world could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FingsicsWorldError {
    /// A value no body can have.
    #[error("body '{id}': {what} is {value}")]
    BadBody {
        /// Body.
        id: String,
        /// Property.
        what: &'static str,
        /// Its value.
        value: String,
    },
    /// Two bodies with one name.
    #[error("two bodies have the id '{id}'")]
    DuplicateId {
        /// The name.
        id: String,
    },
    /// No step length.
    #[error("steps per second must be at least 1")]
    NoSteps,
    /// More pairs than fit.
    #[error("broad phase 'none' would hand over {pairs} pairs a step; at most {MAX_ALL_PAIRS} fit, use sap")]
    TooManyPairs {
        /// Number of pairs.
        pairs: u64,
    },
    /// More bodies than indices.
    #[error("{0} bodies are more than 2³¹ − 1")]
    TooManyBodies(usize),
}

/// A contact of the current step; `key` orders contacts as Fingsics' map does.
#[derive(Clone, Copy, Debug)]
struct Touching {
    key: u64,
    first: u32,
    second: u32,
    contact: FingsicsContact,
}

/// The world.
pub struct FingsicsWorld {
    settings: FingsicsSettings,
    dt: f32,
    ids: Vec<String>,
    /// Place of each body in the string order of ids.
    ranks: Vec<u32>,
    immovable: Vec<bool>,
    positions: Vec<Vec3>,
    rotations: Vec<RowMatrix>,
    motions: Vec<Motion>,
    masses: Vec<f32>,
    elasticities: Vec<f32>,
    inertias: Vec<Option<Vec3>>,
    /// False for balls that never turned: they use the plain inverse of their inertia.
    turned: Vec<bool>,
    shapes: Vec<Posed>,
    boxes: Vec<Aabb<3>>,
    finder: Option<Box<dyn PairFinder<3>>>,
    refined: Vec<Pair>,
    /// Scratch of `obb`.
    obbs: Vec<FingsicsObb>,
    /// Pairs of the step by kind, the body with the smaller rank first.
    by_kind: [Vec<(u32, u32)>; 5],
    touching: Vec<Touching>,
    /// Keys and depths of the step before, ascending.
    last_depths: Vec<(u64, f32)>,
    response: Response,
    report: FingsicsReport,
    steps: u64,
}

impl std::fmt::Debug for FingsicsWorld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (bodies, steps) = (self.len(), self.steps);
        write!(f, "FingsicsWorld {{ bodies: {bodies}, steps: {steps}, settings: {:?} }}", self.settings)
    }
}

impl FingsicsWorld {
    /// Builds a world of bodies.
    ///
    /// # Errors
    /// If a body has a value it cannot have, an id occurs twice, or the settings do not fit the
    /// number of bodies.
    pub fn new(bodies: &[FingsicsBody], settings: FingsicsSettings) -> Result<Self, FingsicsWorldError> {
        check(bodies, &settings)?;
        let shapes: Vec<Posed> = bodies.iter().map(FingsicsBody::posed).collect();
        let mut response = Response::default();
        response.resize(bodies.len());
        Ok(Self {
            settings,
            dt: 1.0 / settings.steps_per_second as f32,
            ranks: string_ranks(bodies)?,
            ids: bodies.iter().map(|b| b.id.clone()).collect(),
            immovable: bodies.iter().map(|b| b.immovable).collect(),
            positions: bodies.iter().map(|b| b.position).collect(),
            rotations: bodies.iter().map(|b| b.rotation).collect(),
            motions: bodies
                .iter()
                .map(|b| Motion {
                    velocity: b.velocity,
                    angular_velocity: b.angular_velocity,
                    acceleration: b.acceleration,
                })
                .collect(),
            masses: bodies.iter().map(|b| b.mass).collect(),
            elasticities: bodies.iter().map(|b| b.elasticity).collect(),
            inertias: bodies.iter().map(FingsicsBody::inertia).collect(),
            turned: shapes.iter().map(|shape| !matches!(shape, Posed::Ball(_))).collect(),
            boxes: shapes.iter().map(aabb).collect(),
            shapes,
            finder: broad::finder(settings.method),
            refined: Vec::new(),
            obbs: Vec::new(),
            by_kind: Default::default(),
            touching: Vec::new(),
            last_depths: Vec::new(),
            response,
            report: FingsicsReport::default(),
            steps: 0,
        })
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Are there no bodies?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Steps done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Settings it was built with.
    #[must_use]
    pub fn settings(&self) -> &FingsicsSettings {
        &self.settings
    }

    /// Id of a body.
    #[must_use]
    pub fn id(&self, body: u32) -> &str {
        &self.ids[body as usize]
    }

    /// Positions of all bodies.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Orientations of all bodies.
    #[must_use]
    pub fn rotations(&self) -> &[RowMatrix] {
        &self.rotations
    }

    /// Velocity of a body, m/s.
    #[must_use]
    pub fn velocity(&self, body: u32) -> Vec3 {
        self.motions[body as usize].velocity
    }

    /// Angular velocity of a body, rad/s.
    #[must_use]
    pub fn angular_velocity(&self, body: u32) -> Vec3 {
        self.motions[body as usize].angular_velocity
    }

    /// Mass and moments of inertia about its own axes; `None` for a body that impulses do not move.
    /// A tile, which they do not turn, has none.
    #[must_use]
    pub fn mass(&self, body: u32) -> Option<(f32, Vec3)> {
        let at = body as usize;
        (!self.immovable[at]).then(|| (self.masses[at], self.inertias[at].unwrap_or(Vec3::ZERO)))
    }

    /// Axis-aligned boxes of all bodies, as the next step will see them.
    #[must_use]
    pub fn boxes(&self) -> &[Aabb<3>] {
        &self.boxes
    }

    /// Pairs handed to the narrow phase in the last step, the body earlier in string order first.
    pub fn tested_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.by_kind.iter().flatten().copied()
    }

    /// Contacts of the last step, in the order they were answered.
    pub fn contacts(&self) -> impl Iterator<Item = (u32, u32, FingsicsContact)> {
        self.touching.iter().map(|t| (t.first, t.second, t.contact))
    }

    /// Work of the broad phase so far.
    #[must_use]
    pub fn broad_counters(&self) -> Counters {
        self.finder.as_ref().map(|finder| finder.counters()).unwrap_or_default()
    }

    /// Fingerprint of the state: positions, orientations, velocities and angular velocities of all
    /// bodies.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hasher = StateHasher::default();
        for ((position, rotation), motion) in self.positions.iter().zip(&self.rotations).zip(&self.motions) {
            hasher.write(position.to_array());
            rotation.0.iter().for_each(|row| hasher.write(row.to_array()));
            hasher.write(motion.velocity.to_array());
            hasher.write(motion.angular_velocity.to_array());
        }
        hasher.finish()
    }

    /// What the last step did.
    #[must_use]
    pub fn last_report(&self) -> &FingsicsReport {
        &self.report
    }

    /// One step.
    pub fn step(&mut self) -> &FingsicsReport {
        self.report = FingsicsReport {
            quarantined: std::mem::take(&mut self.report.quarantined),
            ..Default::default()
        };
        self.report.quarantined.clear();
        let mut laps = Stopwatch::start(Clock::system());
        self.find_pairs();
        self.report.times.broad = laps.lap();
        self.find_contacts(&mut laps);
        self.respond();
        self.report.times.response = laps.lap();
        self.advance();
        self.report.times.motion = laps.lap();
        self.steps += 1;
        &self.report
    }

    /// Broad phase: pairs into `by_kind`.
    fn find_pairs(&mut self) {
        let proxies = Proxies { boxes: &self.boxes, immovable: &self.immovable };
        let rules = &self.settings.rules;
        let obb = |body: u32| FingsicsObb {
            centre: self.positions[body as usize],
            half: half_extents(&self.shapes[body as usize], rules.obb_quirk),
            axes: self.rotations[body as usize].transposed(),
        };
        let ranks = &self.ranks;
        let in_string_order =
            |p: Pair| if ranks[p.a as usize] < ranks[p.b as usize] { (p.a, p.b) } else { (p.b, p.a) };
        let pairs = match self.finder.as_mut() {
            Some(finder) => {
                let found = finder.pairs(&proxies);
                self.report.candidates = found.len() as u64;
                if self.settings.method.uses_oriented_boxes() {
                    refine::keep(&mut self.refined, found, |pair| {
                        let (first, second) = in_string_order(pair);
                        obb(first).overlaps(&obb(second), rules.parallel_edges())
                    });
                    self.refined.as_slice()
                } else {
                    found
                }
            }
            None => {
                self.report.candidates = refine::all_pairs(
                    &mut self.refined,
                    &mut self.obbs,
                    &proxies,
                    rules.parallel_edges(),
                    obb,
                );
                self.refined.as_slice()
            }
        };
        self.report.tested = pairs.len() as u64;
        self.by_kind.iter_mut().for_each(Vec::clear);
        for &pair in pairs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            if let Some(kind) = PairKind::of(&self.shapes[a], &self.shapes[b]) {
                self.by_kind[kind as usize].push(in_string_order(pair));
            }
        }
    }

    /// Narrow phase: contacts into `touching`, in string order of the first body, then of the
    /// second.
    fn find_contacts(&mut self, laps: &mut Stopwatch) {
        self.touching.clear();
        let quirks = self.settings.rules.quirks;
        for (pairs, kind) in self.by_kind.iter().zip(&mut self.report.kinds) {
            for &(first, second) in pairs {
                let (a, b) = (first as usize, second as usize);
                if let Some(contact) = collide(&self.shapes[a], &self.shapes[b], quirks) {
                    let key = (u64::from(self.ranks[a]) << 32) | u64::from(self.ranks[b]);
                    self.touching.push(Touching { key, first, second, contact });
                }
            }
            kind.tests = pairs.len() as u64;
            kind.time = laps.lap();
            self.report.times.narrow += kind.time;
        }
        self.touching.sort_unstable_by_key(|t| t.key);
        self.report.contacts = self.touching.len() as u64;
        self.report.times.narrow += laps.lap();
    }

    /// Impulses for the contacts that act.
    fn respond(&mut self) {
        let rules = &self.settings.rules;
        let mut last = self.last_depths.iter().peekable();
        for touching in &self.touching {
            while last.next_if(|(key, _)| *key < touching.key).is_some() {}
            let before = last.next_if(|(key, _)| *key == touching.key).map(|&(_, depth)| depth);
            let depth = touching.contact.depth;
            let acts = match before {
                None => true,
                Some(before) if rules.equal_depths_act => depth >= before,
                Some(before) => depth > before,
            };
            if !acts {
                continue;
            }
            self.report.acting += 1;
            let (first, second) = (self.party(touching.first), self.party(touching.second));
            let (inertias, rotations, turned) = (&self.inertias, &self.rotations, &self.turned);
            self.response.queue(&first, &second, touching.contact.point, touching.contact.normal, |body| {
                inverse_inertia(inertias[body as usize], &rotations[body as usize], turned[body as usize])
            });
        }
        self.response.apply(&mut self.motions, &self.masses, rules);
        self.last_depths.clear();
        self.last_depths.extend(self.touching.iter().map(|t| (t.key, t.contact.depth)));
    }

    fn party(&self, body: u32) -> Party {
        let at = body as usize;
        let motion = &self.motions[at];
        Party {
            body,
            immovable: self.immovable[at],
            position: self.positions[at],
            velocity: motion.velocity,
            angular_velocity: motion.angular_velocity,
            mass: self.masses[at],
            elasticity: self.elasticities[at],
        }
    }

    /// Moves all bodies, immovable ones too (they move by their own velocity).
    fn advance(&mut self) {
        for body in 0..self.positions.len() {
            let motion = &mut self.motions[body];
            let moved = advance(
                motion,
                &mut self.positions[body],
                &mut self.rotations[body],
                self.dt,
                &self.settings.rules,
            );
            let Ok(moved) = moved else {
                *motion =
                    Motion { velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, acceleration: Vec3::ZERO };
                self.report.quarantined.push(body as u32);
                continue;
            };
            self.turned[body] |= moved.turned;
            if moved.shifted || moved.turned {
                self.shapes[body].place(self.positions[body], &self.rotations[body]);
                self.boxes[body] = aabb(&self.shapes[body]);
            }
        }
    }
}

/// World inverse inertia: the inverse of `R·I·Rᵀ`, or of `I` for a ball that never turned;
/// zero for a tile.
fn inverse_inertia(inertia: Option<Vec3>, rotation: &RowMatrix, turned: bool) -> RowMatrix {
    match inertia {
        None => RowMatrix([Vec3::ZERO; 3]),
        Some(moments) if turned => rotation.times_diagonal(moments).times_transposed(rotation).inverse(),
        Some(moments) => RowMatrix::diagonal(moments).inverse(),
    }
}

fn check(bodies: &[FingsicsBody], settings: &FingsicsSettings) -> Result<(), FingsicsWorldError> {
    if settings.steps_per_second == 0 {
        return Err(FingsicsWorldError::NoSteps);
    }
    if bodies.len() > i32::MAX as usize {
        return Err(FingsicsWorldError::TooManyBodies(bodies.len()));
    }
    for body in bodies {
        if let Some((what, value)) = body.problem() {
            return Err(FingsicsWorldError::BadBody { id: body.id.clone(), what, value });
        }
    }
    let fixed = bodies.iter().filter(|b| b.immovable).count() as u64;
    let all = bodies.len() as u64;
    let pairs = (all * all.saturating_sub(1) - fixed * fixed.saturating_sub(1)) / 2;
    if settings.method == Method::None && pairs > MAX_ALL_PAIRS {
        return Err(FingsicsWorldError::TooManyPairs { pairs });
    }
    Ok(())
}

/// For each body its place in the string order of the ids ("10" comes before "2").
fn string_ranks(bodies: &[FingsicsBody]) -> Result<Vec<u32>, FingsicsWorldError> {
    let mut order: Vec<u32> = (0..bodies.len() as u32).collect();
    order.sort_by(|&a, &b| bodies[a as usize].id.cmp(&bodies[b as usize].id));
    if let Some(two) = order.windows(2).find(|w| bodies[w[0] as usize].id == bodies[w[1] as usize].id) {
        return Err(FingsicsWorldError::DuplicateId { id: bodies[two[0] as usize].id.clone() });
    }
    let mut ranks = vec![0; bodies.len()];
    for (rank, &body) in order.iter().enumerate() {
        ranks[body as usize] = rank as u32;
    }
    Ok(ranks)
}

#[cfg(test)]
mod tests;
