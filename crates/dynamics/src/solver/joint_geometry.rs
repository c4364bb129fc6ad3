//! Rows of joints as they are in a substep: where the bodies have moved the anchors and axes to.
//!
//! Angular Jacobians are along the axes of the rows of the bodies ([`super::rows`]): the principal
//! axes of the beginning of the step, or those of the substep for bodies with a frame that follows
//! them ([`super::solver_bodies::BodyFrame`]).

use carom_core::simd::{SimdQuat, SimdVec3};

use super::contact::{FASTEST_CHANGE, Sweep};
use super::joint::{Direction, JointLanes};
use super::joint_swing::{Swing, SwingFrames, turned};
use super::lanes::SolverLanes;
use super::rows::{Half, Rows};

/// Errors beyond this are corrected no faster than this, metres or radians: to correct
/// contradictory ones at once would make bodies faster than numbers can tell.
const LARGEST_ERROR: f32 = 0.25;
/// Share of what the bodies could turn that is rounding in a row: some units in the last place,
/// squared.
const NOISE: f32 = 1e-11;

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
    /// For limits of cones −1, else 0.
    pub(crate) swing: L,
    /// For limits of twists: 1 if the row grows with the twist, −1 if it shrinks; else 0.
    pub(crate) twist: L,
    /// The angle of those at the beginning of the step.
    start: L,
    /// Is it a limit in any lane?
    pub(crate) is_limit: bool,
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

/// The inverse of a symmetric positive matrix, row by row. What is left of a row that the rows
/// before it hold already is rounding: such rows are left out.
#[inline(always)]
fn inverse_of<L: SolverLanes>(diagonal: &[L; 3], xy: L, xz: L, yz: L) -> [SimdVec3<L>; 3] {
    let (nothing, one, rounding) = (L::splat(0.0), L::splat(1.0), L::splat(1e-5));
    let [xx, yy, zz] = *diagonal;
    // L · D · Lᵀ, then the inverse of each.
    let first = xx.if_positive(one / xx, nothing);
    let (low_y, low_z) = (xy * first, xz * first);
    let square = yy - low_y * xy;
    let second = (square - yy * rounding).if_positive(one / square, nothing);
    let rest = yz - low_z * xy;
    let low = rest * second;
    let square = zz - low_z * xz - low * rest;
    let third = (square - zz * rounding).if_positive(one / square, nothing);
    let up = low_y * low - low_z;
    let (out_xz, out_yz) = (up * third, -(low * third));
    let out_xy = up * out_yz - low_y * second;
    [
        SimdVec3 { x: first + low_y * low_y * second + up * out_xz, y: out_xy, z: out_xz },
        SimdVec3 { x: out_xy, y: second - low * out_yz, z: out_yz },
        SimdVec3 { x: out_xz, y: out_yz, z: third },
    ]
}

/// The first vector where `by` is positive, else the second.
#[inline(always)]
fn select<L: SolverLanes>(by: L, yes: &SimdVec3<L>, no: &SimdVec3<L>) -> SimdVec3<L> {
    SimdVec3 {
        x: by.if_positive(yes.x, no.x),
        y: by.if_positive(yes.y, no.y),
        z: by.if_positive(yes.z, no.z),
    }
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
    /// Is there a limit of a cone or twist?
    pub(crate) swings: bool,
    pub(crate) frames: SwingFrames<L>,
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
            swings: false,
            frames: SwingFrames::default(),
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
    /// If there are limits of it.
    swing: Swing<L>,
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
    pub(crate) const IS_LINEAR: bool = Self::IS_RADIAL || Self::IS_POINT;

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
        if self.swings {
            let still = SimdVec3::default();
            let swing = self.frames.swing(&still, &still);
            for at in 0..lanes.bounds {
                let row = &mut self.bound[at];
                row.start = (-row.swing).if_positive(swing.angle, swing.twist);
            }
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
        let swing = if self.swings { self.frames.swing(&rotation_a, &rotation_b) } else { Swing::default() };
        Situation { gap, arm_a, arm_b, rotation_a, rotation_b, elapsed, follows: lanes.follows, swing }
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

    /// The same for a row that bounds, which may be the limit of a cone or twist.
    #[inline(always)]
    fn bounding_row(&self, raw: &RawRow<L>, now: &Situation<L>) -> (Direction<L>, L, L) {
        let (direction, error, driven) = self.row(raw, now);
        if !self.swings {
            return (direction, error, driven);
        }
        let swing = &now.swing;
        let mut in_a = swing.axis.scaled(raw.swing);
        in_a.add_scaled(raw.twist, swing.twist_axis);
        let axis = self.side_a.rotation.rotate(in_a);
        let in_b = self.side_b.rotation.rotate_back(axis);
        let followed = self.direction(SimdVec3::default(), in_a, in_b, now);
        let grown = raw.swing * (swing.angle - raw.start) + raw.twist * turned(swing.twist, raw.start);
        let spun = axis.dot(self.driven_spin);
        let is_swing = raw.swing * raw.swing + raw.twist * raw.twist;
        (
            Direction {
                linear: select(is_swing, &followed.linear, &direction.linear),
                arm_a: select(is_swing, &followed.arm_a, &direction.arm_a),
                arm_b: select(is_swing, &followed.arm_b, &direction.arm_b),
            },
            is_swing.if_positive(raw.error + grown + now.elapsed * spun, error),
            is_swing.if_positive(spun, driven),
        )
    }

    /// Makes the rows of joints that hold a point, along the axes of the world, and the inverse of
    /// their effective mass matrix.
    #[inline(always)]
    fn refresh_point<const W: usize>(
        &self,
        lanes: &mut JointLanes<L, W, H, B>,
        now: &Situation<L>,
        is_first: bool,
    ) {
        let axes = [self.side_a.rotation.rows(), self.side_b.rotation.rows()];
        let (nothing, one) = (L::splat(0.0), L::splat(1.0));
        let (mut arms_a, mut arms_b) = ([SimdVec3::default(); 3], [SimdVec3::default(); 3]);
        for at in 0..3 {
            let (arm_a, arm_b) = (now.arm_a.cross(axes[0][at]), now.arm_b.cross(axes[1][at]));
            arms_a[at] = self.side_a.jacobian(arm_a, &now.rotation_a, now.follows);
            arms_b[at] = self.side_b.jacobian(arm_b, &now.rotation_b, now.follows);
        }
        let roots = lanes.root_a * lanes.root_a + lanes.root_b * lanes.root_b;
        let diagonal = [
            roots + arms_a[0].dot(arms_a[0]) + arms_b[0].dot(arms_b[0]),
            roots + arms_a[1].dot(arms_a[1]) + arms_b[1].dot(arms_b[1]),
            roots + arms_a[2].dot(arms_a[2]) + arms_b[2].dot(arms_b[2]),
        ];
        let xy = arms_a[0].dot(arms_a[1]) + arms_b[0].dot(arms_b[1]);
        let xz = arms_a[0].dot(arms_a[2]) + arms_b[0].dot(arms_b[2]);
        let yz = arms_a[1].dot(arms_a[2]) + arms_b[1].dot(arms_b[2]);
        let inverse = inverse_of(&diagonal, xy, xz, yz);
        let gap = [now.gap.x, now.gap.y, now.gap.z];
        let driven = [self.driven.x, self.driven.y, self.driven.z];
        let (mut farthest, mut fastest) = (nothing, nothing);
        for at in 0..3 {
            farthest = farthest.max(gap[at].abs());
            fastest = fastest.max(lanes.hold[at].impulse.abs() * diagonal[at]);
        }
        // A joint that is torn apart, by something that does not give way, has nothing to go on
        // from: it would pull harder from substep to substep.
        let most = L::splat(FASTEST_CHANGE);
        let keeps = (fastest - most).if_positive(most / fastest.max(L::splat(1e-30)), one);
        let keeps = (L::splat(LARGEST_ERROR) - farthest).if_positive(keeps, nothing);
        let mut carried = Direction::default();
        let (mut push, mut pushed) = ([nothing; 3], [nothing; 3]);
        for at in 0..3 {
            let row = &mut lanes.hold[at];
            let impulse = row.impulse;
            row.impulse = impulse * keeps;
            row.total = row.total + (impulse - row.impulse);
            push[at] = row.impulse;
            carried.arm_a.add_scaled(row.impulse, arms_a[at]);
            carried.arm_b.add_scaled(row.impulse, arms_b[at]);
            if !is_first {
                pushed[at] = impulse;
                carried.arm_a.add_scaled(-impulse, row.direction.arm_a);
                carried.arm_b.add_scaled(-impulse, row.direction.arm_b);
            }
            row.direction = Direction { linear: inverse[at], arm_a: arms_a[at], arm_b: arms_b[at] };
            // Bodies that were put elsewhere come back in a while, not at once.
            row.error = gap[at].max(L::splat(-LARGEST_ERROR)).min(L::splat(LARGEST_ERROR));
            row.driven = driven[at];
        }
        carried.linear = SimdVec3 { x: push[0] - pushed[0], y: push[1] - pushed[1], z: push[2] - pushed[2] };
        lanes.carried = carried;
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
        if Self::IS_POINT {
            self.refresh_point(lanes, &now, is_first);
            return;
        }
        let roots = lanes.root_a * lanes.root_a + lanes.root_b * lanes.root_b;
        let nothing = L::splat(0.0);
        let (mut gap, mut angle) = (nothing, nothing);
        // Rows about axes that both bodies are locked about are noise: roundings of the others.
        let inertias = [&self.side_a.root_inertia, &self.side_b.root_inertia];
        let noise = (inertias[0].dot(*inertias[0]) + inertias[1].dot(*inertias[1])) * L::splat(NOISE);
        for at in 0..lanes.holds {
            let (mut direction, error, mut driven) = self.row(&self.hold[at], &now);
            gap = gap.max(error.abs() * self.hold[at].is_linear);
            angle = angle.max(error.abs() * (L::splat(1.0) - self.hold[at].is_linear));
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
            let counts = square - (whole * L::splat(1e-5)).max(noise);
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
            let (mut direction, mut error, mut driven) = self.bounding_row(&self.bound[at], &now);
            let whole = direction.dot(&direction, roots);
            if self.bound[at].is_limit {
                let is_turn = L::splat(1.0) - self.bound[at].is_linear;
                angle = angle.max(-(error * is_turn * lanes.bound[at].is_limit));
                // Limits push along what the rows that hold leave free, and with the mass that
                // moves there: a limb turns about its joint and not about its centre.
                for other in &lanes.hold[..lanes.holds] {
                    let share = -direction.dot(&other.direction, roots) * lanes.bound[at].is_limit;
                    direction.add_scaled(share, &other.direction);
                    error = error + share * other.error;
                    driven = driven + share * other.driven;
                }
            }
            let square = direction.dot(&direction, roots);
            let counts = square - (whole * L::splat(1e-5)).max(noise);
            let row = &mut lanes.bound[at];
            let before = std::mem::replace(&mut row.direction, direction);
            row.driven = driven - row.target;
            row.mass = counts.if_positive(L::splat(1.0) / square, nothing);
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
        (lanes.gap, lanes.angle) = (gap, angle);
        lanes.carried = carried;
    }
}
