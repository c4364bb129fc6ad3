//! Contact points by formula: one for a sphere, two for a capsule that lies on something, up to four on a half-space.
//!
//! Feature identifiers name the ends, corners and faces that make a point, so a point keeps its name while the same parts
//! touch. The deepest point is always there, and its separation is the signed distance up to the tilt that still counts as
//! lying flat.

use carom_geometry::Pose;
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Capsule, Shape, Sphere};
use glam::Vec3;

use super::capsule_face::clipped;
use super::{
    capsule_capsule, capsule_sphere, capsule_touches_sphere, cone_sphere, cuboid_capsule, cuboid_sphere,
    cuboid_touches_sphere, cylinder_sphere, polytope_sphere_within, resting, sphere_sphere, spheres_touch,
    tile_capsule, tile_sphere, tile_touches_sphere, triangle_capsule, triangle_sphere,
};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::proximity::Proximity;

/// Sine of the angle of two capsules that still count as parallel.
const PARALLEL: f32 = 0.05;
/// Cosine of the angle between a normal and that of a face on which a capsule still counts as lying.
const FLAT: f32 = 0.998;
/// By how much the points over a face may be less deep than the shapes, in radii of the capsule: more than the tilt makes.
const BESIDE: f32 = 0.01;

/// Writes the contact points of two shapes that are within `margin` of each other into `contact`, none if they are not. False,
/// and the contact is left alone, if one of them is neither sphere nor capsule nor half-space or if there is no formula for
/// the pair.
pub fn manifold(a: &Shape, b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    if rank(a) >= rank(b) {
        return in_order(a, b, place, margin, contact);
    }
    if let Shape::Sphere(ball) = a
        && !matches!(b, Shape::HalfSpace(_))
    {
        return ball_first(ball, b, place, margin, contact);
    }
    let back = place.inverse();
    let found = in_order(b, a, &back, margin, contact);
    if found {
        contact.swap(&back);
    }
    found
}

/// Of two shapes the one of higher rank comes first in the formulas.
#[inline]
fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Capsule(_) => 1,
        Shape::HalfSpace(_) => 3,
        _ => 2,
    }
}

/// A sphere before another shape: measured in the frame of the other shape, in which only the centre of the ball counts. A ball
/// has no frame worth turning into.
fn ball_first(ball: &Sphere, b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    let centre = Pose::at(place.undo(Vec3::ZERO));
    match solid_ball(b, ball, &centre, margin) {
        Answer::Near(found) => {
            let normal = -place.rotation.rotate(found.normal);
            contact.start(normal);
            let (on_a, on_b) = (normal * ball.radius, found.on_a);
            contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
        }
        Answer::Far => contact.clear(),
        Answer::None => return false,
    }
    true
}

/// What is known of a shape and a ball.
enum Answer {
    /// Within the margin.
    Near(Proximity),
    /// Farther apart.
    Far,
    /// There is no formula.
    None,
}

/// A shape with a ball that is at `place` in its frame. That they are far apart is found out before any root is taken where that
/// is easy.
#[inline]
fn solid_ball(a: &Shape, ball: &Sphere, place: &Pose, margin: f32) -> Answer {
    let reach = ball.radius + margin;
    let grown = |radius| Sphere { radius };
    let found = match a {
        Shape::Sphere(a) => {
            if !spheres_touch(a, &grown(reach), place) {
                return Answer::Far;
            }
            sphere_sphere(a, ball, place)
        }
        Shape::Capsule(a) => {
            if !capsule_touches_sphere(a, &grown(reach), place) {
                return Answer::Far;
            }
            capsule_sphere(a, ball, place)
        }
        Shape::Cuboid(a) => {
            if !cuboid_touches_sphere(a, &grown(reach), place) {
                return Answer::Far;
            }
            cuboid_sphere(a, ball, place)
        }
        Shape::Tile(a) => {
            if !tile_touches_sphere(a, &grown(reach), place) {
                return Answer::Far;
            }
            tile_sphere(a, ball, place)
        }
        Shape::Cylinder(a) => cylinder_sphere(a, ball, place),
        Shape::Cone(a) => cone_sphere(a, ball, place),
        Shape::Triangle(a) => triangle_sphere(a, ball, place),
        Shape::Polytope(a) => match polytope_sphere_within(a, ball, place, margin) {
            Some(found) => found,
            None => return Answer::Far,
        },
        _ => return Answer::None,
    };
    if found.distance <= margin { Answer::Near(found) } else { Answer::Far }
}

/// The same with the ball second.
#[inline]
fn ball_second(a: &Shape, ball: &Sphere, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    match solid_ball(a, ball, place, margin) {
        Answer::Near(found) => {
            contact.start(found.normal);
            let on_b = place.rotation.rotate_back(found.normal) * -ball.radius;
            let on_a = found.on_a;
            contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
        }
        Answer::Far => contact.clear(),
        Answer::None => return false,
    }
    true
}

fn in_order(a: &Shape, b: &Shape, place: &Pose, margin: f32, contact: &mut Manifold) -> bool {
    match (a, b) {
        (Shape::HalfSpace(_), b) => return resting::on_half_space(b, place, margin, contact),
        (a, Shape::Sphere(b)) => return ball_second(a, b, place, margin, contact),
        (Shape::Capsule(a), Shape::Capsule(b)) => capsules(a, b, place, margin, contact),
        (Shape::Cuboid(a), Shape::Capsule(b)) => {
            capsule_on_box(a.half, b, &cuboid_capsule(a, b, place), place, margin, contact);
        }
        (Shape::Tile(a), Shape::Capsule(b)) => {
            let half = Vec3::new(a.half_x, 0.0, a.half_z);
            capsule_on_box(half, b, &tile_capsule(a, b, place), place, margin, contact);
        }
        (Shape::Triangle(a), Shape::Capsule(b)) => capsule_on_triangle(a, b, place, margin, contact),
        _ => return false,
    }
    true
}

/// The one point of an answer.
#[inline]
pub(super) fn single(found: &Proximity, place: &Pose, margin: f32, contact: &mut Manifold) {
    contact.start(found.normal);
    if found.distance <= margin {
        push(contact, [found.on_a, found.on_b], found.distance, 0, place);
    }
}

/// Adds a point given in the frame of the first shape.
#[inline]
pub(super) fn push(
    manifold: &mut Manifold,
    [on_a, on_b]: [Vec3; 2],
    separation: f32,
    feature: u32,
    place: &Pose,
) {
    let point = ManifoldPoint { on_a, on_b: place.undo(on_b), separation, feature: FeatureId(feature) };
    manifold.push(point);
}

/// Two capsules: the ends of the stretch along which they lie side by side, or the one nearest point.
fn capsules(a: &Capsule, b: &Capsule, place: &Pose, margin: f32, contact: &mut Manifold) {
    // Most pairs of a broad phase are told apart by the balls round them.
    let middle = |segment: &Segment| (segment.a + segment.b) * 0.5;
    let (half_a, half_b) = (a.segment.direction() * 0.5, b.segment.direction() * 0.5);
    let reach = a.radius + b.radius + margin;
    let between = place.apply(middle(&b.segment)) - middle(&a.segment);
    // |x| ≤ |y| + |z| + r by squares: (|y| + |z| + r)² ≤ 3 (y² + z² + r²).
    if between.length_squared() > 3.0 * (half_a.length_squared() + half_b.length_squared() + reach * reach) {
        return contact.clear();
    }
    let found = capsule_capsule(a, b, place);
    if found.distance > margin {
        return contact.start(found.normal);
    }
    let other = b.segment.posed(place);
    let Some(stretch) = shared_stretch(&a.segment, &other, found.normal) else {
        return single(&found, place, margin, contact);
    };
    contact.start(found.normal);
    for ([on_axis_a, on_axis_b], feature) in stretch {
        let separation = (on_axis_b - on_axis_a).dot(found.normal) - a.radius - b.radius;
        if separation <= margin {
            let ends = [on_axis_a + found.normal * a.radius, on_axis_b - found.normal * b.radius];
            push(contact, ends, separation, feature, place);
        }
    }
    let thinner = if a.radius < b.radius { a.radius } else { b.radius };
    if contact.is_empty() || is_beside(contact, &found, thinner) {
        single(&found, place, margin, contact);
    }
}

/// The two places at which a stretch along parallel segments ends, on both of them, each with the number of the end that
/// makes it: 1, 2 of the first, 3, 4 of the second segment. `None` if they are not parallel or not side by side.
fn shared_stretch(a: &Segment, b: &Segment, normal: Vec3) -> Option<[([Vec3; 2], u32); 2]> {
    let (along, other) = (a.direction(), b.direction());
    let (square, other_square) = (along.length_squared(), other.length_squared());
    let limit = PARALLEL * PARALLEL * square;
    let across = normal.dot(along);
    let is_parallel = along.cross(other).length_squared() <= limit * other_square && across * across <= limit;
    if !(is_parallel && square > f32::MIN_POSITIVE && other_square > f32::MIN_POSITIVE) {
        return None;
    }
    let place_of = |point: Vec3| along.dot(point - a.a) / square;
    let (start, end) = (place_of(b.a), place_of(b.b));
    let (low, high) = if start <= end { ((start, 3), (end, 4)) } else { ((end, 4), (start, 3)) };
    let low = if low.0 > 0.0 { low } else { (0.0, 1) };
    let high = if high.0 < 1.0 { high } else { (1.0, 2) };
    // Side by side for more than a thousandth of the length, and parallel ranges have a slope.
    if high.0 - low.0 < 1e-3 || start == end {
        return None;
    }
    let at = |(s, end_number): (f32, u32)| ([a.at(s), b.at((s - start) / (end - start))], end_number);
    Some([at(low), at(high)])
}

/// A capsule on a face of the box of these half extents, or its nearest point to it.
fn capsule_on_box(
    half: Vec3,
    b: &Capsule,
    found: &Proximity,
    place: &Pose,
    margin: f32,
    contact: &mut Manifold,
) {
    let axis = carom_geometry::Vector::largest_axis(found.normal);
    if found.normal[axis].abs() < FLAT || found.distance > margin {
        return single(found, place, margin, contact);
    }
    let side = if found.normal[axis] < 0.0 { -1.0 } else { 1.0 };
    let segment = b.segment.posed(place);
    let [low, high] = clipped(half, &segment, axis);
    let face = 1 + 4 * axis as u32 + if side < 0.0 { 2 } else { 0 };
    let normal = Vec3::AXES[axis] * side;
    let height = |point: Vec3| side * point[axis] - half[axis];
    if !on_face(b, &segment, [low, high], (normal, height), face, place, margin, contact)
        || is_beside(contact, found, b.radius)
    {
        single(found, place, margin, contact);
    }
}

/// Is what is deepest not over the face that a capsule lies on, but beside it?
#[inline]
fn is_beside(contact: &Manifold, found: &Proximity, radius: f32) -> bool {
    contact.deepest() > found.distance + BESIDE * radius
}

/// Is a segment farther than `reach` from a triangle along its normal or across one of its edges? A test of four planes that
/// answers for most pairs.
fn is_beyond(triangle: &Triangle, segment: &Segment, reach: f32) -> bool {
    let up = triangle.area_vector();
    let square = reach * reach;
    let side = |normal: Vec3, corner: Vec3| {
        let (start, end) = (normal.dot(segment.a - corner), normal.dot(segment.b - corner));
        (start, end, square * normal.length_squared())
    };
    let (start, end, limit) = side(up, triangle.a);
    if start * end > 0.0 && start * start > limit && end * end > limit {
        return true;
    }
    triangle.edges().into_iter().any(|edge| {
        let (start, end, limit) = side(edge.direction().cross(up), edge.a);
        start > 0.0 && end > 0.0 && start * start > limit && end * end > limit
    })
}

/// A capsule on a triangle, or its nearest point to it.
fn capsule_on_triangle(a: &Triangle, b: &Capsule, place: &Pose, margin: f32, contact: &mut Manifold) {
    if is_beyond(a, &b.segment.posed(place), b.radius + margin) {
        return contact.clear();
    }
    let found = triangle_capsule(a, b, place);
    let Some(up) = a.normal() else { return single(&found, place, margin, contact) };
    let leaning = up.dot(found.normal);
    if leaning.abs() < FLAT || found.distance > margin {
        return single(&found, place, margin, contact);
    }
    let normal = if leaning < 0.0 { -up } else { up };
    let segment = b.segment.posed(place);
    let (mut low, mut high) = (0.0, 1.0);
    for edge in a.edges() {
        let inwards = up.cross(edge.direction());
        let (start, end) = (inwards.dot(segment.a - edge.a), inwards.dot(segment.b - edge.a));
        if start < 0.0 && end < 0.0 {
            (low, high) = (1.0, 0.0);
        } else if start < 0.0 {
            low = carom_geometry::Real::max(low, start / (start - end));
        } else if end < 0.0 {
            high = carom_geometry::Real::min(high, start / (start - end));
        }
    }
    let height = |point: Vec3| normal.dot(point - a.a);
    let face = if leaning < 0.0 { 3 } else { 1 };
    if !on_face(b, &segment, [low, high], (normal, height), face, place, margin, contact)
        || is_beside(contact, &found, b.radius)
    {
        single(&found, place, margin, contact);
    }
}

/// The ends of the part of a capsule that is over a face; false if there is no such part, or all of it is too high.
#[expect(
    clippy::too_many_arguments,
    reason = "one caller per kind of face, with nothing in common to bundle"
)]
fn on_face(
    capsule: &Capsule,
    segment: &Segment,
    [low, high]: [f32; 2],
    (normal, height): (Vec3, impl Fn(Vec3) -> f32),
    face: u32,
    place: &Pose,
    margin: f32,
    contact: &mut Manifold,
) -> bool {
    if low > high {
        return false;
    }
    contact.start(normal);
    for (end, t) in [low, high].into_iter().enumerate() {
        let on_axis = segment.at(t);
        let above = height(on_axis);
        let separation = above - capsule.radius;
        if separation <= margin && (end == 0 || high > low) {
            let ends = [on_axis - normal * above, on_axis - normal * capsule.radius];
            push(contact, ends, separation, face + end as u32, place);
        }
    }
    !contact.is_empty()
}
