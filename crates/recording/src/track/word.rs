//! The whole numbers that stand for the bits of other numbers, and which numbers have such bits.
//!
//! Everything between a frame and its bytes works on words: bits are compared, subtracted and
//! packed, never values, so that what is read back is equal to the bit, not-a-numbers and negative
//! zeros included.

/// 32 or 64 bits; sums wrap around.
pub(super) trait Word: Copy + PartialEq {
    /// How many.
    const BITS: u32;
    /// None of them set.
    const ZERO: Self;

    /// As 64 bits.
    fn widen(self) -> u64;
    /// The lowest bits.
    fn cut(wide: u64) -> Self;
    /// The sum without carry.
    fn plus(self, other: Self) -> Self;
    /// The difference without borrow.
    fn minus(self, other: Self) -> Self;
    /// Signed to unsigned so that small numbers of either sign become small: 0, −1, 1, −2, … → 0,
    /// 1, 2, 3, …
    fn fold_sign(self) -> Self;
    /// The way back.
    fn unfold_sign(self) -> Self;
    /// Bits from the lowest to the highest that is set.
    fn length(self) -> u32;
}

macro_rules! word {
    ($($type:ident signed $signed:ident)+) => {$(
        impl Word for $type {
            const BITS: u32 = $type::BITS;
            const ZERO: Self = 0;

            fn widen(self) -> u64 {
                u64::from(self)
            }

            fn cut(wide: u64) -> Self {
                wide as Self
            }

            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            fn fold_sign(self) -> Self {
                (self << 1) ^ ((self as $signed) >> ($type::BITS - 1)) as Self
            }

            fn unfold_sign(self) -> Self {
                (self >> 1) ^ (self & 1).wrapping_neg()
            }

            fn length(self) -> u32 {
                $type::BITS - self.leading_zeros()
            }
        }
    )+};
}

word!(u32 signed i32 u64 signed i64);

/// A number that a frame holds.
pub(super) trait Number: Copy {
    /// Its bits.
    type Word: Word;

    /// To bits.
    fn to_word(self) -> Self::Word;
    /// From bits.
    fn from_word(word: Self::Word) -> Self;
    /// Its place on a grid of a given step, if it has one there.
    fn to_grid(self, step: f64) -> Option<i32>;
    /// The number at a place of the grid.
    fn from_grid(place: i32, step: f64) -> Self;
}

/// The nearest place on a grid, unless it is too far out or there is none.
fn place_on_grid(number: f64, step: f64) -> Option<i32> {
    let place = (number / step).round();
    // Not-a-numbers fail this as well.
    (place.abs() <= f64::from(i32::MAX)).then_some(place as i32)
}

impl Number for f64 {
    type Word = u64;

    fn to_word(self) -> u64 {
        self.to_bits()
    }

    fn from_word(word: u64) -> Self {
        Self::from_bits(word)
    }

    fn to_grid(self, step: f64) -> Option<i32> {
        place_on_grid(self, step)
    }

    fn from_grid(place: i32, step: f64) -> Self {
        Self::from(place) * step
    }
}

impl Number for f32 {
    type Word = u32;

    fn to_word(self) -> u32 {
        self.to_bits()
    }

    fn from_word(word: u32) -> Self {
        Self::from_bits(word)
    }

    fn to_grid(self, step: f64) -> Option<i32> {
        place_on_grid(f64::from(self), step)
    }

    fn from_grid(place: i32, step: f64) -> Self {
        (f64::from(place) * step) as Self
    }
}

/// Numbers of bodies and kinds: always exact.
impl Number for u32 {
    type Word = Self;

    fn to_word(self) -> Self {
        self
    }

    fn from_word(word: Self) -> Self {
        word
    }

    fn to_grid(self, _step: f64) -> Option<i32> {
        None
    }

    fn from_grid(place: i32, _step: f64) -> Self {
        place.cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_fold_and_unfold() {
        for (signed, folded) in
            [(0i32, 0u32), (-1, 1), (1, 2), (-2, 3), (i32::MAX, u32::MAX - 1), (i32::MIN, u32::MAX)]
        {
            assert_eq!(signed.cast_unsigned().fold_sign(), folded);
            assert_eq!(folded.unfold_sign(), signed.cast_unsigned());
        }
        assert_eq!((-3i64).cast_unsigned().fold_sign(), 5);
        assert_eq!(5u64.unfold_sign(), (-3i64).cast_unsigned());
    }

    #[test]
    fn what_has_no_place_on_the_grid_says_so() {
        assert_eq!(1.26f64.to_grid(0.5), Some(3));
        assert_eq!((-1.24f32).to_grid(0.5), Some(-2));
        for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 3e9] {
            assert_eq!(none.to_grid(1.0), None, "{none}");
        }
        assert_eq!(f64::from(i32::MAX).to_grid(1.0), Some(i32::MAX));
    }
}
