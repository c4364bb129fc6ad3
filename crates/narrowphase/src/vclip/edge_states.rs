//! The states without a vertex: edge–edge and edge–face.

use carom_geometry::closest::Span;
use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId};
use carom_geometry::primitive::Segment;
use carom_geometry::{Polytope, Real, Vector};

use super::bodies::Bodies;
use super::clip::{Beyond, Clip, Cut, slope_to_plane, slope_to_point};
use super::perimeter::{self, Perimeter};
use super::vertex_states::SLACK;
use super::{Found, VClipStatus};
use crate::proximity::Proximity;

/// sin² of the angle between two edges above which the closest points of their lines are trusted at
/// once.
const STEEP: f64 = 1.0 / 64.0;

/// The same in ε² for closest points that are sought with care.
const SLIGHT: f64 = 1024.0 * 1024.0;

/// Of the faces beside an edge, the one that reaches most under a gap in this direction, a unit
/// vector, and the cosine: below zero the face is nearer than the edge to the other end of the gap.
#[inline]
fn nearer_face<S: Real>(shape: &Polytope<S>, edge: HalfEdgeId, gap: S::Vec3) -> (FaceId, S) {
    let links = shape.half_edge(edge);
    let left = shape.vp_face(edge).normal.dot(gap);
    let right = shape.vp_face(links.pair).normal.dot(gap);
    if left < right { (links.face, left) } else { (shape.half_edge(links.pair).face, right) }
}

pub(super) fn edge_edge<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    [a, b]: [HalfEdgeId; 2],
) -> Option<Found<S>> {
    let edges = Edges::new(bodies, [a, b]);
    let (d, e, r) = (edges.own.direction(), edges.other.direction(), edges.own.a - edges.other.a);
    let across = d.cross(e);
    let (dd, ee, area) = (d.length_squared(), e.length_squared(), across.length_squared());
    if area > dd * ee * S::of(STEEP) {
        let (de, dr, er) = (d.dot(e), d.dot(r), e.dot(r));
        let (s, t) = (de * er - dr * ee, dd * er - de * dr);
        let inside = |x: S| x >= S::ZERO && x <= area;
        if inside(s) && inside(t) {
            let s = s / area;
            // From the other parameter, not from the determinant: then the gap is upright on this
            // edge in spite of rounding.
            return edges.settle(bodies, pair, across, s, (de * s + er) / ee);
        }
    } else if area > dd * ee * (S::of(SLIGHT) * S::EPSILON * S::EPSILON) {
        // Clipping edges that run beside each other goes by rounding.
        let [s, t] = edges.closest_parameters();
        let inside = |x: S| x > S::ZERO && x < S::ONE;
        if inside(s) && inside(t) {
            return edges.settle(bodies, pair, across, s, t);
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
    // Parallel edges, edges that touch, and compound exclusions whose way out rounding has hidden:
    // the closest points decide.
    edges.settle_closest(bodies, pair)
}

/// The same without clipping, for edges that clipping leads back to.
#[cold]
pub(super) fn edge_edge_again<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    edges: [HalfEdgeId; 2],
) -> Option<Found<S>> {
    Edges::new(bodies, edges).settle_closest(bodies, pair)
}

/// Two edges in the frame of side 0.
pub(super) struct Edges<S: Real> {
    ids: [HalfEdgeId; 2],
    own: Segment<S>,
    other: Segment<S>,
}

impl<S: Real> Edges<S> {
    #[inline]
    pub(super) fn new(bodies: &Bodies<'_, S>, ids: [HalfEdgeId; 2]) -> Self {
        let [tail, head] = bodies.ends_out_of::<1>(ids[1]);
        Self { ids, own: bodies.shape(0).segment(ids[0]), other: Segment::new(tail, head) }
    }

    #[cold]
    fn closest_parameters(&self) -> [S; 2] {
        Span::from_segment(&self.own).closest_parameters(&Span::from_segment(&self.other))
    }

    /// [`settle`](Self::settle) with the closest points.
    fn settle_closest(&self, bodies: &Bodies<'_, S>, pair: &mut [Feature; 2]) -> Option<Found<S>> {
        let [s, t] = self.closest_parameters();
        let found = self.settle(bodies, pair, self.own.direction().cross(self.other.direction()), s, t)?;
        if found.status == VClipStatus::Separated
            && let Some((side, end)) = self.leaning_end([s, t], &found.proximity)
            && bodies.gap_along(found.proximity.normal) < found.proximity.distance - bodies.tolerance
        {
            let ends = bodies.shape(side).ends(self.ids[side]);
            pair[side] = Feature::Vertex(ends[end]);
            return None;
        }
        Some(found)
    }

    /// The end of an edge that the gap is at without being upright on the edge, and the side of the
    /// edge: what is beyond that end may be nearer, though clipping, which knows borders only up to
    /// rounding, did not go there.
    fn leaning_end(&self, parameters: [S; 2], near: &Proximity<S>) -> Option<(usize, usize)> {
        let gap = near.on_b - near.on_a;
        let least = S::of(SLACK) * S::EPSILON;
        let edges = [self.own.direction(), self.other.direction()];
        (0..2).find_map(|side| {
            let (at, edge) = (parameters[side], edges[side]);
            let end = if at <= S::ZERO {
                0
            } else if at >= S::ONE {
                1
            } else {
                return None;
            };
            let (lean, whole) = (edge.dot(gap), edge.length_squared() * gap.length_squared());
            (lean * lean > least * least * whole).then_some((side, end))
        })
    }

    /// The points of the edges that are above each other along a unit vector; others that are given
    /// instead if those are, more nearly.
    #[cold]
    pub(super) fn above_each_other(&self, normal: S::Vec3, otherwise: [S::Vec3; 2]) -> [S::Vec3; 2] {
        let (d, e, r) = (self.own.direction(), self.other.direction(), self.other.a - self.own.a);
        let rotation = d.cross(e).dot(normal);
        let share = |x: S| Real::clamp(x / rotation, S::ZERO, S::ONE);
        let beside = |[p, q]: [S::Vec3; 2]| {
            let gap = q - p;
            (gap - normal * normal.dot(gap)).length_squared()
        };
        let points =
            [self.own.at(share(r.cross(e).dot(normal))), self.other.at(share(r.cross(d).dot(normal)))];
        // Not a number where the edges are parallel.
        if beside(points) < beside(otherwise) { points } else { otherwise }
    }

    /// The closest points of two edges are the answer unless a face beside one of them is nearer.
    /// `across` is the product of their directions, `s` and `t` the parameters of the points.
    #[inline]
    fn settle(
        &self,
        bodies: &Bodies<'_, S>,
        pair: &mut [Feature; 2],
        across: S::Vec3,
        s: S,
        t: S,
    ) -> Option<Found<S>> {
        let (on_a, on_b) = (self.own.at(s), self.other.at(t));
        let gap = on_b - on_a;
        let (d, e) = (self.own.direction(), self.other.direction());
        let (square, area) = (gap.length_squared(), across.length_squared());
        let longest = Real::max(d.length_squared(), e.length_squared());
        // The direction of the gap is as good as it is long beside rounding, that of the product as
        // the edges are not parallel.
        let direction = if area > square * longest {
            if gap.dot(across) < S::ZERO { -across } else { across }
        } else {
            gap - d * (d.dot(gap) / d.length_squared())
        };
        let length = direction.length();
        let normal = direction / length;
        let distance = normal.dot(gap);
        // Not a number if the gap is nothing.
        let is_apart = distance > bodies.tolerance;
        if !is_apart {
            return Some(Found::touching(bodies, pair, on_a));
        }
        let slack = -S::of(SLACK) * S::EPSILON;
        let (face, lean) = nearer_face(bodies.shape(0), self.ids[0], normal);
        let is_left = lean < slack;
        // What the direction is worth. A face that reaches so little under the gap may not be
        // nearer at all: if one of the other polytope is, that leads on, and if none is, the
        // farthest points of the polytopes tell. Otherwise the search may go to and fro between the
        // face and the edge.
        let margin = slack * S::of(16.0) - bodies.tolerance / distance;
        if is_left && lean < margin {
            pair[0] = Feature::Face(face);
            return None;
        }
        let (other, other_lean) = nearer_face(bodies.shape(1), self.ids[1], -bodies.turn_into::<1>(normal));
        let is_other_left = other_lean < slack;
        if !is_left && !is_other_left {
            let proximity = Proximity { distance, normal, on_a, on_b };
            return Some(Found { proximity, status: VClipStatus::Separated });
        }
        if other_lean >= margin {
            // The face has the direction of the gap if it is as near and the points lie along it
            // but for rounding.
            let is_along = |lean: S| -lean * distance <= S::TWO * bodies.tolerance;
            let beside = (is_left && is_along(lean)).then(|| bodies.shape(0).plane(face).normal);
            let beside_other = (is_other_left && is_along(other_lean))
                .then(|| -bodies.turn_into::<0>(bodies.shape(1).plane(other).normal));
            let is_wide = |n: &S::Vec3| bodies.gap_along(*n) >= distance - bodies.tolerance;
            if is_wide(&normal) {
                let proximity = Proximity { distance, normal, on_a, on_b };
                return Some(Found { proximity, status: VClipStatus::Separated });
            }
            if let Some(normal) = [beside, beside_other].into_iter().flatten().find(is_wide) {
                let [on_a, on_b] = self.above_each_other(normal, [on_a, on_b]);
                let proximity = Proximity { distance: normal.dot(on_b - on_a), normal, on_a, on_b };
                return Some(Found { proximity, status: VClipStatus::Separated });
            }
        }
        if is_other_left && (other_lean < margin || !is_left) {
            pair[1] = Feature::Face(other);
        } else {
            pair[0] = Feature::Face(face);
        }
        None
    }
}

/// Clips `other` of the other side to the region of `edge` of side `SIDE`, first between the ends,
/// then between the faces: the derivatives beside faces are those of the distance only between the
/// ends.
fn clip_beside<S: Real, const SIDE: usize>(
    bodies: &Bodies<'_, S>,
    edge: HalfEdgeId,
    other: HalfEdgeId,
) -> (usize, Beyond<Feature>) {
    let (ours, theirs, tolerance) = (bodies.shape(SIDE), bodies.shape(1 - SIDE), bodies.tolerance);
    let [tail, head] = theirs.ends(other).map(|v| bodies.seen_by::<SIDE>(theirs.point(v)));
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
    let beyond =
        clip.beyond(|v, at| slope_to_point(direction, tail + direction * at - ours.point(v), tolerance));
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
        return Some(Found { proximity, status: VClipStatus::Penetrating });
    }
    // Over the face the distance is linear, so the nearest point is an end of what is left or
    // beyond it. The paper goes on to the side that cuts there, but another side may be nearer to
    // what is beyond: then the distance would grow.
    let falls = if low > S::ZERO { rise < S::ZERO } else { rise > S::ZERO };
    let (by, at, end) = if falls { (clip.high_by, clip.high, head) } else { (clip.low_by, clip.low, tail) };
    if let Some(side) = by {
        let rod = Segment::new(tail + (head - tail) * at, end);
        pair[1 - SIDE] = perimeter::nearest(theirs, face, &rod, side, search, tolerance);
    } else {
        pair[SIDE] = Feature::Vertex(ours.ends(edge)[usize::from(falls)]);
    }
    None
}
