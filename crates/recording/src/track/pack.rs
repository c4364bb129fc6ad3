//! Small whole numbers in few bits.
//!
//! Residuals of a good prediction are small but for a few: the bodies that bounced in this frame. So numbers are packed in
//! blocks of 128 with one width per block, and those that do not fit it follow as exceptions with their upper bits. The
//! width is the one that makes the block shortest. A block of zeros takes one byte.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | width in bits; its top bit says that there are exceptions |
//! | 1 + 1 | their number, bytes of the upper part of each; only if there are |
//! | … | the low bits of all numbers; where the width exceeds 32, first the lowest 32 bits of all, then the others |
//! | … | place in the block of each exception, one byte each; then their upper parts |
//!
//! Compression libraries work on bytes and know nothing of widths; the figures of those that were tried are in
//! `docs/recordings.md`.

use carom_geometry::bytes::{ReadError, Reader, Stored};

use super::word::Word;

/// Numbers per block. One byte names a place in it, and the widths of 128 numbers fill whole bytes.
pub(super) const BLOCK: usize = 128;
/// Lengths that a number can have, in bits: 0 to 64.
const LENGTHS: usize = 65;
/// Top bit of the first byte.
const HAS_EXCEPTIONS: u8 = 0x80;

/// Packs a block of at most [`BLOCK`] numbers.
pub(super) fn pack_block<W: Word>(numbers: &[W], out: &mut Vec<u8>) {
    debug_assert!(numbers.len() <= BLOCK, "a block has a limit");
    let Plan { width, exceptions, upper_bytes } = Plan::of(numbers);
    out.push(width as u8 | if exceptions > 0 { HAS_EXCEPTIONS } else { 0 });
    if exceptions > 0 {
        out.extend([exceptions as u8, upper_bytes as u8]);
    }
    put_bits(numbers.iter().map(|n| n.widen()), width.min(32), out);
    if width > 32 {
        put_bits(numbers.iter().map(|n| n.widen() >> 32), width - 32, out);
    }
    if exceptions > 0 {
        let above = |n: W| n.widen() >> width;
        let places = || numbers.iter().enumerate().filter(|(_, n)| above(**n) != 0);
        out.extend(places().map(|(place, _)| place as u8));
        for (_, number) in places() {
            out.extend_from_slice(&above(*number).to_le_bytes()[..upper_bytes as usize]);
        }
    }
}

/// Reads a block into `numbers`.
///
/// # Errors
/// A width, a place or a length that cannot be.
pub(super) fn unpack_block<W: Word>(from: &mut Reader<'_>, numbers: &mut [W]) -> Result<(), ReadError> {
    let start = from.at();
    let first = u8::take(from)?;
    let width = u32::from(first & !HAS_EXCEPTIONS);
    if width > W::BITS {
        return Err(ReadError::of(start, width, "no number is as wide as this").inside("width"));
    }
    let (mut exceptions, mut upper_bytes) = (0, 0);
    if first & HAS_EXCEPTIONS != 0 {
        exceptions = usize::from(u8::take(from)?);
        upper_bytes = usize::from(u8::take(from)?);
        if upper_bytes > W::BITS as usize / 8 || width == W::BITS {
            return Err(
                ReadError::of(start, upper_bytes, "exceptions wider than numbers").inside("exceptions")
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
            return Err(ReadError::of(start, place, "the block has no such place").inside("exceptions"));
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
    /// The shortest: every width is tried on the counts of the lengths.
    fn of<W: Word>(numbers: &[W]) -> Self {
        // Four tables in turn: numbers of the same length, which follow each other, need not wait for each other.
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

/// Writes the lowest `width` bits of every number, at most 32, without gaps.
fn put_bits(numbers: impl Iterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let mask = (1u64 << width) - 1;
    // Whole words are stored at every place and overlap: what is not yet full is stored again with the next number. That
    // has no branches; with one per full word, packing took half as long again.
    let mut bytes = [0; BLOCK * 4 + 8];
    let (mut held, mut filled, mut at, mut last) = (0u64, 0, 0, 0);
    for number in numbers {
        held |= (number & mask) << filled;
        filled += width;
        bytes[at..at + 8].copy_from_slice(&held.to_le_bytes());
        last = at + filled.div_ceil(8) as usize;
        at += (filled / 8) as usize;
        held >>= filled & !7;
        filled &= 7;
    }
    out.extend_from_slice(&bytes[..last]);
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
