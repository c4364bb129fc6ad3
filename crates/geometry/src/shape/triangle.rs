//! Triangles as shapes: support and bounds of [`crate::primitive::Triangle`]; its ray cast is in
//! [`crate::intersect`].

use super::{Bounded, Support};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::Triangle;
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
