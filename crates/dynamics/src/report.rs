//! Time between the stages of a step.

use std::time::{Duration, Instant};

/// Splits time into consecutive laps.
#[derive(Clone, Copy, Debug)]
pub struct Laps(Instant);

impl Laps {
    /// Starts the first lap.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the last lap.
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let lap = now - self.0;
        self.0 = now;
        lap
    }
}
