//! Capsules: thick segments.

use super::ray::{cast_solid, first_hit, normal_or_back};
use super::sphere::cast_at_ball;
use super::{Bounded, RayCast, ShapeError, Support, finite, size, stretched};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit, Segment};
use crate::real::{Real, Vector};

/// All points within `radius` of a segment.
///
/// ```
/// use carom_geometry::shape::{Bounded, Capsule};
/// let pill = Capsule::along_z(1.0f32, 0.5)?;
/// assert_eq!(pill.aabb().max, [0.5, 0.5, 1.5]);
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<S: Real = f32> {
    /// The segment, anywhere in the local frame.
    pub segment: Segment<S>,
    /// Radius.
    pub radius: S,
}

impl<S: Real> Capsule<S> {
    /// Capsule round the segment from `a` to `b`; with equal ends it is a ball.
    ///
    /// # Errors
    /// If the radius is negative or a number is not finite.
    pub fn new<V>(a: V, b: V, radius: S) -> Result<Self, ShapeError>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        for coordinate in a.to_array().into_iter().chain(b.to_array()) {
            finite("capsule", "coordinate of an end", coordinate)?;
        }
        Ok(Self { segment: Segment::new(a, b), radius: size("capsule", "radius", radius)? })
    }

    /// Capsule round a segment of length `2 · half_length` along x, centred on the origin; the caps
    /// come on top.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub fn along_x(half_length: S, radius: S) -> Result<Self, ShapeError> {
        Self::along(0, half_length, radius)
    }

    /// The same along y.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub fn along_y(half_length: S, radius: S) -> Result<Self, ShapeError> {
        Self::along(1, half_length, radius)
    }

    /// The same along z.
    ///
    /// # Errors
    /// If a size is negative or not finite.
    pub fn along_z(half_length: S, radius: S) -> Result<Self, ShapeError> {
        Self::along(2, half_length, radius)
    }

    fn along(axis: usize, half_length: S, radius: S) -> Result<Self, ShapeError> {
        let end = S::Vec3::AXES[axis] * size("capsule", "half length", half_length)?;
        Self::new(-end, end, radius)
    }

    /// Half of the length of the segment, without the caps.
    #[must_use]
    pub fn half_length(&self) -> S {
        self.segment.direction().length() * S::HALF
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        self.offset_from_segment(point).length_squared() <= self.radius * self.radius
    }

    /// Distance of a local point from the surface, negative inside.
    #[inline]
    #[must_use]
    pub fn signed_distance(&self, point: S::Vec3) -> S {
        self.offset_from_segment(point).length() - self.radius
    }

    /// The vector from the nearest point of the segment.
    #[inline]
    fn offset_from_segment(&self, point: S::Vec3) -> S::Vec3 {
        let axis = self.segment.direction();
        let from_a = point - self.segment.a;
        let along = from_a.dot(axis);
        let square = axis.length_squared();
        if along <= S::ZERO {
            from_a
        } else if along >= square {
            point - self.segment.b
        } else {
            from_a - axis * (along / square)
        }
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        let pi = S::of(std::f64::consts::PI);
        pi * self.radius * self.radius * (S::TWO * self.half_length() + S::of(4.0 / 3.0) * self.radius)
    }

    /// Area of the surface.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(4.0 * std::f64::consts::PI) * self.radius * (self.half_length() + self.radius)
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Capsule<T> {
        Capsule {
            segment: Segment::new(self.segment.a.to::<T>(), self.segment.b.to::<T>()),
            radius: T::of(self.radius.to_f64()),
        }
    }

    /// The hit of a ray that starts outside.
    #[inline]
    fn cast_from_outside(&self, ray: &Ray<S>, square: S, max: S) -> Option<RayHit<S>> {
        let direction = ray.direction;
        let axis = self.segment.direction();
        let length_squared = axis.length_squared();
        // From the middle of the segment, so that both ends are treated alike.
        let mut origin = ray.origin - (self.segment.a + axis * S::HALF);
        // From far away, first to the point closest to the middle: near-parallel rays magnify
        // rounding errors.
        let mut advanced = S::ZERO;
        if origin.length_squared() > S::of(100.0) * (length_squared + self.radius * self.radius) {
            advanced = -origin.dot(direction) / square;
            origin += direction * advanced;
        }
        // Perpendicular to both lines, as long as the sine between them.
        let common = direction.cross(axis);
        let common_squared = common.length_squared();
        let parallel = S::of(16.0) * S::EPSILON * S::EPSILON * square * length_squared;
        let cap_is_b = if common_squared > parallel {
            let offset = origin.dot(common);
            let rest = self.radius * self.radius * common_squared - offset * offset;
            if rest < S::ZERO {
                return None;
            }
            let inverse = S::ONE / common_squared;
            let root = (length_squared * rest).sqrt();
            let approach = -origin.cross(axis).dot(common);
            let enter = (approach - root) * inverse;
            // Position along the axis times its length, zero in the middle.
            let along = origin.dot(axis) + direction.dot(axis) * enter;
            if along.abs() <= length_squared * S::HALF {
                let scale = advanced.abs() + (approach.abs() + root) * inverse;
                let t = first_hit(advanced + enter, S::MAX, scale, max)?;
                // From the axis to the nearest point of the line, and back along it to the wall.
                let out = common * (offset * length_squared) - axis.cross(common) * root;
                let normal = out * (inverse / (length_squared * self.radius));
                return Some(RayHit { t, normal: normal_or_back::<S>(normal, direction) });
            }
            along > S::ZERO
        } else {
            // Along the axis: only the near cap can be met.
            direction.dot(axis) < S::ZERO
        };
        let cap = if cap_is_b { self.segment.b } else { self.segment.a };
        cast_at_ball(ray.origin - cap, direction, square, self.radius, max)
    }
}

impl<S: Real> Support<S> for Capsule<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        let Segment { a, b } = self.segment;
        let end = if direction.dot(b - a) > S::ZERO { b } else { a };
        end + stretched(direction, self.radius)
    }
}

impl<S: Real> Bounded<S> for Capsule<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let rotation = pose.rotation.to_matrix();
        let half_axis = self.segment.direction() * S::HALF;
        let centre = pose.translation + rotation.times(self.segment.a + half_axis);
        Aabb::around(centre, Vector::abs(rotation.times(half_axis)) + S::Vec3::splat(self.radius))
    }
}

impl<S: Real> RayCast<S> for Capsule<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_solid(
            ray,
            max,
            |point| self.contains_point(point),
            |ray, square, max| self.cast_from_outside(ray, square, max),
        )
    }
}
