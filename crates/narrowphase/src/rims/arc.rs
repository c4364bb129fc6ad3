//! The widest gap along the arc of an edge.
//!
//! For directions across an edge both shapes are flat shadows: a corner and a convex shape with a smooth border. Each point of
//! the frustum bounds the gap of all directions by its own height, so two points bound it between the directions they were
//! found for; where these two bounds meet is the next direction, or where Newton's method says. The gap has a kink where the
//! direction looks straight at the wall, and there it is widest if it grows on the one side and falls on the other.

use carom_geometry::{Real, Vector};

use super::frustum::Frustum;

/// Steps after which the best direction so far is the answer; five are usual.
const MAX_STEPS: u32 = 40;

/// A direction at one end of an arc, and the point of the frustum least far along it, seen from the edge.
#[derive(Clone, Copy)]
pub(super) struct End<S: Real> {
    pub(super) normal: S::Vec3,
    pub(super) low: S::Vec3,
    pub(super) rim: usize,
}

/// The widest gap of an arc.
#[derive(Clone, Copy)]
pub(super) struct Top<S: Real> {
    pub(super) gap: S,
    pub(super) normal: S::Vec3,
    /// The point of the frustum, seen from the edge.
    pub(super) low: S::Vec3,
}

/// May a gap wider than `floor` be between the ends? `along` is the edge, of any length.
#[inline]
pub(super) fn may_exceed<S: Real>(along: S::Vec3, [first, second]: &[End<S>; 2], floor: S) -> bool {
    let meeting = along.cross(first.low - second.low);
    let square = meeting.length_squared();
    if square <= S::ZERO {
        // One point bounds the whole arc; it has a summit inside if it lies that way.
        return along.cross(first.normal).dot(first.low) > S::ZERO
            && along.cross(second.normal).dot(second.low) < S::ZERO;
    }
    let height = meeting.dot(first.low) * meeting.dot(first.normal + second.normal).sign_of(S::ONE);
    // height > floor · |meeting|, without the root.
    if floor < S::ZERO {
        height >= S::ZERO || height * height < floor * floor * square
    } else {
        height > S::ZERO && height * height > floor * floor * square
    }
}

/// The widest gap between the ends, if it is wider than `floor`; `along` is the edge as a unit vector and `tail` one of
/// its ends. Where the gap is known to `slack` and the points agree to it, the search is over.
pub(super) fn summit<S: Real>(
    frustum: &Frustum<S>,
    tail: S::Vec3,
    along: S::Vec3,
    mut ends: [End<S>; 2],
    floor: S,
    slack: S,
) -> Option<Top<S>> {
    let mut top: Option<Top<S>> = None;
    let mut newton: Option<S::Vec3> = None;
    let mut is_single = false;
    for _ in 0..MAX_STEPS {
        let is_inside = |n: S::Vec3| {
            along.cross(ends[0].normal).dot(n) > S::ZERO && along.cross(n).dot(ends[1].normal) > S::ZERO
        };
        if ends[0].rim != ends[1].rim && !is_single {
            is_single = true;
            if let Some((shared, side)) = frustum.wall_directions(along)
                && let Some(normal) = [shared + side, shared - side].into_iter().find(|n| is_inside(*n))
            {
                let turned = along.cross(normal);
                let lows = ends.map(|end| frustum.low_on(end.rim, normal, along).0 - tail);
                let slopes = lows.map(|low| turned.dot(low));
                let gap = normal.dot(lows[0]);
                if slopes[0] >= S::ZERO && slopes[1] <= S::ZERO {
                    // The point of the line on the wall that is straight above the edge.
                    let width = slopes[0] - slopes[1];
                    let share = if width > S::ZERO { slopes[0] / width } else { S::HALF };
                    let low = lows[0] + (lows[1] - lows[0]) * share;
                    return (gap > floor).then_some(Top { gap, normal, low });
                }
                let uphill = usize::from(slopes[0] < S::ZERO);
                ends[uphill] = End { normal, low: lows[1 - uphill], rim: ends[1 - uphill].rim };
                continue;
            }
        }
        let normal = match newton.take().filter(|n| is_inside(*n)) {
            Some(normal) => normal,
            None => {
                if !may_exceed(along, &ends, top.map_or(floor, |t| Real::max(t.gap, floor))) {
                    break;
                }
                let mut meeting = along.cross(ends[0].low - ends[1].low);
                if meeting.dot(ends[0].normal + ends[1].normal) < S::ZERO {
                    meeting = -meeting;
                }
                if meeting.length_squared() <= S::ZERO {
                    meeting = ends[0].low - along * along.dot(ends[0].low);
                }
                match meeting.unit().filter(|n| is_inside(*n)) {
                    Some(normal) => normal,
                    None => break,
                }
            }
        };
        let rim = frustum.low(normal).rim;
        let (low, curvature) = frustum.low_on(rim, normal, along);
        let low = low - tail;
        let turned = along.cross(normal);
        let (gap, slope) = (normal.dot(low), turned.dot(low));
        if top.is_none_or(|top| gap >= top.gap) {
            top = Some(Top { gap, normal, low });
        }
        if slope.abs() <= slack {
            break;
        }
        ends[usize::from(slope < S::ZERO)] = End { normal, low, rim };
        let bend = gap + curvature;
        newton = if bend > S::ZERO { (normal + turned * (slope / bend)).unit() } else { None };
    }
    top.filter(|top| top.gap > floor)
}
