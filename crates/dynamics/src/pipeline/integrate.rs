//! Integrate: motion of bodies that neither touch nor are joined. The others were moved with their
//! rows by the contact solver; how bodies move is in [`crate::solver::integrate`].

use crate::solver::integrate::move_bodies;
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::world_state::WorldState;

/// Moves every awake body that has no row, and takes the rows from the others.
pub(crate) fn run(context: &mut StepContext<'_>, state: &mut WorldState) {
    let bodies = &mut state.bodies;
    let (gravity, dt) = (context.settings.gravity, context.dt);
    // The list names every body once, see `Bodies::refresh_awake`.
    let awake = std::mem::take(&mut bodies.awake);
    move_bodies(context, bodies, &awake, |_, body| body.row != NONE || body.move_freely(gravity, dt));
    for slot in &awake {
        bodies.rows[*slot as usize] = NONE;
    }
    bodies.awake = awake;
}
