//! Solve: lever arms of rolling resistance, then the contact solver, then the joints that it broke.

use super::rolling_resistance;
use crate::solver::contact_solver::{ContactSolver, SolveReport};
use crate::state::context::StepContext;
use crate::state::joints::{JointBreak, Load};
use crate::state::world_state::WorldState;

/// Solves contacts and joints over a step and moves their bodies.
pub(crate) fn run(
    context: &mut StepContext<'_>,
    solver: &mut dyn ContactSolver,
    state: &mut WorldState,
) -> SolveReport {
    rolling_resistance::run(context, state);
    let report = solver.solve(context, state);
    break_joints(state);
    report
}

/// Removes the joints that were overloaded in this step, and notes them.
fn break_joints(state: &mut WorldState) {
    state.joints.breaks.clear();
    for at in 0..state.joints.overloaded.len() {
        let slot = state.joints.overloaded[at];
        let [a, b] = state.joints.rows[slot as usize].bodies;
        let bodies = (state.bodies.cold.id_of(a), state.bodies.cold.id_of(b));
        let (Some(joint), Some(cold), (Some(a), Some(b))) =
            (state.joints.cold.id_of(slot), state.joints.cold.get(slot), bodies)
        else {
            continue;
        };
        let (Load { force, torque }, user_data) = (state.joints.loads[slot as usize], cold.user_data);
        state.joints.breaks.push(JointBreak { joint, bodies: [a, b], force, torque, user_data });
        state.drop_joint(joint);
    }
}
