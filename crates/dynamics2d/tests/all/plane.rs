//! Masses, queries, events: plane geometry throughout.

use carom_dynamics2d::{BodyDef, Planar, QueryFilter, ShapeDef};
use glam::{DVec2, Vec2};

use super::{steps, with_floor, world};

#[test]
fn masses_are_those_of_areas() {
    let mut world = world();
    let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]].map(Vec2::from);
    let shapes = [ShapeDef::polygon(&corners).unwrap().density(3.0)];
    let body = world.add_body(BodyDef::dynamic().angle(1.0), shapes).unwrap();
    let view = world.body(body).unwrap();
    assert!((view.mass() - 3.0).abs() < 1e-5);
    // m (b² + h²) / 18 of a right triangle about its centroid.
    assert!((view.inertia() - 3.0 * 5.0 / 18.0).abs() < 1e-4, "{}", view.inertia());
    assert!((view.to_local(view.centre_of_mass()) - Vec2::new(2.0 / 3.0, 1.0 / 3.0)).length() < 1e-5);
    assert!((view.angle() - 1.0).abs() < 1e-6);
    let ball = world.add_body(BodyDef::dynamic(), [ShapeDef::circle(2.0).unwrap()]).unwrap();
    let view = world.body(ball).unwrap();
    assert!((view.mass() - 4.0 * std::f32::consts::PI).abs() < 1e-4);
    assert!((view.inertia() - 2.0 * view.mass()).abs() < 1e-3);
}

#[test]
fn a_free_spin_keeps_its_speed_and_stays_in_the_plane() {
    let mut world = world();
    world.set_gravity(Vec2::ZERO).unwrap();
    let corners = [[0.0, 0.0], [2.0, 0.3], [0.4, 1.0]].map(Vec2::from);
    let def = BodyDef::dynamic().angular_velocity(3.0).velocity(Vec2::new(1.0, 2.0));
    let body = world.add_body(def, [ShapeDef::polygon(&corners).unwrap()]).unwrap();
    steps(&mut world, 600);
    let view = world.body(body).unwrap();
    assert!((view.angular_velocity() - 3.0).abs() < 1e-4, "{}", view.angular_velocity());
    let turned = carom_core::trig::sin_cos(30.0);
    assert!((view.direction() - Vec2::new(turned.1, turned.0)).length() < 1e-2, "{}", view.direction());
    assert!(world.is_planar());
}

#[test]
fn queries_answer_in_the_plane() {
    let mut world = world();
    let filter = QueryFilter::default();
    let wall =
        world.add_body(BodyDef::fixed().at(4.0, 0.0), [ShapeDef::rectangle(1.0, 2.0).unwrap()]).unwrap();
    let ball = world.add_body(BodyDef::fixed().at(-4.0, 0.0), [ShapeDef::circle(1.0).unwrap()]).unwrap();
    let near = world.closest(DVec2::new(2.0, 1.0), 9.0, &filter).unwrap();
    assert_eq!((near.body, near.distance, near.normal), (wall, 1.0, -Vec2::X));
    let inside = world.closest(DVec2::new(4.75, 0.0), 9.0, &filter).unwrap();
    assert_eq!((inside.body, inside.normal), (wall, Vec2::X));
    assert!((inside.distance + 0.25).abs() < 1e-6);
    let hits = world.ray_hits(DVec2::new(-9.0, 0.5), DVec2::new(9.0, 0.5), &filter);
    assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), [ball, wall]);
    let mover = Planar::rectangle(0.5, 0.5).unwrap();
    let way = Vec2::new(8.0, 0.0);
    let hit = world.cast_shape(&mover, DVec2::ZERO, 0.0, way, &filter).unwrap();
    assert_eq!((hit.body, hit.normal), (wall, -Vec2::X));
    assert!((hit.fraction - 2.5 / 8.0).abs() < 1e-4);
    let met = world.overlapping_shapes(&Planar::rectangle(9.0, 0.1).unwrap(), DVec2::ZERO, 0.0, &filter);
    assert_eq!(met.len(), 2);
    // Below a turned square only its corner is met.
    let square = ShapeDef::rectangle(1.0, 1.0).unwrap();
    let angle = std::f32::consts::FRAC_PI_4;
    world.add_body(BodyDef::fixed().at(0.0, 20.0).angle(angle), [square]).unwrap();
    assert!(world.shapes_at(DVec2::new(0.9, 20.9), &filter).is_empty());
    assert_eq!(world.shapes_at(DVec2::new(0.0, 21.3), &filter).len(), 1);
}

#[test]
fn touches_and_sensors_are_reported() {
    let mut world = with_floor();
    let zone = ShapeDef::rectangle(1.0, 1.0).unwrap().sensor();
    world.add_body(BodyDef::fixed().at(0.0, 2.0), [zone]).unwrap();
    world.add_body(BodyDef::dynamic().at(0.0, 5.0), [ShapeDef::circle(0.5).unwrap()]).unwrap();
    let (mut touched, mut seen, mut left, mut hits) = (0, 0, 0, 0);
    for _ in 0..120 {
        steps(&mut world, 1);
        touched += world.events().touch_begin().len();
        seen += world.events().sensor_begin().len();
        left += world.events().sensor_end().len();
        hits += world.events().hits().len();
    }
    assert_eq!((touched, seen, left, hits), (1, 1, 0, 1), "it lies half in the zone");
}
