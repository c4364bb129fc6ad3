//! What is left of bodies that had to be put back and stopped.
//!
//! Their impulses are what threw them, and what was noted of their way is not finite any more: both
//! are forgotten, or the next step would begin with them.

use glam::Vec3;

use crate::state::context::StepContext;
use crate::state::impulses::{Impulses, JointImpulses};
use crate::state::joints::Load;
use crate::state::world_state::WorldState;

/// Forgets the impulses of bodies that were put back in this step, and rebuilds their boxes.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    let slots = &*context.quarantined;
    if slots.is_empty() {
        return;
    }
    let is_meant = |bodies: [u32; 2]| bodies.iter().any(|body| slots.contains(body));
    for (at, row) in state.joints.rows.iter().enumerate() {
        if row.is_there && is_meant(row.bodies) {
            state.joints.impulses[at] = JointImpulses::default();
            state.joints.loads[at] = Load::default();
        }
    }
    for at in 0..state.contacts.infos.len() {
        if state.contacts.is_live(at as u32) && is_meant(state.contacts.infos[at].bodies) {
            state.contacts.impulses[at] = Impulses::default();
            if let Some(composite) = &mut state.contacts.composites[at] {
                composite.impulses.fill(Impulses::default());
            }
        }
    }
    for &slot in slots {
        let body = &mut state.bodies.state[slot as usize];
        (body.budget, body.predicted) = (0.0, Vec3::ZERO);
        let motion_bound = &mut state.bodies.motion_bounds[slot as usize];
        motion_bound.reach = 0.0;
        if !motion_bound.travel.is_finite() {
            motion_bound.travel = 0.0;
        }
        state.rebuild_boxes(slot, context.settings.speculative_distance);
    }
}

#[cfg(test)]
mod tests {
    use crate::world::validate::tests::scene;

    #[test]
    fn a_quarantined_body_leaves_nothing_that_is_no_number() {
        let mut world = scene();
        world.state.joints.impulses[0].hold = [f32::INFINITY; 6];
        let report = world.step(1.0 / 60.0).expect("dt is good");
        assert!(!report.quarantined.is_empty(), "the impulse is too much");
        assert_eq!(world.validate(), []);
        let report = world.step(1.0 / 60.0).expect("dt is good");
        assert!(report.quarantined.is_empty(), "and it is gone");
        assert_eq!(world.validate(), []);
    }
}
