//! The part of a segment behind planes or inside a box, as the parameters of its ends.

use crate::bounds::Aabb;
use crate::bounds::Obb;
use crate::intersect::ray::slabs;
use crate::primitive::{Plane, Segment};
use crate::real::Real;

/// Parameters between which a segment is behind every plane or on it; `None` if nothing is left.
/// Rounded.
///
/// ```
/// use carom_geometry::clip::segment_behind_planes;
/// use carom_geometry::primitive::{Plane, Segment};
/// use glam::Vec3;
/// let rod = Segment::<f32>::new(Vec3::ZERO, Vec3::X * 4.0);
/// let wedge = [Plane::<f32>::new(Vec3::X, 3.0), Plane::<f32>::new(-Vec3::X, -1.0)];
/// assert_eq!(segment_behind_planes(&rod, &wedge), Some([0.25, 0.75]));
/// ```
#[must_use]
pub fn segment_behind_planes<S: Real>(segment: &Segment<S>, planes: &[Plane<S>]) -> Option<[S; 2]> {
    let [mut low, mut high] = [S::ZERO, S::ONE];
    for plane in planes {
        let (a, b) = (plane.signed_distance(segment.a), plane.signed_distance(segment.b));
        match (a > S::ZERO, b > S::ZERO) {
            (true, true) => return None,
            (true, false) => low = Real::max(a / (a - b), low),
            (false, true) => high = Real::min(a / (a - b), high),
            (false, false) => {}
        }
    }
    (low <= high).then_some([low, high])
}

/// Parameters between which a segment is inside an axis-aligned box; `None` if it misses the box.
/// Rounded.
#[inline]
#[must_use]
pub fn segment_in_aabb<S: Real>(segment: &Segment<S>, aabb: &Aabb<3, S>) -> Option<[S; 2]> {
    slabs::<S>(segment.a, segment.direction(), [aabb.low(), aabb.high()], [S::ZERO, S::ONE])
}

/// Parameters between which a segment is inside a box; `None` if it misses the box. Rounded.
#[inline]
#[must_use]
pub fn segment_in_box<S: Real>(segment: &Segment<S>, solid: &Obb<S>) -> Option<[S; 2]> {
    let direction = solid.axes.transposed_times(segment.direction());
    slabs::<S>(solid.local(segment.a), direction, [-solid.half, solid.half], [S::ZERO, S::ONE])
}
