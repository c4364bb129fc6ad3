//! The distance of a frustum and a segment apart from it.
//!
//! The distance from a convex set is a convex function along a line: its derivative has one change
//! of sign, and false position finds it (with the Illinois rule, M. Dowell and P. Jarratt, 1971).
//! For a cylinder its growth is known too, and Newton's method needs half the steps.

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
    frustum.lowest(normal) - Real::max(normal.dot(segment.a), normal.dot(segment.b))
}

/// The closest points; none if the segment touches the frustum or comes close to that, where the
/// direction would be rounding.
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
            found = if frustum.is_cylinder() {
                probe(over_cylinder(frustum, segment, [first.slope, last.slope], exact)?)
            } else {
                between(&probe, &mut first, &mut last, exact)?
            };
        }
    }
    let square = found.way.length_squared();
    // An error of the points turns the normal by its ratio to the distance, and the other end of
    // the segment feels that.
    let near = S::of(0.05) * frustum.reach();
    if square <= near * near {
        return None;
    }
    let gap = square.sqrt();
    let on_body = segment.a + along * found.at;
    let on_frustum = on_body - found.way;
    Some(Gap { gap, normal: -found.way / gap, on_body, on_frustum, has_points: true })
}

/// The place on a segment nearest to a cylinder, between ends with these slopes: Newton's method,
/// kept between the places where the slope is known to be negative and positive.
#[inline]
fn over_cylinder<S: Real>(frustum: &Frustum<S>, segment: &Segment<S>, slopes: [S; 2], exact: S) -> Option<S> {
    let axis = frustum.axis;
    let parts = |v: S::Vec3| {
        let rise = axis.dot(v);
        (rise, v - axis * rise)
    };
    let (height, across) = parts(segment.a - frustum.centre);
    let (climb, along) = parts(segment.direction());
    let (radius, half) = (frustum.radii[0], frustum.half);
    let (steep, wide) = (climb * climb, along.length_squared());
    let (mut low, mut high) = (S::ZERO, S::ONE);
    let mut at = slopes[0] / (slopes[0] - slopes[1]);
    for _ in 0..MAX_POINTS {
        let (z, out) = (height + climb * at, across + along * at);
        let distance = out.length();
        let (mut slope, mut growth) = (S::ZERO, S::ZERO);
        if distance > radius {
            let (by_distance, rotation) = (S::ONE / distance, out.dot(along));
            let share = S::ONE - radius * by_distance;
            let outwards = rotation * by_distance;
            slope = share * rotation;
            growth = share * wide + radius * by_distance * outwards * outwards;
        }
        let beyond = z.abs() - half;
        if beyond > S::ZERO {
            slope += z.sign_of(beyond) * climb;
            growth += steep;
        }
        if slope.abs() <= exact {
            return Some(at);
        }
        if slope < S::ZERO {
            low = at;
        } else {
            high = at;
        }
        let next = at - slope / growth;
        at = if next > low && next < high { next } else { (low + high) * S::HALF };
    }
    None
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
