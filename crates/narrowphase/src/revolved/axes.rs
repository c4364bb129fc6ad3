//! The widest gap, or the least overlap, of a frustum and a body over all directions.
//!
//! Where two convex sets overlap, the shortest way out leads through a place where the border of
//! their Minkowski difference is smooth. For a frustum and a polyhedron these are few: a face
//! against a rim, an end against a corner, the wall against an edge or a corner, a rim against an
//! edge. The first three are formulas, the wall against an edge is a kink of the arc of the edge, a
//! rim against an edge a summit of it; arcs that cannot hold a wider gap than the best one are left
//! out after a few products.
//!
//! What is checked of every answer: that the support functions give the same gap along the normal,
//! and whether both points belong to their sets. For sets apart that makes the gap the distance, as
//! no distance is below a gap nor above that of two points. For sets that overlap it makes the
//! overlap one that is there; that no direction has less rests on the list above, and on the tests.
//! Corners against rims, which the list does not include, are found by going from corner to nearest
//! point and back.

use carom_geometry::{Real, Vector};

use super::AxisHint;
use super::arc::{self, End, Limits, OutOfRoom};
use super::bodies::{Arc, Body, MAX_DIRECTIONS};
use super::frustum::Frustum;

/// What is known of the pair.
#[derive(Clone, Copy)]
pub(super) enum Found<S: Real> {
    /// Farther apart than the speculative distance, along this direction from the body to the
    /// frustum.
    Apart(S::Vec3),
    /// The widest gap.
    Near(Gap<S>),
    /// Apart along this direction, but neither is it known whether by more than the speculative
    /// distance, nor which points are the closest.
    Open(S::Vec3),
}

/// A gap along a direction; an overlap if it is below zero.
#[derive(Clone, Copy)]
pub(super) struct Gap<S: Real> {
    pub(super) gap: S,
    /// Unit vector from the body to the frustum.
    pub(super) normal: S::Vec3,
    pub(super) on_body: S::Vec3,
    pub(super) on_frustum: S::Vec3,
    /// The points were found to belong to the shapes.
    pub(super) has_points: bool,
}

impl<S: Real> Gap<S> {
    pub(super) const NONE: Self = Self {
        gap: S::NEG_INFINITY,
        normal: S::Vec3::ZERO,
        on_body: S::Vec3::ZERO,
        on_frustum: S::Vec3::ZERO,
        has_points: false,
    };

    /// With the point of the frustum given.
    #[inline]
    fn above(gap: S, normal: S::Vec3, on_frustum: S::Vec3) -> Self {
        Self { gap, normal, on_body: on_frustum - normal * gap, on_frustum, has_points: false }
    }

    /// With the point of the body given.
    #[inline]
    fn below(gap: S, normal: S::Vec3, on_body: S::Vec3) -> Self {
        Self { gap, normal, on_body, on_frustum: on_body + normal * gap, has_points: false }
    }
}

/// Directions of a box, and of less.
const FEW_DIRECTIONS: usize = 8;
/// Rounds of going to and fro between nearest points.
const ROUNDS: u32 = 3;
/// The same while the points are far apart.
const FAR_ROUNDS: u32 = 8;

/// Searches all directions; `speculative_distance` is how far apart is far enough. None if the arcs
/// need more than the limits, or if the answer does not agree with the support functions.
#[inline]
pub(super) fn search<S: Real, B: Body<S>>(
    frustum: &Frustum<S>,
    body: &B,
    speculative_distance: S,
    hint: &AxisHint<S>,
    limits: Limits,
) -> Option<Found<S>> {
    let mut start = None;
    // A gap that is there along some direction: the widest is no narrower.
    let (mut known, mut axis) = (S::NEG_INFINITY, hint.axis);
    if hint.axis != S::Vec3::ZERO {
        let (gap, corner) = gap_along(frustum, body, hint.axis);
        if gap > speculative_distance {
            return Some(Found::Apart(hint.axis));
        }
        known = gap;
        // Those that overlapped may well still do.
        if gap > S::ZERO {
            start = Some(corner);
        }
    } else if !hint.overlaps {
        let middle = body.middle();
        // Most pairs far apart are so from middle to middle.
        let way = frustum.centre - middle;
        let square = way.length_squared();
        if square > speculative_distance * speculative_distance {
            let normal = way / square.sqrt();
            let (gap, _) = gap_along(frustum, body, normal);
            if gap > speculative_distance {
                return Some(Found::Apart(normal));
            }
        }
        start = Some(body.towards(frustum.centre, middle));
    }
    let slack = slack(frustum, body);
    if let Some(start) = start {
        match to_and_fro(frustum, body, start, speculative_distance, slack) {
            Chase::Apart(normal) => return Some(Found::Apart(normal)),
            Chase::Closest(gap) => return Some(Found::Near(gap)),
            Chase::Vain { widest, normal, is_far } => {
                if widest > known {
                    (known, axis) = (widest, normal);
                }
                if is_far && known > S::ZERO {
                    return Some(Found::Open(axis));
                }
            }
        }
    }
    known -= slack;
    let mut best = Gap::NONE;
    if body.directions() <= FEW_DIRECTIONS {
        directions::<S, B, FEW_DIRECTIONS>(frustum, body, &mut best, known, slack, limits).ok()?;
    } else {
        directions::<S, B, MAX_DIRECTIONS>(frustum, body, &mut best, known, slack, limits).ok()?;
    }
    if best.gap < known - slack {
        // A corner against a rim, or rounding.
        return (known > S::ZERO).then_some(Found::Open(axis));
    }
    let (along, corner) = gap_along(frustum, body, best.normal);
    let tolerance = S::of(2.0) * slack;
    if (along - best.gap).abs() > tolerance {
        return None;
    }
    if best.gap > speculative_distance {
        return Some(Found::Apart(best.normal));
    }
    best.has_points = body.has(best.on_body, tolerance) && frustum.has(best.on_frustum, tolerance);
    if best.has_points || best.gap <= S::ZERO {
        return Some(Found::Near(best));
    }
    Some(match to_and_fro(frustum, body, corner, speculative_distance, slack) {
        Chase::Apart(normal) => Found::Apart(normal),
        Chase::Closest(gap) => Found::Near(gap),
        Chase::Vain { .. } => Found::Open(best.normal),
    })
}

/// Lengths below this are rounding.
#[inline]
pub(super) fn slack<S: Real, B: Body<S>>(frustum: &Frustum<S>, body: &B) -> S {
    slack_of(frustum, body.reach())
}

/// The same for a body with this reach.
#[inline]
pub(super) fn slack_of<S: Real>(frustum: &Frustum<S>, reach: S) -> S {
    S::of(8.0) * S::EPSILON * (frustum.reach() + reach)
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
    Vain {
        /// The widest gap on the way, and its direction.
        widest: S,
        normal: S::Vec3,
        /// The last two points were much farther apart than the speculative distance.
        is_far: bool,
    },
}

/// From a point to the nearest one of the frustum, back to the nearest one of the body (or its
/// corner farthest that way), and on.
#[inline]
fn to_and_fro<S: Real, B: Body<S>>(
    frustum: &Frustum<S>,
    body: &B,
    mut point: S::Vec3,
    speculative_distance: S,
    slack: S,
) -> Chase<S> {
    let (mut widest, mut best) = (S::NEG_INFINITY, S::Vec3::ZERO);
    let mut is_far = false;
    for round in 0..FAR_ROUNDS {
        let nearest = frustum.nearest(point);
        let way = nearest - point;
        let square = way.length_squared();
        let distance = square.sqrt();
        is_far = distance > S::of(4.0) * speculative_distance;
        if round >= ROUNDS && !is_far || square <= slack * slack * S::of(1e6) {
            // Inside, or too near for the direction to be exact.
            break;
        }
        let normal = way / distance;
        let (gap, corner) = gap_along(frustum, body, normal);
        if gap > speculative_distance {
            return Chase::Apart(normal);
        }
        if gap >= distance - slack && normal.dot(corner - point) <= slack && body.has(point, slack) {
            let found = Gap { gap: distance, normal, on_body: point, on_frustum: nearest, has_points: true };
            return Chase::Closest(found);
        }
        if gap > widest {
            (widest, best) = (gap, normal);
        }
        let next = body.towards(nearest, corner);
        if next == point {
            break;
        }
        point = next;
    }
    Chase::Vain { widest, normal: best, is_far }
}

/// All directions that may have the least overlap; `N` is at least their number.
#[inline]
fn directions<S: Real, B: Body<S>, const N: usize>(
    frustum: &Frustum<S>,
    body: &B,
    best: &mut Gap<S>,
    known: S,
    slack: S,
    limits: Limits,
) -> Result<(), OutOfRoom> {
    let nowhere = End { normal: S::Vec3::ZERO, low: S::Vec3::ZERO, rim: 0 };
    let mut ends = [nowhere; N];
    // Faces against rims.
    for (k, pose) in ends.iter_mut().enumerate().take(body.directions()) {
        let (normal, offset) = body.direction(k);
        let low = frustum.low(normal);
        *pose = End { normal, low: low.point, rim: low.rim };
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
    let mut outcome = Ok(());
    body.each_arc(|Arc { between: [i, j], tail, along }| {
        let seen = |end: &End<S>| End { low: end.low - tail, ..*end };
        let pair = [seen(&ends[i]), seen(&ends[j])];
        let mut on_arc = |best: &mut Gap<S>, pair: &[End<S>; 2]| {
            let floor = Real::max(best.gap, known);
            if arc::may_exceed(along, pair, floor)
                && arc::has_hill(frustum, along, pair, floor, slack)
                && let Some(along) = along.unit()
            {
                let search = arc::Search { frustum, tail, along, floor, slack, limits, top: None };
                match search.run(*pair) {
                    Ok(Some(top)) => *best = Gap::above(top.gap, top.normal, top.low + tail),
                    Ok(None) => {}
                    Err(out) => outcome = Err(out),
                }
            }
        };
        if pair[0].normal.dot(pair[1].normal) >= -S::EPSILON {
            on_arc(best, &pair);
        } else if let Some(normal) = (pair[0].normal * S::of(0.9) + pair[1].normal).unit() {
            // Longer than a right angle: cut in two, and not in the middle, where a symmetric body
            // has its wall or edge.
            let low = frustum.low(normal);
            let middle = End { normal, low: low.point - tail, rim: low.rim };
            let gap = normal.dot(middle.low);
            if gap > best.gap {
                *best = Gap::above(gap, normal, low.point);
            }
            on_arc(best, &[pair[0], middle]);
            on_arc(best, &[middle, pair[1]]);
        }
    });
    outcome
}

#[cfg(test)]
mod tests {
    use carom_geometry::shape::{Cuboid, Cylinder};
    use carom_geometry::{Pose, Rotation};
    use glam::{DVec3, Vec3};

    use super::*;

    /// Places that fill space evenly enough, by multiples of irrational numbers.
    fn places() -> impl Iterator<Item = Pose> {
        (1..4000).map(|k| {
            let share = |step: f64| (f64::from(k) * step).fract() * 2.0 - 1.0;
            let axis = DVec3::new(share(0.618_034), share(0.414_214), share(0.732_051));
            let w = share(0.236_068);
            let length = (axis.length_squared() + w * w).sqrt();
            let rotation = Rotation::<f32> { xyz: (axis / length).as_vec3(), w: (w / length) as f32 };
            let translation = DVec3::new(share(0.645_751), share(0.316_625), share(0.605_551)) * 0.5;
            Pose { rotation, translation: translation.as_vec3() }
        })
    }

    #[test]
    fn searches_without_room_give_no_answer() {
        let plank = Cuboid { half: Vec3::new(0.6, 0.3, 0.4) };
        let cylinder = Cylinder::<f32>::new(0.3, 0.7).unwrap();
        let cramped =
            [Limits { steps: 64, open: 2 }, Limits { steps: 2, open: 8 }, Limits { steps: 0, open: 0 }];
        let mut refused = [0; 3];
        let mut answered = [0; 3];
        for pose in places() {
            let frustum = Frustum::of_cylinder(&cylinder, &pose).unwrap();
            let hint = AxisHint { overlaps: true, ..AxisHint::default() };
            let roomy = search(&frustum, &plank, f32::INFINITY, &hint, Limits::USUAL);
            let Some(Found::Near(expected)) = roomy else { continue };
            for (k, limits) in cramped.into_iter().enumerate() {
                match search(&frustum, &plank, f32::INFINITY, &hint, limits) {
                    None => refused[k] += 1,
                    // Room was not short: the same to the bit.
                    Some(Found::Near(found)) => {
                        answered[k] += 1;
                        assert_eq!((found.gap, found.normal), (expected.gap, expected.normal), "{pose:?}");
                    }
                    Some(_) => panic!("another answer at {pose:?}"),
                }
            }
        }
        assert!(refused.iter().all(|&count| count > 10), "{refused:?}, {answered:?}");
        assert!(answered.iter().all(|&count| count > 100), "{refused:?}, {answered:?}");
    }
}
