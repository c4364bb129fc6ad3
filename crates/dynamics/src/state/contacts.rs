//! Pairs of boxes that overlap, and contacts: one for each pair whose shapes have come near each
//! other, kept while the boxes overlap.
//!
//! What a pair needs until then is small and lies in arrays that run parallel to the sorted pairs
//! of the broad phase: most pairs of a crowd never meet. Contacts lie in arrays by slot. They are
//! visited in the order of pairs, which depends on who overlaps and on nothing else.

mod check;
pub(crate) mod pieces;
mod reorder;
mod stored;
mod touch;

pub(crate) use touch::{ActiveManifold, StepFlag};

use carom_broadphase::broad_phase::Contract;
use carom_broadphase::{Pair, Space};
use carom_core::clone_fields;
use carom_narrowphase::composite::CompositeCache;
use carom_narrowphase::manifold::PoseRecord;
use carom_narrowphase::{Manifold, pair::PairCache};

use super::bodies::{Bodies, flag};
use super::events::{Ended, ReportedContact};
use super::hooks::{PairFilter, ShapePair};
use super::id::NONE;
use super::joints::Joints;
use super::material::Material;
use super::shapes::Shapes;
use crate::state::impulses::Impulses;

/// Stands for pairs that need no contact: neither side can be moved, or a joint holds them.
const IDLE: u32 = NONE - 1;
/// Stands for pairs that have not come near each other since their boxes overlap.
const FAR: u32 = NONE - 2;

/// Who meets whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactInfo {
    /// Slots of the shapes.
    pub(crate) shapes: [u32; 2],
    /// Slots of their bodies.
    pub(crate) bodies: [u32; 2],
    /// Mixed coefficient of friction.
    pub(crate) friction: f32,
    /// Mixed restitution.
    pub(crate) restitution: f32,
    /// Level of the substeps that its impulses are of.
    pub(crate) level: u8,
    /// Do they touch, by the last step?
    pub(crate) is_touching: bool,
    /// The begin of the touch was reported to users, and its end was not.
    pub(crate) is_reported: bool,
    /// Was the manifold solved in the last step? Otherwise its impulses are zero.
    pub(crate) is_active: bool,
    /// Only noticed, not solved.
    pub(crate) is_sensor: bool,
    /// May the manifold be kept while the shapes hardly move? Not if one of them is round: its
    /// points wander.
    pub(crate) is_recyclable: bool,
    /// Meets in several manifolds, which are in [`Contacts::composites`].
    pub(crate) is_composite: bool,
}

impl ContactInfo {
    /// Of two shapes that have not touched yet.
    pub(crate) fn between(both: [u32; 2], shapes: &Shapes) -> Self {
        let rows = both.map(|slot| &shapes.rows[slot as usize]);
        let (friction, restitution) = mixed(rows.map(|row| row.material));
        let is_round = |at: usize| {
            use carom_geometry::Shape;
            use carom_geometry::shape::Planar;
            // What rolls on points of before leans on them from behind, and speeds up.
            matches!(
                rows[at].shape,
                Shape::Sphere(_)
                    | Shape::Capsule(_)
                    | Shape::Ellipsoid(_)
                    | Shape::Cylinder(_)
                    | Shape::Cone(_)
                    | Shape::Planar(Planar::Disc { .. } | Planar::Capsule { .. })
            )
        };
        Self {
            shapes: both,
            bodies: rows.map(|row| row.body),
            friction,
            restitution,
            level: 0,
            is_touching: false,
            is_reported: false,
            is_active: false,
            is_sensor: rows[0].is_sensor || rows[1].is_sensor,
            is_recyclable: !is_round(0) && !is_round(1),
            is_composite: rows[0].is_composite || rows[1].is_composite,
        }
    }
}

/// When a pair has to be looked at again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeparationBound {
    /// Slots of the bodies, in the order of the boxes; [`NONE`] if the pair needs no contact.
    pub(crate) bodies: [u32; 2],
    /// They are at least as far apart as their travels fall short of this together.
    pub(crate) until: f64,
}

/// How the shapes lay when a manifold was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManifoldRecord {
    pub(crate) record: PoseRecord,
    /// All points within this were found.
    pub(crate) margin: f32,
    /// The shapes were at least so far apart; below zero if they overlapped.
    pub(crate) gap: f32,
}

/// The contacts of a pair of which one shape has parts.
#[derive(Debug, Default)]
pub(crate) struct Composite {
    pub(crate) cache: CompositeCache,
    pub(crate) manifolds: Vec<Manifold>,
    pub(crate) previous: Vec<Manifold>,
    pub(crate) impulses: Vec<Impulses>,
    pub(crate) previous_impulses: Vec<Impulses>,
}

clone_fields!(Composite { cache, manifolds, impulses } scratch { previous, previous_impulses });

impl Composite {
    /// Begins a step: what there was becomes what was before.
    pub(crate) fn begin(&mut self) -> &mut Self {
        std::mem::swap(&mut self.manifolds, &mut self.previous);
        std::mem::swap(&mut self.impulses, &mut self.previous_impulses);
        self
    }
}

/// All contacts.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) infos: Vec<ContactInfo>,
    pub(crate) manifolds: Vec<Manifold>,
    pub(crate) impulses: Vec<Impulses>,
    pub(crate) memories: Vec<PairCache>,
    /// When the manifold was made; `None` before that.
    pub(crate) records: Vec<Option<ManifoldRecord>>,
    pub(crate) composites: Vec<Option<Box<Composite>>>,
    /// What is remembered for the sake of events.
    pub(crate) reported: Vec<ReportedContact>,
    /// Contacts that touch or do not, other than users were told, after the narrow phase: their
    /// slots in the order of pairs. Not all of those that begin to touch are among them.
    pub(crate) noticed: Vec<u32>,
    /// Contacts that ended while users believe them to touch; taken by the events.
    pub(crate) ended: Vec<Ended>,
    free: Vec<u32>,
    pairs: Vec<Pair>,
    /// Slots parallel to the pairs.
    slots: Vec<u32>,
    /// Parallel to the pairs.
    separation_bounds: Vec<SeparationBound>,
    spare: (Vec<Pair>, Vec<u32>, Vec<SeparationBound>),
    /// Changes of the list since the contacts were last put in its order.
    changes: u32,
    /// PairCache of tidying.
    order: Vec<u32>,
}

clone_fields!(Contacts {
    infos,
    manifolds,
    impulses,
    memories,
    records,
    composites,
    reported,
    noticed,
    ended,
    free,
    pairs,
    slots,
    separation_bounds,
    changes,
} scratch { spare, order });

/// The pairs of boxes that overlap. Some broad phases give more; contacts that began early would
/// remember more, and the results would depend on the method.
fn overlapping(space: &Space<3>) -> impl Iterator<Item = Pair> + '_ {
    let is_exact = space.contract() == Contract::Exact;
    let table = space.table();
    let pairs = space.pairs().iter().copied();
    pairs.filter(move |pair| is_exact || table.aabb(pair.a).overlaps(table.aabb(pair.b)))
}

impl Contacts {
    /// Slots of the contacts in the order of pairs.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter().copied().filter(|slot| Self::is_contact(*slot))
    }

    /// When each pair has to be looked at again; pairs that need no contact among them.
    pub(crate) fn separation_bounds(&self) -> &[SeparationBound] {
        &self.separation_bounds
    }

    /// The shapes of a pair, in the order of its boxes.
    pub(crate) fn shapes_of(&self, pair: usize, shapes: &Shapes) -> [u32; 2] {
        [self.pairs[pair].a, self.pairs[pair].b].map(|proxy| shapes.of_proxy(proxy))
    }

    /// What was decided when two boxes began to overlap: may their shapes need a contact? `None` if
    /// they did not overlap when the pairs were last followed.
    pub(crate) fn was_admitted(&self, proxies: [u32; 2]) -> Option<bool> {
        let at = self.pairs.binary_search(&Pair::new(proxies[0], proxies[1])).ok()?;
        (self.slots[at] != NONE).then(|| self.slots[at] != IDLE)
    }

    /// Pairs of boxes that overlap.
    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// Does an entry of the list name a contact?
    #[inline]
    pub(crate) fn is_contact(slot: u32) -> bool {
        slot < FAR
    }

    /// Does an entry of the list stand for a pair without a contact that may come to need one?
    #[inline]
    pub(crate) fn is_far(slot: u32) -> bool {
        slot == FAR
    }

    /// The parts of a contact that meets in several manifolds. For others, no more than their
    /// `ContactInfo` is read.
    #[inline]
    pub(crate) fn parts_of(&self, slot: u32) -> Option<&Composite> {
        let has_parts = self.infos[slot as usize].is_composite;
        if has_parts { self.composites[slot as usize].as_deref() } else { None }
    }

    /// The points of a contact, or of one of its parts.
    pub(crate) fn manifold(&self, slot: u32, part: u16) -> &Manifold {
        let whole = &self.manifolds[slot as usize];
        let parts = self.parts_of(slot);
        parts.map_or(whole, |composite| composite.manifolds.get(usize::from(part)).unwrap_or(whole))
    }

    /// The impulses of a contact, or of one of its parts.
    pub(crate) fn impulses_of(&self, slot: u32, part: u16) -> &Impulses {
        let whole = &self.impulses[slot as usize];
        let parts = self.parts_of(slot);
        parts.map_or(whole, |composite| composite.impulses.get(usize::from(part)).unwrap_or(whole))
    }

    /// The same, to be changed.
    pub(crate) fn impulses_of_mut(&mut self, slot: u32, part: u16) -> &mut Impulses {
        match self.composites[slot as usize].as_deref_mut() {
            Some(composite) => &mut composite.impulses[usize::from(part)],
            None => &mut self.impulses[slot as usize],
        }
    }

    /// Has the contact in a slot not ended?
    pub(crate) fn is_live(&self, slot: u32) -> bool {
        self.infos[slot as usize].shapes[0] != NONE
    }

    /// The material of a shape has changed.
    pub(crate) fn remix_materials(&mut self, shape: u32, shapes: &Shapes) {
        for slot in self.slots.iter().copied().filter(|slot| Self::is_contact(*slot)) {
            let info = &mut self.infos[slot as usize];
            if info.shapes.contains(&shape) {
                let materials = info.shapes.map(|shape| shapes.rows[shape as usize].material);
                (info.friction, info.restitution) = mixed(materials);
            }
        }
    }

    /// Follows the pairs of the broad phase: contacts of pairs that are gone end.
    pub(crate) fn follow(
        &mut self,
        space: &Space<3>,
        shapes: &Shapes,
        bodies: &Bodies,
        joints: &Joints,
        filter: Option<&PairFilter>,
    ) {
        let (mut pairs, mut slots, mut bounds) = std::mem::take(&mut self.spare);
        slots.clear();
        pairs.clear();
        bounds.clear();
        pairs.extend(overlapping(space));
        let mut old = 0;
        for pair in &pairs {
            while old < self.pairs.len() && self.pairs[old] < *pair {
                self.end(self.slots[old]);
                old += 1;
            }
            let (mut slot, mut bound) = (NONE, SeparationBound::NONE);
            if old < self.pairs.len() && self.pairs[old] == *pair {
                (slot, bound) = (self.slots[old], self.separation_bounds[old]);
                old += 1;
            }
            if slot == NONE {
                (slot, bound) = admitted(pair, shapes, bodies, joints, filter);
            }
            slots.push(slot);
            bounds.push(bound);
        }
        for at in old..self.pairs.len() {
            self.end(self.slots[at]);
        }
        std::mem::swap(&mut self.slots, &mut slots);
        std::mem::swap(&mut self.pairs, &mut pairs);
        std::mem::swap(&mut self.separation_bounds, &mut bounds);
        self.spare = (pairs, slots, bounds);
        self.reorder_if_scattered();
    }

    /// Ends all contacts of a shape that goes; its box may be reused before the pairs are followed
    /// again. Calls `woken` with the bodies on the other side.
    pub(crate) fn forget_shape(&mut self, shape: u32, body: u32, mut woken: impl FnMut(u32)) {
        for at in 0..self.slots.len() {
            let slot = self.slots[at];
            if slot == NONE {
                continue;
            }
            if !Self::is_contact(slot) {
                // Whether it is one of its pairs is not known here; it costs little to look again.
                if slot == IDLE || self.separation_bounds[at].bodies.contains(&body) {
                    self.slots[at] = NONE;
                }
                continue;
            }
            let info = self.infos[slot as usize];
            if info.shapes.contains(&shape) {
                if info.is_touching {
                    info.bodies.into_iter().for_each(&mut woken);
                }
                self.end(slot);
                self.slots[at] = NONE;
            }
        }
    }

    /// Ends all contacts between two bodies that do not collide any more.
    pub(crate) fn forget_bodies(&mut self, mut bodies: [u32; 2]) {
        bodies.sort_unstable();
        for at in 0..self.slots.len() {
            let slot = self.slots[at];
            if slot >= IDLE {
                continue;
            }
            let mut on = self.separation_bounds[at].bodies;
            on.sort_unstable();
            if on == bodies {
                self.end(slot);
                self.slots[at] = NONE;
            }
        }
    }

    /// Pairs that needed no contact may need one now.
    pub(crate) fn reconsider(&mut self) {
        for slot in &mut self.slots {
            if *slot == IDLE {
                *slot = NONE;
            }
        }
    }

    /// The filter of the user decides differently now: all pairs are looked at again, and contacts
    /// that it does not admit end. Calls `woken` with the bodies of those that touched.
    pub(crate) fn refilter(
        &mut self,
        filter: Option<&PairFilter>,
        shapes: &Shapes,
        bodies: &Bodies,
        mut woken: impl FnMut([u32; 2]),
    ) {
        for at in 0..self.slots.len() {
            let slot = self.slots[at];
            if !Self::is_contact(slot) {
                self.slots[at] = NONE;
            } else if let Some(filter) = filter
                && !admits(filter, self.shapes_of(at, shapes), shapes, bodies)
            {
                let info = self.infos[slot as usize];
                if info.is_touching {
                    woken(info.bodies);
                }
                self.end(slot);
                self.slots[at] = NONE;
            }
        }
    }

    fn end(&mut self, slot: u32) {
        if Self::is_contact(slot) {
            let info = &mut self.infos[slot as usize];
            info.is_touching = false;
            self.reported[slot as usize] = ReportedContact::default();
            if std::mem::take(&mut info.is_reported) {
                self.ended.push(Ended { shapes: info.shapes, is_sensor: info.is_sensor });
            }
            info.shapes = [NONE; 2];
            self.composites[slot as usize] = None;
            self.free.push(slot);
        }
    }

    /// Begins the contact of a pair whose shapes have come near each other; returns its slot.
    pub(crate) fn begin(&mut self, pair: usize, shapes: &Shapes) -> u32 {
        let mut both = self.shapes_of(pair, shapes);
        // The smaller one second: how far it moves, seen from the larger one, decides about keeping
        // a manifold.
        if shapes.rows[both[0] as usize].extent < shapes.rows[both[1] as usize].extent {
            both.swap(0, 1);
        }
        let info = ContactInfo::between(both, shapes);
        let composite = info.is_composite.then(Box::default);
        let slot = if let Some(slot) = self.free.pop() {
            let at = slot as usize;
            self.infos[at] = info;
            self.manifolds[at].clear();
            self.impulses[at] = Impulses::default();
            self.memories[at].clear();
            self.records[at] = None;
            self.reported[at] = ReportedContact::default();
            self.composites[at] = composite;
            slot
        } else {
            self.infos.push(info);
            self.manifolds.push(Manifold::default());
            self.impulses.push(Impulses::default());
            self.memories.push(PairCache::default());
            self.records.push(None);
            self.reported.push(ReportedContact::default());
            self.composites.push(composite);
            self.infos.len() as u32 - 1
        };
        self.slots[pair] = slot;
        slot
    }

    /// Ends the contact of a pair whose shapes have gone apart; it begins anew when they meet
    /// again.
    pub(crate) fn release(&mut self, pair: usize) {
        self.end(self.slots[pair]);
        self.slots[pair] = FAR;
    }

    /// Counts the pairs of each body.
    pub(crate) fn count_neighbours(&self, bodies: &mut Bodies) {
        for state in &mut bodies.state {
            state.neighbours = 0;
        }
        for bound in self.separation_bounds.iter().filter(|bound| bound.bodies[0] != NONE) {
            for body in bound.bodies {
                let state = &mut bodies.state[body as usize];
                state.neighbours = state.neighbours.saturating_add(1);
            }
        }
    }
}

impl SeparationBound {
    /// Of a pair that needs no contact.
    const NONE: Self = Self { bodies: [NONE; 2], until: f64::NEG_INFINITY };
}

/// What a new pair begins as: may its shapes need a contact, and whose are they?
fn admitted(
    pair: &Pair,
    shapes: &Shapes,
    bodies: &Bodies,
    joints: &Joints,
    filter: Option<&PairFilter>,
) -> (u32, SeparationBound) {
    let rows = [pair.a, pair.b].map(|proxy| &shapes.rows[shapes.of_proxy(proxy) as usize]);
    let on = rows.map(|row| row.body);
    let moved = on.map(|body| bodies.state[body as usize].has(flag::DYNAMIC));
    let is_sensor = rows[0].is_sensor || rows[1].is_sensor;
    let is_held = !is_sensor && joints.forbids(bodies, on[0], on[1]);
    if !(moved[0] || moved[1] || is_sensor) || is_held {
        return (IDLE, SeparationBound::NONE);
    }
    if let Some(filter) = filter
        && !admits(filter, [pair.a, pair.b].map(|proxy| shapes.of_proxy(proxy)), shapes, bodies)
    {
        return (IDLE, SeparationBound::NONE);
    }
    (FAR, SeparationBound { bodies: on, until: f64::NEG_INFINITY })
}

/// Does the filter of the user let two shapes collide?
pub(crate) fn admits(
    filter: &PairFilter,
    shapes_of_pair: [u32; 2],
    shapes: &Shapes,
    bodies: &Bodies,
) -> bool {
    ShapePair::new(shapes_of_pair, bodies, shapes).is_none_or(|pair| filter(&pair))
}

/// Friction and restitution of two materials.
fn mixed([a, b]: [Material; 2]) -> (f32, f32) {
    (a.friction_with(&b), a.restitution_with(&b))
}
