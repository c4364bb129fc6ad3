//! Joints in lanes: what a sweep reads and writes, and the sweeps.
//!
//! Every joint is a few rows, each a direction in the space of both bodies' velocities. Rows that
//! *hold* (what may never move) are made orthonormal in mass-scaled coordinates ([`super::rows`]):
//! solving them one after the other then solves them all at once, exactly as inverting the joint's
//! whole mass matrix would, and neither a matrix nor a mass is left to read. Rows that
//! *bound* (limits, motors, springs) have an impulse range and a softness of their own.
//!
//! Anchors turn with their bodies from substep to substep, so a joint that swings is held where it
//! is and not where it was. The impulse of a linear row acts on both bodies at the same point of
//! space: angular momentum is kept, unless the joint is torn apart by more than a metre.

use carom_core::simd::{SimdQuat, SimdVec3};

use super::contact::{FASTEST_CHANGE, Sweep};
use super::lanes::SolverLanes;
use super::rows::{Half, Rows};
use super::velocities::Velocities;

/// Errors beyond this are corrected no faster than this, metres or radians: to correct
/// contradictory ones at once would make bodies faster than numbers can tell.
const LARGEST_ERROR: f32 = 0.25;

/// Errors add no more than this to the lever of an impulse, metres along each row: levers that grow
/// with what they cause would be without end.
const LARGEST_LEVER: f32 = 1.0;

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
    fn dot(&self, other: &Self, roots: L) -> L {
        self.linear.dot(other.linear) * roots + self.arm_a.dot(other.arm_a) + self.arm_b.dot(other.arm_b)
    }

    #[inline(always)]
    fn add_scaled(&mut self, factor: L, other: &Self) {
        self.linear.add_scaled(factor, other.linear);
        self.arm_a.add_scaled(factor, other.arm_a);
        self.arm_b.add_scaled(factor, other.arm_b);
    }

    /// What has been added to it, if there was something before.
    #[inline(always)]
    fn since(&self, before: &Self, is_first: bool) -> Self {
        let mut new = *self;
        if !is_first {
            new.add_scaled(L::splat(-1.0), before);
        }
        new
    }

    #[inline(always)]
    fn scaled(&self, factor: L) -> Self {
        Self {
            linear: self.linear.scaled(factor),
            arm_a: self.arm_a.scaled(factor),
            arm_b: self.arm_b.scaled(factor),
        }
    }
}

/// A row as it comes: what a [`Direction`] is made of in every substep.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RawRow<L> {
    /// Unit axis in the world; all zero where there is no row.
    pub(crate) axis: SimdVec3<L>,
    /// 1 for displacements along the axis, 0 for turns about it.
    pub(crate) is_linear: L,
    /// Error at the beginning of the step; for linear rows what is added to the displacement.
    pub(crate) error: L,
    /// The axis in the frames of both bodies at the beginning of the step.
    in_a: SimdVec3<L>,
    in_b: SimdVec3<L>,
    /// For rows along the line between the anchors: 1 if it grows with their distance, −1 if it
    /// shrinks; else 0.
    pub(crate) radial: L,
}

/// A row that holds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HoldRow<L> {
    pub(crate) direction: Direction<L>,
    /// How far it is from where it should be.
    error: L,
    /// Velocity that kinematic bodies bring.
    driven: L,
    pub(crate) impulse: L,
    /// Impulse of the whole step: the sum over its substeps.
    pub(crate) total: L,
}

/// A row with an impulse within bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoundRow<L> {
    pub(crate) direction: Direction<L>,
    /// Impulse per velocity.
    mass: L,
    driven: L,
    pub(crate) impulse: L,
    /// Impulse of the whole step: the sum over its substeps.
    pub(crate) total: L,
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
    bias: [L; 2],
    scale: [L; 2],
    relief: [L; 2],
}

/// One body's part of a joint as it comes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointSide<L> {
    pub(crate) rotation: SimdQuat<L>,
    /// 1/√I.
    pub(crate) root_inertia: SimdVec3<L>,
    /// The anchor in the frame of the body.
    pub(crate) anchor: SimdVec3<L>,
}

/// The anchor after a small turn in the frame of the body: to the fourth power of the angle.
#[inline(always)]
fn rotated<L: SolverLanes>(v: &SimdVec3<L>, by: &SimdVec3<L>) -> SimdVec3<L> {
    let square = by.dot(*by);
    let first = by.cross(*v);
    let second = by.cross(first);
    let mut out = *v;
    out.add_scaled(L::splat(1.0) - square * L::splat(1.0 / 6.0), first);
    out.add_scaled(L::splat(0.5) - square * L::splat(1.0 / 24.0), second);
    out
}

/// What is left of an impulse that would change a speed by more than [`FASTEST_CHANGE`]; `mass` is
/// the impulse per velocity.
#[inline(always)]
fn bounded<L: SolverLanes>(impulse: L, mass: L) -> L {
    let (most, size) = (mass * L::splat(FASTEST_CHANGE), impulse.max(-impulse));
    (size - most).if_positive(most / size.max(L::splat(1e-30)), L::splat(1.0))
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
    /// 1/√m of the first bodies.
    pub(crate) root_a: L,
    /// 1/√m of the second bodies.
    pub(crate) root_b: L,
    /// Softness of the rows that hold.
    pub(crate) bias_rate: L,
    pub(crate) mass_scale: L,
    pub(crate) impulse_scale: L,
    pub(crate) hold: [HoldRow<L>; H],
    pub(crate) bound: [BoundRow<L>; B],
}

/// The same joints as they come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawJoint<L, const H: usize, const B: usize> {
    pub(crate) side_a: JointSide<L>,
    pub(crate) side_b: JointSide<L>,
    /// From the first centre of mass to the second at the beginning of the step.
    pub(crate) between: SimdVec3<L>,
    /// Velocity of the second anchor against the first that kinematic bodies bring, and their
    /// angular velocity.
    pub(crate) driven: SimdVec3<L>,
    pub(crate) driven_spin: SimdVec3<L>,
    pub(crate) hold: [RawRow<L>; H],
    pub(crate) bound: [RawRow<L>; B],
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> Default for JointLanes<L, W, H, B> {
    fn default() -> Self {
        Self {
            a: [0; W],
            b: [0; W],
            joint: [NO_JOINT; W],
            holds: 0,
            bounds: 0,
            root_a: L::default(),
            root_b: L::default(),
            bias_rate: L::default(),
            mass_scale: L::default(),
            impulse_scale: L::default(),
            hold: [HoldRow::default(); H],
            bound: [BoundRow::default(); B],
        }
    }
}

impl<L: SolverLanes, const H: usize, const B: usize> Default for RawJoint<L, H, B> {
    fn default() -> Self {
        Self {
            side_a: JointSide::default(),
            side_b: JointSide::default(),
            between: SimdVec3::default(),
            driven: SimdVec3::default(),
            driven_spin: SimdVec3::default(),
            hold: [RawRow::default(); H],
            bound: [RawRow::default(); B],
        }
    }
}

/// Where both bodies of a joint are in a substep.
struct Situation<L> {
    /// From anchor to anchor, world axes.
    gap: SimdVec3<L>,
    /// The second anchor from both centres, in the frames of the bodies.
    arm_a: SimdVec3<L>,
    arm_b: SimdVec3<L>,
    /// Turns since the beginning of the step, in the frames of the bodies.
    rotation_a: SimdVec3<L>,
    rotation_b: SimdVec3<L>,
    elapsed: L,
}

impl<L: SolverLanes, const H: usize, const B: usize> RawJoint<L, H, B> {
    /// Rows go along the line between the anchors.
    const IS_RADIAL: bool = H == 1;
    /// Rows hold a point along the axes of the world.
    pub(crate) const IS_POINT: bool = H == 3;
    /// No row is about turns.
    const IS_LINEAR: bool = Self::IS_RADIAL || Self::IS_POINT;

    /// The axes of all rows in the frames of their bodies. Once per step.
    #[inline(always)]
    pub(crate) fn prepare<const W: usize>(&mut self, lanes: &JointLanes<L, W, H, B>) {
        if Self::IS_LINEAR {
            return;
        }
        for at in 0..lanes.holds {
            let row = &mut self.hold[at];
            row.in_a = self.side_a.rotation.rotate_back(row.axis);
            row.in_b = self.side_b.rotation.rotate_back(row.axis);
        }
        for at in 0..lanes.bounds {
            let row = &mut self.bound[at];
            row.in_a = self.side_a.rotation.rotate_back(row.axis);
            row.in_b = self.side_b.rotation.rotate_back(row.axis);
        }
    }

    #[inline(always)]
    fn situation<const W: usize>(
        &self,
        lanes: &JointLanes<L, W, H, B>,
        rows: Rows<'_>,
        elapsed: f32,
    ) -> Situation<L> {
        let [moved_a, rotation_a] = L::gather(rows, &lanes.a, Half::Displacement);
        let [moved_b, rotation_b] = L::gather(rows, &lanes.b, Half::Displacement);
        let rotation_a = rotation_a.component_mul(self.side_a.root_inertia);
        let rotation_b = rotation_b.component_mul(self.side_b.root_inertia);
        let from_a = rotated(&self.side_a.anchor, &rotation_a);
        let arm_b = rotated(&self.side_b.anchor, &rotation_b);
        let elapsed = L::splat(elapsed);
        let mut gap = self.between;
        gap.add_scaled(lanes.root_b, moved_b);
        gap.add_scaled(-lanes.root_a, moved_a);
        gap.add_scaled(L::splat(1.0), self.side_b.rotation.rotate(arm_b));
        gap.add_scaled(L::splat(-1.0), self.side_a.rotation.rotate(from_a));
        gap.add_scaled(elapsed, self.driven);
        let mut arm_a = from_a;
        arm_a.add_scaled(L::splat(1.0), self.side_a.rotation.rotate_back(self.lever(&gap, lanes.holds)));
        Situation { gap, arm_a, arm_b, rotation_a, rotation_b, elapsed }
    }

    /// What the gap between the anchors adds to the lever of the first body: the gap itself, as
    /// long as the joint is not torn apart.
    #[inline(always)]
    fn lever(&self, gap: &SimdVec3<L>, holds: usize) -> SimdVec3<L> {
        let (most, least) = (L::splat(LARGEST_LEVER), L::splat(-LARGEST_LEVER));
        if Self::IS_RADIAL {
            // Impulses go along the gap.
            return SimdVec3::default();
        }
        if Self::IS_POINT {
            return SimdVec3 {
                x: gap.x.max(least).min(most),
                y: gap.y.max(least).min(most),
                z: gap.z.max(least).min(most),
            };
        }
        // Along axes that are free, gaps are no errors.
        let mut lever = *gap;
        for at in 0..holds {
            let raw = &self.hold[at];
            let error = raw.error + raw.axis.dot(*gap);
            let excess = error - error.max(least).min(most);
            lever.add_scaled(-(raw.is_linear * excess), raw.axis);
        }
        lever
    }

    /// Direction, error and driven velocity of a row.
    #[inline(always)]
    fn row(&self, raw: &RawRow<L>, now: &Situation<L>) -> (Direction<L>, L, L) {
        let (mut axis, mut in_a, mut in_b) = (raw.axis, raw.in_a, raw.in_b);
        if Self::IS_RADIAL {
            let length = now.gap.dot(now.gap).sqrt();
            // Anchors in one place have no line between them: the axis of the beginning of the step
            // serves.
            let inverse = length.if_positive(raw.radial / length, L::splat(0.0));
            let use_line = raw.radial * raw.radial * length;
            axis = SimdVec3 {
                x: use_line.if_positive(now.gap.x * inverse, axis.x),
                y: use_line.if_positive(now.gap.y * inverse, axis.y),
                z: use_line.if_positive(now.gap.z * inverse, axis.z),
            };
            in_a = self.side_a.rotation.rotate_back(axis);
            in_b = self.side_b.rotation.rotate_back(axis);
        }
        if Self::IS_LINEAR {
            let direction = Direction {
                linear: axis,
                arm_a: now.arm_a.cross(in_a).component_mul(self.side_a.root_inertia),
                arm_b: now.arm_b.cross(in_b).component_mul(self.side_b.root_inertia),
            };
            return (direction, raw.error + axis.dot(now.gap), axis.dot(self.driven));
        }
        let linear = raw.is_linear;
        let angular = L::splat(1.0) - linear;
        let mut arm_a = now.arm_a.cross(in_a).scaled(linear);
        arm_a.add_scaled(angular, in_a);
        let mut arm_b = now.arm_b.cross(in_b).scaled(linear);
        arm_b.add_scaled(angular, in_b);
        let direction = Direction {
            linear: axis.scaled(linear),
            arm_a: arm_a.component_mul(self.side_a.root_inertia),
            arm_b: arm_b.component_mul(self.side_b.root_inertia),
        };
        let turned = in_b.dot(now.rotation_b) - in_a.dot(now.rotation_a);
        let turned = turned + now.elapsed * axis.dot(self.driven_spin);
        let error = raw.error + linear * axis.dot(now.gap) + angular * turned;
        let driven = linear * axis.dot(self.driven) + angular * axis.dot(self.driven_spin);
        (direction, error, driven)
    }

    /// The same for a row along an axis of the world, given the rows of both rotations.
    #[inline(always)]
    fn along_world(
        &self,
        at: usize,
        now: &Situation<L>,
        axes: &[[SimdVec3<L>; 3]; 2],
    ) -> (Direction<L>, L, L) {
        let (one, nothing) = (L::splat(1.0), L::splat(0.0));
        let mut linear = [nothing; 3];
        linear[at] = one;
        let direction = Direction {
            linear: SimdVec3 { x: linear[0], y: linear[1], z: linear[2] },
            arm_a: now.arm_a.cross(axes[0][at]).component_mul(self.side_a.root_inertia),
            arm_b: now.arm_b.cross(axes[1][at]).component_mul(self.side_b.root_inertia),
        };
        let error = [now.gap.x, now.gap.y, now.gap.z][at];
        let driven = [self.driven.x, self.driven.y, self.driven.z][at];
        (direction, error, driven)
    }

    /// Rows as they are in a substep. Velocities, which the impulses so far have been applied to
    /// along the rows as they were, get them along the rows as they are; in the first substep
    /// nothing has been applied yet.
    #[inline(always)]
    pub(crate) fn refresh<const W: usize>(
        &self,
        lanes: &mut JointLanes<L, W, H, B>,
        v: &mut Velocities<L, W>,
        rows: Rows<'_>,
        sweep: &Sweep,
    ) {
        let is_first = sweep.is_first();
        let now = self.situation(lanes, rows, sweep.elapsed);
        let roots = lanes.root_a * lanes.root_a + lanes.root_b * lanes.root_b;
        let nothing = L::splat(0.0);
        let axes = if Self::IS_POINT {
            [self.side_a.rotation.rows(), self.side_b.rotation.rows()]
        } else {
            [[SimdVec3::default(); 3]; 2]
        };
        for at in 0..if Self::IS_POINT { 3 } else { lanes.holds } {
            let (mut direction, error, mut driven) = if Self::IS_POINT {
                self.along_world(at, &now, &axes)
            } else {
                self.row(&self.hold[at], &now)
            };
            // Bodies that were put elsewhere come back in a while, not at once. A joint that is
            // torn apart, by something that does not give way, has nothing to go on from: it would
            // pull harder from substep to substep.
            let is_near = L::splat(LARGEST_ERROR) - error.max(-error);
            let is_near = is_near.if_positive(L::splat(1.0), nothing);
            let mut error = error.max(L::splat(-LARGEST_ERROR)).min(L::splat(LARGEST_ERROR));
            let whole = direction.dot(&direction, roots);
            for before in 0..at {
                let other = &lanes.hold[before];
                let share = -direction.dot(&other.direction, roots);
                direction.add_scaled(share, &other.direction);
                error = error + share * other.error;
                driven = driven + share * other.driven;
            }
            // What is left of a row that the others hold already is rounding.
            let square = direction.dot(&direction, roots);
            let counts = square - whole * L::splat(1e-5);
            let inverse = counts.if_positive(L::splat(1.0) / square.sqrt(), nothing);
            let direction = direction.scaled(inverse);
            let row = &mut lanes.hold[at];
            let before = std::mem::replace(&mut row.direction, direction);
            row.error = error * inverse;
            row.driven = driven * inverse;
            let impulse = row.impulse;
            let keeps = is_near * bounded(impulse, inverse);
            row.impulse = impulse * keeps;
            lanes.apply_impulse(v, impulse, &direction.scaled(keeps).since(&before, is_first));
        }
        let inverse_h = L::splat(sweep.inverse_h);
        for at in 0..lanes.bounds {
            let (direction, error, driven) = self.row(&self.bound[at], &now);
            let square = direction.dot(&direction, roots);
            let row = &mut lanes.bound[at];
            let before = std::mem::replace(&mut row.direction, direction);
            row.driven = driven - row.target;
            row.mass = square.if_positive(L::splat(1.0) / square, nothing);
            let is_apart = error * row.is_limit;
            let closing = error * inverse_h;
            let pushed = error * row.bias_rate;
            let pushed =
                row.is_limit.if_positive(pushed.max(L::splat(-sweep.max_contact_push_speed)), pushed);
            row.bias = [
                is_apart.if_positive(closing, pushed),
                row.is_limit.if_positive(closing.max(nothing), pushed * row.is_spring),
            ];
            let full = L::splat(1.0);
            // Hooke's springs: what they yield depends on the mass they move.
            let yielding = row.yielding * row.mass;
            let mass_scale = row.mass_scale / (full + yielding);
            let impulse_scale = (row.impulse_scale + yielding) / (full + yielding);
            row.scale = [is_apart.if_positive(full, mass_scale), row.is_spring.if_positive(mass_scale, full)];
            row.relief = [is_apart.if_positive(nothing, impulse_scale), row.is_spring * impulse_scale];
            let impulse = row.impulse;
            let keeps = bounded(impulse, row.mass);
            row.impulse = impulse * keeps;
            lanes.apply_impulse(v, impulse, &direction.scaled(keeps).since(&before, is_first));
        }
    }
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> JointLanes<L, W, H, B> {
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

    /// Holds, and corrects errors.
    #[inline(always)]
    pub(crate) fn solve(&mut self, v: &mut Velocities<L, W>) {
        // Bounds first: what must hold has the last word.
        self.bound_sweep(v, 0);
        for at in 0..self.holds {
            let row = &self.hold[at];
            let velocity = self.velocity_along(v, &row.direction) + row.driven;
            let change = -(self.mass_scale * (velocity + self.bias_rate * row.error))
                - self.impulse_scale * row.impulse;
            self.apply_impulse(v, change, &row.direction);
            self.hold[at].impulse = row.impulse + change;
        }
    }

    /// Holds without correcting errors.
    #[inline(always)]
    pub(crate) fn relax(&mut self, rows: Rows<'_>) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        self.bound_sweep(&mut v, 1);
        for at in 0..self.holds {
            let row = &self.hold[at];
            let change = -(self.velocity_along(&v, &row.direction) + row.driven);
            self.apply_impulse(&mut v, change, &row.direction);
            self.hold[at].impulse = row.impulse + change;
        }
        v.store(rows, &self.a, &self.b);
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

    /// Holds once more when all substeps are over.
    #[inline(always)]
    pub(crate) fn settle(&mut self, rows: Rows<'_>) {
        // Only the change is new.
        for row in &mut self.hold[..self.holds] {
            row.total = row.total - row.impulse;
        }
        for row in &mut self.bound[..self.bounds] {
            row.total = row.total - row.impulse;
        }
        self.relax(rows);
        self.sum_up();
    }

    #[inline(always)]
    fn bound_sweep(&mut self, v: &mut Velocities<L, W>, kind: usize) {
        for at in 0..self.bounds {
            let row = &self.bound[at];
            let velocity = self.velocity_along(v, &row.direction) + row.driven;
            let wanted = row.impulse
                - row.mass * row.scale[kind] * (velocity + row.bias[kind])
                - row.relief[kind] * row.impulse;
            let impulse = wanted.max(row.low).min(row.high);
            let change = impulse - row.impulse;
            self.apply_impulse(v, change, &row.direction);
            self.bound[at].impulse = impulse;
        }
    }
}
