//! Time of a simulation with a fixed step: a whole number of steps, never a sum of rounded lengths.

use crate::simulation::{Advance, Stepping};

/// Steps done at a fixed rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedStep {
    /// Steps per simulated second, at least 1.
    pub steps_per_second: u32,
    /// Steps done.
    pub steps: u64,
}

impl FixedStep {
    /// At the start.
    #[must_use]
    pub fn new(steps_per_second: u32) -> Self {
        Self { steps_per_second: steps_per_second.max(1), steps: 0 }
    }

    /// Simulated time, seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 / f64::from(self.steps_per_second)
    }

    /// Length of a step, seconds.
    #[must_use]
    pub fn dt(&self) -> f32 {
        1.0 / self.steps_per_second as f32
    }

    /// Whole number of steps that comes nearest to a time, from the start.
    #[must_use]
    pub fn steps_at(&self, time: f64) -> u64 {
        (time.max(0.0) * f64::from(self.steps_per_second)).round() as u64
    }

    /// How it moves through time.
    #[must_use]
    pub fn stepping(&self) -> Stepping {
        Stepping::Fixed { steps_per_second: self.steps_per_second }
    }

    /// What an advance towards `asked` came to, that began after `from` steps.
    #[must_use]
    pub fn advance(&self, asked: f64, from: u64) -> Advance {
        let time = self.time();
        // A frame's time and a step's are two quotients: they may differ in the last bit.
        let is_rounded = (time - asked).abs() > 1e-9 * time.abs().max(1.0);
        Advance { time, steps: self.steps - from, is_rounded, ..Advance::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_to_whole_steps_and_say_so() {
        let mut step = FixedStep::new(60);
        assert_eq!((step.steps_at(1.0), step.steps_at(0.0251), step.steps_at(-1.0)), (60, 2, 0));
        step.steps = 2;
        assert!(step.advance(0.0251, 0).is_rounded);
        assert!(!step.advance(2.0 / 60.0, 0).is_rounded);
        assert_eq!(step.advance(2.0 / 60.0, 1).steps, 1);
    }

    #[test]
    fn frames_at_the_rate_of_the_steps_are_one_step_each() {
        for rate in [1, 30, 59, 60, 97, 240, 999_999] {
            let step = FixedStep::new(rate);
            for frame in (0..1000).chain(99_999_000..100_000_000) {
                assert_eq!(step.steps_at(frame as f64 / f64::from(rate)), frame, "{rate}");
            }
        }
    }
}
