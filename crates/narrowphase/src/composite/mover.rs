//! The convex body of a contact with a surface: what of it is worked out once per call, and how it lies to one triangle.

use carom_geometry::bounds::Aabb;
use carom_geometry::closest::{Span, TriangleFeature, TrianglePoint};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Bounded, Shape, Support};
use carom_geometry::{Pose, Vector};
use glam::Vec3;

use super::axes::{Bracket, FACE};
use super::ghost::Feature;
use super::list::Entry;
use crate::facet::{Facet, FacetView, Faceted};
use crate::manifold::{Manifold, Part, contact, face_contact};
use crate::{Convex, FeatureId, Proximity, closed};

/// How a body is measured against a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// By the point of the triangle nearest to the centre.
    Ball {
        /// Its radius.
        radius: f32,
    },
    /// By separating axes.
    Box,
    /// By formula or iteration.
    Other,
}

/// A convex shape in the frame of a surface.
pub(super) struct Mover<'a> {
    pub(super) shape: &'a Shape,
    pub(super) place: &'a Pose,
    pub(super) kind: Kind,
    pub(super) bracket: Bracket,
    /// Box along the axes of the surface.
    pub(super) bounds: Aabb<3>,
    /// A point well inside: on which side of a triangle it lies is on which side the body is.
    pub(super) centre: Vec3,
}

/// The facet used last.
#[derive(Clone, Debug, Default)]
pub(super) struct FacetMemory {
    facet: Facet,
    /// Direction that the facet looks along, in the frame of the surface; null: none yet.
    direction: Vec3,
}

impl FacetMemory {
    /// To be called when shape or place have changed.
    pub(super) fn clear(&mut self) {
        self.direction = Vec3::ZERO;
    }
}

impl<'a> Mover<'a> {
    /// `None` if the shape is not convex and bounded, or the place not finite.
    pub(super) fn new(shape: &'a Shape, place: &'a Pose) -> Option<Self> {
        let (kind, centre) = match shape {
            Shape::Sphere(ball) => (Kind::Ball { radius: ball.radius }, Vec3::ZERO),
            Shape::Cuboid(_) | Shape::Tile(_) => (Kind::Box, Vec3::ZERO),
            Shape::Capsule(s) => (Kind::Other, Convex::<f32>::centre(s)),
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => (Kind::Other, Vec3::ZERO),
            Shape::Triangle(s) => (Kind::Other, Convex::<f32>::centre(s)),
            Shape::Polytope(s) => (Kind::Other, Convex::<f32>::centre(&**s)),
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
        };
        if !place.is_finite() {
            return None;
        }
        let axes = place.rotation.to_matrix();
        let (bracket, bounds) = if let Kind::Ball { radius } = kind {
            let half = Vec3::splat(radius);
            (Bracket { axes, centre: place.translation, half }, Aabb::around(place.translation, half))
        } else {
            let local = shape.aabb();
            let middle = place.translation + axes.times(local.centre());
            (Bracket { axes, centre: middle, half: local.half() }, shape.aabb_at(place))
        };
        Some(Self { shape, place, kind, bracket, bounds, centre: place.translation + axes.times(centre) })
    }

    /// The facet that looks along a direction in the frame of the surface, in that frame.
    #[inline]
    fn facet<'m>(&self, memory: &'m mut FacetMemory, direction: Vec3) -> FacetView<'m> {
        if memory.direction != direction {
            let local = self.bracket.axes.transposed_times(direction);
            let facet = &mut memory.facet;
            match self.shape {
                Shape::Sphere(s) => s.facet(local, facet),
                Shape::Capsule(s) => s.facet(local, facet),
                Shape::Tile(s) => s.facet(local, facet),
                Shape::Cuboid(s) => s.facet(local, facet),
                Shape::Cylinder(s) => s.facet(local, facet),
                Shape::Cone(s) => s.facet(local, facet),
                Shape::Ellipsoid(s) => s.facet(local, facet),
                Shape::Triangle(s) => s.facet(local, facet),
                Shape::Polytope(s) => s.facet(local, facet),
                // Not bounded and convex: never made a mover.
                Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => {}
            }
            facet.pose(self.place);
            memory.direction = direction;
        }
        memory.facet.view()
    }

    /// Contact points over the face of a triangle, along its unit normal `out` on the side of the body: the facet of the body
    /// cut to the triangle.
    pub(super) fn over_face(
        &self,
        memory: &mut FacetMemory,
        triangle: &Triangle,
        out: Vec3,
        is_back: bool,
        margin: f32,
    ) -> Manifold {
        let incident = self.facet(memory, -out);
        let face = TriangleFacet::new(triangle, out, is_back);
        face_contact(face.view(), incident, out, false, self.place, margin, &Manifold::default())
    }

    /// Contact points along the axis with a code, of a body that is a box.
    pub(super) fn box_contact(
        &self,
        memory: &mut FacetMemory,
        triangle: &Triangle,
        (code, axis, gap): (u32, Vec3, f32),
        face: Vec3,
        margin: f32,
    ) -> Manifold {
        if let Some((edge, [from, to])) = self.bracket.edges_of(code, axis) {
            let side = Span::from_segment(&triangle.edges()[edge]);
            let other = Span::from_segment(&Segment::new(from, to));
            let on_a = side.at(side.closest_parameters(&other)[0]);
            let found = Proximity { distance: gap, normal: axis, on_a, on_b: on_a + axis * gap };
            let name = FeatureId::new(Part::Edge(edge as u16), Part::Edge(code as u16));
            return Manifold::of_proximity(&found, self.place, name);
        }
        let is_back = face.dot(axis) < 0.0;
        let facet = TriangleFacet::new(triangle, if is_back { -face } else { face }, is_back);
        let reference = self.facet(memory, -axis);
        if reference.corners.len() < 3 {
            return self.over_face(memory, triangle, axis, is_back, margin);
        }
        face_contact(reference, facet.view(), -axis, true, self.place, margin, &Manifold::default())
    }

    /// Contact points from the closest or deepest points.
    pub(super) fn contact(
        &self,
        memory: &mut FacetMemory,
        triangle: &Triangle,
        face: Vec3,
        found: &Proximity,
        margin: f32,
    ) -> Manifold {
        let is_back = face.dot(found.normal) < 0.0;
        let facet = TriangleFacet::new(triangle, if is_back { -face } else { face }, is_back);
        let other = self.facet(memory, -found.normal);
        contact(facet.view(), other, found, self.place, margin, &Manifold::default())
    }

    /// Contact points of a triangle as it was measured, whatever the surface allows.
    pub(super) fn as_measured(
        &self,
        memory: &mut FacetMemory,
        entry: &Entry,
        code: u32,
        found: &Proximity,
        margin: f32,
    ) -> Manifold {
        if self.kind != Kind::Box {
            return self.contact(memory, &entry.triangle, entry.normal, found, margin);
        }
        let manifold = if code == FACE {
            let is_back = entry.normal.dot(found.normal) < 0.0;
            self.over_face(memory, &entry.triangle, found.normal, is_back, margin)
        } else {
            self.box_contact(
                memory,
                &entry.triangle,
                (code, found.normal, found.distance),
                entry.normal,
                margin,
            )
        };
        if !manifold.is_empty() {
            return manifold;
        }
        // Clipped away by rounding: the corner of the triangle that is deepest.
        let deepest = entry.triangle.support(found.normal);
        let point = Proximity { on_a: deepest, on_b: deepest + found.normal * found.distance, ..*found };
        Manifold::of_proximity(&point, self.place, FeatureId::CLOSEST)
    }

    /// How far the body reaches from its centre along a unit vector, at most.
    #[inline]
    pub(super) fn reach(&self, along: Vec3) -> f32 {
        Vector::abs(self.bracket.axes.transposed_times(along)).dot(self.bracket.half)
    }

    /// How a triangle and the body lie to each other; `None` if they are farther apart than `margin`.
    pub(super) fn measure(&self, triangle: &Triangle, margin: f32) -> Option<Proximity> {
        let found = match self.shape {
            Shape::Capsule(capsule) => closed::triangle_capsule(triangle, capsule, self.place),
            Shape::Triangle(other) => closed::triangle_triangle(triangle, other, self.place),
            _ => return None,
        };
        (found.distance <= margin).then_some(found)
    }
}

/// The point of a triangle nearest to the centre of a ball, and the part of the triangle it lies on.
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

/// A side of a triangle as a facet.
struct TriangleFacet {
    corners: [Vec3; 3],
    names: [u16; 3],
    sides: [u16; 3],
    normal: Vec3,
    face: u16,
}

impl TriangleFacet {
    #[inline]
    fn new(triangle: &Triangle, normal: Vec3, is_back: bool) -> Self {
        let [a, b, c] = triangle.corners();
        if is_back {
            // Backwards, the side that leaves corner 0 is the one that arrives there forwards.
            Self { corners: [a, c, b], names: [0, 2, 1], sides: [2, 1, 0], normal, face: 1 }
        } else {
            Self { corners: [a, b, c], names: [0, 1, 2], sides: [0, 1, 2], normal, face: 0 }
        }
    }

    #[inline]
    fn view(&self) -> FacetView<'_> {
        FacetView {
            corners: &self.corners,
            names: &self.names,
            sides: &self.sides,
            face: self.face,
            normal: self.normal,
            radius: 0.0,
        }
    }
}
