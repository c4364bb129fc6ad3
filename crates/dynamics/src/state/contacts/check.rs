//! Are the contacts consistent with each other, with the shapes and with the pairs of the broad
//! phase?

use super::{Contacts, IDLE, overlapping};
use crate::state::bodies::Bodies;
use crate::state::id::NONE;
use crate::state::islands::LEVELS;
use crate::state::shapes::Shapes;
use crate::state::violation::{ContactFault, Violation};
use carom_broadphase::Space;

impl Contacts {
    /// Lists what is wrong. `is_current` says that the pairs have been followed since the boxes
    /// last changed.
    pub(crate) fn check(
        &self,
        space: &Space<3>,
        shapes: &Shapes,
        bodies: &Bodies,
        is_current: bool,
        out: &mut Vec<Violation>,
    ) {
        let count = self.infos.len();
        let lengths = [
            self.manifolds.len(),
            self.impulses.len(),
            self.memories.len(),
            self.records.len(),
            self.composites.len(),
            self.reported.len(),
        ];
        if lengths.iter().any(|length| *length != count) {
            out.push(Violation::ContactArrays { infos: count, others: lengths.to_vec() });
            return;
        }
        let pairs_match = self.pairs.len() == self.slots.len()
            && self.pairs.len() == self.separation_bounds.len()
            && self.pairs.is_sorted();
        if !pairs_match || is_current && !self.pairs.iter().copied().eq(overlapping(space)) {
            out.push(Violation::ContactPairs { contacts: self.slots.len(), pairs: space.pairs().len() });
            return;
        }
        // How often each slot is named: once, by a pair or as free.
        let mut named = vec![0u8; count];
        for slot in self.slots().chain(self.free.iter().copied()) {
            match named.get_mut(slot as usize) {
                Some(times) => *times = times.saturating_add(1),
                None => out.push(Violation::Contact { contact: slot, fault: ContactFault::NoSuchSlot }),
            }
        }
        for (slot, times) in named.iter().enumerate().filter(|(_, times)| **times != 1) {
            let fault = if *times == 0 { ContactFault::Lost } else { ContactFault::NamedTwice };
            out.push(Violation::Contact { contact: slot as u32, fault });
        }
        for (at, (pair, slot)) in self.pairs.iter().zip(&self.slots).enumerate() {
            let fault = if Self::is_contact(*slot) {
                self.fault_of(*slot, [pair.a, pair.b], shapes, bodies)
            } else {
                None
            };
            let fault = fault.or_else(|| self.fault_of_pair(at, shapes, bodies));
            if let Some(fault) = fault {
                out.push(Violation::Contact { contact: *slot, fault });
            }
        }
    }

    /// Are the bodies of a pair those of its shapes?
    fn fault_of_pair(&self, at: usize, shapes: &Shapes, bodies: &Bodies) -> Option<ContactFault> {
        let (slot, bound, pair) = (self.slots[at], self.separation_bounds[at], self.pairs[at]);
        if slot >= IDLE {
            // A pair of which something was removed is looked at again.
            let is_good = slot == NONE || bound.bodies == [NONE; 2];
            return (!is_good).then_some(ContactFault::WrongShape);
        }
        let mut on = [NONE; 2];
        for (body, proxy) in on.iter_mut().zip([pair.a, pair.b]) {
            let shape = shapes.proxies().get(proxy as usize).copied().unwrap_or(NONE);
            if shapes.cold.get(shape).is_none() || shapes.rows[shape as usize].proxy != proxy {
                return Some(ContactFault::DeadShape);
            }
            *body = shapes.rows[shape as usize].body;
            if bodies.cold.get(*body).is_none() {
                return Some(ContactFault::DeadShape);
            }
        }
        let is_of_pair = bound.bodies == on;
        let is_of_contact = !Self::is_contact(slot)
            || self.infos.get(slot as usize).is_some_and(|info| {
                info.bodies == bound.bodies || info.bodies == [bound.bodies[1], bound.bodies[0]]
            });
        (!(is_of_pair && is_of_contact)).then_some(ContactFault::WrongShape)
    }

    fn fault_of(&self, slot: u32, pair: [u32; 2], shapes: &Shapes, bodies: &Bodies) -> Option<ContactFault> {
        let info = self.infos.get(slot as usize)?;
        for (shape, body) in info.shapes.into_iter().zip(info.bodies) {
            if shape == NONE || shapes.cold.get(shape).is_none() || bodies.cold.get(body).is_none() {
                return Some(ContactFault::DeadShape);
            }
            let row = &shapes.rows[shape as usize];
            if row.body != body || !pair.contains(&row.proxy) {
                return Some(ContactFault::WrongShape);
            }
        }
        let composite = self.composites[slot as usize].as_deref();
        if composite.is_some() != info.is_composite {
            return Some(ContactFault::Parts);
        }
        let whole = [(self.manifolds[slot as usize], self.impulses[slot as usize])];
        let parts =
            composite.map(|parts| parts.manifolds.iter().copied().zip(parts.impulses.iter().copied()));
        let mut all = whole.into_iter().chain(parts.into_iter().flatten());
        let is_good = all.all(|(manifold, impulses)| {
            let is_unit = (manifold.normal.length() - 1.0).abs() < 1e-3;
            let finite =
                impulses.friction.is_finite() && impulses.twist.is_finite() && impulses.rolling.is_finite();
            (manifold.is_empty()
                || is_unit && manifold.points().iter().all(|point| point.separation.is_finite()))
                && finite
                && impulses.normal.iter().all(|impulse| *impulse >= 0.0 && impulse.is_finite())
        });
        let has_level = usize::from(info.level) < LEVELS.len();
        (!(is_good && has_level)).then_some(ContactFault::Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use crate::world::validate::tests::scene;

    fn faults(world: &World) -> Vec<Violation> {
        world.validate()
    }

    /// The slot of a contact.
    fn some_contact(world: &World) -> usize {
        world.state.contacts.slots().next().map_or(usize::MAX, |slot| slot as usize)
    }

    fn is_contact(violation: &Violation, expected: &ContactFault) -> bool {
        matches!(violation, Violation::Contact { fault, .. } if fault == expected)
    }

    #[test]
    fn broken_contacts_are_found() {
        type Break = fn(&mut Contacts, usize);
        let breaks: [(Break, ContactFault); 7] = [
            (|contacts, at| contacts.infos[at].shapes[0] = 9999, ContactFault::DeadShape),
            (|contacts, at| contacts.infos[at].shapes.swap(0, 1), ContactFault::WrongShape),
            (|contacts, at| contacts.impulses[at].normal[0] = -1.0, ContactFault::Numbers),
            (|contacts, at| contacts.infos[at].level = 4, ContactFault::Numbers),
            (|contacts, at| contacts.free.push(at as u32), ContactFault::NamedTwice),
            (|contacts, at| contacts.infos[at].is_composite ^= true, ContactFault::Parts),
            (|contacts, _| contacts.free.push(9999), ContactFault::NoSuchSlot),
        ];
        for (break_it, fault) in breaks {
            let mut world = scene();
            let at = some_contact(&world);
            break_it(&mut world.state.contacts, at);
            assert!(
                faults(&world).iter().any(|found| is_contact(found, &fault)),
                "{fault:?}: {:?}",
                faults(&world)
            );
        }
    }

    #[test]
    fn lists_that_do_not_fit_are_found() {
        let mut world = scene();
        world.state.contacts.records.pop();
        assert!(matches!(faults(&world)[..], [Violation::ContactArrays { .. }]));
        let mut world = scene();
        world.state.contacts.pairs.pop();
        assert!(matches!(faults(&world)[..], [Violation::ContactPairs { .. }]));
        let mut world = scene();
        let slot = world.state.contacts.slots.pop();
        world.state.contacts.slots.extend(slot.map(|_| NONE));
        assert!(faults(&world).iter().any(|found| is_contact(found, &ContactFault::Lost)));
    }
}
