//! Spheres and capsules with each other.

use carom_geometry::closest::{Closest, Span};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::{Capsule, Sphere};
use carom_geometry::{Pose, Real, Vector};

use super::cores::{Core, between, by_value, near, straightened, up};
use crate::proximity::Proximity;

/// Two spheres.
#[inline(always)]
#[must_use]
pub fn sphere_sphere<S: Real>(a: &Sphere<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    between(S::Vec3::ZERO, pose.translation, up::<S>()).grown(a.radius, b.radius)
}

/// Do the spheres touch? Without a root.
#[inline]
#[must_use]
pub fn spheres_touch<S: Real>(a: &Sphere<S>, b: &Sphere<S>, pose: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    pose.translation.length_squared() <= reach * reach
}

/// A measure of the coordinates of a segment, squared.
#[inline]
pub(super) fn size_squared<S: Real>(segment: &Segment<S>) -> S {
    segment.a.length_squared() + segment.b.length_squared()
}

/// The parameter on a segment nearest to a point, and the point there; the ends are hit exactly.
#[inline(always)]
fn nearest_on<S: Real>(segment: &Segment<S>, point: S::Vec3) -> (S, S::Vec3) {
    let t = Span::from_segment(segment).parameter_near(point);
    // With a weight on both ends the sum is the end itself at 0 and at 1.
    (t, segment.a * (S::ONE - t) + segment.b * t)
}

/// A capsule and a sphere.
#[inline(always)]
#[must_use]
pub fn capsule_sphere<S: Real>(a: &Capsule<S>, b: &Sphere<S>, pose: &Pose<S>) -> Proximity<S> {
    let centre = pose.translation;
    let (t, on_a) = nearest_on(&a.segment, centre);
    let square = (centre - on_a).length_squared();
    if square > S::EPSILON.sqrt() * size_squared(&a.segment) {
        between(on_a, centre, up::<S>()).grown(a.radius, b.radius)
    } else {
        sphere_on_axis(&a.segment, centre, t, on_a).grown(a.radius, b.radius)
    }
}

/// A point so near to a segment that the way to it has no direction to speak of.
#[cold]
#[inline(never)]
fn sphere_on_axis<S: Real>(segment: &Segment<S>, point: S::Vec3, t: S, on_a: S::Vec3) -> Proximity<S> {
    let mut across = point - on_a;
    let along = segment.direction().dot(across);
    // At an end only what leads away from the segment is not rounding.
    if !(t <= S::ZERO && along <= S::ZERO || t >= S::ONE && along >= S::ZERO) {
        across = straightened::<S>(across, segment.direction());
    }
    let normal = across.unit().unwrap_or_else(|| segment.normals()[0]);
    Proximity { distance: normal.dot(point - on_a), normal, on_a, on_b: point }
}

/// Do the capsule and the sphere touch? Without a root.
#[inline(always)]
#[must_use]
pub fn capsule_touches_sphere<S: Real>(a: &Capsule<S>, b: &Sphere<S>, pose: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    let (_, on_a) = nearest_on(&a.segment, pose.translation);
    (pose.translation - on_a).length_squared() <= reach * reach
}

/// Nearest points of the two axes, in the frame of the first capsule.
#[inline]
fn axes<S: Real>(a: &Segment<S>, b: &Segment<S>) -> Closest<S> {
    let (p, q) = (Span::from_segment(a), Span::from_segment(b));
    let [s, t] = p.closest_parameters(&q);
    Closest::between(p.at(s), q.at(t))
}

/// Two capsules.
#[inline]
#[must_use]
pub fn capsule_capsule<S: Real>(a: &Capsule<S>, b: &Capsule<S>, pose: &Pose<S>) -> Proximity<S> {
    let other = b.segment.posed(pose);
    between_axes(&a.segment, &other, &axes(&a.segment, &other)).grown(a.radius, b.radius)
}

/// The answer of two axes and their nearest points.
#[inline]
pub(super) fn between_axes<S: Real>(a: &Segment<S>, b: &Segment<S>, found: &Closest<S>) -> Proximity<S> {
    let size = size_squared(a) + size_squared(b);
    if found.distance_squared > S::EPSILON.sqrt() * size {
        between(found.a, found.b, up::<S>())
    } else {
        by_value(&near(a, b, found))
    }
}

/// Do the capsules touch? Without a root.
#[inline]
#[must_use]
pub fn capsules_touch<S: Real>(a: &Capsule<S>, b: &Capsule<S>, pose: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    axes(&a.segment, &b.segment.posed(pose)).distance_squared <= reach * reach
}
