//! A moving ball against polygons: when it first touches a face, an edge or a corner, and how it
//! goes on.
//!
//! The engine of the article behind this module (continuous collision in game worlds, after P.
//! Nettle) knows one kind of character, a sphere, and a level of loose convex polygons that are
//! solid seen from the front. [`sweep`] is its exact form: the plane of a face, every edge as a
//! cylinder and every corner as a ball of the same radius are met by the centre, and the first
//! meeting counts. What starts in contact and moves on inwards has distance 0; what is behind a
//! face has left it behind. The article itself measures contacts with the border from the point of
//! the polygon nearest to where the *plane* is hit, which overshoots or misses when the ball moves
//! along the edge: [`paper`] is that method, to the letter, with its answers for balls that are in
//! or behind the plane.
//!
//! Displacements are given whole ("velocity" is metres per step); distances are along them, in
//! metres.
//!
//! | module | holds |
//! |---|---|
//! | [`polygon`] | convex polygons with plane and bounds |
//! | [`exact`] | the exact sweep |
//! | [`paper`] | the article's sweep |
//! | [`response`] | slide and bounce |

pub mod exact;
pub mod paper;
pub mod polygon;
pub mod response;

pub use exact::{PolygonSides, sweep, sweep_triangle};
pub use polygon::{PolygonError, SweptPolygon};
pub use response::{bounce, remaining, slide};

use carom_geometry::bounds::motion;
use carom_geometry::bounds::{Aabb, BoundingSphere};
use carom_geometry::{Real, Vector};

/// A ball and where it wants to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingSphere<S: Real = f32> {
    /// Centre at the start.
    pub centre: S::Vec3,
    /// Radius.
    pub radius: S,
    /// The whole way.
    pub displacement: S::Vec3,
}

impl<S: Real> MovingSphere<S> {
    /// The box round the ball at all times.
    #[must_use]
    pub fn bounds(&self) -> Aabb<3, S> {
        motion::aabb(&BoundingSphere { centre: self.centre, radius: self.radius }, self.displacement)
    }
}

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereImpact<S: Real = f32> {
    /// How far the ball gets, at most the length of its way.
    pub distance: S,
    /// Where it touches then.
    pub point: S::Vec3,
    /// Unit vector from the contact point to the centre at that time: the normal of the plane that
    /// is tangent to the ball.
    pub normal: S::Vec3,
    /// What it touches.
    pub part: PolygonPart,
}

/// PolygonPart of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolygonPart {
    /// Its inside.
    Face,
    /// The edge from this corner to the next.
    Edge(u32),
    /// This corner.
    Corner(u32),
}

/// The first contact with any of several polygons, and which it is: the one of least distance, of
/// equals the first. Polygons whose bounds are not met by the bounds of the motion are passed over.
#[must_use]
pub fn first_impact<S: Real>(
    moving: &MovingSphere<S>,
    polygons: &[SweptPolygon<S>],
    sides: PolygonSides,
) -> Option<(usize, SphereImpact<S>)> {
    let bounds = moving.bounds();
    first_of(
        polygons,
        |polygon| {
            if bounds.overlaps(polygon.aabb()) { sweep(moving, polygon, sides) } else { None }
        },
    )
}

/// The same by the article's method.
#[must_use]
pub fn first_impact_on_paper<S: Real>(
    moving: &MovingSphere<S>,
    polygons: &[SweptPolygon<S>],
) -> Option<(usize, SphereImpact<S>)> {
    first_of(polygons, |polygon| paper::sweep(moving, polygon))
}

fn first_of<S: Real>(
    polygons: &[SweptPolygon<S>],
    sweep: impl Fn(&SweptPolygon<S>) -> Option<SphereImpact<S>>,
) -> Option<(usize, SphereImpact<S>)> {
    let mut first: Option<(usize, SphereImpact<S>)> = None;
    for (index, polygon) in polygons.iter().enumerate() {
        if let Some(impact) = sweep(polygon)
            && first.is_none_or(|(_, earlier)| impact.distance < earlier.distance)
        {
            first = Some((index, impact));
        }
    }
    first
}

/// Unit vector and length of a displacement; `None` if there is none to speak of.
#[inline]
fn direction_of<S: Real>(displacement: S::Vec3) -> Option<(S::Vec3, S)> {
    let direction = displacement.unit()?;
    let length = direction.dot(displacement);
    length.is_finite().then_some((direction, length))
}
