//! Impulses that are carried over from step to step never outlive what bounded them.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::shape::{Capsule, Cuboid, HalfSpace};
use glam::Vec3;

use crate::scenes::walls;

#[test]
fn capsules_that_do_not_touch_do_not_spin_each_other_up() {
    for gravity in [Vec3::new(0.0, -9.81, 0.0), Vec3::ZERO] {
        let mut world = World::new(WorldDef::default().gravity(gravity));
        let shape = ShapeDef::new(Capsule::along_y(0.25, 0.2).unwrap());
        let rotation = |q: [f32; 4]| Rotation::from_xyzw(q).unwrap();
        let a = BodyDef::dynamic()
            .at(0.447_915_6, 2.245_753_6, -0.482_553_9)
            .rotated(rotation([0.8152508, 0.52079135, -0.23259155, 0.100218706]))
            .velocity(Vec3::new(0.16092448, 2.076227, 0.73423684))
            .angular_velocity(Vec3::new(-49.567142, 27.875748, -60.832123));
        let b = BodyDef::dynamic()
            .at(0.351_344_2, 2.113_011_3, -1.172_714_7)
            .rotated(rotation([0.89493984, -0.18012443, -0.39195192, -0.11406762]))
            .velocity(Vec3::new(2.6380064, 1.9449611, -0.055220857))
            .angular_velocity(Vec3::new(15.28339, -8.509012, 60.400124));
        let bodies = [a, b].map(|body| world.add_body(body, [shape.clone()]).unwrap());
        let spin = |world: &World| bodies.map(|id| world.body(id).unwrap().angular_momentum().length());
        let before = spin(&world);
        for _ in 0..10 {
            world.step(1.0 / 60.0).unwrap();
        }
        for (before, after) in before.into_iter().zip(spin(&world)) {
            assert!(after <= before * 1.001, "from {before} to {after}");
        }
    }
}

#[test]
fn a_heap_of_capsules_throws_nobody_out() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    walls(&mut world, 3.0);
    let shape = ShapeDef::new(Capsule::along_y(0.25, 0.2).unwrap());
    let bodies: Vec<BodyId> = (0..300u32)
        .map(|k| {
            let x = f64::from(k % 6) * 0.75 - 1.9 + 0.01 * f64::from(k % 7);
            let z = f64::from(k / 6 % 6) * 0.75 - 1.9 + 0.013 * f64::from(k % 5);
            world
                .add_body(BodyDef::dynamic().at(x, 0.5 + f64::from(k / 36) * 0.75, z), [shape.clone()])
                .unwrap()
        })
        .collect();
    for step in 1..=600 {
        world.step(1.0 / 60.0).unwrap();
        for id in &bodies {
            let body = world.body(*id).unwrap();
            let (speed, spin) = (body.velocity().length(), body.angular_velocity().length());
            assert!(speed < 12.0 && spin < 45.0, "step {step}: {id} at {speed} m/s and {spin} rad/s");
        }
    }
}

#[test]
fn a_touch_that_begins_again_begins_without_impulses() {
    // A box is lifted off and put down a hair above the ground: what it carried at rest would
    // throw it up.
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
    let cube = ShapeDef::new(Cuboid::cube(0.5).unwrap());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cube]).unwrap();
    for _ in 0..20 {
        world.step(1.0 / 60.0).unwrap();
    }
    for height in [0.54, 0.515] {
        let rotation = world.body(id).unwrap().rotation();
        world.body_mut(id).unwrap().set_pose(glam::DVec3::new(0.0, height, 0.0), rotation).unwrap();
        world.body_mut(id).unwrap().set_velocity(Vec3::ZERO).unwrap();
        for _ in 0..3 {
            world.step(1.0 / 60.0).unwrap();
            let speed = world.body(id).unwrap().velocity().y;
            assert!(speed < 0.01, "it is thrown up at {speed} m/s from {height} m");
        }
    }
}
