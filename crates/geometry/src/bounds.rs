//! Bounding volumes: simple sets that contain a shape, to reject pairs cheaply.
//!
//! | module | volume |
//! |---|---|
//! | [`aabb`] | axis-aligned box, in 2 and 3 dimensions |

pub mod aabb;

pub use aabb::Aabb;
