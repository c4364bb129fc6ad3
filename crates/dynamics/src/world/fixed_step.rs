//! Steps of one length for frames of any length, and poses in between.
//!
//! A display shows frames when it can; a simulation wants steps of one length, or it would not be
//! deterministic. So the time of a frame goes into an accumulator, and steps are made while a whole
//! one is in it. What is left over is a part of a step, *alpha*: bodies are shown that far between
//! their poses before and after the last step. The picture is up to one step late, and smooth.

use carom_geometry::Rotation;
use glam::DVec3;

use super::World;
use super::access::BodyRef;
use crate::state::bodies::flag;
use crate::state::error::WorldError;
use crate::state::id::BodyId;

/// Steps a world in steps of one length; see the [module](self).
///
/// ```
/// use carom_dynamics::{BodyDef, FixedStep, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Sphere;
/// use glam::Vec3;
/// let mut world = World::new(WorldDef::default().gravity(Vec3::ZERO));
/// let ball = BodyDef::dynamic().velocity(Vec3::X);
/// let ball = world.add_body(ball, [ShapeDef::new(Sphere::new(0.5)?)])?;
/// let mut clock = FixedStep::new(0.02)?.max_steps(4);
/// let frame = clock.advance(&mut world, 0.05)?;
/// assert_eq!((frame.steps, frame.dropped), (2, 0.0));
/// assert!((clock.alpha() - 0.5).abs() < 1e-6);
/// let (position, _) = clock.pose(world.body(ball)?);
/// assert!((position.x - 0.03).abs() < 1e-6, "halfway between 0.02 and 0.04");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedStep {
    dt: f32,
    max_steps: u32,
    /// Seconds that were given and not yet stepped.
    left: f64,
    /// Poses before the last step, by slot.
    previous: Vec<Option<(BodyId, DVec3, Rotation)>>,
}

/// What became of the time of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedFrame {
    /// Steps that were made.
    pub steps: u32,
    /// Seconds that were given up, as they would have taken more than the most steps of a frame.
    pub dropped: f64,
}

impl FixedStep {
    /// Steps of `dt` seconds, at most eight in a frame.
    ///
    /// # Errors
    /// If `dt` is no number above 0 and at most 1.
    pub fn new(dt: f32) -> Result<Self, WorldError> {
        if dt > 0.0 && dt <= 1.0 {
            return Ok(Self { dt, max_steps: 8, left: 0.0, previous: Vec::new() });
        }
        Err(WorldError::TimeStep { dt })
    }

    /// With so many steps in a frame at most, and at least one: a frame that took longer makes the
    /// simulation slower than real time, instead of the next frame longer still.
    #[must_use]
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.max_steps = steps.max(1);
        self
    }

    /// Length of a step, s.
    #[must_use]
    pub fn dt(&self) -> f32 {
        self.dt
    }

    /// Part of a step that has been shown but not stepped, from 0 to 1.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        (self.left / f64::from(self.dt)).min(1.0)
    }

    /// Moves a world on by the time of a frame.
    ///
    /// # Errors
    /// If the time is not finite or below 0, or a step is refused; the time of steps that were not
    /// made is kept then.
    pub fn advance(&mut self, world: &mut World, seconds: f64) -> Result<FixedFrame, WorldError> {
        self.advance_with(world, seconds, |_| Ok(()))
    }

    /// The same, with something to do before every step: forces, targets, controls.
    ///
    /// # Errors
    /// As [`FixedStep::advance`], and whatever `before` refuses.
    pub fn advance_with(
        &mut self,
        world: &mut World,
        seconds: f64,
        mut before: impl FnMut(&mut World) -> Result<(), WorldError>,
    ) -> Result<FixedFrame, WorldError> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            let hint = "give a finite number of seconds not below 0";
            return Err(WorldError::value("a frame", "length", seconds, hint));
        }
        self.left += seconds;
        let dt = f64::from(self.dt);
        let mut frame = FixedFrame::default();
        while self.left >= dt && frame.steps < self.max_steps {
            before(world)?;
            let is_last = self.left < 2.0 * dt || frame.steps + 1 == self.max_steps;
            if is_last {
                self.remember(world);
            }
            world.step(self.dt)?;
            self.left -= dt;
            frame.steps += 1;
        }
        if self.left >= dt {
            let kept = self.left % dt;
            frame.dropped = self.left - kept;
            self.left = kept;
        }
        Ok(frame)
    }

    fn remember(&mut self, world: &World) {
        self.previous.clear();
        self.previous.resize(world.state.bodies.state.len(), None);
        for body in world.bodies().filter(|body| world.state.bodies.moves(body.slot)) {
            self.previous[body.slot as usize] = Some((body.id(), body.position(), body.rotation()));
        }
    }

    /// Where a body is to be shown. One that was inserted or moved by hand since the last step is
    /// where it is.
    #[must_use]
    pub fn pose(&self, body: BodyRef<'_>) -> (DVec3, Rotation) {
        let now = (body.position(), body.rotation());
        let was_moved = body.world.state.bodies.state[body.slot as usize].has(flag::MOVED);
        match self.previous.get(body.slot as usize) {
            Some(Some((id, position, rotation))) if *id == body.id() && !was_moved => {
                let alpha = self.alpha();
                (position + (now.0 - position) * alpha, rotation.nlerp(now.1, alpha as f32))
            }
            _ => now,
        }
    }
}
