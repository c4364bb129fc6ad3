//! Bodies on joints are put back together: one alone would tear its joints open by its way.
//!
//! All of them go to the same part of their ways, where joints fit as they do at both ends, and
//! their velocities as well. What gravity has given them after that is taken back from their
//! kinetic energy, as it is from a body in free flight.

use glam::Vec3;

use super::swept_motion::Moment;
use super::{ContinuousCollision, Course};
use crate::state::bodies::{Bodies, flag};
use crate::state::joints::Joints;

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// Slots of the bodies on the same joints, in the order in which they were found.
    slots: Vec<u32>,
    /// A bit for each of them, by slot; all clear between searches.
    marks: Vec<u64>,
}

impl Joined {
    /// Finds everybody who moves with a body, itself first.
    fn find(&mut self, slot: u32, bodies: &Bodies, joints: &Joints) {
        self.slots.clear();
        self.marks.resize(bodies.state.len().div_ceil(64), 0);
        self.add(slot);
        let mut at = 0;
        while let Some(&body) = self.slots.get(at) {
            at += 1;
            let Some(cold) = bodies.cold.get(body) else { continue };
            let chain = joints.chain(body, cold.first_joint);
            for joint in chain.map(|joint| &joints.rows[joint as usize]).filter(|joint| joint.is_there) {
                for other in joint.bodies {
                    if bodies.state[other as usize].has(flag::DYNAMIC) {
                        self.add(other);
                    }
                }
            }
        }
        for slot in &self.slots {
            self.marks[*slot as usize / 64] = 0;
        }
    }

    fn add(&mut self, slot: u32) {
        let (word, bit) = (&mut self.marks[slot as usize / 64], 1 << (slot % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.slots.push(slot);
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
            joined.slots.clear();
            joined.slots.push(slot);
        } else {
            joined.find(slot, bodies, course.joints);
        }
        let (mut kinetic, mut wanted, mut work) = (0.0f64, 0.0f64, 0.0f64);
        for &slot in &joined.slots {
            let before = bodies.motion[slot as usize];
            let way = self.way(slot, bodies);
            way.put_back(at, slot, bodies, course.gain);
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
        for &slot in &joined.slots {
            let motion = &mut bodies.motion[slot as usize];
            motion.velocity *= scale;
            motion.angular_velocity *= scale;
        }
        self.joined = joined;
    }
}
