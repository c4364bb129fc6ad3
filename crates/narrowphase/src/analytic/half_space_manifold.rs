//! Contact points of shapes that rest on a half-space: the corners of the face that looks down, of
//! small polytopes all that are low.

use carom_geometry::polytope::{FaceId, HalfEdgeId, VertexId};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::planar::OutlineRoom;
use carom_geometry::shape::{Capsule, Cone, Cylinder, HalfSpace, Planar, Shape};
use carom_geometry::{Matrix3, Polytope, Pose, Vector};
use glam::Vec3;

use super::half_space::{half_space_sphere, half_space_support};
use super::manifold::single;
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};

/// Sine of the lean up to which a disc counts as lying flat: below it the direction of its lowest
/// point is noise.
const LEAN: f32 = 1e-4;
/// Cosine of the angle to the vertical below which a cylinder lies on its wall and not on its end:
/// 45°.
const ON_WALL: f32 = 0.707;

/// Writes the contact points of a convex shape over the half-space; false if it is not convex.
pub(super) fn on_half_space(
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    if let Shape::Sphere(b) = b {
        single(&half_space_sphere(&HalfSpace, b, pose), pose, speculative_distance, contact);
        return true;
    }
    contact.start(Vec3::Y);
    let rotation = pose.rotation.to_matrix();
    let mut points = Points { manifold: contact, rotation, shift: pose.translation, speculative_distance };
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
        Shape::Planar(b) => points.figure(b),
        b => {
            let Some(b) = b.as_convex() else { return false };
            single(&half_space_support(&HalfSpace, b, pose), pose, speculative_distance, points.manifold);
        }
    }
    true
}

/// The same with the half-space second.
#[inline(never)]
pub(super) fn half_space_second(
    a: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let back = pose.inverse();
    let found = on_half_space(a, &back, speculative_distance, contact);
    if found {
        contact.swap(&back);
    }
    found
}

/// The vertices whose bits are set.
fn bits(mut set: u32) -> impl Iterator<Item = VertexId> {
    std::iter::from_fn(move || {
        let next = (set != 0).then_some(VertexId(set.trailing_zeros()))?;
        set &= set - 1;
        Some(next)
    })
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
    rotation: Matrix3<f32>,
    shift: Vec3,
    speculative_distance: f32,
}

impl Points<'_> {
    /// The direction down in the frame of the second shape.
    #[inline]
    fn lowest(&self) -> Vec3 {
        -Vec3::from_array(self.rotation.columns.map(|column| column.y))
    }

    /// Adds a point of the second shape if it is low enough: `above` is in the frame of the
    /// half-space, `on_b` in that of the shape.
    #[inline]
    fn add(&mut self, feature: u32, above: Vec3, on_b: Vec3) {
        if above.y <= self.speculative_distance {
            let (on_a, separation) = (Vec3::new(above.x, 0.0, above.z), above.y);
            self.manifold.push(ManifoldPoint { on_a, on_b, separation, feature: FeatureId(feature) });
        }
    }

    /// Adds a point given in the frame of the second shape.
    #[inline]
    fn corner(&mut self, feature: u32, corner: Vec3) {
        self.add(feature, self.shift + self.rotation.times(corner), corner);
    }

    /// Adds points given in the frame of the second shape.
    #[inline]
    fn corners<const N: usize>(&mut self, corners: [(u32, Vec3); N]) {
        for (feature, corner) in corners {
            self.corner(feature, corner);
        }
    }

    /// The corners of a face of a box: that across an axis, at the end that the bit `high` at the
    /// place of the axis says.
    fn cuboid(&mut self, half: Vec3, axis: usize, high: u32) {
        if self.shift.y - Vector::abs(self.lowest()).dot(half) <= self.speculative_distance {
            let face = |k| spread(k, axis) | high;
            self.corners([0, 1, 2, 3].map(|k| (face(k), corner(half, face(k)))));
        }
    }

    /// The side that faces the half-space, or the corner if there is no side.
    fn figure(&mut self, figure: &Planar) {
        let mut room = OutlineRoom::default();
        let outline = figure.outline(&mut room);
        let down = self.lowest().truncate();
        let below = (down.normalize_or_zero() * outline.radius).extend(0.0);
        let lowest = outline.farthest(down);
        let before = if lowest == 0 { outline.vertices.len() - 1 } else { lowest - 1 };
        let after = outline.after(lowest);
        let at = |vertex: usize| outline.vertices[vertex];
        let beside = if at(before).dot(down) > at(after).dot(down) { before } else { after };
        self.corner(lowest as u32, at(lowest).extend(0.0) + below);
        if beside != lowest {
            self.corner(beside as u32, at(beside).extend(0.0) + below);
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

    fn polytope(&mut self, polytope: &Polytope) {
        let lowest = self.lowest();
        match polytope.vertices_beyond(lowest, self.shift.y - self.speculative_distance) {
            Some(low) => self.low_vertices(polytope, lowest, low),
            None => self.bottom_face(polytope, lowest),
        }
    }

    /// Of the vertices that are low enough, a bit each, those that span most.
    fn low_vertices(&mut self, polytope: &Polytope, lowest: Vec3, low: u32) {
        if low.count_ones() as usize <= Manifold::CAPACITY {
            for vertex in bits(low) {
                self.corner(vertex.0, polytope.point(vertex));
            }
            return;
        }
        let mut first = (VertexId(0), f32::NEG_INFINITY);
        for vertex in bits(low) {
            let along = lowest.dot(polytope.point(vertex));
            if along > first.1 {
                first = (vertex, along);
            }
        }
        let first = first.0;
        self.corner(first.0, polytope.point(first));
        self.widest(polytope, lowest, first, || bits(low).map(|vertex| (vertex, polytope.point(vertex))));
    }

    /// The lowest vertex, and of the face that looks down most those vertices that span most of it.
    fn bottom_face(&mut self, polytope: &Polytope, lowest: Vec3) {
        let first = polytope.support_vertex(lowest);
        self.corner(first.0, polytope.point(first));
        if self.manifold.is_empty() {
            return;
        }
        // The face that looks down most is one of those at the lowest vertex.
        let mut bottom = (FaceId(0), f32::NEG_INFINITY);
        for &face in polytope.faces_around(first) {
            let along = polytope.plane(face).normal.dot(lowest);
            if along > bottom.1 {
                bottom = (face, along);
            }
        }
        let start = polytope.first(bottom.0);
        let [one, two] = {
            let second = polytope.half_edge(start).next;
            [second, polytope.half_edge(second).next]
        };
        if polytope.half_edge(two).next != start {
            return self.polygon(polytope, lowest, first, start);
        }
        // Of a triangle all corners are taken: the two others, in their order, without a branch
        // that nobody could predict.
        let [p, q, r] = [start, one, two].map(|side| polytope.half_edge(side).head);
        for vertex in [if p == first { q } else { p }, if r == first { q } else { r }] {
            self.corner(vertex.0, polytope.point(vertex));
        }
    }

    /// The same for a face with more corners than a triangle.
    fn polygon(&mut self, polytope: &Polytope, lowest: Vec3, first: VertexId, start: HalfEdgeId) {
        let (up, limit) = (-lowest, self.speculative_distance - self.shift.y);
        self.widest(polytope, lowest, first, || {
            let mut next = Some(start);
            std::iter::from_fn(move || {
                let links = polytope.half_edge(next?);
                next = (links.next != start).then_some(links.next);
                Some((links.head, polytope.point(links.head)))
            })
            .filter(move |(_, point)| up.dot(*point) <= limit)
        });
    }

    /// Of some vertices: the farthest from the first, then the farthest to each side of the line
    /// between the two, all in the frame of the polytope: only the points taken are turned into
    /// that of the ground.
    #[inline]
    fn widest<I: Iterator<Item = (VertexId, Vec3)>>(
        &mut self,
        polytope: &Polytope,
        lowest: Vec3,
        first: VertexId,
        corners: impl Fn() -> I,
    ) {
        let origin = polytope.point(first);
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
        let sideways = lowest.cross(opposite - origin);
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

/// The unit vector across z to the lowest point of a rim; `None` if the rim lies flat.
fn towards_rim(lowest: Vec3) -> Option<Vec3> {
    let across = Vec3::new(lowest.x, lowest.y, 0.0);
    let square = across.length_squared();
    (square > LEAN * LEAN).then(|| across / square.sqrt())
}
