//! Lanes of the solver: gathers and scatters of body rows, for every SIMD width.
//!
//! The sweeps are written once over [`SolverLanes`]. What lanes compute is [`SimdFloat`]'s
//! business; here is how the rows of bodies come into lanes and go back. `f32` is the scalar twin,
//! [`f32x4`] what every processor has, [`Pair`] twice as many of any, and `Avx8` uses the wider
//! registers of processors that have them (`avx.rs`).
//!
//! Everything is `inline(always)`: a kernel compiled for wider instructions calls nothing that is
//! not.

use carom_core::simd::{Pair, SimdFloat, SimdVec3, f32x4};

use super::rows::{FIXED, Half, Rows};

/// Lanes that rows of bodies can be gathered into and scattered from.
pub(crate) trait SolverLanes: SimdFloat {
    /// Both parts of a half of several rows.
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [SimdVec3<Self>; 2];
    /// Writes half of several rows back; the fixed row is left alone.
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[SimdVec3<Self>; 2]);
}

impl SolverLanes for f32 {
    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [SimdVec3<Self>; 2] {
        let [[x, y, z, _], [u, v, w, _]] = rows.get(which[0], half);
        [SimdVec3 { x, y, z }, SimdVec3 { x: u, y: v, z: w }]
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, [a, b]: &[SimdVec3<Self>; 2]) {
        if which[0] != FIXED {
            rows.set(which[0], half, [[a.x, a.y, a.z, 0.0], [b.x, b.y, b.z, 0.0]]);
        }
    }
}

impl SolverLanes for f32x4 {
    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [SimdVec3<Self>; 2] {
        let at = |lane: usize| {
            let [first, second] = rows.get(which[lane], half);
            [f32x4::new(first), f32x4::new(second)]
        };
        let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
        let part = |part: usize| {
            let [x, y, z, _] = f32x4::transpose([a[part], b[part], c[part], d[part]]);
            SimdVec3 { x, y, z }
        };
        [part(0), part(1)]
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[SimdVec3<Self>; 2]) {
        let part =
            |part: usize| f32x4::transpose([values[part].x, values[part].y, values[part].z, f32x4::ZERO]);
        let [a, b] = [part(0), part(1)];
        for lane in 0..4 {
            if which[lane] != FIXED {
                rows.set(which[lane], half, [a[lane].to_array(), b[lane].to_array()]);
            }
        }
    }
}

impl<L: SolverLanes> SolverLanes for Pair<L> {
    #[inline(always)]
    fn gather(rows: Rows<'_>, which: &[u32], half: Half) -> [SimdVec3<Self>; 2] {
        let low = L::gather(rows, &which[..L::WIDTH], half);
        let high = L::gather(rows, &which[L::WIDTH..], half);
        let mut both = [SimdVec3::default(); 2];
        for part in 0..2 {
            let (low, high) = (low[part], high[part]);
            both[part] =
                SimdVec3 { x: Pair([low.x, high.x]), y: Pair([low.y, high.y]), z: Pair([low.z, high.z]) };
        }
        both
    }

    #[inline(always)]
    fn scatter(rows: Rows<'_>, which: &[u32], half: Half, values: &[SimdVec3<Self>; 2]) {
        for side in 0..2 {
            let mut mine = [SimdVec3::default(); 2];
            for part in 0..2 {
                let SimdVec3 { x, y, z } = values[part];
                mine[part] = SimdVec3 { x: x.0[side], y: y.0[side], z: z.0[side] };
            }
            L::scatter(rows, &which[side * L::WIDTH..(side + 1) * L::WIDTH], half, &mine);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::solver::rows::SolverBody;

    /// Rows come and go unchanged.
    pub(crate) fn rows_come_and_go<L: SolverLanes>() {
        let row =
            |k: usize| SolverBody(std::array::from_fn(|part| [k as f32, part as f32, 10.0 + k as f32, 0.0]));
        let mut rows: Vec<SolverBody> = (0..20).map(row).collect();
        let before = rows.clone();
        let which: Vec<u32> = (0..L::WIDTH as u32).map(|lane| lane * 7 % 20).collect();
        for (half, part) in [(Half::Velocity, 0), (Half::Displacement, 2)] {
            let values = L::gather(Rows::new(&mut rows), &which, half);
            for (lane, k) in which.iter().enumerate() {
                let k = *k as f32;
                assert_eq!(values[0].get(lane), glam::Vec3::new(k, part as f32, 10.0 + k));
                assert_eq!(values[1].get(lane), glam::Vec3::new(k, part as f32 + 1.0, 10.0 + k));
            }
            rows.iter_mut().for_each(|row| *row = SolverBody::default());
            L::scatter(Rows::new(&mut rows), &which, half, &values);
            for &k in &which {
                let expected = if k == FIXED { SolverBody::default() } else { before[k as usize] };
                assert_eq!(rows[k as usize].0[part..part + 2], expected.0[part..part + 2]);
            }
            rows.clone_from(&before);
        }
    }

    #[test]
    fn rows_come_and_go_at_every_width() {
        rows_come_and_go::<f32>();
        rows_come_and_go::<f32x4>();
        rows_come_and_go::<Pair<f32x4>>();
        rows_come_and_go::<Pair<Pair<f32x4>>>();
    }
}
