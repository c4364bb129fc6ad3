//! The widest gap along the arc of an edge.
//!
//! For directions across an edge both shapes are flat shadows: a corner and a convex shape with a
//! smooth border. Each point of the frustum bounds the gap of all directions by its own height, so
//! two points bound it between the directions they were found for. Where the shadow is rounder than
//! the gap is deep, the gap has one summit, and Newton's method climbs it; elsewhere the arc is cut
//! where the two bounds meet and both parts are searched. The gap has a kink where the direction
//! looks straight at the wall, and there it is widest if it grows on the one side and falls on the
//! other.
//!
//! For a rim of radius R, the axis u and the edge e the radius of curvature of the shadow is R
//! (u·e)² / q³, with q the sine between direction and axis: at least R (u·e)². The gap bends down
//! where that exceeds the overlap, and on arcs of up to a right angle the overlap is at most √2
//! times that of the deeper end; so between two summits it would bend down all the way, and there
//! is one.

use carom_geometry::{Real, Vector};

use super::frustum::Frustum;

/// Most arcs that can wait.
const MAX_OPEN: usize = 12;
/// Steps of Newton's method; three or four are usual.
const MAX_CLIMB: u32 = 20;
/// The same after cutting.
const MAX_POLISH: u32 = 6;

/// How long an arc may be searched. A search that would need more says so: the rest of the arc is
/// not known then.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Parts of the arc looked at.
    pub(super) steps: u32,
    /// Parts that wait, at most [`MAX_OPEN`].
    pub(super) open: usize,
}

impl Limits {
    pub(super) const USUAL: Self = Self { steps: 64, open: MAX_OPEN };
}

/// The limits did not suffice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutOfRoom;

/// A direction at one end of an arc, and the point of the frustum least far along it, seen from the
/// edge.
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

/// May a gap wider than `floor` be between the ends? `along` is the edge, of any length; the gaps
/// at the ends are not wider.
#[inline]
pub(super) fn may_exceed<S: Real>(along: S::Vec3, [first, second]: &[End<S>; 2], floor: S) -> bool {
    // A direction between the ends is a sum of parts of them whose weights add up to one at least,
    // so a point that overlaps by enough at both ends does so between them.
    if floor < S::ZERO && (first.low.dot(second.normal) <= floor || second.low.dot(first.normal) <= floor) {
        return false;
    }
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

/// Half of a right angle: the overlap between two directions of an arc is at most 1/cos of that
/// times the larger one at its ends.
const ARC_FACTOR: f64 = 1.42;

/// Is the shadow of a rim along an edge (of any length) rounder than the gaps of interest are deep?
/// Then no two summits above the floor are on one arc, and where the gap is no deeper than
/// [`ARC_FACTOR`] times the floor, it rises towards the summit.
#[inline]
fn is_round<S: Real>(frustum: &Frustum<S>, rim: usize, along: S::Vec3, floor: S) -> bool {
    let lean = along.dot(frustum.axis);
    let depth = Real::max(-floor, S::ZERO) * S::of(1.5);
    frustum.radii[rim] * lean * lean > depth * along.length_squared()
}

/// Is the gap at this direction one of those of interest?
#[inline]
fn is_high<S: Real>(end: &End<S>, floor: S) -> bool {
    let height = end.normal.dot(end.low);
    height >= if floor < S::ZERO { floor * S::of(ARC_FACTOR) } else { floor }
}

/// May a gap between the ends be wider than the floor? No, if the way from one of the ends leads
/// down from the start. `along` is the edge, of any length.
#[inline]
pub(super) fn has_hill<S: Real>(
    frustum: &Frustum<S>,
    along: S::Vec3,
    [first, second]: &[End<S>; 2],
    floor: S,
    slack: S,
) -> bool {
    let bound = slack * slack * along.length_squared();
    let leads_down = |end: &End<S>, slope: S| {
        (slope <= S::ZERO || slope * slope <= bound)
            && is_high(end, floor)
            && is_round(frustum, end.rim, along, floor)
    };
    !leads_down(first, along.cross(first.normal).dot(first.low))
        && !leads_down(second, -along.cross(second.normal).dot(second.low))
}

/// Where the bounds of both ends meet, or where the bound is highest if it is one.
#[inline]
fn meeting<S: Real>(along: S::Vec3, [first, second]: &[End<S>; 2]) -> Option<S::Vec3> {
    let meeting = along.cross(first.low - second.low);
    match meeting.unit() {
        Some(unit) if unit.dot(first.normal + second.normal) < S::ZERO => Some(-unit),
        Some(unit) => Some(unit),
        None => (first.low - along * along.dot(first.low)).unit(),
    }
}

/// The search on the arc of one edge.
pub(super) struct Search<'f, S: Real> {
    pub(super) frustum: &'f Frustum<S>,
    /// One end of the edge.
    pub(super) tail: S::Vec3,
    /// The edge as a unit vector.
    pub(super) along: S::Vec3,
    /// To be exceeded; the best gap so far.
    pub(super) floor: S,
    /// Lengths below this are rounding.
    pub(super) slack: S,
    pub(super) limits: Limits,
    pub(super) top: Option<Top<S>>,
}

impl<S: Real> Search<'_, S> {
    /// The widest gap between two directions, if it is wider than the floor.
    pub(super) fn run(mut self, ends: [End<S>; 2]) -> Result<Option<Top<S>>, OutOfRoom> {
        let whole = ends;
        let Some([left, right]) = self.settled(&ends) else { return Ok(self.polished(&whole)) };
        let mut open = [left; MAX_OPEN];
        let room = self.limits.open.min(MAX_OPEN);
        if room < 2 {
            return Err(OutOfRoom);
        }
        open[1] = right;
        let mut count = 2;
        for _ in 0..self.limits.steps {
            if count == 0 {
                break;
            }
            count -= 1;
            let ends = open[count];
            // More than by rounding: near a summit bounds and floor are the same.
            if !may_exceed(self.along, &ends, self.floor + self.slack) {
                continue;
            }
            if let Some(halves) = self.settled(&ends) {
                if count + 2 > room {
                    return Err(OutOfRoom);
                }
                (open[count], open[count + 1]) = (halves[0], halves[1]);
                count += 2;
            }
        }
        if count == 0 { Ok(self.polished(&whole)) } else { Err(OutOfRoom) }
    }

    /// The best direction, improved by Newton's method if it was found by cutting.
    #[inline]
    fn polished(self, whole: &[End<S>; 2]) -> Option<Top<S>> {
        let Self { frustum, tail, along, slack, .. } = self;
        let mut top = self.top?;
        for _ in 0..MAX_POLISH {
            let rotated = along.cross(top.normal);
            let slope = rotated.dot(top.low);
            if slope.abs() <= slack {
                break;
            }
            let (_, curvature) = frustum.low_on(frustum.low(top.normal).rim, top.normal, along);
            let bend = top.gap + curvature;
            let Some(normal) = (top.normal + rotated * (slope / bend)).unit().filter(|_| bend > S::ZERO)
            else {
                break;
            };
            let low = frustum.low(normal).point - tail;
            let is_inside = along.cross(whole[0].normal).dot(normal) > S::ZERO
                && along.cross(normal).dot(whole[1].normal) > S::ZERO;
            let gap = normal.dot(low);
            if !is_inside || gap < top.gap - slack {
                break;
            }
            top = Top { gap, normal, low };
        }
        Some(top)
    }

    /// Settles an arc, or cuts it in two.
    #[inline]
    fn settled(&mut self, ends: &[End<S>; 2]) -> Option<[[End<S>; 2]; 2]> {
        let Self { frustum, tail, along, slack, .. } = *self;
        let [first, second] = *ends;
        let is_inside = |n: &S::Vec3| {
            along.cross(first.normal).dot(*n) > S::ZERO && along.cross(*n).dot(second.normal) > S::ZERO
        };
        let is_split = first.rim != second.rim;
        if is_split
            && let Some((shared, side)) = frustum.wall_directions(along)
            && let Some(normal) = [shared + side, shared - side].into_iter().find(is_inside)
        {
            let lows = ends.map(|end| frustum.low_on(end.rim, normal, along).0 - tail);
            let rotated = along.cross(normal);
            let slopes = lows.map(|low| rotated.dot(low));
            if slopes[0] >= S::ZERO && slopes[1] <= S::ZERO {
                // The point of the line on the wall that is straight above the edge.
                let width = slopes[0] - slopes[1];
                let share = if width > S::ZERO { slopes[0] / width } else { S::HALF };
                self.improve(normal, lows[0] + (lows[1] - lows[0]) * share);
            }
            let end = |side: usize| End { normal, low: lows[side], rim: ends[side].rim };
            return Some([[first, end(0)], [end(1), second]]);
        }
        if !has_hill(frustum, along, ends, self.floor, slack) {
            return None;
        }
        if !is_split
            && ends.iter().all(|end| is_high(end, self.floor))
            && is_round(frustum, first.rim, along, self.floor)
            && self.climbed(ends)
        {
            return None;
        }
        if frustum.radii[first.rim] <= S::ZERO && !is_split && first.normal.dot(first.low) <= S::ZERO {
            // The tip alone: the gap is widest at an end.
            return None;
        }
        if (first.normal - second.normal).length_squared() <= S::EPSILON {
            return None;
        }
        let normal = meeting(along, ends).filter(is_inside);
        let normal = normal.or_else(|| (first.normal + second.normal).unit())?;
        let found = frustum.low(normal);
        let middle = End { normal, low: found.point - tail, rim: found.rim };
        self.improve(normal, middle.low);
        Some([[first, middle], [middle, second]])
    }

    /// Takes a direction if it is the best so far.
    #[inline]
    fn improve(&mut self, normal: S::Vec3, low: S::Vec3) {
        let gap = normal.dot(low);
        if gap > self.floor {
            self.floor = gap;
            self.top = Some(Top { gap, normal, low });
        }
    }

    /// Climbs the only summit of an arc by Newton's method; false if it is not on the rim of the
    /// ends.
    #[inline]
    fn climbed(&mut self, ends: &[End<S>; 2]) -> bool {
        let Self { frustum, tail, along, slack, .. } = *self;
        let rim = ends[0].rim;
        let mut ends = *ends;
        let mut newton: Option<S::Vec3> = None;
        for _ in 0..MAX_CLIMB {
            let is_inside = |n: &S::Vec3| {
                along.cross(ends[0].normal).dot(*n) > S::ZERO && along.cross(*n).dot(ends[1].normal) > S::ZERO
            };
            let normal = newton.filter(is_inside).or_else(|| meeting(along, &ends).filter(is_inside));
            let Some(normal) = normal.or_else(|| (ends[0].normal + ends[1].normal).unit()) else { break };
            let (low, curvature) = frustum.low_on(rim, normal, along);
            let low = low - tail;
            let rotated = along.cross(normal);
            let (gap, slope) = (normal.dot(low), rotated.dot(low));
            if slope.abs() <= slack * S::HALF {
                if frustum.low(normal).rim != rim {
                    return false;
                }
                self.improve(normal, low);
                return true;
            }
            ends[usize::from(slope < S::ZERO)] = End { normal, low, rim };
            newton = (normal + rotated * (slope / (gap + curvature))).unit();
        }
        false
    }
}
