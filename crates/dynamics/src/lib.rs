//! Bodies over time: forces, response, motion.
//!
//! | module | holds |
//! |---|---|
//! | [`fingsics`] | the compatible world: the original program's rules, step for step |
//! | [`report`] | what a step did: counts and stage times |
//! | [`world`] | the engine's world: bodies, contacts, steps |
#![deny(unsafe_code)]

pub mod fingsics;
pub mod report;
mod solver;
mod step;
pub mod world;

pub use world::contact_view::{ContactPoint, ContactRef};
pub use world::definition::{BodyDef, BodyKind, Layers, LockedAxes, Material, ShapeDef};
pub use world::error::WorldError;
pub use world::events::{Events, HitEvent, SensorEvent, TouchEvent};
pub use world::id::{BodyId, JointId, ShapeId};
pub use world::joint_access::{JointMut, JointRef};
pub use world::joint_def::{Axis, JointDef, JointKind, JointPlace, Motor, Spring, SpringLaw};
pub use world::joint_error::JointError;
pub use world::joints::JointBreak;
pub use world::prepared::PreparedBody;
pub use world::queries::cast::{ShapeCast, ShapeHit};
pub use world::queries::closest::ClosestPoint;
pub use world::queries::ray::{Ray, RayHit};
pub use world::queries::{QueryFilter, Sensors};
pub use world::settings::{LaneWidth, WorldDef};
pub use world::shape_edit::ShapeMut;
pub use world::snapshot::Snapshot;
pub use world::snapshot::bytes::SnapshotError;
pub use world::validate::{ContactFault, Violation};
pub use world::{StepReport, World};
