//! Groups of shapes: within one the sign decides, and layers between all others.

use carom_dynamics::{BodyDef, Layers, QueryFilter, Ray, ShapeDef, World, WorldDef};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid};

/// Do two overlapping balls of these layers touch, and would a query of the first ones meet the
/// second?
fn meet(first: Layers, second: Layers) -> bool {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let with = |layers: Layers| ShapeDef { layers, ..ball(0.5) };
    world.add_body(BodyDef::dynamic(), [with(first)]).unwrap();
    let second = world.add_body(BodyDef::dynamic().at(0.7, 0.0, 0.0), [with(second)]).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.validate(), []);
    let touches = world.touching_shapes().count() == 1;
    let filter = QueryFilter { layers: Some(first), ..QueryFilter::default() };
    let ray = Ray::new(DVec3::new(9.0, 0.0, 0.0), Vec3::NEG_X, 8.0);
    let seen = world.cast_ray(&ray, &filter).is_some_and(|hit| hit.body == second);
    assert_eq!(seen, touches, "{first:?}: a query meets what a shape would");
    touches
}

#[test]
fn groups_decide_within_and_layers_between() {
    let open = Layers::default();
    let shut = Layers { mask: 0, ..open };
    let of = |layers: Layers, group: i32| Layers { group, ..layers };
    assert!(meet(open, open) && !meet(shut, open));
    assert!(!meet(of(open, -3), of(open, -3)), "a negative group never");
    assert!(meet(of(shut, 5), of(shut, 5)), "a positive group always");
    for (a, b) in [(-3, -4), (5, 6), (3, -3), (0, -3), (0, 5)] {
        assert!(meet(of(open, a), of(open, b)), "{a} and {b} are strangers");
        assert!(!meet(of(shut, a), of(open, b)), "{a} and {b} are strangers that keep to their layers");
    }
}

#[test]
fn a_shape_can_change_its_group() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let mut add = |x: f64| world.add_body(BodyDef::dynamic().at(x, 0.0, 0.0), [ball(0.5).group(-1)]).unwrap();
    let bodies = [add(0.0), add(0.7)];
    world.step(DT).unwrap();
    assert_eq!(world.touching_shapes().count(), 0);
    let shape = world.body(bodies[0]).unwrap().shapes().next().unwrap();
    world.shape_mut(shape).unwrap().set_layers(Layers { group: -2, ..Layers::default() });
    world.step(DT).unwrap();
    assert_eq!(world.touching_shapes().count(), 1);
    assert_eq!(world.shape(shape).unwrap().layers().group, -2);
}

/// Where a ball that is far too fast for its contacts ends up, shot along x at a thin wall at the
/// origin.
fn shot_at_wall(wall: Layers, ball_layers: Layers, is_bullet: bool) -> f64 {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let thin = ShapeDef { layers: wall, ..cuboid(0.001, 5.0, 5.0) };
    world.add_body(BodyDef::fixed(), [thin]).unwrap();
    let def = BodyDef { is_bullet, ..BodyDef::dynamic().at(-2.0, 0.0, 0.0).velocity(Vec3::X * 300.0) };
    let ball = world.add_body(def, [ShapeDef { layers: ball_layers, ..ball(0.05) }]).unwrap();
    for _ in 0..10 {
        world.step(DT).unwrap();
    }
    world.body(ball).unwrap().position().x
}

/// Sweeps of fast bodies go by the rule of the contacts.
#[test]
fn groups_hold_for_the_fast_too() {
    let open = Layers::default();
    let shut = Layers { mask: 0, ..open };
    let of = |layers: Layers, group: i32| Layers { group, ..layers };
    for is_bullet in [false, true] {
        let shot = |layers: Layers, group: i32| shot_at_wall(of(layers, group), of(layers, group), is_bullet);
        let free = shot(shut, 0);
        assert!(shot(open, 0) < 0.0, "layers that meet");
        assert!(free > 10.0, "layers that do not");
        // A body that is held back and let go again would be late.
        assert_eq!(shot(open, -3), free, "a negative group never, bullet {is_bullet}");
        assert!(shot(shut, 5) < 0.0, "a positive group always, bullet {is_bullet}");
    }
}
