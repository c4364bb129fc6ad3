//! One state after the other: what a query does.

use carom_geometry::closest::{Nearest, Span};
use carom_geometry::polytope::Feature;
use carom_geometry::primitive::Triangle;
use carom_geometry::{Polytope, Real, Vector};

use super::bodies::Bodies;
use super::edge_states::{Edges, edge_edge, edge_edge_again, edge_face};
use super::found::{Found, VClipAnswer, VClipState, VClipStatus, VClipTermination};
use super::perimeter::Perimeter;
use super::vertex_states::{vertex_edge, vertex_face, vertex_vertex};
use super::witness::Witness;

/// Looks at a pair of features once: replaces one of them by a better neighbour, or stops.
#[inline]
pub(crate) fn visit<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: &mut [Feature; 2],
    search: Perimeter,
) -> Option<Found<S>> {
    match *pair {
        [Feature::Vertex(v), Feature::Face(f)] => vertex_face::<S, 0>(bodies, pair, v, f),
        [Feature::Face(f), Feature::Vertex(v)] => vertex_face::<S, 1>(bodies, pair, v, f),
        [Feature::Edge(e), Feature::Edge(g)] => edge_edge(bodies, pair, [e, g]),
        [Feature::Vertex(v), Feature::Edge(e)] => vertex_edge::<S, 0>(bodies, pair, v, e),
        [Feature::Edge(e), Feature::Vertex(v)] => vertex_edge::<S, 1>(bodies, pair, v, e),
        [Feature::Vertex(v), Feature::Vertex(w)] => vertex_vertex(bodies, pair, [v, w]),
        [Feature::Edge(e), Feature::Face(f)] => edge_face::<S, 0>(bodies, pair, e, f, search),
        [Feature::Face(f), Feature::Edge(e)] => edge_face::<S, 1>(bodies, pair, e, f, search),
        // No state leads here and seeds are mended; a corner of the first face is as good as any.
        [Feature::Face(f), Feature::Face(_)] => {
            let shape = bodies.shape(0);
            pair[0] = Feature::Vertex(shape.half_edge(shape.first(f)).head);
            None
        }
    }
}

/// The points of a feature nearest to each other, and their distance: of the closed features,
/// whatever lies between them.
pub(crate) fn feature_gap<S: Real>(bodies: &Bodies<'_, S>, pair: &[Feature; 2]) -> [S::Vec3; 2] {
    let [a, b] = *pair;
    let spans_a = spans(bodies.shape(0), a, |p| p);
    let mut best = [S::Vec3::ZERO; 2];
    let mut least = S::INFINITY;
    let mut consider = |candidate: [S::Vec3; 2]| {
        let square = (candidate[0] - candidate[1]).length_squared();
        if square < least {
            (best, least) = (candidate, square);
        }
    };
    for span in spans_a {
        for other in spans(bodies.shape(1), b, |p| bodies.seen_by::<0>(p)) {
            let [s, t] = span.closest_parameters(&other);
            consider([span.at(s), other.at(t)]);
        }
        over_face(
            bodies.shape(1),
            b,
            &span,
            |p| bodies.seen_by::<1>(p),
            |p| bodies.seen_by::<0>(p),
            |on, face| {
                consider([on, face]);
            },
        );
    }
    for span in spans(bodies.shape(1), b, |p| bodies.seen_by::<0>(p)) {
        over_face(bodies.shape(0), a, &span, |p| p, |p| p, |on, face| consider([face, on]));
    }
    best
}

/// What a feature is made of: itself for vertices and edges, the sides of a face.
fn spans<'p, S: Real>(
    shape: &'p Polytope<S>,
    feature: Feature,
    seen: impl Fn(S::Vec3) -> S::Vec3 + 'p,
) -> impl Iterator<Item = Span<S>> + 'p {
    let (start, is_face) = match feature {
        Feature::Vertex(v) => (shape.outgoing(v), false),
        Feature::Edge(h) => (h, false),
        Feature::Face(f) => (shape.first(f), true),
    };
    let is_vertex = matches!(feature, Feature::Vertex(_));
    let face = shape.half_edge(start).face;
    shape.around_face(face).filter(move |&h| is_face || h == start).map(move |h| {
        let [tail, head] = shape.ends(h).map(|v| seen(shape.point(v)));
        Span {
            origin: tail,
            direction: if is_vertex { S::Vec3::ZERO } else { head - tail },
            low: S::ZERO,
            high: S::ONE,
        }
    })
}

/// The points of a span that may be nearest to the inside of a face, with those of the face.
fn over_face<S: Real>(
    shape: &Polytope<S>,
    feature: Feature,
    span: &Span<S>,
    to_face: impl Fn(S::Vec3) -> S::Vec3,
    back: impl Fn(S::Vec3) -> S::Vec3,
    mut consider: impl FnMut(S::Vec3, S::Vec3),
) {
    let Feature::Face(face) = feature else { return };
    let plane = shape.plane(face);
    let corners: [S::Vec3; 2] = [to_face(span.at(S::ZERO)), to_face(span.at(S::ONE))];
    let heights = corners.map(|p| plane.signed_distance(p));
    let crossing = (heights[0] * heights[1] < S::ZERO).then(|| heights[0] / (heights[0] - heights[1]));
    for t in [Some(S::ZERO), Some(S::ONE), crossing].into_iter().flatten() {
        let on_span = span.at(t);
        let point = to_face(on_span);
        let first = shape.first(face);
        let apex = shape.point(shape.half_edge(first).head);
        for h in shape.around_face(face).skip(2) {
            let [a, b] = shape.ends(h).map(|v| shape.point(v));
            consider(on_span, back(Triangle::new(apex, a, b).nearest(point)));
        }
    }
}

/// An answer of its parts.
#[inline]
pub(crate) fn answer<S: Real>(
    found: &Found<S>,
    pair: [Feature; 2],
    steps: u32,
    ending: VClipTermination,
) -> VClipAnswer<S> {
    VClipAnswer {
        witness: Witness::new(pair[0], pair[1]),
        state: VClipState::of(pair),
        status: found.status,
        ending,
        steps,
        features: found.proximity,
    }
}

/// The answer for features that are not proven to be the closest.
#[cold]
#[inline(never)]
pub(super) fn unproven<S: Real>(
    bodies: &Bodies<'_, S>,
    pair: [Feature; 2],
    steps: u32,
    ending: VClipTermination,
) -> VClipAnswer<S> {
    let [on_a, on_b] = feature_gap(bodies, &pair);
    answer(&Found::between(bodies, &pair, on_a, on_b), pair, steps, ending)
}

/// Where a circle leads.
pub(super) enum Exit<S: Real> {
    /// To its end.
    VClipAnswer(VClipAnswer<S>),
    /// To features outside, to go on with.
    Features([Feature; 2]),
}

/// A way out of a circle: states that rounding cannot tell apart have the same distance. One of
/// them is the answer if the polytopes leave a gap as wide as its distance along a normal of the
/// circle, which their farthest points show. If they do not, a face beside one of its edges is
/// nearer that clipping, which goes to and fro by rounding, did not come to.
#[cold]
#[inline(never)]
pub(super) fn leave_circle<S: Real>(
    bodies: &Bodies<'_, S>,
    start: [Feature; 2],
    mut steps: u32,
    search: Perimeter,
) -> Exit<S> {
    let mut pair = start;
    let mut nearest = unproven(bodies, pair, steps, VClipTermination::Circle);
    let (mut widest, mut normal) = (S::NEG_INFINITY, nearest.features.normal);
    loop {
        let here = unproven(bodies, pair, steps, VClipTermination::Circle);
        // The gap between an edge and a face has the direction of the face, but for rounding.
        let direction = match pair {
            [Feature::Face(f), _] => bodies.shape(0).plane(f).normal,
            [_, Feature::Face(f)] => -bodies.turn_into::<0>(bodies.shape(1).plane(f).normal),
            _ => here.features.normal,
        };
        let gap = bodies.gap_along(direction);
        if gap > widest {
            (widest, normal) = (gap, direction);
        }
        if nearest.state == VClipState::EdgeFace {
            nearest = here;
        }
        steps += 1;
        if let Some(found) = visit(bodies, &mut pair, search) {
            return Exit::VClipAnswer(answer(&found, pair, steps, VClipTermination::Settled));
        }
        if pair == start {
            break;
        }
    }
    let is_proven =
        nearest.status == VClipStatus::Separated && widest >= nearest.features.distance - bodies.tolerance;
    if is_proven && nearest.state != VClipState::EdgeFace {
        nearest.ending = VClipTermination::Settled;
        nearest.features.normal = normal;
        // The normal may be that of another state: then the points are above each other along this
        // one.
        if let [Feature::Edge(a), Feature::Edge(b)] = nearest.witness.features() {
            let near = &mut nearest.features;
            [near.on_a, near.on_b] =
                Edges::new(bodies, [a, b]).above_each_other(normal, [near.on_a, near.on_b]);
            near.distance = normal.dot(near.on_b - near.on_a);
        }
    } else if let Some(outside) = outside_of_circle(bodies, start, search) {
        return Exit::Features(outside);
    }
    Exit::VClipAnswer(VClipAnswer { steps, ..nearest })
}

/// Features that two edges of a circle lead to without clipping, if they are not of the circle.
fn outside_of_circle<S: Real>(
    bodies: &Bodies<'_, S>,
    start: [Feature; 2],
    search: Perimeter,
) -> Option<[Feature; 2]> {
    let around = || {
        std::iter::successors(Some(start), move |pair| {
            let mut pair = *pair;
            visit(bodies, &mut pair, search);
            (pair != start).then_some(pair)
        })
    };
    around().find_map(|pair| {
        let [Feature::Edge(a), Feature::Edge(b)] = pair else { return None };
        let mut next = pair;
        let found = edge_edge_again(bodies, &mut next, [a, b]);
        (found.is_none() && around().all(|other| other != next)).then_some(next)
    })
}
