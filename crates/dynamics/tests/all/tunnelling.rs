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

fn shot(numbers: &mut Numbers, wall: Wall, shape: &ShapeDef, speed: f32, max_angular_speed: f32) -> Shot {
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
    let spin = numbers.vector() * max_angular_speed;
    let at = start.as_dvec3();
    let mut def = BodyDef::dynamic()
        .at(at.x, at.y, at.z)
        .velocity(way * speed)
        .angular_velocity(spin)
        .rotated(rotation);
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

/// Shoots all kinds of bodies at all kinds of walls; none may pass.
fn shoot(seed: u64, each: u32, kinds: &[ShapeDef], speeds: &[f32], spins: &[f32]) {
    let mut numbers = Numbers(seed);
    let (mut passed, mut fired) = (Vec::new(), 0);
    for wall in [Wall::Thick, Wall::Thin, Wall::Mesh] {
        for shape in kinds {
            for &speed in speeds {
                for &spin in spins {
                    for _ in 0..each {
                        passed.extend(passes(shot(&mut numbers, wall, shape, speed, spin)));
                        fired += 1;
                    }
                }
            }
        }
    }
    assert!(
        passed.is_empty(),
        "{} of {fired} pass, such as {:?}",
        passed.len(),
        &passed[..passed.len().min(3)]
    );
}

#[test]
fn small_bodies_pass_no_wall() {
    let kinds =
        [ball(0.05), ball(0.01), cuboid(0.05, 0.03, 0.08), cuboid(0.3, 0.01, 0.3), capsule(0.05, 0.02)];
    shoot(17, shots(8), &kinds, &[10.0, 50.0, 150.0, 300.0], &[0.0, 30.0, 110.0]);
}

#[test]
fn the_fastest_pass_no_wall() {
    let kinds = [ball(0.05), cuboid(0.05, 0.03, 0.08), capsule(0.05, 0.02)];
    shoot(18, shots(20), &kinds, &[1000.0], &[0.0, 110.0]);
}

#[test]
fn long_rods_pass_no_wall() {
    let kinds = [capsule(1.0, 0.02), cuboid(0.02, 1.0, 0.02)];
    shoot(19, shots(10), &kinds, &[10.0, 50.0, 150.0], &[0.0, 30.0, 110.0]);
}

#[test]
fn the_fastest_rods_pass_no_wall() {
    let kinds = [capsule(1.0, 0.02), cuboid(0.02, 1.0, 0.02)];
    shoot(20, shots(20), &kinds, &[300.0, 1000.0], &[0.0, 110.0]);
}

/// Shots that pass a cube of a metre by more than half their own thickness keep their velocity.
#[test]
fn nothing_bounces_off_what_it_passes_by() {
    let mut numbers = Numbers(5);
    let (mut ghosts, mut fired) = (0, 0);
    for speed in [20.0, 60.0, 150.0, 300.0] {
        for (shape, reach, thinness) in [
            (ball(0.05), 0.05, 0.05),
            (cuboid(0.05, 0.03, 0.08), 0.1, 0.03),
            (capsule(0.05, 0.02), 0.07, 0.02),
            (ball(0.5), 0.5, 0.5),
        ] {
            for _ in 0..shots(60) {
                let mut world = space();
                world.add_body(BodyDef::fixed(), [cuboid(0.5, 0.5, 0.5)]).unwrap();
                let way = numbers.vector().normalize_or(Vec3::X);
                let across = way.cross(numbers.vector()).normalize_or(way.any_orthonormal_vector());
                let clear = 0.87 + reach + thinness + 0.03 + 0.2 * (1.0 + numbers.next());
                let at = (across * clear - way * (6.0 + 3.0 * numbers.next())).as_dvec3();
                let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(way * speed);
                let body = world.add_body(def, [shape.clone()]).unwrap();
                for _ in 0..40 {
                    world.step(DT).unwrap();
                }
                fired += 1;
                ghosts += u32::from(world.body(body).unwrap().velocity() != way * speed);
            }
        }
    }
    assert_eq!(ghosts, 0, "of {fired}");
}

#[test]
fn bullets_meet_each_other_and_everything() {
    let mut numbers = Numbers(23);
    let (mut missed, mut fired) = (0, 0);
    for _ in 0..shots(60) {
        for speed in [50.0, 150.0, 300.0] {
            let mut world = space();
            let off = numbers.vector() * 0.02;
            let place = |x: f32, off: Vec3| (Vec3::X * x + off).as_dvec3();
            let (a, b) = (place(-4.0 + numbers.next(), off), place(4.0 + numbers.next(), Vec3::ZERO));
            let spin = numbers.vector() * 50.0;
            let def = BodyDef::dynamic().bullet().angular_velocity(spin);
            let left = def.clone().at(a.x, a.y, a.z).velocity(Vec3::X * speed);
            let right = def.at(b.x, b.y, b.z).velocity(Vec3::X * -speed);
            let left = world.add_body(left, [ball(0.05)]).unwrap();
            let right = world.add_body(right, [cuboid(0.05, 0.05, 0.05)]).unwrap();
            for _ in 0..60 {
                world.step(DT).unwrap();
            }
            fired += 1;
            let [left, right] = [left, right].map(|id| world.body(id).unwrap().velocity().x);
            missed += u32::from(left > 0.9 * speed || right < -0.9 * speed);
        }
    }
    assert_eq!(missed, 0, "of {fired}");
}

#[test]
fn the_report_tells_who_was_swept_and_stopped() {
    let mut world = space();
    world.add_body(BodyDef::fixed(), [cuboid(0.001, 5.0, 5.0)]).unwrap();
    let slow = BodyDef::dynamic().at(-2.0, 3.0, 0.0).velocity(Vec3::X);
    world.add_body(slow, [ball(0.05)]).unwrap();
    assert_eq!(world.step(DT).unwrap().ccd_swept, 0);
    let fast = BodyDef::dynamic().at(-2.0, 0.0, 0.0).velocity(Vec3::X * 100.0);
    let fast = world.add_body(fast, [ball(0.05)]).unwrap();
    let (mut swept, mut stopped) = (0, 0);
    for _ in 0..20 {
        let report = world.step(DT).unwrap();
        (swept, stopped) = (swept + report.ccd_swept, stopped + report.ccd_hits);
    }
    assert!(swept >= 2 && stopped == 1, "{swept} swept, {stopped} stopped");
    let at = world.body(fast).unwrap().position().x;
    assert!((at + 0.051).abs() < 0.01, "{at}");
}
