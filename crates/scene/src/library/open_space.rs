//! Two extremes: a world of a million boxes where hardly anything moves (Box3D's `large_world`),
//! and a hollow box where everything moves too fast to be seen in two places (Jolt's HighSpeed).

use carom_core::random::Random;

use super::request::Parameter;
use super::setting::{RATE, body, engine_scene, rough, sleepless};
use super::walls::{colour, fixed, slabs};
use super::{Dimensions, Generator, SceneSource};
use crate::model::{Action, Body, Event, Material, Shape, ShapeKind};

const GROUND: Material = rough(0.6, 1000.0);

/// `large_world`.
pub(super) const LARGE_WORLD: Generator = Generator {
    name: "large_world",
    description: "A floor of a million static boxes; a ball is dropped now and then (Box3D's benchmark)",
    parameters: &[
        Parameter { name: "side", default: "1000", meaning: "boxes along each side of the floor" },
        Parameter { name: "balls", default: "100", meaning: "balls, one every five steps" },
    ],
    sample: ":12?balls=5",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let side = arguments.count("side", 1..=1900)?;
        let balls = arguments.count("balls", 0..=10_000)?;
        let across = |i: usize| (i as f32 - (side - 1) as f32 * 0.5) * 10.0;
        let slab = ShapeKind::Box { size: [10.0, 0.5, 10.0] };
        let floor = (0..side * side).map(|k| Body {
            position: [across(k % side), -0.25, across(k / side)],
            ..fixed(slab.clone(), GROUND)
        });
        let events = (0..balls).map(|k| {
            let [x, z] = [k % 10, k / 10 % 10].map(|i| (i as f32 - 4.5) * 10.0);
            let ball = body([x, 10.0, z], ShapeKind::Sphere { radius: 0.5 }, GROUND);
            let ball = Body { id: format!("ball {k}"), look: colour(k), ..ball };
            Event { time: (5 * k) as f32 / RATE as f32, action: Action::Spawn(Box::new(ball)) }
        });
        let about = format!("{} static boxes and {balls} balls", side * side);
        let name = format!("large_world-{side}");
        let mut scene = engine_scene(name, about, 10.0, 500, floor.collect(), ([0.0; 3], 60.0));
        scene.events = events.collect();
        Ok(SceneSource::Spatial(scene))
    },
};

/// `high_speed`.
pub(super) const HIGH_SPEED: Generator = Generator {
    name: "high_speed",
    description: "Balls, boxes and crosses at 250 m/s in a box with walls of 20 cm (Jolt's HighSpeed)",
    parameters: &[
        Parameter { name: "n", default: "5000", meaning: "number of bodies" },
        Parameter { name: "speed", default: "250", meaning: "m/s" },
        Parameter {
            name: "seed",
            default: "0x5EED2028",
            meaning: "seed of places, velocities and bounciness",
        },
    ],
    sample: ":60",
    dimensions: Dimensions::Three,
    build: |arguments| {
        let n = arguments.count("n", 1..=100_000)?;
        let speed = arguments.number("speed", 0.0..=400.0)?;
        let mut random = Random::new(arguments.seed("seed")?);
        let wall = Material { friction: 0.0, restitution: 1.0, ..rough(0.0, 1000.0) };
        let mut bodies = slabs([0.0; 3], [50.0; 3], 0.2, false, wall);
        for k in 0..n {
            let position = std::array::from_fn(|_| random.range(-45.0, 45.0));
            let velocity = random.direction().map(|x| x * speed);
            let material = Material { friction: 0.2, restitution: random.range(0.9, 1.0), ..wall };
            let shapes = match k % 3 {
                0 => vec![ShapeKind::Sphere { radius: 0.5 }],
                1 => vec![ShapeKind::Box { size: [1.0; 3] }],
                _ => vec![ShapeKind::Box { size: [1.5, 0.5, 0.5] }, ShapeKind::Box { size: [0.5, 1.5, 0.5] }],
            };
            let shapes = shapes.into_iter().map(|kind| Shape::new(kind).with_material(material)).collect();
            bodies.push(Body {
                position,
                velocity,
                shapes,
                bullet: true,
                look: colour(k % 3),
                ..Body::default()
            });
        }
        let about = format!("{n} bodies that cross a wall's thickness twenty times over in a step");
        let scene = engine_scene(format!("high_speed-{n}"), about, 0.0, 500, bodies, ([0.0; 3], 80.0));
        Ok(SceneSource::Spatial(sleepless(scene)))
    },
};
