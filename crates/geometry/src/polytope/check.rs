//! Verification of everything a polytope promises. Slow and plain: tests, readers and constructors
//! rely on it.

use glam::DVec3;

use super::build::ring_normal;
use super::{FaceId, HalfEdgeId, Polytope, VertexId};
use crate::real::{Real, Vector};

/// Up to this many pairs of a vertex and a face, convexity is checked for all pairs; above, for
/// neighbouring faces.
const MAX_PAIRS: usize = 1 << 26;

carom_core::error_type! {
    /// What is wrong with a polytope.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum PolytopeFault {
        /// Fewer than four vertices or faces.
        #[error("{vertices} vertices and {faces} faces enclose no volume")]
        TooSmall {
            /// Number of vertices.
            vertices: usize,
            /// Number of faces.
            faces: usize,
        },
        /// A number names something that is not there.
        #[error("half-edge {half_edge:?} names something that is not there")]
        OutOfRange {
            /// Which half-edge.
            half_edge: HalfEdgeId,
        },
        /// A half-edge and its pair do not name each other, or do not join the same vertices.
        #[error("half-edge {half_edge:?} and its pair do not fit")]
        BadPair {
            /// Which half-edge.
            half_edge: HalfEdgeId,
        },
        /// A half-edge does not start where the one before it ends, or is in another face, or two
        /// have the same successor.
        #[error("half-edge {half_edge:?} does not fit to the next one of its face")]
        BadNext {
            /// Which half-edge.
            half_edge: HalfEdgeId,
        },
        /// The half-edge stored for a face is in another face, or not all half-edges of the face
        /// are in one loop.
        #[error("the half-edges of face {face:?} are not one loop")]
        BadFace {
            /// Which face.
            face: FaceId,
        },
        /// The half-edge stored for a vertex starts elsewhere, or not all half-edges of the vertex
        /// are in one turn round it.
        #[error("the half-edges of vertex {vertex:?} are not one turn round it")]
        BadVertex {
            /// Which vertex.
            vertex: VertexId,
        },
        /// A vertex is in no face.
        #[error("vertex {vertex:?} is in no face")]
        LooseVertex {
            /// Which vertex.
            vertex: VertexId,
        },
        /// A face with fewer than three corners.
        #[error("face {face:?} has {corners} corners")]
        FewCorners {
            /// Which face.
            face: FaceId,
            /// How many.
            corners: usize,
        },
        /// A vertex with fewer than three edges.
        #[error("vertex {vertex:?} has {edges} edges")]
        FewEdges {
            /// Which vertex.
            vertex: VertexId,
            /// How many.
            edges: usize,
        },
        /// Two edges join the same vertices, or an edge joins a vertex to itself.
        #[error("vertices {a:?} and {b:?} are joined by more than one edge, or are the same")]
        DoubleEdge {
            /// One end.
            a: VertexId,
            /// The other end.
            b: VertexId,
        },
        /// V − E + F is not 2, or the surface is in several pieces.
        #[error("{vertices} vertices, {edges} edges and {faces} faces are not one sphere")]
        NotASphere {
            /// Number of vertices.
            vertices: usize,
            /// Number of edges.
            edges: usize,
            /// Number of faces.
            faces: usize,
        },
        /// A coordinate is infinite or not a number.
        #[error("vertex {vertex:?} is not finite")]
        NotFinite {
            /// Which vertex.
            vertex: VertexId,
        },
        /// Two neighbouring vertices are at the same place.
        #[error("half-edge {half_edge:?} has no length")]
        NoLength {
            /// Which half-edge.
            half_edge: HalfEdgeId,
        },
        /// The normal of a plane does not have length 1.
        #[error("the normal of face {face:?} has the length {length}")]
        NotUnit {
            /// Which face.
            face: FaceId,
            /// Its length.
            length: f64,
        },
        /// The corners of a face run clockwise seen from outside.
        #[error("the corners of face {face:?} run the wrong way round its plane")]
        TurnedOver {
            /// Which face.
            face: FaceId,
        },
        /// The outline of a face turns inwards.
        #[error("face {face:?} has a dent of {depth:e} at vertex {vertex:?}, the tolerance is {tolerance:e}")]
        Dented {
            /// Which face.
            face: FaceId,
            /// Which corner.
            vertex: VertexId,
            /// The least distance that moves the corner or one of its neighbours into line.
            depth: f64,
            /// The tolerance.
            tolerance: f64,
        },
        /// A corner of a face is not in its plane.
        #[error(
            "vertex {vertex:?} is {depth:e} below the plane of its face {face:?}, the tolerance is {tolerance:e}"
        )]
        NotPlanar {
            /// Which face.
            face: FaceId,
            /// Which corner.
            vertex: VertexId,
            /// How far it is below the plane.
            depth: f64,
            /// The tolerance.
            tolerance: f64,
        },
        /// A vertex is above the plane of a face.
        #[error(
            "vertex {vertex:?} is {height:e} above the plane of face {face:?}, the tolerance is {tolerance:e}"
        )]
        NotConvex {
            /// Which face.
            face: FaceId,
            /// Which vertex.
            vertex: VertexId,
            /// How far it is above the plane.
            height: f64,
            /// The tolerance.
            tolerance: f64,
        },
    }
}

impl<S: Real> Polytope<S> {
    /// Verifies links and geometry; see the invariants in the [module](super).
    ///
    /// Takes time proportional to vertices times faces; beyond 2²⁶ pairs, faces are compared with
    /// their neighbours only.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn check(&self) -> Result<(), PolytopeFault> {
        self.check_links()?;
        self.check_geometry()
    }

    /// Verifies the links alone, in linear time.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn check_links(&self) -> Result<(), PolytopeFault> {
        let (vertices, edges, faces) = (self.vertex_count(), self.edge_count(), self.face_count());
        if vertices < 4 || faces < 4 {
            return Err(PolytopeFault::TooSmall { vertices, faces });
        }
        self.check_half_edges()?;
        self.check_faces()?;
        self.check_vertices()?;
        self.check_edges_differ()?;
        let is_even = self.half_edge_count().is_multiple_of(2);
        if !is_even || vertices + faces != edges + 2 || !self.is_connected() {
            return Err(PolytopeFault::NotASphere { vertices, edges, faces });
        }
        Ok(())
    }

    fn check_half_edges(&self) -> Result<(), PolytopeFault> {
        let count = self.half_edge_count();
        for half_edge in self.half_edges() {
            let links = self.half_edge(half_edge);
            let is_in_range = links.pair.index() < count
                && links.next.index() < count
                && links.head.index() < self.vertex_count()
                && links.face.index() < self.face_count();
            if !is_in_range {
                return Err(PolytopeFault::OutOfRange { half_edge });
            }
        }
        let mut has_previous = vec![false; count];
        for half_edge in self.half_edges() {
            let links = self.half_edge(half_edge);
            if links.pair == half_edge || self.half_edge(links.pair).pair != half_edge {
                return Err(PolytopeFault::BadPair { half_edge });
            }
            let next = self.half_edge(links.next);
            let is_double = std::mem::replace(&mut has_previous[links.next.index()], true);
            if is_double || next.face != links.face || self.tail(links.next) != links.head {
                return Err(PolytopeFault::BadNext { half_edge });
            }
        }
        Ok(())
    }

    fn check_faces(&self) -> Result<(), PolytopeFault> {
        let mut sizes = vec![0; self.face_count()];
        for half_edge in self.half_edges() {
            sizes[self.half_edge(half_edge).face.index()] += 1;
        }
        for face in self.faces() {
            let first = self.first(face);
            if first.index() >= self.half_edge_count() || self.half_edge(first).face != face {
                return Err(PolytopeFault::BadFace { face });
            }
            // Successors are a permutation by now, so this ends.
            let corners = self.around_face(face).count();
            if corners != sizes[face.index()] {
                return Err(PolytopeFault::BadFace { face });
            }
            if corners < 3 {
                return Err(PolytopeFault::FewCorners { face, corners });
            }
        }
        Ok(())
    }

    fn check_vertices(&self) -> Result<(), PolytopeFault> {
        let mut sizes = vec![0; self.vertex_count()];
        for half_edge in self.half_edges() {
            sizes[self.tail(half_edge).index()] += 1;
        }
        for vertex in self.vertices() {
            if sizes[vertex.index()] == 0 {
                return Err(PolytopeFault::LooseVertex { vertex });
            }
            let outgoing = self.outgoing(vertex);
            if outgoing.index() >= self.half_edge_count() || self.tail(outgoing) != vertex {
                return Err(PolytopeFault::BadVertex { vertex });
            }
            let edges = self.around_vertex(vertex).count();
            if edges != sizes[vertex.index()] {
                return Err(PolytopeFault::BadVertex { vertex });
            }
            if edges < 3 {
                return Err(PolytopeFault::FewEdges { vertex, edges });
            }
        }
        Ok(())
    }

    fn check_edges_differ(&self) -> Result<(), PolytopeFault> {
        let mut ends: Vec<[VertexId; 2]> = self.half_edges().map(|h| self.ends(h)).collect();
        ends.sort_unstable();
        let double = ends.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        match double.or_else(|| ends.iter().copied().find(|[a, b]| a == b)) {
            Some([a, b]) => Err(PolytopeFault::DoubleEdge { a, b }),
            None => Ok(()),
        }
    }

    fn is_connected(&self) -> bool {
        let mut reached = vec![false; self.vertex_count()];
        let mut stack = vec![VertexId(0)];
        reached[0] = true;
        let mut count = 0;
        while let Some(vertex) = stack.pop() {
            count += 1;
            for other in self.adjacent_vertices(vertex) {
                if !std::mem::replace(&mut reached[other.index()], true) {
                    stack.push(other);
                }
            }
        }
        count == self.vertex_count()
    }

    fn check_geometry(&self) -> Result<(), PolytopeFault> {
        if let Some(vertex) = self.vertices().find(|&v| !self.point(v).is_finite()) {
            return Err(PolytopeFault::NotFinite { vertex });
        }
        for half_edge in self.half_edges() {
            let [a, b] = self.ends(half_edge);
            if self.point(a) == self.point(b) {
                return Err(PolytopeFault::NoLength { half_edge });
            }
        }
        for face in self.faces() {
            self.check_plane(face)?;
        }
        let is_small = self.vertex_count().saturating_mul(self.face_count()) <= MAX_PAIRS;
        for face in self.faces() {
            if is_small {
                self.check_behind(face, self.vertices())?;
            } else {
                let around = self.adjacent_faces(face).flat_map(|other| self.face_vertices(other));
                self.check_behind(face, around)?;
            }
        }
        Ok(())
    }

    /// Height of a vertex above the plane of a face, in `f64`.
    fn height(&self, face: FaceId, vertex: VertexId) -> f64 {
        let plane = self.plane(face);
        plane.normal.to::<f64>().dot(self.point(vertex).to::<f64>()) - plane.offset.to_f64()
    }

    fn check_plane(&self, face: FaceId) -> Result<(), PolytopeFault> {
        let length = self.plane(face).normal.to::<f64>().length();
        if exceeds((length - 1.0).abs(), 8.0 * S::EPSILON.to_f64()) {
            return Err(PolytopeFault::NotUnit { face, length });
        }
        let ring: Vec<DVec3> = self.face_points(face).map(Vector::to::<f64>).collect();
        // Corners within the tolerance of a line have no sense of rotation.
        let is_turned = ring_normal(&ring).is_some_and(|n| n.dot(self.plane(face).normal.to::<f64>()) < 0.0);
        let tolerance = self.tolerance.to_f64();
        if is_turned && width(&ring) > 2.0 * tolerance {
            return Err(PolytopeFault::TurnedOver { face });
        }
        // Three corners cannot have a dent, only be turned over.
        let corners = if ring.len() > 3 { ring.len() } else { 0 };
        for half_edge in self.around_face(face).take(corners) {
            let depth = self.dent(half_edge);
            if exceeds(depth, tolerance * SLACK) {
                let vertex = self.half_edge(half_edge).head;
                return Err(PolytopeFault::Dented { face, vertex, depth, tolerance });
            }
        }
        for vertex in self.face_vertices(face) {
            let depth = -self.height(face, vertex);
            if exceeds(depth, tolerance * SLACK) {
                return Err(PolytopeFault::NotPlanar { face, vertex, depth, tolerance });
            }
        }
        Ok(())
    }

    /// If the outline turns inwards at the head of a half-edge: the least height of the triangle
    /// with both neighbours.
    fn dent(&self, half_edge: HalfEdgeId) -> f64 {
        let links = self.half_edge(half_edge);
        let ends = [self.tail(half_edge), links.head, self.half_edge(links.next).head];
        let [p, v, q] = ends.map(|v| self.point(v).to::<f64>());
        // Halved first and divided before the product, so that the largest numbers do not overflow.
        let sides = [v * 0.5 - p * 0.5, q * 0.5 - v * 0.5, q * 0.5 - p * 0.5];
        let longest = sides.map(|s| Vector::abs(s).max_element()).into_iter().fold(0.0, Real::max);
        let scaled = sides.map(|s| s / longest);
        let turn = self.plane(links.face).normal.to::<f64>().dot(scaled[0].cross(scaled[1]));
        let length = scaled.map(DVec3::length).into_iter().fold(0.0, Real::max);
        Real::max(-turn / length * longest * 2.0, 0.0)
    }

    fn check_behind(
        &self,
        face: FaceId,
        vertices: impl Iterator<Item = VertexId>,
    ) -> Result<(), PolytopeFault> {
        let tolerance = self.tolerance.to_f64();
        for vertex in vertices {
            let height = self.height(face, vertex);
            if exceeds(height, tolerance * SLACK) {
                return Err(PolytopeFault::NotConvex { face, vertex, height, tolerance });
            }
        }
        Ok(())
    }
}

/// NaN exceeds everything: it is a fault.
fn exceeds(value: f64, limit: f64) -> bool {
    value > limit || value.is_nan()
}

/// Construction keeps to the tolerance; rounding its result to the scalar type adds a part of it.
const SLACK: f64 = 1.5;

/// How far a ring is from being on a line: twice its area over its extent, roughly its width.
fn width(ring: &[DVec3]) -> f64 {
    let origin = ring[0];
    let extent = ring.iter().map(|&p| (p - origin).length()).fold(0.0, Real::max);
    let area = (1..ring.len())
        .map(|k| (ring[k] / extent - origin / extent).cross(ring[(k + 1) % ring.len()] - origin))
        .sum::<DVec3>();
    area.length()
}
