//! Structures that stand by friction and shape alone, and some that fall.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::{Rotation, Shape};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, ground};

/// The farthest that one of the bodies comes from where it was.
fn worst_drift(world: &mut World, ids: &[BodyId], seconds: u32) -> f64 {
    let starts: Vec<DVec3> = ids.iter().map(|id| world.body(*id).unwrap().position()).collect();
    let mut worst = 0.0f64;
    for _ in 0..60 * seconds {
        world.step(DT).unwrap();
        for (id, start) in ids.iter().zip(&starts) {
            worst = worst.max(world.body(*id).unwrap().position().distance(*start));
        }
    }
    worst
}

/// Cards 0.2 m long and 4 mm thick that lean against each other in pairs, with a board of the same
/// thickness on every storey.
#[test]
fn a_house_of_cards_stands() {
    let mut world = ground(WorldDef::default());
    let (half, thick, lean) = (0.1f32, 0.002f32, 0.35f32);
    let card = || cuboid(thick, half, 0.06).friction(0.8);
    let rise = f64::from(half * lean.cos() + thick * lean.sin());
    let spread = f64::from(half * lean.sin() + thick * lean.cos());
    let mut ids = Vec::new();
    let storeys = 3;
    for storey in 0..storeys {
        let base = f64::from(storey) * (2.0 * rise + 2.0 * f64::from(thick));
        let pairs = storeys - storey;
        for pair in 0..pairs {
            let x = (f64::from(pair) - 0.5 * f64::from(pairs - 1)) * 4.0 * spread;
            for side in [-1.0, 1.0] {
                let def = BodyDef::dynamic()
                    .at(x + side * spread, base + rise, 0.0)
                    .rotated(Rotation::about_axis(Vec3::Z, side as f32 * lean));
                ids.push(world.add_body(def, [card()]).unwrap());
            }
        }
        if pairs > 1 {
            let reach = 2.0 * spread as f32 * (pairs - 1) as f32 + 0.02;
            let y = base + 2.0 * rise + f64::from(thick);
            let board = cuboid(reach, thick, 0.06).friction(0.8);
            ids.push(world.add_body(BodyDef::dynamic().at(0.0, y, 0.0), [board]).unwrap());
        }
    }
    let drift = worst_drift(&mut world, &ids, 10);
    assert!(drift < 0.01, "a card moved by {drift} m");
}

/// A stone of an arch between two angles, of radius 2 to 2.4 m, one metre deep.
fn stone(from: f32, to: f32) -> (DVec3, ShapeDef) {
    let at = |radius: f32, angle: f32, z: f32| Vec3::new(radius * angle.cos(), radius * angle.sin(), z);
    let mut corners = Vec::new();
    for (radius, angle) in [(2.0, from), (2.4, from), (2.0, to), (2.4, to)] {
        corners.extend([-0.5, 0.5].map(|z| at(radius, angle, z)));
    }
    let middle = at(2.2, 0.5 * (from + to), 0.0);
    let corners: Vec<Vec3> = corners.into_iter().map(|corner| corner - middle).collect();
    let hull = convex_hull(&corners, &HullOptions::default());
    (middle.as_dvec3(), ShapeDef::new(Shape::from(hull.unwrap())).friction(0.7))
}

/// Eleven stones from one abutment to the other, without mortar. A semicircle stands if it is
/// thicker than 0.107 of its mean radius (Heyman); this one has 0.18.
#[test]
fn an_arch_stands_without_mortar() {
    let mut world = World::new(WorldDef::default().can_sleep(false));
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [cuboid(5.0, 0.5, 2.0).friction(0.7)]).unwrap();
    let (count, all) = (11, std::f32::consts::PI);
    let ids: Vec<BodyId> = (0..count)
        .map(|k| {
            let (from, to) = (all * k as f32 / count as f32, all * (k + 1) as f32 / count as f32);
            let (at, shape) = stone(from, to);
            world.add_body(BodyDef::dynamic().at(at.x, at.y, at.z), [shape]).unwrap()
        })
        .collect();
    let drift = worst_drift(&mut world, &ids, 10);
    assert!(drift < 0.03, "a stone moved by {drift} m");
}

/// Speed of the wave in a row of thirty dominoes, 0.48 m high, 0.08 m thick, 0.25 m apart, with
/// steps of a length.
fn domino_wave(dt: f32) -> f64 {
    let mut world = ground(WorldDef::default());
    let (height, gap, count) = (0.48f64, 0.25f64, 30);
    let ids: Vec<BodyId> = (0..count)
        .map(|k| {
            let def = BodyDef::dynamic().at(gap * f64::from(k), 0.5 * height, 0.0);
            world.add_body(def, [cuboid(0.04, 0.24, 0.12).friction(0.4)]).unwrap()
        })
        .collect();
    // A push at the top: it turns about its lower edge.
    world
        .body_mut(ids[0])
        .unwrap()
        .set_angular_velocity(Vec3::Z * -2.0)
        .unwrap()
        .set_velocity(Vec3::X * 0.48)
        .unwrap();
    let leans = |world: &World, id: BodyId| world.body(id).unwrap().rotation().rotate(Vec3::Y).y;
    let mut times = vec![None; ids.len()];
    for step in 1..=(6.0 / dt) as u32 {
        world.step(dt).unwrap();
        for (time, id) in times.iter_mut().zip(&ids) {
            if time.is_none() && leans(&world, *id) < 0.95 {
                *time = Some(f64::from(step) * f64::from(dt));
            }
        }
    }
    assert!(ids.iter().all(|id| leans(&world, *id) < 0.8), "all lean on the next");
    let times: Vec<f64> = times.into_iter().map(|time| time.unwrap()).collect();
    // The middle of the row: it has come to its pace, and does not know of the end.
    gap * 15.0 / (times[25] - times[10])
}

#[test]
fn all_dominoes_fall_and_the_wave_is_as_fast_as_with_short_steps() {
    let (usual, short) = (domino_wave(DT), domino_wave(DT / 8.0));
    assert!((usual / short - 1.0).abs() < 0.1, "{usual} m/s instead of {short}");
}

/// Balls, boxes and capsules in a closed box of six thin kinematic walls that is shaken hard.
#[test]
fn nothing_leaves_a_box_that_is_shaken() {
    let seconds = if std::env::var_os("CAROM_LONG").is_some() { 60 } else { 15 };
    let mut world = World::new(WorldDef::default().can_sleep(false));
    let half = 1.5f32;
    let walls: Vec<(BodyId, DVec3)> = (0..6)
        .map(|k| {
            let (axis, side) = (k / 2, if k % 2 == 0 { -1.0 } else { 1.0 });
            let (mut at, mut size) = (Vec3::ZERO, Vec3::splat(half + 0.1));
            at[axis] = side * (half + 0.05);
            size[axis] = 0.05;
            let at = at.as_dvec3();
            let wall = BodyDef::kinematic().at(at.x, at.y, at.z);
            (world.add_body(wall, [cuboid(size.x, size.y, size.z)]).unwrap(), at)
        })
        .collect();
    let mut numbers = Numbers(41);
    let ids: Vec<BodyId> = (0..40)
        .map(|k| {
            let at = numbers.vector() * 1.2;
            let shape = match k % 3 {
                0 => ball(0.1),
                1 => cuboid(0.12, 0.05, 0.1),
                _ => capsule(0.15, 0.05),
            };
            let def = BodyDef::dynamic().at(f64::from(at.x), f64::from(at.y), f64::from(at.z));
            world.add_body(def, [shape.restitution(0.5)]).unwrap()
        })
        .collect();
    let mut out = f64::NEG_INFINITY;
    for step in 0..60 * seconds {
        let t = f64::from(step) * f64::from(DT);
        let rate = 2.0 * std::f64::consts::TAU;
        // Half a metre to and fro, twice a second, and turning sideways meanwhile.
        let wanted =
            |t: f64| DVec3::new((rate * t).sin(), (0.8 * rate * t).sin(), (0.6 * rate * t).sin()) * 0.5;
        let velocity = ((wanted(t + f64::from(DT)) - wanted(t)) / f64::from(DT)).as_vec3();
        for (wall, _) in &walls {
            world.body_mut(*wall).unwrap().set_velocity(velocity).unwrap();
        }
        world.step(DT).unwrap();
        let centre = world.body(walls[0].0).unwrap().position() - walls[0].1;
        for id in &ids {
            let seen = (world.body(*id).unwrap().position() - centre).abs();
            out = out.max(seen.max_element() - f64::from(half));
        }
    }
    assert!(out < 0.05, "the middle of a body came {out} m into a wall of 0.1 m");
}
