//! Twice as many lanes of any kind.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::float::SimdFloat;

/// Twice as many numbers, or masks of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Pair<L>(pub [L; 2]);

macro_rules! operator {
    ($($trait:ident, $function:ident, $operator:tt);*) => {$(
        impl<L: Copy + $trait<Output = L>> $trait for Pair<L> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self([self.0[0] $operator other.0[0], self.0[1] $operator other.0[1]])
            }
        }
    )*};
}

operator!(Add, add, +; Sub, sub, -; Mul, mul, *; Div, div, /; BitAnd, bitand, &; BitOr, bitor, |);

impl<L: Copy + Neg<Output = L>> Neg for Pair<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self([-self.0[0], -self.0[1]])
    }
}

impl<L: Copy + Not<Output = L>> Not for Pair<L> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl<L: SimdFloat> SimdFloat for Pair<L> {
    type Mask = Pair<L::Mask>;

    const WIDTH: usize = 2 * L::WIDTH;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([L::splat(value); 2])
    }

    #[inline(always)]
    fn from_fn(mut at: impl FnMut(usize) -> f32) -> Self {
        let low = L::from_fn(&mut at);
        Self([low, L::from_fn(|k| at(L::WIDTH + k))])
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
    fn sqrt(self) -> Self {
        Self([self.0[0].sqrt(), self.0[1].sqrt()])
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self([self.0[0].abs(), self.0[1].abs()])
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self::Mask {
        Pair([self.0[0].below(other.0[0]), self.0[1].below(other.0[1])])
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        Pair([self.0[0].at_most(other.0[0]), self.0[1].at_most(other.0[1])])
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self([L::select(mask.0[0], yes.0[0], no.0[0]), L::select(mask.0[1], yes.0[1], no.0[1])])
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        L::bits(mask.0[0]) | L::bits(mask.0[1]) << L::WIDTH
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self([self.0[0].max(other.0[0]), self.0[1].max(other.0[1])])
    }

    #[inline(always)]
    fn if_positive(self, yes: Self, no: Self) -> Self {
        Self([self.0[0].if_positive(yes.0[0], no.0[0]), self.0[1].if_positive(yes.0[1], no.0[1])])
    }
}
