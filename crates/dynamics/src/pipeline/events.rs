//! Events of a step: who began or ceased to touch, how hard, who came into a sensor, who fell
//! asleep.
//!
//! Contacts are looked at twice: when the narrow phase has measured and nothing has moved, and when
//! all bodies have moved. What the lists mean is said in [`crate::state::events`].

use carom_core::prefetch::prefetch_at;
use glam::{DVec3, Vec3};

use crate::state::bodies::{Bodies, flag};
use crate::state::contacts::{ActiveManifold, Contacts};
use crate::state::context::StepContext;
use crate::state::events::{HitEvent, pair_of, report_sensors};
use crate::state::id::ShapeId;
use crate::state::motion::Motion;
use crate::state::shapes::Shapes;
use crate::state::world_state::WorldState;

/// Contacts that memory is asked for ahead of the one at hand.
const AHEAD: usize = 8;

/// A contact that may begin to touch in the course of a step.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    contact: u32,
    /// Where the point of the first shape is.
    point: DVec3,
    /// Both points, relative to the centres of mass of their bodies.
    arms: [Vec3; 2],
    normal: Vec3,
    separation: f32,
    approach: f32,
    /// It touched at the beginning of the step.
    is_begun: bool,
}

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactEvents {
    candidates: Vec<Candidate>,
}

impl ContactEvents {
    /// When the narrow phase has measured and nothing has moved: who touches now and did not, and
    /// the other way round.
    pub(crate) fn notice(&mut self, state: &mut WorldState) {
        let WorldState { bodies, shapes, contacts, active_manifolds, events, .. } = state;
        self.candidates.clear();
        for at in 0..contacts.noticed.len() {
            let slot = contacts.noticed[at] as usize;
            let info = &mut contacts.infos[slot];
            if info.is_touching == info.is_reported || info.is_touching && !info.is_sensor {
                // As it was, or reported when its impact is known.
                continue;
            }
            info.is_reported = info.is_touching;
            let Some(pair) = pair_of(info.shapes, bodies, shapes) else { continue };
            match (info.is_sensor, info.is_touching) {
                (true, true) => report_sensors(&pair, info.shapes, shapes, &mut events.sensor_begin),
                (true, false) => report_sensors(&pair, info.shapes, shapes, &mut events.sensor_end),
                _ => events.touch_end.push(pair),
            }
        }
        for (at, touch) in active_manifolds.iter().enumerate() {
            if let Some(next) = active_manifolds.get(at + AHEAD)
                && !next.is_known.0
            {
                prefetch_at(&contacts.infos, next.contact);
                prefetch_at(&contacts.reported, next.contact);
                if next.wakes {
                    prefetch_at(&contacts.manifolds, next.contact);
                }
            }
            let slot = touch.contact as usize;
            // Most touches are known, and nothing else is read of them.
            if touch.is_known.0 || contacts.infos[slot].is_reported {
                continue;
            }
            if touch.wakes {
                self.consider(touch, contacts, bodies, shapes);
            } else if touch.part == 0 {
                // Too far apart to meet in this step, and so not slowed down either.
                contacts.reported[slot].approach = 0.0;
            }
        }
    }

    fn consider(&mut self, touch: &ActiveManifold, contacts: &Contacts, bodies: &Bodies, shapes: &Shapes) {
        let info = &contacts.infos[touch.contact as usize];
        let manifold = contacts.manifold(touch.contact, touch.part);
        let deepest = manifold.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation));
        let Some(point) = deepest else { return };
        let rows = info.shapes.map(|shape| &shapes.rows[shape as usize]);
        let motions = info.bodies.map(|body| &bodies.motion[body as usize]);
        let arms = [(0, point.on_a), (1, point.on_b)]
            .map(|(side, at)| motions[side].rotation.rotate(rows[side].local_pose.apply(at)));
        let normal = motions[0].rotation.rotate(rows[0].local_pose.rotation.rotate(manifold.normal));
        let approach = -separating(motions, arms, normal);
        let candidate = Candidate {
            contact: touch.contact,
            point: motions[0].position + arms[0].as_dvec3(),
            arms,
            normal,
            separation: point.separation,
            approach,
            is_begun: info.is_touching,
        };
        match self.candidates.last_mut() {
            // Another part of the same contact: the one that is met harder stands for both.
            Some(last) if last.contact == touch.contact => {
                if approach > last.approach {
                    *last = candidate;
                }
            }
            _ => self.candidates.push(candidate),
        }
    }

    /// When all bodies have moved: which contacts were met in the course of the step, and how hard.
    pub(crate) fn settle(&self, context: &StepContext<'_>, state: &mut WorldState) {
        let WorldState { bodies, shapes, contacts, events, .. } = state;
        let (dt, slop, hit_event_threshold) =
            (context.dt, context.settings.slop, context.settings.hit_event_threshold);
        for (at, candidate) in self.candidates.iter().enumerate() {
            if let Some(next) = self.candidates.get(at + AHEAD) {
                prefetch_at(&contacts.infos, next.contact);
                prefetch_at(&contacts.reported, next.contact);
            }
            let info = &mut contacts.infos[candidate.contact as usize];
            let reported = &mut contacts.reported[candidate.contact as usize];
            let motions = info.bodies.map(|body| &bodies.motion[body as usize]);
            let approach =
                if reported.approach > candidate.approach { reported.approach } else { candidate.approach };
            let change = approach + separating(motions, candidate.arms, candidate.normal);
            // What would have come through and hardly approaches any more has met; what is only
            // slowed down meets in the next step.
            let has_met = candidate.approach > 0.0
                && candidate.separation - candidate.approach * dt <= slop
                && change >= 0.9 * approach;
            reported.approach = candidate.approach;
            if !(candidate.is_begun || has_met) {
                continue;
            }
            info.is_reported = true;
            reported.approach = 0.0;
            let Some(pair) = pair_of(info.shapes, bodies, shapes) else { continue };
            events.touch_begin.push(pair);
            if approach >= hit_event_threshold {
                let inverse: f32 = (0..2)
                    .map(|side| {
                        let mass = &bodies.mass[info.bodies[side] as usize];
                        let turn = candidate.arms[side].cross(candidate.normal);
                        let turn = motions[side].rotation.rotate_back(turn) * mass.root_inertia;
                        mass.root_mass * mass.root_mass + turn.length_squared()
                    })
                    .sum();
                events.hits.push(HitEvent {
                    shapes: pair.shapes,
                    bodies: pair.bodies,
                    point: candidate.point,
                    normal: candidate.normal,
                    approach,
                    impulse: if inverse > 0.0 && change > 0.0 { change / inverse } else { 0.0 },
                });
            }
        }
    }
}

/// At the end of a step: who fell asleep or woke since the last one, and everything in order.
pub(crate) fn finish(state: &mut WorldState) {
    let WorldState { bodies, events, .. } = state;
    let changes = &mut bodies.changes;
    // Of a body that went to and fro the first change counts: it tells what the body was.
    changes.sort_unstable_by_key(|change| (change.body.index(), change.body.to_bits(), change.number));
    changes.dedup_by_key(|change| change.body);
    for change in changes.iter() {
        let Some(slot) = bodies.cold.slot_of(change.body) else { continue };
        match (change.was_awake, bodies.state[slot as usize].has(flag::AWAKE)) {
            (true, false) => events.slept.push(change.body),
            (false, true) => events.woken.push(change.body),
            _ => {}
        }
    }
    let key = |shapes: &[ShapeId; 2]| (shapes[0].index(), shapes[1].index());
    events.touch_begin.sort_unstable_by_key(|event| key(&event.shapes));
    events.touch_end.sort_unstable_by_key(|event| key(&event.shapes));
    events.hits.sort_unstable_by_key(|event| key(&event.shapes));
    events.contact_forces.sort_unstable_by_key(|event| key(&event.shapes));
    for list in [&mut events.sensor_begin, &mut events.sensor_end] {
        list.sort_unstable_by_key(|event| key(&[event.sensor, event.visitor]));
    }
}

/// How fast two points go apart along a normal.
fn separating(motions: [&Motion; 2], arms: [Vec3; 2], normal: Vec3) -> f32 {
    let [a, b] = [0, 1].map(|side| motions[side].velocity + motions[side].angular_velocity.cross(arms[side]));
    (b - a).dot(normal)
}
