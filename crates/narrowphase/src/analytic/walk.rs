//! From a feature of a polytope to the one that is nearest to a point.

use carom_geometry::closest::Span;
use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId};
use carom_geometry::{Polytope, Real};

use super::cores::straightened;

/// More steps than a walk takes on any polytope that is not noise.
const MOST_STEPS: u32 = 64;

/// The feature nearest to a point outside and the way from it to the point, found by walking from
/// Voronoi region to Voronoi region (B. Mirtich's V-Clip with a point for the second polytope).
/// `None` if rounding sends the walk round in circles.
#[inline]
pub(super) fn walk_to_nearest<S: Real>(
    a: &Polytope<S>,
    start: Feature,
    point: S::Vec3,
) -> Option<(Feature, S::Vec3)> {
    let mut feature = start;
    for _ in 0..MOST_STEPS {
        feature = match feature {
            Feature::Face(face) => {
                let mut farthest = (S::ZERO, None);
                for side in sides(a, face) {
                    let beyond = a.vp_face(side).signed_distance(point);
                    if beyond > farthest.0 {
                        farthest = (beyond, Some(side));
                    }
                }
                match farthest.1 {
                    Some(side) => Feature::Edge(side),
                    None => {
                        let plane = a.plane(face);
                        return Some((feature, plane.normal * plane.signed_distance(point)));
                    }
                }
            }
            Feature::Edge(side) => {
                let pair = a.half_edge(side).pair;
                if a.vp_head(side).signed_distance(point) < S::ZERO {
                    Feature::Vertex(a.half_edge(side).head)
                } else if a.vp_head(pair).signed_distance(point) < S::ZERO {
                    Feature::Vertex(a.half_edge(pair).head)
                } else if a.vp_face(side).signed_distance(point) < S::ZERO {
                    Feature::Face(a.half_edge(side).face)
                } else if a.vp_face(pair).signed_distance(point) < S::ZERO {
                    Feature::Face(a.half_edge(pair).face)
                } else {
                    let edge = a.segment(side);
                    let t = Span::from_segment(&edge).parameter_near(point);
                    return Some((feature, straightened::<S>(point - edge.at(t), edge.direction())));
                }
            }
            Feature::Vertex(vertex) => {
                let inside = |side: &HalfEdgeId| {
                    // The plane at the tail of this side is that at the head of its pair.
                    a.vp_head(a.half_edge(*side).pair).signed_distance(point) > S::ZERO
                };
                match a.around_vertex(vertex).find(inside) {
                    Some(side) => Feature::Edge(side),
                    None => return Some((feature, point - a.point(vertex))),
                }
            }
        };
    }
    None
}

/// The half-edges round a face.
#[inline]
pub(super) fn sides<S: Real>(a: &Polytope<S>, face: FaceId) -> impl Iterator<Item = HalfEdgeId> + '_ {
    let first = a.first(face);
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let side = next?;
        let following = a.half_edge(side).next;
        next = (following != first).then_some(following);
        Some(side)
    })
}
