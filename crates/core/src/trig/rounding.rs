//! Where rounding from `f64` to `f32` is in doubt.
//!
//! Computing quickly, testing whether the rounding is certain, and computing again with more bits
//! if it is not, is the strategy of Ziv (*Fast evaluation of elementary mathematical functions with
//! correctly rounded last bit*, 1991).

/// Bits of an `f64` below the last bit of an `f32`.
const TAIL: u64 = (1 << 29) - 1;
/// The tail of a midpoint between two `f32`.
const MIDPOINT: u64 = 1 << 28;
/// 2¹²⁸: where the next `f32` after the largest one would be.
const BEYOND_MAX: f64 = f64::from_bits(0x47F0_0000_0000_0000);

/// Adding this to a number below 2⁵¹ and taking it away again rounds to the nearest integer, ties
/// to even; in between, the low bits of the sum are that integer.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// True if `value ≥ 0`, with an error of up to four ulps, may lie on either side of a boundary
/// where rounding to `f32` changes; always for results below the normal numbers, whose boundaries
/// are elsewhere.
#[inline]
pub(super) fn is_doubtful(value: f64) -> bool {
    let tail = value.to_bits() & TAIL;
    tail.wrapping_sub(MIDPOINT - 4) <= 8 || value < f64::from(f32::MIN_POSITIVE)
}

/// `hi + lo` rounded once to `f32`, for |lo| below |hi|: rounding the `f64` sum would be wrong
/// where it falls on a midpoint by its own rounding.
#[inline]
pub(super) fn round_sum(hi: f64, lo: f64) -> f32 {
    let sum = hi + lo;
    if sum.to_bits() & TAIL == MIDPOINT { round_midpoint(sum, (hi - sum) + lo) } else { sum as f32 }
}

#[cold]
fn round_midpoint(sum: f64, missing: f64) -> f32 {
    // One step away from the tie is enough; a result below the normal numbers is moved by far less
    // than it is rounded.
    let nudged = if missing > 0.0 {
        sum.next_up()
    } else if missing < 0.0 {
        sum.next_down()
    } else {
        sum
    };
    nudged as f32
}

/// A boundary where rounding to `f32` changes, and the numbers on its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    below: f32,
    above: f32,
    /// Halfway between the two, exactly.
    pub(super) at: f64,
}

impl Boundary {
    /// The boundary nearest to `value ≥ 0`; `None` if `value` is a `f32`.
    pub(super) fn near(value: f64) -> Option<Self> {
        let nearest = value as f32;
        let (below, above) = if f64::from(nearest) < value {
            (nearest, nearest.next_up())
        } else if f64::from(nearest) > value {
            (nearest.next_down(), nearest)
        } else {
            return None;
        };
        let top = if above == f32::INFINITY { BEYOND_MAX } else { f64::from(above) };
        Some(Self { below, above, at: 0.5 * (f64::from(below) + top) })
    }

    /// The rounded result, if the true value minus the boundary has the sign of `side`; zero is a
    /// tie, which goes to the even neighbour.
    pub(super) fn round(self, side: f64) -> f32 {
        if side > 0.0 || (side == 0.0 && self.above.to_bits() & 1 == 0) { self.above } else { self.below }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_lie_between_neighbours() {
        assert!(Boundary::near(1.0).is_none());
        let b = Boundary::near(1.0 + 1e-8).unwrap();
        assert_eq!((b.below, b.above), (1.0, 1.0f32.next_up()));
        assert_eq!((b.round(0.0), b.round(1e-9), b.round(-1e-9)), (1.0, 1.0f32.next_up(), 1.0));
        let b = Boundary::near(3.4028236e38).unwrap();
        assert_eq!((b.below, b.above, b.at as f32), (f32::MAX, f32::INFINITY, f32::INFINITY));
        let b = Boundary::near(1e-46).unwrap();
        assert_eq!((b.below, b.above.to_bits(), b.round(0.0)), (0.0, 1, 0.0));
    }

    #[test]
    fn sums_on_a_midpoint_are_rounded_by_what_is_missing() {
        let midpoint = 1.0 + 2f64.powi(-24);
        assert_eq!(round_sum(midpoint, 1e-20), 1.0f32.next_up());
        assert_eq!(round_sum(midpoint, -1e-20), 1.0);
        assert_eq!(round_sum(midpoint, 0.0), 1.0);
        assert_eq!(round_sum(-midpoint, -1e-20), -1.0f32.next_up());
        assert_eq!(round_sum(-midpoint, 1e-20), -1.0);
    }

    #[test]
    fn doubt_is_raised_at_midpoints_only() {
        let midpoint = 1.5 + 2f64.powi(-24);
        assert!(
            is_doubtful(midpoint) && is_doubtful(midpoint.next_up()) && is_doubtful(midpoint.next_down())
        );
        assert!(!is_doubtful(midpoint + 2f64.powi(-48)) && !is_doubtful(1.5));
        assert!(is_doubtful(1e-40));
    }
}
