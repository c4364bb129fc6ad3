//! Energy of bodies that swing on joints, which nothing takes from them.

use carom_dynamics::{Axis, BodyDef, BodyId, JointDef, JointKind, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::mass::MassProperties;
use glam::{DVec3, Vec3};

use crate::scenes::cuboid;

const G: f64 = 9.81;

/// Kinetic and potential energy, above `lowest` if all mass were there.
fn energy(world: &World, ids: &[BodyId], lowest: f64) -> f64 {
    let of = |id: &BodyId| {
        let body = world.body(*id).unwrap();
        body.kinetic_energy() + f64::from(body.mass()) * G * (body.centre_of_mass().y - lowest)
    };
    ids.iter().map(of).sum()
}

fn post() -> (World, BodyId) {
    let mut world = World::new(WorldDef::default().gravity(Vec3::Y * -G as f32).can_sleep(false));
    let post = world.add_body(BodyDef::fixed(), []).unwrap();
    (world, post)
}

#[test]
fn pendulums_rise_to_their_height_again() {
    let kinds = ["hinge", "ball", "rod", "universal", "six axes"];
    for (at, (length, density, angle)) in
        [(1.0f64, 1.0, 1.57f64), (2.0, 10.0, 0.7), (0.3, 0.2, 1.2), (5.0, 100.0, 2.2)].into_iter().enumerate()
    {
        for hertz in [30.0f32, 60.0, 120.0, 240.0] {
            let kind = kinds[(at + hertz as usize / 30) % kinds.len()];
            let (mut world, post) = post();
            let start = DVec3::new(length * angle.sin(), -length * angle.cos(), 0.0);
            let size = Vec3::new(0.1, 0.2, 0.15) * length as f32;
            let bob = BodyDef::dynamic().at(start.x, start.y, start.z);
            let bob = world.add_body(bob, [cuboid(size.x, size.y, size.z).density(density)]).unwrap();
            let turns = [Axis::LOCKED, Axis::LOCKED, Axis::FREE];
            let def = match kind {
                "hinge" => JointDef::hinge(post, bob, Axis::FREE).axis(Vec3::Z),
                "ball" => JointDef::ball(post, bob),
                "rod" => JointDef::rod(post, bob, [DVec3::ZERO, start]),
                "universal" => JointDef::new(post, bob, JointKind::Universal([Axis::FREE; 2])).axis(Vec3::Z),
                _ => {
                    JointDef::new(post, bob, JointKind::SixAxis { linear: [Axis::LOCKED; 3], angular: turns })
                }
            };
            world.add_joint(if kind == "rod" { def } else { def.at(DVec3::ZERO) }).unwrap();
            // The highest point of the last swings, beginning after seven seconds.
            let (mut top, steps) = (f64::NEG_INFINITY, (10.0 * hertz) as usize);
            for step in 0..steps + (length.sqrt() * 60.0) as usize {
                world.step(1.0 / hertz).unwrap();
                if step > steps * 7 / 10 {
                    top = top.max(world.body(bob).unwrap().position().y);
                }
            }
            let height = (top + length) / (start.y + length);
            assert!((height - 1.0).abs() < 0.01, "{kind}, {length} m, {hertz} Hz: {height} of its height");
        }
    }
}

/// Links of a metre that begin level, hung at one end. More than two do not collide with each
/// other, which would cost them energy.
fn chain(links: usize, is_hinged: bool, sideways: f32) -> (World, Vec<BodyId>) {
    let (mut world, mut before) = post();
    let mut ids = Vec::new();
    for k in 0..links {
        let at = k as f64 + 0.5;
        let def = BodyDef::dynamic().at(at, 0.0, 0.0).velocity(Vec3::Z * at as f32 * sideways);
        let def = def.angular_velocity(Vec3::Y * -sideways);
        let link =
            world.add_body(def, [cuboid(0.5, 0.05, 0.08).group(if links > 2 { -1 } else { 0 })]).unwrap();
        let joint = if is_hinged {
            JointDef::hinge(before, link, Axis::FREE).axis(Vec3::Z)
        } else {
            JointDef::ball(before, link)
        };
        world.add_joint(joint.at(DVec3::new(k as f64, 0.0, 0.0))).unwrap();
        ids.push(link);
        before = link;
    }
    (world, ids)
}

#[test]
fn double_pendulums_keep_their_energy() {
    for (is_hinged, sideways) in [(true, 0.0), (false, 0.0), (false, 2.0), (false, 6.0)] {
        for hertz in [30.0f32, 60.0, 120.0, 240.0] {
            let (mut world, ids) = chain(2, is_hinged, sideways);
            let start = energy(&world, &ids, -1.0);
            for step in 0..(10.0 * hertz) as usize {
                world.step(1.0 / hertz).unwrap();
                let share = energy(&world, &ids, -1.0) / start;
                assert!(
                    (share - 1.0).abs() < 0.02,
                    "{is_hinged} {sideways} {hertz} Hz, step {step}: {share}"
                );
            }
        }
    }
}

#[test]
fn short_chains_keep_their_energy() {
    for links in 3..=9 {
        for is_hinged in [true, false] {
            for hertz in [10.0f32, 30.0, 60.0, 120.0] {
                let (mut world, ids) = chain(links, is_hinged, 0.0);
                let lowest = -(links as f64);
                let start = energy(&world, &ids, lowest);
                for step in 0..(10.0 * hertz) as usize {
                    world.step(1.0 / hertz).unwrap();
                    let share = energy(&world, &ids, lowest) / start;
                    let most_lost = if hertz < 30.0 { 0.7 } else { 0.03 };
                    let is_kept = share < 1.01 && share > 1.0 - most_lost;
                    assert!(is_kept, "{links} {is_hinged} {hertz} Hz, step {step}: {share}");
                }
            }
        }
    }
}

#[test]
fn chains_that_swing_slowly_get_no_more_substeps() {
    for angular_speed in [0.0f32, 1.0, 10.0] {
        let (mut world, mut before) = post();
        for k in 0..5 {
            let at = -(f64::from(k) + 0.5);
            let def = BodyDef::dynamic().at(0.0, at, 0.0).velocity(Vec3::X * -at as f32 * angular_speed);
            let def = def.angular_velocity(Vec3::Z * angular_speed);
            let link = world.add_body(def, [cuboid(0.05, 0.5, 0.08)]).unwrap();
            let joint = JointDef::ball(before, link).at(DVec3::new(0.0, -f64::from(k), 0.0));
            world.add_joint(joint).unwrap();
            before = link;
        }
        let extra = world.step(1.0 / 60.0).unwrap().extra_substep_bodies;
        assert_eq!(extra, if angular_speed > 5.0 { 5 } else { 0 }, "{angular_speed} rad/s");
    }
}

#[test]
fn tops_of_any_shape_keep_their_energy() {
    for (inertia, spin) in [
        (Vec3::new(0.12, 0.2, 0.12), 20.0f32),
        (Vec3::new(0.12, 0.2, 0.12), 60.0),
        (Vec3::new(0.12, 0.2, 0.12), 120.0),
        (Vec3::new(0.12, 0.2, 0.15), 30.0),
        (Vec3::new(0.05, 0.02, 0.06), 30.0),
    ] {
        for hertz in [60.0f32, 120.0] {
            let (mut world, post) = post();
            let tilt = Rotation::about_axis(Vec3::new(0.0, 0.6, 0.8), -0.4f32);
            let axis = tilt.rotate(Vec3::Y);
            let at = (axis * 0.5).as_dvec3();
            let def = BodyDef::dynamic().at(at.x, at.y, at.z).rotated(tilt).angular_velocity(axis * spin);
            let mass = Some(MassProperties::diagonal(2.0, Vec3::ZERO, inertia));
            let top = world.add_body(BodyDef { mass, ..def }, [cuboid(0.1, 0.02, 0.1)]).unwrap();
            world.add_joint(JointDef::ball(post, top).at(DVec3::ZERO)).unwrap();
            let start = energy(&world, &[top], -0.5);
            for step in 0..(10.0 * hertz) as usize {
                world.step(1.0 / hertz).unwrap();
                let share = energy(&world, &[top], -0.5) / start;
                assert!((share - 1.0).abs() < 0.01, "{inertia} {spin} rad/s, {hertz} Hz, {step}: {share}");
            }
        }
    }
}
