//! Motion of bodies that nothing touches: exact for constant forces, whatever the length of the step.

use glam::Vec3;

use super::fit::pay;
use crate::solver::body::turn_freely;
use crate::world::bodies::{Bodies, flag};
use crate::world::id::NONE;

/// What the stage needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) dt: f32,
    pub(crate) gravity: Vec3,
}

/// The velocity left after damping for a time: that of an implicit step, which never turns round.
#[inline]
pub(crate) fn damped(damping: f32, time: f32) -> f32 {
    1.0 / (1.0 + damping * time)
}

/// A vector no longer than a length.
#[inline]
pub(crate) fn limited(v: Vec3, longest: f32) -> Vec3 {
    let square = v.length_squared();
    if square > longest * longest { v * (longest / square.sqrt()) } else { v }
}

impl Flight {
    /// Moves every awake body that has no row. Bodies that left the finite numbers are put back and stopped; their slots go to
    /// `quarantined`.
    pub(crate) fn run(&self, bodies: &mut Bodies, quarantined: &mut Vec<u32>) {
        for &slot in &bodies.awake {
            let at = slot as usize;
            let state = &mut bodies.state[at];
            if state.row != NONE {
                continue;
            }
            let motion = &mut bodies.motion[at];
            let before = *motion;
            let mass = &bodies.mass[at];
            let mut acceleration = Vec3::ZERO;
            if state.has(flag::DYNAMIC) {
                let drive = &mut bodies.drive[at];
                acceleration = self.gravity * drive.gravity_scale + drive.acceleration;
                if state.has(flag::DRIVEN) {
                    acceleration += drive.force * (mass.root_mass * mass.root_mass);
                    let local =
                        motion.rotation.rotate_back(drive.torque) * mass.root_inertia * mass.root_inertia;
                    motion.spin += motion.rotation.rotate(local) * self.dt;
                    motion.velocity *= damped(drive.linear_damping, self.dt);
                    motion.spin *= damped(drive.angular_damping, self.dt);
                    drive.force = Vec3::ZERO;
                    drive.torque = Vec3::ZERO;
                    if drive.is_plain() {
                        state.flags &= !flag::DRIVEN;
                    }
                }
                if state.has(flag::LOCKED)
                    && let Some(cold) = bodies.cold.get(slot)
                {
                    let free = |locked: [bool; 3]| Vec3::from(locked.map(|locked| f32::from(!locked)));
                    acceleration *= free(cold.locked.translation);
                    motion.velocity *= free(cold.locked.translation);
                    motion.spin *= free(cold.locked.rotation);
                }
            }
            let displacement = motion.velocity * self.dt + acceleration * (0.5 * self.dt * self.dt);
            motion.position += displacement.as_dvec3();
            motion.velocity += acceleration * self.dt;
            let turn = motion.spin.length() * self.dt;
            if turn > 0.0 {
                (motion.rotation, motion.spin) = turn_freely(motion.rotation, mass, motion.spin, self.dt);
            }
            if state.has(flag::DYNAMIC) {
                let drive = &bodies.drive[at];
                motion.velocity = limited(motion.velocity, drive.max_speed);
                motion.spin = limited(motion.spin, drive.max_spin);
            }
            pay(state, displacement, turn, self.dt);
            if !motion.is_sane() {
                *motion = before;
                (motion.velocity, motion.spin) = (Vec3::ZERO, Vec3::ZERO);
                quarantined.push(slot);
            }
        }
    }
}
