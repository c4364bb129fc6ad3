//! Closest points of boxes, at any place and orientation, and spans.

use super::{Closest, Span};
use crate::bounds::Obb;
use crate::intersect::ray::slabs;
use crate::real::{Real, Vector};

/// Parameter of the point of a span, given in local coordinates, that is nearest to the box of half
/// extents `half`, which the span does not meet.
///
/// The squared distance is convex and piecewise quadratic in the parameter, with bends where the
/// span crosses one of the six planes. Its derivative grows; the bends on both sides of its zero
/// enclose a linear piece.
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
                // Rounding would put the point off the plane, and along a steep axis outweigh the
                // others.
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

/// Parameter of a point of a span, given in local coordinates, that the box of half extents `half`
/// contains; or that of the point nearest to it.
///
/// # Errors
///
/// Not a failure: the span passes by, and the parameter is that of the nearest point.
#[inline]
pub fn meeting_parameter<S: Real>(span: &Span<S>, half: S::Vec3) -> Result<S, S> {
    match slabs::<S>(span.origin, span.direction, [-half, half], [span.low, span.high]) {
        Some([near, far]) => {
            let middle = near + (far - near) * S::HALF;
            Ok(if middle.is_finite() { middle } else { span.clamp(S::ZERO) })
        }
        None => Err(nearest_parameter(span, half)),
    }
}

/// Closest points of a span and a box.
pub(super) fn span_box<S: Real>(span: &Span<S>, solid: &Obb<S>) -> Closest<S> {
    let local = Span {
        origin: solid.local(span.origin),
        direction: solid.axes.transposed_times(span.direction),
        ..*span
    };
    match meeting_parameter(&local, solid.half) {
        Ok(t) => Closest::common(span.at(t)),
        Err(t) => {
            let b = Vector::clamp(local.at(t), -solid.half, solid.half);
            Closest::between(span.at(t), solid.world(b))
        }
    }
}
