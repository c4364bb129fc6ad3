//! Kernels of four lanes for what is hot in geometry ([`carom_core::simd`]).
//!
//! Each lane computes what the same scalar expression computes.
//! Every function written with lanes has a scalar twin and a test that compares the two.

use carom_core::simd::f32x4;
use glam::Vec3;

use crate::intersect::ray;
use crate::real::Real;

/// Numbers per vector.
pub(crate) const LANES: usize = 4;

/// x, y, z become y, z, x.
#[inline]
fn cycled(v: f32x4) -> f32x4 {
    let [x, y, z, w] = v.to_array();
    f32x4::new([y, z, x, w])
}

/// [`Real::rotated_half_extents`]: the entries of the rotation matrix are computed three at a time,
/// those of the diagonal and of the two cycles beside it. Left to itself, the compiler forms pairs
/// and loses the gain to shuffling.
#[inline]
pub(crate) fn rotated_half_extents(quaternion: [f32; 4], half: [f32; 3]) -> [f32; 3] {
    let v = f32x4::new(quaternion);
    let double = v + v;
    let cycled_double = cycled(double);
    // xy, yz, zx and wz, wx, wy.
    let products = v * cycled_double;
    let turns = f32x4::splat(quaternion[3]) * cycled(cycled_double);
    let squares = cycled(v * double);
    let diagonal = (f32x4::splat(1.0) - (squares + cycled(squares))).abs().to_array();
    let above = (products - turns).abs().to_array();
    let below = (products + turns).abs().to_array();
    let columns = [
        f32x4::new([diagonal[0], below[0], above[2], 0.0]),
        f32x4::new([above[0], diagonal[1], below[1], 0.0]),
        f32x4::new([below[2], above[1], diagonal[2], 0.0]),
    ];
    let [x, y, z] = half.map(f32x4::splat);
    let [x, y, z, _] = (columns[0] * x + columns[1] * y + columns[2] * z).to_array();
    [x, y, z]
}

/// [`Real::lanes_equal`].
#[inline]
pub(crate) fn lanes_equal([a, b, c, d, e, f, g, h]: &[f32; 8], value: f32) -> u32 {
    let value = f32x4::splat(value);
    let low = f32x4::new([*a, *b, *c, *d]).simd_eq(value).to_bitmask();
    let high = f32x4::new([*e, *f, *g, *h]).simd_eq(value).to_bitmask();
    low | high << LANES
}

/// [`Real::lanes_equal`] for any scalar.
#[inline]
pub(crate) fn lanes_equal_scalar<S: Real>(lanes: &[S; 8], value: S) -> u32 {
    lanes.iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(*lane == value))
}

/// [`Real::lanes_at_least`].
#[inline]
pub(crate) fn lanes_at_least([a, b, c, d, e, f, g, h]: &[f32; 8], value: f32) -> u32 {
    let value = f32x4::splat(value);
    let low = f32x4::new([*a, *b, *c, *d]).simd_ge(value).to_bitmask();
    let high = f32x4::new([*e, *f, *g, *h]).simd_ge(value).to_bitmask();
    low | high << LANES
}

/// [`Real::lanes_at_least`] for any scalar.
#[inline]
pub(crate) fn lanes_at_least_scalar<S: Real>(lanes: &[S; 8], value: S) -> u32 {
    lanes.iter().rev().fold(0, |bits, lane| bits << 1 | u32::from(*lane >= value))
}

/// [`Real::sides_passed`], with the three corners in the lanes: a ray at a triangle takes 7.9 ns
/// instead of 9.8, most of them missing
/// (`cargo bench -p carom-geometry --bench against_parry -- ray–triangle`).
#[inline]
pub(crate) fn sides_passed(origin: Vec3, direction: Vec3, corners: [Vec3; 3]) -> ([f32; 3], bool) {
    let [a, b, c] = corners;
    let x = f32x4::new([a.x, b.x, c.x, 0.0]) - f32x4::splat(origin.x);
    let y = f32x4::new([a.y, b.y, c.y, 0.0]) - f32x4::splat(origin.y);
    let z = f32x4::new([a.z, b.z, c.z, 0.0]) - f32x4::splat(origin.z);
    let [dx, dy, dz] = direction.to_array().map(f32x4::splat);
    let moment = [y * dz - z * dy, z * dx - x * dz, x * dy - y * dx];
    // The two coordinates across the largest one of the direction. Without branches: which ones is
    // not to be guessed.
    let (ax, ay, az) = (dx.abs(), dy.abs(), dz.abs());
    let along_x = ax.simd_ge(ay) & ax.simd_ge(az);
    let along_z = az.simd_gt(ay) & az.simd_gt(ax);
    let p = along_x.select(moment[1], moment[0]);
    let q = along_z.select(moment[1], moment[2]);
    let sides = p * cycled(q) - q * cycled(p);
    let below = sides.simd_lt(f32x4::splat(-ray::tiny::<f32>())).to_bitmask();
    let above = sides.simd_gt(f32x4::splat(ray::tiny())).to_bitmask();
    let finite = sides.abs().simd_lt(f32x4::splat(0.25 * f32::MAX)).to_bitmask() == 0b1111;
    // The fourth lane is 0 or NaN. Bit `below + 8 · above` of the constant is set iff neither is
    // zero: one branch for the caller, where the compiler would make two coin tosses of two
    // conditions.
    let on_both_sides = 0xFEFE_FEFE_FEFE_FE00_u64 >> ((below | above << 3) & 63) & 1 != 0;
    let [ab, bc, ca, _] = sides.to_array();
    ([bc, ca, ab], on_both_sides & finite)
}

#[cfg(test)]
mod tests {
    use crate::intersect::ray;
    use glam::Vec3;
    use proptest::prelude::*;

    /// Numbers of every size, many of them equal, and some that are none.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => -2.0f32..2.0,
            4 => (-2i8..3).prop_map(f32::from),
            2 => prop::sample::select(vec![1e-20f32, -1e-16, 1e-9, -1e9, 1e15, 3e19]),
            1 => prop::sample::select(vec![f32::INFINITY, f32::NAN, f32::MAX, -0.0]),
        ]
    }

    proptest! {
        #[test]
        fn compared_lanes_are_those_of_the_scalar_twin(numbers in prop::array::uniform8(coordinate())) {
            for value in numbers {
                let scalar = super::lanes_equal_scalar(&numbers, value);
                prop_assert_eq!(super::lanes_equal(&numbers, value), scalar);
                let scalar = super::lanes_at_least_scalar(&numbers, value);
                prop_assert_eq!(super::lanes_at_least(&numbers, value), scalar);
            }
        }

        #[test]
        fn sides_of_triangles_have_the_bits_of_the_scalar_twin(
            numbers in prop::array::uniform15(coordinate()),
        ) {
            let vector = |k: usize| Vec3::new(numbers[k], numbers[k + 5], numbers[k + 10]);
            let [origin, direction, a, b, c] = [vector(0), vector(1), vector(2), vector(3), vector(4)];
            let (lanes, lanes_miss) = super::sides_passed(origin, direction, [a, b, c]);
            let (scalar, scalar_miss) = ray::sides_passed::<f32>(origin, direction, [a, b, c]);
            // Of which kind a NaN is depends on the platform.
            let bits = |sides: [f32; 3]| sides.map(|s| if s.is_nan() { None } else { Some(s.to_bits()) });
            prop_assert_eq!((bits(lanes), lanes_miss), (bits(scalar), scalar_miss));
        }

        #[test]
        fn turned_boxes_have_the_bits_of_the_scalar_twin(
            quaternion in prop::array::uniform4(-1.0f32..1.0),
            half in prop::array::uniform3(0.0f32..10.0),
        ) {
            let lanes = super::rotated_half_extents(quaternion, half);
            let scalar = crate::rotation::rotated_half_extents(quaternion, half);
            prop_assert_eq!(lanes.map(f32::to_bits), scalar.map(f32::to_bits));
        }
    }
}
