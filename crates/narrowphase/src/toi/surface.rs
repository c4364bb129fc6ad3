//! Times of impact with meshes and height fields at rest: the first over the triangles that the moving shape can reach.

use carom_geometry::bounds::Aabb;
use carom_geometry::bounds::motion::Motion;
use carom_geometry::shape::Bounded;
use carom_geometry::{Pose, Vector};
use glam::Vec3;

use super::{Toi, ToiOptions, time_of_impact};
use crate::Convex;
use crate::cast::Surface;

/// Parts of the motion whose boxes are joined to bound it: turning by half a circle, a box round an eighth of it is tight.
const PIECES: u32 = 4;

/// What became of a shape that moves beside a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceToi {
    /// The first that happens with any triangle; normals are from the surface to the shape.
    pub outcome: Toi,
    /// The triangle, if anything happens.
    pub triangle: Option<u32>,
}

/// The first time at which a convex shape is within the target distance of a surface. The surface is at rest and its frame is
/// that of the motion.
pub fn time_of_impact_on_surface<T: Surface + ?Sized, B: Convex<f32> + Bounded<f32> + ?Sized>(
    surface: &T,
    shape: &B,
    motion: &Motion,
    options: &ToiOptions,
) -> SurfaceToi {
    let still = Motion::turning(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let room = options.target_distance + options.tolerance;
    let local = shape.aabb();
    let corners: [Vec3; 8] = std::array::from_fn(|k| local.corner(k));
    let reached = motion.aabb(&corners, PIECES).grown(room);
    let mut first = SurfaceToi { outcome: Toi::Separated, triangle: None };
    let mut rest = *options;
    surface.sweep_box(&start_box(&corners, motion).grown(room), motion.displacement, |number, enters| {
        let triangle = surface.triangle(number);
        let bounds = Aabb::of_points(triangle.corners());
        if enters > rest.max_time || !reached.overlaps(&bounds) {
            return rest.max_time;
        }
        let outcome = time_of_impact(&triangle, &still, shape, motion, &rest);
        let Some(time) = time_of(&outcome) else { return rest.max_time };
        let is_first = first.triangle.is_none_or(|other| {
            let best = time_of(&first.outcome).unwrap_or(f32::INFINITY);
            time < best || time == best && number < other
        });
        if is_first {
            first = SurfaceToi { outcome, triangle: Some(number) };
            rest.max_time = time;
        }
        rest.max_time
    });
    first
}

/// A box that, moved with the pivot, holds the shape at all times.
fn start_box(corners: &[Vec3; 8], motion: &Motion) -> Aabb<3> {
    if motion.angle <= 0.0 {
        return Aabb::of_points(corners.iter().map(|c| motion.start.apply(*c)));
    }
    let arm = corners.iter().fold(0.0, |m: f32, c| {
        let square = Vector::length_squared(*c - motion.pivot);
        if square > m { square } else { m }
    });
    Aabb::around(motion.start.apply(motion.pivot), Vec3::splat(arm.sqrt() * (1.0 + 8.0 * f32::EPSILON)))
}

/// When something happens; an overlap is earlier than a hit at the start.
fn time_of(outcome: &Toi) -> Option<f32> {
    match outcome {
        Toi::Separated => None,
        Toi::Hit { t, .. } | Toi::NotConverged { t } => Some(*t),
        Toi::Overlapping => Some(-1.0),
    }
}
