//! Rolling resistance: what presses a rolling body is ahead of its centre by a lever arm.
//!
//! The torque, pressing force times lever arm, is taken from the relative angular velocity of both
//! bodies before the solver, by what the contact carried in the last step; friction then passes it
//! on to the velocities. An angular velocity is never turned round, so what rolls comes to rest.
//! Contacts of one or two points only: bodies that lie on more do not roll. The sweeps of the
//! solver know nothing of this, and worlds in which no shape resists do not look at their contacts
//! here.

use glam::Vec3;

use crate::state::bodies::Bodies;
use crate::state::context::StepContext;
use crate::state::motion::{InverseMass, Motion};
use crate::state::world_state::WorldState;

/// Slows the rolling of all that touches.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    let WorldState { bodies, shapes, contacts, active_manifolds, substep_lengths, .. } = state;
    if !shapes.has_rolling {
        return;
    }
    for touch in active_manifolds.iter().filter(|touch| touch.points <= 2) {
        let info = &contacts.infos[touch.contact as usize];
        let [a, b] = info.shapes.map(|shape| shapes.rows[shape as usize].material.rolling);
        let (arm, h) = (if a > b { a } else { b }, substep_lengths[usize::from(info.level)]);
        if arm > 0.0 && h > 0.0 {
            let impulses = match contacts.parts_of(touch.contact) {
                Some(composite) => &composite.impulses[usize::from(touch.part)],
                None => &contacts.impulses[touch.contact as usize],
            };
            let pressing: f32 = impulses.normal[..usize::from(touch.points)].iter().sum();
            let normal = contacts.manifold(touch.contact, touch.part).normal;
            let first = shapes.rows[info.shapes[0] as usize].local_pose.rotation;
            let normal = bodies.motion[info.bodies[0] as usize].rotation.rotate(first.rotate(normal));
            // Two points resist spinning by themselves.
            let keeps = if touch.points == 2 { normal } else { Vec3::ZERO };
            slow(info.bodies, keeps, arm * pressing * (context.dt / h), bodies);
        }
    }
}

/// Takes an angular impulse from the relative angular velocity of two bodies across a direction; no
/// more than it has.
fn slow([a, b]: [u32; 2], keeps: Vec3, most: f32, bodies: &mut Bodies) {
    let relative = bodies.motion[b as usize].angular_velocity - bodies.motion[a as usize].angular_velocity;
    let rolling = relative - keeps * keeps.dot(relative);
    let speed = rolling.length();
    let is_moved = |body: u32| bodies.state[body as usize].is_moved();
    let (moved_a, moved_b) = (is_moved(a), is_moved(b));
    if !(speed > 0.0 && most > 0.0 && (moved_a || moved_b)) {
        return;
    }
    let axis = rolling / speed;
    let answer = |body: u32, is_moved: bool| {
        if is_moved {
            answer(&bodies.motion[body as usize], &bodies.mass[body as usize], axis)
        } else {
            Vec3::ZERO
        }
    };
    let (turn_a, turn_b) = (answer(a, moved_a), answer(b, moved_b));
    let ease = axis.dot(turn_a + turn_b);
    if ease > 0.0 {
        let impulse = if most * ease < speed { most } else { speed / ease };
        bodies.motion[a as usize].angular_velocity += turn_a * impulse;
        bodies.motion[b as usize].angular_velocity -= turn_b * impulse;
    }
}

/// The angular velocity that a unit of angular impulse gives a body.
fn answer(motion: &Motion, mass: &InverseMass, axis: Vec3) -> Vec3 {
    let local = motion.rotation.rotate_back(axis) * mass.root_inertia * mass.root_inertia;
    motion.rotation.rotate(local)
}
