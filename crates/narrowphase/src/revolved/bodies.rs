//! What the search asks of the other shape: directions, arcs between them, corners.
//!
//! On the sphere of directions a polyhedron is a net: each face is a point, each edge the arc
//! between the normals beside it. Flat shapes and segments have the same net with a few more points
//! on their arcs, so that no arc exceeds a right angle by much and one search serves all.

use carom_geometry::closest::TrianglePoint;
use carom_geometry::polytope::{FaceId, HalfEdgeId};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Polytope, Real, Vector};

/// Most directions of a body that there is room for.
pub(super) const MAX_DIRECTIONS: usize = 24;

/// The arc of an edge: between the directions of two numbers, turning round `along` from the first
/// to the second.
pub(super) struct Arc<S: Real> {
    pub(super) between: [usize; 2],
    /// One end of the edge.
    pub(super) tail: S::Vec3,
    /// From there to the other end.
    pub(super) along: S::Vec3,
}

/// A convex core with flat faces and straight edges, in its own frame.
pub(super) trait Body<S: Real> {
    /// Number of directions.
    fn directions(&self) -> usize;
    /// A unit vector and how far the body reaches along it.
    fn direction(&self, number: usize) -> (S::Vec3, S);
    /// Visits all arcs.
    fn each_arc(&self, visit: impl FnMut(Arc<S>));
    /// Visits all corners.
    fn each_corner(&self, visit: impl FnMut(S::Vec3));
    /// A farthest corner.
    fn farthest(&self, direction: S::Vec3) -> S::Vec3;
    /// The point of the body nearest to another, if that is easily known; any other that is given
    /// instead.
    fn towards(&self, point: S::Vec3, otherwise: S::Vec3) -> S::Vec3;
    /// A point inside.
    fn middle(&self) -> S::Vec3;
    /// How far its points are from the origin, about.
    fn reach(&self) -> S;
    /// Is the point in the body, or about so far from it?
    fn has(&self, point: S::Vec3, slack: S) -> bool;
}

impl<S: Real> Body<S> for Cuboid<S> {
    #[inline]
    fn directions(&self) -> usize {
        6
    }

    #[inline]
    fn direction(&self, number: usize) -> (S::Vec3, S) {
        let axis = number / 2 % 3;
        let sign = if number.is_multiple_of(2) { S::ONE } else { -S::ONE };
        (S::Vec3::AXES[axis] * sign, self.half[axis])
    }

    #[inline]
    fn each_arc(&self, mut visit: impl FnMut(Arc<S>)) {
        for axis in 0..3 {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            let along = S::Vec3::AXES[axis] * (self.half[axis] + self.half[axis]);
            for signs in 0..4 {
                let (is_next_low, is_last_low) = (signs & 1, signs >> 1);
                let mut tail = S::Vec3::ZERO;
                tail[axis] = -self.half[axis];
                tail[next] = if is_next_low == 0 { self.half[next] } else { -self.half[next] };
                tail[last] = if is_last_low == 0 { self.half[last] } else { -self.half[last] };
                let (n, l) = (2 * next + is_next_low, 2 * last + is_last_low);
                // Round the axis from the next to the last, the other way where one of them is
                // turned.
                let between = if is_next_low == is_last_low { [n, l] } else { [l, n] };
                visit(Arc { between, tail, along });
            }
        }
    }

    #[inline]
    fn each_corner(&self, mut visit: impl FnMut(S::Vec3)) {
        let sign = |number: usize, bit: usize, value: S| if number >> bit & 1 == 0 { value } else { -value };
        for k in 0..8 {
            let h = self.half;
            visit(S::Vec3::new(sign(k, 0, h.x()), sign(k, 1, h.y()), sign(k, 2, h.z())));
        }
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        self.support(direction)
    }

    #[inline]
    fn towards(&self, point: S::Vec3, _: S::Vec3) -> S::Vec3 {
        Vector::clamp(point, -self.half, self.half)
    }

    #[inline]
    fn middle(&self) -> S::Vec3 {
        S::Vec3::ZERO
    }

    #[inline]
    fn reach(&self) -> S {
        self.half.max_element()
    }

    #[inline]
    fn has(&self, point: S::Vec3, slack: S) -> bool {
        (Vector::abs(point) - self.half).max_element() <= slack
    }
}

/// A triangle with its two faces and the directions across its edges.
pub(super) struct TriangleBody<S: Real> {
    corners: [S::Vec3; 3],
    normals: [S::Vec3; 5],
}

impl<S: Real> TriangleBody<S> {
    /// None for needles.
    pub(super) fn new(shape: &Triangle<S>) -> Option<Self> {
        let longest = shape.edges().iter().fold(S::ZERO, |l, e| Real::max(l, e.direction().length_squared()));
        // A height of a thousandth of the longest side.
        if shape.area_vector().length_squared() <= S::of(1e-6) * longest * longest {
            return None;
        }
        let normal = shape.normal()?;
        let mut normals = [normal; 5];
        normals[1] = -normal;
        for (pose, edge) in normals[2..].iter_mut().zip(shape.edges()) {
            *pose = edge.direction().cross(normal).unit()?;
        }
        Some(Self { corners: shape.corners(), normals })
    }
}

impl<S: Real> Body<S> for TriangleBody<S> {
    #[inline]
    fn directions(&self) -> usize {
        5
    }

    #[inline]
    fn direction(&self, number: usize) -> (S::Vec3, S) {
        let normal = self.normals[number];
        (normal, normal.dot(self.corners[number.saturating_sub(2)]))
    }

    #[inline]
    fn each_arc(&self, mut visit: impl FnMut(Arc<S>)) {
        for k in 0..3 {
            let tail = self.corners[k];
            let along = self.corners[(k + 1) % 3] - tail;
            visit(Arc { between: [0, 2 + k], tail, along });
            visit(Arc { between: [2 + k, 1], tail, along });
        }
    }

    #[inline]
    fn each_corner(&self, visit: impl FnMut(S::Vec3)) {
        self.corners.into_iter().for_each(visit);
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        let [a, b, c] = self.corners;
        Triangle::<S> { a, b, c }.support(direction)
    }

    #[inline]
    fn middle(&self) -> S::Vec3 {
        (self.corners[0] + self.corners[1] + self.corners[2]) * S::of(1.0 / 3.0)
    }

    #[inline]
    fn towards(&self, point: S::Vec3, _: S::Vec3) -> S::Vec3 {
        let [a, b, c] = self.corners;
        TrianglePoint::nearest(&Triangle::<S> { a, b, c }, point).point
    }

    #[inline]
    fn reach(&self) -> S {
        self.corners.into_iter().fold(S::ZERO, |reach, c| Real::max(reach, Vector::abs(c).max_element()))
    }

    #[inline]
    fn has(&self, point: S::Vec3, slack: S) -> bool {
        (0..5).all(|k| {
            let (normal, offset) = self.direction(k);
            normal.dot(point) - offset <= slack
        })
    }
}

/// A segment with four directions round it.
pub(super) struct SegmentBody<S: Real> {
    segment: Segment<S>,
    normals: [S::Vec3; 4],
}

impl<S: Real> SegmentBody<S> {
    /// None for points.
    pub(super) fn new(segment: &Segment<S>) -> Option<Self> {
        let (u, v) = segment.direction().unit()?.frame();
        Some(Self { segment: *segment, normals: [u, v, -u, -v] })
    }
}

impl<S: Real> Body<S> for SegmentBody<S> {
    #[inline]
    fn directions(&self) -> usize {
        4
    }

    #[inline]
    fn direction(&self, number: usize) -> (S::Vec3, S) {
        let normal = self.normals[number];
        (normal, normal.dot(self.segment.a))
    }

    #[inline]
    fn each_arc(&self, mut visit: impl FnMut(Arc<S>)) {
        let (tail, along) = (self.segment.a, self.segment.direction());
        for k in 0..4 {
            visit(Arc { between: [k, (k + 1) % 4], tail, along });
        }
    }

    #[inline]
    fn each_corner(&self, mut visit: impl FnMut(S::Vec3)) {
        visit(self.segment.a);
        visit(self.segment.b);
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        if direction.dot(self.segment.direction()) > S::ZERO { self.segment.b } else { self.segment.a }
    }

    #[inline]
    fn towards(&self, _: S::Vec3, otherwise: S::Vec3) -> S::Vec3 {
        otherwise
    }

    #[inline]
    fn middle(&self) -> S::Vec3 {
        self.segment.at(S::HALF)
    }

    #[inline]
    fn reach(&self) -> S {
        super::segment::reach(&self.segment)
    }

    #[inline]
    fn has(&self, point: S::Vec3, slack: S) -> bool {
        let along = self.segment.direction();
        let square = along.length_squared();
        let t = Real::clamp((point - self.segment.a).dot(along) / square, S::ZERO, S::ONE);
        (self.segment.at(t) - point).length_squared() <= slack * slack
    }
}

impl<S: Real> Body<S> for Polytope<S> {
    #[inline]
    fn directions(&self) -> usize {
        self.face_count()
    }

    #[inline]
    fn direction(&self, number: usize) -> (S::Vec3, S) {
        let plane = self.plane(FaceId(number as u32));
        (plane.normal, plane.offset)
    }

    #[inline]
    fn each_arc(&self, mut visit: impl FnMut(Arc<S>)) {
        for number in 0..self.half_edge_count() as u32 {
            let links = self.half_edge(HalfEdgeId(number));
            if links.pair.0 < number {
                continue;
            }
            let pair = self.half_edge(links.pair);
            let tail = self.point(pair.head);
            let along = self.point(links.head) - tail;
            visit(Arc { between: [links.face.index(), pair.face.index()], tail, along });
        }
    }

    #[inline]
    fn each_corner(&self, visit: impl FnMut(S::Vec3)) {
        self.points().iter().copied().for_each(visit);
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        self.point(self.support_vertex(direction))
    }

    #[inline]
    fn towards(&self, _: S::Vec3, otherwise: S::Vec3) -> S::Vec3 {
        otherwise
    }

    #[inline]
    fn middle(&self) -> S::Vec3 {
        self.vertex_centroid()
    }

    #[inline]
    fn reach(&self) -> S {
        self.points().iter().fold(S::ZERO, |reach, p| Real::max(reach, Vector::abs(*p).max_element()))
    }

    #[inline]
    fn has(&self, point: S::Vec3, slack: S) -> bool {
        self.planes().iter().all(|plane| plane.signed_distance(point) <= slack)
    }
}
