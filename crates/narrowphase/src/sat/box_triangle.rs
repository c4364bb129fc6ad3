//! Contact points of a box and one triangle.
//!
//! Everything is done in the frame of the box, in which its axes are coordinates: the thirteen axes
//! of [`triangle_axis`](super::triangle_axis) and the clipping of
//! [`triangle_clip`](super::triangle_clip). Triangles without area and boxes without thickness go
//! the way of all polyhedra.

use carom_geometry::closest::closest_points;
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Matrix3, Pose, Vector};
use glam::Vec3;

use super::closest::{closest_contact, has_closest};
use super::pair::{contact_of_polyhedra, with_faces};
use super::polyhedron::{BoxBody, TriangleBody};
use super::search::{Axis, SatScratch};
use super::triangle_axis::{Nearest, axis_of_one, known_axis};
use super::triangle_clip::Meeting;
use super::{Feature, SatCache, Tolerances};
use crate::gjk::SimplexCache;
use crate::manifold::{FeatureId, Manifold, ManifoldPoint, Part};
use crate::support_feature::SupportFeature;

/// A box and a triangle as a caller has them: `pose` is the pose of the second in the frame of the
/// first.
pub(crate) struct BoxTriangle<'a> {
    pub(crate) shape: &'a Cuboid,
    pub(crate) triangle: &'a Triangle,
    pub(crate) pose: &'a Pose,
    /// The triangle is the first of the two.
    pub(crate) is_box_second: bool,
}

/// The triangle in the frame of the box.
struct Posed {
    rotation: Matrix3<f32>,
    corners: [Vec3; 3],
}

impl BoxTriangle<'_> {
    /// Writes the contact; its old points are preferred if there are more than four. The features
    /// of the cache are in the order of the caller's shapes.
    pub(crate) fn contact(
        &self,
        tolerances: Tolerances,
        cache: &mut SatCache,
        scratch: &mut SatScratch,
        contact: &mut Manifold,
    ) {
        let posed = self.posed();
        let half = self.shape.half;
        let ordered = |feature: Feature| if self.is_box_second { feature.swapped() } else { feature };
        // Shapes that were apart are measured again as fast as along the axis that separated them.
        if cache.feature != Feature::None && cache.separation <= tolerances.speculative_distance {
            let known = known_axis(half, &posed.corners, ordered(cache.feature));
            if let Some((axis, plane)) = known {
                let gap = axis.cache.separation;
                if gap > tolerances.speculative_distance {
                    cache.separation = gap;
                    contact.clear();
                    return;
                }
                if tolerances.keeps(cache.separation, gap) {
                    let found =
                        self.contact_along(&posed, &axis, plane, tolerances.speculative_distance, contact);
                    if let Some(found) = found
                        && tolerances.keeps(cache.separation, found.deepest())
                        && has_closest(&found, self.pose, gap, tolerances.slop)
                    {
                        *contact = found;
                        return;
                    }
                }
            }
        }
        let (axis, plane) = match axis_of_one(half, &posed.corners, tolerances) {
            Nearest::NoArea => return self.by_all_axes(tolerances, cache, scratch, contact),
            Nearest::Apart(axis) => {
                *cache = SatCache { feature: ordered(axis.feature), ..axis };
                contact.clear();
                return;
            }
            Nearest::Along(axis, plane) => (axis, plane),
        };
        let Some(found) = self.contact_along(&posed, &axis, plane, tolerances.speculative_distance, contact)
        else {
            return self.by_all_axes(tolerances, cache, scratch, contact);
        };
        let separation = axis.cache.separation;
        *cache = SatCache { feature: ordered(axis.cache.feature), separation };
        *contact = if has_closest(&found, self.pose, separation, tolerances.slop) {
            found
        } else {
            self.beside_axis(&posed, axis, tolerances, cache, scratch, contact)
        };
    }

    /// The contact where what is deepest is not above a face that was preferred to better edges,
    /// or where the closest points belong to no axis.
    #[cold]
    #[inline(never)]
    fn beside_axis(
        &self,
        posed: &Posed,
        mut axis: Axis,
        tolerances: Tolerances,
        cache: &mut SatCache,
        scratch: &mut SatScratch,
        previous: &Manifold,
    ) -> Manifold {
        let exact = Tolerances { slop: 0.0, ..tolerances };
        if let Nearest::Along(best, plane) = axis_of_one(self.shape.half, &posed.corners, exact)
            && best.cache.feature != axis.cache.feature
            && let Some(other) =
                self.contact_along(posed, &best, plane, tolerances.speculative_distance, previous)
        {
            let feature = best.cache.feature;
            let feature = if self.is_box_second { feature.swapped() } else { feature };
            *cache = SatCache { feature, ..best.cache };
            if has_closest(&other, self.pose, best.cache.separation, tolerances.slop) {
                return other;
            }
            axis = best;
        }
        let (body, triangle) = (BoxBody::new(self.shape), TriangleBody::new(self.triangle));
        let (pose, features) = (self.pose, &mut scratch.support_features);
        let simplex = &mut SimplexCache::new();
        if self.is_box_second {
            axis.normal = -posed.rotation.times(axis.normal);
            closest_contact(&triangle, &body, pose, &mut axis, tolerances, simplex, previous, features)
        } else {
            closest_contact(&body, &triangle, pose, &mut axis, tolerances, simplex, previous, features)
        }
    }

    #[inline]
    fn posed(&self) -> Posed {
        let rotation = self.pose.rotation.to_matrix();
        let shift = self.pose.translation;
        let corners = self.triangle.corners();
        let corners = if self.is_box_second {
            corners.map(|corner| rotation.transposed_times(corner - shift))
        } else {
            corners.map(|corner| rotation.times(corner) + shift)
        };
        Posed { rotation, corners }
    }

    /// A contact point from points on the box and on the triangle, both in the frame of the box.
    #[inline]
    fn point(
        &self,
        posed: &Posed,
        [on_box, on_triangle]: [Vec3; 2],
        separation: f32,
        feature: FeatureId,
    ) -> ManifoldPoint {
        let shift = self.pose.translation;
        if self.is_box_second {
            let on_a = posed.rotation.times(on_triangle) + shift;
            ManifoldPoint { on_a, on_b: on_box, separation, feature }
        } else {
            let on_b = posed.rotation.transposed_times(on_triangle - shift);
            ManifoldPoint { on_a: on_box, on_b, separation, feature }
        }
    }

    /// The contact along an axis; nothing if a side of the box has no length.
    #[inline]
    fn contact_along(
        &self,
        posed: &Posed,
        axis: &Axis,
        plane: Vec3,
        speculative_distance: f32,
        previous: &Manifold,
    ) -> Option<Manifold> {
        let (half, towards) = (self.shape.half, axis.normal);
        let normal = if self.is_box_second { -posed.rotation.times(towards) } else { towards };
        let mut contact = Manifold::new(normal);
        if let Feature::Edges(edge, side) = axis.cache.feature {
            let side = side as usize;
            let ends = Segment::new(posed.corners[side], posed.corners[(side + 1) % 3]);
            let along = edge as usize / 4;
            let start: Vec3 = self.shape.support(towards);
            let mut end = start;
            end[along] = -start[along];
            let closest = closest_points(&Segment::new(start, end), &ends);
            let way = closest.b - closest.a;
            // As between all polyhedra: the gap along an axis is less than the distance.
            if axis.cache.separation > 0.0
                && way.length_squared() > speculative_distance * speculative_distance
            {
                return Some(contact);
            }
            let (of_box, of_triangle) = (Part::Edge(edge as u16), Part::Edge(side as u16));
            let name = FeatureId::new(of_box, of_triangle);
            let name = if self.is_box_second { name.swapped() } else { name };
            contact.push(self.point(posed, [closest.a, closest.b], towards.dot(way), name));
            return Some(self.with_faces(contact, speculative_distance, *previous));
        }
        if Vector::min_element(half) == 0.0 {
            return None;
        }
        let meeting =
            Meeting { half, corners: posed.corners, plane, towards, is_box_second: self.is_box_second };
        let overlap = meeting.overlap(speculative_distance);
        let mut ids = [FeatureId(0); Manifold::CAPACITY];
        let found = &overlap.found;
        for &k in found.reduced(previous.features(&mut ids)).indices() {
            let k = usize::from(k);
            let ends = meeting.ends(&overlap, k);
            contact.push(self.point(posed, ends, found.separations[k], found.ids[k]));
        }
        Some(contact)
    }

    /// The contact of two edges with what is near of the faces beside them, the same in either
    /// order.
    fn with_faces(&self, mut edges: Manifold, speculative_distance: f32, mut previous: Manifold) -> Manifold {
        let (body, triangle) = (BoxBody::new(self.shape), TriangleBody::new(self.triangle));
        let features = &mut [SupportFeature::default(), SupportFeature::default()];
        if !self.is_box_second {
            let asked = (self.pose, speculative_distance);
            return with_faces(&body, &triangle, asked, edges, &previous, features);
        }
        let back = self.pose.inverse();
        edges.swap(self.pose);
        previous.swap(self.pose);
        let asked = (&back, speculative_distance);
        let mut contact = with_faces(&body, &triangle, asked, edges, &previous, features);
        contact.swap(&back);
        contact
    }

    /// The way of all polyhedra.
    #[cold]
    #[inline(never)]
    fn by_all_axes(
        &self,
        tolerances: Tolerances,
        cache: &mut SatCache,
        scratch: &mut SatScratch,
        contact: &mut Manifold,
    ) {
        let (body, triangle) = (BoxBody::new(self.shape), TriangleBody::new(self.triangle));
        *cache = SatCache::default();
        if !self.is_box_second {
            *contact = contact_of_polyhedra(&body, &triangle, self.pose, tolerances, cache, contact, scratch);
            return;
        }
        let back = self.pose.inverse();
        contact.swap(self.pose);
        *contact = contact_of_polyhedra(&body, &triangle, &back, tolerances, cache, contact, scratch);
        cache.feature = cache.feature.swapped();
        contact.swap(&back);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pair::contact_along;
    use super::*;
    use carom_geometry::{Real, Rotation};

    /// Numbers that look random.
    fn numbers(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// How far a point is from the nearest of others.
    fn away(point: Vec3, others: &[Vec3]) -> f32 {
        others.iter().fold(f32::INFINITY, |least, other| Real::min((*other - point).length(), least))
    }

    /// The overlap in lanes has the corners of the overlap that is cut side by side, with the same
    /// names, and no others; in either order of the shapes.
    #[test]
    fn lanes_clip_what_cutting_side_by_side_clips() {
        let (mut seed, mut compared, mut named) = (11, 0, [0, 0]);
        let wish = Tolerances::default();
        for case in 0..20_000 {
            let mut vector = || Vec3::new(numbers(&mut seed), numbers(&mut seed), numbers(&mut seed));
            let shape = Cuboid { half: Vector::abs(vector()) + Vec3::splat(0.01) };
            let mut corners = [vector(), vector(), vector()];
            if case % 7 == 0 {
                corners = corners.map(|c| (c * 2.0).round() * 0.5);
            }
            let rotation = Rotation::from_rotation_vector(vector() * 3.0);
            let rotation = if case % 3 == 0 { Rotation::IDENTITY } else { rotation };
            let pose = Pose::new(vector(), rotation);
            let triangle = Triangle::new(corners[0], corners[1], corners[2]);
            let pair = BoxTriangle { shape: &shape, triangle: &triangle, pose: &pose, is_box_second: false };
            let posed = pair.posed();
            let Nearest::Along(axis, plane) = axis_of_one(shape.half, &posed.corners, wish) else { continue };
            let (body, other) = (BoxBody::new(&shape), TriangleBody::new(&triangle));
            let slow =
                contact_along(&body, &other, &pose, &axis, wish.speculative_distance, &Manifold::default());
            let fast =
                pair.contact_along(&posed, &axis, plane, wish.speculative_distance, &Manifold::default());
            let fast = fast.expect("all sides of the box have a length");
            assert!((fast.normal - slow.normal).length() < 1e-4, "{case}");
            let deepest = (fast.deepest() - slow.deepest()).abs();
            assert!(deepest < 1e-4 || fast.is_empty() && slow.is_empty(), "{case}: {deepest}");
            // The other order is the same seen from the other side.
            let back = pose.inverse();
            let mirror = BoxTriangle { pose: &back, is_box_second: true, ..pair };
            let seen = mirror.contact_along(
                &mirror.posed(),
                &axis,
                plane,
                wish.speculative_distance,
                &Manifold::default(),
            );
            let seen = seen.expect("all sides of the box have a length").swapped(&back);
            assert!((seen.deepest() - fast.deepest()).abs() < 1e-4 || fast.is_empty(), "{case}");
            if fast.points().len() > 3 || slow.points().len() > 3 {
                // Four of many: which ones is another question.
                continue;
            }
            compared += 1;
            for (one, two) in [(&fast, &slow), (&slow, &fast)] {
                let points: Vec<Vec3> = two.points().iter().map(|p| p.on_a).collect();
                for point in one.points() {
                    assert!(away(point.on_a, &points) < 2e-3, "{case}: {fast:?} {slow:?}");
                    let same = two.points().iter().any(|p| p.feature == point.feature);
                    named[usize::from(same)] += 1;
                }
            }
            for (p, q) in fast.points().iter().zip(seen.points()) {
                assert!((p.on_a - q.on_a).length() < 1e-4 && p.feature == q.feature, "{case}");
            }
        }
        // Points on corners and edges of both may have either name.
        assert!(compared > 3000 && named[0] * 20 < named[1], "{compared} {named:?}");
    }
}
