//! Casts of balls and capsules without iteration.
//!
//! A ball touches a shape when its centre touches the shape grown by its radius, so its cast is a
//! ray cast against that. A capsule that touches a capsule is a ball that touches the parallelogram
//! of differences of their segments.
//!
//! Sphere and capsule grow to sphere and capsule, which know their rays; the others are in
//! `rounded`.

use carom_geometry::closest::{Span, TrianglePoint};
use carom_geometry::primitive::{Ray, RayHit, Segment, Triangle};
use carom_geometry::shape::{Capsule, Cuboid, HalfSpace, RayCast, Sphere, Tile};
use carom_geometry::{Pose, Real, Vector};
use glam::DVec3;

use super::rounded::{cast_at_rounded_box, cast_at_rounded_polygon};
use super::search::Touch;
use super::{CastHit, CastOptions, Request};
use crate::Convex;

/// A point of a core beside another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearCore {
    /// The point of the core.
    pub on_core: DVec3,
    /// Unit vector from the core to the point asked for, if there is one.
    pub normal: Option<DVec3>,
    /// Distance of the two; below zero if the point asked for is inside a solid core.
    pub distance: f64,
}

impl NearCore {
    #[inline]
    fn between(on_core: DVec3, point: DVec3) -> Self {
        let way = point - on_core;
        Self { on_core, normal: way.unit(), distance: way.length() }
    }
}

/// A shape that a ball can be cast at without iteration: all it takes are rays against the shape
/// grown by a radius.
///
/// Everything is in `f64`, in the frame of the shape. The radius of the shape itself is part of the
/// growth: what grows is its core.
pub trait Grown<S: Real> {
    /// The radius of the shape round its core.
    fn own_radius(&self) -> f64 {
        0.0
    }

    /// Is a point within `radius` of the core?
    fn is_near_core(&self, point: DVec3, radius: f64) -> bool {
        self.near_core(point).distance <= radius
    }

    /// The point of the core nearest to a point.
    fn near_core(&self, point: DVec3) -> NearCore;

    /// The first point of the core grown by `radius` that a ray meets with `t ≤ max`. The ray
    /// starts outside.
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>>;
}

impl<S: Real> Grown<S> for Sphere<S> {
    #[inline]
    fn own_radius(&self) -> f64 {
        self.radius.to_f64()
    }

    #[inline]
    fn is_near_core(&self, point: DVec3, radius: f64) -> bool {
        Sphere { radius }.contains_point(point)
    }

    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        NearCore::between(DVec3::ZERO, point)
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        cast_at_ball(ray, max, radius)
    }
}

impl<S: Real> Grown<S> for Capsule<S> {
    #[inline]
    fn own_radius(&self) -> f64 {
        self.radius.to_f64()
    }

    #[inline]
    fn is_near_core(&self, point: DVec3, radius: f64) -> bool {
        Capsule { radius, ..self.to::<f64>() }.contains_point(point)
    }

    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        let span = Span::from_segment(&self.to::<f64>().segment);
        NearCore::between(span.at(span.parameter_near(point)), point)
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        Capsule { radius, ..self.to::<f64>() }.cast_ray(ray, max)
    }
}

impl<S: Real> Grown<S> for Cuboid<S> {
    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        near_box(self.half.to::<f64>(), point)
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        cast_at_rounded_box(self.half.to::<f64>(), ray, max, radius)
    }
}

impl<S: Real> Grown<S> for Tile<S> {
    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        near_box(tile_half(self), point)
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        cast_at_rounded_box(tile_half(self), ray, max, radius)
    }
}

impl<S: Real> Grown<S> for Triangle<S> {
    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        let [a, b, c] = self.corners().map(Vector::to::<f64>);
        NearCore::between(TrianglePoint::nearest(&Triangle::new(a, b, c), point).point, point)
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        cast_at_rounded_polygon(&self.corners().map(Vector::to::<f64>), ray, max, radius)
    }
}

impl<S: Real> Grown<S> for HalfSpace {
    #[inline]
    fn near_core(&self, point: DVec3) -> NearCore {
        NearCore { on_core: DVec3::new(point.x, 0.0, point.z), normal: Some(DVec3::Y), distance: point.y }
    }

    #[inline]
    fn cast_grown(&self, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
        let (room, closing) = (ray.origin.y - radius, -ray.direction.y);
        (closing > 0.0 && room <= max * closing)
            .then(|| RayHit { t: Real::min(room / closing, max), normal: DVec3::Y })
    }
}

/// The ray at a ball round the origin, as the ball itself has it, but without another look at
/// whether the ray starts inside and, for directions of any but extreme length, without a function
/// between: for two balls that is half of the time.
#[inline]
fn cast_at_ball(ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
    let Ray { origin, direction } = *ray;
    let square = direction.dot(direction);
    if !(square > 1e-100 && square < 1e100) {
        return Sphere { radius }.cast_ray(ray, max);
    }
    let approach = -origin.dot(direction);
    // Across the plane of line and centre: its length tells how far the line passes by, from
    // however far away.
    let moment = origin.cross(direction);
    let rest = radius * radius * square - moment.dot(moment);
    if !(approach > 0.0 && rest >= 0.0) {
        return None;
    }
    let root = rest.sqrt();
    let (inverse, inverse_radius) = (1.0 / square, 1.0 / radius);
    let t = Real::max((approach - root) * inverse, 0.0);
    if t > max {
        return None;
    }
    let normal = (direction.cross(moment) - direction * root) * (inverse * inverse_radius);
    // A ball without size is met against the ray.
    let length = normal.dot(normal);
    let is_unit = length > 0.5 && length < 2.0;
    let normal = if is_unit { normal } else { -direction.unit().unwrap_or(DVec3::Z) };
    Some(RayHit { t, normal })
}

#[inline]
fn tile_half<S: Real>(tile: &Tile<S>) -> DVec3 {
    DVec3::new(tile.half_x.to_f64(), 0.0, tile.half_z.to_f64())
}

/// Casts a ball at a shape: exact, in one step.
#[inline]
pub fn cast_sphere<S: Real, T: Grown<S> + ?Sized>(
    target: &T,
    ball: &Sphere<S>,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    let request = Request::new(pose, displacement, options)?;
    let (centre, radius) = (pose.translation.to::<f64>(), ball.radius.to_f64());
    request.hit_of_ball(target, centre, radius, options)
}

impl Request {
    /// The hit of a ball with its centre in `f64`.
    #[inline]
    fn hit_of_ball<S: Real, T: Grown<S> + ?Sized>(
        &self,
        target: &T,
        centre: DVec3,
        radius: f64,
        options: &CastOptions<S>,
    ) -> Option<CastHit<S>> {
        let radii = [target.own_radius(), radius];
        let reach = radii[0] + radii[1] + self.stop;
        let touch = if target.is_near_core(centre, reach) {
            let near = target.near_core(centre);
            let normal = near.normal.unwrap_or_else(|| self.back());
            started(near.distance, normal, near.on_core)
        } else {
            let ray = Ray::new(centre, self.displacement);
            let hit = target.cast_grown(&ray, self.max, reach)?;
            moved(&hit, ray.at(hit.t) - hit.normal * reach, reach)
        };
        self.hit(&touch, radii, options)
    }
}

/// Casts a capsule at a capsule: exact, in one step.
#[inline]
pub fn cast_capsules<S: Real>(
    target: &Capsule<S>,
    mover: &Capsule<S>,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    let request = Request::new(pose, displacement, options)?;
    let radii = [target.radius.to_f64(), mover.radius.to_f64()];
    let reach = radii[0] + radii[1] + request.stop;
    let still = target.to::<f64>().segment;
    let moving = mover.to::<f64>().segment.posed(&pose.to::<f64>());
    let closest = |t: f64| {
        let shift = request.displacement * t;
        let (on, other) = (
            Span::from_segment(&still),
            Span::from_segment(&Segment::new(moving.a + shift, moving.b + shift)),
        );
        let [u, v] = on.closest_parameters(&other);
        NearCore::between(on.at(u), other.at(v))
    };
    let near = closest(0.0);
    let touch = if near.distance <= reach {
        // Segments that cross are pushed apart across both.
        let across = || still.direction().cross(moving.direction()).unit();
        let normal = near.normal.or_else(across).unwrap_or_else(|| request.back());
        started(near.distance, normal, near.on_core)
    } else {
        let ray = Ray::new(DVec3::ZERO, request.displacement);
        let corners = [still.a - moving.a, still.b - moving.a, still.b - moving.b, still.a - moving.b];
        let hit = cast_at_rounded_polygon(&corners, &ray, request.max, reach)?;
        moved(&hit, closest(hit.t).on_core, reach)
    };
    request.hit(&touch, radii, options)
}

/// Casts a convex shape at a half-space: its deepest point is the one that touches.
#[inline]
pub fn cast_on_half_space<S: Real, B: Convex<S> + ?Sized>(
    mover: &B,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    let request = Request::new(pose, displacement, options)?;
    let pose = pose.to::<f64>();
    let down = pose.rotation.rotate_back(-DVec3::Y);
    let deepest = pose.apply(mover.core_support(down.to::<S>(), &mut 0).to::<f64>());
    request.hit_of_ball(&HalfSpace, deepest, mover.radius().to_f64(), options)
}

/// The touch of a mover that is within reach before it moves.
#[inline]
fn started(cores: f64, normal: DVec3, on_target: DVec3) -> Touch {
    Touch { t: 0.0, cores, normal, on_target, at_start: true, converged: true }
}

/// The touch of a mover that had to move.
#[inline]
fn moved(hit: &RayHit<f64>, on_target: DVec3, reach: f64) -> Touch {
    Touch { t: hit.t, cores: reach, normal: hit.normal, on_target, at_start: false, converged: true }
}

/// The point of a box nearest to a point. Inside the box it is the point of the nearest face.
#[inline]
fn near_box(half: DVec3, point: DVec3) -> NearCore {
    let on_box = Vector::clamp(point, -half, half);
    if on_box != point {
        return NearCore::between(on_box, point);
    }
    let room = half - Vector::abs(point);
    let axis = if room.x <= room.y && room.x <= room.z {
        0
    } else if room.y <= room.z {
        1
    } else {
        2
    };
    let sign = if point[axis] < 0.0 { -1.0 } else { 1.0 };
    let mut on_face = point;
    on_face[axis] = sign * half[axis];
    NearCore { on_core: on_face, normal: Some(DVec3::AXES[axis] * sign), distance: -room[axis] }
}
