//! Triangles as shapes: support, bounds and rays of [`crate::primitive::Triangle`].

use super::ray::cast_surface;
use super::{Bounded, RayCast, Support, stretched};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit, Triangle};
use crate::real::{Real, Vector};

impl<S: Real> Support<S> for Triangle<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        let (a, b, c) = (self.a.dot(direction), self.b.dot(direction), self.c.dot(direction));
        // Choosing between references compiles to conditional moves, between vectors to a branch.
        let (best, value) = if b > a { (&self.b, b) } else { (&self.a, a) };
        *(if c > value { &self.c } else { best })
    }
}

impl<S: Real> Bounded<S> for Triangle<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let Self { a, b, c } = self.posed(pose);
        Aabb::new(Vector::min(Vector::min(a, b), c).to_array(), Vector::max(Vector::max(a, b), c).to_array())
    }
}

/// Two-sided and watertight: of two triangles that share an edge with exactly equal ends, at least one is met by a ray
/// through the edge. A triangle without area is not met.
///
/// The corners are projected along the ray onto a plane in which the ray is the origin; the projection of a corner does not
/// depend on the triangle, so neighbours agree to the last bit on which side of their edge the ray passes (the idea of
/// Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013, here without division).
impl<S: Real> RayCast<S> for Triangle<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_surface(ray, max, |ray, _, max| {
            // Along the axis closest to the direction of the ray, so that the projection is never degenerate.
            let passes = match ray.direction.largest_axis() {
                0 => line_passes::<0, S>(self, ray),
                1 => line_passes::<1, S>(self, ray),
                _ => line_passes::<2, S>(self, ray),
            };
            if !passes {
                return None;
            }
            let area = self.area_vector();
            let facing = area.dot(ray.direction);
            let t = area.dot(self.a - ray.origin) / facing;
            // NaN or infinite if the triangle is seen edge-on.
            if t >= S::ZERO && t <= max && t.is_finite() {
                let normal = stretched(area, facing.sign_of(-S::ONE));
                Some(RayHit { t: t + S::ZERO, normal })
            } else {
                None
            }
        })
    }
}

/// Does the line of the ray pass through the triangle or its border, projected along coordinate `Z`? Or is it in its plane?
///
/// The coordinate is a constant because indexing would take all corners through memory.
#[inline]
fn line_passes<const Z: usize, S: Real>(triangle: &Triangle<S>, ray: &Ray<S>) -> bool {
    let (x, y, z) = ((Z + 1) % 3, (Z + 2) % 3, Z);
    let (o, d) = (ray.origin.to_array(), ray.direction.to_array());
    let project = |corner: S::Vec3| {
        let corner = corner.to_array();
        let height = corner[z] - o[z];
        ((corner[x] - o[x]) * d[z] - height * d[x], (corner[y] - o[y]) * d[z] - height * d[y])
    };
    let (a, b, c) = (project(triangle.a), project(triangle.b), project(triangle.c));
    let side = |p: (S, S), q: (S, S)| p.0 * q.1 - p.1 * q.0;
    let (ab, bc, ca) = (side(a, b), side(b, c), side(c, a));
    let least = Real::min(ab, Real::min(bc, ca));
    let greatest = Real::max(ab, Real::max(bc, ca));
    // Not `||`: which of the two holds is a matter of chance, and a branch on it would often be mispredicted.
    (least >= S::ZERO) | (greatest <= S::ZERO)
}
