//! Impulses of contacts and joints, in substeps.
//!
//! Every island goes to the batch of its level ([`crate::state::islands`]); each batch is solved in substeps of its own
//! ([`super::batch`]). Everything that neither touches nor is joined flies freely.

use carom_core::threads::ThreadPool;

use super::batch::{Batch, Pace, Solved};
use crate::state::bodies::Bodies;
use crate::state::contacts::Contacts;
use crate::state::contacts::Touch;
use crate::state::islands::{Islands, LEVELS};
use crate::state::joints::Joints;
use crate::state::settings::WorldDef;
use crate::state::shapes::Shapes;

/// The solver with its memory.
#[derive(Clone, Debug)]
pub(crate) struct Solve {
    /// One for each level.
    batches: Vec<Batch>,
    /// Slots of the joints that carried more than they can.
    broken: Vec<u32>,
    /// Length of the substeps of each level in the last step.
    last: [f32; LEVELS.len()],
}

impl Solve {
    pub(crate) fn new(def: &WorldDef) -> Self {
        Self {
            batches: LEVELS.iter().map(|_| Batch::new(def)).collect(),
            broken: Vec::new(),
            last: [0.0; LEVELS.len()],
        }
    }

    /// Lanes of the sweeps.
    pub(crate) fn width(&self) -> usize {
        self.batches[0].width()
    }

    /// Solves all contacts of `touches` and all joints over a step and moves their bodies. Bodies that left the finite numbers
    /// are put back and stopped; their slots go to `quarantined`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of the world that the solver reads and writes, each by name"
    )]
    pub(crate) fn run(
        &mut self,
        def: &WorldDef,
        dt: f32,
        touches: &[Touch],
        islands: &Islands,
        bodies: &mut Bodies,
        shapes: &Shapes,
        contacts: &mut Contacts,
        joints: &mut Joints,
        quarantined: &mut Vec<u32>,
        pool: &mut ThreadPool,
    ) -> Solved {
        self.deal(touches, islands, bodies, joints);
        let mut solved = Solved::default();
        let last = self.last;
        for (level, (batch, &times)) in self.batches.iter_mut().zip(&LEVELS).enumerate() {
            let count = def.substeps * times;
            let h = dt / count as f32;
            self.last[level] = h;
            let pace = Pace { count, times, h, last, level: level as u8 };
            let came =
                batch.run(def, dt, &pace, touches, bodies, shapes, contacts, joints, quarantined, pool);
            solved.rows += came.rows;
            solved.colours = solved.colours.max(came.colours);
            solved.crowded += came.crowded;
            if level > 0 {
                solved.stiff += came.rows;
            }
        }
        self.broken.clear();
        for batch in &self.batches {
            let breakable = batch.joints.iter().filter(|slot| joints.rows[**slot as usize].is_breakable);
            self.broken.extend(breakable.filter(|slot| joints.is_overloaded(**slot)));
        }
        self.broken.sort_unstable();
        solved
    }

    /// Gives every batch its touches and joints.
    fn deal(&mut self, touches: &[Touch], islands: &Islands, bodies: &Bodies, joints: &Joints) {
        for batch in &mut self.batches {
            batch.touches.clear();
            batch.joints.clear();
        }
        let is_moved = |body: u32| bodies.state[body as usize].is_moved();
        for (slot, joint) in joints.rows.iter().enumerate().filter(|(_, joint)| joint.is_there) {
            let [a, b] = joint.bodies;
            if is_moved(a) || is_moved(b) {
                let level = islands.level(if is_moved(a) { a } else { b });
                self.batches[usize::from(level)].joints.push(slot as u32);
            }
        }
        if !islands.is_stiff() {
            self.batches[0].touches.extend(0..touches.len() as u32);
            return;
        }
        for (number, touch) in touches.iter().enumerate() {
            let [a, b] = touch.bodies;
            let level = islands.level(if is_moved(a) { a } else { b });
            self.batches[usize::from(level)].touches.push(number as u32);
        }
    }

    /// Lengths of the substeps of every level in the last step: with them, and what contacts and joints keep, goes all that the
    /// solver knows of the past.
    pub(crate) fn last(&self) -> [f32; LEVELS.len()] {
        self.last
    }

    /// As if the last step had had substeps of these lengths.
    pub(crate) fn set_last(&mut self, last: [f32; LEVELS.len()]) {
        self.last = last;
    }

    /// Slots of the joints that carried more than they can in this step, ascending.
    pub(crate) fn broken(&self) -> &[u32] {
        &self.broken
    }

    /// Forgets the rows; to be called when all bodies have moved.
    pub(crate) fn release(&mut self, bodies: &mut Bodies) {
        for batch in &mut self.batches {
            batch.release(bodies);
        }
    }
}

impl Joints {
    /// Is it more than a joint can carry?
    fn is_overloaded(&self, slot: u32) -> bool {
        let (at, load) = (self.cold.get(slot), &self.loads[slot as usize]);
        at.is_some_and(|cold| {
            load.force.length() > cold.break_force || load.torque.length() > cold.break_torque
        })
    }
}
