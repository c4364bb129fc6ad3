//! Impacts from several sides at once, and energy that restitution may not make.

use carom_dynamics::{BodyDef, BodyId, Material, ShapeDef, World, WorldDef};
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::shape::{Capsule, HalfSpace, Sphere};
use glam::Vec3;

fn of(shape: ShapeDef, restitution: f32, friction: f32) -> ShapeDef {
    ShapeDef { material: Material { restitution, friction, ..Material::default() }, ..shape }
}

#[test]
fn balls_from_both_sides_bounce_off_a_capsule_that_stays() {
    for mass in [0.1, 0.7, 1.0, 20.0, 1000.0] {
        for offset in [0.0, 0.2, 0.45] {
            let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
            let volume = 4.0 / 3.0 * std::f32::consts::PI * 0.027;
            let ball = of(ShapeDef::new(Sphere::new(0.3).unwrap()).density(1.0 / volume), 1.0, 0.0);
            let volume = std::f32::consts::PI * 0.09 * 1.4;
            let target =
                of(ShapeDef::new(Capsule::along_y(0.5, 0.3).unwrap()).density(mass / volume), 1.0, 0.0);
            let balls = [-3.0, 3.0].map(|x| {
                let velocity = Vec3::new(if x < 0.0 { 4.0 } else { -4.0 }, 0.0, 0.0);
                world
                    .add_body(BodyDef::dynamic().at(x, offset, 0.0).velocity(velocity), [ball.clone()])
                    .unwrap()
            });
            let target = world.add_body(BodyDef::dynamic(), [target]).unwrap();
            for _ in 0..90 {
                world.step(1.0 / 60.0).unwrap();
            }
            for (id, speed) in balls.into_iter().zip([-4.0, 4.0]) {
                let velocity = world.body(id).unwrap().velocity();
                assert!(
                    (velocity - Vec3::new(speed, 0.0, 0.0)).length() < 1e-3,
                    "{mass} kg, {offset} m: {velocity}"
                );
            }
            let target = world.body(target).unwrap();
            let (v, w) = (target.velocity().length(), target.angular_velocity().length());
            assert!(v < 1e-3 && w < 1e-3, "{mass} kg, {offset} m: {v} m/s, {w} rad/s");
        }
    }
}

#[test]
fn a_ball_never_bounces_higher_than_it_fell() {
    for rate in [10.0, 20.0, 30.0, 60.0, 240.0f32] {
        for radius in [0.05, 0.1, 0.5f32] {
            for height in [1.0, 5.0] {
                let mut world = World::new(WorldDef::default());
                world.add_body(BodyDef::fixed(), [of(ShapeDef::new(HalfSpace), 1.0, 0.5)]).unwrap();
                let ball = of(ShapeDef::new(Sphere::new(radius).unwrap()), 1.0, 0.5);
                let low = f64::from(radius);
                let id = world.add_body(BodyDef::dynamic().at(0.0, low + height, 0.0), [ball]).unwrap();
                let mut highest = 0.0f64;
                for _ in 0..(20.0 * rate) as u32 {
                    world.step(1.0 / rate).unwrap();
                    let body = world.body(id).unwrap();
                    let energy =
                        body.kinetic_energy() / f64::from(body.mass()) + 9.81 * (body.position().y - low);
                    highest = highest.max(energy / (9.81 * height));
                }
                assert!(highest < 1.01, "{rate} Hz, radius {radius}, from {height} m: {highest}");
            }
        }
    }
}

/// A bowl of radius 2 as a mesh of 4 cm squares.
fn bowl() -> Mesh {
    let (n, step, radius) = (71u32, 0.04, 2.0f32);
    let half = step * (n - 1) as f32 * 0.5;
    let place = |k: u32| k as f32 * step - half;
    let height = |x: f32, z: f32| radius - (radius * radius - x * x - z * z).sqrt();
    let grid = (0..n * n).map(|k| (place(k % n), place(k / n)));
    let points = grid.map(|(x, z)| Vec3::new(x, height(x, z), z)).collect();
    let squares = (0..(n - 1) * (n - 1)).map(|k| k / (n - 1) * n + k % (n - 1));
    let triangles = squares.flat_map(|k| [[k, k + n, k + 1], [k + 1, k + n, k + n + 1]]).collect();
    Mesh::new(points, triangles, &MeshOptions::default()).unwrap()
}

#[test]
fn a_ball_in_a_bowl_does_not_climb() {
    for rate in [10.0, 30.0, 60.0, 240.0f32] {
        for friction in [0.0, 0.6] {
            let mut world = World::new(WorldDef::default().can_sleep(false));
            world.add_body(BodyDef::fixed(), [of(ShapeDef::new(bowl()), 0.0, friction)]).unwrap();
            let (angle, way) = (0.25f64, 1.8);
            let body = BodyDef::dynamic().at(way * angle.sin(), 2.0 - way * angle.cos(), 0.0);
            let id: BodyId =
                world.add_body(body, [of(ShapeDef::new(Sphere::new(0.2).unwrap()), 0.0, friction)]).unwrap();
            let height = |world: &World| {
                let body = world.body(id).unwrap();
                body.position().y - 0.2 + body.kinetic_energy() / (9.81 * f64::from(body.mass()))
            };
            let start = height(&world);
            for _ in 0..(20.0 * rate) as u32 {
                world.step(1.0 / rate).unwrap();
                let now = height(&world) / start;
                assert!(now < 1.01, "{rate} Hz, friction {friction}: {now} of its height");
            }
        }
    }
}
