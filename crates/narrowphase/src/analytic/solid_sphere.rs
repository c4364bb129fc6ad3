//! Solids with a sphere: signed distance of a point.
//!
//! The solid comes first: in its frame the centre of the sphere is where the place says, nothing
//! has to be turned, and coordinates beyond a face are differences of two numbers, so the direction
//! is right however near the centre is.

use carom_geometry::closest::{Closest, Span, TriangleFeature, TrianglePoint};
use carom_geometry::polytope::{FaceId, Feature};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Cone, Cuboid, Cylinder, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Real, Vector};

use super::cores::{Core, between, is_ordinary, proved, straightened, up};
use super::walk::{sides, walk_to_nearest};
use crate::proximity::Proximity;

/// A point and the box of these half extents.
#[inline(always)]
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
#[inline(always)]
#[must_use]
pub fn cuboid_sphere<S: Real>(a: &Cuboid<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    box_point(a.half, pose.translation).grown(S::ZERO, b.radius)
}

/// A tile and a sphere.
#[inline(always)]
#[must_use]
pub fn tile_sphere<S: Real>(a: &Tile<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    box_point(S::Vec3::new(a.half_x, S::ZERO, a.half_z), pose.translation).grown(S::ZERO, b.radius)
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
pub fn cuboid_touches_sphere<S: Real>(a: &Cuboid<S>, b: &Sphere<S>, pose: &Pose<S>) -> bool {
    box_within(a.half, pose.translation, b.radius)
}

/// Do the tile and the sphere touch? Without a root.
#[inline]
#[must_use]
pub fn tile_touches_sphere<S: Real>(a: &Tile<S>, b: &Sphere<S>, pose: &Pose<S>) -> bool {
    box_within(S::Vec3::new(a.half_x, S::ZERO, a.half_z), pose.translation, b.radius)
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
pub fn cylinder_sphere<S: Real>(a: &Cylinder<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    let point = pose.translation;
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

/// A cone and a sphere: the distance of a point from a triangle in the half-plane of axis and
/// centre.
#[inline]
#[must_use]
pub fn cone_sphere<S: Real>(a: &Cone<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    let point = pose.translation;
    let (across, out) = away_from_axis::<S>(point);
    let (slant, height) = (a.slant(), S::TWO * a.half_length);
    let axis = S::Vec3::AXES[2];
    // Outwards across the slant; a cone without height is a disc.
    let (lean, rise) = if slant > S::ZERO { (height / slant, a.radius / slant) } else { (S::ZERO, S::ONE) };
    let below_tip = a.half_length - point.z();
    let beyond_slant = across * lean - below_tip * rise;
    let beyond_base = -a.half_length - point.z();
    let down_slant = across * rise + below_tip * lean;
    let under_slant = down_slant > S::ZERO && down_slant < slant;
    // The last two say something only of a cone without height, whose slant and base are one plane,
    // and of one without radius, whose slant is its axis.
    let inside =
        beyond_slant <= S::ZERO && beyond_base <= S::ZERO && across <= a.radius && below_tip >= S::ZERO;
    let by_slant = if inside { beyond_slant > beyond_base } else { beyond_slant > S::ZERO && under_slant };
    let by_base = inside || beyond_base > S::ZERO && across <= a.radius;
    let found = if by_slant || by_base {
        let (distance, normal) =
            if by_slant { (beyond_slant, out * lean + axis * rise) } else { (beyond_base, -axis) };
        Proximity { distance, normal, on_a: point - normal * distance, on_b: point }
    } else if down_slant <= S::ZERO {
        let way = out * across - axis * below_tip;
        Proximity { on_a: axis * a.half_length, on_b: point, ..between(S::Vec3::ZERO, way, axis) }
    } else {
        let way = out * (across - a.radius) - axis * beyond_base;
        let on_a = out * a.radius - axis * a.half_length;
        Proximity { on_a, on_b: point, ..between(S::Vec3::ZERO, way, -axis) }
    };
    // So near to the rim or the tip the way has no direction: the wall or the base has.
    let is_rounding =
        !by_slant && !by_base && found.distance <= S::of(64.0) * S::EPSILON * (slant + a.radius);
    let found = if is_rounding {
        let (distance, normal) = if beyond_slant > beyond_base {
            (beyond_slant, out * lean + axis * rise)
        } else {
            (beyond_base, -axis)
        };
        Proximity { distance, normal, on_a: point - normal * distance, on_b: point }
    } else {
        found
    };
    found.grown(S::ZERO, b.radius)
}

/// A triangle and a sphere.
#[inline(always)]
#[must_use]
pub fn triangle_sphere<S: Real>(a: &Triangle<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    let point = pose.translation;
    let nearest = TrianglePoint::nearest(a, point);
    // Far enough from an edge or corner the way is the direction. Near it, and for needles, it is
    // rounding; over the face the normal of the triangle is better.
    if nearest.feature == TriangleFeature::Face {
        let across = a.area_vector();
        let square = across.length_squared();
        if is_ordinary(square) && !a.is_needle() {
            // Any point of the face will do, and a corner is known before the nearest point is.
            return over_face::<S>(across * (S::ONE / square.sqrt()), a.a, point).grown(S::ZERO, b.radius);
        }
    } else {
        let square = (point - nearest.point).length_squared();
        let size = a.a.length_squared() + a.b.length_squared() + a.c.length_squared();
        if square > S::EPSILON.sqrt() * size && !a.is_needle() {
            return between(nearest.point, point, up::<S>()).grown(S::ZERO, b.radius);
        }
    }
    near_triangle(a, point, &nearest).grown(S::ZERO, b.radius)
}

/// A point over a face with this normal, on either side of it; `below` is a point of the face.
#[inline(always)]
fn over_face<S: Real>(normal: S::Vec3, below: S::Vec3, point: S::Vec3) -> Proximity<S> {
    let height = normal.dot(point - below);
    let normal = normal * height.sign_of(S::ONE);
    Proximity { distance: height.abs(), normal, on_a: point - normal * height.abs(), on_b: point }
}

/// Do the triangle and the sphere touch? Without a root.
#[inline(always)]
#[must_use]
pub fn triangle_touches_sphere<S: Real>(a: &Triangle<S>, b: &Sphere<S>, pose: &Pose<S>) -> bool {
    let nearest = TrianglePoint::nearest(a, pose.translation);
    (pose.translation - nearest.point).length_squared() <= b.radius * b.radius
}

/// A point so near to a triangle that the way to it has no direction to speak of.
#[cold]
#[inline(never)]
fn near_triangle<S: Real>(a: &Triangle<S>, point: S::Vec3, nearest: &TrianglePoint<S>) -> Proximity<S> {
    if nearest.feature == TriangleFeature::Face
        && !a.is_needle()
        && let Some(normal) = a.normal()
    {
        return over_face::<S>(normal, nearest.point, point);
    }
    proved(a, &Segment::new(point, point), &Closest::between(nearest.point, point))
}

/// A convex polyhedron and a sphere. All faces are looked at once, eight at a time; the rest is a
/// short walk.
#[must_use]
pub fn polytope_sphere<S: Real>(a: &Polytope<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    let point = pose.translation;
    let (highest, above) = a.highest_face(point);
    from_highest_face(a, point, highest, above).grown(S::ZERO, b.radius)
}

/// The same if the two are within a speculative distance of each other; `None` if the plane of a
/// face shows that they are not.
#[must_use]
pub fn polytope_sphere_within<S: Real>(
    a: &Polytope<S>,
    b: &Sphere<S>,
    pose: &Pose<S>,
    speculative_distance: S,
) -> Option<Proximity<S>> {
    let point = pose.translation;
    let (highest, above) = a.highest_face(point);
    if above > b.radius + speculative_distance {
        return None;
    }
    Some(from_highest_face(a, point, highest, above).grown(S::ZERO, b.radius))
}

fn from_highest_face<S: Real>(a: &Polytope<S>, point: S::Vec3, highest: FaceId, above: S) -> Proximity<S> {
    let normal = a.plane(highest).normal;
    let through_face = Proximity { distance: above, normal, on_a: point - normal * above, on_b: point };
    if above <= S::ZERO || foot_in_face(a, highest, point) {
        return through_face;
    }
    let walked = walk_to_nearest(a, Feature::Face(highest), point).map(|(_, way)| way);
    let way = walked.unwrap_or_else(|| shortest_way(a, highest, point));
    // So near to the surface the way has no direction, and the height over a face is as good as the
    // distance. Vertices are rounded as the point is.
    let corner = a.point(a.tail(a.first(highest)));
    let size = Real::max(Vector::abs(point).max_element(), Vector::abs(corner).max_element());
    let noise = S::of(64.0) * S::EPSILON * size;
    if way.length_squared() <= noise * noise {
        return through_face;
    }
    // The difference of both points would be rounded by more than the way is.
    Proximity { on_a: point - way, on_b: point, ..between(S::Vec3::ZERO, way, normal) }
}

/// The same by looking at every face that the point is above.
#[cold]
fn shortest_way<S: Real>(a: &Polytope<S>, highest: FaceId, point: S::Vec3) -> S::Vec3 {
    let mut best = (S::INFINITY, point - a.point(a.tail(a.first(highest))));
    for (index, plane) in a.planes().iter().enumerate() {
        let height = plane.signed_distance(point);
        if height > S::ZERO && height * height < best.0 {
            let way = way_from_face(a, FaceId(index as u32), point);
            let square = way.length_squared();
            if square < best.0 {
                best = (square, way);
            }
        }
    }
    best.1
}

/// Is the foot of the point on the plane of a face inside the face?
fn foot_in_face<S: Real>(a: &Polytope<S>, face: FaceId, point: S::Vec3) -> bool {
    sides(a, face).all(|side| a.vp_face(side).signed_distance(point) <= S::ZERO)
}

/// The way to a point above a face from the nearest point of the face.
fn way_from_face<S: Real>(a: &Polytope<S>, face: FaceId, point: S::Vec3) -> S::Vec3 {
    let mut best: Option<(S, S::Vec3)> = None;
    for side in sides(a, face) {
        if a.vp_face(side).signed_distance(point) > S::ZERO {
            let edge = a.segment(side);
            let t = Span::from_segment(&edge).parameter_near(point);
            let way = if t <= S::ZERO {
                point - edge.a
            } else if t >= S::ONE {
                point - edge.b
            } else {
                straightened::<S>(point - edge.at(t), edge.direction())
            };
            let square = way.length_squared();
            if best.is_none_or(|(least, _)| square < least) {
                best = Some((square, way));
            }
        }
    }
    let plane = a.plane(face);
    best.map_or_else(|| plane.normal * plane.signed_distance(point), |(_, way)| way)
}
