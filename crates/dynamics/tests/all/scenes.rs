//! Small worlds that several tests use.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::shape::{Capsule, Cuboid, HalfSpace, Sphere};
use glam::Vec3;

pub(crate) const DT: f32 = 1.0 / 60.0;

/// A box.
pub(crate) fn cuboid(x: f32, y: f32, z: f32) -> ShapeDef {
    ShapeDef::new(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

/// A ball.
pub(crate) fn ball(radius: f32) -> ShapeDef {
    ShapeDef::new(Sphere::new(radius).unwrap())
}

/// A capsule along y.
pub(crate) fn capsule(half: f32, radius: f32) -> ShapeDef {
    ShapeDef::new(Capsule::new(Vec3::Y * -half, Vec3::Y * half, radius).unwrap())
}

/// A world without gravity in which everything bounces.
pub(crate) fn space() -> World {
    World::new(WorldDef::default().gravity(Vec3::ZERO).restitution_threshold(0.0).can_sleep(false))
}

/// A world with gravity and a ground at height 0.
pub(crate) fn ground(def: WorldDef) -> World {
    let mut world = World::new(def.can_sleep(false));
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    world
}

/// Six walls around a room, frictionless and elastic.
pub(crate) fn room(world: &mut World, half: f32) {
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut at, mut size) = (Vec3::ZERO, Vec3::splat(half + 2.0));
            at[axis] = side * (half + 1.0);
            size[axis] = 1.0;
            let wall = cuboid(size.x, size.y, size.z).friction(0.0).restitution(1.0);
            let at = at.as_dvec3();
            world.add_body(BodyDef::fixed().at(at.x, at.y, at.z), [wall]).unwrap();
        }
    }
}

/// Four walls on the ground round a square, 6 m high.
pub(crate) fn walls(world: &mut World, half: f32) {
    for (x, z) in [(half, 0.0), (-half, 0.0), (0.0, half), (0.0, -half)] {
        let long = |across: f32| if across == 0.0 { half + 1.0 } else { 0.5 };
        let wall = BodyDef::fixed().at(f64::from(x), 2.0, f64::from(z));
        world.add_body(wall, [cuboid(long(x), 4.0, long(z))]).unwrap();
    }
}

/// Steps for so many seconds.
pub(crate) fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        let report = world.step(DT).unwrap();
        assert!(report.quarantined.is_empty());
    }
}

pub(crate) fn kinetic_energy(world: &World) -> f64 {
    world.body_ids().map(|id| world.body(id).unwrap().kinetic_energy()).sum()
}

/// Numbers that look random and are the same everywhere.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Between −1 and 1.
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A heap of boxes, balls and capsules that falls onto the ground.
pub(crate) fn heap(def: WorldDef, count: u32) -> (World, Vec<BodyId>) {
    let mut world = ground(def);
    let mut numbers = Numbers(7);
    let ids = (0..count).map(|k| {
        let shape = match k % 3 {
            0 => cuboid(0.3, 0.2, 0.25),
            1 => ball(0.25),
            _ => capsule(0.2, 0.15),
        };
        let at = Vec3::new(numbers.next(), 0.6 + 0.25 * k as f32, numbers.next()).as_dvec3();
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).angular_velocity(numbers.vector() * 3.0);
        world.add_body(def, [shape]).unwrap()
    });
    let ids = ids.collect();
    (world, ids)
}
