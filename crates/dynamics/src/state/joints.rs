//! Joints: who is joined, where, and what the last step left for the next.
//!
//! Everything lies in arrays by slot. The joints of a body are a chain through `JointCold::next`,
//! so that removing a body, or asking whether two bodies are joined, looks only at what hangs on
//! it.

mod stored;

use carom_core::clone_fields;
use carom_geometry::{Pose, Rotation};
use glam::Vec3;

use super::bodies::Bodies;
use super::id::{BodyId, JointId, NONE, Slots};
use super::joint_def::JointKind;
use crate::state::impulses::{JointClass, JointImpulses};
use crate::state::islands::LEVELS;

/// What a step reads of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRow {
    /// Slots of the bodies.
    pub(crate) bodies: [u32; 2],
    /// Frames on the principal axes of the bodies.
    pub(crate) frames: [Pose; 2],
    /// Which rows it may have, by its kind.
    pub(crate) class: JointClass,
    /// In use, and enabled together with both bodies?
    pub(crate) is_there: bool,
    /// Angle about the axis, counted through full turns.
    pub(crate) angle: f32,
    /// Which of its limits were upper ends in the last step, one bit each.
    pub(crate) upper: u32,
    /// Level of the substeps that its impulses are of.
    pub(crate) level: u8,
    /// Does it look at forces to break?
    pub(crate) is_breakable: bool,
}

/// What hardly any step reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointCold {
    /// Frames on the bodies as the user sees them.
    pub(crate) frames: [Pose; 2],
    pub(crate) collides: bool,
    pub(crate) break_force: f32,
    pub(crate) break_torque: f32,
    /// Is the joint enabled? Its bodies may not be.
    pub(crate) is_enabled: bool,
    pub(crate) user_data: u64,
    /// Next joint of both bodies.
    pub(crate) next: [u32; 2],
}

/// What a joint carried on average in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Load {
    /// Force on the second body, world axes.
    pub(crate) force: Vec3,
    /// Torque on the second body about the anchor, world axes.
    pub(crate) torque: Vec3,
}

/// All joints.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    pub(crate) cold: Slots<JointCold>,
    pub(crate) rows: Vec<JointRow>,
    pub(crate) kinds: Vec<JointKind>,
    pub(crate) impulses: Vec<JointImpulses>,
    pub(crate) loads: Vec<Load>,
    /// Slots of those that carried more than they can in this step, ascending.
    pub(crate) overloaded: Vec<u32>,
    /// Slots of those with rows of all kinds that the solver left open, or beyond their limits of
    /// rotation, ascending.
    pub(crate) open: Vec<u32>,
    /// Those that broke in the last step.
    pub(crate) breaks: Vec<JointBreak>,
}

clone_fields!(Joints { cold, rows, kinds, impulses, loads, overloaded, open, breaks });

/// A joint that broke in the last step. Its id is stale by now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointBreak {
    /// The joint.
    pub joint: JointId,
    /// Whom it joined.
    pub bodies: [BodyId; 2],
    /// Force on the second body when it broke, N.
    pub force: Vec3,
    /// Torque on the second body when it broke, N·m.
    pub torque: Vec3,
    /// What its user wanted to find again.
    pub user_data: u64,
}

impl Joints {
    pub(crate) fn insert(
        &mut self,
        cold: JointCold,
        row: JointRow,
        kind: JointKind,
        bodies: &mut Bodies,
    ) -> JointId {
        let on = row.bodies;
        let id: JointId = self.cold.insert(cold);
        if id.index() == self.rows.len() {
            self.rows.push(row);
            self.kinds.push(kind);
            self.impulses.push(JointImpulses::default());
            self.loads.push(Load::default());
        }
        self.rows[id.index()] = row;
        self.kinds[id.index()] = kind;
        self.impulses[id.index()] = JointImpulses::default();
        self.loads[id.index()] = Load::default();
        for (end, slot) in on.into_iter().enumerate() {
            let (Some(body), Some(joint)) = (bodies.cold.get_mut(slot), self.cold.get_mut(id.slot)) else {
                continue;
            };
            joint.next[end] = std::mem::replace(&mut body.first_joint, id.slot);
        }
        id
    }

    /// Takes a joint out of the chains of its bodies, and away.
    pub(crate) fn remove(&mut self, id: JointId, bodies: &mut Bodies) {
        let Some(slot) = self.cold.slot_of(id) else { return };
        for body in self.rows[slot as usize].bodies {
            let after = self.next_of(slot, body);
            let first = bodies.cold.get(body).map_or(NONE, |cold| cold.first_joint);
            if first == slot {
                if let Some(cold) = bodies.cold.get_mut(body) {
                    cold.first_joint = after;
                }
                continue;
            }
            let before = self.chain(body, first).find(|joint| self.next_of(*joint, body) == slot);
            if let Some(before) = before {
                let end = self.end_of(before, body);
                if let Some(cold) = self.cold.get_mut(before) {
                    cold.next[end] = after;
                }
            }
        }
        self.cold.remove(id);
        self.rows[slot as usize].is_there = false;
    }

    /// Did a joint carry more than it can?
    pub(crate) fn is_overloaded(&self, slot: u32) -> bool {
        let (at, load) = (self.cold.get(slot), &self.loads[slot as usize]);
        at.is_some_and(|cold| {
            load.force.length() > cold.break_force || load.torque.length() > cold.break_torque
        })
    }

    fn end_of(&self, joint: u32, body: u32) -> usize {
        usize::from(self.rows[joint as usize].bodies[0] != body)
    }

    fn next_of(&self, joint: u32, body: u32) -> u32 {
        let end = self.end_of(joint, body);
        self.cold.get(joint).map_or(NONE, |cold| cold.next[end])
    }

    /// Slots of the joints of a body, beginning with its first.
    pub(crate) fn chain(&self, body: u32, first: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors((first != NONE).then_some(first), move |joint| {
            let next = self.next_of(*joint, body);
            (next != NONE).then_some(next)
        })
    }

    /// Has a body joints?
    pub(crate) fn has_any(body: u32, bodies: &Bodies) -> bool {
        bodies.cold.get(body).is_some_and(|cold| cold.first_joint != NONE)
    }

    /// Does a joint between two bodies forbid that they collide?
    pub(crate) fn forbids(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        let first = |body: u32| bodies.cold.get(body).map_or(NONE, |cold| cold.first_joint);
        let (first_a, first_b) = (first(a), first(b));
        if first_a == NONE || first_b == NONE {
            return false;
        }
        self.chain(a, first_a).any(|joint| {
            self.rows[joint as usize].bodies.contains(&b)
                && self.cold.get(joint).is_some_and(|cold| !cold.collides)
        })
    }

    /// Are a joint and both its bodies enabled?
    pub(crate) fn holds(&self, slot: u32, bodies: &Bodies) -> bool {
        let is_enabled = |body: &u32| bodies.cold.get(*body).is_some_and(|cold| cold.is_enabled);
        self.cold.get(slot).is_some_and(|cold| cold.is_enabled)
            && self.rows[slot as usize].bodies.iter().all(is_enabled)
    }

    /// Follows the enabling of a joint or a body. What it carried is forgotten if that changes.
    pub(crate) fn renew_holding(&mut self, slot: u32, bodies: &Bodies) {
        let holds = self.holds(slot, bodies);
        let at = slot as usize;
        if std::mem::replace(&mut self.rows[at].is_there, holds) != holds {
            self.impulses[at] = JointImpulses::default();
            self.loads[at] = Load::default();
        }
    }

    /// What is wrong with a joint?
    pub(crate) fn check(&self, id: JointId, bodies: &Bodies) -> Result<(), &'static str> {
        let (row, impulses) = (&self.rows[id.index()], &self.impulses[id.index()]);
        if row.is_there != self.holds(id.slot, bodies) {
            return Err("it is passed over, or holds though it is disabled");
        }
        if usize::from(row.level) >= LEVELS.len() {
            return Err("its level of substeps is none");
        }
        if row.bodies[0] == row.bodies[1] {
            return Err("it joins a body to itself");
        }
        if !(row.frames.iter().all(Pose::is_finite) && row.angle.is_finite()) {
            return Err("its frames or its angle are not finite");
        }
        if !impulses.hold.iter().chain(&impulses.bound).all(|impulse| impulse.is_finite()) {
            return Err("an impulse is not finite");
        }
        for body in row.bodies {
            let Some(cold) = bodies.cold.get(body) else {
                return Err("a body of it has been removed");
            };
            // A chain that does not end is longer than there are joints.
            let mut chain = self.chain(body, cold.first_joint).take(self.rows.len());
            if !chain.any(|joint| joint == id.slot) {
                return Err("a body of it does not know it");
            }
        }
        Ok(())
    }

    /// The principal axes of a body changed: its frames are elsewhere on them.
    pub(crate) fn reframe(&mut self, slot: u32, bodies: &Bodies) {
        let Some(body) = bodies.cold.get(slot) else { return };
        let chain: Vec<u32> = self.chain(slot, body.first_joint).collect();
        for joint in chain {
            let end = self.end_of(joint, slot);
            if let Some(cold) = self.cold.get(joint) {
                self.rows[joint as usize].frames[end] = body.frame * cold.frames[end];
            }
        }
    }
}

/// A rotation whose x axis is given, and whose y axis is as near to `across` as it can be. `None`
/// if the axis has no direction.
pub(crate) fn frame_along(axis: Vec3, across: Vec3) -> Option<Rotation> {
    let x = axis.try_normalize()?;
    let y = (across - x * across.dot(x)).try_normalize().filter(|y| y.dot(across) > 1e-3 * across.length());
    let y = y.unwrap_or_else(|| {
        let other = if x.x.abs() < 0.6 { Vec3::X } else { Vec3::Y };
        (other - x * other.dot(x)).normalize()
    });
    Some(Rotation::from_matrix(&carom_geometry::Matrix3 { columns: [x, y, x.cross(y)] }))
}
