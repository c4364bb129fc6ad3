//! The end of a polytope that rounding or the room it has stopped short.
//!
//! Two things may be missing. A shape that is nearly round about the origin is almost equally deep
//! in all directions of a circle or a sphere, more than there is room for: then the best direction
//! tried is turned by ever smaller angles as long as the depth falls. And the face may not be below
//! the origin, as rounding has folded flat sides of the surface: then the place where the normal
//! leaves the difference is sought from the face that it passes through.
//!
//! The normal of the surface at that place is at least as good a way out. So what comes out agrees
//! with itself: the depth is how far the difference reaches along the normal, and the point lies
//! there.

use carom_geometry::{Real, Vector};
use glam::DVec3;

use super::surface::Surface;
use super::valley;
use crate::Convex;
use crate::epa::portal::Portal;
use crate::gjk::cache::{GjkEffort, GjkTermination};
use crate::gjk::difference::{Difference, Vertex};

/// A way out of each other.
pub(super) struct WayOut<S: Real> {
    /// Points of the difference.
    pub(super) corners: [Vertex<S>; 3],
    /// Where between them the difference is left.
    pub(super) weights: [f64; 3],
    pub(super) normal: DVec3,
    /// How far the difference reaches along the normal.
    pub(super) depth: f64,
}

/// The angle by which a direction is turned at first.
const FIRST_TURN: f64 = 0.1;

/// And on the floor of a valley.
const SECOND_TURN: f64 = 1e-3;

/// What of an angle is tried next where it gained nothing.
pub(super) const SMALLER: f64 = 0.35;

/// Turns of one descent.
pub(super) const MAX_TURNS: u32 = 100;

/// Valleys that are followed. Where two rims lie nearly on each other, depths in the directions of
/// a circle differ by next to nothing, but beside it they rise at once: few turns in other
/// directions stay on the floor.
const MAX_VALLEYS: u32 = 6;

/// Places sought in a row, each because the last had a better normal.
const MAX_PLACES: u32 = 8;

/// Makes the best of a way out that is unproved, or that does not go through its corners.
#[cold]
#[inline(never)]
pub(super) fn settled<
    S: Real,
    A: Convex<S> + ?Sized,
    B: Convex<S> + ?Sized,
    const V: usize,
    const F: usize,
>(
    difference: &mut Difference<'_, S, A, B>,
    surface: &Surface<S, V, F>,
    mut way_out: WayOut<S>,
    slack: f64,
    effort: &mut GjkEffort,
) -> WayOut<S> {
    if effort.ending != GjkTermination::Proved {
        rotation(difference, &mut way_out, slack, effort);
    }
    for _ in 0..MAX_PLACES {
        let ray = way_out.normal;
        let Some(corners) = surface.pierced(ray) else { break };
        let mut portal = Portal { corners, apex: DVec3::ZERO, ray };
        let outermost = |normal: DVec3| {
            effort.iterations += 1;
            difference.lowest(-normal)
        };
        let Some(pose) = portal.refine(0.5 * slack, outermost, |_, _| false) else { break };
        (way_out.corners, way_out.weights) = (portal.corners, portal.weights());
        if pose.reach >= way_out.depth - slack {
            break;
        }
        (way_out.normal, way_out.depth) = (pose.normal, Real::max(pose.reach, 0.0));
    }
    way_out
}

/// Turns the normal as long as the depth falls: anywhere, then along the valley where that ended,
/// and again; and where there was no room to look everywhere, all the way round the valley.
fn rotation<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    way_out: &mut WayOut<S>,
    slack: f64,
    effort: &mut GjkEffort,
) {
    let size = way_out.corners.iter().map(|c| c.w.length()).fold(0.0, Real::max);
    let smallest = slack / size;
    descend(difference, way_out, [FIRST_TURN, smallest], effort);
    follow_valleys(difference, way_out, slack, smallest, effort);
    if effort.ending == GjkTermination::Capped {
        // No room to look everywhere: the floor may be lower elsewhere.
        let before = way_out.depth;
        let wide = wide_of_valley(difference, way_out.normal, smallest);
        valley::walk(difference, way_out, wide, smallest, slack, effort);
        if way_out.depth < before - 0.5 * slack {
            descend(difference, way_out, [SECOND_TURN, smallest], effort);
            follow_valleys(difference, way_out, slack, smallest, effort);
        }
    }
}

/// Turns the normal along the valley it is in and then anywhere, as long as that gains anything.
fn follow_valleys<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    way_out: &mut WayOut<S>,
    slack: f64,
    smallest: f64,
    effort: &mut GjkEffort,
) {
    for _ in 0..MAX_VALLEYS {
        let before = way_out.depth;
        let wide = wide_of_valley(difference, way_out.normal, smallest);
        valley::follow(difference, way_out, wide, [FIRST_TURN, smallest], slack, effort);
        descend(difference, way_out, [SECOND_TURN, smallest], effort);
        if way_out.depth > before - 0.5 * slack {
            break;
        }
    }
}

/// From what the difference is supported by on one side of a valley to what it is on the other;
/// both are as far along its floor.
fn wide_of_valley<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    normal: DVec3,
    smallest: f64,
) -> DVec3 {
    let sides = directions_across(normal).map(|across| {
        let mut side = |across: DVec3| difference.lowest(-(normal + across * (2.0 * smallest))).w;
        side(across) - side(-across)
    });
    sides.into_iter().fold(DVec3::ZERO, |w, s| if s.dot(s) > w.dot(w) { s } else { w })
}

/// Four of them, which with their opposites are all round.
fn directions_across(normal: DVec3) -> [DVec3; 4] {
    let (u, v) = normal.frame();
    [u, v, u + v, u - v]
}

/// Turns the normal towards and away from directions across it, by angles that shrink from the
/// first to the last.
fn descend<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    way_out: &mut WayOut<S>,
    [mut angle, last]: [f64; 2],
    effort: &mut GjkEffort,
) {
    for _ in 0..MAX_TURNS {
        // Also where shapes of no size have no last one.
        if angle <= last || last.is_nan() {
            break;
        }
        effort.iterations += 1;
        let from = way_out.normal;
        let mut shorter = false;
        for across in directions_across(from).into_iter().flat_map(|d| [d, -d]) {
            let Some(normal) = (from + across * angle).unit() else { continue };
            let depth = Real::max(normal.dot(difference.lowest(-normal).w), 0.0);
            if depth < way_out.depth {
                (way_out.normal, way_out.depth, shorter) = (normal, depth, true);
            }
        }
        if !shorter {
            angle *= SMALLER;
        }
    }
}
