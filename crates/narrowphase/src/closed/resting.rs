//! Contact points of shapes that rest on a half-space: the corners of the face that looks down.

use carom_geometry::polytope::{FaceId, HalfEdgeId, VertexId};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::{Capsule, Cone, Cylinder, HalfSpace, Shape};
use carom_geometry::{Matrix3, Polytope, Pose, Real, Vector};
use glam::Vec3;
use wide::f32x8;

use super::ground::{half_space_sphere, half_space_support};
use super::manifold::single;
use crate::lanes::Lanes;
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};

/// Sine of the lean up to which a disc counts as lying flat: below it the direction of its lowest point is noise.
const LEAN: f32 = 1e-4;
/// Cosine of the angle to the vertical below which a cylinder lies on its wall and not on its end: 45°.
const ON_WALL: f32 = 0.707;
/// Faces that are all looked at rather than gone round to.
const MANY_FACES: usize = 64;

/// Writes the contact points of a convex shape over the half-space; false if it is not convex.
pub(super) fn on_half_space(b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    if let Shape::Sphere(b) = b {
        single(&half_space_sphere(&HalfSpace, b, place), place, margin, contact);
        return true;
    }
    contact.start(Vec3::Y);
    let turn = place.rotation.to_matrix();
    let mut points = Points { manifold: contact, turn, shift: place.translation, margin };
    match b {
        Shape::Capsule(b) => points.capsule(b),
        Shape::Tile(b) => points.cuboid(Vec3::new(b.half_x, 0.0, b.half_z), 1, 0),
        Shape::Cuboid(b) => {
            let lowest = points.lowest();
            let axis = Vector::largest_axis(lowest);
            points.cuboid(b.half, axis, if lowest[axis] > 0.0 { 1 << axis } else { 0 });
        }
        Shape::Triangle(b) => points.corners([(0, b.a), (1, b.b), (2, b.c)]),
        Shape::Cylinder(b) => points.cylinder(b),
        Shape::Cone(b) => points.cone(b),
        Shape::Polytope(b) => points.polytope(b),
        b => {
            let Some(b) = b.as_convex() else { return false };
            single(&half_space_support(&HalfSpace, b, place), place, margin, points.manifold);
        }
    }
    true
}

/// The same with the half-space second.
#[inline(never)]
pub(super) fn half_space_second(a: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    let back = place.inverse();
    let found = on_half_space(a, &back, margin, contact);
    if found {
        contact.swap(&back);
    }
    found
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
    turn: Matrix3<f32>,
    shift: Vec3,
    margin: f32,
}

impl Points<'_> {
    /// The direction down in the frame of the second shape.
    #[inline]
    fn lowest(&self) -> Vec3 {
        -Vec3::from_array(self.turn.columns.map(|column| column.y))
    }

    /// Adds a point of the second shape if it is low enough: `above` is in the frame of the half-space, `on_b` in that of the
    /// shape.
    #[inline]
    fn add(&mut self, feature: u32, above: Vec3, on_b: Vec3) {
        if above.y <= self.margin {
            let (on_a, separation) = (Vec3::new(above.x, 0.0, above.z), above.y);
            self.manifold.push(ManifoldPoint { on_a, on_b, separation, feature: FeatureId(feature) });
        }
    }

    /// Adds a point given in the frame of the second shape.
    #[inline]
    fn corner(&mut self, feature: u32, corner: Vec3) {
        self.add(feature, self.shift + self.turn.times(corner), corner);
    }

    /// Adds points given in the frame of the second shape.
    #[inline]
    fn corners<const N: usize>(&mut self, corners: [(u32, Vec3); N]) {
        for (feature, corner) in corners {
            self.corner(feature, corner);
        }
    }

    /// The corners of a face of a box: that across an axis, at the end that the bit `high` at the place of the axis says.
    fn cuboid(&mut self, half: Vec3, axis: usize, high: u32) {
        if self.shift.y - Vector::abs(self.lowest()).dot(half) <= self.margin {
            let face = |k| spread(k, axis) | high;
            self.corners([0, 1, 2, 3].map(|k| (face(k), corner(half, face(k)))));
        }
    }

    fn capsule(&mut self, capsule: &Capsule) {
        let below = self.lowest() * capsule.radius;
        let Segment { a, b } = capsule.segment;
        self.corner(0, a + below);
        if a != b {
            self.corner(1, b + below);
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

    fn cylinder(&mut self, cylinder: &Cylinder) {
        let lowest = self.lowest();
        let half = cylinder.half_length;
        let end = if lowest.z < 0.0 { -half } else { half };
        if lowest.z.abs() > ON_WALL {
            self.rim(cylinder.radius, end, lowest);
        } else {
            let towards = towards_rim(lowest).unwrap_or(Vec3::X) * cylinder.radius;
            self.corners([(4, towards - Vec3::Z * half), (5, towards + Vec3::Z * half)]);
        }
    }

    fn cone(&mut self, cone: &Cone) {
        let lowest = self.lowest();
        let half = cone.half_length;
        if lowest.z < -ON_WALL {
            self.rim(cone.radius, -half, lowest);
        } else {
            let towards = towards_rim(lowest).unwrap_or(Vec3::X) * cone.radius;
            self.corners([(4, Vec3::Z * half), (5, towards - Vec3::Z * half)]);
        }
    }

    /// The lowest vertex, and of the face that looks down most those vertices that span most of it.
    fn polytope(&mut self, polytope: &Polytope) {
        let lowest = self.lowest();
        let first = polytope.support_vertex(lowest);
        self.corner(first.0, polytope.point(first));
        if self.manifold.is_empty() {
            return;
        }
        let bottom = bottom_at(polytope, first, lowest);
        let start = polytope.first(bottom);
        let [one, two] = {
            let second = polytope.half_edge(start).next;
            [second, polytope.half_edge(second).next]
        };
        if polytope.half_edge(two).next != start {
            return self.polygon(polytope, lowest, first, start);
        }
        // Of a triangle all corners are taken.
        for side in [start, one, two] {
            let vertex = polytope.half_edge(side).head;
            if vertex != first {
                self.corner(vertex.0, polytope.point(vertex));
            }
        }
    }

    /// Of the vertices round a face: the farthest from the first, then the farthest to each side of the line between the two, all
    /// in the frame of the polytope: only the points taken are turned into that of the ground.
    fn polygon(&mut self, polytope: &Polytope, lowest: Vec3, first: VertexId, start: HalfEdgeId) {
        let up = -lowest;
        let (origin, limit) = (polytope.point(first), self.margin - self.shift.y);
        let corners = || {
            let mut next = Some(start);
            std::iter::from_fn(move || {
                let links = polytope.half_edge(next?);
                next = (links.next != start).then_some(links.next);
                Some((links.head, polytope.point(links.head)))
            })
            .filter(|(_, point)| up.dot(*point) <= limit)
        };
        let mut second = (first, 0.0);
        for (vertex, point) in corners() {
            let square = (point - origin).length_squared();
            if square > second.1 {
                second = (vertex, square);
            }
        }
        if second.0 == first {
            return;
        }
        let opposite = polytope.point(second.0);
        self.corner(second.0.0, opposite);
        let sideways = (opposite - origin).cross(up);
        let (mut right, mut left) = ((first, 0.0), (first, 0.0));
        for (vertex, point) in corners() {
            let beside = sideways.dot(point - origin);
            if beside > right.1 {
                right = (vertex, beside);
            } else if beside < left.1 {
                left = (vertex, beside);
            }
        }
        for (vertex, _) in [right, left] {
            if vertex != first && vertex != second.0 {
                self.corner(vertex.0, polytope.point(vertex));
            }
        }
    }
}

/// The face that looks down most of those at the lowest vertex.
///
/// Most often that is the one that looks down most of all: found eight at a time, and known to be it if the vertex is one of its
/// corners. Going round the vertex, where every step waits for the one before, takes twice as long (hulls of 30 vertices).
#[inline]
fn bottom_at(polytope: &Polytope, vertex: VertexId, down: Vec3) -> FaceId {
    if polytope.face_count() <= MANY_FACES
        && let Some(face) = steepest(polytope, down)
    {
        let first = polytope.first(face);
        let mut side = first;
        loop {
            let links = polytope.half_edge(side);
            if links.head == vertex {
                return face;
            }
            side = links.next;
            if side == first {
                break;
            }
        }
    }
    bottom_round(polytope, vertex, down)
}

/// The same by going round the vertex.
fn bottom_round(polytope: &Polytope, vertex: VertexId, down: Vec3) -> FaceId {
    let mut bottom = (FaceId(0), f32::NEG_INFINITY);
    for face in polytope.faces_at(vertex) {
        let along = polytope.plane(face).normal.dot(down);
        if along > bottom.1 {
            bottom = (face, along);
        }
    }
    bottom.0
}

/// The one face that looks along a direction most; none if there are several.
#[inline]
fn steepest(polytope: &Polytope, direction: Vec3) -> Option<FaceId> {
    let [x, y, z] = direction.to_array().map(f32x8::splat);
    let mut heights = [f32x8::splat(f32::NEG_INFINITY); MANY_FACES / 8];
    let mut best = f32x8::splat(f32::NEG_INFINITY);
    for (height, [xs, ys, zs, _]) in heights.iter_mut().zip(polytope.plane_blocks()) {
        *height = f32x8::new(*xs) * x + f32x8::new(*ys) * y + f32x8::new(*zs) * z;
        best = height.max(best);
    }
    let most = best.to_array().into_iter().fold(f32::NEG_INFINITY, Real::max);
    let mut reaching = 0u64;
    for (block, height) in heights.iter().enumerate() {
        reaching |= u64::from(f32x8::bits(f32x8::splat(most).at_most(*height))) << (8 * block);
    }
    let face = reaching.trailing_zeros();
    // What fills the last block is a copy of the last face, and so are its bits.
    let last = polytope.face_count() as u32 - 1;
    (reaching & (reaching - 1) == 0 || face == last).then_some(FaceId(face))
}

/// The unit vector across z to the lowest point of a rim; `None` if the rim lies flat.
fn towards_rim(lowest: Vec3) -> Option<Vec3> {
    let across = Vec3::new(lowest.x, lowest.y, 0.0);
    let square = across.length_squared();
    (square > LEAN * LEAN).then(|| across / square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_is_the_same_by_all_faces_and_round_the_vertex() -> Result<(), Box<dyn std::error::Error>> {
        let mut seed = 3u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let hulls = [Polytope::random_on_sphere(30, 1.0, 4)?, Polytope::random_on_sphere(9, 1.0, 5)?];
        for polytope in hulls.iter().chain([&Polytope::cube(0.5)?]) {
            for case in 0..4000 {
                let mut down = Vec3::new(number(), number(), number());
                if case % 4 == 0 {
                    // Equally steep faces.
                    down = (down * 2.0).round();
                }
                let Some(down) = down.unit() else { continue };
                let vertex = polytope.support_vertex(down);
                let (fast, slow) =
                    (bottom_at(polytope, vertex, down), bottom_round(polytope, vertex, down));
                assert_eq!(fast, slow, "{case}: {down}");
            }
        }
        Ok(())
    }
}
