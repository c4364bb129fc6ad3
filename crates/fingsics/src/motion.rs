//! Motion: explicit Euler, rotation by a matrix of Euler angles that is never made orthonormal
//! again.

use crate::arithmetic::{RowMatrix, is_near_zero, length, length_squared};
use glam::Vec3;

use super::rules::{MAX_ANGULAR_SPEED, MAX_SPEED, Rules};

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    pub(crate) acceleration: Vec3,
}

impl Motion {
    /// Sets the velocity, capped if the rules say so.
    #[inline]
    pub(crate) fn set_velocity(&mut self, velocity: Vec3, rules: &Rules) {
        self.velocity = if rules.speed_caps { capped(velocity, MAX_SPEED) } else { velocity };
    }

    /// Sets the angular velocity, capped if the rules say so.
    #[inline]
    pub(crate) fn set_angular_velocity(&mut self, angular_velocity: Vec3, rules: &Rules) {
        self.angular_velocity =
            if rules.speed_caps { capped(angular_velocity, MAX_ANGULAR_SPEED) } else { angular_velocity };
    }
}

#[inline]
fn capped(v: Vec3, limit: f32) -> Vec3 {
    if length_squared(v) > limit * limit { v / length(v) * limit } else { v }
}

/// What a move changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) shifted: bool,
    pub(crate) turned: bool,
}

/// Moves one body by `dt`: position with the old velocity, then rotation, then velocity. Each part
/// is skipped where all components of its rate are nearly zero. A result that is not finite is
/// taken back and reported as an error.
#[inline]
pub(crate) fn advance(
    motion: &mut Motion,
    position: &mut Vec3,
    rotation: &mut RowMatrix,
    dt: f32,
    rules: &Rules,
) -> Result<Moved, NotFinite> {
    let mut moved = Moved { shifted: false, turned: false };
    if !is_near_zero(motion.velocity) {
        let target = *position + motion.velocity * dt;
        if !target.is_finite() {
            return Err(NotFinite);
        }
        *position = target;
        moved.shifted = true;
    }
    if !is_near_zero(motion.angular_velocity) {
        let target = RowMatrix::from_euler(motion.angular_velocity * dt).times(rotation);
        if !target.0.iter().all(|row| row.is_finite()) {
            return Err(NotFinite);
        }
        *rotation = target;
        moved.turned = true;
    }
    if !is_near_zero(motion.acceleration) {
        motion.set_velocity(motion.velocity + motion.acceleration * dt, rules);
    }
    Ok(moved)
}

/// A body has a non-finite state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotFinite;
