//! Casts of any shape at any shape.
//!
//! The [dispatch table](crate::dispatch) chooses the fastest way for the kinds. A mover that is
//! easier to hit than to throw (a half-space, a mesh) rests while the target moves the other way.
//! Compounds are cast child by child, with the best time so far as limit.

use carom_geometry::bounds::Aabb;
use carom_geometry::shape::{Bounded, Compound, HalfSpace, Planar, Shape, Sphere};
use carom_geometry::{Pose, Vector};
use glam::Vec3;

use super::surface::first_of_surface;
use super::{CastHit, CastOptions, Surface, cast, cast_capsules, cast_on_half_space, cast_sphere};
use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::planar;
use crate::support_feature::solid_of;

/// The first touch of two shapes, and which of their parts touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeCastHit {
    /// When, where and how.
    pub hit: CastHit,
    /// Triangle of the target, or child if it is a compound (the outermost).
    pub target_part: Option<u32>,
    /// The same of the mover.
    pub mover_part: Option<u32>,
}

/// Casts a shape at another: the mover starts at `pose` in the frame of the target and moves by
/// `displacement`.
///
/// Meshes and height fields are surfaces; everything else is solid. Compounds and surfaces that
/// move at each other cost a cast per part. Two half-spaces overlap unless they face each other,
/// with a depth that is not told.
///
/// ```
/// use carom_geometry::Pose;
/// use carom_geometry::shape::{HalfSpace, Shape, Sphere};
/// use carom_narrowphase::cast::{CastOptions, cast_shape};
/// use glam::Vec3;
/// let (ground, ball) = (Shape::from(HalfSpace), Shape::from(Sphere::new(0.5)?));
/// let pose = Pose::at(Vec3::new(0.0, 2.5, 0.0));
/// let (displacement, options) = (Vec3::new(1.0, -4.0, 0.0), CastOptions::default());
/// let found = cast_shape(&ground, &ball, &pose, displacement, &options).unwrap();
/// assert_eq!((found.hit.fraction, found.hit.normal), (0.5, Vec3::Y));
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[must_use]
pub fn cast_shape(
    target: &Shape,
    mover: &Shape,
    pose: &Pose,
    displacement: Vec3,
    options: &CastOptions,
) -> Option<ShapeCastHit> {
    let query = Query { target, mover, pose, displacement };
    match algorithm_for(Question::Cast, target, mover) {
        Algorithm::Children => match (target, mover) {
            (_, Shape::Compound(compound)) => query.child_by_child(compound, options),
            (Shape::Compound(compound), _) => query.at_children(compound, options),
            _ => None,
        },
        Algorithm::TriangleByTriangle => match mover {
            Shape::Mesh(mesh) => query.triangle_by_triangle(&**mesh, options),
            Shape::HeightField(field) => query.triangle_by_triangle(&**field, options),
            _ => query.swapped(options),
        },
        Algorithm::Surface => match target {
            Shape::Mesh(mesh) => query.at_surface(&**mesh, options),
            Shape::HeightField(field) => query.at_surface(&**field, options),
            _ => query.swapped(options),
        },
        Algorithm::HalfSpaces => query.between_half_spaces(options),
        Algorithm::HalfSpaceSupport => query.on_half_space(options),
        Algorithm::RoundedRay => query.by_rounded_ray(options),
        Algorithm::PlaneGeometry => query.in_plane(options),
        _ => query.by_gjk_ray(options),
    }
}

#[derive(Clone, Copy)]
struct Query<'q> {
    target: &'q Shape,
    mover: &'q Shape,
    pose: &'q Pose,
    displacement: Vec3,
}

/// The best hit so far, and the options for what may be better.
struct Best {
    found: Option<ShapeCastHit>,
    options: CastOptions,
}

impl Best {
    fn none(options: &CastOptions) -> Self {
        Self { found: None, options: *options }
    }

    /// Takes a hit into account; of equal ones that of the lowest parts counts.
    fn offer(&mut self, hit: Option<ShapeCastHit>) {
        let Some(hit) = hit else { return };
        let key = |h: &ShapeCastHit| (h.target_part, h.mover_part);
        let is_first = self.found.is_none_or(|best| {
            let (new, old) = (hit.hit.fraction, best.hit.fraction);
            new < old || new == old && key(&hit) < key(&best)
        });
        if is_first {
            self.found = Some(hit);
            self.options.max_fraction = hit.hit.fraction;
        }
    }
}

impl Query<'_> {
    fn swapped(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let back = self.pose.rotation.rotate_back(-self.displacement);
        let found = cast_shape(self.mover, self.target, &self.pose.inverse(), back, options)?;
        let hit = found.hit.swapped(self.pose, self.displacement);
        Some(ShapeCastHit { hit, target_part: found.mover_part, mover_part: found.target_part })
    }

    /// The mover is a compound.
    fn child_by_child(&self, compound: &Compound, options: &CastOptions) -> Option<ShapeCastHit> {
        let mut best = Best::none(options);
        compound.for_each_in_box(&self.target_seen_by_mover(options), |number| {
            let child = &compound.children()[number as usize];
            let pose = *self.pose * child.pose;
            let found = cast_shape(self.target, &child.shape, &pose, self.displacement, &best.options);
            best.offer(found.map(|hit| ShapeCastHit { mover_part: Some(number), ..hit }));
        });
        best.found
    }

    /// The target is a compound.
    fn at_children(&self, compound: &Compound, options: &CastOptions) -> Option<ShapeCastHit> {
        let region = swept(&self.mover.aabb_at(self.pose), self.displacement, options.stop_distance);
        let mut best = Best::none(options);
        compound.for_each_in_box(&region, |number| {
            let child = &compound.children()[number as usize];
            let pose = child.pose.relative(self.pose);
            let displacement = child.pose.rotation.rotate_back(self.displacement);
            let found = cast_shape(&child.shape, self.mover, &pose, displacement, &best.options);
            best.offer(found.map(|inner| {
                let normal = child.pose.rotation.rotate(inner.hit.normal);
                let hit = CastHit { normal, point: child.pose.apply(inner.hit.point), ..inner.hit };
                ShapeCastHit { hit, target_part: Some(number), ..inner }
            }));
        });
        best.found
    }

    /// The mover is a surface and the target is no convex shape either.
    fn triangle_by_triangle<T: Surface>(&self, surface: &T, options: &CastOptions) -> Option<ShapeCastHit> {
        let mut best = Best::none(options);
        surface.for_each_in_box(&self.target_seen_by_mover(options), |number| {
            let triangle = Shape::Triangle(surface.triangle(number));
            let found = cast_shape(self.target, &triangle, self.pose, self.displacement, &best.options);
            best.offer(found.map(|hit| ShapeCastHit { mover_part: Some(number), ..hit }));
        });
        best.found
    }

    /// Where the target can come to, seen by a mover that rests.
    fn target_seen_by_mover(&self, options: &CastOptions) -> Aabb<3> {
        let bounds = self.target.aabb_at(&self.pose.inverse());
        swept(&bounds, self.pose.rotation.rotate_back(-self.displacement), options.stop_distance)
    }

    /// The target is a surface and the mover convex.
    fn at_surface<T: Surface>(&self, surface: &T, options: &CastOptions) -> Option<ShapeCastHit> {
        let Self { mover, pose, displacement, .. } = *self;
        let bounds = mover.aabb_at(pose);
        let found = if let Shape::Sphere(ball) = mover {
            first_of_surface(surface, &bounds, displacement, options, |triangle, options| {
                cast_sphere(triangle, ball, pose, displacement, options)
            })
        } else {
            let mover = solid_of(mover)?;
            first_of_surface(surface, &bounds, displacement, options, |triangle, options| {
                cast(triangle, mover, pose, displacement, options)
            })
        }?;
        Some(ShapeCastHit { hit: found.hit, target_part: Some(found.triangle), mover_part: None })
    }

    /// One of the two is a half-space, the other convex.
    fn on_half_space(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let Self { target, mover, pose, displacement } = *self;
        let hit = match (target, mover) {
            (Shape::HalfSpace(_), Shape::Cuboid(m)) => cast_on_half_space(m, pose, displacement, options),
            (Shape::HalfSpace(_), Shape::Capsule(m)) => cast_on_half_space(m, pose, displacement, options),
            (Shape::HalfSpace(_), Shape::Sphere(m)) => cast_on_half_space(m, pose, displacement, options),
            (Shape::HalfSpace(_), _) => cast_on_half_space(solid_of(mover)?, pose, displacement, options),
            _ => return self.swapped(options),
        };
        hit.map(whole)
    }

    /// A sphere and a shape that can be grown by its radius, or two capsules.
    fn by_rounded_ray(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let Self { target, mover, pose, displacement } = *self;
        let hit = match (target, mover) {
            (Shape::Sphere(t), Shape::Sphere(m)) => cast_sphere(t, m, pose, displacement, options),
            (Shape::Capsule(t), Shape::Sphere(m)) => cast_sphere(t, m, pose, displacement, options),
            (Shape::Tile(t), Shape::Sphere(m)) => cast_sphere(t, m, pose, displacement, options),
            (Shape::Cuboid(t), Shape::Sphere(m)) => cast_sphere(t, m, pose, displacement, options),
            (Shape::Triangle(t), Shape::Sphere(m)) => cast_sphere(t, m, pose, displacement, options),
            (Shape::Capsule(t), Shape::Capsule(m)) => cast_capsules(t, m, pose, displacement, options),
            _ => return self.swapped(options),
        };
        hit.map(whole)
    }

    /// Two figures of the plane, or one and a ball.
    fn in_plane(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let Self { target, mover, pose, displacement } = *self;
        let found = match (target, mover) {
            (Shape::Planar(t), Shape::Planar(m)) => planar::cast(t, m, pose, displacement, options),
            // A ball with its centre in the plane is a disc.
            (Shape::Planar(t), Shape::Sphere(m)) if pose.translation.z == 0.0 => {
                let (disc, place) = (Planar::Disc { radius: m.radius }, Pose::at(pose.translation));
                planar::cast(t, &disc, &place, displacement, options)
            }
            (Shape::Sphere(_), Shape::Planar(_)) => return self.swapped(options),
            _ => None,
        };
        if let Some(found) = found {
            return found.map(whole);
        }
        self.by_gjk_ray(options)
    }

    /// Both are convex and bounded. Frequent pairs are compiled apart.
    fn by_gjk_ray(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let Self { target, mover, pose, displacement } = *self;
        let hit = match (target, mover) {
            (Shape::Cuboid(t), Shape::Cuboid(m)) => cast(t, m, pose, displacement, options),
            (Shape::Polytope(t), Shape::Polytope(m)) => cast(&**t, &**m, pose, displacement, options),
            (Shape::Polytope(t), Shape::Cuboid(m)) => cast(&**t, m, pose, displacement, options),
            (Shape::Triangle(t), Shape::Cuboid(m)) => cast(t, m, pose, displacement, options),
            _ => cast(solid_of(target)?, solid_of(mover)?, pose, displacement, options),
        };
        hit.map(whole)
    }

    fn between_half_spaces(&self, options: &CastOptions) -> Option<ShapeCastHit> {
        let facing = self.pose.rotation.rotate(Vec3::Y) + Vec3::Y;
        let at_surface = Pose::at(self.pose.translation);
        let hit = cast_sphere(&HalfSpace, &Sphere { radius: 0.0 }, &at_surface, self.displacement, options);
        let hit = if Vector::length_squared(facing) <= f32::EPSILON {
            hit?
        } else {
            let (normal, point) = (Vec3::Y, Vec3::ZERO);
            let rest =
                CastHit { fraction: 0.0, normal, point, distance: 0.0, at_start: true, converged: true };
            (self.pose.is_finite() && Vector::is_finite(self.displacement)).then_some(rest)?
        };
        Some(whole(hit))
    }
}

/// A hit of two shapes without parts.
fn whole(hit: CastHit) -> ShapeCastHit {
    ShapeCastHit { hit, target_part: None, mover_part: None }
}

/// The box round a box that moves, with room round it and for rounding.
fn swept(bounds: &Aabb<3>, displacement: Vec3, room: f32) -> Aabb<3> {
    let [low, high] = [bounds.low(), bounds.high()];
    let moved = Aabb { min: (low + displacement).to_array(), max: (high + displacement).to_array() };
    let largest = Vector::max(Vector::abs(low), Vector::abs(high)) + Vector::abs(displacement);
    bounds.union(&moved).grown(room + 8.0 * f32::EPSILON * largest.max_element())
}
