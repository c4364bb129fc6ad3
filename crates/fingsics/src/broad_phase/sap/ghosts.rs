//! Ghosts: pairs Fingsics reports although their boxes do not overlap.
//!
//! A body that moves up an axis by more than its own width passes its own maximum with its minimum,
//! since the minimum is re-inserted first. Everything it flew over is then met by its maximum from
//! the wrong side, and Fingsics adds it as a pair, which stays until the two separate on some axis
//! again. To report the same pairs we must report these.
//!
//! Whether a pair is added or removed depends only on the order of the two bodies' own endpoints,
//! so the few pairs concerned can be followed on their own: per axis two facts, "a's minimum stands
//! before b's maximum" and the reverse, updated by the twelve re-insertions of a step in Fingsics'
//! order.

use carom_geometry::Aabb;

use crate::broad_phase::Proxies;
use carom_broadphase::pair::{Pair, PairSet};

/// The ghosts alive, and what becomes of the pairs concerned in the present step.
#[derive(Clone, Debug, Default)]
pub(super) struct Ghosts {
    alive: Vec<Pair>,
    foreseen: Vec<(Pair, bool)>,
}

impl Ghosts {
    /// Works out, for all living ghosts and all pairs of a body that jumps, whether they will be
    /// members after this step. `min_before_max` tells the order of the step before.
    pub(super) fn foresee(
        &mut self,
        proxies: &Proxies<'_, 3>,
        previous: &[Aabb<3>],
        set: &PairSet,
        min_before_max: impl Fn(usize, usize, usize) -> bool,
    ) {
        self.foreseen.clear();
        for at in 0..self.alive.len() {
            let pair = self.alive[at];
            self.foresee_pair(pair, true, proxies, previous, &min_before_max);
        }
        for jumper in (0..proxies.len()).filter(|&body| jumps(&proxies.boxes[body], &previous[body])) {
            let swept = union(&proxies.boxes[jumper], &previous[jumper]);
            for other in 0..proxies.len() {
                // Bodies whose swept boxes stay apart never meet, so nothing changes for them.
                if proxies.may_pair(jumper, other)
                    && swept.overlaps(&union(&proxies.boxes[other], &previous[other]))
                {
                    let pair = Pair::new(jumper as u32, other as u32);
                    self.foresee_pair(pair, set.contains(pair), proxies, previous, &min_before_max);
                }
            }
        }
    }

    fn foresee_pair(
        &mut self,
        pair: Pair,
        member: bool,
        proxies: &Proxies<'_, 3>,
        previous: &[Aabb<3>],
        min_before_max: &impl Fn(usize, usize, usize) -> bool,
    ) {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let mut meeting = Meeting {
            boxes: [previous[a], previous[b]],
            before: std::array::from_fn(|axis| [min_before_max(axis, a, b), min_before_max(axis, b, a)]),
            member,
        };
        meeting.reinsert(0, &proxies.boxes[a]);
        meeting.reinsert(1, &proxies.boxes[b]);
        self.foreseen.push((pair, meeting.member));
    }

    /// Brings the pairs concerned to their foreseen state; those that are members without
    /// overlapping live on.
    pub(super) fn settle(&mut self, set: &mut PairSet, overlap: impl Fn(Pair) -> bool) {
        self.alive.clear();
        for &(pair, member) in &self.foreseen {
            if !member {
                set.remove(pair);
            } else if set.insert(pair) || !overlap(pair) {
                self.alive.push(pair);
            }
        }
        // A pair can have been foreseen twice (an old ghost that jumps again, two jumpers).
        self.alive.retain(|&pair| !overlap(pair));
        self.alive.sort_unstable();
        self.alive.dedup();
    }
}

/// Does the body's minimum pass its own old maximum on some axis?
fn jumps(new: &Aabb<3>, old: &Aabb<3>) -> bool {
    (0..3).any(|axis| new.min[axis] > old.max[axis])
}

fn union(a: &Aabb<3>, b: &Aabb<3>) -> Aabb<3> {
    Aabb {
        min: std::array::from_fn(|axis| a.min[axis].min(b.min[axis])),
        max: std::array::from_fn(|axis| a.max[axis].max(b.max[axis])),
    }
}

/// Two bodies while their endpoints are re-inserted.
struct Meeting {
    /// Boxes as far as they have been re-inserted.
    boxes: [Aabb<3>; 2],
    /// Per axis: does the first one's minimum stand before the second one's maximum, and the
    /// reverse?
    before: [[bool; 2]; 3],
    member: bool,
}

impl Meeting {
    /// Re-inserts the endpoints of one of the two: on each axis the minimum, then the maximum.
    fn reinsert(&mut self, body: usize, new: &Aabb<3>) {
        let other = 1 - body;
        for axis in 0..3 {
            let min = arrives_before(new.min[axis], self.boxes[body].min[axis], self.boxes[other].max[axis]);
            self.boxes[body].min[axis] = new.min[axis];
            self.set_before(axis, body, min);
            let max = arrives_before(new.max[axis], self.boxes[body].max[axis], self.boxes[other].min[axis]);
            self.boxes[body].max[axis] = new.max[axis];
            self.set_before(axis, other, max.map(|max_first| !max_first));
        }
    }

    /// Sets whether the minimum of body `low` stands before the other's maximum, with the
    /// consequences.
    fn set_before(&mut self, axis: usize, low: usize, before: Option<bool>) {
        let Some(before) = before else { return };
        if std::mem::replace(&mut self.before[axis][low], before) == before {
            return;
        }
        if before {
            let others_overlap = (0..3).all(|other| other == axis || self.before[other] == [true; 2]);
            self.member |= others_overlap;
        } else {
            self.member = false;
        }
    }
}

/// An endpoint goes from `old` to `new`: does it end up before one that stands at `other`? `None`
/// if their order stays as it was. Coming from below to the same value it stops before it, coming
/// from above behind it.
fn arrives_before(new: f32, old: f32, other: f32) -> Option<bool> {
    if new != other {
        Some(new < other)
    } else if old != new {
        Some(old < new)
    } else {
        None
    }
}
