//! Islands that are solved in the same substeps: rows of their bodies, colors, lanes.
//!
//! Bodies get a row in the order of their slots; joints, then contacts, get colors in their own
//! order, and the sweeps go over lanes of them color by color ([`crate::solver`]).

use carom_core::prefetch::prefetch_at;
use carom_core::threads::ThreadPool;
use glam::Vec3;

use super::bounce::ImpactIslands;
use super::coloring::{ConstraintColoring, Stage};
use super::contact_solver::SolveReport;
use super::energy_limit::{EnergyLimit, Limits, RowOwners};
use super::integrate::{Holds, move_bodies, pull_of};
use super::joint_constraints::JointSetup;
use super::joint_projection::{OPEN_ANGLE, OPEN_SLOPS};
use super::joint_rows::{JointBody, JointRows, JointSource, JointTotal};
use super::level_change::LevelChange;
use super::prepare::{Side, Source};
use super::rows::{FIXED, SolverBody};
use super::softness::Softness;
use super::solver_bodies::{BodyFrame, Lock, SolverBodies};
use super::stages::Kinds;
use super::substeps::Substeps;
use super::wide::Wide;
use crate::state::bodies::{Bodies, flag};
use crate::state::contacts::ActiveManifold;
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::impulses::JointClass;
use crate::state::islands::{Islands, LEVELS};
use crate::state::joints::{JointRow, Joints, Load};
use crate::state::motion::InverseMass;
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;

/// Damping ratio of limits of joints: like contacts, they should not bounce.
const LIMIT_DAMPING: f32 = 2.0;

/// Joined bodies that turn by less in a step are well off in the frame of its beginning, radians.
const LEAST_TURN: f32 = 1e-3;
/// Turns in a step are followed as vectors, which end at half a turn, radians.
const LARGEST_TURN: f32 = 2.5;

/// Joints that hold a point between bodies that touch nothing, in islands without extra substeps,
/// are so many times as stiff, and damped by as many times more: errors are corrected as fast, and
/// what is left under load falls with the square. The worst joint of `joints:30` is open by 38 mm
/// with it and by 93 mm without. Three times as stiff, a net trembles; joints of bodies that touch
/// something and turn fast are torn apart.
const STIFFER: f32 = 2.0;

/// How a batch is divided in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstepPlan {
    /// Number of substeps.
    pub(crate) count: u32,
    /// How many times that of the world.
    pub(crate) times: u32,
    /// Length of a substep.
    pub(crate) h: f32,
    /// Length of the substeps of every level in the last step: impulses are carried over in
    /// proportion. 0 before the first step.
    pub(crate) last: [f32; LEVELS.len()],
    /// The level of the batch.
    pub(crate) level: u8,
}

impl SubstepPlan {
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
    pub(crate) active_manifolds: Vec<u32>,
    /// Slots of the joints to be solved.
    pub(crate) joints: Vec<u32>,
    solver_bodies: SolverBodies,
    /// A bit for every body that has a contact, and for every one that has a joint.
    touched: Vec<u64>,
    joined: Vec<u64>,
    /// Slots of the bodies of the rows; the first row belongs to nobody.
    body_of_row: Vec<u32>,
    coloring: ConstraintColoring,
    energy_limit: EnergyLimit,
    level_change: LevelChange,
    /// Root of the island of every row, if anybody asks.
    roots: Vec<u32>,
    /// What open joints have stored, by row, if anybody asks.
    elastic: Vec<f32>,
    /// For [`ImpactIslands`].
    has_impact: Vec<bool>,
    kinds: Kinds,
    stages: Vec<Stage>,
    joint_stages: Vec<Stage>,
    joint_rows: Box<JointRows>,
    wide: Wide,
}

impl Batch {
    pub(crate) fn new(def: &WorldDef) -> Self {
        Self {
            active_manifolds: Vec::new(),
            joints: Vec::new(),
            solver_bodies: SolverBodies::default(),
            touched: Vec::new(),
            joined: Vec::new(),
            body_of_row: Vec::new(),
            coloring: ConstraintColoring::default(),
            energy_limit: EnergyLimit::default(),
            level_change: LevelChange::default(),
            roots: Vec::new(),
            elastic: Vec::new(),
            has_impact: Vec::new(),
            kinds: Kinds::default(),
            stages: Vec::new(),
            joint_stages: Vec::new(),
            joint_rows: Box::default(),
            wide: Wide::new(def.simd_width),
        }
    }

    /// SolverLanes of the sweeps.
    pub(crate) fn width(&self) -> usize {
        self.wide.width()
    }

    /// Solves the contacts and joints of the batch over a step and moves their bodies. Bodies whose
    /// state becomes non-finite are put back and stopped, and go into quarantine.
    pub(crate) fn run(
        &mut self,
        context: &mut StepContext<'_>,
        plan: &SubstepPlan,
        state: &mut WorldState,
    ) -> SolveReport {
        let (settings, dt) = (context.settings, context.dt);
        self.assign_rows(settings.gravity, plan, state);
        let mut solved =
            SolveReport { rows: self.solver_bodies.rows.len() as u32 - 1, ..SolveReport::default() };
        if self.solver_bodies.rows.len() == 1 {
            return solved;
        }
        self.change_level(plan, state);
        self.energy_limit.begin(&self.solver_bodies);
        self.color(state, &mut solved);
        let is_asked = self.energy_limit.is_grounded() || self.kinds.is_bouncing;
        self.find_roots(&mut state.islands, is_asked);
        self.fill(context, plan, state);
        self.fill_joints(settings, plan, &state.bodies, &mut state.joints);
        self.wide.seal();
        let substeps = Substeps {
            count: plan.count,
            h: plan.h,
            max_contact_push_speed: settings.max_contact_push_speed,
            restitution_threshold: settings.restitution_threshold,
        };
        let mut impacts = self
            .kinds
            .is_bouncing
            .then(|| ImpactIslands::new(&self.roots, &mut self.has_impact, state.islands.len()));
        self.wide.run(&substeps, &mut self.solver_bodies, impacts.as_mut(), context.pool);
        self.measure_elastic(settings, plan, context.pool);
        let rows = RowOwners {
            bodies: &self.body_of_row,
            roots: &self.roots,
            slots: state.islands.len(),
            elastic: &self.elastic,
            islands: &state.islands,
        };
        let limits = Limits { h: plan.h, slop: settings.slop };
        self.energy_limit.end(&mut self.solver_bodies, rows, &mut state.bodies, limits);
        self.keep_impulses(plan, dt, settings.slop, state);
        let (it, joined, body_of_row) = (&self.solver_bodies, &self.joined, &self.body_of_row);
        // Every body has one row, see `assign_rows`.
        move_bodies(context, &mut state.bodies, &body_of_row[1..], |at, body| {
            let holds = match it.frame(at + 1) {
                Some(frame) => Holds::Frame(frame),
                None if is_marked(joined, body_of_row[at + 1]) => Holds::Joint,
                None => Holds::Contact,
            };
            body.follow_row(&it.rows[at + 1], holds, dt)
        });
        solved
    }

    /// Chains that were solved in substeps of another length keep their energy.
    fn change_level(&mut self, plan: &SubstepPlan, state: &mut WorldState) {
        self.level_change.begin();
        let WorldState { bodies, joints, islands, .. } = state;
        let is_moved = |body: u32| bodies.state[body as usize].is_moved();
        for &slot in &self.joints {
            let joint = &joints.rows[slot as usize];
            let last = plan.last[usize::from(joint.level)];
            if joint.level != plan.level && last > 0.0 {
                let [a, b] = joint.bodies;
                let root = islands.root(if is_moved(a) { a } else { b });
                self.level_change.note(root, islands.len(), last);
            }
        }
        if !self.level_change.is_any() {
            return;
        }
        for &slot in &self.joints {
            let [a, b] = joints.rows[slot as usize].bodies;
            let is_fixed = |body: u32| !is_moved(body) && !bodies.state[body as usize].has(flag::KINEMATIC);
            if is_fixed(a) || is_fixed(b) {
                self.level_change.hold(islands.root(if is_moved(a) { a } else { b }));
            }
        }
        self.find_roots(&mut state.islands, true);
        self.level_change.end(&mut self.solver_bodies, &self.roots, plan.h);
    }

    /// What open joints have stored, by row. Extra substeps are for chains, whose joints are open
    /// by little.
    fn measure_elastic(&mut self, def: &WorldDef, plan: &SubstepPlan, pool: &mut ThreadPool) {
        self.elastic.clear();
        if plan.times == 1 && self.energy_limit.is_grounded() && !self.joints.is_empty() {
            self.elastic.resize(self.solver_bodies.rows.len(), 0.0);
            let frequency = std::f32::consts::TAU * stiffer(joint_hertz(def, plan));
            self.wide.add_elastic_energy(frequency * frequency, &mut self.elastic, pool);
        }
    }

    /// The islands of the rows, if anybody asks.
    fn find_roots(&mut self, islands: &mut Islands, is_asked: bool) {
        self.roots.clear();
        if is_asked {
            let root_of = |&body: &u32| if body == NONE { 0 } else { islands.root(body) };
            self.roots.extend(self.body_of_row.iter().map(root_of));
        }
    }

    /// Leaves the impulses of the step in contacts and joints.
    fn keep_impulses(&self, plan: &SubstepPlan, dt: f32, slop: f32, state: &mut WorldState) {
        let WorldState { bodies, contacts, joints, active_manifolds, .. } = state;
        self.wide.for_each_result(plan.count, |touch, impulses| {
            let touch = &active_manifolds[touch as usize];
            let slot = touch.contact as usize;
            if touch.level != plan.level {
                contacts.infos[slot].level = plan.level;
            }
            match if touch.has_parts { contacts.composites[slot].as_deref_mut() } else { None } {
                Some(composite) => composite.impulses[usize::from(touch.part)] = impulses,
                None => contacts.impulses[slot] = impulses,
            }
        });
        let Joints { rows, impulses, loads, open, .. } = joints;
        self.wide.keep_joints(impulses, |joint, total| {
            let row = &rows[joint as usize];
            let follows = |body: u32| self.solver_bodies.frame(row_of(bodies, body) as usize);
            loads[joint as usize] = load_of(row, &total, dt, bodies, follows);
            if total.gap > OPEN_SLOPS * slop || total.angle > OPEN_ANGLE {
                open.push(joint);
            }
        });
    }

    fn assign_rows(&mut self, gravity: Vec3, plan: &SubstepPlan, state: &mut WorldState) {
        let WorldState { bodies, joints, active_manifolds, .. } = state;
        self.solver_bodies.clear();
        self.body_of_row.clear();
        self.body_of_row.push(NONE);
        // In the order of their slots, in which their memory lies.
        for marks in [&mut self.touched, &mut self.joined] {
            marks.clear();
            marks.resize(bodies.rows.len().div_ceil(64), 0);
        }
        for &slot in &self.joints {
            mark(&mut self.joined, joints.rows[slot as usize].bodies);
        }
        for &number in &self.active_manifolds {
            mark(&mut self.touched, active_manifolds[number as usize].bodies);
        }
        for at in 0..self.touched.len() {
            let mut word = self.touched[at] | self.joined[at];
            while word != 0 {
                let body = at as u32 * 64 + word.trailing_zeros();
                word &= word - 1;
                if bodies.state[body as usize].is_moved() {
                    self.add_row(gravity, plan, body, bodies);
                }
            }
        }
    }

    /// Gives a body a row.
    fn add_row(&mut self, gravity: Vec3, plan: &SubstepPlan, body: u32, bodies: &mut Bodies) {
        let at = body as usize;
        let row = self.solver_bodies.rows.len() as u32;
        bodies.rows[at] = row;
        let (motion, mass, state) = (&bodies.motion[at], &bodies.mass[at], &mut bodies.state[at]);
        let angular_velocity = motion.rotation.rotate_back(motion.angular_velocity);
        self.solver_bodies
            .rows
            .push(SolverBody::new(motion.velocity * mass.root_of_mass(), mass.scaled(angular_velocity)));
        self.solver_bodies.pulls.push(pull_of(gravity, plan.h, motion, mass, &mut bodies.drive[at], state));
        self.body_of_row.push(body);
        if state.has(flag::LOCKED)
            && let Some(cold) = bodies.cold.get(body)
        {
            self.solver_bodies.locks.push(Lock::new(row, &cold.locked, motion.rotation, mass));
        } else if is_marked(&self.joined, body) && !is_marked(&self.touched, body) {
            let turn = angular_velocity.length() * plan.h * plan.count as f32;
            let has_frame = !mass.is_isotropic() && mass.root_inertia.cmpgt(Vec3::ZERO).all();
            if has_frame && turn > LEAST_TURN && turn < LARGEST_TURN {
                self.solver_bodies.follow_last(mass);
            }
        }
    }

    fn color(&mut self, state: &WorldState, solved: &mut SolveReport) {
        let WorldState { bodies, joints, active_manifolds, .. } = state;
        self.wide.clear();
        self.joint_stages.clear();
        if !self.joints.is_empty() {
            self.coloring.clear(self.solver_bodies.rows.len());
        }
        for &slot in &self.joints {
            let joint = &joints.rows[slot as usize];
            let [a, b] = joint.bodies.map(|body| row_of(bodies, body));
            let stage = self.coloring.stage(a, b);
            solved.overflow_constraints += u32::from(stage.is_overflow());
            self.joint_stages.push(stage);
            let is_driven = joint.bodies.iter().any(|body| bodies.state[*body as usize].has(flag::KINEMATIC));
            self.energy_limit.hold_by_joint([a, b], is_driven || joints.kinds[slot as usize].is_powered());
            self.wide.announce_joint(stage, joint.class);
        }
        self.coloring.clear(self.solver_bodies.rows.len());
        self.stages.clear();
        self.kinds = Kinds::default();
        let mut used = [0u64; 2];
        for &number in &self.active_manifolds {
            let touch = &active_manifolds[number as usize];
            let [a, b] = touch.bodies.map(|body| row_of(bodies, body));
            let stage = self.coloring.stage(a, b);
            used[stage.index() / 64] |= 1 << (stage.index() % 64);
            solved.overflow_constraints += u32::from(stage.is_overflow());
            self.stages.push(stage);
            self.kinds.is_bouncing |= touch.restitution > 0.0;
            self.kinds.is_driven |= touch.is_driven;
            self.kinds.is_rolling |= touch.rolling != [0.0; 2];
            self.energy_limit.hold_by_contact([a, b], touch.is_driven || touch.restitution > 1.0);
            self.wide.announce(stage, usize::from(touch.points));
        }
        solved.colors = used[0].count_ones() + used[1].count_ones();
    }

    fn fill(&mut self, context: &mut StepContext<'_>, plan: &SubstepPlan, state: &WorldState) {
        let WorldState { bodies, shapes, contacts, active_manifolds, .. } = state;
        let (def, h) = (context.settings, plan.h);
        self.wide.lay_out(self.kinds);
        // Shorter substeps bear stiffer contacts.
        let (rate, hertz) = (0.25 / h, def.contact_hertz * plan.times as f32);
        let hertz = if hertz < rate { hertz } else { rate };
        let between = Softness::new(hertz, def.contact_damping, h);
        let on_fixed = Softness::new(2.0 * hertz, 0.5 * def.contact_damping, h);
        for (&number, stage) in self.active_manifolds.iter().zip(&self.stages) {
            self.wide.put(*stage, usize::from(active_manifolds[number as usize].points), number);
        }
        let ask_for = |number: u32| {
            let ActiveManifold { contact, bodies: on, .. } = active_manifolds[number as usize];
            prefetch_at(&contacts.manifolds, contact);
            prefetch_at(&contacts.impulses, contact);
            for body in on {
                prefetch_at(&bodies.motion, body);
            }
        };
        let source_of = |number: u32| {
            let touch = &active_manifolds[number as usize];
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
                let place = || &shapes.rows[contacts.infos[slot].shapes[at] as usize].local_pose;
                Side {
                    row: row_of(bodies, body),
                    motion: &bodies.motion[body as usize],
                    mass: mass_of(bodies, body),
                    local_pose: if touch.is_centred[at] { None } else { Some(place()) },
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
                impulses: impulses.scaled(plan.scale(touch.level)),
                friction: touch.friction,
                restitution: touch.restitution,
                substeps: plan.count as f32,
                softness: if is_fixed { on_fixed } else { between },
                rolling: touch.rolling,
                surface_velocity: touch.surface_velocity,
                disabled_points: touch.disabled_points,
            }
        };
        self.wide.fill(context.pool, &source_of, &ask_for);
    }

    fn fill_joints(&mut self, def: &WorldDef, plan: &SubstepPlan, bodies: &Bodies, joints: &mut Joints) {
        let h = plan.h;
        let hertz = joint_hertz(def, plan);
        let softness = Softness::new(hertz, def.joint_damping, h);
        let stiff = Softness::new(stiffer(hertz), stiffer(def.joint_damping), h);
        let lower =
            JointSetup { dt: h * plan.count as f32, h, softness: Softness::new(hertz, LIMIT_DAMPING, h) };
        let solver_bodies = &self.solver_bodies;
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
            // Those were of substeps of another length, perhaps.
            impulses.scale(plan.scale(joint.level));
            joint.level = plan.level;
            let side = |k: usize| {
                let body = joint.bodies[k];
                JointBody {
                    row: row_of(bodies, body),
                    motion: &bodies.motion[body as usize],
                    mass: mass_of(bodies, body),
                    frame: &joint.frames[k],
                    is_driven: bodies.state[body as usize].has(flag::KINEMATIC),
                    follows: solver_bodies.frame(row_of(bodies, body) as usize).is_some(),
                }
            };
            let is_touched = joint.bodies.iter().any(|body| is_marked(&self.touched, *body));
            let is_stiff = joint.class == JointClass::Point && plan.times == 1 && !is_touched;
            let source = JointSource {
                joint: slot,
                a: side(0),
                b: side(1),
                class: joint.class,
                rows: &self.joint_rows,
                impulses,
                softness: if is_stiff { stiff } else { softness },
            };
            self.wide.put_joint(*stage, &source);
        }
    }
}

/// How fast errors of joints are corrected, Hz: shorter substeps bear stiffer joints.
fn joint_hertz(def: &WorldDef, plan: &SubstepPlan) -> f32 {
    let (rate, hertz) = (0.25 / plan.h, def.joint_hertz * plan.times as f32);
    if hertz < rate { hertz } else { rate }
}

/// The same, or the damping ratio with it, of stiffer joints.
fn stiffer(value: f32) -> f32 {
    value * STIFFER
}

/// Marks both bodies of a constraint.
#[inline]
fn mark(marks: &mut [u64], pair: [u32; 2]) {
    for body in pair {
        marks[body as usize / 64] |= 1 << (body % 64);
    }
}

#[inline]
fn is_marked(marks: &[u64], body: u32) -> bool {
    marks[body as usize / 64] >> (body % 64) & 1 == 1
}

/// The row of a body, [`FIXED`] if it has none.
#[inline]
fn row_of(bodies: &Bodies, body: u32) -> u32 {
    let row = bodies.rows[body as usize];
    if row == NONE { FIXED } else { row }
}

/// The masses of a body; those of nothing that moves if it has no row.
#[inline]
fn mass_of(bodies: &Bodies, body: u32) -> &InverseMass {
    const FIXED: &InverseMass = &InverseMass::FIXED;
    if bodies.rows[body as usize] == NONE { FIXED } else { &bodies.mass[body as usize] }
}

/// What a joint carried on average, from its impulses in a step of length `dt`.
#[inline]
fn load_of<'a>(
    joint: &JointRow,
    total: &JointTotal,
    dt: f32,
    bodies: &Bodies,
    follows: impl Fn(u32) -> Option<&'a BodyFrame>,
) -> Load {
    let force = total.push / dt;
    if joint.class == JointClass::Point {
        return Load { force, torque: Vec3::ZERO };
    }
    // Angular impulses are known about the centre of a body that turns.
    let on = joint.bodies;
    let end = usize::from(mass_of(bodies, on[1]).root_inertia != Vec3::ZERO);
    let rotation = bodies.motion[on[end] as usize].rotation;
    let rotation = follows(on[end]).map_or(rotation, |frame| rotation * frame.rotation);
    let turn = if end == 1 { total.turn_b } else { total.turn_a };
    let about_centre = rotation.rotate(mass_of(bodies, on[end]).scaled(turn));
    let arm = rotation.rotate(joint.frames[end].translation);
    Load { force, torque: (about_centre - arm.cross(total.push)) / dt }
}
