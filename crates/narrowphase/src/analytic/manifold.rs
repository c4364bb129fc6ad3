//! Contact points by formula: one for a sphere, two for a capsule that lies on something, up to
//! four on a half-space.
//!
//! Feature identifiers name the ends, corners and faces that make a point, so a point keeps its
//! name while the same parts touch. The deepest point is always there, and its separation is the
//! signed distance up to the tilt that still counts as lying flat.

use carom_geometry::closest::{Closest, Span};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Capsule, Shape};
use carom_geometry::{Pose, Real};
use glam::Vec3;

use super::capsule_face::{clipped, triangle_segment_within};
use super::cores::is_ordinary;
use super::packed::{PackedRotation, packed};
use super::round::between_axes;
use super::{cuboid_capsule, half_space_manifold, sphere_manifold, tile_capsule};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::proximity::Proximity;

/// Sine of the angle of two capsules that still count as parallel.
const PARALLEL: f32 = 0.05;
/// Cosine of the angle between a normal and that of a face on which a capsule still counts as
/// lying.
const FLAT: f32 = 0.998;
/// By how much the points over a face may be less deep than the shapes, in radii of the capsule:
/// more than the tilt makes.
const BESIDE: f32 = 0.01;

/// Writes the contact points of two shapes that are within `speculative_distance` of each other
/// into `contact`, none if they are not. False, and the contact is left alone, if one of them is
/// neither sphere nor capsule nor half-space or if there is no formula for the pair.
///
/// Nothing but the choice is done here, and every choice is a function of its own: what they share
/// would be saved and restored for all of them, and for two spheres that is a good part of the
/// time.
pub fn manifold(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    match (a, b) {
        (Shape::HalfSpace(_), b) => {
            half_space_manifold::on_half_space(b, pose, speculative_distance, contact)
        }
        (a, Shape::HalfSpace(_)) => {
            half_space_manifold::half_space_second(a, pose, speculative_distance, contact)
        }
        (a, Shape::Sphere(b)) => sphere_manifold::second(a, b, pose, speculative_distance, contact),
        (Shape::Sphere(a), b) => sphere_manifold::first(a, b, pose, speculative_distance, contact),
        (Shape::Capsule(a), Shape::Capsule(b)) => capsules(a, b, pose, speculative_distance, contact),
        (a, Shape::Capsule(b)) => capsule_second(a, b, pose, speculative_distance, contact),
        (Shape::Capsule(a), b) => {
            let back = pose.inverse();
            let found = capsule_second(b, a, &back, speculative_distance, contact);
            if found {
                contact.swap(&back);
            }
            found
        }
        _ => false,
    }
}

/// A capsule and something larger.
fn capsule_second(
    a: &Shape,
    b: &Capsule,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    match a {
        Shape::Cuboid(a) => {
            capsule_on_box(a.half, b, &cuboid_capsule(a, b, pose), pose, speculative_distance, contact);
        }
        Shape::Tile(a) => {
            let half = Vec3::new(a.half_x, 0.0, a.half_z);
            capsule_on_box(half, b, &tile_capsule(a, b, pose), pose, speculative_distance, contact);
        }
        Shape::Triangle(a) => capsule_on_triangle(a, b, pose, speculative_distance, contact),
        _ => return false,
    }
    true
}

/// The one point of an answer.
#[inline]
pub(super) fn single(found: &Proximity, pose: &Pose, speculative_distance: f32, contact: &mut Manifold) {
    contact.start(found.normal);
    if found.distance <= speculative_distance {
        push(contact, [found.on_a, found.on_b], found.distance, 0, pose);
    }
}

/// Adds a point given in the frame of the first shape.
#[inline]
pub(super) fn push(
    manifold: &mut Manifold,
    [on_a, on_b]: [Vec3; 2],
    separation: f32,
    feature: u32,
    pose: &Pose,
) {
    let point = ManifoldPoint { on_a, on_b: pose.undo(on_b), separation, feature: FeatureId(feature) };
    manifold.push(point);
}

/// Two capsules: the ends of the stretch along which they lie side by side, or the one nearest
/// point. Always true.
///
/// This is the straight way for axes at an angle and apart, in packed vectors; [`any_capsules`] is
/// the way for all. The time is that of the longest chain of operations, so what can be is computed
/// beside it: the points for either end of the second axis, the reciprocal of the square beside its
/// root, the way in the other frame.
#[inline(never)]
fn capsules(
    a: &Capsule,
    b: &Capsule,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    const TINY: f32 = f32::MIN_POSITIVE / f32::EPSILON;
    let (rotation, shift) = (PackedRotation::new(&pose.rotation), packed(pose.translation));
    let (low, high) = (packed(b.segment.a), packed(b.segment.b));
    let turned_high = rotation.rotate(high);
    // Most capsules are symmetric, and what is turned has its sign.
    let turned_low = if low == -high { -turned_high } else { rotation.rotate(low) };
    let (origin, start) = (packed(a.segment.a), shift + turned_low);
    let (d, e, r) = (packed(a.segment.b) - origin, turned_high - turned_low, origin - start);
    let along = high - low;
    let (dd, ee, de) = (d.dot(d), along.dot(along), d.dot(e));
    let (dr, er) = (d.dot(r), e.dot(r));
    let (scale, numerator) = (dd * ee, de * er - dr * ee);
    let determinant = scale - de * de;
    // With more than an eighth for the sine they are far from side by side.
    let is_skew = (determinant > scale * (1.0 / 64.0))
        & (scale > TINY)
        & (Real::min(dd, ee) > TINY)
        & (numerator.abs() <= f32::MAX);
    if !is_skew {
        return any_capsules(a, b, pose, speculative_distance, contact);
    }
    let (by_determinant, by_dd, by_ee) = (1.0 / determinant, 1.0 / dd, 1.0 / ee);
    let within = |t: f32| Real::clamp(t, 0.0, 1.0);
    let (s_low, s_high) = (within(-dr * by_dd), within((de - dr) * by_dd));
    let s = within(numerator * by_determinant);
    let free = (de * s + er) * by_ee;
    let t = within(free);
    let s = if free <= 0.0 { s_low } else { s };
    let s = if free >= 1.0 { s_high } else { s };
    let (on_a, on_b) = (origin + d * s, start + e * t);
    let across = on_b - on_a;
    let square = across.dot(across);
    let reach = a.radius + b.radius + speculative_distance;
    if square > reach * reach {
        contact.clear();
        return true;
    }
    if !((square > f32::EPSILON.sqrt() * reach_of(on_a.dot(on_a), dd, ee)) & is_ordinary(square)) {
        return any_capsules(a, b, pose, speculative_distance, contact);
    }
    let (rotated, distance) = (rotation.rotate_back(across), square.sqrt());
    let by_distance = distance * (1.0 / square);
    contact.start((across * by_distance).into());
    contact.push(ManifoldPoint {
        on_a: (on_a + across * (by_distance * a.radius)).into(),
        on_b: (low + along * t - rotated * (by_distance * b.radius)).into(),
        separation: distance - a.radius - b.radius,
        feature: FeatureId(0),
    });
    true
}

/// A measure of the coordinates of two axes, squared: of the nearest point, from which no end of an
/// axis is farther than its length.
#[inline(always)]
fn reach_of(nearest: f32, first: f32, second: f32) -> f32 {
    4.0 * (nearest + first + second)
}

/// The same for axes at any angle and distance.
#[cold]
#[inline(never)]
fn any_capsules(
    a: &Capsule,
    b: &Capsule,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let other = b.segment.posed(pose);
    let (p, q) = (Span::from_segment(&a.segment), Span::from_segment(&other));
    let [s, t] = p.closest_parameters(&q);
    let (on_a, on_b) = (p.at(s), q.at(t));
    let across = on_b - on_a;
    let square = across.length_squared();
    let reach = a.radius + b.radius + speculative_distance;
    if square > reach * reach {
        contact.clear();
        return true;
    }
    // With more than an eighth for the sine they are far from side by side.
    let (scale, de) =
        (p.direction.length_squared() * q.direction.length_squared(), p.direction.dot(q.direction));
    let is_skew = scale - de * de > scale * (1.0 / 64.0);
    let size = reach_of(on_a.length_squared(), p.direction.length_squared(), q.direction.length_squared());
    if !(is_skew && square > f32::EPSILON.sqrt() * size && is_ordinary(square)) {
        let axes = Closest { a: on_a, b: on_b, distance_squared: square };
        return capsules_side_by_side([a, b], &other, &axes, pose, speculative_distance, contact);
    }
    let distance = square.sqrt();
    let by_distance = 1.0 / distance;
    contact.start(across * by_distance);
    let Segment { a: low, b: high } = b.segment;
    contact.push(ManifoldPoint {
        on_a: on_a + across * (by_distance * a.radius),
        on_b: low + (high - low) * t - pose.rotation.rotate_back(across) * (by_distance * b.radius),
        separation: distance - a.radius - b.radius,
        feature: FeatureId(0),
    });
    true
}

/// The same for capsules that may be parallel, or whose axes cross. `other` is the axis of the
/// second in the frame of the first, `axes` are the nearest points of the axes.
#[inline(never)]
fn capsules_side_by_side(
    [a, b]: [&Capsule; 2],
    other: &Segment,
    axes: &Closest,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let found = between_axes(&a.segment, other, axes).grown(a.radius, b.radius);
    let Some(stretch) = shared_stretch(&a.segment, other, found.normal) else {
        single(&found, pose, speculative_distance, contact);
        return true;
    };
    contact.start(found.normal);
    for ([on_axis_a, on_axis_b], feature) in stretch {
        let separation = (on_axis_b - on_axis_a).dot(found.normal) - a.radius - b.radius;
        if separation <= speculative_distance {
            let ends = [on_axis_a + found.normal * a.radius, on_axis_b - found.normal * b.radius];
            push(contact, ends, separation, feature, pose);
        }
    }
    let thinner = if a.radius < b.radius { a.radius } else { b.radius };
    if contact.is_empty() || is_beside(contact, &found, thinner) {
        single(&found, pose, speculative_distance, contact);
    }
    true
}

/// The two places at which a stretch along parallel segments ends, on both of them, each with the
/// number of the end that makes it: 1, 2 of the first, 3, 4 of the second segment. `None` if they
/// are not parallel or not side by side.
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
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) {
    let axis = carom_geometry::Vector::largest_axis(found.normal);
    if found.normal[axis].abs() < FLAT || found.distance > speculative_distance {
        return single(found, pose, speculative_distance, contact);
    }
    let side = if found.normal[axis] < 0.0 { -1.0 } else { 1.0 };
    let segment = b.segment.posed(pose);
    let [low, high] = clipped(half, &segment, axis);
    let face = 1 + 4 * axis as u32 + if side < 0.0 { 2 } else { 0 };
    let normal = Vec3::AXES[axis] * side;
    let height = |point: Vec3| side * point[axis] - half[axis];
    if !on_face(b, &segment, [low, high], (normal, height), face, pose, speculative_distance, contact)
        || is_beside(contact, found, b.radius)
    {
        single(found, pose, speculative_distance, contact);
    }
}

/// Is what is deepest not over the face that a capsule lies on, but beside it?
#[inline]
fn is_beside(contact: &Manifold, found: &Proximity, radius: f32) -> bool {
    contact.deepest() > found.distance + BESIDE * radius
}

/// A capsule on a triangle, or its nearest point to it.
fn capsule_on_triangle(
    a: &Triangle,
    b: &Capsule,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) {
    let segment = b.segment.posed(pose);
    let Some(found) = triangle_segment_within(a, &segment, b.radius + speculative_distance) else {
        return contact.clear();
    };
    let found = found.grown(0.0, b.radius);
    if found.distance > speculative_distance {
        return contact.clear();
    }
    let Some(up) = a.normal() else { return single(&found, pose, speculative_distance, contact) };
    let leaning = up.dot(found.normal);
    if leaning.abs() < FLAT {
        return single(&found, pose, speculative_distance, contact);
    }
    let normal = if leaning < 0.0 { -up } else { up };
    let (mut low, mut high) = (0.0, 1.0);
    for edge in a.edges() {
        let inwards = up.cross(edge.direction());
        let (start, end) = (inwards.dot(segment.a - edge.a), inwards.dot(segment.b - edge.a));
        if start < 0.0 && end < 0.0 {
            (low, high) = (1.0, 0.0);
        } else if start < 0.0 {
            low = Real::max(low, start / (start - end));
        } else if end < 0.0 {
            high = Real::min(high, start / (start - end));
        }
    }
    let height = |point: Vec3| normal.dot(point - a.a);
    let face = if leaning < 0.0 { 3 } else { 1 };
    if !on_face(b, &segment, [low, high], (normal, height), face, pose, speculative_distance, contact)
        || is_beside(contact, &found, b.radius)
    {
        single(&found, pose, speculative_distance, contact);
    }
}

/// The ends of the part of a capsule that is over a face; false if there is no such part, or all of
/// it is too high.
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
    pose: &Pose,
    speculative_distance: f32,
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
        if separation <= speculative_distance && (end == 0 || high > low) {
            let ends = [on_axis - normal * above, on_axis - normal * capsule.radius];
            push(contact, ends, separation, face + end as u32, pose);
        }
    }
    !contact.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Rotation;

    #[test]
    fn the_straight_way_of_capsules_agrees_with_the_way_for_all() {
        let mut seed = 19u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let mut met = 0;
        for case in 0..20_000 {
            let mut vector = || {
                let v = Vec3::new(number(), number(), number());
                if case % 5 == 0 { (v * 2.0).round() * 0.5 } else { v }
            };
            let capsule =
                |ends: [Vec3; 2], radius| Capsule { segment: Segment::new(ends[0], ends[1]), radius };
            let (a, b) = (capsule([vector(), vector()], 0.3), capsule([vector(), vector()], 0.2));
            let pose = Pose::new(vector(), Rotation::from_rotation_vector(vector()));
            let (mut fast, mut slow) = (Manifold::default(), Manifold::default());
            capsules(&a, &b, &pose, 0.02, &mut fast);
            any_capsules(&a, &b, &pose, 0.02, &mut slow);
            assert_eq!(fast.points().len(), slow.points().len(), "{case}");
            assert!(
                (fast.normal - slow.normal).length() < 1e-4 || fast.is_empty(),
                "{case} {fast:?} {slow:?}"
            );
            for (p, q) in fast.points().iter().zip(slow.points()) {
                assert!((p.separation - q.separation).abs() < 1e-5, "{case} {p:?} {q:?}");
                assert!((p.on_a - q.on_a).length() < 1e-4, "{case} {p:?} {q:?}");
                assert!((p.on_b - q.on_b).length() < 1e-4, "{case} {p:?} {q:?}");
            }
            met += usize::from(!fast.is_empty());
        }
        assert!(met > 2000 && met < 18_000, "{met}");
    }
}
