//! Continuous collision and the functions of the user: what they leave out stops nobody.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, run};

fn space() -> World {
    World::new(WorldDef::default().gravity(Vec3::ZERO))
}

/// A wall at x = 0 and what flies at it.
fn shot(world: &mut World, wall: ShapeDef, shape: ShapeDef, speed: f32, is_bullet: bool) -> BodyId {
    world.add_body(BodyDef::fixed(), [wall]).unwrap();
    let def = BodyDef::dynamic().at(-5.0, 0.0, 0.0).velocity(Vec3::X * speed);
    world.add_body(if is_bullet { def.bullet() } else { def }, [shape]).unwrap()
}

fn x_of(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().position().x
}

#[test]
fn bullets_pass_through_what_the_filter_leaves_out() {
    for is_bullet in [false, true] {
        for is_admitted in [false, true] {
            let mut world = space();
            world.set_pair_filter(move |_| is_admitted);
            let id = shot(&mut world, cuboid(0.05, 5.0, 5.0), ball(0.1), 100.0, is_bullet);
            run(&mut world, 0.2);
            assert_eq!(x_of(&world, id) > 10.0, !is_admitted, "{} {is_bullet}", x_of(&world, id));
            assert_eq!(world.validate(), []);
        }
    }
}

#[test]
fn bullets_ask_the_filter_about_each_other() {
    for is_admitted in [false, true] {
        let mut world = space();
        world.set_pair_filter(move |pair| is_admitted || pair.user_data() == [0, 0]);
        let target = BodyDef::dynamic().at(0.0, 0.0, 0.0).velocity(Vec3::X * -50.0);
        world.add_body(target, [ball(0.1).user_data(1)]).unwrap();
        let bullet = BodyDef::dynamic().at(-10.3, 0.05, 0.0).velocity(Vec3::X * 150.0).bullet();
        let id = world.add_body(bullet, [ball(0.1).user_data(2)]).unwrap();
        run(&mut world, 0.2);
        let velocity = world.body(id).unwrap().velocity();
        assert_eq!((velocity - Vec3::X * 150.0).length() < 1e-3, !is_admitted, "{velocity}");
    }
}

#[test]
fn what_the_modifier_disables_stops_nobody_however_fast() {
    let sheet = || {
        let (vertices, triangles) = generate::terrain(4, 4, 2.0, |_, _| 0.0);
        let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
        let upright = carom_geometry::Pose::new(Vec3::ZERO, Rotation::about_axis(Vec3::Z, 1.570_796_4));
        ShapeDef::new(mesh).local_pose(upright)
    };
    for speed in [30.0, 100.0, 300.0] {
        for is_bullet in [false, true] {
            for wall in [cuboid(0.01, 5.0, 5.0), sheet()] {
                for is_disabled in [true, false] {
                    let mut world = space();
                    let id = shot(&mut world, wall.clone(), cuboid(0.1, 0.07, 0.05), speed, is_bullet);
                    world.set_contact_modifier(move |contact| {
                        if is_disabled {
                            contact.disable();
                        }
                    });
                    run(&mut world, 0.5);
                    let x = x_of(&world, id);
                    if is_disabled {
                        assert!((x - (f64::from(speed) * 0.5 - 5.0)).abs() < 0.01, "{x} at {speed} m/s");
                        assert!((world.body(id).unwrap().velocity().x - speed).abs() < 1e-3);
                    } else {
                        assert!(x < 0.0, "{x} at {speed} m/s");
                    }
                }
            }
        }
    }
}

#[test]
fn the_modifier_is_shown_the_impact_as_it_is() {
    let mut world = space();
    let id = shot(&mut world, cuboid(0.01, 5.0, 5.0), ball(0.1), 100.0, false);
    // It is well before the wall at the end of a step, and well behind it after the next one.
    world.body_mut(id).unwrap().set_position(DVec3::new(-5.6, 0.0, 0.0)).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let list = seen.clone();
    world.set_contact_modifier(move |contact| {
        let point = contact.points().next().unwrap();
        assert_eq!(contact.points().count(), 1);
        let towards = if contact.pair().bodies()[1] == id { contact.normal() } else { -contact.normal() };
        list.lock().unwrap().push((point, towards, contact.approach(), contact.friction()));
        contact.disable();
    });
    for _ in 0..6 {
        world.step(DT).unwrap();
        assert_eq!(world.report().ccd_hits, 0);
    }
    let seen = seen.lock().unwrap();
    assert!(!seen.is_empty());
    for (point, towards, approach, friction) in seen.iter() {
        assert!((*towards - Vec3::NEG_X).length() < 1e-3, "{towards}");
        assert!(point.position.x.abs() < 0.1 && point.position.y.abs() < 0.01, "{}", point.position);
        assert!(point.separation.abs() < 0.12 && point.carried_impulse == 0.0);
        assert!((point.velocity.length() - 100.0).abs() < 0.01 && (approach - 100.0).abs() < 0.01);
        assert!((friction - 0.6).abs() < 1e-6);
    }
}

/// A platform at height 20, a ball below or above it.
fn platform(height: f64, speed: f32, half: f32) -> (World, BodyId) {
    let mut world = World::new(WorldDef::default());
    let ledge = world.add_body(BodyDef::fixed().at(0.0, 20.0, 0.0), [cuboid(3.0, half, 3.0)]).unwrap();
    let shape = world.body(ledge).unwrap().shapes().next().unwrap();
    world.set_contact_modifier(move |contact| contact.one_way(shape, Vec3::Y));
    let def = BodyDef::dynamic().at(0.0, height, 0.0).velocity(Vec3::Y * speed);
    let id = world.add_body(def, [ball(0.2)]).unwrap();
    (world, id)
}

#[test]
fn a_one_way_platform_is_passed_from_below_at_high_speed_and_holds_from_above() {
    for speed in [25.0, 40.0, 70.0, 120.0, 200.0] {
        for k in 0..5 {
            for half in [0.02, 0.1, 0.5] {
                let (mut world, id) = platform(10.0 + 0.37 * f64::from(k), speed, half);
                let mut highest = 0.0_f64;
                for _ in 0..8 {
                    world.step(DT).unwrap();
                    let body = world.body(id).unwrap();
                    let (y, v) = (body.position().y, body.velocity().y);
                    highest = highest.max(y);
                    // Neither stopped nor slowed down, but by gravity.
                    assert!(v > speed - 9.81 * 8.5 * DT, "{v} of {speed} at {y}");
                }
                // Thrown down on it, it stays.
                let (mut world, id) = platform(30.0 + 0.37 * f64::from(k), -speed, half);
                run(&mut world, 3.0);
                let y = world.body(id).unwrap().position().y;
                let wanted = 20.2 + f64::from(half);
                assert!((y - wanted).abs() < 0.02, "{y} and not {wanted} at {speed}");
            }
        }
    }
}

#[test]
fn hooks_are_asked_only_about_what_may_meet() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let mut world = space();
    world.set_contact_modifier(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let id = shot(&mut world, cuboid(0.05, 1.0, 5.0), ball(0.1), 100.0, true);
    world.body_mut(id).unwrap().set_position(DVec3::new(-5.0, 3.0, 0.0)).unwrap();
    run(&mut world, 0.2);
    assert!(x_of(&world, id) > 10.0);
    assert_eq!(asked.load(Ordering::Relaxed), 0, "it flies past");
}
