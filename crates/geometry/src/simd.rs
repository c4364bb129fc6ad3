//! Several `f32` per instruction, with the same bits on every platform.
//!
//! A thin choice from the crate `wide`: four lanes, which every x86-64 and ARM64 has without asking. Allowed are `+ − × ÷`,
//! comparisons, absolute value and the logic of masks, all exact or correctly rounded per lane, so a lane computes what the
//! same scalar expression computes. Not allowed are `mul_add`, `recip`, `recip_sqrt` and everything transcendental; minimum
//! and maximum treat NaN as the platform likes and are to be avoided too.
//!
//! Every function written with lanes has a scalar twin and a test that compares the two.

pub(crate) use wide::f32x4 as Lanes;

/// Numbers per vector.
pub(crate) const LANES: usize = 4;

/// x, y, z become y, z, x.
#[inline]
fn cycled(v: Lanes) -> Lanes {
    let [x, y, z, w] = v.to_array();
    Lanes::new([y, z, x, w])
}

/// [`crate::real::Real::turned_half_extents`]: the entries of the rotation matrix are computed three at a time, those of the
/// diagonal and of the two cycles beside it. Left to itself, the compiler forms pairs and loses the gain to shuffling.
#[inline]
pub(crate) fn turned_half_extents(quaternion: [f32; 4], half: [f32; 3]) -> [f32; 3] {
    let v = Lanes::new(quaternion);
    let double = v + v;
    let cycled_double = cycled(double);
    // xy, yz, zx and wz, wx, wy.
    let products = v * cycled_double;
    let turns = Lanes::splat(quaternion[3]) * cycled(cycled_double);
    let squares = cycled(v * double);
    let diagonal = (Lanes::splat(1.0) - (squares + cycled(squares))).abs().to_array();
    let above = (products - turns).abs().to_array();
    let below = (products + turns).abs().to_array();
    let columns = [
        Lanes::new([diagonal[0], below[0], above[2], 0.0]),
        Lanes::new([above[0], diagonal[1], below[1], 0.0]),
        Lanes::new([below[2], above[1], diagonal[2], 0.0]),
    ];
    let [x, y, z] = half.map(Lanes::splat);
    let [x, y, z, _] = (columns[0] * x + columns[1] * y + columns[2] * z).to_array();
    [x, y, z]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn turned_boxes_have_the_bits_of_the_scalar_twin(
            quaternion in prop::array::uniform4(-1.0f32..1.0),
            half in prop::array::uniform3(0.0f32..10.0),
        ) {
            let lanes = super::turned_half_extents(quaternion, half);
            let scalar = crate::rotation::turned_half_extents(quaternion, half);
            prop_assert_eq!(lanes.map(f32::to_bits), scalar.map(f32::to_bits));
        }
    }
}
