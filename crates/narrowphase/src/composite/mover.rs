//! The convex body of a contact with a surface: what of it is worked out once per call, and how it
//! lies to one triangle.

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::bounds::Aabb;
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::closest::{Span, TriangleFeature, TrianglePoint};
use carom_geometry::primitive::{Ray, Segment, Triangle};
use carom_geometry::shape::{Bounded, RayCast, Shape, Support};
use carom_geometry::{Pose, Real, Vector};
use glam::Vec3;

use super::MeshContactOptions;
use super::ghost::Feature;
use super::list::{Entry, List};
use crate::manifold::{Manifold, Part, contact, face_contact};
use crate::sat::pair::contact_along;
use crate::sat::search::gap_along;
use crate::sat::triangles::{Bracket, FACE, Preferences};
use crate::support_feature::{SupportFeature, SupportFeatureMap, SupportFeatureView, solid_of};
use crate::{Convex, FeatureId, Proximity, analytic, epa, gjk, sat};

/// How a body is measured against a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// By the point of the triangle nearest to the centre.
    Ball {
        /// Its radius.
        radius: f32,
    },
    /// By separating axes, eight triangles at a time.
    Box,
    /// By separating axes.
    Hull,
    /// By formula or iteration.
    Other,
}

/// How a triangle and a body lie to each other, and where from contact points are to be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Distance and normal; the points count only for [`How::Points`].
    pub(super) found: Proximity,
    pub(super) how: How,
}

/// Where contact points come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// The support features that look along the normal, and the closest points.
    Points,
    /// An axis of a box by its code.
    Code(u32),
    /// An axis of a polytope by its features.
    Feature(sat::Feature),
    /// What lies over the face of the triangle: nothing else was measured.
    Face,
}

/// What is kept between calls: the support feature used last, and by triangle of the list what the
/// last call found.
#[derive(Debug, Default)]
pub(super) struct TriangleCache {
    support_feature: FeatureCache,
    axes: Vec<sat::SatCache>,
    simplexes: Vec<gjk::SimplexCache<f32>>,
    scratch: sat::SatScratch,
}

carom_core::clone_fields!(TriangleCache { support_feature, axes, simplexes } scratch { scratch });

/// What is known of the triangles; the support feature is computed in every call.
impl Stored for TriangleCache {
    const LEAST: usize = 8;

    fn put(&self, out: &mut Writer) {
        self.axes.put(out);
        self.simplexes.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self { axes: from.field("axes")?, simplexes: from.field("simplexes")?, ..Self::default() })
    }
}

impl TriangleCache {
    /// To be called first in every call, with the length of the list and whether it is new.
    pub(super) fn begin(&mut self, kind: Kind, length: usize, is_new: bool) {
        self.support_feature.direction = Vec3::ZERO;
        if is_new {
            self.axes.clear();
            self.simplexes.clear();
        }
        match kind {
            Kind::Hull => self.axes.resize(length, sat::SatCache::default()),
            Kind::Other => self.simplexes.resize(length, gjk::SimplexCache::new()),
            Kind::Ball { .. } | Kind::Box => {}
        }
    }
}

/// A convex shape in the frame of a surface.
pub(super) struct Mover<'a> {
    pub(super) shape: &'a Shape,
    pub(super) pose: &'a Pose,
    pub(super) kind: Kind,
    pub(super) bracket: Bracket,
    /// Box along the axes of the surface.
    pub(super) bounds: Aabb<3>,
    /// A point well inside: on which side of a triangle it lies is on which side the body is.
    pub(super) centre: Vec3,
}

/// Edges are nearest where their axis says up to this share of the speculative distance,
const MISSED: f32 = 0.05;
/// and this share of the size of the box.
const ROUNDING: f32 = 1e-4;

/// The support feature used last.
#[derive(Clone, Debug, Default)]
struct FeatureCache {
    support_feature: SupportFeature,
    /// Direction that the support feature looks along, in the frame of the surface; null: none yet.
    direction: Vec3,
}

impl<'a> Mover<'a> {
    /// `None` if the shape is not convex and bounded, or the place not finite.
    pub(super) fn new(shape: &'a Shape, pose: &'a Pose) -> Option<Self> {
        let (kind, centre) = match shape {
            Shape::Sphere(ball) => (Kind::Ball { radius: ball.radius }, Vec3::ZERO),
            Shape::Cuboid(_) | Shape::Tile(_) => (Kind::Box, Vec3::ZERO),
            Shape::Capsule(s) => (Kind::Other, Convex::<f32>::centre(s)),
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => (Kind::Other, Vec3::ZERO),
            Shape::Triangle(s) => (Kind::Other, Convex::<f32>::centre(s)),
            Shape::Planar(s) => (Kind::Other, s.centre()),
            Shape::Polytope(s) => (Kind::Hull, Convex::<f32>::centre(&**s)),
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
        };
        if !pose.is_finite() {
            return None;
        }
        let axes = pose.rotation.to_matrix();
        let (bracket, bounds) = if let Kind::Ball { radius } = kind {
            let half = Vec3::splat(radius);
            (Bracket { axes, centre: pose.translation, half }, Aabb::around(pose.translation, half))
        } else {
            let local = shape.aabb();
            let middle = pose.translation + axes.times(local.centre());
            (Bracket { axes, centre: middle, half: local.half() }, shape.aabb_at(pose))
        };
        Some(Self { shape, pose, kind, bracket, bounds, centre: pose.translation + axes.times(centre) })
    }

    /// The support feature that looks along a direction in the frame of the surface, in that frame.
    #[inline]
    fn support_feature<'m>(&self, cache: &'m mut FeatureCache, direction: Vec3) -> SupportFeatureView<'m> {
        if cache.direction != direction {
            let local = self.bracket.axes.transposed_times(direction);
            let support_feature = &mut cache.support_feature;
            match self.shape {
                Shape::Sphere(s) => s.support_feature(local, support_feature),
                Shape::Capsule(s) => s.support_feature(local, support_feature),
                Shape::Tile(s) => s.support_feature(local, support_feature),
                Shape::Cuboid(s) => s.support_feature(local, support_feature),
                Shape::Cylinder(s) => s.support_feature(local, support_feature),
                Shape::Cone(s) => s.support_feature(local, support_feature),
                Shape::Ellipsoid(s) => s.support_feature(local, support_feature),
                Shape::Triangle(s) => s.support_feature(local, support_feature),
                Shape::Polytope(s) => s.support_feature(local, support_feature),
                Shape::Planar(s) => s.support_feature(local, support_feature),
                // Not bounded and convex: never made a mover.
                Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => {}
            }
            support_feature.pose(self.pose);
            cache.direction = direction;
        }
        cache.support_feature.view()
    }

    /// Contact points over the face of a triangle, along its unit normal `out` on the side of the
    /// body: the support feature of the body cut to the triangle.
    pub(super) fn over_face(
        &self,
        cache: &mut TriangleCache,
        triangle: &Triangle,
        out: Side,
        speculative_distance: f32,
    ) -> Manifold {
        let incident = self.support_feature(&mut cache.support_feature, -out.normal);
        let face = TriangleFacet::new(triangle, out);
        face_contact(
            face.view(),
            incident,
            out.normal,
            false,
            self.pose,
            speculative_distance,
            &Manifold::default(),
        )
    }

    /// The same, with the deepest point of round bodies, whose support features stand for them
    /// roughly, if it is over the triangle.
    pub(super) fn over_face_with_deepest(
        &self,
        cache: &mut TriangleCache,
        triangle: &Triangle,
        out: Side,
        speculative_distance: f32,
    ) -> Manifold {
        let is_round = matches!(self.shape, Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_));
        if let (true, Some(shape)) = (is_round, self.shape.as_convex()) {
            let on_b = self.pose.apply(shape.support(self.bracket.axes.transposed_times(-out.normal)));
            let distance = out.normal.dot(on_b - triangle.a);
            let on_a = on_b - out.normal * distance;
            let off = TrianglePoint::nearest(triangle, on_a).point - on_a;
            let limit = ROUNDING * self.bracket.half.max_element();
            if off.length_squared() <= limit * limit {
                let found = Proximity { distance, normal: out.normal, on_a, on_b };
                let other = self.support_feature(&mut cache.support_feature, -out.normal);
                let face = TriangleFacet::new(triangle, out);
                return contact(
                    face.view(),
                    other,
                    &found,
                    self.pose,
                    speculative_distance,
                    &Manifold::default(),
                );
            }
        }
        self.over_face(cache, triangle, out, speculative_distance)
    }

    /// Contact points of a triangle as it was measured; there may be none if the normal is not the
    /// best of all.
    pub(super) fn points(
        &self,
        cache: &mut TriangleCache,
        entry: &Entry,
        measured: &Measured,
        speculative_distance: f32,
    ) -> Manifold {
        let (triangle, found) = (&entry.triangle, &measured.found);
        let normal = found.normal;
        let side = Side::along(entry.normal, normal);
        match measured.how {
            How::Code(FACE) | How::Face => self.over_face(cache, triangle, side, speculative_distance),
            How::Code(code) => {
                if let Some((edge, [from, to])) = self.bracket.edges_of(code, normal) {
                    let side = Span::from_segment(&triangle.edges()[edge]);
                    let other = Span::from_segment(&Segment::new(from, to));
                    let [s, t] = side.closest_parameters(&other);
                    let (on_a, on_b) = (side.at(s), other.at(t));
                    let off = on_b - on_a - normal * found.distance;
                    let limit = MISSED * speculative_distance + ROUNDING * self.bracket.half.max_element();
                    if off.length_squared() > limit * limit {
                        // The edges pass each other beyond their ends: not where the shapes are
                        // nearest.
                        return Manifold::default();
                    }
                    let found = Proximity { on_a, on_b, ..*found };
                    let name = FeatureId::new(Part::Edge(edge as u16), Part::Edge(code as u16));
                    return Manifold::of_proximity(&found, self.pose, name);
                }
                let face = TriangleFacet::new(triangle, side);
                let reference = self.support_feature(&mut cache.support_feature, -normal);
                if reference.corners.len() < 3 {
                    return self.over_face(cache, triangle, side, speculative_distance);
                }
                face_contact(
                    reference,
                    face.view(),
                    -normal,
                    true,
                    self.pose,
                    speculative_distance,
                    &Manifold::default(),
                )
            }
            How::Feature(feature) => {
                let Shape::Polytope(hull) = self.shape else { return Manifold::default() };
                let axis = sat::search::Axis {
                    cache: sat::SatCache { feature, separation: found.distance },
                    normal,
                };
                let triangle = sat::polyhedron::TriangleBody::new(triangle);
                contact_along(
                    &triangle,
                    &**hull,
                    self.pose,
                    &axis,
                    speculative_distance,
                    &Manifold::default(),
                )
            }
            How::Points => {
                let face = TriangleFacet::new(triangle, side);
                let other = self.support_feature(&mut cache.support_feature, -normal);
                contact(face.view(), other, found, self.pose, speculative_distance, &Manifold::default())
            }
        }
    }

    /// Contact points of a triangle that overlaps, as it was measured: one at least that is deep.
    pub(super) fn some_points(
        &self,
        cache: &mut TriangleCache,
        entry: &Entry,
        measured: &Measured,
        speculative_distance: f32,
    ) -> Manifold {
        let manifold = self.points(cache, entry, measured, speculative_distance);
        // Support features of round bodies may be above the triangle, within the speculative
        // distance, though the body itself is not.
        if manifold.deepest() <= 0.0 { manifold } else { self.common_point(entry, measured) }
    }

    /// A contact point where a triangle and a body overlap, though no support feature of the body
    /// is over the triangle and below it: from a point of both straight to the border of the body.
    #[cold]
    fn common_point(&self, entry: &Entry, measured: &Measured) -> Manifold {
        let normal = measured.found.normal;
        let Some(solid) = solid_of(self.shape) else { return Manifold::default() };
        let mut found = gjk::proximity(&entry.triangle, solid, self.pose, &mut gjk::SimplexCache::new());
        if found.distance < 0.0 {
            // From beyond the body towards the triangle: rays do not tell where they leave.
            let start = self.reach(normal) + normal.dot(found.on_a - self.bracket.centre);
            let far = Real::max(start, 0.0) + self.bracket.half.max_element();
            let ray = Ray::new(found.on_a - normal * far, normal);
            if let Some(hit) = self.shape.cast_ray_at(self.pose, &ray, far) {
                let distance = hit.t - far;
                found =
                    Proximity { distance, normal, on_a: found.on_a, on_b: found.on_a + normal * distance };
            }
        }
        Manifold::of_proximity(&found, self.pose, FeatureId::CLOSEST)
    }

    /// How far the body reaches from its centre along a unit vector, at most.
    #[inline]
    pub(super) fn reach(&self, along: Vec3) -> f32 {
        Vector::abs(self.bracket.axes.transposed_times(along)).dot(self.bracket.half)
    }

    /// How triangle number `at` of a list and a box or polytope lie to each other along the axis
    /// that parts them most, without preferring faces; `None` for other bodies, which are measured
    /// so at once, and beyond the speculative distance.
    pub(super) fn measure_exactly(
        &self,
        cache: &mut TriangleCache,
        at: usize,
        list: &List,
        options: &MeshContactOptions,
    ) -> Option<Measured> {
        let (entry, exact) = (&list.entries()[at], MeshContactOptions { slop: 0.0, ..*options });
        match self.kind {
            Kind::Box => {
                let speculative_distance = options.speculative_distance;
                let wish =
                    Preferences { front_only: options.is_front_only(), slop: 0.0, speculative_distance };
                let gaps = self.bracket.gaps(&list.packs()[at / f32x8::WIDTH], &wish);
                let lane = at % f32x8::WIDTH;
                let (code, distance) = (gaps.code.get(lane) as u32, gaps.gap.get(lane));
                let normal = self.bracket.axis_of(code, &entry.triangle, entry.normal, wish.front_only);
                let found = Proximity { distance, normal, on_a: Vec3::ZERO, on_b: Vec3::ZERO };
                (distance <= speculative_distance).then_some(Measured { found, how: How::Code(code) })
            }
            Kind::Hull => self.measure(cache, at, entry, &exact, || false),
            Kind::Ball { .. } | Kind::Other => None,
        }
    }

    /// How a triangle, number `at` of the list, and a body that is neither ball nor box lie to each
    /// other; `None` if they are farther apart than the speculative distance. `is_smooth` tells
    /// whether the triangle has no edge that could be struck.
    pub(super) fn measure(
        &self,
        cache: &mut TriangleCache,
        at: usize,
        entry: &Entry,
        options: &MeshContactOptions,
        is_smooth: impl Fn() -> bool,
    ) -> Option<Measured> {
        let (triangle, speculative_distance) = (&entry.triangle, options.speculative_distance);
        let found = match self.shape {
            Shape::Capsule(capsule) => analytic::triangle_capsule(triangle, capsule, self.pose),
            Shape::Triangle(other) => analytic::triangle_triangle(triangle, other, self.pose),
            Shape::Polytope(hull) => {
                let (known, body) = (&mut cache.axes[at], sat::polyhedron::TriangleBody::new(triangle));
                if let Some((_, gap)) = gap_along(&body, &**hull, self.pose, known.feature)
                    && gap > speculative_distance
                {
                    return None;
                }
                let axis = sat::deepest_axis(
                    &body,
                    &**hull,
                    self.pose,
                    speculative_distance,
                    options.slop,
                    &mut cache.scratch,
                );
                *known = axis.cache;
                let distance = axis.cache.separation;
                let found = Proximity { distance, normal: axis.normal, on_a: Vec3::ZERO, on_b: Vec3::ZERO };
                return (distance <= speculative_distance)
                    .then_some(Measured { found, how: How::Feature(axis.cache.feature) });
            }
            Shape::Cylinder(s) => {
                return iterate(s, self, &mut cache.simplexes[at], entry, speculative_distance, is_smooth);
            }
            Shape::Cone(s) => {
                return iterate(s, self, &mut cache.simplexes[at], entry, speculative_distance, is_smooth);
            }
            Shape::Ellipsoid(s) => {
                return iterate(s, self, &mut cache.simplexes[at], entry, speculative_distance, is_smooth);
            }
            _ => return None,
        };
        (found.distance <= speculative_distance).then_some(Measured { found, how: How::Points })
    }
}

/// How a triangle and a round body lie to each other. If their cores overlap and the triangle has
/// no edge that could be struck, no depth is worth the search but that over its face.
fn iterate<C: Convex<f32> + Support<f32>>(
    shape: &C,
    mover: &Mover<'_>,
    cache: &mut gjk::SimplexCache<f32>,
    entry: &Entry,
    speculative_distance: f32,
    is_smooth: impl Fn() -> bool,
) -> Option<Measured> {
    let (triangle, options) = (&entry.triangle, gjk::GjkOptions::within(speculative_distance));
    match gjk::distance(triangle, shape, mover.pose, cache, &options) {
        gjk::GjkOutcome::Separated { .. } => None,
        gjk::GjkOutcome::Near(found) => Some(Measured { found, how: How::Points }),
        gjk::GjkOutcome::Overlapping if is_smooth() => {
            let out = Side::along(entry.normal, mover.centre - triangle.a).normal;
            let on_b = mover.pose.apply(shape.support(mover.bracket.axes.transposed_times(-out)));
            let distance = out.dot(on_b - triangle.a);
            let found = Proximity { distance, normal: out, on_a: on_b - out * distance, on_b };
            Some(Measured { found, how: How::Face })
        }
        gjk::GjkOutcome::Overlapping => {
            let found = epa::penetration(triangle, shape, mover.pose, cache, options.tolerance);
            Some(Measured { found, how: How::Points })
        }
    }
}

/// A side of a triangle: unit normal outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) normal: Vec3,
    pub(super) is_back: bool,
}

impl Side {
    /// The side that looks along a direction; `front` is the normal of the front.
    #[inline]
    pub(super) fn along(front: Vec3, direction: Vec3) -> Self {
        let is_back = front.dot(direction) < 0.0;
        Self { normal: if is_back { -front } else { front }, is_back }
    }
}

/// The point of a triangle nearest to the centre of a ball, and the part of the triangle it lies
/// on.
#[inline]
pub(super) fn nearest_to_ball(triangle: &Triangle, centre: Vec3) -> (Vec3, Feature) {
    let found = TrianglePoint::nearest(triangle, centre);
    let feature = match found.feature {
        TriangleFeature::Face => Feature::Face,
        TriangleFeature::Edge(edge) => Feature::Edge(usize::from(edge)),
        TriangleFeature::Vertex(corner) => Feature::Corner(usize::from(corner)),
    };
    (found.point, feature)
}

/// A side of a triangle as a support feature.
struct TriangleFacet {
    corners: [Vec3; 3],
    names: [u16; 3],
    sides: [u16; 3],
    normal: Vec3,
    face: u16,
}

impl TriangleFacet {
    #[inline]
    fn new(triangle: &Triangle, Side { normal, is_back }: Side) -> Self {
        let [a, b, c] = triangle.corners();
        if is_back {
            // Backwards, the side that leaves corner 0 is the one that arrives there forwards.
            Self { corners: [a, c, b], names: [0, 2, 1], sides: [2, 1, 0], normal, face: 1 }
        } else {
            Self { corners: [a, b, c], names: [0, 1, 2], sides: [0, 1, 2], normal, face: 0 }
        }
    }

    #[inline]
    fn view(&self) -> SupportFeatureView<'_> {
        SupportFeatureView {
            corners: &self.corners,
            names: &self.names,
            sides: &self.sides,
            face: self.face,
            normal: self.normal,
            radius: 0.0,
            wall: [0.0; 2],
        }
    }
}
