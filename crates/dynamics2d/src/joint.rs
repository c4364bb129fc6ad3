//! Joints to be.
//!
//! They are joints of the engine whose axes stand upright on the plane or lie in it: a revolute
//! joint is a hinge about z, a prismatic one a slider, a wheel one whose axle is z. What the engine
//! holds out of the plane is held by the plane already and costs no truth.

use carom_dynamics as engine;
use carom_dynamics::{Axis, BodyId, JointKind, Motor, Spring};
use glam::{DVec2, Vec2, Vec3};

use crate::point;

/// A joint to be. Angles and displacements are those of the second body as the first one sees it.
///
/// ```
/// use carom_dynamics2d::{BodyDef, JointDef, Motor, ShapeDef, World, WorldDef};
/// use glam::DVec2;
/// let mut world = World::new(WorldDef::default());
/// let wall = world.add_body(BodyDef::fixed(), [])?;
/// let door = world.add_body(BodyDef::dynamic().at(1.0, 0.0), [ShapeDef::rectangle(1.0, 0.1)?])?;
/// let hinge = JointDef::revolute(wall, door, DVec2::ZERO).range(-0.5, 1.0).motor(Motor::new(2.0, 20.0));
/// let hinge = world.add_joint(hinge)?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.joint(hinge)?.angle() - 1.0).abs() < 0.01, "the motor has reached its limit: {}", world.joint(hinge)?.angle());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointDef(engine::JointDef);

/// Stands for "as far as it likes".
const FAR: f32 = f32::INFINITY;

impl JointDef {
    /// Turns about a point of the world.
    #[must_use]
    pub fn revolute(a: BodyId, b: BodyId, anchor: DVec2) -> Self {
        Self(engine::JointDef::hinge(a, b, Axis::FREE).at(point(anchor)).axis(Vec3::Z))
    }

    /// Slides along a direction of the world and does not turn.
    #[must_use]
    pub fn prismatic(a: BodyId, b: BodyId, anchor: DVec2, along: Vec2) -> Self {
        let def = engine::JointDef::slider(a, b, Axis::FREE).at(point(anchor));
        Self(def.axes(along.extend(0.0), along.perp().extend(0.0)))
    }

    /// Keeps the distance of two points of the world.
    #[must_use]
    pub fn distance(a: BodyId, b: BodyId, anchors: [DVec2; 2]) -> Self {
        Self(engine::JointDef::rod(a, b, anchors.map(point)))
    }

    /// Keeps two points of the world from going farther apart than a length.
    #[must_use]
    pub fn rope(a: BodyId, b: BodyId, anchors: [DVec2; 2], length: f32) -> Self {
        Self(engine::JointDef::rope(a, b, anchors.map(point), length))
    }

    /// A spring between two points of the world, at rest as it is.
    #[must_use]
    pub fn spring_between(a: BodyId, b: BodyId, anchors: [DVec2; 2], spring: Spring) -> Self {
        Self(engine::JointDef::spring(a, b, anchors.map(point), spring))
    }

    /// Holds two bodies together as they are.
    #[must_use]
    pub fn weld(a: BodyId, b: BodyId, anchor: DVec2) -> Self {
        let def = engine::JointDef::fixed(a, b).at(point(anchor));
        Self(def.axes(Vec3::X, Vec3::Y))
    }

    /// A wheel on the second body: turns about its anchor, which slides along a direction of the
    /// world that turns with the first body. [`spring`](Self::spring) and [`range`](Self::range)
    /// are
    /// those of the suspension, the [`motor`](Self::motor) turns the wheel.
    #[must_use]
    pub fn wheel(a: BodyId, b: BodyId, anchor: DVec2, along: Vec2) -> Self {
        let kind = JointKind::Wheel { suspension: Axis::FREE, steering: Axis::LOCKED, spin: Axis::FREE };
        let def = engine::JointDef::new(a, b, kind).at(point(anchor));
        Self(def.axes(Vec3::Z, along.extend(0.0)))
    }

    /// Pulls a point of a body to where it is now, as a mouse does: `ground` is a body that does
    /// not
    /// move, and [`World::set_mouse_target`](crate::World::set_mouse_target) moves the place. The
    /// body turns freely.
    #[must_use]
    pub fn mouse(ground: BodyId, body: BodyId, place: DVec2, spring: Spring) -> Self {
        let pulled = Axis::FREE.spring(spring.rest(0.0));
        let kind = JointKind::SixAxis { linear: [pulled, pulled, Axis::FREE], angular: [Axis::FREE; 3] };
        let def = engine::JointDef::new(ground, body, kind).at(point(place));
        Self(def.axes(Vec3::X, Vec3::Y).collides(true))
    }

    /// How far it may turn or slide; of distances, the least and largest.
    #[must_use]
    pub fn range(mut self, low: f32, high: f32) -> Self {
        match &mut self.0.kind {
            JointKind::Hinge(axis) | JointKind::Slider(axis) | JointKind::Wheel { suspension: axis, .. } => {
                *axis = axis.range(low, high);
            }
            JointKind::Distance { range, .. } => *range = [low, high],
            _ => {}
        }
        self
    }

    /// Drives it: the turn of a revolute joint or wheel, the slide of a prismatic one.
    #[must_use]
    pub fn motor(mut self, motor: Motor) -> Self {
        match &mut self.0.kind {
            JointKind::Hinge(axis) | JointKind::Slider(axis) | JointKind::Wheel { spin: axis, .. } => {
                *axis = axis.motor(motor);
            }
            _ => {}
        }
        self
    }

    /// Pulls it towards the rest of the spring; a weld gives way as the spring does.
    #[must_use]
    pub fn spring(mut self, spring: Spring) -> Self {
        match &mut self.0.kind {
            JointKind::Hinge(axis) | JointKind::Slider(axis) | JointKind::Wheel { suspension: axis, .. } => {
                *axis = axis.spring(spring);
            }
            JointKind::Distance { range, spring: own } => {
                if range[0] == range[1] {
                    *range = [0.0, FAR];
                }
                *own = Some(spring);
            }
            JointKind::Fixed { spring: own } => *own = Some(spring),
            _ => {}
        }
        self
    }

    /// Do the bodies collide with each other?
    #[must_use]
    pub fn collides(self, collides: bool) -> Self {
        Self(self.0.collides(collides))
    }

    /// Breaks beyond this force or torque.
    #[must_use]
    pub fn breaks_at(self, force: f32, torque: f32) -> Self {
        Self(self.0.breaks_at(force, torque))
    }

    /// Does it hold its bodies?
    #[must_use]
    pub fn enabled(self, is_enabled: bool) -> Self {
        Self(self.0.enabled(is_enabled))
    }

    /// Whatever the user wants to find again.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> Self {
        Self(self.0.user_data(user_data))
    }

    /// The definition in the world below.
    #[must_use]
    pub fn engine(&self) -> &engine::JointDef {
        &self.0
    }
}
