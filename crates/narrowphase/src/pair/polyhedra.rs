//! Contact points of polyhedra by separating axes: the search for the kinds of the two shapes.

use carom_geometry::Shape;
use carom_geometry::shape::{Cuboid, Tile};
use glam::Vec3;

use super::{ManifoldQuery, PairCache, Scratch};
use crate::Manifold;
use crate::sat;
use crate::sat::box_triangle::BoxTriangle;
use crate::sat::pair::contact_with_simplex;
use crate::sat::polyhedron::{BoxBody, TriangleBody};

/// A tile as the box of height 0 that it is.
pub(super) fn flat_box(tile: &Tile) -> Cuboid {
    Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) }
}

fn as_box(shape: &Shape) -> Option<Cuboid> {
    match shape {
        Shape::Cuboid(shape) => Some(*shape),
        Shape::Tile(tile) => Some(flat_box(tile)),
        _ => None,
    }
}

impl ManifoldQuery<'_> {
    /// Writes the contact of two polyhedra; false, and the contact is left alone, if one of the
    /// shapes is none.
    pub(crate) fn by_separating_axes(
        &self,
        cache: &mut PairCache,
        scratch: &mut Scratch,
        contact: &mut Manifold,
    ) -> bool {
        let Self { a, b, pose, tolerances } = *self;
        let PairCache { axis: cache, simplex, .. } = cache;
        let scratch = &mut scratch.axes;
        macro_rules! search {
            ($a:expr, $b:expr) => {
                contact_with_simplex($a, $b, pose, tolerances, (cache, simplex), contact, scratch)
            };
        }
        *contact = match (as_box(a), as_box(b)) {
            (Some(a), Some(b)) => {
                sat::box_contact::write_box_box(&a, &b, pose, tolerances, cache, contact);
                return true;
            }
            (Some(a), None) => match b {
                Shape::Polytope(b) => search!(&BoxBody::new(&a), &**b),
                Shape::Triangle(triangle) => {
                    let pair = BoxTriangle { shape: &a, triangle, pose, is_box_second: false };
                    pair.contact(tolerances, cache, scratch, contact);
                    return true;
                }
                _ => return false,
            },
            (None, Some(b)) => match a {
                Shape::Polytope(a) => search!(&**a, &BoxBody::new(&b)),
                Shape::Triangle(triangle) => {
                    let pair = BoxTriangle { shape: &b, triangle, pose, is_box_second: true };
                    pair.contact(tolerances, cache, scratch, contact);
                    return true;
                }
                _ => return false,
            },
            (None, None) => match (a, b) {
                (Shape::Polytope(a), Shape::Polytope(b)) => search!(&**a, &**b),
                (Shape::Polytope(a), Shape::Triangle(b)) => search!(&**a, &TriangleBody::new(b)),
                (Shape::Triangle(a), Shape::Polytope(b)) => search!(&TriangleBody::new(a), &**b),
                (Shape::Triangle(a), Shape::Triangle(b)) => {
                    search!(&TriangleBody::new(a), &TriangleBody::new(b))
                }
                _ => return false,
            },
        };
        true
    }
}
