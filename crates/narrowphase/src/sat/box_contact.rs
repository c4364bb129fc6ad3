//! Contact points of two boxes.

use carom_geometry::closest::closest_points;
use carom_geometry::primitive::Segment;
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Matrix3, Pose, Real, Vector};
use glam::Vec3;

use super::box_clip::face_contact_of_boxes;
use super::boxes::{BoxAxis, BoxPair, FIRST_EDGE, axis_of, edges_of};
use super::closest::{closest_contact, has_closest};
use super::pair::{FACING, contact_along, with_faces};
use super::polyhedron::BoxBody;
use super::search::Axis;
use super::{Feature, SatCache, Tolerances};
use crate::Proximity;
use crate::gjk::SimplexCache;
use crate::manifold::{FeatureId, Manifold, Part};
use crate::support_feature::{SupportFeature, box_edge};

/// The contact of two boxes; empty if they are farther apart than the speculative distance.
///
/// The cached axis is tried first, as in [`contact_of_polyhedra`](super::contact_of_polyhedra). A
/// [tile](carom_geometry::shape::Tile) is a box of height 0.
///
/// ```
/// use carom_geometry::{Pose, shape::Cuboid};
/// use carom_narrowphase::{Manifold, sat};
/// use glam::Vec3;
/// let cube = Cuboid::cube(0.5f32)?;
/// let above = Pose::at(Vec3::new(0.25, 0.99, 0.0));
/// let (tolerances, mut cache) = (sat::Tolerances::default(), sat::SatCache::default());
/// let contact = sat::box_box(&cube, &cube, &above, tolerances, &mut cache, &Manifold::default());
/// assert_eq!((contact.normal, contact.points().len()), (Vec3::Y, 4));
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[must_use]
pub fn box_box(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    tolerances: Tolerances,
    cache: &mut SatCache,
    previous: &Manifold,
) -> Manifold {
    let mut contact = *previous;
    write_box_box(a, b, pose, tolerances, cache, &mut contact);
    contact
}

/// The same, written over the contact of the step before: boxes apart leave its points where they
/// are and take no time to copy them.
pub(crate) fn write_box_box(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    tolerances: Tolerances,
    cache: &mut SatCache,
    contact: &mut Manifold,
) {
    let pair = BoxPair::new(a.half, b.half, pose);
    let Tolerances { speculative_distance, slop } = tolerances;
    if let Some(code) = code_of(cache.feature) {
        let gap = pair.gap_along(|_| code);
        if gap > speculative_distance {
            cache.separation = gap;
            contact.start(Vec3::ZERO);
            return;
        }
        if tolerances.keeps(cache.separation, gap) {
            let manifold = contact_by_code(a, b, pose, code, gap, speculative_distance, contact);
            if tolerances.keeps(cache.separation, manifold.deepest())
                && has_closest(&manifold, pose, gap, slop)
            {
                *contact = manifold;
                return;
            }
        }
    }
    let found = pair.search_one(speculative_distance, slop);
    let code = found.code as u32;
    *cache = SatCache { feature: feature_of(code), separation: found.separation };
    if found.greatest > speculative_distance {
        contact.start(Vec3::ZERO);
        return;
    }
    let manifold = contact_by_code(a, b, pose, code, found.separation, speculative_distance, contact);
    *contact = if has_closest(&manifold, pose, found.separation, slop) {
        manifold
    } else {
        let exact = pair.search(speculative_distance, 0.0);
        *cache = SatCache { feature: feature_of(exact.code as u32), separation: exact.separation };
        beside_axis(a, b, pose, &exact, tolerances, contact)
    };
}

/// The contact of two boxes along their best axis, or along the way between their closest points
/// if those are not there.
#[cold]
#[inline(never)]
fn beside_axis(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    best: &BoxAxis<f32>,
    tolerances: Tolerances,
    previous: &Manifold,
) -> Manifold {
    let (code, gap) = (best.code as u32, best.separation);
    let manifold = contact_by_code(a, b, pose, code, gap, tolerances.speculative_distance, previous);
    if has_closest(&manifold, pose, gap, tolerances.slop) {
        return manifold;
    }
    let axis = axis_of(code, |j| pose.rotation.to_matrix().columns[j]);
    let outward = if axis.dot(pose.translation) < 0.0 { -axis } else { axis };
    let cache = SatCache { feature: feature_of(code), separation: gap };
    let mut axis = Axis { cache, normal: outward.unit().unwrap_or(Vec3::Y) };
    let mut features = [SupportFeature::default(), SupportFeature::default()];
    let (a, b, simplex) = (BoxBody::new(a), BoxBody::new(b), &mut SimplexCache::new());
    closest_contact(&a, &b, pose, &mut axis, tolerances, simplex, previous, &mut features)
}

/// A code of [`BoxPair::search`] as a feature.
#[inline]
#[must_use]
pub fn feature_of(code: u32) -> Feature {
    match code {
        0..3 => Feature::FaceA(code),
        3..6 => Feature::FaceB(code - 3),
        _ => {
            let (i, j) = edges_of(code);
            Feature::Edges(i as u32, j as u32)
        }
    }
}

/// The code of a feature; `None` if no pair of boxes has it.
#[inline]
#[must_use]
pub fn code_of(feature: Feature) -> Option<u32> {
    match feature {
        Feature::FaceA(i) if i < 3 => Some(i),
        Feature::FaceB(j) if j < 3 => Some(3 + j),
        Feature::Edges(i, j) if i < 3 && j < 3 => Some(FIRST_EDGE + 3 * i + j),
        _ => None,
    }
}

/// The contact along an axis found by [`BoxPair::search`] with the gap `separation` along it, or
/// between the closest points if these are not along it.
#[must_use]
pub fn box_box_along(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    code: u32,
    separation: f32,
    tolerances: Tolerances,
    previous: &Manifold,
) -> Manifold {
    let manifold = contact_by_code(a, b, pose, code, separation, tolerances.speculative_distance, previous);
    if has_closest(&manifold, pose, separation, tolerances.slop) {
        return manifold;
    }
    let exact = BoxPair::new(a.half, b.half, pose).search(tolerances.speculative_distance, 0.0);
    beside_axis(a, b, pose, &exact, tolerances, previous)
}

/// The contact along one axis.
fn contact_by_code(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    code: u32,
    separation: f32,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let rotation = pose.rotation.to_matrix();
    if code >= FIRST_EDGE {
        return edge_edge(a, b, pose, &rotation, code, speculative_distance, previous);
    }
    if a.half.min_element() == 0.0 || b.half.min_element() == 0.0 {
        return flat_contact(a, b, pose, code, separation, speculative_distance, previous);
    }
    if code < 3 {
        let axis = code as usize;
        let is_positive = pose.translation[axis] >= 0.0;
        return face_contact_of_boxes(
            (a.half, b.half),
            (&rotation, pose.translation),
            (axis, is_positive),
            false,
            (pose, &rotation),
            speculative_distance,
            previous,
        );
    }
    let axis = code as usize - 3;
    let back = Matrix3 { columns: [0, 1, 2].map(|row| rotation.columns.map(|column| column[row]).into()) };
    let shift = -rotation.transposed_times(pose.translation);
    face_contact_of_boxes(
        (b.half, a.half),
        (&back, shift),
        (axis, shift[axis] >= 0.0),
        true,
        (pose, &rotation),
        speculative_distance,
        previous,
    )
}

#[inline]
fn face(axis: usize, is_negative: bool) -> u16 {
    (axis * 2) as u16 + u16::from(is_negative)
}

/// The contact of two edges: the closest points of the two that look at each other. If the faces
/// beside them nearly look at each other too, what is near of those is part of the contact.
fn edge_edge(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    rotation: &Matrix3<f32>,
    code: u32,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let (i, j) = edges_of(code);
    let axis = axis_of(code, |j| rotation.columns[j]);
    let outward = if axis.dot(pose.translation) < 0.0 { -axis } else { axis };
    let normal = outward.unit().unwrap_or(Vec3::Y);
    let towards_a = rotation.transposed_times(-normal);
    let (end_a, name_a) = edge_looking(a.half, i, normal);
    let (end_b, name_b) = edge_looking(b.half, j, towards_a);
    let on_edge = |end: Vec3, axis: usize| {
        let mut other = end;
        other[axis] = -end[axis];
        Segment::new(end, other)
    };
    let edge_b = on_edge(end_b, j).posed(pose);
    let closest = closest_points(&on_edge(end_a, i), &edge_b);
    let proximity =
        Proximity { distance: normal.dot(closest.b - closest.a), normal, on_a: closest.a, on_b: closest.b };
    let edges =
        Manifold::of_proximity(&proximity, pose, FeatureId::new(Part::Edge(name_a), Part::Edge(name_b)));
    let aligned = |direction: Vec3| Vector::abs(direction).max_element();
    let is_solid = a.half.min_element() > 0.0 && b.half.min_element() > 0.0;
    if !is_solid || Real::max(aligned(normal), aligned(towards_a)) < FACING {
        return edges;
    }
    let (a, b) = (BoxBody::new(a), BoxBody::new(b));
    let features = &mut [SupportFeature::default(), SupportFeature::default()];
    with_faces(&a, &b, (pose, speculative_distance), edges, previous, features)
}

/// An end and the name of the edge along `axis` that looks along a direction.
#[inline]
fn edge_looking(half: Vec3, axis: usize, direction: Vec3) -> (Vec3, u16) {
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let end = Support::<f32>::support(&Cuboid { half }, direction);
    (end, box_edge(axis, direction[next] >= 0.0, direction[last] >= 0.0))
}

/// Boxes with a side of length 0, whose faces may be segments or points.
#[cold]
fn flat_contact(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    code: u32,
    separation: f32,
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let rotation = pose.rotation.to_matrix();
    let axis = axis_of(code, |j| rotation.columns[j]);
    let normal = if axis.dot(pose.translation) < 0.0 { -axis } else { axis };
    let feature = if code < 3 {
        Feature::FaceA(u32::from(face(code as usize, normal[code as usize] < 0.0)))
    } else {
        Feature::FaceB(u32::from(face(code as usize - 3, axis.dot(pose.translation) >= 0.0)))
    };
    let axis = Axis { cache: SatCache { feature, separation }, normal };
    contact_along(&BoxBody::new(a), &BoxBody::new(b), pose, &axis, speculative_distance, previous)
}
