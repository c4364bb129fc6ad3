//! Stacks, slopes, bounces.

use carom_dynamics2d::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use glam::{DVec2, Vec2};

use super::{DT, height, steps, with_floor, world};

#[test]
fn a_stack_of_ten_boxes_stands() {
    let mut world = with_floor();
    let cube = ShapeDef::rectangle(0.5, 0.5).unwrap();
    let stack: Vec<BodyId> = (0..10)
        .map(|k| world.add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k)), [cube.clone()]).unwrap())
        .collect();
    steps(&mut world, 600);
    for (k, body) in stack.iter().enumerate() {
        let place = world.body(*body).unwrap().position();
        assert!((place - DVec2::new(0.0, 0.5 + k as f64)).length() < 0.02, "{k}: {place}");
    }
    assert!(!world.body(stack[9]).unwrap().is_awake(), "and has fallen asleep");
}

#[test]
fn a_pyramid_stands() {
    let mut world = with_floor();
    let cube = ShapeDef::rectangle(0.5, 0.5).unwrap();
    let rows = 12;
    let mut tops = Vec::new();
    for row in 0..rows {
        for k in 0..rows - row {
            let x = f64::from(k) * 1.1 - f64::from(rows - row) * 0.55;
            let def = BodyDef::dynamic().at(x, 0.5 + f64::from(row));
            tops.push((world.add_body(def, [cube.clone()]).unwrap(), x, 0.5 + f64::from(row)));
        }
    }
    steps(&mut world, 600);
    for (body, x, y) in tops {
        let place = world.body(body).unwrap().position();
        assert!((place - DVec2::new(x, y)).length() < 0.05, "{place} for {x} {y}");
    }
}

/// How far a box slides in four seconds on a slope of this tangent, with a friction of 0.5.
fn slides(tangent: f32) -> f64 {
    let mut world = world();
    let angle = carom_core::trig::atan(tangent);
    let (sine, cosine) = carom_core::trig::sin_cos(angle);
    let slope = ShapeDef::rectangle(50.0, 1.0).unwrap().friction(0.5);
    world.add_body(BodyDef::fixed().angle(angle), [slope]).unwrap();
    let at = Vec2::new(-sine, cosine) * 1.5;
    let def = BodyDef::dynamic().at(f64::from(at.x), f64::from(at.y)).angle(angle).can_sleep(false);
    let cube = world.add_body(def, [ShapeDef::rectangle(0.5, 0.5).unwrap().friction(0.5)]).unwrap();
    steps(&mut world, 240);
    (world.body(cube).unwrap().position() - DVec2::from(at)).length()
}

#[test]
fn boxes_slide_beyond_the_angle_of_friction_and_not_before() {
    let (below, above) = (slides(0.49), slides(0.51));
    // g (sin − μ cos) t² / 2 beyond it.
    let wanted = 0.5 * 9.81 * 16.0 * 0.01 / (1.0f64 + 0.51 * 0.51).sqrt();
    assert!(below < 0.01 && (above / wanted - 1.0).abs() < 0.15, "{below} {above} for {wanted}");
}

#[test]
fn a_ball_bounces_to_its_share_of_the_height() {
    for (restitution, share) in [(1.0f32, 1.0), (0.5, 0.25), (0.0, 0.0)] {
        let mut world = with_floor();
        let ball = ShapeDef::circle(0.25).unwrap().restitution(restitution);
        let ball = world.add_body(BodyDef::dynamic().at(0.0, 2.25), [ball]).unwrap();
        let (mut is_back, mut top) = (false, 0.0f64);
        for _ in 0..90 {
            world.step(DT).unwrap();
            is_back |= world.body(ball).unwrap().velocity().y > 0.0;
            if is_back {
                top = top.max(height(&world, ball) - 0.25);
            }
        }
        assert!((top / 2.0 - share).abs() < 0.02, "{restitution}: {top}");
    }
}

#[test]
fn a_disc_rolls_down_with_two_thirds_of_the_acceleration() {
    let mut world = world();
    let angle = 0.2f32;
    let (sine, cosine) = carom_core::trig::sin_cos(angle);
    world.add_body(BodyDef::fixed().angle(angle), [ShapeDef::rectangle(100.0, 1.0).unwrap()]).unwrap();
    let at = Vec2::new(-sine, cosine) * 1.5;
    let def = BodyDef::dynamic().at(f64::from(at.x), f64::from(at.y));
    let disc = world.add_body(def, [ShapeDef::circle(0.5).unwrap()]).unwrap();
    steps(&mut world, 120);
    let speed = world.body(disc).unwrap().velocity().length();
    let wanted = 2.0 / 3.0 * 9.81 * sine * 2.0;
    assert!((speed / wanted - 1.0).abs() < 0.01, "{speed} for {wanted}: the inertia is m r² / 2");
}

/// A heap of all shapes in a trough.
fn heap(threads: usize) -> World {
    let mut world = World::new(WorldDef { threads, ..WorldDef::default() });
    let trough = [[-12.0, 12.0], [-8.0, 0.0], [8.0, 0.0], [12.0, 12.0]].map(Vec2::from);
    world.add_body(BodyDef::fixed(), ShapeDef::chain(&trough).unwrap()).unwrap();
    let corners = [[-0.4, -0.3], [0.5, -0.2], [0.3, 0.4], [-0.2, 0.5]].map(Vec2::from);
    for k in 0..300u32 {
        let shape = match k % 4 {
            0 => ShapeDef::circle(0.3),
            1 => ShapeDef::rectangle(0.4, 0.25),
            2 => ShapeDef::capsule(Vec2::new(-0.3, 0.0), Vec2::new(0.3, 0.0), 0.2),
            _ => Ok(ShapeDef::polygon(&corners).unwrap()),
        };
        let def = BodyDef::dynamic()
            .at(f64::from(k % 17) - 8.0 + 0.01 * f64::from(k % 7), 1.0 + f64::from(k / 17))
            .angle(k as f32);
        world.add_body(def, [shape.unwrap()]).unwrap();
    }
    world
}

#[test]
fn threads_change_no_bit_and_nothing_leaves_the_plane() {
    let mut hashes = [1, 2, 4].map(|threads| {
        let mut world = heap(threads);
        for _ in 0..300 {
            world.step(DT).unwrap();
            assert!(world.is_planar());
        }
        let lowest = world.bodies().map(|body| body.position().y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -0.5, "nobody has fallen through: {lowest}");
        world.state_hash()
    });
    hashes.sort_unstable();
    assert_eq!(hashes[0], hashes[2]);
    assert_eq!(heap(1).engine().validate(), []);
}

#[test]
fn a_snapshot_is_gone_back_to_and_written_as_bytes() {
    use carom_dynamics2d::Snapshot;
    let mut world = heap(1);
    steps(&mut world, 60);
    let snapshot = world.snapshot();
    steps(&mut world, 60);
    let hash = world.state_hash();
    world.restore(&snapshot);
    steps(&mut world, 60);
    assert_eq!(world.state_hash(), hash);
    let bytes = snapshot.to_bytes();
    let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
    steps(&mut other, 60);
    assert_eq!(other.state_hash(), hash);
}
