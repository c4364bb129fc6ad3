//! Meetings of the simplest figures: do they share a point, and where.
//!
//! | module | holds |
//! |---|---|
//! | [`planes`] | planes with lines, segments, boxes and each other |
//! | [`triangles`] | triangles with segments and triangles |
//! | [`boxes`] | boxes with triangles and segments, by separating axes |
//! | [`polygons`] | points in triangles and convex polygons, polygons with boxes |
//! | [`ray`] | ray casts on planes, triangles, rectangles, discs and axis-aligned boxes |
//!
//! All figures are closed: touching counts. Two contracts occur, and each function names its own.
//! *Conservative* tests never miss a meeting; they may report one where a gap of a few ε × the size
//! of the figures is left. *Rounded* tests may err either way by that much. Any pair of figures not
//! listed is served by [`within`].

pub mod boxes;
pub mod planes;
pub mod polygons;
pub mod ray;
pub mod triangles;

use crate::closest::{ClosestTo, Figure, closest_points};

pub use boxes::{segment_aabb, segment_box, triangle_aabb, triangle_box};
pub use planes::{line_plane, plane_plane, segment_plane, three_planes};
pub use polygons::{point_in_polygon, point_in_triangle, polygon_aabb};
pub use ray::{Culling, ray_disc, ray_triangle};
pub use triangles::{segment_triangle, triangles_overlap};

/// Is the distance of two figures at most `distance`? Rounded.
///
/// With a point as one figure, this is a ball around it against the other.
///
/// ```
/// use carom_geometry::{Aabb, intersect};
/// use glam::Vec3;
/// let room = Aabb::new([0.0; 3], [1.0; 3]);
/// let ball = (Vec3::new(0.5, 0.5, 3.0), 2.0);
/// assert!(intersect::within(&ball.0, &room, ball.1), "the ball touches the ceiling");
/// assert!(!intersect::within(&ball.0, &room, 1.9));
/// ```
#[inline]
pub fn within<A, B>(a: &A, b: &B, distance: A::Scalar) -> bool
where
    A: Figure,
    B: Figure<Scalar = A::Scalar>,
    A::Form: ClosestTo<B::Form, Scalar = A::Scalar>,
{
    closest_points(a, b).distance_squared <= distance * distance
}
