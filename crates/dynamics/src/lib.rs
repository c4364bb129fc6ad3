//! Bodies over time: forces, response, motion.
//!
//! | module | holds |
//! |---|---|
//! | [`world`] | the engine's world: bodies, contacts, steps |
//!
//! The engine has four layers, each of which uses only those to its left:
//! `state ← solver ← pipeline ← world`.
#![deny(unsafe_code)]

mod pipeline;
mod solver;
mod state;
pub mod world;

pub use pipeline::report::{StepReport, StepTimes};
pub use state::contact_modifier::{ContactModifier, ModifiedPoint};
pub use state::definition::{BodyDef, BodyKind, Layers, LockedAxes, ShapeDef};
pub use state::error::WorldError;
pub use state::events::{ContactForceEvent, Events, HitEvent, SensorEvent, TouchEvent};
pub use state::hooks::ShapePair;
pub use state::id::{BodyId, JointId, ShapeId};
pub use state::joint_def::{Axis, JointAxis, JointDef, JointFrames, JointKind, Motor, Spring, SpringLaw};
pub use state::joints::JointBreak;
pub use state::material::{CombineRule, Material};
pub use state::motion::Motion;
pub use state::settings::{SimdWidth, SolverMethod, WorldDef};
pub use state::violation::{ContactFault, Violation};
pub use world::World;
pub use world::access::{BodyRef, ShapeRef};
pub use world::body_edit::BodyMut;
pub use world::bulk::BodyArrays;
pub use world::contact_view::{ContactPoint, ContactRef};
pub use world::debug_draw::canvas::{Colour, DebugDraw, DebugLabel, DebugLines, DebugVertices};
pub use world::debug_draw::options::{DebugColours, DebugDrawOptions};
pub use world::fixed_step::{FixedFrame, FixedStep};
pub use world::joint_access::JointRef;
pub use world::joint_edit::JointMut;
pub use world::joint_error::JointError;
pub use world::prepared::PreparedBody;
pub use world::queries::cast::{ShapeCast, ShapeHit};
pub use world::queries::closest::ClosestPoint;
pub use world::queries::ray::{Ray, RayHit};
pub use world::queries::{QueryFilter, Sensors};
pub use world::shape_edit::ShapeMut;
pub use world::snapshot::Snapshot;
pub use world::snapshot::bytes::SnapshotError;
