//! The depth of overlapping cores by an expanding polytope.
//!
//! A polytope inside the [Minkowski difference](crate::gjk) with the origin in it grows: its face
//! nearest to the origin is pushed out to the support point along its normal until that is no
//! farther than the face. The height of the nearest face is a lower bound of the depth and the
//! farthest support point along any normal tried an upper bound; the answer is the best upper
//! bound, a way out that is certain, and the two are closer than the tolerance unless the query
//! says otherwise.
//!
//! The polytope is kept in arrays on the stack: a small one that suffices for most pairs and a
//! large one for round shapes, so that nobody pays for what only those need. Starting simplices of
//! any kind are accepted, flat ones included (`start`).
//!
//! Cost: one support point and three to ten triangles per step; boxes take one to five steps, round
//! shapes ten to a hundred.
//!
//! Reference: G. van den Bergen, "Proximity queries and penetration depth computation on 3D game
//! objects" (2001).

pub(crate) mod portal;
mod settle;
mod start;
mod surface;
mod valley;

use carom_geometry::{Pose, Real, Vector};
use glam::DVec3;

use crate::gjk::cache::{GjkEffort, GjkTermination, SimplexCache};
use crate::gjk::difference::{Difference, Vertex};
use crate::gjk::narrowed;
use crate::gjk::simplex::nearest;
use crate::{Convex, Proximity};
use settle::{WayOut, settled};
use start::{Start, grow};
use surface::{Failure, Surface};

/// The best way out so far, while the surface grows.
#[derive(Clone, Copy)]
struct BestFace {
    corners: [u8; 3],
    normal: DVec3,
    /// How far the difference reaches along the normal.
    depth: f64,
}

/// What is known of the depth.
struct Bounds {
    best: Option<BestFace>,
    /// How close they must come.
    slack: f64,
}

impl Bounds {
    fn new<S: Real>(solid: &[Vertex<S>; 4], tolerance: f64) -> Self {
        let largest = solid.iter().map(|v| v.w.dot(v.w)).fold(0.0, Real::max);
        Self { best: None, slack: tolerance * largest.sqrt() }
    }
}

/// The depth of two shapes whose cores overlap, the second placed in the frame of the first.
///
/// The cache holds points of both cores whose differences have the origin in their hull, as
/// [`GjkOutcome::Overlapping`](crate::gjk::GjkOutcome::Overlapping) leaves them, or nothing. It is
/// left with the face that was found, from which the next query needs few steps, and
/// [`SimplexCache::effort`] counts on.
///
/// For cores that do not overlap the answer is a way to part the shapes, but not the shortest:
/// [`gjk::proximity`](crate::gjk::proximity) is for those who do not know.
#[inline(never)]
pub fn penetration<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
    tolerance: S,
) -> Proximity<S> {
    let mut difference = Difference::new(a, b, pose, cache.hints);
    let mut corners = [Vertex::ZERO; 4];
    let mut count = cache.restore(&difference, &mut corners);
    let mut effort = cache.effort;
    let cores = depth_of_cores(&mut difference, &mut corners, &mut count, tolerance.to_f64(), &mut effort);
    effort.supports += difference.supports;
    cache.effort = effort;
    cache.hints = difference.hints;
    cache.keep(corners[..count].iter().map(|vertex| [vertex.a, vertex.b]));
    let [radius_a, radius_b] = difference.radii();
    narrowed(&cores.grown(radius_a, radius_b))
}

/// The depth of the cores of a difference that holds the origin, as far as rounding allows to say.
///
/// `corners` are replaced by those of the face that was found, up to three of them, and their
/// number returned.
fn depth_of_cores<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    corners: &mut [Vertex<S>; 4],
    count: &mut usize,
    tolerance: f64,
    effort: &mut GjkEffort,
) -> Proximity<f64> {
    effort.ending = GjkTermination::Proved;
    let solid = match grow(difference, *corners, *count) {
        Start::Solid(solid) => solid,
        Start::Flat { corners: flat, weights, normal } => {
            (*corners, *count) = (flat, weights.iter().filter(|w| **w > 0.0).count().max(1));
            let normal = if normal.dot(difference.centre().w) < 0.0 { -normal } else { normal };
            let on_a: DVec3 = (0..4).map(|k| flat[k].a.to::<f64>() * weights[k]).sum();
            return Proximity { distance: 0.0, normal, on_a, on_b: on_a };
        }
    };
    let mut bounds = Bounds::new(&solid, tolerance);
    let mut small = Surface::<S, 32, 60>::EMPTY;
    small.start(&solid);
    effort.ending = expanded(difference, &mut small, &mut bounds, effort);
    let way_out = if effort.ending == GjkTermination::Capped {
        expanded_far(difference, &small, bounds, effort)
    } else {
        bounds.best.map(|best| agreed(difference, &small, &best, bounds.slack, effort))
    };
    let WayOut { corners: face, weights, normal, depth } = way_out.unwrap_or_else(|| {
        // A tetrahedron whose faces are all needles: what is thinner than rounding is not deep.
        effort.ending = GjkTermination::NoProgress;
        let (_, [p, q, r, _]) = nearest(&solid.map(|c| c.w), 3);
        WayOut { corners: [solid[0], solid[1], solid[2]], weights: [p, q, r], normal: DVec3::X, depth: 0.0 }
    });
    let on_a: DVec3 = (0..3).map(|k| face[k].a.to::<f64>() * weights[k]).sum();
    corners[..3].copy_from_slice(&face);
    *count = 3;
    Proximity { distance: -depth, normal: -normal, on_a, on_b: on_a + normal * depth }
}

/// The normal, the depth and the point that go with each other.
#[inline]
fn agreed<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized, const V: usize, const F: usize>(
    difference: &mut Difference<'_, S, A, B>,
    surface: &Surface<S, V, F>,
    best: &BestFace,
    slack: f64,
    effort: &mut GjkEffort,
) -> WayOut<S> {
    let corners = surface.vertices_of(best.corners);
    let [p, q, r] = corners.map(|c| c.w);
    let (found, [a, b, c, _]) = nearest(&[p, q, r, DVec3::ZERO], 3);
    // Where rounding has the origin just outside, the shapes touch.
    let mut way_out =
        WayOut { corners, weights: [a, b, c], normal: best.normal, depth: Real::max(best.depth, 0.0) };
    if effort.ending == GjkTermination::Proved {
        if (found.point - best.normal * way_out.depth).length() <= slack {
            return way_out;
        }
        // Where neighbouring faces are nearly in one plane, rounding may choose the wrong one of
        // them: then its nearest point is on the rim and not below the origin. If its direction is
        // as good a normal, it agrees with the point.
        if let Some(normal) = found.point.unit() {
            let reach = normal.dot(difference.lowest(-normal).w);
            if reach <= way_out.depth + slack {
                (way_out.normal, way_out.depth) = (normal, reach);
                return way_out;
            }
        }
    }
    settled(difference, surface, way_out, slack, effort)
}

/// Goes on with a surface that has become too large for its room.
#[cold]
#[inline(never)]
fn expanded_far<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    small: &Surface<S, 32, 60>,
    mut bounds: Bounds,
    effort: &mut GjkEffort,
) -> Option<WayOut<S>> {
    let mut surface = Surface::<S, 250, 496>::EMPTY;
    surface.take_over(small);
    effort.ending = expanded(difference, &mut surface, &mut bounds, effort);
    if effort.ending == GjkTermination::Capped
        && let Some(lowest) = surface.lowest()
        && surface.has(difference.lowest(-lowest.normal).w)
    {
        // Not too many corners: the same ones again and again, on sides so flat that rounding folds
        // them.
        effort.ending = GjkTermination::NoProgress;
    }
    bounds.best.map(|best| agreed(difference, &surface, &best, bounds.slack, effort))
}

/// Expands a surface with the origin in it until the bounds of the depth meet.
fn expanded<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized, const V: usize, const F: usize>(
    difference: &mut Difference<'_, S, A, B>,
    surface: &mut Surface<S, V, F>,
    bounds: &mut Bounds,
    effort: &mut GjkEffort,
) -> GjkTermination {
    loop {
        let Some(lowest) = surface.lowest() else { return GjkTermination::NoProgress };
        effort.iterations += 1;
        let vertex = difference.lowest(-lowest.normal);
        let depth = lowest.normal.dot(vertex.w);
        let ended = depth - lowest.height <= bounds.slack;
        if ended || bounds.best.as_ref().is_none_or(|best| depth < best.depth) {
            let corners = if ended { surface.below_origin(&lowest, bounds.slack) } else { lowest.corners };
            bounds.best = Some(BestFace { corners, normal: lowest.normal, depth });
        }
        if ended {
            return GjkTermination::Proved;
        }
        if depth <= lowest.height {
            return GjkTermination::NoProgress;
        }
        match surface.expand(&lowest, &vertex) {
            Ok(()) => {}
            Err(Failure::Full) => return GjkTermination::Capped,
            Err(Failure::Torn) => return GjkTermination::NoProgress,
        }
    }
}
