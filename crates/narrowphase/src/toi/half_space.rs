//! Impacts on a half-space that moves and turns.
//!
//! Seen from the half-space its normal is the only axis there is, and the gap along it is the
//! distance: the search never has to measure one. The axis turns with the half-space, which is
//! stood in for by a point of its surface.

use carom_geometry::bounds::motion::Motion;
use carom_geometry::shape::Sphere;
use carom_geometry::{Real, Vector};
use glam::DVec3;

use super::axis::{Axis, Body, Reached};
use super::{Limits, Toi, ToiOptions};
use crate::{Convex, Proximity};

/// The first time at which a convex shape is within the target distance of a half-space.
pub(super) fn impact_on_half_space<S: Real, B: Convex<S> + ?Sized>(
    motion: &Motion<f64>,
    b: &B,
    motion_b: &Motion<f64>,
    options: &ToiOptions<S>,
) -> Toi<S> {
    let point = Sphere { radius: S::ZERO };
    let bodies = (Body::new(&point, motion), Body::new(b, motion_b));
    let (Some(ground), Some(body)) = bodies else { return Toi::NotConverged { t: S::ZERO } };
    let limits = Limits::new(options);
    let mut t = 0.0;
    for _ in 0..options.max_iterations {
        let mut axis = Axis::of_first(&ground, &body, DVec3::Y, t);
        let gap = axis.gap(t);
        if gap <= limits.enough {
            if gap <= 0.0 {
                return super::ended_inside(t);
            }
            let normal = axis.normal_at(t);
            let on_b = body.farthest(t, -normal);
            let proximity = Proximity {
                distance: S::of(gap),
                normal: normal.to::<S>(),
                on_a: (on_b - normal * gap).to::<S>(),
                on_b: on_b.to::<S>(),
            };
            return Toi::Hit { t: S::of(t), proximity };
        }
        match axis.follow(gap, &limits) {
            Reached::End => return Toi::Separated,
            Reached::Time(later) if later > t => t = later,
            Reached::Time(_) => break,
        }
    }
    Toi::NotConverged { t: S::of(t) }
}
