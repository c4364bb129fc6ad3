//! Numbers that no body, shape or joint can have, refused in the same words by definitions and
//! setters. `whose` goes into the message.

use std::fmt::{Debug, Display};

use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use crate::state::error::WorldError;
use crate::state::material::Material;
use crate::state::motion::is_near;

fn refuse(
    whose: impl Display,
    what: &'static str,
    value: impl Debug,
    hint: &'static str,
) -> Result<(), WorldError> {
    Err(WorldError::value(whose, what, value, hint))
}

/// Places within 1e9 m.
pub(crate) fn check_position(whose: impl Display, position: DVec3) -> Result<(), WorldError> {
    if is_near(position) {
        return Ok(());
    }
    refuse(whose, "position", position, "every coordinate must be a number within 1e9 m")
}

/// Unit quaternions; returns them normalised.
pub(crate) fn check_rotation(whose: impl Display, rotation: Rotation) -> Result<Rotation, WorldError> {
    Rotation::from_xyzw(rotation.to_xyzw())
        .ok_or_else(|| WorldError::value(whose, "rotation", rotation, "it must be a unit quaternion"))
}

/// Vectors of finite coordinates.
pub(crate) fn check_vector(whose: impl Display, what: &'static str, value: Vec3) -> Result<(), WorldError> {
    if value.is_finite() {
        return Ok(());
    }
    refuse(whose, what, value, "every coordinate must be finite")
}

/// Finite numbers.
pub(crate) fn check_finite(whose: impl Display, what: &'static str, value: f32) -> Result<(), WorldError> {
    if value.is_finite() {
        return Ok(());
    }
    refuse(whose, what, value, "it must be finite")
}

/// Finite numbers of 0 and more.
pub(crate) fn check_not_negative(
    whose: impl Display,
    what: &'static str,
    value: f32,
) -> Result<(), WorldError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    refuse(whose, what, value, "it must be 0 or more")
}

/// Numbers above 0, infinity included.
pub(crate) fn check_limit(whose: impl Display, what: &'static str, value: f32) -> Result<(), WorldError> {
    if value > 0.0 {
        return Ok(());
    }
    refuse(whose, what, value, "give a number above 0, or infinity")
}

/// Forces of 0 and more, infinity included.
pub(crate) fn check_threshold(whose: impl Display, newtons: f32) -> Result<(), WorldError> {
    if newtons >= 0.0 {
        return Ok(());
    }
    refuse(whose, "contact_force_threshold", newtons, "give a number of 0 or more, or infinity")
}

/// Frames of finite numbers; returns them normalised.
pub(crate) fn check_frames(whose: impl Display, frames: [Pose; 2]) -> Result<[Pose; 2], WorldError> {
    for frame in &frames {
        if !frame.is_finite() {
            refuse(&whose, "frame", frame, "every number must be finite")?;
        }
    }
    Ok(frames.map(|frame| Pose::new(frame.translation, frame.rotation.normalised())))
}

/// Mass properties of finite numbers.
pub(crate) fn check_mass(whose: impl Display, mass: &MassProperties) -> Result<(), WorldError> {
    if mass.is_finite() {
        return Ok(());
    }
    refuse(whose, "mass", mass, "every number must be finite")
}

/// Materials whose numbers are 0 or more.
pub(crate) fn check_material(whose: impl Display, material: &Material) -> Result<(), WorldError> {
    let Material { friction, restitution, rolling, surface_velocity, .. } = *material;
    for (what, value) in [("friction", friction), ("restitution", restitution), ("rolling", rolling)] {
        check_not_negative(&whose, what, value)?;
    }
    if !surface_velocity.is_finite() {
        refuse(whose, "surface_velocity", surface_velocity, "every number must be finite")?;
    }
    Ok(())
}
