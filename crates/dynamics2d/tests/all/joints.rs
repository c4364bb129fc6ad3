//! Every kind of joint.

use carom_dynamics2d::{BodyDef, BodyId, JointDef, Motor, ShapeDef, Spring, World};
use glam::{DVec2, Vec2};

use super::{DT, steps, world};

fn wall(world: &mut World) -> BodyId {
    world.add_body(BodyDef::fixed(), []).unwrap()
}

fn plank(world: &mut World, x: f64, y: f64) -> BodyId {
    world.add_body(BodyDef::dynamic().at(x, y), [ShapeDef::rectangle(0.5, 0.1).unwrap()]).unwrap()
}

#[test]
fn a_pendulum_swings_with_its_period() {
    let mut world = world();
    let ground = wall(&mut world);
    let (length, radius) = (2.0f64, 0.2f64);
    let (sine, cosine) = carom_core::trig::sin_cos_f64(0.1);
    let def = BodyDef::dynamic().at(length * sine, -length * cosine);
    let bob = world.add_body(def, [ShapeDef::circle(radius as f32).unwrap()]).unwrap();
    world.add_joint(JointDef::revolute(ground, bob, DVec2::ZERO)).unwrap();
    let mut crossings = Vec::new();
    let mut before = world.body(bob).unwrap().position().x;
    for step in 0..1200 {
        world.step(DT).unwrap();
        let now = world.body(bob).unwrap().position().x;
        if before > 0.0 && now <= 0.0 {
            crossings.push((f64::from(step) + before / (before - now)) / 60.0);
        }
        before = now;
    }
    let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    let inertia = length * length + 0.5 * radius * radius;
    let wanted = std::f64::consts::TAU * (inertia / (9.81 * length)).sqrt() * (1.0 + 0.01 / 16.0);
    assert!((period / wanted - 1.0).abs() < 0.002, "{period} for {wanted}");
    assert!(world.is_planar());
}

#[test]
fn a_prismatic_joint_slides_between_its_ends_and_does_not_turn() {
    let mut world = world();
    let ground = wall(&mut world);
    let body = plank(&mut world, 0.0, 0.0);
    let along = Vec2::new(1.0, -1.0);
    let joint = JointDef::prismatic(ground, body, DVec2::ZERO, along).range(-1.0, 2.0);
    let joint = world.add_joint(joint).unwrap();
    steps(&mut world, 300);
    let view = world.body(body).unwrap();
    let end = DVec2::new(1.0, -1.0).normalize() * 2.0;
    assert!((view.position() - end).length() < 0.01, "{}", view.position());
    assert!(view.angle().abs() < 1e-3);
    assert!((world.joint(joint).unwrap().displacement() - 2.0).abs() < 0.01);
    world.joint_mut(joint).unwrap().set_motor(Some(Motor::new(-1.0, 1e4))).unwrap();
    steps(&mut world, 60);
    assert!((world.joint(joint).unwrap().displacement() - 1.0).abs() < 0.03, "up by its motor");
    assert!(world.is_planar());
}

#[test]
fn distances_ropes_and_springs_hold() {
    let mut world = world();
    let ground = wall(&mut world);
    let anchors = |x: f64| [DVec2::new(x, 0.0), DVec2::new(x, -1.0)];
    let bodies = [0.0, 3.0, 6.0].map(|x| plank(&mut world, x, -1.0));
    world.add_joint(JointDef::distance(ground, bodies[0], anchors(0.0))).unwrap();
    world.add_joint(JointDef::rope(ground, bodies[1], anchors(3.0), 2.0)).unwrap();
    let stiffness = 50.0;
    let spring = Spring::hooke(stiffness, 2.0);
    world.add_joint(JointDef::spring_between(ground, bodies[2], anchors(6.0), spring)).unwrap();
    steps(&mut world, 900);
    let depth = |body: BodyId| -world.body(body).unwrap().position().y;
    assert!((depth(bodies[0]) - 1.0).abs() < 1e-3, "{}", depth(bodies[0]));
    assert!((depth(bodies[1]) - 2.0).abs() < 5e-3, "{}", depth(bodies[1]));
    let sag = f64::from(world.body(bodies[2]).unwrap().mass() * 9.81 / stiffness);
    assert!((depth(bodies[2]) - 1.0 - sag).abs() < 2e-3, "{} for {sag}", depth(bodies[2]));
    assert!(world.is_planar());
}

#[test]
fn a_weld_holds_a_beam() {
    let mut world = world();
    let ground = wall(&mut world);
    let mut last = ground;
    for k in 0..3 {
        let body = plank(&mut world, 0.5 + f64::from(k), 0.0);
        world.add_joint(JointDef::weld(last, body, DVec2::new(f64::from(k), 0.0))).unwrap();
        last = body;
    }
    steps(&mut world, 300);
    let end = world.body(last).unwrap();
    assert!((end.position() - DVec2::new(2.5, 0.0)).length() < 0.02, "{}", end.position());
    assert!(world.is_planar());
}

#[test]
fn a_car_drives_on_its_wheels() {
    let mut world = super::with_floor();
    let chassis =
        world.add_body(BodyDef::dynamic().at(0.0, 1.0), [ShapeDef::rectangle(1.0, 0.25).unwrap()]).unwrap();
    let mut joints = Vec::new();
    for x in [-0.8, 0.8] {
        let tyre = ShapeDef::circle(0.4).unwrap().friction(1.0);
        let wheel = world.add_body(BodyDef::dynamic().at(x, 0.5), [tyre]).unwrap();
        let joint = JointDef::wheel(chassis, wheel, DVec2::new(x, 0.5), Vec2::Y)
            .spring(Spring::new(4.0, 0.7))
            .range(-0.3, 0.3)
            .motor(Motor::new(-5.0, 2.0));
        joints.push(world.add_joint(joint).unwrap());
    }
    steps(&mut world, 300);
    let body = world.body(chassis).unwrap();
    assert!((body.velocity().x - 2.0).abs() < 0.05, "five radians per second on 0.4 m: {}", body.velocity());
    assert!(body.angle().abs() < 0.1 && body.position().y > 0.6);
    for joint in joints {
        assert!(world.joint(joint).unwrap().displacement().abs() < 0.3);
    }
    assert!(world.is_planar());
}

#[test]
fn a_revolute_joint_stops_at_its_limits_and_a_chain_hangs() {
    let mut world = world();
    let ground = wall(&mut world);
    let body = plank(&mut world, -49.5, 0.0);
    let joint = JointDef::revolute(ground, body, DVec2::new(-50.0, 0.0)).range(-0.4, 0.4);
    let joint = world.add_joint(joint).unwrap();
    let mut last = ground;
    for k in 0..20 {
        let link = plank(&mut world, 5.5 + f64::from(k), 0.0);
        world.add_joint(JointDef::revolute(last, link, DVec2::new(5.0 + f64::from(k), 0.0))).unwrap();
        last = link;
    }
    let mut worst = 0.0f32;
    for _ in 0..600 {
        world.step(DT).unwrap();
        worst = worst.max(world.engine().joint_error().distance);
    }
    let angle = world.joint(joint).unwrap().angle();
    assert!((angle + 0.4).abs() < 0.01, "{angle}");
    assert!(worst < 0.02, "a joint opened by {worst} m");
    assert!(world.is_planar());
}
