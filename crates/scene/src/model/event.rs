//! Events: what happens to a scene at given times.

use super::body::Body;
use super::joint::Motor;

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A body appears.
    Spawn(Box<Body>),
    /// A body disappears, and its joints with it.
    Remove {
        /// Body id.
        body: String,
    },
    /// A joint's drive changes (hinge, slider, wheel).
    SetMotor {
        /// Joint id.
        joint: String,
        /// New drive; none switches it off.
        motor: Option<Motor>,
    },
    /// A body's velocity is set.
    SetVelocity {
        /// Body id.
        body: String,
        /// m/s.
        velocity: [f32; 3],
    },
    /// A body gets a push.
    Impulse {
        /// Body id.
        body: String,
        /// N·s.
        impulse: [f32; 3],
        /// World point; none is the centre of mass.
        point: Option<[f32; 3]>,
    },
    /// The world's gravity changes.
    SetGravity {
        /// m/s².
        gravity: [f32; 3],
    },
}

/// An action with its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Seconds of simulated time; happens before the first step that starts at or after it.
    pub time: f32,
    /// What.
    pub action: Action,
}
