//! Boxes with triangles and segments, by separating axes.
//!
//! Conservative: the box is grown by a bound of the rounding errors, about 24 ε × the extent of the
//! figures, so that a meeting is never missed. The nine axes that are products of a box axis and an
//! edge are tried three at a time: the coordinates of `edge × corner` are the positions of that
//! corner on them (the test of Akenine-Möller, "Fast 3D triangle-box overlap testing", in this
//! arrangement).

use crate::bounds::Aabb;
use crate::bounds::Obb;
use crate::primitive::{Segment, Triangle};
use crate::real::{Real, Vector};

/// Growth of the box, in ε × extent.
const GROWTH: f64 = 24.0;

/// Sizes whose cubes fit in an `f32`.
const SMALL: f64 = 1e-9;
const LARGE: f64 = 1e9;

/// Half extents grown by a bound of what rounding does to points within `extent` of the centre.
#[inline]
fn grown<S: Real>(half: S::Vec3, extent: S) -> S::Vec3 {
    half + S::Vec3::splat((extent + half.max_element()) * (S::of(GROWTH) * S::EPSILON))
}

/// Reach of a box along the three axes that are products of the coordinate axes with a vector of
/// these absolute coordinates.
#[inline]
fn cross_reach<S: Real>(half: S::Vec3, v: S::Vec3) -> S::Vec3 {
    S::Vec3::new(
        half.y() * v.z() + half.z() * v.y(),
        half.z() * v.x() + half.x() * v.z(),
        half.x() * v.y() + half.y() * v.x(),
    )
}

/// Is any coordinate of `low` above that of `reach`, or one of `high` below that of `−reach`?
#[inline]
fn beyond<S: Real>(low: S::Vec3, high: S::Vec3, reach: S::Vec3) -> bool {
    low.x() > reach.x()
        || low.y() > reach.y()
        || low.z() > reach.z()
        || high.x() < -reach.x()
        || high.y() < -reach.y()
        || high.z() < -reach.z()
}

/// Corners in coordinates of a box of half extents `half` around the origin.
#[inline]
fn local_triangle<S: Real>([a, b, c]: [S::Vec3; 3], half: S::Vec3) -> bool {
    let low = Vector::min(Vector::min(a, b), c);
    let high = Vector::max(Vector::max(a, b), c);
    let extent = Vector::max(-low, high).max_element();
    let half = grown::<S>(half, extent);
    if beyond::<S>(low, high, half) {
        return false;
    }
    if !(extent > S::of(SMALL) && extent < S::of(LARGE)) {
        // Products of three lengths would not fit: bring the triangle to size 1.
        let scaled = [a, b, c].map(|v| v / extent);
        return extent == S::ZERO || crossing_axes::<S>(scaled, half / extent, S::ONE);
    }
    crossing_axes::<S>([a, b, c], half, extent)
}

/// The axes of [`local_triangle`] that are not those of the box.
#[inline]
fn crossing_axes<S: Real>([a, b, c]: [S::Vec3; 3], half: S::Vec3, extent: S) -> bool {
    let sides = [b - a, c - b, a - c];
    let normal = sides[0].cross(sides[1]);
    // The normal of a needle is inaccurate in relation to its length, not to that of the sides.
    let [p, q] = [sides[0], sides[1]].map(|v| Vector::abs(v).max_element());
    let error = S::of(GROWTH) * S::EPSILON * p * q * extent;
    if normal.dot(a).abs() > Vector::abs(normal).dot(half) + error {
        return false;
    }
    for (side, on, off) in [(sides[0], a, c), (sides[1], b, a), (sides[2], c, b)] {
        let (on, off) = (side.cross(on), side.cross(off));
        if beyond::<S>(Vector::min(on, off), Vector::max(on, off), cross_reach::<S>(half, Vector::abs(side)))
        {
            return false;
        }
    }
    true
}

#[inline]
fn local_segment<S: Real>(a: S::Vec3, b: S::Vec3, half: S::Vec3) -> bool {
    let (low, high) = (Vector::min(a, b), Vector::max(a, b));
    let half = grown::<S>(half, Vector::max(-low, high).max_element());
    if beyond::<S>(low, high, half) {
        return false;
    }
    let direction = b - a;
    let on = direction.cross(a);
    !beyond::<S>(on, on, cross_reach::<S>(half, Vector::abs(direction)))
}

/// Moves a figure's points to the centre of an axis-aligned box; with its half extents, which hold
/// the rounding of both.
#[inline]
fn centred<S: Real, const N: usize>(points: [S::Vec3; N], aabb: &Aabb<3, S>) -> ([S::Vec3; N], S::Vec3) {
    let centre = aabb.centre();
    let rounding = Vector::abs(centre) * (S::TWO * S::EPSILON);
    (points.map(|p| p - centre), aabb.half() + rounding)
}

/// Does a triangle meet a solid axis-aligned box? Conservative. A triangle without area counts as
/// its segment or point.
///
/// ```
/// use carom_geometry::{Aabb, intersect::triangle_aabb, primitive::Triangle};
/// use glam::Vec3;
/// let cube = Aabb::new([0.0; 3], [1.0; 3]);
/// let corner_cut = Triangle::<f32>::new(Vec3::X * 2.9, Vec3::Y * 2.9, Vec3::Z * 2.9);
/// assert!(triangle_aabb(&corner_cut, &cube));
/// assert!(!triangle_aabb(&Triangle::<f32>::new(Vec3::X * 3.1, Vec3::Y * 3.1, Vec3::Z * 3.1), &cube));
/// ```
#[inline]
#[must_use]
pub fn triangle_aabb<S: Real>(triangle: &Triangle<S>, aabb: &Aabb<3, S>) -> bool {
    let (corners, half) = centred::<S, 3>(triangle.corners(), aabb);
    local_triangle::<S>(corners, half)
}

/// Does a triangle meet a solid box? Conservative. A triangle without area counts as its segment or
/// point.
#[inline]
#[must_use]
pub fn triangle_box<S: Real>(triangle: &Triangle<S>, solid: &Obb<S>) -> bool {
    local_triangle::<S>(triangle.corners().map(|c| solid.local(c)), solid.half)
}

/// Does a segment meet a solid axis-aligned box? Conservative. Where it does:
/// [`crate::clip::segment_in_aabb`].
#[inline]
#[must_use]
pub fn segment_aabb<S: Real>(segment: &Segment<S>, aabb: &Aabb<3, S>) -> bool {
    let ([a, b], half) = centred::<S, 2>([segment.a, segment.b], aabb);
    local_segment::<S>(a, b, half)
}

/// Does a segment meet a solid box? Conservative. Where it does: [`crate::clip::segment_in_box`].
#[inline]
#[must_use]
pub fn segment_box<S: Real>(segment: &Segment<S>, solid: &Obb<S>) -> bool {
    local_segment::<S>(solid.local(segment.a), solid.local(segment.b), solid.half)
}
