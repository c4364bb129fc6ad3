//! Vectors of three numbers in one register.
//!
//! The shortest formulas take so little time that the instructions count, and a compiler that packs
//! the numbers of three-part vectors by itself shuffles more than it computes. Here a sum of
//! vectors is one instruction. The arithmetic and its order are those of [`Vec3`] and [`Rotation`],
//! so the bits are the same.

use std::ops::{Add, Mul, Neg, Sub};

use carom_geometry::Rotation;
// check: allow(float) only operations by component; sums within a vector are written here
use glam::{Vec3, Vec3A, Vec3Swizzles};

/// A vector in a register.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Packed(Vec3A);

impl Packed {
    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> f32 {
        let [x, y, z] = (self.0 * other.0).to_array();
        x + y + z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self((self.0.zxy() * other.0 - self.0 * other.0.zxy()).zxy())
    }
}

/// Into a register.
#[inline(always)]
pub(super) fn packed(v: Vec3) -> Packed {
    Packed(Vec3A::new(v.x, v.y, v.z))
}

impl From<Packed> for Vec3 {
    #[inline(always)]
    fn from(v: Packed) -> Self {
        Self::from(v.0)
    }
}

impl Add for Packed {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Packed {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Packed {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<f32> for Packed {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self(self.0 * factor)
    }
}

/// A rotation, ready to turn packed vectors.
#[derive(Clone, Copy)]
pub(super) struct PackedRotation {
    xyz: Packed,
    w: f32,
}

impl PackedRotation {
    #[inline(always)]
    pub(super) fn new(rotation: &Rotation) -> Self {
        Self { xyz: packed(rotation.xyz), w: rotation.w }
    }

    /// [`Rotation::rotate`].
    #[inline(always)]
    pub(super) fn rotate(&self, v: Packed) -> Packed {
        let t = self.xyz.cross(v);
        let t = t + t;
        v + t * self.w + self.xyz.cross(t)
    }

    /// [`Rotation::rotate_back`].
    #[inline(always)]
    pub(super) fn rotate_back(&self, v: Packed) -> Packed {
        let t = self.xyz.cross(v);
        let t = t + t;
        v - t * self.w + self.xyz.cross(t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_bits_are_those_of_vectors_and_rotations(
            q in prop::array::uniform4(-1.0f32..1.0),
            v in prop::array::uniform3(-9.0f32..9.0),
            u in prop::array::uniform3(-9.0f32..9.0),
        ) {
            let (u, v) = (Vec3::from(u), Vec3::from(v));
            prop_assert_eq!(packed(u).dot(packed(v)), u.dot(v));
            prop_assert_eq!(Vec3::from(packed(u).cross(packed(v))), u.cross(v));
            let Some(rotation) = Rotation::<f32>::from_xyzw(q) else { return Ok(()) };
            let packed_rotation = PackedRotation::new(&rotation);
            prop_assert_eq!(Vec3::from(packed_rotation.rotate(packed(v))), rotation.rotate(v));
            prop_assert_eq!(Vec3::from(packed_rotation.rotate_back(packed(v))), rotation.rotate_back(v));
        }
    }
}
