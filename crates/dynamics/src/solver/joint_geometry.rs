//! Rows of joints as they are in a substep: where the bodies have moved the anchors and axes to.
//!
//! Angular Jacobians are along the axes of the rows of the bodies ([`super::rows`]): the principal
//! axes of the beginning of the step, or those of the substep for bodies with a frame that follows
//! them ([`super::solver_bodies::BodyFrame`]).

use carom_core::simd::{SimdQuat, SimdVec3};

use super::contact::{FASTEST_CHANGE, Sweep};
use super::joint::{Direction, JointLanes};
use super::lanes::SolverLanes;
use super::rows::{Half, Rows};

/// Errors beyond this are corrected no faster than this, metres or radians: to correct
/// contradictory ones at once would make bodies faster than numbers can tell.
const LARGEST_ERROR: f32 = 0.25;

/// Errors add no more than this to the lever of an impulse, metres along each row: levers that grow
/// with what they cause would be without end.
const LARGEST_LEVER: f32 = 1.0;

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

/// One body's part of a joint as it comes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointSide<L> {
    pub(crate) rotation: SimdQuat<L>,
    /// 1/√I.
    pub(crate) root_inertia: SimdVec3<L>,
    /// The anchor in the frame of the body.
    pub(crate) anchor: SimdVec3<L>,
    /// 1 if the row of the body is along its principal axes as they are in the substep, 0 if it is
    /// along those of the beginning of the step.
    pub(crate) follows: L,
}

/// A vector after a turn: to the eighth power of the angle, within 1 % for half a turn.
#[inline(always)]
fn rotated<L: SolverLanes>(v: &SimdVec3<L>, by: &SimdVec3<L>) -> SimdVec3<L> {
    let square = by.dot(*by);
    let first = by.cross(*v);
    let second = by.cross(first);
    let mut out = *v;
    let sine = L::splat(1.0 / 120.0) - square * L::splat(1.0 / 5040.0);
    let sine = L::splat(1.0) - square * (L::splat(1.0 / 6.0) - square * sine);
    let cosine = L::splat(1.0 / 720.0) - square * L::splat(1.0 / 40320.0);
    let cosine = L::splat(0.5) - square * (L::splat(1.0 / 24.0) - square * cosine);
    out.add_scaled(sine, first);
    out.add_scaled(cosine, second);
    out
}

/// What is left of an impulse that would change a speed by more than [`FASTEST_CHANGE`]; `mass` is
/// the impulse per velocity.
#[inline(always)]
fn bounded<L: SolverLanes>(impulse: L, mass: L) -> L {
    let (most, size) = (mass * L::splat(FASTEST_CHANGE), impulse.max(-impulse));
    (size - most).if_positive(most / size.max(L::splat(1e-30)), L::splat(1.0))
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
    /// Does the frame of any body follow it?
    follows: bool,
}

impl<L: SolverLanes> JointSide<L> {
    /// An angular Jacobian, given along the axes of the beginning of the step, for the row of the
    /// body, which has turned since.
    #[inline(always)]
    fn jacobian(&self, arm: SimdVec3<L>, rotation: &SimdVec3<L>, follows: bool) -> SimdVec3<L> {
        let arm = if follows { rotated(&arm, &rotation.scaled(-self.follows)) } else { arm };
        arm.component_mul(self.root_inertia)
    }
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
        Situation { gap, arm_a, arm_b, rotation_a, rotation_b, elapsed, follows: lanes.follows }
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

    /// A direction of angular Jacobians along the axes of the beginning of the step.
    #[inline(always)]
    fn direction(
        &self,
        linear: SimdVec3<L>,
        arm_a: SimdVec3<L>,
        arm_b: SimdVec3<L>,
        now: &Situation<L>,
    ) -> Direction<L> {
        Direction {
            linear,
            arm_a: self.side_a.jacobian(arm_a, &now.rotation_a, now.follows),
            arm_b: self.side_b.jacobian(arm_b, &now.rotation_b, now.follows),
        }
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
            let direction = self.direction(axis, now.arm_a.cross(in_a), now.arm_b.cross(in_b), now);
            return (direction, raw.error + axis.dot(now.gap), axis.dot(self.driven));
        }
        let linear = raw.is_linear;
        let angular = L::splat(1.0) - linear;
        let mut arm_a = now.arm_a.cross(in_a).scaled(linear);
        arm_a.add_scaled(angular, in_a);
        let mut arm_b = now.arm_b.cross(in_b).scaled(linear);
        arm_b.add_scaled(angular, in_b);
        let direction = self.direction(axis.scaled(linear), arm_a, arm_b, now);
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
        let linear = SimdVec3 { x: linear[0], y: linear[1], z: linear[2] };
        let (arm_a, arm_b) = (now.arm_a.cross(axes[0][at]), now.arm_b.cross(axes[1][at]));
        let direction = self.direction(linear, arm_a, arm_b, now);
        let error = [now.gap.x, now.gap.y, now.gap.z][at];
        let driven = [self.driven.x, self.driven.y, self.driven.z][at];
        (direction, error, driven)
    }

    /// Makes the rows as they are now. Impulses so far have been applied along the rows as they
    /// were, in the first substep not at all: the difference is left in `carried`.
    #[inline(always)]
    pub(crate) fn refresh<const W: usize>(
        &self,
        lanes: &mut JointLanes<L, W, H, B>,
        rows: Rows<'_>,
        sweep: &Sweep,
    ) {
        let is_first = sweep.is_first();
        let mut carried = Direction::default();
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
            row.total = row.total + (impulse - row.impulse);
            carried.carry(impulse, keeps, &direction, if is_first { None } else { Some(&before) });
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
            row.total = row.total + (impulse - row.impulse);
            carried.carry(impulse, keeps, &direction, if is_first { None } else { Some(&before) });
        }
        lanes.carried = carried;
    }
}
