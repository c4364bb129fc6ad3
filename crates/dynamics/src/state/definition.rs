//! What a user says about bodies, shapes and worlds, with defaults for everything.

use carom_broadphase::Filter;
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::Child;
use carom_geometry::{Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

use super::material::Material;

/// How a body takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// Moved by forces and contacts.
    #[default]
    Dynamic,
    /// Moved by its velocities only; pushes others and is not pushed.
    Kinematic,
    /// Never moves.
    Static,
    /// Dynamic, but never turns: a point with mass.
    Particle,
}

impl BodyKind {
    /// Do forces and contacts move it?
    #[must_use]
    pub fn is_dynamic(self) -> bool {
        matches!(self, Self::Dynamic | Self::Particle)
    }
}

/// Axes of the world that a body may not move along or turn about. Translation along z locked
/// together with rotation about x and y makes a planar world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct LockedAxes {
    /// Translation along x, y, z.
    pub translation: [bool; 3],
    /// Rotation about x, y, z.
    pub rotation: [bool; 3],
}

impl LockedAxes {
    /// Motion in the plane of x and y.
    pub const PLANAR: Self = Self { translation: [false, false, true], rotation: [true, true, false] };
}

/// A body to be.
///
/// ```
/// use carom_dynamics::BodyDef;
/// use glam::Vec3;
/// let def = BodyDef::dynamic()
///     .at(0.0, 10.0, 0.0)
///     .velocity(Vec3::new(1.0, 0.0, 0.0))
///     .gravity_scale(0.5)
///     .linear_damping(0.1)
///     .user_data(42);
/// assert_eq!((def.position.y, def.gravity_scale, def.user_data), (10.0, 0.5, 42));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct BodyDef {
    /// How it takes part.
    pub kind: BodyKind,
    /// Where its frame is, metres.
    pub position: DVec3,
    /// How its frame is turned.
    pub rotation: Rotation,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3,
    /// Acceleration of its own, m/s², besides gravity.
    pub acceleration: Vec3,
    /// Share of the world's gravity it feels.
    pub gravity_scale: f32,
    /// Velocity lost, 1/s.
    pub linear_damping: f32,
    /// Angular velocity lost, 1/s.
    pub angular_damping: f32,
    /// Highest speed, m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub max_speed: f32,
    /// Highest angular speed, rad/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub max_angular_speed: f32,
    /// Axes it may not use.
    pub locked: LockedAxes,
    /// May fall asleep.
    pub can_sleep: bool,
    /// Begins asleep.
    pub is_asleep: bool,
    /// Passes through nothing, however fast. Other bodies may pass each other if both are small and
    /// at least one is fast; through what is static or kinematic nothing passes anyway.
    pub is_bullet: bool,
    /// Mass properties by hand, in the frame of the body; else they follow from the shapes.
    pub mass: Option<MassProperties>,
    /// Takes part at all: a disabled body neither moves nor collides, and no query finds it.
    pub is_enabled: bool,
    /// Whatever the user wants to find again.
    pub user_data: u64,
}

impl Default for BodyDef {
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            position: DVec3::ZERO,
            rotation: Rotation::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            max_speed: 400.0,
            max_angular_speed: 200.0,
            locked: LockedAxes::default(),
            can_sleep: true,
            is_asleep: false,
            is_bullet: false,
            mass: None,
            is_enabled: true,
            user_data: 0,
        }
    }
}

impl BodyDef {
    /// A body moved by forces and contacts.
    #[must_use]
    pub fn dynamic() -> Self {
        Self::default()
    }

    /// A body that never moves.
    #[must_use]
    pub fn fixed() -> Self {
        Self { kind: BodyKind::Static, ..Self::default() }
    }

    /// A body moved by its velocities only.
    #[must_use]
    pub fn kinematic() -> Self {
        Self { kind: BodyKind::Kinematic, ..Self::default() }
    }

    /// A body that never turns.
    #[must_use]
    pub fn particle() -> Self {
        Self { kind: BodyKind::Particle, ..Self::default() }
    }

    /// Where it is.
    #[must_use]
    pub fn at(mut self, x: f64, y: f64, z: f64) -> Self {
        self.position = DVec3::new(x, y, z);
        self
    }

    /// Where it is, as a vector.
    #[must_use]
    pub fn position(mut self, position: DVec3) -> Self {
        self.position = position;
        self
    }

    /// How it is turned.
    #[must_use]
    pub fn rotated(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }

    /// How fast it moves.
    #[must_use]
    pub fn velocity(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// How fast it turns.
    #[must_use]
    pub fn angular_velocity(mut self, angular_velocity: Vec3) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Acceleration of its own besides gravity, m/s².
    #[must_use]
    pub fn acceleration(mut self, acceleration: Vec3) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Share of the world's gravity it feels.
    #[must_use]
    pub fn gravity_scale(mut self, scale: f32) -> Self {
        self.gravity_scale = scale;
        self
    }

    /// Velocity lost, 1/s.
    #[must_use]
    pub fn linear_damping(mut self, damping: f32) -> Self {
        self.linear_damping = damping;
        self
    }

    /// Angular velocity lost, 1/s.
    #[must_use]
    pub fn angular_damping(mut self, damping: f32) -> Self {
        self.angular_damping = damping;
        self
    }

    /// Highest speed, m/s.
    #[must_use]
    pub fn max_speed(mut self, speed: f32) -> Self {
        self.max_speed = speed;
        self
    }

    /// Highest angular speed, rad/s.
    #[must_use]
    pub fn max_angular_speed(mut self, speed: f32) -> Self {
        self.max_angular_speed = speed;
        self
    }

    /// Mass, centre and inertia by hand, in the frame of the body, whatever its shapes.
    #[must_use]
    pub fn mass(mut self, properties: MassProperties) -> Self {
        self.mass = Some(properties);
        self
    }

    /// Which axes it may not use.
    #[must_use]
    pub fn locked(mut self, locked: LockedAxes) -> Self {
        self.locked = locked;
        self
    }

    /// Passes through nothing, however fast it is and however thin the other.
    #[must_use]
    pub fn bullet(mut self) -> Self {
        self.is_bullet = true;
        self
    }

    /// May it fall asleep?
    #[must_use]
    pub fn can_sleep(mut self, can_sleep: bool) -> Self {
        self.can_sleep = can_sleep;
        self
    }

    /// Begins asleep.
    #[must_use]
    pub fn asleep(mut self) -> Self {
        self.is_asleep = true;
        self
    }

    /// Does it take part at all?
    #[must_use]
    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    /// Whatever the user wants to find again.
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }
}

/// With whom a shape collides: two shapes do if each is in a layer of the other's mask, unless they
/// share a group, in which case a positive group always and a negative group never collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Layers {
    /// The layers the shape is in, one bit each.
    pub category: u32,
    /// The layers it collides with.
    pub mask: u32,
    /// A group of shapes that belong together; 0 is none.
    pub group: i32,
}

impl Layers {
    /// May two shapes of these layers collide?
    #[must_use]
    pub fn admit(&self, other: &Self) -> bool {
        self.filter().admits(&other.filter())
    }

    /// The same for the broad phase, which has the rule.
    pub(crate) fn filter(&self) -> Filter {
        Filter { category: self.category, mask: self.mask, group: self.group, ..Filter::default() }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self { category: 1, mask: u32::MAX, group: 0 }
    }
}

/// A shape to be.
///
/// ```
/// use carom_dynamics::{Material, ShapeDef};
/// use carom_geometry::shape::Sphere;
/// let ice = Material { friction: 0.05, ..Material::default() };
/// let def = ShapeDef::new(Sphere::new(0.5)?).material(ice).density(917.0).user_data(7);
/// assert_eq!((def.material.friction, def.user_data), (0.05, 7));
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeDef {
    /// The shape.
    pub shape: Shape,
    /// Where it is in the frame of its body.
    pub local_pose: Pose,
    /// kg/m³ (kg/m² for surfaces); ignored if the body's mass is given.
    pub density: f32,
    /// Surface.
    pub material: Material,
    /// Layers.
    pub layers: Layers,
    /// Reports who is inside, and collides with nothing.
    pub is_sensor: bool,
    /// Takes part in collisions and queries. The mass of its body counts it in any case.
    pub is_enabled: bool,
    /// Contact forces above this, N, are reported as events
    /// ([`Events::contact_forces`](crate::Events::contact_forces)); infinite for none. Of two
    /// shapes that touch, the lower threshold counts.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub contact_force_threshold: f32,
    /// Whatever the user wants to find again.
    pub user_data: u64,
}

impl ShapeDef {
    /// A shape of 1000 kg/m³ at the origin of its body, or where a [`Child`] says.
    ///
    /// ```
    /// use carom_dynamics::ShapeDef;
    /// use carom_geometry::{Pose, shape::Cylinder};
    /// use glam::Vec3;
    /// let post = ShapeDef::new(Cylinder::along_y(1.0, 0.1)?).local_pose(Pose::at(Vec3::X));
    /// let top = post.local_pose.apply(Vec3::Z);
    /// assert!((top - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-6, "z of the shape is y of the body");
    /// # Ok::<(), carom_geometry::shape::ShapeError>(())
    /// ```
    pub fn new(shape: impl Into<Child>) -> Self {
        let Child { shape, pose } = shape.into();
        Self {
            shape,
            local_pose: pose,
            density: 1000.0,
            material: Material::default(),
            layers: Layers::default(),
            is_sensor: false,
            is_enabled: true,
            contact_force_threshold: f32::INFINITY,
            user_data: 0,
        }
    }

    /// Where it is in the frame of its body. A shape that has a pose already, as
    /// [`Cylinder::along_y`](carom_geometry::shape::Cylinder::along_y) gives it, is moved with it.
    #[must_use]
    pub fn local_pose(mut self, pose: Pose) -> Self {
        let is_unmoved = self.local_pose == Pose::IDENTITY;
        self.local_pose = if is_unmoved { pose } else { pose * self.local_pose };
        self
    }

    /// How heavy it is.
    #[must_use]
    pub fn density(mut self, density: f32) -> Self {
        self.density = density;
        self
    }

    /// How it rubs, bounces and rolls.
    #[must_use]
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// How it rubs.
    #[must_use]
    pub fn friction(mut self, friction: f32) -> Self {
        self.material.friction = friction;
        self
    }

    /// How it bounces.
    #[must_use]
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// How it resists rolling, metres.
    #[must_use]
    pub fn rolling(mut self, rolling: f32) -> Self {
        self.material.rolling = rolling;
        self
    }

    /// How fast its surface moves against its body, m/s, in the frame of the shape: a conveyor
    /// belt.
    #[must_use]
    pub fn surface_velocity(mut self, velocity: Vec3) -> Self {
        self.material.surface_velocity = velocity;
        self
    }

    /// With whom it collides.
    #[must_use]
    pub fn layers(mut self, category: u32, mask: u32) -> Self {
        self.layers = Layers { category, mask, ..self.layers };
        self
    }

    /// Which group it belongs to: within a positive group all collide, within a negative one none.
    #[must_use]
    pub fn group(mut self, group: i32) -> Self {
        self.layers.group = group;
        self
    }

    /// Only reports who is inside.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.is_sensor = true;
        self
    }

    /// Does it take part in collisions and queries?
    #[must_use]
    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    /// Contact forces above this, N, are reported as events.
    #[must_use]
    pub fn contact_force_threshold(mut self, newtons: f32) -> Self {
        self.contact_force_threshold = newtons;
        self
    }

    /// Whatever the user wants to find again.
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }
}
