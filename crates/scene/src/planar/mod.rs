//! Two-dimensional scenes: polygons that glide through a frame, each at its own constant velocity.
//!
//! | module | holds |
//! |---|---|
//! | `scene` | [`PlanarScene`] and [`PlanarObject`], their checks and measures |
//! | `model_file` | the text format, both ways |
//! | [`generate`] | random scenes from a seed |
//! | [`scenarios`] | the five test scenes of the kinetic sweep-and-prune study |
//!
//! Objects neither turn, collide nor bounce; they may leave the frame, which only serves to measure density. Positions
//! belong to time zero: a vertex is at `p + v·t`.

pub mod generate;
#[cfg(test)]
mod kinetic_oracle;
mod model_file;
pub mod scenarios;
mod scene;

pub use model_file::{read_model, write_model};
pub use scene::{PlanarError, PlanarObject, PlanarProblem, PlanarScene};
