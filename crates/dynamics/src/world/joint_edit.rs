//! Changing joints, piece by piece.
//!
//! A change of numbers keeps the impulses of the last step for warm starting: a motor whose target
//! is set in every step stays smooth. Where rows come or go, they are forgotten.

use carom_geometry::Pose;

use super::World;
use super::check::{check_frames, check_limit};
use super::joint_access::JointRef;
use crate::solver::joint_constraints::angle_of;
use crate::state::error::WorldError;
use crate::state::id::JointId;
use crate::state::impulses::JointImpulses;
use crate::state::joint_def::check::{check_kind, class_of};
use crate::state::joint_def::{Axis, JointAxis, JointKind, Motor, Spring};

/// A joint to change. Its bodies wake up.
///
/// ```
/// use carom_dynamics::{Axis, BodyDef, JointDef, Motor, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Cuboid;
/// use glam::{DVec3, Vec3};
/// let mut world = World::new(WorldDef::default());
/// let base = world.add_body(BodyDef::fixed(), [])?;
/// let arm = ShapeDef::new(Cuboid::new(Vec3::new(0.5, 0.1, 0.1))?).density(10.0);
/// let arm = world.add_body(BodyDef::dynamic().at(0.5, 0.0, 0.0), [arm])?;
/// let axis = Axis::FREE.motor(Motor::servo(0.0, 2000.0, 200.0, 1000.0));
/// let servo = world.add_joint(JointDef::hinge(base, arm, axis).at(DVec3::ZERO).axis(Vec3::Y))?;
/// world.joint_mut(servo)?.set_range(Some([-1.0, 1.0]))?.set_motor_position(0.8)?;
/// (0..120).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
/// assert!((world.joint(servo)?.angle() - 0.8).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JointMut<'w> {
    pub(super) world: &'w mut World,
    pub(super) id: JointId,
}

impl JointMut<'_> {
    /// The same joint to look at.
    #[must_use]
    pub fn view(&self) -> JointRef<'_> {
        JointRef { world: self.world, id: self.id, slot: self.id.slot }
    }

    /// Replaces what it leaves free; the kind itself may change too.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn set_kind(&mut self, kind: JointKind) -> Result<&mut Self, WorldError> {
        check_kind(&kind, &self.id)?;
        let joints = &mut self.world.state.joints;
        let before = std::mem::replace(&mut joints.kinds[self.id.index()], kind);
        if !kind.has_rows_of(&before) {
            joints.rows[self.id.index()].class = class_of(&kind);
            // Its rows mean something else now.
            joints.impulses[self.id.index()] = JointImpulses::default();
        }
        self.world.state.wake_joined(self.id.slot);
        Ok(self)
    }

    /// Changes a part of the kind, or refuses it because the kind has no such part.
    fn change(
        &mut self,
        what: &'static str,
        value: impl std::fmt::Debug,
        hint: &'static str,
        change: impl FnOnce(&mut JointKind) -> Option<()>,
    ) -> Result<&mut Self, WorldError> {
        let mut kind = self.view().kind();
        if change(&mut kind).is_none() {
            return Err(WorldError::value(self.id, what, value, hint));
        }
        self.set_kind(kind)
    }

    /// Replaces one of its axes: its range, motor, spring, or whether it is locked.
    ///
    /// # Errors
    /// If its kind has no such axis, or a number makes no sense.
    pub fn set_axis(&mut self, which: JointAxis, axis: Axis) -> Result<&mut Self, WorldError> {
        self.change("axis", which, "the joint has no such axis", |kind| {
            *kind.axis_mut(which)? = axis;
            Some(())
        })
    }

    /// Changes how far its main axis may go, or frees it: metres, radians. For distance joints the
    /// least and largest distance, for balls the twist.
    ///
    /// # Errors
    /// If it has no main axis, or a number makes no sense.
    pub fn set_range(&mut self, range: Option<[f32; 2]>) -> Result<&mut Self, WorldError> {
        self.change("range", range, "the joint has no single axis", |kind| {
            match kind {
                JointKind::Distance { range: own, .. } => *own = range.unwrap_or([0.0, f32::INFINITY]),
                JointKind::Ball { twist, .. } => *twist = range,
                _ => kind.axis_mut(JointAxis::Main)?.range = range,
            }
            Some(())
        })
    }

    /// Gives it another spring, or none: that of its main axis, of a distance, a ball or a fixed
    /// joint.
    ///
    /// # Errors
    /// If it has no main axis, or a number makes no sense.
    pub fn set_spring(&mut self, spring: Option<Spring>) -> Result<&mut Self, WorldError> {
        self.change("spring", spring, "the joint has no single axis", |kind| {
            match kind {
                JointKind::Distance { spring: own, .. }
                | JointKind::Ball { spring: own, .. }
                | JointKind::Fixed { spring: own } => *own = spring,
                _ => kind.axis_mut(JointAxis::Main)?.spring = spring,
            }
            Some(())
        })
    }

    /// Changes the largest angle between the axes of a ball joint, radians, or frees it.
    ///
    /// # Errors
    /// If it is no ball joint, or the angle is not from 0 to π.
    pub fn set_cone(&mut self, angle: Option<f32>) -> Result<&mut Self, WorldError> {
        self.change("cone", angle, "only ball joints have one", |kind| {
            let JointKind::Ball { cone, .. } = kind else { return None };
            *cone = angle;
            Some(())
        })
    }

    /// Changes the largest torque of friction in the socket of a ball joint, N·m.
    ///
    /// # Errors
    /// If it is no ball joint, or the torque is not finite or below 0.
    pub fn set_friction(&mut self, torque: f32) -> Result<&mut Self, WorldError> {
        self.change("friction", torque, "only ball joints have one; give others a motor", |kind| {
            let JointKind::Ball { friction, .. } = kind else { return None };
            *friction = torque;
            Some(())
        })
    }

    /// Gives its main axis another motor, or none: that of a hinge, a slider, or the spin of a
    /// wheel.
    ///
    /// # Errors
    /// If it has no main axis, or a number makes no sense.
    pub fn set_motor(&mut self, motor: Option<Motor>) -> Result<&mut Self, WorldError> {
        self.change("motor", motor, "the joint has no single axis", |kind| {
            kind.axis_mut(JointAxis::Main)?.motor = motor;
            Some(())
        })
    }

    /// Sets the speed that the motor of its main axis wants, m/s or rad/s.
    ///
    /// # Errors
    /// If it has no motor there, or the number is not finite.
    pub fn set_motor_speed(&mut self, speed: f32) -> Result<&mut Self, WorldError> {
        self.set_motor_number("motor speed", speed, |motor| motor.speed = speed)
    }

    /// Sets the position that the motor of its main axis wants, m or rad. It needs a stiffness to
    /// get there ([`Motor::servo`]).
    ///
    /// # Errors
    /// If it has no motor there, or the number is not finite.
    pub fn set_motor_position(&mut self, position: f32) -> Result<&mut Self, WorldError> {
        self.set_motor_number("motor position", position, |motor| motor.position = position)
    }

    /// Sets the largest force or torque of the motor of its main axis, N or N·m.
    ///
    /// # Errors
    /// If it has no motor there, or the number is below 0.
    pub fn set_motor_max(&mut self, max: f32) -> Result<&mut Self, WorldError> {
        self.set_motor_number("motor max", max, |motor| motor.max = max)
    }

    fn set_motor_number(
        &mut self,
        what: &'static str,
        value: f32,
        change: impl FnOnce(&mut Motor),
    ) -> Result<&mut Self, WorldError> {
        let hint = "the joint has no single axis, or it has no motor: give it one first";
        self.change(what, value, hint, |kind| kind.axis_mut(JointAxis::Main)?.motor.as_mut().map(change))
    }

    /// Lets it hold its bodies, or not. Whether they collide with each other stays as it is.
    pub fn set_enabled(&mut self, is_enabled: bool) -> &mut Self {
        let state = &mut self.world.state;
        if let Some(cold) = state.joints.cold.get_mut(self.id.slot) {
            cold.is_enabled = is_enabled;
        }
        state.joints.renew_holding(self.id.slot, &state.bodies);
        state.wake_joined(self.id.slot);
        self
    }

    /// Do its bodies collide with each other?
    pub fn set_collides(&mut self, collides: bool) -> &mut Self {
        let state = &mut self.world.state;
        if let Some(cold) = state.joints.cold.get_mut(self.id.slot) {
            cold.collides = collides;
        }
        if collides {
            state.contacts.reconsider();
            state.is_space_changed = true;
        } else {
            state.part_bodies(state.joints.rows[self.id.index()].bodies);
        }
        state.wake_joined(self.id.slot);
        self
    }

    /// Breaks beyond this force (N) or torque (N·m); infinite ones never break it.
    ///
    /// # Errors
    /// If one is not above 0.
    pub fn set_break_limits(&mut self, force: f32, torque: f32) -> Result<&mut Self, WorldError> {
        check_limit(self.id, "break force", force)?;
        check_limit(self.id, "break torque", torque)?;
        let joints = &mut self.world.state.joints;
        if let Some(cold) = joints.cold.get_mut(self.id.slot) {
            (cold.break_force, cold.break_torque) = (force, torque);
        }
        joints.rows[self.id.index()].is_breakable = force.is_finite() || torque.is_finite();
        Ok(self)
    }

    /// Puts it elsewhere on its bodies: its frames, each in the frame of its body.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_local_frames(&mut self, frames: [Pose; 2]) -> Result<&mut Self, WorldError> {
        let frames = check_frames(self.id, frames)?;
        let state = &mut self.world.state;
        if let Some(cold) = state.joints.cold.get_mut(self.id.slot) {
            cold.frames = frames;
        }
        let bodies = state.joints.rows[self.id.index()].bodies;
        bodies.into_iter().for_each(|body| state.joints.reframe(body, &state.bodies));
        let motions = bodies.map(|body| &state.bodies.motion[body as usize]);
        let row = &mut state.joints.rows[self.id.index()];
        row.angle = angle_of(row, &state.joints.kinds[self.id.index()], motions);
        state.joints.impulses[self.id.index()] = JointImpulses::default();
        state.wake_joined(self.id.slot);
        Ok(self)
    }

    /// Whatever its user wants to find again. Wakes nobody.
    pub fn set_user_data(&mut self, user_data: u64) -> &mut Self {
        if let Some(cold) = self.world.state.joints.cold.get_mut(self.id.slot) {
            cold.user_data = user_data;
        }
        self
    }
}
