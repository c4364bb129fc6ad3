//! The distance of a frustum and a segment apart from it.
//!
//! The distance from a convex set is a convex function along a line: its derivative has one change of sign, and false position
//! finds it (with the Illinois rule, M. Dowell and P. Jarratt, 1971).

use carom_geometry::primitive::Segment;
use carom_geometry::{Real, Vector};

use super::axes::Gap;
use super::frustum::Frustum;

/// Points looked at before the query gives up; six are usual.
const MAX_POINTS: u32 = 24;

/// A point of the segment and the way to it from the nearest point of the frustum.
#[derive(Clone, Copy)]
struct Probe<S: Real> {
    at: S,
    way: S::Vec3,
    /// Half of how the square of the distance grows along the segment.
    slope: S,
}

/// How far a segment reaches from the origin along the coordinates.
#[inline]
pub(super) fn reach<S: Real>(segment: &Segment<S>) -> S {
    let reach = |p: S::Vec3| Vector::abs(p).max_element();
    Real::max(reach(segment.a), reach(segment.b))
}

/// The gap along a unit vector from the segment to the frustum.
#[inline]
pub(super) fn gap_along<S: Real>(frustum: &Frustum<S>, segment: &Segment<S>, normal: S::Vec3) -> S {
    let low = frustum.low(normal).point;
    Real::min(normal.dot(low - segment.a), normal.dot(low - segment.b))
}

/// The closest points; none if the segment touches the frustum or comes close to that, where the direction would be
/// rounding.
#[inline]
pub(super) fn distance<S: Real>(frustum: &Frustum<S>, segment: &Segment<S>, slack: S) -> Option<Gap<S>> {
    let along = segment.direction();
    let probe = |at: S| {
        let point = segment.a + along * at;
        let way = point - frustum.nearest(point);
        Probe { at, way, slope: way.dot(along) }
    };
    let exact = slack * S::of(0.125) * along.length();
    let mut first = probe(S::ZERO);
    let mut found = first;
    if first.slope < S::ZERO {
        let mut last = probe(S::ONE);
        found = last;
        if last.slope > S::ZERO {
            found = between(&probe, &mut first, &mut last, exact)?;
        }
    }
    let square = found.way.length_squared();
    // An error of the points turns the normal by its ratio to the distance, and the other end of the segment feels that.
    let near = S::of(0.05) * frustum.reach();
    if square <= near * near {
        return None;
    }
    let gap = square.sqrt();
    let on_body = segment.a + along * found.at;
    let on_frustum = on_body - found.way;
    Some(Gap { gap, normal: -found.way / gap, on_body, on_frustum, has_points: true })
}

/// False position between two points with slopes of different signs.
#[inline]
fn between<S: Real>(
    probe: &impl Fn(S) -> Probe<S>,
    first: &mut Probe<S>,
    last: &mut Probe<S>,
    exact: S,
) -> Option<Probe<S>> {
    let (mut low, mut high) = (first.slope, last.slope);
    let mut was_first = None;
    for _ in 0..MAX_POINTS {
        let at = first.at + (last.at - first.at) * (low / (low - high));
        let found = probe(at);
        if found.slope.abs() <= exact {
            return Some(found);
        }
        let is_first = found.slope < S::ZERO;
        // The end that stays twice counts half.
        let is_again = was_first == Some(is_first);
        was_first = Some(is_first);
        if is_first {
            (*first, low) = (found, found.slope);
            high = if is_again { high * S::HALF } else { high };
        } else {
            (*last, high) = (found, found.slope);
            low = if is_again { low * S::HALF } else { low };
        }
    }
    None
}
