//! Materials: how coefficients combine, and surfaces that move.

use carom_dynamics::{BodyDef, BodyId, CombineRule, Material, SimdWidth, Snapshot, World, WorldDef};
use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, run};

fn material(friction: f32, rule: CombineRule) -> Material {
    Material {
        friction,
        restitution: friction,
        friction_rule: rule,
        restitution_rule: rule,
        ..Material::default()
    }
}

#[test]
fn rules_combine_as_they_say() {
    use CombineRule::{Average, Default, GeometricMean, Max, Min, Multiply};
    for (rule, friction, restitution) in [
        (Default, 0.4, 0.8),
        (GeometricMean, 0.4, 0.4),
        (Average, 0.5, 0.5),
        (Min, 0.2, 0.2),
        (Multiply, 0.16, 0.16),
        (Max, 0.8, 0.8),
    ] {
        let [a, b] = [0.2, 0.8].map(|value| material(value, rule));
        for [a, b] in [[a, b], [b, a]] {
            assert!((a.friction_with(&b) - friction).abs() < 1e-6, "{rule:?}");
            assert!((a.restitution_with(&b) - restitution).abs() < 1e-6, "{rule:?}");
        }
    }
    let huge = material(f32::MAX, Multiply);
    assert_eq!(huge.friction_with(&huge), f32::MAX);
}

#[test]
fn of_two_rules_the_later_one_counts() {
    for (at, low) in CombineRule::ALL.into_iter().enumerate() {
        for high in CombineRule::ALL.into_iter().skip(at) {
            let alone = [0.2, 0.8].map(|value| material(value, high));
            for [a, b] in [[low, high], [high, low]] {
                let (a, b) = (material(0.2, a), material(0.8, b));
                assert_eq!(a.friction_with(&b), alone[0].friction_with(&alone[1]));
                assert_eq!(a.restitution_with(&b), alone[0].restitution_with(&alone[1]));
            }
        }
    }
}

/// A box on a slope of 20 degrees (tan 0.364): does it slide?
fn slides(on: Material, under: Material) -> bool {
    let (sin, cos) = 20.0_f64.to_radians().sin_cos();
    let gravity = DVec3::new(sin, -cos, 0.0).as_vec3() * 9.81;
    let mut world = World::new(WorldDef::default().gravity(gravity));
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [cuboid(20.0, 0.5, 2.0).material(under)]).unwrap();
    let id =
        world.add_body(BodyDef::dynamic().at(0.0, 0.25, 0.0), [cuboid(0.5, 0.25, 0.5).material(on)]).unwrap();
    run(&mut world, 1.0);
    world.body(id).unwrap().velocity().x > 0.5
}

#[test]
fn friction_in_the_world_follows_the_rule() {
    let of = |friction, friction_rule| Material { friction, friction_rule, ..Material::default() };
    let rough = of(0.9, CombineRule::Default);
    assert!(!slides(rough, of(0.2, CombineRule::Default)), "geometric mean 0.424");
    assert!(slides(rough, of(0.2, CombineRule::Min)), "min 0.2");
    assert!(slides(rough, of(0.2, CombineRule::Multiply)), "product 0.18");
    assert!(!slides(rough, of(0.0, CombineRule::Average)), "average 0.45");
    assert!(!slides(rough, of(0.0, CombineRule::Max)), "max 0.9");
}

#[test]
fn a_rule_that_changes_counts_at_once() {
    let mut world = World::new(WorldDef::default());
    let floor = world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [cuboid(20.0, 0.5, 2.0)]).unwrap();
    let floor = world.body(floor).unwrap().shapes().next().unwrap();
    let sled = BodyDef::dynamic().at(-15.0, 0.25, 0.0).velocity(Vec3::X * 3.0);
    let sled = world.add_body(sled, [cuboid(0.5, 0.25, 0.5).friction(0.0)]).unwrap();
    run(&mut world, 1.0);
    assert!((world.body(sled).unwrap().velocity().x - 3.0).abs() < 1e-3, "without friction");
    let grip = Material { friction_rule: CombineRule::Max, ..Material::default() };
    world.shape_mut(floor).unwrap().set_material(grip).unwrap();
    run(&mut world, 1.0);
    assert!(world.body(sled).unwrap().velocity().length() < 1e-3);
}

/// A static belt that goes along x, turned about y, with a box on it.
fn belt(def: WorldDef, speed: f32, angle: f32) -> (World, BodyId) {
    let mut world = World::new(def);
    let bed = cuboid(20.0, 0.5, 1.5).surface_velocity(Vec3::X * speed);
    let turned = BodyDef::fixed().at(0.0, -0.5, 0.0).rotated(Rotation::about_axis(Vec3::Y, angle));
    world.add_body(turned, [bed]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.25, 0.0), [cuboid(0.25, 0.25, 0.25)]).unwrap();
    (world, id)
}

#[test]
fn a_belt_drives_to_its_speed_in_its_direction() {
    for angle in [0.0, 0.5, 2.0] {
        let (mut world, id) = belt(WorldDef::default(), 1.5, angle);
        run(&mut world, 0.1);
        // Until then it slides: v = μ g t.
        let early = world.body(id).unwrap().velocity().length();
        assert!((early - 0.6 * 9.81 * 0.1).abs() < 0.03, "{early}");
        run(&mut world, 1.4);
        let expected = Rotation::about_axis(Vec3::Y, angle).rotate(Vec3::X) * 1.5;
        let body = world.body(id).unwrap();
        assert!((body.velocity() - expected).length() < 1e-3, "{} at {angle}", body.velocity());
        assert!(body.angular_velocity().length() < 1e-3);
        assert!((body.position().y - 0.25).abs() < 0.01);
    }
}

#[test]
fn what_lies_on_a_belt_stays_awake_until_it_stops() {
    // Slower than what counts as rest.
    let (mut world, id) = belt(WorldDef::default(), 0.02, 0.0);
    run(&mut world, 4.0);
    let body = world.body(id).unwrap();
    assert!(body.is_awake() && (body.position().x - 0.08).abs() < 0.005, "{}", body.position());
    let bed = world.shapes().next().unwrap().id();
    world.shape_mut(bed).unwrap().set_material(Material::default()).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(id).unwrap().is_awake());
    let moving = Material { surface_velocity: Vec3::Z, ..Material::default() };
    world.shape_mut(bed).unwrap().set_material(moving).unwrap();
    run(&mut world, 0.5);
    assert!((world.body(id).unwrap().velocity().z - 1.0).abs() < 1e-3, "it starts again");
}

#[test]
fn a_velocity_into_the_surface_drives_nothing() {
    let mut world = World::new(WorldDef::default());
    let bed = cuboid(5.0, 0.5, 5.0).surface_velocity(Vec3::Y * 3.0);
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [bed]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.25, 0.0), [cuboid(0.25, 0.25, 0.25)]).unwrap();
    run(&mut world, 3.0);
    let body = world.body(id).unwrap();
    assert!((body.position() - DVec3::Y * 0.25).length() < 0.01 && !body.is_awake());
}

#[test]
fn tracks_move_their_own_body() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [cuboid(50.0, 0.5, 50.0)]).unwrap();
    let tank = cuboid(1.0, 0.4, 0.7).surface_velocity(Vec3::X * -2.0);
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.4, 0.0), [tank]).unwrap();
    run(&mut world, 2.0);
    let velocity = world.body(id).unwrap().velocity();
    assert!((velocity - Vec3::X * 2.0).length() < 1e-2, "{velocity}");
}

#[test]
fn a_ball_on_a_belt_begins_to_roll() {
    let mut world = World::new(WorldDef::default());
    let bed = cuboid(50.0, 0.5, 5.0).surface_velocity(Vec3::X * 2.0);
    world.add_body(BodyDef::fixed().at(0.0, -0.5, 0.0), [bed]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ball(0.5)]).unwrap();
    run(&mut world, 2.0);
    // A ball that begins to roll on a moving plane takes 2/7 of its velocity.
    let body = world.body(id).unwrap();
    assert!((body.velocity().x - 4.0 / 7.0).abs() < 0.02, "{}", body.velocity());
}

#[test]
fn belts_give_the_same_bits_for_widths_and_threads_and_after_snapshots() {
    let hash = |def: WorldDef| {
        let (mut world, _) = belt(def, 1.5, 0.3);
        for k in 0..30 {
            let at = BodyDef::dynamic().at(0.3 * f64::from(k % 5), 1.0 + f64::from(k / 5), 0.0);
            world.add_body(at, [if k % 2 == 0 { ball(0.3) } else { cuboid(0.2, 0.3, 0.2) }]).unwrap();
        }
        run(&mut world, 1.0);
        let bytes = world.snapshot().with_settings(world.settings()).to_bytes();
        let mut other = World::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap());
        run(&mut world, 1.0);
        run(&mut other, 1.0);
        assert_eq!(world.state_hash(), other.state_hash());
        assert_eq!(world.validate(), []);
        world.state_hash()
    };
    let expected = hash(WorldDef::default());
    for width in [SimdWidth::One, SimdWidth::Four, SimdWidth::Eight, SimdWidth::Sixteen] {
        assert_eq!(hash(WorldDef::default().simd_width(width)), expected, "{width:?}");
    }
    assert_eq!(hash(WorldDef::default().threads(2)), expected);
}

#[test]
fn a_velocity_that_is_no_number_is_refused() {
    let mut world = World::new(WorldDef::default());
    let bad = cuboid(1.0, 1.0, 1.0).surface_velocity(Vec3::new(0.0, f32::NAN, 0.0));
    let error = world.add_body(BodyDef::fixed(), [bad]).unwrap_err().to_string();
    assert!(error.contains("surface_velocity"), "{error}");
    world.step(DT).unwrap();
}
