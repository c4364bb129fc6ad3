//! A growing polytope of triangles with the origin in it.
//!
//! Faces know their neighbours, so what a new vertex sees is found by walking from the face it was
//! sought for, edges in the order in which they bound it: the rim comes out as one loop. Vertices
//! are never removed; the places of faces that are gone are used again. The capacity is fixed: `V`
//! vertices and `F = 2V − 4` faces, as Euler allows no more; a surface that is full goes on in a
//! larger one.
//!
//! Normals are not of unit length. Faces are compared by the squares of their heights with the sign
//! of the height, which takes a division per face and no root.

use carom_geometry::Real;
use glam::DVec3;

use crate::gjk::difference::Vertex;
use crate::gjk::simplex::{Corners, nearest_of};

/// A triangle of the surface.
#[derive(Clone, Copy)]
struct Face {
    /// Vertices, counter-clockwise seen from outside.
    corners: [u8; 3],
    /// The vertex that removed it; see [`Surface::expand`].
    seen_by: u8,
    /// The sides of other faces across the edges from each corner to the next.
    beside: [Side; 3],
    /// Outer normal of any length; null for a face without area, which no vertex sees.
    normal: DVec3,
    /// The product of the normal with points of the face.
    offset: f64,
}

impl Face {
    const NONE: Self =
        Self { corners: [0; 3], seen_by: 0, beside: [Side(0); 3], normal: DVec3::ZERO, offset: 0.0 };
}

/// An edge of a face: the number of the face, and in the last two bits of the corner where the edge
/// begins.
#[derive(Clone, Copy)]
struct Side(u16);

impl Side {
    #[inline]
    fn new(face: u16, edge: u16) -> Self {
        Self(face << 2 | edge)
    }

    #[inline]
    fn face(self) -> usize {
        usize::from(self.0 >> 2)
    }

    #[inline]
    fn edge(self) -> usize {
        usize::from(self.0 & 3) % 3
    }
}

/// The face with the plane nearest to the origin.
#[derive(Clone, Copy)]
pub(super) struct Lowest {
    face: usize,
    pub(super) corners: [u8; 3],
    /// Outer unit normal.
    pub(super) normal: DVec3,
    /// Distance of its plane from the origin.
    pub(super) height: f64,
}

/// Higher than every face.
const GONE: f64 = f64::MAX;

/// Of sines below this the direction is rounding.
const NEEDLE: f64 = 1e-14;

/// Faces compared side by side.
const WIDTH: usize = 4;

/// Why a vertex could not be added.
pub(super) enum Failure {
    /// There is no place for it.
    Full,
    /// The edges of what it sees are not one loop: rounding has torn the surface.
    Torn,
}

pub(super) struct Surface<S: Real, const V: usize, const F: usize> {
    vertices: [Vertex<S>; V],
    vertex_count: usize,
    faces: [Face; F],
    face_count: usize,
    /// The square of the height of each face, with its sign; [`GONE`] for those that cannot be the
    /// nearest.
    keys: [f64; F],
    /// Edges between what the last vertex sees and what it does not, as sides of the latter.
    rim: [Side; F],
    /// What it sees.
    gone: [u16; F],
    /// Sides that are still to be crossed.
    open: [Side; F],
}

impl<S: Real, const V: usize, const F: usize> Surface<S, V, F> {
    /// Nothing yet: all zeros, and made where it is used.
    pub(super) const EMPTY: Self = Self {
        vertices: [Vertex::ZERO; V],
        vertex_count: 0,
        faces: [Face::NONE; F],
        face_count: 0,
        keys: [0.0; F],
        rim: [Side(0); F],
        gone: [0; F],
        open: [Side(0); F],
    };

    /// Becomes the surface of a tetrahedron of four corners that are not in one plane.
    pub(super) fn start(&mut self, corners: &[Vertex<S>; 4]) {
        self.keys.fill(GONE);
        self.vertices[..4].copy_from_slice(corners);
        self.vertex_count = 4;
        self.face_count = 4;
        let [p, q, r, s] = [corners[0].w, corners[1].w, corners[2].w, corners[3].w];
        if (q - p).cross(r - p).dot(s - p) > 0.0 {
            self.vertices.swap(0, 1);
        }
        // The last corner is below the first three; face k of the others has the edge from corner k
        // to the next.
        let side = Side::new;
        self.set(0, [0, 1, 2], [side(1, 0), side(2, 0), side(3, 0)]);
        self.set(1, [1, 0, 3], [side(0, 0), side(3, 2), side(2, 1)]);
        self.set(2, [2, 1, 3], [side(0, 1), side(1, 2), side(3, 1)]);
        self.set(3, [0, 2, 3], [side(0, 2), side(2, 2), side(1, 1)]);
    }

    /// Becomes the same as a smaller one.
    pub(super) fn take_over<const V2: usize, const F2: usize>(&mut self, other: &Surface<S, V2, F2>) {
        (self.vertex_count, self.face_count) = (other.vertex_count, other.face_count);
        self.vertices[..V2].copy_from_slice(&other.vertices);
        self.faces[..F2].copy_from_slice(&other.faces);
        self.keys[..F2].copy_from_slice(&other.keys);
        self.keys[F2..].fill(GONE);
    }

    #[inline]
    fn set(&mut self, place: usize, corners: [u8; 3], beside: [Side; 3]) {
        let p = self.vertices[usize::from(corners[0])].w;
        let (u, v) =
            (self.vertices[usize::from(corners[1])].w - p, self.vertices[usize::from(corners[2])].w - p);
        let mut normal = u.cross(v);
        let square = normal.dot(normal);
        let mut offset = normal.dot(p);
        if square > NEEDLE * NEEDLE * u.dot(u) * v.dot(v) {
            self.keys[place] = offset * offset.abs() / square;
        } else {
            (normal, offset) = (DVec3::ZERO, GONE);
            self.keys[place] = GONE;
        }
        self.faces[place] = Face { corners, seen_by: 0, beside, normal, offset };
    }

    /// The face whose plane is nearest to the origin.
    #[inline]
    pub(super) fn lowest(&self) -> Option<Lowest> {
        let used = &self.keys[..self.face_count.next_multiple_of(WIDTH).min(F)];
        let mut least = [GONE; WIDTH];
        for block in used.chunks_exact(WIDTH) {
            for lane in 0..WIDTH {
                least[lane] = Real::min(block[lane], least[lane]);
            }
        }
        let least = Real::min(Real::min(least[0], least[1]), Real::min(least[2], least[3]));
        let face = used.iter().position(|key| *key == least).filter(|_| least < GONE)?;
        let Face { corners, normal, offset, .. } = self.faces[face];
        let inverse = 1.0 / normal.dot(normal).sqrt();
        Some(Lowest { face, corners, normal: normal * inverse, height: offset * inverse })
    }

    /// Is a point one of the vertices?
    pub(super) fn has(&self, point: DVec3) -> bool {
        self.vertices[..self.vertex_count].iter().any(|vertex| vertex.w == point)
    }

    #[inline]
    pub(super) fn vertices_of(&self, corners: [u8; 3]) -> [Vertex<S>; 3] {
        corners.map(|c| self.vertices[usize::from(c)])
    }

    /// Of the faces in the plane of this one, the one with the point nearest to the origin: a flat
    /// side of the difference may be cut into many triangles, and the origin is below one of them.
    pub(super) fn below_origin(&self, lowest: &Lowest, slack: f64) -> [u8; 3] {
        let Lowest { face, normal, height, .. } = *lowest;
        let square = |k: usize| nearest_of::<false>(&self.triangle(k), Corners::first(3)).square;
        let (mut best, mut least) = (face, square(face));
        if least > height * height + slack * slack {
            for k in 0..self.face_count {
                let reach = self.triangle(k)[..3].iter().map(|w| normal.dot(*w)).fold(GONE, Real::min);
                if reach >= height - slack && square(k) < least {
                    (best, least) = (k, square(k));
                }
            }
        }
        self.faces[best].corners
    }

    /// The corners of the face that a ray from the origin passes through, or of the one that it
    /// misses least.
    pub(super) fn pierced(&self, ray: DVec3) -> Option<[Vertex<S>; 3]> {
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for face in self.faces[..self.face_count].iter().filter(|face| face.normal.dot(ray) > 0.0) {
            let [p, q, r] = face.corners.map(|c| self.vertices[usize::from(c)].w);
            let volumes = [q.cross(r), r.cross(p), p.cross(q)].map(|c| c.dot(ray));
            let inside = volumes.into_iter().fold(f64::INFINITY, Real::min) / face.normal.dot(ray);
            if inside > most {
                (best, most) = (Some(face.corners), inside);
            }
        }
        best.map(|corners| self.vertices_of(corners))
    }

    fn triangle(&self, face: usize) -> [DVec3; 4] {
        let [p, q, r] = self.faces[face].corners.map(|c| self.vertices[usize::from(c)].w);
        [p, q, r, DVec3::ZERO]
    }

    /// Adds a vertex that lies above a face: everything it sees is replaced by triangles from the
    /// rim to the vertex.
    pub(super) fn expand(&mut self, from: &Lowest, vertex: &Vertex<S>) -> Result<(), Failure> {
        if self.vertex_count == V {
            return Err(Failure::Full);
        }
        let number = self.vertex_count as u8;
        let (mut rim_count, mut gone_count, mut open_count) = (0, 1, 3);
        self.gone[0] = from.face as u16;
        self.faces[from.face].seen_by = number;
        let [first, second, third] = self.faces[from.face].beside;
        (self.open[0], self.open[1], self.open[2]) = (third, second, first);
        while open_count > 0 {
            open_count -= 1;
            let side = self.open[open_count];
            let face = &mut self.faces[side.face()];
            if face.seen_by == number {
                continue;
            }
            if face.normal.dot(vertex.w) > face.offset {
                face.seen_by = number;
                if gone_count == F || open_count + 2 > F {
                    return Err(Failure::Torn);
                }
                self.gone[gone_count] = side.face() as u16;
                gone_count += 1;
                self.open[open_count] = face.beside[(side.edge() + 2) % 3];
                self.open[open_count + 1] = face.beside[(side.edge() + 1) % 3];
                open_count += 2;
            } else {
                if rim_count == F {
                    return Err(Failure::Torn);
                }
                self.rim[rim_count] = side;
                rim_count += 1;
            }
        }
        self.close(vertex, rim_count, gone_count)
    }

    /// Joins the edges of the rim to a vertex, in the places of the faces that are gone.
    fn close(&mut self, vertex: &Vertex<S>, rim_count: usize, gone_count: usize) -> Result<(), Failure> {
        // There are two triangles more than before, but fewer if vertices end up inside: supports
        // of flat sides may be any of their points.
        let added = rim_count.saturating_sub(gone_count);
        if self.face_count + added > F {
            for k in 0..gone_count {
                self.faces[usize::from(self.gone[k])].seen_by = 0;
            }
            return Err(Failure::Full);
        }
        // One loop through every vertex at most once.
        let mut passed = [0u64; 4];
        let mut last = self.ends(rim_count.saturating_sub(1))[1];
        for k in 0..rim_count {
            let [start, end] = self.ends(k);
            let (word, bit) = (usize::from(start >> 6), 1 << (start & 63));
            if start != last || passed[word] & bit != 0 {
                return Err(Failure::Torn);
            }
            passed[word] |= bit;
            last = end;
        }
        if rim_count < 3 {
            return Err(Failure::Torn);
        }
        let number = self.vertex_count as u8;
        self.vertices[self.vertex_count] = *vertex;
        self.vertex_count += 1;
        for (extra, k) in (gone_count..rim_count).enumerate() {
            self.gone[k] = (self.face_count + extra) as u16;
        }
        self.face_count += added;
        for k in 0..rim_count {
            let [start, end] = self.ends(k);
            let (across, here) = (self.rim[k], self.gone[k]);
            let next = self.gone[if k + 1 == rim_count { 0 } else { k + 1 }];
            let previous = self.gone[if k == 0 { rim_count - 1 } else { k - 1 }];
            self.faces[across.face()].beside[across.edge()] = Side::new(here, 0);
            self.set(
                usize::from(here),
                [start, end, number],
                [across, Side::new(next, 2), Side::new(previous, 1)],
            );
        }
        for k in rim_count..gone_count {
            let free = usize::from(self.gone[k]);
            self.keys[free] = GONE;
            (self.faces[free].normal, self.faces[free].offset) = (DVec3::ZERO, GONE);
        }
        Ok(())
    }

    /// Where an edge of the rim starts and ends, seen from the side of what is gone.
    #[inline]
    fn ends(&self, k: usize) -> [u8; 2] {
        let side = self.rim[k];
        let corners = self.faces[side.face()].corners;
        [corners[(side.edge() + 1) % 3], corners[side.edge()]]
    }
}
