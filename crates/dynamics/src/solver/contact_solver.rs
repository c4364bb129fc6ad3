//! Where contact solvers attach: a trait over the state, and the solvers by name.
//!
//! A world has one solver and calls it once per step, so the call is virtual: a solver chooses by
//! itself how it loops over contacts and bodies. To add one, implement [`ContactSolver`] in a
//! folder of its own, add a variant to [`SolverMethod`] with its name, and an arm to [`build`].
//! Forces, damping, locks, speed caps and quarantine of the bodies that it moves are in
//! [`integrate`](super::integrate), the same for all.

use super::soft_step::SoftStep;
use crate::state::context::StepContext;
use crate::state::settings::{SolverMethod, WorldDef};
use crate::state::world_state::WorldState;

/// Finds the impulses of contacts and joints over a step and moves their bodies.
///
/// A solver reads [`WorldState::active_manifolds`], the joints and the islands. It gives a row
/// ([`Bodies::rows`](crate::state::bodies::Bodies::rows)) to every body that it moves: all others
/// are moved by the stage *integrate*. It leaves the impulses in contacts and joints, the loads of
/// joints, the joints that were overloaded, and the lengths of its substeps. Its results depend on
/// the state and the settings only, not on the number of threads.
pub(crate) trait ContactSolver: Send + Sync {
    /// Solves a step. Bodies whose state becomes non-finite are put back and stopped; their slots
    /// go to [`StepContext::quarantined`].
    fn solve(&mut self, context: &mut StepContext<'_>, state: &mut WorldState) -> SolveReport;

    /// Numbers that it computes per instruction on this machine.
    fn simd_width(&self) -> usize;
}

/// What a solver did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolveReport {
    /// Bodies with a row.
    pub(crate) rows: u32,
    /// Colors that were used.
    pub(crate) colors: u32,
    /// Contacts and joints that found no color.
    pub(crate) overflow_constraints: u32,
    /// Bodies that were solved in more substeps than the others.
    pub(crate) extra_substep_bodies: u32,
}

/// The solver that the settings ask for.
pub(crate) fn build(def: &WorldDef) -> Box<dyn ContactSolver> {
    match def.solver {
        SolverMethod::SoftStep => Box::new(SoftStep::new(def)),
    }
}
