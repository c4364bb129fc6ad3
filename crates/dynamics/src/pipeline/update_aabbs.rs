//! Fat boxes: the broad phase looks only at bodies that left theirs.
//!
//! The box of a body is made for its path over the next few steps at its present velocity, grown by a slack. From then on the
//! body pays from the slack for what it strays from that path, by a bound that needs neither its shapes nor its
//! orientation. When the slack is used up, or the path at its end, the boxes are made anew. A body in free flight pays
//! nothing and is looked at once per path; a body at rest never.

use carom_broadphase::{BoxError, Space};
use carom_geometry::Aabb;
use glam::Vec3;

use crate::state::bodies::{Bodies, BodyState, NO_PATH, flag};
use crate::state::motion::Motion;
use crate::state::shapes::Shapes;

/// Steps that a path is made for.
const PATH: f32 = 6.0;

/// Faster bodies (m/s, rad/s) are stopped before anybody meets them: the contacts of one that blew up would take others with it.
const FASTEST: f32 = 1e6;

/// What the stage needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    /// Length of the step.
    pub(crate) dt: f32,
    /// Shapes closer than this make contact points.
    pub(crate) margin: f32,
    /// Most that forces change a velocity by in a step: gravity times dt.
    pub(crate) gain: f32,
}

impl Fit {
    /// Distance that the coming step may take a body from its predicted path.
    #[inline]
    fn coming(&self, motion: &Motion, state: &BodyState, turn: f32) -> f32 {
        let off = (motion.velocity - state.predicted).length() + self.gain;
        (off + turn) * self.dt
    }

    /// Makes the boxes of all awake bodies that may leave theirs in this step anew. Returns how many boxes moved. Bodies faster than
    /// anything real are stopped; their slots go to `quarantined`.
    pub(crate) fn run(
        &self,
        bodies: &mut Bodies,
        shapes: &Shapes,
        space: &mut Space<3>,
        quarantined: &mut Vec<u32>,
    ) -> Result<usize, BoxError> {
        let mut moved = 0;
        for &slot in &bodies.awake {
            let motion = &mut bodies.motion[slot as usize];
            let state = &mut bodies.state[slot as usize];
            // The square of what is too fast may be infinite, and is too fast still.
            if motion.velocity.length_squared().max(motion.spin.length_squared()) > FASTEST * FASTEST {
                (motion.velocity, motion.spin) = (Vec3::ZERO, Vec3::ZERO);
                quarantined.push(slot);
            }
            let turn = motion.spin.length() * state.extent;
            bodies.journeys[slot as usize].reach = (motion.velocity.length() + turn) * self.dt;
            if state.steps_left > 0 && self.coming(motion, state, turn) <= state.budget {
                continue;
            }
            let first = bodies.cold.get(slot).map_or(u32::MAX, |cold| cold.first_shape);
            moved += self.refit(motion, state, shapes, first, space)?;
        }
        Ok(moved)
    }

    /// Makes the boxes of bodies anew that left theirs, when all have moved: an impact may have sent them farther than anybody could
    /// foresee. The next step would begin with the same boxes. Returns how many boxes moved.
    pub(crate) fn catch_up(
        &self,
        bodies: &mut Bodies,
        shapes: &Shapes,
        space: &mut Space<3>,
    ) -> Result<usize, BoxError> {
        let mut moved = 0;
        for &slot in &bodies.awake {
            let state = &mut bodies.state[slot as usize];
            if state.budget < 0.0 {
                let first = bodies.cold.get(slot).map_or(u32::MAX, |cold| cold.first_shape);
                moved += self.refit(&bodies.motion[slot as usize], state, shapes, first, space)?;
            }
        }
        Ok(moved)
    }

    fn refit(
        &self,
        motion: &Motion,
        state: &mut BodyState,
        shapes: &Shapes,
        first: u32,
        space: &mut Space<3>,
    ) -> Result<usize, BoxError> {
        let speed = motion.velocity.length();
        let slack = self.margin;
        let turn = motion.spin.length() * state.extent * self.dt;
        let stride = speed * self.dt;
        let follows = stride * PATH > 0.5 * slack && state.has(flag::AWAKE);
        // Not so long that the box fills with strangers.
        let longest = 2.0 * state.extent + slack;
        let steps = if follows { (longest / stride).clamp(1.0, PATH).floor() } else { 1.0 };
        let budget = slack + (turn + self.gain * self.dt) * if follows { steps } else { 2.0 };
        let path = if follows { motion.velocity * (steps * self.dt) } else { Vec3::ZERO };
        let mut moved = 0;
        for slot in shapes.chain(first) {
            let row = &shapes.rows[slot as usize];
            let grown = row.tight_box(motion).grown(budget + 0.5 * self.margin);
            space.set_box(row.proxy, &along(&grown, path))?;
            moved += 1;
        }
        state.predicted = if follows { motion.velocity } else { Vec3::ZERO };
        state.budget = budget;
        state.steps_left = if follows { steps as u8 } else { NO_PATH };
        Ok(moved)
    }
}

/// A box together with where it is after a displacement.
fn along(aabb: &Aabb<3>, path: Vec3) -> Aabb<3> {
    let (zero, path) = (Vec3::ZERO, path);
    Aabb { min: (aabb.low() + path.min(zero)).to_array(), max: (aabb.high() + path.max(zero)).to_array() }
}
