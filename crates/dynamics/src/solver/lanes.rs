//! Numbers side by side, one width for each machine.
//!
//! The sweeps are written once over [`Lanes`]; each lane computes what a single number would, to the bit, since only exact or
//! correctly rounded operations are offered. [`One`] is the scalar twin, [`Four`] what every machine has, [`Pair`] makes twice as
//! many of any, and [`Eight`](super::avx::Eight) uses the wider registers of machines that have them.
//!
//! Everything is `inline(always)`: a function compiled for wider instructions calls nothing that is not.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use carom_geometry::Rotation;
use wide::f32x4;

use super::rows::{FIXED, Half, Rows};

/// Numbers side by side.
pub(crate) trait Lanes:
    'static
    + Copy
    + Debug
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// How many.
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(value: f32) -> Self;
    /// The number in a lane.
    fn get(&self, lane: usize) -> f32;
    /// Writes the number in a lane.
    fn set(&mut self, lane: usize, value: f32);
    /// The quotient.
    fn over(self, other: Self) -> Self;
    /// The larger number; `other` if they are equal or one is NaN.
    fn max(self, other: Self) -> Self;
    /// The smaller number; `other` if they are equal or one is NaN.
    fn min(self, other: Self) -> Self;
    /// `yes` where this is above zero, `no` elsewhere.
    fn if_positive(self, yes: Self, no: Self) -> Self;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Both parts of a half of several rows.
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [Vec3Lanes<Self>; 2];
    /// Writes half of several rows back; the fixed row is left alone.
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[Vec3Lanes<Self>; 2]);
}

/// A single number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct One(f32);

/// Four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct Four(f32x4);

/// Twice as many numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct Pair<L>([L; 2]);

macro_rules! operator {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl $trait for One {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }

        impl $trait for Four {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }

        impl<L: Lanes> $trait for Pair<L> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self([self.0[0] $operator other.0[0], self.0[1] $operator other.0[1]])
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);

impl Neg for One {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Neg for Four {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<L: Lanes> Neg for Pair<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self([-self.0[0], -self.0[1]])
    }
}

impl Lanes for One {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(value)
    }

    #[inline(always)]
    fn get(&self, _: usize) -> f32 {
        self.0
    }

    #[inline(always)]
    fn set(&mut self, _: usize, value: f32) {
        self.0 = value;
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        if self.0 > 0.0 { yes } else { no }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [Vec3Lanes<Self>; 2] {
        let [[x, y, z, _], [u, v, w, _]] = rows.get(which[0], half);
        [Vec3Lanes { x: Self(x), y: Self(y), z: Self(z) }, Vec3Lanes { x: Self(u), y: Self(v), z: Self(w) }]
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, [a, b]: &[Vec3Lanes<Self>; 2]) {
        if which[0] != FIXED {
            rows.set(which[0], half, [[a.x.0, a.y.0, a.z.0, 0.0], [b.x.0, b.y.0, b.z.0, 0.0]]);
        }
    }
}

impl Lanes for Four {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x4::splat(value))
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        self.0.as_array()[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: f32) {
        self.0.as_mut_array()[lane] = value;
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(select(self.0.simd_gt(other.0), self.0, other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(select(self.0.simd_lt(other.0), self.0, other.0))
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self(select(self.0.simd_gt(f32x4::ZERO), yes.0, no.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [Vec3Lanes<Self>; 2] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|lane| rows.get(which[lane], half).map(f32x4::new));
        [0, 1].map(|part| {
            let [x, y, z, _] = f32x4::transpose([a[part], b[part], c[part], d[part]]);
            Vec3Lanes { x: Self(x), y: Self(y), z: Self(z) }
        })
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[Vec3Lanes<Self>; 2]) {
        let [a, b] = [0, 1].map(|part| {
            f32x4::transpose([values[part].x.0, values[part].y.0, values[part].z.0, f32x4::ZERO])
        });
        for lane in 0..4 {
            if which[lane] != FIXED {
                rows.set(which[lane], half, [a[lane].to_array(), b[lane].to_array()]);
            }
        }
    }
}

/// By bits: the blend of `wide` is a call where the processor has no such instruction.
#[inline(always)]
fn select(mask: f32x4, yes: f32x4, no: f32x4) -> f32x4 {
    no ^ ((yes ^ no) & mask)
}

impl<L: Lanes> Lanes for Pair<L> {
    const WIDTH: usize = 2 * L::WIDTH;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([L::splat(value); 2])
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> f32 {
        self.0[lane / L::WIDTH].get(lane % L::WIDTH)
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: f32) {
        self.0[lane / L::WIDTH].set(lane % L::WIDTH, value);
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self([self.0[0].over(other.0[0]), self.0[1].over(other.0[1])])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self([self.0[0].max(other.0[0]), self.0[1].max(other.0[1])])
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self([self.0[0].if_positive(yes.0[0], no.0[0]), self.0[1].if_positive(yes.0[1], no.0[1])])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self([self.0[0].sqrt(), self.0[1].sqrt()])
    }

    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [Vec3Lanes<Self>; 2] {
        let low = L::gather(rows, &which[..L::WIDTH], half);
        let high = L::gather(rows, &which[L::WIDTH..], half);
        let mut both = [Vec3Lanes::default(); 2];
        for part in 0..2 {
            let (low, high) = (low[part], high[part]);
            both[part] =
                Vec3Lanes { x: Self([low.x, high.x]), y: Self([low.y, high.y]), z: Self([low.z, high.z]) };
        }
        both
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[Vec3Lanes<Self>; 2]) {
        for side in 0..2 {
            let mut mine = [Vec3Lanes::default(); 2];
            for part in 0..2 {
                let Vec3Lanes { x, y, z } = values[part];
                mine[part] = Vec3Lanes { x: x.0[side], y: y.0[side], z: z.0[side] };
            }
            L::scatter(rows, &which[side * L::WIDTH..(side + 1) * L::WIDTH], half, &mine);
        }
    }
}

/// Three coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vec3Lanes<L> {
    pub(crate) x: L,
    pub(crate) y: L,
    pub(crate) z: L,
}

impl<L: Lanes> Vec3Lanes<L> {
    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(&self, other: &Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Adds `factor · other`.
    #[inline(always)]
    pub(crate) fn add_scaled(&mut self, factor: L, other: &Self) {
        self.x = self.x + factor * other.x;
        self.y = self.y + factor * other.y;
        self.z = self.z + factor * other.z;
    }

    /// All coordinates times one factor per lane.
    #[inline(always)]
    pub(crate) fn scaled(&self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// Coordinate by coordinate.
    #[inline(always)]
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    #[inline(always)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    /// Writes one lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, v: glam::Vec3) {
        self.x.set(lane, v.x);
        self.y.set(lane, v.y);
        self.z.set(lane, v.z);
    }

    /// One lane.
    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> glam::Vec3 {
        glam::Vec3::new(self.x.get(lane), self.y.get(lane), self.z.get(lane))
    }
}

/// Rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct QuaternionLanes<L> {
    xyz: Vec3Lanes<L>,
    w: L,
}

impl<L: Lanes> QuaternionLanes<L> {
    /// Writes one lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, rotation: Rotation) {
        self.xyz.set(lane, rotation.xyz);
        self.w.set(lane, rotation.w);
    }

    #[inline(always)]
    pub(crate) fn rotate(&self, v: &Vec3Lanes<L>) -> Vec3Lanes<L> {
        self.turn(v, self.w)
    }

    #[inline(always)]
    pub(crate) fn rotate_back(&self, v: &Vec3Lanes<L>) -> Vec3Lanes<L> {
        self.turn(v, -self.w)
    }

    /// The axes of the world, turned back: the rows of the rotation as a matrix.
    #[inline(always)]
    pub(crate) fn rows(&self) -> [Vec3Lanes<L>; 3] {
        let Vec3Lanes { x, y, z } = self.xyz;
        let (one, double) = (L::splat(1.0), self.xyz.scaled(L::splat(2.0)));
        let (xx, yy, zz) = (double.x * x, double.y * y, double.z * z);
        let (xy, yz, zx) = (double.x * y, double.y * z, double.z * x);
        let (wx, wy, wz) = (double.x * self.w, double.y * self.w, double.z * self.w);
        [
            Vec3Lanes { x: one - (yy + zz), y: xy - wz, z: zx + wy },
            Vec3Lanes { x: xy + wz, y: one - (zz + xx), z: yz - wx },
            Vec3Lanes { x: zx - wy, y: yz + wx, z: one - (xx + yy) },
        ]
    }

    #[inline(always)]
    fn turn(&self, v: &Vec3Lanes<L>, w: L) -> Vec3Lanes<L> {
        // v + 2w (q × v) + 2 q × (q × v)
        let mut t = self.xyz.cross(v);
        t = Vec3Lanes { x: t.x + t.x, y: t.y + t.y, z: t.z + t.z };
        let mut out = *v;
        out.add_scaled(w, &t);
        let u = self.xyz.cross(&t);
        Vec3Lanes { x: out.x + u.x, y: out.y + u.y, z: out.z + u.z }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::solver::rows::SolverBody;

    fn operations<L: Lanes>(a: &[f32], b: &[f32]) -> Vec<L> {
        let mut lanes = [L::default(); 2];
        for lane in 0..L::WIDTH {
            lanes[0].set(lane, a[lane]);
            lanes[1].set(lane, b[lane]);
        }
        let [a, b] = lanes;
        let v = Vec3Lanes { x: a, y: b, z: a - b };
        let w = Vec3Lanes { x: b, y: a + b, z: -a };
        let mut sum = v;
        sum.add_scaled(a, &w);
        vec![
            (a * b).over(a - L::splat(7.5)),
            a.max(b),
            a.min(b),
            a.if_positive(b, -b),
            (a * a).sqrt(),
            v.dot(&w),
            v.cross(&w).y,
            sum.z,
        ]
    }

    /// Every lane of a width computes what one lane computes, and rows come and go unchanged.
    pub(crate) fn agrees_with_one<L: Lanes>() {
        let numbers = [0.1f32, -2.0, 3.5, 0.0, -0.0, 1e20, -1e-20, 77.0, f32::NAN, 0.25];
        for turn in 0..10 {
            let a: [f32; 16] = std::array::from_fn(|k| numbers[(k + turn) % 10]);
            let b: [f32; 16] = std::array::from_fn(|k| numbers[(k * 3 + 1) % 10]);
            let wide = operations::<L>(&a, &b);
            for lane in 0..L::WIDTH {
                let single = operations::<One>(&a[lane..], &b[lane..]);
                for (wide, single) in wide.iter().zip(single) {
                    let (wide, single) = (wide.get(lane), single.get(0));
                    assert!(wide.to_bits() == single.to_bits() || wide.is_nan() && single.is_nan());
                }
            }
        }
        let row =
            |k: usize| SolverBody(std::array::from_fn(|part| [k as f32, part as f32, 10.0 + k as f32, 0.0]));
        let mut rows: Vec<SolverBody> = (0..20).map(row).collect();
        let before = rows.clone();
        let which: Vec<u32> = (0..L::WIDTH as u32).map(|lane| lane * 7 % 20).collect();
        for (half, part) in [(Half::Velocity, 0), (Half::Displacement, 2)] {
            let values = L::gather(Rows::new(&mut rows), &which, half);
            for (lane, k) in which.iter().enumerate() {
                let k = *k as f32;
                assert_eq!(values[0].get(lane), glam::Vec3::new(k, part as f32, 10.0 + k));
                assert_eq!(values[1].get(lane), glam::Vec3::new(k, part as f32 + 1.0, 10.0 + k));
            }
            rows.iter_mut().for_each(|row| *row = SolverBody::default());
            L::scatter(Rows::new(&mut rows), &which, half, &values);
            for &k in &which {
                let expected = if k == FIXED { SolverBody::default() } else { before[k as usize] };
                assert_eq!(rows[k as usize].0[part..part + 2], expected.0[part..part + 2]);
            }
            rows.clone_from(&before);
        }
    }

    #[test]
    fn rotations_in_lanes_are_rotations() {
        let rotation = Rotation::about_axis(glam::Vec3::new(0.48, 0.6, 0.64), 2.0f32);
        let v = glam::Vec3::new(3.0, -2.0, 0.5);
        let mut q = QuaternionLanes::<Four>::default();
        let mut lanes = Vec3Lanes::<Four>::default();
        q.set(2, rotation);
        lanes.set(2, v);
        assert!((q.rotate(&lanes).get(2) - rotation.rotate(v)).length() < 1e-6);
        assert!((q.rotate_back(&lanes).get(2) - rotation.rotate_back(v)).length() < 1e-6);
    }

    #[test]
    fn lanes_do_not_see_each_other() {
        agrees_with_one::<One>();
        agrees_with_one::<Four>();
        agrees_with_one::<Pair<Four>>();
        agrees_with_one::<Pair<Pair<Four>>>();
    }
}
