//! Heaps and terrain: bodies come to rest and fall asleep, and nothing trembles for ever.

use carom_dynamics::{BodyDef, BodyId, BodyKind, ShapeDef, World, WorldDef};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::shape::{Capsule, Child, Compound, Cuboid, HalfSpace, Sphere};
use carom_geometry::{HeightField, Pose, Shape};
use glam::Vec3;

/// Waves of 30 cm in a grid of half a metre.
fn wavy_field(world: &mut World) {
    let n = 65;
    let height = |i: u32, j: u32| 0.3 * (i as f32 * 0.7).sin() * (j as f32 * 0.5).cos();
    let heights = (0..n * n).map(|k| height(k % n, k / n)).collect();
    let field = HeightField::new(n, n, heights, [0.5, 0.5]).unwrap();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(field)]).unwrap();
}

/// Bodies in layers of a hundred over the field.
fn drop_bodies(world: &mut World, count: u32, shapes: &[ShapeDef]) -> Vec<BodyId> {
    let place =
        |k: u32| [f64::from(k % 10) - 5.0, 2.0 + f64::from(k / 100) * 1.5, f64::from(k / 10 % 10) - 5.0];
    let body = |k: u32| {
        let [x, y, z] = place(k);
        BodyDef::dynamic().at(x, y, z)
    };
    (0..count).map(|k| world.add_body(body(k), shapes.iter().cloned()).unwrap()).collect()
}

fn awake(world: &World, bodies: &[BodyId]) -> usize {
    let is_awake = |id: &&BodyId| world.body(**id).unwrap().is_awake();
    bodies.iter().filter(is_awake).count()
}

/// Steps until all sleep; the time at which they do, seconds.
fn asleep_at(world: &mut World, bodies: &[BodyId], limit: f32) -> Option<f32> {
    (1..=(limit * 60.0) as u32).find_map(|step| {
        world.step(1.0 / 60.0).unwrap();
        (awake(world, bodies) == 0).then_some(step as f32 / 60.0)
    })
}

#[test]
fn boxes_on_wavy_ground_fall_asleep() {
    let mut world = World::new(WorldDef::default());
    wavy_field(&mut world);
    let cube = ShapeDef::new(Cuboid::cube(0.3).unwrap());
    let bodies = drop_bodies(&mut world, 200, &[cube]);
    let at = asleep_at(&mut world, &bodies, 10.0);
    assert!(at.is_some(), "{} of 200 are awake after 10 s", awake(&world, &bodies));
    for id in &bodies {
        assert_eq!(world.body(*id).unwrap().velocity(), Vec3::ZERO);
    }
}

#[test]
fn round_hulls_on_wavy_ground_fall_asleep() {
    let mut world = World::new(WorldDef::default());
    wavy_field(&mut world);
    let point = |k: u32| {
        let (turn, y) = (k as f32 * 2.399, 1.0 - 2.0 * (k as f32 + 0.5) / 60.0);
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * turn.cos(), y, r * turn.sin()) * 0.3
    };
    let points: Vec<Vec3> = (0..60).map(point).collect();
    let hull = Shape::from(convex_hull(&points, &HullOptions::default()).unwrap());
    let bodies = drop_bodies(&mut world, 100, &[ShapeDef::new(hull)]);
    let at = asleep_at(&mut world, &bodies, 15.0);
    assert!(at.is_some(), "{} of 100 are awake after 15 s", awake(&world, &bodies));
}

#[test]
fn compounds_apart_on_wavy_ground_fall_asleep() {
    let bars = [Vec3::new(0.5, 0.1, 0.1), Vec3::new(0.1, 0.5, 0.1)]
        .map(|half| Shape::from(Cuboid::new(half).unwrap()));
    let poses = [Vec3::ZERO, Vec3::new(0.4, 0.4, 0.0)].map(Pose::at);
    let children = bars.iter().cloned().zip(poses).map(|(shape, pose)| Child { pose, shape }).collect();
    let compound = [ShapeDef::new(Shape::from(Compound::new(children).unwrap()))];
    let pair = [0, 1].map(|k| ShapeDef::new(bars[k].clone()).local_pose(poses[k]));
    for shapes in [&compound[..], &pair[..]] {
        let mut world = World::new(WorldDef::default());
        wavy_field(&mut world);
        // Apart from each other.
        let body =
            |k: u32| BodyDef::dynamic().at(f64::from(k % 6) * 2.4 - 6.0, 2.0, f64::from(k / 6) * 2.3 - 6.0);
        let add = |k| world.add_body(body(k), shapes.iter().cloned()).unwrap();
        let bodies: Vec<BodyId> = (0..36).map(add).collect();
        let _ = asleep_at(&mut world, &bodies, 12.0);
        // A bar that rocks on two points takes its time.
        let left = awake(&world, &bodies);
        assert!(left <= 2, "{left} of 36 are awake after 12 s");
    }
}

#[test]
fn a_heap_of_all_kinds_falls_asleep_and_stands_still() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    for (x, z, hx, hz) in
        [(3.0, 0.0, 0.5, 4.0), (-3.0, 0.0, 0.5, 4.0), (0.0, 3.0, 4.0, 0.5), (0.0, -3.0, 4.0, 0.5)]
    {
        let wall = ShapeDef::new(Cuboid::new(Vec3::new(hx, 4.0, hz)).unwrap());
        world.add_body(BodyDef::fixed().at(x, 2.0, z), [wall]).unwrap();
    }
    let kinds: [Shape; 3] = [
        Cuboid::new(Vec3::new(0.3, 0.2, 0.25)).unwrap().into(),
        Sphere::new(0.28).unwrap().into(),
        Capsule::along_y(0.2, 0.2).unwrap().into(),
    ];
    let bodies: Vec<BodyId> = (0..150u32)
        .map(|k| {
            let x = f64::from(k % 5) - 2.0 + 0.03 * f64::from(k % 7);
            let z = f64::from(k / 5 % 5) - 2.0 + 0.04 * f64::from(k % 3);
            let body = BodyDef::dynamic().at(x, 0.6 + f64::from(k / 25) * 0.8, z);
            world.add_body(body, [ShapeDef::new(kinds[k as usize % 3].clone()).friction(0.5)]).unwrap()
        })
        .collect();
    let at = asleep_at(&mut world, &bodies, 20.0);
    assert!(at.is_some(), "{} of 150 are awake after 20 s", awake(&world, &bodies));
    for id in &bodies {
        let body = world.body(*id).unwrap();
        assert_eq!(
            (body.kind(), body.velocity(), body.angular_velocity()),
            (BodyKind::Dynamic, Vec3::ZERO, Vec3::ZERO)
        );
    }
}

#[test]
fn a_ball_in_a_trough_comes_to_rest_and_one_on_a_slope_does_not() {
    let mut world = World::new(WorldDef::default());
    for x in [-0.6, 0.6] {
        let beam = ShapeDef::new(Capsule::along_z(4.0, 0.5).unwrap());
        world.add_body(BodyDef::fixed().at(x, 0.0, 0.0), [beam]).unwrap();
    }
    // Across the trough it oscillates, along it it rolls.
    let ball = ShapeDef::new(Sphere::new(0.3).unwrap());
    let id = world
        .add_body(BodyDef::dynamic().at(0.0, 0.65, 0.0).velocity(Vec3::new(0.0, 0.0, 0.2)), [ball.clone()]);
    assert!(asleep_at(&mut world, &[id.unwrap()], 8.0).is_some());

    let mut world = World::new(WorldDef::default());
    let slope = carom_geometry::Rotation::from_rotation_vector(Vec3::Z * 0.035);
    world.add_body(BodyDef::fixed().rotated(slope), [ShapeDef::new(HalfSpace)]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.3, 0.0), [ball]).unwrap();
    for _ in 0..180 {
        world.step(1.0 / 60.0).unwrap();
    }
    // Two degrees: 5/7 g sin(0.035) for three seconds.
    let speed = world.body(id).unwrap().velocity().length();
    assert!(speed > 0.62, "it rolls at {speed} m/s");
}
