//! Contact points of every pair of boxes that overlap.
//!
//! Shapes that hardly moved against each other keep their manifold, and only its separations are
//! measured again. Contact points are made for everything that could touch within the step: the
//! margin grows with the speed at which the bodies may approach, so that fast bodies are stopped at
//! the surface and not behind it.

// Contacts are spread over several arrays in no order; that threads take different ones is known
// here, not to the compiler.
#![allow(unsafe_code)]

use carom_core::prefetch::prefetch_at;
use carom_geometry::Pose;
use carom_narrowphase::composite::{self, MeshContactOptions, SurfaceSides};
use carom_narrowphase::manifold::PoseRecord;
use carom_narrowphase::pair::{self, Scratch};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod};
use glam::Vec3;

use crate::state::bodies::{Bodies, BodyState, flag};
use crate::state::contacts::pieces::ContactMut;
use crate::state::contacts::{ActiveManifold, Composite, ContactInfo, Contacts, ManifoldRecord};
use crate::state::context::StepContext;
use crate::state::impulses::Impulses;
use crate::state::motion::Motion;
use crate::state::shapes::{ShapeRow, Shapes};
use crate::state::world_state::WorldState;

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

/// Contacts that memory is asked for ahead of the one at hand.
const AHEAD: usize = 6;

/// A contact that has to be looked at.
#[derive(Clone, Copy, Debug)]
struct Due {
    slot: u32,
    bodies: [u32; 2],
    /// How far both bodies have travelled together.
    travel: f64,
}

/// What came of a part of the list.
#[derive(Clone, Debug, Default)]
struct Part {
    due: Vec<Due>,
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
        let mut sum = Collided::default();
        let slots = contacts.take_slots();
        // Alone, one part does: what it finds need not be copied.
        let length = if pool.threads() > 1 { PART } else { slots.len().max(1) };
        let count = slots.len().div_ceil(length);
        if parts.len() < count {
            parts.resize_with(count, Part::default);
        }
        let pieces = contacts.pieces();
        let slots_of = |part: usize| &slots[part * length..((part + 1) * length).min(slots.len())];
        pool.for_chunks(&mut parts[..count], 1, |number, part| {
            let Part { due, output } = &mut part[0];
            output.active_manifolds.clear();
            output.noticed.clear();
            due.clear();
            output.done = Collided::default();
            let slots = slots_of(number);
            for (at, &slot) in slots.iter().enumerate() {
                if let Some(&next) = slots.get(at + 2 * AHEAD)
                    && Contacts::is_contact(next)
                {
                    pieces.prefetch_separation_bound(next);
                }
                if !Contacts::is_contact(slot) {
                    continue;
                }
                // SAFETY: the list names every contact once, see `Contacts::follow`, and every part
                // of it is taken once.
                let separation_bound = unsafe { pieces.separation_bound(slot) };
                let [a, b] = separation_bound.bodies.map(|body| &bodies.motion_bounds[body as usize]);
                if !(a.is_awake || b.is_awake) {
                    continue;
                }
                output.done.tested += 1;
                // Most pairs are neighbours that do not meet: what they may have come nearer tells
                // it.
                let (travel, reach) = (a.travel + b.travel, a.reach + b.reach);
                let left = (separation_bound.until - travel) as f32;
                if left > margin && left > reach {
                    output.done.recycled += 1;
                } else {
                    due.push(Due { slot, bodies: separation_bound.bodies, travel });
                }
            }
            for at in 0..due.len() {
                if let Some(next) = due.get(at + AHEAD) {
                    pieces.prefetch(next.slot);
                    for body in next.bodies {
                        prefetch_at(&bodies.motion, body);
                        prefetch_at(&bodies.state, body);
                    }
                }
                let Due { slot, travel, .. } = due[at];
                // SAFETY: as above.
                let contact = unsafe { pieces.at(slot) };
                collide.update(slot, contact, travel, output);
                // SAFETY: as above; the contact of before is gone.
                let info = unsafe { pieces.at(slot) }.info;
                if info.is_touching != info.is_reported {
                    output.noticed.push(slot);
                }
            }
        });
        for part in &mut parts[..count] {
            sum.tested += part.output.done.tested;
            sum.recycled += part.output.done.recycled;
            if active_manifolds.is_empty() {
                std::mem::swap(active_manifolds, &mut part.output.active_manifolds);
            } else {
                active_manifolds.extend_from_slice(&part.output.active_manifolds);
            }
        }
        contacts.give_slots(slots);
        contacts.noticed.clear();
        for part in &parts[..count] {
            contacts.noticed.extend_from_slice(&part.output.noticed);
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
            + motions[0].angular_velocity.length() * states[0].extent
            + motions[1].angular_velocity.length() * states[1].extent;
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

    /// Updates one contact.
    fn update(&self, slot: u32, contact: ContactMut<'_>, travel: f64, output: &mut Output) {
        let Self { bodies, shapes, .. } = *self;
        let Output { active_manifolds, done, workspace, .. } = output;
        let ContactMut { info, separation_bound, manifold, impulses, memory, record, composite } = contact;
        let states = info.bodies.map(|body| &bodies.state[body as usize]);
        separation_bound.until = f64::NEG_INFINITY;
        let rows = info.shapes.map(|shape| &shapes.rows[shape as usize]);
        let motions = info.bodies.map(|body| &bodies.motion[body as usize]);
        let place = relative_pose(rows, motions);
        let approach = (motions[1].velocity - motions[0].velocity).length()
            + motions[0].angular_velocity.length() * states[0].extent
            + motions[1].angular_velocity.length() * states[1].extent;
        let tolerances = self.tolerances(states);
        let PairTolerances { margin: least, slop } = tolerances;
        let reach = self.bounded(approach * self.dt, least, states, motions);
        let margin = if reach > least { reach } else { least };
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
            manifold.clear();
            *record = None;
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
            Verdict::Recycle if Self::recycles(manifold, &place, record, slop) => done.recycled += 1,
            Verdict::Recycle | Verdict::Renew => {
                let old = *manifold;
                // Somewhat farther than needed, so that the answer serves for a while.
                let asked = margin + least;
                let tolerances = Tolerances { speculative_distance: asked, slop };
                let [a, b] = rows.map(|row| &row.shape);
                let auto = NarrowMethod::Auto;
                // The usual method stays a constant for the compiler.
                let made = if self.method == auto {
                    pair::manifold(a, b, &place, tolerances, auto, memory, workspace, manifold)
                } else {
                    let made =
                        pair::manifold(a, b, &place, tolerances, self.method, memory, workspace, manifold);
                    // A method that does not take such shapes leaves them to the usual one.
                    made.or_else(|_| {
                        pair::manifold(a, b, &place, tolerances, auto, memory, workspace, manifold)
                    })
                };
                if made.is_err() {
                    // Two surfaces, or two half-spaces: they cannot hold each other.
                    manifold.clear();
                }
                if rows[0].is_flat && rows[1].is_flat {
                    manifold.hold_apart(self.flat_skin, &place);
                }
                let deepest = manifold.deepest();
                let gap = if deepest < asked { deepest } else { asked };
                *record = Some(ManifoldRecord { record: PoseRecord::new(&place), margin: asked, gap });
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
                active_manifolds.push(ActiveManifold { part: part as u16, points, wakes, ..of_all });
            }
        }
    }
}

/// A manifold is not solved: what it carried ends here. A touch that begins later begins without
/// impulses, whatever its points are called.
#[inline]
pub(crate) fn deactivate(info: &mut ContactInfo, impulses: &mut Impulses) {
    info.is_touching = false;
    if info.is_active {
        info.is_active = false;
        *impulses = Impulses::default();
    }
}

/// Points of one shape that are no farther apart than so many margins are the same point; names
/// decide first.
const SAME_POINT: f32 = 2.5;

/// Sorts the impulses of the old points to the new ones.
fn carry_over(new: &Manifold, old: &Manifold, same_point: f32, impulses: &mut Impulses) {
    if old.is_empty() || new.is_empty() {
        *impulses = Impulses::default();
        return;
    }
    // A single point wanders, and jumps where edges are nearly parallel: it still bears the load.
    let same = new.points().len() == old.points().len()
        && (new.points().len() == 1
            || new.points().iter().zip(old.points()).all(|(p, q)| p.feature == q.feature));
    if same {
        return;
    }
    let matches = new.match_points(old, same_point);
    let before = impulses.normal;
    impulses.normal = [0.0; 4];
    for (impulse, found) in impulses.normal.iter_mut().zip(matches) {
        if let Some(k) = found {
            *impulse = before[usize::from(k)];
        }
    }
}

/// Old manifolds whose normals differ by more than this cosine are others.
const SAME_SIDE: f32 = 0.9;

/// Impulses for one manifold of a composite from all its old manifolds that face the same way: its
/// points may come from several of them. What is carried over is taken from the old impulses, so
/// that no other manifold starts with it too.
fn carry_over_parts(
    new: &Manifold,
    previous: &[Manifold],
    same_point: f32,
    known: &mut [Impulses],
) -> Impulses {
    let mut carried = Impulses::default();
    let mut found = [false; Manifold::CAPACITY];
    // Friction goes with the most pressure.
    let mut most = 0.0;
    for (old, known) in previous.iter().zip(known) {
        if old.normal.dot(new.normal) <= SAME_SIDE {
            continue;
        }
        let mut pressure = 0.0;
        if new.points().len() == 1 && old.points().len() == 1 && !found[0] {
            found[0] = true;
            carried.normal[0] = std::mem::take(&mut known.normal[0]);
            pressure = carried.normal[0];
        }
        for (k, matched) in new.match_points(old, same_point).into_iter().enumerate() {
            if let Some(at) = matched
                && !found[k]
            {
                found[k] = true;
                carried.normal[k] = std::mem::take(&mut known.normal[usize::from(at)]);
                pressure += carried.normal[k];
            }
        }
        if pressure > most {
            most = pressure;
            carried.friction = std::mem::take(&mut known.friction);
            carried.twist = std::mem::take(&mut known.twist);
        }
    }
    carried
}
