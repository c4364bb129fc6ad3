//! Integration: how forces, damping, locked axes and speed caps change the motion of a body, and
//! what happens to a body whose state becomes non-finite.
//!
//! Bodies move in one of two ways, and everything that both have in common is written here once:
//!
//! * [`Body::move_freely`]: nothing touches the body. Exact for constant forces, whatever the
//!   length of the step.
//! * [`Body::follow_row`]: a contact solver has moved the body's row in substeps, to which
//!   [`pull_of`] says what acts in each of them.
//!
//! This is where other integrators and force fields attach: a field adds to
//! [`BodyForces::acceleration_in`], an integrator replaces the two motions. Both are inlined into
//! the loops over bodies, so a new one costs nothing to worlds that do not use it.

// That threads take different bodies is known here, not to the compiler.
#![allow(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use carom_core::threads::DisjointSlice;
use glam::Vec3;

use super::rotation::{is_unpushed, turn_constrained, turn_freely, turn_held, turned_by};
use super::rows::{Part, SolverBody, padded, vector};
use super::solver_bodies::{BodyFrame, Pull};
use crate::state::bodies::{Bodies, BodyForces, BodyState, Cold, MotionBound, flag};
use crate::state::context::StepContext;
use crate::state::definition::LockedAxes;
use crate::state::id::Slots;
use crate::state::motion::{InverseMass, Motion};

/// Bodies that one thread moves at a time.
const BODIES_OF_PART: usize = 256;

/// The velocity left after damping for a time: that of an implicit step, which never changes sign.
#[inline]
fn damped(damping: f32, time: f32) -> f32 {
    1.0 / (1.0 + damping * time)
}

/// A vector no longer than a length.
#[inline]
fn limited(v: Vec3, longest: f32) -> Vec3 {
    let square = v.length_squared();
    if square > longest * longest { v * (longest / square.sqrt()) } else { v }
}

/// 1 along free axes, 0 along locked ones: of translation, and of rotation.
#[inline]
pub(crate) fn free_axes(locked: &LockedAxes) -> (Vec3, Vec3) {
    let free = |locked: [bool; 3]| Vec3::from(locked.map(|locked| f32::from(!locked)));
    (free(locked.translation), free(locked.rotation))
}

/// Forgets the forces of a step that have been applied.
#[inline]
fn spend_forces(drive: &mut BodyForces, state: &mut BodyState) {
    drive.force = Vec3::ZERO;
    drive.torque = Vec3::ZERO;
    if drive.is_plain() {
        state.flags &= !flag::DRIVEN;
    }
}

/// What acts on a body in substeps of length `h`, on its row. Its forces are spent.
#[inline]
pub(crate) fn pull_of(
    gravity: Vec3,
    h: f32,
    motion: &Motion,
    mass: &InverseMass,
    drive: &mut BodyForces,
    state: &mut BodyState,
) -> Pull {
    let root = mass.root_of_mass();
    let linear = padded(drive.acceleration_in(gravity) * (root * h));
    if !state.has(flag::DRIVEN) {
        return Pull { linear, ..Pull::default() };
    }
    let force = vector(linear) + drive.force * (mass.root_mass * h);
    let torque = motion.rotation.rotate_back(drive.torque) * mass.root_inertia * h;
    let pull = Pull {
        linear: padded(force),
        angular: padded(torque),
        linear_damping: damped(drive.linear_damping, h),
        angular_damping: damped(drive.angular_damping, h),
    };
    spend_forces(drive, state);
    pull
}

/// What holds a body that the solver moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holds<'a> {
    /// Joints only, in a frame that followed it.
    Frame(&'a BodyFrame),
    /// Joints, and perhaps contacts.
    Joint,
    /// Contacts.
    Contact,
}

/// One body while it is moved.
pub(crate) struct Body<'a> {
    pub(crate) motion: &'a mut Motion,
    pub(crate) state: &'a mut BodyState,
    pub(crate) motion_bound: &'a mut MotionBound,
    pub(crate) drive: &'a mut BodyForces,
    pub(crate) mass: &'a InverseMass,
    /// Its row in the solver, [`NONE`](crate::state::id::NONE) if nothing constrains it.
    pub(crate) row: u32,
    slot: u32,
    cold: &'a Slots<Cold>,
}

impl Body<'_> {
    /// Moves a body that nothing constrains; false if it was put back and stopped.
    #[inline]
    pub(crate) fn move_freely(self, gravity: Vec3, dt: f32) -> bool {
        let Self { motion, state, drive, mass, .. } = self;
        let before = *motion;
        let mut acceleration = Vec3::ZERO;
        if state.has(flag::DYNAMIC) {
            acceleration = drive.acceleration_in(gravity);
            if state.has(flag::DRIVEN) {
                acceleration += drive.force * (mass.root_mass * mass.root_mass);
                let local = motion.rotation.rotate_back(drive.torque) * mass.root_inertia * mass.root_inertia;
                motion.angular_velocity += motion.rotation.rotate(local) * dt;
                motion.velocity *= damped(drive.linear_damping, dt);
                motion.angular_velocity *= damped(drive.angular_damping, dt);
                spend_forces(drive, state);
            }
            if state.has(flag::LOCKED)
                && let Some(cold) = self.cold.get(self.slot)
            {
                let (translation, rotation) = free_axes(&cold.locked);
                acceleration *= translation;
                motion.velocity *= translation;
                motion.angular_velocity *= rotation;
            }
        }
        let displacement = motion.velocity * dt + acceleration * (0.5 * dt * dt);
        motion.position += displacement.as_dvec3();
        motion.velocity += acceleration * dt;
        let turn = motion.angular_velocity.length() * dt;
        if turn > 0.0 {
            (motion.rotation, motion.angular_velocity) =
                turn_freely(motion.rotation, mass, motion.angular_velocity, dt);
        }
        if state.has(flag::DYNAMIC) {
            motion.velocity = limited(motion.velocity, drive.max_speed);
            motion.angular_velocity = limited(motion.angular_velocity, drive.max_angular_speed);
        }
        state.consume_slack(self.motion_bound, displacement, turn, dt);
        keep_or_put_back(motion, before)
    }

    /// Moves a body as the solver moved its row; false if it was put back and stopped.
    #[inline]
    pub(crate) fn follow_row(self, row: &SolverBody, holds: Holds<'_>, dt: f32) -> bool {
        let Self { motion, state, drive, mass, .. } = self;
        let before = *motion;
        let displacement = limited(row.part(Part::Moved) * mass.root_mass, drive.max_speed * dt);
        motion.position += displacement.as_dvec3();
        motion.velocity = limited(row.part(Part::Linear) * mass.root_mass, drive.max_speed);
        let turned = limited(row.part(Part::Turned) * mass.root_inertia, drive.max_angular_speed * dt);
        let scaled = row.part(Part::Angular);
        let angular_velocity;
        let is_free = match holds {
            Holds::Frame(frame) => frame.is_free(row),
            Holds::Joint | Holds::Contact => is_unpushed(&before, mass, turned, scaled, dt),
        };
        if mass.is_isotropic() {
            motion.rotation = turned_by(before.rotation, before.rotation.rotate(turned));
            angular_velocity = before.rotation.rotate(scaled * mass.root_inertia);
        } else if is_free {
            (motion.rotation, angular_velocity) =
                turn_freely(before.rotation, mass, before.angular_velocity, dt);
        } else {
            (motion.rotation, angular_velocity) = match holds {
                Holds::Frame(frame) => {
                    let after = (before.rotation * frame.rotation).normalised();
                    (after, after.rotate(scaled * mass.root_inertia))
                }
                Holds::Joint => turn_held(before.rotation, mass, turned, scaled),
                Holds::Contact => turn_constrained(before.rotation, mass, turned, scaled, dt),
            };
        }
        motion.angular_velocity = limited(angular_velocity, drive.max_angular_speed);
        state.consume_slack(self.motion_bound, displacement, turned.length(), dt);
        keep_or_put_back(motion, before)
    }
}

/// Puts a body back and stops it if its motion became non-finite; false then.
#[inline]
fn keep_or_put_back(motion: &mut Motion, before: Motion) -> bool {
    if motion.is_sane() {
        return true;
    }
    *motion = before;
    (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
    false
}

/// Moves the bodies in some slots, none of which is named twice, on all threads. `advance` is
/// called with the position of a slot in the list and its body; where it returns false, the body
/// was put back, and goes into quarantine.
pub(crate) fn move_bodies(
    context: &mut StepContext<'_>,
    bodies: &mut Bodies,
    slots: &[u32],
    advance: impl Fn(usize, Body<'_>) -> bool + Sync,
) {
    let Bodies { motion, state, motion_bounds, drive, mass, cold, rows, .. } = bodies;
    let (motions, states) = (DisjointSlice::new(motion), DisjointSlice::new(state));
    let (motion_bounds, drives) = (DisjointSlice::new(motion_bounds), DisjointSlice::new(drive));
    let lost = Mutex::new(std::mem::take(context.quarantined));
    context.pool.run(slots.len().div_ceil(BODIES_OF_PART), |_, part| {
        let range = part * BODIES_OF_PART..((part + 1) * BODIES_OF_PART).min(slots.len());
        for (at, &slot) in range.clone().zip(&slots[range]) {
            let index = slot as usize;
            // SAFETY: the list names every body once, and every part of it is taken once.
            let body = unsafe {
                Body {
                    motion: motions.at(index),
                    state: states.at(index),
                    motion_bound: motion_bounds.at(index),
                    drive: drives.at(index),
                    mass: &mass[index],
                    row: rows[index],
                    slot,
                    cold,
                }
            };
            if !advance(at, body) {
                lost.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
            }
        }
    });
    *context.quarantined = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
    context.quarantined.sort_unstable();
}
