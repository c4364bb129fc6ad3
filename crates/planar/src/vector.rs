//! Vectors of the plane: plain arrays in `f64` and the operations on them.

use carom_geometry::Real;

/// A point or vector of the plane.
pub type Point = [f64; 2];

/// Sum of two vectors.
#[must_use]
pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// A vector times a number.
#[must_use]
pub fn scale(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

/// Distance between two points.
#[must_use]
pub fn distance(a: Point, b: Point) -> f64 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    (x * x + y * y).sqrt()
}

/// Difference of two vectors.
#[inline]
#[must_use]
pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// Dot product of two vectors.
#[inline]
#[must_use]
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Unit vector and length; `None` for the zero vector and for one that is not finite.
#[inline]
#[must_use]
pub fn normalized(v: Point) -> Option<(Point, f64)> {
    let largest = Real::max(v[0].abs(), v[1].abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = v.map(|c| c / largest);
    let length = dot(scaled, scaled).sqrt();
    Some((scaled.map(|c| c / length), length * largest))
}
