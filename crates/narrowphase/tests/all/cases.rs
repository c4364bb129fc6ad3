//! Places of one shape beside another, random ones and awkward ones.

use std::sync::OnceLock;

use carom_geometry::{Pose, Rotation};
use glam::DVec3;
use proptest::prelude::*;

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

    /// Each coordinate in `[−reach, reach)`.
    pub(crate) fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.between(-reach, reach), self.between(-reach, reach), self.between(-reach, reach))
    }

    /// Any rotation.
    pub(crate) fn rotation(&mut self) -> Rotation<f64> {
        let quaternion = std::array::from_fn(|_| self.between(-1.0, 1.0));
        Rotation::from_xyzw(quaternion).unwrap_or(Rotation::IDENTITY)
    }

    /// A place beside a first shape, of the same mixture as [`pose`].
    pub(crate) fn pose(&mut self, reach: f64) -> Pose<f64> {
        let translation = if self.below(4) == 0 {
            let mut step = || self.below(9) as f64 - 4.0;
            DVec3::new(step(), step(), step()) * (reach / 4.0)
        } else {
            self.vector(reach)
        };
        let rotation = match self.below(7) {
            0 => Rotation::from_rotation_vector(self.vector(1e-6)),
            1 | 2 => eighth_turns(std::array::from_fn(|_| self.below(8) as u8)),
            _ => self.rotation(),
        };
        Pose::new(translation, rotation)
    }
}

/// Turns about x, y, z by multiples of 45°.
fn eighth_turns(rotations: [u8; 3]) -> Rotation<f64> {
    let rotation =
        |axis, eighths: u8| Rotation::about_axis(axis, f64::from(eighths) * std::f64::consts::FRAC_PI_4);
    rotation(DVec3::X, rotations[0]) * rotation(DVec3::Y, rotations[1]) * rotation(DVec3::Z, rotations[2])
}

/// Any rotation.
pub(crate) fn rotation() -> impl Strategy<Value = Rotation<f64>> {
    prop::array::uniform4(-1.0f64..1.0).prop_filter_map("null quaternion", Rotation::from_xyzw)
}

/// Quarter and eighth turns about the axes: parallel faces and edges.
pub(crate) fn aligned_rotation() -> impl Strategy<Value = Rotation<f64>> {
    prop::array::uniform3(0u8..8).prop_map(eighth_turns)
}

/// Poses of a second shape near the first, `reach` being about the sum of their sizes: mostly
/// random, some aligned with it, some with coordinates on a grid (touching, coincident vertices),
/// some hardly turned.
pub(crate) fn pose(reach: f64) -> impl Strategy<Value = Pose<f64>> {
    let anywhere = prop::array::uniform3(-1.0f64..1.0).prop_map(move |t| DVec3::from(t) * reach);
    let on_grid =
        prop::array::uniform3(-4i8..=4).prop_map(move |t| DVec3::from(t.map(f64::from)) * (reach / 4.0));
    let slightly = prop::array::uniform3(-1.0f64..1.0)
        .prop_map(|t| Rotation::from_rotation_vector(DVec3::from(t) * 1e-6));
    let translation = prop_oneof![3 => anywhere, 1 => on_grid];
    let rotated = prop_oneof![4 => rotation(), 2 => aligned_rotation(), 1 => slightly];
    (translation, rotated).prop_map(|(t, r)| Pose::new(t, r))
}

proptest! {
    #[test]
    fn places_are_within_reach(pose in pose(3.0)) {
        prop_assert!(pose.is_finite() && pose.translation.abs().max_element() <= 3.0);
    }
}

#[test]
fn numbers_make_places_within_reach() {
    let mut numbers = Numbers(1);
    for _ in 0..count() / 10 {
        let pose = numbers.pose(3.0);
        assert!(pose.is_finite() && pose.translation.abs().max_element() <= 3.0);
    }
}
