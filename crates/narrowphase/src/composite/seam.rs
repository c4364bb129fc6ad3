//! Contacts with the seams between shapes that make up one surface.
//!
//! Where the shapes of a floor meet, each of them has an edge or a side that the whole floor has
//! not. A body that slides across is stopped by the side of the next shape, or thrown up by its
//! edge. Such a contact is known by three things: the shape beside it [hides](Holder::hides) its
//! points, that shape holds the body as deep at the same place, and it does so by another normal.
//! Where shapes end together, as at the corner of a body made of two overlapping bars, neither
//! hides a contact of the other, and the corner may rest on two triangles of the ground at a time.
//! Nor do floor and wall hide each other in their [corner](Holder::opening).
//!
//! "At the same place" matters: a body may rest on two shapes by different normals at its two ends,
//! and a point where these shapes meet may bear it too.

use carom_geometry::shape::{Shape, Sphere, Support};
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

/// Share of the gap by which a shape must go on beyond the plane of a contact to hide it: well
/// above rounding.
const GOES_ON: f32 = 0.01;

/// How far over the surface of the hiding shape the other one is looked for, in gaps, and how near
/// it counts.
const OVER: [f32; 2] = [2.0, 0.5];

/// One of two shapes of a surface that hold a body at one place. Points and normals are in its
/// frame; normals point out of the surface.
#[derive(Clone, Copy, Debug)]
pub struct Holder<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Normal of the contact that may be a seam.
    pub seam: Vec3,
    /// Normal of the contact beside it.
    pub beside: Vec3,
}

impl Holder<'_> {
    /// Of the shape beside: does it hide a point of the contact? It does if the point lies in or on
    /// it, while it goes on beyond the plane of the contact.
    #[must_use]
    pub fn hides(&self, point: Vec3, gap: f32) -> bool {
        hides(self.shape, point, self.seam, gap)
    }

    /// Of the shape beside: how far a point is below its surface. Where that is not known, as deep
    /// as the body has sunk into it.
    #[must_use]
    pub fn depth_of(&self, point: Vec3, sunk: f32) -> f32 {
        self.shape.as_convex().map_or(sunk, |shape| (shape.support(self.beside) - point).dot(self.beside))
    }

    /// Of the shape of the contact: does it go on over the surface of the one beside it, which is
    /// `depth` over the point? Then they form a corner, as floor and wall do, in which
    /// both contacts are real: unless a point in its opening, which is returned, lies in other
    /// shapes of the surface.
    #[must_use]
    pub fn opening(&self, point: Vec3, depth: f32, gap: f32) -> Option<Vec3> {
        let over = OVER[0] * gap + Real::max(depth, 0.0);
        let along = point + self.beside * over;
        is_within(self.shape, along, OVER[1] * gap).then(|| along + self.seam * over)
    }
}

/// Does a shape fill the opening of a corner that others form? The point is in its frame.
#[must_use]
pub fn fills(shape: &Shape, opening: Vec3, gap: f32) -> bool {
    is_within(shape, opening, OVER[1] * gap)
}

/// Does a point lie in or on a shape that goes on beyond the plane through it across a direction?
fn hides(shape: &Shape, point: Vec3, outwards: Vec3, gap: f32) -> bool {
    if let Shape::Compound(compound) = shape {
        return compound.children().iter().any(|child| {
            let outwards = child.pose.rotation.rotate_back(outwards);
            hides(&child.shape, child.pose.undo(point), outwards, gap)
        });
    }
    let goes_on = |shape: &dyn Support<f32>| (shape.support(outwards) - point).dot(outwards) > GOES_ON * gap;
    is_within(shape, point, gap) && shape.as_convex().is_none_or(goes_on)
}

/// Does a point in the frame of a shape lie in or on it, but for a gap?
fn is_within(shape: &Shape, point: Vec3, gap: f32) -> bool {
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
