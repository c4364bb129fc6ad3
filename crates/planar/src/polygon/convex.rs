//! Convex polygons, and the convex hull of points in the plane.
//!
//! Whether a path turns left is decided exactly ([`orient2d`]), so a [`ConvexPolygon`] is strictly
//! convex without a tolerance: every corner turns left, however slightly.

use std::cmp::Ordering;

use super::Polygon;
use super::orientation::orient2d;
use super::rectangle::Rectangle;
use crate::vector::Point;

/// A strictly convex polygon, its corners counter-clockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    polygon: Polygon,
}

/// Why points do not make a convex polygon.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConvexPolygonError {
    /// Fewer than three points.
    #[error("a polygon needs at least 3 points, not {count}")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {index} has the coordinate {} = {value}, which is not finite", ["x", "y"][*axis])]
    NotFinite {
        /// Which point.
        index: usize,
        /// Which coordinate: 0 or 1.
        axis: usize,
        /// Its value.
        value: f64,
    },
    /// The outline does not turn left at a corner.
    #[error("the outline does not turn left at point {index}, ({}, {})", point[0], point[1])]
    NotLeft {
        /// Which corner.
        index: usize,
        /// Where it is.
        point: Point,
    },
    /// The outline turns left at all corners, but goes round more than once.
    #[error("the outline goes round more than once")]
    Winding,
    /// All points are on one line, or one point.
    #[error("all {count} points are on one line")]
    Flat {
        /// How many there are.
        count: usize,
    },
}

fn all_finite(points: &[Point]) -> Result<(), ConvexPolygonError> {
    for (index, point) in points.iter().enumerate() {
        for (axis, &value) in point.iter().enumerate() {
            if !value.is_finite() {
                return Err(ConvexPolygonError::NotFinite { index, axis, value });
            }
        }
    }
    Ok(())
}

/// By x, then by y.
fn left_to_right(a: &Point, b: &Point) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// The convex hull of points: strictly convex, counter-clockwise from the leftmost (of these the
/// lowest) point. Points on its edges and copies of points are left out. Takes time n log n (the
/// monotone chain of A. Andrew, 1979).
///
/// # Errors
///
/// Fewer than three points, coordinates that are not finite, or all points on one line.
///
/// ```
/// let hull = carom_planar::polygon::convex_hull(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 3.0], [1.0, 1.0]])?;
/// assert_eq!(hull.vertices(), [[0.0, 0.0], [2.0, 0.0], [1.0, 3.0]]);
/// # Ok::<(), carom_planar::polygon::ConvexPolygonError>(())
/// ```
pub fn convex_hull(points: &[Point]) -> Result<ConvexPolygon, ConvexPolygonError> {
    let count = points.len();
    if count < 3 {
        return Err(ConvexPolygonError::TooFew { count });
    }
    all_finite(points)?;
    // Adding 0 makes −0 to 0, so that equal points are neighbours in the order.
    let mut sorted: Vec<Point> = points.iter().map(|p| p.map(|c| c + 0.0)).collect();
    sorted.sort_unstable_by(left_to_right);
    sorted.dedup();
    let mut hull: Vec<Point> = Vec::with_capacity(sorted.len() + 1);
    extend_chain(&mut hull, sorted.iter());
    hull.pop();
    extend_chain(&mut hull, sorted.iter().rev());
    hull.pop();
    if hull.len() < 3 {
        return Err(ConvexPolygonError::Flat { count });
    }
    Ok(ConvexPolygon { polygon: Polygon::new(hull) })
}

/// Appends points that lie in order along a direction, dropping those where the path does not turn
/// left.
fn extend_chain<'a>(hull: &mut Vec<Point>, points: impl Iterator<Item = &'a Point>) {
    let start = hull.len();
    for &point in points {
        while let [.., a, b] = hull[start..] {
            if orient2d(a, b, point) == Ordering::Greater {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
}

impl ConvexPolygon {
    /// The polygon of corners that run counter-clockwise and all turn left.
    ///
    /// # Errors
    ///
    /// Anything else; see [`ConvexPolygonError`]. [`convex_hull`] takes points in any order.
    pub fn new(vertices: Vec<Point>) -> Result<Self, ConvexPolygonError> {
        let count = vertices.len();
        if count < 3 {
            return Err(ConvexPolygonError::TooFew { count });
        }
        all_finite(&vertices)?;
        let at = |k: usize| vertices[k % count];
        for index in 0..count {
            if orient2d(at(index + count - 1), at(index), at(index + 1)) != Ordering::Greater {
                return Err(ConvexPolygonError::NotLeft { index, point: vertices[index] });
            }
        }
        // Going round once, the outline changes from rightwards to leftwards and back.
        let goes_right = |k: usize| left_to_right(&at(k), &at(k + 1)) == Ordering::Less;
        let changes = (0..count).filter(|&k| goes_right(k) != goes_right(k + 1)).count();
        if changes != 2 {
            return Err(ConvexPolygonError::Winding);
        }
        Ok(Self { polygon: Polygon::new(vertices) })
    }

    /// The corners, counter-clockwise.
    #[must_use]
    pub fn vertices(&self) -> &[Point] {
        &self.polygon.vertices
    }

    /// The same outline as a general polygon.
    #[must_use]
    pub fn as_polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// The corner farthest along a direction, the first of equals.
    #[must_use]
    pub fn support(&self, direction: Point) -> Point {
        self.polygon.support(direction).unwrap_or(self.vertices()[0])
    }

    /// The axis-aligned rectangle round the polygon.
    #[must_use]
    pub fn aabb(&self) -> Rectangle {
        self.aabb_at(0.0, [0.0, 0.0])
    }

    /// The rectangle round the polygon turned about the origin by an angle in radians,
    /// counter-clockwise, and then moved.
    #[must_use]
    pub fn aabb_at(&self, angle: f64, translation: Point) -> Rectangle {
        let first = self.vertices()[0];
        self.polygon.aabb_at(angle, translation).unwrap_or(Rectangle { min: first, max: first })
    }

    /// Area, positive.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.polygon.area()
    }

    /// Centre of area.
    #[must_use]
    pub fn centroid(&self) -> Point {
        let origin = self.vertices()[0];
        let (mut twice, mut sum) = (0.0, [0.0, 0.0]);
        for (a, b, cross) in self.fan(origin) {
            twice += cross;
            for k in 0..2 {
                sum[k] += cross * (a[k] + b[k]);
            }
        }
        // A polygon that is convex but so slim that its area underflows has its corner as centre.
        if twice > 0.0 { [0, 1].map(|k| origin[k] + sum[k] / (3.0 * twice)) } else { origin }
    }

    /// Second moment of area about the centroid, ∫ r² dA: times the density, the moment of inertia.
    #[must_use]
    pub fn second_moment(&self) -> f64 {
        let dot = |a: Point, b: Point| a[0] * b[0] + a[1] * b[1];
        // Relative to the centroid, so that no large terms cancel.
        let terms =
            self.fan(self.centroid()).map(|(a, b, cross)| cross * (dot(a, a) + dot(a, b) + dot(b, b)));
        terms.sum::<f64>() / 12.0
    }

    /// Every edge relative to an origin, with the cross product of its ends.
    fn fan(&self, origin: Point) -> impl Iterator<Item = (Point, Point, f64)> + '_ {
        let relative = move |p: Point| [p[0] - origin[0], p[1] - origin[1]];
        self.polygon.edges().map(move |edge| {
            let (a, b) = (relative(edge.a), relative(edge.b));
            (a, b, a[0] * b[1] - a[1] * b[0])
        })
    }

    /// Is the point inside or on the outline? Exact; false for NaN.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        point.iter().all(|c| c.is_finite())
            && self.polygon.edges().all(|edge| orient2d(edge.a, edge.b, point) != Ordering::Less)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::polygon::unit_shape;
    use crate::vector::add;

    fn square() -> ConvexPolygon {
        ConvexPolygon::new(vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]).unwrap()
    }

    #[test]
    fn moments_of_a_square_and_a_triangle_are_known() {
        let s = square();
        assert_eq!((s.area(), s.centroid(), s.second_moment()), (4.0, [1.0, 1.0], 8.0 / 3.0));
        let t = ConvexPolygon::new(vec![[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]]).unwrap();
        assert_eq!((t.area(), t.centroid()), (4.5, [1.0, 1.0]));
        // (b h³ + h b³) / 36 for the legs of a right triangle.
        assert!((t.second_moment() - 162.0 / 36.0).abs() < 1e-14);
    }

    #[test]
    fn corners_that_do_not_fit_are_named() {
        let new = |v: &[Point]| ConvexPolygon::new(v.to_vec()).unwrap_err();
        assert_eq!(new(&[[0.0, 0.0], [1.0, 0.0]]), ConvexPolygonError::TooFew { count: 2 });
        let index = |e| match e {
            ConvexPolygonError::NotLeft { index, .. } => index,
            other => panic!("{other}"),
        };
        assert_eq!(index(new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 2.0]])), 1, "straight");
        assert_eq!(index(new(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])), 0, "clockwise");
        let star: Vec<Point> =
            (0..5).map(|k| unit_shape(crate::polygon::ShapeName::Pentagon).vertices[k * 2 % 5]).collect();
        assert_eq!(new(&star), ConvexPolygonError::Winding);
        let nan = new(&[[0.0, 0.0], [1.0, f64::NAN], [2.0, 0.0]]);
        assert!(matches!(nan, ConvexPolygonError::NotFinite { index: 1, axis: 1, .. }));
    }

    #[test]
    fn points_without_area_have_no_hull() {
        assert_eq!(convex_hull(&[[1.0, 1.0]; 5]), Err(ConvexPolygonError::Flat { count: 5 }));
        let line: Vec<Point> = (0..9).map(|k| [f64::from(k) * 0.125, f64::from(k) * 0.25]).collect();
        assert_eq!(convex_hull(&line), Err(ConvexPolygonError::Flat { count: 9 }));
        assert_eq!(
            convex_hull(&[[0.0, 0.0], [-0.0, 0.0], [0.0, -0.0]]),
            Err(ConvexPolygonError::Flat { count: 3 })
        );
        assert_eq!(convex_hull(&[]), Err(ConvexPolygonError::TooFew { count: 0 }));
        assert!(convex_hull(&[[0.0, f64::INFINITY]; 4]).is_err());
    }

    fn lattice() -> impl Strategy<Value = Vec<Point>> {
        proptest::collection::vec([-5..=5i8, -5..=5i8], 3..30)
            .prop_map(|points| points.into_iter().map(|p| p.map(f64::from)).collect())
    }

    fn cloud() -> impl Strategy<Value = Vec<Point>> {
        let anywhere = proptest::collection::vec([-1.0..1.0f64, -1.0..1.0f64], 3..50);
        prop_oneof![lattice(), anywhere]
    }

    proptest! {
        #[test]
        fn hulls_hold_all_points_and_their_corners_are_points(points in cloud()) {
            let Ok(hull) = convex_hull(&points) else { return Ok(()) };
            prop_assert_eq!(ConvexPolygon::new(hull.vertices().to_vec()), Ok(hull.clone()));
            prop_assert!(points.iter().all(|&p| hull.contains(p)));
            prop_assert!(hull.vertices().iter().all(|v| points.contains(v)));
            prop_assert_eq!(convex_hull(hull.vertices()), Ok(hull));
        }

        /// A corner is a point that is not inside a triangle or segment of others; all pairs in
        /// exact arithmetic.
        #[test]
        fn corners_are_those_of_brute_force(points in lattice()) {
            let is_edge = |a: Point, b: Point| {
                a != b && points.iter().all(|&p| match orient2d(a, b, p) {
                    Ordering::Greater => true,
                    Ordering::Less => false,
                    Ordering::Equal => (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k])),
                })
            };
            let mut corners: Vec<Point> =
                points.iter().copied().filter(|&a| points.iter().any(|&b| is_edge(a, b))).collect();
            corners.sort_by(left_to_right);
            corners.dedup();
            match convex_hull(&points) {
                Ok(hull) => {
                    let mut found = hull.vertices().to_vec();
                    found.sort_by(left_to_right);
                    prop_assert_eq!(found, corners);
                }
                Err(_) => prop_assert!(corners.len() <= 2),
            }
        }

        #[test]
        fn support_and_rectangle_are_those_of_all_points(
            points in cloud(), angle in -7.0..7.0f64, by in [-9.0..9.0f64, -9.0..9.0f64]
        ) {
            let Ok(hull) = convex_hull(&points) else { return Ok(()) };
            let direction = [by[0], angle];
            let along = |p: Point| p[0] * direction[0] + p[1] * direction[1];
            let best = points.iter().map(|&p| along(p)).fold(f64::MIN, f64::max);
            prop_assert!((along(hull.support(direction)) - best).abs() <= 1e-14 * 100.0);
            let posed: Vec<Point> =
                Polygon::new(hull.vertices().to_vec()).rotated(angle).vertices.iter().map(|&p| add(p, by)).collect();
            prop_assert_eq!(Some(hull.aabb_at(angle, by)), Rectangle::around(&posed));
        }

        #[test]
        fn moments_do_not_depend_on_the_place(points in cloud(), by in [-9.0..9.0f64, -9.0..9.0f64]) {
            let Ok(hull) = convex_hull(&points) else { return Ok(()) };
            prop_assume!(hull.area() > 0.1);
            let moved: Vec<Point> = hull.vertices().iter().map(|&p| add(p, by)).collect();
            let Ok(moved) = ConvexPolygon::new(moved) else { return Ok(()) };
            prop_assert!((moved.second_moment() - hull.second_moment()).abs() <= 1e-10 * (1.0 + hull.second_moment()));
            let (a, b) = (add(hull.centroid(), by), moved.centroid());
            prop_assert!((a[0] - b[0]).abs() + (a[1] - b[1]).abs() <= 1e-11);
            prop_assert!(hull.contains(hull.centroid()));
        }
    }
}
