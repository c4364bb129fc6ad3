//! Small whole numbers in few bits.
//!
//! Residuals of a good prediction are small but for a few: the bodies that bounced in this frame.
//! So numbers are packed in blocks of 128 with one width per block, and those that do not fit it
//! follow as exceptions with their upper bits. The width is the one that makes the block shortest.
//! A block of zeros takes one byte.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | width in bits; its top bit says that there are exceptions |
//! | 1 + 1 | their number, bytes of the upper part of each; only if there are |
//! | … | the low bits of all numbers; where the width exceeds 32, first the lowest 32 bits of all, then the others |
//! | … | place in the block of each exception, one byte each; then their upper parts |
//!
//! Compression libraries work on bytes and know nothing of widths; the figures of those that were
//! tried are in `docs/recordings.md`.

use carom_geometry::bytes::{BytesReadError, Reader, Stored};

use super::word::Word;

/// Numbers per block. One byte names a place in it, and the widths of 128 numbers fill whole bytes.
pub(super) const BLOCK: usize = 128;
/// Lengths that a number can have, in bits: 0 to 64.
const LENGTHS: usize = 65;
/// Top bit of the first byte.
const HAS_EXCEPTIONS: u8 = 0x80;

/// The width that a block of the frame before had, for the block of the same bodies in this one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    width: u8,
    exceptions: u8,
    /// Blocks for which it still holds.
    left: u8,
}

impl Habit {
    /// Frames in a row that keep a width.
    const LASTS: u8 = 8;
    /// One of so many numbers must use one of the two highest bits, or a narrower width is looked
    /// for.
    const USED: usize = 6;
    /// So many more exceptions than when it was chosen, and the width is chosen again.
    const PATIENCE: usize = 4;
}

/// Packs a block of at most [`BLOCK`] numbers.
pub(super) fn pack_block<W: Word>(numbers: &[W], out: &mut Vec<u8>) {
    pack_block_again(numbers, &mut Habit::default(), out);
}

/// The same for a block whose predecessor is known: its width is tried first, which takes a fifth
/// of the time of looking for the best.
pub(super) fn pack_block_again<W: Word>(numbers: &[W], habit: &mut Habit, out: &mut Vec<u8>) {
    debug_assert!(numbers.len() <= BLOCK, "a block has a limit");
    let Plan { width, exceptions, upper_bytes } = Plan::by(habit, numbers);
    out.push(width as u8 | if exceptions > 0 { HAS_EXCEPTIONS } else { 0 });
    if exceptions > 0 {
        out.extend([exceptions as u8, upper_bytes as u8]);
    }
    let mut part = [0u32; BLOCK];
    part.iter_mut().zip(numbers).for_each(|(low, n)| *low = n.widen() as u32);
    put_bits(&part, numbers.len(), width.min(32), out);
    if width > 32 {
        part.iter_mut().zip(numbers).for_each(|(high, n)| *high = (n.widen() >> 32) as u32);
        put_bits(&part, numbers.len(), width - 32, out);
    }
    if exceptions > 0 {
        let mut places = [0u8; BLOCK];
        let mut found = 0;
        for (place, number) in numbers.iter().enumerate() {
            // Written in any case, and overwritten by the next unless it counts: there is nothing
            // to guess for the processor.
            places[found.min(BLOCK - 1)] = place as u8;
            found += usize::from(number.widen() >> width != 0);
        }
        let places = &places[..found.min(BLOCK)];
        out.extend_from_slice(places);
        for place in places {
            let upper = numbers[usize::from(*place)].widen() >> width;
            out.extend_from_slice(&upper.to_le_bytes()[..upper_bytes as usize]);
        }
    }
}

/// Reads a block into `numbers`.
///
/// # Errors
/// A width, a place or a length that cannot be.
pub(super) fn unpack_block<W: Word>(from: &mut Reader<'_>, numbers: &mut [W]) -> Result<(), BytesReadError> {
    let start = from.at();
    let first = u8::take(from)?;
    let width = u32::from(first & !HAS_EXCEPTIONS);
    if width > W::BITS {
        return Err(BytesReadError::of(start, width, "no number is as wide as this").inside("width"));
    }
    let (mut exceptions, mut upper_bytes) = (0, 0);
    if first & HAS_EXCEPTIONS != 0 {
        exceptions = usize::from(u8::take(from)?);
        upper_bytes = usize::from(u8::take(from)?);
        if upper_bytes > W::BITS as usize / 8 || width == W::BITS {
            return Err(
                BytesReadError::of(start, upper_bytes, "exceptions wider than numbers").inside("exceptions")
            );
        }
    }
    let low = width.min(32);
    take_bits(from.slice(bytes_of(numbers.len(), low))?, low, numbers, |number, bits| *number = W::cut(bits));
    if width > 32 {
        let high = width - 32;
        let bytes = from.slice(bytes_of(numbers.len(), high))?;
        take_bits(bytes, high, numbers, |number, bits| *number = W::cut(number.widen() | bits << 32));
    }
    let places = from.slice(exceptions)?;
    let uppers = from.slice(exceptions * upper_bytes)?;
    for (rank, place) in places.iter().enumerate() {
        let mut upper = [0; 8];
        upper[..upper_bytes].copy_from_slice(&uppers[rank * upper_bytes..][..upper_bytes]);
        let Some(number) = numbers.get_mut(usize::from(*place)) else {
            return Err(BytesReadError::of(start, place, "the block has no such place").inside("exceptions"));
        };
        *number = W::cut(number.widen() | u64::from_le_bytes(upper) << width);
    }
    Ok(())
}

/// Bytes of so many numbers of a width.
fn bytes_of(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// How a block is packed.
struct Plan {
    width: u32,
    exceptions: usize,
    upper_bytes: u32,
}

impl Plan {
    /// As usual, or anew if that has become unusual.
    fn by<W: Word>(habit: &mut Habit, numbers: &[W]) -> Self {
        if habit.left > 0 {
            let width = u32::from(habit.width);
            let usual = Self::of_width(width, numbers);
            // A width that fits is used: of numbers that are predicted well enough, many have one
            // of the two highest bits.
            let used = numbers.iter().filter(|number| number.widen() >> width.saturating_sub(2) != 0).count();
            let is_narrow = width == 0 || used * Habit::USED >= numbers.len();
            if is_narrow && usual.exceptions <= usize::from(habit.exceptions) + Habit::PATIENCE {
                habit.left -= 1;
                return usual;
            }
        }
        let plan = Self::of(numbers);
        *habit = Habit { width: plan.width as u8, exceptions: plan.exceptions as u8, left: Habit::LASTS };
        plan
    }

    fn of_width<W: Word>(width: u32, numbers: &[W]) -> Self {
        if width >= W::BITS {
            return Self { width: W::BITS, exceptions: 0, upper_bytes: 0 };
        }
        let (mut all, mut exceptions) = (0, 0);
        for number in numbers {
            let above = number.widen() >> width;
            all |= above;
            exceptions += usize::from(above != 0);
        }
        let upper_bytes = (u64::BITS - all.leading_zeros()).div_ceil(8);
        Self { width, exceptions, upper_bytes }
    }

    /// The shortest: every width is tried on the counts of the lengths.
    fn of<W: Word>(numbers: &[W]) -> Self {
        // Four tables in turn: numbers of the same length, which follow each other, need not wait
        // for each other.
        let mut tables = [[0u8; LENGTHS]; 4];
        for four in numbers.chunks(4) {
            for (table, number) in tables.iter_mut().zip(four) {
                table[number.length() as usize] += 1;
            }
        }
        let counts: [u8; LENGTHS] = std::array::from_fn(|k| tables.iter().map(|table| table[k]).sum());
        let longest = counts.iter().rposition(|count| *count > 0).unwrap_or(0) as u32;
        let mut best = Self { width: longest, exceptions: 0, upper_bytes: 0 };
        let mut best_bits = numbers.len() * longest as usize;
        let mut exceptions = 0;
        for width in (0..longest).rev() {
            exceptions += usize::from(counts[width as usize + 1]);
            // An exception takes two bytes at least, and narrower widths have more of them.
            if 16 + 16 * exceptions >= best_bits {
                break;
            }
            let upper_bytes = (longest - width).div_ceil(8);
            let bits = numbers.len() * width as usize + 16 + exceptions * 8 * (1 + upper_bytes as usize);
            if bits < best_bits {
                best_bits = bits;
                best = Self { width, exceptions, upper_bytes };
            }
        }
        best
    }
}

/// Writes the lowest `width` bits, at most 32, of the first `count` numbers without gaps.
fn put_bits(numbers: &[u32; BLOCK], count: usize, width: u32, out: &mut Vec<u8>) {
    let mut words = [0u32; BLOCK];
    let (groups, _) = numbers.as_chunks::<GROUP>();
    for (group, words) in
        groups.iter().zip(words.chunks_mut((width as usize).max(1))).take(count.div_ceil(GROUP))
    {
        PACKERS[width as usize](group, words);
    }
    let mut bytes = [0; BLOCK * 4];
    bytes.chunks_mut(4).zip(words).for_each(|(four, word)| four.copy_from_slice(&word.to_le_bytes()));
    out.extend_from_slice(&bytes[..bytes_of(count, width)]);
}

/// Numbers that fill as many words as they have bits each.
const GROUP: usize = 32;

/// Writes 32 numbers into as many words as it has bits.
type Packer = fn(&[u32; GROUP], &mut [u32]);

/// A packer for every width: with the width known all shifts are, and a number takes one to three
/// instructions. With the width as a variable, packing took twice as long.
const PACKERS: [Packer; 33] = {
    macro_rules! packers {
        ($($width:literal)+) => { [|_, _| (), $(put_group::<$width>),+] };
    }
    packers!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
};

/// Writes the lowest `WIDTH` bits of 32 numbers into `WIDTH` words.
fn put_group<const WIDTH: usize>(numbers: &[u32; GROUP], words: &mut [u32]) {
    let mut packed = [0u32; GROUP + 1];
    macro_rules! put {
        ($($place:literal)+) => {$(
            let number = numbers[$place] & (u32::MAX >> (32 - WIDTH));
            let (word, shift) = ($place * WIDTH / 32, $place * WIDTH % 32);
            packed[word] |= number << shift;
            if shift + WIDTH > 32 {
                packed[word + 1] |= number >> (32 - shift);
            }
        )+};
    }
    put!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    words.copy_from_slice(&packed[..WIDTH]);
}

/// Gives `width` bits, at most 32, to every number in turn.
fn take_bits<W>(bytes: &[u8], width: u32, numbers: &mut [W], mut give: impl FnMut(&mut W, u64)) {
    if width == 0 {
        numbers.iter_mut().for_each(|number| give(number, 0));
        return;
    }
    let mask = (1u64 << width) - 1;
    let mut words = bytes.chunks(4).map(|chunk| match chunk.first_chunk() {
        Some(four) => u32::from_le_bytes(*four),
        None => chunk.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)),
    });
    let (mut held, mut filled) = (0u64, 0);
    for number in numbers {
        if filled < width {
            held |= u64::from(words.next().unwrap_or(0)) << filled;
            filled += 32;
        }
        give(number, held & mask);
        held >>= width;
        filled -= width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip<W: Word + std::fmt::Debug>(numbers: &[W]) -> usize {
        let mut bytes = Vec::new();
        pack_block(numbers, &mut bytes);
        let mut read = vec![W::ZERO; numbers.len()];
        let mut reader = Reader::new(&bytes);
        unpack_block(&mut reader, &mut read).unwrap();
        assert_eq!((read.as_slice(), reader.left()), (numbers, 0));
        for length in 0..bytes.len() {
            assert!(unpack_block(&mut Reader::new(&bytes[..length]), &mut read).is_err(), "cut at {length}");
        }
        bytes.len()
    }

    #[test]
    fn zeros_take_one_byte_and_one_exception_does_not_widen_the_block() {
        assert_eq!(round_trip(&[0u64; BLOCK]), 1);
        let mut numbers = [5u64; BLOCK];
        numbers[77] = u64::MAX;
        // Width 3: 48 bytes, and an exception of 61 upper bits: 2 + 1 + 8.
        assert_eq!(round_trip(&numbers), 1 + 48 + 2 + 1 + 8);
        assert_eq!(round_trip(&[u64::MAX; BLOCK]), 1 + BLOCK * 8);
        assert_eq!(round_trip(&[u32::MAX; BLOCK]), 1 + BLOCK * 4);
        assert_eq!(round_trip::<u32>(&[]), 1);
    }

    #[test]
    fn a_width_that_was_right_before_is_kept_and_one_that_is_no_more_is_not() {
        let mut habit = Habit::default();
        let mut lengths = Vec::new();
        for frame in 0..12u64 {
            // Small numbers, then large ones from the fourth frame to the seventh, and an odd one
            // in the second.
            let mut numbers = [if (4..8).contains(&frame) { 5u64 << 40 } else { 5 }; BLOCK];
            numbers[9] += u64::from(frame == 1) << 50;
            let mut bytes = Vec::new();
            pack_block_again(&numbers, &mut habit, &mut bytes);
            let mut read = [0u64; BLOCK];
            unpack_block(&mut Reader::new(&bytes), &mut read).unwrap();
            assert_eq!(read, numbers, "frame {frame}");
            lengths.push(bytes.len());
        }
        let small = 1 + 48;
        assert_eq!(lengths[..4], [small, small + 2 + 1 + 6, small, small]);
        assert!(lengths[4..8].iter().all(|length| *length > 600), "{lengths:?}");
        assert_eq!(lengths[8..], [small; 4]);
    }

    proptest! {
        #[test]
        fn what_is_packed_is_read_back(numbers in prop::collection::vec((any::<u64>(), 0u32..64), 0..=BLOCK)) {
            let wide: Vec<u64> = numbers.iter().map(|(n, shift)| n >> shift).collect();
            round_trip(&wide);
            let narrow: Vec<u32> = wide.iter().map(|n| *n as u32).collect();
            round_trip(&narrow);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = unpack_block(&mut Reader::new(&bytes), &mut [0u32; BLOCK]);
            let _ = unpack_block(&mut Reader::new(&bytes), &mut [0u64; 17]);
        }
    }
}
