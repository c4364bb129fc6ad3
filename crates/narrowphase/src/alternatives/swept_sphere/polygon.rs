//! Convex polygons in space, checked once.

use carom_geometry::bounds::Aabb;
use carom_geometry::primitive::{Plane, Triangle};
use carom_geometry::{Real, Vector};

/// How far corners may be off the plane, and edges turn the wrong way, relative to the size of the
/// polygon: rounding of single precision, as levels are stored in it.
const FLATNESS: f64 = 1e-4;

/// A convex polygon with its plane and its bounds: counter-clockwise seen from the front.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptPolygon<S: Real = f32> {
    corners: Vec<S::Vec3>,
    plane: Plane<S>,
    aabb: Aabb<3, S>,
}

carom_core::error_type! {
    /// Why corners do not make a convex polygon.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum PolygonError {
        /// Fewer than three corners.
        #[error("a polygon needs at least 3 corners, not {count}")]
        TooFew {
            /// How many there are.
            count: usize,
        },
        /// A coordinate is infinite or not a number.
        #[error("corner {index} is not finite")]
        NotFinite {
            /// Which corner.
            index: usize,
        },
        /// All corners are on one line, or two that follow each other are at one place.
        #[error("the polygon has no area, or its edge {edge} no length")]
        Degenerate {
            /// The edge, by the corner it starts from.
            edge: usize,
        },
        /// A corner is off the plane of the others.
        #[error("corner {index} is {by} off the plane of the polygon")]
        NotFlat {
            /// Which corner.
            index: usize,
            /// How far.
            by: f64,
        },
        /// The outline turns to the right.
        #[error("the outline is not convex at corner {index}")]
        NotConvex {
            /// Which corner.
            index: usize,
        },
    }
}

impl<S: Real> SweptPolygon<S> {
    /// The polygon of corners that run counter-clockwise seen from the front. Straight corners are
    /// allowed.
    ///
    /// # Errors
    ///
    /// Anything that is not a flat convex polygon with area; see [`PolygonError`].
    pub fn new<V>(corners: Vec<V>) -> Result<Self, PolygonError>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        let count = corners.len();
        if count < 3 {
            return Err(PolygonError::TooFew { count });
        }
        if let Some(index) = corners.iter().position(|c| !c.is_finite()) {
            return Err(PolygonError::NotFinite { index });
        }
        let origin = corners[0];
        let mut area = V::ZERO;
        for pair in corners.windows(2) {
            area += (pair[0] - origin).cross(pair[1] - origin);
        }
        let size = corners.iter().fold(S::ZERO, |m, c| Real::max(m, Vector::abs(*c - origin).max_element()));
        let tolerance = S::of(FLATNESS) * size;
        let normal = area.unit().filter(|_| area.length() > tolerance * tolerance);
        let Some(normal) = normal else { return Err(PolygonError::Degenerate { edge: 0 }) };
        let middle =
            corners.iter().fold(V::ZERO, |sum, c| sum + (*c - origin)) * (S::ONE / S::of(count as f64));
        let plane = Plane::through(origin + middle, normal);
        for (index, corner) in corners.iter().enumerate() {
            let by = normal.dot(*corner - origin - middle).abs();
            if by > tolerance {
                return Err(PolygonError::NotFlat { index, by: by.to_f64() });
            }
        }
        let at = |k: usize| corners[k % count];
        for index in 0..count {
            let (arriving, leaving) = (at(index + 1) - at(index), at(index + 2) - at(index + 1));
            if arriving == V::ZERO {
                return Err(PolygonError::Degenerate { edge: index });
            }
            if arriving.cross(leaving).dot(normal) < -tolerance * size || arriving == -leaving {
                return Err(PolygonError::NotConvex { index: (index + 1) % count });
            }
            // A star turns left at every corner but leaves corners to the right of an edge.
            let outwards = arriving.cross(normal);
            if corners.iter().any(|c| outwards.dot(*c - at(index)) > tolerance * size) {
                return Err(PolygonError::NotConvex { index });
            }
        }
        let (low, high) =
            corners.iter().fold((origin, origin), |(l, h), c| (Vector::min(l, *c), Vector::max(h, *c)));
        Ok(Self { corners, plane, aabb: Aabb::new(low.to_array(), high.to_array()) })
    }

    /// A triangle as a polygon.
    ///
    /// # Errors
    ///
    /// A triangle without area.
    pub fn of_triangle(triangle: &Triangle<S>) -> Result<Self, PolygonError> {
        Self::new(triangle.corners().to_vec())
    }

    /// The corners, counter-clockwise seen from the front.
    #[must_use]
    pub fn corners(&self) -> &[S::Vec3] {
        &self.corners
    }

    /// The plane; its normal points to the front.
    #[must_use]
    pub fn plane(&self) -> &Plane<S> {
        &self.plane
    }

    /// The axis-aligned box round it.
    #[must_use]
    pub fn aabb(&self) -> &Aabb<3, S> {
        &self.aabb
    }
}
