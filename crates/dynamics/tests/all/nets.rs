//! Nets of ball joints that hang by their corners: strings of full length between fixed points,
//! which pull the harder the less they give way.

use carom_dynamics::{BodyDef, BodyId, JointDef, World, WorldDef};
use glam::{DVec3, Vec3};

use crate::scenes::{DT, ball};

/// A level net of spheres a metre apart, of which the corners are fixed.
fn net(side: usize) -> (World, Vec<BodyId>) {
    let mut world = World::new(WorldDef::default().gravity(Vec3::Y * -10.0).can_sleep(false));
    let mut ids: Vec<BodyId> = Vec::new();
    let at_end = |k: usize| k == 0 || k == side - 1;
    for row in 0..side {
        for column in 0..side {
            let (x, z) = (column as f64, row as f64);
            let def = if at_end(row) && at_end(column) { BodyDef::fixed() } else { BodyDef::dynamic() };
            let body = world.add_body(def.at(x, 0.0, z), [ball(0.4).density(1000.0)]).unwrap();
            let mut join = |other: BodyId, at: DVec3| {
                world.add_joint(JointDef::ball(other, body).at(at)).unwrap();
            };
            if column > 0 {
                join(ids[ids.len() - 1], DVec3::new(x - 0.5, 0.0, z));
            }
            if row > 0 {
                join(ids[ids.len() - side], DVec3::new(x, 0.0, z - 0.5));
            }
            ids.push(body);
        }
    }
    (world, ids)
}

/// Kinetic energy, and potential energy above the corners.
fn energy(world: &World, ids: &[BodyId]) -> f64 {
    let of = |id: &BodyId| {
        let body = world.body(*id).unwrap();
        body.kinetic_energy() + f64::from(body.mass()) * 10.0 * body.position().y
    };
    ids.iter().map(of).sum()
}

#[test]
fn a_net_hung_at_its_corners_stretches_by_little() {
    let (mut world, ids) = net(30);
    let most = energy(&world, &ids);
    for step in 0..300 {
        world.step(DT).unwrap();
        let now = energy(&world, &ids);
        assert!(now < most + 1.0, "step {step}: from {most} J to {now} J");
    }
    let error = world.joint_error().distance;
    assert!(error < 0.04, "open by {error} m after five seconds");
    for _ in 0..300 {
        world.step(DT).unwrap();
    }
    let error = world.joint_error().distance;
    assert!(error < 0.04, "open by {error} m after ten seconds");
}
