//! One source for `f32` and `f64`: the scalar and the vector that geometric code is generic over.
//!
//! The engine runs in `f32`; oracles, hull building and mass integrals run the same code in `f64`.
//! [`Real`] is either scalar and [`Vector`] the glam vector that belongs to it, so public functions
//! speak glam and generic code reads like ordinary code. Structures take the scalar as a parameter
//! that defaults to `f32`: `Segment` is `Segment<f32>`. Constructors take `V: Vector<Scalar = S>`
//! rather than `S::Vec3`: that lets the compiler find the scalar from the vectors.
//!
//! Every operation here is exact or correctly rounded by IEEE 754, hence the same bits on every
//! platform. That is why minimum and maximum are spelt out: the standard library leaves the sign of
//! `min(0.0, -0.0)` open.

use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign};

use carom_core::trig;
use glam::{DVec3, Vec3};

use crate::intersect::ray;
use crate::{rotation, simd};

/// `f32` or `f64`.
pub trait Real:
    Copy
    + PartialOrd
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// The glam vector of three such numbers.
    type Vec3: Vector<Scalar = Self>;

    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// ½.
    const HALF: Self;
    /// Distance from 1 to the next larger number.
    const EPSILON: Self;
    /// Largest finite number.
    const MAX: Self;
    /// Smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// +∞.
    const INFINITY: Self;
    /// −∞.
    const NEG_INFINITY: Self;

    /// The number nearest to `value`.
    fn of(value: f64) -> Self;
    /// The same number, exactly, as `f64`.
    fn to_f64(self) -> f64;
    /// Correctly rounded square root; NaN for negative numbers.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// Sine and cosine with the same bits everywhere.
    fn sin_cos(self) -> (Self, Self);
    /// Angle of the point (x, `self`) in [−π, π], with the same bits everywhere; called as
    /// `Real::atan2(y, x)`.
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// Arc cosine in [0, π], with the same bits everywhere; NaN outside [−1, 1].
    #[must_use]
    fn acos(self) -> Self;

    /// The smaller number; `other` if they are equal or one is NaN.
    #[inline]
    #[must_use]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The larger number; `other` if they are equal or one is NaN.
    #[inline]
    #[must_use]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The nearest number of `[low, high]`.
    #[inline]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        Real::min(Real::max(self, low), high)
    }

    /// `value` if this number is positive or +0, `−value` if it is negative or −0. No branch: the
    /// sign bit is passed on.
    #[must_use]
    fn sign_of(self, value: Self) -> Self;

    /// Half extents of the axis-aligned box around a box of these half extents turned by this unit
    /// quaternion x, y, z, w. Belongs to the scalar because single precision has SIMD code for it.
    #[must_use]
    fn rotated_half_extents(quaternion: [Self; 4], half: [Self; 3]) -> [Self; 3];

    /// One bit per number that equals `value`. Belongs to the scalar for the same reason.
    #[must_use]
    fn lanes_equal(lanes: &[Self; 8], value: Self) -> u32;

    /// One bit per number that is not below `value`.
    #[must_use]
    fn lanes_at_least(lanes: &[Self; 8], value: Self) -> u32;

    /// On which side of the sides of a triangle a ray passes, and whether it certainly misses the
    /// triangle.
    ///
    /// The numbers belong to the sides opposite to the first, second and third corner: twice the
    /// areas that they span with the ray in a projection along the coordinate in which the ray
    /// moves fastest, up to a factor that all three share. The ray meets the triangle where none
    /// has another sign than the others; that is left open (`false`) where numbers over- or
    /// underflow. Belongs to the scalar because single precision has SIMD code for it.
    #[must_use]
    fn sides_passed(origin: Self::Vec3, direction: Self::Vec3, corners: [Self::Vec3; 3])
    -> ([Self; 3], bool);
}

/// A vector of three [`Real`] numbers: `glam::Vec3` or `glam::DVec3`.
pub trait Vector:
    Copy
    + PartialEq
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Output = Self>
    + Mul<Self::Scalar, Output = Self>
    + Div<Self::Scalar, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign<Self::Scalar>
    + Index<usize, Output = Self::Scalar>
    + IndexMut<usize>
{
    /// Its coordinates.
    type Scalar: Real<Vec3 = Self>;

    /// Null vector.
    const ZERO: Self;
    /// Unit vectors along the coordinate axes.
    const AXES: [Self; 3];

    /// Vector of three coordinates.
    fn new(x: Self::Scalar, y: Self::Scalar, z: Self::Scalar) -> Self;
    /// Vector of three equal coordinates.
    fn splat(value: Self::Scalar) -> Self;
    /// First coordinate.
    fn x(self) -> Self::Scalar;
    /// Second coordinate.
    fn y(self) -> Self::Scalar;
    /// Third coordinate.
    fn z(self) -> Self::Scalar;
    /// Scalar product.
    fn dot(self, other: Self) -> Self::Scalar;
    /// Vector product.
    #[must_use]
    fn cross(self, other: Self) -> Self;

    /// Vector of an array.
    #[inline]
    fn from_array(a: [Self::Scalar; 3]) -> Self {
        Self::new(a[0], a[1], a[2])
    }

    /// Coordinates as an array.
    #[inline]
    fn to_array(self) -> [Self::Scalar; 3] {
        [self.x(), self.y(), self.z()]
    }

    /// The coordinates through `f`.
    #[inline]
    #[must_use]
    fn map(self, f: impl Fn(Self::Scalar) -> Self::Scalar) -> Self {
        Self::new(f(self.x()), f(self.y()), f(self.z()))
    }

    /// Absolute coordinates.
    #[inline]
    #[must_use]
    fn abs(self) -> Self {
        self.map(Real::abs)
    }

    /// Smaller coordinates of both.
    #[inline]
    #[must_use]
    fn min(self, other: Self) -> Self {
        Self::new(
            Real::min(self.x(), other.x()),
            Real::min(self.y(), other.y()),
            Real::min(self.z(), other.z()),
        )
    }

    /// Larger coordinates of both.
    #[inline]
    #[must_use]
    fn max(self, other: Self) -> Self {
        Self::new(
            Real::max(self.x(), other.x()),
            Real::max(self.y(), other.y()),
            Real::max(self.z(), other.z()),
        )
    }

    /// Coordinates moved into `[low, high]`.
    #[inline]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        Vector::min(Vector::max(self, low), high)
    }

    /// Largest coordinate.
    #[inline]
    fn max_element(self) -> Self::Scalar {
        Real::max(self.x(), Real::max(self.y(), self.z()))
    }

    /// Smallest coordinate.
    #[inline]
    fn min_element(self) -> Self::Scalar {
        Real::min(self.x(), Real::min(self.y(), self.z()))
    }

    /// Square of the length.
    #[inline]
    fn length_squared(self) -> Self::Scalar {
        self.dot(self)
    }

    /// Length. Loses accuracy where the square over- or underflows (lengths beyond 10¹⁹ or below
    /// 10⁻¹⁹ in `f32`).
    #[inline]
    fn length(self) -> Self::Scalar {
        self.dot(self).sqrt()
    }

    /// The vector of length 1 in this direction, or `None` if there is no direction: the null
    /// vector, or a coordinate that is not finite. Right for every length, however large or small.
    #[inline]
    #[must_use]
    fn unit(self) -> Option<Self> {
        let square = self.dot(self);
        // The square is trustworthy well inside the range of the scalar; outside, scale first.
        let tiny = Self::Scalar::MIN_POSITIVE / Self::Scalar::EPSILON;
        if square > tiny && square < Self::Scalar::MAX {
            return Some(self / square.sqrt());
        }
        let largest = Vector::abs(self).max_element();
        if !(largest > Self::Scalar::ZERO && largest.is_finite() && Vector::is_finite(self)) {
            return None;
        }
        let scaled = self / largest;
        Some(scaled / scaled.dot(scaled).sqrt())
    }

    /// True if every coordinate is finite.
    #[inline]
    fn is_finite(self) -> bool {
        self.x().is_finite() && self.y().is_finite() && self.z().is_finite()
    }

    /// Index of the coordinate with the largest magnitude, the first of equals.
    #[inline]
    fn largest_axis(self) -> usize {
        let a = Vector::abs(self);
        if a.x() >= a.y() && a.x() >= a.z() {
            0
        } else if a.y() >= a.z() {
            1
        } else {
            2
        }
    }

    /// Two unit vectors that form a right-handed frame with this **unit** vector: `u × v = self`.
    ///
    /// Continuous except across the plane z = 0 (Duff and others, "Building an Orthonormal Basis,
    /// Revisited").
    #[inline]
    fn frame(self) -> (Self, Self) {
        let one = Self::Scalar::ONE;
        let sign = self.z().sign_of(one);
        let a = -one / (sign + self.z());
        let b = self.x() * self.y() * a;
        (
            Self::new(one + sign * self.x() * self.x() * a, sign * b, -sign * self.x()),
            Self::new(b, sign + self.y() * self.y() * a, -self.y()),
        )
    }

    /// The same vector in the other precision, rounded.
    #[inline]
    fn to<S: Real>(self) -> S::Vec3 {
        S::Vec3::new(S::of(self.x().to_f64()), S::of(self.y().to_f64()), S::of(self.z().to_f64()))
    }
}

macro_rules! real {
    ($scalar:ty, $bits:ty, $vector:ty, $sin_cos:path, $atan2:path, $acos:path,
     $rotated_half_extents:path, $lanes_equal:path,
     $lanes_at_least:path, $sides_passed:path) => {
        impl Real for $scalar {
            type Vec3 = $vector;

            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const HALF: Self = 0.5;
            const EPSILON: Self = <$scalar>::EPSILON;
            const MAX: Self = <$scalar>::MAX;
            const MIN_POSITIVE: Self = <$scalar>::MIN_POSITIVE;
            const INFINITY: Self = <$scalar>::INFINITY;
            const NEG_INFINITY: Self = <$scalar>::NEG_INFINITY;

            #[inline]
            fn of(value: f64) -> Self {
                value as $scalar
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline]
            fn sqrt(self) -> Self {
                <$scalar>::sqrt(self)
            }
            #[inline]
            fn abs(self) -> Self {
                <$scalar>::abs(self)
            }
            #[inline]
            fn is_finite(self) -> bool {
                <$scalar>::is_finite(self)
            }
            #[inline]
            fn sign_of(self, value: Self) -> Self {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                Self::from_bits(value.to_bits() ^ (self.to_bits() & SIGN))
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline]
            fn acos(self) -> Self {
                $acos(self)
            }
            #[inline]
            fn rotated_half_extents(quaternion: [Self; 4], half: [Self; 3]) -> [Self; 3] {
                $rotated_half_extents(quaternion, half)
            }

            #[inline]
            fn lanes_equal(lanes: &[Self; 8], value: Self) -> u32 {
                $lanes_equal(lanes, value)
            }
            #[inline]
            fn lanes_at_least(lanes: &[Self; 8], value: Self) -> u32 {
                $lanes_at_least(lanes, value)
            }

            #[inline]
            fn sides_passed(origin: $vector, direction: $vector, corners: [$vector; 3]) -> ([Self; 3], bool) {
                $sides_passed(origin, direction, corners)
            }
        }

        impl Vector for $vector {
            type Scalar = $scalar;

            const ZERO: Self = <$vector>::ZERO;
            const AXES: [Self; 3] = <$vector>::AXES;

            #[inline]
            fn new(x: $scalar, y: $scalar, z: $scalar) -> Self {
                <$vector>::new(x, y, z)
            }
            #[inline]
            fn splat(value: $scalar) -> Self {
                <$vector>::splat(value)
            }
            #[inline]
            fn x(self) -> $scalar {
                self.x
            }
            #[inline]
            fn y(self) -> $scalar {
                self.y
            }
            #[inline]
            fn z(self) -> $scalar {
                self.z
            }
            #[inline]
            fn dot(self, other: Self) -> $scalar {
                <$vector>::dot(self, other)
            }
            #[inline]
            fn cross(self, other: Self) -> Self {
                <$vector>::cross(self, other)
            }
        }
    };
}

real!(
    f32,
    u32,
    Vec3,
    trig::sin_cos,
    trig::atan2,
    trig::acos,
    simd::rotated_half_extents,
    simd::lanes_equal,
    simd::lanes_at_least,
    simd::sides_passed
);
real!(
    f64,
    u64,
    DVec3,
    trig::sin_cos_f64,
    trig::atan2_f64,
    trig::acos_f64,
    rotation::rotated_half_extents,
    simd::lanes_equal_scalar,
    simd::lanes_at_least_scalar,
    ray::sides_passed
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unit_vectors_of_extreme_lengths() {
        for scale in [1e-44f32, 1e-30, 1e-10, 1.0, 1e10, 1e30, 3e38] {
            let u = Vector::unit(Vec3::new(scale, -scale, 0.0)).unwrap();
            assert!((u - Vec3::new(0.707_106_77, -0.707_106_77, 0.0)).length() < 1e-6, "scale {scale}: {u}");
        }
        assert_eq!(Vector::unit(Vec3::ZERO), None);
        assert_eq!(Vector::unit(Vec3::new(f32::INFINITY, 0.0, 0.0)), None);
        assert_eq!(Vector::unit(Vec3::new(f32::NAN, 1.0, 0.0)), None);
        assert_eq!(Vector::unit(Vec3::new(1.0, 1.0, f32::NAN)), None);
    }

    #[test]
    fn the_largest_axis_is_the_first_of_equals() {
        assert_eq!(Vec3::new(-2.0, 2.0, 1.0).largest_axis(), 0);
        assert_eq!(Vec3::new(0.0, 1.0, -3.0).largest_axis(), 2);
    }

    proptest! {
        #[test]
        fn frames_are_right_handed_and_orthonormal(v in prop::array::uniform3(-1.0f64..1.0)) {
            let Some(n) = Vector::unit(DVec3::from(v)) else { return Ok(()) };
            let (u, v) = n.frame();
            prop_assert!((u.cross(v) - n).length() < 1e-12);
            prop_assert!((u.length() - 1.0).abs() < 1e-12 && u.dot(n).abs() < 1e-12);
        }
    }
}
