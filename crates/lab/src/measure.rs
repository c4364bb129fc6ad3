//! Measuring: one task, run once, with everything about that run that a comparison may need.
//!
//! A [`Sample`] is one run of one [`Task`](crate::task::Task) in one process: every step's time,
//! not only their mean, what the machine was doing before, what was computed (so that times of
//! different results are never compared), and what was found if the run was cut short. [`here`]
//! measures in this process, [`isolated`] in one of its own, so that neither a crash nor the memory
//! that one run leaves behind touches the next; a run that crashed is a [`Failed`], never nothing.
//!
//! **Warm-up.** Before the measured run, the first steps of the same task are run once in a session
//! that is thrown away. So code and data are in the caches and the processor has its speed, and yet
//! the measured run begins at the first step: leaving out the first steps of a run would measure
//! another stretch of the simulation. Consequently the set-up time is that of building a world for
//! the second time.
//!
//! | module | holds |
//! |---|---|
//! | [`sample`] | what is kept of a run |
//! | [`local`] | a run in this process |
//! | [`child`] | a run in a process of its own |
//! | [`order`] | who comes after whom |
//! | [`process`] | processor time, memory and processors of this process |

pub mod child;
pub mod local;
pub mod order;
pub mod process;
pub mod sample;

use std::time::Duration;

pub use child::isolated;
pub use local::{MeasureError, here, watched};
pub use process::Pin;
pub use sample::{Failed, Measured, Sample};

/// Steps of the warm-up when nobody says.
pub const DEFAULT_WARMUP: u64 = 20;

/// How to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Steps of a session that is thrown away.
    pub warmup: u64,
    /// Time after which a run is cut short, warm-up included.
    pub budget: Option<Duration>,
    /// Processors to stay on.
    pub pin: Option<Pin>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { warmup: DEFAULT_WARMUP, budget: None, pin: None }
    }
}
