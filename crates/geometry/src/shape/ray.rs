//! What the ray casts of the shapes share.
//!
//! Every cast first asks whether the ray starts inside, then looks for the interval of `t` in which
//! the line is in the shape and takes its lower end. Three precautions keep this right in single
//! precision:
//!
//! * directions of extreme length are brought to ordinary length first, so that squares neither
//!   over- nor underflow;
//! * the distance of a line from a centre or an axis comes from vector products, whose error is
//!   some ulps of the distance to the origin of the ray. The textbook discriminant subtracts
//!   squares of that distance, which leaves nothing of a sphere of radius 1 seen from 10⁴ away;
//! * a ray that starts outside by less than the rounding error and goes in hits at `t = 0` instead
//!   of being lost.

use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Casts against a solid. `contains` tells if a point is in it; `cast` gets a ray that starts
/// outside, the square of the length of its direction and the limit.
#[inline]
pub(super) fn cast_solid<S: Real>(
    ray: &Ray<S>,
    max: S,
    contains: impl Fn(S::Vec3) -> bool,
    cast: impl Fn(&Ray<S>, S, S) -> Option<RayHit<S>>,
) -> Option<RayHit<S>> {
    if contains(ray.origin) {
        // A direction that is not finite is a ray that is not.
        return (max >= S::ZERO && ray.direction.is_finite()).then(RayHit::inside);
    }
    cast_surface(ray, max, cast)
}

/// Casts against a surface without thickness.
#[inline]
pub(super) fn cast_surface<S: Real>(
    ray: &Ray<S>,
    max: S,
    cast: impl Fn(&Ray<S>, S, S) -> Option<RayHit<S>>,
) -> Option<RayHit<S>> {
    let tiny = S::EPSILON * S::EPSILON;
    let mut square = ray.direction.length_squared();
    // One call for ordinary and rescaled rays alike: with two it would not be inlined. A copy, not
    // a reference to one of two rays: that would take all coordinates through memory.
    let (mut used, mut max, mut length) = (*ray, max, S::ONE);
    if !(square > tiny && square < S::ONE / tiny) {
        (used, length) = with_ordinary_direction(ray)?;
        square = used.direction.length_squared();
        max *= length;
    }
    let mut hit = cast(&used, square, max)?;
    if length != S::ONE {
        hit.t /= length;
        if !hit.t.is_finite() {
            return None;
        }
    }
    Some(hit)
}

/// A ray whose direction is extremely long or short, with a direction of ordinary length, and how
/// much longer it was. `None` for the null vector and for what is not finite.
#[cold]
#[inline(never)]
fn with_ordinary_direction<S: Real>(ray: &Ray<S>) -> Option<(Ray<S>, S)> {
    let largest = Vector::abs(ray.direction).max_element();
    let sensible = largest > S::ZERO && ray.direction.is_finite();
    sensible.then(|| (Ray::new(ray.origin, ray.direction / largest), largest))
}

/// The unit normal `normal`, or the one against the ray if the shape is so small that it has none.
#[inline]
pub(super) fn normal_or_back<S: Real>(normal: S::Vec3, direction: S::Vec3) -> S::Vec3 {
    let square = normal.length_squared();
    if square > S::HALF && square < S::TWO { normal } else { back::<S>(direction) }
}

/// The unit vector against the ray.
#[cold]
#[inline(never)]
pub(super) fn back<S: Real>(direction: S::Vec3) -> S::Vec3 {
    -direction.unit().unwrap_or(S::Vec3::AXES[2])
}

/// The interval of `t` in which `origin + t · direction` lies in `[−half, half]`: everything or
/// nothing if the direction is zero or has no finite reciprocal.
#[inline]
pub(super) fn slab<S: Real>(origin: S, direction: S, half: S) -> (S, S) {
    if direction.abs() < S::MIN_POSITIVE {
        return if origin.abs() <= half { (-S::MAX, S::MAX) } else { (S::MAX, -S::MAX) };
    }
    let inverse = S::ONE / direction;
    let (a, b) = ((-half - origin) * inverse, (half - origin) * inverse);
    if a < b { (a, b) } else { (b, a) }
}

/// The parameter of the hit of a ray that starts outside a convex solid whose line is inside from
/// `enter` to `leave`. `scale` bounds the numbers that `enter` was computed from: an entry that is
/// negative by rounding only counts as zero.
#[inline]
pub(super) fn first_hit<S: Real>(enter: S, leave: S, scale: S, max: S) -> Option<S> {
    // Entries beyond the rounding error behind the origin are behind it, NaN is nowhere.
    let slack = S::of(16.0) * S::EPSILON * scale;
    if enter <= leave && enter >= -slack && leave >= S::ZERO {
        let t = Real::max(enter, S::ZERO);
        (t <= max).then_some(t)
    } else {
        None
    }
}
