//! A manifold before it is solved, shown to a hook that may change it.

use carom_narrowphase::Manifold;
use glam::{DVec3, Vec3};

use super::contacts::ActiveManifold;
use super::hooks::ShapePair;
use super::id::ShapeId;
use super::impulses::Impulses;

/// Normals at less than 45 degrees to the upward direction of a platform hold on it.
const COS_OF_TOP: f32 = 0.707;

/// A manifold that is about to be solved. Changes count for this step.
pub struct ContactModifier<'a> {
    pub(crate) pair: ShapePair<'a>,
    pub(crate) manifold: &'a Manifold,
    /// Impulses of the last step.
    pub(crate) impulses: &'a Impulses,
    pub(crate) touch: &'a mut ActiveManifold,
    /// Shapes closer than this make contact points before they touch.
    pub(crate) speculative_distance: f32,
    pub(crate) slop: f32,
    pub(crate) dt: f32,
}

/// One point of a manifold before it is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModifiedPoint {
    /// Half-way between the surfaces.
    pub position: DVec3,
    /// Distance of the surfaces; below zero where they overlap.
    pub separation: f32,
    /// Velocity of the second body against the first there, m/s, before the step is solved.
    pub velocity: Vec3,
    /// Impulse along the normal in the last substep of the last step, N s, with which the solver
    /// begins; 0 if the point is new.
    pub carried_impulse: f32,
    /// Is it solved?
    pub is_enabled: bool,
}

impl<'a> ContactModifier<'a> {
    /// The shapes and their bodies.
    #[must_use]
    pub fn pair(&self) -> &ShapePair<'a> {
        &self.pair
    }

    /// The shapes.
    #[must_use]
    pub fn shapes(&self) -> [ShapeId; 2] {
        self.pair.shapes()
    }

    /// Unit vector from the first shape to the second.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.pair.turned(0, self.manifold.normal)
    }

    /// The points, in the order of their numbers.
    pub fn points(&self) -> impl Iterator<Item = ModifiedPoint> + '_ {
        self.manifold.points().iter().enumerate().map(|(number, point)| {
            let position = self.pair.midpoint(point);
            ModifiedPoint {
                position,
                separation: point.separation,
                velocity: self.pair.relative_velocity_at(position),
                carried_impulse: self.impulses.normal[number],
                is_enabled: self.touch.is_enabled(number),
            }
        })
    }

    /// Did the contact press in the last step?
    #[must_use]
    pub fn was_pressed(&self) -> bool {
        self.impulses.normal.iter().any(|impulse| *impulse > 0.0)
    }

    /// How fast the bodies approach each other at the point that they approach at fastest, m/s;
    /// below zero if they part.
    #[must_use]
    pub fn approach(&self) -> f32 {
        let normal = self.normal();
        self.points().fold(f32::NEG_INFINITY, |fastest, point| {
            let approach = -point.velocity.dot(normal);
            if approach > fastest { approach } else { fastest }
        })
    }

    /// Coefficient of friction.
    #[must_use]
    pub fn friction(&self) -> f32 {
        self.touch.friction
    }

    /// Changes the friction. What is no number of 0 and more counts as 0.
    pub fn set_friction(&mut self, friction: f32) {
        self.touch.friction = not_negative(friction);
    }

    /// Share of the approaching speed given back.
    #[must_use]
    pub fn restitution(&self) -> f32 {
        self.touch.restitution
    }

    /// Changes the restitution. What is no number of 0 and more counts as 0.
    pub fn set_restitution(&mut self, restitution: f32) {
        self.touch.restitution = not_negative(restitution);
    }

    /// Velocity of the second surface against the first along the contact, m/s, in world axes,
    /// besides that of the bodies.
    #[must_use]
    pub fn surface_velocity(&self) -> Vec3 {
        self.touch.surface_velocity
    }

    /// Changes the surface velocity; the part along the normal does not count. One that is not
    /// finite counts as none.
    pub fn set_surface_velocity(&mut self, velocity: Vec3) {
        let normal = self.normal();
        self.touch.drive(if velocity.is_finite() { velocity } else { Vec3::ZERO }, normal);
    }

    /// Leaves the manifold out of this step: the shapes do not touch there.
    pub fn disable(&mut self) {
        self.touch.disabled_points = ActiveManifold::ALL_POINTS;
    }

    /// Leaves one point out of this step.
    pub fn disable_point(&mut self, number: usize) {
        if number < Manifold::CAPACITY {
            self.touch.disabled_points |= 1 << number;
        }
    }

    /// Is nothing of it solved?
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        (0..self.manifold.points().len()).all(|number| !self.touch.is_enabled(number))
    }

    /// Makes a shape a one-way platform: others stand on it and pass through it from below and
    /// from the sides. `up` is the direction they pass in, in world axes. Nothing happens if the
    /// shape is not one of the two.
    ///
    /// A contact holds if it did in the last step, or if the body comes from above: its top side
    /// is met, the body does not rise, and is no deeper inside than
    /// [`WorldDef::speculative_distance`](crate::WorldDef::speculative_distance).
    pub fn one_way(&mut self, platform: ShapeId, up: Vec3) {
        let Some(side) = self.shapes().iter().position(|shape| *shape == platform) else { return };
        let up = up.normalize_or_zero();
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let is_top = sign * self.normal().dot(up) > COS_OF_TOP;
        let [a, b] = self.pair.velocities();
        let rises = sign * (b - a).dot(up) * self.dt > self.slop;
        let is_deep = self.manifold.deepest() < -self.speculative_distance;
        if !(is_top && (self.was_pressed() || !rises && !is_deep)) {
            self.disable();
        }
    }
}

/// Coefficients that a contact may have.
fn not_negative(value: f32) -> f32 {
    if value > f32::MAX {
        f32::MAX
    } else if value > 0.0 {
        value
    } else {
        0.0
    }
}
