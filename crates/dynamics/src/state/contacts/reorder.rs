//! Contacts in the order in which they are visited.
//!
//! Contacts begin in whatever slot is free, so in a world that has been moving for a while
//! neighbours in the list of pairs lie anywhere in memory, and a step waits for memory more than it
//! computes. When too many of them lie out of order, all are moved to the order of the list.
//! Nothing but time depends on which slot a contact has.

use super::Contacts;

/// Fewer contacts than this are in the cache anyway.
const FEWEST: usize = 1024;
/// A list is out of order if more than one in so many of its contacts lies before the one it
/// follows.
const ONE_IN: usize = 4;
/// Changes of the list between two times of tidying at least: moving all contacts takes about as
/// long as visiting them twice.
const MIN_CHANGES_BETWEEN: u32 = 64;

impl Contacts {
    /// Moves all contacts to the order of the list if they are far from it. To be called whenever
    /// the list has changed.
    pub(super) fn reorder_if_scattered(&mut self) {
        self.changes = self.changes.saturating_add(1);
        if self.changes < MIN_CHANGES_BETWEEN || self.slots.len() < FEWEST {
            return;
        }
        let mut last = 0;
        let mut falls = 0;
        for slot in self.slots() {
            falls += usize::from(slot < last);
            last = slot;
        }
        if falls * ONE_IN > self.slots.len() {
            self.reorder();
            self.changes = 0;
        }
    }

    /// Moves all contacts to the order of the list, and the free slots to the end.
    pub(super) fn reorder(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(self.slots());
        let used = order.len() as u32;
        order.extend(&self.free);
        for at in 0..order.len() {
            // What belongs here may have made room for an earlier one: then it is where that one
            // was.
            let mut from = order[at] as usize;
            while from < at {
                from = order[from] as usize;
            }
            if from != at {
                self.swap(at, from);
            }
        }
        let named = self.slots.iter_mut().filter(|slot| Self::is_contact(**slot));
        named.zip(0..).for_each(|(slot, place)| *slot = place);
        self.free.clear();
        // The first one is taken first.
        self.free.extend((used..order.len() as u32).rev());
        self.order = order;
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.infos.swap(a, b);
        self.manifolds.swap(a, b);
        self.impulses.swap(a, b);
        self.memories.swap(a, b);
        self.records.swap(a, b);
        self.composites.swap(a, b);
        self.reported.swap(a, b);
    }
}

#[cfg(test)]
mod tests {
    use carom_geometry::shape::{Cuboid, HalfSpace};
    use glam::Vec3;

    use crate::{BodyDef, ShapeDef, World, WorldDef};

    /// Boxes that fall on each other in rows, so that contacts begin and end.
    fn falling() -> World {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).expect("it is good");
        let cube = ShapeDef::new(Cuboid::new(Vec3::splat(0.3)).expect("sizes are good"));
        for k in 0..60 {
            let [x, y, z] = [k % 4, k / 16, k / 4 % 4].map(|n| f64::from(n) * 0.65);
            let body = BodyDef::dynamic()
                .at(x + 0.1 * y, y + 0.4, z)
                .angular_velocity(Vec3::new(y as f32, 1.0, 0.5));
            world.add_body(body, [cube.clone()]).expect("it is good");
        }
        world
    }

    fn is_in_order(world: &World) -> bool {
        world.state.contacts.slots().is_sorted()
    }

    #[test]
    fn tidying_changes_nothing_but_the_order() {
        let (mut tidied, mut plain) = (falling(), falling());
        let mut times = 0;
        for step in 0..150 {
            for world in [&mut tidied, &mut plain] {
                world.step(1.0 / 60.0).expect("dt is good");
            }
            assert_eq!(tidied.state_hash(), plain.state_hash(), "step {step}");
            let touching = |world: &World| world.touching_shapes().collect::<Vec<_>>();
            assert_eq!(touching(&tidied), touching(&plain), "step {step}");
            // Between steps the list of what was solved still names the slots of that step.
            if step % 7 == 6 && !is_in_order(&tidied) {
                tidied.state.active_manifolds.clear();
                tidied.state.contacts.reorder();
                assert!(is_in_order(&tidied));
                assert_eq!(tidied.validate(), []);
                times += 1;
            }
        }
        assert!(times > 3 && !is_in_order(&plain), "{times}");
    }
}
