//! Impacts: momentum, energy, and who goes where.

use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, ground, kinetic_energy, room, run, space};

fn elastic(shape: ShapeDef) -> ShapeDef {
    shape.friction(0.0).restitution(1.0).density(1.0)
}

#[test]
fn equal_balls_exchange_velocities_and_unequal_ones_share_them() {
    for (heavy, expected) in [(1.0f32, [0.0, 4.0]), (3.0, [-2.0, 2.0])] {
        let mut world = space();
        let a = world.add_body(BodyDef::dynamic().velocity(Vec3::X * 4.0), [elastic(ball(0.5))]).unwrap();
        let b = world
            .add_body(BodyDef::dynamic().at(3.0, 0.0, 0.0), [elastic(ball(0.5)).density(heavy)])
            .unwrap();
        run(&mut world, 2.0);
        let got = [a, b].map(|id| world.body(id).unwrap().velocity());
        for (v, x) in got.iter().zip(expected) {
            assert!((*v - Vec3::X * x).length() < 1e-4, "mass {heavy}: {got:?}");
        }
    }
}

#[test]
fn the_last_ball_of_newtons_cradle_leaves_and_the_others_stay() {
    let mut world = space();
    let ids: Vec<_> = (0..5)
        .map(|k| {
            let v = if k == 0 { Vec3::X * 3.0 } else { Vec3::ZERO };
            let x = if k == 0 { -2.0 } else { f64::from(k) };
            world.add_body(BodyDef::dynamic().at(x, 0.0, 0.0).velocity(v), [elastic(ball(0.5))]).unwrap()
        })
        .collect();
    run(&mut world, 2.0);
    let speeds: Vec<f32> = ids.iter().map(|id| world.body(*id).unwrap().velocity().x).collect();
    assert!((speeds[4] - 3.0).abs() < 1e-3, "{speeds:?}");
    assert!(speeds[..4].iter().all(|v| v.abs() < 1e-3), "{speeds:?}");
}

#[test]
fn sixteen_elastic_balls_in_a_box_keep_their_energy_for_a_minute() {
    let mut world = space();
    room(&mut world, 5.0);
    let mut numbers = Numbers(3);
    for k in 0..16 {
        let at =
            DVec3::new(f64::from(k % 4) * 2.0 - 3.0, f64::from(k / 4) * 2.0 - 3.0, 0.3 * f64::from(k % 3));
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(numbers.vector() * 5.0);
        world.add_body(def, [elastic(ball(0.5))]).unwrap();
    }
    let energy = kinetic_energy(&world);
    run(&mut world, 60.0);
    let ratio = kinetic_energy(&world) / energy;
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
}

#[test]
fn elastic_capsules_in_a_box_keep_their_energy() {
    let mut world = space();
    room(&mut world, 5.0);
    let mut numbers = Numbers(5);
    for k in 0..8 {
        let at = DVec3::new(
            f64::from(k % 2) * 4.0 - 2.0,
            f64::from(k / 4) * 4.0 - 2.0,
            f64::from(k / 2 % 2) * 4.0 - 2.0,
        );
        let def = BodyDef::dynamic()
            .at(at.x, at.y, at.z)
            .velocity(numbers.vector() * 4.0)
            .angular_velocity(numbers.vector() * 2.0);
        world.add_body(def, [elastic(capsule(1.0, 0.3))]).unwrap();
    }
    let energy = kinetic_energy(&world);
    run(&mut world, 60.0);
    let ratio = kinetic_energy(&world) / energy;
    assert!((ratio - 1.0).abs() < 5e-3, "{ratio}");
}

#[test]
fn momentum_is_kept_by_any_impact() {
    for restitution in [0.0, 0.4, 1.0] {
        let mut world = space();
        let mut numbers = Numbers(11);
        let mut ids = Vec::new();
        for k in 0..40 {
            let shape = if k % 2 == 0 { cuboid(0.4, 0.3, 0.5) } else { capsule(0.4, 0.3) };
            let at = numbers.vector().as_dvec3() * 3.0;
            let towards = -at.as_vec3() + numbers.vector();
            let def =
                BodyDef::dynamic().at(at.x, at.y, at.z).velocity(towards).angular_velocity(numbers.vector());
            ids.push(world.add_body(def, [shape.density(1.0).restitution(restitution)]).unwrap());
        }
        let momentum = |world: &World| {
            ids.iter().fold((DVec3::ZERO, 0.0f64), |(sum, size), id| {
                let body = world.body(*id).unwrap();
                let p = body.velocity().as_dvec3() * f64::from(body.mass());
                (sum + p, size + p.length())
            })
        };
        let (before, size) = momentum(&world);
        let mut touched = 0;
        for _ in 0..120 {
            touched += world.step(DT).unwrap().touching;
        }
        assert!(touched > 100);
        let (after, _) = momentum(&world);
        assert!((after - before).length() < 2e-5 * size, "restitution {restitution}: {before} {after}");
    }
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    let mut world = ground(WorldDef::default());
    let def = BodyDef::dynamic().at(0.0, 5.5, 0.0);
    let id = world.add_body(def, [ball(0.5).restitution(0.8)]).unwrap();
    let mut heights: Vec<f64> = Vec::new();
    let (mut last, mut rising) = (5.5, false);
    for _ in 0..240 {
        world.step(DT).unwrap();
        let y = world.body(id).unwrap().position().y;
        if rising && y < last {
            heights.push(last - 0.5);
        }
        (rising, last) = (y > last, y);
    }
    assert!((heights[0] / (5.0 * 0.64) - 1.0).abs() < 0.05, "{heights:?}");
    assert!((heights[1] / (5.0 * 0.4096) - 1.0).abs() < 0.08, "{heights:?}");
}

#[test]
fn bullets_do_not_pass_walls() {
    for speed in [50.0, 300.0] {
        for shape in [ball(0.05), cuboid(0.05, 0.03, 0.08), capsule(0.05, 0.02)] {
            let mut world = space();
            let wall = cuboid(0.05, 5.0, 5.0);
            world.add_body(BodyDef::fixed().at(10.0, 0.0, 0.0), [wall]).unwrap();
            let def = BodyDef::dynamic()
                .at(0.013, 0.4, 0.2)
                .velocity(Vec3::X * speed)
                .angular_velocity(Vec3::new(3.0, 20.0, 8.0));
            let bullet = world.add_body(def, [shape.clone()]).unwrap();
            run(&mut world, 1.0);
            let x = world.body(bullet).unwrap().position().x;
            assert!(x < 10.0, "{:?} at {speed} m/s is at {x}", shape.shape);
        }
    }
}

#[test]
fn a_ball_that_bounces_under_gravity_comes_back_to_where_it_was() {
    // Any lengths of steps and any heights: they decide when within a step it meets the ground.
    for (height, rate) in [(2.0, 60.0), (1.0, 60.0), (0.7, 60.0), (3.3, 60.0), (2.0, 120.0), (2.0, 30.0)] {
        let mut world = ground(WorldDef::default());
        let def = BodyDef::dynamic().at(0.0, height + 0.1, 0.0);
        let id = world.add_body(def, [ball(0.1).restitution(1.0)]).unwrap();
        let (mut highest, mut rising, mut peaks) = (0.0f64, false, Vec::new());
        for _ in 0..(20.0 * rate) as u32 {
            world.step(1.0 / rate).unwrap();
            let (y, speed) =
                (world.body(id).unwrap().position().y - 0.1, world.body(id).unwrap().velocity().y);
            highest = highest.max(y);
            if rising && speed < 0.0 {
                peaks.push(highest);
                highest = 0.0;
            }
            rising = speed > 0.0;
        }
        assert!(peaks.len() > 5, "{peaks:?}");
        for (before, after) in std::iter::once(&height).chain(&peaks).zip(&peaks) {
            assert!((after / before - 1.0).abs() < 0.03, "{height} m at {rate} Hz: {peaks:?}");
        }
        let last = peaks[peaks.len() - 1];
        assert!(
            (last / height - 1.0).abs() < 0.1,
            "{height} m at {rate} Hz: {last} after {} bounces",
            peaks.len()
        );
    }
}

#[test]
fn a_ball_wakes_what_it_meets_before_it_bounces_off() {
    // Whenever within a step it arrives.
    for offset in [0.0, 0.01, 0.02, 0.03, 0.049] {
        let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
        let shape = ball(0.5).restitution(1.0).friction(0.0);
        let def = BodyDef::dynamic().at(-4.0 + offset, 0.0, 0.0).velocity(Vec3::new(3.0, 0.0, 0.0));
        let first = world.add_body(def, [shape.clone()]).unwrap();
        let second = world.add_body(BodyDef::dynamic(), [shape]).unwrap();
        run(&mut world, 2.0);
        let speeds = [first, second].map(|id| world.body(id).unwrap().velocity().x);
        assert!(speeds[0].abs() < 1e-3 && (speeds[1] - 3.0).abs() < 1e-3, "{offset}: {speeds:?}");
    }
}
