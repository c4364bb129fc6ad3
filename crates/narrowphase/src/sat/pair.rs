//! Contact points of two polyhedra.

use carom_geometry::closest::closest_points;
use carom_geometry::primitive::Segment;
use carom_geometry::{Pose, Real, Vector};
use glam::Vec3;

use super::closest::{closest_contact, closest_contact_again, has_closest};
use super::polyhedron::Polyhedron;
use super::search::{Axis, SatScratch, apart_from_middle, deepest_axis_from, gap_along, is_inside};
use super::{Feature, SatCache, Tolerances};
use crate::Proximity;
use crate::gjk::SimplexCache;
use crate::manifold::{FeatureId, Manifold, Part, contact, face_contact};
use crate::support_feature::SupportFeature;

/// The contact of two polyhedra; empty if they are farther apart than the speculative distance.
///
/// The cached axis is tried first: if it still separates, that is all; if it was the axis of the
/// contact and the deepest separation along it has changed by no more than the slop since it was
/// found, the contact is made from it again.
///
/// ```
/// use carom_geometry::{Polytope, Pose, shape::Cuboid};
/// use carom_narrowphase::{Manifold, sat};
/// use glam::Vec3;
/// let table = sat::polyhedron::BoxBody::new(&Cuboid::new(Vec3::new(1.0, 0.5, 1.0))?);
/// let cube = Polytope::cube(0.4)?;
/// let above = Pose::at(Vec3::new(0.0, 0.9, 0.0));
/// let (mut scratch, mut cache) = (sat::SatScratch::default(), sat::SatCache::default());
/// let tolerances = sat::Tolerances::default();
/// let contact = sat::contact_of_polyhedra(
///     &table, &cube, &above, tolerances, &mut cache, &Manifold::default(), &mut scratch);
/// assert!(contact.points().len() == 4 && contact.deepest().abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn contact_of_polyhedra<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    tolerances: Tolerances,
    cache: &mut SatCache,
    previous: &Manifold,
    scratch: &mut SatScratch,
) -> Manifold {
    contact_with_simplex(a, b, pose, tolerances, (cache, &mut SimplexCache::new()), previous, scratch)
}

/// The same with a simplex that is kept from query to query, for polyhedra whose closest points
/// belong to no axis.
pub(crate) fn contact_with_simplex<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    tolerances: Tolerances,
    (cache, simplex): (&mut SatCache, &mut SimplexCache<f32>),
    previous: &Manifold,
    scratch: &mut SatScratch,
) -> Manifold {
    let features = &mut scratch.support_features;
    if cache.feature == Feature::Closest {
        let again = closest_contact_again(a, b, pose, cache, tolerances, simplex, previous, features);
        if let Some(found) = again {
            return found;
        }
    }
    let known = gap_along(a, b, pose, cache.feature);
    if let Some(axis) = known
        && let Some(known) =
            contact_along_known(a, b, pose, tolerances, axis, (cache, simplex), previous, features)
    {
        return known;
    }
    let Tolerances { speculative_distance, slop } = tolerances;
    // Those that were in contact are likely to be so again.
    if (cache.feature == Feature::None || cache.separation > speculative_distance)
        && let Some(axis) = apart_from_middle(a, b, pose, speculative_distance)
    {
        *cache = axis.cache;
        return Manifold::new(axis.normal);
    }
    let towards = known.map_or(pose.translation, |(normal, _)| normal);
    let mut axis = deepest_axis_from(a, b, pose, towards, tolerances, scratch);
    *cache = axis.cache;
    if axis.cache.separation > speculative_distance {
        return Manifold::new(axis.normal);
    }
    let manifold =
        contact_along_in(a, b, pose, &axis, speculative_distance, previous, &mut scratch.support_features);
    if has_closest(&manifold, pose, axis.cache.separation, slop) {
        return manifold;
    }
    if slop > 0.0 && axis.cache.separation <= 0.0 {
        // A face was preferred to better edges, and what is deepest is not above it.
        let exact = Tolerances { slop: 0.0, ..tolerances };
        let exact = deepest_axis_from(a, b, pose, axis.normal, exact, scratch);
        if exact.cache.separation > speculative_distance {
            return Manifold::new(exact.normal);
        }
        if exact.cache.feature != axis.cache.feature {
            axis = exact;
            *cache = axis.cache;
            let other = contact_along_in(
                a,
                b,
                pose,
                &axis,
                speculative_distance,
                previous,
                &mut scratch.support_features,
            );
            if has_closest(&other, pose, axis.cache.separation, slop) {
                return other;
            }
        }
    }
    simplex.clear();
    let features = &mut scratch.support_features;
    let manifold = closest_contact(a, b, pose, &mut axis, tolerances, simplex, previous, features);
    *cache = axis.cache;
    manifold
}

/// The contact along the axis of the cache, with this normal and gap, if that is certain without a
/// search:
///
/// - the axis still separates by more than the speculative distance;
/// - the polyhedra are apart along it: the clipped points show that they are closest, or the
///   closest points are sought from it;
/// - the deepest point is in the other polyhedron and no deeper than the slop: they do overlap, and
///   no axis is better by more;
/// - the deepest point is as deep as it was when the axis was found, up to half the slop.
#[inline]
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, what is known of them, and what is kept"
)]
fn contact_along_known<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    tolerances: Tolerances,
    (normal, gap): (Vec3, f32),
    (cache, simplex): (&mut SatCache, &mut SimplexCache<f32>),
    previous: &Manifold,
    features: &mut [SupportFeature; 2],
) -> Option<Manifold> {
    let Tolerances { speculative_distance, slop } = tolerances;
    if gap > speculative_distance {
        cache.separation = gap;
        return Some(Manifold::new(normal));
    }
    let is_kept = tolerances.keeps(cache.separation, gap);
    if gap < -slop && !is_kept {
        return None;
    }
    let mut axis = Axis { cache: SatCache { feature: cache.feature, separation: gap }, normal };
    let manifold = contact_along_in(a, b, pose, &axis, speculative_distance, previous, features);
    let has_closest = has_closest(&manifold, pose, gap, slop);
    if has_closest && is_kept && tolerances.keeps(cache.separation, manifold.deepest()) {
        return Some(manifold);
    }
    if has_closest && (gap > 0.0 || gap >= -slop && deepest_is_inside(a, b, pose, &axis, &manifold)) {
        cache.separation = gap;
        return Some(manifold);
    }
    (gap > 0.0).then(|| {
        simplex.clear();
        let manifold = closest_contact(a, b, pose, &mut axis, tolerances, simplex, previous, features);
        *cache = axis.cache;
        manifold
    })
}

/// Is the deepest point of a contact along an axis in the polyhedron whose face it is below? Of two
/// edges, is that of the first in the second?
fn deepest_is_inside<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    axis: &Axis,
    contact: &Manifold,
) -> bool {
    let deepest = contact.points().iter().reduce(|p, q| if q.separation < p.separation { q } else { p });
    deepest.is_some_and(|point| match axis.cache.feature {
        Feature::FaceA(_) => is_inside(a, pose.apply(point.on_b)),
        _ => is_inside(b, pose.undo(point.on_a)),
    })
}

/// The contact along an axis.
#[must_use]
pub fn contact_along<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    axis: &Axis,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let support_features = &mut [SupportFeature::default(), SupportFeature::default()];
    contact_along_in(a, b, pose, axis, speculative_distance, previous, support_features)
}

/// The same with support features of the caller's, which are written over.
#[inline]
fn contact_along_in<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    axis: &Axis,
    speculative_distance: f32,
    previous: &Manifold,
    support_features: &mut [SupportFeature; 2],
) -> Manifold {
    match axis.cache.feature {
        Feature::Edges(edge_a, edge_b) => {
            let edges = edge_contact(a, b, pose, [edge_a, edge_b], axis, speculative_distance);
            with_faces(a, b, (pose, speculative_distance), edges, previous, support_features)
        }
        Feature::FaceA(face) => contact_on_face(
            a,
            b,
            (pose, speculative_distance),
            axis,
            (face, false),
            previous,
            support_features,
        ),
        Feature::FaceB(face) => contact_on_face(
            a,
            b,
            (pose, speculative_distance),
            axis,
            (face, true),
            previous,
            support_features,
        ),
        Feature::None | Feature::Closest => Manifold::new(axis.normal),
    }
}

/// The contact on a face of the first polyhedron, or of the second if so said.
#[inline(never)]
fn contact_on_face<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    (pose, speculative_distance): (&Pose, f32),
    axis: &Axis,
    (face, is_second): (u32, bool),
    previous: &Manifold,
    [feature_a, feature_b]: &mut [SupportFeature; 2],
) -> Manifold {
    let normal = axis.normal;
    if is_second {
        b.face(face, feature_b);
        a.support_feature(normal, feature_a);
    } else {
        a.face(face, feature_a);
        b.support_feature(pose.rotation.rotate_back(-normal), feature_b);
    }
    feature_b.pose(pose);
    let (reference, incident) =
        if is_second { (&*feature_b, &*feature_a) } else { (&*feature_a, &*feature_b) };
    let outward = if is_second { -normal } else { normal };
    // The face of a flat box may have no area, and then another stands for it: nothing to clip.
    if reference.corners().len() < 3 || reference.normal.dot(outward) <= 0.9 {
        return Manifold::new(normal);
    }
    face_contact(reference.view(), incident.view(), outward, is_second, pose, speculative_distance, previous)
}

/// One point, where two edges are closest; none if the shapes are apart and the edges farther than
/// the speculative distance, not above each other: the gap along an axis is less than the distance.
fn edge_contact<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    [edge_a, edge_b]: [u32; 2],
    axis: &Axis,
    speculative_distance: f32,
) -> Manifold {
    let Axis { normal, cache: SatCache { separation, .. } } = *axis;
    let (Some(of_a), Some(of_b)) = (a.edge(edge_a), b.edge(edge_b)) else { return Manifold::new(normal) };
    let segment_a = Segment::new(of_a.tail, of_a.tail + of_a.along);
    let segment_b = Segment::new(of_b.tail, of_b.tail + of_b.along).posed(pose);
    let closest = closest_points(&segment_a, &segment_b);
    if separation > 0.0
        && (closest.b - closest.a).length_squared() > speculative_distance * speculative_distance
    {
        return Manifold::new(normal);
    }
    let distance = normal.dot(closest.b - closest.a);
    let proximity = Proximity { distance, normal, on_a: closest.a, on_b: closest.b };
    let feature = FeatureId::new(Part::Edge(a.edge_name(edge_a)), Part::Edge(b.edge_name(edge_b)));
    Manifold::of_proximity(&proximity, pose, feature)
}

/// Cosine between the axis of two edges and the normal of a face beside them above which points of
/// the face belong to the contact. An edge that lies across a face crosses two of its sides, and
/// either crossing is the deepest point of the contact: with one of them alone the body would rock
/// to and fro between the two for ever. Points of faces that are tilted more are near only where
/// they are near the crossing.
pub(super) const FACING: f32 = 0.9;

/// How far from straight above each other the closest points of edges that cross may be, relative
/// to their coordinates: rounding. Of edges that pass each other beyond their ends, other points
/// are closest.
const CROSSING: f32 = 1e-4;

/// The contact of two edges with the points near it of the faces beside them.
pub(super) fn with_faces<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    (pose, speculative_distance): (&Pose, f32),
    edges: Manifold,
    previous: &Manifold,
    [feature_a, feature_b]: &mut [SupportFeature; 2],
) -> Manifold {
    let &[point] = edges.points() else { return edges };
    let normal = edges.normal;
    let on_b = pose.apply(point.on_b);
    let off = on_b - point.on_a - normal * point.separation;
    let extent = Vector::abs(point.on_a).max_element() + Vector::abs(pose.translation).max_element();
    if off.length_squared() > CROSSING * CROSSING * extent * extent {
        return edges;
    }
    a.support_feature(normal, feature_a);
    b.support_feature(-pose.rotation.rotate_back(normal), feature_b);
    feature_b.pose(pose);
    let facing = Real::max(feature_a.normal.dot(normal), -feature_b.normal.dot(normal));
    if facing < FACING {
        return edges;
    }
    let proximity = Proximity { distance: point.separation, normal, on_a: point.on_a, on_b };
    contact(feature_a.view(), feature_b.view(), &proximity, pose, speculative_distance, previous)
}
