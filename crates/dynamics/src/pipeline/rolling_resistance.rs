//! Rolling resistance: the lever arms by which what presses a rolling body is ahead of its centre.
//!
//! The solver holds relative rotation with at most pressing force times lever arm, as a constraint
//! of the contact ([`crate::solver`]): taken from velocities before the solver, resistance would
//! undo what bodies at rest hold each other with, and heaps of angular bodies would creep. Only
//! contacts that are pressed at one or two points have arms: bodies that lie on more do not roll.
//! Points that bear nothing do not count: a round hull that rocks on a facet has three and presses
//! one.
//!
//! A contact of one point has no friction against *spinning* about its normal either, and a ball
//! that spins on the spot would never stop. What is pressed is a small disc, though, and rubs.
//!
//! The lever arm is that of the material, or that of *slow rolling* if it is longer. Without any
//! resistance, a ball between two others rolls to and fro for ever and keeps a whole heap awake.
//! So bodies that may sleep and are slow are slowed down by as much as sleep ignores: a body that
//! speeds up by less than the sleep speed in the sleep time falls asleep anyway. With the usual
//! settings that is the resistance of a good tyre, a hundredth of the radius.

use crate::state::bodies::{Bodies, flag};
use crate::state::context::StepContext;
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;

/// Bodies whose centres are up to so many times faster than what may sleep are slow, however fast
/// they spin.
const SLOW: f32 = 5.0;

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
    /// Highest speed of a slow body.
    speed: f32,
}

impl SlowRolling {
    fn new(def: &WorldDef) -> Self {
        let gravity = def.gravity.length();
        let is_on = def.can_sleep && gravity > 0.0 && def.sleep_time > 0.0;
        let arm = if is_on { def.sleep_speed / (def.sleep_time * gravity) } else { 0.0 };
        Self { arm, speed: SLOW * def.sleep_speed }
    }

    /// The lever arm for a contact, 0 if one of its bodies is fast.
    #[inline]
    fn arm(&self, bodies: &Bodies, [a, b]: [u32; 2]) -> f32 {
        let is_slow =
            |body: u32| bodies.motion[body as usize].velocity.length_squared() <= self.speed * self.speed;
        if !(is_slow(a) && is_slow(b)) {
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
            // What has no thickness would stand on its edges.
            if half_thickness == 0.0 {
                return 0.0;
            }
            let own = if half_thickness > extent { half_thickness } else { extent };
            radius = if own < radius { own } else { radius };
        }
        if radius.is_finite() { self.arm * radius } else { 0.0 }
    }
}

/// Gives contacts their lever arms.
pub(crate) fn run(context: &StepContext<'_>, state: &mut WorldState) {
    let WorldState { bodies, shapes, contacts, active_manifolds, .. } = state;
    let slow_rolling = SlowRolling::new(context.settings);
    if !(shapes.has_rolling || slow_rolling.arm > 0.0) {
        return;
    }
    for touch in active_manifolds {
        let mut arm = slow_rolling.arm(bodies, touch.bodies);
        if !(shapes.has_rolling || arm > 0.0) {
            continue;
        }
        let info = &contacts.infos[touch.contact as usize];
        let mut spinning_arm = SPINNING * touch.friction * arm;
        for shape in info.shapes {
            let own = shapes.rows[shape as usize].material.rolling;
            arm = if own > arm { own } else { arm };
            spinning_arm = if own > spinning_arm { own } else { spinning_arm };
        }
        let impulses = match contacts.parts_of(touch.contact) {
            Some(composite) => &composite.impulses[usize::from(touch.part)],
            None => &contacts.impulses[touch.contact as usize],
        };
        let normals = &impulses.normal[..usize::from(touch.points)];
        let pressed = normals.iter().filter(|impulse| **impulse > 0.0).count();
        if pressed <= 2 {
            // Two points resist spinning by themselves.
            touch.rolling = [arm, if pressed == 2 { 0.0 } else { spinning_arm }];
        }
    }
}
