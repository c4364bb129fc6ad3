//! Rolling resistance: what presses a rolling body is ahead of its centre by a lever arm.
//!
//! The torque, pressing force times lever arm, is taken from the relative angular velocity of both
//! bodies before the solver, by what the contact carried in the last step; friction then passes it
//! on to the velocities. An angular velocity is never turned round, so what rolls comes to rest.
//! Contacts that are pressed at one or two points only: bodies that lie on more do not roll. Points
//! that bear nothing do not count: a round hull that rocks on a facet has three and presses one.
//! The sweeps of the solver know nothing of this.
//!
//! A contact of one point has no friction against *spinning* about its normal either, and a ball
//! that spins on the spot would never stop. What is pressed is a small disc, though, and rubs.
//!
//! The lever arm is that of the material, or that of *slow rolling* if it is longer. Without any
//! resistance, a ball between two others rolls to and fro for ever and keeps a whole heap awake.
//! So bodies that may sleep and are slow are slowed down by as much as sleep ignores: a body that
//! speeds up by less than the sleep speed in the sleep time falls asleep anyway. With the usual
//! settings that is the resistance of a good tyre, a hundredth of the radius.

use glam::Vec3;

use crate::state::bodies::{Bodies, flag};
use crate::state::context::StepContext;
use crate::state::motion::{InverseMass, Motion};
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;

/// Bodies whose centres are up to so many times faster than what may sleep are slow, however fast
/// they spin.
const SLOW: f32 = 5.0;

/// Share of the sleep speed below which bodies are left alone. Well below it: what holds a body
/// against the resistance would push it once the resistance ends.
const STILL: f32 = 0.2;

/// Lever arm against spinning per lever arm of slow rolling and coefficient of friction. A disc of
/// radius a, pressed as two balls are (H. Hertz), rubs with 3π/16 μ a, and a ball that loses half
/// of the work of its deformation, as rubber does, rolls with 3/32 a.
const SPINNING: f32 = 2.0 * std::f32::consts::PI;

/// A body rolls on a radius of half its thickness, or of this share of its extent if it is long and
/// thin or made of several shapes.
const LEAST_RADIUS: f32 = 0.25;

/// Rolling resistance of slow bodies.
#[derive(Clone, Copy, Debug)]
struct SlowRolling {
    /// Lever arm in radii.
    arm: f32,
    /// Distance in a step below which a body is left alone.
    reach: f32,
    /// Highest speed of a slow body.
    speed: f32,
}

impl SlowRolling {
    fn new(def: &WorldDef, dt: f32) -> Self {
        let gravity = def.gravity.length();
        let is_on = def.can_sleep && gravity > 0.0 && def.sleep_time > 0.0;
        let arm = if is_on { def.sleep_speed / (def.sleep_time * gravity) } else { 0.0 };
        Self { arm, reach: STILL * def.sleep_speed * dt, speed: SLOW * def.sleep_speed }
    }

    /// The lever arm for a contact, 0 unless one of its bodies is slow and none is fast.
    #[inline]
    fn arm(&self, bodies: &Bodies, [a, b]: [u32; 2]) -> f32 {
        let [reach_a, reach_b] = [a, b].map(|body| bodies.motion_bounds[body as usize].reach);
        let reach = if reach_a > reach_b { reach_a } else { reach_b };
        let is_slow =
            |body: u32| bodies.motion[body as usize].velocity.length_squared() <= self.speed * self.speed;
        if !(self.reach <= reach && is_slow(a) && is_slow(b)) {
            return 0.0;
        }
        let mut radius = f32::INFINITY;
        for state in [a, b].map(|body| &bodies.state[body as usize]) {
            if !state.has(flag::DYNAMIC) {
                continue;
            }
            if !state.has(flag::SLEEPY) {
                return 0.0;
            }
            let (half_thickness, extent) = (state.half_thickness(), LEAST_RADIUS * state.extent);
            let own = if half_thickness > extent { half_thickness } else { extent };
            radius = if own < radius { own } else { radius };
        }
        if radius.is_finite() { self.arm * radius } else { 0.0 }
    }
}

/// Slows the rolling of all that touches.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    let WorldState { bodies, shapes, contacts, active_manifolds, substep_lengths, .. } = state;
    let slow_rolling = SlowRolling::new(context.settings, context.dt);
    if !(shapes.has_rolling || slow_rolling.arm > 0.0) {
        return;
    }
    for touch in &*active_manifolds {
        let mut arm = slow_rolling.arm(bodies, touch.bodies);
        if !(shapes.has_rolling || arm > 0.0) {
            continue;
        }
        let info = &contacts.infos[touch.contact as usize];
        let mut spinning_arm = SPINNING * info.friction * arm;
        for shape in info.shapes {
            let own = shapes.rows[shape as usize].material.rolling;
            arm = if own > arm { own } else { arm };
            spinning_arm = if own > spinning_arm { own } else { spinning_arm };
        }
        let h = substep_lengths[usize::from(info.level)];
        if !(arm > 0.0 && h > 0.0) {
            continue;
        }
        let impulses = match contacts.parts_of(touch.contact) {
            Some(composite) => &composite.impulses[usize::from(touch.part)],
            None => &contacts.impulses[touch.contact as usize],
        };
        let normals = &impulses.normal[..usize::from(touch.points)];
        let pressed = normals.iter().filter(|impulse| **impulse > 0.0).count();
        if !(1..=2).contains(&pressed) {
            continue;
        }
        let pressing = normals.iter().sum::<f32>() * (context.dt / h);
        let normal = contacts.manifold(touch.contact, touch.part).normal;
        let first = shapes.rows[info.shapes[0] as usize].local_pose.rotation;
        let normal = bodies.motion[info.bodies[0] as usize].rotation.rotate(first.rotate(normal));
        let [a, b] = info.bodies;
        let relative =
            bodies.motion[b as usize].angular_velocity - bodies.motion[a as usize].angular_velocity;
        let spinning = normal * normal.dot(relative);
        // Two points resist spinning by themselves.
        if pressed == 1 {
            slow(info.bodies, spinning, spinning_arm * pressing, bodies);
        }
        if slow(info.bodies, relative - spinning, arm * pressing, bodies) {
            // What rested on its friction would start to roll again by it.
            let impulses = match contacts.composites[touch.contact as usize].as_deref_mut() {
                Some(composite) => &mut composite.impulses[usize::from(touch.part)],
                None => &mut contacts.impulses[touch.contact as usize],
            };
            impulses.friction *= 0.5;
        }
    }
}

/// Takes an angular impulse from a part of the relative angular velocity of two bodies; no more
/// than it has. True if that was all it had.
fn slow([a, b]: [u32; 2], turning: Vec3, most: f32, bodies: &mut Bodies) -> bool {
    let speed = turning.length();
    let is_moved = |body: u32| bodies.state[body as usize].is_moved();
    let (moved_a, moved_b) = (is_moved(a), is_moved(b));
    if !(speed > 0.0 && most > 0.0 && (moved_a || moved_b)) {
        return false;
    }
    let axis = turning / speed;
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
    ease > 0.0 && most * ease >= speed
}

/// The angular velocity that a unit of angular impulse gives a body.
fn answer(motion: &Motion, mass: &InverseMass, axis: Vec3) -> Vec3 {
    let local = motion.rotation.rotate_back(axis) * mass.root_inertia * mass.root_inertia;
    motion.rotation.rotate(local)
}
