//! Runs on the engine; the engine as a simulation is [`carom_sim::engine`].

pub mod run;

pub use carom_sim::engine::{EngineError, EngineSettings, SceneWorld, SimdSetting, build};
