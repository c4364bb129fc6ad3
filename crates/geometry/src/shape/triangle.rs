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
        let (best, value) = if b > a { (self.b, b) } else { (self.a, a) };
        if c > value { self.c } else { best }
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
/// through the edge (the method of Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013). A triangle
/// without area is not met.
impl<S: Real> RayCast<S> for Triangle<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_surface(ray, max, |ray, _, max| {
            // Shear space so that the ray runs along the third coordinate; in the plane of the other two it is the origin.
            let axis = ray.direction.largest_axis();
            let [dx, dy, dz] = cycled::<S>(ray.direction, axis);
            let inverse = S::ONE / dz;
            let (shear_x, shear_y) = (dx * inverse, dy * inverse);
            let sheared = |corner: S::Vec3| {
                let [x, y, z] = cycled::<S>(corner - ray.origin, axis);
                (x - shear_x * z, y - shear_y * z, z)
            };
            let (a, b, c) = (sheared(self.a), sheared(self.b), sheared(self.c));
            // Twice the areas that the origin spans with the sides.
            let (u, v, w) = (c.0 * b.1 - c.1 * b.0, a.0 * c.1 - a.1 * c.0, b.0 * a.1 - b.1 * a.0);
            let zero = S::ZERO;
            let (some_negative, some_positive) =
                (u < zero || v < zero || w < zero, u > zero || v > zero || w > zero);
            // Both: outside. Neither: the triangle is seen edge-on.
            if some_negative == some_positive {
                return None;
            }
            let t = (u * a.2 + v * b.2 + w * c.2) / (u + v + w) * inverse;
            if !(t >= zero && t <= max) {
                return None;
            }
            let normal = self.normal()?;
            let towards = if normal.dot(ray.direction) > zero { -normal } else { normal };
            Some(RayHit { t: t + zero, normal: towards })
        })
    }
}

/// The coordinates in cyclic order with number `last` at the end.
#[inline]
fn cycled<S: Real>(v: S::Vec3, last: usize) -> [S; 3] {
    match last {
        0 => [v.y(), v.z(), v.x()],
        1 => [v.z(), v.x(), v.y()],
        _ => [v.x(), v.y(), v.z()],
    }
}
