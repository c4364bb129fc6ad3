//! The Carom engine, [`carom_dynamics::World`], as a simulation: `soft-step`.
//!
//! | module | holds |
//! |---|---|
//! | [`settings`] | its settings, and the world's definition that they come to with a scene |
//! | [`build`] | a world from a scene |
//! | `figures` | scenes that lie in a plane |
//! | [`joints`] | its joints |
//! | [`timeline`] | what a scene does to its world over time |
//! | [`simulation`] | the world as a [`Simulation`](crate::Simulation), and its factory |

pub mod build;
mod figures;
pub mod joints;
pub mod settings;
pub mod simulation;
pub mod timeline;

pub use build::{EngineError, SceneWorld};
pub use settings::{EngineSettings, SimdSetting};
pub use simulation::{EngineFactory, EngineSimulation, NAME};
