//! Entities and bodies follow each other.

use std::time::Duration;

use bevy_app::App;
use bevy_carom::carom::prelude::{BodyDef, Cuboid, HalfSpace, ShapeDef, Sphere, Vec3 as CaromVec3, WorldDef};
use bevy_carom::{
    BeforeStep, Body, BodyHandle, CaromPlugin, Physics, Refused, SensorEntered, SensorLeft, Shapes,
    TouchBegan, TouchEnded, TouchHit,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

/// An app whose frames take 20 ms and whose steps take a 64th of a second, which has no rounding.
fn app() -> App {
    let mut app = App::new();
    let plugin = CaromPlugin::new(WorldDef::default(), 1.0 / 64.0).expect("a good step");
    app.add_plugins((TimePlugin, plugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    app.update(); // the first frame has no length
    app
}

fn frames(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
    }
}

fn ground(app: &mut App) -> Entity {
    let ground = (Body(BodyDef::fixed()), Shapes(vec![ShapeDef::new(HalfSpace)]));
    app.world_mut().spawn(ground).id()
}

fn cube(app: &mut App, def: BodyDef, place: Vec3) -> Entity {
    let cube = ShapeDef::new(Cuboid::cube(0.5).expect("a good size"));
    let place = Transform::from_translation(place);
    app.world_mut().spawn((Body(def), Shapes(vec![cube]), place)).id()
}

fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it has one").translation
}

/// All messages of a kind that are kept, and no more than once each.
fn drain<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

#[test]
fn bodies_fall_rest_and_tell() {
    let mut app = app();
    let ground = ground(&mut app);
    let cube = cube(&mut app, BodyDef::dynamic(), Vec3::new(0.0, 1.0, 0.0));
    let (mut begun, mut hits) = (Vec::new(), 0);
    for _ in 0..100 {
        app.update();
        begun.extend(drain::<TouchBegan>(&mut app));
        hits += drain::<TouchHit>(&mut app).len();
    }
    assert!((place(&app, cube).y - 0.5).abs() < 0.01);
    assert!(!begun.is_empty() && hits >= 1);
    let mut pair = begun[0].entities.map(|entity| entity.expect("both are entities"));
    pair.sort();
    let mut expected = [ground, cube];
    expected.sort();
    assert_eq!(pair, expected);
    assert!(drain::<Refused>(&mut app).is_empty());
}

#[test]
fn bodies_go_with_their_components() {
    let mut app = app();
    ground(&mut app);
    let a = cube(&mut app, BodyDef::dynamic(), Vec3::new(0.0, 0.5, 0.0));
    let b = cube(&mut app, BodyDef::dynamic(), Vec3::new(5.0, 0.5, 0.0));
    frames(&mut app, 10);
    drain::<TouchEnded>(&mut app);
    assert_eq!(app.world().resource::<Physics>().world.len(), 3);
    app.world_mut().despawn(a);
    app.world_mut().entity_mut(b).remove::<Body>();
    let mut ended = Vec::new();
    for _ in 0..3 {
        app.update(); // messages are kept for two frames
        ended.extend(drain::<TouchEnded>(&mut app));
    }
    assert_eq!(app.world().resource::<Physics>().world.len(), 1);
    assert!(app.world().get::<BodyHandle>(b).is_none());
    for entity in [a, b] {
        let count = ended.iter().filter(|ended| ended.entities.contains(&Some(entity))).count();
        assert_eq!(count, 1, "every touch ends, and is told with its entity");
    }
    // And comes again.
    app.world_mut().entity_mut(b).insert(Body(BodyDef::dynamic()));
    frames(&mut app, 2);
    assert_eq!(app.world().resource::<Physics>().world.len(), 2);
    assert!(app.world().get::<BodyHandle>(b).is_some());
}

#[test]
fn a_kinematic_body_follows_its_transform_and_carries_its_rider() {
    let mut app = app();
    let lift = cube(&mut app, BodyDef::kinematic(), Vec3::ZERO);
    let rider = cube(&mut app, BodyDef::dynamic(), Vec3::new(0.0, 1.0, 0.0));
    for frame in 0..100u16 {
        let height = 0.01 * f32::from(frame);
        app.world_mut().get_mut::<Transform>(lift).expect("it has one").translation.y = height;
        app.update();
        assert_eq!(place(&app, lift).y, height, "nobody else writes it");
    }
    assert!((place(&app, rider).y - 1.99).abs() < 0.05, "{}", place(&app, rider).y);
}

#[test]
fn a_dynamic_body_is_teleported_by_its_transform() {
    let mut app = app();
    let cube = cube(&mut app, BodyDef::dynamic(), Vec3::ZERO);
    frames(&mut app, 5);
    app.world_mut().get_mut::<Transform>(cube).expect("it has one").translation = Vec3::new(7.0, 100.0, 0.0);
    frames(&mut app, 2);
    let now = place(&app, cube);
    assert!((now.x - 7.0).abs() < 1e-6 && now.y < 100.0 && now.y > 99.0, "{now}");
}

#[test]
fn motion_is_shown_between_steps() {
    let mut app = app();
    let def = BodyDef::dynamic().gravity_scale(0.0).velocity(CaromVec3::X);
    let cube = cube(&mut app, def, Vec3::ZERO);
    frames(&mut app, 5);
    let mut last = place(&app, cube).x;
    for _ in 0..50 {
        app.update();
        let now = place(&app, cube).x;
        assert!((now - last - 0.02).abs() < 1e-5, "20 ms at 1 m/s, whatever the steps");
        last = now;
    }
}

#[test]
fn changed_shapes_change_the_body() {
    let mut app = app();
    let cube = cube(&mut app, BodyDef::dynamic(), Vec3::ZERO);
    frames(&mut app, 2);
    let ball = ShapeDef::new(Sphere::new(0.1).expect("a good size"));
    app.world_mut().entity_mut(cube).insert(Shapes(vec![ball]));
    frames(&mut app, 2);
    let physics = app.world().resource::<Physics>();
    let body = physics.world.body(physics.body(cube).expect("it is one")).expect("it is there");
    assert!((body.mass() - 4.19).abs() < 0.01, "{}", body.mass());
    assert_eq!(body.shapes().count(), 1);
}

#[test]
fn what_cannot_be_is_refused_and_told() {
    let mut app = app();
    let nothing = app.world_mut().spawn((Body(BodyDef::dynamic()), Transform::default())).id();
    app.update();
    let refused = drain::<Refused>(&mut app);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].entity, Some(nothing));
    assert!(app.world().get::<BodyHandle>(nothing).is_none());
}

#[test]
fn sensors_tell_who_comes_and_goes() {
    let mut app = app();
    let gate = ShapeDef::new(Cuboid::cube(0.5).expect("a good size")).sensor();
    let gate = app.world_mut().spawn((Body(BodyDef::fixed()), Shapes(vec![gate]))).id();
    let ball = cube(&mut app, BodyDef::dynamic(), Vec3::new(0.0, 2.0, 0.0));
    let (mut came, mut left) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        app.update();
        came.extend(drain::<SensorEntered>(&mut app).iter().map(|it| (it.sensor, it.visitor)));
        left.extend(drain::<SensorLeft>(&mut app).iter().map(|it| (it.sensor, it.visitor)));
    }
    assert_eq!(came, [(Some(gate), Some(ball))]);
    assert_eq!(left, came);
}

#[derive(Resource, Default)]
struct Steps(u32);

#[test]
fn forces_act_before_every_step() {
    let mut app = app();
    app.init_resource::<Steps>();
    let cube = cube(&mut app, BodyDef::dynamic().gravity_scale(0.0), Vec3::ZERO);
    app.add_systems(BeforeStep, move |mut physics: ResMut<Physics>, mut steps: ResMut<Steps>| -> Result {
        let body = physics.body(cube).ok_or("no body")?;
        physics.world.body_mut(body)?.apply_force(CaromVec3::X * 1000.0)?;
        steps.0 += 1;
        Ok(())
    });
    frames(&mut app, 50);
    let steps = app.world().resource::<Steps>().0;
    // A second, but its frames are sums of rounded numbers.
    assert!((63..=64).contains(&steps), "{steps}");
    let physics = app.world().resource::<Physics>();
    let body = physics.world.body(physics.body(cube).expect("it is one")).expect("it is there");
    assert!((body.velocity().x - steps as f32 / 64.0).abs() < 1e-3, "1 m/s² in each step");
}

#[test]
fn equal_programs_give_equal_worlds() {
    let run = || {
        let mut app = app();
        ground(&mut app);
        for k in 0..10u8 {
            let place = Vec3::new(0.1 * f32::from(k % 3), 1.0 + 1.1 * f32::from(k), 0.0);
            let cube = cube(&mut app, BodyDef::dynamic(), place);
            if k % 2 == 0 {
                app.world_mut().entity_mut(cube).insert(Odd); // another archetype
            }
        }
        frames(&mut app, 60);
        app.world().resource::<Physics>().world.state_hash()
    };
    assert_eq!(run(), run());
}

#[derive(Component)]
struct Odd;
