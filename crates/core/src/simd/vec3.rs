//! Vectors and rotations in lanes: structure of arrays, one vector or rotation per lane.

use std::ops::{Add, Neg, Sub};

use glam::Vec3;

use super::float::SimdFloat;

/// Three coordinates, each in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimdVec3<L> {
    /// First coordinates.
    pub x: L,
    /// Second coordinates.
    pub y: L,
    /// Third coordinates.
    pub z: L,
}

impl<L: SimdFloat> SimdVec3<L> {
    /// The same vector in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(v: Vec3) -> Self {
        Self { x: L::splat(v.x), y: L::splat(v.y), z: L::splat(v.z) }
    }

    /// Lane `k` is `at(k)`.
    #[inline(always)]
    #[must_use]
    pub fn from_fn(at: impl Fn(usize) -> Vec3) -> Self {
        Self { x: L::from_fn(|k| at(k).x), y: L::from_fn(|k| at(k).y), z: L::from_fn(|k| at(k).z) }
    }

    /// The vector in a lane.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.get(lane), self.y.get(lane), self.z.get(lane))
    }

    /// Writes the vector in a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, v: Vec3) {
        self.x.set(lane, v.x);
        self.y.set(lane, v.y);
        self.z.set(lane, v.z);
    }

    /// Scalar product; the same order of operations as glam's.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Adds `factor · other`.
    #[inline(always)]
    pub fn add_scaled(&mut self, factor: L, other: Self) {
        self.x = self.x + factor * other.x;
        self.y = self.y + factor * other.y;
        self.z = self.z + factor * other.z;
    }

    /// Every coordinate times a number per lane.
    #[inline(always)]
    #[must_use]
    pub fn scaled(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// The product, coordinate by coordinate.
    #[inline(always)]
    #[must_use]
    pub fn component_mul(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    /// `yes` where the mask is true, `no` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: L::select(mask, yes.x, no.x),
            y: L::select(mask, yes.y, no.y),
            z: L::select(mask, yes.z, no.z),
        }
    }
}

impl<L: SimdFloat> Add for SimdVec3<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: SimdFloat> Sub for SimdVec3<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: SimdFloat> Neg for SimdVec3<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

/// Rotations as unit quaternions, one per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimdQuat<L> {
    xyz: SimdVec3<L>,
    w: L,
}

impl<L: SimdFloat> SimdQuat<L> {
    /// Writes the quaternion `x, y, z, w` in a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, [x, y, z, w]: [f32; 4]) {
        self.xyz.set(lane, Vec3::new(x, y, z));
        self.w.set(lane, w);
    }

    /// The vector, rotated.
    #[inline(always)]
    #[must_use]
    pub fn rotate(&self, v: SimdVec3<L>) -> SimdVec3<L> {
        self.rotate_with(v, self.w)
    }

    /// The vector, rotated by the inverse.
    #[inline(always)]
    #[must_use]
    pub fn rotate_back(&self, v: SimdVec3<L>) -> SimdVec3<L> {
        self.rotate_with(v, -self.w)
    }

    /// The axes of the world, rotated back: the rows of the rotation as a matrix.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> [SimdVec3<L>; 3] {
        let SimdVec3 { x, y, z } = self.xyz;
        let (one, double) = (L::splat(1.0), self.xyz.scaled(L::splat(2.0)));
        let (xx, yy, zz) = (double.x * x, double.y * y, double.z * z);
        let (xy, yz, zx) = (double.x * y, double.y * z, double.z * x);
        let (wx, wy, wz) = (double.x * self.w, double.y * self.w, double.z * self.w);
        [
            SimdVec3 { x: one - (yy + zz), y: xy - wz, z: zx + wy },
            SimdVec3 { x: xy + wz, y: one - (zz + xx), z: yz - wx },
            SimdVec3 { x: zx - wy, y: yz + wx, z: one - (xx + yy) },
        ]
    }

    #[inline(always)]
    fn rotate_with(&self, v: SimdVec3<L>, w: L) -> SimdVec3<L> {
        // v + 2w (q × v) + 2 q × (q × v)
        let mut t = self.xyz.cross(v);
        t = SimdVec3 { x: t.x + t.x, y: t.y + t.y, z: t.z + t.z };
        let mut out = v;
        out.add_scaled(w, t);
        let u = self.xyz.cross(t);
        SimdVec3 { x: out.x + u.x, y: out.y + u.y, z: out.z + u.z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wide::f32x4;

    #[test]
    fn rotations_in_lanes_are_rotations() {
        // A rotation by 2 about (0.48, 0.6, 0.64).
        let (sin, cos) = crate::trig::sin_cos(1.0);
        let axis = Vec3::new(0.48, 0.6, 0.64);
        let (q, w) = (axis * sin, cos);
        let v = Vec3::new(3.0, -2.0, 0.5);
        let mut rotation = SimdQuat::<f32x4>::default();
        let mut vectors = SimdVec3::<f32x4>::default();
        rotation.set(2, [q.x, q.y, q.z, w]);
        vectors.set(2, v);
        let rotated = v + 2.0 * w * q.cross(v) + 2.0 * q.cross(q.cross(v));
        assert!((rotation.rotate(vectors).get(2) - rotated).length() < 1e-6);
        let back = v - 2.0 * w * q.cross(v) + 2.0 * q.cross(q.cross(v));
        assert!((rotation.rotate_back(vectors).get(2) - back).length() < 1e-6);
        let by_rows = rotation.rows().map(|row| row.dot(vectors).get(2));
        assert!((Vec3::from_array(by_rows) - rotated).length() < 1e-6);
        assert_eq!(vectors.component_mul(vectors).get(2), Vec3::new(9.0, 4.0, 0.25));
        assert_eq!(SimdVec3::<f32x4>::from_fn(|_| v).get(1), (-(-SimdVec3::<f32x4>::splat(v))).get(3));
    }
}
