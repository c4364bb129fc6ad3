//! Velocities of the two bodies of a constraint, taken from their rows and put back.

use carom_core::simd::SimdVec3;

use super::lanes::SolverLanes;
use super::rows::{Half, Rows};

/// Velocities of both bodies of `W` constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocities<L, const W: usize> {
    pub(crate) linear_a: SimdVec3<L>,
    pub(crate) angular_a: SimdVec3<L>,
    pub(crate) linear_b: SimdVec3<L>,
    pub(crate) angular_b: SimdVec3<L>,
}

impl<L: SolverLanes, const W: usize> Velocities<L, W> {
    #[inline(always)]
    pub(crate) fn load(rows: Rows<'_>, a: &[u32; W], b: &[u32; W]) -> Self {
        let [linear_a, angular_a] = L::gather(rows, a, Half::Velocity);
        let [linear_b, angular_b] = L::gather(rows, b, Half::Velocity);
        Self { linear_a, angular_a, linear_b, angular_b }
    }

    #[inline(always)]
    pub(crate) fn store(&self, rows: Rows<'_>, a: &[u32; W], b: &[u32; W]) {
        L::scatter(rows, a, Half::Velocity, &[self.linear_a, self.angular_a]);
        L::scatter(rows, b, Half::Velocity, &[self.linear_b, self.angular_b]);
    }

    /// Adds an impulse along an angular Jacobian.
    #[inline(always)]
    pub(crate) fn turn(&mut self, impulse: L, arm_a: &SimdVec3<L>, arm_b: &SimdVec3<L>) {
        self.angular_a.add_scaled(-impulse, *arm_a);
        self.angular_b.add_scaled(impulse, *arm_b);
    }

    /// The angular part of the velocity along a Jacobian.
    #[inline(always)]
    pub(crate) fn turning(&self, arm_a: &SimdVec3<L>, arm_b: &SimdVec3<L>) -> L {
        arm_b.dot(self.angular_b) - arm_a.dot(self.angular_a)
    }
}
