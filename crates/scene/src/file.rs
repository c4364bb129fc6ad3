//! One entry point for scenes: any path or library name → scene, and back to a file.
//!
//! | file | holds |
//! |---|---|
//! | `format.rs` | which format a file is in |
//! | `load.rs` | reading |
//! | `save.rs` | writing, without ever leaving half a file |
//!
//! Reading does not judge: a scene may come out with problems, and [`Loaded::problems`] lists them.

mod format;
mod load;
mod save;

#[cfg(test)]
mod tests;

pub use format::Format;
pub use load::{LoadError, Loaded, Origin, load, read_bytes};
pub use save::{SaveError, save};

/// A scene of either world, as files hold it.
pub type SceneFile = crate::library::SceneSource;
