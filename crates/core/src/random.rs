//! Seeded random numbers: the same bits on every platform and for ever.
//!
//! Scenes made from a seed are compared with those of other engines and with results measured years
//! ago, so both generators are part of the file-format promise: their sequences never change (the
//! golden tests below hold them). A crate such as `rand` promises no such thing for its default
//! generators. Only integer operations, `+ − × ÷` and square roots are used, all of them exact or
//! correctly rounded; the one sine comes from [`crate::trig`].
//!
//! [`Random`] is xorshift64\*, period 2⁶⁴ − 1 and good high bits; scenes, swarms and resampling use
//! it. [`SplitMix64`] has any state and 64 bits of state per step; random hulls and random poses of
//! the narrow phase's measurements use it, from before there was one place for both. Neither is a
//! source of secrets.

use crate::trig::sin_cos;

/// Spreads small seeds over all bits (2⁶⁴ divided by the golden ratio, odd).
const SEED_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
/// Output multiplier of xorshift64\* (Vigna, "An experimental exploration of Marsaglia's xorshift
/// generators").
const OUTPUT_FACTOR: u64 = 0x2545_F491_4F6C_DD1D;
/// Steps thrown away after seeding, so that near seeds have parted.
const WARM_UP: u32 = 8;

/// A seeded sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed. Every seed is allowed; state 0, from which xorshift never leaves,
    /// cannot occur.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(SEED_FACTOR) | 1);
        for _ in 0..WARM_UP {
            random.next_u64();
        }
        random
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(OUTPUT_FACTOR)
    }

    /// A number in [0, 1) with 24 random bits.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A number in [`low`, `high`]; `high` itself only by rounding.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [`low`, `high`]; `high` itself only by rounding.
    pub fn range_f64(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit_f64()
    }

    /// An integer below `n`, by remainder: the bias is under n / 2⁶⁴. `n` = 0 gives 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next_u64().checked_rem(n).unwrap_or(0)
    }

    /// A unit vector, evenly spread over the sphere.
    pub fn direction(&mut self) -> [f32; 3] {
        loop {
            let v: [f32; 3] = std::array::from_fn(|_| self.range(-1.0, 1.0));
            let norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            // Very short vectors would lose bits when they are scaled up.
            if (0.1..=1.0).contains(&norm) {
                return v.map(|x| x / norm);
            }
        }
    }

    /// A unit quaternion `x, y, z, w`: an angle below 2π, evenly spread, about a random axis.
    pub fn rotation(&mut self) -> [f32; 4] {
        let axis = self.direction();
        let (sin, cos) = sin_cos(self.range(0.0, std::f32::consts::PI));
        [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
    }

    /// Puts `items` in random order (Fisher and Yates, from the last to the first).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            // The remainder is at most i, so it fits a usize.
            let j = self.below(i as u64 + 1) as usize;
            items.swap(i, j);
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(SEED_FACTOR);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [−1, 1]; the ends only by rounding.
    pub fn signed_unit_f64(&mut self) -> f64 {
        self.next_u64() as i64 as f64 / (1u64 << 63) as f64
    }

    /// A number in [`low`, `high`]; `high` itself only by rounding.
    pub fn range_f64(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_sequence_of_a_seed_never_changes() {
        let first = |seed| {
            let mut random = Random::new(seed);
            [random.next_u64(), random.next_u64(), random.next_u64()]
        };
        assert_eq!(first(0), [0x56B2_B122_E948_3038, 0xBFFA_B238_424D_3A95, 0x7FB3_3871_5EBC_2CDE]);
        assert_eq!(first(1), [0x87D6_E3D2_AFC2_00AC, 0xD2F5_7AC5_18CB_B99D, 0x002A_74B4_AEB8_2DB2]);
        assert_eq!(first(0x5EED_2026), [0x19B8_22EA_F8CD_9082, 0x9C96_D461_53AA_2B07, 0x2D79_CFBC_797C_49DE]);
    }

    #[test]
    fn numbers_orders_and_rotations_never_change_either() {
        let mut random = Random::new(1);
        assert_eq!(random.unit().to_bits(), 0x3f07_d6e3);
        assert_eq!(random.range(-5.0, 5.0).to_bits(), 0x404f_65b0);
        assert_eq!(Random::new(1).unit_f64().to_bits(), 0x3fe0_fadc_7a55_f840);
        let mut order: Vec<u32> = (0..8).collect();
        Random::new(1).shuffle(&mut order);
        assert_eq!(order, [3, 5, 2, 6, 1, 7, 0, 4]);
        assert_eq!(Random::new(1).below(0), 0);
    }

    #[test]
    fn split_mix_gives_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
        let unit = SplitMix64::new(7).unit_f64();
        assert!((0.0..1.0).contains(&unit) && SplitMix64::new(7).range_f64(2.0, 4.0) == 2.0 + 2.0 * unit);
    }

    proptest! {
        #[test]
        fn values_stay_in_their_ranges(seed: u64, low in -1e3f32..1e3, width in 0f32..1e3, n in 1u64..) {
            let mut random = Random::new(seed);
            prop_assert!((0.0..1.0).contains(&random.unit()));
            prop_assert!((0.0..1.0).contains(&random.unit_f64()));
            prop_assert!((low..=low + width).contains(&random.range(low, low + width)));
            prop_assert!(random.below(n) < n);
            let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
            prop_assert!((length(&random.direction()) - 1.0).abs() < 1e-6);
            prop_assert!((length(&random.rotation()) - 1.0).abs() < 1e-6);
        }
    }
}
