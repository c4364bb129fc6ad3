//! Contacts in lanes: what a sweep reads and writes, and the sweeps.
//!
//! A [`ContactLanes`] holds `W` contacts of one color (no two of them share a body that can move)
//! with `P` points each. SolverLanes without a contact have both bodies fixed and all numbers zero:
//! they compute nothing and harm nobody. All Jacobians are scaled as the rows are
//! ([`super::rows`]).
//!
//! The order of a substep is that of the soft-step family (E. Catto, *Solver2D*): warm start, which
//! is a sweep in the first substep only ([`super::solver_bodies`]), one sweep that pushes overlaps
//! apart softly, motion, one sweep without pushing ("relax"). Friction, at one point in the middle
//! of the contact with a twist about the normal ([`super::limit_surface`]), is solved in the
//! relaxing sweep only, so that it never works against velocities of the push. Contact points stay
//! where they were at the beginning
//! of the step; separations follow the bodies by first-order displacements, which is exact for
//! points that roll.

use carom_core::simd::SimdVec3;

use super::bounce::BounceLanes;
use super::lanes::SolverLanes;
use super::limit_surface;
use super::rolling::RollingLanes;
use super::rows::{Half, Rows};
use super::velocities::Velocities;

/// One point of `W` contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointLanes<L> {
    /// Angular Jacobian of the first body.
    pub(crate) arm_a: SimdVec3<L>,
    /// Angular Jacobian of the second body.
    pub(crate) arm_b: SimdVec3<L>,
    /// Separation at the beginning of the step.
    pub(crate) separation: L,
    /// Impulse per velocity; 0 where there is no point.
    pub(crate) mass: L,
    /// Speed of approach that the gap allows in this substep.
    pub(crate) allowed: L,
    /// Impulse along the normal.
    pub(crate) impulse: L,
}

/// Velocities that kinematic bodies and moving surfaces bring to `W` contacts: kept apart, since
/// hardly any contact has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrivenLanes<L, const P: usize> {
    /// Along the normal, per point.
    pub(crate) points: [L; P],
    /// Along the tangents.
    pub(crate) tangents: [L; 2],
    /// About the normal.
    pub(crate) twist: L,
}

impl<L: SolverLanes, const P: usize> Default for DrivenLanes<L, P> {
    fn default() -> Self {
        Self { points: [L::default(); P], tangents: [L::default(); 2], twist: L::default() }
    }
}

/// What comes with some contacts only.
pub(crate) struct Extras<'a, L, const P: usize> {
    /// Velocities of kinematic bodies.
    pub(crate) driven: Option<&'a DrivenLanes<L, P>>,
    /// What a bounce needs to know.
    pub(crate) bounce: Option<&'a mut BounceLanes<L, P>>,
    /// Rolling resistance.
    pub(crate) rolling: Option<&'a mut RollingLanes<L>>,
}

/// Friction at the centre of `W` contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrictionLanes<L> {
    /// First tangent; the second is normal × tangent.
    pub(crate) tangent: SimdVec3<L>,
    /// Angular Jacobians of both tangents for the first body.
    pub(crate) arms_a: [SimdVec3<L>; 2],
    /// Angular Jacobians of both tangents for the second body.
    pub(crate) arms_b: [SimdVec3<L>; 2],
    /// Inverse of the 2 × 2 matrix of the tangents: xx, xy, yy.
    pub(crate) mass: [L; 3],
    /// Impulses along the tangents.
    pub(crate) impulse: [L; 2],
    /// Jacobian of the twist for the first body: speeds at the end of the lever.
    pub(crate) twist_a: SimdVec3<L>,
    /// Jacobian of the twist for the second body.
    pub(crate) twist_b: SimdVec3<L>,
    /// Impulse per speed of the twist.
    pub(crate) twist_mass: L,
    /// Impulse of the twist, at the end of the lever.
    pub(crate) twist_impulse: L,
    /// Lever of the twist: mean distance from the centre at which the contact rubs.
    pub(crate) lever: L,
    /// Coulomb's coefficient.
    pub(crate) coefficient: L,
    /// Impulses of all substeps so far: along the normal, of all points together, and along the
    /// tangents.
    pub(crate) total: [L; 3],
}

/// `W` contacts of `P` points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactLanes<L, const W: usize, const P: usize> {
    /// Rows of the first bodies.
    pub(crate) a: [u32; W],
    /// Rows of the second bodies.
    pub(crate) b: [u32; W],
    /// Numbers of the contacts; [`NO_CONTACT`] in empty lanes.
    pub(crate) contact: [u32; W],
    /// Unit normals from first to second.
    pub(crate) normal: SimdVec3<L>,
    /// 1/√m of the first bodies.
    pub(crate) root_a: L,
    /// 1/√m of the second bodies.
    pub(crate) root_b: L,
    /// Speed of correction per overlap.
    pub(crate) bias_rate: L,
    /// Share of the full impulse that is applied.
    pub(crate) mass_scale: L,
    /// Share of the impulse so far that is taken back.
    pub(crate) impulse_scale: L,
    /// The points.
    pub(crate) points: [PointLanes<L>; P],
    /// Friction.
    pub(crate) friction: FrictionLanes<L>,
}

/// No impulse of a substep changes a speed by more than this, m/s: between things that do not give
/// way, impulses grow as long as they are let, and take all that touches with them.
pub(crate) const FASTEST_CHANGE: f32 = 1e4;

/// Bits of a mask that holds in all of 32 lanes.
const ALL_LANES: u32 = u32::MAX;

/// Stands in lanes without a contact.
pub(crate) const NO_CONTACT: u32 = u32::MAX;

impl<L: SolverLanes, const W: usize, const P: usize> Default for ContactLanes<L, W, P> {
    fn default() -> Self {
        Self {
            a: [0; W],
            b: [0; W],
            contact: [NO_CONTACT; W],
            normal: SimdVec3::default(),
            root_a: L::default(),
            root_b: L::default(),
            bias_rate: L::default(),
            mass_scale: L::default(),
            impulse_scale: L::default(),
            points: [PointLanes::default(); P],
            friction: FrictionLanes::default(),
        }
    }
}

/// What all sweeps of a substep share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// 1 / length of the substep.
    pub(crate) inverse_h: f32,
    /// Time since the beginning of the step.
    pub(crate) elapsed: f32,
    /// Fastest push out of an overlap.
    pub(crate) max_contact_push_speed: f32,
}

impl Sweep {
    /// Is the substep the first of its step?
    #[inline(always)]
    pub(crate) fn is_first(&self) -> bool {
        self.elapsed == 0.0
    }
}

impl<L: SolverLanes, const W: usize, const P: usize> ContactLanes<L, W, P> {
    /// Applies the impulses of the last step.
    #[inline(always)]
    pub(crate) fn warm_start(&self, rows: Rows<'_>, rolling: Option<&RollingLanes<L>>) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let mut total = L::splat(0.0);
        for point in &self.points {
            total = total + point.impulse;
            v.turn(point.impulse, &point.arm_a, &point.arm_b);
        }
        let friction = &self.friction;
        let [first, second] = friction.impulse;
        let bitangent = self.normal.cross(friction.tangent);
        let mut push = SimdVec3::default();
        push.add_scaled(total, self.normal);
        push.add_scaled(first, friction.tangent);
        push.add_scaled(second, bitangent);
        v.linear_a.add_scaled(-self.root_a, push);
        v.linear_b.add_scaled(self.root_b, push);
        v.turn(first, &friction.arms_a[0], &friction.arms_b[0]);
        v.turn(second, &friction.arms_a[1], &friction.arms_b[1]);
        v.turn(friction.twist_impulse, &friction.twist_a, &friction.twist_b);
        if let Some(rolling) = rolling {
            rolling.warm_start(&mut v);
        }
        v.store(rows, &self.a, &self.b);
    }

    /// Stops approach, and pushes apart what overlaps.
    #[inline(always)]
    pub(crate) fn solve_normal(&mut self, rows: Rows<'_>, sweep: &Sweep, driven: Option<&DrivenLanes<L, P>>) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let [moved_a, turned_a] = L::gather(rows, &self.a, Half::Displacement);
        let [moved_b, turned_b] = L::gather(rows, &self.b, Half::Displacement);
        let moved = self.normal.dot(moved_b) * self.root_b - self.normal.dot(moved_a) * self.root_a;
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach =
            self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let mut total = L::splat(0.0);
        let (inverse_h, elapsed) = (L::splat(sweep.inverse_h), L::splat(sweep.elapsed));
        for (k, point) in self.points.iter_mut().enumerate() {
            let turned = point.arm_b.dot(turned_b) - point.arm_a.dot(turned_a);
            let mut separation = point.separation + moved + turned;
            let mut velocity = approach + v.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = driven {
                separation = separation + driven.points[k] * elapsed;
                velocity = velocity + driven.points[k];
            }
            // Apart: may come together within the substep, no further. Overlapping: as soft as the
            // contact is.
            let push = (separation * self.bias_rate).max(L::splat(-sweep.max_contact_push_speed));
            let closing = separation * inverse_h;
            let bias = separation.if_positive(closing, push);
            point.allowed = closing.max(L::splat(0.0));
            // What is not pressed yet is stopped at once.
            let scale = point.impulse.if_positive(self.mass_scale, L::splat(1.0));
            let scale = separation.if_positive(L::splat(1.0), scale);
            let relief = separation.if_positive(L::splat(0.0), self.impulse_scale);
            let wanted = point.impulse - point.mass * scale * (velocity + bias) - relief * point.impulse;
            let impulse = wanted.max(L::splat(0.0)).min(point.mass * L::splat(FASTEST_CHANGE));
            let change = impulse - point.impulse;
            point.impulse = impulse;
            total = total + change;
            approach = approach + change * roots;
            v.turn(change, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), self.normal);
        v.linear_b.add_scaled(total * self.root_b, self.normal);
        v.store(rows, &self.a, &self.b);
    }

    /// Stops approach without pushing, then rubs. What the gap allowed in the push is allowed here:
    /// to look at the gap again would take the places of both bodies, and the next substep looks
    /// anyway.
    #[inline(always)]
    pub(crate) fn relax(&mut self, rows: Rows<'_>, extras: Extras<'_, L, P>) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach =
            self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let mut total = L::splat(0.0);
        let mut pressure = L::splat(0.0);
        for (k, point) in self.points.iter_mut().enumerate() {
            let mut velocity = approach + v.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = extras.driven {
                velocity = velocity + driven.points[k];
            }
            let wanted = point.impulse - point.mass * (velocity + point.allowed);
            let impulse = wanted.max(L::splat(0.0)).min(point.mass * L::splat(FASTEST_CHANGE));
            let change = impulse - point.impulse;
            point.impulse = impulse;
            total = total + change;
            approach = approach + change * roots;
            v.turn(change, &point.arm_a, &point.arm_b);
            pressure = pressure + impulse;
        }
        if let Some(bounce) = extras.bounce {
            bounce.sum_up(&self.points);
        }
        v.linear_a.add_scaled(-(total * self.root_a), self.normal);
        v.linear_b.add_scaled(total * self.root_b, self.normal);
        if let Some(rolling) = extras.rolling {
            rolling.solve(&mut v, pressure);
        }
        self.solve_friction(&mut v, pressure, extras.driven);
        v.store(rows, &self.a, &self.b);
    }

    /// Friction along both tangents and about the normal together, within their limit surface.
    #[inline(always)]
    fn solve_friction(&mut self, v: &mut Velocities<L, W>, pressure: L, driven: Option<&DrivenLanes<L, P>>) {
        let friction = &mut self.friction;
        let bitangent = self.normal.cross(friction.tangent);
        let along_x =
            friction.tangent.dot(v.linear_b) * self.root_b - friction.tangent.dot(v.linear_a) * self.root_a;
        let along_y = bitangent.dot(v.linear_b) * self.root_b - bitangent.dot(v.linear_a) * self.root_a;
        let mut slip_x = along_x + v.turning(&friction.arms_a[0], &friction.arms_b[0]);
        let mut slip_y = along_y + v.turning(&friction.arms_a[1], &friction.arms_b[1]);
        if let Some(driven) = driven {
            slip_x = slip_x + driven.tangents[0];
            slip_y = slip_y + driven.tangents[1];
        }
        let [xx, xy, yy] = friction.mass;
        let wanted_x = friction.impulse[0] - (xx * slip_x + xy * slip_y);
        let wanted_y = friction.impulse[1] - (xy * slip_x + yy * slip_y);
        let limit = friction.coefficient * pressure;
        let (impulse_x, impulse_y, impulse_twist) = if P > 1 {
            let mut slip_twist = v.turning(&friction.twist_a, &friction.twist_b);
            if let Some(driven) = driven {
                slip_twist = slip_twist + driven.twist * friction.lever;
            }
            let before = [friction.impulse[0], friction.impulse[1], friction.twist_impulse];
            let wanted = [wanted_x, wanted_y, before[2] - friction.twist_mass * slip_twist];
            // What slides is rubbed against its motion, whatever its masses.
            let sticks = limit_surface::holds(wanted, limit);
            let mut impulse = wanted;
            if L::bits(sticks) != ALL_LANES >> (32 - W) {
                let least = xx.min(yy);
                let mass = friction.twist_mass.if_positive(friction.twist_mass.min(least), least);
                let slip = [slip_x, slip_y, slip_twist];
                // Written out, here and below: `array::map` stays a call, see `Kernel::run`.
                let mut against = before;
                for k in 0..3 {
                    against[k] = before[k] - mass * slip[k];
                }
                let slides = limit_surface::at(against, wanted, limit);
                for k in 0..3 {
                    impulse[k] = L::select(sticks, wanted[k], slides[k]);
                }
            }
            (impulse[0], impulse[1], impulse[2])
        } else {
            let length = (wanted_x * wanted_x + wanted_y * wanted_y).sqrt();
            let share = (limit / length.max(L::splat(1e-30))).min(L::splat(1.0));
            (wanted_x * share, wanted_y * share, L::splat(0.0))
        };
        let (change_x, change_y) = (impulse_x - friction.impulse[0], impulse_y - friction.impulse[1]);
        friction.impulse = [impulse_x, impulse_y];
        let total = &mut friction.total;
        *total = [total[0] + pressure, total[1] + impulse_x, total[2] + impulse_y];
        let mut push = SimdVec3::default();
        push.add_scaled(change_x, friction.tangent);
        push.add_scaled(change_y, bitangent);
        v.linear_a.add_scaled(-self.root_a, push);
        v.linear_b.add_scaled(self.root_b, push);
        v.turn(change_x, &friction.arms_a[0], &friction.arms_b[0]);
        v.turn(change_y, &friction.arms_a[1], &friction.arms_b[1]);
        if P > 1 {
            let change = impulse_twist - friction.twist_impulse;
            friction.twist_impulse = impulse_twist;
            v.turn(change, &friction.twist_a, &friction.twist_b);
        }
    }
}
