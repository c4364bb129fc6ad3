//! Islands whose substeps change their length.
//!
//! What acts on a body is added to its velocity before it moves, so velocities belong to a time
//! half a substep before that of positions, and what the substeps conserve is the energy with that
//! correction ([`SolverBodies::ahead`]). When a chain that swings is solved in shorter substeps
//! than in the step before, the same velocities would mean another energy: up and down with every
//! swing,
//! it would lose a share of it each time. So the velocities of the island are scaled to the same
//! energy, which joints do not feel. Those of islands that nothing fixed holds stay as they are:
//! scaling would not keep their momentum.

use carom_geometry::Real;

use super::solver_bodies::SolverBodies;

/// Largest change of the kinetic energy.
const LARGEST_SHARE: f32 = 0.25;

/// Islands whose level has changed since the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelChange {
    /// Length of their substeps in the last step, by slot of a root; 0 for others.
    lengths: Vec<f32>,
    /// Kinetic energy, and what it is ahead by in substeps of this step.
    energies: Vec<[f32; 2]>,
    /// By slot of a root: does a joint with something fixed hold it?
    is_held: Vec<bool>,
    is_any: bool,
}

impl LevelChange {
    /// Begins a step.
    pub(crate) fn begin(&mut self) {
        self.is_any = false;
    }

    /// Is there any?
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }

    /// Notes an island whose substeps had another length, in a world with so many slots.
    pub(crate) fn note(&mut self, root: u32, slots: usize, last: f32) {
        if !self.is_any {
            self.lengths.clear();
            self.lengths.resize(slots, 0.0);
            self.energies.clear();
            self.energies.resize(slots, [0.0; 2]);
            self.is_held.clear();
            self.is_held.resize(slots, false);
            self.is_any = true;
        }
        self.lengths[root as usize] = last;
    }

    /// Notes an island that a joint with something fixed holds, when all others have been noted.
    pub(crate) fn hold(&mut self, root: u32) {
        if let Some(is_held) = self.is_held.get_mut(root as usize) {
            *is_held = true;
        }
    }

    /// Scales the velocities of those islands; `roots` are the islands of the rows, `h` is the
    /// length of a substep now.
    pub(crate) fn end(&mut self, solver_bodies: &mut SolverBodies, roots: &[u32], h: f32) {
        for (row, root) in roots.iter().enumerate().skip(1) {
            let [kinetic, ahead] = &mut self.energies[*root as usize];
            *kinetic += solver_bodies.kinetic(row);
            *ahead += solver_bodies.ahead(row);
        }
        for (row, root) in roots.iter().enumerate().skip(1) {
            let (last, [kinetic, ahead]) = (self.lengths[*root as usize], self.energies[*root as usize]);
            if last > 0.0 && kinetic > 0.0 && self.is_held[*root as usize] {
                let share = ahead * (last / h - 1.0) / kinetic;
                let share = Real::min(Real::max(share, -LARGEST_SHARE), LARGEST_SHARE);
                solver_bodies.scale(row, (1.0 + share).sqrt());
            }
        }
    }
}
