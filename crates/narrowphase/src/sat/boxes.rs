//! The fifteen axes of two boxes, for as many pairs at a time as there are lanes.
//!
//! Everything follows from one matrix (the axes of the second box in the frame of the first) and
//! its absolute values (Gottschalk, Lin, Manocha, *OBBTree*, 1996). Along the axis of two edges the
//! gap is compared by its signed square, which needs a division but no root. Edges that are
//! parallel up to a sine of 0.001 have no axis of their own: the faces beside them have nearly the
//! same.

use carom_core::simd::{SimdFloat, SimdVec3, f32x4};
use carom_geometry::Pose;
use glam::Vec3;

/// Square of the sine below which edges count as parallel.
const PARALLEL_SINE_SQUARED: f32 = 0.001 * 0.001;

/// Share of the slop by which a face of the second box must be better to be preferred to one of the
/// first.
const SECOND_LEAD: f32 = 0.1;

/// Edges must be better than faces by this share of the lengths involved.
const ROUNDING: f32 = 2e-6;

/// Codes of the axes: 0–2 faces of the first box, 3–5 faces of the second, 6 + 3·i + j the edges i
/// and j.
pub(crate) const FIRST_EDGE: u32 = 6;

/// How two boxes lie to each other, in lanes.
#[derive(Clone, Copy, Debug)]
pub struct BoxPair<L> {
    /// Half extents of the first box.
    pub half_a: SimdVec3<L>,
    /// Half extents of the second box.
    pub half_b: SimdVec3<L>,
    /// Centre of the second box in the frame of the first.
    pub translation: SimdVec3<L>,
    /// Axes of the second box in the frame of the first.
    pub axes: [SimdVec3<L>; 3],
}

/// What the axes of two boxes say.
#[derive(Clone, Copy, Debug)]
pub struct BoxAxis<L> {
    /// The greatest gap along any axis.
    pub greatest: L,
    /// The gap along the chosen axis: the greatest, or less by at most the slop if a face was
    /// preferred.
    pub separation: L,
    /// The chosen axis as a number: 0–2 are faces of the first box, 3–5 faces of the second, 6 +
    /// 3·i + j edges i and j.
    pub code: L,
}

impl BoxPair<f32> {
    /// One pair.
    #[inline]
    #[must_use]
    pub fn new(half_a: Vec3, half_b: Vec3, pose: &Pose) -> Self {
        Self {
            half_a: SimdVec3::splat(half_a),
            half_b: SimdVec3::splat(half_b),
            translation: SimdVec3::splat(pose.translation),
            axes: pose.rotation.to_matrix().columns.map(SimdVec3::splat),
        }
    }

    /// [`search`](Self::search) with a lane for each axis of a box, to the bit. Most pairs are
    /// apart along a face of either, and that is all that is computed of them.
    #[inline]
    #[must_use]
    pub(crate) fn search_one(&self, speculative_distance: f32, slop: f32) -> BoxAxis<f32> {
        let (a, b) = self.faces();
        let greatest = |gaps: &[f32; 3]| {
            let mut best = (gaps[0], 0.0);
            for (gap, code) in [(gaps[1], 1.0), (gaps[2], 2.0)] {
                best = if best.0 < gap { (gap, code) } else { best };
            }
            best
        };
        let (first, second) = (greatest(&a), greatest(&b));
        let (separation, code) =
            if first.0 + slop * SECOND_LEAD < second.0 { (second.0, second.1 + 3.0) } else { first };
        let best = BoxAxis { greatest: SimdFloat::max(first.0, second.0), separation, code };
        if best.greatest > speculative_distance { best } else { self.with_edges(best, slop) }
    }

    /// The gaps along the axes of the first box and of the second.
    #[inline]
    fn faces(&self) -> ([f32; 3], [f32; 3]) {
        let lanes = |x: f32, y: f32, z: f32| f32x4::new([x, y, z, 0.0]);
        let [c, d, e] = self.axes;
        let columns = [lanes(c.x, c.y, c.z), lanes(d.x, d.y, d.z), lanes(e.x, e.y, e.z)];
        let rows = [lanes(c.x, d.x, e.x), lanes(c.y, d.y, e.y), lanes(c.z, d.z, e.z)];
        let (ha, hb, t) = (array(self.half_a), array(self.half_b), array(self.translation));
        // Half extents times the absolute values of a vector each.
        let reach = |half: [f32; 3], [x, y, z]: [f32x4; 3]| {
            f32x4::splat(half[0]) * x.abs()
                + f32x4::splat(half[1]) * y.abs()
                + f32x4::splat(half[2]) * z.abs()
        };
        let first = lanes(t[0], t[1], t[2]).abs() - (lanes(ha[0], ha[1], ha[2]) + reach(hb, columns));
        let [x, y, z] = rows;
        let along = f32x4::splat(t[0]) * x + f32x4::splat(t[1]) * y + f32x4::splat(t[2]) * z;
        let second = along.abs() - (lanes(hb[0], hb[1], hb[2]) + reach(ha, rows));
        let three = |gaps: f32x4| {
            let [x, y, z, _] = gaps.to_array();
            [x, y, z]
        };
        (three(first), three(second))
    }
}

/// Coordinates as an array.
#[inline]
fn array<L: Copy>(v: SimdVec3<L>) -> [L; 3] {
    [v.x, v.y, v.z]
}

impl<L: SimdFloat> BoxPair<L> {
    /// Searches all axes. Where every lane is farther apart than `speculative_distance` along a
    /// face, the edges are left out, and the answer for the lanes is that of the faces.
    #[inline]
    #[must_use]
    pub fn search(&self, speculative_distance: f32, slop: f32) -> BoxAxis<L> {
        let (ha, hb, t) = (array(self.half_a), array(self.half_b), array(self.translation));
        let r = self.axes.map(array);
        let q = r.map(|column| column.map(L::abs));
        let mut best = BoxAxis { greatest: L::splat(0.0), separation: L::splat(0.0), code: L::splat(0.0) };
        best.separation = t[0].abs() - (ha[0] + (hb[0] * q[0][0] + hb[1] * q[1][0] + hb[2] * q[2][0]));
        best.greatest = best.separation;
        for i in 1..3 {
            let gap = t[i].abs() - (ha[i] + (hb[0] * q[0][i] + hb[1] * q[1][i] + hb[2] * q[2][i]));
            best.offer(gap, i as f32, L::splat(0.0));
        }
        best.greatest = best.separation;
        let lead = L::splat(slop * SECOND_LEAD);
        let mut second =
            BoxAxis { greatest: L::splat(0.0), separation: L::splat(f32::NEG_INFINITY), code: L::splat(0.0) };
        for j in 0..3 {
            let along = t[0] * r[j][0] + t[1] * r[j][1] + t[2] * r[j][2];
            let gap = along.abs() - (hb[j] + (ha[0] * q[j][0] + ha[1] * q[j][1] + ha[2] * q[j][2]));
            second.offer(gap, (3 + j) as f32, L::splat(0.0));
        }
        best.greatest = best.greatest.max(second.separation);
        best.offer_axis(&second, lead);
        let apart = L::splat(speculative_distance).below(best.greatest);
        if L::bits(apart) == (1u32 << L::WIDTH) - 1 {
            return best;
        }
        self.with_edges(best, slop)
    }

    /// The best axis of the faces, or that of edges that are better by more than the slop.
    #[inline]
    fn with_edges(&self, mut best: BoxAxis<L>, slop: f32) -> BoxAxis<L> {
        let t = array(self.translation);
        let r = self.axes.map(array);
        let q = r.map(|column| column.map(L::abs));
        let edges = self.search_edges(&r, &q);
        // The gap from its signed square.
        let gap = L::select(
            edges.separation.below(L::splat(0.0)),
            -edges.separation.abs().sqrt(),
            edges.separation.abs().sqrt(),
        );
        best.greatest = best.greatest.max(gap);
        // Edges that end in a face have the axis of that face, and rounding must not prefer them to
        // it.
        let scale = t[0].abs() + t[1].abs() + t[2].abs() + best.separation.abs();
        let lead = L::splat(slop) + L::splat(ROUNDING) * scale;
        best.offer_axis(&BoxAxis { separation: gap, ..edges }, lead);
        best
    }

    /// The best pair of edges; its separation as a signed square.
    #[inline]
    fn search_edges(&self, r: &[[L; 3]; 3], q: &[[L; 3]; 3]) -> BoxAxis<L> {
        let (ha, hb, t) = (array(self.half_a), array(self.half_b), array(self.translation));
        let least = L::splat(-f32::MAX);
        let mut best = BoxAxis { greatest: least, separation: least, code: L::splat(FIRST_EDGE as f32) };
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let square = r[j][i1] * r[j][i1] + r[j][i2] * r[j][i2];
                let along = t[i2] * r[j][i1] - t[i1] * r[j][i2];
                let reach_a = ha[i1] * q[j][i2] + ha[i2] * q[j][i1];
                let reach_b = hb[j1] * q[j2][i] + hb[j2] * q[j1][i];
                let gap = along.abs() - (reach_a + reach_b);
                let signed_square = gap * gap.abs() / square;
                let is_axis = L::splat(PARALLEL_SINE_SQUARED).below(square);
                let value = L::select(is_axis, signed_square, least);
                best.offer(value, (FIRST_EDGE as usize + 3 * i + j) as f32, L::splat(0.0));
            }
        }
        best
    }

    /// The gap along the axis of a code per lane.
    #[inline]
    #[must_use]
    pub fn gap_along(&self, mut code: impl FnMut(usize) -> u32) -> L {
        let mut axes = [Vec3::ZERO; 8];
        for (lane, axis) in axes.iter_mut().enumerate().take(L::WIDTH) {
            *axis = axis_of(code(lane), |j| self.axes[j].get(lane));
        }
        let axis = SimdVec3::<L>::from_fn(|lane| axes[lane]);
        let reach_a =
            axis.x.abs() * self.half_a.x + axis.y.abs() * self.half_a.y + axis.z.abs() * self.half_a.z;
        let hb = array(self.half_b);
        let along = |j: usize| axis.dot(self.axes[j]).abs() * hb[j];
        let gap = axis.dot(self.translation).abs() - (reach_a + (along(0) + along(1) + along(2)));
        let square = axis.dot(axis);
        L::select(
            L::splat(PARALLEL_SINE_SQUARED).below(square),
            gap / square.sqrt(),
            L::splat(f32::NEG_INFINITY),
        )
    }
}

impl<L: SimdFloat> BoxAxis<L> {
    /// Another axis, taken where it is better by more than `lead`.
    #[inline]
    fn offer(&mut self, separation: L, code: f32, lead: L) {
        let is_better = (self.separation + lead).below(separation);
        self.separation = L::select(is_better, separation, self.separation);
        self.code = L::select(is_better, L::splat(code), self.code);
    }

    #[inline]
    fn offer_axis(&mut self, other: &Self, lead: L) {
        let is_better = (self.separation + lead).below(other.separation);
        self.separation = L::select(is_better, other.separation, self.separation);
        self.code = L::select(is_better, other.code, self.code);
    }
}

/// The axis of a code, not of unit length for edges, in the frame of the first box.
#[inline]
pub(crate) fn axis_of(code: u32, axis_b: impl Fn(usize) -> Vec3) -> Vec3 {
    match code {
        0..3 => Vec3::AXES[code as usize],
        3..6 => axis_b(code as usize - 3),
        _ => {
            let (i, j) = edges_of(code);
            Vec3::AXES[i].cross(axis_b(j))
        }
    }
}

/// The edges of a code.
#[inline]
pub(crate) fn edges_of(code: u32) -> (usize, usize) {
    let pair = code.saturating_sub(FIRST_EDGE).min(8) as usize;
    (pair / 3, pair % 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Rotation;

    #[test]
    fn axes_in_lanes_are_axes_one_by_one_to_the_bit() {
        let mut seed = 5u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let mut apart = 0;
        for case in 0..20_000 {
            let mut vector = || Vec3::new(number(), number(), number());
            let rotation = Rotation::from_rotation_vector(vector() * 3.0);
            let rotation = if case % 3 == 0 { Rotation::IDENTITY } else { rotation };
            let mut shift = vector() * 2.0;
            if case % 5 == 0 {
                // Gaps that are equal.
                shift = (shift * 2.0).round() * 0.5;
            }
            let half = if case % 5 == 0 { [Vec3::splat(0.5); 2] } else { [vector().abs(), vector().abs()] };
            let pair = BoxPair::new(half[0], half[1], &Pose::new(shift, rotation));
            for slop in [0.0, 0.005] {
                let (one, all) = (pair.search(0.02, slop), pair.search_one(0.02, slop));
                let bits = |axis: &BoxAxis<f32>| {
                    [axis.greatest.to_bits(), axis.separation.to_bits(), axis.code.to_bits()]
                };
                assert_eq!(bits(&one), bits(&all), "{case}: {one:?} {all:?}");
            }
            apart += usize::from(pair.search(0.02, 0.0).greatest > 0.02);
        }
        assert!(apart > 2000 && apart < 18_000, "{apart}");
    }
}
