//! Hooks of the user in continuous collision: whether two shapes meet at all, and whether what they
//! meet at holds.
//!
//! The pair filter has answered for pairs whose boxes overlapped when the step began; it is asked
//! about others. The contact modifier is shown the impact that a body would be put back to: one
//! point, with both bodies where they meet and no impulses of before. An impact that it disables
//! stops nobody. What else it changes is of no use here: the contact itself is found in the next
//! step, and shown again.

use carom_narrowphase::Manifold;
use carom_narrowphase::manifold::ManifoldPoint;

use super::sweep::{Impact, Meeting};
use super::swept_motion::SweptMotion;
use super::{Candidate, Course};
use crate::state::bodies::Bodies;
use crate::state::contact_modifier::ContactModifier;
use crate::state::contacts::{ActiveManifold, ContactInfo, admits};
use crate::state::hooks::ShapePair;
use crate::state::id::NONE;
use crate::state::impulses::Impulses;
use crate::state::motion::Motion;

impl Course<'_> {
    /// Does the filter of the user let two shapes collide?
    pub(super) fn admits(&self, pair: [u32; 2], bodies: &Bodies) -> bool {
        let Some(filter) = &self.hooks.pair_filter else { return true };
        let known = self.contacts.was_admitted(pair.map(|shape| self.shapes.rows[shape as usize].proxy));
        known.unwrap_or_else(|| admits(filter, pair, self.shapes, bodies))
    }

    /// Does the contact modifier of the user leave an impact as it is? The ways are those of the
    /// body that is met and of the one that is swept. Impacts of which no place is known are not
    /// shown, and hold.
    pub(super) fn holds(
        &self,
        impact: &Impact,
        candidate: &Candidate,
        ways: [&SweptMotion; 2],
        bodies: &Bodies,
    ) -> bool {
        let (Some(modify), Some(meeting)) = (&self.hooks.modify_contact, impact.meeting) else { return true };
        let slots = [candidate.theirs, candidate.mine];
        let motions = ways.map(|way| way.at(impact.at.t));
        let rows = slots.map(|slot| &self.shapes.rows[slot as usize]);
        let Some(pair) = ShapePair::at(motions.each_ref(), slots, bodies, self.shapes) else { return true };
        // Motions are seen from where the swept body was.
        let origin = ways[1].origin();
        let seen = |side: usize, meeting: &Meeting| {
            let Motion { position, rotation, .. } = motions[side];
            let from_body = (origin - position).as_vec3() + meeting.point;
            rows[side].local_pose.undo(rotation.rotate_back(from_body))
        };
        let turn = motions[0].rotation * rows[0].local_pose.rotation;
        let mut manifold = Manifold::new(turn.rotate_back(meeting.normal));
        manifold.push(ManifoldPoint {
            on_a: seen(0, &meeting),
            on_b: seen(1, &meeting),
            separation: meeting.separation,
            ..ManifoldPoint::default()
        });
        let info = ContactInfo::between(slots, self.shapes);
        let states = info.bodies.map(|body| &bodies.state[body as usize]);
        let mut touch = ActiveManifold { points: 1, ..ActiveManifold::of(NONE, &info, states, rows) };
        modify(&mut ContactModifier {
            pair,
            manifold: &manifold,
            impulses: &Impulses::default(),
            touch: &mut touch,
            speculative_distance: self.settings.speculative_distance,
            slop: self.settings.slop,
            dt: self.gain.dt,
        });
        !touch.is_disabled()
    }
}
