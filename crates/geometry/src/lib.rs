//! Shapes, bounding volumes and deterministic mathematics.
//!
//! Pure functions and immutable data: no state over time, no knowledge of bodies.
//!
//! | module | holds |
//! |---|---|
//! | [`aabb`] | axis-aligned boxes in 2 and 3 dimensions |
//! | [`obb`] | oriented boxes and their separating-axis test |
//! | [`fingsics`] | the arithmetic of the original program, operation for operation |
//! | [`polygon`] | plane polygons in `f64`: area, outline, contact, named shapes |
//! | [`trig`] | sine and cosine with the same bits on every platform |
#![forbid(unsafe_code)]

pub mod aabb;
pub mod fingsics;
pub mod obb;
pub mod polygon;
pub mod trig;

pub use aabb::Aabb;
pub use obb::Obb;
