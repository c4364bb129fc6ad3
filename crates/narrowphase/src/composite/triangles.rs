//! What contact search asks of a surface of triangles: meshes and height fields answer alike.

use carom_geometry::bounds::Aabb;
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{EdgeFlags, Mesh};
use carom_geometry::primitive::Triangle;

/// A surface of numbered triangles that know their neighbours.
pub trait Triangles {
    /// Calls `visit` with every triangle whose box meets the region, each once.
    fn for_each_in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32, &Triangle));
    /// A triangle, counter-clockwise seen from the front.
    fn triangle(&self, triangle: u32) -> Triangle;
    /// How the surface goes on across the three edges.
    fn edge_flags(&self, triangle: u32) -> EdgeFlags;
    /// The triangle across the edge from corner `edge` to the next one.
    fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32>;
}

impl Triangles for Mesh {
    #[inline]
    fn for_each_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32, &Triangle)) {
        Self::for_each_in_box(self, region, |t| visit(t, &Self::triangle(self, t)));
    }

    #[inline]
    fn triangle(&self, triangle: u32) -> Triangle {
        Self::triangle(self, triangle)
    }

    #[inline]
    fn edge_flags(&self, triangle: u32) -> EdgeFlags {
        Self::edge_flags(self, triangle)
    }

    #[inline]
    fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32> {
        Self::neighbour(self, triangle, edge)
    }
}

impl Triangles for HeightField {
    #[inline]
    fn for_each_in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32, &Triangle)) {
        self.for_each_triangle_in_box(region, visit);
    }

    #[inline]
    fn triangle(&self, triangle: u32) -> Triangle {
        Self::triangle(self, triangle)
    }

    #[inline]
    fn edge_flags(&self, triangle: u32) -> EdgeFlags {
        Self::edge_flags(self, triangle)
    }

    #[inline]
    fn neighbour(&self, triangle: u32, edge: usize) -> Option<u32> {
        Self::neighbour(self, triangle, edge)
    }
}
