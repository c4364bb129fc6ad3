//! Bodies that nothing touches.

use carom_dynamics::{BodyDef, BodyId, JointDef, LockedAxes, World, WorldDef};
use carom_geometry::mass::MassProperties;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, run};

fn open() -> World {
    World::new(WorldDef::default())
}

#[test]
fn a_stone_falls_half_g_t_squared() {
    for dt in [1.0f32 / 240.0, 1.0 / 60.0, 1.0 / 20.0] {
        let mut world = open();
        let stone = world.add_body(BodyDef::dynamic().at(3.0, 100.0, -2.0), [ball(0.2)]).unwrap();
        let steps = (2.0 / dt).round() as usize;
        for _ in 0..steps {
            world.step(dt).unwrap();
        }
        let t = steps as f64 * f64::from(dt);
        let body = world.body(stone).unwrap();
        let height = 100.0 - 0.5 * 9.81 * t * t;
        assert!((body.position() - DVec3::new(3.0, height, -2.0)).length() < 1e-4, "{}", body.position());
        assert!((f64::from(body.velocity().y) + 9.81 * t).abs() < 1e-4);
    }
}

#[test]
fn a_projectile_flies_a_parabola() {
    let mut world = open();
    let def = BodyDef::dynamic().velocity(Vec3::new(20.0, 15.0, -5.0));
    let shot = world.add_body(def, [ball(0.1)]).unwrap();
    run(&mut world, 3.0);
    let expected = DVec3::new(60.0, 45.0 - 0.5 * 9.81 * 9.0, -15.0);
    assert!((world.body(shot).unwrap().position() - expected).length() < 1e-3);
}

#[test]
fn a_book_spun_about_its_middle_axis_flips() {
    // 4 × 2 × 6, mass 1: the axis of inertia 10/3 is the unstable one. Flips at 4.176 s and every
    // 8.352 s from there on.
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let inertia = Vec3::new(10.0 / 3.0, 13.0 / 3.0, 5.0 / 3.0);
    let mut def = BodyDef::dynamic().angular_velocity(Vec3::new(2.0, 0.1, 0.0));
    def.mass = Some(MassProperties::diagonal(1.0, Vec3::ZERO, inertia));
    let book = world.add_body(def, [cuboid(2.0, 1.0, 3.0)]).unwrap();
    let (energy, momentum) = {
        let body = world.body(book).unwrap();
        (body.kinetic_energy(), body.angular_momentum())
    };
    let mut flips = Vec::new();
    let mut before = 2.0;
    for step in 1..=3600 {
        world.step(DT).unwrap();
        let body = world.body(book).unwrap();
        let now = body.rotation().rotate_back(body.angular_velocity()).x;
        if now * before < 0.0 {
            flips.push(f64::from(step) / 60.0);
        }
        before = now;
        assert!((body.kinetic_energy() / energy - 1.0).abs() < 1e-3);
    }
    let after = world.body(book).unwrap();
    assert!((after.angular_momentum() - momentum).length() < 2e-3 * momentum.length());
    assert_eq!(flips.len(), 7, "{flips:?}");
    assert!((flips[0] - 4.176).abs() < 0.05 && (flips[1] - 12.528).abs() < 0.15, "{flips:?}");
}

#[test]
fn a_tumbling_capsule_keeps_energy_and_momentum() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let def = BodyDef::dynamic().angular_velocity(Vec3::new(3.0, 20.0, -7.0)).velocity(Vec3::X);
    let id = world.add_body(def, [capsule(1.0, 0.3)]).unwrap();
    let start = world.body(id).unwrap();
    let (energy, momentum) = (start.kinetic_energy(), start.angular_momentum());
    run(&mut world, 60.0);
    let end = world.body(id).unwrap();
    assert!((end.kinetic_energy() / energy - 1.0).abs() < 1e-4, "{}", end.kinetic_energy() / energy);
    assert!((end.angular_momentum() - momentum).length() < 1e-3 * momentum.length());
}

#[test]
fn forces_torques_and_impulses_do_what_they_should() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let id =
        world.add_body(BodyDef::dynamic().at(1.0, 2.0, 3.0), [cuboid(0.5, 0.5, 0.5).density(2.0)]).unwrap();
    let mut body = world.body_mut(id).unwrap();
    body.apply_impulse_at(Vec3::new(4.0, 0.0, 0.0), DVec3::new(1.0, 2.5, 3.0)).unwrap();
    let body = world.body(id).unwrap();
    // Mass 2, inertia 1/3: 4 N s half a metre off the centre.
    assert!((body.velocity() - Vec3::new(2.0, 0.0, 0.0)).length() < 1e-6);
    assert!((body.angular_velocity() - Vec3::new(0.0, 0.0, -6.0)).length() < 1e-5);
    let mut body = world.body_mut(id).unwrap();
    body.set_velocity(Vec3::ZERO).unwrap().set_angular_velocity(Vec3::ZERO).unwrap();
    for _ in 0..60 {
        let mut body = world.body_mut(id).unwrap();
        body.apply_force(Vec3::new(0.0, 2.0, 0.0)).unwrap().apply_torque(Vec3::new(1.0, 0.0, 0.0)).unwrap();
        world.step(DT).unwrap();
    }
    let body = world.body(id).unwrap();
    assert!((body.velocity() - Vec3::Y).length() < 1e-5 && (body.position().y - 2.5).abs() < 1e-4);
    assert!(
        (body.angular_velocity() - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-3,
        "{}",
        body.angular_velocity()
    );
    world.step(DT).unwrap();
    assert!((world.body(id).unwrap().velocity() - Vec3::Y).length() < 1e-5, "forces last one step");
}

#[test]
fn damping_takes_velocity_and_locked_axes_do_not_move() {
    let mut world = open();
    let mut def = BodyDef::dynamic()
        .velocity(Vec3::new(1.0, 2.0, 3.0))
        .angular_velocity(Vec3::ONE)
        .locked(LockedAxes::PLANAR);
    def.linear_damping = 2.0;
    let id = world.add_body(def, [cuboid(0.3, 0.4, 0.5)]).unwrap();
    run(&mut world, 2.0);
    let body = world.body(id).unwrap();
    assert_eq!((body.position().z, body.velocity().z), (0.0, 0.0));
    assert!(
        body.angular_velocity().x == 0.0
            && body.angular_velocity().y == 0.0
            && body.angular_velocity().z > 0.9
    );
    // e^(−2·2) = 0.018, an implicit step a little more.
    assert!((0.015..0.03).contains(&body.velocity().x), "{}", body.velocity());
}

#[test]
fn the_centre_of_mass_moves_and_the_frame_goes_with_it() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let head = ball(0.2).local_pose(carom_geometry::Pose::at(Vec3::new(0.0, 1.0, 0.0)));
    let id = world.add_body(BodyDef::dynamic().at(5.0, 0.0, 0.0).angular_velocity(Vec3::Z), [head]).unwrap();
    assert!((world.body(id).unwrap().centre_of_mass() - DVec3::new(5.0, 1.0, 0.0)).length() < 1e-6);
    for _ in 0..600 {
        world.step(std::f32::consts::PI / 600.0).unwrap();
    }
    // Half a turn about the head.
    let body = world.body(id).unwrap();
    assert!((body.centre_of_mass() - DVec3::new(5.0, 1.0, 0.0)).length() < 1e-5);
    assert!((body.position() - DVec3::new(5.0, 2.0, 0.0)).length() < 1e-3, "{}", body.position());
}

/// Energy and angular momentum of all bodies.
fn spins(world: &World, ids: &[BodyId]) -> Vec<(f64, DVec3)> {
    ids.iter()
        .map(|id| {
            let body = world.body(*id).unwrap();
            (body.kinetic_energy(), body.angular_momentum().as_dvec3())
        })
        .collect()
}

/// The largest share by which energies and momenta differ from those of the beginning.
fn worst_drift(world: &World, ids: &[BodyId], start: &[(f64, DVec3)]) -> (f64, f64) {
    spins(world, ids).iter().zip(start).fold((0.0, 0.0), |worst, (now, before)| {
        let energy = (now.0 / before.0 - 1.0).abs();
        let momentum = now.1.distance(before.1) / before.1.length();
        (worst.0.max(energy), worst.1.max(momentum))
    })
}

#[test]
fn spinners_with_three_inertias_keep_energy_and_momentum_for_three_quarters_of_an_hour() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO).can_sleep(false));
    let mut numbers = Numbers(7);
    let mut ids = Vec::new();
    let mut add = |size: Vec3, spin: Vec3, ids: &mut Vec<BodyId>| {
        let def = BodyDef::dynamic().at(20.0 * ids.len() as f64, 0.0, 0.0).angular_velocity(spin);
        ids.push(world.add_body(def, [cuboid(size.x, size.y, size.z)]).unwrap());
    };
    // About the unstable axis, and near the two others.
    for spin in [Vec3::new(2.0, 0.1, 0.0), Vec3::new(0.1, 2.0, 0.0), Vec3::new(0.0, 0.1, 2.0)] {
        add(Vec3::new(2.0, 1.0, 3.0), spin, &mut ids);
    }
    for speed in [0.5, 3.0, 10.0, 25.0, 46.0] {
        let size = Vec3::splat(0.6) + numbers.vector() * 0.5;
        add(size, numbers.vector().normalize() * speed, &mut ids);
    }
    let start = spins(&world, &ids);
    for minutes in 1..=45 {
        run(&mut world, 60.0);
        let (energy, momentum) = worst_drift(&world, &ids, &start);
        assert!(energy < 1e-4 && momentum < 1e-4, "{energy} and {momentum} after {minutes} minutes");
    }
}

#[test]
fn a_slack_rope_changes_nothing_about_a_spinning_body() {
    let mut numbers = Numbers(3);
    for speed in [1.0, 4.0, 10.0, 19.0, 46.0, 120.0] {
        for shape in [capsule(0.25, 0.2), cuboid(1.0, 0.1, 0.3), cuboid(0.4, 0.5, 0.6)] {
            let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO).can_sleep(false));
            let spin = numbers.vector().normalize() * speed;
            let ids = [world.add_body(BodyDef::dynamic().angular_velocity(spin), [shape]).unwrap()];
            let post = world.add_body(BodyDef::fixed().at(0.0, 5.0, 0.0), []).unwrap();
            let ends = [DVec3::new(0.0, 5.0, 0.0), DVec3::ZERO];
            world.add_joint(JointDef::rope(post, ids[0], ends, 50.0)).unwrap();
            let start = spins(&world, &ids);
            run(&mut world, 10.0);
            let (energy, momentum) = worst_drift(&world, &ids, &start);
            assert!(energy < 1e-4 && momentum < 1e-4, "{speed} rad/s: {energy} and {momentum}");
        }
    }
}
