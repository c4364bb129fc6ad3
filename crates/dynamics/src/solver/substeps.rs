//! The substeps of a step over rows and lanes.

use carom_core::simd::dispatch::InstructionSet;

use super::bounce::{Bounce, ImpactIslands};
use super::contact::Sweep;
use super::lanes::SolverLanes;
use super::solver_bodies::SolverBodies;
use super::wide::Constraints;
use super::worker_context::WorkerContext;

/// How a step is divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Substeps {
    /// How many.
    pub(crate) count: u32,
    /// How long each.
    pub(crate) h: f32,
    /// Fastest push out of an overlap.
    pub(crate) max_contact_push_speed: f32,
    /// Slower approach does not bounce.
    pub(crate) restitution_threshold: f32,
}

impl Substeps {
    /// All substeps, then the bounces of islands with impacts, if anything can bounce.
    pub(crate) fn run<I: InstructionSet, L: SolverLanes, const W: usize>(
        &self,
        context: &mut WorkerContext<'_, I>,
        it: &mut Constraints<L, W>,
        solver_bodies: &mut SolverBodies,
        impact_islands: Option<&mut ImpactIslands<'_>>,
    ) {
        it.prepare(context);
        let inverse_h = 1.0 / self.h;
        let (threshold, substeps) = (self.restitution_threshold, self.count as f32);
        let is_bouncing = impact_islands.is_some();
        if let Some(islands) = impact_islands {
            let bounce = Bounce { threshold, inverse_h, substeps, pulls: &solver_bodies.pulls };
            it.find_impacts(context, &mut solver_bodies.rows, &bounce, islands);
        }
        for substep in 0..self.count {
            let sweep = Sweep {
                inverse_h,
                elapsed: substep as f32 * self.h,
                max_contact_push_speed: self.max_contact_push_speed,
            };
            if substep == 0 {
                solver_bodies.pull();
                it.warm_start(context, &mut solver_bodies.rows, sweep);
            } else {
                solver_bodies.pull_again();
            }
            it.solve(context, &mut solver_bodies.rows, sweep);
            solver_bodies.lock();
            solver_bodies.advance(self.h);
            let after = Sweep { elapsed: (substep + 1) as f32 * self.h, ..sweep };
            it.relax(context, &mut solver_bodies.rows, after);
            solver_bodies.lock();
        }
        if is_bouncing {
            let bounce = Bounce { threshold, inverse_h, substeps, pulls: &solver_bodies.pulls };
            it.bounce(context, &mut solver_bodies.rows, &bounce);
            solver_bodies.lock();
        }
    }
}
