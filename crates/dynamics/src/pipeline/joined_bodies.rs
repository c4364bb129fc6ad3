//! Bodies that joints hold together: everybody who moves with a body, and the joints between them.

use crate::state::bodies::{Bodies, flag};
use crate::state::joints::Joints;

/// The search with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedBodies {
    /// Slots of the bodies on the same joints, in the order in which they were found.
    pub(super) slots: Vec<u32>,
    /// Slots of their joints, ascending.
    pub(super) joints: Vec<u32>,
    /// A bit for each of the bodies, by slot; all clear between searches.
    marks: Vec<u64>,
}

impl JoinedBodies {
    /// A body by itself.
    pub(super) fn alone(&mut self, slot: u32) {
        self.slots.clear();
        self.joints.clear();
        self.slots.push(slot);
    }

    /// Finds everybody who moves with a body, itself first.
    pub(super) fn find(&mut self, slot: u32, bodies: &Bodies, joints: &Joints) {
        self.slots.clear();
        self.joints.clear();
        self.marks.resize(bodies.state.len().div_ceil(64), 0);
        self.add(slot);
        let mut at = 0;
        while let Some(&body) = self.slots.get(at) {
            at += 1;
            let Some(cold) = bodies.cold.get(body) else { continue };
            let chain = joints.chain(body, cold.first_joint);
            for joint in chain.filter(|joint| joints.rows[*joint as usize].is_there) {
                self.joints.push(joint);
                for other in joints.rows[joint as usize].bodies {
                    if bodies.state[other as usize].has(flag::DYNAMIC) {
                        self.add(other);
                    }
                }
            }
        }
        for slot in &self.slots {
            self.marks[*slot as usize / 64] = 0;
        }
        self.joints.sort_unstable();
        self.joints.dedup();
    }

    fn add(&mut self, slot: u32) {
        let (word, bit) = (&mut self.marks[slot as usize / 64], 1 << (slot % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.slots.push(slot);
        }
    }
}
