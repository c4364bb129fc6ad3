//! Rows of moving bodies: the only memory that the sweeps of the solver write.
//!
//! Velocities are kept in *mass-scaled* coordinates: `√m · v` along the axes of the world, and `√I · ω` along the principal axes
//! of the body. A constraint whose Jacobian is scaled the same way (`J · M^(−½)`) needs neither masses nor inertias in the
//! sweeps: the velocity along it is a scalar product with the row, and an impulse is added along the very same vector. Per
//! contact point and body that leaves three numbers to read where the usual form reads six and an inertia tensor. The kinetic
//! energy is half the square of a row.
//!
//! Displacements since the beginning of the step are kept in the same coordinates, so separations follow by the same
//! scalar products. Principal axes are those of the beginning of the step.
//!
//! Row 0 stands for everything that contacts cannot move: static and kinematic bodies. It is zero and stays zero.

use glam::Vec3;

use super::lanes::Vec3Lanes;

/// A body in the sweeps: one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct BodyRow {
    /// √m · velocity.
    pub(crate) linear: [f32; 4],
    /// √I · angular velocity, in principal axes.
    pub(crate) angular: [f32; 4],
    /// √m · displacement since the beginning of the step.
    pub(crate) moved: [f32; 4],
    /// √I · small rotation since the beginning of the step, in principal axes.
    pub(crate) turned: [f32; 4],
}

/// The row of bodies that cannot be moved.
pub(crate) const FIXED: u32 = 0;

/// Four numbers of which the last is unused.
#[inline]
pub(crate) fn padded(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

/// The first three numbers.
#[inline]
pub(crate) fn vector([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}

/// One part of the rows of several bodies.
#[inline(always)]
pub(crate) fn gather<const W: usize>(
    rows: &[BodyRow],
    which: &[u32; W],
    part: impl Fn(&BodyRow) -> &[f32; 4],
) -> Vec3Lanes<W> {
    let mut out = Vec3Lanes::default();
    for lane in 0..W {
        let part = part(&rows[which[lane] as usize]);
        out.x.0[lane] = part[0];
        out.y.0[lane] = part[1];
        out.z.0[lane] = part[2];
    }
    out
}

/// Writes one part of the rows of several bodies back; the fixed row is left alone.
#[inline(always)]
pub(crate) fn scatter<const W: usize>(
    rows: &mut [BodyRow],
    which: &[u32; W],
    values: &Vec3Lanes<W>,
    part: impl Fn(&mut BodyRow) -> &mut [f32; 4],
) {
    for lane in 0..W {
        if which[lane] != FIXED {
            let part = part(&mut rows[which[lane] as usize]);
            part[0] = values.x.0[lane];
            part[1] = values.y.0[lane];
            part[2] = values.z.0[lane];
        }
    }
}
