//! Response: one impulse per acting contact, averaged per world axis over a body's contacts.
//!
//! All impulses of a step are computed from the velocities at its start, queued, and then applied
//! body by body. A queued impulse keeps the mass of the *other* body; on each world axis,
//! separately for the linear and the angular direction, it is scaled by that mass over the sum of
//! such masses with a component on the axis. So a single contact acts in full, two equal partners
//! by one half each, and an immovable partner (mass 10¹²) wipes out the others. The averaging
//! neither conserves momentum nor is the same in every frame of reference; it is what Fingsics
//! does.
//!
//! `j = | (1+e)·(v₂−v₁)·n / (1/m₁ + 1/m₂ + [(I₁⁻¹(r₁×n))×r₁ + (I₂⁻¹(r₂×n))×r₂]·n) |`: the absolute
//! value always pushes apart, even bodies that separate already.

use crate::arithmetic::{EPS, INFINITE_MASS, RowMatrix, cross, dot};
use glam::Vec3;

use super::motion::Motion;
use super::rules::Rules;

const NONE: u32 = u32::MAX;

/// One queued impulse on one body.
#[derive(Clone, Copy, Debug)]
struct Impulse {
    /// Linear direction.
    normal: Vec3,
    /// Angular direction, `r × n`.
    turning: Vec3,
    /// Signed size.
    size: f32,
    /// Mass of the other body.
    weight: f32,
    /// The impulse queued before this one on the same body.
    next: u32,
}

/// A body with queued impulses.
#[derive(Clone, Copy, Debug)]
struct Target {
    inverse_inertia: RowMatrix,
    /// Last queued impulse; they are applied last first.
    head: u32,
    normal_weights: Vec3,
    turning_weights: Vec3,
}

/// What the response needs to know of a body in a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    pub(crate) body: u32,
    pub(crate) immovable: bool,
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
    pub(crate) mass: f32,
    pub(crate) elasticity: f32,
}

impl Party {
    fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + cross(self.angular_velocity, arm)
    }
}

/// The queue of a step, kept for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    impulses: Vec<Impulse>,
    targets: Vec<Target>,
    /// Per body its index in `targets`, or [`NONE`].
    target_of: Vec<u32>,
    /// The body of each target.
    bodies: Vec<u32>,
}

impl Response {
    /// Makes room for a number of bodies.
    pub(crate) fn resize(&mut self, bodies: usize) {
        self.target_of = vec![NONE; bodies];
    }

    /// Queues the impulses of one contact. `inverse_inertia` gives the world inverse inertia of a
    /// body.
    pub(crate) fn queue(
        &mut self,
        first: &Party,
        second: &Party,
        point: Vec3,
        normal: Vec3,
        inverse_inertia: impl Fn(u32) -> RowMatrix,
    ) {
        match (first.immovable, second.immovable) {
            (true, _) => self.queue_against_immovable(first, second, point, normal, inverse_inertia),
            (false, true) => {
                self.queue_against_immovable(second, first, point, normal * -1.0, inverse_inertia);
            }
            (false, false) => self.queue_between(first, second, point, normal, inverse_inertia),
        }
    }

    fn queue_between(
        &mut self,
        first: &Party,
        second: &Party,
        point: Vec3,
        normal: Vec3,
        inverse_inertia: impl Fn(u32) -> RowMatrix,
    ) {
        let target1 = self.target(first.body, &inverse_inertia);
        let target2 = self.target(second.body, &inverse_inertia);
        let (arm1, arm2) = (point - first.position, point - second.position);
        let (turning1, turning2) = (cross(arm1, normal), cross(arm2, normal));
        let elasticity = (first.elasticity + second.elasticity) / 2.0;
        let approach = dot(second.velocity_at(arm2) - first.velocity_at(arm1), normal);
        let turn1 = cross(self.targets[target1].inverse_inertia.times_vector(turning1), arm1);
        let turn2 = cross(self.targets[target2].inverse_inertia.times_vector(turning2), arm2);
        let resistance = 1.0 / first.mass + 1.0 / second.mass + dot(turn1 + turn2, normal);
        let size = (-(1.0 + elasticity) * approach / resistance).abs();
        self.push(target1, normal, turning1, -size, second.mass);
        self.push(target2, normal, turning2, size, first.mass);
    }

    /// `normal` points from the immovable body to the movable one.
    fn queue_against_immovable(
        &mut self,
        wall: &Party,
        body: &Party,
        point: Vec3,
        normal: Vec3,
        inverse_inertia: impl Fn(u32) -> RowMatrix,
    ) {
        let target = self.target(body.body, &inverse_inertia);
        let (arm, wall_arm) = (point - body.position, point - wall.position);
        let turning = cross(arm, normal);
        let elasticity = (wall.elasticity + body.elasticity) / 2.0;
        let approach = dot(body.velocity_at(arm) - wall.velocity_at(wall_arm), normal);
        let turn = cross(self.targets[target].inverse_inertia.times_vector(turning), arm);
        let resistance = 1.0 / body.mass + dot(turn, normal);
        let size = (-(1.0 + elasticity) * approach / resistance).abs();
        self.push(target, normal, turning, size, INFINITE_MASS);
    }

    fn target(&mut self, body: u32, inverse_inertia: &impl Fn(u32) -> RowMatrix) -> usize {
        let slot = &mut self.target_of[body as usize];
        if *slot == NONE {
            *slot = self.targets.len() as u32;
            self.bodies.push(body);
            self.targets.push(Target {
                inverse_inertia: inverse_inertia(body),
                head: NONE,
                normal_weights: Vec3::ZERO,
                turning_weights: Vec3::ZERO,
            });
        }
        *slot as usize
    }

    fn push(&mut self, target: usize, normal: Vec3, turning: Vec3, size: f32, weight: f32) {
        let (normal, turning) = (small_to_zero(normal), small_to_zero(turning));
        let target = &mut self.targets[target];
        target.normal_weights += weight * weighed_axes(normal);
        target.turning_weights += weight * weighed_axes(turning);
        self.impulses.push(Impulse { normal, turning, size, weight, next: target.head });
        target.head = self.impulses.len() as u32 - 1;
    }

    /// Applies and empties the queue. Bodies do not influence each other any more, so their order
    /// is free; the impulses of a body are applied last queued first, and speeds are capped after
    /// each.
    pub(crate) fn apply(&mut self, motions: &mut [Motion], masses: &[f32], rules: &Rules) {
        for (target, &body) in self.targets.iter().zip(&self.bodies) {
            let (motion, mass) = (&mut motions[body as usize], masses[body as usize]);
            let mut at = target.head;
            while let Some(impulse) = self.impulses.get(at as usize) {
                let push = impulse.normal * share(impulse.weight, target.normal_weights) * impulse.size;
                let twist = impulse.turning * share(impulse.weight, target.turning_weights) * impulse.size;
                motion.set_velocity(motion.velocity + push / mass, rules);
                motion.set_angular_velocity(
                    motion.angular_velocity + target.inverse_inertia.times_vector(twist),
                    rules,
                );
                at = impulse.next;
            }
            self.target_of[body as usize] = NONE;
        }
        self.impulses.clear();
        self.targets.clear();
        self.bodies.clear();
    }
}

/// Components below [`EPS`] become zero.
fn small_to_zero(v: Vec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| if x.abs() < EPS { 0.0 } else { x }))
}

/// One on axes where the vector has a component above [`EPS`], else zero.
fn weighed_axes(v: Vec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| f32::from(u8::from(x.abs() > EPS))))
}

/// `weight / sum` per axis, zero where there is nothing to share.
fn share(weight: f32, sums: Vec3) -> Vec3 {
    Vec3::from_array(sums.to_array().map(|sum| if sum.abs() > EPS { weight / sum } else { 0.0 }))
}
