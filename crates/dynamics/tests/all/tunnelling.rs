//! Nothing passes through anything, however fast it is.

use carom_broadphase::{Choice, Method};
use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::shape::{Capsule, Child, Compound, Cuboid, Sphere};
use carom_geometry::{Pose, Rotation, Shape};
use glam::Vec3;

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, space};
use crate::zoo::{MASSIVE, rotation, shape};

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
    // Fast, but along the wall and far from it: nobody has to look at its way.
    let passing = BodyDef::dynamic().at(-9.0, -3.0, 0.0).velocity(Vec3::Y * 100.0);
    world.add_body(passing, [ball(0.05)]).unwrap();
    assert_eq!(world.step(DT).unwrap().ccd_swept, 0);
    let fast = BodyDef::dynamic().at(-2.0, 0.0, 0.0).velocity(Vec3::X * 100.0);
    let fast = world.add_body(fast, [ball(0.05)]).unwrap();
    let (mut swept, mut stopped) = (0, 0);
    for _ in 0..20 {
        let report = world.step(DT).unwrap();
        (swept, stopped) = (swept + report.ccd_swept, stopped + report.ccd_hits);
    }
    assert!(swept >= 1 && stopped == 1, "{swept} swept, {stopped} stopped");
    let at = world.body(fast).unwrap().position().x;
    assert!((at + 0.051).abs() < 0.01, "{at}");
}

/// Terrain at height 0, 80 m wide.
fn terrains() -> [(&'static str, Shape); 2] {
    let field = HeightField::new(41, 41, vec![0.0; 41 * 41], [2.0, 2.0]).unwrap();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=20 {
        for j in 0..=20 {
            vertices.push(Vec3::new(4.0 * i as f32 - 40.0, 0.0, 4.0 * j as f32 - 40.0));
        }
    }
    for i in 0..20 {
        for j in 0..20 {
            let at = i * 21 + j;
            triangles.push([at, at + 1, at + 22]);
            triangles.push([at, at + 22, at + 21]);
        }
    }
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    [("height field", field.into()), ("mesh", mesh.into())]
}

/// A cube and a ball at the ends of a rod that is not there.
fn dumbbell() -> Shape {
    let child = |x, shape| Child { pose: Pose::at(Vec3::X * x), shape };
    let cube = child(0.2, Cuboid::cube(0.08).unwrap().into());
    let round = child(-0.2, Sphere::new(0.06).unwrap().into());
    Compound::new(vec![cube, round]).unwrap().into()
}

/// Three boards across each other: thinner than the box round them by far.
fn boards() -> Shape {
    let board =
        |x, y, z| Child { pose: Pose::IDENTITY, shape: Cuboid::new(Vec3::new(x, y, z)).unwrap().into() };
    Compound::new(vec![board(0.3, 0.01, 0.3), board(0.01, 0.3, 0.3), board(0.3, 0.3, 0.01)]).unwrap().into()
}

/// Throws a shape down on terrain in many poses; tells how many are below it in the end.
fn fall_through(shape: &Shape, floor: &Shape, poses: u32, dt: f32, speed: f32, is_bullet: bool) -> u32 {
    let mut numbers = Numbers(9);
    let mut fallen = 0;
    for _ in 0..poses {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(floor.clone())]).unwrap();
        let down = Vec3::Y * (-speed * (1.0 + 0.3 * numbers.next()));
        let mut def = BodyDef::dynamic()
            .at(0.3 + f64::from(numbers.next()), 7.0 + 2.0 * f64::from(numbers.next()), 0.4)
            .rotated(rotation(&mut numbers))
            .velocity(down + numbers.vector() * Vec3::new(2.0, 0.0, 2.0))
            .angular_velocity(numbers.vector() * 5.0);
        def.is_bullet = is_bullet;
        let body = world.add_body(def, [ShapeDef::new(shape.clone())]).unwrap();
        for _ in 0..(2.0 / dt) as u32 {
            world.step(dt).unwrap();
            let at = world.body(body).unwrap().position();
            if at.x.abs().max(at.z.abs()) > 38.0 {
                break;
            }
            if at.y < -1.0 {
                fallen += 1;
                break;
            }
        }
    }
    fallen
}

#[test]
fn compounds_do_not_fall_through_terrain() {
    for (name, floor) in terrains() {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(floor.clone())]).unwrap();
        let def = BodyDef::dynamic().at(0.3, 7.0, 0.4).velocity(Vec3::new(1.0, -28.0, 2.0));
        let def = def.angular_velocity(Vec3::new(1.0, 0.5, 2.0));
        let body = world.add_body(def, [ShapeDef::new(dumbbell())]).unwrap();
        for _ in 0..240 {
            world.step(DT).unwrap();
        }
        let at = world.body(body).unwrap().position();
        assert!(at.y > 0.0, "the dumbbell is at {at} below the {name}");
        for (shape, dt, speed) in
            [(dumbbell(), DT, 28.0), (dumbbell(), 0.1, 28.0), (boards(), DT, 28.0), (boards(), 0.05, 60.0)]
        {
            for is_bullet in [false, true] {
                let fallen = fall_through(&shape, &floor, shots(60).min(1000), dt, speed, is_bullet);
                assert_eq!(fallen, 0, "{shape:?} through the {name}, dt {dt}, bullet: {is_bullet}");
            }
        }
    }
}

#[test]
fn no_kind_of_shape_falls_through_terrain() {
    let mut numbers = Numbers(31);
    for (name, floor) in terrains() {
        for kind in 0..MASSIVE {
            let shape = shape(kind, &mut numbers);
            for (dt, speed) in [(DT, 30.0), (DT, 200.0), (0.1, 15.0), (0.1, 60.0)] {
                let fallen = fall_through(&shape, &floor, shots(12).min(250), dt, speed, false);
                assert_eq!(fallen, 0, "{shape:?} through the {name}, dt {dt}, {speed} m/s");
            }
        }
    }
}

/// Bullets that meet several capsules at nearly the same time stop at the same place whatever the
/// broad phase, to the bit.
#[test]
fn shots_do_not_depend_on_the_broad_phase() {
    let mut numbers = Numbers(1);
    for shot in 0..shots(250) {
        let mut targets = vec![(Vec3::new(0.2, 0.5, -0.1), 0.1), (Vec3::new(0.7, 0.0, 0.0), 0.4)];
        let mut way = Vec3::new(6.2, -200.0, 4.6);
        if shot > 0 {
            way += numbers.vector() * 10.0;
            for (at, radius) in &mut targets {
                *at += numbers.vector() * Vec3::new(0.3, 0.2, 0.3);
                *radius *= 1.0 + 0.5 * numbers.next();
            }
            targets.push((numbers.vector(), 0.3));
        }
        let mut first: Option<(Method, u64)> = None;
        for method in Method::ALL {
            let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO).broad(Choice::from(method)));
            for (at, radius) in &targets {
                let at = at.as_dvec3();
                let shape = ShapeDef::new(Capsule::along_x(0.5, *radius).unwrap());
                world.add_body(BodyDef::dynamic().at(at.x, at.y, at.z), [shape]).unwrap();
            }
            let def = BodyDef::dynamic().at(0.0, 3.0, 0.0).velocity(way).bullet();
            world.add_body(def, [ball(0.2)]).unwrap();
            world.step(DT).unwrap();
            let (other, hash) = *first.get_or_insert((method, world.state_hash()));
            assert_eq!(world.state_hash(), hash, "shot {shot} with {method:?} and with {other:?}");
        }
    }
}
