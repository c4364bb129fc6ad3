//! Joints that the solver left open are fitted: bodies are moved until they hold again.
//!
//! One sweep per substep does not pass an impact through all joints of a ragdoll, and rows of
//! bodies with contacts are along the axes of the beginning of the step, so chains that touch
//! something and tumble open with the square of their turn in it. What is left is corrected by
//! positions, limits of rotation included ([`JointProjection`]), whatever the number of substeps.
//! Only joints of chains and joints with limits of rotation are fitted, and only if they are off by
//! more than the tolerances below: all others pay a comparison. Nets are left to the solver.
//!
//! Velocities keep their sizes: those about the principal axes turn with the bodies, and what is
//! lifted by its joints pays for the height with speed.

use glam::Vec3;

use super::joined_bodies::JoinedBodies;
use crate::solver::joint_projection::{JointProjection, OPEN_ANGLE, OPEN_SLOPS, Opening};
use crate::state::bodies::Bodies;
use crate::state::context::StepContext;
use crate::state::impulses::JointClass;
use crate::state::joints::Joints;
use crate::state::motion::Motion;
use crate::state::world_state::WorldState;

/// Gaps below this share of the arms of a joint are left to the solver.
const LEAST_SHARE: f32 = 0.0025;
/// Gaps beyond this share are no errors of a step: somebody has put the bodies there.
const MOST_SHARE: f32 = 1.0;
/// What is left, as a share of those.
const LEFT: f32 = 0.5;
/// Most visits of every joint in a step, and those of chains, along which more is passed on.
const SWEEPS: u32 = 24;
const SWEEPS_OF_CHAIN: u32 = 48;
/// Most joints that are fitted together: the cost of an island grows with the square.
const MOST_JOINTS: usize = 64;

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct FitJoints {
    group: JoinedBodies,
    before: Vec<Motion>,
    /// Joints that have been looked at in this step, ascending.
    seen: Vec<u32>,
    projection: JointProjection,
}

impl FitJoints {
    /// Fits the joints that were left open; returns how many bodies were moved.
    pub(crate) fn run(&mut self, context: &StepContext<'_>, state: &mut WorldState) -> u32 {
        let WorldState { bodies, joints, islands, .. } = state;
        let slop = context.settings.slop;
        let mut moved = 0;
        self.seen.clear();
        let limited = |joint: &u32| joints.kinds[*joint as usize].has_angular_limits();
        let open = joints.open.iter().copied().filter(limited).map(|joint| (joint, false));
        for (joint, is_chain) in open.chain(islands.chain_joints().map(|joint| (joint, true))) {
            // Joints that broke in this step are gone.
            let row = &joints.rows[joint as usize];
            if !row.is_there || self.seen.binary_search(&joint).is_ok() {
                continue;
            }
            let is_moved = |body: &&u32| bodies.state[**body as usize].is_moved();
            let Some(&first) = row.bodies.iter().find(is_moved) else { continue };
            if is_chain && !self.is_open(joint, slop, bodies, joints) {
                continue;
            }
            self.group.find(first, bodies, joints);
            let sweeps = if is_chain { SWEEPS_OF_CHAIN } else { SWEEPS };
            if self.group.joints.len() <= MOST_JOINTS && self.fit(context, bodies, joints, sweeps) {
                moved += self.group.slots.len() as u32;
            }
            self.seen.extend(&self.group.joints);
            self.seen.sort_unstable();
        }
        moved
    }

    /// Is a joint of a chain open by more than the solver is left to close?
    fn is_open(&mut self, joint: u32, slop: f32, bodies: &Bodies, joints: &Joints) -> bool {
        let (row, least) = (&joints.rows[joint as usize], least_gap(&[joint], slop, joints));
        let anchor = |k: usize| {
            let motion = &bodies.motion[row.bodies[k] as usize];
            (motion.position, motion.rotation.rotate(row.frames[k].translation))
        };
        let ((from, arm_a), (to, arm_b)) = (anchor(0), anchor(1));
        let gap = (to - from).as_vec3() + arm_b - arm_a;
        // Anchors that are together leave only joints along lines open.
        let may_be_open = row.class == JointClass::Line || gap.length_squared() > least * least;
        may_be_open && self.projection.largest((joints, &[joint]), bodies).gap > least
    }

    /// Moves the bodies of the group until its joints fit. Returns whether any was moved.
    fn fit(&mut self, context: &StepContext<'_>, bodies: &mut Bodies, joints: &Joints, sweeps: u32) -> bool {
        let Self { group: JoinedBodies { slots, joints: list, .. }, before, projection, .. } = self;
        let gap = least_gap(list, context.settings.slop, joints);
        if projection.largest((joints, list), bodies).gap > MOST_SHARE / LEAST_SHARE * gap {
            return false;
        }
        before.clear();
        before.extend(slots.iter().map(|slot| bodies.motion[*slot as usize]));
        let tolerance = Opening { gap: LEFT * gap, angle: LEFT * OPEN_ANGLE };
        if !projection.run((joints, list), slots, bodies, (tolerance, sweeps)) {
            return false;
        }
        let (mut kinetic, mut work) = (0.0f64, 0.0f64);
        for (&slot, before) in slots.iter().zip(&*before) {
            let at = slot as usize;
            let (motion, mass) = (&mut bodies.motion[at], &bodies.mass[at]);
            let shift = (motion.position - before.position).as_vec3();
            // The energy of rotation belongs to the principal axes.
            let local = before.rotation.rotate_back(before.angular_velocity);
            motion.angular_velocity = motion.rotation.rotate(local);
            let root = mass.root_of_mass();
            let acceleration = bodies.drive[at].acceleration_in(context.settings.gravity);
            work += f64::from(acceleration.dot(shift) * root * root);
            let square = root * root * motion.velocity.length_squared() + mass.scaled(local).length_squared();
            kinetic += f64::from(0.5 * square);
            // The sine of half the angle, which is at most π/2 times as large.
            let turn = std::f32::consts::PI * Vec3::length((motion.rotation * before.rotation.inverse()).xyz);
            bodies.state[at].consume_slack(&mut bodies.motion_bounds[at], shift, turn, 0.0);
        }
        let share = if kinetic > 0.0 { 1.0 + work / kinetic } else { 1.0 };
        if share < 1.0 {
            let scale = if share > 0.0 { share.sqrt() as f32 } else { 0.0 };
            for slot in &*slots {
                let motion = &mut bodies.motion[*slot as usize];
                motion.velocity *= scale;
                motion.angular_velocity *= scale;
            }
        }
        true
    }
}

/// The gap up to which some joints are left to the solver, metres: by their longest arm.
fn least_gap(list: &[u32], slop: f32, joints: &Joints) -> f32 {
    let arms = |joint: &u32| joints.rows[*joint as usize].frames.map(|frame| frame.translation.length());
    let longest = list.iter().map(|joint| arms(joint).iter().sum::<f32>());
    longest.fold(OPEN_SLOPS * slop, |most, arms| {
        let least = LEAST_SHARE * arms;
        if least > most { least } else { most }
    })
}
