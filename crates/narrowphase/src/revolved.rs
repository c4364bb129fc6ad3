//! Cylinders and cones with shapes that have flat faces and straight edges, and cylinders with each
//! other: distance, depth and normal by directions.
//!
//! Iterations that see only support points ([`gjk`](crate::gjk), [`epa`](crate::epa)) creep round
//! smooth rims in many steps. But a body of revolution is known: how far it reaches along a
//! direction is a formula with one root, and the directions in which it may overlap a polyhedron
//! least are few. Cylinders and cones are one shape here, a frustum, and boxes, tiles, triangles,
//! polytopes and the segments of capsules are one kind of body.
//!
//! Invariants: a gap is never wider than the distance and an overlap never less than the depth, as
//! they are those along a true direction; the support functions must give the same, or there is no
//! answer. Whether the points belong to their shapes is checked too and said. For shapes apart both
//! together certify the distance. That an overlap is the *least* one is not certified by the query:
//! it rests on the list of directions, and is compared with GJK, EPA and the oracle in tests.
//!
//! Where faces are parallel to ends or walls, the points may be off the shapes. Where shapes are
//! apart and the points are not certain, where a search would take too long, and for degenerate
//! shapes the answer is left open: [`gjk`](crate::gjk) knows. Nothing is allocated.
//!
//! Cost: a root for every face, a vector product for every edge, and for the few edges that may
//! matter about five steps of Newton's method each. For shapes that overlap that is less than GJK
//! and EPA take, for polytopes up to the number of edges that [`dispatch`](crate::dispatch) names.
//! Whether shapes touch, and how far apart they are, GJK says sooner.
//!
//! That the least overlap belongs to pairs of features whose normals agree is the theorem behind
//! separating axes (S. Gottschalk); that arcs of normals stand for edges is from D. Gregorius, "The
//! separating axis test between convex polyhedra" (2013).
//!
//! | module | holds |
//! |---|---|
//! | `frustum` | a cylinder or cone, placed |
//! | `bodies` | the other shape: faces, edges, corners |
//! | `arc` | the widest gap along the arc of an edge |
//! | `segment` | the distance of a segment |
//! | `cylinder_cylinder` | two cylinders |
//! | `axes` | the widest gap over all directions |

mod arc;
mod axes;
mod bodies;
mod cylinder_cylinder;
mod frustum;
mod segment;

use carom_geometry::closest::{Span, TrianglePoint};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Pose, Real, Shape, Vector};
use glam::Vec3;

use crate::Proximity;
use crate::manifold::contact::NEARLY_PARALLEL_SINE;
use crate::support_feature::END_COSINE_SQUARED;
use arc::Limits;
use axes::{Found, Gap, search};
use bodies::{MAX_DIRECTIONS, SegmentBody, TriangleBody};
use cylinder_cylinder::CylinderCylinder;
use frustum::Frustum;

/// What the directions tell of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RevolvedOutcome<S: Real = f32> {
    /// Farther apart than asked for, along this unit vector from the first to the second.
    Apart(S::Vec3),
    /// Distance and normal, and points.
    Near {
        /// The answer.
        proximity: Proximity<S>,
        /// The points were found to belong to the shapes. Otherwise they are the right distance
        /// apart and somewhere on the planes that touch the shapes.
        has_points: bool,
    },
    /// The cores are apart, but neither are the points known nor whether it is by more than asked
    /// for.
    Open {
        /// A unit vector along which they are apart, from the first to the second.
        axis: S::Vec3,
    },
}

/// What is known of two shapes before they are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisHint<S: Real = f32> {
    /// Unit vector from the first to the second to be tried first, or null.
    pub axis: S::Vec3,
    /// They are likely to overlap.
    pub overlaps: bool,
}

/// Edges of a polytope up to which this is faster than EPA.
const MAX_EDGES: usize = 20;

/// Are candidate directions faster than EPA with this shape? All are but polytopes of many edges.
#[must_use]
#[inline]
pub(crate) fn has_few_edges(shape: &Shape) -> bool {
    match shape {
        Shape::Polytope(shape) => shape.half_edge_count() <= 2 * MAX_EDGES,
        _ => true,
    }
}

/// The one of two shapes that is a cylinder or a cone, placed in the frame of the other one.
fn frustum_of(shape: &Shape, pose: &Pose) -> Option<Frustum<f32>> {
    match shape {
        Shape::Cylinder(shape) => Frustum::of_cylinder(shape, pose),
        Shape::Cone(shape) => Frustum::of_cone(shape, pose),
        _ => None,
    }
}

/// The signed distance of a cylinder or cone and another shape. `None` if there are no directions
/// for such shapes, or too many, or a shape is degenerate, or the search would take too long.
#[must_use]
pub fn proximity(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    hint: &AxisHint,
) -> Option<RevolvedOutcome> {
    if let (Shape::Cylinder(_), Shape::Cylinder(_)) = (a, b) {
        return cylinders(a, b, pose, max_distance, hint);
    }
    if let Some(frustum) = frustum_of(b, pose) {
        let (found, radius) = with_body(&frustum, a, max_distance, hint)?;
        return Some(match found {
            Found::Apart(axis) => RevolvedOutcome::Apart(axis),
            Found::Open(axis) => RevolvedOutcome::Open { axis },
            Found::Near(gap) => near(&gap, radius, 0.0),
        });
    }
    let frustum = frustum_of(a, &pose.inverse())?;
    let rotation = pose.rotation.to_matrix();
    let hint = AxisHint { axis: -rotation.transposed_times(hint.axis), ..*hint };
    let (found, radius) = with_body(&frustum, b, max_distance, &hint)?;
    Some(match found {
        Found::Apart(axis) => RevolvedOutcome::Apart(-rotation.times(axis)),
        Found::Open(axis) => RevolvedOutcome::Open { axis: -rotation.times(axis) },
        Found::Near(gap) => {
            let placed = |p: Vec3| rotation.times(p) + pose.translation;
            let mirrored = Gap {
                normal: -rotation.times(gap.normal),
                on_body: placed(gap.on_frustum),
                on_frustum: placed(gap.on_body),
                ..gap
            };
            near(&mirrored, 0.0, radius)
        }
    })
}

/// Two cylinders.
fn cylinders(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    hint: &AxisHint,
) -> Option<RevolvedOutcome> {
    if let Some(axis) = round_apart(a, b, pose, max_distance, hint) {
        return Some(RevolvedOutcome::Apart(axis));
    }
    let (a, b) = (frustum_of(a, &Pose::IDENTITY)?, frustum_of(b, pose)?);
    let pair = CylinderCylinder::new(&a, &b);
    let mut gap = match pair.search(max_distance, hint.axis)? {
        Found::Apart(axis) => return Some(RevolvedOutcome::Apart(axis)),
        Found::Open(axis) => return Some(RevolvedOutcome::Open { axis }),
        Found::Near(gap) => gap,
    };
    let along = gap.normal.dot(b.low(gap.normal).point - a.low(-gap.normal).point);
    let tolerance = 2.0 * axes::slack_of(&b, a.reach());
    if (along - gap.gap).abs() > tolerance {
        return None;
    }
    gap.has_points = a.has(gap.on_body, tolerance) && b.has(gap.on_frustum, tolerance);
    if gap.has_points || gap.gap <= 0.0 {
        return Some(near(&gap, 0.0, 0.0));
    }
    Some(RevolvedOutcome::Open { axis: gap.normal })
}

fn near(gap: &Gap<f32>, radius_a: f32, radius_b: f32) -> RevolvedOutcome {
    let Gap { gap: distance, normal, on_body, on_frustum, has_points } = *gap;
    let cores = Proximity { distance, normal, on_a: on_body, on_b: on_frustum };
    RevolvedOutcome::Near { proximity: cores.grown(radius_a, radius_b), has_points }
}

/// Do a cylinder and a capsule touch in one point, as the wall of the one and the other are not
/// side by side?
#[must_use]
#[inline]
pub(crate) fn is_one_point(a: &Shape, b: &Shape, pose: &Pose, normal: Vec3) -> bool {
    let (axis, along) = match (a, b) {
        (Shape::Cylinder(_), Shape::Capsule(b)) => (Vec3::Z, pose.rotation.rotate(b.segment.direction())),
        (Shape::Capsule(a), Shape::Cylinder(_)) => (pose.rotation.rotate(Vec3::Z), a.segment.direction()),
        _ => return false,
    };
    let rise = axis.dot(normal);
    if rise * rise >= END_COSINE_SQUARED {
        return false;
    }
    // As seen along the normal.
    let (axis, along) = (axis - normal * rise, along - normal * normal.dot(along));
    let limit = NEARLY_PARALLEL_SINE * NEARLY_PARALLEL_SINE * axis.length_squared() * along.length_squared();
    axis.cross(along).length_squared() > limit
}

/// A direction that is easily found along which two cylinders or cones are farther apart than a
/// speculative distance: the one known before, the way from middle to middle, or that between
/// nearest points. `None` also for other shapes; nothing is proved by it.
#[must_use]
#[inline]
pub(crate) fn round_apart(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    hint: &AxisHint,
) -> Option<Vec3> {
    let (a, b) = (frustum_of(a, &Pose::IDENTITY)?, frustum_of(b, pose)?);
    let is_apart = |axis: Vec3| b.lowest(axis) + a.lowest(-axis) > speculative_distance;
    if hint.overlaps {
        return None;
    }
    if hint.axis != Vec3::ZERO && is_apart(hint.axis) {
        return Some(hint.axis);
    }
    let along = |way: Vec3| {
        let square = way.length_squared();
        (square > speculative_distance * speculative_distance)
            .then(|| way / Real::sqrt(square))
            .filter(|axis| is_apart(*axis))
    };
    along(b.centre).or_else(|| {
        let on_a = a.nearest(b.centre);
        along(b.nearest(on_a) - on_a)
    })
}

/// A direction that is easily found along which a triangle is far enough from the frustum: before
/// its own ones are computed.
#[inline]
fn apart_from_triangle(frustum: &Frustum<f32>, shape: &Triangle, far: f32, hint: &AxisHint) -> Option<Vec3> {
    let is_apart = |axis: Vec3| frustum.lowest(axis) - axis.dot(shape.support(axis)) > far;
    if hint.axis != Vec3::ZERO || hint.overlaps {
        return Some(hint.axis).filter(|&axis| is_apart(axis));
    }
    let mut to = frustum.centre;
    for _ in 0..2 {
        let point = TrianglePoint::nearest(shape, to).point;
        to = frustum.nearest(point);
        let axis = (to - point).unit()?;
        if is_apart(axis) {
            return Some(axis);
        }
    }
    None
}

/// The same for a segment.
#[inline]
fn apart_from_segment(frustum: &Frustum<f32>, segment: &Segment, far: f32, hint: &AxisHint) -> Option<Vec3> {
    // Those that overlapped are likely to do so again, and the search says soon enough if not.
    if hint.overlaps {
        return None;
    }
    let is_apart = |axis: &Vec3| segment::gap_along(frustum, segment, *axis) > far;
    if hint.axis != Vec3::ZERO {
        return Some(hint.axis).filter(is_apart);
    }
    let along = |way: Vec3| {
        let square = way.length_squared();
        // The gap is no wider than the way.
        (square > far * far).then(|| way / Real::sqrt(square)).filter(is_apart)
    };
    let point = segment.at(Span::from_segment(segment).parameter_near(frustum.centre));
    along(frustum.centre - point).or_else(|| along(frustum.nearest(point) - point))
}

/// The search with the other shape, and the radius round its core.
#[inline]
fn with_body(
    frustum: &Frustum<f32>,
    shape: &Shape,
    max_distance: f32,
    hint: &AxisHint,
) -> Option<(Found<f32>, f32)> {
    let usual = Limits::USUAL;
    let found = match shape {
        Shape::Cuboid(shape) => search(frustum, shape, max_distance, hint, usual)?,
        Shape::Tile(tile) => {
            let flat = Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) };
            search(frustum, &flat, max_distance, hint, usual)?
        }
        Shape::Triangle(shape) => {
            if let Some(axis) = apart_from_triangle(frustum, shape, max_distance, hint) {
                return Some((Found::Apart(axis), 0.0));
            }
            search(frustum, &TriangleBody::new(shape)?, max_distance, hint, usual)?
        }
        Shape::Polytope(shape) if shape.face_count() <= MAX_DIRECTIONS => {
            search(frustum, &**shape, max_distance, hint, usual)?
        }
        Shape::Capsule(shape) => {
            let far = max_distance + shape.radius;
            if let Some(axis) = apart_from_segment(frustum, &shape.segment, far, hint) {
                return Some((Found::Apart(axis), shape.radius));
            }
            let slack = axes::slack_of(frustum, segment::reach(&shape.segment));
            if let Some(gap) = segment::distance(frustum, &shape.segment, slack)
                && segment::gap_along(frustum, &shape.segment, gap.normal) >= gap.gap - 4.0 * slack
            {
                let found = if gap.gap > far { Found::Apart(gap.normal) } else { Found::Near(gap) };
                return Some((found, shape.radius));
            }
            let body = SegmentBody::new(&shape.segment)?;
            return Some((search(frustum, &body, far, hint, usual)?, shape.radius));
        }
        _ => return None,
    };
    Some((found, 0.0))
}
