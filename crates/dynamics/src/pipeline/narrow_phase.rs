//! Contact points of every pair of boxes that overlap.
//!
//! Shapes that hardly moved against each other keep their manifold, and only its separations are
//! measured again. Contact points are made for everything that could touch within the step: the
//! margin grows with the speed at which the bodies may approach, so that fast bodies are stopped at
//! the surface and not behind it.

// Contacts are spread over several arrays in no order; that threads take different ones is known
// here, not to the compiler.
#![allow(unsafe_code)]

mod carry_over;

use std::ops::Range;

use carom_broadphase::Pair;
use carom_core::prefetch::prefetch_at;
use carom_geometry::Pose;
use carom_narrowphase::composite::{self, MeshContactOptions, SurfaceSides};
use carom_narrowphase::manifold::PoseRecord;
use carom_narrowphase::pair::{self, PairCache, Scratch};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod};
use glam::Vec3;

use crate::state::bodies::{Bodies, BodyState, flag};
use crate::state::contacts::pieces::{ContactMut, ContactSlices};
use crate::state::contacts::{
    ActiveManifold, Composite, ContactInfo, Contacts, ManifoldRecord, SeparationBound, StepFlag,
};
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::motion::Motion;
use crate::state::shapes::{ShapeCore, ShapeRow, Shapes, least_distance};
use crate::state::world_state::WorldState;
pub(crate) use carry_over::deactivate;
use carry_over::{SAME_POINT, carry_over, carry_over_parts, forget};

/// What the stage did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Collided {
    /// Contacts looked at.
    pub(crate) tested: u32,
    /// Manifolds that were kept.
    pub(crate) recycled: u32,
}

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct NarrowPhase {
    parts: Vec<Part>,
}

/// What a thread needs to know.
#[derive(Clone, Copy)]
struct Collide<'a> {
    dt: f32,
    margin: f32,
    slop: f32,
    /// Distance at which flat shapes are held from each other.
    flat_skin: f32,
    /// Method for pairs of convex shapes.
    method: NarrowMethod,
    bodies: &'a Bodies,
    shapes: &'a Shapes,
}

/// Shapes of a contact in the frame of the first.
#[inline]
pub(crate) fn relative_pose(rows: [&ShapeRow; 2], motions: [&Motion; 2]) -> Pose {
    let between = motions[0].relative(motions[1]);
    let seen = if rows[0].is_centred { between } else { rows[0].local_pose.inverse() * between };
    if rows[1].is_centred { seen } else { seen * rows[1].local_pose }
}

/// What to do with a manifold that was made when the shapes lay differently.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// They are still farther apart than anybody asks, by so much at least.
    Apart(f32),
    /// Its points have only to be measured again.
    Recycle,
    /// It has to be rebuilt.
    Renew,
}

impl ManifoldRecord {
    /// `margin` is what is asked for now, `tolerance` how far points may have moved.
    #[inline]
    fn judge(&self, place: &Pose, extent: f32, margin: f32, tolerance: f32) -> Verdict {
        let motion = self.record.motion(place, extent);
        if self.gap - motion > margin {
            Verdict::Apart(self.gap - motion)
        } else if motion <= tolerance && self.margin - motion >= margin {
            Verdict::Recycle
        } else {
            Verdict::Renew
        }
    }
}

/// Share of the slop by which shapes may sink into each other before a manifold is rebuilt.
const RENEWED: f32 = 0.2;

/// Entries of the list that one thread takes at a time.
const PART: usize = 128;

/// A distance of so many times what two shapes may come nearer in a step need not be known closely.
const FAR_ENOUGH: f32 = 6.0;

/// Contacts that memory is asked for ahead of the one at hand.
const AHEAD: usize = 6;

/// A pair that has to be looked at.
#[derive(Clone, Copy, Debug)]
struct Due {
    pair: u32,
    /// Slot of its contact, if it has one.
    slot: u32,
    bodies: [u32; 2],
    /// How far both bodies have travelled together.
    travel: f64,
}

/// What came of a part of the list.
#[derive(Clone, Debug, Default)]
struct Part {
    due: Vec<Due>,
    /// Pairs whose contacts end.
    released: Vec<u32>,
    output: Output,
}

/// What one thread writes besides contacts.
#[derive(Clone, Debug, Default)]
struct Output {
    active_manifolds: Vec<ActiveManifold>,
    /// See [`Contacts::noticed`].
    noticed: Vec<u32>,
    done: Collided,
    workspace: Scratch,
}

impl NarrowPhase {
    /// Updates every contact of which a body is awake, and lists those that have points. The order
    /// of the list does not depend on threads: parts are put together in their order.
    pub(crate) fn run(&mut self, context: &mut StepContext<'_>, state: &mut WorldState) -> Collided {
        let WorldState { bodies, shapes, contacts, active_manifolds, .. } = state;
        let (bodies, shapes, pool, parts) = (&*bodies, &*shapes, &mut *context.pool, &mut self.parts);
        let (margin, slop) = (context.settings.speculative_distance, context.settings.slop);
        let method = context.settings.narrow;
        let flat_skin = context.settings.flat_skin();
        let collide = Collide { dt: context.dt, margin, slop, flat_skin, method, bodies, shapes };
        active_manifolds.clear();
        let pairs = contacts.pair_count();
        // Alone, one part does: what it finds need not be copied.
        let length = if pool.threads() > 1 { PART } else { pairs.max(1) };
        let count = pairs.div_ceil(length);
        if parts.len() < count {
            parts.resize_with(count, Part::default);
        }
        let parts = &mut parts[..count];
        let pieces = contacts.pieces();
        pool.for_chunks(parts, 1, |number, part| {
            let first = number * length;
            collide.list_due(&pieces, first..(first + length).min(pairs), &mut part[0]);
        });
        for Part { due, released, .. } in &mut *parts {
            released.iter().for_each(|pair| contacts.release(*pair as usize));
            for due in due.iter_mut().filter(|due| Contacts::is_far(due.slot)) {
                due.slot = contacts.begin(due.pair as usize, shapes);
            }
        }
        let pieces = contacts.pieces();
        pool.for_chunks(parts, 1, |_, part| collide.update_due(&pieces, &mut part[0]));
        contacts.noticed.clear();
        let mut sum = Collided::default();
        for Part { output, .. } in parts {
            sum.tested += output.done.tested;
            sum.recycled += output.done.recycled;
            contacts.noticed.extend_from_slice(&output.noticed);
            if active_manifolds.is_empty() {
                std::mem::swap(active_manifolds, &mut output.active_manifolds);
            } else {
                active_manifolds.extend_from_slice(&output.active_manifolds);
            }
        }
        sum
    }
}

/// Distances of a pair that do not matter.
#[derive(Clone, Copy, Debug)]
struct PairTolerances {
    /// Shapes closer than this make contact points before they touch.
    margin: f32,
    /// Differences of depth that do not matter.
    slop: f32,
}

impl Collide<'_> {
    /// The distances of the world; for thin bodies less. A margin thicker than a body would let the
    /// bodies on both sides of it touch each other through it.
    #[inline]
    fn tolerances(&self, states: [&BodyState; 2]) -> PairTolerances {
        let mut margin = self.margin;
        for state in states {
            let half_thickness = state.half_thickness();
            // What has no thickness at all keeps the distances of the world.
            if half_thickness < margin && half_thickness > 0.0 && state.has(flag::DYNAMIC) {
                margin = half_thickness;
            }
        }
        if margin == self.margin {
            return PairTolerances { margin, slop: self.slop };
        }
        PairTolerances { margin, slop: self.slop * (margin / self.margin) }
    }

    /// Lists the pairs of a range that may have come near each other.
    fn list_due(&self, pieces: &ContactSlices<'_>, pairs: Range<usize>, part: &mut Part) {
        let Part { due, released, output } = part;
        let (bodies, margin) = (self.bodies, self.margin);
        due.clear();
        released.clear();
        output.done = Collided::default();
        for pair in pairs {
            let slot = pieces.slots[pair];
            if !(Contacts::is_contact(slot) || Contacts::is_far(slot)) {
                continue;
            }
            // SAFETY: every pair is in one range, and every range is taken once.
            let separation_bound = unsafe { pieces.separation_bound(pair) };
            let [a, b] = separation_bound.bodies.map(|body| &bodies.motion_bounds[body as usize]);
            if !(a.is_awake || b.is_awake) {
                continue;
            }
            output.done.tested += 1;
            // Most pairs are neighbours that do not meet: what they may have come nearer tells it.
            let (travel, reach) = (a.travel + b.travel, a.reach + b.reach);
            let left = (separation_bound.until - travel) as f32;
            if left > margin && left > reach {
                output.done.recycled += 1;
            } else {
                due.push(Due { pair: pair as u32, slot, bodies: separation_bound.bodies, travel });
            }
        }
        let mut kept = 0;
        for at in 0..due.len() {
            if let Some(next) = due.get(at + AHEAD) {
                for body in next.bodies {
                    prefetch_at(&bodies.motion, body);
                    prefetch_at(&bodies.state, body);
                }
                let Pair { a, b } = pieces.pairs[next.pair as usize];
                self.shapes.prefetch_core(a);
                self.shapes.prefetch_core(b);
            }
            let one = due[at];
            // SAFETY: as above; that of before is gone.
            let separation_bound = unsafe { pieces.separation_bound(one.pair as usize) };
            let is_far = Contacts::is_far(one.slot);
            // A contact that was near in the last step has to be told that it no longer is. The
            // cores of other shapes than round ones seldom know more than the contact does.
            let may_end = || {
                // SAFETY: as above.
                separation_bound.until > f64::NEG_INFINITY && unsafe { pieces.is_round(one.slot) }
            };
            if (is_far || may_end())
                && let Some(gap) = self.gap(pieces.pairs[one.pair as usize], one.bodies)
            {
                separation_bound.until = one.travel + f64::from(gap);
                if !is_far {
                    released.push(one.pair);
                }
            } else {
                due[kept] = one;
                kept += 1;
            }
        }
        due.truncate(kept);
    }

    /// How far two shapes are apart at least, if they do not meet within the step.
    #[inline]
    fn gap(&self, pair: Pair, on: [u32; 2]) -> Option<f32> {
        let [a, b] = on.map(|body| &self.bodies.motion[body as usize]);
        let [radius_a, radius_b] = on.map(|body| self.bodies.state[body as usize].turn_radius());
        let approach = (b.velocity - a.velocity).length()
            + a.angular_velocity.length() * radius_a
            + b.angular_velocity.length() * radius_b;
        let reach = approach * self.dt;
        let needed = if reach > self.margin { reach } else { self.margin };
        let cores = [self.shapes.core(pair.a), self.shapes.core(pair.b)];
        let gap = ShapeCore::gap(cores[0], a, cores[1], b, FAR_ENOUGH * needed);
        let passes = || ShapeCore::gap_in_passing(cores[0], a, cores[1], b, self.dt) > self.margin;
        (gap > needed || gap > self.margin && passes() && self.go_straight(on)).then_some(gap)
    }

    /// Does nothing but contacts make two bodies leave their straight ways? Joints do.
    fn go_straight(&self, on: [u32; 2]) -> bool {
        on.iter().all(|body| self.bodies.cold.get(*body).is_some_and(|cold| cold.first_joint == NONE))
    }

    /// Updates the contacts of the pairs that were listed.
    fn update_due(&self, pieces: &ContactSlices<'_>, part: &mut Part) {
        let Part { due, output, .. } = part;
        output.active_manifolds.clear();
        output.noticed.clear();
        for at in 0..due.len() {
            if let Some(next) = due.get(at + 2 * AHEAD) {
                pieces.prefetch(next.slot);
                for body in next.bodies {
                    prefetch_at(&self.bodies.motion, body);
                    prefetch_at(&self.bodies.state, body);
                }
            }
            if let Some(next) = due.get(at + AHEAD) {
                // SAFETY: the list names every pair once, and every contact belongs to one pair.
                for shape in unsafe { pieces.shapes(next.slot) } {
                    prefetch_at(&self.shapes.rows, shape);
                }
            }
            let Due { pair, slot, travel, .. } = due[at];
            // SAFETY: the list names every pair once, and every contact belongs to one pair.
            let (contact, bound) = unsafe { (pieces.at(slot), pieces.separation_bound(pair as usize)) };
            self.update(slot, contact, bound, travel, output);
            // SAFETY: as above; the contact of before is gone.
            if unsafe { pieces.is_news(slot) } {
                output.noticed.push(slot);
            }
        }
    }

    /// How far ahead contact points are sought of two bodies that may approach by `reach`. What is
    /// fast is swept against what is static when it has moved, and so nobody has to look farther
    /// than the slow do: the normal of a far point is that of the beginning of the step, and bodies
    /// would bounce off things that they pass by.
    #[inline]
    fn bounded(&self, reach: f32, margin: f32, states: [&BodyState; 2], motions: [&Motion; 2]) -> f32 {
        for (mine, other) in [(0, 1), (1, 0)] {
            let half_thickness = states[mine].half_thickness();
            if reach > half_thickness && states[other].flags & (flag::DYNAMIC | flag::KINEMATIC) == 0 {
                let bound =
                    margin + half_thickness * (1.0 + motions[mine].angular_velocity.length() * self.dt);
                return if reach > bound { bound } else { reach };
            }
        }
        reach
    }

    /// How much nearer along a normal two bodies may come in the step: those that pass each other
    /// fast need no contact.
    #[inline]
    fn closing(&self, normal: Vec3, margin: f32, states: [&BodyState; 2], motions: [&Motion; 2]) -> f32 {
        let approach = (motions[0].velocity - motions[1].velocity).dot(normal)
            + motions[0].angular_velocity.length() * states[0].turn_radius()
            + motions[1].angular_velocity.length() * states[1].turn_radius();
        approach * self.dt + margin
    }

    /// Measures the points of a manifold again. False if the shapes have sunk into each other since
    /// it was made: along another normal they might overlap less.
    #[inline]
    fn recycles(manifold: &mut Manifold, place: &Pose, record: &Option<ManifoldRecord>, slop: f32) -> bool {
        manifold.refresh(place);
        let made_at = record.map_or(0.0, |record| if record.gap < 0.0 { record.gap } else { 0.0 });
        manifold.deepest() >= made_at - RENEWED * slop
    }

    /// Makes the manifold of two shapes.
    fn make(
        &self,
        rows: [&ShapeRow; 2],
        place: &Pose,
        tolerances: Tolerances,
        memory: &mut PairCache,
        workspace: &mut Scratch,
        manifold: &mut Manifold,
    ) {
        let [a, b] = rows.map(|row| &row.shape);
        let auto = NarrowMethod::Auto;
        // The usual method stays a constant for the compiler.
        let made = if self.method == auto {
            pair::manifold(a, b, place, tolerances, auto, memory, workspace, manifold)
        } else {
            let made = pair::manifold(a, b, place, tolerances, self.method, memory, workspace, manifold);
            // A method that does not take such shapes leaves them to the usual one.
            made.or_else(|_| pair::manifold(a, b, place, tolerances, auto, memory, workspace, manifold))
        };
        if made.is_err() {
            // Two surfaces, or two half-spaces: they cannot hold each other.
            manifold.clear();
        }
        if rows[0].is_flat && rows[1].is_flat {
            manifold.hold_apart(self.flat_skin, place);
        }
    }

    /// Updates one contact.
    fn update(
        &self,
        slot: u32,
        contact: ContactMut<'_>,
        separation_bound: &mut SeparationBound,
        travel: f64,
        output: &mut Output,
    ) {
        let Self { bodies, shapes, .. } = *self;
        let Output { active_manifolds, done, workspace, .. } = output;
        let ContactMut { info, manifold, impulses, memory, record, composite } = contact;
        let states = info.bodies.map(|body| &bodies.state[body as usize]);
        // What a contact remembers of the time before its shapes were apart must not show: whether
        // it was kept depends on how fat their boxes are.
        let was_apart = separation_bound.until > f64::NEG_INFINITY;
        separation_bound.until = f64::NEG_INFINITY;
        let motions = info.bodies.map(|body| &bodies.motion[body as usize]);
        let approach = (motions[1].velocity - motions[0].velocity).length()
            + motions[0].angular_velocity.length() * states[0].turn_radius()
            + motions[1].angular_velocity.length() * states[1].turn_radius();
        let tolerances = self.tolerances(states);
        let PairTolerances { margin: least, slop } = tolerances;
        let reach = self.bounded(approach * self.dt, least, states, motions);
        let margin = if reach > least { reach } else { least };
        // The balls round their centres of mass part most neighbours that are no pair of shapes.
        let extents = states[0].extent + states[1].extent;
        let between = (motions[1].position - motions[0].position).as_vec3();
        let square = between.length_squared();
        // What is fast and passes by meets nothing, however near it is at the beginning.
        let passes = || {
            let way = (motions[1].velocity - motions[0].velocity) * self.dt;
            square > (extents + least) * (extents + least)
                && least_distance(between, way) > extents + least
                && self.go_straight(info.bodies)
        };
        if composite.is_none() && (square > (extents + margin) * (extents + margin) || passes()) {
            forget(manifold, record);
            deactivate(info, impulses);
            separation_bound.until = travel + f64::from(square.sqrt() - extents);
            return;
        }
        let rows = info.shapes.map(|shape| &shapes.rows[shape as usize]);
        let place = relative_pose(rows, motions);
        if let Some(composite) = composite {
            let touch = ActiveManifold::of(slot, info, states, rows);
            let options = MeshContactOptions {
                speculative_distance: margin,
                slop,
                sides: SurfaceSides::Both,
                flat_skin: self.flat_skin,
            };
            let Composite { cache, manifolds, .. } = composite.begin();
            composite::contacts(&rows[0].shape, &rows[1].shape, &place, &options, cache, manifolds);
            tolerances.finish_composite(touch, info, margin, composite, active_manifolds);
            return;
        }
        let far = rows[0].extent + rows[1].extent + margin;
        let square = place.translation.length_squared();
        if square > far * far {
            forget(manifold, record);
            deactivate(info, impulses);
            separation_bound.until = travel + f64::from(square.sqrt() - rows[0].extent - rows[1].extent);
            return;
        }
        // The points of round shapes wander: d along a radius r makes an error of d²/2r.
        let tolerance = if info.is_recyclable { least } else { 0.1 * least };
        let verdict =
            record.map_or(Verdict::Renew, |kept| kept.judge(&place, rows[1].extent, margin, tolerance));
        match verdict {
            Verdict::Apart(gap) => {
                done.recycled += 1;
                deactivate(info, impulses);
                separation_bound.until = travel + f64::from(gap);
                return;
            }
            Verdict::Recycle if !was_apart && Self::recycles(manifold, &place, record, slop) => {
                done.recycled += 1;
            }
            Verdict::Recycle | Verdict::Renew => {
                let old = *manifold;
                // Somewhat farther than needed, so that the answer serves for a while.
                let asked = margin + least;
                let tolerances = Tolerances { speculative_distance: asked, slop };
                self.make(rows, &place, tolerances, memory, workspace, manifold);
                if was_apart && manifold.deepest() <= margin {
                    memory.clear();
                    self.make(rows, &place, tolerances, memory, workspace, manifold);
                }
                let deepest = manifold.deepest();
                let gap = if deepest < asked { deepest } else { asked };
                *record = Some(ManifoldRecord { record: PoseRecord::new(&place), margin: asked, gap });
                if gap > margin {
                    separation_bound.until = travel + f64::from(gap);
                }
                carry_over(manifold, &old, SAME_POINT * least, impulses);
            }
        }
        let deepest = manifold.deepest();
        info.is_touching = deepest <= slop;
        let points = manifold.points().len() as u16;
        let closing = || {
            let normal = motions[0].rotation.rotate(rows[0].local_pose.rotation.rotate(manifold.normal));
            self.closing(normal, least, states, motions)
        };
        if !(points > 0 && deepest <= margin && (deepest <= least || deepest <= closing())) {
            deactivate(info, impulses);
        } else if !info.is_sensor {
            info.is_active = true;
            let wakes = deepest <= slop || deepest <= reach;
            active_manifolds.push(ActiveManifold {
                points,
                wakes,
                is_known: StepFlag(info.is_touching && info.is_reported),
                ..ActiveManifold::of(slot, info, states, rows)
            });
        }
    }
}

impl PairTolerances {
    /// Hands the impulses of the old manifolds of a composite on, and lists the new ones.
    fn finish_composite(
        &self,
        of_all: ActiveManifold,
        info: &mut ContactInfo,
        margin: f32,
        composite: &mut Composite,
        active_manifolds: &mut Vec<ActiveManifold>,
    ) {
        let Composite { manifolds, previous, impulses, previous_impulses, .. } = composite;
        impulses.clear();
        info.is_touching = manifolds.iter().any(|manifold| manifold.deepest() <= self.slop);
        for (part, manifold) in manifolds.iter().enumerate() {
            let same_point = SAME_POINT * self.margin;
            let carried = carry_over_parts(manifold, previous, same_point, previous_impulses);
            impulses.push(carried);
            if !info.is_sensor {
                let points = manifold.points().len() as u16;
                let wakes = info.is_touching || manifold.deepest() <= margin && margin > self.margin;
                let is_known = StepFlag(info.is_touching && info.is_reported);
                active_manifolds.push(ActiveManifold {
                    part: part as u16,
                    points,
                    wakes,
                    is_known,
                    ..of_all
                });
            }
        }
    }
}
