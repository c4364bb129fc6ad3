//! Tiles, boxes and triangles with each other: nearest points outside, separating axes inside.
//!
//! Surfaces without thickness have a depth too: the shortest way that separates them. Two tiles
//! that cross have to be moved until an edge of one leaves the other; two that lie in one plane
//! just touch.

use carom_geometry::bounds::Obb;
use carom_geometry::intersect::{triangle_box, triangles_overlap};
use carom_geometry::primitive::Triangle;
use carom_geometry::rotation::Matrix3;
use carom_geometry::shape::{Cuboid, Tile};
use carom_geometry::{Pose, Real, Vector};

use super::cores::of_cores;
use crate::proximity::Proximity;

/// The half extents of a tile, which is a box of height 0.
#[inline]
pub(super) fn half_of<S: Real>(tile: &Tile<S>) -> S::Vec3 {
    S::Vec3::new(tile.half_x, S::ZERO, tile.half_z)
}

/// The box of the first shape, in its own frame.
#[inline]
fn first<S: Real>(half: S::Vec3) -> Obb<S> {
    Obb { centre: S::Vec3::ZERO, half, axes: Matrix3::IDENTITY }
}

/// Two tiles.
#[must_use]
pub fn tile_tile<S: Real>(a: &Tile<S>, b: &Tile<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(&first::<S>(half_of(a)), &Obb::of_pose(pose, half_of(b)))
}

/// A box and a tile.
#[must_use]
pub fn cuboid_tile<S: Real>(a: &Cuboid<S>, b: &Tile<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(&first::<S>(a.half), &Obb::of_pose(pose, half_of(b)))
}

/// Two boxes.
#[must_use]
pub fn cuboid_cuboid<S: Real>(a: &Cuboid<S>, b: &Cuboid<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(&first::<S>(a.half), &Obb::of_pose(pose, b.half))
}

/// A triangle and a tile.
#[must_use]
pub fn triangle_tile<S: Real>(a: &Triangle<S>, b: &Tile<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(a, &Obb::of_pose(pose, half_of(b)))
}

/// A triangle and a box.
#[must_use]
pub fn triangle_cuboid<S: Real>(a: &Triangle<S>, b: &Cuboid<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(a, &Obb::of_pose(pose, b.half))
}

/// Two triangles.
#[must_use]
pub fn triangle_triangle<S: Real>(a: &Triangle<S>, b: &Triangle<S>, pose: &Pose<S>) -> Proximity<S> {
    of_cores(a, &b.posed(pose))
}

/// Do two boxes of these half extents touch? By their fifteen axes.
#[inline]
pub(super) fn boxes_touch<S: Real>(a: S::Vec3, b: S::Vec3, pose: &Pose<S>) -> bool {
    first::<S>(a).overlaps(&Obb::of_pose(pose, b))
}

/// Do a triangle and a box of these half extents touch? By their thirteen axes.
#[inline]
pub(super) fn triangle_touches_box<S: Real>(a: &Triangle<S>, half: S::Vec3, pose: &Pose<S>) -> bool {
    triangle_box(a, &Obb::of_pose(pose, half))
}

/// Do two triangles touch?
#[inline]
pub(super) fn triangles_touch<S: Real>(a: &Triangle<S>, b: &Triangle<S>, pose: &Pose<S>) -> bool {
    triangles_overlap(a, &b.posed(pose))
}
