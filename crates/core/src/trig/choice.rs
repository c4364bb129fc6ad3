//! Choices without a branch, where random arguments would be mispredicted half of the time.

/// `yes` or `no`.
#[inline]
pub(super) fn select(condition: bool, yes: f64, no: f64) -> f64 {
    let mask = u64::from(condition).wrapping_neg();
    f64::from_bits(no.to_bits() ^ ((yes.to_bits() ^ no.to_bits()) & mask))
}

/// `value`, negated if the lowest bit of `odd` is set.
#[inline]
pub(super) fn negate_if(odd: u64, value: f64) -> f64 {
    f64::from_bits(value.to_bits() ^ (odd << 63))
}
