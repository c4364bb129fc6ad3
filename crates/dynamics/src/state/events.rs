//! What happened in a step: touches that began and ended, impacts, who came into a sensor, who fell
//! asleep or woke.
//!
//! The lists are those of the last step, together with what was done by hand since the step before
//! it (a body that is removed ends its touches, a body that is pushed wakes). Each list is sorted
//! by slots and so does not depend on the broad phase. Nothing is allocated once the lists have
//! grown. Ids of what has been removed since are stale: whoever looks them up gets an error, and
//! knows.
//!
//! *Touching* is what the narrow phase measured when the step began, or an impact in its course: a
//! ball that bounces begins to touch in the step of its impact and ends in the next one, however
//! short the touch was.
//!
//! Invariants: begins and ends of a pair alternate, starting with a begin, and every begin has its
//! end in the end, also if a body is removed, teleported, or its layers change.
//!
//! Joints that broke are reported by [`World::broken_joints`](crate::World::broken_joints).

mod stored;

use carom_core::clone_fields;
use glam::{DVec3, Vec3};

use super::bodies::Bodies;
use super::contacts::Contacts;
use super::id::{BodyId, ShapeId};
use super::shapes::Shapes;

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
    /// Impulse along the normal, N s: what changes the approach by as much as it changed. That of
    /// other contacts in the same step is in it.
    pub impulse: f32,
}

/// Two shapes that press or rub each other harder than a threshold of theirs
/// ([`ShapeDef::contact_force_threshold`](crate::ShapeDef::contact_force_threshold)).
///
/// Forces are means over the step: an impact of 10 N s in a step of 1/60 s is a force of 600 N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForceEvent {
    /// The shapes.
    pub shapes: [ShapeId; 2],
    /// Their bodies.
    pub bodies: [BodyId; 2],
    /// Force on the second body, N: the sum over all contact points, friction included. Its
    /// opposite acts on the first.
    pub force: Vec3,
    /// What is compared with the threshold, N: magnitudes of the forces of all manifolds together.
    /// More than the length of `force` where a body is wedged in and manifolds push against each
    /// other.
    pub total_force: f32,
    /// Force along the normal at the point that is pressed hardest, N.
    pub strongest_force: f32,
    /// The point that is pressed hardest, half-way between the surfaces, where the bodies are after
    /// the step.
    pub point: DVec3,
    /// Unit vector from the first shape to the second at that point.
    pub normal: Vec3,
}

/// A shape that comes into a sensor or leaves it. Two sensors notice each other, each with an event
/// of its own.
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
pub(crate) struct ReportedContact {
    /// Speed of approach in the step before, which contact points made ahead may have slowed down
    /// already.
    pub(crate) approach: f32,
}

/// A contact that ended while it counted as touching: slots of its shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) shapes: [u32; 2],
    pub(crate) is_sensor: bool,
}

/// The events of a step, by kind.
#[derive(Debug, Default)]
pub struct Events {
    pub(crate) touch_begin: Vec<TouchEvent>,
    pub(crate) touch_end: Vec<TouchEvent>,
    pub(crate) hits: Vec<HitEvent>,
    pub(crate) contact_forces: Vec<ContactForceEvent>,
    pub(crate) sensor_begin: Vec<SensorEvent>,
    pub(crate) sensor_end: Vec<SensorEvent>,
    pub(crate) slept: Vec<BodyId>,
    pub(crate) woken: Vec<BodyId>,
    /// What ended between steps.
    pending: (Vec<TouchEvent>, Vec<SensorEvent>),
}

clone_fields!(Events {
    touch_begin,
    touch_end,
    hits,
    contact_forces,
    sensor_begin,
    sensor_end,
    slept,
    woken,
    pending,
});

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

    /// Touches that began faster than
    /// [`WorldDef::hit_event_threshold`](crate::WorldDef::hit_event_threshold).
    #[must_use]
    pub fn hits(&self) -> &[HitEvent] {
        &self.hits
    }

    /// Pairs that pressed or rubbed each other harder than a threshold of theirs, in every step in
    /// which they did: as long as something heavy lies on a scale, and awake. See
    /// [`ShapeDef::contact_force_threshold`](crate::ShapeDef::contact_force_threshold).
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{Cuboid, HalfSpace};
    /// let mut world = World::new(WorldDef::default());
    /// let scale = ShapeDef::new(HalfSpace).contact_force_threshold(5000.0);
    /// world.add_body(BodyDef::fixed(), [scale])?;
    /// let crate_of = |half: f32| Cuboid::cube(half).map(ShapeDef::new);
    /// world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [crate_of(0.5)?])?;
    /// world.add_body(BodyDef::dynamic().at(5.0, 0.25, 0.0), [crate_of(0.25)?])?;
    /// for _ in 0..20 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let [heavy] = world.events().contact_forces() else { panic!("one of them weighs 9810 N") };
    /// assert!((heavy.total_force / 9810.0 - 1.0).abs() < 0.01 && heavy.point.x < 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contact_forces(&self) -> &[ContactForceEvent] {
        &self.contact_forces
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
        self.contact_forces.clear();
        self.sensor_begin.clear();
        self.touch_end.clear();
        self.touch_end.append(&mut self.pending.0);
        self.sensor_end.clear();
        self.sensor_end.append(&mut self.pending.1);
        self.slept.clear();
        self.woken.clear();
    }

    /// Takes over the contacts that ended, between steps or in one, while ids of their shapes are
    /// known.
    pub(crate) fn take_ended(
        &mut self,
        contacts: &mut Contacts,
        bodies: &Bodies,
        shapes: &Shapes,
        in_step: bool,
    ) {
        for ended in contacts.ended.drain(..) {
            let Some(pair) = pair_of(ended.shapes, bodies, shapes) else { continue };
            let (active_manifolds, sensors) = if in_step {
                (&mut self.touch_end, &mut self.sensor_end)
            } else {
                (&mut self.pending.0, &mut self.pending.1)
            };
            if ended.is_sensor {
                report_sensors(&pair, ended.shapes, shapes, sensors);
            } else {
                active_manifolds.push(pair);
            }
        }
    }
}

/// Both shapes of a contact and their bodies, if they are there.
pub(crate) fn pair_of(slots: [u32; 2], bodies: &Bodies, shapes: &Shapes) -> Option<TouchEvent> {
    let [a, b] = slots.map(|slot| {
        let body = shapes.rows[slot as usize].body;
        Some((shapes.cold.id_of::<ShapeId>(slot)?, bodies.cold.id_of::<BodyId>(body)?))
    });
    let (a, b) = (a?, b?);
    Some(TouchEvent { shapes: [a.0, b.0], bodies: [a.1, b.1] })
}

/// Notes that a shape came into a sensor or left it.
pub(crate) fn report_sensors(
    pair: &TouchEvent,
    slots: [u32; 2],
    shapes: &Shapes,
    out: &mut Vec<SensorEvent>,
) {
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
