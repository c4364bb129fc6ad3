//! Between `Transform`s and bodies. Who wrote a `Transform` last is told by comparing it with what
//! was shown: change detection alone cannot tell our own writes from those of the program.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use carom::prelude::{BodyKind, DVec3, Rotation, WorldError};

use crate::bodies::{BodyHandle, Physics};
use crate::messages::Refused;
use crate::plugin::Clock;

/// What an entity was shown as.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Shown {
    translation: Vec3,
    rotation: Quat,
    /// A kinematic body that follows its `Transform`, so that it must not be written.
    is_driven: bool,
}

impl Shown {
    pub(crate) fn new(transform: Transform) -> Self {
        Self { translation: transform.translation, rotation: transform.rotation, is_driven: false }
    }
}

/// Place and rotation in the types of the engine.
pub(crate) fn pose_of(transform: &Transform) -> (DVec3, Rotation) {
    let [x, y, z] = transform.translation.to_array();
    // A rotation of length 0 names none; the engine is not asked to guess.
    let rotation = Rotation::from_xyzw(transform.rotation.to_array()).unwrap_or(Rotation::IDENTITY);
    (DVec3::new(x.into(), y.into(), z.into()), rotation)
}

type Moved = (Entity, &'static Transform, &'static BodyHandle, &'static mut Shown);

/// Takes over `Transform`s that the program has changed: targets of kinematic bodies, teleports of
/// the others.
pub(crate) fn read_transforms(
    mut changed: Query<Moved, Changed<Transform>>,
    mut physics: ResMut<Physics>,
    mut refused: MessageWriter<Refused>,
) {
    let mut changed: Vec<_> = changed.iter_mut().collect();
    changed.sort_unstable_by_key(|(entity, ..)| *entity);
    for (entity, transform, BodyHandle(body), mut shown) in changed {
        if (transform.translation, transform.rotation) == (shown.translation, shown.rotation) {
            continue;
        }
        let (position, rotation) = pose_of(transform);
        let result = physics.world.body_mut(*body).and_then(|mut body| {
            let is_driven = body.view().kind() == BodyKind::Kinematic;
            if is_driven {
                body.set_kinematic_target(position, rotation)?;
            } else {
                body.set_pose(position, rotation)?;
            }
            Ok::<_, WorldError>(is_driven)
        });
        match result {
            Ok(is_driven) => *shown = Shown { is_driven, ..Shown::new(*transform) },
            Err(error) => {
                refused.write(Refused { entity: Some(entity), error });
            }
        }
    }
}

/// Shows bodies between their last two steps.
pub(crate) fn write_transforms(
    clock: Res<Clock>,
    physics: Res<Physics>,
    mut shown: Query<(&BodyHandle, &mut Transform, &mut Shown)>,
) {
    for (BodyHandle(body), mut transform, mut shown) in &mut shown {
        let Ok(body) = physics.world.body(*body) else { continue };
        if shown.is_driven {
            continue;
        }
        let (position, rotation) = clock.fixed.pose(body);
        let place = Vec3::from_array(position.as_vec3().to_array());
        let rotation = Quat::from_array(rotation.to_xyzw());
        // Nothing is marked as changed that stayed where it was.
        if (place, rotation) != (shown.translation, shown.rotation) {
            (transform.translation, transform.rotation) = (place, rotation);
            (shown.translation, shown.rotation) = (place, rotation);
        }
    }
}
