//! Broad phase: the pairs of boxes that overlap, and the contacts that begin and end with them.

use carom_broadphase::TooManyPairs;

use crate::state::context::StepContext;
use crate::state::error::WorldError;
use crate::state::world_state::WorldState;

/// Finds the pairs if any box has changed since they were found last. If there are more than the
/// world may have, contacts stay as they are.
pub(crate) fn run(
    context: &mut StepContext<'_>,
    state: &mut WorldState,
    boxes_moved: usize,
) -> Result<(), WorldError> {
    if boxes_moved == 0 && !state.is_space_changed {
        return Ok(());
    }
    state.is_space_changed = true;
    let WorldState { bodies, shapes, contacts, joints, space, events, .. } = state;
    if let Err(TooManyPairs { limit }) = space.try_update_with(context.pool) {
        // What the method knows is worth nothing now.
        space.set_broad_phase(context.settings.broad.broad_phase());
        return Err(WorldError::TooManyPairs { limit });
    }
    contacts.follow(space, shapes, bodies, joints, context.hooks.pair_filter.as_ref());
    events.take_ended(contacts, bodies, shapes, true);
    contacts.count_neighbours(bodies);
    state.is_space_changed = false;
    Ok(())
}
