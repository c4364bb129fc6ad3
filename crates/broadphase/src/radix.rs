//! Sorting by the digits of a key: time that depends on how many there are and not on how they lie.

/// Bits per digit: 2048 counters stay in the first-level cache.
const DIGIT: u32 = 11;

/// Fewer are sorted by comparisons.
const FEW: usize = 1024;

/// A coordinate as an integer with the same order. −0 and 0 are the same; NaN does not occur.
#[inline]
pub(crate) fn ordered(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Sorts by the upper 32 bits, equal ones in some order that is always the same.
pub(crate) fn sort_by_upper_half(items: &mut Vec<u64>, scratch: &mut Vec<u64>) {
    if items.len() <= FEW {
        items.sort_unstable();
    } else {
        sort(items, scratch, u32::BITS, |item| (item >> 32) as u32);
    }
}

/// Sorts items by the lowest `bits` of a key, stably; higher bits must be 0. `scratch` keeps its
/// memory.
pub(crate) fn sort<T: Copy>(items: &mut Vec<T>, scratch: &mut Vec<T>, bits: u32, key: impl Fn(&T) -> u32) {
    let Some(&any) = items.first() else { return };
    scratch.clear();
    scratch.resize(items.len(), any);
    if ends_in_scratch(items, scratch, bits, key) {
        std::mem::swap(items, scratch);
    }
}

/// As [`sort`], of a part of a list; `scratch` has the same length.
pub(crate) fn sort_slice<T: Copy>(items: &mut [T], scratch: &mut [T], bits: u32, key: impl Fn(&T) -> u32) {
    if ends_in_scratch(items, scratch, bits, key) {
        items.copy_from_slice(scratch);
    }
}

/// Deals the items out by one digit after another, from the least, to and fro between two slices of
/// one length. Are they in the second one in the end? All digits are counted beforehand in one
/// pass.
fn ends_in_scratch<T: Copy>(items: &mut [T], scratch: &mut [T], bits: u32, key: impl Fn(&T) -> u32) -> bool {
    let rounds = bits.div_ceil(DIGIT).max(1);
    let width = bits.div_ceil(rounds).max(1);
    let digit = |item: &T, round: u32| (key(item) >> (round * width) & ((1 << width) - 1)) as usize;
    let mut counts = [[0u32; 1 << DIGIT]; u32::BITS.div_ceil(DIGIT) as usize];
    for item in &*items {
        for round in 0..rounds {
            counts[round as usize][digit(item, round)] += 1;
        }
    }
    let (mut from, mut to) = (items, scratch);
    for (round, starts) in (0..rounds).zip(&mut counts) {
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        for item in &*from {
            let place = &mut starts[digit(item, round)];
            to[*place as usize] = *item;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    rounds % 2 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![any::<f32>().prop_filter("no number", |x| !x.is_nan()), Just(0.0), Just(-0.0)]
    }

    proptest! {
        #[test]
        fn integers_have_the_order_of_numbers(x in number(), y in number()) {
            prop_assert_eq!(super::ordered(x) < super::ordered(y), x < y);
            prop_assert_eq!(super::ordered(x) == super::ordered(y), x == y);
        }

        #[test]
        fn digits_sort_as_comparisons_do(keys in prop::collection::vec(any::<u32>(), 0..2000), bits in 1u32..=32) {
            let mut items: Vec<(u32, usize)> = keys.iter().map(|k| k >> (32 - bits)).zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut part = items.clone();
            super::sort_slice(&mut part, &mut items.clone(), bits, |item| item.0);
            super::sort(&mut items, &mut Vec::new(), bits, |item| item.0);
            prop_assert_eq!(&items, &expected);
            prop_assert_eq!(part, expected);
        }
    }
}
