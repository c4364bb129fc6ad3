//! Positions that joints fit: bodies that were put elsewhere together are moved until their joints
//! hold again, each by as much as its mass asks for.
//!
//! Every joint in turn moves its two bodies by what its rows are off (non-linear projected
//! Gauss–Seidel on positions: M. Müller and others, *Position based dynamics*, 2006), to and fro
//! through all of them. Velocities stay as they are, and limits are left to the solver. If that
//! does not lessen the largest gap, nobody is moved.

use carom_geometry::Real;
use glam::Vec3;

use super::joint_constraints::JointSetup;
use super::joint_rows::{Along, JointRows};
use super::rotation::turned_by;
use super::softness::Softness;
use crate::state::bodies::{Bodies, flag};
use crate::state::joints::Joints;
use crate::state::motion::{InverseMass, Motion};

/// Most visits of every joint.
const MOST_SWEEPS: u32 = 48;
/// Visits of the rows of a joint each time.
const VISITS: u32 = 4;

/// A row along which a joint is off.
#[derive(Clone, Copy, Debug)]
struct Correction {
    linear: Vec3,
    /// Angular Jacobians of both bodies, in world axes.
    angular: [Vec3; 2],
    off: f32,
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
    /// How far the worst of some joints is open, metres.
    pub(crate) fn largest_gap(&mut self, joints: (&Joints, &[u32]), bodies: &Bodies) -> f32 {
        let (all, list) = joints;
        list.iter().fold(0.0, |most, joint| Real::max(most, self.measure(all, *joint as usize, bodies)))
    }

    /// Moves the bodies of some joints until these are open by no more than `tolerance`, metres.
    /// Returns whether anybody was moved. `slots` are those of all bodies that may be.
    pub(crate) fn run(
        &mut self,
        joints: (&Joints, &[u32]),
        slots: &[u32],
        bodies: &mut Bodies,
        tolerance: f32,
    ) -> bool {
        let largest = self.largest_gap(joints, bodies);
        if largest <= tolerance {
            return false;
        }
        let before: Vec<Motion> = slots.iter().map(|slot| bodies.motion[*slot as usize]).collect();
        for sweep in 0..MOST_SWEEPS {
            if self.sweep(joints, bodies, sweep % 2 == 1) <= tolerance {
                break;
            }
        }
        let is_better = self.largest_gap(joints, bodies) < largest;
        let is_sane = slots.iter().all(|slot| bodies.motion[*slot as usize].is_sane());
        if !(is_better && is_sane) {
            for (slot, motion) in slots.iter().zip(before) {
                bodies.motion[*slot as usize] = motion;
            }
        }
        is_better && is_sane
    }

    /// Visits all joints; returns how far the worst was open before its visit.
    fn sweep(&mut self, (joints, list): (&Joints, &[u32]), bodies: &mut Bodies, is_backward: bool) -> f32 {
        let mut largest = 0.0f32;
        for at in 0..list.len() {
            let joint = list[if is_backward { list.len() - 1 - at } else { at }] as usize;
            largest = Real::max(largest, self.measure(joints, joint, bodies));
            self.correct(joints.rows[joint].bodies, bodies);
        }
        largest
    }

    /// Finds the rows that a joint holds, and how far it is open along any of them, metres.
    fn measure(&mut self, joints: &Joints, joint: usize, bodies: &Bodies) -> f32 {
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
        let mut largest = 0.0f32;
        let line = gap.normalize_or_zero();
        for spec in rows.holds() {
            let off = spec.error_at(gap);
            let correction = match spec.along {
                Along::Linear => Correction::linear(spec.axis, arms, off),
                Along::Distance => Correction::linear(line, arms, off),
                Along::DistanceLeft => Correction::linear(-line, arms, off),
                _ => Correction { linear: Vec3::ZERO, angular: [spec.axis; 2], off },
            };
            if !spec.along.is_angular() {
                largest = Real::max(largest, off.abs());
            }
            self.corrections.push(correction);
        }
        largest
    }

    /// Moves both bodies along the rows that were measured.
    fn correct(&self, pair: [u32; 2], bodies: &mut Bodies) {
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
            for row in &self.corrections {
                let turns = [turn(0, row.angular[0]), turn(1, row.angular[1])];
                let square = row.linear.length_squared() * (inverse[0] + inverse[1])
                    + row.angular[0].dot(turns[0])
                    + row.angular[1].dot(turns[1]);
                let along = |k: usize| row.linear.dot(shifts[k].moved) + row.angular[k].dot(shifts[k].turned);
                let off = row.off + along(1) - along(0);
                if square <= 0.0 {
                    continue;
                }
                let push = -off / square;
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
        Self { linear: axis, angular: arms.map(|arm| arm.cross(axis)), off }
    }
}
