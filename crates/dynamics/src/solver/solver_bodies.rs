//! Bodies in the substeps: their rows, what acts on them, and which of their axes are locked.
//!
//! In the first substep the impulses of the last step are applied constraint by constraint. In
//! every later one that is not needed: what all impulses of a substep did to a row is the
//! difference between its velocity at the end and before the first of them, and to start the next
//! substep with the same impulses is to add that difference once more. That saves one of three
//! sweeps. Contacts keep their Jacobians over a step; joints do not, and put right what that
//! changes when they push.
//!
//! Rows are along the principal axes of the beginning of the step. Bodies that spin on joints and
//! touch nothing have a [`BodyFrame`], and their rows are along the principal axes as they are in
//! the substep: between its impulses such a body moves as in free flight, gyroscopic torque
//! included, and the joints push it with the inertia that it has there.

use carom_geometry::Rotation;
use glam::Vec3;

use super::integrate::free_axes;
use super::rotation::turn_freely;
use super::rows::{Part, SolverBody, padded, vector};
use crate::state::bodies::mass::turns_in_plane;
use crate::state::definition::LockedAxes;
use crate::state::id::NONE;
use crate::state::motion::InverseMass;

/// What a substep adds to a row, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    /// √m · acceleration · h.
    pub(crate) linear: [f32; 4],
    /// 1/√I · torque · h, in principal axes.
    pub(crate) angular: [f32; 4],
    /// Share of the velocity that damping leaves.
    pub(crate) linear_damping: f32,
    /// Share of the angular velocity that damping leaves.
    pub(crate) angular_damping: f32,
}

impl Default for Pull {
    fn default() -> Self {
        Self { linear: [0.0; 4], angular: [0.0; 4], linear_damping: 1.0, angular_damping: 1.0 }
    }
}

/// Axes that a row may not use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lock {
    row: u32,
    /// 1 along free axes, 0 along locked ones.
    translation: Vec3,
    rotation: Vec3,
    frame: Rotation,
    mass: InverseMass,
    /// It turns about z only, which is one of its principal axes and stays it.
    turns_in_plane: bool,
}

impl Lock {
    pub(crate) fn new(row: u32, locked: &LockedAxes, frame: Rotation, mass: &InverseMass) -> Self {
        let (translation, rotation) = free_axes(locked);
        let turns_in_plane = turns_in_plane(locked.rotation, frame);
        Self { row, translation, rotation, frame, mass: *mass, turns_in_plane }
    }

    fn apply(&self, rows: &mut [SolverBody]) {
        let row = &mut rows[self.row as usize];
        row.set(Part::Linear, row.part(Part::Linear) * self.translation);
        if self.turns_in_plane {
            row.set(Part::Angular, row.part(Part::Angular) * self.rotation);
            return;
        }
        let angular_velocity =
            self.frame.rotate(row.part(Part::Angular) * self.mass.root_inertia) * self.rotation;
        row.set(Part::Angular, self.mass.scaled(self.frame.rotate_back(angular_velocity)));
    }
}

/// The principal axes of a body in the substeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFrame {
    row: u32,
    mass: InverseMass,
    /// Turn since the beginning of the step.
    pub(crate) rotation: Rotation,
    /// What acts on it in every substep, along the axes of the beginning of the step.
    torque: Vec3,
    /// √I · angular velocity if nothing pushes it any more.
    free: Vec3,
    is_pushed: bool,
}

impl BodyFrame {
    /// Turns the row freely for a time. What that does to its velocity is no impulse.
    fn advance(&mut self, row: &mut SolverBody, base: &mut [[f32; 4]; 2], pull: &mut Pull, time: f32) {
        let before = row.part(Part::Angular);
        self.is_pushed |= before != self.free;
        let angular_velocity = self.rotation.rotate(before * self.mass.root_inertia);
        let (rotation, angular_velocity) = turn_freely(self.rotation, &self.mass, angular_velocity, time);
        let after = self.mass.scaled(rotation.rotate_back(angular_velocity));
        row.set(Part::Angular, after);
        row.set(Part::Turned, self.mass.scaled(rotation.to_rotation_vector()));
        base[1] = padded(after - (before - vector(base[1])));
        pull.angular = padded(rotation.rotate_back(self.torque));
        self.rotation = rotation;
        self.free = after;
    }

    /// Has nothing pushed the body in the step? Its turn is that of its angular velocity of the
    /// beginning then, without the rounding of all substeps.
    pub(crate) fn is_free(&self, row: &SolverBody) -> bool {
        !self.is_pushed && row.part(Part::Angular) == self.free
    }
}

/// All bodies that constraints move.
#[derive(Clone, Debug, Default)]
pub(crate) struct SolverBodies {
    /// Their rows; the first stands for everything that does not move.
    pub(crate) rows: Vec<SolverBody>,
    /// Parallel to the rows.
    pub(crate) pulls: Vec<Pull>,
    pub(crate) locks: Vec<Lock>,
    /// Frames that follow their bodies.
    pub(crate) frames: Vec<BodyFrame>,
    /// Which of them belongs to a row, [`NONE`] if none; empty if there are no frames.
    frame_of_row: Vec<u32>,
    /// Velocities before the impulses of the substep, parallel to the rows.
    bases: Vec<[[f32; 4]; 2]>,
}

impl SolverBodies {
    /// Begins a step: nobody but the first row.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.pulls.clear();
        self.locks.clear();
        self.frames.clear();
        self.frame_of_row.clear();
        self.rows.push(SolverBody::default());
        self.pulls.push(Pull::default());
    }

    /// Gives the row that was added last a frame that follows its body.
    pub(crate) fn follow_last(&mut self, mass: &InverseMass) {
        let Some(pull) = self.pulls.last() else { return };
        let (row, torque) = (self.rows.len() - 1, vector(pull.angular));
        let free = self.rows[row].part(Part::Angular);
        self.frame_of_row.resize(row, NONE);
        self.frame_of_row.push(self.frames.len() as u32);
        self.frames.push(BodyFrame {
            row: row as u32,
            mass: *mass,
            rotation: Rotation::IDENTITY,
            torque,
            free,
            is_pushed: false,
        });
    }

    /// The frame of a row, if it follows its body.
    #[inline]
    pub(crate) fn frame(&self, row: usize) -> Option<&BodyFrame> {
        let at = *self.frame_of_row.get(row)?;
        self.frames.get(at as usize)
    }

    /// Begins the substeps: what acts on the rows acts for the first time.
    pub(crate) fn pull(&mut self) {
        self.bases.clear();
        for (SolverBody([linear, angular, ..]), pull) in self.rows.iter_mut().zip(&self.pulls) {
            for k in 0..4 {
                linear[k] = (linear[k] + pull.linear[k]) * pull.linear_damping;
                angular[k] = (angular[k] + pull.angular[k]) * pull.angular_damping;
            }
            self.bases.push([*linear, *angular]);
        }
    }

    /// Begins a later substep: what acts on the rows, and the impulses of the substep before once
    /// more.
    pub(crate) fn pull_again(&mut self) {
        let rows = self.rows.iter_mut().zip(&mut self.bases);
        for ((SolverBody([linear, angular, ..]), base), pull) in rows.zip(&self.pulls) {
            for k in 0..4 {
                let (pushed, spun) = (linear[k] - base[0][k], angular[k] - base[1][k]);
                base[0][k] = (linear[k] + pull.linear[k]) * pull.linear_damping;
                base[1][k] = (angular[k] + pull.angular[k]) * pull.angular_damping;
                linear[k] = base[0][k] + pushed;
                angular[k] = base[1][k] + spun;
            }
        }
    }

    /// Moves by the velocities for a time.
    pub(crate) fn advance(&mut self, time: f32) {
        for SolverBody([linear, angular, moved, turned]) in &mut self.rows {
            for k in 0..4 {
                moved[k] += linear[k] * time;
                turned[k] += angular[k] * time;
            }
        }
        for frame in &mut self.frames {
            let row = frame.row as usize;
            frame.advance(&mut self.rows[row], &mut self.bases[row], &mut self.pulls[row], time);
        }
    }

    /// Kinetic energy of a row.
    #[inline]
    pub(crate) fn kinetic(&self, row: usize) -> f32 {
        let row = &self.rows[row];
        0.5 * (row.part(Part::Linear).length_squared() + row.part(Part::Angular).length_squared())
    }

    /// What acts on a body is added to its velocity before it moves. Its places belong to
    /// velocities half a substep away, and with this correction the energy of what swings does not
    /// go up and down with its speed: it is that of the symplectic Euler method.
    #[inline]
    pub(crate) fn ahead(&self, row: usize) -> f32 {
        let (row, pull) = (&self.rows[row], &self.pulls[row]);
        let linear = row.part(Part::Linear).dot(vector(pull.linear));
        0.5 * (linear + row.part(Part::Angular).dot(vector(pull.angular)))
    }

    /// Multiplies the velocities of a row.
    #[inline]
    pub(crate) fn scale(&mut self, row: usize, scale: f32) {
        let row = &mut self.rows[row];
        row.set(Part::Linear, row.part(Part::Linear) * scale);
        row.set(Part::Angular, row.part(Part::Angular) * scale);
    }

    /// Stops motion along locked axes.
    pub(crate) fn lock(&mut self) {
        for lock in &self.locks {
            lock.apply(&mut self.rows);
        }
    }
}
