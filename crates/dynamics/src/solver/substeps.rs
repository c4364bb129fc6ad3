//! The substeps of a step over rows and lanes.

use carom_geometry::Rotation;
use glam::Vec3;

use super::body::MassRow;
use super::contact::{Bounce, Sweep};
use super::lanes::Lanes;
use super::rows::{BodyRow, Part};
use super::wide::{Constraints, Crew, Machine};
use crate::world::definition::LockedAxes;

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
    mass: MassRow,
}

impl Lock {
    pub(crate) fn new(row: u32, locked: &LockedAxes, frame: Rotation, mass: &MassRow) -> Self {
        let free = |locked: [bool; 3]| Vec3::from(locked.map(|locked| f32::from(!locked)));
        Self {
            row,
            translation: free(locked.translation),
            rotation: free(locked.rotation),
            frame,
            mass: *mass,
        }
    }

    fn apply(&self, rows: &mut [BodyRow]) {
        let row = &mut rows[self.row as usize];
        row.set(Part::Linear, row.part(Part::Linear) * self.translation);
        let spin = self.frame.rotate(row.part(Part::Angular) * self.mass.root_inertia) * self.rotation;
        row.set(Part::Angular, self.mass.scaled(self.frame.rotate_back(spin)));
    }
}

/// How a step is divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Substeps {
    /// How many.
    pub(crate) count: u32,
    /// How long each.
    pub(crate) h: f32,
    /// Fastest push out of an overlap.
    pub(crate) max_push: f32,
    /// Slower approach does not bounce.
    pub(crate) bounce_threshold: f32,
}

impl Substeps {
    /// All substeps, then the bounces.
    pub(crate) fn run<M: Machine, L: Lanes, const W: usize>(
        &self,
        crew: &mut Crew<'_, M>,
        it: &mut Constraints<L, W>,
        rows: &mut [BodyRow],
        pulls: &[Pull],
        locks: &[Lock],
    ) {
        it.prepare(crew);
        for substep in 0..self.count {
            let sweep =
                Sweep { inverse_h: 1.0 / self.h, elapsed: substep as f32 * self.h, max_push: self.max_push };
            for (BodyRow([linear, angular, ..]), pull) in rows.iter_mut().zip(pulls) {
                for k in 0..4 {
                    linear[k] = (linear[k] + pull.linear[k]) * pull.linear_damping;
                    angular[k] = (angular[k] + pull.angular[k]) * pull.angular_damping;
                }
            }
            it.begin(crew, rows, &sweep);
            it.push(crew, rows, &sweep);
            for lock in locks {
                lock.apply(rows);
            }
            for BodyRow([linear, angular, moved, turned]) in rows.iter_mut() {
                for k in 0..4 {
                    moved[k] += linear[k] * self.h;
                    turned[k] += angular[k] * self.h;
                }
            }
            it.relax(crew, rows);
            for lock in locks {
                lock.apply(rows);
            }
        }
        let bounce = Bounce {
            threshold: self.bounce_threshold,
            inverse_h: 1.0 / self.h,
            substeps: self.count as f32,
            pulls,
        };
        it.bounce(crew, rows, &bounce);
        for lock in locks {
            lock.apply(rows);
        }
    }
}
