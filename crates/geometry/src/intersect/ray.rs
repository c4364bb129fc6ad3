//! Ray casts on planes, triangles, rectangles, discs and axis-aligned boxes.
//!
//! A hit has `0 ≤ t ≤ max` and a unit normal towards the origin of the ray. Surfaces are two-sided
//! unless said otherwise; a ray in the plane of a flat figure misses it. A ray without direction
//! hits only a box around its origin.

use crate::bounds::Aabb;
use crate::primitive::{Plane, Ray, RayHit, Rectangle, Triangle};
use crate::real::{Real, Vector};
use crate::shape::RayCast;

/// Sides of a triangle that a ray sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Culling {
    /// Both.
    #[default]
    None,
    /// Only the front, where the corners run counter-clockwise: rays from behind pass.
    Back,
    /// Only the back.
    Front,
}

impl Culling {
    /// Is the surface unseen by a ray whose direction has this product with the normal?
    #[inline]
    fn hides<S: Real>(self, facing: S) -> bool {
        match self {
            Self::None => false,
            Self::Back => facing > S::ZERO,
            Self::Front => facing < S::ZERO,
        }
    }
}

/// Hit of the plane through the points with `normal · x = height above the origin of the ray`, for
/// a unit normal.
#[inline]
fn flat<S: Real>(ray: &Ray<S>, normal: S::Vec3, height: S, max: S) -> Option<RayHit<S>> {
    let speed = normal.dot(ray.direction);
    let t = height / speed;
    // NaN, from a ray in the plane, fails.
    let hit = t >= S::ZERO && t <= max && t.is_finite();
    hit.then(|| RayHit { t, normal: if speed > S::ZERO { -normal } else { normal } })
}

impl<S: Real> RayCast<S> for Plane<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        flat(ray, self.normal, -self.signed_distance(ray.origin), max)
    }
}

/// Hit of a disc of this centre, unit normal and radius.
#[inline]
#[must_use]
pub fn ray_disc<S: Real>(
    ray: &Ray<S>,
    centre: S::Vec3,
    normal: S::Vec3,
    radius: S,
    max: S,
) -> Option<RayHit<S>> {
    let to_centre = centre - ray.origin;
    let hit = flat(ray, normal, normal.dot(to_centre), max)?;
    let from_centre = ray.direction * hit.t - to_centre;
    (from_centre.length_squared() <= radius * radius).then_some(hit)
}

impl<S: Real> RayCast<S> for Rectangle<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let to_centre = self.centre - ray.origin;
        let normal = self.normal();
        let hit = flat(ray, normal, normal.dot(to_centre), max)?;
        let from_centre = ray.direction * hit.t - to_centre;
        let inside = self.axes[0].dot(from_centre).abs() <= self.half[0]
            && self.axes[1].dot(from_centre).abs() <= self.half[1];
        inside.then_some(hit)
    }
}

/// Hit of a triangle, with the barycentric coordinates of the point.
///
/// Watertight: of two triangles that share an edge with exactly equal ends, at least one is met by
/// a ray through the edge. The corners are projected along the ray onto a plane in which the ray is
/// the origin; the projection of a corner does not depend on the triangle, so neighbours agree to
/// the last bit on which side of their edge the ray passes (the idea of Woop, Benthin and Wald,
/// "Watertight Ray/Triangle Intersection", 2013, here without division). A ray from far away loses
/// no more than the rounding of its origin.
///
/// ```
/// use carom_geometry::intersect::{Culling, ray_triangle};
/// use carom_geometry::primitive::{Ray, Triangle};
/// use glam::Vec3;
/// let triangle = Triangle::new(Vec3::ZERO, Vec3::X, Vec3::Y);
/// let ray = Ray::new(Vec3::new(0.25, 0.25, 3.0), -Vec3::Z);
/// let (hit, weights) = ray_triangle(&ray, &triangle, Culling::None, 10.0).unwrap();
/// assert_eq!((hit.t, hit.normal, weights), (3.0, Vec3::Z, [0.5, 0.25, 0.25]));
/// assert!(ray_triangle(&ray, &triangle, Culling::Front, 10.0).is_none());
/// ```
#[inline]
#[must_use]
pub fn ray_triangle<S: Real>(
    ray: &Ray<S>,
    triangle: &Triangle<S>,
    culling: Culling,
    max: S,
) -> Option<(RayHit<S>, [S; 3])> {
    let (sides, certain_miss) = S::sides_passed(ray.origin, ray.direction, triangle.corners());
    if certain_miss {
        return None;
    }
    let sum = sides[0] + sides[1] + sides[2];
    if let Some(spread) = outside(&sides) {
        let certain = spread > tiny() && sum.is_finite();
        return if certain { None } else { ray_triangle_scaled(ray, triangle, culling, max) };
    }
    let area = triangle.area_vector();
    let square = area.length_squared();
    let ordinary = |size: S| size > tiny() && size < S::INFINITY;
    if !(ordinary(sum.abs()) && ordinary(square)) {
        return ray_triangle_scaled(ray, triangle, culling, max);
    }
    let facing = area.dot(ray.direction);
    let t = area.dot(triangle.a - ray.origin) / facing;
    // Infinite or NaN if the triangle is seen edge-on.
    if culling.hides(facing) || !(t >= S::ZERO && t <= max && t.is_finite()) {
        return None;
    }
    let normal = area * (facing.sign_of(-S::ONE) / square.sqrt());
    Some((RayHit { t: t + S::ZERO, normal }, sides.map(|side| side / sum)))
}

/// Sides up to this size may have the wrong sign, from underflow.
#[inline]
pub(crate) fn tiny<S: Real>() -> S {
    S::MIN_POSITIVE / S::EPSILON
}

/// How far the sides of a triangle are on both sides of a ray, or `None` if the ray passes them all
/// on the same side.
#[inline]
fn outside<S: Real>(sides: &[S; 3]) -> Option<S> {
    let least = Real::min(sides[0], Real::min(sides[1], sides[2]));
    let most = Real::max(sides[0], Real::max(sides[1], sides[2]));
    (least < S::ZERO && most > S::ZERO).then_some(most - least)
}

/// [`Real::sides_passed`] for any scalar.
#[inline]
pub(crate) fn sides_passed<S: Real>(
    origin: S::Vec3,
    direction: S::Vec3,
    corners: [S::Vec3; 3],
) -> ([S; 3], bool) {
    let axis = direction.largest_axis();
    let [a, b, c] = corners.map(|corner| {
        let moment = (corner - origin).cross(direction);
        match axis {
            0 => [moment.y(), moment.z()],
            1 => [moment.x(), moment.z()],
            _ => [moment.x(), moment.y()],
        }
    });
    let side = |p: [S; 2], q: [S; 2]| p[0] * q[1] - p[1] * q[0];
    let sides = [side(b, c), side(c, a), side(a, b)];
    let [x, y, z] = sides;
    let below = (x < -tiny::<S>()) | (y < -tiny::<S>()) | (z < -tiny::<S>());
    let above = (x > tiny()) | (y > tiny()) | (z > tiny());
    let quarter = S::of(0.25) * S::MAX;
    let finite = (x.abs() < quarter) & (y.abs() < quarter) & (z.abs() < quarter);
    (sides, below & above & finite)
}

/// The same where a product over- or underflows or all sides vanish: sizes are brought to 1 first.
#[cold]
#[inline(never)]
fn ray_triangle_scaled<S: Real>(
    ray: &Ray<S>,
    triangle: &Triangle<S>,
    culling: Culling,
    max: S,
) -> Option<(RayHit<S>, [S; 3])> {
    let corners = triangle.corners().map(|corner| corner - ray.origin);
    let size = corners.iter().fold(S::ZERO, |m, c| Real::max(Vector::abs(*c).max_element(), m));
    let speed = Vector::abs(ray.direction).max_element();
    if !(size > S::ZERO && speed > S::ZERO && size.is_finite() && speed.is_finite()) {
        return None;
    }
    let ray = Ray::new(S::Vec3::ZERO, ray.direction / speed);
    let [a, b, c] = corners.map(|corner| corner / size);
    let triangle = Triangle::new(a, b, c);
    let (sides, _) = S::sides_passed(ray.origin, ray.direction, triangle.corners());
    // All zero: the ray lies in the plane of the triangle, or there is no triangle.
    if outside(&sides).is_some() || sides.iter().all(|side| *side == S::ZERO) {
        return None;
    }
    let normal = triangle.normal()?;
    let facing = normal.dot(ray.direction);
    let t = normal.dot(a) / facing * (size / speed);
    if culling.hides(facing) || !(t >= S::ZERO && t <= max && t.is_finite()) {
        return None;
    }
    let sum = sides[0] + sides[1] + sides[2];
    Some((RayHit { t, normal: normal * facing.sign_of(-S::ONE) }, sides.map(|side| side / sum)))
}

impl<S: Real> RayCast<S> for Triangle<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        ray_triangle(ray, self, Culling::None, max).map(|(hit, _)| hit)
    }
}

/// Parameters `low ≤ t ≤ high` at which a point that starts at `origin` and moves along `direction`
/// is inside a box, or `None` if it never is.
///
/// Any direction is allowed: along a zero coordinate the point stays in the slab or outside it.
/// Infinite boxes and ranges are allowed too.
#[inline]
pub(crate) fn slabs<S: Real>(
    origin: S::Vec3,
    direction: S::Vec3,
    corners: [S::Vec3; 2],
    [mut low, mut high]: [S; 2],
) -> Option<[S; 2]> {
    for axis in 0..3 {
        let inverse = S::ONE / direction[axis];
        let a = (corners[0][axis] - origin[axis]) * inverse;
        let b = (corners[1][axis] - origin[axis]) * inverse;
        let (near, far) = if inverse < S::ZERO { (b, a) } else { (a, b) };
        // NaN means on a border and moving along it: then the first operand is dropped.
        low = Real::max(near, low);
        high = Real::min(far, high);
    }
    // Both are infinite if the point stays outside a slab for ever.
    (low <= high && low < S::INFINITY && high > S::NEG_INFINITY).then_some([low, high])
}

/// Hit of the solid box between two corners, which may be infinite.
#[inline]
pub(crate) fn cast_at_box<S: Real>(ray: &Ray<S>, [low, high]: [S::Vec3; 2], max: S) -> Option<RayHit<S>> {
    let (mut enter, mut leave, mut face) = (S::NEG_INFINITY, max, 3);
    for axis in 0..3 {
        let inverse = S::ONE / ray.direction[axis];
        let a = (low[axis] - ray.origin[axis]) * inverse;
        let b = (high[axis] - ray.origin[axis]) * inverse;
        let (near, far) = if inverse < S::ZERO { (b, a) } else { (a, b) };
        if near > enter {
            (enter, face) = (near, axis);
        }
        leave = Real::min(far, leave);
    }
    // Infinite if the ray stays outside a slab for ever. What is not a number was passed over in
    // the comparisons.
    let meets = enter <= leave && leave >= S::ZERO && enter < S::INFINITY;
    if !(meets && ray.origin.is_finite() && ray.direction.is_finite()) {
        return None;
    }
    if enter <= S::ZERO || face > 2 {
        return Some(RayHit::inside());
    }
    let mut normal = S::Vec3::ZERO;
    normal[face] = -ray.direction[face].sign_of(S::ONE);
    Some(RayHit { t: enter, normal })
}

impl<S: Real> RayCast<S> for Aabb<3, S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_at_box(ray, [self.low(), self.high()], max)
    }
}
