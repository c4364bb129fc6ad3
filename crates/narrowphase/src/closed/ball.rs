//! Contact points of a ball: one, or none.
//!
//! Everything is measured in the frame of the other shape, in which only the centre of the ball counts: a ball has no frame worth
//! turning into. Each kind of other shape has a function of its own in which the formula ends in the contact point without an
//! answer in between, because numbers that pass through memory in other portions than they were written cost more than the
//! formulas.

use carom_geometry::Pose;
use carom_geometry::shape::{Shape, Sphere};
use glam::Vec3;

use super::{
    capsule_sphere, capsule_touches_sphere, cone_sphere, cuboid_sphere, cuboid_touches_sphere,
    cylinder_sphere, polytope_sphere_within, sphere_sphere, spheres_touch, tile_sphere, tile_touches_sphere,
    triangle_sphere, triangle_touches_sphere,
};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::proximity::Proximity;

/// A ball before another shape; false if there is no formula.
pub(super) fn first(ball: &Sphere, b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    solid::<true>(b, ball, place, margin, contact)
}

/// A ball after another shape; false if there is no formula.
pub(super) fn second(a: &Shape, ball: &Sphere, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    solid::<false>(a, ball, place, margin, contact)
}

/// A shape and a ball, which is the first of the two or not. That they are far apart is found out before any root is taken where
/// that is easy.
#[inline(always)]
fn solid<const FIRST: bool>(
    solid: &Shape,
    ball: &Sphere,
    place: &Pose,
    margin: f32,
    contact: &mut Manifold,
) -> bool {
    macro_rules! by {
        ($solid:expr, $formula:expr) => {
            one::<_, FIRST>($solid, ball, place, margin, contact, $formula)
        };
    }
    match solid {
        Shape::Sphere(a) => {
            by!(a, |a, ball, at, grown| spheres_touch(a, grown, at).then(|| sphere_sphere(a, ball, at)))
        }
        Shape::Capsule(a) => by!(a, |a, ball, at, grown| capsule_touches_sphere(a, grown, at)
            .then(|| capsule_sphere(a, ball, at))),
        Shape::Cuboid(a) => by!(a, |a, ball, at, grown| cuboid_touches_sphere(a, grown, at)
            .then(|| cuboid_sphere(a, ball, at))),
        Shape::Tile(a) => {
            by!(a, |a, ball, at, grown| tile_touches_sphere(a, grown, at).then(|| tile_sphere(a, ball, at)))
        }
        Shape::Cylinder(a) => by!(a, |a, ball, at, _| Some(cylinder_sphere(a, ball, at))),
        Shape::Cone(a) => by!(a, |a, ball, at, _| Some(cone_sphere(a, ball, at))),
        Shape::Triangle(a) => by!(a, |a, ball, at, grown| triangle_touches_sphere(a, grown, at)
            .then(|| triangle_sphere(a, ball, at))),
        Shape::Polytope(a) => by!(a, |a, ball, at, _| polytope_sphere_within(a, ball, at, margin)),
        _ => false,
    }
}

/// One kind of shape by its formula, which gets the shape, the ball, where the ball is in the frame of the shape, and the ball
/// grown by the margin, and may answer nothing if that does not touch. Always true.
#[inline(never)]
fn one<A, const FIRST: bool>(
    solid: &A,
    ball: &Sphere,
    place: &Pose,
    margin: f32,
    contact: &mut Manifold,
    formula: impl Fn(&A, &Sphere, &Pose, &Sphere) -> Option<Proximity>,
) -> bool {
    let at = Pose::at(if FIRST { place.undo(Vec3::ZERO) } else { place.translation });
    let grown = Sphere { radius: ball.radius + margin };
    let Some(found) = formula(solid, ball, &at, &grown).filter(|found| found.distance <= margin) else {
        contact.clear();
        return true;
    };
    let normal = found.normal;
    if FIRST {
        let normal = -place.rotation.rotate(normal);
        contact.start(normal);
        let (on_a, on_b) = (normal * ball.radius, found.on_a);
        contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
    } else {
        contact.start(normal);
        let (on_a, on_b) = (found.on_a, place.rotation.rotate_back(normal) * -ball.radius);
        contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
    }
    true
}
