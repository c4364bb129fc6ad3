//! Cores: what is left of a convex shape when some of its border is taken off.
//!
//! A body that lies on something, or slides along it, touches it all the time, and a sweep of its
//! whole shape would end where it began. Its core is clear of what the shape only touches: a core
//! that meets something is a shape that goes deep.
//!
//! Balls, capsules, boxes and cylinders are worn away evenly, and so are cones: a cone worn away is
//! a smaller cone about the same inscribed ball. Ellipsoids lose the depth from each radius.
//! Polytopes are scaled about a point inside, which takes the depth from their nearest face and
//! more from their ends, and flat shapes within their plane; these two are not
//! [even](Core::is_even).
//!
//! Invariant: a core lies within its shape, and no nearer to the border than its depth if it is
//! even or that of a polytope (of an ellipsoid, along its axes). Nothing is allocated.

use carom_geometry::shape::{Bounded, Capsule, Cuboid, Cylinder, Ellipsoid, Planar, Shape, Sphere};
use carom_geometry::{Aabb, Real};
use glam::Vec3;

use crate::Convex;
use crate::support_feature::solid_of;

/// A ball in a convex shape: the largest one, or, in polytopes, the largest one about the mean of
/// the vertices. A point in shapes without thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerBall {
    /// Its centre, in the frame of the shape.
    pub centre: Vec3,
    /// Its radius.
    pub radius: f32,
}

impl InnerBall {
    /// The ball in a shape; `None` in half-spaces, surfaces and compounds.
    #[must_use]
    pub fn of(shape: &Shape) -> Option<Self> {
        let centre = solid_of(shape)?.centre();
        let at_centre = |radius| Some(Self { centre, radius });
        match shape {
            Shape::Sphere(ball) => at_centre(ball.radius),
            Shape::Capsule(capsule) => at_centre(capsule.radius),
            Shape::Cuboid(cuboid) => at_centre(cuboid.half.min_element()),
            Shape::Cylinder(cylinder) => at_centre(Real::min(cylinder.radius, cylinder.half_length)),
            Shape::Ellipsoid(ellipsoid) => at_centre(ellipsoid.radii.min_element()),
            Shape::Cone(cone) => {
                // The circle in the triangle that a plane through the axis cuts out.
                let around = cone.radius + cone.slant();
                let radius = if around > 0.0 { cone.radius * (2.0 * cone.half_length) / around } else { 0.0 };
                Some(Self { centre: Vec3::new(0.0, 0.0, radius - cone.half_length), radius })
            }
            Shape::Planar(figure) => at_centre(figure.inner_disc().1),
            Shape::Polytope(hull) => {
                let nearest = hull
                    .planes()
                    .iter()
                    .fold(f32::INFINITY, |nearest, plane| Real::min(-plane.signed_distance(centre), nearest));
                at_centre(Real::max(nearest, 0.0))
            }
            _ => at_centre(0.0),
        }
    }
}

/// Is a shape a surface, or convex and flat?
#[must_use]
pub(crate) fn has_no_thickness(shape: &Shape) -> bool {
    match shape {
        Shape::Mesh(_) | Shape::HeightField(_) => true,
        // Hulls have a volume.
        Shape::Polytope(_) => false,
        _ => InnerBall::of(shape).is_some_and(|ball| ball.radius == 0.0),
    }
}

/// What is left of a convex shape.
pub struct Core<'s> {
    kind: Kind<'s>,
    bounds: Aabb<3>,
}

enum Kind<'s> {
    Whole(&'s dyn Convex<f32>),
    Ball(Sphere),
    Capsule(Capsule),
    Box(Cuboid),
    Cylinder(Cylinder),
    Ellipsoid(Ellipsoid),
    Figure(Planar),
    Scaled(&'s dyn Convex<f32>, InnerBall, f32),
}

impl<'s> Core<'s> {
    /// The whole of a shape; `None` of half-spaces, surfaces and compounds.
    #[must_use]
    pub fn whole(shape: &'s Shape) -> Option<Self> {
        Some(Self { kind: Kind::Whole(solid_of(shape)?), bounds: shape.aabb() })
    }

    /// The core of a shape with this ball in it: smaller by a part, in [0, 1], of the radius of the
    /// ball. Of flat shapes the same part of their size is taken off in their plane. `None` as for
    /// the [whole](Self::whole).
    #[must_use]
    pub fn new(shape: &'s Shape, ball: &InnerBall, part: f32) -> Option<Self> {
        let depth = part * ball.radius;
        let kind = match *shape {
            Shape::Planar(ref figure) => Kind::Figure(figure.shrunk(depth)),
            Shape::Sphere(Sphere { radius }) => Kind::Ball(Sphere { radius: radius - depth }),
            Shape::Capsule(Capsule { radius, segment }) => {
                Kind::Capsule(Capsule { radius: radius - depth, segment })
            }
            Shape::Cuboid(Cuboid { half }) => Kind::Box(Cuboid { half: half - Vec3::splat(depth) }),
            Shape::Cylinder(Cylinder { radius, half_length }) => {
                Kind::Cylinder(Cylinder { radius: radius - depth, half_length: half_length - depth })
            }
            Shape::Ellipsoid(Ellipsoid { radii }) => {
                Kind::Ellipsoid(Ellipsoid { radii: radii - Vec3::splat(depth) })
            }
            _ => Kind::Scaled(solid_of(shape)?, *ball, 1.0 - part),
        };
        Some(Self { kind, bounds: shape.aabb() })
    }

    /// Are the cores of a shape taken off evenly, so that its ends reach as far as they can?
    #[must_use]
    pub fn is_even(shape: &Shape) -> bool {
        !matches!(
            shape,
            Shape::Polytope(_) | Shape::Tile(_) | Shape::Triangle(_) | Shape::Planar(Planar::Polygon(_))
        )
    }

    /// A box round it, in the frame of the shape.
    pub(super) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    fn solid(&self) -> &dyn Convex<f32> {
        match &self.kind {
            Kind::Whole(solid) | Kind::Scaled(solid, ..) => *solid,
            Kind::Ball(ball) => ball,
            Kind::Capsule(capsule) => capsule,
            Kind::Box(cuboid) => cuboid,
            Kind::Cylinder(cylinder) => cylinder,
            Kind::Ellipsoid(ellipsoid) => ellipsoid,
            Kind::Figure(figure) => figure,
        }
    }
}

impl Convex<f32> for Core<'_> {
    fn core_support(&self, direction: Vec3, hint: &mut u32) -> Vec3 {
        let support = self.solid().core_support(direction, hint);
        match self.kind {
            Kind::Scaled(_, InnerBall { centre, .. }, factor) => centre + (support - centre) * factor,
            _ => support,
        }
    }

    fn radius(&self) -> f32 {
        match self.kind {
            Kind::Scaled(solid, _, factor) => solid.radius() * factor,
            _ => self.solid().radius(),
        }
    }

    fn centre(&self) -> Vec3 {
        match self.kind {
            Kind::Scaled(_, InnerBall { centre, .. }, _) => centre,
            _ => self.solid().centre(),
        }
    }
}
