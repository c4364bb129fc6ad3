//! The plane: two-dimensional geometry, contacts and moving scenes, in `f64`.
//!
//! Laboratory code: the engine is three-dimensional and in `f32`, and no crate of it depends on
//! this one. Everything is `f64` because kinetic algorithms compute with the times at which the
//! sides of bounding rectangles cross.
//!
//! | module | holds |
//! |---|---|
//! | [`vector`] | points and vectors |
//! | [`pose`] | rotation and translation |
//! | [`polygon`] | polygons, discs, rectangles, hulls, exact orientation tests |
//! | [`lamina`] | area, centroid and second moment |
//! | [`contact`] | contact manifolds, and all touching edges of two polygons |
//! | [`scene`] | polygons in straight motion, their checks and measures |
//! | [`generate`] | random scenes from a seed |
//! | [`scenarios`] | the test scenes of the kinetic sweep-and-prune study |
//!
//! The file format of scenes is in `carom-scene`, like all formats.
#![forbid(unsafe_code)]

pub mod contact;
pub mod generate;
pub mod lamina;
pub mod polygon;
pub mod pose;
pub mod scenarios;
pub mod scene;
pub mod vector;

pub use lamina::{Lamina, LaminaError};
pub use polygon::{Circle, ConvexPolygon, Polygon, Rectangle};
pub use pose::Pose2;
pub use scene::{PlanarObject, PlanarProblem, PlanarScene, PlanarSceneError};
pub use vector::Point;
