//! What stands must stand.

use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use carom_geometry::shape::HalfSpace;
use glam::Vec3;

use crate::scenes::{DT, ball, cuboid, ground, heap, run};

#[test]
fn a_tower_of_fifteen_boxes_stands() {
    let mut world = ground(WorldDef::default());
    let ids: Vec<_> = (0..15)
        .map(|k| {
            world
                .add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0), [cuboid(0.5, 0.5, 0.5)])
                .unwrap()
        })
        .collect();
    run(&mut world, 20.0);
    for (k, id) in ids.iter().enumerate() {
        let at = world.body(*id).unwrap().position();
        assert!(at.x.abs() < 0.02 && at.z.abs() < 0.02, "box {k} swayed to {at}");
        assert!((at.y - 0.5 - k as f64).abs() < 0.08, "box {k} sank to {at}");
    }
}

#[test]
fn a_heap_comes_to_rest_and_nothing_sinks_into_the_ground() {
    let (mut world, ids) = heap(WorldDef::default(), 150);
    run(&mut world, 12.0);
    for (k, id) in ids.into_iter().enumerate() {
        let body = world.body(id).unwrap();
        assert!(body.position().y > 0.12, "{}", body.position());
        // Balls and capsules roll on and on.
        assert!(k % 3 > 0 || body.velocity().length() < 0.05, "box {k}: {}", body.velocity());
    }
}

#[test]
fn a_stack_a_hundred_kilometres_from_home_stands_as_at_home() {
    let stack = |x: f64| {
        let mut world = ground(WorldDef::default());
        let floor = BodyDef::fixed().at(x, -0.5, 0.0);
        world.add_body(floor, [cuboid(5.0, 0.5, 5.0)]).unwrap();
        let ids: Vec<_> = (0..10)
            .map(|k| {
                world
                    .add_body(
                        BodyDef::dynamic().at(x, 0.25 + 0.5 * f64::from(k), 0.0),
                        [cuboid(0.25, 0.25, 0.25)],
                    )
                    .unwrap()
            })
            .collect();
        run(&mut world, 5.0);
        ids.iter().map(|id| world.body(*id).unwrap().position() - glam::DVec3::X * x).collect::<Vec<_>>()
    };
    let (home, away) = (stack(0.0), stack(1e5));
    for (a, b) in home.iter().zip(&away) {
        assert!((*a - *b).length() < 1e-3, "{a} at home, {b} away");
    }
}

#[test]
fn stacks_fall_asleep_and_wake_when_something_hits_them() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let stack: Vec<_> = (0..5)
        .map(|k| {
            world
                .add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0), [cuboid(0.5, 0.5, 0.5)])
                .unwrap()
        })
        .collect();
    let lonely = world.add_body(BodyDef::dynamic().at(20.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    run(&mut world, 4.0);
    assert!(stack.iter().chain([&lonely]).all(|id| !world.body(*id).unwrap().is_awake()));
    assert_eq!(world.step(DT).unwrap().awake, 0);
    let shot = BodyDef::dynamic().at(-5.0, 2.5, 0.0).velocity(Vec3::new(20.0, 1.0, 0.0));
    world.add_body(shot, [ball(0.4)]).unwrap();
    run(&mut world, 0.5);
    assert!(stack.iter().all(|id| world.body(*id).unwrap().is_awake()));
    assert!(!world.body(lonely).unwrap().is_awake(), "nobody touched it");
    world.body_mut(lonely).unwrap().apply_impulse(Vec3::Y * 1000.0).unwrap();
    assert!(world.body(lonely).unwrap().is_awake());
    run(&mut world, 15.0);
    assert!(!world.body(lonely).unwrap().is_awake());
}

#[test]
fn a_ball_lies_still_on_the_ground() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ball(0.5)]).unwrap();
    run(&mut world, 10.0);
    let body = world.body(id).unwrap();
    assert!((body.position() - glam::DVec3::Y * 0.5).length() < 2e-3 && body.velocity().length() < 1e-3);
}
