//! Chains, ledges, moving platforms.

use carom_dynamics2d::{BodyDef, ShapeDef};
use glam::{DVec2, Vec2, Vec3};

use super::{DT, height, steps, world};

#[test]
fn what_slides_along_a_chain_meets_no_corner_of_it() {
    let shapes = [
        ShapeDef::circle(0.3).unwrap(),
        ShapeDef::rectangle(0.3, 0.3).unwrap(),
        ShapeDef::capsule(Vec2::new(-0.3, 0.0), Vec2::new(0.3, 0.0), 0.3).unwrap(),
    ];
    for shape in shapes {
        for speed in [1.0f32, 5.0, 10.0] {
            let mut world = world();
            let points: Vec<Vec2> = (0..80).map(|k| Vec2::new(k as f32 * 0.7 - 5.0, 0.0)).collect();
            let floor = ShapeDef::chain(&points).unwrap().into_iter().map(|edge| edge.friction(0.0));
            world.add_body(BodyDef::fixed(), floor).unwrap();
            let def = BodyDef::dynamic().at(0.0, 0.3).velocity(Vec2::X * speed);
            let body = world.add_body(def, [shape.clone().friction(0.0)]).unwrap();
            let mut off = 0.0f64;
            for step in 0..180 {
                world.step(DT).unwrap();
                if step > 10 {
                    off = off.max((height(&world, body) - 0.3).abs());
                }
            }
            let lost = 1.0 - world.body(body).unwrap().velocity().x / speed;
            assert!(lost.abs() < 0.01 && off < 0.006, "{shape:?} at {speed}: lost {lost}, off {off}");
        }
    }
}

#[test]
fn boxes_side_by_side_are_one_floor() {
    let mut world = world();
    for k in 0..40 {
        let tile = ShapeDef::rectangle(0.5, 0.5).unwrap().friction(0.0);
        world.add_body(BodyDef::fixed().at(f64::from(k) - 3.0, -0.5), [tile]).unwrap();
    }
    let def = BodyDef::dynamic().at(0.0, 0.3).velocity(Vec2::X * 8.0);
    let body = world.add_body(def, [ShapeDef::rectangle(0.3, 0.3).unwrap().friction(0.0)]).unwrap();
    steps(&mut world, 180);
    let view = world.body(body).unwrap();
    assert!((view.velocity().x - 8.0).abs() < 0.08 && (view.position().y - 0.3).abs() < 0.006);
}

#[test]
fn fast_discs_do_not_pass_an_edge() {
    let mut world = world();
    let edge = ShapeDef::edge(Vec2::new(-50.0, 0.0), Vec2::new(50.0, 0.0)).unwrap();
    world.add_body(BodyDef::fixed(), [edge]).unwrap();
    let mut bodies = Vec::new();
    for k in 0..20u32 {
        let def = BodyDef::dynamic().at(f64::from(k) * 2.0 - 20.0, 5.0).velocity(Vec2::NEG_Y * 200.0);
        let shape = match k % 3 {
            0 => ShapeDef::circle(0.1).unwrap(),
            1 => ShapeDef::rectangle(0.1, 0.2).unwrap(),
            _ => ShapeDef::polygon(&[Vec2::ZERO, Vec2::X * 0.3, Vec2::Y * 0.3]).unwrap(),
        };
        bodies.push(world.add_body(def, [shape]).unwrap());
    }
    steps(&mut world, 120);
    for body in bodies {
        assert!(height(&world, body) > -0.01, "{}", height(&world, body));
    }
}

#[test]
fn a_one_way_ledge_lets_through_from_below_only() {
    let mut world = world();
    let ledge = world.add_body(BodyDef::fixed(), [ShapeDef::rectangle(3.0, 0.1).unwrap()]).unwrap();
    let top = world.body(ledge).unwrap().shapes().next().unwrap();
    world.set_contact_modifier(move |contact| contact.one_way(top, Vec3::Y));
    let def = BodyDef::dynamic().at(0.0, -2.0).velocity(Vec2::Y * 9.0).fixed_rotation();
    let up = world.add_body(def, [ShapeDef::rectangle(0.3, 0.5).unwrap()]).unwrap();
    let down = world.add_body(BodyDef::dynamic().at(2.0, 2.0), [ShapeDef::circle(0.3).unwrap()]).unwrap();
    steps(&mut world, 180);
    assert!((height(&world, up) - 0.6).abs() < 0.01, "{}", height(&world, up));
    assert!((height(&world, down) - 0.4).abs() < 0.01, "{}", height(&world, down));
}

#[test]
fn a_rider_is_carried_by_a_moving_platform() {
    let mut world = world();
    let lift = world.add_body(BodyDef::kinematic(), [ShapeDef::rectangle(1.0, 0.1).unwrap()]).unwrap();
    let rider =
        world.add_body(BodyDef::dynamic().at(0.2, 0.4), [ShapeDef::rectangle(0.3, 0.3).unwrap()]).unwrap();
    steps(&mut world, 30);
    for k in 1..=120u32 {
        let target = DVec2::new(f64::from(k) / 60.0, 0.5 * f64::from(k) / 60.0);
        world.body_mut(lift).unwrap().set_kinematic_target(target, 0.0).unwrap();
        world.step(DT).unwrap();
    }
    let place = world.body(rider).unwrap().position();
    assert!((place - DVec2::new(2.2, 1.4)).length() < 0.1, "{place}");
}
