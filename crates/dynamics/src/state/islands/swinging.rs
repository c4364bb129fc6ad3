//! Chains and pendulums that swing: how far their joints turn in a substep.
//!
//! Bodies move straight in a substep, so a joint at the end of an arm opens by half of its
//! centripetal acceleration times the square of the substep, and what closes it again costs a chain
//! its energy, as one sweep does not pass it on to all of the links. Islands of joints in single
//! file are therefore solved in more substeps while they swing, in proportion to the angle that the
//! fastest joint sweeps. Slow ones and those at rest pay nothing, and neither do wheels, which turn
//! about their anchors. Ragdolls and nets branch: they are left as they are. So are chains that
//! touch something while they turn by more than a radian in a step: rows of bodies with contacts
//! are along the axes of the beginning of the step, and stiffer joints would not hold them any
//! better.

use glam::Vec3;

use super::{Graph, Islands};
use crate::state::bodies::{Bodies, flag};
use crate::state::impulses::JointClass;
use crate::state::joints::{JointRow, Joints};

/// Angle that the bodies of a chain may sweep in a substep, radians.
const LARGEST_ANGLE: f32 = 0.01;
/// Turn in a step up to which bodies with contacts are followed well, radians.
const LARGEST_TURN: f32 = 1.0;

/// The islands of joints in single file.
#[derive(Clone, Debug, Default)]
pub(super) struct Swinging {
    /// Slots of their joints, and the roots of their islands.
    joints: Vec<[u32; 2]>,
    /// Slots of their bodies, the roots, and the levels that these have at rest.
    bodies: Vec<Member>,
    /// By slot of a root.
    swings: Vec<Swing>,
}

/// How fast an island swings.
#[derive(Clone, Copy, Debug, Default)]
struct Swing {
    /// Number of its joints.
    joints: u32,
    /// Square of the largest angle per time of a joint.
    joint: f32,
    /// Square of the largest angular velocity of a body.
    body: f32,
}

/// A body of such an island.
#[derive(Clone, Copy, Debug)]
struct Member {
    slot: u32,
    root: u32,
    /// Level of the island at rest.
    level: u8,
}

impl Swinging {
    /// Slots of the joints, ascending.
    pub(super) fn joints(&self) -> impl Iterator<Item = u32> + '_ {
        self.joints.iter().map(|[joint, _]| *joint)
    }
}

impl Islands {
    /// Lists the islands that get more substeps while they swing.
    pub(super) fn find_chains(&mut self, graph: Graph<'_>, bodies: &Bodies) {
        let mut swinging = std::mem::take(&mut self.swinging);
        swinging.joints.clear();
        swinging.bodies.clear();
        let is_moved = |body: u32| bodies.state[body as usize].has(flag::DYNAMIC);
        for (joint, row) in graph.joints.rows.iter().enumerate().filter(|(_, row)| row.is_there) {
            let [a, b] = row.bodies;
            if is_moved(a) || is_moved(b) {
                let root = self.root(if is_moved(a) { a } else { b });
                // Of islands that are asleep nothing is known.
                if self.is_chain(root) {
                    swinging.joints.push([joint as u32, root]);
                }
            }
        }
        if !swinging.joints.is_empty() {
            swinging.swings.resize(bodies.state.len(), Swing::default());
            for &slot in &bodies.awake {
                let root = self.root(slot);
                if is_moved(slot) && self.is_chain(root) {
                    let level = self.stats[root as usize].level(self.fall);
                    swinging.bodies.push(Member { slot, root, level });
                }
            }
        }
        self.swinging = swinging;
    }

    /// Sets the levels of those islands by how fast they swing, in a step of length `dt` with
    /// substeps of length `h`.
    pub(super) fn follow_swings(&mut self, joints: &Joints, bodies: &Bodies, dt: f32, h: f32) {
        self.is_stiff = self.is_loaded;
        let Swinging { joints: swinging, bodies: members, swings } = &mut self.swinging;
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        for [_, root] in &*swinging {
            swings[*root as usize] = Swing::default();
        }
        for [joint, root] in &*swinging {
            let square = angle_rate_squared(&joints.rows[*joint as usize], bodies);
            let swing = &mut swings[*root as usize];
            swing.joint = larger(square, swing.joint);
            swing.joints += 1;
        }
        for &Member { slot, root, .. } in &*members {
            let square = bodies.motion[slot as usize].angular_velocity.length_squared();
            let swing = &mut swings[root as usize];
            swing.body = larger(square, swing.body);
        }
        for &Member { slot, root, level } in &*members {
            let (swing, stats) = (&swings[root as usize], &self.stats[root as usize]);
            let wanted = swing.joint.sqrt() * h / LARGEST_ANGLE;
            let touches = stats.constraints > swing.joints;
            let is_followed = !touches || swing.body * dt * dt < LARGEST_TURN * LARGEST_TURN;
            let swings = wanted > 1.0 && is_followed;
            let swung = if swings { stats.level_of(stats.for_chain(wanted)) } else { 0 };
            let level = if swung > level { swung } else { level };
            self.levels[slot as usize] = level;
            self.is_stiff |= level > 0;
        }
    }
}

/// The square of the angle per time that opens a joint: the centripetal acceleration of its anchors
/// against each other over the longer arm; for joints along a line, that of the line.
fn angle_rate_squared(joint: &JointRow, bodies: &Bodies) -> f32 {
    let motions = joint.bodies.map(|body| &bodies.motion[body as usize]);
    let spins = motions.map(|motion| motion.angular_velocity);
    let arms = [0, 1].map(|k| motions[k].rotation.rotate(joint.frames[k].translation));
    let square_over = |square: f32, length: f32| if length > 0.0 { square / length } else { 0.0 };
    if joint.class == JointClass::Line {
        let gap = (motions[1].position - motions[0].position).as_vec3() + arms[1] - arms[0];
        let velocity = |k: usize| motions[k].velocity + Vec3::cross(spins[k], arms[k]);
        let line = gap.length_squared();
        let across = (velocity(1) - velocity(0)).cross(gap);
        return square_over(across.length_squared(), line * line);
    }
    let towards = |k: usize| spins[k].cross(spins[k].cross(arms[k]));
    let lengths = arms.map(Vec3::length);
    let longer = if lengths[0] > lengths[1] { lengths[0] } else { lengths[1] };
    square_over((towards(1) - towards(0)).length(), longer)
}
