//! Positions that joints fit: bodies that were put elsewhere together are moved until their joints
//! hold again, each by as much as its mass asks for.
//!
//! Every joint in turn moves its two bodies by what its rows are off (non-linear projected
//! Gauss–Seidel on positions: M. Müller and others, *Position based dynamics*, 2006), to and fro
//! through all of them. Limits only push: they are inequalities, also those that the other rows
//! would make a body pass. Velocities stay as they are. If that does not lessen the worst error,
//! nobody is moved.

use carom_geometry::Real;
use glam::Vec3;

use super::joint_constraints::JointSetup;
use super::joint_rows::{Along, JointRows};
use super::rotation::turned_by;
use super::softness::Softness;
use crate::state::bodies::{Bodies, flag};
use crate::state::joints::Joints;
use crate::state::motion::{InverseMass, Motion};

/// Joints that are open by fewer times the slop are left to the solver.
pub(crate) const OPEN_SLOPS: f32 = 2.0;
/// So are those that are turned off by less, radians: beyond their limits, or about axes that they
/// hold. Limbs that are jammed between others twist their joints.
pub(crate) const OPEN_ANGLE: f32 = 0.012;

/// Visits of the rows of a joint each time.
const VISITS: u32 = 4;

/// A row along which a joint is off.
#[derive(Clone, Copy, Debug, Default)]
struct Correction {
    linear: Vec3,
    /// Angular Jacobians of both bodies, in world axes.
    angular: [Vec3; 2],
    off: f32,
    /// May it only push?
    is_limit: bool,
    /// What it has pushed so far.
    push: f32,
}

/// How far a joint is off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Opening {
    /// Along what it holds, metres.
    pub(crate) gap: f32,
    /// Beyond its limits of rotation, or about an axis that it holds, radians.
    pub(crate) angle: f32,
}

impl Opening {
    /// The larger of each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { gap: Real::max(self.gap, other.gap), angle: Real::max(self.angle, other.angle) }
    }

    /// How many times as large it is as another.
    fn over(self, other: Self) -> f32 {
        Real::max(self.gap / other.gap, self.angle / other.angle)
    }
}

/// What the rows of a joint move a body by.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    moved: Vec3,
    turned: Vec3,
}

/// The projection with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointProjection {
    corrections: Vec<Correction>,
}

impl JointProjection {
    /// How far the worst of some joints are off.
    pub(crate) fn largest(&mut self, joints: (&Joints, &[u32]), bodies: &Bodies) -> Opening {
        let (all, list) = joints;
        let off = list.iter().map(|joint| self.measure(all, *joint as usize, bodies));
        off.fold(Opening::default(), Opening::max)
    }

    /// Moves the bodies of some joints until these are off by no more than `tolerance`, in so many
    /// sweeps at most. Returns whether anybody was moved. `slots` are those of all bodies that may
    /// be.
    pub(crate) fn run(
        &mut self,
        joints: (&Joints, &[u32]),
        slots: &[u32],
        bodies: &mut Bodies,
        (tolerance, sweeps): (Opening, u32),
    ) -> bool {
        let largest = self.largest(joints, bodies).over(tolerance);
        if largest <= 1.0 {
            return false;
        }
        let before: Vec<Motion> = slots.iter().map(|slot| bodies.motion[*slot as usize]).collect();
        for sweep in 0..sweeps {
            if self.sweep(joints, bodies, sweep % 2 == 1).over(tolerance) <= 1.0 {
                break;
            }
        }
        let is_better = self.largest(joints, bodies).over(tolerance) < largest;
        let is_sane = slots.iter().all(|slot| bodies.motion[*slot as usize].is_sane());
        if !(is_better && is_sane) {
            for (slot, motion) in slots.iter().zip(before) {
                bodies.motion[*slot as usize] = motion;
            }
        }
        is_better && is_sane
    }

    /// Visits all joints; returns how far the worst were off before their visits.
    fn sweep(
        &mut self,
        (joints, list): (&Joints, &[u32]),
        bodies: &mut Bodies,
        is_backward: bool,
    ) -> Opening {
        let mut largest = Opening::default();
        for at in 0..list.len() {
            let joint = list[if is_backward { list.len() - 1 - at } else { at }] as usize;
            largest = largest.max(self.measure(joints, joint, bodies));
            self.correct(joints.rows[joint].bodies, bodies);
        }
        largest
    }

    /// Finds the rows of a joint that hold or limit, and how far it is off along any of them.
    fn measure(&mut self, joints: &Joints, joint: usize, bodies: &Bodies) -> Opening {
        // What a row is measured by does not depend on how it is solved.
        let setup = JointSetup { dt: 1.0, h: 1.0, softness: Softness::STIFF };
        let mut row = joints.rows[joint];
        let motions = row.bodies.map(|body| &bodies.motion[body as usize]);
        let mut rows = JointRows::default();
        setup.run(&mut row, &joints.kinds[joint], motions, &mut rows);
        let arms = [0, 1].map(|k| motions[k].rotation.rotate(row.frames[k].translation));
        let gap = (motions[1].position - motions[0].position).as_vec3() + arms[1] - arms[0];
        // Both bodies are pushed at the same point.
        let arms = [arms[0] + gap, arms[1]];
        self.corrections.clear();
        let mut largest = Opening::default();
        let line = gap.normalize_or_zero();
        let limits = rows.bounds().iter().filter(|bound| bound.is_limit).map(|bound| (&bound.row, true));
        for (spec, is_limit) in rows.holds().iter().map(|spec| (spec, false)).chain(limits) {
            let off = spec.error_at(gap);
            let correction = match spec.along {
                Along::Linear => Correction::linear(spec.axis, arms, off),
                Along::Distance => Correction::linear(line, arms, off),
                Along::DistanceLeft => Correction::linear(-line, arms, off),
                _ => Correction { angular: [spec.axis; 2], off, ..Correction::default() },
            };
            match (spec.along.is_angular(), is_limit) {
                (false, false) => largest.gap = Real::max(largest.gap, off.abs()),
                (false, true) => largest.gap = Real::max(largest.gap, -off),
                (true, false) => largest.angle = Real::max(largest.angle, off.abs()),
                (true, true) => largest.angle = Real::max(largest.angle, -off),
            }
            self.corrections.push(Correction { is_limit, ..correction });
        }
        largest
    }

    /// Moves both bodies along the rows that were measured.
    fn correct(&mut self, pair: [u32; 2], bodies: &mut Bodies) {
        let masses = pair.map(|body| {
            let state = &bodies.state[body as usize];
            // Who may not move along every axis does not move at all.
            let stays = !state.has(flag::DYNAMIC) || state.has(flag::LOCKED);
            if stays { InverseMass::FIXED } else { bodies.mass[body as usize] }
        });
        let rotations = pair.map(|body| bodies.motion[body as usize].rotation);
        let turn = |k: usize, v: Vec3| {
            let InverseMass { root_inertia, .. } = masses[k];
            rotations[k].rotate(rotations[k].rotate_back(v) * root_inertia * root_inertia)
        };
        let inverse = masses.map(|mass| mass.root_mass * mass.root_mass);
        let mut shifts = [Shift::default(); 2];
        for _ in 0..VISITS {
            for row in &mut self.corrections {
                let turns = [turn(0, row.angular[0]), turn(1, row.angular[1])];
                let square = row.linear.length_squared() * (inverse[0] + inverse[1])
                    + row.angular[0].dot(turns[0])
                    + row.angular[1].dot(turns[1]);
                let along = |k: usize| row.linear.dot(shifts[k].moved) + row.angular[k].dot(shifts[k].turned);
                let off = row.off + along(1) - along(0);
                if square <= 0.0 {
                    continue;
                }
                let before = row.push;
                let wanted = before - off / square;
                row.push = if row.is_limit { Real::max(wanted, 0.0) } else { wanted };
                let push = row.push - before;
                for (k, push) in [(0, -push), (1, push)] {
                    shifts[k].moved += row.linear * (push * inverse[k]);
                    shifts[k].turned += turns[k] * push;
                }
            }
        }
        for (body, shift) in pair.into_iter().zip(shifts) {
            let motion = &mut bodies.motion[body as usize];
            motion.position += shift.moved.as_dvec3();
            motion.rotation = turned_by(motion.rotation, shift.turned);
        }
    }
}

impl Correction {
    fn linear(axis: Vec3, arms: [Vec3; 2], off: f32) -> Self {
        Self { linear: axis, angular: arms.map(|arm| arm.cross(axis)), off, ..Self::default() }
    }
}
