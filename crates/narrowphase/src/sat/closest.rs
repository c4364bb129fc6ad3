//! Contacts of polyhedra whose closest points belong to no separating axis.
//!
//! The gap along an axis is a lower bound of the distance, and it is the distance only if a clipped
//! point is as near: one that lies straight above the other along the axis, as far away as the gap
//! is wide. Where two vertices, a vertex and an edge, or parallel edges side by side are closest,
//! clipping along the best axis finds points that are farther apart, or none. Then the closest
//! points are sought by [GJK](crate::gjk), which starts from the support points of the axis and
//! ends after a few steps, and the contact is made along their normal.
//!
//! Invariant: polyhedra that are no farther apart than the speculative distance have a contact, and
//! its least separation is their distance, up to rounding and a share of the slop where they are
//! apart, and up to the slop where they overlap.

use carom_geometry::{Pose, Vector};

use super::polyhedron::Polyhedron;
use super::search::Axis;
use super::{Feature, SatCache, Tolerances};
use crate::Proximity;
use crate::gjk::{self, GjkOutcome, SimplexCache};
use crate::manifold::contact::{edge_points, rounding};
use crate::manifold::{FeatureId, Manifold, contact};
use crate::support_feature::SupportFeature;

/// Share of the slop by which clipped points may be farther apart than the shapes.
const APART_SLOP: f32 = 0.1;

/// Does the contact made along an axis with this gap have the closest or deepest points?
#[inline]
pub(super) fn has_closest(contact: &Manifold, pose: &Pose, gap: f32, slop: f32) -> bool {
    let Some(deepest) =
        contact.points().iter().reduce(|p, q| if q.separation < p.separation { q } else { p })
    else {
        return false;
    };
    let extent = Vector::abs(deepest.on_a).max_element() + Vector::abs(pose.translation).max_element();
    let noise = ROUNDING * extent;
    let slack = APART_SLOP * slop + noise;
    // Clipped points lie straight above each other; those of two edges may not: when the normal
    // swings over, the edges that look along it are others, which may pass each other far away.
    let is_above = contact.points().len() > 1 || {
        let off = pose.apply(deepest.on_b) - deepest.on_a - contact.normal * deepest.separation;
        off.length_squared() <= slack * slack
    };
    let is_apart = deepest.separation > 0.0;
    is_above && deepest.separation <= gap + if is_apart { slack } else { slop + noise }
}

/// Rounding of gaps and of points, relative to how far from the origin they are.
const ROUNDING: f32 = 1e-5;

/// Cosine between the way of closest points and the normal of a face above which the axis of the
/// face is tried first the next time.
const ALIGNED: f32 = 0.9999;

/// The contact along the way between the closest points, or out of each other; empty if they are
/// farther apart than the speculative distance. The search starts from the simplex of the query
/// before, or from the axis. The axis is replaced by what is to be tried first the next time.
#[cold]
#[inline(never)]
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, what is known of them, and what is kept"
)]
pub(super) fn closest_contact<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    axis: &mut Axis,
    tolerances: Tolerances,
    simplex: &mut SimplexCache<f32>,
    previous: &Manifold,
    features: &mut [SupportFeature; 2],
) -> Manifold {
    if simplex.is_empty() {
        let towards_a = -pose.rotation.rotate_back(axis.normal);
        *simplex = SimplexCache::from_pairs(&[[a.farthest(axis.normal), b.farthest(towards_a)]]);
    }
    let options = gjk::GjkOptions::within(tolerances.speculative_distance);
    match gjk::proximity_within(a, b, pose, simplex, &options) {
        Ok(near) => {
            if near.distance > 0.0 {
                axis.cache.feature = Feature::Closest;
            }
            contact_between(a, b, pose, &near, axis, tolerances, previous, features)
        }
        Err(apart) => Manifold::new(apart),
    }
}

/// The same for polyhedra whose closest points belonged to no axis before; `None` if they overlap.
#[inline(never)]
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, what is known of them, and what is kept"
)]
pub(super) fn closest_contact_again<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    cache: &mut SatCache,
    tolerances: Tolerances,
    simplex: &mut SimplexCache<f32>,
    previous: &Manifold,
    features: &mut [SupportFeature; 2],
) -> Option<Manifold> {
    let options = gjk::GjkOptions::within(tolerances.speculative_distance);
    match gjk::distance(a, b, pose, simplex, &options) {
        GjkOutcome::Near(near) => {
            cache.separation = near.distance;
            let mut axis = Axis { cache: *cache, normal: near.normal };
            let found = contact_between(a, b, pose, &near, &mut axis, tolerances, previous, features);
            *cache = axis.cache;
            Some(found)
        }
        GjkOutcome::Separated { axis, at_least } => {
            cache.separation = at_least;
            Some(Manifold::new(axis))
        }
        GjkOutcome::Overlapping => None,
    }
}

/// The contact along the way between two points.
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, what is known of them, and what is kept"
)]
fn contact_between<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    near: &Proximity,
    axis: &mut Axis,
    tolerances: Tolerances,
    previous: &Manifold,
    [feature_a, feature_b]: &mut [SupportFeature; 2],
) -> Manifold {
    let speculative_distance = tolerances.speculative_distance;
    if near.distance > speculative_distance {
        return Manifold::new(near.normal);
    }
    a.support_feature(near.normal, feature_a);
    b.support_feature(-pose.rotation.rotate_back(near.normal), feature_b);
    feature_b.pose(pose);
    let (view_a, view_b) = (feature_a.view(), feature_b.view());
    if view_a.corners.len() > 2 && view_a.normal.dot(near.normal) > ALIGNED {
        axis.cache.feature = Feature::FaceA(u32::from(feature_a.face));
    } else if view_b.corners.len() > 2 && -view_b.normal.dot(near.normal) > ALIGNED {
        axis.cache.feature = Feature::FaceB(u32::from(feature_b.face));
    }
    let clipped = contact(view_a, view_b, near, pose, speculative_distance, previous);
    // Edges side by side, whose faces do not look at each other.
    if clipped.points().iter().any(|point| point.feature == FeatureId::CLOSEST)
        && let Some(edges) = edge_points(view_a, view_b, near, pose, speculative_distance)
        && edges.points().len() > 1
        && edges.deepest() <= near.distance + rounding(near)
    {
        return edges;
    }
    clipped
}
