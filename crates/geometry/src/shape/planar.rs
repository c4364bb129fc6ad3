//! Convex figures of the plane z = 0: discs, capsules, edges, rectangles, polygons, all of them
//! with rounded corners if wanted.
//!
//! They are the shapes of worlds of two dimensions. Two of them that lie in one plane, as in such a
//! world, meet as figures: contacts, distances and rays that stay in the plane are those of plane
//! geometry, and normals never leave it. Whatever else they meet sees a sheet without thickness.
//!
//! Every figure is a core (a point, a segment or a polygon) with a disc of some radius rolled round
//! it, and is handed to algorithms as an [`Outline`]. One kind of shape with five forms was
//! preferred to five kinds: pairs of figures need one algorithm, and so the tables of the narrow
//! phase grow by one row and not by five.
//!
//! | file | holds |
//! |---|---|
//! | `polygon` | polygons: convex hull of points, normals, sizes |
//! | `outline` | the core with its normals, and the distance of points from it |
//! | `set` | support function, boxes, rays |
//! | `lamina` | mass, centre and moments per area |

mod lamina;
mod outline;
mod polygon;
mod set;

use std::sync::Arc;

use glam::Vec2;

use super::{Child, Shape, ShapeError, finite, size};
use crate::pose::Pose;

pub use outline::{Nearest, Outline, OutlineRoom, Part};
pub use polygon::{MAX_VERTICES, PlanarPolygon, PolygonError};

/// A convex figure in the local plane z = 0.
///
/// ```
/// use carom_geometry::shape::{Bounded, Planar, Shape};
/// let plank = Shape::from(Planar::rectangle(2.0, 0.1)?);
/// assert_eq!(plank.aabb().max, [2.0, 0.1, 0.0]);
/// assert!((plank.mass_properties(10.0)?.mass - 8.0).abs() < 1e-5, "density is per area");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Planar {
    /// A disc about the origin.
    Disc {
        /// Its radius.
        radius: f32,
    },
    /// All points near a segment; an edge without thickness if the radius is 0.
    Capsule {
        /// Ends of the segment.
        ends: [Vec2; 2],
        /// Farthest distance from it.
        radius: f32,
    },
    /// A rectangle about the origin, rounded outwards.
    Rectangle {
        /// Half extents of the core.
        half: Vec2,
        /// Radius of the rounding, outside the core.
        radius: f32,
    },
    /// A convex polygon.
    Polygon(Arc<PlanarPolygon>),
}

impl Planar {
    /// A disc.
    ///
    /// # Errors
    /// If the radius is negative or not finite.
    pub fn disc(radius: f32) -> Result<Self, ShapeError> {
        Ok(Self::Disc { radius: size("disc", "radius", radius)? })
    }

    /// A capsule: all points within a distance of a segment.
    ///
    /// # Errors
    /// If a number is not finite, or the radius negative.
    pub fn capsule(a: Vec2, b: Vec2, radius: f32) -> Result<Self, ShapeError> {
        for (quantity, value) in [("end", a.x), ("end", a.y), ("end", b.x), ("end", b.y)] {
            finite("planar capsule", quantity, value)?;
        }
        Ok(Self::Capsule { ends: [a, b], radius: size("planar capsule", "radius", radius)? })
    }

    /// An edge without thickness, two-sided.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn edge(a: Vec2, b: Vec2) -> Result<Self, ShapeError> {
        Self::capsule(a, b, 0.0)
    }

    /// A rectangle of half extents.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn rectangle(half_x: f32, half_y: f32) -> Result<Self, ShapeError> {
        Self::rounded_rectangle(half_x, half_y, 0.0)
    }

    /// A rectangle of half extents, grown by a radius.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub fn rounded_rectangle(half_x: f32, half_y: f32, radius: f32) -> Result<Self, ShapeError> {
        let half = Vec2::new(
            size("planar rectangle", "half extent x", half_x)?,
            size("planar rectangle", "half extent y", half_y)?,
        );
        Ok(Self::Rectangle { half, radius: size("planar rectangle", "radius", radius)? })
    }

    /// The convex hull of points.
    ///
    /// # Errors
    /// If it has no area or too many corners, or a point is not finite.
    pub fn polygon(points: &[Vec2]) -> Result<Self, PolygonError> {
        Self::rounded_polygon(points, 0.0)
    }

    /// The convex hull of points, grown by a radius.
    ///
    /// # Errors
    /// If it has no area or too many corners, or a number is not finite.
    pub fn rounded_polygon(points: &[Vec2], radius: f32) -> Result<Self, PolygonError> {
        PlanarPolygon::new(points, radius).map(|polygon| Self::Polygon(Arc::new(polygon)))
    }

    /// Radius of the disc that is rolled round the core.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f32 {
        match self {
            Self::Disc { radius } | Self::Capsule { radius, .. } | Self::Rectangle { radius, .. } => *radius,
            Self::Polygon(polygon) => polygon.radius(),
        }
    }

    /// Area of the figure.
    #[must_use]
    pub fn area(&self) -> f32 {
        lamina::moments(self).area as f32
    }

    /// A disc inside: its centre and radius. The largest one but for polygons, whose is the largest
    /// one about the centroid of the core.
    #[must_use]
    pub fn inner_disc(&self) -> (Vec2, f32) {
        match self {
            Self::Disc { radius } => (Vec2::ZERO, *radius),
            Self::Capsule { ends: [a, b], radius } => ((*a + *b) * 0.5, *radius),
            Self::Rectangle { half, radius } => (Vec2::ZERO, half.x.min(half.y) + radius),
            Self::Polygon(polygon) => (polygon.centroid(), polygon.inner_radius() + polygon.radius()),
        }
    }

    /// What is left when a margin is taken off all round: evenly, but for polygons, which are
    /// scaled
    /// about their centroid so that no side loses less.
    #[must_use]
    pub fn shrunk(&self, depth: f32) -> Self {
        match self {
            Self::Disc { radius } => Self::Disc { radius: (radius - depth).max(0.0) },
            Self::Capsule { ends, radius } => {
                Self::Capsule { ends: *ends, radius: (radius - depth).max(0.0) }
            }
            Self::Rectangle { half, radius } => {
                let rest = (depth - radius).max(0.0);
                let half = Vec2::new((half.x - rest).max(0.0), (half.y - rest).max(0.0));
                Self::Rectangle { half, radius: (radius - depth).max(0.0) }
            }
            Self::Polygon(polygon) => Self::Polygon(Arc::new(polygon.shrunk(depth))),
        }
    }

    /// The figure turned and moved in its plane.
    #[must_use]
    pub fn at(self, position: Vec2, angle: f32) -> Child {
        let (sine, cosine) = carom_core::trig::sin_cos(0.5 * angle);
        let rotation = crate::Rotation { xyz: glam::Vec3::new(0.0, 0.0, sine), w: cosine };
        Child { shape: Shape::Planar(self), pose: Pose::new(position.extend(0.0), rotation) }
    }
}

impl From<Planar> for Shape {
    fn from(figure: Planar) -> Self {
        Self::Planar(figure)
    }
}
