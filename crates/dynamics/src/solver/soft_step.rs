//! The solver `soft-step`: impulses of contacts and joints, in substeps, by soft constraints.
//!
//! Every island goes to the batch of its level ([`crate::state::islands`]); each batch is solved in
//! substeps of its own ([`super::batch`]). Everything that neither touches nor is joined is left to
//! the stage *integrate*.

use super::batch::{Batch, SubstepPlan};
use super::contact_solver::{ContactSolver, SolveReport};
use crate::state::context::StepContext;
use crate::state::islands::LEVELS;
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;

/// The solver with its memory.
#[derive(Clone, Debug)]
pub(crate) struct SoftStep {
    /// One for each level.
    batches: Vec<Batch>,
}

impl SoftStep {
    pub(crate) fn new(def: &WorldDef) -> Self {
        Self { batches: LEVELS.iter().map(|_| Batch::new(def)).collect() }
    }

    /// Gives every batch its manifolds and joints.
    fn deal(&mut self, state: &WorldState) {
        for batch in &mut self.batches {
            batch.active_manifolds.clear();
            batch.joints.clear();
        }
        let WorldState { bodies, joints, islands, active_manifolds, .. } = state;
        let is_moved = |body: u32| bodies.state[body as usize].is_moved();
        for (slot, joint) in joints.rows.iter().enumerate().filter(|(_, joint)| joint.is_there) {
            let [a, b] = joint.bodies;
            if is_moved(a) || is_moved(b) {
                let level = islands.level(if is_moved(a) { a } else { b });
                self.batches[usize::from(level)].joints.push(slot as u32);
            }
        }
        if !islands.is_stiff() {
            self.batches[0].active_manifolds.extend(0..active_manifolds.len() as u32);
            return;
        }
        for (number, touch) in active_manifolds.iter().enumerate() {
            let [a, b] = touch.bodies;
            let level = islands.level(if is_moved(a) { a } else { b });
            self.batches[usize::from(level)].active_manifolds.push(number as u32);
        }
    }
}

impl ContactSolver for SoftStep {
    fn simd_width(&self) -> usize {
        self.batches[0].width()
    }

    fn solve(&mut self, context: &mut StepContext<'_>, state: &mut WorldState) -> SolveReport {
        self.deal(state);
        let mut sum = SolveReport::default();
        state.joints.open.clear();
        let last = state.substep_lengths;
        for (level, (batch, &times)) in self.batches.iter_mut().zip(&LEVELS).enumerate() {
            let count = context.settings.substeps * times;
            let h = context.dt / count as f32;
            state.substep_lengths[level] = h;
            let plan = SubstepPlan { count, times, h, last, level: level as u8 };
            let solved = batch.run(context, &plan, state);
            sum.rows += solved.rows;
            sum.colors = sum.colors.max(solved.colors);
            sum.overflow_constraints += solved.overflow_constraints;
            if level > 0 {
                sum.extra_substep_bodies += solved.rows;
            }
        }
        let mut overloaded = std::mem::take(&mut state.joints.overloaded);
        overloaded.clear();
        for batch in &self.batches {
            let joints = &state.joints;
            let breakable = batch.joints.iter().filter(|slot| joints.rows[**slot as usize].is_breakable);
            overloaded.extend(breakable.filter(|slot| joints.is_overloaded(**slot)));
        }
        overloaded.sort_unstable();
        state.joints.overloaded = overloaded;
        // Lanes of other widths name them in another order.
        state.joints.open.sort_unstable();
        sum
    }
}
