//! Reading and changing bodies.

use carom_dynamics as engine;
use carom_dynamics::{BodyId, BodyKind, JointId, ShapeId, WorldError};
use glam::{DVec2, Vec2, Vec3};

use crate::{angle_of, point, turn};

/// A body that is looked at.
#[derive(Clone, Copy)]
pub struct Body<'w>(pub(crate) engine::BodyRef<'w>);

impl<'w> Body<'w> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.0.id()
    }

    /// Where its frame is, metres.
    #[must_use]
    pub fn position(&self) -> DVec2 {
        self.0.position().truncate()
    }

    /// How its frame is turned, counter-clockwise, within ±π.
    #[must_use]
    pub fn angle(&self) -> f32 {
        angle_of(self.0.rotation())
    }

    /// The direction of its x axis.
    #[must_use]
    pub fn direction(&self) -> Vec2 {
        self.0.rotation().rotate(Vec3::X).truncate()
    }

    /// Where its centre of mass is, metres.
    #[must_use]
    pub fn centre_of_mass(&self) -> DVec2 {
        self.0.centre_of_mass().truncate()
    }

    /// Velocity of its centre of mass, m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.0.velocity().truncate()
    }

    /// How fast it turns, rad/s, counter-clockwise.
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.0.angular_velocity().z
    }

    /// Velocity of a point of it, m/s.
    #[must_use]
    pub fn velocity_at(&self, place: DVec2) -> Vec2 {
        self.0.velocity_at(point(place)).truncate()
    }

    /// Mass, kg; 0 if no force moves it.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.0.mass()
    }

    /// Moment of inertia about its centre of mass, kg·m²; 0 if no torque turns it.
    #[must_use]
    pub fn inertia(&self) -> f32 {
        self.0.mass_properties().inertia.columns[2].z
    }

    /// How it takes part.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.0.kind()
    }

    /// Is it awake?
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.0.is_awake()
    }

    /// A point of its frame in the world.
    #[must_use]
    pub fn to_world(&self, local: Vec2) -> DVec2 {
        self.position() + self.0.rotation().rotate(local.extend(0.0)).truncate().as_dvec2()
    }

    /// A point of the world in its frame.
    #[must_use]
    pub fn to_local(&self, place: DVec2) -> Vec2 {
        let away = (place - self.position()).as_vec2();
        self.0.rotation().rotate_back(away.extend(0.0)).truncate()
    }

    /// Whatever the user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.0.user_data()
    }

    /// Its shapes.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeId> + use<'w> {
        self.0.shapes()
    }

    /// Its joints.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + use<'w> {
        self.0.joints()
    }

    /// The body in the world below.
    #[must_use]
    pub fn engine(&self) -> engine::BodyRef<'w> {
        self.0
    }
}

/// A body that is changed. Everything wakes it.
pub struct BodyMut<'w>(pub(crate) engine::BodyMut<'w>);

macro_rules! change {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) => $call:ident($($value:expr),*);)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If a number is not finite, or out of its range.
        pub fn $name(&mut self, $($argument: $kind),*) -> Result<&mut Self, WorldError> {
            self.0.$call($($value),*)?;
            Ok(self)
        }
    )*};
}

impl BodyMut<'_> {
    change! {
        /// Puts it somewhere else.
        set_position(position: DVec2) => set_position(point(position));
        /// Turns it to an angle.
        set_angle(angle: f32) => set_rotation(turn(angle));
        /// Puts it somewhere else and turns it.
        set_pose(position: DVec2, angle: f32) => set_pose(point(position), turn(angle));
        /// Sets the velocity of its centre of mass, m/s.
        set_velocity(velocity: Vec2) => set_velocity(velocity.extend(0.0));
        /// Sets how fast it turns, rad/s.
        set_angular_velocity(speed: f32) => set_angular_velocity(Vec3::Z * speed);
        /// Where a kinematic body is to be after the next step; riders are carried.
        set_kinematic_target(position: DVec2, angle: f32) => set_kinematic_target(point(position), turn(angle));
        /// Pushes its centre of mass in the next step, N.
        apply_force(force: Vec2) => apply_force(force.extend(0.0));
        /// Pushes it at a point of the world in the next step, N.
        apply_force_at(force: Vec2, place: DVec2) => apply_force_at(force.extend(0.0), point(place));
        /// Turns it in the next step, N·m.
        apply_torque(torque: f32) => apply_torque(Vec3::Z * torque);
        /// Changes its momentum at once, N·s.
        apply_impulse(impulse: Vec2) => apply_impulse(impulse.extend(0.0));
        /// Changes its momentum at once by a push at a point of the world, N·s.
        apply_impulse_at(impulse: Vec2, place: DVec2) => apply_impulse_at(impulse.extend(0.0), point(place));
        /// Changes its angular momentum at once, N·m·s.
        apply_angular_impulse(impulse: f32) => apply_angular_impulse(Vec3::Z * impulse);
        /// Changes how it takes part.
        set_kind(kind: BodyKind) => set_kind(kind);
        /// Sets the share of the world's gravity it feels.
        set_gravity_scale(scale: f32) => set_gravity_scale(scale);
        /// Sets how much velocity it loses, 1/s.
        set_linear_damping(damping: f32) => set_linear_damping(damping);
        /// Sets how much angular velocity it loses, 1/s.
        set_angular_damping(damping: f32) => set_angular_damping(damping);
    }

    /// Takes it out of the world, or puts it back.
    pub fn set_enabled(&mut self, is_enabled: bool) -> &mut Self {
        self.0.set_enabled(is_enabled);
        self
    }

    /// Sets whatever the user wants to find again.
    pub fn set_user_data(&mut self, user_data: u64) -> &mut Self {
        self.0.set_user_data(user_data);
        self
    }

    /// Wakes it.
    pub fn wake(&mut self) -> &mut Self {
        self.0.wake();
        self
    }

    /// Looks at it.
    #[must_use]
    pub fn view(&self) -> Body<'_> {
        Body(self.0.view())
    }
}
