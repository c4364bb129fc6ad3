//! What happened in a step: touches that began and ended, impacts, who came into a sensor, who fell asleep or woke.
//!
//! The lists are those of the last step, together with what was done by hand since the step before it (a body that is removed ends its
//! touches, a body that is pushed wakes). Each list is sorted by slots and so does not depend on the broad phase. Nothing is allocated
//! once the lists have grown. Ids of what has been removed since are stale: whoever looks them up gets an error, and knows.
//!
//! *Touching* is what the narrow phase measured when the step began, or an impact in its course: a ball that bounces begins to touch in the
//! step of its impact and ends in the next one, however short the touch was.
//!
//! Invariants: begins and ends of a pair alternate, starting with a begin, and every begin has its end in the end, also if a body is
//! removed, teleported, or its layers change.
//!
//! Joints that broke are told by [`World::broken_joints`](super::World::broken_joints).

mod stored;

use glam::{DVec3, Vec3};

use super::bodies::{Bodies, flag};
use super::contacts::Contacts;
use super::id::{BodyId, ShapeId};
use super::shapes::Shapes;
use crate::state::contacts::Touch;
use crate::state::motion::Motion;

/// Two shapes that begin or cease to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchEvent {
    /// The shapes.
    pub shapes: [ShapeId; 2],
    /// Their bodies.
    pub bodies: [BodyId; 2],
}

/// Two shapes that begin to touch at some speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitEvent {
    /// The shapes.
    pub shapes: [ShapeId; 2],
    /// Their bodies.
    pub bodies: [BodyId; 2],
    /// Where they met: the deepest contact point, as the bodies lay before the step.
    pub point: DVec3,
    /// Unit vector from the first shape to the second.
    pub normal: Vec3,
    /// How fast they approached each other there, m/s.
    pub approach: f32,
    /// Impulse along the normal, N s: what changes the approach by as much as it changed. That of other contacts in the same step is in it.
    pub impulse: f32,
}

/// A shape that comes into a sensor or leaves it. Two sensors notice each other, each with an event of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEvent {
    /// The sensor.
    pub sensor: ShapeId,
    /// The shape that comes or goes.
    pub visitor: ShapeId,
    /// The body of the sensor.
    pub sensor_body: BodyId,
    /// The body of the visitor.
    pub visitor_body: BodyId,
}

/// What is remembered of a contact for the sake of events.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// The begin of the touch was told, and its end was not.
    pub(crate) is_told: bool,
    /// Speed of approach in the step before, which contact points made ahead may have slowed down already.
    approach: f32,
}

/// A contact that ended while it counted as touching: slots of its shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) shapes: [u32; 2],
    pub(crate) is_sensor: bool,
}

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

/// The events of a step, by kind.
#[derive(Clone, Debug, Default)]
pub struct Events {
    touch_begin: Vec<TouchEvent>,
    touch_end: Vec<TouchEvent>,
    hits: Vec<HitEvent>,
    sensor_begin: Vec<SensorEvent>,
    sensor_end: Vec<SensorEvent>,
    slept: Vec<BodyId>,
    woken: Vec<BodyId>,
    /// What ended between steps.
    pending: (Vec<TouchEvent>, Vec<SensorEvent>),
    candidates: Vec<Candidate>,
}

impl Events {
    /// Pairs that began to touch.
    #[must_use]
    pub fn touch_begin(&self) -> &[TouchEvent] {
        &self.touch_begin
    }

    /// Pairs that ceased to touch.
    #[must_use]
    pub fn touch_end(&self) -> &[TouchEvent] {
        &self.touch_end
    }

    /// Touches that began faster than [`WorldDef::hit_speed`](crate::WorldDef::hit_speed).
    #[must_use]
    pub fn hits(&self) -> &[HitEvent] {
        &self.hits
    }

    /// Shapes that came into a sensor.
    #[must_use]
    pub fn sensor_begin(&self) -> &[SensorEvent] {
        &self.sensor_begin
    }

    /// Shapes that left a sensor.
    #[must_use]
    pub fn sensor_end(&self) -> &[SensorEvent] {
        &self.sensor_end
    }

    /// Bodies that fell asleep.
    #[must_use]
    pub fn slept(&self) -> &[BodyId] {
        &self.slept
    }

    /// Bodies that woke.
    #[must_use]
    pub fn woken(&self) -> &[BodyId] {
        &self.woken
    }

    /// A step begins.
    pub(crate) fn start(&mut self) {
        self.touch_begin.clear();
        self.hits.clear();
        self.sensor_begin.clear();
        self.touch_end.clear();
        self.touch_end.append(&mut self.pending.0);
        self.sensor_end.clear();
        self.sensor_end.append(&mut self.pending.1);
        self.slept.clear();
        self.woken.clear();
        self.candidates.clear();
    }

    /// Takes over the contacts that ended, between steps or in one, while ids of their shapes are known.
    pub(crate) fn take_ended(
        &mut self,
        contacts: &mut Contacts,
        bodies: &Bodies,
        shapes: &Shapes,
        in_step: bool,
    ) {
        for ended in contacts.ended.drain(..) {
            let Some(pair) = pair_of(ended.shapes, bodies, shapes) else { continue };
            let (touches, sensors) = if in_step {
                (&mut self.touch_end, &mut self.sensor_end)
            } else {
                (&mut self.pending.0, &mut self.pending.1)
            };
            if ended.is_sensor {
                tell_sensors(&pair, ended.shapes, shapes, sensors);
            } else {
                touches.push(pair);
            }
        }
    }

    /// When the narrow phase has measured and nothing has moved: who touches now and did not, and the other way round.
    pub(crate) fn notice(
        &mut self,
        touches: &[Touch],
        contacts: &mut Contacts,
        bodies: &Bodies,
        shapes: &Shapes,
    ) {
        let slots = contacts.take_slots();
        for slot in slots.iter().copied().filter(|slot| Contacts::is_contact(*slot)) {
            let (head, told) = (&contacts.heads[slot as usize], &mut contacts.told[slot as usize]);
            if head.is_touching == told.is_told {
                continue;
            }
            if head.is_touching && !head.is_sensor {
                // Told when its impact is known.
                continue;
            }
            told.is_told = head.is_touching;
            let Some(pair) = pair_of(head.shapes, bodies, shapes) else { continue };
            match (head.is_sensor, head.is_touching) {
                (true, true) => tell_sensors(&pair, head.shapes, shapes, &mut self.sensor_begin),
                (true, false) => tell_sensors(&pair, head.shapes, shapes, &mut self.sensor_end),
                _ => self.touch_end.push(pair),
            }
        }
        contacts.give_slots(slots);
        for touch in touches {
            let slot = touch.contact as usize;
            if !contacts.told[slot].is_told {
                self.consider(touch, contacts, bodies, shapes);
            }
        }
    }

    fn consider(&mut self, touch: &Touch, contacts: &Contacts, bodies: &Bodies, shapes: &Shapes) {
        let head = &contacts.heads[touch.contact as usize];
        let manifold = contacts.manifold(touch.contact, touch.part);
        let deepest = manifold.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation));
        let Some(point) = deepest else { return };
        let rows = head.shapes.map(|shape| &shapes.rows[shape as usize]);
        let motions = head.bodies.map(|body| &bodies.motion[body as usize]);
        let arms = [(0, point.on_a), (1, point.on_b)]
            .map(|(side, at)| motions[side].rotation.rotate(rows[side].place.apply(at)));
        let normal = motions[0].rotation.rotate(rows[0].place.rotation.rotate(manifold.normal));
        let approach = -separating(motions, arms, normal);
        let candidate = Candidate {
            contact: touch.contact,
            point: motions[0].position + arms[0].as_dvec3(),
            arms,
            normal,
            separation: point.separation,
            approach,
            is_begun: head.is_touching,
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
    pub(crate) fn settle(
        &mut self,
        dt: f32,
        hit_speed: f32,
        slop: f32,
        contacts: &mut Contacts,
        bodies: &Bodies,
        shapes: &Shapes,
    ) {
        for candidate in &self.candidates {
            let head = &contacts.heads[candidate.contact as usize];
            let told = &mut contacts.told[candidate.contact as usize];
            let motions = head.bodies.map(|body| &bodies.motion[body as usize]);
            let approach =
                if told.approach > candidate.approach { told.approach } else { candidate.approach };
            let change = approach + separating(motions, candidate.arms, candidate.normal);
            // What would have come through and hardly approaches any more has met; what is only slowed down meets in the next step.
            let has_met = candidate.approach > 0.0
                && candidate.separation - candidate.approach * dt <= slop
                && change >= 0.9 * approach;
            told.approach = candidate.approach;
            if !(candidate.is_begun || has_met) {
                continue;
            }
            *told = Told { is_told: true, approach: 0.0 };
            let Some(pair) = pair_of(head.shapes, bodies, shapes) else { continue };
            self.touch_begin.push(pair);
            if approach >= hit_speed {
                let inverse: f32 = (0..2)
                    .map(|side| {
                        let mass = &bodies.mass[head.bodies[side] as usize];
                        let turn = candidate.arms[side].cross(candidate.normal);
                        let turn = motions[side].rotation.rotate_back(turn) * mass.root_inertia;
                        mass.root_mass * mass.root_mass + turn.length_squared()
                    })
                    .sum();
                self.hits.push(HitEvent {
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

    /// At the end of a step: who fell asleep or woke since the last one, and everything in order.
    pub(crate) fn finish(&mut self, bodies: &mut Bodies) {
        let changes = &mut bodies.changes;
        // Of a body that went to and fro the first change counts: it tells what the body was.
        changes.sort_unstable_by_key(|change| (change.body.index(), change.body.to_bits(), change.number));
        changes.dedup_by_key(|change| change.body);
        for change in changes.iter() {
            let Some(slot) = bodies.cold.slot_of(change.body) else { continue };
            match (change.was_awake, bodies.state[slot as usize].has(flag::AWAKE)) {
                (true, false) => self.slept.push(change.body),
                (false, true) => self.woken.push(change.body),
                _ => {}
            }
        }
        let key = |shapes: &[ShapeId; 2]| (shapes[0].index(), shapes[1].index());
        self.touch_begin.sort_unstable_by_key(|event| key(&event.shapes));
        self.touch_end.sort_unstable_by_key(|event| key(&event.shapes));
        self.hits.sort_unstable_by_key(|event| key(&event.shapes));
        for list in [&mut self.sensor_begin, &mut self.sensor_end] {
            list.sort_unstable_by_key(|event| key(&[event.sensor, event.visitor]));
        }
    }
}

/// How fast two points go apart along a normal.
fn separating(motions: [&Motion; 2], arms: [Vec3; 2], normal: Vec3) -> f32 {
    let [a, b] = [0, 1].map(|side| motions[side].velocity + motions[side].spin.cross(arms[side]));
    (b - a).dot(normal)
}

fn pair_of(slots: [u32; 2], bodies: &Bodies, shapes: &Shapes) -> Option<TouchEvent> {
    let [a, b] = slots.map(|slot| {
        let body = shapes.rows[slot as usize].body;
        Some((shapes.cold.id_of::<ShapeId>(slot)?, bodies.cold.id_of::<BodyId>(body)?))
    });
    let (a, b) = (a?, b?);
    Some(TouchEvent { shapes: [a.0, b.0], bodies: [a.1, b.1] })
}

fn tell_sensors(pair: &TouchEvent, slots: [u32; 2], shapes: &Shapes, out: &mut Vec<SensorEvent>) {
    for (side, other) in [(0, 1), (1, 0)] {
        if shapes.rows[slots[side] as usize].is_sensor {
            out.push(SensorEvent {
                sensor: pair.shapes[side],
                visitor: pair.shapes[other],
                sensor_body: pair.bodies[side],
                visitor_body: pair.bodies[other],
            });
        }
    }
}
