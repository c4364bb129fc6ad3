//! Joints against what mechanics says of them.

use carom_dynamics::{Axis, BodyDef, BodyId, JointDef, JointKind, Motor, SimdWidth, Spring, World, WorldDef};
use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball, cuboid};

fn empty(gravity: f32) -> World {
    World::new(WorldDef::default().gravity(Vec3::Y * -gravity).can_sleep(false))
}

fn fixed(world: &mut World) -> BodyId {
    world.add_body(BodyDef::fixed(), []).unwrap()
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step(DT).unwrap();
    }
}

/// Distance of the anchors of the worst joint.
fn worst_gap(world: &World) -> f64 {
    let gap = |id| {
        let [a, b] = world.joint(id).unwrap().anchors();
        a.distance(b)
    };
    world.joint_ids().map(gap).fold(0.0, f64::max)
}

/// Seconds from one passage of x = 0 to the next but one.
fn period(world: &mut World, bob: BodyId) -> f64 {
    let mut passages = Vec::new();
    let mut before = world.body(bob).unwrap().position().x;
    for step in 1..2000 {
        world.step(DT).unwrap();
        let now = world.body(bob).unwrap().position().x;
        if before.signum() != now.signum() {
            passages.push((f64::from(step) - now / (now - before)) * f64::from(DT));
        }
        before = now;
        if passages.len() == 5 {
            break;
        }
    }
    (passages[4] - passages[0]) / 2.0
}

#[test]
fn pendulums_of_all_kinds_swing_in_time() {
    // A ball of radius r on a rod of length l swings about a hinge as l² + 2/5 r² says, by small
    // angles.
    let (length, radius, g) = (2.0f64, 0.2f64, 9.81f64);
    let stiff = std::f64::consts::TAU * ((length * length + 0.4 * radius * radius) / (g * length)).sqrt();
    let point = std::f64::consts::TAU * (length / g).sqrt();
    let angle = 0.1f64;
    // The period grows with the amplitude.
    let (stiff, point) = (stiff * (1.0 + angle * angle / 16.0), point * (1.0 + angle * angle / 16.0));
    let start = DVec3::new(length * angle.sin(), -length * angle.cos(), 0.0);
    for (name, expected) in [("ball", stiff), ("hinge", stiff), ("rod", point), ("rope", point)] {
        let mut world = empty(g as f32);
        let a = fixed(&mut world);
        let b = world.add_body(BodyDef::dynamic().at(start.x, start.y, 0.0), [ball(radius as f32)]).unwrap();
        let ends = [DVec3::ZERO, start];
        let def = match name {
            "ball" => JointDef::ball(a, b).at(DVec3::ZERO),
            "hinge" => JointDef::hinge(a, b, Axis::FREE).at(DVec3::ZERO).axis(Vec3::Z),
            "rod" => JointDef::rod(a, b, ends),
            _ => JointDef::rope(a, b, ends, length as f32),
        };
        world.add_joint(def).unwrap();
        let found = period(&mut world, b);
        assert!((found / expected - 1.0).abs() < 2e-3, "{name}: {found} s for {expected} s");
        let position = world.body(b).unwrap().position();
        assert!((position.length() - length).abs() < 2e-3, "{name}: {} m long", position.length());
    }
}

#[test]
fn a_spring_swings_at_its_frequency_and_comes_to_rest_where_it_should() {
    for (damping, expected) in [(0.0, 0.5), (1.0, 0.0)] {
        let mut world = empty(0.0);
        let a = fixed(&mut world);
        let b = world.add_body(BodyDef::dynamic().at(0.0, -1.0, 0.0), [ball(0.1)]).unwrap();
        let ends = [DVec3::ZERO, DVec3::new(0.0, -1.0, 0.0)];
        world.add_joint(JointDef::spring(a, b, ends, Spring::new(1.0, damping))).unwrap();
        world.body_mut(b).unwrap().set_pose(DVec3::new(0.0, -1.5, 0.0), Rotation::IDENTITY).unwrap();
        // Half a period later an undamped spring is on the other side; backward integration damps a
        // little.
        steps(&mut world, 30);
        let off = -1.0 - world.body(b).unwrap().position().y;
        if damping == 0.0 {
            assert!((off + expected).abs() < 0.05, "{off}");
        } else {
            // (1 + ωt) e^(−ωt) of the amplitude after half a period.
            assert!((off - 0.5 * 0.179).abs() < 0.02, "{off}");
        }
    }
}

#[test]
fn motors_reach_their_speed_and_no_more_than_their_torque() {
    let mut world = empty(0.0);
    let a = fixed(&mut world);
    let wheel = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let inertia = 0.4 * world.body(wheel).unwrap().mass() * 0.25;
    // A torque that reaches 2 rad/s in one second.
    let axis = Axis::FREE.motor(Motor::new(2.0, 2.0 * inertia));
    let joint = world.add_joint(JointDef::hinge(a, wheel, axis).at(DVec3::ZERO).axis(Vec3::Z)).unwrap();
    steps(&mut world, 30);
    let spin = world.body(wheel).unwrap().angular_velocity().z;
    assert!((spin - 1.0).abs() < 1e-3, "{spin} after half a second");
    let torque = world.joint(joint).unwrap().torque();
    assert!((torque.z / (2.0 * inertia) - 1.0).abs() < 1e-3, "{torque}");
    steps(&mut world, 60);
    assert!((world.body(wheel).unwrap().angular_velocity().z - 2.0).abs() < 1e-4);
    // Full turns are counted.
    steps(&mut world, 600);
    let angle = world.joint(joint).unwrap().angle();
    assert!((angle - (1.0 + 20.0 + 1.0)).abs() < 0.1, "{angle}");
    world.joint_mut(joint).unwrap().set_motor_speed(-1.0).unwrap();
    steps(&mut world, 120);
    assert!((world.body(wheel).unwrap().angular_velocity().z + 1.0).abs() < 1e-4);
}

#[test]
fn limits_hold() {
    let mut world = empty(9.81);
    let a = fixed(&mut world);
    let arm = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [cuboid(1.0, 0.1, 0.1)]).unwrap();
    let hinge = JointDef::hinge(a, arm, Axis::FREE.range(-0.5, 0.5)).at(DVec3::ZERO).axis(Vec3::Z);
    let hinge = world.add_joint(hinge).unwrap();
    let sled = world.add_body(BodyDef::dynamic().at(5.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    let slider = JointDef::slider(a, sled, Axis::FREE.range(-0.7, 0.2)).axis(Vec3::Y);
    let slider = world.add_joint(slider.at(DVec3::new(5.0, 0.0, 0.0))).unwrap();
    let mut lowest = (0.0f32, 0.0f32);
    for _ in 0..240 {
        world.step(DT).unwrap();
        lowest.0 = lowest.0.min(world.joint(hinge).unwrap().angle());
        lowest.1 = lowest.1.min(world.joint(slider).unwrap().displacement());
    }
    assert!(lowest.0 > -0.51 && lowest.1 > -0.71, "{lowest:?}");
    let (angle, place) = (world.joint(hinge).unwrap().angle(), world.joint(slider).unwrap().displacement());
    assert!((angle + 0.5).abs() < 0.01 && (place + 0.7).abs() < 0.01, "{angle} {place}");
    let weight = world.body(sled).unwrap().mass() * 9.81;
    let force = world.joint(slider).unwrap().force();
    assert!((force.y / weight - 1.0).abs() < 0.01, "{force} N for {weight} N");
}

#[test]
fn a_cone_holds_and_a_twist_too() {
    let mut world = empty(9.81);
    let a = fixed(&mut world);
    // An arm along +y that falls over as far as its cone lets it, spun about itself.
    let arm = BodyDef::dynamic().at(0.0, 1.0, 0.0).angular_velocity(Vec3::new(0.3, 3.0, 0.2));
    let arm = world.add_body(arm, [cuboid(0.1, 1.0, 0.2)]).unwrap();
    let kind = JointKind::Ball { cone: Some(0.6), twist: Some([-0.4, 0.4]), friction: 0.0, spring: None };
    let joint = JointDef::new(a, arm, kind).at(DVec3::ZERO).axis(Vec3::Y);
    let joint = world.add_joint(joint).unwrap();
    let (mut widest, mut most) = (0.0f32, 0.0f32);
    for _ in 0..600 {
        world.step(DT).unwrap();
        let up = world.body(arm).unwrap().rotation().rotate(Vec3::Y);
        widest = widest.max(up.angle_between(Vec3::Y));
        most = most.max(world.joint(joint).unwrap().angle().abs());
    }
    assert!(widest > 0.55 && widest < 0.64, "it leans by {widest}");
    assert!(most > 0.35 && most < 0.45, "it twists by {most}");
    assert!(worst_gap(&world) < 1e-3);
}

#[test]
fn welds_universal_joints_and_six_axes_leave_free_what_they_should() {
    let mut world = empty(9.81);
    let a = fixed(&mut world);
    let mut arm = |kind: JointKind, z: f64| {
        let def = BodyDef::dynamic().at(1.0, 0.0, z);
        let b = world.add_body(def, [cuboid(1.0, 0.1, 0.1)]).unwrap();
        let joint = JointDef::new(a, b, kind).at(DVec3::new(0.0, 0.0, z));
        (b, world.add_joint(joint).unwrap())
    };
    let (welded, weld) = arm(JointKind::Fixed { spring: None }, 0.0);
    let locked = JointKind::SixAxis { linear: [Axis::LOCKED; 3], angular: [Axis::LOCKED; 3] };
    let (locked, _) = arm(locked, 2.0);
    // Only turns about z: falls like a hinge.
    let angular = [Axis::LOCKED, Axis::LOCKED, Axis::FREE];
    let (falling, _) = arm(JointKind::SixAxis { linear: [Axis::LOCKED; 3], angular }, 4.0);
    // A universal joint whose second axis is y: it does not fall about z.
    let (universal, _) = arm(JointKind::Universal([Axis::FREE; 2]), 6.0);
    let (soft, _) = arm(JointKind::Fixed { spring: Some(Spring::new(3.0, 1.0)) }, 8.0);
    steps(&mut world, 60);
    for body in [welded, locked, universal] {
        let position = world.body(body).unwrap().position();
        assert!(position.y.abs() < 0.01 && (position.x - 1.0).abs() < 0.01, "{position}");
    }
    let fallen = world.body(falling).unwrap().position();
    assert!(fallen.y < -0.4 && fallen.x < 0.0, "{fallen}: it swung through");
    let sunk = world.body(soft).unwrap().position().y;
    assert!(sunk < -0.02 && sunk > -0.3, "{sunk}");
    let mass = world.body(welded).unwrap().mass();
    let (force, torque) = (world.joint(weld).unwrap().force(), world.joint(weld).unwrap().torque());
    assert!((force.y / (mass * 9.81) - 1.0).abs() < 0.01, "{force}");
    assert!((torque.z / (mass * 9.81) - 1.0).abs() < 0.01, "{torque}: the weight at one metre");
}

#[test]
fn a_wheel_is_carried_driven_and_steered() {
    let mut world = empty(0.0);
    let car = world.add_body(BodyDef::fixed(), []).unwrap();
    let wheel = world.add_body(BodyDef::dynamic().at(0.0, -1.0, 0.0), [ball(0.3)]).unwrap();
    let kind = JointKind::Wheel {
        suspension: Axis::FREE.spring(Spring::new(4.0, 1.0)).range(-0.2, 0.2),
        steering: Axis::FREE.spring(Spring::new(5.0, 1.0).rest(0.3)).range(-0.5, 0.5),
        spin: Axis::FREE.motor(Motor::new(10.0, 1e4)),
    };
    let at = DVec3::new(0.0, -1.0, 0.0);
    let joint = JointDef::new(car, wheel, kind).at(at).axes(Vec3::X, Vec3::Y);
    let joint = world.add_joint(joint).unwrap();
    steps(&mut world, 120);
    let spin = world.body(wheel).unwrap().angular_velocity();
    assert!((spin.length() - 10.0).abs() < 0.1, "{spin}");
    let axle = Rotation::about_axis(Vec3::Y, 0.3f32).rotate(Vec3::X);
    assert!(spin.normalize().dot(axle) > 0.999, "{spin} about {axle}");
    assert!(world.joint(joint).unwrap().displacement().abs() < 1e-3);
    // Something pushes it up against the spring, then against its end.
    for _ in 0..60 {
        let force = Vec3::Y * 3e5;
        world.body_mut(wheel).unwrap().apply_force(force).unwrap();
        world.step(DT).unwrap();
    }
    let up = world.joint(joint).unwrap().displacement();
    assert!(up > 0.15 && up < 0.22, "{up}");
}

#[test]
fn joints_keep_momentum_and_angular_momentum() {
    let mut world = empty(0.0);
    let bodies: Vec<BodyId> = (0..5)
        .map(|k| {
            let spin = Vec3::new(0.3, -0.2 * k as f32, 0.5);
            let def = BodyDef::dynamic().at(f64::from(k), 0.0, 0.0).angular_velocity(spin);
            let def = def.velocity(Vec3::new(0.1, 0.4 * k as f32, -0.2));
            world.add_body(def, [cuboid(0.4, 0.2, 0.1)]).unwrap()
        })
        .collect();
    for pair in bodies.windows(2) {
        let at = 0.5 * (world.body(pair[0]).unwrap().position() + world.body(pair[1]).unwrap().position());
        let axis = Axis::FREE.range(-0.5, 0.7);
        world.add_joint(JointDef::hinge(pair[0], pair[1], axis).at(at).axis(Vec3::Z)).unwrap();
    }
    let momenta = |world: &World| {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for id in &bodies {
            let body = world.body(*id).unwrap();
            let p = body.velocity().as_dvec3() * f64::from(body.mass());
            linear += p;
            angular += body.centre_of_mass().cross(p) + body.angular_momentum().as_dvec3();
        }
        (linear, angular)
    };
    let before = momenta(&world);
    steps(&mut world, 600);
    let after = momenta(&world);
    assert!(before.0.distance(after.0) < 1e-3 * before.0.length(), "{before:?} {after:?}");
    assert!(before.1.distance(after.1) < 0.01 * before.1.length(), "{before:?} {after:?}");
    assert!(worst_gap(&world) < 5e-3, "{}", worst_gap(&world));
}

#[test]
fn a_joint_breaks_when_it_is_overloaded_and_says_so() {
    let mut world = empty(9.81);
    let a = fixed(&mut world);
    let b = world.add_body(BodyDef::dynamic().at(0.0, -1.0, 0.0), [ball(0.2)]).unwrap();
    let weight = world.body(b).unwrap().mass() * 9.81;
    let joint = JointDef::ball(a, b).at(DVec3::ZERO).breaks_at(1.5 * weight, f32::INFINITY);
    let joint = world.add_joint(joint).unwrap();
    steps(&mut world, 120);
    assert!(world.joint(joint).is_ok() && world.broken_joints().is_empty());
    world.body_mut(b).unwrap().apply_force(Vec3::Y * -weight).unwrap();
    world.step(DT).unwrap();
    let [event] = world.broken_joints() else { panic!("it broke: {:?}", world.broken_joints()) };
    assert_eq!((event.joint, event.bodies), (joint, [a, b]));
    assert!(event.force.y > 1.5 * weight && event.force.y < 2.5 * weight);
    assert!(world.joint(joint).is_err());
    world.step(DT).unwrap();
    assert!(world.broken_joints().is_empty());
    assert!(world.body(b).unwrap().velocity().y < -0.1, "it falls");
}

/// A weight falls by some centimetres onto the end of its slider. What stops it within a step is
/// its momentum over the length of a step, or of two if it comes at the end of one.
#[test]
fn a_blow_breaks_a_joint_whenever_within_a_step_it_comes() {
    for k in 0..24 {
        let drop = 0.1 + 0.001 * k as f32;
        let breaks = |force: f32| {
            let mut world = empty(10.0);
            let a = fixed(&mut world);
            let b = world.add_body(BodyDef::dynamic(), [ball(0.2)]).unwrap();
            let mass = world.body(b).unwrap().mass();
            let slider = JointDef::slider(a, b, Axis::FREE.range(-drop, drop)).axis(Vec3::Y);
            world.add_joint(slider.breaks_at(force * mass, f32::INFINITY)).unwrap();
            (0..30).any(|_| {
                world.step(DT).unwrap();
                !world.broken_joints().is_empty()
            })
        };
        let blow = (2.0 * 10.0 * drop).sqrt() / DT;
        assert!(breaks(0.45 * blow), "{drop} m is a blow of {blow} N/kg");
        assert!(!breaks(1.3 * blow + 10.0), "{drop} m is no more than a blow of {blow} N/kg");
    }
}

#[test]
fn joined_bodies_pass_through_each_other_unless_asked() {
    for collides in [false, true] {
        let mut world = empty(0.0);
        let a = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
        let b = world.add_body(BodyDef::dynamic().at(0.5, 0.0, 0.0), [ball(0.5)]).unwrap();
        world.step(DT).unwrap();
        let joint = JointDef::ball(a, b).at(DVec3::new(0.25, 0.0, 0.0)).collides(collides);
        let joint = world.add_joint(joint).unwrap();
        steps(&mut world, 2);
        assert_eq!(world.touching_shapes().count(), usize::from(collides));
        world.remove_joint(joint).unwrap();
        assert!(world.remove_joint(joint).is_err());
        world.step(DT).unwrap();
        assert_eq!(world.touching_shapes().count(), 1, "nothing holds them any more");
        // A body takes its joints along.
        let joint = world.add_joint(JointDef::ball(a, b)).unwrap();
        world.remove_body(a).unwrap();
        assert!(world.joint(joint).is_err());
        world.step(DT).unwrap();
    }
}

#[test]
fn joints_to_kinematic_bodies_follow_them() {
    let mut world = empty(9.81);
    let hand = world.add_body(BodyDef::kinematic().velocity(Vec3::X).angular_velocity(Vec3::Y), []).unwrap();
    let bag = world.add_body(BodyDef::dynamic().at(0.0, -1.0, 0.0), [ball(0.2)]).unwrap();
    world.add_joint(JointDef::fixed(hand, bag).at(DVec3::ZERO)).unwrap();
    steps(&mut world, 120);
    let (at, bag) = (world.body(hand).unwrap().position(), world.body(bag).unwrap());
    assert!((bag.position() - at - DVec3::new(0.0, -1.0, 0.0)).length() < 0.01, "{}", bag.position());
    assert!((bag.angular_velocity() - Vec3::Y).length() < 0.01 && (bag.velocity() - Vec3::X).length() < 0.02);
}

#[test]
fn joints_that_make_no_sense_are_refused() {
    let mut world = empty(0.0);
    let a = fixed(&mut world);
    let b = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    let gone = world.add_body(BodyDef::dynamic(), [ball(0.5)]).unwrap();
    world.remove_body(gone).unwrap();
    let refused = |world: &mut World, def: JointDef| world.add_joint(def).unwrap_err().to_string();
    assert!(refused(&mut world, JointDef::ball(a, gone)).contains("body 2 is not in this world"));
    assert!(refused(&mut world, JointDef::ball(b, b)).contains("cannot be joined to itself"));
    assert!(refused(&mut world, JointDef::ball(a, b).axis(Vec3::ZERO)).contains("axis"));
    assert!(
        refused(&mut world, JointDef::ball(a, b).at(DVec3::new(0.0, f64::INFINITY, 0.0))).contains("anchor")
    );
    let axis = Axis::FREE.range(1.0, -1.0);
    assert!(refused(&mut world, JointDef::hinge(a, b, axis)).contains("range of a new joint"));
    let axis = Axis::FREE.motor(Motor::new(f32::NAN, 1.0));
    assert!(refused(&mut world, JointDef::hinge(a, b, axis)).contains("motor"));
    let axis = Axis::FREE.spring(Spring::new(-1.0, 1.0));
    assert!(refused(&mut world, JointDef::slider(a, b, axis)).contains("spring"));
    assert!(refused(&mut world, JointDef::ball(a, b).breaks_at(f32::NAN, 1.0)).contains("break force"));
    assert_eq!(world.joint_ids().count(), 0);
}

/// A net of balls hung on two corners, with something of every class of joint.
fn net(lanes: SimdWidth) -> World {
    let mut world = World::new(WorldDef::default().simd_width(lanes));
    let side = 8;
    let mut ids = Vec::new();
    for x in 0..side {
        for z in 0..side {
            let is_hung = z == 0 && (x == 0 || x == side - 1);
            let def = if is_hung { BodyDef::fixed() } else { BodyDef::dynamic() };
            let id = world.add_body(def.at(f64::from(x), 0.0, f64::from(z)), [ball(0.3)]).unwrap();
            let mut join = |other: BodyId, at: DVec3, k: i32| {
                let def = match k % 5 {
                    0 => JointDef::ball(other, id).at(at),
                    1 => JointDef::hinge(other, id, Axis::FREE.range(-1.0, 1.0)).at(at),
                    2 => JointDef::fixed(other, id).at(at),
                    3 => {
                        let ends =
                            [world.body(other).unwrap().position(), world.body(id).unwrap().position()];
                        JointDef::rope(other, id, ends, 1.1)
                    }
                    _ => JointDef::new(other, id, JointKind::Universal([Axis::FREE; 2])).at(at),
                };
                world.add_joint(def).unwrap();
            };
            let at = DVec3::new(f64::from(x), 0.0, f64::from(z));
            if x > 0 {
                join(ids[((x - 1) * side + z) as usize], at - DVec3::new(0.5, 0.0, 0.0), x + z);
            }
            if z > 0 {
                join(ids[(x * side + z - 1) as usize], at - DVec3::new(0.0, 0.0, 0.5), x + 2 * z + 1);
            }
            ids.push(id);
        }
    }
    world
}

#[test]
fn widths_of_lanes_change_nothing() {
    let hash = |lanes| {
        let mut world = net(lanes);
        steps(&mut world, 120);
        world.state_hash()
    };
    let one = hash(SimdWidth::One);
    for lanes in [SimdWidth::Four, SimdWidth::Eight, SimdWidth::Sixteen, SimdWidth::Auto] {
        assert_eq!(hash(lanes), one, "{lanes:?}");
    }
}

#[test]
fn what_hangs_on_something_awake_does_not_sleep() {
    let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
    let a = world.add_body(BodyDef::dynamic(), [ball(0.2)]).unwrap();
    let b = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    world.add_joint(JointDef::ball(a, b)).unwrap();
    steps(&mut world, 60);
    assert!(!world.body(a).unwrap().is_awake() && !world.body(b).unwrap().is_awake());
    world.body_mut(a).unwrap().apply_impulse(Vec3::Y).unwrap();
    steps(&mut world, 2);
    assert!(world.body(b).unwrap().is_awake());
}

#[test]
fn a_net_comes_back_from_a_snapshot_as_it_was() {
    let mut world = net(SimdWidth::Auto);
    // A heavy ball on a light one: solved in substeps of another length than the net.
    world.add_body(BodyDef::fixed().at(20.0, -1.0, 0.0), [cuboid(5.0, 1.0, 5.0)]).unwrap();
    world.add_body(BodyDef::dynamic().at(20.0, 0.5, 0.0), [cuboid(0.5, 0.5, 0.5)]).unwrap();
    let heavy = cuboid(0.5, 0.5, 0.5).density(1e5);
    world.add_body(BodyDef::dynamic().at(20.0, 1.6, 0.0), [heavy]).unwrap();
    steps(&mut world, 60);
    assert_eq!((world.report().extra_substep_bodies, world.validate()), (2, vec![]));
    let then = world.snapshot();
    let on = |world: &mut World| {
        (0..60)
            .map(|_| {
                world.step(DT).unwrap();
                world.state_hash()
            })
            .collect::<Vec<u64>>()
    };
    let first = on(&mut world);
    world.restore(&then);
    assert_eq!(on(&mut world), first);
    let mut other = World::new(WorldDef::default());
    other.restore(&then);
    assert_eq!(on(&mut other), first);
}

#[test]
fn frames_stay_where_they_are_when_a_body_gets_another_shape() {
    let mut world = empty(0.0);
    let a = fixed(&mut world);
    let b = world.add_body(BodyDef::dynamic().at(1.0, 0.0, 0.0), [ball(0.2)]).unwrap();
    let joint = world.add_joint(JointDef::ball(a, b).at(DVec3::ZERO)).unwrap();
    let side = cuboid(0.5, 0.1, 0.2).local_pose(carom_geometry::Pose::at(Vec3::new(0.3, 0.7, 0.1)));
    world.add_shape(b, &side).unwrap();
    let [on_a, on_b] = world.joint(joint).unwrap().anchors();
    assert!(on_a.distance(on_b) < 1e-6, "{on_a} {on_b}");
    steps(&mut world, 10);
    assert!(world.body(b).unwrap().velocity().length() < 1e-3, "nothing pulls it");
}
