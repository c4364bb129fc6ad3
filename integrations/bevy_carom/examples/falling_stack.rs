//! Five cubes fall onto each other; no window, two seconds, then a look at what happened.

use std::error::Error;
use std::time::Duration;

use bevy_app::{App, Startup, Update};
use bevy_carom::carom::prelude::{BodyDef, Cuboid, HalfSpace, ShapeDef, WorldDef};
use bevy_carom::{Body, CaromPlugin, Physics, Shapes, TouchBegan};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

#[derive(Component)]
struct Floor(usize);

#[derive(Resource, Default)]
struct Touches(usize);

fn build(mut commands: Commands) -> Result {
    commands.spawn((Body(BodyDef::fixed()), Shapes(vec![ShapeDef::new(HalfSpace)])));
    let cube = ShapeDef::new(Cuboid::cube(0.5)?);
    for floor in 0..5usize {
        let place = Transform::from_xyz(0.0, 0.6 + 1.1 * floor as f32, 0.0);
        commands.spawn((Floor(floor), Body(BodyDef::dynamic()), Shapes(vec![cube.clone()]), place));
    }
    Ok(())
}

fn count(mut touches: MessageReader<TouchBegan>, mut count: ResMut<Touches>) {
    count.0 += touches.read().count();
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, CaromPlugin::new(WorldDef::default(), 1.0 / 60.0)?))
        // A display would not need this: every frame is 1/50 s.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)))
        .init_resource::<Touches>()
        .add_systems(Startup, build)
        .add_systems(Update, count);
    for _ in 0..100 {
        app.update();
    }
    let touches = app.world().resource::<Touches>().0;
    println!("{touches} touches, state {:016x}", app.world().resource::<Physics>().world.state_hash());
    assert!(touches >= 5, "the ground and the five cubes");
    let mut stack = app.world_mut().query::<(&Floor, &Transform)>();
    for (Floor(floor), transform) in stack.iter(app.world()) {
        let height = transform.translation.y;
        println!("cube {floor} is at {height:.3} m");
        assert!((height - 0.5 - *floor as f32).abs() < 0.01, "they stand on each other");
    }
    Ok(())
}
