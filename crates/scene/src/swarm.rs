//! Swarms: boxes that move by simple rules and pass through each other, a workload for broad phases
//! and nothing else.
//!
//! A swarm is asked for as `NAME[:n][?key=value&…]`, like a library scene, and steps itself. Each
//! frame it says which boxes moved, went and came ([`Changes`]); it gives no bounds of the world,
//! since no engine is given any. From 1 to 4 million boxes, in the plane or in space (`d=2`,
//! `d=3`), the same bits on every platform.
//!
//! The measures are those of the Broadmark study (cloud in a cube of side (n / density)^(1/D),
//! start in a ball of 0.45 sides, speeds up to 0.75 sides per second, 30 frames per second, the
//! hundredth part redirected per frame), without its physics: what is measured is a broad phase,
//! and a million bodies need no solver to stay apart. Each of the other swarms has one property
//! that some family of methods cannot bear.
//!
//! | file | holds |
//! |---|---|
//! | `catalogue.rs` | names, parameters, requests |
//! | `things.rs` | how large the boxes are |
//! | `start.rs` | where they are at first |
//! | `motion.rs` | how they move |

mod catalogue;
mod motion;
mod start;
#[cfg(test)]
mod tests;
mod things;

use carom_geometry::Aabb;

pub use catalogue::{AnySwarm, Entry, SWARMS, build, knows};

use carom_core::random::Random;
use motion::Motion;
use start::Plan;

/// Seconds between frames.
pub const STEP: f32 = 1.0 / 30.0;

/// What a frame changed. A box stands in at most one of moved and inserted; an id in both `removed`
/// and `inserted` has gone to a new box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Ids whose boxes are elsewhere now, ascending. All other boxes stay where they were.
    pub moved: Vec<u32>,
    /// Ids whose boxes went. To be followed first.
    pub removed: Vec<u32>,
    /// Ids whose boxes came, the last removed first: the order in which a stack of free ids gives
    /// them out.
    pub inserted: Vec<u32>,
}

impl Changes {
    fn clear(&mut self) {
        self.moved.clear();
        self.removed.clear();
        self.inserted.clear();
    }
}

/// Boxes that move by themselves.
#[derive(Clone, Debug)]
pub struct Swarm<const D: usize> {
    /// Half the room between the walls, along each axis.
    walls: [f32; D],
    /// Metres per second that velocities are drawn up to.
    speed: f32,
    centres: Vec<[f32; D]>,
    velocities: Vec<[f32; D]>,
    halves: Vec<[f32; D]>,
    plan: Plan,
    motion: Motion<D>,
    random: Random,
    boxes: Vec<Aabb<D>>,
    changes: Changes,
}

impl<const D: usize> Swarm<D> {
    /// The boxes of this frame, by id.
    #[must_use]
    pub fn boxes(&self) -> &[Aabb<D>] {
        &self.boxes
    }

    /// What the last step changed; nothing before the first.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The room that the boxes never leave (but for rounding), along each axis.
    #[must_use]
    pub fn walls(&self) -> Aabb<D> {
        Aabb { min: self.walls.map(|w| -w), max: self.walls }
    }

    /// Goes on to the next frame.
    pub fn step(&mut self) {
        self.changes.clear();
        self.advance();
    }

    /// Puts the box of an id to where its centre is; true if that is elsewhere.
    fn place(&mut self, at: usize) -> bool {
        let (centre, half) = (&self.centres[at], &self.halves[at]);
        let aabb = Aabb {
            min: std::array::from_fn(|k| centre[k] - half[k]),
            max: std::array::from_fn(|k| centre[k] + half[k]),
        };
        let elsewhere = self.boxes[at] != aabb;
        self.boxes[at] = aabb;
        elsewhere
    }
}
