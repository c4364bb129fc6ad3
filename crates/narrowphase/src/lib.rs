//! *Which pairs do touch, where, how deep and when*: the narrow phases.
//!
//! Every function works in the frame of its first shape and is told the
//! [`Pose`](carom_geometry::Pose) of the second one in it: nothing is lost far from the origin of
//! the world, and a query needs one change of frame. Normals are unit vectors from the first shape
//! to the second. A distance below zero is a depth.
//!
//! | module | holds |
//! |---|---|
//! | [`pair`] | any two convex shapes: distance, overlap, manifold |
//! | [`dispatch`] | the table of algorithms: kind × kind × question |
//! | [`method`] | families of algorithms by name |
//! | [`analytic`] | signed distances and contact points by formula |
//! | [`sat`] | separating axes of polyhedra |
//! | [`gjk`] | distance of any two convex shapes by iteration |
//! | [`epa`] | penetration depth of any two convex shapes by iteration |
//! | [`vclip`] | closest features of polytopes by Voronoi clipping |
//! | [`revolved`] | cylinders and cones with polyhedra, capsules and cylinders |
//! | `planar` | figures of one plane: distances and contact points |
//! | [`manifold`] | contact points of a pair: clipped, reduced, matched, recycled |
//! | [`composite`] | contacts of meshes, height fields and compounds |
//! | [`cast`] | when a shape that moves first touches another |
//! | [`toi`] | the same for shapes that rotate as well |
//! | [`proximity`] | the answer of every distance query |
//! | [`convex`] | what an algorithm may ask of a convex shape: support points |
//! | [`support_feature`] | the face, edge or vertex of a shape that faces a direction |
//! | [`alternatives`] | algorithms that the engine never calls, to be compared with the others |
//! | [`oracle`] | the slow and plain check of all distance queries |
//!
//! ```
//! use carom_geometry::{Pose, Shape, shape::{Cuboid, Cylinder}};
//! use carom_narrowphase::{Manifold, NarrowMethod, pair, sat::Tolerances};
//! use glam::Vec3;
//!
//! let table = Shape::from(Cuboid::new(Vec3::new(1.0, 0.1, 1.0))?);
//! let cylinder = Shape::from(Cylinder::new(0.5, 0.3)?);
//! let pose = Pose::at(Vec3::new(0.2, 0.395, 0.0)); // the cylinder lies on the table, 5 mm too low
//!
//! // What is known of a pair from frame to frame, and what a thread needs while it computes.
//! let (mut cache, mut scratch) = (pair::PairCache::default(), pair::Scratch::default());
//! let method = NarrowMethod::Auto;
//! let near = pair::proximity(&table, &cylinder, &pose, 1.0, method, &mut cache)?.unwrap();
//! assert!((near.distance + 0.005).abs() < 1e-4 && (near.normal - Vec3::Y).length() < 1e-3);
//!
//! let mut contact = Manifold::default();
//! let tolerances = Tolerances::default();
//! pair::manifold(
//!     &table, &cylinder, &pose, tolerances, method, &mut cache, &mut scratch, &mut contact)?;
//! assert_eq!(contact.points().len(), 2); // a line of contact has two ends
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod alternatives;
pub mod analytic;
pub mod cast;
pub mod composite;
pub mod convex;
pub mod dispatch;
pub mod epa;
pub mod gjk;
pub mod manifold;
pub mod method;
pub mod oracle;
pub mod pair;
mod planar;
pub mod proximity;
pub mod revolved;
pub mod sat;
mod stored;
pub mod support_feature;
pub mod toi;
pub mod vclip;

pub use convex::Convex;
pub use manifold::{FeatureId, Manifold, ManifoldPoint};
pub use method::NarrowMethod;
pub use proximity::Proximity;
pub use support_feature::{SupportFeature, SupportFeatureMap};
