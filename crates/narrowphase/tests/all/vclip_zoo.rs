//! Polytopes for V-Clip, and proofs of its answers that look at nothing but planes and supports.

use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};
use carom_geometry::{Polytope, Pose, Real, Vector};
use carom_narrowphase::vclip::{VClipAnswer, VClipStatus, VClipTermination, Witness};

use crate::cases::Numbers;

/// Cubes, a tetrahedron, prisms, pyramids, flat and long things, and random hulls.
pub(crate) fn zoo() -> Vec<Polytope<f64>> {
    let hull = |count, seed| Polytope::random_on_sphere(count, 1.2, seed).unwrap();
    vec![
        Polytope::cube(1.0).unwrap(),
        Polytope::cuboid(glam::DVec3::new(0.05, 1.5, 0.8)).unwrap(),
        Polytope::tetrahedron(1.3).unwrap(),
        Polytope::prism(3, 1.0, 1.0).unwrap(),
        Polytope::prism(6, 2.0, 1.0).unwrap(),
        Polytope::prism(40, 0.1, 1.5).unwrap(),
        Polytope::pyramid(4, 2.0, 1.0).unwrap(),
        Polytope::pyramid(5, 0.8, 0.8).unwrap(),
        Polytope::pyramid(17, 0.2, 1.5).unwrap(),
        hull(8, 1),
        hull(30, 2),
        hull(100, 3),
    ]
}

/// Any feature of a polytope, faces included.
pub(crate) fn any_feature<S: Real>(numbers: &mut Numbers, shape: &Polytope<S>) -> Feature {
    match numbers.below(3) {
        0 => Feature::Vertex(VertexId(numbers.below(shape.vertex_count() as u64) as u32)),
        1 => Feature::Edge(HalfEdgeId(numbers.below(shape.half_edge_count() as u64) as u32)),
        _ => Feature::Face(FaceId(numbers.below(shape.face_count() as u64) as u32)),
    }
}

/// Any pair of features.
pub(crate) fn any_seed<S: Real>(numbers: &mut Numbers, a: &Polytope<S>, b: &Polytope<S>) -> Witness {
    Witness::new(any_feature(numbers, a), any_feature(numbers, b))
}

/// How far a point is above the highest face, at least its distance from the polytope if that is
/// small.
fn above<S: Real>(shape: &Polytope<S>, point: S::Vec3) -> f64 {
    shape.planes().iter().fold(f64::MIN, |m, p| m.max(p.signed_distance(point).to_f64()))
}

/// What is wrong with an answer, if anything is. Lengths may be off by `tolerance`.
///
/// Separated: both points belong to the polytopes, and between the polytopes is a gap along the
/// normal as wide as claimed. Penetrating: the features have a point that belongs to both
/// polytopes.
pub(crate) fn fault<S: Real>(
    a: &Polytope<S>,
    b: &Polytope<S>,
    pose: &Pose<S>,
    answer: &VClipAnswer<S>,
    tolerance: f64,
) -> Option<String> {
    let near = &answer.features;
    if answer.ending != VClipTermination::Settled {
        return Some(format!("{:?} after {} steps", answer.ending, answer.steps));
    }
    if !near.is_finite() || (near.normal.length().to_f64() - 1.0).abs() > 1e-6 {
        return Some(format!("not finite or not unit: {near:?}"));
    }
    if answer.status == VClipStatus::Separated {
        let outside = above(a, near.on_a).max(above(b, pose.undo(near.on_b)));
        if outside > tolerance {
            return Some(format!("a closest point is {outside:e} outside"));
        }
        let normal = near.normal;
        let high = a.points().iter().fold(f64::MIN, |m, p| m.max(normal.dot(*p).to_f64()));
        let low = b.points().iter().fold(f64::MAX, |m, p| m.min(normal.dot(pose.apply(*p)).to_f64()));
        let distance = near.distance.to_f64();
        let off = (low - high - distance).abs();
        let mismatch = (near.on_b - near.on_a - normal * near.distance).length().to_f64();
        return (off > tolerance || mismatch > tolerance || distance <= 0.0)
            .then(|| format!("the gap is {} and not {distance}; {mismatch:e}", low - high));
    }
    let outside = common_points(a, b, pose, answer)
        .into_iter()
        .map(|p| above(a, p).max(above(b, pose.undo(p))))
        .fold(f64::MAX, f64::min);
    (outside > tolerance).then(|| format!("the features of a {} share no point: {outside:e}", answer.state))
}

/// Points that may prove an overlap, in the frame of the first polytope.
fn common_points<S: Real>(
    a: &Polytope<S>,
    b: &Polytope<S>,
    pose: &Pose<S>,
    answer: &VClipAnswer<S>,
) -> Vec<S::Vec3> {
    let crossing = |edge: [S::Vec3; 2], face: FaceId, shape: &Polytope<S>| {
        let heights = edge.map(|p| shape.plane(face).signed_distance(p));
        let rise = heights[1] - heights[0];
        let t = if rise == S::ZERO { S::ZERO } else { -heights[0] / rise };
        edge[0] + (edge[1] - edge[0]) * Real::clamp(t, S::ZERO, S::ONE)
    };
    let mut points = vec![answer.features.on_a, answer.features.on_b];
    match answer.witness.features() {
        [Feature::Edge(e), Feature::Face(f)] => {
            let ends = a.ends(e).map(|v| pose.undo(a.point(v)));
            points.push(pose.apply(crossing(ends, f, b)));
        }
        [Feature::Face(f), Feature::Edge(e)] => {
            let ends = b.ends(e).map(|v| pose.apply(b.point(v)));
            points.push(crossing(ends, f, a));
        }
        _ => {}
    }
    points
}
