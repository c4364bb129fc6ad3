//! Cylinders and cones: by candidate directions, and by GJK and EPA where these do not decide.

use carom_geometry::{Pose, Shape};
use glam::Vec3;

use super::PairCache;
use crate::revolved::{self, AxisHint, RevolvedOutcome};
use crate::support_feature::solid_of;
use crate::{Proximity, epa, gjk};

/// The answer of the candidate directions; what is found is kept for the next query.
#[inline]
pub(super) fn by_directions(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    cache: &mut PairCache,
) -> Option<RevolvedOutcome> {
    let answer = revolved::proximity(a, b, pose, max_distance, &cache.direction);
    cache.direction = match answer {
        Some(RevolvedOutcome::Apart(axis) | RevolvedOutcome::Open { axis }) => {
            AxisHint { axis, overlaps: false }
        }
        Some(RevolvedOutcome::Near { proximity, .. }) => {
            AxisHint { axis: proximity.normal, overlaps: proximity.distance <= 0.0 }
        }
        None => AxisHint::default(),
    };
    answer
}

/// Distance with closest points, or a separating axis. Closest points of shapes apart are found
/// sooner by GJK, except those of segments; overlaps are found sooner by directions.
pub(super) fn proximity(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    cache: &mut PairCache,
) -> Option<Result<Proximity, Vec3>> {
    let has_segment = matches!(a, Shape::Capsule(_)) || matches!(b, Shape::Capsule(_));
    let is_first = has_segment || cache.direction.overlaps;
    if is_first {
        match by_directions(a, b, pose, max_distance, cache) {
            Some(RevolvedOutcome::Apart(axis)) => return Some(Err(axis)),
            Some(RevolvedOutcome::Near { proximity, has_points: true }) => return Some(Ok(proximity)),
            _ => {}
        }
    }
    let (solid_a, solid_b) = (solid_of(a)?, solid_of(b)?);
    let options = gjk::GjkOptions::within(max_distance);
    let found = match gjk::distance(solid_a, solid_b, pose, &mut cache.simplex, &options) {
        gjk::GjkOutcome::Separated { axis, .. } => Err(axis),
        gjk::GjkOutcome::Near(found) => Ok(found),
        gjk::GjkOutcome::Overlapping => {
            if !is_first {
                cache.direction = AxisHint { axis: Vec3::ZERO, overlaps: true };
                let answer = by_directions(a, b, pose, max_distance, cache);
                if let Some(RevolvedOutcome::Near { proximity, has_points: true }) = answer {
                    return Some(Ok(proximity));
                }
            }
            Ok(epa::penetration(solid_a, solid_b, pose, &mut cache.simplex, options.tolerance))
        }
    };
    cache.direction = match &found {
        Ok(near) => AxisHint { axis: near.normal, overlaps: near.distance <= 0.0 },
        Err(axis) => AxisHint { axis: *axis, overlaps: false },
    };
    Some(found)
}
