//! Triangles with segments and with each other.
//!
//! Signs of determinants decide where they are certain, that is larger than their rounding error
//! can be. What is left (touching, coplanar and degenerate figures) is decided by distance. So no
//! answer is wrong by more than a gap or an overlap of a few ε × the size of the figures.

use crate::closest::{ClosestTo, Span};
use crate::primitive::{Segment, Triangle};
use crate::real::{Real, Vector};

/// Bound of the rounding error of a determinant of three differences, in ε × the product of their
/// largest coordinates: 6 products of 3 factors with up to 4 roundings each. What underflows is
/// covered by the smallest normal number.
const DETERMINANT: f64 = 32.0;
/// Figures this many ε × their size apart are said to touch.
const TOUCH: f64 = 16.0;

/// Largest coordinate of several vectors.
#[inline]
fn size<S: Real>(vectors: &[S::Vec3]) -> S {
    vectors.iter().fold(S::ZERO, |m, v| Real::max(Vector::abs(*v).max_element(), m))
}

/// Parameter of a point where a segment meets a triangle, the crossing of the plane if there is
/// one. Rounded.
///
/// A segment in the plane of the triangle meets it where it touches it, and so does one that meets
/// a triangle without area.
#[must_use]
pub fn segment_triangle<S: Real>(segment: &Segment<S>, triangle: &Triangle<S>) -> Option<S> {
    // The triangle is moved to the origin, so that the tolerance depends on sizes and not on the
    // place.
    let origin = triangle.a;
    let [a, b] = [segment.a - origin, segment.b - origin];
    let sides = [triangle.b - origin, triangle.c - origin];
    let (length, extent) = (size::<S>(&sides), size::<S>(&[a, b]));
    let normal = sides[0].cross(sides[1]);
    let [from, to] = [normal.dot(a), normal.dot(b)];
    let margin = S::of(DETERMINANT) * S::EPSILON * length * length * extent + S::MIN_POSITIVE;
    if (from > margin && to > margin) || (from < -margin && to < -margin) {
        return None;
    }
    let span = Span::from_segment(&Segment::new(a, b));
    let found = span.closest_to(&Triangle::new(S::Vec3::ZERO, sides[0], sides[1]));
    let tolerance = S::of(TOUCH) * S::EPSILON * Real::max(length, extent);
    (found.distance_squared <= tolerance * tolerance).then(|| span.parameter_near(found.a))
}

/// What is known about an edge of one triangle and the inside of the other.
#[derive(Clone, Copy, PartialEq)]
enum Pierces {
    Yes,
    No,
    Unsure,
}

/// Do two triangles share a point? Touching counts, coplanar and degenerate triangles are allowed.
/// Rounded.
///
/// ```
/// use carom_geometry::intersect::triangles_overlap;
/// use carom_geometry::primitive::Triangle;
/// use glam::Vec3;
/// let floor = Triangle::<f32>::new(Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0);
/// let fin = Triangle::<f32>::new(Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(9.0, 9.0, 0.0));
/// assert!(triangles_overlap(&floor, &fin));
/// let beside = Triangle::<f32>::new(Vec3::X * 5.0, Vec3::X * 6.0, Vec3::new(5.0, 1.0, 0.0));
/// assert!(!triangles_overlap(&floor, &beside));
/// ```
#[must_use]
pub fn triangles_overlap<S: Real>(a: &Triangle<S>, b: &Triangle<S>) -> bool {
    let (corners_a, corners_b) = (a.corners(), b.corners());
    let sides = |[p, q, r]: [S::Vec3; 3]| [q - p, r - q, p - r];
    let (sides_a, sides_b) = (sides(corners_a), sides(corners_b));
    // From each corner of b to each corner of a.
    let between: [[S::Vec3; 3]; 3] = corners_a.map(|p| corners_b.map(|q| p - q));
    let (length_a, length_b) = (size::<S>(&sides_a), size::<S>(&sides_b));
    let extent = between.iter().fold(S::ZERO, |m, row| Real::max(size::<S>(row), m));
    let epsilon = S::of(DETERMINANT) * S::EPSILON;

    let normal_b = sides_b[0].cross(sides_b[1]);
    let heights_a = between.map(|row| normal_b.dot(row[0]));
    let margin_b = epsilon * length_b * length_b * extent + S::MIN_POSITIVE;
    if on_one_side(heights_a, margin_b) {
        return false;
    }
    let normal_a = sides_a[0].cross(sides_a[1]);
    let heights_b = between[0].map(|v| -normal_a.dot(v));
    let margin_a = epsilon * length_a * length_a * extent + S::MIN_POSITIVE;
    if on_one_side(heights_b, margin_a) {
        return false;
    }

    let mut unsure = false;
    let margin = epsilon * length_a * length_b * extent + S::MIN_POSITIVE;
    for edge in 0..6 {
        let k = edge % 3;
        let next = (k + 1) % 3;
        let (heights, height_margin) = if edge < 3 { (heights_a, margin_b) } else { (heights_b, margin_a) };
        // Volumes of an edge of one with the three edges of the other.
        let volume = |j: usize| {
            if edge < 3 {
                sides_b[j].cross(sides_a[k]).dot(between[k][j])
            } else {
                sides_a[j].cross(sides_b[k]).dot(between[j][k])
            }
        };
        match pierces([heights[k], heights[next]], height_margin, volume, margin) {
            Pierces::Yes => return true,
            Pierces::No => {}
            Pierces::Unsure => unsure = true,
        }
    }
    unsure && touching(a, b, Real::max(extent, Real::max(length_a, length_b)))
}

/// Are all heights certainly of one sign?
#[inline]
fn on_one_side<S: Real>(h: [S; 3], margin: S) -> bool {
    (h[0] > margin && h[1] > margin && h[2] > margin) || (h[0] < -margin && h[1] < -margin && h[2] < -margin)
}

/// Does an edge, whose ends are at these heights over a triangle, pierce it? It does if the ends
/// are on different sides and it passes all three edges of the triangle on the same side.
#[inline]
fn pierces<S: Real>(heights: [S; 2], height_margin: S, volume: impl Fn(usize) -> S, margin: S) -> Pierces {
    let above = heights.map(|h| h > height_margin);
    let below = heights.map(|h| h < -height_margin);
    if (above[0] && above[1]) || (below[0] && below[1]) {
        return Pierces::No;
    }
    let (mut left, mut right) = (0, 0);
    for j in 0..3 {
        let v = volume(j);
        left += u8::from(v > margin);
        right += u8::from(v < -margin);
        if left > 0 && right > 0 {
            return Pierces::No;
        }
    }
    let opposite = (above[0] && below[1]) || (below[0] && above[1]);
    if opposite && (left == 3 || right == 3) { Pierces::Yes } else { Pierces::Unsure }
}

#[cold]
#[inline(never)]
fn touching<S: Real>(a: &Triangle<S>, b: &Triangle<S>, extent: S) -> bool {
    let moved = |t: &Triangle<S>| Triangle::<S>::new(t.a - a.a, t.b - a.a, t.c - a.a);
    let tolerance = S::of(TOUCH) * S::EPSILON * extent;
    moved(a).closest_to(&moved(b)).distance_squared <= tolerance * tolerance
}
