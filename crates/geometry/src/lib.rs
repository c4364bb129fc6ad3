//! Shapes, bounding volumes and deterministic mathematics.
//!
//! Pure functions and immutable data: no state over time, no knowledge of bodies. Code is written once for `f32` and
//! `f64` ([`real`]); type parameters default to `f32`, which the engine uses.
//!
//! | module | holds |
//! |---|---|
//! | [`real`] | the two scalars and their vectors |
//! | [`trig`] | sine and cosine with the same bits on every platform |
//! | [`rotation`], [`pose`] | orientation and place |
//! | [`primitive`] | segment, line, ray, plane, triangle, rectangle |
//! | [`shape`] | collision shapes |
//! | [`symmetric`] | principal axes of symmetric matrices |
//! | [`bounds`] | bounding volumes |
//! | [`hull`] | convex hulls of points |
//! | [`polytope`] | convex polytopes with faces, edges and vertices |
//! | [`polygon`] | plane polygons in `f64`: area, outline, contact, named shapes |
//! | [`fingsics`] | the arithmetic of the original program, operation for operation |
#![forbid(unsafe_code)]

pub mod bounds;
pub mod fingsics;
pub mod hull;
pub mod polygon;
pub mod polytope;
pub mod pose;
pub mod primitive;
pub mod real;
pub mod rotation;
pub mod shape;
pub mod symmetric;
pub mod trig;

pub use bounds::Aabb;
pub use pose::Pose;
pub use real::{Real, Vector};
pub use rotation::{Matrix3, Rotation};
