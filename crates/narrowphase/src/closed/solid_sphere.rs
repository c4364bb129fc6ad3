//! Solids with a sphere: signed distance of a point.
//!
//! The solid comes first: in its frame the centre of the sphere is where the place says, nothing has to be turned, and
//! coordinates beyond a face are differences of two numbers, so the direction is right however near the centre is.

use carom_geometry::closest::{TriangleFeature, TrianglePoint};
use carom_geometry::polytope::FaceId;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cone, Cuboid, Cylinder, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Real, Vector};

use super::cores::{Core, between, near, trusted_square, up};
use crate::proximity::Proximity;
use carom_geometry::closest::{Closest, Nearest};
use carom_geometry::primitive::Segment;

/// A point and the box of these half extents.
#[inline]
fn box_point<S: Real>(half: S::Vec3, point: S::Vec3) -> Proximity<S> {
    let on_a = Vector::clamp(point, -half, half);
    if on_a == point {
        return point_inside_box(half, point);
    }
    between(on_a, point, up::<S>())
}

/// The way out through the nearest face; up out of a tile and out of the middle of a cube.
#[inline]
fn point_inside_box<S: Real>(half: S::Vec3, point: S::Vec3) -> Proximity<S> {
    let room = half - Vector::abs(point);
    let mut axis = if room.x() < room.y() { 0 } else { 1 };
    if room.z() < room[axis] {
        axis = 2;
    }
    let normal = S::Vec3::AXES[axis] * point[axis].sign_of(S::ONE);
    let distance = -room[axis];
    Proximity { distance, normal, on_a: point - normal * distance, on_b: point }
}

/// A box and a sphere.
#[inline]
#[must_use]
pub fn cuboid_sphere<S: Real>(a: &Cuboid<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    box_point(a.half, place.translation).grown(S::ZERO, b.radius)
}

/// A tile and a sphere.
#[inline]
#[must_use]
pub fn tile_sphere<S: Real>(a: &Tile<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    box_point(S::Vec3::new(a.half_x, S::ZERO, a.half_z), place.translation).grown(S::ZERO, b.radius)
}

/// Is the box within the radius of the point? Without a root.
#[inline]
fn box_within<S: Real>(half: S::Vec3, point: S::Vec3, radius: S) -> bool {
    let beyond = Vector::max(Vector::abs(point) - half, S::Vec3::ZERO);
    beyond.length_squared() <= radius * radius
}

/// Do the box and the sphere touch? Without a root.
#[inline]
#[must_use]
pub fn cuboid_touches_sphere<S: Real>(a: &Cuboid<S>, b: &Sphere<S>, place: &Pose<S>) -> bool {
    box_within(a.half, place.translation, b.radius)
}

/// Do the tile and the sphere touch? Without a root.
#[inline]
#[must_use]
pub fn tile_touches_sphere<S: Real>(a: &Tile<S>, b: &Sphere<S>, place: &Pose<S>) -> bool {
    box_within(S::Vec3::new(a.half_x, S::ZERO, a.half_z), place.translation, b.radius)
}

/// Distance from the z axis and the unit vector away from it; along x for a point on the axis.
#[inline]
fn away_from_axis<S: Real>(point: S::Vec3) -> (S, S::Vec3) {
    let across = S::Vec3::new(point.x(), point.y(), S::ZERO);
    match across.unit() {
        Some(unit) => (unit.dot(across), unit),
        None => (S::ZERO, S::Vec3::AXES[0]),
    }
}

/// A cylinder and a sphere.
#[inline]
#[must_use]
pub fn cylinder_sphere<S: Real>(a: &Cylinder<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    let point = place.translation;
    let (across, out) = away_from_axis::<S>(point);
    let (beyond_wall, beyond_end) = (across - a.radius, point.z().abs() - a.half_length);
    let end = S::Vec3::AXES[2] * point.z().sign_of(S::ONE);
    let found = if beyond_wall > S::ZERO && beyond_end > S::ZERO {
        let on_a = out * a.radius + end * a.half_length;
        let way = out * beyond_wall + end * beyond_end;
        Proximity { on_a, on_b: point, ..between(S::Vec3::ZERO, way, end) }
    } else if beyond_wall > beyond_end {
        Proximity { distance: beyond_wall, normal: out, on_a: point - out * beyond_wall, on_b: point }
    } else {
        Proximity { distance: beyond_end, normal: end, on_a: point - end * beyond_end, on_b: point }
    };
    found.grown(S::ZERO, b.radius)
}

/// A cone and a sphere: the distance of a point from a triangle in the half-plane of axis and centre.
#[inline]
#[must_use]
pub fn cone_sphere<S: Real>(a: &Cone<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    let point = place.translation;
    let (across, out) = away_from_axis::<S>(point);
    let (slant, height) = (a.slant(), S::TWO * a.half_length);
    let up_axis = S::Vec3::AXES[2];
    // Outwards across the slant; a cone without height is a disc.
    let (lean, rise) = if slant > S::ZERO { (height / slant, a.radius / slant) } else { (S::ZERO, S::ONE) };
    let below_tip = a.half_length - point.z();
    let beyond_slant = across * lean - below_tip * rise;
    let beyond_base = -a.half_length - point.z();
    if beyond_slant <= S::ZERO && beyond_base <= S::ZERO {
        let (distance, normal) = if beyond_slant > beyond_base {
            (beyond_slant, out * lean + up_axis * rise)
        } else {
            (beyond_base, -up_axis)
        };
        return Proximity { distance, normal, on_a: point - normal * distance, on_b: point }
            .grown(S::ZERO, b.radius);
    }
    // On the slant by the way down from the tip, on the base by the distance from its centre.
    let down = Real::clamp(across * rise + below_tip * lean, S::ZERO, slant);
    let on_slant = out * (down * rise) + up_axis * (a.half_length - down * lean);
    let on_base = out * Real::min(across, a.radius) - up_axis * a.half_length;
    let nearer_slant = (point - on_slant).length_squared() < (point - on_base).length_squared();
    let (on_a, normal) =
        if nearer_slant { (on_slant, out * lean + up_axis * rise) } else { (on_base, -up_axis) };
    between(on_a, point, normal).grown(S::ZERO, b.radius)
}

/// A triangle and a sphere.
#[inline]
#[must_use]
pub fn triangle_sphere<S: Real>(a: &Triangle<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    let point = place.translation;
    let nearest = TrianglePoint::nearest(a, point);
    let square = (point - nearest.point).length_squared();
    let size = a.extent() + Vector::abs(point).max_element();
    if square > trusted_square(size) {
        return between(nearest.point, point, up::<S>()).grown(S::ZERO, b.radius);
    }
    point_on_triangle(a, point, &nearest).grown(S::ZERO, b.radius)
}

/// A point so near to a triangle that the way to it has no direction to speak of.
#[cold]
#[inline(never)]
fn point_on_triangle<S: Real>(a: &Triangle<S>, point: S::Vec3, nearest: &TrianglePoint<S>) -> Proximity<S> {
    let found = Closest::between(nearest.point, point);
    if nearest.feature == TriangleFeature::Face
        && let Some(normal) = a.normal()
    {
        let height = normal.dot(point - nearest.point);
        let normal = normal * height.sign_of(S::ONE);
        return Proximity { distance: height.abs(), normal, on_a: nearest.point, on_b: point };
    }
    near(a, &Segment::new(point, point), &found)
}

/// A convex polyhedron and a sphere. Takes time proportional to the number of faces.
#[must_use]
pub fn polytope_sphere<S: Real>(a: &Polytope<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    let point = place.translation;
    let (mut highest, mut above) = (FaceId(0), S::NEG_INFINITY);
    for (index, plane) in a.planes().iter().enumerate() {
        let height = plane.signed_distance(point);
        if height > above {
            (highest, above) = (FaceId(index as u32), height);
        }
    }
    let normal = a.plane(highest).normal;
    let through_face = Proximity { distance: above, normal, on_a: point - normal * above, on_b: point };
    if above <= S::ZERO || foot_in_face(a, highest, point) {
        return through_face.grown(S::ZERO, b.radius);
    }
    let mut best = Closest::between(a.point(a.tail(a.first(highest))), point);
    for (index, plane) in a.planes().iter().enumerate() {
        let height = plane.signed_distance(point);
        if height > S::ZERO && height * height < best.distance_squared {
            best = best.or(Closest::between(nearest_of_face(a, FaceId(index as u32), point), point));
        }
    }
    let found = if best.distance_squared > trusted_square(Vector::abs(best.a).max_element()) {
        between(best.a, point, normal)
    } else {
        through_face
    };
    found.grown(S::ZERO, b.radius)
}

/// The half-edges round a face.
fn sides<S: Real>(
    a: &Polytope<S>,
    face: FaceId,
) -> impl Iterator<Item = carom_geometry::polytope::HalfEdgeId> + '_ {
    let first = a.first(face);
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let side = next?;
        let following = a.half_edge(side).next;
        next = (following != first).then_some(following);
        Some(side)
    })
}

/// Is the foot of the point on the plane of a face inside the face?
fn foot_in_face<S: Real>(a: &Polytope<S>, face: FaceId, point: S::Vec3) -> bool {
    sides(a, face).all(|side| a.vp_face(side).signed_distance(point) <= S::ZERO)
}

/// The point of a face nearest to a point above it.
fn nearest_of_face<S: Real>(a: &Polytope<S>, face: FaceId, point: S::Vec3) -> S::Vec3 {
    let mut best: Option<Closest<S>> = None;
    for side in sides(a, face) {
        if a.vp_face(side).signed_distance(point) > S::ZERO {
            let found = Closest::between(a.segment(side).nearest(point), point);
            best = Some(best.map_or(found, |best| best.or(found)));
        }
    }
    best.map_or_else(|| a.plane(face).project(point), |found| found.a)
}
