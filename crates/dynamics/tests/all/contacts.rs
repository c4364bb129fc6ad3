//! Contacts as users read them.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, run};

/// The sum of all contact forces on a body.
fn force_on(world: &World, body: BodyId) -> Vec3 {
    let forces = world.contacts_of(body).unwrap().map(|contact| {
        let sign = if contact.bodies()[1] == Some(body) { 1.0 } else { -1.0 };
        contact.force() * sign
    });
    forces.sum()
}

#[test]
fn contact_forces_carry_the_weight_at_home_and_far_away_on_the_flat_and_on_a_slope() {
    for lean in [0.0f32, 0.3] {
        for centre in [DVec3::ZERO, DVec3::new(1e5, 0.0, -2e5)] {
            let mut world = World::new(WorldDef::default().can_sleep(false));
            let turned = Rotation::about_axis(Vec3::Z, lean);
            let def = BodyDef::fixed().at(centre.x, centre.y, centre.z).rotated(turned);
            world.add_body(def, [ShapeDef::new(HalfSpace).friction(1.0)]).unwrap();
            let at = centre + turned.rotate(Vec3::Y * 0.5).as_dvec3();
            let def = BodyDef::dynamic().at(at.x, at.y, at.z).rotated(turned);
            let cube = world.add_body(def, [cuboid(0.5, 0.5, 0.5).friction(1.0)]).unwrap();
            run(&mut world, 3.0);
            let weight = world.body(cube).unwrap().mass() * 9.81;
            let force = force_on(&world, cube);
            assert!((force - Vec3::Y * weight).length() < 0.01 * weight, "{force} and not {weight}");
            let contact = world.contacts_of(cube).unwrap().next().unwrap();
            assert!(contact.is_touching() && (contact.normal() - turned.rotate(Vec3::Y)).length() < 1e-3);
            assert_eq!(contact.points().count(), 4);
            for point in contact.points() {
                let local = turned.rotate_back((point.position - centre).as_vec3());
                assert!(local.y.abs() < 0.01 && (local.x.abs() - 0.5).abs() < 0.02, "{local}");
                assert!(point.separation.abs() < 0.01 && point.normal_impulse > 0.0);
            }
        }
    }
}

#[test]
fn each_box_of_a_stack_carries_what_is_above() {
    let mut world = ground(WorldDef::default());
    let stack: Vec<_> = (0..4)
        .map(|k| {
            world
                .add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0), [cuboid(0.5, 0.5, 0.5)])
                .unwrap()
        })
        .collect();
    run(&mut world, 4.0);
    let weight = 9810.0;
    for (k, id) in stack.iter().enumerate() {
        let below = world.contacts_of(*id).unwrap().map(|contact| contact.normal_impulse() / DT);
        let largest = below.fold(0.0, f32::max);
        let carried = weight * (stack.len() - k) as f32;
        assert!((largest - carried).abs() < 0.01 * carried, "{largest} and not {carried}");
        assert!((force_on(&world, *id).y - weight).abs() < 0.01 * 4.0 * weight);
    }
    assert_eq!(world.contacts().count(), 4);
}

#[test]
fn contacts_of_meshes_and_of_sleepers_can_be_read() {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(20, 20, 0.5, |_, _| 0.0);
    let floor = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(floor)]).unwrap();
    let cube = world.add_body(BodyDef::dynamic().at(0.1, 0.5, 0.2), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    for _ in 0..20 {
        world.step(DT).unwrap();
    }
    assert!(world.body(cube).unwrap().is_awake());
    let awake = force_on(&world, cube).y;
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    assert!(!world.body(cube).unwrap().is_awake());
    let asleep = force_on(&world, cube).y;
    assert!((awake / 9810.0 - 1.0).abs() < 0.02 && (asleep / 9810.0 - 1.0).abs() < 0.01, "{awake} {asleep}");
    world.remove_body(cube).unwrap();
    assert_eq!(world.contacts().count(), 0);
    assert!(world.contacts_of(cube).is_err());
}

#[test]
fn a_lift_that_speeds_up_presses_harder() {
    for acceleration in [-3.0, 0.0, 3.0f32] {
        let mut world = World::new(WorldDef::default().can_sleep(false));
        let floor = BodyDef::kinematic().at(0.0, -0.5, 0.0);
        let floor = world.add_body(floor, [cuboid(2.0, 0.5, 2.0)]).unwrap();
        let cube = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
        run(&mut world, 0.5);
        for step in 1..=60 {
            let velocity = Vec3::Y * (acceleration * step as f32 * DT);
            world.body_mut(floor).unwrap().set_velocity(velocity).unwrap();
            world.step(DT).unwrap();
            if step > 10 {
                let force = force_on(&world, cube).y / world.body(cube).unwrap().mass();
                let wanted = 9.81 + acceleration;
                assert!((force - wanted).abs() < 0.02 * wanted, "{acceleration} m/s²: {force} N/kg");
            }
        }
    }
}

#[test]
fn contacts_show_whose_they_are_and_what_a_bounce_took() {
    for half in [None, Some(0.5)] {
        let mut world = ground(WorldDef::default());
        let shape = half.map_or_else(|| ball(0.5), |half| cuboid(half, half, half));
        let shape = shape.restitution(0.8).friction(0.3).user_data(7);
        let def = BodyDef::dynamic().at(0.0, 1.5, 0.0).user_data(8);
        let id = world.add_body(def, [shape]).unwrap();
        let mass = world.body(id).unwrap().mass();
        let (mut before, mut seen) = (0.0, false);
        while !seen {
            before = world.body(id).unwrap().velocity().y;
            world.step(DT).unwrap();
            seen = world.body(id).unwrap().velocity().y > 0.0;
        }
        let change = mass * (world.body(id).unwrap().velocity().y - before + 9.81 * DT);
        let contact = world.contacts_of(id).unwrap().next().unwrap();
        let pair = contact.pair().unwrap();
        let side = usize::from(pair.bodies()[1] == id);
        assert_eq!((pair.user_data()[side], pair.body_user_data()[side]), (7, 8));
        assert!((contact.friction() - (0.3f32 * 0.6).sqrt()).abs() < 1e-6 && contact.restitution() == 0.8);
        let impulse = if side == 1 { contact.impulse() } else { -contact.impulse() };
        assert!((impulse - Vec3::Y * change).length() < 0.03 * change, "{impulse} and not {change}");
        let of_points: Vec<f32> = contact.points().map(|point| point.normal_impulse).collect();
        let sum: f32 = of_points.iter().sum();
        assert!((sum - contact.normal_impulse()).abs() < 1e-3 * sum);
        assert!(of_points.iter().all(|one| (one * of_points.len() as f32 / sum - 1.0).abs() < 0.05));
    }
}
