//! Fat boxes: the broad phase looks only at bodies that left theirs.
//!
//! The box of a body is made for its path over the next few steps at its present velocity, grown by
//! a slack. From then on the body uses up the slack by what it strays from that path, by a bound
//! that needs neither its shapes nor its orientation. When the slack is used up, or the path at its
//! end, the boxes are rebuilt. A body in free flight uses up nothing and is looked at once per
//! path; a body at rest never.

use carom_broadphase::Space;
use carom_geometry::Aabb;
use glam::Vec3;

use crate::state::bodies::{BodyState, NO_PATH, flag};
use crate::state::context::StepContext;
use crate::state::motion::Motion;
use crate::state::shapes::Shapes;
use crate::state::world_state::WorldState;

/// Faster bodies (m/s, rad/s) are stopped before anybody meets them: the contacts of one that blew
/// up would take others with it.
const FASTEST: f32 = 1e6;

/// What the stage needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdateAabbs {
    /// Length of the step.
    pub(crate) dt: f32,
    /// Shapes closer than this make contact points.
    pub(crate) margin: f32,
    /// Most that forces change a velocity by in a step: gravity times dt.
    pub(crate) gain: f32,
}

impl UpdateAabbs {
    pub(crate) fn new(context: &StepContext<'_>) -> Self {
        let (settings, dt) = (context.settings, context.dt);
        Self { dt, margin: settings.speculative_distance, gain: settings.gravity.length() * dt }
    }

    /// Distance that the coming step may take a body from its predicted path.
    #[inline]
    fn coming(&self, motion: &Motion, state: &BodyState, turn: f32) -> f32 {
        let off = (motion.velocity - state.predicted).length() + self.gain;
        (off + turn) * self.dt
    }

    /// Rebuilds the boxes of all awake bodies that may leave theirs in this step. Returns how many
    /// boxes moved. Bodies faster than anything real are stopped; their slots go to `quarantined`.
    pub(crate) fn run(&self, context: &mut StepContext<'_>, state: &mut WorldState) -> usize {
        let WorldState { bodies, shapes, space, .. } = state;
        let mut moved = 0;
        for &slot in &bodies.awake {
            let motion = &mut bodies.motion[slot as usize];
            let state = &mut bodies.state[slot as usize];
            // The square of what is too fast may be infinite, and is too fast still.
            if motion.velocity.length_squared().max(motion.angular_velocity.length_squared())
                > FASTEST * FASTEST
            {
                (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
                context.quarantined.push(slot);
            }
            let turn = motion.angular_velocity.length() * state.turn_radius();
            bodies.motion_bounds[slot as usize].reach = (motion.velocity.length() + turn) * self.dt;
            if state.steps_left > 0 && self.coming(motion, state, turn) <= state.budget {
                continue;
            }
            let first = bodies.first_shapes[slot as usize];
            state.adapt_path();
            moved += self.refit(motion, state, shapes, first, space);
        }
        moved
    }

    /// Rebuilds the boxes of bodies that left theirs, when all have moved: an impact may have sent
    /// them farther than anybody could foresee. The next step would begin with the same boxes.
    /// Returns how many boxes moved.
    pub(crate) fn catch_up(&self, state: &mut WorldState) -> usize {
        let WorldState { bodies, shapes, space, .. } = state;
        let mut moved = 0;
        for &slot in &bodies.awake {
            let state = &mut bodies.state[slot as usize];
            if state.budget < 0.0 {
                let first = bodies.first_shapes[slot as usize];
                moved += self.refit(&bodies.motion[slot as usize], state, shapes, first, space);
            }
        }
        moved
    }

    fn refit(
        &self,
        motion: &Motion,
        state: &mut BodyState,
        shapes: &Shapes,
        first: u32,
        space: &mut Space<3>,
    ) -> usize {
        let speed = motion.velocity.length();
        let (slack, longest_path) = (self.margin, f32::from(state.path));
        let turn = motion.angular_velocity.length() * state.turn_radius() * self.dt;
        let stride = speed * self.dt;
        let follows = stride * longest_path > 0.5 * slack && state.has(flag::AWAKE);
        // Not so long that the box fills with strangers.
        let longest = 2.0 * state.extent + slack;
        let steps = if follows { (longest / stride).clamp(1.0, longest_path).floor() } else { 1.0 };
        let budget = slack + (turn + self.gain * self.dt) * if follows { steps } else { 2.0 };
        let path = if follows { motion.velocity * (steps * self.dt) } else { Vec3::ZERO };
        let mut moved = 0;
        for slot in shapes.noted_chain(first) {
            let row = &shapes.rows[slot as usize];
            let grown = row.tight_box(motion).grown(budget + 0.5 * self.margin);
            // Positions are finite and near, so their boxes are valid.
            moved += usize::from(space.set_box(row.proxy, &along(&grown, path)).is_ok());
        }
        state.predicted = if follows { motion.velocity } else { Vec3::ZERO };
        state.budget = budget;
        state.steps_left = if follows { steps as u8 } else { NO_PATH };
        moved
    }
}

/// A box together with where it is after a displacement.
fn along(aabb: &Aabb<3>, path: Vec3) -> Aabb<3> {
    let (zero, path) = (Vec3::ZERO, path);
    Aabb { min: (aabb.low() + path.min(zero)).to_array(), max: (aabb.high() + path.max(zero)).to_array() }
}
