//! Contact force events: pairs whose contacts push or rub harder than a threshold of their shapes.
//!
//! Looked at when all bodies have moved. Impulses are those of the solver over the whole step,
//! impacts that bounced included. One event for each pair of shapes: the parts of a composite are
//! taken together. Without a threshold anywhere this is one comparison per step.

use glam::Vec3;

use crate::state::contacts::{ActiveManifold, Contacts};
use crate::state::context::StepContext;
use crate::state::events::ContactForceEvent;
use crate::state::hooks::ShapePair;
use crate::state::world_state::WorldState;

/// Lists the pairs whose forces are above their thresholds.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    if !state.shapes.has_force_threshold {
        return;
    }
    let WorldState { bodies, shapes, contacts, active_manifolds, events, .. } = state;
    for parts in active_manifolds.chunk_by(|a, b| a.contact == b.contact) {
        let slots = contacts.infos[parts[0].contact as usize].shapes;
        let threshold = shapes.force_threshold(slots);
        if threshold == f32::INFINITY {
            continue;
        }
        if let Some(pair) = ShapePair::new(slots, bodies, shapes)
            && let Some(event) = event_of(parts, &pair, contacts, context.dt)
            && event.total_force > threshold
        {
            events.contact_forces.push(event);
        }
    }
}

/// The forces of all manifolds of a pair together; `None` if nothing presses.
fn event_of(
    parts: &[ActiveManifold],
    pair: &ShapePair<'_>,
    contacts: &Contacts,
    dt: f32,
) -> Option<ContactForceEvent> {
    let (mut force, mut total, mut strongest) = (Vec3::ZERO, 0.0, None);
    for touch in parts {
        let manifold = contacts.manifold(touch.contact, touch.part);
        let impulses = contacts.impulses_of(touch.contact, touch.part);
        let normal = pair.turned(0, manifold.normal);
        let own = (normal * impulses.total_normal + impulses.total_friction) / dt;
        force += own;
        total += own.length();
        let pressed = impulses.of_points(manifold.points().len());
        for (point, impulse) in manifold.points().iter().zip(pressed) {
            if impulse > strongest.map_or(0.0, |(most, _, _)| most) {
                strongest = Some((impulse, pair.midpoint(point), normal));
            }
        }
    }
    let (impulse, point, normal) = strongest?;
    Some(ContactForceEvent {
        shapes: pair.shapes(),
        bodies: pair.bodies(),
        force,
        total_force: total,
        strongest_force: impulse / dt,
        point,
        normal,
    })
}
