//! Signed distances by formula: no iteration, no state, no failure.
//!
//! Every shape is a core with a radius rolled round it. Between the cores that have a formula (point, segment, rectangle,
//! box, triangle; with a point also cylinder, cone and polytope; with the half-space everything that has a support function)
//! the distance is measured and the radii are taken off. Where cores overlap the depth is the least one over all directions
//! that bound their Minkowski difference, exact but for rounding. So are the distances; the error is a small multiple of ε ×
//! the numbers involved, and the normal is a unit vector even where nothing defines it.
//!
//! A function takes the shapes in the order that needs the least turning, usually the larger one first. [`proximity`] finds
//! the function for two shapes of any kind and exchanges them where needed; [`has`] tells whether there is one.
//!
//! | module | pairs |
//! |---|---|
//! | [`round`] | sphere and capsule with each other |
//! | [`solid_sphere`] | box, tile, cylinder, cone, triangle, polytope with a sphere |
//! | [`capsule_face`] | box, tile, triangle with a capsule |
//! | [`boxes`] | box, tile, triangle with each other |
//! | [`ground`] | half-space with everything convex |
//! | `polytope_capsule` | polytope with a capsule, if its core is well outside: not a formula but a short walk |
//! | [`manifold`](mod@manifold) | contact points of those pairs that need no clipping of faces |
//!
//! Spheres and capsules take some nanoseconds to some tens.

mod ball;
mod ball_packed;
pub mod boxes;
pub mod capsule_face;
mod cores;
pub mod ground;
pub mod manifold;
mod packed;
pub(crate) mod polytope_capsule;
mod resting;
pub mod round;
pub mod solid_sphere;
mod walk;

pub use boxes::*;
pub use capsule_face::*;
pub use ground::*;
pub use manifold::manifold;
pub use round::*;
pub use solid_sphere::*;

use carom_geometry::Pose;
use carom_geometry::shape::{HalfSpace, Shape};

use crate::proximity::Proximity;

/// Is there a formula for shapes of these kinds? The same answer in either order.
#[must_use]
pub fn has(a: &Shape, b: &Shape) -> bool {
    use Shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Polytope, Sphere, Tile, Triangle};
    match (a, b) {
        (HalfSpace(_), other) | (other, HalfSpace(_)) => other.as_convex().is_some(),
        (Sphere(_), Cylinder(_) | Cone(_) | Polytope(_))
        | (Cylinder(_) | Cone(_) | Polytope(_), Sphere(_)) => true,
        (
            Sphere(_) | Capsule(_) | Tile(_) | Cuboid(_) | Triangle(_),
            Sphere(_) | Capsule(_) | Tile(_) | Cuboid(_) | Triangle(_),
        ) => true,
        _ => false,
    }
}

/// The signed distance of two shapes by formula; `None` if there is none for their kinds.
#[must_use]
pub fn proximity(a: &Shape, b: &Shape, place: &Pose) -> Option<Proximity> {
    if let Some(found) = in_order(a, b, place) {
        return Some(found);
    }
    let back = place.inverse();
    Some(in_order(b, a, &back)?.swapped(&back))
}

/// The same for the order in which the functions take their shapes.
#[inline]
fn in_order(a: &Shape, b: &Shape, place: &Pose) -> Option<Proximity> {
    Some(match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => sphere_sphere(a, b, place),
        (Shape::Capsule(a), Shape::Sphere(b)) => capsule_sphere(a, b, place),
        (Shape::Capsule(a), Shape::Capsule(b)) => capsule_capsule(a, b, place),
        (Shape::Tile(a), Shape::Sphere(b)) => tile_sphere(a, b, place),
        (Shape::Cuboid(a), Shape::Sphere(b)) => cuboid_sphere(a, b, place),
        (Shape::Cylinder(a), Shape::Sphere(b)) => cylinder_sphere(a, b, place),
        (Shape::Cone(a), Shape::Sphere(b)) => cone_sphere(a, b, place),
        (Shape::Triangle(a), Shape::Sphere(b)) => triangle_sphere(a, b, place),
        (Shape::Polytope(a), Shape::Sphere(b)) => polytope_sphere(a, b, place),
        (Shape::Tile(a), Shape::Capsule(b)) => tile_capsule(a, b, place),
        (Shape::Cuboid(a), Shape::Capsule(b)) => cuboid_capsule(a, b, place),
        (Shape::Triangle(a), Shape::Capsule(b)) => triangle_capsule(a, b, place),
        (Shape::Tile(a), Shape::Tile(b)) => tile_tile(a, b, place),
        (Shape::Cuboid(a), Shape::Tile(b)) => cuboid_tile(a, b, place),
        (Shape::Cuboid(a), Shape::Cuboid(b)) => cuboid_cuboid(a, b, place),
        (Shape::Triangle(a), Shape::Tile(b)) => triangle_tile(a, b, place),
        (Shape::Triangle(a), Shape::Cuboid(b)) => triangle_cuboid(a, b, place),
        (Shape::Triangle(a), Shape::Triangle(b)) => triangle_triangle(a, b, place),
        (Shape::HalfSpace(a), b) => on_ground(a, b, place)?,
        _ => return None,
    })
}

fn on_ground(a: &HalfSpace, b: &Shape, place: &Pose) -> Option<Proximity> {
    Some(match b {
        Shape::Sphere(b) => half_space_sphere(a, b, place),
        Shape::Capsule(b) => half_space_capsule(a, b, place),
        b => half_space_support(a, b.as_convex()?, place),
    })
}

/// Do the shapes touch? Without roots for spheres, capsules, boxes and tiles; `None` if there is no formula.
#[must_use]
pub fn touches(a: &Shape, b: &Shape, place: &Pose) -> Option<bool> {
    Some(match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => spheres_touch(a, b, place),
        (Shape::Capsule(a), Shape::Sphere(b)) => capsule_touches_sphere(a, b, place),
        (Shape::Capsule(a), Shape::Capsule(b)) => capsules_touch(a, b, place),
        (Shape::Cuboid(a), Shape::Sphere(b)) => cuboid_touches_sphere(a, b, place),
        (Shape::Tile(a), Shape::Sphere(b)) => tile_touches_sphere(a, b, place),
        (Shape::Sphere(_), Shape::Capsule(_) | Shape::Cuboid(_) | Shape::Tile(_)) => {
            return touches(b, a, &place.inverse());
        }
        _ => proximity(a, b, place)?.distance <= 0.0,
    })
}
