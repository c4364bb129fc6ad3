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
//! | [`closed`] | signed distances and contact points by formula |
//! | [`gjk`] | distance of any two convex shapes by iteration |
//! | [`epa`] | depth of any two convex shapes by iteration |
//! | [`mpr`] | touching, and a bound of the depth, by iteration |
//! | [`oracle`] | the judge of all distance queries |
//! | [`batch`] | the same for round shapes, several pairs per instruction |
//! | [`swept_sphere`] | a moving ball against polygons: first contact, slide and bounce |
//! | [`planar`] | contacts in the plane |
//! | [`fingsics`] | the case list of the original program: balls, capsules and tiles, its slips included or mended |
#![forbid(unsafe_code)]

pub mod batch;
pub mod closed;
pub mod convex;
pub mod epa;
pub mod fingsics;
pub mod gjk;
pub mod lanes;
pub mod manifold;
pub mod method;
pub mod mpr;
pub mod oracle;
pub mod planar;
pub mod proximity;
pub mod swept_sphere;

pub use convex::Convex;
pub use manifold::{FeatureId, Manifold, ManifoldPoint};
pub use method::Method;
pub use proximity::Proximity;
