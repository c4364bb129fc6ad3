//! Rays against polytopes: the ray is cut by the half-space of every face (Cyrus and Beck).

use super::Polytope;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};
use crate::shape::RayCast;

impl<S: Real> RayCast<S> for Polytope<S> {
    /// The polytope is solid: a ray that starts inside or on the surface (behind or in the plane of every face) meets it at
    /// once. A ray that runs in the plane of a face meets it.
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let (mut enter, mut leave) = (S::ZERO, max);
        let mut entered = None;
        let mut is_outside = false;
        for plane in &self.planes {
            // Where the ray is n·o + t n·d = offset.
            let depth = plane.offset - plane.normal.dot(ray.origin);
            let slope = plane.normal.dot(ray.direction);
            if depth < S::ZERO {
                is_outside = true;
                // Outside and not coming nearer.
                if slope >= S::ZERO {
                    return None;
                }
            }
            if slope < S::ZERO {
                if depth < S::ZERO {
                    let t = depth / slope;
                    if t > enter || entered.is_none() {
                        (enter, entered) = (t, Some(plane.normal));
                    }
                }
            } else if slope > S::ZERO {
                leave = Real::min(depth / slope, leave);
            }
            if enter > leave {
                return None;
            }
        }
        match entered {
            // Numbers that are not finite fail these comparisons.
            Some(normal) if enter <= leave => Some(RayHit { t: enter, normal }),
            None if !is_outside && max >= S::ZERO && ray.origin.is_finite() => Some(RayHit::inside()),
            _ => None,
        }
    }
}
