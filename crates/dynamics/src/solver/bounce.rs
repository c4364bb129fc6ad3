//! Restitution: speed of approach that contacts give back, when all substeps are over.
//!
//! Impacts of the step are taken back and then happen in rounds, until nobody approaches any more.
//! In a round, all points that approach are stopped at the same time, by the impulses that change
//! the velocities least, and then pushed off by their share of the same impulses: velocities are
//! reflected. So a row of balls passes an impact on, impacts from two sides are symmetric, and
//! elastic impacts keep their energy (the generalized reflections of B. Smith, D. Kaufman, E.
//! Vouga, R. Tamstorf and E. Grinspun, *Reflections on Simultaneous Impact*, 2012).
//!
//! Joints of the bodies take part ([`super::impacts`]): what is reflected are the velocities that
//! they allow.

use carom_core::simd::SimdVec3;
use carom_geometry::Real;

use super::contact::{ContactLanes, DrivenLanes, Extras, PointLanes};
use super::lanes::SolverLanes;
use super::rows::{FIXED, Rows, vector};
use super::solver_bodies::Pull;
use super::velocities::Velocities;

/// What a bounce needs to know of `W` contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceLanes<L, const P: usize> {
    /// Share of the approaching speed given back.
    pub(crate) restitution: L,
    /// Impulse of the whole step per point: the sum over its substeps, then that of its bounces
    /// instead of the impact that was taken back.
    pub(crate) total: [L; P],
    /// What the impulse of the step before would come to: support rather than impact.
    pub(crate) carried: [L; P],
    /// Effective masses of the points that approach in this round; 0 for others.
    mass: [L; P],
    /// What impulses of those points are multiplied with to be changes of mass-scaled velocities.
    scale: [L; P],
    /// Share of the impulse that stops a point by which it is pushed off.
    gain: [L; P],
    /// Impulses that stop the points of this round.
    impulse: [L; P],
    /// Does any point approach?
    is_active: bool,
}

impl<L: SolverLanes, const P: usize> Default for BounceLanes<L, P> {
    fn default() -> Self {
        let none = [L::default(); P];
        Self {
            restitution: L::default(),
            total: none,
            carried: none,
            mass: none,
            scale: none,
            gain: none,
            impulse: none,
            is_active: false,
        }
    }
}

impl<L: SolverLanes, const P: usize> BounceLanes<L, P> {
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

/// Which islands have an impact in the step: only there may contacts bounce. Elsewhere a contact
/// that is pressed harder than in the step before has taken over load from its neighbours.
#[derive(Debug)]
pub(crate) struct ImpactIslands<'a> {
    /// Root of the island of every row.
    roots: &'a [u32],
    /// By slot of a root.
    has_impact: &'a mut [bool],
}

impl<'a> ImpactIslands<'a> {
    /// Begins a step without impacts, in a world of so many slots.
    pub(crate) fn new(roots: &'a [u32], has_impact: &'a mut Vec<bool>, slots: usize) -> Self {
        has_impact.resize(slots, false);
        for &root in roots {
            has_impact[root as usize] = false;
        }
        Self { roots, has_impact }
    }

    /// Notes an impact between two rows.
    fn note(&mut self, rows: [u32; 2]) {
        for row in rows.into_iter().filter(|row| *row != FIXED) {
            self.has_impact[self.roots[row as usize] as usize] = true;
        }
    }

    /// Is there an impact in the island of two rows that touch?
    fn has_impact(&self, [a, b]: [u32; 2]) -> bool {
        let row = if a == FIXED { b } else { a };
        row != FIXED && self.has_impact[self.roots[row as usize] as usize]
    }
}

impl<L: SolverLanes, const W: usize, const P: usize> ContactLanes<L, W, P> {
    /// Speed of approach along the normal that every substep adds.
    #[inline(always)]
    fn pressed(&self, pulls: &[Pull]) -> L {
        let (mut pull_a, mut pull_b) = (SimdVec3::default(), SimdVec3::default());
        for lane in 0..W {
            pull_a.set(lane, vector(pulls[self.a[lane] as usize].linear));
            pull_b.set(lane, vector(pulls[self.b[lane] as usize].linear));
        }
        self.normal.dot(pull_a) * self.root_a - self.normal.dot(pull_b) * self.root_b
    }

    /// Before the substeps: notes islands in which points will meet faster than the threshold.
    #[inline(always)]
    pub(crate) fn find_impacts(
        &self,
        rows: Rows<'_>,
        bounce: &Bounce<'_>,
        driven: Option<&DrivenLanes<L, P>>,
        islands: &mut ImpactIslands<'_>,
    ) {
        let v = Velocities::load(rows, &self.a, &self.b);
        let approach = self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let nothing = L::splat(0.0);
        // What is apart gets faster until it meets.
        let falling = self.pressed(bounce.pulls).max(nothing) * L::splat(bounce.substeps);
        let mut fastest = nothing;
        for (k, point) in self.points.iter().enumerate() {
            let mut velocity = approach + v.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = driven {
                velocity = velocity + driven.points[k];
            }
            let speed = point.separation.if_positive(falling, nothing) - velocity;
            fastest = fastest.max(point.mass.if_positive(speed, nothing));
        }
        for lane in 0..W {
            if fastest.get(lane) > bounce.threshold {
                islands.note([self.a[lane], self.b[lane]]);
            }
        }
    }

    /// Contacts of islands without an impact do not bounce. Returns whether any may.
    #[inline(always)]
    pub(crate) fn keep_impacts(&self, islands: &ImpactIslands<'_>, bounce: &mut BounceLanes<L, P>) -> bool {
        let mut any = false;
        for lane in 0..W {
            if islands.has_impact([self.a[lane], self.b[lane]]) {
                any |= bounce.restitution.get(lane) > 0.0;
            } else {
                bounce.restitution.set(lane, 0.0);
            }
        }
        any
    }

    /// Takes the impacts of the step back: what points with restitution were pressed with beyond
    /// what they carried before, if they met faster than `threshold`. They are marked for
    /// the rounds by an [`allowed`](PointLanes::allowed) of 1, all others by 0. Returns 1 if any is
    /// marked, else 0.
    ///
    /// What gravity pressed them with after they had met stays: taken back too, they would bounce
    /// off faster than they came.
    #[inline(always)]
    pub(crate) fn take_back(&mut self, rows: Rows<'_>, bounce: &Bounce<'_>, extras: Extras<'_, L, P>) -> f32 {
        let Some(kept) = extras.bounce else { return 0.0 };
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let pressed = self.pressed(bounce.pulls);
        let approach = self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let nothing = L::splat(0.0);
        let (mut total, mut marks) = (nothing, nothing);
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
            let since = (L::splat(bounce.substeps) - met.if_positive(way / met, nothing)).max(nothing);
            let support = (point.mass * pressed * since - kept.carried[k]).max(nothing);
            let excess = (excess - support).max(nothing);
            let excess = kept.restitution.if_positive(counts.if_positive(excess, nothing), nothing);
            point.allowed = excess.if_positive(L::splat(1.0), nothing);
            marks = marks.max(point.allowed);
            total = total - excess;
            kept.total[k] = kept.total[k] - excess;
            v.turn(-excess, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), self.normal);
        v.linear_b.add_scaled(total * self.root_b, self.normal);
        v.store(rows, &self.a, &self.b);
        (0..W).fold(0.0, |most, lane| Real::max(most, marks.get(lane)))
    }

    /// Sets the rows of bodies with a marked point.
    pub(crate) fn strike(&self, struck: &mut [bool]) {
        for lane in 0..W {
            if self.points.iter().any(|point| point.allowed.get(lane) > 0.0) {
                struck[self.a[lane] as usize] = true;
                struck[self.b[lane] as usize] = true;
            }
        }
    }

    /// Begins a round: which of the marked points approach. Speeds below `threshold` are not given
    /// back. Returns the fastest approach in mass-scaled coordinates, 0 if there is none.
    #[inline(always)]
    pub(crate) fn begin_round(&mut self, rows: Rows<'_>, threshold: f32, extras: Extras<'_, L, P>) -> f32 {
        let Some(round) = extras.bounce else { return 0.0 };
        let v = Velocities::load(rows, &self.a, &self.b);
        let approach = self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let nothing = L::splat(0.0);
        let mut fastest = nothing;
        for (k, point) in self.points.iter().enumerate() {
            let mut velocity = approach + v.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = extras.driven {
                velocity = velocity + driven.points[k];
            }
            let marked = point.allowed.if_positive(point.mass, nothing);
            round.mass[k] = (-velocity).if_positive(marked, nothing);
            round.gain[k] = (-velocity - L::splat(threshold)).if_positive(round.restitution, nothing);
            round.impulse[k] = nothing;
            let root = round.mass[k].sqrt();
            round.scale[k] = round.mass[k].if_positive(L::splat(1.0) / root, nothing);
            fastest = fastest.max(-velocity * root);
        }
        let fastest = (0..W).fold(0.0, |most, lane| Real::max(most, fastest.get(lane)));
        round.is_active = fastest > 0.0;
        fastest
    }

    /// Stops the points of the round, as far as one visit of each does. Returns the largest change,
    /// in mass-scaled coordinates.
    #[inline(always)]
    pub(crate) fn stop(&mut self, rows: Rows<'_>, extras: Extras<'_, L, P>) -> f32 {
        let Some(round) = extras.bounce else { return 0.0 };
        if !round.is_active {
            return 0.0;
        }
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let roots = self.root_a * self.root_a + self.root_b * self.root_b;
        let mut approach =
            self.normal.dot(v.linear_b) * self.root_b - self.normal.dot(v.linear_a) * self.root_a;
        let nothing = L::splat(0.0);
        let (mut total, mut largest) = (nothing, nothing);
        for (k, point) in self.points.iter().enumerate() {
            let mut velocity = approach + v.turning(&point.arm_a, &point.arm_b);
            if let Some(driven) = extras.driven {
                velocity = velocity + driven.points[k];
            }
            let impulse = (round.impulse[k] - round.mass[k] * velocity).max(nothing);
            let change = impulse - round.impulse[k];
            round.impulse[k] = impulse;
            total = total + change;
            approach = approach + change * roots;
            v.turn(change, &point.arm_a, &point.arm_b);
            largest = largest.max(change.max(-change) * round.scale[k]);
        }
        v.linear_a.add_scaled(-(total * self.root_a), self.normal);
        v.linear_b.add_scaled(total * self.root_b, self.normal);
        v.store(rows, &self.a, &self.b);
        (0..W).fold(0.0, |most, lane| Real::max(most, largest.get(lane)))
    }

    /// Ends a round: pushes the points off that were stopped. Returns the largest share that any
    /// of them gives back.
    #[inline(always)]
    pub(crate) fn push_off(&self, rows: Rows<'_>, extras: Extras<'_, L, P>) -> f32 {
        let Some(round) = extras.bounce else { return 0.0 };
        if !round.is_active {
            return 0.0;
        }
        let mut v = Velocities::load(rows, &self.a, &self.b);
        let nothing = L::splat(0.0);
        let (mut total, mut share) = (nothing, nothing);
        for (k, point) in self.points.iter().enumerate() {
            let impulse = round.gain[k] * round.impulse[k];
            share = share.max(round.impulse[k].if_positive(round.gain[k], nothing));
            total = total + impulse;
            round.total[k] = round.total[k] + round.impulse[k] + impulse;
            v.turn(impulse, &point.arm_a, &point.arm_b);
        }
        v.linear_a.add_scaled(-(total * self.root_a), self.normal);
        v.linear_b.add_scaled(total * self.root_b, self.normal);
        v.store(rows, &self.a, &self.b);
        (0..W).fold(0.0, |most, lane| Real::max(most, share.get(lane)))
    }
}
