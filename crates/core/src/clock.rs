//! Where times are read from.
//!
//! A step reports how long its stages took. It reads a [`Clock`], which the user of the engine may
//! replace: `std::time::Instant` panics on `wasm32-unknown-unknown`, where the default clock stands
//! still at zero instead, and a browser has a clock of its own. No result depends on a clock.

use std::fmt;
use std::time::Duration;

/// A source of time: a function that gives the time since some fixed moment.
///
/// ```
/// use carom_core::clock::{Clock, Stopwatch};
/// use std::time::Duration;
///
/// fn stopped() -> Duration {
///     Duration::from_secs(7)
/// }
/// let mut watch = Stopwatch::start(Clock::new(stopped));
/// assert_eq!(watch.lap(), Duration::ZERO);
/// ```
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// A clock that reads this function. It should never go backwards.
    #[must_use]
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// The monotonic clock of the system; zero for ever on targets without one.
    #[must_use]
    pub const fn system() -> Self {
        Self(system_time)
    }

    /// Time since the clock's fixed moment.
    #[must_use]
    pub fn now(self) -> Duration {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn system_time() -> Duration {
    Duration::ZERO
}

/// Splits time into consecutive laps.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Clock,
    last: Duration,
}

impl Stopwatch {
    /// Begins the first lap.
    #[must_use]
    pub fn start(clock: Clock) -> Self {
        Self { clock, last: clock.now() }
    }

    /// Time since the last lap ended. A clock that goes backwards gives zero.
    pub fn lap(&mut self) -> Duration {
        let now = self.clock.now();
        let lap = now.saturating_sub(self.last);
        self.last = now;
        lap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn laps_add_up_to_the_time_that_the_clock_shows() {
        static TIME: AtomicU64 = AtomicU64::new(0);
        fn now() -> Duration {
            Duration::from_nanos(TIME.load(Ordering::Relaxed))
        }
        let mut watch = Stopwatch::start(Clock::new(now));
        TIME.store(30, Ordering::Relaxed);
        assert_eq!(watch.lap(), Duration::from_nanos(30));
        TIME.store(70, Ordering::Relaxed);
        assert_eq!(watch.lap(), Duration::from_nanos(40));
        TIME.store(10, Ordering::Relaxed);
        assert_eq!(watch.lap(), Duration::ZERO, "backwards");
    }

    #[test]
    fn the_clock_of_the_system_goes_forward() {
        let clock = Clock::default();
        let start = clock.now();
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.now() >= start + Duration::from_millis(2));
    }
}
