//! What a step did.

use std::time::Duration;

/// Time spent in each stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FingsicsStageTimes {
    /// Finding candidate pairs.
    pub broad: Duration,
    /// Testing them.
    pub narrow: Duration,
    /// Answering contacts with impulses.
    pub response: Duration,
    /// Moving the bodies.
    pub motion: Duration,
}

impl FingsicsStageTimes {
    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.broad + self.narrow + self.response + self.motion
    }
}

/// Pairs of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairKindReport {
    /// Pairs tested.
    pub tests: u64,
    /// Time spent on them.
    pub time: Duration,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FingsicsReport {
    /// Pairs found by the first stage of the broad phase.
    pub candidates: u64,
    /// Pairs handed to the narrow phase.
    pub tested: u64,
    /// Pairs found touching.
    pub contacts: u64,
    /// Contacts that were answered with an impulse.
    pub acting: u64,
    /// Stage times.
    pub times: FingsicsStageTimes,
    /// Tests and times by kind of pair, in the order of [`crate::narrow_phase::PairKind::ALL`].
    pub kinds: [PairKindReport; 5],
    /// Bodies whose state became non-finite in this step. They were put back and stopped.
    pub quarantined: Vec<u32>,
}
