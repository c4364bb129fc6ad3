//! Bodies and shapes to be.
//!
//! They wrap the definitions of the engine and keep them in the plane.

use carom_dynamics as engine;
use carom_dynamics::{BodyKind, Layers, LockedAxes, Material};
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::planar::PolygonError;
use carom_geometry::shape::{HalfSpace, Planar, ShapeError};
use carom_geometry::{Matrix3, Pose, Shape};
use glam::{DVec2, Vec2, Vec3};

use crate::{point, turn};

/// A body to be.
///
/// ```
/// use carom_dynamics2d::BodyDef;
/// use glam::Vec2;
/// let def = BodyDef::dynamic().at(2.0, 5.0).angle(0.5).velocity(Vec2::X).fixed_rotation();
/// assert_eq!(def.engine().position.x, 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDef(engine::BodyDef);

macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($argument:ident: $kind:ty);)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(self, $argument: $kind) -> Self {
            Self(self.0.$name($argument))
        }
    )*};
}

impl BodyDef {
    fn of(kind: BodyKind) -> Self {
        Self(engine::BodyDef { kind, locked: LockedAxes::PLANAR, ..engine::BodyDef::default() })
    }

    /// A body moved by forces and contacts.
    #[must_use]
    pub fn dynamic() -> Self {
        Self::of(BodyKind::Dynamic)
    }

    /// A body that never moves.
    #[must_use]
    pub fn fixed() -> Self {
        Self::of(BodyKind::Static)
    }

    /// A body moved by its velocities only.
    #[must_use]
    pub fn kinematic() -> Self {
        Self::of(BodyKind::Kinematic)
    }

    /// Where it is.
    #[must_use]
    pub fn at(self, x: f64, y: f64) -> Self {
        self.position(DVec2::new(x, y))
    }

    /// Where it is, as a vector.
    #[must_use]
    pub fn position(self, position: DVec2) -> Self {
        Self(self.0.position(point(position)))
    }

    /// How it is turned, counter-clockwise.
    #[must_use]
    pub fn angle(self, angle: f32) -> Self {
        Self(self.0.rotated(turn(angle)))
    }

    /// How fast it moves.
    #[must_use]
    pub fn velocity(self, velocity: Vec2) -> Self {
        Self(self.0.velocity(velocity.extend(0.0)))
    }

    /// How fast it turns, counter-clockwise.
    #[must_use]
    pub fn angular_velocity(self, speed: f32) -> Self {
        Self(self.0.angular_velocity(Vec3::Z * speed))
    }

    /// Acceleration of its own besides gravity, m/s².
    #[must_use]
    pub fn acceleration(self, acceleration: Vec2) -> Self {
        Self(self.0.acceleration(acceleration.extend(0.0)))
    }

    /// Never turns.
    #[must_use]
    pub fn fixed_rotation(self) -> Self {
        let rotation = [true; 3];
        Self(self.0.locked(LockedAxes { rotation, ..LockedAxes::PLANAR }))
    }

    /// Mass, centre and moment of inertia about the centre by hand, whatever its shapes.
    #[must_use]
    pub fn mass(self, mass: f32, centre: Vec2, inertia: f32) -> Self {
        let columns = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * inertia);
        let inertia = Matrix3 { columns };
        Self(self.0.mass(MassProperties { mass, centre: centre.extend(0.0), inertia }))
    }

    forward! {
        /// Share of the world's gravity it feels.
        gravity_scale(scale: f32);
        /// Velocity lost, 1/s.
        linear_damping(damping: f32);
        /// Angular velocity lost, 1/s.
        angular_damping(damping: f32);
        /// Highest speed, m/s.
        max_speed(speed: f32);
        /// Highest angular speed, rad/s.
        max_angular_speed(speed: f32);
        /// May it fall asleep?
        can_sleep(can_sleep: bool);
        /// Does it take part at all?
        enabled(is_enabled: bool);
        /// Whatever the user wants to find again.
        user_data(user_data: u64);
    }

    /// Passes through nothing, however fast it is and however thin the other.
    #[must_use]
    pub fn bullet(self) -> Self {
        Self(self.0.bullet())
    }

    /// Begins asleep.
    #[must_use]
    pub fn asleep(self) -> Self {
        Self(self.0.asleep())
    }

    /// The definition in the world below.
    #[must_use]
    pub fn engine(&self) -> &engine::BodyDef {
        &self.0
    }
}

/// A shape to be. Its density is per area: 1 kg/m² unless said otherwise.
///
/// ```
/// use carom_dynamics2d::ShapeDef;
/// use glam::Vec2;
/// let hook = ShapeDef::capsule(Vec2::ZERO, Vec2::Y, 0.2)?.offset(Vec2::X, 0.0).density(7.8).friction(0.4);
/// let ramp = ShapeDef::polygon(&[Vec2::ZERO, Vec2::X * 4.0, Vec2::Y])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShapeDef(engine::ShapeDef);

impl ShapeDef {
    /// A figure at the origin of its body.
    #[must_use]
    pub fn new(figure: Planar) -> Self {
        Self(engine::ShapeDef::new(Shape::from(figure)).density(1.0))
    }

    /// A disc.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn circle(radius: f32) -> Result<Self, ShapeError> {
        Planar::disc(radius).map(Self::new)
    }

    /// A rectangle of half extents.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn rectangle(half_x: f32, half_y: f32) -> Result<Self, ShapeError> {
        Planar::rectangle(half_x, half_y).map(Self::new)
    }

    /// All points within a distance of a segment.
    ///
    /// # Errors
    /// If a number is not finite, or the radius negative.
    pub fn capsule(a: Vec2, b: Vec2, radius: f32) -> Result<Self, ShapeError> {
        Planar::capsule(a, b, radius).map(Self::new)
    }

    /// The convex hull of points.
    ///
    /// # Errors
    /// If it has no area or more than 64 corners, or a point is not finite.
    pub fn polygon(points: &[Vec2]) -> Result<Self, PolygonError> {
        Planar::polygon(points).map(Self::new)
    }

    /// An edge without thickness, two-sided.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn edge(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        Planar::edge(a, b).map(Self::new)
    }

    /// Edges from point to point, for a static body: what slides along them meets no corner between
    /// two that are in line.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn chain(points: &[Vec2]) -> Result<Vec<Self>, ShapeError> {
        points.windows(2).map(|ends| Self::edge(ends[0], ends[1])).collect()
    }

    /// A chain whose last point is joined to its first.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn chain_loop(points: &[Vec2]) -> Result<Vec<Self>, ShapeError> {
        let next = |at: usize| points[(at + 1) % points.len()];
        (0..points.len()).map(|at| Self::edge(points[at], next(at))).collect()
    }

    /// Everything below the x axis of its body; only for bodies that do not move.
    #[must_use]
    pub fn half_plane() -> Self {
        Self(engine::ShapeDef::new(HalfSpace).density(1.0))
    }

    /// Where it is in the frame of its body, and how it is turned there.
    #[must_use]
    pub fn offset(self, position: Vec2, angle: f32) -> Self {
        Self(self.0.local_pose(Pose::new(position.extend(0.0), turn(angle))))
    }

    /// How fast its surface moves against its body, m/s, in the frame of the shape: a conveyor
    /// belt.
    #[must_use]
    pub fn surface_velocity(self, velocity: Vec2) -> Self {
        Self(self.0.surface_velocity(velocity.extend(0.0)))
    }

    /// With whom it collides.
    #[must_use]
    pub fn layers(mut self, layers: Layers) -> Self {
        self.0.layers = layers;
        self
    }

    /// Only reports who is inside.
    #[must_use]
    pub fn sensor(self) -> Self {
        Self(self.0.sensor())
    }

    forward! {
        /// How heavy it is, kg/m².
        density(density: f32);
        /// How it rubs, bounces and rolls.
        material(material: Material);
        /// How it rubs.
        friction(friction: f32);
        /// How it bounces.
        restitution(restitution: f32);
        /// How it resists rolling, metres.
        rolling(rolling: f32);
        /// Which group it belongs to: within a positive group all collide, within a negative one
        /// none.
        group(group: i32);
        /// Does it take part in collisions and queries?
        enabled(is_enabled: bool);
        /// Whatever the user wants to find again.
        user_data(user_data: u64);
    }

    /// The definition in the world below.
    #[must_use]
    pub fn engine(&self) -> &engine::ShapeDef {
        &self.0
    }

    pub(crate) fn into_engine(self) -> engine::ShapeDef {
        self.0
    }
}
