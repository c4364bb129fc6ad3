//! World, solver and camera settings.

/// The world as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorldSettings {
    /// m/s². Zero by default: a scene that wants gravity says so.
    pub gravity: [f32; 3],
    /// Place of the scene's own origin in the large world, metres.
    pub origin: [f64; 3],
}

/// How a scene wants to be simulated. `None` leaves the choice to the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverSettings {
    /// Steps per simulated second.
    pub steps_per_second: Option<u32>,
    /// Steps a benchmark or demo of this scene runs.
    pub frames: Option<u32>,
    /// Substeps per step.
    pub substeps: Option<u32>,
    /// Solver iterations per (sub)step.
    pub iterations: Option<u32>,
    /// Contact solver by name.
    pub solver: Option<String>,
    /// Broad phase by name.
    pub broad: Option<String>,
    /// Narrow phase by name.
    pub narrow: Option<String>,
    /// Integrator by name.
    pub integrator: Option<String>,
    /// May bodies fall asleep?
    pub sleep: Option<bool>,
}

/// Camera of the viewer. Angles in degrees, as people write them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Looks at `target` from `distance`: the eye is at (−distance, 0, 0) turned by `pitch` about
    /// z, then by `yaw` about y. Negative pitch looks down.
    Orbit {
        /// Metres from the target.
        distance: f32,
        /// Degrees.
        pitch: f32,
        /// Degrees.
        yaw: f32,
        /// The point looked at.
        target: [f32; 3],
    },
    /// Flies freely.
    Free {
        /// Eye.
        position: [f32; 3],
        /// Degrees.
        pitch: f32,
        /// Degrees.
        yaw: f32,
    },
}

impl Default for Camera {
    fn default() -> Self {
        Self::Orbit { distance: 40.0, pitch: -25.0, yaw: 0.0, target: [0.0; 3] }
    }
}
