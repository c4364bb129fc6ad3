//! Tiles and triangles as bodies: they have no thickness, and lie on each other all the same.

use std::f32::consts::FRAC_PI_2;

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{HalfSpace, Tile};
use carom_geometry::{Rotation, Shape};
use glam::Vec3;

use crate::scenes::{DT, Numbers, cuboid};

/// How far from where it should be something at rest may be.
const OFF: f64 = 1e-3;

/// A tile and a triangle, level.
fn bodies() -> [ShapeDef; 2] {
    let tile = Tile::new(0.5, 0.3).unwrap();
    let triangle =
        Triangle::new(Vec3::new(-0.4, 0.0, -0.3), Vec3::new(0.0, 0.0, 0.5), Vec3::new(0.5, 0.0, -0.2));
    [ShapeDef::new(tile), ShapeDef::new(Shape::from(triangle))]
}

/// Floors at height 0, level, ten metres wide at least.
fn floors() -> Vec<(&'static str, ShapeDef, Rotation)> {
    let corners = [Vec3::new(-20.0, -20.0, 0.0), Vec3::new(20.0, -20.0, 0.0), Vec3::new(0.0, 30.0, 0.0)];
    let [a, b, c] = corners;
    let level = Rotation::about_axis(Vec3::X, -FRAC_PI_2);
    let field = HeightField::new(21, 21, vec![0.0; 441], [1.0, 1.0]).unwrap();
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]], &MeshOptions::default()).unwrap();
    vec![
        ("tile", ShapeDef::new(Tile::new(8.0, 8.0).unwrap()), Rotation::IDENTITY),
        ("triangle", ShapeDef::new(Shape::from(Triangle::new(a, b, c))), level),
        ("height field", ShapeDef::new(Shape::from(field)), Rotation::IDENTITY),
        ("mesh", ShapeDef::new(Shape::from(mesh)), level),
        ("half-space", ShapeDef::new(HalfSpace), Rotation::IDENTITY),
    ]
}

fn world_with(floor: &ShapeDef, turned: Rotation) -> World {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed().rotated(turned), [floor.clone()]).unwrap();
    world
}

/// Most steps until something sleeps.
const LONGEST: u32 = 1200;

/// Steps until a body sleeps; returns how often.
fn until_asleep(world: &mut World, body: BodyId) -> u32 {
    let is_awake = |world: &World| world.body(body).unwrap().is_awake();
    (0..LONGEST).find(|_| world.step(DT).is_err() || !is_awake(world)).unwrap_or(LONGEST)
}

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).unwrap().centre_of_mass().y
}

#[test]
fn a_level_tile_rests_on_a_tile_from_any_height() {
    let (_, floor, turned) = &floors()[0];
    for shape in bodies() {
        for k in 0..1000 {
            let y = 0.01 + 0.02 * f64::from(k);
            let mut world = world_with(floor, *turned);
            let body = world.add_body(BodyDef::dynamic().at(0.1, y, 0.2), [shape.clone()]).unwrap();
            let steps = until_asleep(&mut world, body);
            let at = height(&world, body);
            assert!(at.abs() < OFF && steps < LONGEST, "{:?} from {y} m is at {at}", shape.shape);
        }
    }
}

#[test]
fn tilted_tiles_and_triangles_come_to_rest_on_every_floor() {
    let mut numbers = Numbers(3);
    for (name, floor, turned) in floors() {
        for shape in bodies() {
            for k in 0..12 {
                let mut world = world_with(&floor, turned);
                let y = 0.6 + 0.8 * f64::from(k);
                let tilt = if k % 4 == 0 { Vec3::ZERO } else { numbers.vector() * 1.5 };
                let def = BodyDef::dynamic().at(0.1, y, 0.2).rotated(Rotation::from_rotation_vector(tilt));
                let def = def.angular_velocity(tilt * 2.0);
                let body = world.add_body(def, [shape.clone()]).unwrap();
                let steps = until_asleep(&mut world, body);
                let at = height(&world, body);
                let told = format!("{:?} on a {name} from {y} m, turned by {tilt}", shape.shape);
                assert!(at.abs() < OFF && steps < LONGEST, "{told}: at {at} after {steps} steps");
            }
        }
    }
}

/// What is pressed onto its floor stays above it.
#[test]
fn a_box_that_falls_on_a_tile_presses_it_through_nothing() {
    for (name, floor, turned) in floors() {
        for shape in bodies() {
            for (half, y) in [(0.1, 0.5), (0.2, 2.0), (0.4, 5.0)] {
                let mut world = world_with(&floor, turned);
                let below = world.add_body(BodyDef::dynamic().at(0.0, 0.02, 0.0), [shape.clone()]).unwrap();
                let def = BodyDef::dynamic().at(0.05, y, 0.02);
                let load = world.add_body(def, [cuboid(half, half, half).density(300.0)]).unwrap();
                for _ in 0..300 {
                    world.step(DT).unwrap();
                }
                let (low, high) = (height(&world, below), height(&world, load) - f64::from(half));
                let told = format!("{:?} on a {name} under a box of {half}", shape.shape);
                assert!(low > -OFF && low < 5.0 * OFF, "{told}: the flat one is at {low}");
                assert!(high > -5.0 * OFF && high < 5.0 * OFF, "{told}: the box is at {high}");
            }
        }
    }
}

/// Flat bodies that slide or fly edge on into a wall of the surface that they lie on stop there.
#[test]
fn tiles_do_not_slide_through_walls_of_their_own_mesh() {
    let corners = vec![
        Vec3::new(-20.0, 0.0, -10.0),
        Vec3::new(-20.0, 0.0, 10.0),
        Vec3::new(0.0, 0.0, 10.0),
        Vec3::new(0.0, 0.0, -10.0),
        Vec3::new(0.0, 8.0, 10.0),
        Vec3::new(0.0, 8.0, -10.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]];
    let mesh = Mesh::new(corners, triangles, &MeshOptions::default()).unwrap();
    let room = ShapeDef::new(Shape::from(mesh));
    for shape in bodies() {
        for speed in [5.0, 20.0, 60.0, 150.0] {
            for y in [0.0006, 0.01, 0.3] {
                let mut world = world_with(&room, Rotation::IDENTITY);
                let def = BodyDef::dynamic().at(-3.0, y, 0.3).velocity(Vec3::X * speed);
                let body = world.add_body(def, [shape.clone()]).unwrap();
                for _ in 0..90 {
                    world.step(DT).unwrap();
                    let at = world.body(body).unwrap().centre_of_mass();
                    if at.z.abs() > 9.0 || at.x < -19.0 {
                        break;
                    }
                    let told = format!("{:?} at {speed} m/s from a height of {y}", shape.shape);
                    assert!(at.x < 0.0 && at.y > -OFF, "{told}: at {at}");
                }
            }
        }
    }
}
