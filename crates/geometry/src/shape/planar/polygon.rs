//! Convex polygons of the plane.
//!
//! Invariants: at least three corners, counter-clockwise, no three of them on a line, an area above
//! zero. Corners are some of the points that were given, unchanged. Which they are is decided in
//! `f64`, where the differences of `f32` coordinates of ordinary size are exact.

use glam::{DVec2, Vec2};

/// Most corners of a polygon: contact points name them by numbers of this size, and larger ones are
/// better cut into pieces.
pub const MAX_VERTICES: usize = 64;

/// A convex polygon, rounded outwards.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarPolygon {
    vertices: Box<[Vec2]>,
    normals: Box<[Vec2]>,
    radius: f32,
    centroid: Vec2,
    inner_radius: f32,
}

carom_core::error_type! {
    /// Why there is no polygon of such points.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum PolygonError {
        /// NaN or infinite.
        #[error("point {index} of the polygon is ({x}, {y}), which is not finite")]
        Point {
            /// Which point, from 0.
            index: usize,
            /// First coordinate.
            x: f32,
            /// Second coordinate.
            y: f32,
        },
        /// Negative or not finite.
        #[error("the radius of the polygon is {radius}, but must be finite and not negative")]
        Radius {
            /// The value.
            radius: f32,
        },
        /// Fewer than three corners.
        #[error("the points of the polygon lie on a line or are fewer than three: it has no area")]
        NoArea,
        /// More corners than a polygon may have.
        #[error("the polygon has {count} corners, but at most {MAX_VERTICES} are allowed")]
        TooMany {
            /// How many.
            count: usize,
        },
    }
}

/// Corners whose triangle with their neighbours is flatter than this, height by length, are none.
const FLAT: f64 = 1e-6;

impl PlanarPolygon {
    /// The convex hull of points, grown by a radius.
    ///
    /// # Errors
    /// If it has no area or too many corners, or a number is not finite.
    pub fn new(points: &[Vec2], radius: f32) -> Result<Self, PolygonError> {
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            let Vec2 { x, y } = points[index];
            return Err(PolygonError::Point { index, x, y });
        }
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(PolygonError::Radius { radius });
        }
        let vertices = hull(points);
        if vertices.len() < 3 {
            return Err(PolygonError::NoArea);
        }
        if vertices.len() > MAX_VERTICES {
            return Err(PolygonError::TooMany { count: vertices.len() });
        }
        Self::of_hull(vertices, radius).ok_or(PolygonError::NoArea)
    }

    fn of_hull(vertices: Vec<Vec2>, radius: f32) -> Option<Self> {
        let next = |at: usize| vertices[(at + 1) % vertices.len()];
        let normals: Option<Vec<Vec2>> = (0..vertices.len())
            .map(|at| {
                let along = next(at).as_dvec2() - vertices[at].as_dvec2();
                let length = along.length();
                (length > 0.0).then(|| (DVec2::new(along.y, -along.x) / length).as_vec2())
            })
            .collect();
        let normals = normals?;
        let (mut doubled, mut sum) = (0.0, DVec2::ZERO);
        let first = vertices[0].as_dvec2();
        for at in 1..vertices.len() - 1 {
            let (p, q) = (vertices[at].as_dvec2() - first, next(at).as_dvec2() - first);
            let cross = p.perp_dot(q);
            doubled += cross;
            sum += (p + q) * cross;
        }
        if !(doubled > 0.0 && doubled.is_finite() && sum.is_finite()) {
            return None;
        }
        let centroid = (first + sum / (3.0 * doubled)).as_vec2();
        let inner = vertices.iter().zip(&normals).map(|(vertex, normal)| normal.dot(*vertex - centroid));
        let inner_radius = inner.fold(f32::INFINITY, f32::min).max(0.0);
        Some(Self { vertices: vertices.into(), normals: normals.into(), radius, centroid, inner_radius })
    }

    /// The corners of the core, counter-clockwise.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// Unit normals, outwards, of the side from each corner to the next.
    #[inline]
    #[must_use]
    pub fn normals(&self) -> &[Vec2] {
        &self.normals
    }

    /// Radius of the rounding, outside the core.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Centroid of the core.
    #[inline]
    #[must_use]
    pub fn centroid(&self) -> Vec2 {
        self.centroid
    }

    /// Distance of the nearest side of the core from its centroid.
    #[inline]
    #[must_use]
    pub fn inner_radius(&self) -> f32 {
        self.inner_radius
    }

    pub(super) fn shrunk(&self, depth: f32) -> Self {
        let (radius, rest) = ((self.radius - depth).max(0.0), (depth - self.radius).max(0.0));
        let scale = if rest < self.inner_radius { 1.0 - rest / self.inner_radius } else { 0.0 };
        let vertices = self.vertices.iter().map(|v| self.centroid + (*v - self.centroid) * scale).collect();
        Self { vertices, radius, inner_radius: self.inner_radius * scale, ..self.clone() }
    }
}

/// The corners of the convex hull, counter-clockwise, from the leftmost one (A. M. Andrew, 1979).
fn hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    let mut chain: Vec<Vec2> = Vec::with_capacity(sorted.len() + 1);
    let add = |chain: &mut Vec<Vec2>, least: usize, point: Vec2| {
        while chain.len() > least && !turns_left(chain[chain.len() - 2], chain[chain.len() - 1], point) {
            chain.pop();
        }
        chain.push(point);
    };
    for point in &sorted {
        add(&mut chain, 1, *point);
    }
    let least = chain.len();
    for point in sorted.iter().rev().skip(1) {
        add(&mut chain, least, *point);
    }
    chain.pop();
    chain
}

/// Does the way from `a` over `b` to `c` turn to the left, by more than rounding?
fn turns_left(a: Vec2, b: Vec2, c: Vec2) -> bool {
    let (u, v) = (b.as_dvec2() - a.as_dvec2(), c.as_dvec2() - a.as_dvec2());
    u.perp_dot(v) > FLAT * u.length() * v.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_leave_out_what_is_inside_or_on_a_side() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Vec2::from);
        let mut points = vec![Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::new(0.0, 0.5)];
        points.extend(square.iter().rev());
        let polygon = PlanarPolygon::new(&points, 0.25).unwrap();
        assert_eq!(polygon.vertices(), square);
        assert_eq!(polygon.normals()[0], -Vec2::Y);
        assert_eq!((polygon.centroid(), polygon.inner_radius()), (Vec2::ONE, 1.0));
    }

    #[test]
    fn points_without_area_make_no_polygon() {
        let line: Vec<Vec2> = (0..5).map(|k| Vec2::new(k as f32, 2.0 * k as f32)).collect();
        assert_eq!(PlanarPolygon::new(&line, 0.0), Err(PolygonError::NoArea));
        assert_eq!(PlanarPolygon::new(&[], 0.0), Err(PolygonError::NoArea));
        let nan = [Vec2::ZERO, Vec2::X, Vec2::new(f32::NAN, 1.0)];
        assert!(matches!(PlanarPolygon::new(&nan, 0.0), Err(PolygonError::Point { index: 2, .. })));
        assert_eq!(PlanarPolygon::new(&line, -1.0), Err(PolygonError::Radius { radius: -1.0 }));
        let round: Vec<Vec2> = (0..100)
            .map(|k| carom_core::trig::sin_cos(k as f32 * 0.0628))
            .map(|(y, x)| Vec2::new(x, y))
            .collect();
        assert!(matches!(PlanarPolygon::new(&round, 0.0), Err(PolygonError::TooMany { count: 100 })));
    }
}
