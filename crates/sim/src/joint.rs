//! Joints of a simulation.

use glam::{DVec3, Vec3};

pub use carom_dynamics::JointError;

/// A joint at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Its place in the scene.
    pub number: u32,
    /// Numbers of its bodies; [`NO_BODY`](crate::NO_BODY) for the world.
    pub bodies: [u32; 2],
    /// Its anchors on both bodies, world coordinates.
    pub anchors: [DVec3; 2],
    /// Force on the second body in the last step, N, world axes.
    pub force: Vec3,
    /// Torque on the second body in the last step, N m, world axes.
    pub torque: Vec3,
    /// How far it is from where it should be.
    pub error: JointError,
}
