//! Bounding volumes: simple sets that contain a shape, to reject pairs cheaply.
//!
//! | module | holds |
//! |---|---|
//! | [`aabb`] | axis-aligned box, in 2 and 3 dimensions |
//! | [`aabb_array`] | one axis-aligned box against many, several per instruction |
//! | [`slab`] | rays and moving boxes against axis-aligned boxes |
//! | [`obb`] | oriented box: fitting, overlap that cannot be missed, many pairs at once |
//! | [`sphere`] | sphere: fitting, the smallest one |
//! | [`motion`] | bounds of what a moving and turning object sweeps |

pub mod aabb;
pub mod aabb_array;
pub mod motion;
pub mod obb;
mod rounding;
pub mod slab;
pub mod sphere;

pub use aabb::{Aabb, PlaneSide};
pub use aabb_array::AabbArray;
pub use obb::Obb;
pub use obb::array::ObbArray;
pub use slab::{Interval, RaySlabs};
pub use sphere::BoundingSphere;
