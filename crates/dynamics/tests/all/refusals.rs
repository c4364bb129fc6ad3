//! Bad input is refused with a reason, and changes nothing.

use carom_dynamics::{BodyDef, ShapeDef, WorldDef, WorldError};
use carom_geometry::Rotation;
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, heap, run};

#[test]
fn numbers_that_are_none_are_refused() {
    let mut world = ground(WorldDef::default());
    let bad = [
        BodyDef::dynamic().at(f64::NAN, 0.0, 0.0),
        BodyDef::dynamic().at(0.0, 1e300, 0.0),
        BodyDef::dynamic().rotated(Rotation { xyz: Vec3::ZERO, w: 0.0 }),
        BodyDef::dynamic().velocity(Vec3::INFINITY),
        BodyDef { gravity_scale: f32::NAN, ..BodyDef::dynamic() },
        BodyDef { linear_damping: -1.0, ..BodyDef::dynamic() },
        BodyDef { max_speed: 0.0, ..BodyDef::dynamic() },
    ];
    for def in bad {
        let error = world.add_body(def, [ball(0.5)]).unwrap_err();
        assert!(matches!(error, WorldError::Value { .. }), "{error}");
        assert!(error.to_string().contains("a new body"), "{error}");
    }
    assert!(world.add_body(BodyDef::dynamic(), [ball(0.5).friction(-1.0)]).is_err());
    assert!(matches!(world.add_body(BodyDef::dynamic(), []), Err(WorldError::NoMass { .. })));
    let half_space = world.add_body(BodyDef::dynamic(), [ShapeDef::new(HalfSpace)]).unwrap_err();
    assert!(matches!(half_space, WorldError::ShapeMass { shape: 0, .. }), "{half_space}");
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY, 2.0] {
        assert!(matches!(world.step(dt), Err(WorldError::TimeStep { .. })));
    }
    assert_eq!(world.len(), 1);
    let id = world.add_body(BodyDef::dynamic().at(0.0, 3.0, 0.0), [ball(0.5)]).unwrap();
    let mut body = world.body_mut(id).unwrap();
    assert!(body.set_velocity(Vec3::NAN).is_err() && body.apply_force(Vec3::INFINITY).is_err());
    assert!(body.set_pose(DVec3::NAN, Rotation::IDENTITY).is_err());
    run(&mut world, 1.0);
    assert!(world.body(id).unwrap().position().is_finite());
}

#[test]
fn a_body_that_blows_up_is_put_back_and_the_rest_goes_on() {
    let mut world = ground(WorldDef::default());
    let wild = BodyDef { max_speed: f32::INFINITY, max_angular_speed: f32::INFINITY, ..BodyDef::dynamic() };
    let wild = world.add_body(wild.at(0.0, 50.0, 0.0), [ball(0.5)]).unwrap();
    let calm = world.add_body(BodyDef::dynamic().at(5.0, 3.0, 0.0), [ball(0.5)]).unwrap();
    world
        .body_mut(wild)
        .unwrap()
        .set_velocity(Vec3::X * 1e30)
        .unwrap()
        .set_angular_velocity(Vec3::Y * 1e30)
        .unwrap();
    assert_eq!(world.step(DT).unwrap().quarantined, [wild]);
    // Stopped at the beginning of the step, it has fallen for one step.
    let body = world.body(wild).unwrap();
    assert!((body.position() - DVec3::Y * 50.0).length() < 2e-3 && body.velocity().length() < 0.17);
    run(&mut world, 2.0);
    assert!((world.body(calm).unwrap().position().y - 0.5).abs() < 0.01);
}

#[test]
fn layers_keep_shapes_apart_and_sensors_only_notice() {
    let mut world = ground(WorldDef::default());
    let ghost = ball(0.5).layers(2, 2);
    let ghost = world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0), [ghost]).unwrap();
    let gate = world.add_body(BodyDef::fixed().at(9.0, 1.0, 0.0), [cuboid(1.0, 0.2, 1.0).sensor()]).unwrap();
    let guest = world.add_body(BodyDef::dynamic().at(9.0, 3.0, 0.0), [ball(0.3)]).unwrap();
    let gate = world.body(gate).unwrap().shapes().next().unwrap();
    let mut noticed = 0;
    for _ in 0..90 {
        world.step(DT).unwrap();
        noticed += world.touching_shapes().filter(|pair| pair.contains(&gate)).count();
    }
    assert!(world.body(ghost).unwrap().position().y < -1.0, "it fell through the ground");
    assert!((world.body(guest).unwrap().position().y - 0.3).abs() < 0.02, "the sensor did not hold it");
    assert!((3..40).contains(&noticed), "{noticed}");
}

#[test]
fn stale_ids_name_nothing() {
    let mut world = ground(WorldDef::default());
    let first = world.add_body(BodyDef::dynamic().at(0.0, 1.0, 0.0), [ball(0.5)]).unwrap();
    world.remove_body(first).unwrap();
    let second = world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0), [ball(0.5)]).unwrap();
    assert_eq!(first.index(), second.index());
    let error = world.body(first).err().unwrap();
    assert!(error.to_string().contains("not in this world"), "{error}");
    assert!(world.remove_body(first).is_err() && world.body(second).is_ok());
}

#[test]
fn bodies_come_and_go_between_steps() {
    let (mut world, mut ids) = heap(WorldDef::default(), 60);
    for round in 0..40u32 {
        run(&mut world, 0.1);
        let gone = ids.remove((round as usize * 7) % ids.len());
        world.remove_body(gone).unwrap();
        let def = BodyDef::dynamic().at(0.1 * f64::from(round % 5), 3.0, 0.0);
        ids.push(world.add_body(def, [cuboid(0.2, 0.2, 0.2)]).unwrap());
        let moved = ids[(round as usize * 3) % ids.len()];
        let mut body = world.body_mut(moved).unwrap();
        body.set_pose(DVec3::new(0.0, 4.0, 0.0), Rotation::IDENTITY).unwrap();
        assert_eq!(world.len(), 61);
    }
    run(&mut world, 3.0);
    for id in ids {
        let at = world.body(id).unwrap().position();
        assert!(at.is_finite() && at.y > 0.1, "{at}");
    }
}

#[test]
fn a_body_taken_away_lets_others_fall() {
    let mut world = ground(WorldDef::default());
    let table = world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [cuboid(1.0, 0.1, 1.0)]).unwrap();
    let cup = world.add_body(BodyDef::dynamic().at(0.0, 2.3, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap();
    run(&mut world, 1.0);
    assert!((world.body(cup).unwrap().position().y - 2.3).abs() < 0.01);
    world.remove_body(table).unwrap();
    run(&mut world, 2.0);
    assert!((world.body(cup).unwrap().position().y - 0.2).abs() < 0.01);
    world.step(DT).unwrap();
}
