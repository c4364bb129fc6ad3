//! Cones.

use super::cylinder::Cylinder;
use super::ray::{back, cast_solid, first_hit, slab};
use super::{
    Bounded, RayCast, ShapeError, Support, disc_extent, is_ordinary_square, round_sizes, stretched,
    stretched_across,
};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Cone with its tip at `z = half_length` and its base at `z = −half_length`. The centre of mass is
/// not the origin but lies at `z = −half_length / 2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone<S: Real = f32> {
    /// Radius of the base.
    pub radius: S,
    /// Half of the distance from base to tip.
    pub half_length: S,
}

impl<S: Real> Cone<S> {
    /// Cone along z, with its tip at positive z, of half its height and the radius of its base.
    /// [`along_y`](Cone::along_y) and its siblings turn it.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn new(half_length: S, radius: S) -> Result<Self, ShapeError> {
        let (half_length, radius) = round_sizes("cone", half_length, radius)?;
        Ok(Self { radius, half_length })
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        let height = S::TWO * self.half_length;
        let (x, y) = (point.x(), point.y());
        let below_tip = self.half_length - point.z();
        if height > S::ZERO {
            let allowed = self.radius * below_tip / height;
            x * x + y * y <= allowed * allowed && point.z().abs() <= self.half_length
        } else {
            x * x + y * y <= self.radius * self.radius && point.z() == S::ZERO
        }
    }

    /// Distance from the rim of the base to the tip.
    #[must_use]
    pub fn slant(&self) -> S {
        let height = S::TWO * self.half_length;
        (self.radius * self.radius + height * height).sqrt()
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(2.0 / 3.0 * std::f64::consts::PI) * self.radius * self.radius * self.half_length
    }

    /// Area of the wall and the base.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(std::f64::consts::PI) * self.radius * (self.radius + self.slant())
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Cone<T> {
        Cone { radius: T::of(self.radius.to_f64()), half_length: T::of(self.half_length.to_f64()) }
    }

    /// Support along directions that are parallel to the axis, extremely long or short, or none.
    #[cold]
    #[inline(never)]
    fn support_extreme(&self, direction: S::Vec3) -> S::Vec3 {
        let direction = direction.unit().unwrap_or(S::Vec3::AXES[2]);
        let rim = stretched_across(direction, self.radius);
        let height = S::TWO * self.half_length;
        if direction.z() * height > rim.x() * direction.x() + rim.y() * direction.y() {
            S::Vec3::new(S::ZERO, S::ZERO, self.half_length)
        } else {
            S::Vec3::new(rim.x(), rim.y(), -self.half_length)
        }
    }

    /// The hit of a ray that starts outside.
    #[inline]
    fn cast_from_outside(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let Self { radius, half_length } = *self;
        if half_length <= S::ZERO {
            return Cylinder { radius, half_length }.cast_from_outside(ray, max);
        }
        let (o, d) = (ray.origin, ray.direction);
        let ends = slab(o.z(), d.z(), half_length);
        let across_squared = d.x() * d.x() + d.y() * d.y();
        // The equations are set up at the point closest to the axis among those between base and
        // tip: there no number exceeds the size of the cone, or the ray passes by.
        let closest = -(o.x() * d.x() + o.y() * d.y()) / across_squared;
        let start =
            if across_squared > S::MIN_POSITIVE { Real::clamp(closest, ends.0, ends.1) } else { ends.0 };
        let (x, y) = (o.x() + d.x() * start, o.y() + d.y() * start);
        let from_axis_squared = x * x + y * y;
        if from_axis_squared > radius * radius || ends.0 > ends.1 {
            return None;
        }
        let below_tip = Real::clamp(half_length - (o.z() + d.z() * start), S::ZERO, S::TWO * half_length);
        let slope = radius / (S::TWO * half_length);
        let wall = Wall {
            square: across_squared - slope * slope * d.z() * d.z(),
            linear: x * d.x() + y * d.y() + slope * slope * below_tip * d.z(),
            constant: from_axis_squared - slope * slope * below_tip * below_tip,
        };
        let (wall_enter, wall_leave) = wall.inside(d.z())?;
        let (enter_end, leave_end) = (ends.0 - start, ends.1 - start);
        let enter = Real::max(wall_enter, enter_end);
        let leave = Real::min(wall_leave, leave_end);
        if enter > leave {
            return None;
        }
        let t = first_hit(start + enter, start + leave, start.abs() + enter.abs(), max)?;
        let normal = if enter_end >= wall_enter {
            // Through the base, or exactly through the tip.
            S::Vec3::new(S::ZERO, S::ZERO, d.z().sign_of(-S::ONE))
        } else {
            let (x, y) = (x + d.x() * enter, y + d.y() * enter);
            let from_axis = (x * x + y * y).sqrt();
            // Along z at the tip.
            if radius > S::ZERO {
                stretched(S::Vec3::new(x, y, from_axis * slope), S::ONE)
            } else {
                back::<S>(d)
            }
        };
        Some(RayHit { t, normal })
    }
}

/// `square · s² + 2 · linear · s + constant`: negative where the line is inside the double cone.
struct Wall<S> {
    square: S,
    linear: S,
    constant: S,
}

impl<S: Real> Wall<S> {
    /// The interval of `s` inside the lower of the two cones, as far as it is below the tip. `rise`
    /// is the z component of the direction.
    #[inline]
    fn inside(&self, rise: S) -> Option<(S, S)> {
        let discriminant = self.linear * self.linear - self.square * self.constant;
        let shallow = self.square > S::ZERO;
        if shallow && discriminant < S::ZERO {
            return None;
        }
        // A steep line always crosses the cone: a negative discriminant is rounding.
        let root = Real::max(discriminant, S::ZERO).sqrt();
        // The sum of two numbers of the same sign: the roots are q / square and constant / q, and
        // neither cancels.
        let q = -(self.linear + self.linear.sign_of(root));
        let other = if q == S::ZERO { S::ZERO } else { self.constant / q };
        if self.square == S::ZERO {
            return Some(if rise < S::ZERO { (other, S::MAX) } else { (-S::MAX, other) });
        }
        let first = q / self.square;
        let (low, high) = if first < other { (first, other) } else { (other, first) };
        if shallow {
            Some((low, high))
        } else if rise < S::ZERO {
            // The steep line is in the upper cone before `low` and in the lower one after `high`.
            Some((high, S::MAX))
        } else {
            Some((-S::MAX, low))
        }
    }
}

impl<S: Real> Support<S> for Cone<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        let (x, y, z) = (direction.x(), direction.y(), direction.z());
        let height = S::TWO * self.half_length;
        let square = x * x + y * y;
        if !is_ordinary_square(square) {
            return self.support_extreme(direction);
        }
        let across = square.sqrt();
        // Factors instead of a branch, which random directions would make unpredictable.
        let to_tip = z * height > self.radius * across;
        let reach = if to_tip { S::ZERO } else { self.radius };
        let drop = if to_tip { S::ZERO } else { height };
        let factor = reach / across;
        S::Vec3::new(x * factor, y * factor, self.half_length - drop)
    }
}

impl<S: Real> Bounded<S> for Cone<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let axis = pose.rotation.to_matrix().columns[2];
        let to_tip = axis * self.half_length;
        let (tip, base) = (pose.translation + to_tip, pose.translation - to_tip);
        Aabb::around(base, disc_extent::<S>(axis) * self.radius).with_point(tip)
    }
}

impl<S: Real> RayCast<S> for Cone<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        cast_solid(
            ray,
            max,
            |point| self.contains_point(point),
            |ray, _, max| self.cast_from_outside(ray, max),
        )
    }
}
