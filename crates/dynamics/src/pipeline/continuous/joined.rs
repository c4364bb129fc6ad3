//! Bodies on joints are put back together: one alone would tear its joints open by its way.
//!
//! All of them go to the same part of their ways. These are straight and those of bodies that
//! swing are not, so joints that fit at both ends are open between, by an eighth of the square of
//! the angle times the arm: the bodies are moved until they fit ([`JointProjection`]). That may
//! take one into what it was put back from, so all of them are swept again, to where they are now,
//! a few times. In the last pass nobody is moved, and as little is left of the ways, little is
//! open. Velocities go to the same part as well. What gravity has given them after that is taken
//! back from their kinetic energy, as it is from a body in free flight.

use glam::Vec3;

use super::swept_motion::{Moment, SweptMotion};
use super::{ContinuousCollision, Course};
use crate::pipeline::joined_bodies::JoinedBodies;
use crate::solver::joint_projection::{JointProjection, OPEN_ANGLE, Opening};
use crate::state::bodies::Bodies;
use crate::state::joints::Joints;
use crate::state::motion::Motion;

/// Most visits of every joint.
const MOST_SWEEPS: u32 = 48;

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// The bodies on the same joints.
    group: JoinedBodies,
    /// Their ways, and their motions at the ends.
    ways: Vec<SweptMotion>,
    ends: Vec<Motion>,
    projection: JointProjection,
    /// Has any body been moved for its joints in this pass?
    pub(super) is_projected: bool,
    /// May they be?
    fits: bool,
}

impl Joined {
    /// Begins a pass over the fast bodies; may bodies be moved for their joints in it?
    pub(super) fn begin_pass(&mut self, fits: bool) {
        self.fits = fits;
        self.is_projected = false;
    }

    /// Moves the bodies until their joints fit as well as at the ends of the ways, where they were
    /// off by `end`.
    fn fit(&mut self, end: Opening, bodies: &mut Bodies, course: Course<'_>) {
        let Self { group: JoinedBodies { slots, joints, .. }, projection, .. } = self;
        let before: Vec<Motion> = slots.iter().map(|slot| bodies.motion[*slot as usize]).collect();
        let tolerance = end.max(Opening { gap: course.lengths.slop, angle: OPEN_ANGLE });
        if !projection.run((course.joints, joints), slots, bodies, (tolerance, MOST_SWEEPS)) {
            return;
        }
        self.is_projected = true;
        for (slot, before) in slots.iter().zip(before) {
            let (motion, state) = (&bodies.motion[*slot as usize], &mut bodies.state[*slot as usize]);
            let moved = (motion.position - before.position).as_vec3().length();
            // The sine of half the angle, which is at most π/2 times as large.
            let turn = std::f32::consts::PI * (motion.rotation * before.rotation.inverse()).xyz.length();
            state.budget -= moved + turn * state.turn_radius();
        }
    }
}

impl ContinuousCollision {
    /// Puts a body back, and all that are joined to it. One that was inside from the beginning is
    /// put back alone: the others would be held for as long as it is.
    pub(super) fn put_back_joined(&mut self, at: Moment, slot: u32, bodies: &mut Bodies, course: Course<'_>) {
        if !Joints::has_any(slot, bodies) {
            self.way(slot, bodies).put_back(at, slot, bodies, course.gain);
            return;
        }
        let mut joined = std::mem::take(&mut self.joined);
        if at.turns {
            joined.group.alone(slot);
        } else {
            joined.group.find(slot, bodies, course.joints);
        }
        let fits = !at.turns && joined.fits;
        let end = if fits {
            joined.projection.largest((course.joints, &joined.group.joints), bodies)
        } else {
            Opening::default()
        };
        joined.ends.clear();
        joined.ways.clear();
        for &slot in &joined.group.slots {
            let way = self.way(slot, bodies);
            joined.ways.push(way);
            joined.ends.push(bodies.motion[slot as usize]);
            way.put_back(at, slot, bodies, course.gain);
        }
        if fits {
            joined.fit(end, bodies, course);
        }
        let (mut kinetic, mut wanted, mut work) = (0.0f64, 0.0f64, 0.0f64);
        for (&slot, (before, way)) in joined.group.slots.iter().zip(joined.ends.iter().zip(&joined.ways)) {
            let (motion, mass) = (&mut bodies.motion[slot as usize], &bodies.mass[slot as usize]);
            motion.velocity = if at.turns { before.velocity } else { way.velocity(at.t) };
            let drive = &bodies.drive[slot as usize];
            let acceleration = drive.acceleration_in(course.gain.gravity);
            let root = mass.root_of_mass();
            let back = (before.position - motion.position).as_vec3();
            work += f64::from(acceleration.dot(back) * root * root);
            let turning = mass.scaled(before.rotation.rotate_back(before.angular_velocity));
            let energy = |velocity: Vec3| {
                f64::from(0.5 * (root * root * velocity.length_squared() + turning.length_squared()))
            };
            wanted += energy(before.velocity);
            kinetic += energy(motion.velocity);
            // The energy of rotation belongs to the principal axes.
            let local = before.rotation.rotate_back(before.angular_velocity);
            motion.angular_velocity = motion.rotation.rotate(local);
        }
        let share = if kinetic > 0.0 { (wanted - work) / kinetic } else { 1.0 };
        let scale = if share > 0.0 { share.sqrt() as f32 } else { 0.0 };
        for &slot in &joined.group.slots {
            let motion = &mut bodies.motion[slot as usize];
            motion.velocity *= scale;
            motion.angular_velocity *= scale;
        }
        self.joined = joined;
    }
}
