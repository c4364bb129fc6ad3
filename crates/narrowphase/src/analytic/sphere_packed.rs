//! A ball with a capsule or a triangle: the straight way to the contact point, in packed vectors.
//!
//! Whatever is not straight (a centre on the axis or in the plane, needles, sizes that over- or
//! underflow) is left to the functions for all cases: these here say so by `false`. The way between
//! the nearest points is turned into the other frame while its length is being computed, and the
//! reciprocal of the square is taken beside its root: for so short a formula the time is that of
//! the longest chain of operations.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Sphere};
use carom_geometry::{Pose, Real};

use super::cores::is_ordinary;
use super::packed::{Packed, PackedRotation, packed};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};

/// Squares below this are not to be divided by.
const TINY: f32 = f32::MIN_POSITIVE / f32::EPSILON;

/// The ball and the other shape, as the other shape sees them.
struct Seen<const FIRST: bool> {
    rotation: PackedRotation,
    centre: Packed,
    radius: f32,
}

impl<const FIRST: bool> Seen<FIRST> {
    #[inline(always)]
    fn new(ball: &Sphere, pose: &Pose) -> Self {
        let (rotation, shift) = (PackedRotation::new(&pose.rotation), packed(pose.translation));
        let centre = if FIRST { rotation.rotate_back(-shift) } else { shift };
        Self { rotation, centre, radius: ball.radius }
    }

    /// The contact: `way` leads from the point `on` of the core of the other shape to the centre,
    /// `distance` is its length along the normal and `by_distance` what makes it the normal,
    /// `radius` is that round the core.
    #[inline(always)]
    fn write(
        &self,
        on: Packed,
        way: Packed,
        [distance, by_distance]: [f32; 2],
        radius: f32,
        contact: &mut Manifold,
    ) {
        let rotated = if FIRST { self.rotation.rotate(way) } else { self.rotation.rotate_back(way) };
        let on_other = on + way * (by_distance * radius);
        let (separation, feature) = (distance - radius - self.radius, FeatureId(0));
        if FIRST {
            let normal = rotated * -by_distance;
            contact.start(normal.into());
            let (on_a, on_b) = ((normal * self.radius).into(), on_other.into());
            contact.push(ManifoldPoint { on_a, on_b, separation, feature });
        } else {
            contact.start((way * by_distance).into());
            let (on_a, on_b) = (on_other.into(), (rotated * (by_distance * -self.radius)).into());
            contact.push(ManifoldPoint { on_a, on_b, separation, feature });
        }
    }
}

/// A capsule; true if it was straight.
#[inline(never)]
pub(super) fn capsule<const FIRST: bool>(
    capsule: &Capsule,
    ball: &Sphere,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let seen = Seen::<FIRST>::new(ball, pose);
    let (start, end) = (packed(capsule.segment.a), packed(capsule.segment.b));
    let along = end - start;
    let length = along.dot(along);
    let share = Real::clamp(along.dot(seen.centre - start) / length, 0.0, 1.0);
    // With a weight on both ends the sum is the end itself at 0 and at 1.
    let on = start * (1.0 - share) + end * share;
    let way = seen.centre - on;
    let square = way.dot(way);
    let reach = capsule.radius + ball.radius + speculative_distance;
    if (square > reach * reach) & (length > TINY) {
        contact.clear();
        return true;
    }
    let size = start.dot(start) + end.dot(end);
    if !((length > TINY) & (square > f32::EPSILON.sqrt() * size) & is_ordinary(square)) {
        return false;
    }
    let distance = square.sqrt();
    seen.write(on, way, [distance, distance * (1.0 / square)], capsule.radius, contact);
    true
}

/// A triangle; true if it was straight.
#[inline(never)]
pub(super) fn triangle<const FIRST: bool>(
    triangle: &Triangle,
    ball: &Sphere,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let seen = Seen::<FIRST>::new(ball, pose);
    let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(packed);
    let (ab, ac, ap) = (b - a, c - a, seen.centre - a);
    let (bb, cc, bc) = (ab.dot(ab), ac.dot(ac), ab.dot(ac));
    let (bp, cp) = (ab.dot(ap), ac.dot(ap));
    let scale = bb * cc;
    let determinant = scale - bc * bc;
    // Weights of b, c and a, times the determinant.
    let (v, w) = (cc * bp - bc * cp, bb * cp - bc * bp);
    let u = determinant - v - w;
    // No needle: the area is an eighth at least of that of the sides at a, and of the side across.
    // What is not a number fails.
    let opposite = (bb - bc) + (cc - bc);
    let is_straight = (determinant > scale * (1.0 / 64.0))
        & (determinant > opposite * opposite * (1.0 / 64.0))
        & (scale > TINY)
        & (determinant < f32::MAX)
        & (u.abs() <= f32::MAX);
    if !is_straight {
        return false;
    }
    let reach = ball.radius + speculative_distance;
    if (u > 0.0) & (v > 0.0) & (w > 0.0) {
        let across = ab.cross(ac);
        let (square, above) = (across.dot(across), across.dot(ap));
        if above * above > reach * reach * square {
            contact.clear();
            return true;
        }
        let by_length = square.sqrt() * (1.0 / square);
        let height = above * by_length;
        let way = across * height.sign_of(1.0);
        let on = seen.centre - across * (height * by_length);
        seen.write(on, way, [height.abs(), by_length], 0.0, contact);
        return true;
    }
    let past_b = (cp - bc) - (bp - bb);
    let on = if (bp <= 0.0) & (cp <= 0.0) {
        a
    } else if (w <= 0.0) & (bp > 0.0) & (bp < bb) {
        a + ab * (bp / bb)
    } else if (v <= 0.0) & (cp > 0.0) & (cp < cc) {
        a + ac * (cp / cc)
    } else {
        b + (ac - ab) * Real::clamp(past_b / opposite, 0.0, 1.0)
    };
    let way = seen.centre - on;
    let square = way.dot(way);
    if square > reach * reach {
        contact.clear();
        return true;
    }
    let size = a.dot(a) + b.dot(b) + c.dot(c);
    if !((square > f32::EPSILON.sqrt() * size) & is_ordinary(square)) {
        return false;
    }
    let distance = square.sqrt();
    seen.write(on, way, [distance, distance * (1.0 / square)], 0.0, contact);
    true
}
