//! The rules one by one, on worlds small enough to reckon by hand.

use crate::arithmetic::RowMatrix;
use carom_broadphase::Method;
use glam::Vec3;

use super::*;
use crate::FingsicsShape;

fn body(id: &str, shape: FingsicsShape, position: [f32; 3]) -> FingsicsBody {
    FingsicsBody {
        id: id.to_owned(),
        shape,
        immovable: false,
        position: position.into(),
        rotation: RowMatrix::IDENTITY,
        velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        acceleration: Vec3::ZERO,
        mass: 1.0,
        elasticity: 1.0,
    }
}

fn ball(id: &str, position: [f32; 3], velocity: [f32; 3]) -> FingsicsBody {
    FingsicsBody { velocity: velocity.into(), ..body(id, FingsicsShape::Ball { radius: 0.5 }, position) }
}

fn floor(id: &str) -> FingsicsBody {
    FingsicsBody { immovable: true, ..body(id, FingsicsShape::Tile { length: 20.0, width: 20.0 }, [0.0; 3]) }
}

fn world(bodies: &[FingsicsBody]) -> FingsicsWorld {
    FingsicsWorld::new(bodies, FingsicsSettings::default()).unwrap()
}

fn with_rules(bodies: &[FingsicsBody], rules: Rules) -> FingsicsWorld {
    FingsicsWorld::new(bodies, FingsicsSettings { rules, ..FingsicsSettings::default() }).unwrap()
}

fn near(a: Vec3, b: [f32; 3]) -> bool {
    (a - Vec3::from(b)).abs().max_element() < 1e-4
}

#[test]
fn motion_is_explicit_euler() {
    let falling = FingsicsBody {
        acceleration: Vec3::new(0.0, -9.8, 0.0),
        ..ball("0", [0.0, 10.0, 0.0], [1.0, 0.0, 0.0])
    };
    let mut world = world(&[falling]);
    for _ in 0..60 {
        world.step();
    }
    // The position lags by half a step: −g/2 · t · (t − dt).
    let expected = 10.0 - 9.8 / 2.0 * (1.0 - 1.0 / 60.0);
    assert!(near(world.positions()[0], [1.0, expected, 0.0]), "{}", world.positions()[0]);
    assert!(near(world.velocity(0), [1.0, -9.8, 0.0]));
}

#[test]
fn rates_that_are_nearly_zero_are_skipped() {
    let slow =
        FingsicsBody { angular_velocity: Vec3::splat(0.9e-4), ..ball("0", [0.0; 3], [0.9e-4, 0.0, 0.0]) };
    let mut world = world(&[slow]);
    world.step();
    assert_eq!((world.positions()[0], world.rotations()[0]), (Vec3::ZERO, RowMatrix::IDENTITY));
}

#[test]
fn equal_balls_exchange_their_velocities() {
    let mut world = world(&[
        ball("0", [-0.55, 0.0, 0.0], [3.0, 0.0, 0.0]),
        ball("1", [0.42, 0.0, 0.0], [-3.0, 0.0, 0.0]),
    ]);
    let report = world.step();
    assert_eq!((report.tested, report.contacts, report.acting), (1, 1, 1));
    assert!(near(world.velocity(0), [-3.0, 0.0, 0.0]) && near(world.velocity(1), [3.0, 0.0, 0.0]));
    let report = world.step();
    assert_eq!(report.acting, 0, "still overlapping, but not deeper than before");
}

#[test]
fn elasticity_is_the_mean_of_the_two() {
    let soft = FingsicsBody { elasticity: 0.0, ..ball("1", [0.4, 0.0, 0.0], [0.0; 3]) };
    let mut world = world(&[ball("0", [-0.5, 0.0, 0.0], [2.0, 0.0, 0.0]), soft]);
    world.step();
    assert!(near(world.velocity(0), [0.5, 0.0, 0.0]) && near(world.velocity(1), [1.5, 0.0, 0.0]), "e = 1/2");
}

#[test]
fn a_ball_bounces_off_a_static_tile_and_a_piston_pushes() {
    let still = floor("t");
    let rising = FingsicsBody { velocity: Vec3::new(0.0, 2.0, 0.0), ..still.clone() };
    for (tile, expected) in [(still, 3.0), (rising, 7.0)] {
        let mut world = world(&[tile, ball("b", [0.0, 0.45, 0.0], [0.0, -3.0, 0.0])]);
        world.step();
        assert!(
            near(world.velocity(1), [0.0, expected, 0.0]),
            "relative speed is reversed: {}",
            world.velocity(1)
        );
        assert!(
            near(world.velocity(0), [0.0, expected - 3.0, 0.0].map(|v| v / 2.0)),
            "the tile keeps its own velocity"
        );
    }
}

#[test]
fn two_partners_share_a_body_by_their_masses_per_axis() {
    // A ball hit from both sides at once by equal partners takes half of each impulse, and they
    // cancel.
    let bodies = [
        ball("0", [-0.95, 0.0, 0.0], [2.0, 0.0, 0.0]),
        ball("1", [0.0; 3], [0.0; 3]),
        ball("2", [0.95, 0.0, 0.0], [-2.0, 0.0, 0.0]),
    ];
    let mut world = world(&bodies);
    world.step();
    assert!(near(world.velocity(1), [0.0; 3]));
    assert!(
        near(world.velocity(0), [0.0; 3]) && near(world.velocity(2), [0.0; 3]),
        "as if each had hit alone"
    );
}

#[test]
fn a_static_partner_wipes_out_others_on_the_axes_it_shares() {
    let bodies = [
        floor("0"),
        ball("1", [0.0, 0.45, 0.0], [0.0, -1.0, 0.0]),
        ball("2", [0.0, 1.3, 0.0], [0.0, -5.0, 0.0]),
    ];
    let mut world = world(&bodies);
    world.step();
    assert!(
        near(world.velocity(1), [0.0, 1.0, 0.0]),
        "the ball above leaves no trace: {}",
        world.velocity(1)
    );
}

#[test]
fn ids_are_ordered_as_strings() {
    let bodies = [ball("2", [0.0; 3], [0.0; 3]), ball("10", [0.9, 0.0, 0.0], [0.0; 3])];
    let mut world = world(&bodies);
    world.step();
    let (first, second, contact) = world.contacts().next().unwrap();
    assert_eq!((world.id(first), world.id(second)), ("10", "2"));
    assert!(near(contact.normal, [-1.0, 0.0, 0.0]), "from \"10\" to \"2\"");
}

#[test]
fn the_newer_rules_cap_speeds_and_the_older_do_not() {
    let fast =
        FingsicsBody { acceleration: Vec3::new(600.0, 0.0, 0.0), ..ball("0", [0.0; 3], [49.0, 0.0, 0.0]) };
    let mut newer = with_rules(std::slice::from_ref(&fast), Rules::NEWEST);
    let mut older = with_rules(&[fast], Rules::SEPTEMBER_2021);
    newer.step();
    older.step();
    assert!(near(newer.velocity(0), [50.0, 0.0, 0.0]) && near(older.velocity(0), [59.0, 0.0, 0.0]));
}

#[test]
fn equal_depths_act_only_under_the_older_rules() {
    let bodies = [ball("0", [-0.4, 0.0, 0.0], [0.0; 3]), ball("1", [0.4, 0.0, 0.0], [0.0; 3])];
    let acting = |rules| {
        let mut world = with_rules(&bodies, rules);
        world.step();
        world.step().acting
    };
    assert_eq!((acting(Rules::NEWEST), acting(Rules::SEPTEMBER_2021)), (0, 1));
}

#[test]
fn two_immovable_bodies_are_never_tested() {
    for method in Method::ALL {
        let settings = FingsicsSettings { method, ..FingsicsSettings::default() };
        let mut world = FingsicsWorld::new(&[floor("0"), floor("1")], settings).unwrap();
        assert_eq!(world.step().tested, 0, "{method}");
    }
}

#[test]
fn all_methods_find_the_same_collisions_and_pass_what_they_should() {
    // A small gas of balls and long capsules that angular_velocity.
    let mut bodies = vec![floor("t")];
    for n in 0..60u8 {
        let f = f32::from(n);
        let at =
            [(f * 0.37).fract() * 6.0 - 3.0, (f * 0.61).fract() * 3.0 + 0.31, (f * 0.83).fract() * 6.0 - 3.0];
        let shape = if n % 2 == 0 {
            FingsicsShape::Ball { radius: 0.3 }
        } else {
            FingsicsShape::Capsule { radius: 0.2, length: 1.5 }
        };
        let velocity =
            Vec3::new((f * 0.29).fract() - 0.5, (f * 0.53).fract() - 0.5, (f * 0.71).fract() - 0.5) * 8.0;
        bodies.push(FingsicsBody {
            velocity,
            angular_velocity: velocity * 0.5,
            ..body(&n.to_string(), shape, at)
        });
    }
    let run = |method| {
        let mut world =
            FingsicsWorld::new(&bodies, FingsicsSettings { method, ..FingsicsSettings::default() }).unwrap();
        let mut rows = Vec::new();
        for _ in 0..200 {
            let report = world.step();
            rows.push((report.tested, report.contacts));
        }
        (rows, world.state_hash())
    };
    let [none, aabb, obb, sap, sapobb] =
        [Method::None, Method::Aabb, Method::Obb, Method::Sap, Method::SapObb].map(run);
    assert!(none.0.iter().map(|row| row.1).sum::<u64>() > 100, "the test must see collisions");
    for (name, other) in [("aabb", &aabb), ("obb", &obb), ("sap", &sap), ("sapobb", &sapobb)] {
        assert_eq!(other.1, none.1, "{name} ends in another state");
    }
    assert_eq!(sap.0, aabb.0, "sap passes exactly what aabb passes");
    for (fine, coarse) in sapobb.0.iter().zip(&sap.0).chain(obb.0.iter().zip(&none.0)) {
        assert!(fine.0 <= coarse.0);
    }
    // The golden: the same bits in debug and release, on every platform. A change needs a line in
    // the changelog.
    assert_eq!(format!("{:016x}", none.1), GOLDEN_GAS);
}

const GOLDEN_GAS: &str = "30afd7905ee10676";

#[test]
fn bad_bodies_are_refused_by_name() {
    let refused =
        |def: FingsicsBody| FingsicsWorld::new(&[def], FingsicsSettings::default()).unwrap_err().to_string();
    assert_eq!(refused(ball("7", [f32::NAN, 0.0, 0.0], [0.0; 3])), "body '7': position is [NaN, 0, 0]");
    assert_eq!(
        refused(body("b", FingsicsShape::Capsule { radius: 0.0, length: 1.0 }, [0.0; 3])),
        "body 'b': radius is 0"
    );
    assert_eq!(refused(FingsicsBody { mass: -1.0, ..ball("m", [0.0; 3], [0.0; 3]) }), "body 'm': mass is -1");
    assert!(
        FingsicsWorld::new(&[FingsicsBody { mass: 0.0, ..floor("t") }], FingsicsSettings::default()).is_ok(),
        "needs no mass"
    );
    let twice = [ball("x", [0.0; 3], [0.0; 3]), ball("x", [5.0, 0.0, 0.0], [0.0; 3])];
    assert_eq!(
        FingsicsWorld::new(&twice, FingsicsSettings::default()).unwrap_err(),
        FingsicsWorldError::DuplicateId { id: "x".to_owned() }
    );
    assert_eq!(
        FingsicsWorld::new(&[], FingsicsSettings { steps_per_second: 0, ..FingsicsSettings::default() })
            .unwrap_err(),
        FingsicsWorldError::NoSteps
    );
}

#[test]
fn a_body_that_leaves_the_finite_numbers_is_stopped_and_reported() {
    let runaway = FingsicsBody {
        acceleration: Vec3::new(3e38, 0.0, 0.0),
        ..ball("far", [3e38, 0.0, 0.0], [3e38, 0.0, 0.0])
    };
    let mut world = with_rules(&[runaway, ball("near", [0.0; 3], [1.0, 0.0, 0.0])], Rules::SEPTEMBER_2021);
    let mut stopped = Vec::new();
    for step in 0..200 {
        stopped.extend(world.step().quarantined.iter().map(|&body| (step, body)));
    }
    assert_eq!(stopped.len(), 1, "once: {stopped:?}");
    assert_eq!(world.velocity(0), Vec3::ZERO);
    assert!(world.positions()[0].is_finite() && world.positions()[1].x > 3.0, "the rest goes on");
}
