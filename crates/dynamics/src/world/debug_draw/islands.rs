//! Which bodies hold each other, in colours.
//!
//! Found anew from contacts and joints, those of sleeping bodies included: the islands of the
//! solver are of the awake, and no part of a snapshot. The body of the lowest slot decides about
//! the colour, so an island keeps its colour for as long as it keeps that body.

use super::canvas::Colour;
use crate::state::bodies::flag;
use crate::world::World;

/// The islands of a world at present.
pub(super) struct IslandColours<'a> {
    /// Parent of each slot in the forest: never above it.
    parents: Vec<u32>,
    colours: &'a [Colour],
}

impl<'a> IslandColours<'a> {
    pub(super) fn of(world: &World, colours: &'a [Colour]) -> Self {
        let state = &world.state;
        let mut islands = Self { parents: (0..state.bodies.state.len() as u32).collect(), colours };
        let is_moved = |body: u32| state.bodies.state[body as usize].has(flag::DYNAMIC);
        let solved = state.active_manifolds.iter().map(|touch| touch.bodies);
        let touching = state.contacts.slots().map(|slot| &state.contacts.infos[slot as usize]);
        let touching = touching.filter(|info| info.is_touching && !info.is_sensor).map(|info| info.bodies);
        let joined = state.joints.rows.iter().filter(|joint| joint.is_there).map(|joint| joint.bodies);
        for [a, b] in solved.chain(touching).chain(joined) {
            if is_moved(a) && is_moved(b) {
                let (a, b) = (islands.root(a), islands.root(b));
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                islands.parents[high as usize] = low;
            }
        }
        islands
    }

    fn root(&self, mut slot: u32) -> u32 {
        while self.parents[slot as usize] != slot {
            slot = self.parents[slot as usize];
        }
        slot
    }

    /// The colour of the island of a body, if there are colours.
    pub(super) fn colour(&self, slot: u32) -> Option<Colour> {
        let count = self.colours.len();
        if count == 0 { None } else { Some(self.colours[self.root(slot) as usize % count]) }
    }
}
