//! The data model of a three-dimensional scene: everything Carom simulates, nothing about how.
//!
//! Units are SI, y is up, right-handed. All numbers are `f32`; a scene far from the origin sets
//! [`WorldSettings::origin`] (`f64`) and keeps its own coordinates small. References between parts
//! are by body or joint id (a string), so that a scene can be edited by hand and merged;
//! [`crate::validate`] checks that they resolve.
//!
//! The types hold plain values with public fields: the rules live in [`crate::validate`], not in
//! constructors, so that a file can be read whole and all of its problems reported together.

mod body;
mod event;
mod field;
mod joint;
mod settings;
mod shape;

pub use body::{AngularVelocity, Body, BodyKind, LockedAxes, Look, Mass, Orientation, Style};
pub use event::{Action, Event};
pub use field::{Field, FieldKind, Region};
pub use joint::{Anchors, AxisFreedom, Freedom, Joint, JointKind, Limits, Motor, SpringLaw};
pub use settings::{Camera, SolverSettings, WorldSettings};
pub use shape::{Axis, Filter, Material, Shape, ShapeKind};

/// A complete scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Short name, used for output folders; a file's stem if the file gives none.
    pub name: String,
    /// One or two sentences for `carom info` and `carom list`.
    pub description: String,
    /// Gravity and place of the world.
    pub world: WorldSettings,
    /// How the scene wants to be simulated; every entry can be overridden by the user.
    pub solver: SolverSettings,
    /// Where the viewer starts.
    pub camera: Camera,
    /// Bodies in file order. The order matters to some rules (see the Fingsics formats), so it is
    /// kept.
    pub bodies: Vec<Body>,
    /// Joints between two bodies or a body and the world.
    pub joints: Vec<Joint>,
    /// Forces that fill space.
    pub fields: Vec<Field>,
    /// What happens at given times.
    pub events: Vec<Event>,
}
