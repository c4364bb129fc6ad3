//! The depth of polytopes that overlap, which the thesis left open: the witness of the overlap
//! tells the expanding polytope where to begin.
//!
//! A witness of a penetration is any pair of features that meet; its face is often, but not always,
//! the one to leave through. So its normal is the first direction that is tried, and the features
//! give points of the Minkowski difference round the origin. What is found from there does not
//! depend on the witness but by rounding: [`gjk::proximity`] proves it.

use carom_geometry::polytope::Feature;
use carom_geometry::{Polytope, Pose, Real};

use super::{VClip, VClipAnswer, Witness};
use crate::gjk::{self, SimplexCache};
use crate::proximity::Proximity;

impl VClip {
    /// Distance or depth of two polytopes. The witness is where to begin, and then where the query
    /// ended.
    #[inline]
    #[must_use]
    pub fn proximity<S: Real>(
        &self,
        a: &Polytope<S>,
        b: &Polytope<S>,
        pose: &Pose<S>,
        witness: &mut Witness,
    ) -> Proximity<S> {
        let answer = self.solve(a, b, pose, *witness);
        *witness = answer.witness;
        answer.separation().unwrap_or_else(|| answer.depth(a, b, pose))
    }
}

impl<S: Real> VClipAnswer<S> {
    /// The shortest way out of each other, or the true distance of polytopes about which rounding
    /// left the query in doubt. For the polytopes and the place of the query.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn depth(&self, a: &Polytope<S>, b: &Polytope<S>, pose: &Pose<S>) -> Proximity<S> {
        let [feature_a, feature_b] = self.witness.features();
        let normal = self.features.normal;
        let far_a = a.point(a.support_vertex(normal));
        let far_b = b.point(b.support_vertex(-pose.rotation.rotate_back(normal)));
        let mut pairs = [[far_a, far_b]; 4];
        let mut count = 1;
        // Different points only: a simplex with a corner twice is flat.
        let (ends_a, ends_b) = (ends(a, feature_a), ends(b, feature_b));
        for pair in [[ends_a[0], ends_b[1]], [ends_a[1], ends_b[0]], [ends_a[1], ends_b[1]]] {
            if !pairs[..count].contains(&pair) {
                pairs[count] = pair;
                count += 1;
            }
        }
        let mut cache = SimplexCache::from_pairs(&pairs[..count]);
        let found = gjk::proximity(a, b, pose, &mut cache);
        if cache.effort.ending == gjk::GjkTermination::Proved {
            return found;
        }
        // Rounding stopped the polytope before it was proved. Both answers are ways out; another
        // start may find the shorter one.
        let other = gjk::proximity(a, b, pose, &mut SimplexCache::new());
        if other.distance > found.distance { other } else { found }
    }
}

/// Two points of a feature, as far apart as is easily known.
fn ends<S: Real>(shape: &Polytope<S>, feature: Feature) -> [S::Vec3; 2] {
    match feature {
        Feature::Vertex(v) => [shape.point(v); 2],
        Feature::Edge(h) => shape.ends(h).map(|v| shape.point(v)),
        Feature::Face(f) => {
            let first = shape.half_edge(shape.first(f));
            [first.head, shape.half_edge(shape.half_edge(first.next).next).head].map(|v| shape.point(v))
        }
    }
}
