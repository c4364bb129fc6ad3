//! Boxes at any place and orientation, and their closest points to spans.

use super::{Closest, Span};
use crate::bounds::Aabb;
use crate::intersect::ray::slabs;
use crate::pose::Pose;
use crate::primitive::Rectangle;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// A solid box given by its centre, its axes and its half extents. Flat boxes are rectangles, segments or points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBox<S: Real = f32> {
    /// Centre.
    pub centre: S::Vec3,
    /// Its axes, as the columns of a rotation matrix.
    pub axes: Matrix3<S>,
    /// Half extents along the axes, none negative.
    pub half: S::Vec3,
}

impl<S: Real> PlacedBox<S> {
    /// The box of half extents `half` around the origin of `pose`, along its axes.
    #[inline]
    #[must_use]
    pub fn new(half: S::Vec3, pose: &Pose<S>) -> Self {
        Self { centre: pose.translation, axes: pose.rotation.to_matrix(), half }
    }

    /// An axis-aligned box. It must be valid and finite.
    #[inline]
    #[must_use]
    pub fn from_aabb(aabb: &Aabb<3, S>) -> Self {
        Self { centre: aabb.centre(), axes: Matrix3::IDENTITY, half: aabb.half() }
    }

    /// A rectangle as a box without height.
    #[inline]
    #[must_use]
    pub fn from_rectangle(rectangle: &Rectangle<S>) -> Self {
        let ([u, v], [x, y]) = (rectangle.axes, rectangle.half);
        let axes = Matrix3 { columns: [u, v, rectangle.normal()] };
        Self { centre: rectangle.centre, axes, half: S::Vec3::new(x, y, S::ZERO) }
    }

    /// A point in coordinates along the axes, from the centre.
    #[inline]
    #[must_use]
    pub fn to_local(&self, point: S::Vec3) -> S::Vec3 {
        self.axes.transposed_times(point - self.centre)
    }

    /// The point of these local coordinates.
    #[inline]
    #[must_use]
    pub fn to_world(&self, local: S::Vec3) -> S::Vec3 {
        self.centre + self.axes.times(local)
    }

    /// The corner farthest along a direction given in local coordinates, itself in local coordinates.
    #[inline]
    #[must_use]
    pub fn local_support(&self, direction: S::Vec3) -> S::Vec3 {
        S::Vec3::new(
            direction.x().sign_of(self.half.x()),
            direction.y().sign_of(self.half.y()),
            direction.z().sign_of(self.half.z()),
        )
    }
}

/// Parameter of the point of a span, given in local coordinates, that is nearest to the box of half extents `half`,
/// which the span does not meet.
///
/// The squared distance is convex and piecewise quadratic in the parameter, with bends where the span crosses one of
/// the six planes. Its derivative grows; the bends on both sides of its zero enclose a linear piece.
fn nearest_parameter<S: Real>(span: &Span<S>, half: S::Vec3) -> S {
    let (p, d) = (span.origin, span.direction);
    // Half of the derivative of the squared distance at a point.
    let slope = |at: S::Vec3| d.dot(at - Vector::clamp(at, -half, half));
    let (mut below, mut above) = ((span.low, S::ZERO), (span.high, S::ZERO));
    if below.0.is_finite() {
        below.1 = slope(p + d * below.0);
        if below.1 >= S::ZERO {
            return below.0;
        }
    }
    if above.0.is_finite() {
        above.1 = slope(p + d * above.0);
        if above.1 <= S::ZERO {
            return above.0;
        }
    }
    for axis in 0..3 {
        for plane in [-half[axis], half[axis]] {
            // No bend without a direction: infinite or NaN, which is not between the others.
            let t = (plane - p[axis]) / d[axis];
            if t > below.0 && t < above.0 {
                // Rounding would put the point off the plane, and along a steep axis outweigh the others.
                let mut at = p + d * t;
                at[axis] = plane;
                let value = slope(at);
                if value < S::ZERO { below = (t, value) } else { above = (t, value) }
            }
        }
    }
    match (below.0.is_finite(), above.0.is_finite()) {
        (true, true) => {
            // From the bend that is nearer to the zero: the other may be far away.
            let (rise, run) = (above.1 - below.1, above.0 - below.0);
            let t = if -below.1 < above.1 {
                below.0 - run * (below.1 / rise)
            } else {
                above.0 - run * (above.1 / rise)
            };
            Real::clamp(t, below.0, above.0)
        }
        (false, true) => above.0,
        (true, false) => below.0,
        // A direction without length.
        (false, false) => S::ZERO,
    }
}

/// Parameter of a point of a span, given in local coordinates, that the box of half extents `half` contains; or that of
/// the point nearest to it.
pub(super) fn meeting_parameter<S: Real>(span: &Span<S>, half: S::Vec3) -> Result<S, S> {
    match slabs::<S>(span.origin, span.direction, [-half, half], [span.low, span.high]) {
        Some([near, far]) => {
            let middle = near + (far - near) * S::HALF;
            Ok(if middle.is_finite() { middle } else { span.clamp(S::ZERO) })
        }
        None => Err(nearest_parameter(span, half)),
    }
}

/// Closest points of a span and a box.
pub(super) fn span_box<S: Real>(span: &Span<S>, solid: &PlacedBox<S>) -> Closest<S> {
    let local = Span {
        origin: solid.to_local(span.origin),
        direction: solid.axes.transposed_times(span.direction),
        ..*span
    };
    match meeting_parameter(&local, solid.half) {
        Ok(t) => Closest::common(span.at(t)),
        Err(t) => {
            let b = Vector::clamp(local.at(t), -solid.half, solid.half);
            Closest::between(span.at(t), solid.to_world(b))
        }
    }
}
