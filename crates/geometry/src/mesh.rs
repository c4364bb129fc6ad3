//! Triangle meshes: checked, connected, and quick to ask.
//!
//! A [`Mesh`] is built once from vertices and triangles and never changes. Building checks every
//! number, optionally welds vertices, sorts out triangles without area and repeated ones (all
//! counted in a [`MeshReport`]), finds the neighbour across every edge and how the surface bends
//! there ([`EdgeKind`]), and builds a tree of boxes.
//!
//! # Order
//! Triangles are kept in the order of the leaves of the tree and vertices in the order in which
//! these triangles first name them, so that what is near in space is near in memory. Numbers in
//! this order are what queries return; they depend on the input alone. [`Mesh::number_of`] and
//! [`Mesh::vertex_number_of`] lead back to the caller's lists.
//!
//! # Precision
//! Coordinates are `f32`, as in the engine. Normals, bends, volumes and the test of rays are
//! computed in `f64`.
//!
//! | module | holds |
//! |---|---|
//! | [`generate`] | meshes of known shape |
//! | [`files`] | reading and writing OBJ and STL |

mod adjacency;
mod clean;
mod edge;
pub mod files;
pub mod generate;
mod options;
mod query;
mod ray;
mod stored;

use carom_core::trig;
use glam::{DVec3, Vec3};

use crate::bounds::Aabb;
use crate::bvh::{Bvh, Item};
use crate::primitive::Triangle;
use crate::real::Vector;
use adjacency::NONE;

pub(crate) use edge::bend;
pub use edge::{EdgeFlags, EdgeKind};
pub use options::{
    DEFAULT_FLAT_ANGLE, Defect, Finding, MAX_TRIANGLES, MeshError, MeshOptions, MeshReport, Weld,
};
pub use ray::TriangleHit;
pub(crate) use ray::{Nearest, WatertightRay};

/// A triangle mesh with its neighbourhoods and its tree of boxes.
///
/// ```
/// use carom_geometry::mesh::{Mesh, MeshOptions, generate};
/// use carom_geometry::primitive::Ray;
/// use glam::Vec3;
///
/// let (vertices, triangles) = generate::icosphere(2.0, 8);
/// let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
/// assert_eq!(mesh.triangle_count(), 1280);
/// assert!(mesh.is_closed() && mesh.is_oriented() && mesh.volume() > 32.0);
///
/// let hit = mesh.cast(&Ray::new(Vec3::new(0.1, 5.0, 0.0), -Vec3::Y), 10.0).unwrap();
/// assert!((hit.t - 3.0).abs() < 0.05 && hit.normal.y > 0.9);
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    vertices: Vec<Vec3>,
    /// Numbers of the vertices in the caller's list.
    vertex_numbers: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Numbers of the triangles in the caller's list.
    numbers: Vec<u32>,
    neighbours: Vec<[u32; 3]>,
    flags: Vec<EdgeFlags>,
    /// Bit k is set if no earlier triangle names corner k: every vertex belongs to one triangle.
    owned: Vec<u8>,
    tree: Bvh,
    report: MeshReport,
    /// Cosine of the largest bend that counts as flat.
    flat_cosine: f64,
}

impl Mesh {
    /// Builds a mesh from vertices and triangles, whose corners run counter-clockwise seen from the
    /// front.
    ///
    /// # Errors
    /// A number that is not finite, an index without a vertex, too much of something, nothing left
    /// to build from, or a triangle that the options refuse; see [`MeshError`].
    pub fn new(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        options: &MeshOptions,
    ) -> Result<Self, MeshError> {
        let mut report = MeshReport::default();
        let given_vertices = vertices;
        let clean = clean::clean(&given_vertices, triangles, options, &mut report)?;
        let (tree, triangles, numbers) = plant(&given_vertices, &clean);
        let (vertices, vertex_numbers, triangles) = renumber(&given_vertices, triangles);
        report.unused_vertices = given_vertices.len() - vertices.len() - report.welded_vertices;
        let flat_cosine = trig::sin_cos_f64(f64::from(options.flat_angle)).1;
        Ok(Self::connected(vertices, vertex_numbers, (tree, triangles, numbers), flat_cosine, report))
    }

    /// Of vertices and of triangles with their numbers in the order of their tree: finds who is
    /// whose neighbour.
    fn connected(
        vertices: Vec<Vec3>,
        vertex_numbers: Vec<u32>,
        (tree, triangles, numbers): (Bvh, Vec<[u32; 3]>, Vec<u32>),
        flat_cosine: f64,
        mut report: MeshReport,
    ) -> Self {
        let adjacency = adjacency::connect(&vertices, &triangles, &numbers, flat_cosine, &mut report);
        Self {
            owned: owners(&triangles),
            vertices,
            vertex_numbers,
            triangles,
            numbers,
            neighbours: adjacency.neighbours,
            flags: adjacency.flags,
            tree,
            report,
            flat_cosine,
        }
    }

    /// What was found while building.
    #[must_use]
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// Number of triangles.
    #[inline]
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The vertices.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles as numbers of vertices.
    #[inline]
    #[must_use]
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// A triangle. Panics if there is no such triangle, as do the other functions that take one.
    #[inline]
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> Triangle {
        let [a, b, c] = self.corners(triangle);
        Triangle::new(a, b, c)
    }

    /// Box around a triangle.
    #[inline]
    #[must_use]
    pub fn triangle_box(&self, triangle: u32) -> Aabb<3> {
        box_of(self.corners(triangle))
    }

    /// Unit normal of the front; `None` for a triangle without area, which only options can have
    /// kept.
    #[must_use]
    pub fn normal(&self, triangle: u32) -> Option<Vec3> {
        Some(ray::unit_normal(self.corners(triangle))?.to::<f32>())
    }

    /// The triangle across the edge from corner `edge` to the next; `None` at borders and where
    /// more than two meet.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32> {
        let across = self.neighbours[triangle as usize][edge];
        (across != NONE).then_some(across)
    }

    /// How the surface goes on across the three edges.
    #[inline]
    #[must_use]
    pub fn edge_flags(&self, triangle: u32) -> EdgeFlags {
        self.flags[triangle as usize]
    }

    /// The number of a triangle in the list the mesh was built from.
    #[inline]
    #[must_use]
    pub fn number_of(&self, triangle: u32) -> u32 {
        self.numbers[triangle as usize]
    }

    /// The number of a vertex in the list the mesh was built from; of welded ones, the first.
    #[inline]
    #[must_use]
    pub fn vertex_number_of(&self, vertex: u32) -> u32 {
        self.vertex_numbers[vertex as usize]
    }

    /// True if the surface has no end: exactly two triangles meet at every edge.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.report.border.count == 0 && self.report.non_manifold.count == 0
    }

    /// True if all neighbours are turned alike, so that front and back are the same all over a
    /// connected surface.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        self.report.flipped.count == 0
    }

    /// Enclosed volume of a closed and oriented mesh; negative if it is inside out. Without meaning
    /// for other meshes.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // Seen from a vertex rather than from the origin: far away, the sum would cancel.
        let from: DVec3 = self.vertices[0].to::<f64>();
        let six_fold: f64 = (0..self.triangle_count() as u32)
            .map(|t| {
                let [a, b, c] = self.corners(t).map(|p| p.to::<f64>() - from);
                a.dot(b.cross(c))
            })
            .sum();
        six_fold / 6.0
    }

    /// Size of the tree of boxes.
    #[must_use]
    pub fn counters(&self) -> MeshCounters {
        let lists = self.vertices.len() * (size_of::<Vec3>() + size_of::<u32>())
            + self.triangles.len()
                * (2 * size_of::<[u32; 3]>() + size_of::<u32>() + size_of::<EdgeFlags>() + size_of::<u8>());
        MeshCounters {
            bytes: lists + self.tree.bytes(),
            tree_bytes: self.tree.bytes(),
            nodes: self.tree.node_count(),
            depth: self.tree.depth(),
        }
    }

    /// Checks every invariant of the mesh, for tests.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let count = self.triangle_count() as u32;
        let lengths = [self.numbers.len(), self.neighbours.len(), self.flags.len(), self.owned.len()];
        if count == 0 || lengths.iter().any(|length| *length != count as usize) {
            return Err(format!("{count} triangles, but lists of {lengths:?}"));
        }
        for t in 0..count {
            for edge in 0..3 {
                let kind = self.edge_flags(t).get(edge);
                let alone = matches!(kind, EdgeKind::Border | EdgeKind::NonManifold);
                match self.neighbour(t, edge) {
                    None if alone => {}
                    Some(across) if !alone && self.side_towards(across, t).is_some() => {}
                    other => {
                        return Err(format!("edge {edge} of triangle {t} is {kind:?} and has {other:?}"));
                    }
                }
            }
        }
        if !(0..count).flat_map(|t| self.owned_vertices(t)).map(|(v, _)| v).eq(0..self.vertices.len() as u32)
        {
            return Err("the vertices are not owned one by one".to_owned());
        }
        let boxes: Vec<_> = (0..count).map(|t| self.triangle_box(t)).collect();
        self.tree.check(&boxes)
    }

    /// The vertices that belong to a triangle and to none before.
    #[inline]
    fn owned_vertices(&self, triangle: u32) -> impl Iterator<Item = (u32, Vec3)> {
        let (bits, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        (0..3)
            .filter(move |k| bits >> k & 1 == 1)
            .map(move |k| (corners[k], self.vertices[corners[k] as usize]))
    }

    /// The edge of `triangle` across which `other` lies.
    fn side_towards(&self, triangle: u32, other: u32) -> Option<usize> {
        self.neighbours.get(triangle as usize)?.iter().position(|n| *n == other)
    }

    #[inline]
    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }
}

/// How much a mesh holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshCounters {
    /// Bytes on the heap, without the report.
    pub bytes: usize,
    /// Of these, bytes of the tree of boxes.
    pub tree_bytes: usize,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Nodes on the longest path from its root.
    pub depth: usize,
}

#[inline]
fn box_of([a, b, c]: [Vec3; 3]) -> Aabb<3> {
    let low = Vector::min(a, Vector::min(b, c));
    let high = Vector::max(a, Vector::max(b, c));
    Aabb::new(low.to_array(), high.to_array())
}

/// Builds the tree and brings triangles and their numbers into the order of its leaves.
fn plant(vertices: &[Vec3], clean: &clean::Clean) -> (Bvh, Vec<[u32; 3]>, Vec<u32>) {
    let mut items: Vec<Item> = clean
        .triangles
        .iter()
        .enumerate()
        .map(|(index, t)| Item::new(index as u32, &box_of(t.map(|v| vertices[v as usize]))))
        .collect();
    let tree = Bvh::build(&mut items);
    let order = || items.iter().map(|item| item.index() as usize);
    (tree, order().map(|k| clean.triangles[k]).collect(), order().map(|k| clean.numbers[k]).collect())
}

/// Numbers vertices in the order in which the triangles name them; the rest is left out.
fn renumber(given: &[Vec3], mut triangles: Vec<[u32; 3]>) -> (Vec<Vec3>, Vec<u32>, Vec<[u32; 3]>) {
    let mut renamed = vec![NONE; given.len()];
    let mut numbers = Vec::new();
    for triangle in &mut triangles {
        for corner in triangle {
            let name = &mut renamed[*corner as usize];
            if *name == NONE {
                *name = numbers.len() as u32;
                numbers.push(*corner);
            }
            *corner = *name;
        }
    }
    (numbers.iter().map(|v| given[*v as usize]).collect(), numbers, triangles)
}

/// For each triangle the corners that no earlier one names, as bits; vertices are numbered as they
/// come.
fn owners(triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut next = 0;
    let mut own = |v: u32| {
        let first = v == next;
        next += u32::from(first);
        u8::from(first)
    };
    triangles.iter().map(|[a, b, c]| own(*a) | own(*b) << 1 | own(*c) << 2).collect()
}
