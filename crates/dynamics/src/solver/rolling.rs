//! Rolling resistance in lanes: a constraint on the relative angular velocity of two bodies.
//!
//! What presses a rolling body is ahead of its centre by a lever arm, so its torque about the two
//! tangents is at most pressing force times lever arm; the same goes for spinning about the normal
//! with a lever arm of its own. Like friction the constraint belongs to the relaxing sweep, its
//! impulses are bounded by the pressure of the substep, and they start the next step. Kept apart
//! from the contacts, since few of them roll.

use carom_core::simd::SimdVec3;
use glam::Vec3;

use super::lanes::SolverLanes;
use super::velocities::Velocities;

/// Rolling resistance of `W` contacts. Directions are both tangents and the normal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RollingLanes<L> {
    /// Angular Jacobians of the directions for the first body.
    pub(crate) axes_a: [SimdVec3<L>; 3],
    /// Angular Jacobians of the directions for the second body.
    pub(crate) axes_b: [SimdVec3<L>; 3],
    /// Inverse of the 2 × 2 matrix of the tangents: xx, xy, yy.
    mass: [L; 3],
    /// Impulse per angular velocity about the normal.
    spin_mass: L,
    /// Angular impulses along the directions.
    impulse: [L; 3],
    /// Relative angular velocity that kinematic bodies bring, along the directions.
    driven: [L; 3],
    /// Lever arms against rolling and spinning; 0 in lanes that do not resist.
    arms: [L; 2],
    /// What the lanes are made of: impulses of the last step and angular velocity of kinematic
    /// bodies, both in world axes.
    carried: SimdVec3<L>,
    kinematic: SimdVec3<L>,
}

/// Rolling resistance of a contact as it comes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rolling {
    /// Lever arms against rolling and spinning, metres.
    pub(crate) arms: [f32; 2],
    /// Angular impulse of the last step, world axes.
    pub(crate) impulse: Vec3,
    /// Relative angular velocity that kinematic bodies bring, world axes.
    pub(crate) kinematic: Vec3,
}

impl<L: SolverLanes> RollingLanes<L> {
    /// Writes a contact into a lane.
    #[inline]
    pub(crate) fn put(&mut self, lane: usize, source: &Rolling) {
        for (arm, &value) in self.arms.iter_mut().zip(&source.arms) {
            arm.set(lane, value);
        }
        self.carried.set(lane, source.impulse);
        self.kinematic.set(lane, source.kinematic);
    }

    /// Masses and bounded impulses; the Jacobians are there. `pressure` is what the normals carry.
    #[inline(always)]
    pub(crate) fn prepare(&mut self, directions: [&SimdVec3<L>; 3], pressure: L) {
        let between =
            |k: usize, l: usize| self.axes_a[k].dot(self.axes_a[l]) + self.axes_b[k].dot(self.axes_b[l]);
        let [xx, xy, yy, spin] = [between(0, 0), between(0, 1), between(1, 1), between(2, 2)];
        let (nothing, one) = (L::splat(0.0), L::splat(1.0));
        let determinant = xx * yy - xy * xy;
        let inverse = determinant.if_positive(one / determinant, nothing);
        self.mass = [yy * inverse, -(xy * inverse), xx * inverse];
        self.spin_mass = spin.if_positive(one / spin, nothing);
        let along = |v: SimdVec3<L>| [directions[0].dot(v), directions[1].dot(v), directions[2].dot(v)];
        self.driven = along(self.kinematic);
        self.impulse = self.bounded(along(self.carried), pressure);
    }

    /// The nearest impulses within the bounds.
    #[inline(always)]
    fn bounded(&self, [x, y, spin]: [L; 3], pressure: L) -> [L; 3] {
        let [roll_limit, spin_limit] = [self.arms[0] * pressure, self.arms[1] * pressure];
        let length = (x * x + y * y).sqrt();
        let share = (roll_limit / length.max(L::splat(1e-30))).min(L::splat(1.0));
        [x * share, y * share, spin.max(-spin_limit).min(spin_limit)]
    }

    /// Applies the impulses of the last step.
    #[inline(always)]
    pub(crate) fn warm_start<const W: usize>(&self, v: &mut Velocities<L, W>) {
        for k in 0..3 {
            v.turn(self.impulse[k], &self.axes_a[k], &self.axes_b[k]);
        }
    }

    /// Stops relative rotation as far as the pressure allows.
    #[inline(always)]
    pub(crate) fn solve<const W: usize>(&mut self, v: &mut Velocities<L, W>, pressure: L) {
        // Written out: `array::map` stays a call, see `Kernel::run`.
        let mut velocity = self.driven;
        for k in 0..3 {
            velocity[k] = v.turning(&self.axes_a[k], &self.axes_b[k]) + self.driven[k];
        }
        let [xx, xy, yy] = self.mass;
        let wanted = [
            self.impulse[0] - (xx * velocity[0] + xy * velocity[1]),
            self.impulse[1] - (xy * velocity[0] + yy * velocity[1]),
            self.impulse[2] - self.spin_mass * velocity[2],
        ];
        let impulse = self.bounded(wanted, pressure);
        for k in 0..3 {
            v.turn(impulse[k] - self.impulse[k], &self.axes_a[k], &self.axes_b[k]);
        }
        self.impulse = impulse;
    }

    /// The angular impulse of a lane in world axes.
    pub(crate) fn impulse_of(&self, lane: usize, directions: [Vec3; 3]) -> Vec3 {
        let [x, y, spin] = self.impulse.map(|lanes| lanes.get(lane));
        directions[0] * x + directions[1] * y + directions[2] * spin
    }
}
