//! Reading and changing bodies.

use carom_geometry::{Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

use super::World;
use crate::state::bodies::flag;
use crate::state::definition::{BodyKind, Layers, Material};
use crate::state::error::WorldError;
use crate::state::id::{BodyId, ShapeId};
use crate::state::motion::is_near;

/// A body to look at.
#[derive(Clone, Copy)]
pub struct BodyRef<'w> {
    pub(crate) world: &'w World,
    pub(crate) slot: u32,
}

impl BodyRef<'_> {
    /// Where its frame is.
    #[must_use]
    pub fn position(&self) -> DVec3 {
        self.world.state.bodies.user_frame(self.slot).map_or(DVec3::ZERO, |(position, _)| position)
    }

    /// How its frame is turned.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.world.state.bodies.user_frame(self.slot).map_or(Rotation::IDENTITY, |(_, rotation)| rotation)
    }

    /// Where its centre of mass is.
    #[must_use]
    pub fn centre_of_mass(&self) -> DVec3 {
        self.world.state.bodies.motion[self.slot as usize].position
    }

    /// Velocity of its centre of mass.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.world.state.bodies.motion[self.slot as usize].velocity
    }

    /// Angular velocity.
    #[must_use]
    pub fn angular_velocity(&self) -> Vec3 {
        self.world.state.bodies.motion[self.slot as usize].angular_velocity
    }

    /// Mass, 0 for bodies that forces do not move.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.world.state.bodies.cold.get(self.slot).map_or(0.0, |cold| cold.mass)
    }

    /// How it takes part.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.world.state.bodies.cold.get(self.slot).map_or(BodyKind::Static, |cold| cold.kind)
    }

    /// Its shapes, the last one first.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeId> + '_ {
        let first = self.world.state.bodies.first_shapes[self.slot as usize];
        self.world.state.shapes.chain(first).filter_map(|slot| self.world.state.shapes.cold.id_of(slot))
    }

    /// What its user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.world.state.bodies.cold.get(self.slot).map_or(0, |cold| cold.user_data)
    }

    /// Does it take part in steps at present?
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.world.state.bodies.state[self.slot as usize].has(flag::AWAKE)
    }

    /// Energy of its motion, joules.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        let Some(cold) = self.world.state.bodies.cold.get(self.slot) else { return 0.0 };
        let angular_velocity = motion.rotation.rotate_back(motion.angular_velocity);
        0.5 * (f64::from(cold.mass) * motion.velocity.as_dvec3().length_squared()
            + f64::from((angular_velocity * angular_velocity).dot(cold.inertia)))
    }

    /// Angular momentum about its centre of mass, in world axes.
    #[must_use]
    pub fn angular_momentum(&self) -> Vec3 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        let inertia = self.world.state.bodies.cold.get(self.slot).map_or(Vec3::ZERO, |cold| cold.inertia);
        motion.rotation.rotate(motion.rotation.rotate_back(motion.angular_velocity) * inertia)
    }

    /// Velocity of a point of the body, given in world coordinates.
    #[must_use]
    pub fn velocity_at(&self, point: DVec3) -> Vec3 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        motion.velocity + motion.angular_velocity.cross((point - motion.position).as_vec3())
    }
}

/// A shape to look at.
#[derive(Clone, Copy)]
pub struct ShapeRef<'w> {
    pub(crate) world: &'w World,
    pub(crate) slot: u32,
}

impl ShapeRef<'_> {
    /// The body it belongs to.
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        self.world.state.bodies.cold.id_of(self.world.state.shapes.rows[self.slot as usize].body)
    }

    /// The shape itself, in its own frame.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.world.state.shapes.rows[self.slot as usize].shape
    }

    /// Where it is in the frame of its body.
    #[must_use]
    pub fn local_pose(&self) -> Pose {
        self.world.state.shapes.cold.get(self.slot).map(|cold| cold.user_pose).unwrap_or_default()
    }

    /// How it rubs and bounces.
    #[must_use]
    pub fn material(&self) -> Material {
        self.world.state.shapes.rows[self.slot as usize].material
    }

    /// With whom it collides.
    #[must_use]
    pub fn layers(&self) -> Layers {
        self.world.state.shapes.cold.get(self.slot).map(|cold| cold.layers).unwrap_or_default()
    }

    /// Does it only notice?
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.world.state.shapes.rows[self.slot as usize].is_sensor
    }

    /// What its user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.world.state.shapes.cold.get(self.slot).map_or(0, |cold| cold.user_data)
    }
}

/// A body to be changed. Whatever is changed wakes it.
pub struct BodyMut<'w> {
    pub(crate) world: &'w mut World,
    pub(crate) id: BodyId,
    pub(crate) slot: u32,
}

impl BodyMut<'_> {
    fn check(&self, what: &'static str, value: Vec3) -> Result<(), WorldError> {
        if value.is_finite() {
            return Ok(());
        }
        Err(WorldError::value(self.id, what, value, "every coordinate must be finite"))
    }

    fn is_dynamic(&self) -> bool {
        self.world.state.bodies.state[self.slot as usize].has(flag::DYNAMIC)
    }

    /// Takes part in steps again; does nothing to static bodies.
    pub fn wake(&mut self) -> &mut Self {
        if self.world.state.bodies.state[self.slot as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0 {
            self.world.state.bodies.set_awake(self.slot, true);
        }
        self
    }

    /// Puts its frame somewhere else, at once. What it touched wakes with the next step.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_pose(&mut self, position: DVec3, rotation: Rotation) -> Result<&mut Self, WorldError> {
        if !is_near(position) {
            let hint = "every coordinate must be a number within 1e9 m";
            return Err(WorldError::value(self.id, "position", position, hint));
        }
        let Some(rotation) = Rotation::from_xyzw(rotation.to_xyzw()) else {
            return Err(WorldError::value(self.id, "rotation", rotation, "it must be a unit quaternion"));
        };
        self.world.state.bodies.note_moved(self.slot);
        let frame = self.world.state.bodies.cold.get(self.slot).map(|cold| cold.frame).unwrap_or_default();
        let motion = &mut self.world.state.bodies.motion[self.slot as usize];
        motion.rotation = (rotation * frame.rotation.inverse()).normalised();
        motion.position = position - motion.rotation.rotate(frame.translation).as_dvec3();
        self.wake();
        self.world.state.rebuild_boxes(self.slot, self.world.def.speculative_distance);
        Ok(self)
    }

    /// Sets the velocity of its centre of mass; static bodies stay where they are.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_velocity(&mut self, velocity: Vec3) -> Result<&mut Self, WorldError> {
        self.check("velocity", velocity)?;
        self.wake();
        if self.world.state.bodies.state[self.slot as usize].has(flag::AWAKE) {
            self.world.state.bodies.motion[self.slot as usize].velocity = velocity;
        }
        Ok(self)
    }

    /// Sets its angular velocity.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_angular_velocity(&mut self, angular_velocity: Vec3) -> Result<&mut Self, WorldError> {
        self.check("angular velocity", angular_velocity)?;
        self.wake();
        if self.world.state.bodies.state[self.slot as usize].has(flag::AWAKE) {
            self.world.state.bodies.motion[self.slot as usize].angular_velocity = angular_velocity;
        }
        Ok(self)
    }

    /// Pushes with a force (N) at its centre of mass during the next step.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_force(&mut self, force: Vec3) -> Result<&mut Self, WorldError> {
        self.push("force", force, Vec3::ZERO)
    }

    /// Pushes with a force (N) at a point of the world during the next step.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_force_at(&mut self, force: Vec3, point: DVec3) -> Result<&mut Self, WorldError> {
        let arm = (point - self.world.state.bodies.motion[self.slot as usize].position).as_vec3();
        self.push("force", force, arm.cross(force))
    }

    /// Turns with a torque (N m) during the next step.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_torque(&mut self, torque: Vec3) -> Result<&mut Self, WorldError> {
        self.push("torque", Vec3::ZERO, torque)
    }

    fn push(&mut self, what: &'static str, force: Vec3, torque: Vec3) -> Result<&mut Self, WorldError> {
        self.check(what, force + torque)?;
        if self.is_dynamic() {
            self.wake();
            let drive = &mut self.world.state.bodies.drive[self.slot as usize];
            drive.force += force;
            drive.torque += torque;
            self.world.state.bodies.state[self.slot as usize].flags |= flag::DRIVEN;
        }
        Ok(self)
    }

    /// Kicks with an impulse (N s) at its centre of mass, at once.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_impulse(&mut self, impulse: Vec3) -> Result<&mut Self, WorldError> {
        self.kick(impulse, Vec3::ZERO)
    }

    /// Kicks with an impulse (N s) at a point of the world, at once.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_impulse_at(&mut self, impulse: Vec3, point: DVec3) -> Result<&mut Self, WorldError> {
        let arm = (point - self.world.state.bodies.motion[self.slot as usize].position).as_vec3();
        self.kick(impulse, arm.cross(impulse))
    }

    fn kick(&mut self, impulse: Vec3, turn: Vec3) -> Result<&mut Self, WorldError> {
        self.check("impulse", impulse + turn)?;
        if self.is_dynamic() {
            self.wake();
            let at = self.slot as usize;
            let (motion, mass) = (&mut self.world.state.bodies.motion[at], &self.world.state.bodies.mass[at]);
            motion.velocity += impulse * (mass.root_mass * mass.root_mass);
            let local = motion.rotation.rotate_back(turn) * mass.root_inertia * mass.root_inertia;
            motion.angular_velocity += motion.rotation.rotate(local);
        }
        Ok(self)
    }
}
