//! The way along the floor of a valley of depths.
//!
//! Where two rims lie nearly on each other, or a wall is equally far away all round, the depths in
//! the directions of a curve differ by next to nothing, but beside it they rise at once. The curve
//! is any: for a cylinder a great circle, for a cone a small one. So a turn along it leaves the
//! floor by the square of its angle, which may be more than there is to gain, and is followed by a
//! search across: one of the depth along a line of directions, where the supports of the two slopes
//! make it as quick as the intersection of two planes.

use carom_geometry::{Real, Vector};
use glam::DVec3;

use super::settle::{MAX_TURNS, SMALLER, WayOut};
use crate::Convex;
use crate::gjk::cache::GjkEffort;
use crate::gjk::difference::Difference;

/// Turns by more than this show where the floor leads; what smaller ones show is rounding.
const TELLING: f64 = 1e-4;

/// Steps of a search for the floor.
const MAX_STEPS: u32 = 48;

/// Turns a normal on the floor of a valley along it as long as the depth falls, by angles that
/// shrink from the first to the last. `wide` is roughly across the valley.
pub(super) fn follow<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    way_out: &mut WayOut<S>,
    wide: DVec3,
    [mut angle, last]: [f64; 2],
    slack: f64,
    effort: &mut GjkEffort,
) {
    let Some(mut along) = way_out.normal.cross(wide).unit() else { return };
    for _ in 0..MAX_TURNS {
        // Also where shapes of no size have no last one.
        if angle <= last || last.is_nan() {
            break;
        }
        let from = way_out.normal;
        let mut shorter = false;
        for rotation in [along * angle, along * -angle] {
            let Some(beside) = (from + rotation).unit() else { continue };
            let Some(across) = along.cross(beside).unit() else { continue };
            let mut line = Line { difference, beside, across, effort };
            let Some((normal, depth)) = line.lowest(angle, last, 0.01 * slack) else { continue };
            if depth < way_out.depth {
                (way_out.normal, way_out.depth, shorter) = (normal, depth, true);
            }
        }
        if shorter {
            let way = way_out.normal - from;
            let ahead = if angle > TELLING { way } else { along };
            along = (ahead - way_out.normal * ahead.dot(way_out.normal)).unit().unwrap_or(along);
        } else {
            angle *= SMALLER;
        }
    }
}

/// Places of a valley that is walked all the way round.
const PLACES: usize = 96;

/// Of these the lowest that are followed further.
const MAX_FOLLOWED: u32 = 16;

/// A place on the floor of a valley, and the way ahead there.
#[derive(Clone, Copy)]
struct Place {
    normal: DVec3,
    depth: f64,
    along: DVec3,
}

/// Walks from a normal on the floor of a valley along it all the way round, and takes the lowest
/// place.
///
/// A small body in the middle of a huge one with a round wall makes the floor rise and fall by its
/// own size, which the huge one hides: every corner of it has its own hollow, and only the lowest
/// is the depth.
pub(super) fn walk<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    way_out: &mut WayOut<S>,
    wide: DVec3,
    last: f64,
    slack: f64,
    effort: &mut GjkEffort,
) {
    let Some(along) = way_out.normal.cross(wide).unit() else { return };
    let step = std::f64::consts::TAU / PLACES as f64;
    let mut places = [Place { normal: way_out.normal, depth: way_out.depth, along }; PLACES];
    for k in 1..PLACES {
        let from = places[k - 1];
        let Some(beside) = (from.normal + from.along * step).unit() else { return };
        let Some(across) = from.along.cross(beside).unit() else { return };
        let mut line = Line { difference, beside, across, effort };
        let Some((normal, depth)) = line.lowest(step, last, 0.01 * slack) else { return };
        let way = normal - from.normal;
        let Some(along) = (way - normal * way.dot(normal)).unit() else { return };
        places[k] = Place { normal, depth, along };
    }
    let is_hollow = |k: usize| {
        let [before, after] = [PLACES - 1, 1].map(|step| places[(k + step) % PLACES].depth);
        places[k].depth <= before && places[k].depth <= after
    };
    let mut hollows: [Option<Place>; PLACES] = std::array::from_fn(|k| is_hollow(k).then_some(places[k]));
    for _ in 0..MAX_FOLLOWED {
        let lowest = hollows.iter_mut().filter(|h| h.is_some()).min_by(|a, b| {
            let depth = |h: &Option<Place>| h.map_or(f64::INFINITY, |place| place.depth);
            depth(a).total_cmp(&depth(b))
        });
        let Some(Place { normal, depth, along }) = lowest.and_then(Option::take) else { break };
        let mut other = WayOut { normal, depth, ..*way_out };
        follow(difference, &mut other, along.cross(normal), [0.5 * step, last], slack, effort);
        if other.depth < way_out.depth {
            (way_out.normal, way_out.depth) = (other.normal, other.depth);
        }
    }
}

/// Directions `beside + s · across` about a unit vector.
struct Line<'l, 'q, S: Real, A: ?Sized, B: ?Sized> {
    difference: &'l mut Difference<'q, S, A, B>,
    beside: DVec3,
    across: DVec3,
    effort: &'l mut GjkEffort,
}

/// A direction of a line.
#[derive(Clone, Copy)]
struct Tried {
    s: f64,
    normal: DVec3,
    /// What the difference is supported by.
    support: DVec3,
    depth: f64,
    /// Whether the depth rises with s.
    rises: bool,
}

impl<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized> Line<'_, '_, S, A, B> {
    fn tried(&mut self, s: f64) -> Option<Tried> {
        let normal = (self.beside + self.across * s).unit()?;
        self.effort.iterations += 1;
        let support = self.difference.lowest(-normal).w;
        let depth = Real::max(normal.dot(support), 0.0);
        let rises = (self.across - normal * normal.dot(self.across)).dot(support) > 0.0;
        Some(Tried { s, normal, support, depth, rises })
    }

    /// The direction of least depth no farther away than `reach`, to a thousandth of `last` or a
    /// depth of `slack`.
    fn lowest(&mut self, reach: f64, last: f64, slack: f64) -> Option<(DVec3, f64)> {
        let mut near = self.tried(0.0)?;
        let sign = if near.rises { -1.0 } else { 1.0 };
        // The floor is off by about the square of the turn.
        let mut step = reach * reach;
        let mut far = loop {
            let far = self.tried(sign * Real::min(step, reach))?;
            if far.rises != near.rises {
                break far;
            }
            if step >= reach {
                return Some((far.normal, far.depth));
            }
            (near, step) = (far, 4.0 * step);
        };
        let mut best = if far.depth < near.depth { far } else { near };
        for k in 0..MAX_STEPS {
            let width = far.s - near.s;
            if width.abs() <= 1e-3 * last {
                break;
            }
            // Where the planes of both supports are as far.
            let between = far.support - near.support;
            let crossing = -self.beside.dot(between) / self.across.dot(between);
            let share = (crossing - near.s) / width;
            let share = if k % 3 == 2 || !(share > 0.0 && share < 1.0) { 0.5 } else { share };
            let middle = self.tried(near.s + width * share)?;
            if middle.depth < best.depth {
                best = middle;
            }
            let known = Real::max(middle.normal.dot(near.support), middle.normal.dot(far.support));
            if middle.depth <= known + slack && share != 0.5 {
                break;
            }
            *(if middle.rises == near.rises { &mut near } else { &mut far }) = middle;
        }
        Some((best.normal, best.depth))
    }
}
