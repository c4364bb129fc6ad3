//! Bodies: what moves (or stands), its state at the start, its mass and its looks.

use super::shape::Shape;

/// How a body takes part in the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Never moves.
    Static,
    /// Moves by its own velocity, angular velocity and acceleration; impulses do not change it.
    Kinematic,
    /// Moves by forces and impulses.
    #[default]
    Dynamic,
    /// A dynamic point mass: it does not turn.
    Particle,
}

impl BodyKind {
    /// True if impulses leave the body alone ("infinite mass").
    #[must_use]
    pub fn is_immovable(self) -> bool {
        matches!(self, Self::Static | Self::Kinematic)
    }
}

/// Orientation at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Quaternion `x, y, z, w`; normalised when a world is built.
    Quaternion([f32; 4]),
    /// Degrees about the fixed world axes, x first, then y, then z: the matrix is `Rz · Ry · Rx`.
    EulerDegrees([f32; 3]),
}

impl Orientation {
    /// No rotation.
    pub const IDENTITY: Self = Self::Quaternion([0.0, 0.0, 0.0, 1.0]);
}

impl Default for Orientation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Angular velocity about the world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AngularVelocity {
    /// Radians per second.
    Radians([f32; 3]),
    /// Degrees per second, kept as written so that nothing is lost in conversion.
    Degrees([f32; 3]),
}

impl AngularVelocity {
    /// No rotation.
    pub const ZERO: Self = Self::Radians([0.0; 3]);

    /// The three components, whatever their unit.
    #[must_use]
    pub fn components(self) -> [f32; 3] {
        match self {
            Self::Radians(v) | Self::Degrees(v) => v,
        }
    }
}

impl Default for AngularVelocity {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Where a body's mass comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mass {
    /// From the densities of its shapes.
    #[default]
    FromDensity,
    /// Given in kilograms; the inertia follows from the shapes.
    Total(f32),
    /// Everything given by hand.
    Full {
        /// Kilograms.
        mass: f32,
        /// Centre of mass in body coordinates.
        centre: [f32; 3],
        /// Inertia about the centre of mass in body axes: xx, yy, zz, xy, xz, yz.
        inertia: [f32; 6],
    },
}

/// Axes a body may not move along or turn about (world axes). Three locked ones make a planar
/// world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockedAxes {
    /// Translation along x, y, z.
    pub translation: [bool; 3],
    /// Rotation about x, y, z.
    pub rotation: [bool; 3],
}

/// How a body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// False hides the body; it still collides.
    pub visible: bool,
    /// Decoration that does not change the collision shape.
    pub style: Style,
}

impl Default for Look {
    fn default() -> Self {
        Self { colour: [200; 3], visible: true, style: Style::Plain }
    }
}

/// Decoration of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As the shape is.
    #[default]
    Plain,
    /// A capsule drawn as a rocket, nose towards local −z.
    Rocket,
}

/// One body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique in the scene. The Fingsics formats use the decimal index.
    pub id: String,
    /// How it takes part.
    pub kind: BodyKind,
    /// Position of the body frame, metres.
    pub position: [f32; 3],
    /// Orientation of the body frame.
    pub orientation: Orientation,
    /// Linear velocity, m/s.
    pub velocity: [f32; 3],
    /// Angular velocity.
    pub angular_velocity: AngularVelocity,
    /// Constant acceleration of this body, m/s², in addition to gravity.
    pub acceleration: [f32; 3],
    /// Share of the world's gravity the body feels.
    pub gravity_scale: f32,
    /// Linear damping, 1/s.
    pub linear_damping: f32,
    /// Angular damping, 1/s.
    pub angular_damping: f32,
    /// Highest linear speed, m/s, if limited.
    pub max_speed: Option<f32>,
    /// Highest angular speed, rad/s, if limited.
    pub max_angular_speed: Option<f32>,
    /// Mass properties.
    pub mass: Mass,
    /// Locked axes.
    pub locked: LockedAxes,
    /// Continuous collision against everything, not only against static bodies.
    pub bullet: bool,
    /// May fall asleep.
    pub can_sleep: bool,
    /// Collision shapes; several make a compound.
    pub shapes: Vec<Shape>,
    /// Looks.
    pub look: Look,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            id: String::new(),
            kind: BodyKind::Dynamic,
            position: [0.0; 3],
            orientation: Orientation::IDENTITY,
            velocity: [0.0; 3],
            angular_velocity: AngularVelocity::ZERO,
            acceleration: [0.0; 3],
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            max_speed: None,
            max_angular_speed: None,
            mass: Mass::FromDensity,
            locked: LockedAxes::default(),
            bullet: false,
            can_sleep: true,
            shapes: Vec::new(),
            look: Look::default(),
        }
    }
}
