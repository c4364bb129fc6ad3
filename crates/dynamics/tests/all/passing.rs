//! What passes by meets nothing, however fast it is and however near it comes; and what is far away
//! changes nothing.

use carom_dynamics::{BodyDef, World};
use glam::Vec3;

use crate::scenes::{DT, Numbers, ball, capsule, cuboid, room, space};

#[test]
fn fast_bodies_that_pass_each_other_keep_their_velocities() {
    for shape in [ball(0.1), capsule(0.1, 0.05), cuboid(0.06, 0.06, 0.06)] {
        for (miss, speed) in [(0.33_f32, 20.0), (0.4, 40.0), (0.5, 60.0)] {
            for begin in 0..20 {
                let mut world = space();
                let ahead = 0.5 + 0.05 * begin as f32;
                let mut shoot = |side: f32| {
                    let at = Vec3::new(-side * ahead, 0.5 * side * miss, 0.0).as_dvec3();
                    let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(Vec3::X * (side * speed));
                    world.add_body(def, [shape.clone()]).unwrap()
                };
                let both = [shoot(1.0), shoot(-1.0)];
                for _ in 0..8 {
                    world.step(DT).unwrap();
                }
                for (body, side) in both.into_iter().zip([1.0, -1.0]) {
                    let velocity = world.body(body).unwrap().velocity();
                    let expected = Vec3::new(side * speed, 0.0, 0.0);
                    assert_eq!(velocity, expected, "they miss each other by {miss} less their sizes");
                }
            }
        }
    }
}

#[test]
fn fast_bodies_that_meet_head_on_still_do() {
    for speed in [5.0, 20.0, 60.0_f32] {
        for begin in 0..20 {
            let mut world = space();
            let ahead = 0.5 + 0.05 * begin as f32;
            let both = [1.0, -1.0].map(|side: f32| {
                let def = BodyDef::dynamic().at(f64::from(-side * ahead), 0.0, 0.0);
                let def = def.velocity(Vec3::X * (side * speed));
                world.add_body(def, [ball(0.1).restitution(1.0)]).unwrap()
            });
            for _ in 0..40 {
                world.step(DT).unwrap();
            }
            for (body, side) in both.into_iter().zip([1.0, -1.0]) {
                let velocity = world.body(body).unwrap().velocity();
                assert!((velocity.x + side * speed).abs() < 1e-3 * speed, "{velocity} after {side} {speed}");
            }
        }
    }
}

/// Small fast bodies in a room, and static boxes far outside of it.
fn fountain(far_boxes: u32) -> World {
    let mut world = space();
    room(&mut world, 2.0);
    let mut numbers = Numbers(5);
    for k in 0..60 {
        let at = (1.5 * numbers.vector()).as_dvec3();
        let velocity = 40.0 * numbers.vector();
        let shape = if k % 2 == 0 { ball(0.05) } else { capsule(0.05, 0.03) };
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).velocity(velocity);
        world.add_body(def, [shape.friction(0.0).restitution(1.0)]).unwrap();
    }
    for k in 0..far_boxes {
        let def = BodyDef::fixed().at(1000.0 + 3.0 * f64::from(k), 0.0, 0.0);
        world.add_body(def, [cuboid(1.0, 1.0, 1.0)]).unwrap();
    }
    world
}

/// Few static shapes are tested one by one, of many the broad phase is asked.
#[test]
fn continuous_collision_does_not_depend_on_static_shapes_far_away() {
    let (mut few, mut many) = (fountain(0), fountain(100));
    let mut stopped = 0;
    for step in 0..240 {
        stopped += few.step(DT).unwrap().ccd_hits;
        many.step(DT).unwrap();
        for (one, other) in few.bodies().zip(many.bodies()) {
            assert_eq!(one.position(), other.position(), "step {step}");
            assert_eq!(one.velocity(), other.velocity(), "step {step}");
            assert!(one.position().abs().max_element() < 4.5, "nobody leaves the room");
        }
    }
    assert!(stopped > 20, "bodies are fast enough to be stopped: {stopped}");
}
