//! A 64-bit fingerprint of a world's state: FNV-1a over the bits of its floats, in body order.
//!
//! Two runs with equal fingerprints after every step are the same run, for every practical purpose.
//! The function is written out here because it is part of the goldens: it may never change with a
//! library.

const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01B3;

/// Builds a fingerprint.
#[derive(Clone, Copy, Debug)]
pub struct StateHasher(u64);

impl Default for StateHasher {
    fn default() -> Self {
        Self(OFFSET)
    }
}

impl StateHasher {
    /// Takes in 32 bits, byte by byte, lowest first.
    pub fn write_u32(&mut self, word: u32) {
        self.write_bytes(&word.to_le_bytes());
    }

    /// Takes in bytes as they are.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Takes in floats by their bits; −0 and +0 differ.
    pub fn write(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for number in numbers {
            self.write_u32(number.to_bits());
        }
    }

    /// The fingerprint so far.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_fnv_1a() {
        assert_eq!(StateHasher::default().finish(), 0xCBF2_9CE4_8422_2325);
        let mut hasher = StateHasher::default();
        hasher.write_u32(u32::from_le_bytes(*b"foob"));
        assert_eq!(hasher.finish(), 0xDD12_0E79_0C25_12AF, "the published value for \"foob\"");
    }
}
