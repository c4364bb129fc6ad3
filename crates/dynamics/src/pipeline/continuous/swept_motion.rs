//! The way of a body in a step: straight, turning evenly, from where it was to where it is.
//!
//! Substeps may have led elsewhere between; what is swept is what the next step sees.

use carom_geometry::{Aabb, Pose, Rotation};
use carom_narrowphase::toi;
use glam::{DVec3, Vec3};

use crate::state::bodies::{Bodies, BodyState, flag};
use crate::state::motion::Motion;
use crate::state::shapes::ShapeRow;

/// Where a body was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) position: DVec3,
    pub(super) rotation: Rotation,
    pub(super) velocity: Vec3,
}

/// Share of its displacement by which a body in free flight may be off its parabola.
const FREE: f32 = 1e-3;

/// What a step gives to the velocity of everything that falls.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepGain {
    pub(super) gravity: Vec3,
    pub(super) dt: f32,
}

/// When on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// Part of the way.
    pub(super) t: f32,
    /// The body turns on: it was inside from the beginning, and only its middle is held.
    pub(super) turns: bool,
}

/// From where a body was to where it is, about where it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweptMotion {
    start: Motion,
    end: Motion,
    motion: toi::Motion<f64>,
}

impl SweptMotion {
    pub(super) fn new(start: Start, end: &Motion) -> Self {
        let Start { position, rotation, velocity } = start;
        let from = Pose::new(DVec3::ZERO, rotation.to::<f64>());
        let to = Pose::new(end.position - position, end.rotation.to::<f64>());
        Self {
            start: Motion { position, rotation, velocity, ..*end },
            end: *end,
            motion: toi::Motion::between(&from, &to, DVec3::ZERO),
        }
    }

    /// Of a body that stays where it is.
    pub(super) fn still(at: &Motion) -> Self {
        Self::new(Start { position: at.position, rotation: at.rotation, velocity: at.velocity }, at)
    }

    /// Where the body was at the beginning.
    pub(super) fn origin(&self) -> DVec3 {
        self.start.position
    }

    /// The velocity at a part of the way, between those of both ends. One that was turned round by
    /// an impact is that of the end.
    pub(super) fn velocity(&self, t: f32) -> Vec3 {
        let (start, end) = (self.start.velocity, self.end.velocity);
        if start.dot(end) > 0.0 { start + (end - start) * t } else { end }
    }

    /// Where the body is and how it moves at a part of the way.
    pub(super) fn at(&self, t: f32) -> Motion {
        let pose = self.motion.at(f64::from(t));
        Motion {
            position: self.start.position + pose.translation,
            rotation: pose.rotation.to::<f32>().normalised(),
            velocity: self.velocity(t),
            angular_velocity: self.end.angular_velocity,
        }
    }

    /// The motion of a shape on the body, seen from `origin`.
    pub(super) fn of_shape(&self, row: &ShapeRow, origin: DVec3) -> toi::Motion<f64> {
        let mut motion = self.motion;
        motion.start.translation = self.start.position - origin;
        motion.carrying(&row.local_pose.to::<f64>())
    }

    /// A box around a shape wherever it was on the way, with some room.
    pub(super) fn bounds(&self, row: &ShapeRow, room: f32) -> Aabb<3> {
        // Points leave the chords of their arcs by at most an eighth of the square of the angle
        // times their distance from the pivot.
        let angle = self.motion.angle as f32;
        let arc = 0.125 * angle * angle * row.bounded_reach();
        row.tight_box(&self.start).union(&row.tight_box(&self.end)).grown(arc + room)
    }

    /// A part of the way before which a shape does not come to a box: a ball round the shape, about
    /// the centre of mass, moves straight.
    pub(super) fn enters(&self, row: &ShapeRow, aabb: &Aabb<3>) -> f32 {
        let [low, high] = [aabb.low().as_dvec3(), aabb.high().as_dvec3()];
        let off = (low - self.start.position).max(self.start.position - high).max(DVec3::ZERO);
        let room = off.length() - f64::from(row.bounded_reach()) * 1.001;
        let way = self.motion.displacement.length();
        // Rounded down; of a body that does not move, at once.
        if room > 0.0 && way > 0.0 { (room / way * 0.999) as f32 } else { 0.0 }
    }

    /// Does the body, seen from another that moves, move by no more than contacts cover? By the
    /// measure for bodies at rest, [`BodyState::consume_slack`].
    pub(super) fn is_slow_seen_from(&self, other: &Self, state: &BodyState) -> bool {
        let seen = |body: &Motion, from: &Motion| {
            let between = (body.position - from.position).as_vec3();
            (from.rotation.rotate_back(between), from.rotation.inverse() * body.rotation)
        };
        let (from, rotation) = seen(&self.start, &other.start);
        let (to, turned) = seen(&self.end, &other.end);
        // The sine of half the angle, which is at most π/2 times as large.
        let turn = std::f32::consts::PI * Vec3::length((turned * rotation.inverse()).xyz);
        // Seen from what turns the way is bent, by an eighth of its second derivative at most.
        let angle = other.motion.angle as f32;
        let straight = (self.motion.displacement - other.motion.displacement).as_vec3().length();
        let bend = 0.125 * angle * (2.0 * straight + angle * (from.length() + straight));
        let moved = (to - from).length() + bend;
        state.is_covered(moved * moved, turn)
    }

    /// Puts the body to a time of its way. What gravity gave to a body in free flight after that is
    /// taken back: with it, the body would be too fast for its height.
    pub(super) fn put_back(
        &self,
        Moment { t, turns }: Moment,
        slot: u32,
        bodies: &mut Bodies,
        StepGain { gravity, dt }: StepGain,
    ) {
        let pose = self.motion.at(f64::from(t));
        let motion = &mut bodies.motion[slot as usize];
        motion.position = self.start.position + pose.translation;
        if !turns {
            motion.rotation = pose.rotation.to::<f32>().normalised();
        }
        let state = &mut bodies.state[slot as usize];
        if state.has(flag::DYNAMIC) && !turns {
            let drive = &bodies.drive[slot as usize];
            let acceleration = drive.acceleration_in(gravity);
            let displacement = self.motion.displacement.as_vec3();
            let free = motion.velocity * dt - acceleration * (0.5 * dt * dt);
            if (displacement - free).length() <= FREE * displacement.length() {
                motion.velocity -= acceleration * ((1.0 - t) * dt);
            }
        }
        let turn = self.motion.angle as f32 * state.turn_radius();
        let moved = (1.0 - t) * (self.motion.displacement.length() as f32 + turn);
        state.budget -= moved;
    }
}
