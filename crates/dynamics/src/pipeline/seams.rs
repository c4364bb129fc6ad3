//! Seams: contacts with edges and sides that a surface made of several shapes does not have.
//!
//! Floors are built of many static shapes, bodies of several. A shape that slides across such a
//! surface meets the side or the edge of the next shape, which is hidden by its neighbour. The
//! narrow phase sees two shapes at a time and cannot know it; here, all contacts of a shape are
//! known. Those that are [seams](carom_narrowphase::composite::seam) take no part in the step.
//!
//! Shapes of static bodies make up one surface, and so do the shapes of one body. Only shapes that
//! touch two or more shapes of one surface are looked at.

use carom_narrowphase::composite::seam::{self, Held, Holder, SeamLimits};
use carom_narrowphase::manifold::ManifoldPoint;
use glam::Vec3;

use super::narrow_phase::{deactivate, relative_pose};
use crate::state::bodies::flag;
use crate::state::contacts::{ActiveManifold, Contacts};
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::impulses::Impulses;
use crate::state::motion::Motion;
use crate::state::shapes::ShapeRow;
use crate::state::world_state::WorldState;

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seams {
    /// By slot of a shape: its last entry, or [`NONE`].
    last: Vec<u32>,
    entries: Vec<Entry>,
    /// The manifolds to be dropped, in the order in which they were found.
    dropped: Vec<Dropped>,
    /// By number of a manifold: is it to be dropped?
    is_dropped: Vec<bool>,
}

/// A manifold to be dropped.
#[derive(Clone, Copy, Debug)]
struct Dropped {
    seam: Entry,
    /// What holds the shape instead.
    beside: Entry,
}

/// A shape that touches a surface.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Number of the manifold.
    manifold: u32,
    /// Which of its shapes touches the surface that the other one belongs to.
    side: u8,
    /// The body of the surface; [`NONE`] for all static ones.
    surface: u32,
    /// The entry before this one of the same shape, or [`NONE`].
    previous: u32,
}

impl Seams {
    /// Drops the manifolds that are seams from the list of those to be solved; returns how many.
    pub(crate) fn run(&mut self, context: &StepContext<'_>, state: &mut WorldState) -> u32 {
        self.collect(state);
        self.dropped.clear();
        self.is_dropped.clear();
        self.is_dropped.resize(state.active_manifolds.len(), false);
        for at in 0..self.entries.len() {
            let mut other = self.entries[at].previous;
            while other != NONE {
                let pair = [self.entries[at], self.entries[other as usize]];
                other = pair[1].previous;
                if pair[0].surface == pair[1].surface {
                    self.compare(context, state, pair);
                }
            }
        }
        for entry in &self.entries {
            let touch = &state.active_manifolds[entry.manifold as usize];
            let shape = state.contacts.infos[touch.contact as usize].shapes[usize::from(entry.side)];
            self.last[shape as usize] = NONE;
        }
        self.drop_seams(state)
    }

    /// Lists all shapes that touch a surface.
    fn collect(&mut self, state: &WorldState) {
        let WorldState { bodies, shapes, contacts, active_manifolds, .. } = state;
        self.entries.clear();
        self.last.resize(shapes.rows.len(), NONE);
        for (number, touch) in active_manifolds.iter().enumerate() {
            let are_moved = touch.bodies.map(|body| bodies.state[body as usize].has(flag::DYNAMIC));
            for side in 0..2 {
                let body = touch.bodies[1 - side];
                let surface = if !are_moved[1 - side] {
                    NONE
                } else if touch.has_siblings[1 - side] {
                    body
                } else {
                    continue;
                };
                if !(are_moved[side] || surface != NONE) {
                    continue;
                }
                let last = &mut self.last[contacts.infos[touch.contact as usize].shapes[side] as usize];
                let entry = Entry { manifold: number as u32, side: side as u8, surface, previous: *last };
                *last = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
    }

    /// Looks whether one of two contacts of a shape is a seam beside the other; of two that cover
    /// each other the shallower one.
    fn compare(&mut self, context: &StepContext<'_>, state: &WorldState, pair: [Entry; 2]) {
        let touches = pair.map(|entry| &state.active_manifolds[entry.manifold as usize]);
        if touches[0].contact == touches[1].contact
            || pair.iter().any(|entry| self.is_dropped[entry.manifold as usize])
        {
            return;
        }
        let held = [0, 1].map(|k| held(state, touches[k], usize::from(pair[k].side)));
        let order = if held[0].depth <= held[1].depth { [0, 1] } else { [1, 0] };
        let radius = {
            let info = &state.contacts.infos[touches[0].contact as usize];
            let extents = info.shapes.map(|shape| state.shapes.rows[shape as usize].extent);
            if extents[0] < extents[1] { extents[0] } else { extents[1] }
        };
        let (speculative_distance, slop) = (context.settings.speculative_distance, context.settings.slop);
        let limits = SeamLimits { radius, speculative_distance, slop };
        for [seam, beside] in [order, [order[1], order[0]]] {
            if limits.is_seam(&held[seam], &held[beside])
                && is_hidden(
                    state,
                    [touches[seam], touches[beside]],
                    [pair[seam], pair[beside]],
                    [&held[seam], &held[beside]],
                    slop,
                    |motion, row, opening| self.is_filled(state, pair[seam], (row, motion), opening, slop),
                )
            {
                self.dropped.push(Dropped { seam: pair[seam], beside: pair[beside] });
                self.is_dropped[pair[seam].manifold as usize] = true;
                return;
            }
        }
    }

    /// Does any shape of a surface that a shape touches fill an opening, given in the frame of one
    /// of them?
    fn is_filled(
        &self,
        state: &WorldState,
        of: Entry,
        (row, motion): (&ShapeRow, &Motion),
        opening: Vec3,
        gap: f32,
    ) -> bool {
        let touch = &state.active_manifolds[of.manifold as usize];
        let shape = state.contacts.infos[touch.contact as usize].shapes[usize::from(of.side)];
        let mut at = self.last[shape as usize];
        while at != NONE {
            let entry = self.entries[at as usize];
            at = entry.previous;
            if entry.surface == of.surface {
                let touch = &state.active_manifolds[entry.manifold as usize];
                let (other, other_motion) = surface_of(state, touch, entry);
                let pose = relative_pose([other, row], [other_motion, motion]);
                if seam::fills(&other.shape, pose.apply(opening), gap) {
                    return true;
                }
            }
        }
        false
    }

    fn drop_seams(&mut self, state: &mut WorldState) -> u32 {
        if self.dropped.is_empty() {
            return 0;
        }
        for dropped in &self.dropped {
            hand_over(state, dropped);
        }
        self.dropped.sort_unstable_by_key(|dropped| dropped.seam.manifold);
        let WorldState { contacts, active_manifolds, .. } = state;
        for dropped in &self.dropped {
            forget(contacts, &active_manifolds[dropped.seam.manifold as usize]);
        }
        let mut number = 0;
        active_manifolds.retain(|_| {
            number += 1;
            !self.is_dropped[number - 1]
        });
        self.dropped.len() as u32
    }
}

/// What a seam carried, if it was none in the last step, is carried by the contact beside it: two
/// shapes that hold a body at one place may take turns.
fn hand_over(state: &mut WorldState, Dropped { seam, beside }: &Dropped) {
    let touches = [seam, beside].map(|entry| state.active_manifolds[entry.manifold as usize]);
    let carried = *state.contacts.impulses_of(touches[0].contact, touches[0].part);
    let held = [(0, seam), (1, beside)].map(|(k, entry)| held(state, &touches[k], usize::from(entry.side)));
    let impulses = state.contacts.impulses_of_mut(touches[1].contact, touches[1].part);
    for (point, impulse) in held[0].points().iter().zip(carried.normal).filter(|(_, impulse)| *impulse > 0.0)
    {
        let away = |k: &usize| (held[1].points()[*k] - *point).length_squared();
        if let Some(nearest) = (0..held[1].count).min_by(|k, l| away(k).total_cmp(&away(l))) {
            impulses.normal[nearest] += impulse;
        }
    }
    // Friction is that on the second shape.
    let is_same = seam.side == beside.side;
    impulses.friction += if is_same { carried.friction } else { -carried.friction };
}

/// A contact that is not solved carries nothing.
fn forget(contacts: &mut Contacts, touch: &ActiveManifold) {
    let slot = touch.contact as usize;
    match contacts.composites[slot].as_deref_mut() {
        Some(composite) => composite.impulses[usize::from(touch.part)] = Impulses::default(),
        None => {
            deactivate(&mut contacts.infos[slot], &mut contacts.impulses[slot]);
            contacts.noticed.push(touch.contact);
        }
    }
}

/// A contact as seen from one of its shapes: points in its frame, the normal in world axes.
fn held(state: &WorldState, touch: &ActiveManifold, side: usize) -> Held {
    let info = &state.contacts.infos[touch.contact as usize];
    let mut held = Held::new(state.contacts.manifold(touch.contact, touch.part), side);
    let frame = state.shapes.rows[info.shapes[0] as usize].local_pose.rotation;
    let normal = state.bodies.motion[info.bodies[0] as usize].rotation.rotate(frame.rotate(held.normal));
    held.normal = if side == 1 { normal } else { -normal };
    held
}

/// Does the shape beside a contact hide all of its points? `is_filled` tells whether any shape of
/// the surface fills an opening of their corner.
fn is_hidden(
    state: &WorldState,
    touches: [&ActiveManifold; 2],
    entries: [Entry; 2],
    helds: [&Held; 2],
    gap: f32,
    is_filled: impl Fn(&Motion, &ShapeRow, Vec3) -> bool,
) -> bool {
    let [(row, motion), (row_beside, motion_beside)] =
        [0, 1].map(|k| surface_of(state, touches[k], entries[k]));
    // The frame of the shape that may be a seam, in that of the one beside it.
    let pose = relative_pose([row_beside, row], [motion_beside, motion]);
    let [own, beside] = [(row, motion), (row_beside, motion_beside)].map(|(row, motion)| {
        let [seam, beside] =
            helds.map(|held| row.local_pose.rotation.rotate_back(motion.rotation.rotate_back(held.normal)));
        Holder { shape: &row.shape, seam, beside }
    });
    let on_own = |point: &ManifoldPoint| if entries[0].side == 1 { point.on_a } else { point.on_b };
    let manifold = state.contacts.manifold(touches[0].contact, touches[0].part);
    manifold.points().iter().map(on_own).all(|point| {
        beside.hides(pose.apply(point), gap)
            && own
                .opening(point, beside.depth_of(pose.apply(point), helds[1].depth), gap)
                .is_none_or(|opening| is_filled(motion, row, opening))
    })
}

/// The shape of the surface that a shape touches, and the motion of its body.
fn surface_of<'a>(state: &'a WorldState, touch: &ActiveManifold, entry: Entry) -> (&'a ShapeRow, &'a Motion) {
    let (info, side) = (&state.contacts.infos[touch.contact as usize], 1 - usize::from(entry.side));
    (&state.shapes.rows[info.shapes[side] as usize], &state.bodies.motion[info.bodies[side] as usize])
}
