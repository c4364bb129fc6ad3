//! One interface for every simulation of a scene.
//!
//! A [`Simulation`] is one engine with one scene and its settings. Viewers, recorders, benchmarks
//! and comparisons use this trait and never ask which engine is behind it. A [`Registry`] builds
//! simulations by name, with settings as text: `soft-step@substeps=8,threads=2`.
//!
//! | module | holds |
//! |---|---|
//! | [`simulation`] | the trait, and facts that do not change during a run |
//! | [`bodies`], [`contact`], [`event`], [`joint`] | what a simulation shows, in buffers of the caller |
//! | [`metrics`], [`mechanics`] | what is counted and timed; energies, momenta, overlaps |
//! | [`fixed_step`] | time of simulations with a fixed step |
//! | [`session`], [`run_metrics`] | the one run loop with its listeners, and what it sums up |
//! | [`spec`], [`registry`] | simulations by name, with settings as text |
//! | [`load`] | a scene from a file or the library, with warnings as data |
//! | [`shapes`] | shapes of the geometry crate from the shapes of a scene |
//! | [`engine`] | the Carom engine as a simulation |
#![forbid(unsafe_code)]

pub mod bodies;
pub mod contact;
pub mod engine;
pub mod event;
pub mod fixed_step;
pub mod joint;
pub mod load;
pub mod mechanics;
pub mod metrics;
pub mod registry;
pub mod run_metrics;
pub mod session;
pub mod shapes;
pub mod simulation;
pub mod spec;

pub use bodies::{BodyBuffer, Orientation, Orientations};
pub use contact::Contact;
pub use event::{Event, EventKind};
pub use joint::{JointError, JointState};
pub use load::{LoadedScene, SceneError};
pub use mechanics::Mechanics;
pub use metrics::{Metric, MetricGroup, MetricKind, MetricSchema, MetricValue};
pub use registry::{BuildError, Factory, Limitation, Registry, SettingInfo};
pub use run_metrics::{RunMetrics, Spread, StepMetrics};
pub use session::{Listener, Session};
pub use simulation::{Activity, Advance, Simulation, SimulationError, SimulationInfo, Snapshot, Stepping};
pub use spec::{Settings, SimulationSpec};

/// Number of a body that stands for the world, in contacts, joints and events.
pub const NO_BODY: u32 = u32::MAX;
