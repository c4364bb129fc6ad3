//! Joints: every kind of constraint between two bodies, or a body and the world.
//!
//! Angles, displacements, limits and the velocities of motors are those of the first body as the
//! second one, or the world, sees it.

/// Where a joint holds its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchors {
    /// One point in world coordinates, as the bodies stand at the start.
    World([f32; 3]),
    /// A point in each body's frame (the second in world coordinates if the joint has no second
    /// body).
    Local([f32; 3], [f32; 3]),
}

impl Default for Anchors {
    fn default() -> Self {
        Self::Local([0.0; 3], [0.0; 3])
    }
}

/// A range of an angle (radians) or a distance (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Lowest value.
    pub min: f32,
    /// Highest value.
    pub max: f32,
}

/// Drives a joint's free coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor {
    /// Wanted speed, m/s or rad/s.
    pub velocity: f32,
    /// Wanted position, if the motor holds one, m or rad.
    pub position: Option<f32>,
    /// Stiffness towards `position`, N/m or Nm/rad; counts if there is one.
    pub stiffness: f32,
    /// Damping towards `velocity`, N·s/m or Nm·s/rad; 0 makes it as stiff as `max_force` allows,
    /// unless it holds a position.
    pub damping: f32,
    /// Strongest force or torque, N or Nm; none is unlimited.
    pub max_force: Option<f32>,
}

/// Spring with damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringLaw {
    /// Hooke's law: the same force on light and heavy bodies.
    Hooke {
        /// N/m or Nm/rad.
        stiffness: f32,
        /// N·s/m or Nm·s/rad.
        damping: f32,
    },
    /// Tuned to the masses it joins: the same motion of light and heavy bodies.
    Tuned {
        /// Oscillations per second without damping.
        hertz: f32,
        /// Damping ratio: 1 comes to rest without overshooting.
        ratio: f32,
    },
}

/// What one of the six coordinates of a generic joint may do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Freedom {
    /// Held at its value of the start.
    #[default]
    Locked,
    /// Free between limits.
    Limited(Limits),
    /// Free.
    Free,
}

/// One coordinate of a generic joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisFreedom {
    /// Range.
    pub freedom: Freedom,
    /// Drive.
    pub motor: Option<Motor>,
    /// Pull towards the value of the start.
    pub spring: Option<SpringLaw>,
}

/// Kinds of joint. Axes are unit vectors in world coordinates as the bodies stand at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKind {
    /// Keeps a body's centre inside a box, bouncing it back: the simplest constraint there is.
    Boundary {
        /// Lowest corner.
        min: [f32; 3],
        /// Highest corner.
        max: [f32; 3],
    },
    /// Massless bar: the anchors stay `length` apart.
    Rod {
        /// Metres; none takes the distance at the start.
        length: Option<f32>,
    },
    /// Inextensible rope: the anchors stay at most `length` apart.
    Rope {
        /// Metres; none takes the distance at the start.
        length: Option<f32>,
    },
    /// Spring between the anchors.
    Spring {
        /// Length without force; none takes the distance at the start.
        rest_length: Option<f32>,
        /// Law.
        law: SpringLaw,
    },
    /// The anchors stay between two distances, pulled towards a third one.
    Distance {
        /// Least distance, metres; none is 0.
        min: Option<f32>,
        /// Greatest distance, metres; none is without end.
        max: Option<f32>,
        /// Distance without force; none takes that of the start.
        rest_length: Option<f32>,
        /// Pull towards it; none leaves the anchors free between the limits.
        spring: Option<SpringLaw>,
    },
    /// Ball and socket.
    Ball {
        /// Half-angle of the cone about `axis`, radians.
        cone: Option<f32>,
        /// Range of the twist about `axis`.
        twist: Option<Limits>,
        /// Axis of cone and twist.
        axis: [f32; 3],
        /// Pull towards the orientation of the start.
        spring: Option<SpringLaw>,
        /// Strongest torque of dry friction, Nm.
        friction: Option<f32>,
    },
    /// Rotation about one axis.
    Hinge {
        /// Axis.
        axis: [f32; 3],
        /// Range of the angle.
        limits: Option<Limits>,
        /// Drive.
        motor: Option<Motor>,
        /// Pull towards the angle of the start.
        spring: Option<SpringLaw>,
    },
    /// Translation along one axis.
    Slider {
        /// Axis.
        axis: [f32; 3],
        /// Range of the distance.
        limits: Option<Limits>,
        /// Drive.
        motor: Option<Motor>,
        /// Pull towards the place of the start.
        spring: Option<SpringLaw>,
    },
    /// No relative motion.
    Fixed {
        /// Makes it give; none is rigid.
        spring: Option<SpringLaw>,
    },
    /// Two crossed hinges.
    Universal {
        /// First axis (on the first body).
        axis_a: [f32; 3],
        /// Second axis (on the second body), across the first.
        axis_b: [f32; 3],
    },
    /// Suspension along one axis, steering about it, rolling about another.
    Wheel {
        /// Axis of suspension and steering.
        suspension: [f32; 3],
        /// Axis of rolling.
        axle: [f32; 3],
        /// Spring of the suspension.
        spring: Option<SpringLaw>,
        /// Travel of the suspension.
        travel: Option<Limits>,
        /// Drive of the axle.
        motor: Option<Motor>,
        /// Steering about the axis of suspension; locked goes straight on.
        steering: AxisFreedom,
    },
    /// All six coordinates set one by one in world axes: x, y, z translation, then x, y, z
    /// rotation.
    Generic {
        /// Coordinates.
        axes: [AxisFreedom; 6],
    },
}

impl JointKind {
    /// The name used in files and messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Boundary { .. } => "boundary",
            Self::Rod { .. } => "rod",
            Self::Rope { .. } => "rope",
            Self::Spring { .. } => "spring",
            Self::Distance { .. } => "distance",
            Self::Ball { .. } => "ball",
            Self::Hinge { .. } => "hinge",
            Self::Slider { .. } => "slider",
            Self::Fixed { .. } => "fixed",
            Self::Universal { .. } => "universal",
            Self::Wheel { .. } => "wheel",
            Self::Generic { .. } => "generic",
        }
    }
}

/// One joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique among the joints of the scene.
    pub id: String,
    /// Id of the first body.
    pub a: String,
    /// Id of the second body; none is the world.
    pub b: Option<String>,
    /// Where it holds.
    pub anchors: Anchors,
    /// What it does.
    pub kind: JointKind,
    /// Do the two bodies still collide?
    pub collide: bool,
    /// Breaks above this force, N.
    pub break_force: Option<f32>,
    /// Breaks above this torque, Nm.
    pub break_torque: Option<f32>,
}

impl Joint {
    /// A joint with default settings between two bodies.
    #[must_use]
    pub fn new(id: impl Into<String>, a: impl Into<String>, b: impl Into<String>, kind: JointKind) -> Self {
        Self {
            id: id.into(),
            a: a.into(),
            b: Some(b.into()),
            anchors: Anchors::default(),
            kind,
            collide: false,
            break_force: None,
            break_torque: None,
        }
    }
}
