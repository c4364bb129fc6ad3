//! Reading and changing a world: functions that no other test needs.

use std::time::Duration;

use carom_core::clock::Clock;
use carom_dynamics::{
    Axis, BodyDef, BodyId, JointDef, JointKind, Layers, Material, QueryFilter, ShapeCast, ShapeDef,
    SolverMethod, World, WorldDef,
};
use carom_geometry::shape::{HalfSpace, Sphere};
use carom_geometry::{Pose, Shape};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, cuboid, ground, run, space};
use crate::zoo::zoo;

#[test]
fn a_force_off_the_centre_also_turns() {
    // A cube of 1 m and mass m: inertia m/6.
    let mut world = space();
    let cube = world.add_body(BodyDef::dynamic(), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let mass = world.body(cube).unwrap().mass();
    let point = DVec3::new(0.5, 0.0, 0.0);
    world.body_mut(cube).unwrap().apply_force_at(Vec3::Y * mass, point).unwrap();
    world.step(DT).unwrap();
    let body = world.body(cube).unwrap();
    assert!((body.velocity() - Vec3::Y * DT).length() < 1e-6, "{}", body.velocity());
    assert!((body.angular_velocity() - Vec3::Z * (3.0 * DT)).length() < 1e-5, "{}", body.angular_velocity());
    // Forces act in one step only.
    world.step(DT).unwrap();
    assert!((world.body(cube).unwrap().velocity() - Vec3::Y * DT).length() < 1e-6);
    let nowhere = DVec3::splat(f64::NAN);
    assert!(world.body_mut(cube).unwrap().apply_force_at(Vec3::Y, nowhere).is_err());
}

#[test]
fn many_queries_at_once_answer_as_one_by_one() {
    let world = zoo(DVec3::ZERO, 5);
    let mut numbers = Numbers(17);
    let all = QueryFilter::default();
    let points: Vec<DVec3> = (0..50).map(|_| (numbers.vector() * 5.0).as_dvec3()).collect();
    let mut nearest = Vec::new();
    world.closest_to_each(&points, 4.0, &all, &mut nearest);
    assert_eq!(nearest.len(), points.len());
    for (point, found) in points.iter().zip(&nearest) {
        let one = world.closest(*point, 4.0, &all);
        assert_eq!(
            found.map(|near| (near.shape, near.distance)),
            one.map(|near| (near.shape, near.distance))
        );
    }
    assert!(nearest.iter().any(Option::is_some));
    let mover = Shape::Sphere(Sphere { radius: 0.2 });
    let casts: Vec<ShapeCast<'_>> =
        points.iter().map(|point| ShapeCast::new(&mover, *point, numbers.vector() * 8.0)).collect();
    let mut hits = Vec::new();
    world.cast_shapes(&casts, &all, &mut hits);
    assert_eq!(hits.len(), casts.len());
    for (cast, found) in casts.iter().zip(&hits) {
        let one = world.cast_shape(cast, &all);
        assert_eq!(found.map(|hit| (hit.shape, hit.fraction)), one.map(|hit| (hit.shape, hit.fraction)));
    }
    assert!(hits.iter().any(Option::is_some));
}

#[test]
fn shapes_near_a_box_contain_those_in_it() {
    let world = zoo(DVec3::ZERO, 6);
    let mut numbers = Numbers(23);
    let (mut near, mut inside) = (Vec::new(), Vec::new());
    let mut found = 0;
    for _ in 0..60 {
        let (middle, half) = ((numbers.vector() * 5.0).as_dvec3(), DVec3::splat(0.8));
        let filter = QueryFilter::default();
        world.shapes_near_box(middle - half, middle + half, &filter, &mut near);
        world.shapes_in_box(middle - half, middle + half, &filter, &mut inside);
        assert!(near.is_sorted_by_key(|shape| shape.index()));
        assert!(inside.iter().all(|shape| near.contains(shape)), "{inside:?} {near:?}");
        found += inside.len();
    }
    assert!(found > 0);
}

#[test]
fn a_cast_may_leave_what_it_starts_in() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ball(1.0)]).unwrap();
    let mover = Shape::Sphere(Sphere { radius: 0.5 });
    let out = ShapeCast::new(&mover, DVec3::new(1.0, 0.0, 0.0), Vec3::X * 5.0);
    assert!(world.cast_shape(&out, &QueryFilter::default()).is_some_and(|hit| hit.at_start));
    let leaving = out.ignore_leaving();
    assert!(world.cast_shape(&leaving, &QueryFilter::default()).is_none());
}

#[test]
fn shapes_tell_what_they_were_given() {
    let mut world = space();
    let pose = Pose::at(Vec3::new(0.0, 2.0, 0.0));
    let shapes = [ball(0.5).friction(0.3).restitution(0.2), ball(0.1).local_pose(pose).sensor()];
    let body = world.add_body(BodyDef::dynamic(), shapes).unwrap();
    let ids: Vec<_> = world.body(body).unwrap().shapes().collect();
    let is_sensor = |id| world.shape(id).unwrap().is_sensor();
    let (solid, sensor) = if is_sensor(ids[0]) { (ids[1], ids[0]) } else { (ids[0], ids[1]) };
    assert!(is_sensor(sensor) && !is_sensor(solid));
    assert_eq!(world.shape(sensor).unwrap().local_pose(), pose);
    let material = Material { friction: 0.3, restitution: 0.2, ..Material::default() };
    assert_eq!(world.shape(solid).unwrap().material(), material);
    world.shape_mut(solid).unwrap().set_user_data(77);
    assert_eq!(world.shape(solid).unwrap().user_data(), 77);
    assert_eq!(world.shape(sensor).unwrap().user_data(), 0);
}

#[test]
fn an_id_survives_as_a_number() {
    let mut world = space();
    let first = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    world.remove_body(first).unwrap();
    let second = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    assert_eq!(BodyId::from_bits(second.to_bits()), second);
    assert!(world.body(BodyId::from_bits(first.to_bits())).is_err(), "it is stale as a number too");
}

#[test]
fn layers_admit_each_other_or_not() {
    let [a, b, c] = [(1, 2), (2, 1), (4, 7)].map(|(category, mask)| Layers { category, mask, group: 0 });
    assert!(a.admit(&b) && b.admit(&a));
    assert!(!a.admit(&c) && !c.admit(&a), "each must want the other");
    let together = |layers: Layers, group| Layers { group, ..layers };
    assert!(together(a, 3).admit(&together(c, 3)) && !together(a, -3).admit(&together(b, -3)));
}

#[test]
fn a_sleeping_body_wakes_by_hand() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let cube = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(cube).unwrap().is_awake());
    world.body_mut(cube).unwrap().wake();
    assert!(world.body(cube).unwrap().is_awake());
}

#[test]
fn friction_holds_a_cube_that_is_pushed_gently() {
    let mut world = ground(WorldDef::default());
    let cube = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    run(&mut world, 0.5);
    let weight = world.body(cube).unwrap().mass() * 9.81;
    for _ in 0..60 {
        world.body_mut(cube).unwrap().apply_force(Vec3::X * 0.2 * weight).unwrap();
        world.step(DT).unwrap();
    }
    // The cube is the second or the first body: friction is opposite to the push on the cube.
    let along: f32 = world
        .contacts_of(cube)
        .unwrap()
        .map(|contact| {
            let is_second = contact.bodies()[1] == Some(cube);
            contact.friction_impulse().x * if is_second { 1.0 } else { -1.0 }
        })
        .sum();
    assert!((along / DT + 0.2 * weight).abs() < 0.01 * weight, "{} {weight}", along / DT);
}

#[test]
fn a_joint_with_frames_of_its_own_changes_its_kind() {
    let mut world = space();
    let post = world.add_body(BodyDef::fixed(), []).unwrap();
    let arm = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    let frames = [Pose::at(Vec3::X * 0.5), Pose::at(Vec3::X * -0.5)];
    let joint = world.add_joint(JointDef::fixed(post, arm).frames(frames)).unwrap();
    let anchors = world.joint(joint).unwrap().anchors();
    assert!((anchors[0] - anchors[1]).length() < 1e-6, "{anchors:?}");
    world.body_mut(arm).unwrap().set_angular_velocity(Vec3::X * 2.0).unwrap();
    run(&mut world, 0.5);
    assert!(world.body(arm).unwrap().angular_velocity().length() < 0.1, "it is welded");
    world.joint_mut(joint).unwrap().set_kind(JointKind::Hinge(Axis::FREE)).unwrap();
    world.body_mut(arm).unwrap().set_angular_velocity(Vec3::X * 2.0).unwrap();
    run(&mut world, 0.5);
    let angular_velocity = world.body(arm).unwrap().angular_velocity();
    assert!((angular_velocity - Vec3::X * 2.0).length() < 0.05, "{angular_velocity}");
}

#[test]
fn times_are_read_from_the_clock_that_was_given() {
    fn stopped() -> Duration {
        Duration::from_secs(3)
    }
    let mut world = ground(WorldDef::default().clock(Clock::new(stopped)));
    world.add_body(BodyDef::dynamic().at(0.0, 1.0, 0.0), [ball(0.5)]).unwrap();
    assert_eq!(world.step(DT).unwrap().times.total(), Duration::ZERO);
}

#[test]
fn every_solver_has_a_name_that_builds_a_world() {
    for method in SolverMethod::ALL {
        assert_eq!(method.name().parse::<SolverMethod>(), Ok(*method));
        let mut world = ground(WorldDef::default().solver(*method));
        let cube = world.add_body(BodyDef::dynamic().at(0.0, 0.6, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
        run(&mut world, 1.0);
        let height = world.body(cube).unwrap().position().y;
        assert!((height - 0.5).abs() < 0.01, "{}: {height}", method.name());
    }
    let error = "no-such-solver".parse::<SolverMethod>().unwrap_err().to_string();
    assert!(error.contains("soft-step"), "{error}");
}
