//! Contact modification: the hook of the user sees every manifold before it is solved.
//!
//! What it changes are the manifolds of this step; contacts keep what they are. Manifolds that it
//! disables are no touch, carry nothing and wake nobody. The parts of a composite stay in the list,
//! without points, as long as one of them is solved: islands are found by the first.

use super::narrow_phase::deactivate;
use crate::state::contact_modifier::ContactModifier;
use crate::state::contacts::ActiveManifold;
use crate::state::context::StepContext;
use crate::state::hooks::ShapePair;
use crate::state::impulses::Impulses;
use crate::state::world_state::WorldState;

/// Shows all manifolds to the hook, if there is one.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    let Some(modify) = &context.hooks.modify_contact else { return };
    let mut is_any_disabled = false;
    for touch in &mut state.active_manifolds {
        let info = &state.contacts.infos[touch.contact as usize];
        let Some(pair) = ShapePair::new(info.shapes, &state.bodies, &state.shapes) else { continue };
        modify(&mut ContactModifier {
            pair,
            manifold: state.contacts.manifold(touch.contact, touch.part),
            impulses: state.contacts.impulses_of(touch.contact, touch.part),
            touch,
            speculative_distance: context.settings.speculative_distance,
            slop: context.settings.slop,
            dt: context.dt,
        });
        is_any_disabled |= touch.disabled_points != 0;
    }
    if is_any_disabled {
        forget_disabled(state);
        drop_disabled(state);
    }
}

/// Points that are not solved carry nothing.
fn forget_disabled(state: &mut WorldState) {
    let WorldState { contacts, active_manifolds, .. } = state;
    for touch in active_manifolds.iter().filter(|touch| touch.disabled_points != 0) {
        let impulses = contacts.impulses_of_mut(touch.contact, touch.part);
        if touch.is_disabled() {
            *impulses = Impulses::default();
        }
        for (number, impulse) in impulses.normal.iter_mut().enumerate() {
            if !touch.is_enabled(number) {
                *impulse = 0.0;
            }
        }
    }
}

/// Takes contacts of which nothing is solved out of the step.
fn drop_disabled(state: &mut WorldState) {
    let WorldState { contacts, active_manifolds, .. } = state;
    let mut kept = 0;
    let mut first = 0;
    while first < active_manifolds.len() {
        let contact = active_manifolds[first].contact;
        let parts = active_manifolds[first..].iter().take_while(|touch| touch.contact == contact).count();
        let end = first + parts;
        if active_manifolds[first..end].iter().all(ActiveManifold::is_disabled) {
            let slot = contact as usize;
            deactivate(&mut contacts.infos[slot], &mut contacts.impulses[slot]);
            contacts.noticed.push(contact);
        } else {
            active_manifolds.copy_within(first..end, kept);
            kept += parts;
        }
        first = end;
    }
    active_manifolds.truncate(kept);
}
