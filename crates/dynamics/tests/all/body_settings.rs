//! Whatever a definition says can be read and changed afterwards, with the same effect.

use carom_dynamics::{
    BodyDef, BodyId, BodyKind, JointDef, LockedAxes, ShapeDef, Snapshot, World, WorldDef, WorldError,
};
use carom_geometry::mass::MassProperties;
use carom_geometry::shape::Sphere;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid, ground, run, space};

/// A body off its own centre, so that frames and principal axes differ.
fn lopsided() -> [ShapeDef; 2] {
    let arm = Pose::new(Vec3::new(0.8, 0.3, 0.1), Rotation::about_axis(Vec3::Z, 0.4));
    [cuboid(0.5, 0.2, 0.3), cuboid(0.6, 0.1, 0.1).local_pose(arm)]
}

/// A definition that differs from the default in everything that acts.
fn unusual() -> BodyDef {
    BodyDef::dynamic()
        .position(DVec3::new(1.0, 2.0, 3.0))
        .velocity(Vec3::new(3.0, 1.0, -2.0))
        .angular_velocity(Vec3::new(1.0, -2.0, 0.5))
        .acceleration(Vec3::X)
        .gravity_scale(0.25)
        .linear_damping(0.3)
        .angular_damping(0.6)
        .max_speed(4.0)
        .max_angular_speed(2.5)
        .can_sleep(false)
        .bullet()
        .user_data(99)
}

fn bits(world: &World, id: BodyId) -> ([u64; 3], [f32; 4], [f32; 3], [f32; 3]) {
    let body = world.body(id).unwrap();
    (
        body.position().to_array().map(f64::to_bits),
        body.rotation().to_xyzw(),
        body.velocity().to_array(),
        body.angular_velocity().to_array(),
    )
}

#[test]
fn setters_do_what_the_definition_does() {
    let mut defined = World::new(WorldDef::default());
    let first = defined.add_body(unusual(), [cuboid(0.5, 0.3, 0.2)]).unwrap();
    let mut set = World::new(WorldDef::default());
    let second = set.add_body(BodyDef::dynamic(), [cuboid(0.5, 0.3, 0.2)]).unwrap();
    let def = unusual();
    let mut body = set.body_mut(second).unwrap();
    body.set_pose(def.position, def.rotation).unwrap();
    body.set_velocity(def.velocity).unwrap().set_angular_velocity(def.angular_velocity).unwrap();
    body.set_acceleration(def.acceleration).unwrap().set_gravity_scale(def.gravity_scale).unwrap();
    body.set_linear_damping(def.linear_damping).unwrap().set_angular_damping(def.angular_damping).unwrap();
    body.set_max_speed(def.max_speed).unwrap().set_max_angular_speed(def.max_angular_speed).unwrap();
    body.set_can_sleep(false).set_bullet(true).set_user_data(99);
    for _ in 0..60 {
        assert_eq!(bits(&defined, first), bits(&set, second));
        defined.step(DT).unwrap();
        set.step(DT).unwrap();
    }
    let body = set.body(second).unwrap();
    assert_eq!((body.acceleration(), body.gravity_scale()), (Vec3::X, 0.25));
    assert_eq!((body.linear_damping(), body.angular_damping()), (0.3, 0.6));
    assert_eq!((body.max_speed(), body.max_angular_speed()), (4.0, 2.5));
    assert_eq!((body.can_sleep(), body.is_bullet(), body.user_data()), (false, true, 99));
    assert_eq!(body.id(), second);
}

#[test]
fn setters_refuse_what_definitions_refuse() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let mut body = world.body_mut(id).unwrap();
    let is_refused = |result: Result<_, WorldError>| matches!(result, Err(WorldError::Value { .. }));
    assert!(is_refused(body.set_gravity_scale(f32::NAN).map(drop)));
    assert!(is_refused(body.set_acceleration(Vec3::INFINITY).map(drop)));
    assert!(is_refused(body.set_linear_damping(-1.0).map(drop)));
    assert!(is_refused(body.set_angular_damping(f32::INFINITY).map(drop)));
    assert!(is_refused(body.set_max_speed(0.0).map(drop)));
    assert!(is_refused(body.set_max_angular_speed(f32::NAN).map(drop)));
    assert!(is_refused(body.set_position(DVec3::splat(2e9)).map(drop)));
    assert!(is_refused(body.set_mass(-1.0).map(drop)));
    assert!(is_refused(body.apply_angular_impulse(Vec3::NAN).map(drop)));
    assert!(is_refused(body.set_kinematic_target(DVec3::ZERO, Rotation::IDENTITY).map(drop)));
    let nothing = MassProperties::NOTHING;
    assert!(matches!(body.set_mass_properties(nothing), Err(WorldError::NoMass { .. })));
    assert_eq!(world.validate(), []);
}

#[test]
fn position_and_rotation_are_set_apart() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), lopsided()).unwrap();
    let turn = Rotation::about_axis(Vec3::new(1.0, 2.0, 3.0).normalize(), 1.2);
    let place = DVec3::new(4.0, 5.0, 6.0);
    world.body_mut(id).unwrap().set_rotation(turn).unwrap().set_position(place).unwrap();
    let body = world.body(id).unwrap();
    assert!((body.position() - place).length() < 1e-6);
    assert!((body.rotation() * turn.inverse()).angle() < 1e-5);
    assert_eq!(world.validate(), []);
}

#[test]
fn forces_add_up_are_read_and_taken_back() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let mass = world.body(id).unwrap().mass();
    let mut body = world.body_mut(id).unwrap();
    body.apply_force(Vec3::X * mass).unwrap().apply_torque(Vec3::Y).unwrap();
    body.apply_force(Vec3::X * mass).unwrap();
    assert_eq!((body.view().force(), body.view().torque()), (Vec3::X * (2.0 * mass), Vec3::Y));
    world.step(DT).unwrap();
    assert!((world.body(id).unwrap().velocity().x - 2.0 * DT).abs() < 1e-6);
    assert_eq!(world.body(id).unwrap().force(), Vec3::ZERO, "they act in one step");
    let before = world.body(id).unwrap().angular_velocity();
    world.body_mut(id).unwrap().apply_force(Vec3::X).unwrap().apply_torque(Vec3::Z).unwrap().clear_forces();
    world.step(DT).unwrap();
    assert!((world.body(id).unwrap().velocity().x - 2.0 * DT).abs() < 1e-6);
    assert_eq!(world.body(id).unwrap().angular_velocity(), before);
}

#[test]
fn an_angular_impulse_turns_by_the_inertia() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let inertia = world.body(id).unwrap().mass_properties().inertia.columns[1].y;
    world.body_mut(id).unwrap().apply_angular_impulse(Vec3::Y * inertia).unwrap();
    assert!((world.body(id).unwrap().angular_velocity() - Vec3::Y).length() < 1e-5);
}

#[test]
fn mass_properties_are_read_as_they_were_given_and_follow_shapes_again() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic().at(1.0, 2.0, 3.0), lopsided()).unwrap();
    let of_shapes = world.body(id).unwrap().mass_properties();
    // A tensor with off-diagonal terms comes back through its principal axes.
    let turned = MassProperties::diagonal(7.0, Vec3::ZERO, Vec3::new(1.0, 2.0, 2.5))
        .posed(&Pose::new(Vec3::new(0.1, -0.2, 0.3), Rotation::about_axis(Vec3::ONE.normalize(), 0.8)));
    world.body_mut(id).unwrap().set_mass_properties(turned).unwrap();
    let body = world.body(id).unwrap();
    let read = body.mass_properties();
    assert_eq!(read.mass, 7.0);
    assert!((read.centre - turned.centre).length() < 1e-6);
    for k in 0..3 {
        assert!((read.inertia.columns[k] - turned.inertia.columns[k]).length() < 1e-5);
    }
    assert!((body.position() - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-6, "the frame stays");
    world.body_mut(id).unwrap().set_mass(14.0).unwrap();
    let heavy = world.body(id).unwrap().mass_properties();
    assert!((heavy.inertia.columns[0] - turned.inertia.columns[0] * 2.0).length() < 1e-4);
    // A shape that comes does not change a mass given by hand; one that follows again does.
    world.add_shape(id, &ball(0.3)).unwrap();
    assert_eq!(world.body(id).unwrap().mass(), 14.0);
    world.body_mut(id).unwrap().reset_mass().unwrap();
    let added = 1000.0 * 4.0 / 3.0 * std::f32::consts::PI * 0.027;
    assert!((world.body(id).unwrap().mass() - of_shapes.mass - added).abs() < 0.1);
    assert_eq!(world.validate(), []);
}

#[test]
fn a_change_of_mass_keeps_the_velocity_of_every_point() {
    let mut world = space();
    let def = BodyDef::dynamic().velocity(Vec3::X).angular_velocity(Vec3::Z * 2.0);
    let id = world.add_body(def, [ball(0.5)]).unwrap();
    let point = DVec3::new(0.3, 0.4, 0.0);
    let before = world.body(id).unwrap().velocity_at(point);
    let off = MassProperties::diagonal(3.0, Vec3::new(0.0, 0.4, 0.0), Vec3::ONE);
    world.body_mut(id).unwrap().set_mass_properties(off).unwrap();
    assert!((world.body(id).unwrap().velocity_at(point) - before).length() < 1e-6);
}

#[test]
fn every_kind_becomes_every_other() {
    let kinds = [BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Static, BodyKind::Particle];
    for from in kinds {
        for to in kinds {
            let mut world = ground(WorldDef::default());
            let def = BodyDef { kind: from, ..BodyDef::dynamic().at(0.0, 0.5, 0.0) };
            let middle = world.add_body(def, lopsided()).unwrap();
            let rider =
                world.add_body(BodyDef::dynamic().at(0.0, 1.2, 0.0), [cuboid(0.2, 0.2, 0.2)]).unwrap();
            let partner = world.add_body(BodyDef::dynamic().at(5.0, 3.0, 0.0), [ball(0.3)]).unwrap();
            world.add_joint(JointDef::fixed(middle, partner)).unwrap();
            run(&mut world, 0.5);
            let frame = world.body(middle).unwrap().position();
            world.body_mut(middle).unwrap().set_kind(to).unwrap();
            assert_eq!(world.validate(), [], "{from:?} to {to:?}");
            let body = world.body(middle).unwrap();
            assert_eq!(body.kind(), to);
            assert!((body.position() - frame).length() < 1e-5);
            assert_eq!(body.mass() > 0.0, to.is_dynamic());
            for _ in 0..30 {
                world.step(DT).unwrap();
                assert_eq!(world.validate(), [], "{from:?} to {to:?}");
            }
            let body = world.body(middle).unwrap();
            if !to.is_dynamic() && !from.is_dynamic() {
                assert_eq!(body.position(), frame, "{from:?} to {to:?}");
            }
            assert!(world.body(rider).unwrap().position().y > 0.1, "nothing falls through");
        }
    }
}

#[test]
fn a_static_body_falls_once_it_is_dynamic_and_rests_once_it_is_static() {
    let mut world = ground(WorldDef::default());
    let fresh = world.add_body(BodyDef::dynamic().at(5.0, 3.0, 0.0), [ball(0.5)]).unwrap();
    let turned = world.add_body(BodyDef::fixed().at(0.0, 3.0, 0.0), [ball(0.5)]).unwrap();
    world.body_mut(turned).unwrap().set_kind(BodyKind::Dynamic).unwrap();
    for _ in 0..120 {
        world.step(DT).unwrap();
        let heights = [fresh, turned].map(|id| world.body(id).unwrap().position().y.to_bits());
        assert_eq!(heights[0], heights[1], "it falls as one that always was dynamic");
    }
    world.body_mut(turned).unwrap().set_kind(BodyKind::Static).unwrap();
    world.body_mut(turned).unwrap().set_velocity(Vec3::X).unwrap();
    let place = world.body(turned).unwrap().position();
    run(&mut world, 0.2);
    assert_eq!(world.body(turned).unwrap().position(), place);
    // Without shapes there is no mass.
    let bare = world.add_body(BodyDef::fixed(), []).unwrap();
    let refused = world.body_mut(bare).unwrap().set_kind(BodyKind::Dynamic).map(drop);
    assert_eq!(refused, Err(WorldError::NoMass { mass: 0.0 }));
    assert_eq!(world.body(bare).unwrap().kind(), BodyKind::Static);
}

#[test]
fn a_mass_by_hand_outlives_a_time_as_static_body() {
    let mut world = space();
    let mass = MassProperties::diagonal(2.0, Vec3::Y * 0.1, Vec3::ONE);
    let id = world.add_body(BodyDef::dynamic().mass(mass), [ball(0.5)]).unwrap();
    world.body_mut(id).unwrap().set_kind(BodyKind::Static).unwrap();
    assert_eq!(world.body(id).unwrap().mass(), 0.0);
    let bytes = world.snapshot().to_bytes();
    world.restore(&Snapshot::from_bytes(&bytes).unwrap());
    world.body_mut(id).unwrap().set_kind(BodyKind::Dynamic).unwrap();
    assert_eq!(world.body(id).unwrap().mass_properties(), mass);
}

#[test]
fn axes_are_locked_and_freed() {
    let mut world = space();
    let id = world.add_body(BodyDef::dynamic(), [cuboid(0.5, 0.3, 0.2)]).unwrap();
    world.body_mut(id).unwrap().set_locked(LockedAxes::PLANAR);
    let kick = |world: &mut World| {
        let mut body = world.body_mut(id).unwrap();
        body.set_velocity(Vec3::ONE).unwrap().set_angular_velocity(Vec3::ONE).unwrap();
        run(world, 0.2);
        let body = world.body(id).unwrap();
        (body.velocity(), body.angular_velocity())
    };
    let (velocity, spin) = kick(&mut world);
    assert_eq!((velocity.z, spin.x, spin.y), (0.0, 0.0, 0.0));
    assert!(velocity.x > 0.9 && spin.z > 0.9);
    world.body_mut(id).unwrap().set_locked(LockedAxes::default());
    let (velocity, spin) = kick(&mut world);
    assert!(velocity.z > 0.9 && spin.length() > 1.0, "{velocity} {spin}");
    // A locked body that was turned by hand does not keep the axes of before.
    world.body_mut(id).unwrap().set_locked(LockedAxes::PLANAR);
    world.body_mut(id).unwrap().set_rotation(Rotation::about_axis(Vec3::X, 1.0)).unwrap();
    world.body_mut(id).unwrap().apply_angular_impulse(Vec3::Z * 100.0).unwrap();
    assert!(world.body(id).unwrap().angular_velocity().z > 0.1);
}

#[test]
fn sleep_by_hand_lasts_until_something_comes() {
    let mut world = World::new(WorldDef::default());
    let sleeper = world.add_body(BodyDef::dynamic().at(0.0, 5.0, 0.0), [ball(0.5)]).unwrap();
    world.body_mut(sleeper).unwrap().set_velocity(Vec3::X).unwrap().sleep();
    run(&mut world, 0.5);
    let body = world.body(sleeper).unwrap();
    assert_eq!((body.is_awake(), body.position(), body.velocity()), (false, DVec3::Y * 5.0, Vec3::ZERO));
    let visitor = BodyDef::dynamic().at(0.0, 7.0, 0.0).velocity(Vec3::NEG_Y * 3.0);
    world.add_body(visitor, [ball(0.5)]).unwrap();
    run(&mut world, 0.5);
    assert!(world.body(sleeper).unwrap().is_awake());
    world.body_mut(sleeper).unwrap().sleep().wake();
    assert!(world.body(sleeper).unwrap().is_awake());
}

#[test]
fn a_body_that_may_not_sleep_does_not() {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(carom_geometry::shape::HalfSpace)]).unwrap();
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    run(&mut world, 2.0);
    assert!(!world.body(id).unwrap().is_awake());
    world.body_mut(id).unwrap().set_can_sleep(false);
    run(&mut world, 2.0);
    assert!(world.body(id).unwrap().is_awake());
}

#[test]
fn shapes_change_density_place_and_form() {
    let mut world = ground(WorldDef::default());
    let id = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ball(0.5).density(100.0)]).unwrap();
    run(&mut world, 0.2);
    let shape = world.body(id).unwrap().shapes().next().unwrap();
    let mass = world.body(id).unwrap().mass();
    world.shape_mut(shape).unwrap().set_density(300.0).unwrap();
    assert!((world.body(id).unwrap().mass() / mass - 3.0).abs() < 1e-4);
    assert_eq!(world.shape(shape).unwrap().density(), 300.0);
    assert!(world.shape_mut(shape).unwrap().set_density(0.0).is_err(), "it would have no mass");
    world.shape_mut(shape).unwrap().set_local_pose(Pose::at(Vec3::X)).unwrap();
    assert_eq!(world.validate(), []);
    let body = world.body(id).unwrap();
    assert!((body.centre_of_mass().x - body.position().x - 1.0).abs() < 1e-5);
    world.shape_mut(shape).unwrap().set_shape(Sphere::new(0.25).unwrap()).unwrap();
    assert_eq!(world.validate(), []);
    run(&mut world, 1.0);
    assert_eq!(world.validate(), []);
    assert!((world.body(id).unwrap().centre_of_mass().y - 0.25).abs() < 0.01, "it rests on the smaller ball");
}
