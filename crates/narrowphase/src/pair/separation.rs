//! Quick tests that rule out pairs which are farther apart than asked for. Nothing is proved by
//! `false`.

use carom_geometry::shape::Cuboid;
use carom_geometry::{Pose, Real, Shape};
use glam::Vec3;

use super::polyhedra::flat_box;
use crate::analytic;
use crate::support_feature::Solid;

/// Are two shapes farther apart than this along the line of their origins, as most are that are
/// apart? For queries about which nothing is known yet.
pub(super) fn is_apart_along_origins(a: &dyn Solid, b: &dyn Solid, pose: &Pose, distance: f32) -> bool {
    // Origins of the frames are as good as centres: the centre of a polytope takes a look at all of
    // its vertices.
    let offset = pose.translation;
    let reach = distance + a.radius() + b.radius();
    let square = offset.length_squared();
    if !(square > reach * reach && distance < f32::INFINITY) {
        return false;
    }
    let near_b = pose.apply(b.core_support(-pose.rotation.rotate_back(offset), &mut { u32::MAX }));
    let gap = offset.dot(near_b - a.core_support(offset, &mut { u32::MAX }));
    gap > reach * Real::sqrt(square)
}

/// Are a box or tile and a box, tile or triangle farther apart than this? A box that has grown to
/// all sides reaches beyond all that is so near.
#[inline]
pub(super) fn is_apart_from_box(a: &Shape, b: &Shape, pose: &Pose, distance: f32) -> bool {
    let grown = |half: Vec3| Shape::Cuboid(Cuboid { half: half + Vec3::splat(distance) });
    if !(0.0..f32::INFINITY).contains(&distance) {
        return false;
    }
    let touches = match (a, b) {
        (Shape::Cuboid(a), b) => analytic::touches(&grown(a.half), b, pose),
        (Shape::Tile(a), b) => analytic::touches(&grown(flat_box(a).half), b, pose),
        (a, Shape::Cuboid(b)) => analytic::touches(a, &grown(b.half), pose),
        (a, Shape::Tile(b)) => analytic::touches(a, &grown(flat_box(b).half), pose),
        _ => None,
    };
    touches == Some(false)
}
