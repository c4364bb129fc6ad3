//! Bounding volumes: simple sets that contain a shape, to reject pairs cheaply.
//!
//! | module | holds |
//! |---|---|
//! | [`aabb`] | axis-aligned box, in 2 and 3 dimensions |
//! | [`aabb_array`] | one axis-aligned box against many, several per instruction |
//! | [`slab`] | rays and moving boxes against axis-aligned boxes |
//! | [`obb`] | oriented box: fitting, overlap that cannot be missed, many pairs at once |
//! | [`sphere`] | sphere: fitting, the smallest one |
//! | [`kdop`] | slabs along 7, 9 or 13 fixed directions |
//! | [`tree`] | trees of any of these over triangles |
//! | [`motion`] | bounds of what a moving and turning object sweeps |

pub mod aabb;
pub mod aabb_array;
pub mod kdop;
pub mod motion;
pub mod obb;
mod rounding;
pub mod slab;
pub mod sphere;
pub mod tree;

pub use aabb::{Aabb, PlaneSide};
pub use aabb_array::AabbArray;
pub use kdop::Kdop;
pub use obb::Obb;
pub use obb::array::ObbArray;
pub use slab::{Interval, RaySlabs};
pub use sphere::BoundingSphere;
pub use tree::VolumeTree;
