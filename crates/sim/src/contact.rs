//! Contact points of a simulation.

use glam::{DVec3, Vec3};

/// When points and normals of contacts are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactEvaluation {
    /// By the narrow phase: they are its result to the bit.
    NarrowPhase,
    /// When they are read, with the bodies where they are then. Depths are still the result of the
    /// narrow phase.
    EndOfStep,
}

/// One contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Numbers of the bodies; [`NO_BODY`](crate::NO_BODY) for the world.
    pub bodies: [u32; 2],
    /// Where it is.
    pub point: DVec3,
    /// Unit vector from the first body to the second.
    pub normal: Vec3,
    /// Overlap when the last step began, metres; below zero for a speculative contact.
    pub depth: f32,
    /// Impulse along the normal in the last step, N s; 0 where the solver has none per contact.
    pub impulse: f32,
    /// Was it solved, and is not merely speculative?
    pub is_touching: bool,
}
