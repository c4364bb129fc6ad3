//! The contact of two convex children of composites, of any kinds.

use carom_geometry::Pose;
use carom_geometry::shape::Shape;

use crate::facet::{Facet, Faceted};
use crate::manifold::{Manifold, contact};
use crate::{Convex, closed, gjk, sat};

/// What one contact leaves for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct PairMemory {
    axis: sat::Cache,
    simplex: gjk::Cache<f32>,
    previous: Manifold,
}

/// The contact of two convex shapes, in the frame of the first; `None` if one of them is not convex.
pub(super) fn convex_contact(
    a: &Shape,
    b: &Shape,
    place: &Pose,
    (margin, slop): (f32, f32),
    memory: &mut PairMemory,
) -> Option<Manifold> {
    let found = match (a, b) {
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            let tolerances = sat::Tolerances { margin, slop };
            sat::box_box(a, b, place, tolerances, &mut memory.axis, &memory.previous)
        }
        _ => {
            let mut found = memory.previous;
            if closed::manifold(a, b, place, margin, &mut found) {
                found
            } else {
                iterated(a, b, place, margin, memory)?
            }
        }
    };
    memory.previous = found;
    Some(found)
}

fn iterated(a: &Shape, b: &Shape, place: &Pose, margin: f32, memory: &mut PairMemory) -> Option<Manifold> {
    let (core_a, faces_a) = parts(a)?;
    let (core_b, faces_b) = parts(b)?;
    let options = gjk::Options::within(margin);
    let found = match gjk::proximity_within(core_a, core_b, place, &mut memory.simplex, &options) {
        Ok(found) => found,
        Err(axis) => return Some(Manifold::new(axis)),
    };
    let (mut facet_a, mut facet_b) = (Facet::default(), Facet::default());
    faces_a.facet(found.normal, &mut facet_a);
    faces_b.facet(place.rotation.rotate_back(-found.normal), &mut facet_b);
    facet_b.pose(place);
    Some(contact(facet_a.view(), facet_b.view(), &found, place, margin, &memory.previous))
}

/// The core and the facets of a shape that is convex and bounded.
fn parts(shape: &Shape) -> Option<(&dyn Convex<f32>, &dyn Faceted)> {
    Some(match shape {
        Shape::Sphere(s) => (s, s),
        Shape::Capsule(s) => (s, s),
        Shape::Tile(s) => (s, s),
        Shape::Cuboid(s) => (s, s),
        Shape::Cylinder(s) => (s, s),
        Shape::Cone(s) => (s, s),
        Shape::Ellipsoid(s) => (s, s),
        Shape::Triangle(s) => (s, s),
        Shape::Polytope(s) => (&**s, &**s),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
    })
}
