//! A triangle of points of a convex set that a ray passes through, pushed out until it lies on the
//! surface.
//!
//! The ray starts inside the set. The support point along the normal of the triangle makes three
//! smaller ones with its edges, and the ray passes through one of them. When the support point is
//! no farther than the triangle, the triangle is on the surface, and the ray leaves the set there.

use carom_geometry::{Real, Vector};
use glam::DVec3;

use crate::gjk::difference::Vertex;

/// A triangle, counter-clockwise seen from outside, that the ray from `apex` along `ray` passes
/// through.
#[derive(Clone, Copy)]
pub(crate) struct Portal<S: Real> {
    pub(crate) corners: [Vertex<S>; 3],
    pub(crate) apex: DVec3,
    pub(crate) ray: DVec3,
}

/// How far a refinement has come.
pub(crate) struct Surface {
    /// Outer unit normal of the portal.
    pub(crate) normal: DVec3,
    /// How far the set reaches along it.
    pub(crate) reach: f64,
}

/// Steps of a refinement. Each shrinks the portal; the most that the tests need are 60 (round
/// shapes in `f64`).
const MAX_STEPS: u32 = 100;

impl<S: Real> Portal<S> {
    /// Outer unit normal; none if the portal has no area.
    #[inline]
    pub(crate) fn normal(&self) -> Option<DVec3> {
        let [p, q, r] = self.corners.map(|c| c.w);
        (q - p).cross(r - p).unit()
    }

    /// Pushes the portal out to the surface. `outermost` is the support function; `stop` may end it
    /// early, knowing the height of the portal along its normal and the reach of the set.
    pub(crate) fn refine(
        &mut self,
        slack: f64,
        mut outermost: impl FnMut(DVec3) -> Vertex<S>,
        mut stop: impl FnMut(f64, f64) -> bool,
    ) -> Option<Surface> {
        let mut best: Option<Surface> = None;
        for _ in 0..MAX_STEPS {
            let Some(normal) = self.normal() else { break };
            let vertex = outermost(normal);
            let (reach, height) = (normal.dot(vertex.w), normal.dot(self.corners[0].w));
            best = Some(Surface { normal, reach });
            if stop(height, reach) || reach - height <= slack {
                break;
            }
            self.split(vertex);
        }
        best
    }

    /// Replaces the corner that keeps the ray in the portal.
    #[inline]
    fn split(&mut self, vertex: Vertex<S>) {
        let across = (vertex.w - self.apex).cross(self.ray);
        // On which side of the plane of ray and vertex the corners are.
        let [first, second, third] = self.corners.map(|c| (c.w - self.apex).dot(across));
        let gone = if first <= 0.0 {
            if second >= 0.0 { 2 } else { 0 }
        } else if third <= 0.0 {
            1
        } else {
            0
        };
        self.corners[gone] = vertex;
    }

    /// Weights of the corners at the point where the ray passes, none negative, sum 1.
    pub(crate) fn weights(&self) -> [f64; 3] {
        let [p, q, r] = self.corners.map(|c| c.w - self.apex);
        let volumes = [q.cross(r), r.cross(p), p.cross(q)].map(|c| Real::max(c.dot(self.ray), 0.0));
        let sum: f64 = volumes.iter().sum();
        if sum > 0.0 { volumes.map(|v| v / sum) } else { [1.0 / 3.0; 3] }
    }
}
