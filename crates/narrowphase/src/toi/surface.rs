//! Times of impact with meshes and height fields at rest: the first over the triangles that the
//! moving shape can reach.

use carom_geometry::Pose;
use carom_geometry::bounds::motion::Motion;
use carom_geometry::shape::Bounded;
use glam::DVec3;

use super::parts::earliest;
use super::path::Path;
use super::{Toi, ToiOptions, impact};
use crate::Convex;
use crate::cast::Surface;

/// What became of a shape that moves beside a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceToi {
    /// The first that happens with any triangle; normals are from the surface to the shape.
    pub outcome: Toi,
    /// The triangle, if anything happens.
    pub triangle: Option<u32>,
}

/// The first time at which a convex shape is within the target distance of a surface. The surface
/// is at rest and its frame is that of the motion. (Surfaces that move are for
/// [`time_of_impact_of_shapes`](super::time_of_impact_of_shapes).)
pub fn time_of_impact_on_surface<T: Surface + ?Sized, B: Convex<f32> + Bounded<f32> + ?Sized>(
    surface: &T,
    shape: &B,
    motion: &Motion,
    options: &ToiOptions,
) -> SurfaceToi {
    if !motion.is_finite() {
        return SurfaceToi { outcome: Toi::NotConverged { t: 0.0 }, triangle: None };
    }
    let still = Motion::rotating(&Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let motion = motion.to::<f64>();
    let path = Path::new(&still, &shape.aabb(), &motion, options.target_distance + options.tolerance);
    let found = earliest(surface, &path, options, |number, options| {
        (impact(&surface.triangle(number), &still, shape, &motion, options), ())
    });
    SurfaceToi { outcome: found.outcome, triangle: found.part }
}
