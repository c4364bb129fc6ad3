//! Plane polygons in `f64`: the objects of two-dimensional scenes.
//!
//! A polygon is its list of vertices, joined in order and closed from the last to the first. Both
//! directions of traversal and non-convex outlines are allowed; crossing outlines are not refused,
//! but their area is that of the shoelace formula, which counts overlaps by winding.
//!
//! | module | holds |
//! |---|---|
//! | [`edge`] | edges: length, side, intersection |
//! | [`orientation`] | on which side of a line a point lies, exactly |
//! | [`convex`] | convex polygons and the convex hull |
//! | [`circle`] | discs |
//! | `pieces` | cutting into convex pieces |
//! | [`simple`] | whether an outline crosses itself |
//! | [`rectangle`] | the axis-aligned rectangle round a polygon |
//! | [`shapes`] | named shapes inside the unit circle |
//!
//! Only `+ − × ÷`, square root and [`carom_core::trig`] are used, so that a scene built from a seed
//! has the same bits everywhere. Contact between polygons is decided edge by edge, in quadratic
//! time: it is the yardstick for faster methods, not one of them.

pub mod circle;
pub mod convex;
pub mod edge;
pub mod orientation;
mod pieces;
pub mod rectangle;
pub mod shapes;
pub mod simple;

pub use circle::Circle;
pub use convex::{ConvexPolygon, ConvexPolygonError, convex_hull};
pub use edge::{Edge, EdgeIntersection};
pub use orientation::orient2d;
pub use rectangle::Rectangle;
pub use shapes::{ShapeName, unit_shape};
pub use simple::NotSimple;

use carom_core::trig::sin_cos_f64;

use crate::vector::{Point, add, scale};

/// A polygon by its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// Corners in order; the last is joined to the first.
    pub vertices: Vec<Point>,
}

impl Polygon {
    /// The polygon of a list of vertices.
    #[must_use]
    pub fn new(vertices: Vec<Point>) -> Self {
        Self { vertices }
    }

    /// Area by the shoelace formula: positive if the vertices run counter-clockwise, zero for fewer
    /// than three.
    ///
    /// The sum is taken relative to the first vertex, which keeps its accuracy for a small polygon
    /// far from the origin.
    #[must_use]
    pub fn signed_area(&self) -> f64 {
        let Some(&origin) = self.vertices.first() else { return 0.0 };
        let twice: f64 = self
            .vertices
            .windows(2)
            .map(|pair| Edge { a: pair[0], b: pair[1] }.signed_area_with(origin))
            .sum();
        // A sum of no terms is −0.
        twice + 0.0
    }

    /// Area without its sign.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.signed_area().abs()
    }

    /// The polygon moved by a vector.
    #[must_use]
    pub fn translated(&self, by: Point) -> Self {
        self.map(|p| add(p, by))
    }

    /// The polygon with all coordinates multiplied by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        self.map(|p| scale(p, factor))
    }

    /// The polygon turned about the origin, counter-clockwise, by an angle in radians.
    #[must_use]
    pub fn rotated(&self, angle: f64) -> Self {
        let (sine, cosine) = sin_cos_f64(angle);
        self.map(|[x, y]| [cosine * x - sine * y, sine * x + cosine * y])
    }

    /// The factor that gives the polygon a wanted area: √(wanted / present).
    ///
    /// None if the polygon has no area, or if the wanted one is negative or not finite.
    #[must_use]
    pub fn scale_for_area(&self, wanted: f64) -> Option<f64> {
        let factor = (wanted / self.area()).sqrt();
        factor.is_finite().then_some(factor)
    }

    /// The polygon scaled about the origin to a wanted area; see [`Self::scale_for_area`] for when
    /// this is none.
    #[must_use]
    pub fn scaled_to_area(&self, wanted: f64) -> Option<Self> {
        self.scale_for_area(wanted).map(|factor| self.scaled(factor))
    }

    /// The axis-aligned rectangle round the polygon; none if it has no vertices.
    #[must_use]
    pub fn aabb(&self) -> Option<Rectangle> {
        Rectangle::around(&self.vertices)
    }

    /// The rectangle round the polygon turned about the origin by an angle in radians,
    /// counter-clockwise, and then moved; none if it has no vertices.
    #[must_use]
    pub fn aabb_at(&self, angle: f64, translation: Point) -> Option<Rectangle> {
        let (sine, cosine) = sin_cos_f64(angle);
        let posed = |[x, y]: Point| add([cosine * x - sine * y, sine * x + cosine * y], translation);
        let corners = self.vertices.iter().map(|&p| posed(p)).map(|p| Rectangle { min: p, max: p });
        corners.reduce(|a, b| a.union(&b))
    }

    /// The vertex farthest along a direction, the first of equals; none if there are no vertices.
    #[must_use]
    pub fn support(&self, direction: Point) -> Option<Point> {
        let along = |p: Point| p[0] * direction[0] + p[1] * direction[1];
        self.vertices.iter().copied().reduce(|best, p| if along(p) > along(best) { p } else { best })
    }

    /// The edges, each vertex to the next, the last to the first.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let next = self.vertices.iter().cycle().skip(1);
        self.vertices.iter().zip(next).map(|(&a, &b)| Edge { a, b })
    }

    /// True if the outline turns one way only (straight corners allowed) and has an area.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        let (mut left, mut right) = (false, false);
        let n = self.vertices.len();
        for (i, edge) in self.edges().enumerate() {
            let turn = edge.signed_area_with(self.vertices[(i + 2) % n]);
            left |= turn > 0.0;
            right |= turn < 0.0;
        }
        left != right
    }

    /// Does the point lie inside (by the even-odd rule) or on the outline?
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        let mut inside = false;
        for edge in self.edges() {
            if edge.holds(point) {
                return true;
            }
            // Half-open in y: a ray through a vertex crosses exactly one of its two edges.
            if (edge.a[1] > point[1]) != (edge.b[1] > point[1]) {
                let is_left = edge.signed_area_with(point) > 0.0;
                inside ^= is_left == (edge.b[1] > edge.a[1]);
            }
        }
        inside
    }

    /// Do the two closed areas share a point? Touching counts. Takes time proportional to the
    /// product of the edges.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        let edges_meet = || self.edges().any(|a| other.edges().any(|b| a.intersects(&b)));
        let one_holds_other =
            |outer: &Self, inner: &Self| inner.vertices.first().is_some_and(|&p| outer.contains(p));
        edges_meet() || one_holds_other(self, other) || one_holds_other(other, self)
    }

    fn map(&self, change: impl Fn(Point) -> Point) -> Self {
        Self { vertices: self.vertices.iter().map(|&p| change(p)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn square() -> Polygon {
        Polygon::new(vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    }

    /// An arrowhead with its notch at (1, 1).
    fn arrow() -> Polygon {
        Polygon::new(vec![[0.0, 0.0], [4.0, 1.0], [0.0, 2.0], [1.0, 1.0]])
    }

    #[test]
    fn area_is_signed_by_the_direction_of_travel() {
        assert_eq!(square().signed_area(), 4.0);
        let mut backwards = square();
        backwards.vertices.reverse();
        assert_eq!((backwards.signed_area(), backwards.area()), (-4.0, 4.0));
        assert_eq!(arrow().area(), 3.0);
        assert_eq!(Polygon::default().signed_area().to_bits(), 0.0_f64.to_bits());
        assert_eq!(Polygon::new(vec![[1.0, 2.0], [3.0, 4.0]]).area(), 0.0);
    }

    #[test]
    fn area_far_from_the_origin_is_not_lost() {
        assert_eq!(square().translated([1e9, -1e9]).area(), 4.0);
    }

    #[test]
    fn convexity_is_told_from_the_turns() {
        assert!(square().is_convex());
        assert!(!arrow().is_convex());
        assert!(!Polygon::new(vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).is_convex(), "no area");
        assert!(!Polygon::default().is_convex());
    }

    #[test]
    fn containment_includes_the_outline_and_excludes_the_notch() {
        for inside in [[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [2.0, 1.5]] {
            assert!(square().contains(inside), "{inside:?}");
        }
        assert!(
            !square().contains([2.5, 1.0])
                && !square().contains([-1.0, 0.0])
                && !square().contains([3.0, 2.0])
        );
        assert!(arrow().contains([2.0, 1.0]) && arrow().contains([1.0, 1.0]));
        assert!(!arrow().contains([0.5, 1.0]), "the notch");
        assert!(!Polygon::default().contains([0.0, 0.0]));
    }

    #[test]
    fn polygons_touch_by_edge_corner_or_containment() {
        assert!(square().touches(&square().translated([2.0, 0.0])), "along an edge");
        assert!(square().touches(&square().translated([2.0, 2.0])), "at a corner");
        assert!(square().touches(&square().scaled(0.1).translated([1.0, 1.0])), "inside");
        assert!(!square().touches(&square().translated([2.1, 0.0])));
        let bead = square().scaled(0.1).translated([0.1, 0.9]);
        assert!(
            !arrow().touches(&bead) && arrow().aabb().unwrap().overlaps(&bead.aabb().unwrap()),
            "in the notch"
        );
        assert!(!square().touches(&Polygon::default()));
    }

    #[test]
    fn an_area_that_cannot_be_reached_has_no_factor() {
        assert_eq!(Polygon::default().scaled_to_area(1.0), None);
        assert_eq!(square().scaled_to_area(-1.0), None);
        assert_eq!(square().scaled_to_area(f64::NAN), None);
        assert_eq!(square().scale_for_area(16.0), Some(2.0));
    }

    fn any_polygon() -> impl Strategy<Value = Polygon> {
        proptest::collection::vec([-100.0..100.0_f64, -100.0..100.0_f64], 3..12).prop_map(Polygon::new)
    }

    proptest! {
        #[test]
        fn rotation_keeps_the_area(polygon in any_polygon(), angle in -10.0..10.0_f64) {
            let (before, after) = (polygon.signed_area(), polygon.rotated(angle).signed_area());
            prop_assert!((before - after).abs() <= 1e-9, "{} {}", before, after);
        }

        #[test]
        fn translation_moves_the_rectangle_by_exactly_the_vector(polygon in any_polygon(), by: [i16; 2]) {
            let by = by.map(f64::from);
            let (before, after) = (polygon.aabb().unwrap(), polygon.translated(by).aabb().unwrap());
            prop_assert_eq!(after.min, add(before.min, by));
            prop_assert_eq!(after.max, add(before.max, by));
        }

        #[test]
        fn scaling_reaches_the_wanted_area(polygon in any_polygon(), wanted in 1e-6..1e6_f64) {
            prop_assume!(polygon.area() > 1.0);
            let area = polygon.scaled_to_area(wanted).unwrap().area();
            prop_assert!((area - wanted).abs() <= 1e-9 * wanted, "{}", area);
        }

        #[test]
        fn touching_is_mutual_and_independent_of_the_start(a in any_polygon(), b in any_polygon()) {
            let mut turned = a.clone();
            turned.vertices.rotate_left(1);
            prop_assert_eq!(a.touches(&b), b.touches(&a));
            prop_assert_eq!(turned.edges().count(), a.edges().count());
        }
    }
}
