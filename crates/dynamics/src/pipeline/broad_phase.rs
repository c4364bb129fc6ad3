//! Broad phase: the pairs of boxes that overlap, and the contacts that begin and end with them.

use crate::state::context::StepContext;
use crate::state::world_state::WorldState;

/// Finds the pairs if any box has changed since they were found last.
pub(crate) fn run(context: &mut StepContext<'_>, state: &mut WorldState, boxes_moved: usize) {
    if boxes_moved == 0 && !state.is_space_changed {
        return;
    }
    let WorldState { bodies, shapes, contacts, joints, space, events, .. } = state;
    space.update_with(context.pool);
    contacts.follow(space, shapes, bodies, joints);
    events.take_ended(contacts, bodies, shapes, true);
    bodies.path.adapt(contacts.pair_count(), bodies.awake.len());
    state.is_space_changed = false;
}
