//! Scenes of the benchmarks, built with the API alone.
#![allow(dead_code, clippy::unwrap_used)] // no benchmark uses all of them

use carom_core::random::Random;
use carom_dynamics::{BodyDef, BodyId, JointDef, ShapeDef, World, WorldDef};
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::shape::{Capsule, Cuboid, HalfSpace, Sphere};
use glam::{DVec3, Vec3};

fn add(world: &mut World, def: BodyDef, shape: ShapeDef) -> BodyId {
    world.add_body(def, [shape]).unwrap()
}

fn cuboid(half: Vec3) -> ShapeDef {
    ShapeDef::new(Cuboid::new(half).unwrap())
}

/// A number within ±1.
fn signed(random: &mut Random) -> f32 {
    random.range(-1.0, 1.0)
}

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(signed(random), signed(random), signed(random))
}

/// Elastic balls without gravity in a closed box.
pub(crate) fn balls_in_box(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def.gravity(Vec3::ZERO).restitution_threshold(0.0));
    let mut random = Random::new(1);
    let side = (count as f64).cbrt().ceil() as usize;
    let half = side as f32 * 0.75 + 1.0;
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (mut at, mut size) = (Vec3::ZERO, Vec3::splat(half + 2.0));
            (at[axis], size[axis]) = (sign * (half + 1.0), 1.0);
            let at = at.as_dvec3();
            add(
                &mut world,
                BodyDef::fixed().at(at.x, at.y, at.z),
                cuboid(size).friction(0.0).restitution(1.0),
            );
        }
    }
    let ball = ShapeDef::new(Sphere::new(0.4).unwrap()).friction(0.0).restitution(1.0);
    for number in 0..count {
        let cell = [number % side, number / side % side, number / (side * side)];
        let [x, y, z] = cell.map(|k| (k as f64 + 0.5 - side as f64 * 0.5) * 1.5);
        add(&mut world, BodyDef::dynamic().at(x, y, z).velocity(vector(&mut random) * 5.0), ball.clone());
    }
    world
}

/// Boxes in a triangle, `base` of them at the bottom.
pub(crate) fn pyramid(def: WorldDef, base: usize) -> World {
    let mut world = World::new(def);
    add(&mut world, BodyDef::fixed(), ShapeDef::new(HalfSpace));
    let cube = cuboid(Vec3::splat(0.5));
    for row in 0..base {
        for k in 0..base - row {
            let x = k as f64 * 1.05 - (base - row) as f64 * 0.525;
            add(&mut world, BodyDef::dynamic().at(x, 0.5 + row as f64, 0.0), cube.clone());
        }
    }
    world
}

/// Boxes, balls and capsules that fall into a heap.
pub(crate) fn pile(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def);
    let mut random = Random::new(2);
    add(&mut world, BodyDef::fixed(), ShapeDef::new(HalfSpace));
    let shapes = [
        cuboid(Vec3::new(0.4, 0.3, 0.5)),
        ShapeDef::new(Sphere::new(0.4).unwrap()),
        ShapeDef::new(Capsule::new(Vec3::Y * -0.3, Vec3::Y * 0.3, 0.3).unwrap()),
    ];
    for number in 0..count {
        let layer = [number % 12, number / 144, number / 12 % 12].map(|k| k as f64 * 1.1);
        let off = vector(&mut random).as_dvec3() * 0.05;
        let def = BodyDef::dynamic().at(layer[0] + off.x - 6.0, layer[1] + 0.6, layer[2] + off.z - 6.0);
        add(&mut world, def, shapes[number % 3].clone());
    }
    world
}

/// A net of balls, `side` by `side`, held at its upper edge by ball joints.
pub(crate) fn net(def: WorldDef, side: usize) -> World {
    let mut world = World::new(def);
    let ball = ShapeDef::new(Sphere::new(0.2).unwrap());
    let mut ids = Vec::new();
    for k in 0..side * side {
        let (x, z) = ((k % side) as f64, (k / side) as f64);
        let kind = if k < side { BodyDef::fixed() } else { BodyDef::dynamic() };
        ids.push(add(&mut world, kind.at(x, 0.0, z), ball.clone()));
    }
    for k in 0..side * side {
        let (x, z) = ((k % side) as f64, (k / side) as f64);
        let right = (k % side + 1 < side).then(|| (ids[k + 1], DVec3::new(x + 0.5, 0.0, z)));
        let below = (k + side < side * side).then(|| (ids[k + side], DVec3::new(x, 0.0, z + 0.5)));
        for (other, anchor) in right.into_iter().chain(below) {
            world.add_joint(JointDef::ball(ids[k], other).at(anchor)).unwrap();
        }
    }
    world
}

/// Spinning boxes that meet nothing.
pub(crate) fn free_bodies(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def);
    let mut random = Random::new(3);
    let shape = cuboid(Vec3::new(0.2, 0.3, 0.5));
    for number in 0..count {
        let [x, y, z] = [number % 25, number / 625, number / 25 % 25].map(|k| k as f64 * 4.0);
        let def = BodyDef::dynamic().at(x, y, z).angular_velocity(vector(&mut random) * 3.0);
        add(&mut world, def, shape.clone());
    }
    world
}

/// A heap on a landscape of triangles.
pub(crate) fn pile_on_mesh(def: WorldDef, count: usize) -> World {
    let mut world = World::new(def);
    let hills = |x: f32, z: f32| 0.3 * ((x * 0.7) as i32 % 3 + (z * 0.7) as i32 % 2) as f32;
    let (points, triangles) = generate::terrain(60, 60, 0.5, hills);
    let mesh = Mesh::new(points, triangles, &MeshOptions::default()).unwrap();
    add(&mut world, BodyDef::fixed().at(0.0, -1.0, 0.0), ShapeDef::new(mesh));
    let mut random = Random::new(4);
    let shapes = [cuboid(Vec3::new(0.3, 0.2, 0.25)), ShapeDef::new(Sphere::new(0.25).unwrap())];
    for number in 0..count {
        let layer = [number % 20, number / 400, number / 20 % 20].map(|k| k as f64);
        let off = vector(&mut random).as_dvec3() * 0.05;
        let at =
            BodyDef::dynamic().at(layer[0] + off.x - 10.0, 0.8 * layer[1] + 1.5, layer[2] + off.z - 10.0);
        add(&mut world, at, shapes[number % 2].clone());
    }
    world
}
