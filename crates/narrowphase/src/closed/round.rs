//! Spheres and capsules with each other.

use carom_geometry::closest::{Closest, Span};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::{Capsule, Sphere};
use carom_geometry::{Pose, Real, Vector};

use super::cores::{Core, between, near, straightened, up};
use crate::proximity::Proximity;

/// Two spheres.
#[inline]
#[must_use]
pub fn sphere_sphere<S: Real>(a: &Sphere<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    between(S::Vec3::ZERO, place.translation, up::<S>()).grown(a.radius, b.radius)
}

/// Do the spheres touch? Without a root.
#[inline]
#[must_use]
pub fn spheres_touch<S: Real>(a: &Sphere<S>, b: &Sphere<S>, place: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    place.translation.length_squared() <= reach * reach
}

/// A measure of the coordinates of a segment, squared.
#[inline]
fn size_squared<S: Real>(segment: &Segment<S>) -> S {
    segment.a.length_squared() + segment.b.length_squared()
}

/// The parameter on a segment nearest to a point, and the point there; the ends are hit exactly.
#[inline]
fn nearest_on<S: Real>(segment: &Segment<S>, point: S::Vec3) -> (S, S::Vec3) {
    let t = Span::from_segment(segment).parameter_near(point);
    // With a weight on both ends the sum is the end itself at 0 and at 1.
    (t, segment.a * (S::ONE - t) + segment.b * t)
}

/// A capsule and a sphere.
#[inline]
#[must_use]
pub fn capsule_sphere<S: Real>(a: &Capsule<S>, b: &Sphere<S>, place: &Pose<S>) -> Proximity<S> {
    let centre = place.translation;
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
    if t > S::ZERO && t < S::ONE {
        across = straightened::<S>(across, segment.direction());
    }
    let normal = across.unit().unwrap_or_else(|| segment.normals()[0]);
    Proximity { distance: normal.dot(point - on_a), normal, on_a, on_b: point }
}

/// Do the capsule and the sphere touch? Without a root.
#[inline]
#[must_use]
pub fn capsule_touches_sphere<S: Real>(a: &Capsule<S>, b: &Sphere<S>, place: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    let (_, on_a) = nearest_on(&a.segment, place.translation);
    (place.translation - on_a).length_squared() <= reach * reach
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
pub fn capsule_capsule<S: Real>(a: &Capsule<S>, b: &Capsule<S>, place: &Pose<S>) -> Proximity<S> {
    let other = b.segment.posed(place);
    let found = axes(&a.segment, &other);
    let size = size_squared(&a.segment) + size_squared(&other);
    if found.distance_squared > S::EPSILON.sqrt() * size {
        between(found.a, found.b, up::<S>()).grown(a.radius, b.radius)
    } else {
        near(&a.segment, &other, &found).grown(a.radius, b.radius)
    }
}

/// Do the capsules touch? Without a root.
#[inline]
#[must_use]
pub fn capsules_touch<S: Real>(a: &Capsule<S>, b: &Capsule<S>, place: &Pose<S>) -> bool {
    let reach = a.radius + b.radius;
    axes(&a.segment, &b.segment.posed(place)).distance_squared <= reach * reach
}
