//! Changing what a body was defined by: its kind, its mass, what drives and what holds it.

use carom_geometry::mass::MassProperties;
use glam::Vec3;

use super::body_edit::BodyMut;
use super::check::{check_finite, check_limit, check_mass, check_not_negative, check_vector};
use super::shape_edit::Change;
use crate::state::bodies::mass::turns_in_plane;
use crate::state::bodies::{BodyForces, flag};
use crate::state::definition::{BodyKind, LockedAxes};
use crate::state::error::WorldError;

impl BodyMut<'_> {
    /// Lets it take part in another way. Its frame stays where it is, and so does the velocity of
    /// each of its points, unless it becomes static. Its touches end and begin again; what touched
    /// it or is joined to it wakes.
    ///
    /// # Errors
    /// If it would be dynamic without a mass. Nothing has changed then.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, BodyKind, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = ShapeDef::new(Sphere::new(0.5)?);
    /// let ball = world.add_body(BodyDef::fixed().at(0.0, 5.0, 0.0), [ball])?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.body(ball)?.position().y, 5.0);
    /// world.body_mut(ball)?.set_kind(BodyKind::Dynamic)?;
    /// world.step(1.0 / 60.0)?;
    /// assert!(world.body(ball)?.position().y < 5.0 && world.body(ball)?.mass() > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kind(&mut self, kind: BodyKind) -> Result<&mut Self, WorldError> {
        if self.view().kind() == kind {
            return Ok(self);
        }
        let slot = self.slot;
        let own = self.world.state.bodies.cold.get(slot).and_then(|cold| cold.own_mass);
        let mass = match own {
            _ if !kind.is_dynamic() => None,
            Some(own) => Some(with_mass(own)?),
            None => Some(self.world.mass_of_shapes(slot, Change::default())?),
        };
        let state = &mut self.world.state;
        state.end_contacts_of(slot);
        if let Some(cold) = state.bodies.cold.get_mut(slot) {
            cold.kind = kind;
        }
        state.bodies.forget_target(slot);
        state.bodies.renew_kind_flags(slot);
        let motion = &mut state.bodies.motion[slot as usize];
        if kind == BodyKind::Static {
            motion.velocity = Vec3::ZERO;
        }
        if matches!(kind, BodyKind::Static | BodyKind::Particle) {
            motion.angular_velocity = Vec3::ZERO;
        }
        if mass.is_none() {
            self.clear_forces();
            self.world.state.bodies.clear_mass(slot);
        }
        self.world.reshape(slot, mass);
        self.world.state.wake_joined_to(slot);
        Ok(self)
    }

    /// Gives it mass, centre of mass and inertia by hand, in its frame, whatever its shapes. The
    /// frame stays where it is, and so does the velocity of each of its points. Bodies that forces
    /// do not move have it once they are dynamic.
    ///
    /// # Errors
    /// If a number is not finite, or the mass of a dynamic body not above 0.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::{mass::MassProperties, shape::Cuboid};
    /// use glam::Vec3;
    /// let mut world = World::new(WorldDef::default());
    /// let boat = world.add_body(BodyDef::dynamic(), [ShapeDef::new(Cuboid::new(Vec3::ONE)?)])?;
    /// let keel = MassProperties::diagonal(500.0, Vec3::new(0.0, -0.8, 0.0), Vec3::splat(200.0));
    /// world.body_mut(boat)?.set_mass_properties(keel)?;
    /// assert_eq!(world.body(boat)?.centre_of_mass().y, f64::from(-0.8f32));
    /// world.body_mut(boat)?.reset_mass()?;
    /// assert_eq!(world.body(boat)?.mass(), 8000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_mass_properties(&mut self, properties: MassProperties) -> Result<&mut Self, WorldError> {
        check_mass(self.id, &properties)?;
        let is_dynamic = self.view().kind().is_dynamic();
        let mass = if is_dynamic { Some(with_mass(properties)?) } else { None };
        self.replace_mass(Some(properties), mass);
        Ok(self)
    }

    /// Gives it a mass by hand, kg, that is distributed as its mass is now: the centre stays, the
    /// inertia grows with the mass.
    ///
    /// # Errors
    /// If it is not finite and above 0, or the body has no mass now.
    pub fn set_mass(&mut self, mass: f32) -> Result<&mut Self, WorldError> {
        let present = self.view().mass_properties();
        if !(mass > 0.0 && mass.is_finite() && present.mass > 0.0) {
            let hint = "give a finite mass above 0 to a dynamic body";
            return Err(WorldError::value(self.id, "mass", mass, hint));
        }
        let inertia = present.inertia.scaled(mass / present.mass);
        self.set_mass_properties(MassProperties { mass, inertia, ..present })
    }

    /// Lets its mass follow its shapes again.
    ///
    /// # Errors
    /// If they have no mass, and it is dynamic. Nothing has changed then.
    pub fn reset_mass(&mut self) -> Result<&mut Self, WorldError> {
        let is_dynamic = self.view().kind().is_dynamic();
        let mass =
            if is_dynamic { Some(self.world.mass_of_shapes(self.slot, Change::default())?) } else { None };
        self.replace_mass(None, mass);
        Ok(self)
    }

    fn replace_mass(&mut self, own: Option<MassProperties>, mass: Option<MassProperties>) {
        if let Some(cold) = self.world.state.bodies.cold.get_mut(self.slot) {
            cold.own_mass = own;
        }
        if mass.is_some() {
            self.world.reshape(self.slot, mass);
        }
    }

    /// Takes it out of the world, or puts it back. A disabled body does not move, touches nothing,
    /// is found by no query, and its joints hold nobody. It keeps its place, velocity, shapes and
    /// joints. Its touches end, which is reported with the next step.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// let mut world = World::new(WorldDef::default());
    /// let ground = world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let ball = ShapeDef::new(Sphere::new(0.5)?);
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ball])?;
    /// world.step(1.0 / 60.0)?;
    /// world.body_mut(ground)?.set_enabled(false);
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.events().touch_end().len(), 1);
    /// assert!(world.body(ball)?.velocity().y < -0.1, "it falls");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_enabled(&mut self, is_enabled: bool) -> &mut Self {
        if self.view().is_enabled() == is_enabled {
            return self;
        }
        let state = &mut self.world.state;
        if let Some(cold) = state.bodies.cold.get_mut(self.slot) {
            cold.is_enabled = is_enabled;
        }
        state.bodies.forget_target(self.slot);
        state.bodies.renew_kind_flags(self.slot);
        state.renew_enabled(self.slot);
        self.wake();
        self.world.state.rebuild_boxes(self.slot, self.world.def.speculative_distance);
        self
    }

    /// Sets the share of the world's gravity it feels.
    ///
    /// # Errors
    /// If it is not finite.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, LockedAxes, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add_body(BodyDef::dynamic(), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// let mut body = world.body_mut(ball)?;
    /// body.set_gravity_scale(0.0)?.set_linear_damping(0.5)?.set_angular_damping(0.5)?;
    /// body.set_max_speed(20.0)?.set_locked(LockedAxes::PLANAR).set_bullet(true).set_user_data(3);
    /// assert_eq!(world.body(ball)?.locked(), LockedAxes::PLANAR);
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.body(ball)?.position().y, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_gravity_scale(&mut self, scale: f32) -> Result<&mut Self, WorldError> {
        check_finite(self.id, "gravity_scale", scale)?;
        Ok(self.drive(|drive| drive.gravity_scale = scale))
    }

    /// Sets an acceleration of its own besides gravity, m/s².
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_acceleration(&mut self, acceleration: Vec3) -> Result<&mut Self, WorldError> {
        check_vector(self.id, "acceleration", acceleration)?;
        Ok(self.drive(|drive| drive.acceleration = acceleration))
    }

    /// Sets the velocity lost, 1/s.
    ///
    /// # Errors
    /// If it is not finite or below 0.
    pub fn set_linear_damping(&mut self, damping: f32) -> Result<&mut Self, WorldError> {
        check_not_negative(self.id, "linear_damping", damping)?;
        Ok(self.drive(|drive| drive.linear_damping = damping))
    }

    /// Sets the angular velocity lost, 1/s.
    ///
    /// # Errors
    /// If it is not finite or below 0.
    pub fn set_angular_damping(&mut self, damping: f32) -> Result<&mut Self, WorldError> {
        check_not_negative(self.id, "angular_damping", damping)?;
        Ok(self.drive(|drive| drive.angular_damping = damping))
    }

    /// Sets the highest speed, m/s.
    ///
    /// # Errors
    /// If it is not above 0.
    pub fn set_max_speed(&mut self, speed: f32) -> Result<&mut Self, WorldError> {
        check_limit(self.id, "max_speed", speed)?;
        Ok(self.drive(|drive| drive.max_speed = speed))
    }

    /// Sets the highest angular speed, rad/s.
    ///
    /// # Errors
    /// If it is not above 0.
    pub fn set_max_angular_speed(&mut self, speed: f32) -> Result<&mut Self, WorldError> {
        check_limit(self.id, "max_angular_speed", speed)?;
        Ok(self.drive(|drive| drive.max_angular_speed = speed))
    }

    fn drive(&mut self, change: impl FnOnce(&mut BodyForces)) -> &mut Self {
        change(&mut self.world.state.bodies.drive[self.slot as usize]);
        self.world.state.bodies.note_driven(self.slot);
        self.wake()
    }

    /// Sets the axes of the world that it may not use. Motion along them ends with the next step.
    pub fn set_locked(&mut self, locked: LockedAxes) -> &mut Self {
        let bodies = &mut self.world.state.bodies;
        let rotation = bodies.motion[self.slot as usize].rotation;
        let mut was_plane = false;
        if let Some(cold) = bodies.cold.get_mut(self.slot) {
            was_plane = turns_in_plane(cold.locked.rotation, rotation);
            cold.locked = locked;
        }
        self.set_flag(flag::LOCKED, locked != LockedAxes::default());
        // Of a body that turned about z only, no other moments are known.
        if was_plane && !turns_in_plane(locked.rotation, rotation) {
            let own = self.world.state.bodies.cold.get(self.slot).and_then(|cold| cold.own_mass);
            let mass = own.map_or_else(|| self.world.mass_of_shapes(self.slot, Change::default()).ok(), Some);
            if self.view().kind().is_dynamic() {
                self.world.reshape(self.slot, mass);
            }
        }
        self.world.state.bodies.renew_inverse_mass(self.slot);
        self.wake()
    }

    /// May it fall asleep? One that may not wakes.
    pub fn set_can_sleep(&mut self, can_sleep: bool) -> &mut Self {
        self.set_flag(flag::SLEEPY, can_sleep);
        if can_sleep { self } else { self.wake() }
    }

    fn set_flag(&mut self, flag: u8, is_set: bool) {
        let flags = &mut self.world.state.bodies.state[self.slot as usize].flags;
        *flags = if is_set { *flags | flag } else { *flags & !flag };
    }

    /// Is it swept against everything, not only against what does not give way?
    pub fn set_bullet(&mut self, is_bullet: bool) -> &mut Self {
        if let Some(cold) = self.world.state.bodies.cold.get_mut(self.slot) {
            cold.is_bullet = is_bullet;
        }
        self
    }

    /// Whatever its user wants to find again. Does not wake it.
    pub fn set_user_data(&mut self, user_data: u64) -> &mut Self {
        if let Some(cold) = self.world.state.bodies.cold.get_mut(self.slot) {
            cold.user_data = user_data;
        }
        self
    }
}

/// Refuses mass properties that no dynamic body can have.
fn with_mass(properties: MassProperties) -> Result<MassProperties, WorldError> {
    if properties.mass > 0.0 && properties.is_finite() {
        return Ok(properties);
    }
    Err(WorldError::NoMass { mass: properties.mass })
}
