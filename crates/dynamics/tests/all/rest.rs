//! Heaps and terrain: bodies come to rest and fall asleep, and nothing trembles for ever.

use carom_dynamics::{BodyDef, BodyId, BodyKind, ShapeDef, World, WorldDef};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::shape::{Capsule, Child, Compound, Cone, Cuboid, HalfSpace, Sphere};
use carom_geometry::{HeightField, Pose, Shape};
use glam::Vec3;

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, walls};

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

/// Seconds after the last hit within which everything is to sleep.
const SOON: f32 = 5.0;

/// A world that tells of all that meets faster than half a metre per second.
fn quiet_world() -> World {
    World::new(WorldDef { hit_event_threshold: 0.5, ..WorldDef::default() })
}

/// Steps until nothing has hit anything for `limit` seconds, or all sleep: they must, and stand
/// still.
fn settle(world: &mut World, bodies: &[BodyId], limit: f32) {
    let (mut since_hit, mut step) = (0, 0);
    while awake(world, bodies) > 0 {
        world.step(DT).unwrap();
        step += 1;
        since_hit = if world.events().hits().is_empty() { since_hit + 1 } else { 0 };
        let left = awake(world, bodies);
        let count = bodies.len();
        assert!(
            left == 0 || since_hit as f32 * DT < limit,
            "{left} of {count} are awake {limit} s after the last hit, {} s in all",
            step as f32 * DT
        );
    }
    for id in bodies {
        let body = world.body(*id).unwrap();
        let still = (BodyKind::Dynamic, Vec3::ZERO, Vec3::ZERO);
        assert_eq!((body.kind(), body.velocity(), body.angular_velocity()), still);
    }
}

#[test]
fn boxes_on_wavy_ground_fall_asleep() {
    let mut world = quiet_world();
    wavy_field(&mut world);
    let cube = ShapeDef::new(Cuboid::cube(0.3).unwrap());
    let bodies = drop_bodies(&mut world, 200, &[cube]);
    settle(&mut world, &bodies, SOON);
}

#[test]
fn round_hulls_on_wavy_ground_fall_asleep() {
    let mut world = quiet_world();
    wavy_field(&mut world);
    let point = |k: u32| {
        let (turn, y) = (k as f32 * 2.399, 1.0 - 2.0 * (k as f32 + 0.5) / 60.0);
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * turn.cos(), y, r * turn.sin()) * 0.3
    };
    let points: Vec<Vec3> = (0..60).map(point).collect();
    let hull = Shape::from(convex_hull(&points, &HullOptions::default()).unwrap());
    let bodies = drop_bodies(&mut world, 100, &[ShapeDef::new(hull)]);
    settle(&mut world, &bodies, SOON);
}

/// Two bars in the form of an L, as one compound and as two shapes.
fn two_bars() -> [Vec<ShapeDef>; 2] {
    let bars = [Vec3::new(0.5, 0.1, 0.1), Vec3::new(0.1, 0.5, 0.1)]
        .map(|half| Shape::from(Cuboid::new(half).unwrap()));
    let poses = [Vec3::ZERO, Vec3::new(0.4, 0.4, 0.0)].map(Pose::at);
    let children = bars.iter().cloned().zip(poses).map(|(shape, pose)| Child { pose, shape }).collect();
    let compound = vec![ShapeDef::new(Shape::from(Compound::new(children).unwrap()))];
    let pair = [0, 1].map(|k| ShapeDef::new(bars[k].clone()).local_pose(poses[k]));
    [compound, pair.to_vec()]
}

#[test]
fn bodies_of_two_bars_in_a_heap_on_wavy_ground_fall_asleep() {
    let [_, pair] = two_bars();
    let mut world = quiet_world();
    wavy_field(&mut world);
    let bodies = drop_bodies(&mut world, 200, &pair);
    settle(&mut world, &bodies, SOON);
}

/// A ridge under the rim of a bar held it in two steps of four: the face of the bar was preferred
/// to its edge, met a corner that is none of the surface, and nothing was left.
#[test]
fn compounds_in_a_heap_on_wavy_ground_fall_asleep() {
    let [compound, _] = two_bars();
    let mut world = quiet_world();
    wavy_field(&mut world);
    let bodies = drop_bodies(&mut world, 200, &compound);
    settle(&mut world, &bodies, SOON);
}

/// A cone that rolled on points of earlier steps leant on them from behind, and did not slow down.
#[test]
fn a_cone_that_rolls_slowly_on_its_side_comes_to_rest() {
    let mut world = quiet_world();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let (half, radius) = (0.3f32, 0.5f32);
    let cone = ShapeDef::new(Cone::new(half, radius).unwrap());
    // On its side, rolling about its tip.
    let lean = carom_geometry::Rotation::from_rotation_vector(Vec3::X * (radius / (2.0 * half)).atan());
    let body = BodyDef::dynamic().at(0.0, 0.1921, 0.0).rotated(lean);
    let id = world.add_body(body.angular_velocity(Vec3::NEG_Z * 0.3), [cone]).unwrap();
    assert!(asleep_at(&mut world, &[id], 3.0).is_some(), "{}", world.body(id).unwrap().velocity());
}

/// Layers of 25 bodies between four walls, a little out of order and slowly turning.
fn drop_between_walls(world: &mut World, count: u32, seed: u64, shapes: &[ShapeDef]) -> Vec<BodyId> {
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    walls(world, 3.0);
    let mut numbers = Numbers(seed);
    let add = |k: u32| {
        let mut off = || 0.1 * f64::from(numbers.next());
        let (x, z) = (f64::from(k % 5) - 2.0 + off(), f64::from(k / 5 % 5) - 2.0 + off());
        let body = BodyDef::dynamic().at(x, 0.6 + f64::from(k / 25) * 0.9, z);
        world.add_body(body.angular_velocity(numbers.vector()), shapes.iter().cloned()).unwrap()
    };
    (0..count).map(add).collect()
}

/// Rolling resistance that was no constraint let such heaps creep for ever.
#[test]
fn compounds_in_a_heap_between_walls_fall_asleep() {
    for shapes in two_bars() {
        for seed in [1, 2] {
            let mut world = quiet_world();
            let bodies = drop_between_walls(&mut world, 150, seed, &shapes);
            settle(&mut world, &bodies, SOON);
        }
    }
}

#[test]
fn rods_and_planks_in_a_heap_between_walls_fall_asleep() {
    for shape in [ShapeDef::new(Capsule::along_x(0.5, 0.1).unwrap()), cuboid(0.5, 0.1, 0.1)] {
        let mut world = quiet_world();
        let bodies = drop_between_walls(&mut world, 150, 1, &[shape]);
        settle(&mut world, &bodies, SOON);
    }
}

/// The tip touches floor and wall at one point, and both hold it.
#[test]
fn a_cone_in_the_corner_of_floor_and_wall_comes_to_rest() {
    let mut world = quiet_world();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    world.add_body(BodyDef::fixed().at(1.5, 1.0, 0.0), [cuboid(0.5, 1.0, 3.0)]).unwrap();
    world.add_body(BodyDef::fixed().at(-0.1, 0.3, 0.0), [cuboid(0.1, 0.3, 3.0)]).unwrap();
    // Tip down, leaning on a low wall behind it.
    let lean = carom_geometry::Rotation::from_rotation_vector(Vec3::Z * 0.9)
        * carom_geometry::Rotation::from_rotation_vector(Vec3::X * std::f32::consts::FRAC_PI_2);
    let cone = ShapeDef::new(Cone::new(0.3, 0.5).unwrap());
    let body = BodyDef::dynamic().at(0.55, 0.45, 0.0).rotated(lean);
    let id = world.add_body(body, [cone]).unwrap();
    settle(&mut world, &[id], SOON);
    assert!(world.body(id).unwrap().position().y > 0.1, "it lies at {}", world.body(id).unwrap().position());
}

#[test]
fn compounds_apart_on_wavy_ground_fall_asleep() {
    for shapes in two_bars() {
        let mut world = quiet_world();
        wavy_field(&mut world);
        // Apart from each other.
        let body =
            |k: u32| BodyDef::dynamic().at(f64::from(k % 6) * 2.4 - 6.0, 2.0, f64::from(k / 6) * 2.3 - 6.0);
        let add = |k| world.add_body(body(k), shapes.iter().cloned()).unwrap();
        let bodies: Vec<BodyId> = (0..36).map(add).collect();
        settle(&mut world, &bodies, SOON);
    }
}

/// Boxes, balls and capsules over the ground between four walls.
fn heap_of_all_kinds(world: &mut World, side: u32, layers: u32) -> Vec<BodyId> {
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let half = f64::from(side) * 0.5 + 0.5;
    walls(world, half as f32);
    let kinds = [cuboid(0.3, 0.2, 0.25), ball(0.28), capsule(0.2, 0.2)];
    let body = |k: u32| {
        let x = f64::from(k % side) - half + 1.0 + 0.03 * f64::from(k % 7);
        let z = f64::from(k / side % side) - half + 1.0 + 0.04 * f64::from(k % 3);
        BodyDef::dynamic().at(x, 0.6 + f64::from(k / (side * side)) * 0.8, z)
    };
    let add = |k: u32| world.add_body(body(k), [kinds[k as usize % 3].clone().friction(0.5)]).unwrap();
    (0..side * side * layers).map(add).collect()
}

#[test]
fn a_heap_of_all_kinds_falls_asleep_and_stands_still() {
    let mut world = quiet_world();
    let bodies = heap_of_all_kinds(&mut world, 5, 6);
    settle(&mut world, &bodies, SOON);
}

#[test]
fn a_heap_of_a_thousand_falls_asleep_and_stands_still() {
    let mut world = quiet_world();
    let bodies = heap_of_all_kinds(&mut world, 10, 10);
    settle(&mut world, &bodies, SOON);
}

#[test]
fn a_ball_that_spins_on_the_spot_comes_to_rest() {
    let mut world = quiet_world();
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let body = BodyDef::dynamic().at(0.0, 0.3, 0.0).angular_velocity(Vec3::Y * 4.0);
    let id = world.add_body(body, [ball(0.3).friction(0.5)]).unwrap();
    settle(&mut world, &[id], SOON);
}

/// Motion that is slow and real goes on.
#[test]
fn what_glides_swings_or_is_pushed_slowly_stays_awake() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let glider = BodyDef::dynamic().at(0.0, 0.3, 0.0).velocity(Vec3::X * 0.1);
    let glider = world.add_body(glider, [cuboid(0.3, 0.3, 0.3).friction(0.0)]).unwrap();
    let pusher = BodyDef::kinematic().at(-0.4, 0.3, 5.0).velocity(Vec3::X * 0.04);
    world.add_body(pusher, [cuboid(0.1, 0.3, 0.3)]).unwrap();
    let pushed = world.add_body(BodyDef::dynamic().at(0.0, 0.3, 5.0), [cuboid(0.3, 0.3, 0.3)]).unwrap();
    let belt = BodyDef::kinematic().at(0.0, 0.1, 10.0).velocity(Vec3::X * 0.04);
    world.add_body(belt, [cuboid(2.0, 0.1, 1.0)]).unwrap();
    let carried = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 10.0), [cuboid(0.3, 0.3, 0.3)]).unwrap();
    for _ in 0..300 {
        world.step(DT).unwrap();
    }
    for (id, way, error) in [(glider, 0.5, 0.005), (pushed, 0.2, 0.01), (carried, 0.2, 0.01)] {
        let body = world.body(id).unwrap();
        assert!(body.is_awake() && (body.position().x - way).abs() < error, "at {}", body.position());
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
