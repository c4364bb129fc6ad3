//! What happens in a step of a simulation.

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Two bodies began to touch.
    ContactBegin,
    /// Two bodies ceased to touch.
    ContactEnd,
    /// Two bodies met faster than a threshold; the strength is their speed of approach, m/s.
    Hit,
    /// A body was woken.
    Woke,
    /// A body fell asleep.
    FellAsleep,
    /// A joint broke; the strength is its force, N.
    JointBroken,
    /// The state of a body became non-finite; it was put back and stopped.
    Quarantined,
}

/// Something that happened in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Numbers of the bodies; [`NO_BODY`](crate::NO_BODY) where there is none, or the world.
    pub bodies: [u32; 2],
    /// How strong, as its kind says; else 0.
    pub strength: f32,
}
