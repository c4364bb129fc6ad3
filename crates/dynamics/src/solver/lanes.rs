//! Numbers side by side, one width for each machine.
//!
//! Plain arrays and loops over them: the compiler turns them into the widest instructions that the surrounding function may
//! use, and each lane computes what a single number would, to the bit. The sweeps are written once over the width and
//! compiled for 1, 4, 8 and 16 lanes; only exact operations are offered.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `W` numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(crate) struct Lanes<const W: usize>(pub(crate) [f32; W]);

impl<const W: usize> Default for Lanes<W> {
    #[inline(always)]
    fn default() -> Self {
        Self([0.0; W])
    }
}

macro_rules! operator {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl<const W: usize> $trait for Lanes<W> {
            type Output = Self;

            #[inline(always)]
            fn $function(mut self, other: Self) -> Self {
                for lane in 0..W {
                    self.0[lane] = self.0[lane] $operator other.0[lane];
                }
                self
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl<const W: usize> Neg for Lanes<W> {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        for lane in 0..W {
            self.0[lane] = -self.0[lane];
        }
        self
    }
}

impl<const W: usize> Lanes<W> {
    /// The same number in every lane.
    #[inline(always)]
    pub(crate) fn splat(value: f32) -> Self {
        Self([value; W])
    }

    /// The larger number; `other` if they are equal or one is NaN.
    #[inline(always)]
    pub(crate) fn max(mut self, other: Self) -> Self {
        for lane in 0..W {
            self.0[lane] = if self.0[lane] > other.0[lane] { self.0[lane] } else { other.0[lane] };
        }
        self
    }

    /// The smaller number; `other` if they are equal or one is NaN.
    #[inline(always)]
    pub(crate) fn min(mut self, other: Self) -> Self {
        for lane in 0..W {
            self.0[lane] = if self.0[lane] < other.0[lane] { self.0[lane] } else { other.0[lane] };
        }
        self
    }

    /// `yes` where this is above zero, `no` elsewhere.
    #[inline(always)]
    pub(crate) fn if_positive(mut self, yes: Self, no: Self) -> Self {
        for lane in 0..W {
            self.0[lane] = if self.0[lane] > 0.0 { yes.0[lane] } else { no.0[lane] };
        }
        self
    }

    /// Square root, correctly rounded.
    #[inline(always)]
    pub(crate) fn sqrt(mut self) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane].sqrt();
        }
        self
    }
}

/// Three coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vec3Lanes<const W: usize> {
    pub(crate) x: Lanes<W>,
    pub(crate) y: Lanes<W>,
    pub(crate) z: Lanes<W>,
}

impl<const W: usize> Vec3Lanes<W> {
    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self) -> Lanes<W> {
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
    pub(crate) fn add_scaled(&mut self, factor: Lanes<W>, other: &Self) {
        self.x = self.x + factor * other.x;
        self.y = self.y + factor * other.y;
        self.z = self.z + factor * other.z;
    }

    /// Writes one lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, v: glam::Vec3) {
        self.x.0[lane] = v.x;
        self.y.0[lane] = v.y;
        self.z.0[lane] = v.z;
    }

    /// One lane.
    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> glam::Vec3 {
        glam::Vec3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations<const W: usize>(a: Lanes<W>, b: Lanes<W>) -> Vec<Lanes<W>> {
        let v = Vec3Lanes { x: a, y: b, z: a - b };
        let w = Vec3Lanes { x: b, y: a + b, z: -a };
        let mut sum = v;
        sum.add_scaled(a, &w);
        vec![
            a * b / (a - Lanes::splat(7.5)),
            a.max(b),
            a.min(b),
            a.if_positive(b, -b),
            (a * a).sqrt(),
            v.dot(&w),
            v.cross(&w).y,
            sum.z,
        ]
    }

    #[test]
    fn lanes_do_not_see_each_other() {
        let numbers = [0.1f32, -2.0, 3.5, 0.0, -0.0, 1e20, -1e-20, 77.0];
        for turn in 0..8 {
            let a: [f32; 8] = std::array::from_fn(|k| numbers[(k + turn) % 8]);
            let b: [f32; 8] = std::array::from_fn(|k| numbers[(k * 3 + 1) % 8]);
            let wide = operations(Lanes(a), Lanes(b));
            for lane in 0..8 {
                let single = operations(Lanes([a[lane]]), Lanes([b[lane]]));
                for (wide, single) in wide.iter().zip(single) {
                    assert_eq!(wide.0[lane].to_bits(), single.0[0].to_bits());
                }
            }
        }
    }
}
