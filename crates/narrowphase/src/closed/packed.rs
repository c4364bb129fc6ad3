//! Vectors of three numbers in one register.
//!
//! The shortest formulas take so little time that the instructions count, and a compiler that packs the numbers of three-part
//! vectors by itself shuffles more than it computes. Here a sum of vectors is one instruction. The arithmetic and its order
//! are those of [`Vec3`] and [`Rotation`], so the bits are the same.

use carom_geometry::Rotation;
use glam::{Vec3, Vec3A, Vec3Swizzles};

/// A rotation, ready to turn packed vectors.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    xyz: Vec3A,
    /// The same with its numbers moved on by one, as vector products need them.
    moved: Vec3A,
    w: f32,
}

impl Turn {
    #[inline(always)]
    pub(super) fn new(rotation: &Rotation) -> Self {
        let xyz = packed(rotation.xyz);
        Self { xyz, moved: xyz.zxy(), w: rotation.w }
    }

    /// The vector product with the axis.
    #[inline(always)]
    fn cross(&self, v: Vec3A) -> Vec3A {
        (self.moved * v - self.xyz * v.zxy()).zxy()
    }

    /// [`Rotation::rotate`].
    #[inline(always)]
    pub(super) fn rotate(&self, v: Vec3A) -> Vec3A {
        let t = self.cross(v);
        let t = t + t;
        v + t * self.w + self.cross(t)
    }

    /// [`Rotation::rotate_back`].
    #[inline(always)]
    pub(super) fn rotate_back(&self, v: Vec3A) -> Vec3A {
        let t = self.cross(v);
        let t = t + t;
        v - t * self.w + self.cross(t)
    }
}

/// The vector product. Not that of [`Vec3A`], which is rounded once less where the machine can and the build asks for it.
#[inline(always)]
pub(super) fn cross(a: Vec3A, b: Vec3A) -> Vec3A {
    (a.zxy() * b - a * b.zxy()).zxy()
}

/// Into a register.
#[inline(always)]
pub(super) fn packed(v: Vec3) -> Vec3A {
    Vec3A::new(v.x, v.y, v.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn turns_have_the_bits_of_rotations(q in prop::array::uniform4(-1.0f32..1.0), v in prop::array::uniform3(-9.0f32..9.0)) {
            let Some(rotation) = Rotation::<f32>::from_xyzw(q) else { return Ok(()) };
            let (turn, v) = (Turn::new(&rotation), Vec3::from(v));
            prop_assert_eq!(Vec3::from(turn.rotate(packed(v))), rotation.rotate(v));
            prop_assert_eq!(Vec3::from(turn.rotate_back(packed(v))), rotation.rotate_back(v));
        }
    }
}
