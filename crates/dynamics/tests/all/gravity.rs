//! Gravity that changes.

use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use carom_geometry::shape::HalfSpace;
use glam::Vec3;

use crate::scenes::{DT, ball, run};

#[test]
fn new_gravity_wakes_everything_and_acts() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let sleeper = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ball(0.5)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(sleeper).unwrap().is_awake());
    world.set_gravity(Vec3::new(0.0, 2.0, 0.0)).unwrap();
    assert!(world.body(sleeper).unwrap().is_awake());
    run(&mut world, 1.0);
    let up = world.body(sleeper).unwrap().position().y - 0.5;
    assert!((up - 1.0).abs() < 0.02, "g t² / 2: {up}");
    assert_eq!(world.settings().gravity.y, 2.0);
    assert!(world.set_gravity(Vec3::new(f32::NAN, 0.0, 0.0)).is_err());
    assert_eq!(world.settings().gravity.y, 2.0);
}

#[test]
fn a_snapshot_remembers_it() {
    let mut world = World::new(WorldDef::default());
    let thing = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let then = world.snapshot();
    world.set_gravity(Vec3::X).unwrap();
    world.step(DT).unwrap();
    assert!(world.body(thing).unwrap().velocity().x > 0.0);
    world.restore(&then);
    world.step(DT).unwrap();
    let velocity = world.body(thing).unwrap().velocity();
    assert!(velocity.x == 0.0 && velocity.y < 0.0, "{velocity}");
}
