//! Contacts in lanes: what a sweep reads and writes, and the sweeps.
//!
//! A [`ContactLanes`] holds `W` contacts of one colour (no two of them share a body that can move) with `P` points each.
//! Lanes without a contact have both bodies fixed and all numbers zero: they compute nothing and harm nobody. All Jacobians
//! are scaled as the rows are ([`super::rows`]).
//!
//! The order of a substep is that of the soft-step family (E. Catto, *Solver2D*): warm start, one sweep that pushes overlaps
//! apart softly, motion, one sweep without pushing ("relax"). Friction, at one point in the middle of the contact with a twist
//! about the normal, is solved in the relaxing sweep only, so that it never works against velocities of the push. Contact
//! points stay where they were at the beginning of the step; separations follow the bodies by first-order displacements, which is
//! exact for points that roll.

use super::lanes::{Lanes, Vec3Lanes};
use super::rows::{BodyRow, gather, scatter};

/// One point of `W` contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointLanes<const W: usize> {
    /// Angular Jacobian of the first body.
    pub(crate) arm_a: Vec3Lanes<W>,
    /// Angular Jacobian of the second body.
    pub(crate) arm_b: Vec3Lanes<W>,
    /// Separation at the beginning of the step.
    pub(crate) separation: Lanes<W>,
    /// Impulse per velocity; 0 where there is no point.
    pub(crate) mass: Lanes<W>,
    /// Velocity along the normal that kinematic bodies bring.
    pub(crate) driven: Lanes<W>,
    /// Speed of approach that the gap allows in this substep.
    pub(crate) allowed: Lanes<W>,
    /// Impulse along the normal.
    pub(crate) impulse: Lanes<W>,
    /// Impulse of the whole step: the sum over its substeps.
    pub(crate) total: Lanes<W>,
    /// What the impulse of the step before would come to: support rather than impact.
    pub(crate) carried: Lanes<W>,
    /// Distance from the centre of friction.
    pub(crate) lever: Lanes<W>,
}

/// Friction at the centre of `W` contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrictionLanes<const W: usize> {
    /// First tangent; the second is normal × tangent.
    pub(crate) tangent: Vec3Lanes<W>,
    /// Angular Jacobians of both tangents for the first body.
    pub(crate) arms_a: [Vec3Lanes<W>; 2],
    /// Angular Jacobians of both tangents for the second body.
    pub(crate) arms_b: [Vec3Lanes<W>; 2],
    /// Inverse of the 2 × 2 matrix of the tangents: xx, xy, yy.
    pub(crate) mass: [Lanes<W>; 3],
    /// Velocity along the tangents that kinematic bodies bring.
    pub(crate) driven: [Lanes<W>; 2],
    /// Impulses along the tangents.
    pub(crate) impulse: [Lanes<W>; 2],
    /// Jacobian of the twist for the first body.
    pub(crate) twist_a: Vec3Lanes<W>,
    /// Jacobian of the twist for the second body.
    pub(crate) twist_b: Vec3Lanes<W>,
    /// Twist that kinematic bodies bring.
    pub(crate) twist_driven: Lanes<W>,
    /// Impulse per twist.
    pub(crate) twist_mass: Lanes<W>,
    /// Impulse of the twist.
    pub(crate) twist_impulse: Lanes<W>,
    /// Coulomb's coefficient.
    pub(crate) coefficient: Lanes<W>,
}

/// How often the points of one contact are visited in turn to find the impulses of their common bounce.
const ROUNDS_OF_BOUNCE: usize = 12;

/// `W` contacts of `P` points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactLanes<const W: usize, const P: usize> {
    /// Rows of the first bodies.
    pub(crate) a: [u32; W],
    /// Rows of the second bodies.
    pub(crate) b: [u32; W],
    /// Numbers of the contacts; [`NO_CONTACT`] in empty lanes.
    pub(crate) contact: [u32; W],
    /// Unit normals from first to second.
    pub(crate) normal: Vec3Lanes<W>,
    /// 1/√m of the first bodies.
    pub(crate) root_a: Lanes<W>,
    /// 1/√m of the second bodies.
    pub(crate) root_b: Lanes<W>,
    /// Speed of correction per overlap.
    pub(crate) bias_rate: Lanes<W>,
    /// Share of the full impulse that is applied.
    pub(crate) mass_scale: Lanes<W>,
    /// Share of the impulse so far that is taken back.
    pub(crate) impulse_scale: Lanes<W>,
    /// Share of the approaching speed given back.
    pub(crate) restitution: Lanes<W>,
    /// The points.
    pub(crate) points: [PointLanes<W>; P],
    /// Friction.
    pub(crate) friction: FrictionLanes<W>,
}

/// Stands in lanes without a contact.
pub(crate) const NO_CONTACT: u32 = u32::MAX;

impl<const W: usize, const P: usize> Default for ContactLanes<W, P> {
    fn default() -> Self {
        Self {
            a: [0; W],
            b: [0; W],
            contact: [NO_CONTACT; W],
            normal: Vec3Lanes::default(),
            root_a: Lanes::default(),
            root_b: Lanes::default(),
            bias_rate: Lanes::default(),
            mass_scale: Lanes::default(),
            impulse_scale: Lanes::default(),
            restitution: Lanes::default(),
            points: [PointLanes::default(); P],
            friction: FrictionLanes::default(),
        }
    }
}

/// Velocities of both bodies of `W` contacts.
struct Velocities<const W: usize> {
    linear_a: Vec3Lanes<W>,
    angular_a: Vec3Lanes<W>,
    linear_b: Vec3Lanes<W>,
    angular_b: Vec3Lanes<W>,
}

impl<const W: usize> Velocities<W> {
    #[inline(always)]
    fn load(rows: &[BodyRow], a: &[u32; W], b: &[u32; W]) -> Self {
        Self {
            linear_a: gather(rows, a, |row| &row.linear),
            angular_a: gather(rows, a, |row| &row.angular),
            linear_b: gather(rows, b, |row| &row.linear),
            angular_b: gather(rows, b, |row| &row.angular),
        }
    }

    #[inline(always)]
    fn store(&self, rows: &mut [BodyRow], a: &[u32; W], b: &[u32; W]) {
        scatter(rows, a, &self.linear_a, |row| &mut row.linear);
        scatter(rows, a, &self.angular_a, |row| &mut row.angular);
        scatter(rows, b, &self.linear_b, |row| &mut row.linear);
        scatter(rows, b, &self.angular_b, |row| &mut row.angular);
    }

    /// Adds an impulse along an angular Jacobian.
    #[inline(always)]
    fn turn(&mut self, impulse: Lanes<W>, arm_a: &Vec3Lanes<W>, arm_b: &Vec3Lanes<W>) {
        self.angular_a.add_scaled(-impulse, arm_a);
        self.angular_b.add_scaled(impulse, arm_b);
    }

    /// The angular part of the velocity along a Jacobian.
    #[inline(always)]
    fn turning(&self, arm_a: &Vec3Lanes<W>, arm_b: &Vec3Lanes<W>) -> Lanes<W> {
        arm_b.dot(&self.angular_b) - arm_a.dot(&self.angular_a)
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
    pub(crate) max_push: f32,
}

impl<const W: usize, const P: usize> ContactLanes<W, P> {
    /// Applies the impulses of the last substep again.
    #[inline(always)]
    pub(crate) fn warm_start(&self, rows: &mut [BodyRow]) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let mut total = Lanes::splat(0.0);
        for point in &self.points {
            total = total + point.impulse;
            v.turn(point.impulse, &point.arm_a, &point.arm_b);
        }
        let friction = &self.friction;
        let [first, second] = friction.impulse;
        let bitangent = self.normal.cross(&friction.tangent);
        let mut push = Vec3Lanes::default();
        push.add_scaled(total, &self.normal);
        push.add_scaled(first, &friction.tangent);
        push.add_scaled(second, &bitangent);
        v.linear_a.add_scaled(-self.root_a, &push);
        v.linear_b.add_scaled(self.root_b, &push);
        v.turn(first, &friction.arms_a[0], &friction.arms_b[0]);
        v.turn(second, &friction.arms_a[1], &friction.arms_b[1]);
        v.turn(friction.twist_impulse, &friction.twist_a, &friction.twist_b);
        v.store(rows, &self.a, &self.b);
    }

    /// Stops approach, and pushes apart what overlaps.
    #[inline(always)]
    pub(crate) fn push(&mut self, rows: &mut [BodyRow], sweep: &Sweep) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let moved_a = gather(rows, &self.a, |row| &row.moved);
        let moved_b = gather(rows, &self.b, |row| &row.moved);
        let turned_a = gather(rows, &self.a, |row| &row.turned);
        let turned_b = gather(rows, &self.b, |row| &row.turned);
        let moved = self.normal.dot(&moved_b) * self.root_b - self.normal.dot(&moved_a) * self.root_a;
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach = self.normal.dot(&v.linear_b) * self.root_b - self.normal.dot(&v.linear_a) * self.root_a;
        let mut total = Lanes::splat(0.0);
        let (inverse_h, elapsed) = (Lanes::splat(sweep.inverse_h), Lanes::splat(sweep.elapsed));
        for point in &mut self.points {
            let turned = point.arm_b.dot(&turned_b) - point.arm_a.dot(&turned_a);
            let separation = point.separation + moved + turned + point.driven * elapsed;
            // Apart: may come together within the substep, no further. Overlapping: as soft as the contact is.
            let push = (separation * self.bias_rate).max(Lanes::splat(-sweep.max_push));
            let closing = separation * inverse_h;
            let bias = separation.if_positive(closing, push);
            point.allowed = closing.max(Lanes::splat(0.0));
            let scale = separation.if_positive(Lanes::splat(1.0), self.mass_scale);
            let relief = separation.if_positive(Lanes::splat(0.0), self.impulse_scale);
            let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + point.driven;
            let wanted = point.impulse - point.mass * scale * (velocity + bias) - relief * point.impulse;
            let impulse = wanted.max(Lanes::splat(0.0));
            let change = impulse - point.impulse;
            point.impulse = impulse;
            total = total + change;
            approach = approach + change * roots;
            v.turn(change, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        v.store(rows, &self.a, &self.b);
    }

    /// Stops approach without pushing, then rubs. What the gap allowed in the push is allowed here: to look at the gap again
    /// would take the places of both bodies, and the next substep looks anyway.
    #[inline(always)]
    pub(crate) fn relax(&mut self, rows: &mut [BodyRow]) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach = self.normal.dot(&v.linear_b) * self.root_b - self.normal.dot(&v.linear_a) * self.root_a;
        let mut total = Lanes::splat(0.0);
        let mut pressure = Lanes::splat(0.0);
        let mut torque = Lanes::splat(0.0);
        for point in &mut self.points {
            let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + point.driven;
            let impulse = (point.impulse - point.mass * (velocity + point.allowed)).max(Lanes::splat(0.0));
            let change = impulse - point.impulse;
            point.impulse = impulse;
            point.total = point.total + impulse;
            total = total + change;
            approach = approach + change * roots;
            v.turn(change, &point.arm_a, &point.arm_b);
            pressure = pressure + impulse;
            torque = torque + impulse * point.lever;
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        self.rub(&mut v, pressure, torque);
        v.store(rows, &self.a, &self.b);
    }

    /// Friction along both tangents together, within its cone, then about the normal.
    #[inline(always)]
    fn rub(&mut self, v: &mut Velocities<W>, pressure: Lanes<W>, torque: Lanes<W>) {
        let friction = &mut self.friction;
        let bitangent = self.normal.cross(&friction.tangent);
        let slip = |along: &Vec3Lanes<W>, which: usize| {
            along.dot(&v.linear_b) * self.root_b - along.dot(&v.linear_a) * self.root_a
                + v.turning(&friction.arms_a[which], &friction.arms_b[which])
                + friction.driven[which]
        };
        let (slip_x, slip_y) = (slip(&friction.tangent, 0), slip(&bitangent, 1));
        let [xx, xy, yy] = friction.mass;
        let wanted_x = friction.impulse[0] - (xx * slip_x + xy * slip_y);
        let wanted_y = friction.impulse[1] - (xy * slip_x + yy * slip_y);
        let limit = friction.coefficient * pressure;
        let length = (wanted_x * wanted_x + wanted_y * wanted_y).sqrt();
        let share = (limit / length.max(Lanes::splat(1e-30))).min(Lanes::splat(1.0));
        let (impulse_x, impulse_y) = (wanted_x * share, wanted_y * share);
        let (change_x, change_y) = (impulse_x - friction.impulse[0], impulse_y - friction.impulse[1]);
        friction.impulse = [impulse_x, impulse_y];
        let mut push = Vec3Lanes::default();
        push.add_scaled(change_x, &friction.tangent);
        push.add_scaled(change_y, &bitangent);
        v.linear_a.add_scaled(-self.root_a, &push);
        v.linear_b.add_scaled(self.root_b, &push);
        v.turn(change_x, &friction.arms_a[0], &friction.arms_b[0]);
        v.turn(change_y, &friction.arms_a[1], &friction.arms_b[1]);
        if P > 1 {
            let twist = v.turning(&friction.twist_a, &friction.twist_b) + friction.twist_driven;
            let limit = friction.coefficient * torque;
            let wanted = friction.twist_impulse - friction.twist_mass * twist;
            let impulse = wanted.max(-limit).min(limit);
            let change = impulse - friction.twist_impulse;
            friction.twist_impulse = impulse;
            v.turn(change, &friction.twist_a, &friction.twist_b);
        }
    }

    /// Takes the impacts of the step back: what points with restitution were pressed with beyond what they carried before, if that
    /// changed the velocity by more than `threshold`. They are marked for [`bounce`](Self::bounce) by an
    /// [`allowed`](PointLanes::allowed) of 1, all others by 0.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, rows: &mut [BodyRow], threshold: f32) {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let mut total = Lanes::splat(0.0);
        let nothing = Lanes::splat(0.0);
        for point in &mut self.points {
            let excess = (point.total - point.carried).max(nothing);
            let counts = excess - point.mass * Lanes::splat(threshold);
            let excess = self.restitution.if_positive(counts.if_positive(excess, nothing), nothing);
            point.allowed = excess.if_positive(Lanes::splat(1.0), nothing);
            total = total - excess;
            v.turn(-excess, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        v.store(rows, &self.a, &self.b);
    }

    /// One impact of the marked points of each contact that approach: all at the same time, each giving back its share of the
    /// speed at which it approached. Speeds below `threshold` are not given back. True if there was one.
    #[inline(always)]
    pub(crate) fn bounce(&mut self, rows: &mut [BodyRow], threshold: f32) -> bool {
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach = self.normal.dot(&v.linear_b) * self.root_b - self.normal.dot(&v.linear_a) * self.root_a;
        let nothing = Lanes::splat(0.0);
        let mut targets = [nothing; P];
        let mut masses = [nothing; P];
        let mut impulses = [nothing; P];
        for (k, point) in self.points.iter().enumerate() {
            let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + point.driven;
            let is_fast = -velocity - Lanes::splat(threshold);
            let marked = point.allowed.if_positive(point.mass, nothing);
            masses[k] = (-velocity).if_positive(marked, nothing);
            targets[k] = is_fast.if_positive(-(self.restitution * velocity), nothing);
        }
        let mut total = nothing;
        for _ in 0..if P > 1 { ROUNDS_OF_BOUNCE } else { 1 } {
            for (k, point) in self.points.iter().enumerate() {
                let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + point.driven;
                let impulse = (impulses[k] + masses[k] * (targets[k] - velocity)).max(nothing);
                let change = impulse - impulses[k];
                impulses[k] = impulse;
                total = total + change;
                approach = approach + change * roots;
                v.turn(change, &point.arm_a, &point.arm_b);
            }
        }
        for (point, impulse) in self.points.iter_mut().zip(impulses) {
            point.total = point.total + impulse;
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        v.store(rows, &self.a, &self.b);
        total.0.iter().any(|impulse| *impulse > 0.0)
    }
}
