//! A growing polytope of triangles with the origin in it.
//!
//! Faces know their neighbours, so what a new vertex sees is found by walking from the face it was sought for. Vertices are
//! never removed; the places of faces that are gone are used again. The capacity is fixed: `V` vertices and `F = 2V − 4`
//! faces, as Euler allows no more.

use carom_geometry::Real;
use glam::DVec3;

use crate::gjk::difference::Vertex;
use crate::gjk::simplex::nearest;

/// A triangle of the surface.
#[derive(Clone, Copy)]
pub(super) struct Face {
    /// Vertices, counter-clockwise seen from outside.
    pub(super) corners: [u8; 3],
    /// The faces across the edges from each corner to the next.
    beside: [u16; 3],
    /// The vertex that removed it; see [`Surface::expand`].
    seen_by: u8,
    /// Outer unit normal; null for a face without area, which no vertex sees.
    pub(super) normal: DVec3,
    /// Distance of its plane from the origin; [`GONE`] for faces that cannot be the nearest.
    pub(super) height: f64,
}

/// Higher than every face.
const GONE: f64 = f64::MAX;

/// Of sines below this the direction is rounding.
const NEEDLE: f64 = 1e-14;

/// No face.
const NONE: u16 = u16::MAX;

/// An edge between what a vertex sees and what it does not.
#[derive(Clone, Copy)]
struct Edge {
    from: u8,
    to: u8,
    /// The face that it does not see.
    across: u16,
}

/// Why a vertex could not be added.
pub(super) enum Failure {
    /// There is no place for it.
    Full,
    /// The edges of what it sees are not one loop: rounding has torn the surface.
    Torn,
}

pub(super) struct Surface<S: Real, const V: usize, const F: usize> {
    pub(super) vertices: [Vertex<S>; V],
    pub(super) vertex_count: usize,
    faces: [Face; F],
    face_count: usize,
}

impl<S: Real, const V: usize, const F: usize> Surface<S, V, F> {
    /// The surface of a tetrahedron of four corners that are not in one plane.
    pub(super) fn new(mut corners: [Vertex<S>; 4]) -> Self {
        let [p, q, r, s] = corners.map(|c| c.w);
        if (q - p).cross(r - p).dot(s - p) > 0.0 {
            corners.swap(0, 1);
        }
        let none = Face { corners: [0; 3], beside: [0; 3], seen_by: 0, normal: DVec3::ZERO, height: GONE };
        let mut surface =
            Self { vertices: [Vertex::ZERO; V], vertex_count: 4, faces: [none; F], face_count: 4 };
        surface.vertices[..4].copy_from_slice(&corners);
        // The last corner is below the first three; face k of the others has the edge from corner k to the next.
        surface.faces[0] = surface.face([0, 1, 2], [1, 2, 3]);
        surface.faces[1] = surface.face([1, 0, 3], [0, 3, 2]);
        surface.faces[2] = surface.face([2, 1, 3], [0, 1, 3]);
        surface.faces[3] = surface.face([0, 2, 3], [0, 2, 1]);
        surface
    }

    fn face(&self, corners: [u8; 3], beside: [u16; 3]) -> Face {
        let [p, q, r] = corners.map(|c| self.vertices[usize::from(c)].w);
        let (u, v) = (q - p, r - p);
        let across = u.cross(v);
        let square = across.dot(across);
        let (normal, height) = if square > NEEDLE * NEEDLE * u.dot(u) * v.dot(v) {
            let normal = across / square.sqrt();
            (normal, normal.dot(p))
        } else {
            (DVec3::ZERO, GONE)
        };
        Face { corners, beside, seen_by: 0, normal, height }
    }

    /// The face whose plane is nearest to the origin.
    #[inline]
    pub(super) fn lowest(&self) -> Option<usize> {
        let mut best = 0;
        for k in 1..self.face_count {
            if self.faces[k].height < self.faces[best].height {
                best = k;
            }
        }
        (self.faces[best].height < GONE).then_some(best)
    }

    #[inline]
    pub(super) fn get(&self, face: usize) -> &Face {
        &self.faces[face]
    }

    /// Of the faces in the plane of this one, the one with the point nearest to the origin: a flat side of the difference may
    /// be cut into many triangles, and the origin is below one of them.
    pub(super) fn below_origin(&self, face: usize, slack: f64) -> usize {
        let Face { normal, height, .. } = self.faces[face];
        let square = |k: usize| nearest(&self.triangle(k), 3).square;
        let (mut best, mut least) = (face, square(face));
        if least <= height * height + slack * slack {
            return best;
        }
        for k in 0..self.face_count {
            let lowest = self.triangle(k)[..3].iter().map(|w| normal.dot(*w)).fold(GONE, Real::min);
            if lowest >= height - slack && square(k) < least {
                (best, least) = (k, square(k));
            }
        }
        best
    }

    fn triangle(&self, face: usize) -> [DVec3; 4] {
        let [p, q, r] = self.faces[face].corners.map(|c| self.vertices[usize::from(c)].w);
        [p, q, r, DVec3::ZERO]
    }

    /// Adds a vertex that lies above a face: everything it sees is replaced by triangles from the rim to the vertex.
    pub(super) fn expand(&mut self, from: usize, vertex: Vertex<S>) -> Result<(), Failure> {
        if self.vertex_count == V {
            return Err(Failure::Full);
        }
        let number = self.vertex_count as u8;
        self.vertices[self.vertex_count] = vertex;
        self.vertex_count += 1;
        // What it sees, as a list that is its own queue.
        let mut seen = [0u16; F];
        let mut seen_count = 1;
        seen[0] = from as u16;
        self.faces[from].seen_by = number;
        let mut rim = [Edge { from: 0, to: 0, across: 0 }; F];
        let mut rim_count = 0;
        let mut next = 0;
        while next < seen_count {
            let Face { corners, beside, .. } = self.faces[usize::from(seen[next])];
            next += 1;
            for k in 0..3 {
                let other = &mut self.faces[usize::from(beside[k])];
                if other.seen_by == number {
                    continue;
                }
                if other.normal.dot(vertex.w) > other.height {
                    other.seen_by = number;
                    seen[seen_count] = beside[k];
                    seen_count += 1;
                } else {
                    rim[rim_count] = Edge { from: corners[k], to: corners[(k + 1) % 3], across: beside[k] };
                    rim_count += 1;
                }
            }
        }
        self.close(number, &rim[..rim_count], &seen[..seen_count])
    }

    /// Joins the edges of a rim to a vertex, in the places of the faces that are gone.
    fn close(&mut self, number: u8, rim: &[Edge], gone: &[u16]) -> Result<(), Failure> {
        // There are two triangles more than before, but fewer if vertices end up inside: supports of flat sides may be any of
        // their points.
        let added = rim.len().saturating_sub(gone.len());
        if self.face_count + added > F {
            return Err(Failure::Full);
        }
        let place = |k: usize| match gone.get(k) {
            Some(&free) => free,
            None => (self.face_count + k - gone.len()) as u16,
        };
        // The new face that starts, and the one that ends, at each vertex.
        let mut starting = [NONE; V];
        let mut ending = [NONE; V];
        for (k, edge) in rim.iter().enumerate() {
            let (s, e) = (&mut starting[usize::from(edge.from)], &mut ending[usize::from(edge.to)]);
            if *s != NONE || *e != NONE {
                return Err(Failure::Torn);
            }
            (*s, *e) = (place(k), place(k));
        }
        if rim.iter().any(|edge| ending[usize::from(edge.from)] == NONE) {
            return Err(Failure::Torn);
        }
        for (k, &Edge { from, to, across }) in rim.iter().enumerate() {
            let here = place(k);
            let beside = [across, starting[usize::from(to)], ending[usize::from(from)]];
            let outer = &mut self.faces[usize::from(across)];
            let edge = (0..3).find(|&e| outer.corners[e] == to && outer.corners[(e + 1) % 3] == from);
            let Some(edge) = edge else { return Err(Failure::Torn) };
            outer.beside[edge] = here;
            self.faces[usize::from(here)] = self.face([from, to, number], beside);
        }
        self.face_count += added;
        for &free in gone.iter().skip(rim.len()) {
            let face = &mut self.faces[usize::from(free)];
            (face.normal, face.height) = (DVec3::ZERO, GONE);
        }
        Ok(())
    }
}
