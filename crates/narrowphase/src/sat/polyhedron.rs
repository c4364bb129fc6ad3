//! What the search for axes asks of a polyhedron.
//!
//! Planes come in blocks of eight by coordinate, as [`Polytope`] stores them. Boxes and triangles
//! are wrapped ([`BoxBody`], [`TriangleBody`]), which costs them one block on the stack.

use carom_geometry::polytope::{FaceId, HalfEdgeId};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Support, Tile};
use carom_geometry::{Polytope, Vector};
use glam::Vec3;

use crate::Convex;
use crate::support_feature::{SupportFeature, SupportFeatureMap};

/// Eight planes: x, y, z of the normals, offsets.
pub type PlaneBlock = [[f32; 8]; 4];

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// One end.
    pub tail: Vec3,
    /// From there to the other end.
    pub along: Vec3,
    /// The faces to the left and to the right, seen from outside.
    pub faces: [u32; 2],
}

/// A convex polyhedron, perhaps without volume, in its own frame.
pub trait Polyhedron: SupportFeatureMap + Convex<f32> {
    /// Number of faces.
    fn face_count(&self) -> usize;
    /// All planes, their normals outwards; the last block is filled up with any of them.
    fn plane_blocks(&self) -> &[PlaneBlock];
    /// Numbers below this may be edges.
    fn edge_limit(&self) -> u32;
    /// The edge of a number, or `None` if the number is the second one of an edge or of none.
    fn edge(&self, edge: u32) -> Option<Edge>;
    /// A farthest vertex along a direction.
    fn farthest(&self, direction: Vec3) -> Vec3;
    /// Visits the edges between faces whose masks have no bit in common; `all` is the mask with
    /// every bit. Masks come eight by eight as the planes do.
    fn each_live_edge(&self, masks: &[[u8; 8]], all: u8, mut visit: impl FnMut(u32)) {
        let _ = all;
        for number in 0..self.edge_limit() {
            if let Some(Edge { faces: [left, right], .. }) = self.edge(number)
                && mask_of(masks, left) & mask_of(masks, right) == 0
            {
                visit(number);
            }
        }
    }
    /// A face as a support feature.
    fn face(&self, face: u32, support_feature: &mut SupportFeature);
    /// The name of an edge in feature identifiers.
    fn edge_name(&self, edge: u32) -> u16 {
        edge as u16
    }

    /// Normal of a face.
    #[inline]
    fn normal(&self, face: u32) -> Vec3 {
        let (block, lane) = (face as usize / 8, face as usize % 8);
        let [x, y, z, _] = &self.plane_blocks()[block];
        Vec3::new(x[lane], y[lane], z[lane])
    }
}

/// The mask of a face.
#[inline]
fn mask_of(masks: &[[u8; 8]], face: u32) -> u8 {
    masks[face as usize / 8][face as usize % 8]
}

/// The highest bit of each byte that is not equal to `byte`.
#[inline]
fn not_equal(bytes: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let differ = bytes ^ u64::from(byte).wrapping_mul(0x0101_0101_0101_0101);
    (((differ & LOW) + LOW) | differ) & !LOW
}

impl Polyhedron for Polytope {
    #[inline]
    fn face_count(&self) -> usize {
        Self::face_count(self)
    }

    #[inline]
    fn plane_blocks(&self) -> &[PlaneBlock] {
        Self::plane_blocks(self)
    }

    #[inline]
    fn edge_limit(&self) -> u32 {
        self.half_edge_count() as u32
    }

    #[inline]
    fn edge(&self, edge: u32) -> Option<Edge> {
        if edge >= Polyhedron::edge_limit(self) {
            return None;
        }
        let links = self.half_edge(HalfEdgeId(edge));
        if links.pair.0 < edge {
            return None;
        }
        let pair = self.half_edge(links.pair);
        let tail = self.point(pair.head);
        Some(Edge { tail, along: self.point(links.head) - tail, faces: [links.face.0, pair.face.0] })
    }

    /// Goes round the faces whose mask is not full: one of the two beside a live edge is such a
    /// face, and they are few. They are found eight masks at a time.
    #[inline]
    fn each_live_edge(&self, masks: &[[u8; 8]], all: u8, mut visit: impl FnMut(u32)) {
        for (block, lanes) in masks.iter().enumerate() {
            let mut open = not_equal(u64::from_le_bytes(*lanes), all);
            while open != 0 {
                let face = FaceId(block as u32 * 8 + open.trailing_zeros() / 8);
                open &= open - 1;
                // The last block is filled up with faces that were there before.
                if face.index() >= Self::face_count(self) {
                    break;
                }
                let mask = mask_of(masks, face.0);
                for h in self.around_face(face) {
                    let pair = self.half_edge(h).pair;
                    let neighbour = self.half_edge(pair).face;
                    let beyond = mask_of(masks, neighbour.0);
                    // Where both faces are gone round, the lower one reports.
                    if mask & beyond == 0 && (beyond == all || face < neighbour) {
                        visit(h.0.min(pair.0));
                    }
                }
            }
        }
    }

    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.support(direction)
    }

    #[inline]
    fn face(&self, face: u32, support_feature: &mut SupportFeature) {
        support_feature.set_polytope_face(self, FaceId(face));
    }
}

/// A box, or a tile, as a polyhedron.
#[derive(Clone, Debug)]
pub struct BoxBody {
    shape: Cuboid,
    planes: [PlaneBlock; 1],
}

impl BoxBody {
    /// A box.
    #[inline]
    #[must_use]
    pub fn new(shape: &Cuboid) -> Self {
        let h = shape.half;
        Self {
            shape: *shape,
            planes: [[
                [1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 0.0, 1.0, -1.0, -1.0, -1.0],
                [h.x, h.x, h.y, h.y, h.z, h.z, h.z, h.z],
            ]],
        }
    }

    /// A tile: a box of height 0.
    #[inline]
    #[must_use]
    pub fn of_tile(tile: &Tile) -> Self {
        Self::new(&Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) })
    }
}

impl SupportFeatureMap for BoxBody {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        self.shape.support_feature(direction, support_feature);
    }
}

impl Convex<f32> for BoxBody {
    #[inline]
    fn core_support(&self, direction: Vec3, _: &mut u32) -> Vec3 {
        self.shape.support(direction)
    }

    #[inline]
    fn centre(&self) -> Vec3 {
        Vec3::ZERO
    }
}

impl Polyhedron for BoxBody {
    #[inline]
    fn face_count(&self) -> usize {
        6
    }

    #[inline]
    fn plane_blocks(&self) -> &[PlaneBlock] {
        &self.planes
    }

    #[inline]
    fn edge_limit(&self) -> u32 {
        12
    }

    /// Numbered as in the names of features: four along each axis, by the signs of the coordinates
    /// along the next two.
    #[inline]
    fn edge(&self, edge: u32) -> Option<Edge> {
        if edge >= 12 {
            return None;
        }
        let axis = edge as usize / 4;
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let (is_next_positive, is_last_positive) = (edge & 1 != 0, edge & 2 != 0);
        let half = self.shape.half;
        let (mut tail, mut along) = (Vec3::ZERO, Vec3::ZERO);
        tail[axis] = -half[axis];
        tail[next] = if is_next_positive { half[next] } else { -half[next] };
        tail[last] = if is_last_positive { half[last] } else { -half[last] };
        along[axis] = 2.0 * half[axis];
        let side = |axis: usize, is_positive: bool| (axis * 2) as u32 + u32::from(!is_positive);
        let (one, other) = (side(next, is_next_positive), side(last, is_last_positive));
        // Up the edge where both coordinates are positive, the face along the next axis is to the
        // left.
        let faces = if is_next_positive == is_last_positive { [one, other] } else { [other, one] };
        Some(Edge { tail, along, faces })
    }

    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.shape.support(direction)
    }

    #[inline]
    fn face(&self, face: u32, support_feature: &mut SupportFeature) {
        let normal = self.normal(face);
        self.shape.support_feature(normal, support_feature);
    }
}

/// A triangle as a polyhedron: two faces back to back.
#[derive(Clone, Debug)]
pub struct TriangleBody {
    shape: Triangle,
    planes: [PlaneBlock; 1],
}

impl TriangleBody {
    /// A triangle, perhaps without area.
    #[inline]
    #[must_use]
    pub fn new(shape: &Triangle) -> Self {
        let normal = shape.area_vector().unit().unwrap_or_else(|| any_normal(shape));
        let offset = normal.dot(shape.a);
        let both = |value: f32| std::array::from_fn(|lane| if lane == 0 { value } else { -value });
        Self { shape: *shape, planes: [[both(normal.x), both(normal.y), both(normal.z), both(offset)]] }
    }
}

/// A unit vector across the longest side of a triangle without area.
#[cold]
fn any_normal(triangle: &Triangle) -> Vec3 {
    let sides = triangle.edges().map(|e| e.direction());
    let longest = sides
        .into_iter()
        .fold(Vec3::ZERO, |l, s| if s.length_squared() > l.length_squared() { s } else { l });
    longest.unit().map_or(Vec3::Y, |along| along.frame().0)
}

impl SupportFeatureMap for TriangleBody {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        self.shape.support_feature(direction, support_feature);
    }
}

impl Convex<f32> for TriangleBody {
    #[inline]
    fn core_support(&self, direction: Vec3, hint: &mut u32) -> Vec3 {
        self.shape.core_support(direction, hint)
    }

    #[inline]
    fn centre(&self) -> Vec3 {
        Convex::<f32>::centre(&self.shape)
    }
}

impl Polyhedron for TriangleBody {
    #[inline]
    fn face_count(&self) -> usize {
        2
    }

    #[inline]
    fn plane_blocks(&self) -> &[PlaneBlock] {
        &self.planes
    }

    #[inline]
    fn edge_limit(&self) -> u32 {
        3
    }

    #[inline]
    fn edge(&self, edge: u32) -> Option<Edge> {
        let corners = self.shape.corners();
        let tail = *corners.get(edge as usize)?;
        Some(Edge { tail, along: corners[(edge as usize + 1) % 3] - tail, faces: [0, 1] })
    }

    #[inline]
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.shape.support(direction)
    }

    #[inline]
    fn face(&self, face: u32, support_feature: &mut SupportFeature) {
        let normal = self.normal(face);
        self.shape.support_feature(normal, support_feature);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule itself, edge by edge.
    fn live_edges(polytope: &Polytope, masks: &[[u8; 8]]) -> Vec<u32> {
        let is_live = |&number: &u32| {
            polytope.edge(number).is_some_and(|edge| {
                let [left, right] = edge.faces.map(|face| mask_of(masks, face));
                left & right == 0
            })
        };
        (0..Polyhedron::edge_limit(polytope)).filter(is_live).collect()
    }

    #[test]
    fn going_round_faces_finds_every_live_edge_once() -> Result<(), Box<dyn std::error::Error>> {
        let polytope = Polytope::<f32>::random_on_sphere(30, 1.0, 9)?;
        let mut state = 1u32;
        for all in [0b1, 0b11, 0b111] {
            for _ in 0..200 {
                let masks: Vec<[u8; 8]> = (0..polytope.plane_blocks().len())
                    .map(|_| {
                        std::array::from_fn(|_| {
                            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                            (state >> 24) as u8 & all
                        })
                    })
                    .collect();
                let mut found = Vec::new();
                polytope.each_live_edge(&masks, all, |edge| found.push(edge));
                found.sort_unstable();
                assert_eq!(found, live_edges(&polytope, &masks));
            }
        }
        Ok(())
    }

    #[test]
    fn edges_of_boxes_turn_left_round_their_faces() {
        let body = BoxBody::new(&Cuboid { half: Vec3::new(1.0, 2.0, 3.0) });
        for number in 0..12 {
            let Some(edge) = body.edge(number) else { panic!("a box has twelve edges") };
            let [left, right] = edge.faces.map(|face| body.normal(face));
            // Into the left face it goes to the left of the edge, and that is away from the normal
            // of the right face.
            assert!(left.cross(edge.along).dot(right) < 0.0 && edge.along.cross(right).dot(left) < 0.0);
            for end in [edge.tail, edge.tail + edge.along] {
                assert!((left.dot(end) - body.farthest(left).dot(left)).abs() < 1e-6);
            }
        }
    }
}
