//! Cylinders and cones with shapes that have flat faces and straight edges: distance, depth and normal by directions.
//!
//! Iterations that see only support points ([`gjk`](crate::gjk), [`epa`](crate::epa)) creep round smooth rims in many steps.
//! But a body of revolution is known: how far it reaches along a direction is a formula with one root, and the directions in
//! which it may overlap a polyhedron least are few. Cylinders and cones are one shape here, a frustum, and boxes, tiles, triangles,
//! polytopes and the segments of capsules are one kind of body.
//!
//! Invariants: a gap is never wider than the distance, as it is one along a true direction; an overlap is the least one over
//! all directions up to rounding. Points are given as *proved* if they were found to belong to their shapes; where
//! faces are parallel to ends or walls they may not, and where the shapes are apart by less than the margin and the points are not
//! proved the answer is left open: [`gjk`](crate::gjk) knows. Nothing is allocated.
//!
//! Polytopes with more than 24 faces are only tested for being far apart. Cost: a root for every face, a vector product for every edge, and for the few edges that may matter about five steps of
//! Newton's method each.
//!
//! That the least overlap belongs to pairs of features whose normals agree is the theorem behind separating axes (S. Gottschalk);
//! that arcs of normals stand for edges is from D. Gregorius, "The separating axis test between convex polyhedra" (2013).
//!
//! | module | holds |
//! |---|---|
//! | `frustum` | a cylinder or cone, placed |
//! | `bodies` | the other shape: faces, edges, corners |
//! | `arc` | the widest gap along the arc of an edge |
//! | `rod` | the distance of a segment |
//! | `axes` | the widest gap over all directions |

mod arc;
mod axes;
mod bodies;
mod frustum;
mod rod;

use carom_geometry::closest::TrianglePoint;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Pose, Real, Shape, Vector};
use glam::Vec3;

use crate::Proximity;
use axes::{Found, Gap, search};
use bodies::{Plate, Rod};
use frustum::Frustum;

/// What the directions tell of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer<S: Real = f32> {
    /// Farther apart than asked for, along this unit vector from the first to the second.
    Apart(S::Vec3),
    /// Distance and normal; the points too if they are proved.
    Near {
        /// The answer.
        proximity: Proximity<S>,
        /// The points belong to the shapes. Otherwise they are the right distance apart and somewhere on the planes that
        /// touch the shapes.
        is_proved: bool,
    },
    /// The cores are apart, but neither are the points known nor is it proved that it is by more than asked for.
    Open {
        /// A unit vector along which they are apart, from the first to the second.
        axis: S::Vec3,
    },
}

/// The one of two shapes that is a cylinder or a cone, placed in the frame of the other one.
fn frustum_of(shape: &Shape, place: &Pose) -> Option<Frustum<f32>> {
    match shape {
        Shape::Cylinder(shape) => Frustum::of_cylinder(shape, place),
        Shape::Cone(shape) => Frustum::of_cone(shape, place),
        _ => None,
    }
}

/// The signed distance of a cylinder or cone and another shape; `hint` is a unit vector from the first to the second to be
/// tried first, or null. `None` if there are no directions for such shapes, or too many, or a shape is degenerate.
#[must_use]
pub fn proximity(a: &Shape, b: &Shape, place: &Pose, max_distance: f32, hint: Vec3) -> Option<Answer> {
    if let Some(frustum) = frustum_of(b, place) {
        let (found, radius) = with_body(&frustum, a, max_distance, hint)?;
        return Some(match found {
            Found::Apart(axis) => Answer::Apart(axis),
            Found::Open(gap) => Answer::Open { axis: gap.normal },
            Found::Near(gap) => near(&gap, radius, 0.0),
        });
    }
    let frustum = frustum_of(a, &place.inverse())?;
    let turn = place.rotation.to_matrix();
    let hint = -turn.transposed_times(hint);
    let (found, radius) = with_body(&frustum, b, max_distance, hint)?;
    Some(match found {
        Found::Apart(axis) => Answer::Apart(-turn.times(axis)),
        Found::Open(gap) => Answer::Open { axis: -turn.times(gap.normal) },
        Found::Near(gap) => {
            let placed = |p: Vec3| turn.times(p) + place.translation;
            let mirrored = Gap {
                normal: -turn.times(gap.normal),
                on_body: placed(gap.on_frustum),
                on_frustum: placed(gap.on_body),
                ..gap
            };
            near(&mirrored, 0.0, radius)
        }
    })
}

/// Do a cylinder or cone and another shape touch? `None` as for [`proximity`], and where that is
/// left open.
#[must_use]
pub fn touches(a: &Shape, b: &Shape, place: &Pose, hint: Vec3) -> Option<bool> {
    let size = |shape: &Shape| match shape {
        Shape::Cylinder(shape) => shape.radius + shape.half_length,
        Shape::Cone(shape) => shape.radius + shape.half_length,
        _ => 0.0,
    };
    // Within rounding of touching is touching.
    let slack = 1e-6 * (size(a) + size(b) + place.translation.length());
    match proximity(a, b, place, slack, hint)? {
        Answer::Apart(_) => Some(false),
        Answer::Near { proximity, .. } => Some(proximity.distance <= slack),
        Answer::Open { .. } => None,
    }
}

fn near(gap: &Gap<f32>, radius_a: f32, radius_b: f32) -> Answer {
    let Gap { gap: distance, normal, on_body, on_frustum, is_proved } = *gap;
    let cores = Proximity { distance, normal, on_a: on_body, on_b: on_frustum };
    Answer::Near { proximity: cores.grown(radius_a, radius_b), is_proved }
}

/// A direction that is easily found along which a triangle is far enough from the frustum: before more is computed of it.
#[inline]
fn apart_from_triangle(frustum: &Frustum<f32>, shape: &Triangle, far: f32, hint: Vec3) -> Option<Vec3> {
    let mut axis = hint;
    if hint == Vec3::ZERO {
        let point = TrianglePoint::nearest(shape, frustum.centre).point;
        axis = (frustum.nearest(point) - point).unit()?;
    }
    (axis.dot(frustum.low(axis).point - shape.support(axis)) > far).then_some(axis)
}

/// The search with the other shape, and the radius round its core.
#[inline]
fn with_body(
    frustum: &Frustum<f32>,
    shape: &Shape,
    max_distance: f32,
    hint: Vec3,
) -> Option<(Found<f32>, f32)> {
    let found = match shape {
        Shape::Cuboid(shape) => search(frustum, shape, max_distance, hint)?,
        Shape::Tile(tile) => {
            let flat = Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) };
            search(frustum, &flat, max_distance, hint)?
        }
        Shape::Triangle(shape) => {
            if let Some(axis) = apart_from_triangle(frustum, shape, max_distance, hint) {
                return Some((Found::Apart(axis), 0.0));
            }
            search(frustum, &Plate::new(shape)?, max_distance, hint)?
        }
        Shape::Polytope(shape) => search(frustum, &**shape, max_distance, hint)?,
        Shape::Capsule(shape) => {
            let rod = Rod::new(&shape.segment)?;
            let far = max_distance + shape.radius;
            if hint != Vec3::ZERO && axes::gap_along(frustum, &rod, hint).0 > far {
                return Some((Found::Apart(hint), shape.radius));
            }
            if let Some(gap) = rod::distance(frustum, &shape.segment, axes::slack(frustum, &rod)) {
                let found = if gap.gap > far { Found::Apart(gap.normal) } else { Found::Near(gap) };
                return Some((found, shape.radius));
            }
            return Some((search(frustum, &rod, max_distance + shape.radius, hint)?, shape.radius));
        }
        _ => return None,
    };
    Some((found, 0.0))
}
