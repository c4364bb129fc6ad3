//! Two cylinders: the widest gap, or the least overlap, by climbing.
//!
//! Along a direction n a cylinder reaches r·sin + h·|cos| of the angle to its axis. So with c from
//! the first middle to the second the gap is n·c less both reaches, a smooth function on the sphere
//! but for ridges across each axis, where n looks straight at a wall, and a tip over each end. Its
//! slope is the tangent part of c less the points that lie farthest along n. On a ridge or a tip
//! these points are a whole line or disc, and the slope is what the best choice among them leaves;
//! where nothing is left there is a summit, and the choice is the contact. Elsewhere Newton's
//! method climbs on: two rims have a curvature of rank one each.
//!
//! Apart from each other the two have one summit only, as the gap is a concave function of vectors
//! of any length. Where they overlap there may be several, one for each way out, and all starts are
//! climbed from: the way to the middle, the same across each axis, both ends, the walls across each
//! other. That these reach the highest summit is not proved. In tests against EPA they miss it
//! about once in a million places where the overlap exceeds half of the smaller radius, and never
//! below that: deeper ones are left to EPA.

use carom_geometry::{Real, Vector};

use super::axes::{Found, Gap};
use super::frustum::Frustum;

/// Steps of one climb; six are usual.
const MAX_STEPS: u32 = 40;
/// Directions to climb from.
const STARTS: usize = 7;
/// Cosine of the angle to a summit from which all ways over the same rims and walls lead to it.
const SAME_HILL: f64 = 0.95;
/// Overlaps of more than so many radii of the thinner one are left open: they may have several
/// summits close together.
const DEEP: f64 = 0.5;
/// Largest step, as the tangent of its angle.
const LONG_STEP: f64 = 1.0;
/// The step where the gap bends the wrong way.
const BLIND_STEP: f64 = 0.3;

/// Sines below so many roundings are null.
const TINY: f64 = 16.0;

/// Where a direction is as one of the cylinders sees it; the number is the side of the middle that
/// it looks to, 1 or −1.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Spot<S> {
    /// At a rim.
    Rim(S),
    /// Straight at the wall.
    Wall,
    /// Straight at an end.
    End(S),
}

/// A direction, and where it is for both.
#[derive(Clone, Copy)]
struct Stand<S: Real> {
    normal: S::Vec3,
    spots: [Spot<S>; 2],
}

/// What one of the cylinders looks like along a direction.
#[derive(Clone, Copy)]
struct View<S: Real> {
    /// Cosine of the angle to its axis, and 1 / sine.
    rise: S,
    /// Null where the sine is rounding.
    by_length: S,
    /// Unit vector along its rim.
    along: S::Vec3,
    /// Unit vector away from its axis.
    out: S::Vec3,
}

/// The slope of the gap at a direction: the part that no choice of points takes away.
struct Slope<S: Real> {
    rest: S::Vec3,
    /// How far along walls and ends the chosen points lie from their middles.
    shifts: [S::Vec3; 2],
    /// Where to go on from here: ridges and tips that the slope leads down from are left.
    spots: [Spot<S>; 2],
    has_left: bool,
}

/// How a climb ends.
enum Climb<S: Real> {
    Summit(Gap<S>),
    /// On the way to a summit that is known.
    Known,
    /// Where the gap is wider than the speculative distance.
    Apart(S::Vec3),
    /// Too many steps.
    Lost,
}

/// The summits found before.
struct Summits<S: Real> {
    found: [Option<Stand<S>>; STARTS],
    count: usize,
}

impl<S: Real> Summits<S> {
    #[inline]
    fn add(&mut self, stand: &Stand<S>) {
        if let Some(pose) = self.found.get_mut(self.count) {
            *pose = Some(*stand);
            self.count += 1;
        }
    }

    /// Does the way from here lead to a known one?
    #[inline]
    fn has(&self, stand: &Stand<S>) -> bool {
        self.found[..self.count]
            .iter()
            .flatten()
            .any(|summit| summit.normal.dot(stand.normal) > S::of(SAME_HILL) && summit.spots == stand.spots)
    }
}

/// A vector of about length 1 made as long as that.
#[inline]
fn unit<S: Real>(vector: S::Vec3) -> S::Vec3 {
    vector * (S::ONE / vector.length())
}

/// Two cylinders, in any frame.
pub(super) struct CylinderCylinder<S: Real> {
    /// From the middle of the first to that of the second.
    way: S::Vec3,
    middle: S::Vec3,
    axes: [S::Vec3; 2],
    radii: [S; 2],
    halves: [S; 2],
    /// The axes are not parallel.
    is_skew: bool,
    slack: S,
}

impl<S: Real> CylinderCylinder<S> {
    #[inline]
    pub(super) fn new(a: &Frustum<S>, b: &Frustum<S>) -> Self {
        Self {
            way: b.centre - a.centre,
            middle: a.centre,
            axes: [a.axis, b.axis],
            radii: [a.radii[0], b.radii[0]],
            halves: [a.half, b.half],
            is_skew: a.axis.cross(b.axis).length_squared() > S::of(64.0) * S::EPSILON,
            slack: S::of(4.0) * S::EPSILON * (a.reach() + b.reach()),
        }
    }

    /// The widest gap, from the first cylinder to the second; none if a climb does not end. `hint`
    /// is a unit vector to be tried first, or null.
    pub(super) fn search(&self, speculative_distance: S, hint: S::Vec3) -> Option<Found<S>> {
        let mut best = Gap::NONE;
        let mut summits = Summits { found: [None; STARTS], count: 0 };
        let mut is_lost = false;
        for start in self.starts(hint).into_iter().flatten() {
            match self.climb(start, speculative_distance, &mut summits) {
                // Apart from each other there is one summit.
                Climb::Summit(found) if found.gap > self.slack => return Some(Found::Near(found)),
                Climb::Summit(found) if found.gap > best.gap => best = found,
                Climb::Summit(_) | Climb::Known => {}
                Climb::Apart(normal) => return Some(Found::Apart(normal)),
                Climb::Lost => is_lost = true,
            }
        }
        let is_deep = -best.gap > S::of(DEEP) * Real::min(self.radii[0], self.radii[1]);
        (!is_deep && !is_lost).then_some(Found::Near(best))
    }

    /// Directions to climb from, the most promising ones first.
    #[inline]
    fn starts(&self, hint: S::Vec3) -> [Option<Stand<S>>; STARTS] {
        let way = self.way;
        let side = |n: S::Vec3| n.dot(way).sign_of(S::ONE);
        let towards = |n: S::Vec3| n * side(n);
        let free = |normal: S::Vec3| Stand {
            normal,
            spots: self.axes.map(|axis| Spot::Rim(normal.dot(axis).sign_of(S::ONE))),
        };
        let end = |i: usize| {
            let sign = side(self.axes[i]);
            let mut stand = free(self.axes[i] * sign);
            stand.spots[i] = Spot::End(sign);
            self.settled(stand, 1 - i)
        };
        let wall = |i: usize| {
            let axis = self.axes[i];
            let across = way - axis * axis.dot(way);
            let across = across - axis * axis.dot(across);
            // Straight above the middle any way will do.
            let is_known = across.length_squared() > S::of(1e4) * self.slack * self.slack;
            let normal = across.unit().filter(|_| is_known).unwrap_or_else(|| axis.frame().0);
            let mut stand = free(normal);
            stand.spots[i] = Spot::Wall;
            self.settled(stand, 1 - i)
        };
        let both = self.axes[0].cross(self.axes[1]);
        let walls = both
            .unit()
            .filter(|_| self.is_skew)
            .map(|n| Stand { normal: towards(n), spots: [Spot::Wall; 2] });
        let hint = (hint != S::Vec3::ZERO).then(|| free(hint));
        [hint, way.unit().map(free), Some(wall(0)), Some(wall(1)), Some(end(0)), Some(end(1)), walls]
    }

    /// With the spot of a cylinder for which the direction happens to look straight at the wall or
    /// at an end.
    #[inline]
    fn settled(&self, mut stand: Stand<S>, i: usize) -> Stand<S> {
        let tiny = S::of(TINY) * S::EPSILON;
        let rise = stand.normal.dot(self.axes[i]);
        if rise.abs() <= tiny {
            stand.spots[i] = Spot::Wall;
        } else if self.axes[i].cross(stand.normal).length_squared() <= tiny * tiny {
            stand.spots[i] = Spot::End(rise.sign_of(S::ONE));
        }
        stand
    }

    #[inline]
    fn view(&self, i: usize, normal: S::Vec3) -> View<S> {
        let axis = self.axes[i];
        let rise = normal.dot(axis);
        let rotated = axis.cross(normal);
        let length = rotated.length();
        let by_length = if length > S::of(TINY) * S::EPSILON { S::ONE / length } else { S::ZERO };
        let along = rotated * by_length;
        // Across the axis also where it is hardly known in which direction, which a difference
        // would not be.
        View { rise, by_length, along, out: along.cross(axis) }
    }

    /// From a direction to a summit.
    fn climb(&self, start: Stand<S>, speculative_distance: S, summits: &mut Summits<S>) -> Climb<S> {
        let mut stand = start;
        // Where the last step was made from, and the gap there.
        let mut before: Option<(Stand<S>, S)> = None;
        for _ in 0..MAX_STEPS {
            let views = [self.view(0, stand.normal), self.view(1, stand.normal)];
            let normal = stand.normal;
            for i in 0..2 {
                if let Spot::Rim(side) = stand.spots[i] {
                    // Rounding may have moved it over a ridge, or to an end.
                    let side = if views[i].rise * side < S::ZERO { -side } else { side };
                    let is_end = views[i].by_length == S::ZERO;
                    stand.spots[i] = if is_end { Spot::End(side) } else { Spot::Rim(side) };
                }
            }
            let ends = [self.end(0, &stand, &views), self.end(1, &stand, &views)];
            let apart = self.way - ends[0] - ends[1];
            let gap = normal.dot(apart);
            if gap > speculative_distance {
                return Climb::Apart(normal);
            }
            if summits.has(&stand) {
                return Climb::Known;
            }
            if let Some((last, height)) = before
                && gap < height - self.slack
            {
                // Too far: half of the way back.
                stand = Stand { normal: unit::<S>(last.normal + normal), ..last };
                continue;
            }
            let slope = self.slope(&stand, apart - normal * gap);
            let steepness = slope.rest.length();
            // Between two walls at an angle the chosen points take all of the slope, and what is
            // left is rounding.
            let is_pinned = self.is_skew && slope.spots == [Spot::Wall; 2];
            if steepness <= self.slack || is_pinned {
                let on_body = self.middle + ends[0] + slope.shifts[0];
                let on_frustum = on_body + normal * gap;
                summits.add(&stand);
                return Climb::Summit(Gap { gap, normal, on_body, on_frustum, has_points: false });
            }
            let here = Stand { normal, spots: slope.spots };
            before = Some((here, gap));
            let is_bound = slope.has_left || slope.spots.contains(&Spot::Wall);
            let step = if is_bound {
                self.straight(&views, &slope, gap, steepness)
            } else {
                self.newton(normal, &views, slope.rest, gap)
            };
            stand = self.walked(&here, &views, unit::<S>(normal + step));
        }
        Climb::Lost
    }

    /// The point of a cylinder farthest along the direction from its middle; the middle of them on
    /// a wall and on an end.
    #[inline]
    fn end(&self, i: usize, stand: &Stand<S>, views: &[View<S>; 2]) -> S::Vec3 {
        match stand.spots[i] {
            Spot::Rim(side) => views[i].out * self.radii[i] + self.axes[i] * (self.halves[i] * side),
            Spot::Wall => views[i].out * self.radii[i],
            Spot::End(side) => self.axes[i] * (self.halves[i] * side),
        }
    }

    /// What the best points on walls and ends leave of the slope.
    #[inline]
    fn slope(&self, stand: &Stand<S>, slope: S::Vec3) -> Slope<S> {
        let mut rest = slope;
        let mut shifts = [S::Vec3::ZERO; 2];
        let mut spots = stand.spots;
        let mut has_left = false;
        let is_wall = stand.spots.map(|spot| spot == Spot::Wall);
        let along = if is_wall == [true; 2] {
            self.along_walls(slope)
        } else {
            [0, 1].map(|i| {
                let (half, along) = (self.halves[i], slope.dot(self.axes[i]));
                if is_wall[i] { Real::clamp(along, -half, half) } else { S::ZERO }
            })
        };
        for i in 0..2 {
            if is_wall[i] {
                shifts[i] = self.axes[i] * along[i];
                rest -= shifts[i];
                if along[i].abs() >= self.halves[i] {
                    spots[i] = Spot::Rim(along[i].sign_of(S::ONE));
                    has_left = true;
                }
            }
        }
        let reach = |i: usize| if matches!(stand.spots[i], Spot::End(_)) { self.radii[i] } else { S::ZERO };
        let reaches = [reach(0), reach(1)];
        let whole = reaches[0] + reaches[1];
        if whole > S::ZERO {
            let length = rest.length();
            let share = if length > whole { whole / length } else { S::ONE };
            for i in 0..2 {
                shifts[i] += rest * (share * reaches[i] / whole);
                if let Spot::End(side) = spots[i]
                    && length > whole
                {
                    spots[i] = Spot::Rim(side);
                    has_left = true;
                }
            }
            rest -= rest * share;
        }
        Slope { rest, shifts, spots, has_left }
    }

    /// How far along two walls the slope is best met.
    #[inline]
    fn along_walls(&self, slope: S::Vec3) -> [S; 2] {
        let [first, second] = self.axes;
        let [long, wide] = self.halves;
        let within = |value: S, half: S| Real::clamp(value, -half, half);
        let (x, y, lean) = (slope.dot(first), slope.dot(second), first.dot(second));
        if self.is_skew {
            let square = first.cross(second).length_squared();
            let (s, t) = ((x - y * lean) / square, (y - x * lean) / square);
            if s.abs() <= long && t.abs() <= wide {
                return [s, t];
            }
        }
        // On one of the four sides of what both reach.
        let best_for_first = |t: S| within(x - lean * t, long);
        let best_for_second = |s: S| within(y - lean * s, wide);
        let rest = |s: S, t: S| (slope - first * s - second * t).length_squared();
        let (mut best, mut least) = ([S::ZERO; 2], S::INFINITY);
        for side in [S::ONE, -S::ONE] {
            let (s, t) = (long * side, wide * side);
            for choice in [[s, best_for_second(s)], [best_for_first(t), t]] {
                let left = rest(choice[0], choice[1]);
                if left < least {
                    (best, least) = (choice, left);
                }
            }
        }
        best
    }

    /// The curvature of the shadow along a tangent: of the rims, and of the sphere itself.
    #[inline]
    fn bend(&self, views: &[View<S>; 2], spots: &[Spot<S>; 2], along: S::Vec3, gap: S) -> S {
        let mut bend = gap;
        for i in 0..2 {
            if !matches!(spots[i], Spot::End(_)) {
                let beside = views[i].along.dot(along);
                bend += self.radii[i] * views[i].by_length * beside * beside;
            }
        }
        bend
    }

    /// The step along a ridge, or away from one.
    #[inline]
    fn straight(&self, views: &[View<S>; 2], slope: &Slope<S>, gap: S, steepness: S) -> S::Vec3 {
        let along = slope.rest * (S::ONE / steepness);
        let bend = self.bend(views, &slope.spots, along, gap);
        let length =
            if bend > S::ZERO { Real::min(steepness / bend, S::of(LONG_STEP)) } else { S::of(BLIND_STEP) };
        along * length
    }

    /// The step of Newton's method where the gap is smooth.
    #[inline]
    fn newton(&self, normal: S::Vec3, views: &[View<S>; 2], slope: S::Vec3, gap: S) -> S::Vec3 {
        let [tangent, beside] = [views[0].along, views[1].along];
        let across = normal.cross(tangent);
        let (x, y) = (beside.dot(tangent), beside.dot(across));
        let [round, other_round] = [0, 1].map(|i| self.radii[i] * views[i].by_length);
        let mut xx = gap + round + other_round * x * x;
        let mut yy = gap + other_round * y * y;
        let xy = other_round * x * y;
        if !(xx * yy > xy * xy && yy > S::ZERO) {
            // Bent the wrong way: as if the gap were open.
            let lift = S::TWO * gap.abs() + S::of(1e-3) * (round + other_round);
            (xx, yy) = (xx + lift, yy + lift);
        }
        let (u, v) = (slope.dot(tangent), slope.dot(across));
        let by_determinant = S::ONE / (xx * yy - xy * xy);
        let (s, t) = ((yy * u - xy * v) * by_determinant, (xx * v - xy * u) * by_determinant);
        let square = s * s + t * t;
        let long = S::of(LONG_STEP);
        let scale = if square > long * long { long / square.sqrt() } else { S::ONE };
        (tangent * s + across * t) * scale
    }

    /// Where a step ends: at the first ridge that it crosses, or at the tip that it passes over.
    #[inline]
    fn walked(&self, from: &Stand<S>, views: &[View<S>; 2], to: S::Vec3) -> Stand<S> {
        let mut stand = Stand { normal: to, ..*from };
        let mut nearest = (S::INFINITY, 0);
        for i in 0..2 {
            if let Spot::Rim(side) = from.spots[i] {
                let (start, end) = (Real::max(views[i].rise * side, S::ZERO), to.dot(self.axes[i]) * side);
                if end < S::ZERO {
                    let share = start / (start - end);
                    if share < nearest.0 {
                        nearest = (share, i);
                    }
                }
            }
        }
        let (share, i) = nearest;
        if share <= S::ONE {
            stand.normal = from.normal + (to - from.normal) * share;
            stand.spots[i] = Spot::Wall;
        }
        if stand.spots.contains(&Spot::Wall) {
            return self.leveled(stand);
        }
        for i in 0..2 {
            if let Spot::Rim(side) = from.spots[i]
                && views[i].by_length > S::ZERO
                && views[i].out.dot(to) <= S::ZERO
            {
                stand.normal = self.axes[i] * side;
                stand.spots[i] = Spot::End(side);
                let other = 1 - i;
                let rise = stand.normal.dot(self.axes[other]);
                stand.spots[other] = Spot::Rim(rise.sign_of(S::ONE));
                return self.settled(stand, other);
            }
        }
        stand
    }

    /// Straight at the walls that it is to look at, without the rounding of steps.
    #[inline]
    fn leveled(&self, stand: Stand<S>) -> Stand<S> {
        let [first, second] = self.axes;
        let both = first.cross(second);
        let normal = if stand.spots == [Spot::Wall; 2] && self.is_skew {
            both * both.dot(stand.normal).sign_of(S::ONE)
        } else {
            let axis = if stand.spots[0] == Spot::Wall { first } else { second };
            let level = stand.normal - axis * axis.dot(stand.normal);
            level - axis * axis.dot(level)
        };
        Stand { normal: unit::<S>(normal), ..stand }
    }
}
