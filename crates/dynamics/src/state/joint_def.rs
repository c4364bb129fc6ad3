//! What a user says about joints.
//!
//! A joint holds a frame on one body to a frame on another. Where those frames are is said in world
//! coordinates, with the bodies as they are when the joint is made ([`JointDef::at`],
//! [`JointDef::axis`]), or on each body ([`JointDef::frames`]). The x axis of the frames is *the*
//! axis: that of a hinge, a slider, the axle of a wheel, the middle of a cone.

pub(crate) mod check;

use carom_geometry::Pose;
use glam::{DVec3, Vec3};

use super::id::BodyId;

/// How a spring pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SpringLaw {
    /// Tuned to the masses it moves: the same motion of light and heavy bodies.
    Tuned {
        /// Frequency of the undamped spring with the masses it moves, Hz.
        hertz: f32,
        /// 0 swings for ever, 1 does not swing any more.
        damping_ratio: f32,
    },
    /// Hooke's law: the same force on light and heavy bodies.
    Hooke {
        /// N/m, N·m/rad.
        stiffness: f32,
        /// N·s/m, N·m·s/rad.
        damping: f32,
    },
}

/// A damped spring.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// How it pulls.
    pub law: SpringLaw,
    /// Where it rests: metres, radians.
    pub rest: f32,
}

impl Spring {
    /// A spring of a frequency in Hz with the masses it moves and a damping ratio, which rests at
    /// 0.
    #[must_use]
    pub fn new(hertz: f32, damping_ratio: f32) -> Self {
        Self { law: SpringLaw::Tuned { hertz, damping_ratio }, rest: 0.0 }
    }

    /// A spring of a stiffness (N/m, N·m/rad) and a damping (N·s/m, N·m·s/rad), which rests at 0.
    #[must_use]
    pub fn hooke(stiffness: f32, damping: f32) -> Self {
        Self { law: SpringLaw::Hooke { stiffness, damping }, rest: 0.0 }
    }

    /// Where it rests.
    #[must_use]
    pub fn rest(mut self, rest: f32) -> Self {
        self.rest = rest;
        self
    }
}

/// A drive towards a velocity, a position, or both.
///
/// Without damping and stiffness it reaches its speed at once, as far as its largest force allows.
/// With them its force is `stiffness · (position − x) + damping · (speed − v)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motor {
    /// Velocity wanted, m/s or rad/s.
    pub speed: f32,
    /// Largest force or torque, N or N·m; may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub max: f32,
    /// Position wanted, m or rad.
    pub position: f32,
    /// Pull towards the position, N/m or N·m/rad.
    pub stiffness: f32,
    /// Pull towards the velocity, N·s/m or N·m·s/rad.
    pub damping: f32,
}

impl Motor {
    /// A motor that keeps a speed with at most this force or torque.
    #[must_use]
    pub fn new(speed: f32, max: f32) -> Self {
        Self { speed, max, position: 0.0, stiffness: 0.0, damping: 0.0 }
    }

    /// Friction: a motor that wants to stand still.
    #[must_use]
    pub fn friction(max: f32) -> Self {
        Self::new(0.0, max)
    }

    /// A servo: a spring of Hooke's law towards a position, with at most this force or torque.
    #[must_use]
    pub fn servo(position: f32, stiffness: f32, damping: f32, max: f32) -> Self {
        Self { speed: 0.0, max, position, stiffness, damping }
    }

    /// Pulls towards its speed as a damper does, N·s/m or N·m·s/rad.
    #[must_use]
    pub fn damping(mut self, damping: f32) -> Self {
        self.damping = damping;
        self
    }
}

/// What may move along or about an axis, and how it is driven. The default is free.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Axis {
    /// It may not move at all; the rest does not count then.
    pub is_locked: bool,
    /// How far it may go: metres, radians.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::some_range"))]
    pub range: Option<[f32; 2]>,
    /// What drives it.
    pub motor: Option<Motor>,
    /// What pulls it.
    pub spring: Option<Spring>,
}

impl Axis {
    /// It moves freely.
    pub const FREE: Self = Self { is_locked: false, range: None, motor: None, spring: None };
    /// It does not move.
    pub const LOCKED: Self = Self { is_locked: true, range: None, motor: None, spring: None };

    /// From here to there only.
    #[must_use]
    pub fn range(mut self, low: f32, high: f32) -> Self {
        self.range = Some([low, high]);
        self
    }

    /// Driven.
    #[must_use]
    pub fn motor(mut self, motor: Motor) -> Self {
        self.motor = Some(motor);
        self
    }

    /// Pulled.
    #[must_use]
    pub fn spring(mut self, spring: Spring) -> Self {
        self.spring = Some(spring);
        self
    }
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// The distance of two anchors stays within a range: a rod if both ends are equal, a rope from
    /// 0 to its length, a spring if there is one.
    Distance {
        /// Least and largest distance, metres.
        #[cfg_attr(feature = "serde", serde(with = "super::serial::range"))]
        range: [f32; 2],
        /// Pulls towards its rest.
        spring: Option<Spring>,
    },
    /// Ball and socket: the anchors stay together.
    Ball {
        /// Largest angle between the axes of both frames, radians.
        cone: Option<f32>,
        /// Range of the turn about the axis, radians.
        #[cfg_attr(feature = "serde", serde(with = "super::serial::some_range"))]
        twist: Option<[f32; 2]>,
        /// Largest torque of friction in the socket, N·m.
        friction: f32,
        /// Pulls the frames towards the same orientation; its rest does not count.
        spring: Option<Spring>,
    },
    /// Turns about the axis.
    Hinge(Axis),
    /// Slides along the axis and does not turn.
    Slider(Axis),
    /// Does not move.
    Fixed {
        /// Gives way as a spring, both along and about every axis; its rest does not count.
        spring: Option<Spring>,
    },
    /// Two crossed axes: the x axis of the first frame and the y axis of the second stay
    /// perpendicular, the anchors together.
    Universal([Axis; 2]),
    /// A wheel on the second body: slides along the y axis of the first frame, turns about the x
    /// axis of the second, and may be steered about the y axis of the first.
    Wheel {
        /// Along the y axis.
        suspension: Axis,
        /// About the y axis.
        steering: Axis,
        /// About the axle; its range does not count.
        spin: Axis,
    },
    /// Every axis as one likes. The angles are the coordinates of the rotation vector.
    SixAxis {
        /// Along x, y, z of the first frame.
        linear: [Axis; 3],
        /// About x, y, z of the first frame.
        angular: [Axis; 3],
    },
}

/// Names an axis of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointAxis {
    /// The axis of a hinge or slider, the first of a universal joint, the spin of a wheel.
    Main,
    /// The second axis of a universal joint.
    Second,
    /// Of a wheel.
    Suspension,
    /// Of a wheel.
    Steering,
    /// Along x, y, z (0, 1, 2) of a six-axis joint.
    Linear(usize),
    /// About x, y, z (0, 1, 2) of a six-axis joint.
    Angular(usize),
}

impl JointKind {
    /// One of its axes, if it has it.
    pub fn axis_mut(&mut self, which: JointAxis) -> Option<&mut Axis> {
        match (self, which) {
            (
                Self::Hinge(axis)
                | Self::Slider(axis)
                | Self::Universal([axis, _])
                | Self::Wheel { spin: axis, .. },
                JointAxis::Main,
            )
            | (Self::Universal([_, axis]), JointAxis::Second)
            | (Self::Wheel { suspension: axis, .. }, JointAxis::Suspension)
            | (Self::Wheel { steering: axis, .. }, JointAxis::Steering) => Some(axis),
            (Self::SixAxis { linear, .. }, JointAxis::Linear(k)) => linear.get_mut(k),
            (Self::SixAxis { angular, .. }, JointAxis::Angular(k)) => angular.get_mut(k),
            _ => None,
        }
    }

    /// Has it the constraint rows of another, with other numbers?
    pub(crate) fn has_rows_of(&self, other: &Self) -> bool {
        let spans = |range: [f32; 2]| (range[0] < range[1], range[0].is_finite(), range[1].is_finite());
        let of_axis = |axis: &Axis| {
            let Axis { is_locked, range, motor, spring } = axis;
            (*is_locked, range.map(spans), motor.is_some(), spring.is_some())
        };
        match (self, other) {
            (Self::Distance { range: a, spring: p }, Self::Distance { range: b, spring: q }) => {
                spans(*a) == spans(*b) && p.is_some() == q.is_some()
            }
            (
                Self::Ball { cone: c, twist: t, friction: f, spring: p },
                Self::Ball { cone: d, twist: u, friction: g, spring: q },
            ) => {
                let ranges = t.map(spans) == u.map(spans) && c.is_some() == d.is_some();
                ranges && (*f > 0.0) == (*g > 0.0) && p.is_some() == q.is_some()
            }
            (Self::Fixed { spring: p }, Self::Fixed { spring: q }) => p.is_some() == q.is_some(),
            (Self::Hinge(a), Self::Hinge(b)) | (Self::Slider(a), Self::Slider(b)) => of_axis(a) == of_axis(b),
            (Self::Universal(a), Self::Universal(b)) => {
                a.each_ref().map(of_axis) == b.each_ref().map(of_axis)
            }
            (
                Self::Wheel { suspension: a, steering: b, spin: c },
                Self::Wheel { suspension: d, steering: e, spin: f },
            ) => [a, b, c].map(of_axis) == [d, e, f].map(of_axis),
            (Self::SixAxis { linear: a, angular: b }, Self::SixAxis { linear: c, angular: d }) => {
                let all = |lists: [&[Axis; 3]; 2]| lists.map(|list| list.each_ref().map(of_axis));
                all([a, b]) == all([c, d])
            }
            _ => false,
        }
    }

    /// Has it limits of rotation?
    pub(crate) fn has_angular_limits(&self) -> bool {
        let is_limited = |axis: &Axis| axis.range.is_some() && !axis.is_locked;
        match self {
            Self::Ball { cone, twist, .. } => cone.is_some() || twist.is_some(),
            Self::Hinge(axis) => is_limited(axis),
            Self::Universal(axes) => axes.iter().any(is_limited),
            Self::Wheel { steering, spin, .. } => is_limited(steering) || is_limited(spin),
            Self::SixAxis { angular, .. } => angular.iter().any(is_limited),
            Self::Distance { .. } | Self::Slider(_) | Self::Fixed { .. } => false,
        }
    }

    /// May it do work: has it a motor or a spring?
    pub(crate) fn is_powered(&self) -> bool {
        let is_driven = |axis: &Axis| axis.motor.is_some() || axis.spring.is_some();
        match self {
            Self::Distance { spring, .. } | Self::Ball { spring, .. } | Self::Fixed { spring } => {
                spring.is_some()
            }
            Self::Hinge(axis) | Self::Slider(axis) => is_driven(axis),
            Self::Universal(axes) => axes.iter().any(is_driven),
            Self::Wheel { suspension, steering, spin } => {
                [suspension, steering, spin].into_iter().any(is_driven)
            }
            Self::SixAxis { linear, angular } => linear.iter().chain(angular).any(is_driven),
        }
    }
}

/// Where the frames of a joint are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointFrames {
    /// In world coordinates, with the bodies as they are when the joint is made.
    World {
        /// The anchors on both bodies.
        #[cfg_attr(feature = "serde", serde(with = "super::serial::anchors"))]
        anchors: [DVec3; 2],
        /// The x axis of both frames.
        axis: Vec3,
        /// The y axis, as nearly as it can be; any that fits if it is zero.
        across: Vec3,
    },
    /// On each body, in its frame.
    Local([Pose; 2]),
}

/// A joint to be.
///
/// ```
/// use carom_dynamics::{Axis, BodyDef, JointDef, Motor, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Cuboid;
/// use glam::{DVec3, Vec3};
///
/// let mut world = World::new(WorldDef::default());
/// let frame = world.add_body(BodyDef::fixed(), [])?;
/// let door = ShapeDef::new(Cuboid::new(Vec3::new(0.5, 1.0, 0.05))?);
/// let door = world.add_body(BodyDef::dynamic().at(0.5, 1.0, 0.0), [door])?;
/// let hinge = Axis::FREE.range(0.0, 1.5).motor(Motor::new(1.0, 5000.0));
/// let hinge = world.add_joint(JointDef::hinge(frame, door, hinge).at(DVec3::ZERO).axis(Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(hinge)?.angle() - 1.0).abs() < 0.01, "one radian per second");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointDef {
    /// Whom it joins. One of them at least should be dynamic.
    pub bodies: [BodyId; 2],
    /// What it leaves free.
    pub kind: JointKind,
    /// Where it is.
    pub frames: JointFrames,
    /// Do the bodies collide with each other?
    pub collides: bool,
    /// Breaks beyond this force, N.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub break_force: f32,
    /// Breaks beyond this torque, N·m.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub break_torque: f32,
    /// Holds its bodies. Whether they collide with each other is not asked of it.
    pub is_enabled: bool,
    /// Whatever the user wants to find again.
    pub user_data: u64,
}

impl JointDef {
    /// A joint at the origin of the second body, with the x axis of the world.
    #[must_use]
    pub fn new(a: BodyId, b: BodyId, kind: JointKind) -> Self {
        Self {
            bodies: [a, b],
            kind,
            frames: JointFrames::World { anchors: [DVec3::NAN; 2], axis: Vec3::X, across: Vec3::ZERO },
            collides: false,
            break_force: f32::INFINITY,
            break_torque: f32::INFINITY,
            is_enabled: true,
            user_data: 0,
        }
    }

    /// Ball and socket.
    #[must_use]
    pub fn ball(a: BodyId, b: BodyId) -> Self {
        Self::new(a, b, JointKind::Ball { cone: None, twist: None, friction: 0.0, spring: None })
    }

    /// A hinge.
    #[must_use]
    pub fn hinge(a: BodyId, b: BodyId, axis: Axis) -> Self {
        Self::new(a, b, JointKind::Hinge(axis))
    }

    /// A slider.
    #[must_use]
    pub fn slider(a: BodyId, b: BodyId, axis: Axis) -> Self {
        Self::new(a, b, JointKind::Slider(axis))
    }

    /// A weld.
    #[must_use]
    pub fn fixed(a: BodyId, b: BodyId) -> Self {
        Self::new(a, b, JointKind::Fixed { spring: None })
    }

    /// A rod between two points of the world.
    #[must_use]
    pub fn rod(a: BodyId, b: BodyId, anchors: [DVec3; 2]) -> Self {
        let length = anchors[0].distance(anchors[1]) as f32;
        Self::new(a, b, JointKind::Distance { range: [length; 2], spring: None }).anchors(anchors)
    }

    /// A rope of a length between two points of the world.
    #[must_use]
    pub fn rope(a: BodyId, b: BodyId, anchors: [DVec3; 2], length: f32) -> Self {
        Self::new(a, b, JointKind::Distance { range: [0.0, length], spring: None }).anchors(anchors)
    }

    /// A spring between two points of the world, at rest as it is.
    #[must_use]
    pub fn spring(a: BodyId, b: BodyId, anchors: [DVec3; 2], spring: Spring) -> Self {
        let length = anchors[0].distance(anchors[1]) as f32;
        let kind = JointKind::Distance { range: [0.0, f32::INFINITY], spring: Some(spring.rest(length)) };
        Self::new(a, b, kind).anchors(anchors)
    }

    /// Where it is, in the world.
    #[must_use]
    pub fn at(self, anchor: DVec3) -> Self {
        self.anchors([anchor; 2])
    }

    /// Where its ends are, in the world.
    #[must_use]
    pub fn anchors(mut self, ends: [DVec3; 2]) -> Self {
        if let JointFrames::World { anchors, .. } = &mut self.frames {
            *anchors = ends;
        } else {
            self.frames = JointFrames::World { anchors: ends, axis: Vec3::X, across: Vec3::ZERO };
        }
        self
    }

    /// The x axis of its frames, in the world.
    #[must_use]
    pub fn axis(mut self, x: Vec3) -> Self {
        if let JointFrames::World { axis, .. } = &mut self.frames {
            *axis = x;
        }
        self
    }

    /// The x and y axes of its frames, in the world.
    #[must_use]
    pub fn axes(mut self, x: Vec3, y: Vec3) -> Self {
        if let JointFrames::World { axis, across, .. } = &mut self.frames {
            (*axis, *across) = (x, y);
        }
        self
    }

    /// Its frames on both bodies.
    #[must_use]
    pub fn frames(mut self, frames: [Pose; 2]) -> Self {
        self.frames = JointFrames::Local(frames);
        self
    }

    /// Do the bodies collide with each other?
    #[must_use]
    pub fn collides(mut self, collides: bool) -> Self {
        self.collides = collides;
        self
    }

    /// Breaks beyond this force or torque.
    #[must_use]
    pub fn breaks_at(mut self, force: f32, torque: f32) -> Self {
        self.break_force = force;
        self.break_torque = torque;
        self
    }

    /// Does it hold its bodies?
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
