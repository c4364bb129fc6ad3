//! Convex polytopes with their faces, edges and vertices: what feature-based collision tests walk
//! on.
//!
//! The structure is a half-edge mesh. Every edge is two half-edges, one in each of its faces; a
//! half-edge knows its head, its pair, the next one counter-clockwise (seen from outside) round its
//! face, and its face. Everything is named by integers, so a polytope can be shared, copied and
//! written to a file as it is.
//!
//! Invariants ([`Polytope::check`] verifies them):
//! * the mesh is a sphere: V − E + F = 2; every face has at least three corners, every vertex at
//!   least three edges, and no two edges join the same vertices;
//! * every vertex is at most [`tolerance`](Polytope::tolerance) above the plane of every face, and
//!   the corners of a face are at most that below it. Faces may be coplanar with their neighbours
//!   within the tolerance.
//!
//! Every half-edge also has the two planes that bound the Voronoi regions round it (B. Mirtich,
//! "V-Clip", 1998), positive towards the region of the edge:
//! * [`vp_head`](Polytope::vp_head) separates the edge from its head: through the head, normal
//!   towards the tail;
//! * [`vp_face`](Polytope::vp_face) separates the edge from its face: through the edge, normal in
//!   the plane of the face and out of it.
//!
//! | module | holds |
//! |---|---|
//! | [`build`] | construction from explicit faces |
//! | [`check`] | verification |
//! | [`generate`] | boxes, prisms, pyramids, random hulls |
//! | [`text`] | reading and writing |
//!
//! Identifiers have 32 bits: hulls of scanned models exceed 65 536 half-edges, and 16 bits would
//! save a quarter of the memory, as most of it is the planes.

pub mod build;
pub mod check;
mod fans;
pub mod generate;
mod ray;
mod stored;
mod support;
pub mod text;

use crate::primitive::{Plane, Segment, Triangle};
use crate::real::{Real, Vector};

pub use build::BuildError;
pub use check::PolytopeFault;
pub use generate::GenerateError;
pub use text::TextError;

use fans::VertexFans;
use ray::PlaneLanes;
use support::VertexLanes;

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

identifier! {
    /// A vertex of a polytope, counted from 0.
    VertexId
}
identifier! {
    /// A half-edge of a polytope, counted from 0.
    HalfEdgeId
}
identifier! {
    /// A face of a polytope, counted from 0.
    FaceId
}

/// A vertex, edge or face, as a closed set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(VertexId),
    /// An edge, named by either of its half-edges.
    Edge(HalfEdgeId),
    /// A face.
    Face(FaceId),
}

/// The links of a half-edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    /// Where it ends.
    pub head: VertexId,
    /// The half-edge of the same edge in the other direction.
    pub pair: HalfEdgeId,
    /// The next one round the face, counter-clockwise seen from outside.
    pub next: HalfEdgeId,
    /// The face to its left.
    pub face: FaceId,
}

/// The planes between the Voronoi region of an edge and those beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VoronoiPlanes<S: Real> {
    head: Plane<S>,
    face: Plane<S>,
}

/// A convex polytope with volume.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope<S: Real = f32> {
    points: Vec<S::Vec3>,
    /// A half-edge that starts at each vertex.
    outgoing: Vec<HalfEdgeId>,
    half_edges: Vec<HalfEdge>,
    voronoi: Vec<VoronoiPlanes<S>>,
    /// A half-edge of each face.
    first: Vec<HalfEdgeId>,
    planes: Vec<Plane<S>>,
    tolerance: S,
    /// The faces at each vertex.
    fans: VertexFans,
    lanes: VertexLanes<S>,
    plane_lanes: PlaneLanes<S>,
}

impl<S: Real> Polytope<S> {
    /// Number of vertices, at least 4.
    #[inline]
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.points.len()
    }

    /// Number of edges, at least 6.
    #[inline]
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.half_edges.len() / 2
    }

    /// Number of half-edges, twice that of edges.
    #[inline]
    #[must_use]
    pub fn half_edge_count(&self) -> usize {
        self.half_edges.len()
    }

    /// Number of faces, at least 4.
    #[inline]
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.planes.len()
    }

    /// How far vertices may be from where exact arithmetic would have them relative to the planes
    /// of faces.
    #[inline]
    #[must_use]
    pub fn tolerance(&self) -> S {
        self.tolerance
    }

    /// The positions of all vertices, by number.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[S::Vec3] {
        &self.points
    }

    /// The planes of all faces, by number; their normals point outwards.
    #[inline]
    #[must_use]
    pub fn planes(&self) -> &[Plane<S>] {
        &self.planes
    }

    /// Position of a vertex.
    #[inline]
    #[must_use]
    pub fn point(&self, vertex: VertexId) -> S::Vec3 {
        self.points[vertex.index()]
    }

    /// A half-edge that starts at a vertex.
    #[inline]
    #[must_use]
    pub fn outgoing(&self, vertex: VertexId) -> HalfEdgeId {
        self.outgoing[vertex.index()]
    }

    /// A half-edge of a face.
    #[inline]
    #[must_use]
    pub fn first(&self, face: FaceId) -> HalfEdgeId {
        self.first[face.index()]
    }

    /// Plane of a face, its normal outwards.
    #[inline]
    #[must_use]
    pub fn plane(&self, face: FaceId) -> Plane<S> {
        self.planes[face.index()]
    }

    /// The links of a half-edge.
    #[inline]
    #[must_use]
    pub fn half_edge(&self, half_edge: HalfEdgeId) -> HalfEdge {
        self.half_edges[half_edge.index()]
    }

    /// Where a half-edge starts.
    #[inline]
    #[must_use]
    pub fn tail(&self, half_edge: HalfEdgeId) -> VertexId {
        self.half_edge(self.half_edge(half_edge).pair).head
    }

    /// From tail to head.
    #[inline]
    #[must_use]
    pub fn segment(&self, half_edge: HalfEdgeId) -> Segment<S> {
        Segment::new(self.point(self.tail(half_edge)), self.point(self.half_edge(half_edge).head))
    }

    /// The plane between an edge and the head of its half-edge: positive where the edge is nearer.
    #[inline]
    #[must_use]
    pub fn vp_head(&self, half_edge: HalfEdgeId) -> Plane<S> {
        self.voronoi[half_edge.index()].head
    }

    /// The plane between an edge and the face of its half-edge: positive where the edge is nearer.
    #[inline]
    #[must_use]
    pub fn vp_face(&self, half_edge: HalfEdgeId) -> Plane<S> {
        self.voronoi[half_edge.index()].face
    }

    /// All vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = VertexId> + use<S> {
        (0..self.points.len() as u32).map(VertexId)
    }

    /// All faces.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = FaceId> + Clone + use<S> {
        (0..self.planes.len() as u32).map(FaceId)
    }

    /// All half-edges.
    pub fn half_edges(&self) -> impl ExactSizeIterator<Item = HalfEdgeId> + use<S> {
        (0..self.half_edges.len() as u32).map(HalfEdgeId)
    }

    /// Every edge once, by the lower of its half-edges.
    pub fn edges(&self) -> impl Iterator<Item = HalfEdgeId> + '_ {
        self.half_edges().filter(|&h| h < self.half_edge(h).pair)
    }

    /// The name of an edge that both its half-edges share: the lower one.
    #[inline]
    #[must_use]
    pub fn edge_of(&self, half_edge: HalfEdgeId) -> HalfEdgeId {
        half_edge.min(self.half_edge(half_edge).pair)
    }

    /// The half-edges that start at a vertex, clockwise seen from outside.
    pub fn around_vertex(&self, vertex: VertexId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let start = self.outgoing(vertex);
        let following = move |&h: &HalfEdgeId| {
            let next = self.half_edge(self.half_edge(h).pair).next;
            (next != start).then_some(next)
        };
        std::iter::successors(Some(start), following)
    }

    /// The half-edges of a face, counter-clockwise seen from outside.
    pub fn around_face(&self, face: FaceId) -> impl Iterator<Item = HalfEdgeId> + Clone + '_ {
        let start = self.first(face);
        let following = move |&h: &HalfEdgeId| {
            let next = self.half_edge(h).next;
            (next != start).then_some(next)
        };
        std::iter::successors(Some(start), following)
    }

    /// The corners of a face, counter-clockwise seen from outside.
    pub fn face_vertices(&self, face: FaceId) -> impl Iterator<Item = VertexId> + Clone + '_ {
        self.around_face(face).map(|h| self.half_edge(h).head)
    }

    /// The positions of the corners of a face, counter-clockwise seen from outside.
    pub fn face_points(&self, face: FaceId) -> impl Iterator<Item = S::Vec3> + Clone + '_ {
        self.face_vertices(face).map(|v| self.point(v))
    }

    /// The vertices joined to a vertex by an edge, clockwise seen from outside.
    pub fn adjacent_vertices(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        self.around_vertex(vertex).map(|h| self.half_edge(h).head)
    }

    /// The faces that meet at a vertex, clockwise seen from outside.
    pub fn faces_at(&self, vertex: VertexId) -> impl Iterator<Item = FaceId> + '_ {
        self.around_vertex(vertex).map(|h| self.half_edge(h).face)
    }

    /// The faces that meet at a vertex, by number: a list, where [`Self::faces_at`] walks.
    #[inline]
    #[must_use]
    pub fn faces_around(&self, vertex: VertexId) -> &[FaceId] {
        self.fans.of(vertex)
    }

    /// The faces across the edges of a face, in the order of [`Self::around_face`].
    pub fn adjacent_faces(&self, face: FaceId) -> impl Iterator<Item = FaceId> + '_ {
        self.around_face(face).map(|h| self.half_edge(self.half_edge(h).pair).face)
    }

    /// Tail and head of a half-edge.
    #[inline]
    #[must_use]
    pub fn ends(&self, half_edge: HalfEdgeId) -> [VertexId; 2] {
        [self.tail(half_edge), self.half_edge(half_edge).head]
    }

    /// The faces to the left and to the right of a half-edge.
    #[inline]
    #[must_use]
    pub fn sides(&self, half_edge: HalfEdgeId) -> [FaceId; 2] {
        let links = self.half_edge(half_edge);
        [links.face, self.half_edge(links.pair).face]
    }

    /// All faces cut into triangles from their first corner, counter-clockwise seen from outside: a
    /// closed surface.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle<S>> + Clone + '_ {
        self.faces().flat_map(move |face| {
            let start = self.first(face);
            let apex = self.point(self.half_edge(start).head);
            self.around_face(face).skip(2).map(move |h| {
                let [a, b] = self.ends(h);
                Triangle::new(apex, self.point(a), self.point(b))
            })
        })
    }

    /// Mean of the vertices: a point inside, but not the centre of mass.
    #[must_use]
    pub fn vertex_centroid(&self) -> S::Vec3 {
        let share = 1.0 / self.points.len() as f64;
        let sum = self.points.iter().map(|p| p.to::<f64>() * share).sum::<glam::DVec3>();
        sum.to::<S>()
    }

    /// Is a point inside or on the surface?
    #[must_use]
    pub fn contains(&self, point: S::Vec3) -> bool {
        self.planes.iter().all(|plane| plane.signed_distance(point) <= S::ZERO)
    }

    /// The same polytope in the other precision: links and normals are kept up to rounding. The
    /// tolerance grows by what rounding the coordinates may do.
    #[must_use]
    pub fn to<T: Real>(&self) -> Polytope<T> {
        let points: Vec<T::Vec3> = self.points.iter().map(|p| p.to::<T>()).collect();
        let planes = self.faces().map(|f| {
            let normal = self.plane(f).normal.to::<f64>();
            let corners = self.face_vertices(f).map(|v| points[v.index()]);
            build::outermost_plane::<T>(normal.unit().unwrap_or(normal), corners)
        });
        let planes = planes.collect();
        let rounding = build::default_tolerance::<T>(&points);
        let tolerance = Real::max(T::of(self.tolerance.to_f64()), T::ZERO) + rounding;
        Polytope::assemble(points, self.half_edges.clone(), planes, tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_cube_has_the_neighbours_of_a_cube() {
        let cube = Polytope::<f64>::cube(1.0).unwrap();
        assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
        assert_eq!(cube.edges().count(), 12);
        for v in cube.vertices() {
            assert_eq!(cube.around_vertex(v).count(), 3);
            assert!(cube.around_vertex(v).all(|h| cube.tail(h) == v));
            assert!(
                cube.adjacent_vertices(v).all(|w| (cube.point(v) - cube.point(w)).length_squared() == 4.0)
            );
            assert!(cube.faces_at(v).all(|f| cube.face_vertices(f).any(|w| w == v)));
        }
        for f in cube.faces() {
            assert_eq!(cube.face_points(f).count(), 4);
            assert!(cube.adjacent_faces(f).all(|g| cube.plane(f).normal.dot(cube.plane(g).normal) == 0.0));
        }
        for h in cube.half_edges() {
            let pair = cube.half_edge(h).pair;
            assert_eq!(cube.edge_of(h), cube.edge_of(pair));
            assert_eq!(cube.sides(h)[1], cube.sides(pair)[0]);
            assert_eq!(cube.segment(h).direction(), -cube.segment(pair).direction());
        }
        assert_eq!(cube.vertex_centroid(), DVec3::ZERO);
        assert!(cube.contains(DVec3::ONE) && !cube.contains(DVec3::new(1.1, 0.0, 0.0)));
    }

    #[test]
    fn triangles_close_the_surface() {
        let prism = Polytope::<f64>::prism(7, 2.0, 1.0).unwrap();
        let volume: f64 = prism.triangles().map(|t| t.a.dot(t.b.cross(t.c)) / 6.0).sum();
        let base = 3.5 * (std::f64::consts::TAU / 7.0).sin();
        assert!((volume - 2.0 * base).abs() < 1e-12);
        let area: DVec3 = prism.triangles().map(|t| t.area_vector()).sum();
        assert!(area.length() < 1e-12);
    }

    #[test]
    fn voronoi_planes_are_positive_towards_the_edge() {
        let cube = Polytope::<f64>::cube(1.0).unwrap();
        for h in cube.half_edges() {
            let [tail, head] = cube.ends(h).map(|v| cube.point(v));
            assert_eq!(cube.vp_head(h).signed_distance(tail), 2.0);
            assert_eq!(cube.vp_head(h).signed_distance(head), 0.0);
            assert_eq!(cube.vp_face(h).signed_distance((tail + head) / 2.0), 0.0);
            // The middle of the face is 1 away from the edge, on the side of the face.
            let face = cube.half_edge(h).face;
            assert_eq!(cube.vp_face(h).signed_distance(cube.plane(face).normal), -1.0);
        }
    }

    #[test]
    fn other_precision_keeps_the_links() {
        let hull = Polytope::<f64>::prism(9, 2.0, 1.0).unwrap();
        let narrow = hull.to::<f32>();
        assert_eq!(narrow.check(), Ok(()));
        assert_eq!(narrow.half_edges, hull.half_edges);
        assert_eq!(narrow.to::<f64>().check(), Ok(()));
    }
}
