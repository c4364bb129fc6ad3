//! Bounding volumes: simple sets that contain a shape, to reject pairs cheaply.
//!
//! | module | holds |
//! |---|---|
//! | [`aabb`] | axis-aligned box, in 2 and 3 dimensions |
//! | [`aabb_array`] | one axis-aligned box against many, several per instruction |
//! | [`slab`] | rays and moving boxes against axis-aligned boxes |

pub mod aabb;
pub mod aabb_array;
pub mod slab;

pub use aabb::{Aabb, PlaneSide};
pub use aabb_array::AabbArray;
pub use slab::{Interval, RaySlabs};
