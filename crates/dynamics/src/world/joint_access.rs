//! Making, reading and removing joints.

use std::borrow::Borrow;

use carom_geometry::Pose;
use glam::{DVec3, Vec3};

use super::World;
use super::check::{check_frames, check_limit};
use super::joint_edit::JointMut;
use crate::solver::joint_constraints::{angle_of, displacement_of, unwound};
use crate::state::error::WorldError;
use crate::state::id::{BodyId, JointId, NONE};
use crate::state::joint_def::check::{check_kind, class_of};
use crate::state::joint_def::{Axis, JointAxis, JointDef, JointFrames, JointKind};
use crate::state::joints::{JointBreak, JointCold, JointRow, frame_along};
use crate::state::motion::{Motion, is_near};

/// A joint to look at.
#[derive(Clone, Copy)]
pub struct JointRef<'w> {
    pub(super) world: &'w World,
    pub(super) id: JointId,
    pub(super) slot: u32,
}

impl JointRef<'_> {
    fn cold(&self) -> Option<&JointCold> {
        self.world.state.joints.cold.get(self.slot)
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> JointId {
        self.id
    }

    /// Is it enabled? If one of its bodies is not, it holds nobody even so.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.cold().is_some_and(|cold| cold.is_enabled)
    }

    /// Do its bodies collide with each other?
    #[must_use]
    pub fn collides(&self) -> bool {
        self.cold().is_some_and(|cold| cold.collides)
    }

    /// Breaks beyond this force, N.
    #[must_use]
    pub fn break_force(&self) -> f32 {
        self.cold().map_or(f32::INFINITY, |cold| cold.break_force)
    }

    /// Breaks beyond this torque, N·m.
    #[must_use]
    pub fn break_torque(&self) -> f32 {
        self.cold().map_or(f32::INFINITY, |cold| cold.break_torque)
    }

    /// Its frames, each in the frame of its body.
    #[must_use]
    pub fn local_frames(&self) -> [Pose; 2] {
        self.cold().map_or([Pose::IDENTITY; 2], |cold| cold.frames)
    }

    /// One of its axes, if its kind has it.
    #[must_use]
    pub fn axis(&self, which: JointAxis) -> Option<Axis> {
        self.kind().axis_mut(which).copied()
    }

    pub(super) fn row(&self) -> &JointRow {
        &self.world.state.joints.rows[self.slot as usize]
    }

    fn measure(&self, what: impl Fn(&JointRow, &JointKind, [&Motion; 2]) -> f32) -> f32 {
        let row = self.row();
        let motions = row.bodies.map(|body| &self.world.state.bodies.motion[body as usize]);
        what(row, &self.world.state.joints.kinds[self.slot as usize], motions)
    }

    /// Whom it joins.
    #[must_use]
    pub fn bodies(&self) -> Option<[BodyId; 2]> {
        let [a, b] = self.row().bodies;
        Some([self.world.state.bodies.cold.id_of(a)?, self.world.state.bodies.cold.id_of(b)?])
    }

    /// What it leaves free.
    #[must_use]
    pub fn kind(&self) -> JointKind {
        self.world.state.joints.kinds[self.slot as usize]
    }

    /// Angle about its axis, radians; hinges, wheels and universal joints count full turns.
    #[must_use]
    pub fn angle(&self) -> f32 {
        unwound(self.measure(angle_of), self.row().angle)
    }

    /// Displacement along its axis, metres; for distance joints the distance of the anchors.
    #[must_use]
    pub fn displacement(&self) -> f32 {
        self.measure(displacement_of)
    }

    /// Where its anchors are, in the world. They are in one place but for sliders, wheels, distance
    /// joints, and errors.
    #[must_use]
    pub fn anchors(&self) -> [DVec3; 2] {
        let row = self.row();
        [0, 1].map(|k| {
            let motion = &self.world.state.bodies.motion[row.bodies[k] as usize];
            motion.position + motion.rotation.rotate(row.frames[k].translation).as_dvec3()
        })
    }

    /// Force on the second body, the mean over the last step, N, world axes.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        self.world.state.joints.loads[self.slot as usize].force
    }

    /// Torque on the second body about the anchor, the mean over the last step, N·m, world axes.
    #[must_use]
    pub fn torque(&self) -> Vec3 {
        self.world.state.joints.loads[self.slot as usize].torque
    }

    /// What its user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.cold().map_or(0, |cold| cold.user_data)
    }
}

impl World {
    /// Joins two bodies.
    ///
    /// # Errors
    /// If an id is stale, both are the same, or a number makes no sense. Nothing is inserted then.
    pub fn add_joint(&mut self, def: impl Borrow<JointDef>) -> Result<JointId, WorldError> {
        let def = def.borrow();
        let [_, b] = def.bodies;
        let mut slots = [NONE; 2];
        for (slot, id) in slots.iter_mut().zip(def.bodies) {
            *slot = self.state.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        }
        if slots[0] == slots[1] {
            return Err(WorldError::value(
                "a new joint",
                "second body",
                b,
                "a body cannot be joined to itself",
            ));
        }
        check_kind(&def.kind, &"a new joint")?;
        check_limit("a new joint", "break force", def.break_force)?;
        check_limit("a new joint", "break torque", def.break_torque)?;
        let frames = self.joint_frames(def, slots)?;
        let on_principal = [0, 1]
            .map(|k| self.state.bodies.cold.get(slots[k]).map_or(frames[k], |body| body.frame * frames[k]));
        let is_enabled = |slot| self.state.bodies.cold.get(slot).is_some_and(|body| body.is_enabled);
        let mut row = JointRow {
            bodies: slots,
            frames: on_principal,
            class: class_of(&def.kind),
            is_there: def.is_enabled && slots.iter().all(|slot| is_enabled(*slot)),
            angle: 0.0,
            upper: 0,
            level: 0,
            is_breakable: def.break_force.is_finite() || def.break_torque.is_finite(),
        };
        row.angle = angle_of(&row, &def.kind, slots.map(|slot| &self.state.bodies.motion[slot as usize]));
        let cold = JointCold {
            frames,
            collides: def.collides,
            break_force: def.break_force,
            break_torque: def.break_torque,
            is_enabled: def.is_enabled,
            user_data: def.user_data,
            next: [NONE; 2],
        };
        let id = self.state.joints.insert(cold, row, def.kind, &mut self.state.bodies);
        if !def.collides {
            self.state.part_bodies(slots);
        }
        self.state.wake_joined(id.slot);
        Ok(id)
    }

    /// Removes a joint. Its bodies wake up.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), WorldError> {
        let slot = self.state.joints.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        self.state.wake_joined(slot);
        self.state.drop_joint(id);
        Ok(())
    }

    /// Joints that broke in the last step, in the order of their slots.
    #[must_use]
    pub fn broken_joints(&self) -> &[JointBreak] {
        &self.state.joints.breaks
    }

    /// Looks at a joint.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn joint(&self, id: JointId) -> Result<JointRef<'_>, WorldError> {
        let slot = self.state.joints.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(JointRef { world: self, id, slot })
    }

    /// Changes a joint.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn joint_mut(&mut self, id: JointId) -> Result<JointMut<'_>, WorldError> {
        self.state.joints.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(JointMut { world: self, id })
    }

    /// Ids of all joints, in the order of their slots.
    pub fn joint_ids(&self) -> impl Iterator<Item = JointId> + '_ {
        self.state.joints.cold.iter().map(|(id, _)| id)
    }

    /// Frames on both bodies as the user sees them.
    fn joint_frames(&self, def: &JointDef, slots: [u32; 2]) -> Result<[Pose; 2], WorldError> {
        let refuse = |what, value: &dyn std::fmt::Debug, hint| {
            Err(WorldError::value("a new joint", what, value, hint))
        };
        match def.frames {
            JointFrames::Local(frames) => check_frames("a new joint", frames),
            JointFrames::World { anchors, axis, across } => {
                if !across.is_finite() {
                    return refuse("y axis", &across, "every number must be finite");
                }
                let Some(rotation) = frame_along(axis, across).filter(|_| axis.is_finite()) else {
                    return refuse("axis", &axis, "give a direction");
                };
                let places = slots.map(|slot| self.state.bodies.user_frame(slot));
                let [Some(first), Some(second)] = places else {
                    return refuse("bodies", &def.bodies, "both must be in the world");
                };
                let mut frames = [Pose::IDENTITY; 2];
                for (k, (position, turned)) in [first, second].into_iter().enumerate() {
                    // Not given: the origin of the second body.
                    let anchor = if anchors[k].is_nan() { second.0 } else { anchors[k] };
                    if !is_near(anchor) {
                        return refuse("anchor", &anchor, "every coordinate must be a number within 1e9 m");
                    }
                    let offset = turned.rotate_back((anchor - position).as_vec3());
                    frames[k] = Pose::new(offset, turned.inverse() * rotation);
                }
                Ok(frames)
            }
        }
    }
}
