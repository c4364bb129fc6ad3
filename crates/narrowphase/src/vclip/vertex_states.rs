//! The states with a vertex: vertex–vertex, vertex–edge, vertex–face.
//!
//! In the last step of a query the closest points are known already, and all that is left is to see
//! that each lies in the Voronoi region of the other feature. So every state first looks at the
//! points that would be the answer, and clips only if they are not: a query whose witness still
//! holds costs the planes round two features.
//!
//! Whether a point lies in a region is asked of the gap between the points, not of the point: the
//! planes of a region go through its feature, so only the direction of the gap counts. With a bound
//! on the angle, the error of the distance is that bound times the size of the polytopes; a bound
//! on the distance from a plane, as if the point were anywhere, would be a large angle for a small
//! gap and make it the square root.
//!
//! Where several neighbours are nearer, the steepest is taken; Mirtich takes the first, which is as
//! right and needs more steps.

use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};
use carom_geometry::{Polytope, Real, Vector};

use super::bodies::Bodies;
use super::clip::{Beyond, Clip, Cut, slope_to_point};
use super::{Found, VClipStatus};
use crate::proximity::Proximity;

/// Cosines below this many ε count as none.
pub(super) const SLACK: f64 = 16.0;

/// The edge at a vertex that runs most along a gap, and how much of the gap is along it. The region
/// of an edge reaches over the other end of the gap if that is positive.
#[inline]
fn steepest<S: Real>(shape: &Polytope<S>, vertex: VertexId, gap: S::Vec3) -> (HalfEdgeId, S) {
    let start = shape.outgoing(vertex);
    let (mut best, mut reach, mut edge) = (start, S::NEG_INFINITY, start);
    loop {
        let pair = shape.half_edge(edge).pair;
        let along = shape.vp_head(pair).normal.dot(gap);
        if along > reach {
            (best, reach) = (edge, along);
        }
        edge = shape.half_edge(pair).next;
        if edge == start {
            return (best, reach);
        }
    }
}

pub(super) fn vertex_vertex<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    [a, b]: [VertexId; 2],
) -> Option<Found<S>> {
    let (p, q) = (bodies.shape(0).point(a), bodies.shape(1).point(b));
    let q_seen = bodies.seen_by::<0>(q);
    let gap = q_seen - p;
    let distance = gap.length();
    if distance <= bodies.tolerance {
        return Some(Found::touching(bodies, pair, p));
    }
    let slack = distance * S::of(SLACK) * S::EPSILON;
    let (edge, reach) = steepest(bodies.shape(0), a, gap);
    if reach > slack {
        pair[0] = Feature::Edge(edge);
        return None;
    }
    let (edge, reach) = steepest(bodies.shape(1), b, -bodies.turn_into::<1>(gap));
    if reach > slack {
        pair[1] = Feature::Edge(edge);
        return None;
    }
    let proximity = Proximity { distance, normal: gap / distance, on_a: p, on_b: q_seen };
    Some(Found { proximity, status: VClipStatus::Separated })
}

/// `SIDE` is the side of the vertex.
pub(super) fn vertex_edge<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    vertex: VertexId,
    edge: HalfEdgeId,
) -> Option<Found<S>> {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let home = ours.point(vertex);
    let seen = bodies.out_of::<SIDE>(home);
    let links = theirs.half_edge(edge);
    let back = theirs.half_edge(links.pair);
    // Along the edge from its tail, and from its head.
    let from_tail = theirs.vp_head(links.pair);
    let (ahead, behind) = (from_tail.signed_distance(seen), theirs.vp_head(edge).signed_distance(seen));
    if ahead < -tolerance || behind < -tolerance {
        pair[1 - SIDE] = Feature::Vertex(if ahead < behind { back.head } else { links.head });
        return None;
    }
    let tail = theirs.point(back.head);
    let foot = if ahead <= S::ZERO {
        tail
    } else if behind <= S::ZERO {
        theirs.point(links.head)
    } else {
        tail + from_tail.normal * ahead
    };
    let gap = foot - seen;
    // Rounding leaves a little along the edge.
    let gap = gap - from_tail.normal * from_tail.normal.dot(gap);
    let distance = gap.length();
    if distance <= tolerance {
        return Some(Found::touching(bodies, pair, if SIDE == 0 { home } else { seen }));
    }
    let slack = distance * S::of(SLACK) * S::EPSILON;
    let (left, right) = (theirs.vp_face(edge).normal.dot(gap), theirs.vp_face(links.pair).normal.dot(gap));
    if left > slack || right > slack {
        pair[1 - SIDE] = Feature::Face(if left > right { links.face } else { back.face });
        return None;
    }
    let (nearest, reach) = steepest(ours, vertex, bodies.turn_into::<SIDE>(gap));
    if reach <= slack {
        let proximity = bodies.answer::<SIDE>(home, seen, gap / distance, distance);
        return Some(Found { proximity, status: VClipStatus::Separated });
    }
    match clip_to_vertex::<S, SIDE>(bodies, vertex, edge) {
        Beyond::Touching => return Some(Found::touching(bodies, pair, if SIDE == 0 { home } else { seen })),
        Beyond::Neighbour(edge) => pair[SIDE] = Feature::Edge(edge),
        // Rounding hides it from the clip, but the foot is nearer to this edge than to the vertex.
        Beyond::Nothing => pair[SIDE] = Feature::Edge(nearest),
    }
    None
}

/// Clips an edge of the other side to the region of a vertex of side `SIDE`.
fn clip_to_vertex<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    vertex: VertexId,
    edge: HalfEdgeId,
) -> Beyond<HalfEdgeId> {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let [tail, head] = theirs.ends(edge).map(|v| bodies.seen_by::<SIDE>(theirs.point(v)));
    let mut clip = Clip::new();
    for neighbour in ours.around_vertex(vertex) {
        let plane = ours.vp_head(ours.half_edge(neighbour).pair);
        let inside = |p: S::Vec3| tolerance - plane.signed_distance(p);
        match clip.cut(inside(tail), inside(head), neighbour) {
            Cut::Alone => return Beyond::Neighbour(neighbour),
            Cut::Together => break,
            Cut::Left => {}
        }
    }
    let (direction, point) = (head - tail, ours.point(vertex));
    clip.beyond(|_, at| slope_to_point(direction, tail + direction * at - point, tolerance))
}

/// `SIDE` is the side of the vertex.
pub(super) fn vertex_face<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    vertex: VertexId,
    face: FaceId,
) -> Option<Found<S>> {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let home = ours.point(vertex);
    let seen = bodies.out_of::<SIDE>(home);
    let start = theirs.first(face);
    let (mut worst, mut outside, mut edge) = (start, S::NEG_INFINITY, start);
    loop {
        let over = theirs.vp_face(edge).signed_distance(seen);
        if over > outside {
            (worst, outside) = (edge, over);
        }
        edge = theirs.half_edge(edge).next;
        if edge == start {
            break;
        }
    }
    if outside > tolerance {
        pair[1 - SIDE] = Feature::Edge(worst);
        return None;
    }
    let plane = theirs.plane(face);
    let height = plane.signed_distance(seen);
    let [lowest, highest] = rises(ours, vertex, bodies.turn_into::<SIDE>(plane.normal));
    if height >= -tolerance && lowest.1 >= -tolerance {
        // Nothing of the vertex' polytope is below it: the plane keeps the two apart.
        return Some(Found::of(bodies, bodies.answer::<SIDE>(home, seen, -plane.normal, height)));
    }
    // An edge that leads nearer to the plane, or through it: the paper compares absolute heights,
    // which misses edges that pierce the plane and end farther behind it (first correction of the
    // thesis).
    let is_above = height > S::ZERO;
    if is_above || highest.1 > tolerance {
        pair[SIDE] = Feature::Edge(if is_above { lowest.0 } else { highest.0 });
        return None;
    }
    // Behind this face and going deeper on all sides. Is there a face in front of the vertex? The
    // best one replaces this one in either case, or the next query would begin with the same search
    // (second correction of the thesis).
    let (best, height) = theirs.highest_face(seen);
    pair[1 - SIDE] = Feature::Face(best);
    if height > tolerance {
        return None;
    }
    let proximity = bodies.answer::<SIDE>(home, seen, -theirs.plane(best).normal, height);
    Some(Found { proximity, status: VClipStatus::Penetrating })
}

/// The edges at a vertex whose other ends are lowest and highest along a direction, with the
/// heights above the vertex.
#[inline]
fn rises<S: Real>(shape: &Polytope<S>, vertex: VertexId, up: S::Vec3) -> [(HalfEdgeId, S); 2] {
    let (start, foot) = (shape.outgoing(vertex), shape.point(vertex));
    let (mut lowest, mut highest, mut edge) = ((start, S::INFINITY), (start, S::NEG_INFINITY), start);
    loop {
        let links = shape.half_edge(edge);
        let rise = up.dot(shape.point(links.head) - foot);
        if rise < lowest.1 {
            lowest = (edge, rise);
        }
        if rise > highest.1 {
            highest = (edge, rise);
        }
        edge = shape.half_edge(links.pair).next;
        if edge == start {
            return [lowest, highest];
        }
    }
}
