//! Contact points of shapes that rest on a half-space: the corners of the face that looks down.

use carom_geometry::Pose;
use carom_geometry::polytope::{FaceId, VertexId};
use carom_geometry::shape::{Capsule, Cone, Cylinder, HalfSpace, Shape};
use carom_geometry::{Polytope, Vector};
use glam::Vec3;

use super::ground::{down, half_space_sphere, half_space_support};
use super::manifold::{push, single};
use crate::manifold::Manifold;

/// Sine of the lean up to which a disc counts as lying flat: below it the direction of its lowest point is noise.
const LEAN: f32 = 1e-4;
/// Cosine of the angle to the vertical below which a cylinder lies on its wall and not on its end: 45°.
const ON_WALL: f32 = 0.707;

/// Writes the contact points of a convex shape over the half-space; false if it is not convex.
pub(super) fn on_half_space(b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    contact.start(Vec3::Y);
    let lowest = down(place);
    let mut points = Points { manifold: contact, place, margin };
    match b {
        Shape::Sphere(b) => single(&half_space_sphere(&HalfSpace, b, place), place, margin, points.manifold),
        Shape::Capsule(b) => points.capsule(b),
        Shape::Tile(b) => {
            points
                .corners([0, 1, 2, 3].map(|k| (k, corner(Vec3::new(b.half_x, 0.0, b.half_z), spread(k, 1)))));
        }
        Shape::Cuboid(b) => {
            let axis = Vector::largest_axis(lowest);
            let high = if lowest[axis] > 0.0 { 1 << axis } else { 0 };
            points.corners(
                [0, 1, 2, 3].map(|k| (spread(k, axis) | high, corner(b.half, spread(k, axis) | high))),
            );
        }
        Shape::Triangle(b) => points.corners([(0, b.a), (1, b.b), (2, b.c)]),
        Shape::Cylinder(b) => points.cylinder(b, lowest),
        Shape::Cone(b) => points.cone(b, lowest),
        Shape::Polytope(b) => points.polytope(b, lowest),
        b => {
            let Some(b) = b.as_convex() else { return false };
            single(&half_space_support(&HalfSpace, b, place), place, margin, points.manifold);
        }
    }
    true
}

/// The bits of `k` (below 4) at the two places other than `axis`.
fn spread(k: u32, axis: usize) -> u32 {
    (k & 1) << ((axis + 1) % 3) | (k >> 1) << ((axis + 2) % 3)
}

/// A corner of a box: the bits choose the high end of each axis.
fn corner(half: Vec3, bits: u32) -> Vec3 {
    let along = |k: usize| if bits >> k & 1 == 1 { half[k] } else { -half[k] };
    Vec3::new(along(0), along(1), along(2))
}

/// Points of the second shape as contact points over the half-space.
struct Points<'a> {
    manifold: &'a mut Manifold,
    place: &'a Pose,
    margin: f32,
}

impl Points<'_> {
    /// Adds a point of the second shape, in the frame of the half-space, if it is low enough.
    fn add(&mut self, feature: u32, on_b: Vec3) {
        if on_b.y <= self.margin {
            push(self.manifold, [Vec3::new(on_b.x, 0.0, on_b.z), on_b], on_b.y, feature, self.place);
        }
    }

    /// Adds points given in the frame of the second shape.
    fn corners<const N: usize>(&mut self, corners: [(u32, Vec3); N]) {
        for (feature, corner) in corners {
            self.add(feature, self.place.apply(corner));
        }
    }

    fn capsule(&mut self, capsule: &Capsule) {
        let axis = capsule.segment.posed(self.place);
        self.add(0, axis.a - Vec3::Y * capsule.radius);
        if axis.a != axis.b {
            self.add(1, axis.b - Vec3::Y * capsule.radius);
        }
    }

    /// The lowest point of a rim and three more round it.
    fn rim(&mut self, radius: f32, z: f32, lowest: Vec3) {
        let towards = towards_rim(lowest).unwrap_or(Vec3::X) * radius;
        let beside = Vec3::new(-towards.y, towards.x, 0.0);
        let centre = Vec3::new(0.0, 0.0, z);
        self.corners([
            (0, centre + towards),
            (1, centre + beside),
            (2, centre - towards),
            (3, centre - beside),
        ]);
    }

    fn cylinder(&mut self, cylinder: &Cylinder, lowest: Vec3) {
        let half = cylinder.half_length;
        let end = if lowest.z < 0.0 { -half } else { half };
        if lowest.z.abs() > ON_WALL {
            self.rim(cylinder.radius, end, lowest);
        } else {
            let towards = towards_rim(lowest).unwrap_or(Vec3::X) * cylinder.radius;
            self.corners([(4, towards - Vec3::Z * half), (5, towards + Vec3::Z * half)]);
        }
    }

    fn cone(&mut self, cone: &Cone, lowest: Vec3) {
        let half = cone.half_length;
        if lowest.z < -ON_WALL {
            self.rim(cone.radius, -half, lowest);
        } else {
            let towards = towards_rim(lowest).unwrap_or(Vec3::X) * cone.radius;
            self.corners([(4, Vec3::Z * half), (5, towards - Vec3::Z * half)]);
        }
    }

    /// The lowest vertex, and of the face that looks down most those vertices that span most of it.
    fn polytope(&mut self, polytope: &Polytope, lowest: Vec3) {
        let first = polytope.support_vertex(lowest);
        let start = self.place.apply(polytope.point(first));
        self.add(first.0, start);
        if self.manifold.is_empty() {
            return;
        }
        // The face that looks down most is one of those at the lowest vertex.
        let mut bottom = (FaceId(0), f32::NEG_INFINITY);
        for face in polytope.faces_at(first) {
            let along = polytope.plane(face).normal.dot(lowest);
            if along > bottom.1 {
                bottom = (face, along);
            }
        }
        // The farthest from the first, then the farthest to each side of the line between the two, all in the frame of the
        // polytope: only the points taken are turned into that of the ground.
        let up = -lowest;
        let (origin, limit) = (polytope.point(first), self.margin - self.place.translation.y);
        let farthest = |measure: &dyn Fn(Vec3) -> f32| -> Option<VertexId> {
            let mut best = (None, 0.0);
            let end = polytope.first(bottom.0);
            let mut side = end;
            loop {
                let links = polytope.half_edge(side);
                let point = polytope.point(links.head);
                let value = measure(point);
                if value > best.1 && up.dot(point) <= limit {
                    best = (Some(links.head), value);
                }
                side = links.next;
                if side == end {
                    return best.0;
                }
            }
        };
        let Some(second) = farthest(&|p| (p - origin).length_squared()) else { return };
        let opposite = polytope.point(second);
        self.add(second.0, self.place.apply(opposite));
        let sideways = (opposite - origin).cross(up);
        for sideways in [sideways, -sideways] {
            if let Some(vertex) = farthest(&|p| sideways.dot(p - origin))
                && vertex != second
                && vertex != first
            {
                self.add(vertex.0, self.place.apply(polytope.point(vertex)));
            }
        }
    }
}

/// The unit vector across z to the lowest point of a rim; `None` if the rim lies flat.
fn towards_rim(lowest: Vec3) -> Option<Vec3> {
    let across = Vec3::new(lowest.x, lowest.y, 0.0);
    let square = across.length_squared();
    (square > LEAN * LEAN).then(|| across / square.sqrt())
}
