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
//! | [`facet`] | supporting faces, edges and points of shapes |
//! | [`manifold`] | contact points of a pair: clipped, reduced, matched, kept |
//! | [`sat`] | separating axes of polyhedra |
//! | [`boxes`] | many pairs of boxes at once |
//! | [`lanes`] | several numbers per instruction |
//! | [`method`] | the algorithms by name |
//! | [`composite`] | contacts of meshes, height fields and compounds |
//! | [`cast`] | when a shape that moves first touches another |
//! | [`toi`] | the same for shapes that turn as well |
//! | [`closed`] | signed distances and contact points by formula |
//! | [`gjk`] | distance of any two convex shapes by iteration |
//! | [`closed`] | signed distances and contact points by formula |
//! | [`vclip`] | closest features of polytopes by Voronoi clipping |
//! | [`epa`] | depth of any two convex shapes by iteration |
//! | [`mpr`] | touching, and a bound of the depth, by iteration |
//! | [`rims`] | cylinders and cones with what is flat, by directions |
//! | [`pair`] | any two convex shapes by any method |
//! | [`oracle`] | the judge of all distance queries |
//! | [`batch`] | the same for round shapes, several pairs per instruction |
//! | [`swept_sphere`] | a moving ball against polygons: first contact, slide and bounce |
//!
//! ```
//! use carom_geometry::{Pose, Shape, shape::{Cuboid, Cylinder}};
//! use carom_narrowphase::{Manifold, Method, pair, sat::Tolerances};
//! use glam::Vec3;
//!
//! let table = Shape::from(Cuboid::new(Vec3::new(1.0, 0.1, 1.0))?);
//! let drum = Shape::from(Cylinder::new(0.5, 0.3)?);
//! let place = Pose::at(Vec3::new(0.2, 0.395, 0.0)); // the drum lies on the table, 5 mm too low
//!
//! // What is known of a pair from frame to frame, and what a thread needs while it computes.
//! let (mut memory, mut workspace) = (pair::Memory::default(), pair::Workspace::default());
//! let near = pair::proximity(&table, &drum, &place, 1.0, Method::Auto, &mut memory)?.unwrap();
//! assert!((near.distance + 0.005).abs() < 1e-4 && (near.normal - Vec3::Y).length() < 1e-3);
//!
//! let mut contact = Manifold::default();
//! let margin = Tolerances::default();
//! pair::manifold(&table, &drum, &place, margin, Method::Auto, &mut memory, &mut workspace, &mut contact)?;
//! assert_eq!(contact.points().len(), 2); // a line of contact has two ends
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod batch;
pub mod boxes;
pub mod cast;
pub mod closed;
pub mod composite;
pub mod convex;
pub mod epa;
pub mod facet;
pub mod gjk;
pub mod lanes;
pub mod manifold;
pub mod method;
pub mod mpr;
pub mod oracle;
pub mod pair;
pub mod proximity;
pub mod rims;
pub mod sat;
mod stored;
pub mod swept_sphere;
pub mod toi;
pub mod vclip;

pub use convex::Convex;
pub use facet::{Facet, Faceted};
pub use manifold::{FeatureId, Manifold, ManifoldPoint};
pub use method::Method;
pub use proximity::Proximity;
