//! The states without a vertex: edge–edge and edge–face.

use carom_geometry::closest::Span;
use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId};
use carom_geometry::primitive::Segment;
use carom_geometry::{Real, Vector};

use super::bodies::Bodies;
use super::clip::{Beyond, Clip, Cut, slope_to_plane, slope_to_point};
use super::perimeter::{self, Perimeter};
use super::{Found, Status};

/// sin² of the angle between two edges above which the closest points of their lines are trusted at once.
const STEEP: f64 = 1e-3;

/// The face beside an edge that a point is nearer to than to the edge, if it is farther than the tolerance on its side.
#[inline]
fn nearer_face<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    edge: HalfEdgeId,
    point: S::Vec3,
) -> Option<Feature> {
    let shape = bodies.shape(SIDE);
    let links = shape.half_edge(edge);
    let left = shape.vp_face(edge).signed_distance(point);
    let right = shape.vp_face(links.pair).signed_distance(point);
    if left >= -bodies.tolerance && right >= -bodies.tolerance {
        return None;
    }
    Some(Feature::Face(if left < right { links.face } else { shape.half_edge(links.pair).face }))
}

pub(super) fn edge_edge<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    [a, b]: [HalfEdgeId; 2],
) -> Option<Found<S>> {
    let own = bodies.shape(0).segment(a);
    let [tail, head] = bodies.ends_out_of::<1>(b);
    let (d, e, r) = (own.direction(), head - tail, own.a - tail);
    let (dd, ee, de, dr, er) =
        (d.length_squared(), e.length_squared(), d.dot(e), d.dot(r), e.dot(r));
    let determinant = dd * ee - de * de;
    if determinant > dd * ee * S::of(STEEP) {
        let (s, t) = (de * er - dr * ee, dd * er - de * dr);
        let inside = |x: S| x >= S::ZERO && x <= determinant;
        if inside(s) && inside(t) {
            let share = S::ONE / determinant;
            return settle(bodies, pair, [a, b], own.at(s * share), tail + e * (t * share));
        }
    }
    for moved in [clip_beside::<S, 0>(bodies, a, b), clip_beside::<S, 1>(bodies, b, a)] {
        match moved {
            (_, Beyond::Nothing) => {}
            (side, Beyond::Neighbour(feature)) => {
                pair[side] = feature;
                return None;
            }
            (_, Beyond::Touching) => break,
        }
    }
    // Parallel edges, edges that touch, and compound exclusions whose way out rounding has hidden: the closest points decide.
    let (mine, other) = (Span::from_segment(&own), Span::from_segment(&Segment::new(tail, head)));
    let [s, t] = mine.closest_parameters(&other);
    settle(bodies, pair, [a, b], mine.at(s), other.at(t))
}

/// The closest points of two edges are the answer unless a face beside one of them is nearer. Points in the frame of side 0.
#[inline]
fn settle<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    [a, b]: [HalfEdgeId; 2],
    on_a: S::Vec3,
    on_b: S::Vec3,
) -> Option<Found<S>> {
    if let Some(face) = nearer_face::<S, 0>(bodies, a, on_b) {
        pair[0] = face;
        return None;
    }
    if let Some(face) = nearer_face::<S, 1>(bodies, b, bodies.into::<1>(on_a)) {
        pair[1] = face;
        return None;
    }
    Some(Found::between(bodies, pair, on_a, on_b))
}

/// Clips `other` of the other side to the region of `edge` of side `SIDE`, first between the ends, then between the faces: the
/// derivatives beside faces are those of the distance only between the ends.
fn clip_beside<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    edge: HalfEdgeId,
    other: HalfEdgeId,
) -> (usize, Beyond<Feature>) {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let [tail, head] = theirs.ends(other).map(|v| bodies.into::<SIDE>(theirs.point(v)));
    let direction = head - tail;
    let half_edges = [edge, ours.half_edge(edge).pair];
    let mut clip = Clip::new();
    for h in half_edges {
        let (plane, vertex) = (ours.vp_head(h), ours.half_edge(h).head);
        let inside = |p: S::Vec3| plane.signed_distance(p) + tolerance;
        match clip.cut(inside(tail), inside(head), vertex) {
            Cut::Alone => return (SIDE, Beyond::Neighbour(Feature::Vertex(vertex))),
            Cut::Together => break,
            Cut::Left => {}
        }
    }
    let beyond = clip
        .beyond(|v, at| slope_to_point(direction, tail + direction * at - ours.point(v), tolerance));
    match beyond {
        Beyond::Neighbour(vertex) => return (SIDE, Beyond::Neighbour(Feature::Vertex(vertex))),
        Beyond::Touching => return (SIDE, Beyond::Touching),
        Beyond::Nothing => {}
    }
    let mut clip = Clip::within(clip.low, Real::max(clip.low, clip.high));
    for h in half_edges {
        let (plane, face) = (ours.vp_face(h), ours.half_edge(h).face);
        let inside = |p: S::Vec3| plane.signed_distance(p) + tolerance;
        match clip.cut(inside(tail), inside(head), face) {
            Cut::Alone => return (SIDE, Beyond::Neighbour(Feature::Face(face))),
            Cut::Together => break,
            Cut::Left => {}
        }
    }
    let beyond = clip.beyond(|f, at| {
        let plane = ours.plane(f);
        let height = plane.signed_distance(tail + direction * at);
        slope_to_plane(plane.normal.dot(direction), height, tolerance)
    });
    let beyond = match beyond {
        Beyond::Neighbour(face) => Beyond::Neighbour(Feature::Face(face)),
        Beyond::Touching => Beyond::Touching,
        Beyond::Nothing => Beyond::Nothing,
    };
    (SIDE, beyond)
}

/// `SIDE` is the side of the edge.
pub(super) fn edge_face<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    edge: HalfEdgeId,
    face: FaceId,
    search: Perimeter,
) -> Option<Found<S>> {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let [tail, head] = bodies.ends_out_of::<SIDE>(edge);
    let mut clip = Clip::new();
    for h in theirs.around_face(face) {
        let plane = theirs.vp_face(h);
        let inside = |p: S::Vec3| tolerance - plane.signed_distance(p);
        if clip.cut(inside(tail), inside(head), h) != Cut::Left {
            let rod = Segment::new(tail, head);
            pair[1 - SIDE] = perimeter::nearest(theirs, face, &rod, h, search, tolerance);
            return None;
        }
    }
    let plane = theirs.plane(face);
    let (first, last) = (plane.signed_distance(tail), plane.signed_distance(head));
    let rise = last - first;
    let (low, high) = (first + rise * clip.low, first + rise * clip.high);
    let is_through = (low <= S::ZERO) != (high <= S::ZERO);
    if is_through || Real::min(low.abs(), high.abs()) <= tolerance {
        // The deeper end of what is over the face; it may lie outside the polytope.
        let (at, height) = if low < high { (clip.low, low) } else { (clip.high, high) };
        let seen = tail + (head - tail) * at;
        let home = ours.segment(edge).at(at);
        let proximity = bodies.answer::<SIDE>(home, seen, -plane.normal, height);
        return Some(Found { proximity, status: Status::Penetrating });
    }
    // The distance is linear along the edge: the nearest point is an end of what is left.
    let falls = if low > S::ZERO { rise < S::ZERO } else { rise > S::ZERO };
    let (by, end) = if falls { (clip.high_by, 1) } else { (clip.low_by, 0) };
    match by {
        Some(h) => pair[1 - SIDE] = Feature::Edge(h),
        None => pair[SIDE] = Feature::Vertex(ours.ends(edge)[end]),
    }
    None
}
