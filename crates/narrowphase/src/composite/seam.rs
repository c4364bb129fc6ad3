//! Contacts with the seams between shapes that make up one surface.
//!
//! Where the shapes of a floor meet, each of them has an edge or a side that the whole floor has
//! not. A body that slides across is stopped by the side of the next shape, or thrown up by its
//! edge. Such a contact is known by three things: its points lie in or on the shape beside it, that
//! shape holds the body as deep at the same place, and it does so by another normal.
//!
//! "At the same place" matters: a body may rest on two shapes by different normals at its two ends,
//! and a point where these shapes meet may bear it too.

use carom_geometry::shape::{Shape, Sphere};
use carom_geometry::{Aabb, Pose, Real, Vector};
use glam::Vec3;

use super::mover::nearest_to_ball;
use super::triangles::Triangles;
use crate::analytic;
use crate::manifold::{Manifold, ManifoldPoint};

/// Cosine of the angle from which two normals differ: 0.03°, what rounding makes of equal ones.
const EQUAL_COSINE: f32 = 0.999_999_9;

/// A contact as seen from the body that several shapes hold: all of one body in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// Unit normal.
    pub normal: Vec3,
    /// Points on the body.
    pub points: [Vec3; Manifold::CAPACITY],
    /// Number of points.
    pub count: usize,
    /// Depth of the deepest point.
    pub depth: f32,
}

impl Held {
    /// A contact seen from its first (0) or second (1) shape. The normal stays in the frame of the
    /// first.
    #[must_use]
    pub fn new(manifold: &Manifold, side: usize) -> Self {
        let mut points = [Vec3::ZERO; Manifold::CAPACITY];
        let own = |point: &ManifoldPoint| if side == 0 { point.on_a } else { point.on_b };
        for (to, point) in points.iter_mut().zip(manifold.points()) {
            *to = own(point);
        }
        let (normal, depth) = (manifold.normal, -manifold.deepest());
        Self { normal, points, count: manifold.points().len(), depth }
    }

    /// The points on the body that there are.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..self.count]
    }

    /// Is a point within a distance of these points, or between them?
    fn is_near(&self, point: Vec3, reach: f32) -> bool {
        let points = self.points();
        let square = reach * reach;
        for (i, &a) in points.iter().enumerate() {
            for &b in &points[i..] {
                if to_segment(point, a, b).length_squared() <= square {
                    return true;
                }
            }
        }
        (0..points.len()).any(|left_out| {
            // Of three points the one triangle, of four each of the four.
            let mut corners = points.iter().enumerate().filter(|(k, _)| points.len() == 3 || *k != left_out);
            let mut next = || corners.next().map(|(_, p)| *p);
            match (next(), next(), next()) {
                (Some(a), Some(b), Some(c)) => is_over([a, b, c], point),
                _ => false,
            }
        })
    }
}

/// From a point to the nearest of a segment.
fn to_segment(point: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let along = b - a;
    let length = along.length_squared();
    let share = if length > 0.0 { ((point - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    a + along * share - point
}

/// Is a point over or under a triangle?
fn is_over([a, b, c]: [Vec3; 3], point: Vec3) -> bool {
    let normal = (b - a).cross(c - a);
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (*to - *from).cross(point - *from).dot(normal) > 0.0)
}

/// When a contact counts as one with a seam.
#[derive(Clone, Copy, Debug)]
pub struct SeamLimits {
    /// Radius of the body.
    pub radius: f32,
    /// Points farther apart are not contact points, unless the body is fast.
    pub speculative_distance: f32,
    /// Differences of depth that do not matter.
    pub slop: f32,
}

impl SeamLimits {
    /// Is one contact a seam beside another one, provided that the shape beside it covers it?
    #[must_use]
    pub fn is_seam(&self, contact: &Held, beside: &Held) -> bool {
        // Where the surface of a round body leaves a tangent plane by no more than the contact is
        // apart, it is near the point where the plane touches.
        let gap = self.speculative_distance + self.slop + Real::max(-contact.depth, 0.0);
        let reach = Real::sqrt(2.0 * Real::min(self.radius, 1e6) * gap);
        beside.depth >= contact.depth - self.slop
            && beside.normal.dot(contact.normal) < EQUAL_COSINE
            && contact.points().iter().all(|&point| beside.is_near(point, reach))
    }
}

/// Does a point in the frame of a shape lie in or on it, but for a gap?
#[must_use]
pub fn is_within(shape: &Shape, point: Vec3, gap: f32) -> bool {
    if !Vector::is_finite(point) {
        return false;
    }
    match shape {
        Shape::Mesh(mesh) => is_on(&**mesh, point, gap),
        Shape::HeightField(field) => is_on(&**field, point, gap),
        Shape::Compound(compound) => {
            compound.children().iter().any(|child| is_within(&child.shape, child.pose.undo(point), gap))
        }
        _ => {
            let dot = Shape::Sphere(Sphere { radius: 0.0 });
            let found = analytic::proximity(shape, &dot, &Pose::at(point));
            found.is_some_and(|found| found.distance <= gap)
        }
    }
}

/// Does a point lie on a surface, but for a gap?
fn is_on<T: Triangles>(surface: &T, point: Vec3, gap: f32) -> bool {
    let mut is_near = false;
    let near = Aabb { min: point.to_array(), max: point.to_array() }.grown(gap);
    surface.for_each_in_box(&near, |_, triangle| {
        let (nearest, _) = nearest_to_ball(triangle, point);
        is_near |= (nearest - point).length_squared() <= gap * gap;
    });
    is_near
}
