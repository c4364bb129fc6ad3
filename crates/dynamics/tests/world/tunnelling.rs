//! Nothing passes through anything, however fast it is.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World};
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::{Rotation, Shape};
use glam::Vec3;

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, space};

/// How many shots of a kind: with `CAROM_LONG` a hundred times as many.
fn shots(ordinarily: u32) -> u32 {
    if std::env::var_os("CAROM_LONG").is_some() { 100 * ordinarily } else { ordinarily }
}

/// Walls across x at the origin, 10 m wide.
#[derive(Clone, Copy, Debug)]
enum Wall {
    /// 0.1 m thick.
    Thick,
    /// 2 mm thick.
    Thin,
    /// Of triangles.
    Mesh,
}

impl Wall {
    fn shape(self) -> ShapeDef {
        match self {
            Self::Thick => cuboid(0.05, 5.0, 5.0),
            Self::Thin => cuboid(0.001, 5.0, 5.0),
            Self::Mesh => sheet(),
        }
    }
}

/// Triangles across x.
fn sheet() -> ShapeDef {
    let n = 10;
    let mut vertices = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            vertices.push(Vec3::new(0.0, i as f32 - 5.0, j as f32 - 5.0));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let at = i * (n + 1) + j;
            triangles.push([at, at + 1, at + n + 2]);
            triangles.push([at, at + n + 2, at + n + 1]);
        }
    }
    ShapeDef::new(Shape::from(Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()))
}

/// A shot at a wall from a random side, at a random angle and with a random spin.
struct Shot {
    world: World,
    body: BodyId,
    /// Where it comes from.
    side: f64,
    told: String,
}

fn shot(numbers: &mut Numbers, wall: Wall, shape: &ShapeDef, speed: f32, max_spin: f32) -> Shot {
    let mut world = space();
    world.add_body(BodyDef::fixed(), [wall.shape()]).unwrap();
    let aim = Vec3::new(0.0, 2.0 * numbers.next(), 2.0 * numbers.next());
    let mut way = numbers.vector();
    while way.length() > 1.0 || way.x.abs() < 0.05 {
        way = numbers.vector();
    }
    let way = way.normalize();
    let start = aim - way * (2.0 / way.x.abs() + 4.0 * (1.0 + numbers.next()));
    let turn = numbers.vector().normalize_or(Vec3::X);
    let rotation = Rotation::about_axis(turn, 3.0 * numbers.next());
    let spin = numbers.vector() * max_spin;
    let at = start.as_dvec3();
    let mut def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(way * speed).spin(spin).turned(rotation);
    def.max_speed = 2000.0;
    let body = world.add_body(def, [shape.clone()]).unwrap();
    let told = format!("{:?} at {wall:?}, {speed} m/s from {start} along {way}, spin {spin}", shape.shape);
    Shot { world, body, side: f64::from(start.x).signum(), told }
}

/// Did it come out on the other side?
fn passes(mut shot: Shot) -> Option<String> {
    for _ in 0..90 {
        shot.world.step(DT).unwrap();
        let at = shot.world.body(shot.body).unwrap().centre_of_mass();
        if at.y.abs().max(at.z.abs()) > 3.9 {
            return None;
        }
        if at.x * shot.side < 0.0 {
            return Some(format!("{}: at {at}", shot.told));
        }
    }
    None
}

#[test]
fn explore() {
    let mut numbers = Numbers(17);
    for wall in [Wall::Thick, Wall::Thin, Wall::Mesh] {
        for (name, shape) in [
            ("ball", ball(0.05)),
            ("small ball", ball(0.01)),
            ("box", cuboid(0.05, 0.03, 0.08)),
            ("plate", cuboid(0.3, 0.01, 0.3)),
            ("capsule", capsule(0.05, 0.02)),
            ("rod", capsule(1.0, 0.02)),
            ("long box", cuboid(0.02, 1.0, 0.02)),
        ] {
            for speed in [10.0, 50.0, 150.0, 300.0, 1000.0] {
                for max_spin in [0.0, 30.0, 110.0] {
                    let mut bad = 0;
                    let mut first = String::new();
                    for _ in 0..100 {
                        let it = shot(&mut numbers, wall, &shape, speed, max_spin);
                        if let Some(told) = passes(it) {
                            bad += 1;
                            first = told;
                        }
                    }
                    if bad > 0 {
                        println!("{wall:?} {name} {speed} spin {max_spin}: {bad}% pass, e.g. {first:.150}");
                    }
                }
            }
        }
    }
}
