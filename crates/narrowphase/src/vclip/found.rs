//! What a query finds.

use std::fmt;

use carom_geometry::polytope::Feature;
use carom_geometry::{Real, Vector};

use super::bodies::{Bodies, outward};
use super::witness::Witness;
use crate::proximity::Proximity;

/// Which kinds of features a pair has; the order of the polytopes does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VClipState {
    /// Two vertices.
    VertexVertex,
    /// A vertex and an edge.
    VertexEdge,
    /// A vertex and a face.
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// An edge and a face. Final only if the edge goes through the face.
    EdgeFace,
}

impl VClipState {
    /// All states.
    pub const ALL: [Self; 5] =
        [Self::VertexVertex, Self::VertexEdge, Self::VertexFace, Self::EdgeEdge, Self::EdgeFace];

    /// The state of two features. Two faces, which no query ends with, count as a vertex and a
    /// face.
    #[must_use]
    pub fn of([a, b]: [Feature; 2]) -> Self {
        let dimension = |feature| match feature {
            Feature::Vertex(_) => 0,
            Feature::Edge(_) => 1,
            Feature::Face(_) => 2,
        };
        let (a, b) = (dimension(a), dimension(b));
        match (a.min(b), a.max(b)) {
            (0, 0) => Self::VertexVertex,
            (0, 1) => Self::VertexEdge,
            (1, 1) => Self::EdgeEdge,
            (1, _) => Self::EdgeFace,
            _ => Self::VertexFace,
        }
    }
}

impl fmt::Display for VClipState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VertexVertex => "V-V",
            Self::VertexEdge => "V-E",
            Self::VertexFace => "V-F",
            Self::EdgeEdge => "E-E",
            Self::EdgeFace => "E-F",
        })
    }
}

/// Do the polytopes have a common point?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VClipStatus {
    /// No: they are farther apart than rounding can tell.
    Separated,
    /// Yes, if only one.
    Penetrating,
}

/// How a query came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VClipTermination {
    /// The answer proves itself.
    Settled,
    /// Rounding led in a circle. The answer holds for the features, which may not be the closest
    /// ones.
    Circle,
    /// The limit of steps was reached. The same holds.
    Limit,
}

/// The answer of V-Clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VClipAnswer<S: Real = f32> {
    /// The features.
    pub witness: Witness,
    /// Their kinds.
    pub state: VClipState,
    /// Whether the polytopes meet.
    pub status: VClipStatus,
    /// How the query ended.
    pub ending: VClipTermination,
    /// States visited; 1 if the seed was the answer.
    pub steps: u32,
    /// The closest points if the polytopes are separated. If they meet, how the two features lie:
    /// how far the vertex is below the face, or the deeper end of what of the edge is over the
    /// face. That is where to look for the depth, not the depth: see
    /// [`VClip::proximity`](super::VClip::proximity).
    pub features: Proximity<S>,
}

impl<S: Real> VClipAnswer<S> {
    /// True if the polytopes meet.
    #[must_use]
    pub fn is_penetrating(&self) -> bool {
        self.status == VClipStatus::Penetrating
    }

    /// The closest points of polytopes that do not meet.
    #[must_use]
    pub fn separation(&self) -> Option<Proximity<S>> {
        (self.status == VClipStatus::Separated && self.ending == VClipTermination::Settled)
            .then_some(self.features)
    }
}

/// The last state of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<S: Real> {
    pub(super) proximity: Proximity<S>,
    pub(super) status: VClipStatus,
}

impl<S: Real> Found<S> {
    /// Separated if the distance is more than rounding.
    #[inline]
    pub(super) fn of(bodies: &Bodies<'_, S>, proximity: Proximity<S>) -> Self {
        let apart = proximity.distance > bodies.tolerance;
        Self { proximity, status: if apart { VClipStatus::Separated } else { VClipStatus::Penetrating } }
    }

    /// From the closest points of two features, in the frame of side 0.
    #[inline]
    pub(super) fn between(bodies: &Bodies<'_, S>, pair: &[Feature; 2], on_a: S::Vec3, on_b: S::Vec3) -> Self {
        let gap = on_b - on_a;
        let distance = gap.length();
        if distance > bodies.tolerance && distance.is_finite() {
            let proximity = Proximity { distance, normal: gap / distance, on_a, on_b };
            return Self { proximity, status: VClipStatus::Separated };
        }
        Self::touching(bodies, pair, on_a)
    }

    /// Features that share a point, in the frame of side 0. The difference of the closest points
    /// has no direction; the features have.
    #[cold]
    pub(super) fn touching(bodies: &Bodies<'_, S>, pair: &[Feature; 2], point: S::Vec3) -> Self {
        let [a, b] = *pair;
        let out_of_a = outward(bodies.shape(0), a);
        let normal = match (a, b) {
            (Feature::Edge(h), Feature::Edge(g)) => {
                let across = bodies.turn_into::<0>(bodies.shape(1).segment(g).direction());
                let axis = bodies.shape(0).segment(h).direction().cross(across).unit();
                let axis = axis.unwrap_or(out_of_a);
                if axis.dot(out_of_a) < S::ZERO { -axis } else { axis }
            }
            (Feature::Vertex(_), Feature::Edge(_) | Feature::Face(_)) => {
                -bodies.turn_into::<0>(outward(bodies.shape(1), b))
            }
            _ => out_of_a,
        };
        let proximity = Proximity { distance: S::ZERO, normal, on_a: point, on_b: point };
        Self { proximity, status: VClipStatus::Penetrating }
    }
}
