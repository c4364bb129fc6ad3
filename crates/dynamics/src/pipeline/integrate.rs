//! Motion of bodies that nothing touches: exact for constant forces, whatever the length of the step.

// That threads take different bodies is known here, not to the compiler.
#![allow(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use carom_core::threads::{DisjointSlice, ThreadPool};
use glam::Vec3;

use crate::solver::integrate::{damped, limited};
use crate::solver::rotation::turn_freely;
use crate::state::bodies::{Bodies, BodyState, Cold, Drive, Journey, flag};
use crate::state::id::NONE;
use crate::state::motion::{MassRow, Motion};

/// What the stage needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) dt: f32,
    pub(crate) gravity: Vec3,
}

/// Bodies that one thread takes at a time.
const PART: usize = 256;

impl Flight {
    /// Moves every awake body that has no row. Bodies that left the finite numbers are put back and stopped; their slots go to
    /// `quarantined`.
    pub(crate) fn run(&self, bodies: &mut Bodies, quarantined: &mut Vec<u32>, pool: &mut ThreadPool) {
        let Bodies { awake, motion, state, journeys, drive, mass, cold, rows, .. } = bodies;
        let (motions, states, drives) =
            (DisjointSlice::new(motion), DisjointSlice::new(state), DisjointSlice::new(drive));
        let journeys = DisjointSlice::new(journeys);
        let lost = Mutex::new(std::mem::take(quarantined));
        pool.run(awake.len().div_ceil(PART), |_, part| {
            for &slot in &awake[part * PART..((part + 1) * PART).min(awake.len())] {
                let at = slot as usize;
                // SAFETY: the list of the awake names every body once, see `Bodies::refresh_awake`, and every part of it is taken
                // once.
                let (motion, state, drive) = unsafe { (motions.at(at), states.at(at), drives.at(at)) };
                // SAFETY: the same.
                let journey = unsafe { journeys.at(at) };
                if rows[at] == NONE && !self.fly(motion, state, journey, drive, &mass[at], || cold.get(slot))
                {
                    lost.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
                }
            }
        });
        *quarantined = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
        quarantined.sort_unstable();
    }

    /// Moves one body; false if it left the finite numbers, and was put back.
    fn fly<'a>(
        &self,
        motion: &mut Motion,
        state: &mut BodyState,
        journey: &mut Journey,
        drive: &mut Drive,
        mass: &MassRow,
        cold: impl Fn() -> Option<&'a Cold>,
    ) -> bool {
        let before = *motion;
        let mut acceleration = Vec3::ZERO;
        if state.has(flag::DYNAMIC) {
            acceleration = self.gravity * drive.gravity_scale + drive.acceleration;
            if state.has(flag::DRIVEN) {
                acceleration += drive.force * (mass.root_mass * mass.root_mass);
                let local = motion.rotation.rotate_back(drive.torque) * mass.root_inertia * mass.root_inertia;
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
                && let Some(cold) = cold()
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
            motion.velocity = limited(motion.velocity, drive.max_speed);
            motion.spin = limited(motion.spin, drive.max_spin);
        }
        state.consume_slack(journey, displacement, turn, self.dt);
        if motion.is_sane() {
            return true;
        }
        *motion = before;
        (motion.velocity, motion.spin) = (Vec3::ZERO, Vec3::ZERO);
        false
    }
}
