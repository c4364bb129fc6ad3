//! *Which pairs do touch, where, how deep and when*: the narrow phases.
//!
//! Every function works in the frame of its first shape and is told the [`Pose`](carom_geometry::Pose) of the second one
//! in it: nothing is lost far from the origin of the world, and a query needs one change of frame. Normals are unit vectors
//! from the first shape to the second. A distance below zero is a depth.
//!
//! | module | holds |
//! |---|---|
//! | [`proximity`] | the answer of every distance query |
//! | [`convex`] | what an algorithm may ask of a convex shape |
//! | [`manifold`] | contact points of a pair |
//! | [`lanes`] | several numbers per instruction |
//! | [`method`] | the algorithms by name |
//! | [`cast`] | when a shape that moves first touches another |
//! | [`toi`] | the same for shapes that turn as well |
//! | [`gjk`] | distance of any two convex shapes by iteration |
//! | [`epa`] | depth of any two convex shapes by iteration |
//! | [`mpr`] | touching, and a bound of the depth, by iteration |
//! | [`oracle`] | the judge of all distance queries |
//! | [`fingsics`] | the case list of the original program: balls, capsules and tiles, its slips included or mended |
#![forbid(unsafe_code)]

pub mod cast;
pub mod convex;
pub mod epa;
pub mod fingsics;
pub mod gjk;
pub mod lanes;
pub mod manifold;
pub mod method;
pub mod mpr;
pub mod oracle;
pub mod proximity;
pub mod toi;

pub use convex::Convex;
pub use manifold::{FeatureId, Manifold, ManifoldPoint};
pub use method::Method;
pub use proximity::Proximity;
