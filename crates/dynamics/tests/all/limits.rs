//! Limits of joints in impacts: ragdolls that are thrown at floors and walls.

use carom_dynamics::{Axis, BodyDef, BodyId, JointDef, JointKind, ShapeDef, Spring, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::shape::{Capsule, HalfSpace};
use glam::{DVec3, Vec3};

use crate::scenes::cuboid;

/// A bone: its middle, radius, length and axis, and the joint that it hangs on: its parent, its
/// place, and the limits of a hinge if it is one.
type Bone = ([f32; 3], f32, f32, Vec3, Option<(usize, [f32; 3], Option<[f32; 2]>)>);

fn skeleton() -> Vec<Bone> {
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    let mut bones: Vec<Bone> = vec![
        ([0.0, 0.98, 0.0], 0.11, 0.14, x, None),
        ([0.0, 1.16, 0.0], 0.11, 0.12, x, Some((0, [0.0, 1.07, 0.0], None))),
        ([0.0, 1.36, 0.0], 0.13, 0.18, x, Some((1, [0.0, 1.25, 0.0], None))),
        ([0.0, 1.68, 0.0], 0.1, 0.06, y, Some((2, [0.0, 1.53, 0.0], None))),
    ];
    for side in [1.0f32, -1.0] {
        let first = bones.len();
        let elbow = if side > 0.0 { [-2.3, 0.1] } else { [-0.1, 2.3] };
        let at = |x: f32, y: f32, z: f32| [side * x, y, z];
        bones.push((at(0.36, 1.42, 0.0), 0.055, 0.22, x, Some((2, at(0.2, 1.42, 0.0), None))));
        bones.push((at(0.66, 1.42, 0.0), 0.045, 0.22, x, Some((first, at(0.51, 1.42, 0.0), Some(elbow)))));
        bones.push((at(0.1, 0.72, 0.0), 0.08, 0.26, y, Some((0, at(0.1, 0.92, 0.0), None))));
        let knee = Some([-0.1, 2.3]);
        bones.push((at(0.1, 0.3, 0.0), 0.06, 0.28, y, Some((first + 2, at(0.1, 0.51, 0.0), knee))));
        bones.push((at(0.1, 0.06, 0.06), 0.05, 0.12, z, Some((first + 3, at(0.1, 0.1, 0.0), None))));
    }
    bones
}

/// Adds a ragdoll with cones of 0.8 and twists of ±0.4 rad, stiffened by springs or slack.
fn throw(world: &mut World, turn: Rotation, velocity: Vec3, spin: Vec3, is_stiff: bool) {
    let place = |p: [f32; 3]| DVec3::Y * 3.0 + turn.rotate(Vec3::from(p)).as_dvec3();
    let middle = place([0.0, 1.0, 0.0]);
    let mut ids: Vec<BodyId> = Vec::new();
    for (centre, radius, length, axis, joint) in skeleton() {
        let at = place(centre);
        let half = 0.5 * length;
        let capsule = if axis == Vec3::X {
            Capsule::along_x(half, radius)
        } else if axis == Vec3::Y {
            Capsule::along_y(half, radius)
        } else {
            Capsule::along_z(half, radius)
        };
        let shape = ShapeDef::new(capsule.unwrap()).density(1000.0).friction(0.6).group(-1);
        let velocity = velocity + spin.cross((at - middle).as_vec3());
        let def = BodyDef::dynamic().at(at.x, at.y, at.z).rotated(turn).velocity(velocity);
        let body = world.add_body(def.angular_velocity(spin), [shape]).unwrap();
        if let Some((parent, at, hinge)) = joint {
            let spring = is_stiff.then(|| Spring::new(1.0, 0.7));
            let friction = if is_stiff { 5.0 } else { 0.0 };
            let (kind, about) = match hinge {
                Some([low, high]) => {
                    let bend = Axis { spring, ..Axis::FREE.range(low, high) };
                    (JointKind::Hinge(bend), if axis == Vec3::X { Vec3::Y } else { Vec3::X })
                }
                None => {
                    let (cone, twist) = (Some(0.8), Some([-0.4, 0.4]));
                    (JointKind::Ball { cone, twist, friction, spring }, Vec3::Y)
                }
            };
            let joint = JointDef::new(ids[parent], body, kind).axis(turn.rotate(about)).at(place(at));
            world.add_joint(joint).unwrap();
        }
        ids.push(body);
    }
}

#[test]
fn ragdolls_thrown_at_floors_and_walls_come_to_rest_within_their_limits() {
    let turn = |x: f32, z: f32, angle: f32| Rotation::about_axis(Vec3::new(x, 0.0, z), angle);
    let poses = [
        turn(1.0, 0.0, 0.0),
        turn(1.0, 0.0, 3.0),
        turn(1.0, 0.0, 1.5),
        turn(0.0, 1.0, 1.4),
        turn(0.6, 0.8, 2.2),
    ];
    for (speed, is_stiff) in
        [(5.0f32, false), (10.0, true), (20.0, false), (20.0, true), (40.0, false), (40.0, true)]
    {
        for (pose, turn) in poses.into_iter().enumerate() {
            for at_wall in [false, true] {
                let mut world = World::new(WorldDef::default().can_sleep(false));
                world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
                world.add_body(BodyDef::fixed().at(6.0, 5.0, 0.0), [cuboid(0.5, 5.0, 20.0)]).unwrap();
                let velocity =
                    if at_wall { Vec3::new(speed, 1.0, 0.0) } else { Vec3::new(0.1 * speed, -speed, 0.0) };
                throw(&mut world, turn, velocity, Vec3::new(0.3, 1.0, 2.0) * (0.1 * speed), is_stiff);
                let (mut way, mut late, steps) = (0.0f32, 0.0f32, 300);
                for step in 0..steps {
                    world.step(1.0 / 60.0).unwrap();
                    way = way.max(world.joint_error().angle);
                    if step > 120 {
                        late = late.max(world.joint_error().angle);
                    }
                }
                let end = world.joint_error();
                let case = format!("{speed} m/s, pose {pose}, wall {at_wall}, stiff {is_stiff}");
                assert!(way < 0.6, "{case}: {way} rad off in the impact");
                assert!(late < 0.12, "{case}: {late} rad off after two seconds");
                assert!(end.angle < 0.06 && end.distance < 0.01, "{case}: {end:?} in the end");
            }
        }
    }
}

#[test]
fn a_limb_stops_at_its_cone() {
    for speed in [5.0f32, 15.0, 30.0, 60.0] {
        for about in [Vec3::X, Vec3::Z, Vec3::new(0.6, 0.0, 0.8)] {
            let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO).can_sleep(false));
            let post = world.add_body(BodyDef::fixed(), []).unwrap();
            let limb = ShapeDef::new(Capsule::along_y(0.4, 0.1).unwrap());
            let spin = about * speed;
            let def = BodyDef::dynamic().at(0.0, -0.5, 0.0).velocity(spin.cross(Vec3::Y * -0.5));
            let limb = world.add_body(def.angular_velocity(spin), [limb]).unwrap();
            let kind = JointKind::Ball { cone: Some(0.8), twist: None, friction: 0.0, spring: None };
            world.add_joint(JointDef::new(post, limb, kind).axis(Vec3::NEG_Y).at(DVec3::ZERO)).unwrap();
            let mut widest = 0.0f32;
            for _ in 0..60 {
                world.step(1.0 / 60.0).unwrap();
                let down = world.body(limb).unwrap().rotation().rotate(Vec3::NEG_Y);
                widest = widest.max(down.angle_between(Vec3::NEG_Y));
            }
            assert!(widest > 0.75 && widest < 0.85, "{speed} rad/s about {about}: {widest} rad");
        }
    }
}
