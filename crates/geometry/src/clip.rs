//! Convex polygons and segments cut by planes and boxes.
//!
//! Everything is kept *behind* the planes, where the signed distance is not positive: outward faces
//! of a convex solid keep what is inside it. Points on a plane are inside.
//!
//! | module | holds |
//! |---|---|
//! | [`polygon`] | [`ClipPolygon`]: a polygon in a buffer of fixed size, and its cutting |
//! | [`segment`] | the part of a segment behind planes or inside a box |

pub mod polygon;
pub mod segment;

pub use polygon::{ClipId, ClipOverflow, ClipPolygon, ClipSide};
pub use segment::{segment_behind_planes, segment_in_aabb, segment_in_box};
