//! Contact points of every pair of boxes that overlap.
//!
//! Shapes that hardly moved against each other keep their manifold, and only its separations are measured again. Contact
//! points are made for everything that could touch within the step: the margin grows with the speed at which the bodies may
//! approach, so that fast bodies are stopped at the surface and not behind it.

use carom_geometry::Pose;
use carom_narrowphase::composite::{self, Options, Sides};
use carom_narrowphase::manifold::Record;
use carom_narrowphase::pair::{self, Workspace};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, Method};

use crate::solver::body::Motion;
use crate::solver::prepare::Impulses;
use crate::world::bodies::{Bodies, State, flag};
use crate::world::contacts::{Composite, Contacts, Kept};
use crate::world::shapes::{ShapeRow, Shapes};

/// A manifold to be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Slot of the contact.
    pub(crate) contact: u32,
    /// Which of its manifolds, for composites.
    pub(crate) part: u16,
    /// Number of points.
    pub(crate) points: u16,
}

/// What the stage did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Collided {
    /// Contacts looked at.
    pub(crate) tested: u32,
    /// Manifolds that were kept.
    pub(crate) recycled: u32,
}

/// What the stage needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collide {
    pub(crate) dt: f32,
    pub(crate) margin: f32,
    pub(crate) slop: f32,
}

/// Shapes of a contact in the frame of the first.
#[inline]
fn place_of(rows: [&ShapeRow; 2], motions: [&Motion; 2]) -> Pose {
    let between = motions[0].relative(motions[1]);
    let seen = if rows[0].is_centred { between } else { rows[0].place.inverse() * between };
    if rows[1].is_centred { seen } else { seen * rows[1].place }
}

/// What to do with a manifold that was made when the shapes lay differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// They are still farther apart than anybody asks.
    Apart,
    /// Its points have only to be measured again.
    Recycle,
    /// It has to be made anew.
    Renew,
}

impl Kept {
    /// `margin` is what is asked for now, `tolerance` how far points may have moved.
    #[inline]
    fn judge(&self, place: &Pose, extent: f32, margin: f32, tolerance: f32) -> Verdict {
        let motion = self.record.motion(place, extent);
        if self.gap - motion > margin {
            Verdict::Apart
        } else if motion <= tolerance && self.margin - motion >= margin {
            Verdict::Recycle
        } else {
            Verdict::Renew
        }
    }
}

impl Collide {
    /// How far ahead contact points are sought of two bodies that may approach by `reach`. What is fast is swept against what is static
    /// when it has moved, and so nobody has to look farther than the slow do: the normal of a far point is that of the beginning
    /// of the step, and bodies would bounce off things that they pass by.
    #[inline]
    fn bounded(&self, reach: f32, states: [&State; 2], motions: [&Motion; 2]) -> f32 {
        for (mine, other) in [(0, 1), (1, 0)] {
            let thinness = states[mine].thinness();
            if reach > thinness && states[other].flags & (flag::DYNAMIC | flag::KINEMATIC) == 0 {
                let bound = self.margin + thinness * (1.0 + motions[mine].spin.length() * self.dt);
                return if reach > bound { bound } else { reach };
            }
        }
        reach
    }

    /// Updates every contact of which a body is awake, and lists those that have points.
    pub(crate) fn run(
        &self,
        bodies: &Bodies,
        shapes: &Shapes,
        contacts: &mut Contacts,
        workspace: &mut Workspace,
        touches: &mut Vec<Touch>,
    ) -> Collided {
        touches.clear();
        let mut done = Collided::default();
        let slots = contacts.take_slots();
        for slot in slots.iter().copied().filter(|slot| Contacts::is_contact(*slot)) {
            let head = contacts.heads[slot as usize];
            let states = head.bodies.map(|body| &bodies.state[body as usize]);
            if !(states[0].has(flag::AWAKE) || states[1].has(flag::AWAKE)) {
                continue;
            }
            done.tested += 1;
            let rows = head.shapes.map(|shape| &shapes.rows[shape as usize]);
            let motions = head.bodies.map(|body| &bodies.motion[body as usize]);
            let place = place_of(rows, motions);
            let approach = (motions[1].velocity - motions[0].velocity).length()
                + motions[0].spin.length() * states[0].extent
                + motions[1].spin.length() * states[1].extent;
            let reach = self.bounded(approach * self.dt, states, motions);
            let margin = if reach > self.margin { reach } else { self.margin };
            if head.is_composite {
                self.composite(slot, rows, &place, margin, contacts, touches);
                continue;
            }
            let manifold = &mut contacts.manifolds[slot as usize];
            let far = rows[0].extent + rows[1].extent + margin;
            if place.translation.length_squared() > far * far {
                manifold.clear();
                contacts.records[slot as usize] = None;
                contacts.heads[slot as usize].is_touching = false;
                continue;
            }
            // The points of round shapes wander: d along a radius r makes an error of d²/2r.
            let tolerance = if head.is_recyclable { self.margin } else { 0.1 * self.margin };
            let record = &mut contacts.records[slot as usize];
            let verdict =
                record.map_or(Verdict::Renew, |kept| kept.judge(&place, rows[1].extent, margin, tolerance));
            match verdict {
                Verdict::Apart => {
                    done.recycled += 1;
                    contacts.heads[slot as usize].is_touching = false;
                    continue;
                }
                Verdict::Recycle => {
                    manifold.refresh(&place);
                    done.recycled += 1;
                }
                Verdict::Renew => {
                    let old = *manifold;
                    // Somewhat farther than needed, so that the answer serves for a while.
                    let asked = margin + self.margin;
                    let tolerances = Tolerances { margin: asked, slop: self.slop };
                    let memory = &mut contacts.memories[slot as usize];
                    let [a, b] = rows.map(|row| &row.shape);
                    let made =
                        pair::manifold(a, b, &place, tolerances, Method::Auto, memory, workspace, manifold);
                    if made.is_err() {
                        // Two surfaces, or two half-spaces: they cannot hold each other.
                        manifold.clear();
                    }
                    let deepest = manifold.deepest();
                    let gap = if deepest < asked { deepest } else { asked };
                    *record = Some(Kept { record: Record::new(&place), margin: asked, gap });
                    carry_over(manifold, &old, &mut contacts.impulses[slot as usize]);
                }
            }
            let deepest = manifold.deepest();
            contacts.heads[slot as usize].is_touching = deepest <= self.slop;
            let points = manifold.points().len() as u16;
            if points > 0 && !head.is_sensor && deepest <= margin {
                touches.push(Touch { contact: slot, part: 0, points });
            }
        }
        contacts.give_slots(slots);
        done
    }

    fn composite(
        &self,
        slot: u32,
        rows: [&ShapeRow; 2],
        place: &Pose,
        margin: f32,
        contacts: &mut Contacts,
        touches: &mut Vec<Touch>,
    ) {
        let is_sensor = contacts.heads[slot as usize].is_sensor;
        let Some(composite) = &mut contacts.composites[slot as usize] else { return };
        let Composite { cache, manifolds, previous, impulses, previous_impulses } = &mut **composite;
        std::mem::swap(manifolds, previous);
        std::mem::swap(impulses, previous_impulses);
        let options = Options { margin, slop: self.slop, sides: Sides::Both };
        composite::contacts(&rows[0].shape, &rows[1].shape, place, &options, cache, manifolds);
        impulses.clear();
        for (part, manifold) in manifolds.iter().enumerate() {
            // The old manifold that faces most nearly the same way.
            let mut best = (0.9, None);
            for (old, known) in previous.iter().zip(&*previous_impulses) {
                let cosine = old.normal.dot(manifold.normal);
                if cosine > best.0 {
                    best = (cosine, Some((old, known)));
                }
            }
            let mut carried = Impulses::default();
            if let Some((old, known)) = best.1 {
                carried = *known;
                carry_over(manifold, old, &mut carried);
            }
            impulses.push(carried);
            if !is_sensor {
                touches.push(Touch {
                    contact: slot,
                    part: part as u16,
                    points: manifold.points().len() as u16,
                });
            }
        }
        contacts.heads[slot as usize].is_touching =
            manifolds.iter().any(|manifold| manifold.deepest() <= self.slop);
    }
}

/// Sorts the impulses of the old points to the new ones.
fn carry_over(new: &Manifold, old: &Manifold, impulses: &mut Impulses) {
    if old.is_empty() || new.is_empty() {
        *impulses = Impulses::default();
        return;
    }
    let same = new.points().len() == old.points().len()
        && new.points().iter().zip(old.points()).all(|(p, q)| p.feature == q.feature);
    if same && new.points().len() > 1 {
        return;
    }
    // Points of one shape a fifth of its contact apart are the same point; names decide first anyway.
    let matches = new.match_points(old, 0.05);
    let before = impulses.normal;
    impulses.normal = [0.0; 4];
    for (impulse, found) in impulses.normal.iter_mut().zip(matches) {
        if let Some(k) = found {
            *impulse = before[usize::from(k)];
        }
    }
}
