//! The two polytopes of a query and the way between their frames.
//!
//! A test is done in the frame that has more to offer: planes stay where they are stored, and the
//! one or two points of the other feature are carried over. The rotation is turned into a matrix
//! once per query; carrying a point costs nine products.

use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};
use carom_geometry::{Matrix3, Polytope, Pose, Real, Vector};

use super::Witness;
use crate::proximity::Proximity;

/// Two polytopes, the second placed in the frame of the first. Sides are 0 and 1.
pub(crate) struct Bodies<'p, S: Real> {
    shapes: [&'p Polytope<S>; 2],
    /// Turns vectors of side 1 into the frame of side 0.
    rotation: Matrix3<S>,
    shift: S::Vec3,
    /// What rounding may do to the distance of a point from a plane. Nothing smaller counts as a
    /// difference.
    pub(crate) tolerance: S,
}

impl<'p, S: Real> Bodies<'p, S> {
    #[inline]
    pub(crate) fn new(a: &'p Polytope<S>, b: &'p Polytope<S>, pose: &Pose<S>) -> Self {
        let [x, y, z] = Vector::abs(pose.translation).to_array();
        Self {
            shapes: [a, b],
            rotation: pose.rotation.to_matrix(),
            shift: pose.translation,
            tolerance: a.tolerance() + b.tolerance() + (x + y + z) * (S::EPSILON * S::of(4.0)),
        }
    }

    /// The polytope of a side.
    #[inline]
    pub(crate) fn shape(&self, side: usize) -> &'p Polytope<S> {
        self.shapes[side & 1]
    }

    /// A point of the other side in the frame of side `SIDE`.
    #[inline]
    pub(crate) fn seen_by<const SIDE: usize>(&self, point: S::Vec3) -> S::Vec3 {
        if SIDE == 0 {
            self.rotation.times(point) + self.shift
        } else {
            self.rotation.transposed_times(point - self.shift)
        }
    }

    /// A point of side `SIDE` in the frame of the other side.
    #[inline]
    pub(crate) fn out_of<const SIDE: usize>(&self, point: S::Vec3) -> S::Vec3 {
        if SIDE == 0 { self.seen_by::<1>(point) } else { self.seen_by::<0>(point) }
    }

    /// A direction of the other side in the frame of side `SIDE`.
    #[inline]
    pub(crate) fn turn_into<const SIDE: usize>(&self, direction: S::Vec3) -> S::Vec3 {
        if SIDE == 0 { self.rotation.times(direction) } else { self.rotation.transposed_times(direction) }
    }

    /// The ends of an edge of side `SIDE` in the frame of the other side, tail first.
    #[inline]
    pub(crate) fn ends_out_of<const SIDE: usize>(&self, edge: HalfEdgeId) -> [S::Vec3; 2] {
        let shape = self.shape(SIDE);
        shape.ends(edge).map(|v| self.out_of::<SIDE>(shape.point(v)))
    }

    /// The answer for a point of side `SIDE` that lies `distance` from the other side along the
    /// unit vector `towards`. `home` is that point in its own frame; `seen` and `towards` are in
    /// the frame of the other side.
    #[inline]
    pub(crate) fn answer<const SIDE: usize>(
        &self,
        home: S::Vec3,
        seen: S::Vec3,
        towards: S::Vec3,
        distance: S,
    ) -> Proximity<S> {
        if SIDE == 0 {
            let normal = self.rotation.times(towards);
            Proximity { distance, normal, on_a: home, on_b: home + normal * distance }
        } else {
            Proximity { distance, normal: -towards, on_a: seen + towards * distance, on_b: seen }
        }
    }

    /// Width of the gap between the polytopes along a unit vector of side 0; below zero if they
    /// overlap there.
    pub(crate) fn gap_along(&self, normal: S::Vec3) -> S {
        let [a, b] = self.shapes;
        let far_a = a.point(a.support_vertex(normal));
        let far_b = b.point(b.support_vertex(-self.turn_into::<1>(normal)));
        normal.dot(self.seen_by::<0>(far_b) - far_a)
    }

    /// A witness that the polytopes have: what does not exist becomes vertex 0, and two faces a
    /// face and a corner.
    #[inline]
    pub(crate) fn valid(&self, seed: Witness) -> [Feature; 2] {
        let checked = |feature: Feature, shape: &Polytope<S>| {
            let exists = match feature {
                Feature::Vertex(v) => v.index() < shape.vertex_count(),
                Feature::Edge(h) => h.index() < shape.half_edge_count(),
                Feature::Face(f) => f.index() < shape.face_count(),
            };
            if exists { feature } else { Feature::Vertex(VertexId(0)) }
        };
        let [a, b] = seed.features();
        match [checked(a, self.shapes[0]), checked(b, self.shapes[1])] {
            [Feature::Face(f), Feature::Face(g)] => {
                let corner = self.shapes[0].half_edge(self.shapes[0].first(f)).head;
                [Feature::Vertex(corner), Feature::Face(g)]
            }
            pair => pair,
        }
    }
}

/// A unit vector that points out of a polytope at a feature: the middle of the normals there.
pub(crate) fn outward<S: Real>(shape: &Polytope<S>, feature: Feature) -> S::Vec3 {
    let normal = |f: FaceId| shape.plane(f).normal;
    let sum = match feature {
        Feature::Face(f) => normal(f),
        Feature::Edge(h) => {
            let [left, right] = shape.sides(h);
            normal(left) + normal(right)
        }
        Feature::Vertex(v) => shape.faces_at(v).fold(S::Vec3::ZERO, |sum, f| sum + normal(f)),
    };
    sum.unit().unwrap_or(S::Vec3::AXES[0])
}
