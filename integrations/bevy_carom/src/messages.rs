//! What happened in the steps of a frame, as messages. The engine lists events of its last step, so
//! they are told after each.

use bevy_ecs::prelude::*;
use carom::prelude::{BodyId, WorldError};

use crate::bodies::Physics;

/// Something that an entity asked for was refused by the engine: a body without a mass, a shape
/// with a wrong number, a `Transform` that is not finite.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Refused {
    /// Whose body it is; `None` if it was a step.
    pub entity: Option<Entity>,
    /// What was wrong.
    pub error: WorldError,
}

/// Two shapes began to touch. `None` is a body that was added by hand.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchBegan {
    /// Whose shapes they are.
    pub entities: [Option<Entity>; 2],
    /// What the engine says.
    pub event: carom::prelude::TouchEvent,
}

/// Two shapes ceased to touch, or one of them was removed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchEnded {
    /// Whose shapes they were. The entities may be despawned.
    pub entities: [Option<Entity>; 2],
    /// What the engine says.
    pub event: carom::prelude::TouchEvent,
}

/// Two shapes met faster than `WorldDef::hit_event_threshold`.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct TouchHit {
    /// Whose shapes they are.
    pub entities: [Option<Entity>; 2],
    /// What the engine says: point, normal, speed, impulse.
    pub event: carom::prelude::HitEvent,
}

/// A shape came into a sensor.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorEntered {
    /// Whose sensor it is.
    pub sensor: Option<Entity>,
    /// Who came.
    pub visitor: Option<Entity>,
    /// What the engine says.
    pub event: carom::prelude::SensorEvent,
}

/// A shape left a sensor, or one of them was removed.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorLeft {
    /// Whose sensor it is.
    pub sensor: Option<Entity>,
    /// Who left.
    pub visitor: Option<Entity>,
    /// What the engine says.
    pub event: carom::prelude::SensorEvent,
}

/// Tells the events of the last step.
pub(crate) fn tell(ecs: &mut World) {
    ecs.resource_scope(|ecs, mut physics: Mut<Physics>| {
        let entity = |body: BodyId| physics.entity(body);
        let events = physics.world.events();
        for &event in events.touch_begin() {
            ecs.write_message(TouchBegan { entities: event.bodies.map(entity), event });
        }
        for &event in events.touch_end() {
            ecs.write_message(TouchEnded { entities: event.bodies.map(entity), event });
        }
        for &event in events.hits() {
            ecs.write_message(TouchHit { entities: event.bodies.map(entity), event });
        }
        for &event in events.sensor_begin() {
            let (sensor, visitor) = (entity(event.sensor_body), entity(event.visitor_body));
            ecs.write_message(SensorEntered { sensor, visitor, event });
        }
        for &event in events.sensor_end() {
            let (sensor, visitor) = (entity(event.sensor_body), entity(event.visitor_body));
            ecs.write_message(SensorLeft { sensor, visitor, event });
        }
        physics.forget_gone();
    });
}
