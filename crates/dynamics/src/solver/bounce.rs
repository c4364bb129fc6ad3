//! Restitution: speed of approach that contacts give back, when all substeps are over.
//!
//! Impacts of the step are taken back and then happen one after the other, each with its share of
//! the speed, until nobody approaches any more: so a row of balls passes an impact on, and elastic
//! impacts keep their energy.

use super::contact::{ContactLanes, Extras, PointLanes};
use super::lanes::{Lanes, Vec3Lanes};
use super::rows::{Rows, vector};
use super::solver_bodies::Pull;
use super::velocities::Velocities;

/// How often the points of one contact are visited in turn to find the impulses of their common
/// bounce.
const ROUNDS_OF_BOUNCE: usize = 12;

/// What a bounce needs to know of `W` contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceLanes<L, const P: usize> {
    /// Share of the approaching speed given back.
    pub(crate) restitution: L,
    /// Impulse of the whole step per point: the sum over its substeps.
    pub(crate) total: [L; P],
    /// What the impulse of the step before would come to: support rather than impact.
    pub(crate) carried: [L; P],
}

impl<L: Lanes, const P: usize> Default for BounceLanes<L, P> {
    fn default() -> Self {
        Self { restitution: L::default(), total: [L::default(); P], carried: [L::default(); P] }
    }
}

impl<L: Lanes, const P: usize> BounceLanes<L, P> {
    /// The impulses of a substep are what they will be.
    #[inline(always)]
    pub(crate) fn sum_up(&mut self, points: &[PointLanes<L>; P]) {
        for (total, point) in self.total.iter_mut().zip(points) {
            *total = *total + point.impulse;
        }
    }
}

/// What bounces need to know of the step before them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce<'a> {
    /// Slower approach does not bounce.
    pub(crate) threshold: f32,
    /// 1 / length of a substep.
    pub(crate) inverse_h: f32,
    /// Number of substeps.
    pub(crate) substeps: f32,
    /// What every substep added to the rows.
    pub(crate) pulls: &'a [Pull],
}

impl<L: Lanes, const W: usize, const P: usize> ContactLanes<L, W, P> {
    /// Takes the impacts of the step back: what points with restitution were pressed with beyond
    /// what they carried before, if they met faster than `threshold`. They are marked for
    /// [`bounce`](Self::bounce) by an [`allowed`](PointLanes::allowed) of 1, all others by 0.
    ///
    /// What gravity pressed them with after they had met stays: taken back too, they would bounce
    /// off faster than they came.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, rows: Rows<'_>, bounce: &Bounce<'_>, extras: Extras<'_, L, P>) {
        let Some(kept) = extras.bounce else { return };
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let (mut pull_a, mut pull_b) = (Vec3Lanes::default(), Vec3Lanes::default());
        for lane in 0..W {
            pull_a.set(lane, vector(bounce.pulls[self.a[lane] as usize].linear));
            pull_b.set(lane, vector(bounce.pulls[self.b[lane] as usize].linear));
        }
        let pressed = self.normal.dot(&pull_a) * self.root_a - self.normal.dot(&pull_b) * self.root_b;
        let approach =
            self.normal.dot(&v.linear_b) * self.root_b - self.normal.dot(&v.linear_a) * self.root_a;
        let mut total = L::splat(0.0);
        let nothing = L::splat(0.0);
        let before = v;
        for (k, point) in self.points.iter_mut().enumerate() {
            let excess = (kept.total[k] - kept.carried[k]).max(nothing);
            let mut velocity = approach + before.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = extras.driven {
                velocity = velocity + driven.points[k];
            }
            // An impact in the last substep may have been stopped half-way.
            let met = excess + point.mass * (-velocity).max(nothing);
            let counts = met - point.mass * L::splat(bounce.threshold);
            // Substeps since they met.
            let way = point.separation.max(nothing) * point.mass * L::splat(bounce.inverse_h);
            let since = (L::splat(bounce.substeps) - met.if_positive(way.over(met), nothing)).max(nothing);
            let support = (point.mass * pressed * since - kept.carried[k]).max(nothing);
            let excess = (excess - support).max(nothing);
            let excess = kept.restitution.if_positive(counts.if_positive(excess, nothing), nothing);
            point.allowed = excess.if_positive(L::splat(1.0), nothing);
            total = total - excess;
            v.turn(-excess, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        v.store(rows, &self.a, &self.b);
    }

    /// One impact of the marked points of each contact that approach: all at the same time, each
    /// giving back its share of the speed at which it approached. Speeds below `threshold` are not
    /// given back. True if there was one.
    #[inline(always)]
    pub(crate) fn bounce(&mut self, rows: Rows<'_>, threshold: f32, extras: Extras<'_, L, P>) -> bool {
        let Some(kept) = extras.bounce else { return false };
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach =
            self.normal.dot(&v.linear_b) * self.root_b - self.normal.dot(&v.linear_a) * self.root_a;
        let nothing = L::splat(0.0);
        let mut targets = [nothing; P];
        let mut masses = [nothing; P];
        let mut impulses = [nothing; P];
        let driven = extras.driven.map_or([nothing; P], |driven| driven.points);
        for (k, point) in self.points.iter().enumerate() {
            let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + driven[k];
            let is_fast = -velocity - L::splat(threshold);
            let marked = point.allowed.if_positive(point.mass, nothing);
            masses[k] = (-velocity).if_positive(marked, nothing);
            targets[k] = is_fast.if_positive(-(kept.restitution * velocity), nothing);
        }
        let mut total = nothing;
        for _ in 0..if P > 1 { ROUNDS_OF_BOUNCE } else { 1 } {
            for (k, point) in self.points.iter().enumerate() {
                let velocity = approach + v.turning(&point.arm_a, &point.arm_b) + driven[k];
                let impulse = (impulses[k] + masses[k] * (targets[k] - velocity)).max(nothing);
                let change = impulse - impulses[k];
                impulses[k] = impulse;
                total = total + change;
                approach = approach + change * roots;
                v.turn(change, &point.arm_a, &point.arm_b);
            }
        }
        v.linear_a.add_scaled(-(total * self.root_a), &self.normal);
        v.linear_b.add_scaled(total * self.root_b, &self.normal);
        v.store(rows, &self.a, &self.b);
        (0..W).any(|lane| total.get(lane) > 0.0)
    }
}
