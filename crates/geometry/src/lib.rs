//! Shapes, bounding volumes and deterministic mathematics.
//!
//! Pure functions and immutable data: no state over time, no knowledge of bodies. Code is written
//! once for `f32` and `f64` ([`real`]); type parameters default to `f32`, which the engine uses.
//!
//! | module | holds |
//! |---|---|
//! | [`real`] | the two scalars and their vectors |
//! | [`rotation`], [`pose`] | orientation and place |
//! | [`primitive`] | segment, line, ray, plane, triangle, rectangle |
//! | [`closest`] | closest points and distances of these |
//! | [`intersect`] | meetings of these, and rays against them |
//! | [`clip`] | convex polygons and segments cut by planes and boxes |
//! | [`shape`] | collision shapes |
//! | [`mass`] | mass, centre of mass and inertia |
//! | [`symmetric`] | principal axes of symmetric matrices |
//! | [`bounds`] | bounding volumes |
//! | [`mesh`] | triangle meshes with neighbourhoods and a tree of boxes |
//! | [`height_field`] | landscapes over a grid |
//! | [`hull`] | convex hulls of points |
//! | [`polytope`] | convex polytopes with faces, edges and vertices |
//! | [`bytes`] | state as bytes, read without trust |
#![forbid(unsafe_code)]

pub mod bounds;
mod bvh;
pub mod bytes;
pub mod clip;
pub mod closest;
pub mod height_field;
pub mod hull;
pub mod intersect;
pub mod mass;
pub mod mesh;
pub mod polytope;
pub mod pose;
pub mod primitive;
pub mod real;
pub mod rotation;
#[cfg(feature = "serde")]
mod serial;
pub mod shape;
mod simd;
pub mod symmetric;

pub use bounds::{Aabb, BoundingSphere, Obb};
pub use height_field::HeightField;
pub use mesh::Mesh;
pub use polytope::Polytope;
pub use pose::Pose;
pub use real::{Real, Vector};
pub use rotation::{Matrix3, Rotation};
pub use shape::Shape;
