//! Joints in lanes: what a sweep reads and writes, and the sweeps. The rows are made in
//! [`super::joint_geometry`].
//!
//! Every joint is a few rows, each a direction in the space of both bodies' velocities. Rows that
//! *hold* (what may never move) are made orthonormal in mass-scaled coordinates ([`super::rows`]):
//! solving them one after the other then solves them all at once, exactly as inverting the joint's
//! whole mass matrix would, and neither a matrix nor a mass is left to read. Joints that hold a
//! point and nothing else have three rows along the axes of the world and the inverse of their 3 ×
//! 3 effective mass matrix, which is less to compute. Rows that *bound* (limits, motors, springs)
//! have an impulse range and a softness of their own.
//!
//! Anchors turn with their bodies from substep to substep, so a joint that swings is held where it
//! is and not where it was. The impulse of a linear row acts on both bodies at the same point of
//! space: angular momentum is kept, unless the joint is torn apart by more than a metre.
//!
//! The sweep that corrects errors pushes along the rows of the beginning of the substep, the
//! relaxing one, after the motion, along those of its end (as in RATTLE: H. C. Andersen, 1983).
//! Velocities are turned along with what they are held by: to push along either rows alone would
//! project them in every substep, which takes a share (ωh)² of the energy of a swinging body.

use carom_core::simd::SimdVec3;

use super::lanes::SolverLanes;
use super::velocities::Velocities;

/// Stands in lanes without a joint.
pub(crate) const NO_JOINT: u32 = u32::MAX;

/// A direction in the space of both bodies' velocities.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Direction<L> {
    /// Along the world; the masses come with the bodies.
    pub(crate) linear: SimdVec3<L>,
    /// Angular Jacobian of the first body.
    pub(crate) arm_a: SimdVec3<L>,
    /// Angular Jacobian of the second body.
    pub(crate) arm_b: SimdVec3<L>,
}

impl<L: SolverLanes> Direction<L> {
    /// The scalar product, by which impulses along one are felt along the other.
    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self, roots: L) -> L {
        self.linear.dot(other.linear) * roots + self.arm_a.dot(other.arm_a) + self.arm_b.dot(other.arm_b)
    }

    #[inline(always)]
    pub(crate) fn add_scaled(&mut self, factor: L, other: &Self) {
        self.linear.add_scaled(factor, other.linear);
        self.arm_a.add_scaled(factor, other.arm_a);
        self.arm_b.add_scaled(factor, other.arm_b);
    }

    /// Adds the part of an impulse that is kept along its new direction, less what was applied
    /// along the one before. Not a closure: those are not compiled for the wide registers of whom
    /// they are in.
    #[inline(always)]
    pub(crate) fn carry(&mut self, impulse: L, keeps: L, now: &Self, before: Option<&Self>) {
        self.add_scaled(impulse * keeps, now);
        if let Some(before) = before {
            self.add_scaled(-impulse, before);
        }
    }

    #[inline(always)]
    pub(crate) fn scaled(&self, factor: L) -> Self {
        Self {
            linear: self.linear.scaled(factor),
            arm_a: self.arm_a.scaled(factor),
            arm_b: self.arm_b.scaled(factor),
        }
    }
}

/// A row that holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HoldRow<L> {
    /// Of joints that hold a point, the linear part is known: a row of the inverse of the effective
    /// mass matrix is there instead.
    pub(crate) direction: Direction<L>,
    /// How far it is from where it should be.
    pub(crate) error: L,
    /// Velocity that kinematic bodies bring.
    pub(crate) driven: L,
    pub(crate) impulse: L,
    /// Impulse of the whole step: the sum over its substeps.
    pub(crate) total: L,
    /// Impulse of a round of impacts.
    round: L,
}

/// A row with an impulse within bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoundRow<L> {
    pub(crate) direction: Direction<L>,
    /// Impulse per velocity.
    pub(crate) mass: L,
    pub(crate) driven: L,
    pub(crate) impulse: L,
    /// Impulse of the whole step: the sum over its substeps.
    pub(crate) total: L,
    /// Impulse of a round of impacts.
    round: L,
    /// Least impulse.
    pub(crate) low: L,
    /// Largest impulse.
    pub(crate) high: L,
    /// Velocity that a motor wants.
    pub(crate) target: L,
    /// Speed of correction per error.
    pub(crate) bias_rate: L,
    /// Share of the full impulse that is applied.
    pub(crate) mass_scale: L,
    /// Share of the impulse so far that is taken back.
    pub(crate) impulse_scale: L,
    /// Velocity that an impulse leaves, per impulse.
    pub(crate) yielding: L,
    /// 1 for limits: apart, they may come together within the substep and no further.
    pub(crate) is_limit: L,
    /// 1 for springs, which pull in every sweep.
    pub(crate) is_spring: L,
    /// Of this substep: velocity to be reached, shares, in the sweep that pushes and in the one
    /// that does not.
    pub(crate) bias: [L; 2],
    pub(crate) scale: [L; 2],
    pub(crate) relief: [L; 2],
}

/// `W` joints with up to `H` rows that hold and `B` that bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointLanes<L, const W: usize, const H: usize, const B: usize> {
    /// Rows of the first bodies.
    pub(crate) a: [u32; W],
    /// Rows of the second bodies.
    pub(crate) b: [u32; W],
    /// Numbers of the joints; [`NO_JOINT`] in empty lanes.
    pub(crate) joint: [u32; W],
    /// Rows in use, the most of all lanes.
    pub(crate) holds: usize,
    pub(crate) bounds: usize,
    /// Does the frame of any body follow it?
    pub(crate) follows: bool,
    /// Does an impact of this step reach any of the joints?
    pub(crate) is_struck: bool,
    /// 1/√m of the first bodies.
    pub(crate) root_a: L,
    /// 1/√m of the second bodies.
    pub(crate) root_b: L,
    /// How far the anchors are apart along the rows that hold, metres, and how far they are
    /// turned off ([`Opening`](super::joint_projection::Opening)), radians. Nobody asks joints that
    /// hold a point for it.
    pub(crate) gap: L,
    pub(crate) angle: L,
    /// Softness of the rows that hold.
    pub(crate) bias_rate: L,
    pub(crate) mass_scale: L,
    pub(crate) impulse_scale: L,
    /// The next substep begins with the impulses of this one, along the rows as they were: what is
    /// to be added for the rows as they are.
    pub(crate) carried: Direction<L>,
    pub(crate) hold: [HoldRow<L>; H],
    pub(crate) bound: [BoundRow<L>; B],
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> Default for JointLanes<L, W, H, B> {
    fn default() -> Self {
        Self {
            a: [0; W],
            b: [0; W],
            joint: [NO_JOINT; W],
            holds: 0,
            bounds: 0,
            follows: false,
            is_struck: false,
            root_a: L::default(),
            root_b: L::default(),
            gap: L::default(),
            angle: L::default(),
            bias_rate: L::default(),
            mass_scale: L::default(),
            impulse_scale: L::default(),
            carried: Direction::default(),
            hold: [HoldRow::default(); H],
            bound: [BoundRow::default(); B],
        }
    }
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> JointLanes<L, W, H, B> {
    /// Rows hold a point along the axes of the world.
    pub(crate) const IS_POINT: bool = H == 3;

    #[inline(always)]
    fn apply_impulse(&self, v: &mut Velocities<L, W>, impulse: L, direction: &Direction<L>) {
        v.linear_a.add_scaled(-(impulse * self.root_a), direction.linear);
        v.linear_b.add_scaled(impulse * self.root_b, direction.linear);
        v.turn(impulse, &direction.arm_a, &direction.arm_b);
    }

    #[inline(always)]
    fn velocity_along(&self, v: &Velocities<L, W>, direction: &Direction<L>) -> L {
        let moving =
            direction.linear.dot(v.linear_b) * self.root_b - direction.linear.dot(v.linear_a) * self.root_a;
        moving + v.turning(&direction.arm_a, &direction.arm_b)
    }

    /// Applies what [`RawJoint::refresh`](super::joint_geometry::RawJoint::refresh) has left.
    #[inline(always)]
    pub(crate) fn carry(&self, v: &mut Velocities<L, W>) {
        self.apply_impulse(v, L::splat(1.0), &self.carried);
    }

    /// Velocity of the second anchor against the first along an axis of the world, given those of
    /// the centres.
    #[inline(always)]
    fn anchor_velocity(&self, v: &Velocities<L, W>, at: usize, a: L, b: L) -> L {
        let HoldRow { direction, driven, .. } = &self.hold[at];
        b * self.root_b - a * self.root_a + v.turning(&direction.arm_a, &direction.arm_b) + *driven
    }

    /// The same along all three.
    #[inline(always)]
    fn point_velocity(&self, v: &Velocities<L, W>) -> SimdVec3<L> {
        SimdVec3 {
            x: self.anchor_velocity(v, 0, v.linear_a.x, v.linear_b.x),
            y: self.anchor_velocity(v, 1, v.linear_a.y, v.linear_b.y),
            z: self.anchor_velocity(v, 2, v.linear_a.z, v.linear_b.z),
        }
    }

    /// The impulse that stops a velocity of the anchors.
    #[inline(always)]
    fn stopping_impulse(&self, velocity: &SimdVec3<L>) -> SimdVec3<L> {
        SimdVec3 {
            x: -self.hold[0].direction.linear.dot(*velocity),
            y: -self.hold[1].direction.linear.dot(*velocity),
            z: -self.hold[2].direction.linear.dot(*velocity),
        }
    }

    #[inline(always)]
    fn apply_at_point(&self, v: &mut Velocities<L, W>, impulse: &SimdVec3<L>) {
        v.linear_a.add_scaled(-self.root_a, *impulse);
        v.linear_b.add_scaled(self.root_b, *impulse);
        for (row, along) in self.hold.iter().zip([impulse.x, impulse.y, impulse.z]) {
            v.turn(along, &row.direction.arm_a, &row.direction.arm_b);
        }
    }

    /// Holds a point: what `solve` does to all rows.
    #[inline(always)]
    fn solve_point(&mut self, v: &mut Velocities<L, W>) {
        let mut velocity = self.point_velocity(v);
        let [x, y, z, ..] = &self.hold[..] else { return };
        velocity.add_scaled(self.bias_rate, SimdVec3 { x: x.error, y: y.error, z: z.error });
        let relief = SimdVec3 { x: x.impulse, y: y.impulse, z: z.impulse };
        let mut change = self.stopping_impulse(&velocity).scaled(self.mass_scale);
        change.add_scaled(-self.impulse_scale, relief);
        self.apply_at_point(v, &change);
        for (row, along) in self.hold.iter_mut().zip([change.x, change.y, change.z]) {
            row.impulse = row.impulse + along;
        }
    }

    /// Holds a point without correcting errors.
    #[inline(always)]
    fn relax_point(&mut self, v: &mut Velocities<L, W>) {
        let change = self.stopping_impulse(&self.point_velocity(v));
        self.apply_at_point(v, &change);
        for (row, along) in self.hold.iter_mut().zip([change.x, change.y, change.z]) {
            row.impulse = row.impulse + along;
        }
    }

    /// Holds, and corrects errors.
    #[inline(always)]
    pub(crate) fn solve(&mut self, v: &mut Velocities<L, W>) {
        if Self::IS_POINT {
            self.solve_point(v);
            return;
        }
        // Bounds first: what must hold has the last word.
        self.bound_sweep::<0>(v, |_, wanted, _| wanted);
        for at in 0..self.holds {
            let row = &self.hold[at];
            let velocity = self.velocity_along(v, &row.direction) + row.driven;
            let change = -(self.mass_scale * (velocity + self.bias_rate * row.error))
                - self.impulse_scale * row.impulse;
            self.apply_impulse(v, change, &row.direction);
            self.hold[at].impulse = row.impulse + change;
        }
    }

    /// Springs as they were when they pushed, so that no end of a substep adds to their damping.
    #[inline(always)]
    pub(crate) fn relax_springs(&mut self, v: &mut Velocities<L, W>) {
        self.bound_sweep::<1>(v, |row, wanted, before| row.is_spring.if_positive(wanted, before));
    }

    /// Holds without correcting errors; springs have had their turn.
    #[inline(always)]
    pub(crate) fn relax(&mut self, v: &mut Velocities<L, W>) {
        if Self::IS_POINT {
            self.relax_point(v);
            return;
        }
        self.bound_sweep::<1>(v, |row, wanted, before| row.is_spring.if_positive(before, wanted));
        for at in 0..self.holds {
            let row = &self.hold[at];
            let change = -(self.velocity_along(v, &row.direction) + row.driven);
            self.apply_impulse(v, change, &row.direction);
            self.hold[at].impulse = row.impulse + change;
        }
    }

    /// Energy that joints that hold a point have stored by being open, as springs of a frequency
    /// whose square is given, (rad/s)².
    #[inline(always)]
    pub(crate) fn elastic_energy(&self, frequency_squared: f32) -> L {
        let [x, y, z, ..] = &self.hold[..] else { return L::default() };
        let error = SimdVec3 { x: x.error, y: y.error, z: z.error };
        let pull = SimdVec3 {
            x: x.direction.linear.dot(error),
            y: y.direction.linear.dot(error),
            z: z.direction.linear.dot(error),
        };
        error.dot(pull) * L::splat(0.5 * frequency_squared)
    }

    /// The impulses of a substep are what they will be.
    #[inline(always)]
    pub(crate) fn sum_up(&mut self) {
        for row in &mut self.hold[..self.holds] {
            row.total = row.total + row.impulse;
        }
        for row in &mut self.bound[..self.bounds] {
            row.total = row.total + row.impulse;
        }
    }

    /// Begins a round of impacts, when all substeps are over.
    #[inline(always)]
    pub(crate) fn begin_round(&mut self) {
        for row in &mut self.hold[..self.holds] {
            row.round = L::splat(0.0);
        }
        for row in &mut self.bound[..self.bounds] {
            row.round = L::splat(0.0);
        }
    }

    /// Holds during an impact, as far as one visit does: rows that hold, and limits. Springs and
    /// motors have no time to act. Returns the largest change, in mass-scaled coordinates.
    #[inline(always)]
    pub(crate) fn stop(&mut self, v: &mut Velocities<L, W>) -> L {
        let nothing = L::splat(0.0);
        let mut largest = nothing;
        if Self::IS_POINT {
            let velocity = self.point_velocity(v);
            let change = self.stopping_impulse(&velocity);
            self.apply_at_point(v, &change);
            for (row, along) in self.hold.iter_mut().zip([change.x, change.y, change.z]) {
                row.round = row.round + along;
            }
            return (-change.dot(velocity)).max(nothing).sqrt();
        }
        for at in 0..self.bounds {
            let row = &self.bound[at];
            let velocity = self.velocity_along(v, &row.direction) + row.driven;
            let wanted = (row.round - row.mass * (velocity + row.bias[1])).max(nothing);
            let round = row.is_limit.if_positive(wanted, nothing);
            let change = round - row.round;
            // The square of the change is that of the impulse over the effective mass.
            let size = row.mass.if_positive(change / row.mass.sqrt(), nothing);
            largest = largest.max(size.max(-size));
            self.apply_impulse(v, change, &row.direction);
            self.bound[at].round = round;
        }
        for at in 0..self.holds {
            let row = &self.hold[at];
            let change = -(self.velocity_along(v, &row.direction) + row.driven);
            largest = largest.max(change.max(-change));
            self.apply_impulse(v, change, &row.direction);
            self.hold[at].round = row.round + change;
        }
        largest
    }

    /// Ends a round: rows that hold apply a share of their impulses once more. Limits give nothing
    /// back.
    #[inline(always)]
    pub(crate) fn push_off(&mut self, v: &mut Velocities<L, W>, share: f32) {
        let share = L::splat(share);
        if Self::IS_POINT {
            let [x, y, z, ..] = &self.hold[..] else { return };
            let change = SimdVec3 { x: x.round, y: y.round, z: z.round }.scaled(share);
            self.apply_at_point(v, &change);
        }
        for at in 0..self.holds {
            let row = &self.hold[at];
            let change = share * row.round;
            if !Self::IS_POINT {
                self.apply_impulse(v, change, &row.direction);
            }
            self.hold[at].total = row.total + row.round + change;
        }
        for row in &mut self.bound[..self.bounds] {
            row.total = row.total + row.round;
        }
    }

    /// `choose` between the impulse that a row wants and the one it has.
    #[inline(always)]
    fn bound_sweep<const KIND: usize>(
        &mut self,
        v: &mut Velocities<L, W>,
        choose: impl Fn(&BoundRow<L>, L, L) -> L,
    ) {
        for at in 0..self.bounds {
            let row = &self.bound[at];
            let velocity = self.velocity_along(v, &row.direction) + row.driven;
            let wanted = row.impulse
                - row.mass * row.scale[KIND] * (velocity + row.bias[KIND])
                - row.relief[KIND] * row.impulse;
            let impulse = choose(row, wanted.max(row.low).min(row.high), row.impulse);
            let change = impulse - row.impulse;
            self.apply_impulse(v, change, &row.direction);
            self.bound[at].impulse = impulse;
        }
    }
}
