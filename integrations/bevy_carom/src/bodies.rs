//! Components that describe bodies, and the systems that make, change and remove those of the
//! engine after them.
//!
//! Bodies are made in the order of their entities, not of archetypes, so that equal programs give
//! equal worlds.

use std::collections::BTreeMap;

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use carom::prelude::{BodyDef, BodyId, ShapeDef, WorldError};

use crate::messages::Refused;
use crate::transforms::{Shown, pose_of};

/// A body to be. Insert it with a `Transform`, which says where the body is, and [`Shapes`]; remove
/// it, or despawn the entity, and the body is gone. Changes of it after that do nothing: use
/// [`Physics`] and [`BodyHandle`].
#[derive(Component, Clone, Debug)]
pub struct Body(pub BodyDef);

/// What a body is made of. When it changes, the shapes of the body are replaced.
#[derive(Component, Clone, Debug, Default)]
pub struct Shapes(pub Vec<ShapeDef>);

/// The body of an entity, once it has been made.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyHandle(pub BodyId);

/// The world of the engine.
#[derive(Resource)]
pub struct Physics {
    /// Joints, queries, forces, settings: all that the engine can do. Bodies that are added here
    /// belong to no entity.
    pub world: carom::prelude::World,
    body_of: BTreeMap<Entity, BodyId>,
    entity_of: BTreeMap<BodyId, Entity>,
    /// Bodies that are gone, but whose last events have not been told yet.
    gone: Vec<BodyId>,
}

impl Physics {
    pub(crate) fn new(world: carom::prelude::World) -> Self {
        Self { world, body_of: BTreeMap::new(), entity_of: BTreeMap::new(), gone: Vec::new() }
    }

    /// The body of an entity.
    #[must_use]
    pub fn body(&self, entity: Entity) -> Option<BodyId> {
        self.body_of.get(&entity).copied()
    }

    /// The entity of a body; `None` for bodies that were added by hand.
    #[must_use]
    pub fn entity(&self, body: BodyId) -> Option<Entity> {
        self.entity_of.get(&body).copied()
    }

    /// Forgets bodies whose last events have been told.
    pub(crate) fn forget_gone(&mut self) {
        for body in self.gone.drain(..) {
            self.entity_of.remove(&body);
        }
    }

    fn insert(&mut self, entity: Entity, body: BodyId) {
        self.body_of.insert(entity, body);
        self.entity_of.insert(body, entity);
    }

    fn remove(&mut self, entity: Entity) {
        let Some(body) = self.body_of.remove(&entity) else { return };
        // It may have been removed by hand.
        if self.world.remove_body(body).is_ok() {
            self.gone.push(body);
        } else {
            self.entity_of.remove(&body);
        }
    }

    fn replace_shapes(&mut self, body: BodyId, shapes: &[ShapeDef]) -> Result<(), WorldError> {
        let old: Vec<_> = self.world.body(body)?.shapes().collect();
        for def in shapes {
            self.world.add_shape(body, def)?;
        }
        for shape in old {
            self.world.remove_shape(shape)?;
        }
        Ok(())
    }
}

/// Removes the bodies of entities that are gone or are no bodies any more.
pub(crate) fn remove_bodies(
    mut removed: RemovedComponents<Body>,
    mut physics: ResMut<Physics>,
    mut commands: Commands,
) {
    for entity in removed.read() {
        physics.remove(entity);
        if let Ok(mut entity) = commands.get_entity(entity) {
            entity.try_remove::<(BodyHandle, Shown)>();
        }
    }
}

type NewBody = (Entity, &'static Body, Option<&'static Shapes>, Option<&'static Transform>);

/// Makes the bodies of new entities.
pub(crate) fn make_bodies(
    new: Query<NewBody, Added<Body>>,
    mut physics: ResMut<Physics>,
    mut refused: MessageWriter<Refused>,
    mut commands: Commands,
) {
    let mut new: Vec<_> = new.iter().collect();
    new.sort_unstable_by_key(|(entity, ..)| *entity);
    for (entity, Body(def), shapes, transform) in new {
        if physics.body(entity).is_some() {
            continue; // overwritten, not removed and inserted again
        }
        let mut def = def.clone();
        if let Some(transform) = transform {
            (def.position, def.rotation) = pose_of(transform);
        }
        let shapes = shapes.map_or_else(Vec::new, |shapes| shapes.0.clone());
        match physics.world.add_body(def, shapes) {
            Ok(body) => {
                physics.insert(entity, body);
                let shown = Shown::new(transform.copied().unwrap_or_default());
                commands.entity(entity).try_insert((BodyHandle(body), shown));
            }
            Err(error) => {
                refused.write(Refused { entity: Some(entity), error });
            }
        }
    }
}

/// Gives bodies the shapes that their entities have now.
pub(crate) fn change_shapes(
    changed: Query<(Entity, &Shapes, &BodyHandle), Changed<Shapes>>,
    mut physics: ResMut<Physics>,
    mut refused: MessageWriter<Refused>,
) {
    let mut changed: Vec<_> = changed.iter().collect();
    changed.sort_unstable_by_key(|(entity, ..)| *entity);
    for (entity, Shapes(shapes), BodyHandle(body)) in changed {
        if let Err(error) = physics.replace_shapes(*body, shapes) {
            refused.write(Refused { entity: Some(entity), error });
        }
    }
}
