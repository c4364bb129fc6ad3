//! Islands that are solved in the same substeps: rows of their bodies, colours, lanes.
//!
//! Bodies get a row in the order of their slots; joints, then contacts, get colours in their own order,
//! and the sweeps go over lanes of them colour by colour ([`crate::solver`]).

// That threads take different bodies is known here, not to the compiler.
#![allow(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use carom_core::prefetch::prefetch_at;
use carom_core::threads::{DisjointSlice, ThreadPool};
use glam::Vec3;

use crate::solver::colour::{Palette, Stage};
use crate::solver::integrate::{damped, limited};
use crate::solver::joint_constraints::Lower;
use crate::solver::joint_rows::{JointBody, JointRows, JointSource, JointTotal};
use crate::solver::movers::{Lock, Movers, Pull};
use crate::solver::prepare::{Side, Source};
use crate::solver::rotation::{turn_constrained, turned_by};
use crate::solver::rows::{BodyRow, FIXED, Part, padded, vector};
use crate::solver::softness::Softness;
use crate::solver::stages::Kinds;
use crate::solver::substeps::Substeps;
use crate::solver::wide::Wide;
use crate::state::bodies::{Bodies, BodyState, Drive, Journey, flag};
use crate::state::contacts::Contacts;
use crate::state::contacts::Touch;
use crate::state::id::NONE;
use crate::state::impulses::JointClass;
use crate::state::islands::LEVELS;
use crate::state::joints::{JointRow, Joints, Load};
use crate::state::motion::{MassRow, Motion};
use crate::state::settings::WorldDef;
use crate::state::shapes::Shapes;

/// Damping ratio of limits of joints: like contacts, they should not bounce.
const LIMIT_DAMPING: f32 = 2.0;

/// Rows that one thread brings back at a time.
const ROWS_OF_PART: usize = 256;

/// How a batch is divided in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Number of substeps.
    pub(crate) count: u32,
    /// How many times that of the world.
    pub(crate) times: u32,
    /// Length of a substep.
    pub(crate) h: f32,
    /// Length of the substeps of every level in the last step: impulses are carried over in proportion. 0 before the first step.
    pub(crate) last: [f32; LEVELS.len()],
    /// The level of the batch.
    pub(crate) level: u8,
}

impl Pace {
    /// What impulses of a level of the last step come to in substeps of this one.
    fn scale(&self, level: u8) -> f32 {
        let last = self.last[usize::from(level)];
        if last > 0.0 { self.h / last } else { 1.0 }
    }
}

/// Islands that are solved together.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// Touches to be solved, by number.
    pub(crate) touches: Vec<u32>,
    /// Slots of the joints to be solved.
    pub(crate) joints: Vec<u32>,
    movers: Movers,
    /// A bit for every body that has a constraint.
    marks: Vec<u64>,
    /// Slots of the bodies of the rows; the first row belongs to nobody.
    body_of_row: Vec<u32>,
    palette: Palette,
    stages: Vec<Stage>,
    joint_stages: Vec<Stage>,
    joint_rows: Box<JointRows>,
    wide: Wide,
}

/// What a batch came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Solved {
    /// Bodies with a row.
    pub(crate) rows: u32,
    /// Colours that were used.
    pub(crate) colours: u32,
    /// Contacts and joints that found no colour.
    pub(crate) crowded: u32,
    /// Bodies that were solved in more substeps than the others.
    pub(crate) stiff: u32,
}

impl Batch {
    pub(crate) fn new(def: &WorldDef) -> Self {
        Self {
            touches: Vec::new(),
            joints: Vec::new(),
            movers: Movers::default(),
            marks: Vec::new(),
            body_of_row: Vec::new(),
            palette: Palette::default(),
            stages: Vec::new(),
            joint_stages: Vec::new(),
            joint_rows: Box::default(),
            wide: Wide::new(def.lanes),
        }
    }

    /// Lanes of the sweeps.
    pub(crate) fn width(&self) -> usize {
        self.wide.width()
    }

    /// Solves the contacts and joints of the batch over a step and moves their bodies. Bodies that left the finite numbers are
    /// put back and stopped; their slots go to `quarantined`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of the world that the solver reads and writes, each by name"
    )]
    pub(crate) fn run(
        &mut self,
        def: &WorldDef,
        dt: f32,
        pace: &Pace,
        touches: &[Touch],
        bodies: &mut Bodies,
        shapes: &Shapes,
        contacts: &mut Contacts,
        joints: &mut Joints,
        quarantined: &mut Vec<u32>,
        pool: &mut ThreadPool,
    ) -> Solved {
        let h = pace.h;
        self.assign_rows(def, h, touches, bodies, joints);
        let mut solved = Solved { rows: self.movers.rows.len() as u32 - 1, ..Solved::default() };
        if self.movers.rows.len() == 1 {
            return solved;
        }
        self.colour(touches, bodies, joints, &mut solved);
        self.fill(def, pace, touches, bodies, shapes, contacts, pool);
        self.fill_joints(def, pace, bodies, joints);
        self.wide.seal();
        let substeps =
            Substeps { count: pace.count, h, max_push: def.max_push, bounce_threshold: def.bounce_threshold };
        self.wide.run(&substeps, &mut self.movers, pool);
        self.wide.for_each_result(pace.count, |touch, impulses| {
            let touch = &touches[touch as usize];
            let slot = touch.contact as usize;
            if touch.level != pace.level {
                contacts.heads[slot].level = pace.level;
            }
            match if touch.has_parts { contacts.composites[slot].as_deref_mut() } else { None } {
                Some(composite) => composite.impulses[usize::from(touch.part)] = impulses,
                None => contacts.impulses[slot] = impulses,
            }
        });
        let Joints { rows, impulses, loads, .. } = joints;
        self.wide.keep_joints(impulses, |joint, total| {
            let row = &mut rows[joint as usize];
            row.level = pace.level;
            loads[joint as usize] = load_of(row, &total, dt, bodies);
        });
        self.finish(dt, bodies, quarantined, pool);
        solved
    }

    fn assign_rows(
        &mut self,
        def: &WorldDef,
        h: f32,
        touches: &[Touch],
        bodies: &mut Bodies,
        joints: &Joints,
    ) {
        self.movers.clear();
        self.body_of_row.clear();
        self.body_of_row.push(NONE);
        // In the order of their slots, in which their memory lies.
        self.marks.clear();
        self.marks.resize(bodies.rows.len().div_ceil(64), 0);
        for &slot in &self.joints {
            mark(&mut self.marks, joints.rows[slot as usize].bodies);
        }
        for &number in &self.touches {
            mark(&mut self.marks, touches[number as usize].bodies);
        }
        for at in 0..self.marks.len() {
            let mut word = self.marks[at];
            while word != 0 {
                let body = at as u32 * 64 + word.trailing_zeros();
                word &= word - 1;
                if bodies.state[body as usize].is_moved() {
                    self.add_row(def, h, body, bodies);
                }
            }
        }
    }

    /// Gives a body a row.
    fn add_row(&mut self, def: &WorldDef, h: f32, body: u32, bodies: &mut Bodies) {
        let at = body as usize;
        let row = self.movers.rows.len() as u32;
        bodies.rows[at] = row;
        let (motion, mass, drive) = (&bodies.motion[at], &bodies.mass[at], &mut bodies.drive[at]);
        let root = if mass.root_mass > 0.0 { 1.0 / mass.root_mass } else { 0.0 };
        let spin = motion.rotation.rotate_back(motion.spin);
        self.movers.rows.push(BodyRow::new(motion.velocity * root, mass.scaled(spin)));
        let mut pull = Pull {
            linear: padded((def.gravity * drive.gravity_scale + drive.acceleration) * (root * h)),
            ..Pull::default()
        };
        if bodies.state[at].has(flag::DRIVEN) {
            let force = vector(pull.linear) + drive.force * (mass.root_mass * h);
            let torque = motion.rotation.rotate_back(drive.torque) * mass.root_inertia * h;
            pull = Pull {
                linear: padded(force),
                angular: padded(torque),
                linear_damping: damped(drive.linear_damping, h),
                angular_damping: damped(drive.angular_damping, h),
            };
            drive.force = Vec3::ZERO;
            drive.torque = Vec3::ZERO;
            if drive.is_plain() {
                bodies.state[at].flags &= !flag::DRIVEN;
            }
        }
        self.movers.pulls.push(pull);
        self.body_of_row.push(body);
        if bodies.state[at].has(flag::LOCKED)
            && let Some(cold) = bodies.cold.get(body)
        {
            self.movers.locks.push(Lock::new(row, &cold.locked, motion.rotation, mass));
        }
    }

    fn colour(&mut self, touches: &[Touch], bodies: &Bodies, joints: &Joints, solved: &mut Solved) {
        self.wide.clear();
        self.joint_stages.clear();
        if !self.joints.is_empty() {
            self.palette.clear(self.movers.rows.len());
        }
        for &slot in &self.joints {
            let joint = &joints.rows[slot as usize];
            let [a, b] = joint.bodies.map(|body| row_of(bodies, body));
            let stage = self.palette.stage(a, b);
            solved.crowded += u32::from(stage.is_crowded());
            self.joint_stages.push(stage);
            self.wide.announce_joint(stage, joint.class);
        }
        self.palette.clear(self.movers.rows.len());
        self.stages.clear();
        let mut used = [0u64; 2];
        for &number in &self.touches {
            let touch = &touches[number as usize];
            let [a, b] = touch.bodies.map(|body| row_of(bodies, body));
            let stage = self.palette.stage(a, b);
            used[stage.index() / 64] |= 1 << (stage.index() % 64);
            solved.crowded += u32::from(stage.is_crowded());
            self.stages.push(stage);
            self.wide.announce(stage, usize::from(touch.points));
        }
        solved.colours = used[0].count_ones() + used[1].count_ones();
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of the world that contacts are made of")]
    fn fill(
        &mut self,
        def: &WorldDef,
        pace: &Pace,
        touches: &[Touch],
        bodies: &Bodies,
        shapes: &Shapes,
        contacts: &Contacts,
        pool: &mut ThreadPool,
    ) {
        let h = pace.h;
        let mut kinds = Kinds::default();
        for &number in &self.touches {
            let touch = &touches[number as usize];
            kinds.is_bouncing |= touch.restitution > 0.0;
            kinds.is_driven |= touch.is_driven;
        }
        self.wide.lay_out(kinds);
        // Shorter substeps bear stiffer contacts.
        let (rate, hertz) = (0.25 / h, def.contact_hertz * pace.times as f32);
        let hertz = if hertz < rate { hertz } else { rate };
        let between = Softness::new(hertz, def.contact_damping, h);
        let on_fixed = Softness::new(2.0 * hertz, 0.5 * def.contact_damping, h);
        for (&number, stage) in self.touches.iter().zip(&self.stages) {
            self.wide.put(*stage, usize::from(touches[number as usize].points), number);
        }
        let ask_for = |number: u32| {
            let Touch { contact, bodies: on, .. } = touches[number as usize];
            prefetch_at(&contacts.manifolds, contact);
            prefetch_at(&contacts.impulses, contact);
            for body in on {
                prefetch_at(&bodies.motion, body);
            }
        };
        let source_of = |number: u32| {
            let touch = &touches[number as usize];
            let slot = touch.contact as usize;
            let parts = if touch.has_parts { contacts.composites[slot].as_deref() } else { None };
            let (manifold, impulses) = match parts {
                Some(composite) => {
                    let part = usize::from(touch.part);
                    (&composite.manifolds[part], &composite.impulses[part])
                }
                None => (&contacts.manifolds[slot], &contacts.impulses[slot]),
            };
            let side = |at: usize| {
                let body = touch.bodies[at];
                let place = || &shapes.rows[contacts.heads[slot].shapes[at] as usize].place;
                Side {
                    row: row_of(bodies, body),
                    motion: &bodies.motion[body as usize],
                    mass: mass_of(bodies, body),
                    place: if touch.is_centred[at] { None } else { Some(place()) },
                    is_driven: touch.is_driven && bodies.state[body as usize].has(flag::KINEMATIC),
                }
            };
            let (a, b) = (side(0), side(1));
            let is_fixed = a.row == FIXED || b.row == FIXED;
            Source {
                contact: number,
                a,
                b,
                manifold,
                impulses: impulses.scaled(pace.scale(touch.level)),
                friction: touch.friction,
                restitution: touch.restitution,
                substeps: pace.count as f32,
                softness: if is_fixed { on_fixed } else { between },
            }
        };
        self.wide.fill(pool, &source_of, &ask_for);
    }

    fn fill_joints(&mut self, def: &WorldDef, pace: &Pace, bodies: &Bodies, joints: &mut Joints) {
        let h = pace.h;
        let (rate, hertz) = (0.25 / h, def.joint_hertz * pace.times as f32);
        let hertz = if hertz < rate { hertz } else { rate };
        let softness = Softness::new(hertz, def.joint_damping, h);
        let lower = Lower { dt: h * pace.count as f32, h, softness: Softness::new(hertz, LIMIT_DAMPING, h) };
        for (&slot, stage) in self.joints.iter().zip(&self.joint_stages) {
            let joint = &mut joints.rows[slot as usize];
            let impulses = &mut joints.impulses[slot as usize];
            let motions = joint.bodies.map(|body| &bodies.motion[body as usize]);
            lower.run(joint, &joints.kinds[slot as usize], motions, &mut self.joint_rows);
            // An impulse of one end of a range means nothing at the other.
            let mut switched = joint.upper ^ self.joint_rows.upper();
            while switched != 0 {
                impulses.bound[switched.trailing_zeros() as usize] = 0.0;
                switched &= switched - 1;
            }
            joint.upper = self.joint_rows.upper();
            let side = |k: usize| {
                let body = joint.bodies[k];
                JointBody {
                    row: row_of(bodies, body),
                    motion: &bodies.motion[body as usize],
                    mass: mass_of(bodies, body),
                    anchor: joint.frames[k].translation,
                    is_driven: bodies.state[body as usize].has(flag::KINEMATIC),
                }
            };
            let source = JointSource {
                joint: slot,
                a: side(0),
                b: side(1),
                class: joint.class,
                rows: &self.joint_rows,
                impulses,
                factor: pace.scale(joint.level),
                softness,
            };
            self.wide.put_joint(*stage, &source);
        }
    }

    /// Brings the rows back to the bodies.
    fn finish(&mut self, dt: f32, bodies: &mut Bodies, quarantined: &mut Vec<u32>, pool: &mut ThreadPool) {
        let Bodies { motion, state, journeys, mass, drive, .. } = bodies;
        let (motions, states, journeys) =
            (DisjointSlice::new(motion), DisjointSlice::new(state), DisjointSlice::new(journeys));
        let (rows, slots) = (&self.movers.rows[1..], &self.body_of_row[1..]);
        let lost = Mutex::new(std::mem::take(quarantined));
        pool.run(rows.len().div_ceil(ROWS_OF_PART), |_, part| {
            let range = part * ROWS_OF_PART..((part + 1) * ROWS_OF_PART).min(rows.len());
            for (row, &slot) in rows[range.clone()].iter().zip(&slots[range]) {
                let at = slot as usize;
                // SAFETY: every body has one row, see `add_rows`, and every part is taken once.
                let (motion, state, journey) = unsafe { (motions.at(at), states.at(at), journeys.at(at)) };
                if !move_body(row, dt, motion, state, journey, &mass[at], &drive[at]) {
                    lost.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
                }
            }
        });
        *quarantined = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
        quarantined.sort_unstable();
    }

    /// Forgets the rows; to be called when all bodies have moved.
    pub(crate) fn release(&mut self, bodies: &mut Bodies) {
        for &body in self.body_of_row.iter().skip(1) {
            bodies.rows[body as usize] = NONE;
        }
        self.body_of_row.clear();
    }
}

/// Marks both bodies of a constraint.
#[inline]
fn mark(marks: &mut [u64], pair: [u32; 2]) {
    for body in pair {
        marks[body as usize / 64] |= 1 << (body % 64);
    }
}

/// Brings a row back to its body; false if it left the finite numbers, and was put back.
fn move_body(
    row: &BodyRow,
    dt: f32,
    motion: &mut Motion,
    state: &mut BodyState,
    journey: &mut Journey,
    mass: &MassRow,
    drive: &Drive,
) -> bool {
    let before = *motion;
    let displacement = limited(row.part(Part::Moved) * mass.root_mass, drive.max_speed * dt);
    motion.position += displacement.as_dvec3();
    motion.velocity = limited(row.part(Part::Linear) * mass.root_mass, drive.max_speed);
    let turned = limited(row.part(Part::Turned) * mass.root_inertia, drive.max_spin * dt);
    let scaled = row.part(Part::Angular);
    let spin;
    if mass.is_isotropic() {
        motion.rotation = turned_by(before.rotation, before.rotation.rotate(turned));
        spin = before.rotation.rotate(scaled * mass.root_inertia);
    } else {
        (motion.rotation, spin) = turn_constrained(before.rotation, mass, turned, scaled);
    }
    motion.spin = limited(spin, drive.max_spin);
    state.consume_slack(journey, displacement, turned.length(), dt);
    if motion.is_sane() {
        return true;
    }
    *motion = before;
    (motion.velocity, motion.spin) = (Vec3::ZERO, Vec3::ZERO);
    false
}

/// The row of a body, [`FIXED`] if it has none.
#[inline]
fn row_of(bodies: &Bodies, body: u32) -> u32 {
    let row = bodies.rows[body as usize];
    if row == NONE { FIXED } else { row }
}

/// The masses of a body; those of nothing that moves if it has no row.
#[inline]
fn mass_of(bodies: &Bodies, body: u32) -> &MassRow {
    const FIXED: &MassRow = &MassRow::FIXED;
    if bodies.rows[body as usize] == NONE { FIXED } else { &bodies.mass[body as usize] }
}

/// What a joint carried on average, from its impulses in a step of length `dt`.
#[inline]
fn load_of(joint: &JointRow, total: &JointTotal, dt: f32, bodies: &Bodies) -> Load {
    let force = total.push / dt;
    if joint.class == JointClass::Point {
        return Load { force, torque: Vec3::ZERO };
    }
    // Angular impulses are known about the centre of a body that turns.
    let on = joint.bodies;
    let end = usize::from(mass_of(bodies, on[1]).root_inertia != Vec3::ZERO);
    let rotation = bodies.motion[on[end] as usize].rotation;
    let turn = if end == 1 { total.turn_b } else { total.turn_a };
    let about_centre = rotation.rotate(mass_of(bodies, on[end]).scaled(turn));
    let arm = rotation.rotate(joint.frames[end].translation);
    Load { force, torque: (about_centre - arm.cross(total.push)) / dt }
}
