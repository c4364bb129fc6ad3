//! Moving bodies by hand: places, velocities, forces, impulses, sleep.

use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use super::World;
use super::access::BodyRef;
use super::check::{check_position, check_rotation, check_vector};
use crate::state::bodies::flag;
use crate::state::bodies::targets::KinematicTarget;
use crate::state::definition::BodyKind;
use crate::state::error::WorldError;
use crate::state::id::BodyId;

/// A body to be changed. Whatever is changed wakes it.
pub struct BodyMut<'w> {
    pub(crate) world: &'w mut World,
    pub(crate) id: BodyId,
    pub(crate) slot: u32,
}

impl BodyMut<'_> {
    /// The same body to look at.
    #[must_use]
    pub fn view(&self) -> BodyRef<'_> {
        BodyRef { world: self.world, id: self.id, slot: self.slot }
    }

    fn check(&self, what: &'static str, value: Vec3) -> Result<(), WorldError> {
        check_vector(self.id, what, value)
    }

    fn is_dynamic(&self) -> bool {
        self.world.state.bodies.state[self.slot as usize].has(flag::DYNAMIC)
    }

    /// Takes part in steps again; does nothing to static and disabled bodies.
    pub fn wake(&mut self) -> &mut Self {
        if self.world.state.bodies.moves(self.slot) {
            self.world.state.bodies.set_awake(self.slot, true);
        }
        self
    }

    /// Puts it to sleep, at once and at rest. Awake bodies that touch it or are joined to it wake
    /// it with the next step; put those to sleep too.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 9.0, 0.0), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// world.body_mut(ball)?.sleep();
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.body(ball)?.position().y, 9.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sleep(&mut self) -> &mut Self {
        let bodies = &mut self.world.state.bodies;
        if bodies.moves(self.slot) {
            bodies.set_awake(self.slot, false);
            bodies.forget_target(self.slot);
            let motion = &mut bodies.motion[self.slot as usize];
            (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
        self
    }

    /// Puts its frame somewhere else, at once. What it touched wakes with the next step.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_pose(&mut self, position: DVec3, rotation: Rotation) -> Result<&mut Self, WorldError> {
        let (position, rotation) = self.principal_pose(position, rotation)?;
        let bodies = &mut self.world.state.bodies;
        bodies.note_moved(self.slot);
        bodies.forget_target(self.slot);
        let motion = &mut bodies.motion[self.slot as usize];
        (motion.position, motion.rotation) = (position, rotation);
        if bodies.state[self.slot as usize].has(flag::LOCKED) {
            bodies.renew_inverse_mass(self.slot);
        }
        self.wake();
        self.world.state.rebuild_boxes(self.slot, self.world.def.speculative_distance);
        Ok(self)
    }

    /// Puts the origin of its frame somewhere else, at once, and does not turn it.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_position(&mut self, position: DVec3) -> Result<&mut Self, WorldError> {
        let rotation = self.view().rotation();
        self.set_pose(position, rotation)
    }

    /// Turns its frame, at once; the origin of the frame stays where it is.
    ///
    /// # Errors
    /// If it is no unit quaternion.
    pub fn set_rotation(&mut self, rotation: Rotation) -> Result<&mut Self, WorldError> {
        let position = self.view().position();
        self.set_pose(position, rotation)
    }

    /// Where the centre of mass and the principal axes are when its frame is somewhere.
    fn principal_pose(&self, position: DVec3, rotation: Rotation) -> Result<(DVec3, Rotation), WorldError> {
        check_position(self.id, position)?;
        let rotation = check_rotation(self.id, rotation)?;
        let frame = self.world.state.bodies.cold.get(self.slot).map(|cold| cold.frame).unwrap_or_default();
        let rotation = (rotation * frame.rotation.inverse()).normalised();
        Ok((position - rotation.rotate(frame.translation).as_dvec3(), rotation))
    }

    /// Sends a kinematic body to a place: in the next step, however long it is, it has the
    /// velocities that take it there, carries and pushes what it touches, and is exactly there
    /// afterwards. It turns the short way round. Then it stands still until it is sent elsewhere.
    /// Setting a velocity or a pose takes it back. Disabled bodies go nowhere.
    ///
    /// # Errors
    /// If a number is not finite, or the body is not kinematic.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::{Rotation, shape::Cuboid};
    /// use glam::{DVec3, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// let slab = ShapeDef::new(Cuboid::new(Vec3::new(2.0, 0.1, 2.0))?);
    /// let lift = world.add_body(BodyDef::kinematic(), [slab])?;
    /// for k in 1..=60 {
    ///     let place = DVec3::new(0.0, 0.01 * f64::from(k), 0.0);
    ///     world.body_mut(lift)?.set_kinematic_target(place, Rotation::IDENTITY)?;
    ///     world.step(1.0 / 60.0)?;
    ///     assert_eq!(world.body(lift)?.position(), place);
    /// }
    /// assert!((world.body(lift)?.velocity().y - 0.6).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kinematic_target(
        &mut self,
        position: DVec3,
        rotation: Rotation,
    ) -> Result<&mut Self, WorldError> {
        let kind = self.view().kind();
        if kind != BodyKind::Kinematic {
            return Err(WorldError::value(self.id, "kinematic target", kind, "the body must be kinematic"));
        }
        let slot = self.slot;
        let (position, rotation) = self.principal_pose(position, rotation)?;
        if self.world.state.bodies.moves(slot) {
            let target = KinematicTarget { slot, position, rotation, is_reached: false };
            self.world.state.bodies.set_target(target);
            self.wake();
        }
        Ok(self)
    }

    /// Sets the velocity of its centre of mass; static bodies stay where they are, disabled ones
    /// have it once they are enabled.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_velocity(&mut self, velocity: Vec3) -> Result<&mut Self, WorldError> {
        self.check("velocity", velocity)?;
        self.wake();
        let moves = self.view().kind() != BodyKind::Static;
        let bodies = &mut self.world.state.bodies;
        if moves {
            bodies.motion[self.slot as usize].velocity = velocity;
            bodies.forget_target(self.slot);
        }
        Ok(self)
    }

    /// Sets its angular velocity; particles do not turn.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_angular_velocity(&mut self, angular_velocity: Vec3) -> Result<&mut Self, WorldError> {
        self.check("angular velocity", angular_velocity)?;
        self.wake();
        let turns = !matches!(self.view().kind(), BodyKind::Static | BodyKind::Particle);
        let bodies = &mut self.world.state.bodies;
        if turns {
            bodies.motion[self.slot as usize].angular_velocity = angular_velocity;
            bodies.forget_target(self.slot);
        }
        Ok(self)
    }

    /// Pushes with a force (N) at its centre of mass during the next step. Forces add up until
    /// then.
    ///
    /// # Errors
    /// If it is not finite.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// use glam::Vec3;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add_body(BodyDef::dynamic(), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// world.body_mut(ball)?.apply_force(Vec3::X)?.apply_force(Vec3::X)?.apply_torque(Vec3::Y)?;
    /// assert_eq!(world.body(ball)?.force(), Vec3::new(2.0, 0.0, 0.0));
    /// world.body_mut(ball)?.clear_forces();
    /// assert_eq!((world.body(ball)?.force(), world.body(ball)?.torque()), (Vec3::ZERO, Vec3::ZERO));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Takes back all forces and torques that were applied since the last step.
    pub fn clear_forces(&mut self) -> &mut Self {
        let drive = &mut self.world.state.bodies.drive[self.slot as usize];
        (drive.force, drive.torque) = (Vec3::ZERO, Vec3::ZERO);
        self
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

    /// Kicks with an angular impulse (N m s), at once.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn apply_angular_impulse(&mut self, impulse: Vec3) -> Result<&mut Self, WorldError> {
        self.kick(Vec3::ZERO, impulse)
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
