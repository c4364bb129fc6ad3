//! When things are done: once a frame, in `PostUpdate`, before transforms are propagated. The world
//! steps as often as the time of the frame has room for, and [`BeforeStep`] runs before each step.

use std::mem::swap;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_time::Time;
use bevy_transform::TransformSystems;
use carom::prelude::{FixedStep, WorldDef, WorldError};

use crate::bodies::{Physics, change_shapes, make_bodies, remove_bodies};
use crate::messages::{Refused, SensorEntered, SensorLeft, TouchBegan, TouchEnded, TouchHit, tell};
use crate::transforms::{read_transforms, write_transforms};

/// The schedule that runs before every step of the world: what pushes and steers bodies, through
/// [`Physics`]. Forces last for one step, so they belong here.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BeforeStep;

/// The systems of this plugin, in `PostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaromSystems;

/// Adds [`Physics`] and keeps bodies and entities alike. Bevy's `TimePlugin` must be there.
#[derive(Clone, Debug)]
pub struct CaromPlugin {
    world: WorldDef,
    fixed: FixedStep,
}

impl CaromPlugin {
    /// A world of these settings, which makes steps of `dt` seconds.
    ///
    /// # Errors
    /// If `dt` is not a length of a step.
    pub fn new(world: WorldDef, dt: f32) -> Result<Self, WorldError> {
        Ok(Self { world, fixed: FixedStep::new(dt)? })
    }

    /// Most steps of a frame; the time of the rest is given up.
    #[must_use]
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.fixed = self.fixed.max_steps(steps);
        self
    }
}

impl Plugin for CaromPlugin {
    fn build(&self, app: &mut App) {
        let spare = carom::prelude::World::new(WorldDef::default());
        app.insert_resource(Physics::new(carom::prelude::World::new(self.world.clone())))
            .insert_resource(Clock { fixed: self.fixed.clone(), spare })
            .init_schedule(BeforeStep)
            .add_message::<Refused>()
            .add_message::<TouchBegan>()
            .add_message::<TouchEnded>()
            .add_message::<TouchHit>()
            .add_message::<SensorEntered>()
            .add_message::<SensorLeft>();
        // Shapes and transforms of bodies that are made in this frame are new anyway, so changes
        // come first. The chain applies commands in between.
        let systems = (remove_bodies, change_shapes, read_transforms, make_bodies, advance, write_transforms);
        let systems = systems.chain().in_set(CaromSystems).before(TransformSystems::Propagate);
        app.add_systems(PostUpdate, systems);
    }
}

/// What is left of the time between steps.
#[derive(Resource)]
pub(crate) struct Clock {
    pub(crate) fixed: FixedStep,
    /// An empty world that stands in [`Physics`] while the real one steps.
    spare: carom::prelude::World,
}

fn advance(ecs: &mut World) {
    let seconds = ecs.resource::<Time>().delta_secs_f64();
    ecs.resource_scope(|ecs, mut clock: Mut<Clock>| {
        let Clock { fixed, spare } = &mut *clock;
        swap(spare, &mut ecs.resource_mut::<Physics>().world);
        let mut has_stepped = false;
        let frame = fixed.advance_with(spare, seconds, |world| {
            // The systems of the schedule find the real world where it belongs.
            swap(world, &mut ecs.resource_mut::<Physics>().world);
            if has_stepped {
                tell(ecs);
            }
            ecs.run_schedule(BeforeStep);
            swap(world, &mut ecs.resource_mut::<Physics>().world);
            has_stepped = true;
            Ok(())
        });
        swap(spare, &mut ecs.resource_mut::<Physics>().world);
        match frame {
            Ok(_) if has_stepped => tell(ecs),
            Ok(_) => {}
            Err(error) => {
                ecs.write_message(Refused { entity: None, error });
            }
        }
    });
}
