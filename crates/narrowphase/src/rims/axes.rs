//! The widest gap, or the least overlap, of a frustum and a body over all directions.
//!
//! Where two convex sets overlap, the shortest way out leads through a place where the border of their Minkowski difference
//! is smooth. For a frustum and a polyhedron these are few: a face against a rim, an end against a corner, the wall
//! against an edge or a corner, a rim against an edge. The first three are formulas, the wall against an edge is a kink of the
//! arc of the edge, a rim against an edge a summit of it; arcs that cannot hold a wider gap than the best one are left out
//! after a few products. So the least overlap is found over all directions, with a proof and not by descent.
//!
//! For sets apart the widest gap is the distance if it belongs to a point of each; that is checked. Corners against
//! rims, which the directions above do not include, are found by going from corner to nearest point and back.

use carom_geometry::{Real, Vector};

use super::arc::{self, End};
use super::bodies::{Arc, Body, MAX_DIRECTIONS};
use super::frustum::Frustum;

/// What is known of the pair.
#[derive(Clone, Copy)]
pub(super) enum Found<S: Real> {
    /// Farther apart than the margin, along this direction from the body to the frustum.
    Apart(S::Vec3),
    /// The widest gap.
    Near(Gap<S>),
    /// Apart, but by less than the margin, and it is not known which points are the closest.
    Open(Gap<S>),
}

/// A gap along a direction; an overlap if it is below zero.
#[derive(Clone, Copy)]
pub(super) struct Gap<S: Real> {
    pub(super) gap: S,
    /// Unit vector from the body to the frustum.
    pub(super) normal: S::Vec3,
    pub(super) on_body: S::Vec3,
    pub(super) on_frustum: S::Vec3,
    /// The points belong to the shapes.
    pub(super) is_proved: bool,
}

impl<S: Real> Gap<S> {
    const NONE: Self = Self {
        gap: S::NEG_INFINITY,
        normal: S::Vec3::ZERO,
        on_body: S::Vec3::ZERO,
        on_frustum: S::Vec3::ZERO,
        is_proved: false,
    };

    /// With the point of the frustum given.
    #[inline]
    fn above(gap: S, normal: S::Vec3, on_frustum: S::Vec3) -> Self {
        Self { gap, normal, on_body: on_frustum - normal * gap, on_frustum, is_proved: false }
    }

    /// With the point of the body given.
    #[inline]
    fn below(gap: S, normal: S::Vec3, on_body: S::Vec3) -> Self {
        Self { gap, normal, on_body, on_frustum: on_body + normal * gap, is_proved: false }
    }
}

/// Rounds of going to and fro between nearest points.
const ROUNDS: u32 = 3;

/// Searches all directions; `margin` is how far apart is far enough, `hint` a unit vector to try first, or null.
#[inline]
pub(super) fn search<S: Real, B: Body<S>>(
    frustum: &Frustum<S>,
    body: &B,
    margin: S,
    hint: S::Vec3,
) -> Option<Found<S>> {
    let count = body.directions();
    let mut best = Gap::NONE;
    let mut start = None;
    // A gap that is there along some direction: the widest is no narrower.
    let mut known = S::NEG_INFINITY;
    if hint == S::Vec3::ZERO {
        start = Some(body.towards(frustum.centre, body.middle()));
    } else {
        let (gap, corner) = gap_along(frustum, body, hint);
        if gap > margin {
            return Some(Found::Apart(hint));
        }
        known = gap;
        // Those that overlapped may well still do.
        if gap > S::ZERO {
            start = Some(corner);
        }
    }
    let slack = slack(frustum, body);
    known -= slack;
    if let Some(start) = start {
        match to_and_fro(frustum, body, start, margin, slack) {
            Chase::Apart(normal) => return Some(Found::Apart(normal)),
            Chase::Closest(gap) => return Some(Found::Near(gap)),
            Chase::Vain => {}
        }
    }
    if count > MAX_DIRECTIONS {
        return None;
    }
    if count <= 8 {
        directions::<S, B, 8>(frustum, body, &mut best, known, slack);
    } else {
        directions::<S, B, MAX_DIRECTIONS>(frustum, body, &mut best, known, slack);
    }
    if best.gap > margin {
        return Some(Found::Apart(best.normal));
    }
    if best.gap < known - slack {
        // A corner against a rim, or rounding.
        return (known > S::ZERO).then_some(Found::Open(Gap { normal: hint, ..best }));
    }
    let proof = S::of(2.0) * slack;
    if best.gap <= S::ZERO {
        best.is_proved = body.has(best.on_body, proof) && frustum.has(best.on_frustum, proof);
        return Some(Found::Near(best));
    }
    if body.has(best.on_body, proof) && frustum.has(best.on_frustum, proof) {
        return Some(Found::Near(Gap { is_proved: true, ..best }));
    }
    let corner = gap_along(frustum, body, best.normal).1;
    Some(match to_and_fro(frustum, body, corner, margin, slack) {
        Chase::Apart(normal) => Found::Apart(normal),
        Chase::Closest(gap) => Found::Near(gap),
        Chase::Vain => Found::Open(best),
    })
}

/// Lengths below this are rounding.
#[inline]
pub(super) fn slack<S: Real, B: Body<S>>(frustum: &Frustum<S>, body: &B) -> S {
    S::of(8.0) * S::EPSILON * (frustum.reach() + body.reach())
}

/// The gap along a unit vector, and the farthest corner of the body.
#[inline]
pub(super) fn gap_along<S: Real, B: Body<S>>(
    frustum: &Frustum<S>,
    body: &B,
    normal: S::Vec3,
) -> (S, S::Vec3) {
    let corner = body.farthest(normal);
    (normal.dot(frustum.low(normal).point - corner), corner)
}

enum Chase<S: Real> {
    Apart(S::Vec3),
    Closest(Gap<S>),
    Vain,
}

/// From a point to the nearest one of the frustum, back to the nearest one of the body (or its corner farthest that way),
/// and on.
#[inline]
fn to_and_fro<S: Real, B: Body<S>>(
    frustum: &Frustum<S>,
    body: &B,
    mut point: S::Vec3,
    margin: S,
    slack: S,
) -> Chase<S> {
    for _ in 0..ROUNDS {
        let nearest = frustum.nearest(point);
        let way = nearest - point;
        let square = way.length_squared();
        if square <= slack * slack * S::of(1e6) {
            // Inside, or too near for the direction to be exact.
            break;
        }
        let distance = square.sqrt();
        let normal = way / distance;
        let (gap, corner) = gap_along(frustum, body, normal);
        if gap > margin {
            return Chase::Apart(normal);
        }
        if gap >= distance - slack && normal.dot(corner - point) <= slack && body.has(point, slack) {
            let found = Gap { gap: distance, normal, on_body: point, on_frustum: nearest, is_proved: true };
            return Chase::Closest(found);
        }
        let next = body.towards(nearest, corner);
        if next == point {
            break;
        }
        point = next;
    }
    Chase::Vain
}

/// All directions that may have the least overlap; `N` is at least their number.
#[inline]
fn directions<S: Real, B: Body<S>, const N: usize>(
    frustum: &Frustum<S>,
    body: &B,
    best: &mut Gap<S>,
    known: S,
    slack: S,
) {
    let nowhere = End { normal: S::Vec3::ZERO, low: S::Vec3::ZERO, rim: 0 };
    let mut ends = [nowhere; N];
    // Faces against rims.
    for (k, place) in ends.iter_mut().enumerate().take(body.directions()) {
        let (normal, offset) = body.direction(k);
        let low = frustum.low(normal);
        *place = End { normal, low: low.point, rim: low.rim };
        let gap = normal.dot(low.point) - offset;
        if gap > best.gap {
            *best = Gap::above(gap, normal, low.point);
        }
    }
    // Ends against corners; the tip of a cone has no end.
    for (rim, normal) in [(0, frustum.axis), (1, -frustum.axis)] {
        if frustum.radii[rim] > S::ZERO {
            let corner = body.farthest(normal);
            let gap = normal.dot(frustum.centre - corner) - frustum.half;
            if gap > best.gap + slack {
                *best = Gap::below(gap, normal, corner);
            }
        }
    }
    // The wall against the corner that is least far beyond it.
    let (mut least, mut innermost) = (S::INFINITY, S::Vec3::ZERO);
    body.each_corner(|corner| {
        let beyond = frustum.beyond_wall(corner);
        if beyond < least {
            (least, innermost) = (beyond, corner);
        }
    });
    if least > best.gap + slack {
        let normal = frustum.inwards(innermost);
        let (gap, corner) = gap_along(frustum, body, normal);
        if gap > best.gap + slack {
            *best = Gap::below(gap, normal, corner);
        }
    }
    // The wall and the rims against edges.
    body.each_arc(|Arc { between: [i, j], tail, along }| {
        let seen = |end: &End<S>| End { low: end.low - tail, ..*end };
        let pair = [seen(&ends[i]), seen(&ends[j])];
        let floor = Real::max(best.gap, known);
        let is_long = pair[0].normal.dot(pair[1].normal) < -S::EPSILON;
        if (is_long
            || arc::has_hill(frustum, along, &pair, floor, slack) && arc::may_exceed(along, &pair, floor))
            && let Some(along) = along.unit()
            && let Some(top) =
                summit(arc::Search { frustum, tail, along, floor, slack, top: None }, pair, is_long)
        {
            *best = Gap::above(top.gap, top.normal, top.low + tail);
        }
    });
}

/// The summit of an arc, cut in two where it is longer than a right angle.
#[inline]
fn summit<S: Real>(search: arc::Search<'_, S>, pair: [End<S>; 2], is_long: bool) -> Option<arc::Top<S>> {
    if !is_long {
        return search.run(pair);
    }
    // Not in the middle, where a symmetric body has its wall or edge.
    let normal = (pair[0].normal * S::of(0.9) + pair[1].normal).unit()?;
    let low = search.frustum.low(normal);
    let middle = End { normal, low: low.point - search.tail, rim: low.rim };
    let arc::Search { frustum, tail, along, slack, floor, .. } = search;
    let first = search.run([pair[0], middle]);
    let floor = first.map_or(floor, |top| top.gap);
    arc::Search { frustum, tail, along, floor, slack, top: first }.run([middle, pair[1]])
}
