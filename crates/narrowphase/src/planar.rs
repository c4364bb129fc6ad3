//! Contacts in the plane, in `f64`: convex polygons, discs, rectangles, and all touching edges of any two polygons.
//!
//! As everywhere, a function works in the frame of its first shape and is told the [`Placement`] of the second in it; normals
//! are unit vectors from the first to the second; sets are closed, so touching counts (the texts these tests come from differ:
//! strict for circles, inclusive for boxes).
//!
//! | module | holds |
//! |---|---|
//! | [`separation`] | the axis along which two convex polygons are farthest apart, or overlap least |
//! | [`contact`] | contact points of polygons, discs and rectangles |
//! | [`edge_tree`] | all pairs of touching edges of two polygons, convex or not |

pub mod contact;
pub mod edge_tree;
pub mod separation;

pub use contact::{circle_circle, polygon_circle, polygon_polygon, rectangle_rectangle};
pub use edge_tree::{EdgeTree, EdgeTreeCounts, touching_edges};
pub use separation::{Separation, widest_gap};

use carom_core::trig::sin_cos_f64;
use carom_geometry::polygon::{Point, add};

/// Where a shape is and how it is turned: a turn about the origin, then a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Where the origin of the shape lies.
    pub translation: Point,
    /// Sine of the angle, counter-clockwise.
    pub sine: f64,
    /// Cosine of the angle.
    pub cosine: f64,
}

impl Placement {
    /// Turned by an angle in radians, counter-clockwise, and moved.
    #[must_use]
    pub fn new(translation: Point, angle: f64) -> Self {
        let (sine, cosine) = sin_cos_f64(angle);
        Self { translation, sine, cosine }
    }

    /// Moved, not turned.
    #[must_use]
    pub fn at(translation: Point) -> Self {
        Self { translation, sine: 0.0, cosine: 1.0 }
    }

    /// A vector of the shape in the surrounding frame.
    #[inline]
    #[must_use]
    pub fn rotate(&self, [x, y]: Point) -> Point {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y]
    }

    /// A vector of the surrounding frame in that of the shape.
    #[inline]
    #[must_use]
    pub fn rotate_back(&self, [x, y]: Point) -> Point {
        [self.cosine * x + self.sine * y, self.cosine * y - self.sine * x]
    }

    /// A point of the shape in the surrounding frame.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: Point) -> Point {
        add(self.rotate(point), self.translation)
    }

    /// A point of the surrounding frame in that of the shape.
    #[inline]
    #[must_use]
    pub fn undo(&self, point: Point) -> Point {
        self.rotate_back(minus(point, self.translation))
    }

    /// The placement that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let [x, y] = self.rotate_back(self.translation);
        Self { translation: [-x, -y], sine: -self.sine, cosine: self.cosine }
    }
}

/// One point of a contact in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarPoint {
    /// Half-way between the two surfaces.
    pub position: Point,
    /// Along the normal; below zero where the shapes overlap.
    pub separation: f64,
    /// Which corners and edges meet: the same while the same ones do.
    pub feature: u32,
}

/// One or two contact points with a common normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarContact {
    /// Unit vector from the first shape to the second.
    pub normal: Point,
    /// Below zero: moving the second shape by minus this along the normal is the shortest way apart.
    pub separation: f64,
    points: [PlanarPoint; 2],
    count: u8,
}

impl PlanarContact {
    fn one(normal: Point, separation: f64, position: Point, feature: u32) -> Self {
        let point = PlanarPoint { position, separation, feature };
        Self { normal, separation, points: [point, PlanarPoint::default()], count: 1 }
    }

    fn push(&mut self, point: PlanarPoint) {
        if let Some(place) = self.points.get_mut(usize::from(self.count)) {
            *place = point;
            self.count += 1;
        }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[PlanarPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The shortest move of the second shape that ends the overlap.
    #[must_use]
    pub fn minimum_translation(&self) -> Point {
        self.normal.map(|c| -self.separation * c)
    }
}

/// Difference of two vectors.
#[inline]
fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Unit vector and length; `None` for the null vector.
#[inline]
fn unit(v: Point) -> Option<(Point, f64)> {
    let largest = carom_geometry::Real::max(v[0].abs(), v[1].abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = v.map(|c| c / largest);
    let length = dot(scaled, scaled).sqrt();
    Some((scaled.map(|c| c / length), length * largest))
}
