//! Surface velocities: what conveyor belts bring to their contacts.
//!
//! The solver adds them to the sliding velocities of friction, as it does with the velocities of
//! kinematic bodies ([`crate::solver`]). Worlds without such materials pay one comparison per step.

use glam::Vec3;

use crate::state::world_state::WorldState;

/// Gives every manifold to be solved the surface velocity of its shapes.
pub(crate) fn run(state: &mut WorldState) {
    let WorldState { bodies, shapes, contacts, active_manifolds, .. } = state;
    if !shapes.has_surface_velocity {
        return;
    }
    for touch in active_manifolds {
        let info = &contacts.infos[touch.contact as usize];
        let [a, b] = [0, 1].map(|side| {
            let row = &shapes.rows[info.shapes[side] as usize];
            let rotation = bodies.motion[info.bodies[side] as usize].rotation;
            rotation.rotate(row.local_pose.rotation.rotate(row.material.surface_velocity))
        });
        if a != Vec3::ZERO || b != Vec3::ZERO {
            let manifold = contacts.manifold(touch.contact, touch.part);
            let frame = shapes.rows[info.shapes[0] as usize].local_pose.rotation;
            let rotation = bodies.motion[info.bodies[0] as usize].rotation;
            touch.drive(b - a, rotation.rotate(frame.rotate(manifold.normal)));
        }
    }
}
