//! Random numbers of the tests and how many cases they run.

use std::sync::OnceLock;

/// How many random cases a mass check runs: 10⁴, or 10⁶ if `CAROM_LONG` is set.
pub(crate) fn count() -> u32 {
    if long_run() == 0 { 10_000 } else { 1_000_000 }
}

/// The number of the long run that `CAROM_LONG` asks for; 0 if none. Each number stands for other
/// random cases.
fn long_run() -> u64 {
    static RUN: OnceLock<u64> = OnceLock::new();
    *RUN.get_or_init(|| {
        std::env::var("CAROM_LONG").map_or(0, |value| value.parse().ok().filter(|n| *n > 0).unwrap_or(1))
    })
}

/// Numbers that look random and are the same in every run, or every long run of one number
/// (splitmix64, S. Vigna).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let state = self.0.wrapping_add(long_run().wrapping_mul(0xd1b5_4a32_d192_ed03));
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Between 0 and `n − 1`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// In `[low, high)`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}
