//! Integration of velocities and poses.

use glam::Vec3;

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
