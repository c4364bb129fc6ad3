//! Triangles as shapes: support, bounds and rays of [`crate::primitive::Triangle`].

use super::ray::cast_surface;
use super::{Bounded, RayCast, Support};
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
/// On which side of an edge the ray passes is the sign of `direction · ((q − p) × (q + p))` for the ends p, q seen from the
/// origin of the ray, which changes its sign to the last bit when the ends are exchanged, and has an error of a few ulps
/// of the distance. Both ideas are those of the Plücker variant in Intel's Embree.
impl<S: Real> RayCast<S> for Triangle<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_surface(ray, max, |ray, _, max| {
            let (a, b, c) = (self.a - ray.origin, self.b - ray.origin, self.c - ray.origin);
            let direction = ray.direction;
            let side = |p: S::Vec3, q: S::Vec3| direction.dot((q - p).cross(q + p));
            let (ab, bc, ca) = (side(a, b), side(b, c), side(c, a));
            let least = Real::min(ab, Real::min(bc, ca));
            let greatest = Real::max(ab, Real::max(bc, ca));
            if least < S::ZERO && greatest > S::ZERO {
                return None;
            }
            let area = self.area_vector();
            let facing = area.dot(direction);
            let t = area.dot(a) / facing;
            // NaN if the triangle is seen edge-on.
            if t >= S::ZERO && t <= max && t.is_finite() {
                let normal = self.normal()?;
                Some(RayHit { t: t + S::ZERO, normal: if facing > S::ZERO { -normal } else { normal } })
            } else {
                None
            }
        })
    }
}
