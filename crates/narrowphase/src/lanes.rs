//! Several `f32` per instruction, one source for every width.
//!
//! Kernels are written once over [`Lanes`]; one lane (`f32`), four and eight are its instances. Only operations that are exact
//! or correctly rounded are offered, so each lane computes what the scalar instance computes, to the bit: the scalar instance
//! is the oracle of the others and the fallback. Minimum and maximum are defined by a comparison, because processors differ
//! in how they treat zeros and NaN.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

pub use wide::{f32x4, f32x8};

/// A vector of `f32` of some width.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// One truth value per lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// Number of lanes.
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// Lane `k` is `at(k)`.
    fn gather(at: impl FnMut(usize) -> f32) -> Self;
    /// The number in a lane.
    fn lane(self, lane: usize) -> f32;
    /// Square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Where this is less than the other.
    fn below(self, other: Self) -> Self::Mask;
    /// Where this is less than or equal to the other.
    fn at_most(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Bit `k` is lane `k` of the mask.
    fn bits(mask: Self::Mask) -> u32;

    /// The smaller number; `other` if they are equal or one is NaN, as [`Real::min`](carom_geometry::Real::min).
    #[inline]
    #[must_use]
    fn min(self, other: Self) -> Self {
        Self::select(self.below(other), self, other)
    }

    /// The larger number; `other` if they are equal or one is NaN, as [`Real::max`](carom_geometry::Real::max).
    #[inline]
    #[must_use]
    fn max(self, other: Self) -> Self {
        Self::select(other.below(self), self, other)
    }

    /// The nearest number of `[low, high]`.
    #[inline]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// True if the mask holds in any lane.
    #[inline]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }
}

impl Lanes for f32 {
    type Mask = bool;

    const WIDTH: usize = 1;

    #[inline]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline]
    fn gather(mut at: impl FnMut(usize) -> f32) -> Self {
        at(0)
    }

    #[inline]
    fn lane(self, _: usize) -> f32 {
        self
    }

    #[inline]
    fn sqrt(self) -> Self {
        carom_geometry::Real::sqrt(self)
    }

    #[inline]
    fn abs(self) -> Self {
        carom_geometry::Real::abs(self)
    }

    #[inline]
    fn below(self, other: Self) -> bool {
        self < other
    }

    #[inline]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

macro_rules! wide_lanes {
    ($($vector:ident, $width:literal, [$($lane:literal),*]);*) => {$(
        impl Lanes for $vector {
            type Mask = $vector;

            const WIDTH: usize = $width;

            #[inline]
            fn splat(value: f32) -> Self {
                $vector::splat(value)
            }

            #[inline]
            fn gather(mut at: impl FnMut(usize) -> f32) -> Self {
                // Written out: `array::from_fn` stays a loop of calls, four times as slow (batches of spheres).
                $vector::new([$(at($lane)),*])
            }

            #[inline]
            fn lane(self, lane: usize) -> f32 {
                self.to_array()[lane]
            }

            #[inline]
            fn sqrt(self) -> Self {
                $vector::sqrt(self)
            }

            #[inline]
            fn abs(self) -> Self {
                $vector::abs(self)
            }

            #[inline]
            fn below(self, other: Self) -> Self {
                self.simd_lt(other)
            }

            #[inline]
            fn at_most(self, other: Self) -> Self {
                self.simd_le(other)
            }

            #[inline]
            fn select(mask: Self, yes: Self, no: Self) -> Self {
                // The blend of `wide` is a call where the processor has no such instruction.
                no ^ ((yes ^ no) & mask)
            }

            #[inline]
            fn bits(mask: Self) -> u32 {
                mask.to_bitmask()
            }
        }
    )*};
}

wide_lanes!(f32x4, 4, [0, 1, 2, 3]; f32x8, 8, [0, 1, 2, 3, 4, 5, 6, 7]);

/// Three coordinates, each in lanes.
#[derive(Clone, Copy, Debug)]
pub struct Vec3Lanes<L> {
    /// First coordinates.
    pub x: L,
    /// Second coordinates.
    pub y: L,
    /// Third coordinates.
    pub z: L,
}

impl<L: Lanes> Vec3Lanes<L> {
    /// The same vector in every lane.
    #[inline]
    #[must_use]
    pub fn splat(v: glam::Vec3) -> Self {
        Self { x: L::splat(v.x), y: L::splat(v.y), z: L::splat(v.z) }
    }

    /// Lane `k` is `at(k)`.
    #[inline]
    #[must_use]
    pub fn gather(at: impl Fn(usize) -> glam::Vec3) -> Self {
        Self { x: L::gather(|k| at(k).x), y: L::gather(|k| at(k).y), z: L::gather(|k| at(k).z) }
    }

    /// The vector in a lane.
    #[inline]
    #[must_use]
    pub fn lane(self, lane: usize) -> glam::Vec3 {
        glam::Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    /// Scalar product; the same order of operations as glam's.
    #[inline]
    #[must_use]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    /// Every coordinate times a number per lane.
    #[inline]
    #[must_use]
    pub fn scaled(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// `yes` where the mask is true, `no` elsewhere.
    #[inline]
    #[must_use]
    pub fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: L::select(mask, yes.x, no.x),
            y: L::select(mask, yes.y, no.y),
            z: L::select(mask, yes.z, no.z),
        }
    }
}

impl<L: Lanes> Add for Vec3Lanes<L> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Lanes> Sub for Vec3Lanes<L> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Lanes> Neg for Vec3Lanes<L> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything the trait offers, on two numbers.
    fn all_operations<L: Lanes>(a: L, b: L) -> Vec<L> {
        let mask = a.below(b) | a.at_most(L::splat(0.0)) & !b.below(a);
        vec![
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.abs().sqrt(),
            L::select(mask, a, b),
            a.min(b),
            a.max(b),
            a.clamp(L::splat(-1.0), L::splat(1.0)),
        ]
    }

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            4 => -10.0f32..10.0,
            1 => prop::sample::select(vec![0.0, -0.0, 1e30, -1e-30, f32::INFINITY, f32::MIN_POSITIVE]),
        ]
    }

    /// Each lane of width `L` against the scalar instance.
    fn agrees<L: Lanes>(a: &[f32; 8], b: &[f32; 8]) -> Result<(), TestCaseError> {
        let wide = all_operations(L::gather(|k| a[k]), L::gather(|k| b[k]));
        for lane in 0..L::WIDTH {
            for (wide, scalar) in wide.iter().zip(all_operations(a[lane], b[lane])) {
                let wide = wide.lane(lane);
                prop_assert!(wide.to_bits() == scalar.to_bits() || wide.is_nan() && scalar.is_nan());
            }
        }
        let mask = L::gather(|k| a[k]).below(L::gather(|k| b[k]));
        let expected = (0..L::WIDTH).fold(0, |bits, k| bits | u32::from(a[k] < b[k]) << k);
        prop_assert_eq!(L::bits(mask), expected);
        Ok(())
    }

    proptest! {
        #[test]
        fn every_lane_computes_what_one_lane_computes(
            a in prop::array::uniform8(number()),
            b in prop::array::uniform8(number()),
        ) {
            agrees::<f32>(&a, &b)?;
            agrees::<f32x4>(&a, &b)?;
            agrees::<f32x8>(&a, &b)?;
        }
    }
}
