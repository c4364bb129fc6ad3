//! What is left of bodies that had to be put back and stopped.
//!
//! Their impulses are what threw them, and what was noted of their way is no number any more: both are forgotten, or the next step would
//! begin with them.

use super::World;
use crate::state::impulses::Impulses;
use crate::state::impulses::JointImpulses;
use crate::state::joints::Load;

impl World {
    /// Forgets the impulses of bodies that were put back in this step, and makes their boxes anew.
    pub(crate) fn settle_quarantined(&mut self) {
        if self.quarantined.is_empty() {
            return;
        }
        let slots = std::mem::take(&mut self.quarantined);
        let is_meant = |bodies: [u32; 2]| bodies.iter().any(|body| slots.contains(body));
        for (at, row) in self.joints.rows.iter().enumerate() {
            if row.is_there && is_meant(row.bodies) {
                self.joints.impulses[at] = JointImpulses::default();
                self.joints.loads[at] = Load::default();
            }
        }
        for at in 0..self.contacts.heads.len() {
            if self.contacts.is_live(at as u32) && is_meant(self.contacts.heads[at].bodies) {
                self.contacts.impulses[at] = Impulses::default();
                if let Some(composite) = &mut self.contacts.composites[at] {
                    composite.impulses.fill(Impulses::default());
                }
            }
        }
        for &slot in &slots {
            let state = &mut self.bodies.state[slot as usize];
            (state.budget, state.predicted) = (0.0, glam::Vec3::ZERO);
            self.bodies.journeys[slot as usize].reach = 0.0;
            if !self.bodies.journeys[slot as usize].travel.is_finite() {
                self.bodies.journeys[slot as usize].travel = 0.0;
            }
            self.settle_body(slot);
        }
        self.quarantined = slots;
    }
}

#[cfg(test)]
mod tests {
    use crate::world::validate::tests::scene;

    #[test]
    fn a_quarantined_body_leaves_nothing_that_is_no_number() {
        let mut world = scene();
        world.joints.impulses[0].hold = [f32::INFINITY; 6];
        let report = world.step(1.0 / 60.0).expect("dt is good");
        assert!(!report.quarantined.is_empty(), "the impulse is too much");
        assert_eq!(world.validate(), []);
        let report = world.step(1.0 / 60.0).expect("dt is good");
        assert!(report.quarantined.is_empty(), "and it is gone");
        assert_eq!(world.validate(), []);
    }
}
