//! Signed distances by formula: no iteration, no state, no failure.
//!
//! Every shape is a core with a radius rolled round it. Between the cores that have a formula
//! (point, segment, rectangle, box, triangle; with a point also cylinder, cone and polytope; with
//! the half-space everything that has a support function) the distance is measured and the radii
//! are taken off. Where cores overlap the depth is the least one over all directions that bound
//! their Minkowski difference, exact but for rounding. So are the distances; the error is a small
//! multiple of ε × the numbers involved, and the normal is a unit vector even where nothing defines
//! it.
//!
//! A function takes the shapes in the order that needs the least turning, usually the larger one
//! first. [`proximity`] finds the function for two shapes of any kind and exchanges them where
//! needed; [`has`] tells whether there is one.
//!
//! | module | pairs |
//! |---|---|
//! | [`round`] | sphere and capsule with each other |
//! | [`solid_sphere`] | box, tile, cylinder, cone, triangle, polytope with a sphere |
//! | [`capsule_face`] | box, tile, triangle with a capsule |
//! | [`boxes`] | box, tile, triangle with each other |
//! | [`half_space`] | half-space with everything convex |
//! | `polytope_capsule` | polytope with a capsule, if its core is well outside: not a formula but a short walk |
//! | [`manifold`](mod@manifold) | contact points of those pairs that need no clipping of faces |
//!
//! Spheres and capsules take some nanoseconds to some tens.

pub mod boxes;
pub mod capsule_face;
mod cores;
pub mod half_space;
mod half_space_manifold;
pub mod manifold;
mod packed;
pub(crate) mod polytope_capsule;
pub mod round;
pub mod solid_sphere;
mod sphere_manifold;
mod sphere_packed;
mod walk;

pub use boxes::*;
pub use capsule_face::*;
pub use half_space::*;
pub use manifold::manifold;
pub use round::*;
pub use solid_sphere::*;

use carom_geometry::Pose;
use carom_geometry::shape::Shape;
use glam::Vec3;

use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::planar::beside_ball;
use crate::proximity::Proximity;
use boxes::{boxes_touch, half_of, triangle_touches_box, triangles_touch};

/// Is there a formula for the distance of shapes of these kinds? The same answer in either order.
#[must_use]
pub const fn has(a: &Shape, b: &Shape) -> bool {
    matches!(algorithm_for(Question::Distance, a, b), Algorithm::Analytic | Algorithm::SatThenAnalytic)
}

/// The signed distance of two shapes by formula; `None` if there is none for their kinds.
#[must_use]
pub fn proximity(a: &Shape, b: &Shape, pose: &Pose) -> Option<Proximity> {
    proximity_as(a, b, pose, |found| found)
}

/// The same in the form that the caller wants: an answer that is handed on from function to
/// function in other forms is copied every time, which takes longer than the formulas of round
/// shapes.
#[inline]
pub(crate) fn proximity_as<R>(a: &Shape, b: &Shape, pose: &Pose, wrap: impl Fn(Option<Proximity>) -> R) -> R {
    if is_in_order(a, b) {
        return in_order(a, b, pose, wrap);
    }
    if let Shape::Sphere(ball) = a {
        // Of a ball only the centre counts, and it is the origin of the answer.
        return in_order(b, a, &Pose::at(pose.undo(Vec3::ZERO)), |found| {
            wrap(found.map(|found| {
                let normal = -pose.rotation.rotate(found.normal);
                let (on_a, on_b) = (normal * ball.radius, pose.apply(found.on_a));
                Proximity { distance: found.distance, normal, on_a, on_b }
            }))
        });
    }
    let back = pose.inverse();
    in_order(b, a, &back, |found| wrap(found.map(|found| found.swapped(&back))))
}

/// Do the functions take shapes of these kinds in this order, if they take them?
#[inline]
fn is_in_order(a: &Shape, b: &Shape) -> bool {
    let rank = |shape: &Shape| match shape {
        Shape::HalfSpace(_) => 0,
        Shape::Triangle(_) => 1,
        Shape::Cuboid(_) => 2,
        Shape::Tile(_) => 3,
        Shape::Sphere(_) => 6,
        Shape::Capsule(_) => 5,
        _ => 4,
    };
    rank(a) <= rank(b)
}

/// The same for the order in which the functions take their shapes.
#[inline]
fn in_order<R>(a: &Shape, b: &Shape, pose: &Pose, wrap: impl Fn(Option<Proximity>) -> R) -> R {
    macro_rules! by {
        ($formula:expr, $a:expr, $b:expr) => {
            one($a, $b, pose, $formula, wrap)
        };
    }
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => by!(sphere_sphere, a, b),
        (Shape::Capsule(a), Shape::Sphere(b)) => by!(capsule_sphere, a, b),
        (Shape::Capsule(a), Shape::Capsule(b)) => by!(capsule_capsule, a, b),
        (Shape::Tile(a), Shape::Sphere(b)) => by!(tile_sphere, a, b),
        (Shape::Cuboid(a), Shape::Sphere(b)) => by!(cuboid_sphere, a, b),
        (Shape::Cylinder(a), Shape::Sphere(b)) => by!(cylinder_sphere, a, b),
        (Shape::Cone(a), Shape::Sphere(b)) => by!(cone_sphere, a, b),
        (Shape::Triangle(a), Shape::Sphere(b)) => by!(triangle_sphere, a, b),
        (Shape::Polytope(a), Shape::Sphere(b)) => by!(polytope_sphere, &**a, b),
        (Shape::Planar(a), Shape::Sphere(b)) => {
            by!(|a, b: &carom_geometry::shape::Sphere, pose| beside_ball(a, b.radius, pose), a, b)
        }
        (Shape::Tile(a), Shape::Capsule(b)) => by!(tile_capsule, a, b),
        (Shape::Cuboid(a), Shape::Capsule(b)) => by!(cuboid_capsule, a, b),
        (Shape::Triangle(a), Shape::Capsule(b)) => by!(triangle_capsule, a, b),
        (Shape::Tile(a), Shape::Tile(b)) => by!(tile_tile, a, b),
        (Shape::Cuboid(a), Shape::Tile(b)) => by!(cuboid_tile, a, b),
        (Shape::Cuboid(a), Shape::Cuboid(b)) => by!(cuboid_cuboid, a, b),
        (Shape::Triangle(a), Shape::Tile(b)) => by!(triangle_tile, a, b),
        (Shape::Triangle(a), Shape::Cuboid(b)) => by!(triangle_cuboid, a, b),
        (Shape::Triangle(a), Shape::Triangle(b)) => by!(triangle_triangle, a, b),
        (Shape::HalfSpace(a), Shape::Sphere(b)) => by!(half_space_sphere, a, b),
        (Shape::HalfSpace(a), Shape::Capsule(b)) => by!(half_space_capsule, a, b),
        (Shape::HalfSpace(a), b) => wrap(b.as_convex().map(|b| half_space_support(a, b, pose))),
        _ => wrap(None),
    }
}

/// One formula, as a function of its own: what it saves and restores the others need not.
#[inline(never)]
fn one<A, B, R>(
    a: &A,
    b: &B,
    pose: &Pose,
    formula: impl Fn(&A, &B, &Pose) -> Proximity,
    wrap: impl Fn(Option<Proximity>) -> R,
) -> R {
    wrap(Some(formula(a, b, pose)))
}

/// Do the shapes touch? Without roots for spheres and capsules, by separating axes for boxes, tiles
/// and triangles; `None` if there is no formula.
#[must_use]
pub fn touches(a: &Shape, b: &Shape, pose: &Pose) -> Option<bool> {
    Some(match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => spheres_touch(a, b, pose),
        (Shape::Capsule(a), Shape::Sphere(b)) => capsule_touches_sphere(a, b, pose),
        (Shape::Capsule(a), Shape::Capsule(b)) => capsules_touch(a, b, pose),
        (Shape::Cuboid(a), Shape::Sphere(b)) => cuboid_touches_sphere(a, b, pose),
        (Shape::Tile(a), Shape::Sphere(b)) => tile_touches_sphere(a, b, pose),
        (Shape::Sphere(_), Shape::Capsule(_) | Shape::Cuboid(_) | Shape::Tile(_))
        | (Shape::Cuboid(_) | Shape::Tile(_), Shape::Triangle(_)) => {
            return touches(b, a, &pose.inverse());
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => boxes_touch(a.half, b.half, pose),
        (Shape::Cuboid(a), Shape::Tile(b)) => boxes_touch(a.half, half_of(b), pose),
        (Shape::Tile(a), Shape::Cuboid(b)) => boxes_touch(half_of(a), b.half, pose),
        (Shape::Tile(a), Shape::Tile(b)) => boxes_touch(half_of(a), half_of(b), pose),
        (Shape::Triangle(a), Shape::Cuboid(b)) => triangle_touches_box(a, b.half, pose),
        (Shape::Triangle(a), Shape::Tile(b)) => triangle_touches_box(a, half_of(b), pose),
        (Shape::Triangle(a), Shape::Triangle(b)) => triangles_touch(a, b, pose),
        _ => proximity(a, b, pose)?.distance <= 0.0,
    })
}
