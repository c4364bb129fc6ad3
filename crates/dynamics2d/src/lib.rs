#![doc = include_str!("../README.md")]
//!
//! The plane is z = 0 of the world below: x to the right, y up, angles counter-clockwise in
//! radians.
//! Ids, materials, layers, events, settings and errors are those of [`carom_dynamics`]; vectors in
//! them have z = 0. What this crate does not name is reached by [`World::engine`].
//!
//! | module | holds |
//! |---|---|
//! | [`definition`] | bodies and shapes to be |
//! | [`joint`] | joints to be |
//! | [`world`] | the world |
//! | [`body`] | reading and changing bodies |
//! | [`query`] | rays, casts, points, nearest shapes |
//!
//! Invariant: bodies that come in through this crate never leave the plane, to the bit. It is a
//! layer and not an engine of its own: [decision 0014] has the measurements.
//!
//! [decision 0014]: https://example.org/carom/docs/decisions/0014-two-dimensions.md
#![forbid(unsafe_code)]

pub mod body;
pub mod definition;
pub mod joint;
pub mod query;
pub mod world;

pub use body::{Body, BodyMut};
pub use carom_dynamics::{
    Axis, BodyId, BodyKind, CombineRule, Events, JointId, JointMut, JointRef, Layers, Material, Motor,
    QueryFilter, Sensors, ShapeId, ShapeMut, ShapeRef, Snapshot, Spring, StepReport, WorldDef, WorldError,
};
pub use carom_geometry::shape::Planar;
pub use definition::{BodyDef, ShapeDef};
pub use joint::JointDef;
pub use query::{ClosestPoint, RayHit, ShapeHit};
pub use world::World;

use carom_geometry::Rotation;
use glam::{DVec2, DVec3, Vec3};

/// The turn by an angle about z.
fn turn(angle: f32) -> Rotation {
    let (sine, cosine) = carom_core::trig::sin_cos(0.5 * angle);
    Rotation { xyz: Vec3::new(0.0, 0.0, sine), w: cosine }
}

/// The angle of a turn about z, within ±π.
fn angle_of(rotation: Rotation) -> f32 {
    let (z, w) = (rotation.xyz.z, rotation.w);
    if w < 0.0 { 2.0 * carom_core::trig::atan2(-z, -w) } else { 2.0 * carom_core::trig::atan2(z, w) }
}

/// A point of the plane in the world below.
fn point(place: DVec2) -> DVec3 {
    place.extend(0.0)
}
