//! The separating axes of a box and several triangles at a time: the inner loop of meshes.
//!
//! The box is that of a convex shape (its own for boxes, the smallest along its local axes for
//! others): what it rules out is ruled out for the shape. Thirteen axes: the normal of the
//! triangle, the three of the box, and nine across an edge of each (T. Akenine-Möller, "Fast 3D
//! triangle-box overlap testing"). Gaps are true lengths along unit axes; those across edges are
//! compared by their squares, so that all nine need one root.
//!
//! Every width of the lanes gives the same bits.

use carom_core::simd::{SimdFloat, SimdVec3};
use carom_geometry::primitive::Triangle;
use carom_geometry::{Matrix3, Real, Vector};
use glam::Vec3;

/// A box in the frame of the triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    /// Axes as columns.
    pub(crate) axes: Matrix3<f32>,
    /// Its middle.
    pub(crate) centre: Vec3,
    /// Half extents along the axes.
    pub(crate) half: Vec3,
}

/// Triangles in lanes, with unit normals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack<L> {
    pub(crate) corners: [SimdVec3<L>; 3],
    pub(crate) normal: SimdVec3<L>,
}

/// What the axes say, by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaps<L> {
    /// The widest gap over all axes; below zero: the least overlap.
    pub(crate) widest: L,
    /// The axis that is preferred, see [`Bracket::axis_of`].
    pub(crate) code: L,
    /// The gap along it.
    pub(crate) gap: L,
}

/// What is asked of the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preferences {
    /// The way along the normal of a triangle leads to its front, however far the box is behind.
    pub(crate) front_only: bool,
    /// The normal of the triangle is preferred to others that are wider by less, the axes of the
    /// box to those across edges.
    pub(crate) slop: f32,
    /// SimdFloat whose triangles are all farther may be left unfinished: their widest gap is then
    /// some gap beyond it.
    pub(crate) speculative_distance: f32,
}

/// Code of the normal of the triangle. Codes 1 to 3 are axes of the box; 4 + 3 · axis + edge are
/// those across.
pub(crate) const FACE: u32 = 0;
pub(super) const FIRST_CROSS: u32 = 4;

/// Square of the sine below which edges count as parallel, and triangles as having no area.
pub(super) const PARALLEL_SINE_SQUARED: f32 = 0.001 * 0.001;

/// What rounding does to gaps, as a share of the lengths involved.
pub(super) const ROUNDING: f32 = 2e-6;

impl<L: SimdFloat> Gaps<L> {
    #[inline]
    fn consider(&mut self, found: L, number: L, slop: L) {
        self.widest = found.max(self.widest);
        let better = (self.gap + slop).below(found);
        self.gap = L::select(better, found, self.gap);
        self.code = L::select(better, number, self.code);
    }

    /// The gap along the normals of the triangles; `height` is that of the centre of the box above
    /// their planes, and the normal is in its frame.
    #[inline]
    fn of_planes(height: L, normal: SimdVec3<L>, half: Vec3, front_only: bool) -> Self {
        let [hx, hy, hz] = half.to_array().map(L::splat);
        let reach = normal.x.abs() * hx + normal.y.abs() * hy + normal.z.abs() * hz;
        let widest = if front_only { height } else { height.abs() } - reach;
        Self { widest, code: L::splat(FACE as f32), gap: widest }
    }

    /// Is every lane beyond the speculative distance?
    #[inline]
    fn are_out(&self, speculative_distance: f32) -> bool {
        L::bits(L::splat(speculative_distance).below(self.widest)) == (1 << L::WIDTH) - 1
    }

    /// The other twelve axes; the corners are in the frame of the box.
    #[inline]
    fn consider_box(&mut self, corners: [SimdVec3<L>; 3], half: Vec3, wish: &Preferences) {
        let slop = L::splat(wish.slop);
        let half = half.to_array().map(L::splat);
        let p = corners.map(|v| [v.x, v.y, v.z]);
        for axis in 0..3 {
            let low = p[0][axis].min(p[1][axis].min(p[2][axis]));
            let high = p[0][axis].max(p[1][axis].max(p[2][axis]));
            self.consider(low.max(-high) - half[axis], L::splat((axis + 1) as f32), slop);
        }
        if self.are_out(wish.speculative_distance) {
            return;
        }
        let least = L::splat(-f32::MAX);
        let (mut best, mut code) = (least, L::splat(FIRST_CROSS as f32));
        for edge in 0..3 {
            let (from, third) = (p[edge], p[(edge + 2) % 3]);
            let f: [L; 3] = std::array::from_fn(|k| p[(edge + 1) % 3][k] - from[k]);
            let parallel = L::splat(PARALLEL_SINE_SQUARED) * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
            for axis in 0..3 {
                let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
                // The product of the axis with the edge has −f[two] and f[one] at `one` and `two`.
                let along = |v: [L; 3]| v[two] * f[one] - v[one] * f[two];
                let (q, r) = (along(from), along(third));
                let reach = half[one] * f[two].abs() + half[two] * f[one].abs();
                // Only where the side is what the triangle turns to the box: along other
                // perpendiculars the third corner is nearer, and no edges meet.
                let slack = L::splat(ROUNDING) * (q.abs() + r.abs());
                let above = L::select((r + slack).below(q), least, q);
                let below = L::select((q + slack).below(r), least, -q);
                let gap = above.max(below) - reach;
                let length_squared = f[one] * f[one] + f[two] * f[two];
                let is_axis = parallel.below(length_squared);
                let signed_square = L::select(is_axis, gap * gap.abs() / length_squared, least);
                let better = best.below(signed_square);
                best = L::select(better, signed_square, best);
                let number = FIRST_CROSS + 3 * axis as u32 + edge as u32;
                code = L::select(better, L::splat(number as f32), code);
            }
        }
        let root = best.abs().sqrt();
        self.consider(L::select(best.below(L::splat(0.0)), -root, root), code, slop);
    }
}

impl Bracket {
    /// A direction in the frame of the box.
    #[inline]
    fn rotated<L: SimdFloat>(&self, v: SimdVec3<L>) -> SimdVec3<L> {
        let [x, y, z] = self.axes.columns.map(SimdVec3::<L>::splat);
        SimdVec3 { x: x.dot(v), y: y.dot(v), z: z.dot(v) }
    }

    /// The gaps of the box and every triangle of a pack.
    #[inline]
    pub(crate) fn gaps<L: SimdFloat>(&self, pack: &Pack<L>, wish: &Preferences) -> Gaps<L> {
        let centre = SimdVec3::<L>::splat(self.centre);
        let height = pack.normal.dot(centre - pack.corners[0]);
        let mut gaps = Gaps::of_planes(height, self.rotated(pack.normal), self.half, wish.front_only);
        if !gaps.are_out(wish.speculative_distance) {
            gaps.consider_box(pack.corners.map(|corner| self.rotated(corner - centre)), self.half, wish);
        }
        gaps
    }

    /// The axis with a code: unit vector from the triangle to the box, in the frame of the surface.
    #[inline]
    pub(crate) fn axis_of(&self, code: u32, triangle: &Triangle, normal: Vec3, front_only: bool) -> Vec3 {
        if code == FACE {
            let behind = !front_only && normal.dot(self.centre - triangle.a) < 0.0;
            return if behind { -normal } else { normal };
        }
        let corners = triangle.corners();
        if code >= FIRST_CROSS {
            let (axis, edge) = ((code - FIRST_CROSS) / 3, (code - FIRST_CROSS) as usize % 3);
            let across = self.axes.columns[axis as usize].cross(corners[(edge + 1) % 3] - corners[edge]);
            let line = across.unit().unwrap_or(normal);
            let [one, other] = [edge, (edge + 2) % 3].map(|k| line.dot(corners[k] - self.centre));
            // As in the lanes: the third corner lies behind the side, or both are equally near.
            let slack = ROUNDING * (Real::abs(one) + Real::abs(other));
            let is_negative = one > other + slack || (one < 0.0 && other <= one + slack);
            return if is_negative { line } else { -line };
        }
        let line = self.axes.columns[code as usize - 1];
        let [p, q, r] = corners.map(|corner| line.dot(corner - self.centre));
        let (low, high) = (Real::min(p, Real::min(q, r)), Real::max(p, Real::max(q, r)));
        // The triangle lies behind the box along the line if it ends before the box ends.
        if low + high > 0.0 { -line } else { line }
    }

    /// The edge of the triangle that an axis belongs to, and the segment of the box it meets;
    /// `None` for axes of faces.
    pub(crate) fn edges_of(&self, code: u32, axis: Vec3) -> Option<(usize, [Vec3; 2])> {
        let cross = code.checked_sub(FIRST_CROSS)?;
        let (along, edge) = (cross as usize / 3, cross as usize % 3);
        let mut corner = self.axes.transposed_times(-axis).to_array();
        for (k, c) in corner.iter_mut().enumerate() {
            *c = if *c >= 0.0 { self.half[k] } else { -self.half[k] };
        }
        let end = |sign: f32| {
            let mut local = corner;
            local[along] = sign * self.half[along];
            self.centre + self.axes.times(Vec3::from_array(local))
        };
        Some((edge, [end(-1.0), end(1.0)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::simd::f32x8;

    /// Numbers that look random.
    fn numbers(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    #[test]
    fn each_lane_is_the_scalar_answer_to_the_bit() {
        let mut seed = 1;
        for case in 0..500 {
            let mut vector = || Vec3::new(numbers(&mut seed), numbers(&mut seed), numbers(&mut seed));
            let rotation = carom_geometry::Rotation::from_rotation_vector(vector() * 3.0);
            let bracket = Bracket {
                axes: if case % 5 == 0 { Matrix3::IDENTITY } else { rotation.to_matrix() },
                centre: vector(),
                half: Vector::abs(vector()),
            };
            let triangles: [Triangle; 8] =
                std::array::from_fn(|_| Triangle::new(vector(), vector(), vector()));
            let normals = triangles.map(|t| t.normal().unwrap());
            let pack = Pack::<f32x8> {
                corners: [0, 1, 2].map(|k| SimdVec3::from_fn(|lane| triangles[lane].corners()[k])),
                normal: SimdVec3::from_fn(|lane| normals[lane]),
            };
            for front_only in [false, true] {
                let wish = Preferences { front_only, slop: 0.001, speculative_distance: 100.0 };
                let wide = bracket.gaps(&pack, &wish);
                for lane in 0..8 {
                    let pack = Pack::<f32> {
                        corners: triangles[lane].corners().map(SimdVec3::splat),
                        normal: SimdVec3::splat(normals[lane]),
                    };
                    let one = bracket.gaps(&pack, &wish);
                    let bits = |g: [f32; 3]| g.map(f32::to_bits);
                    assert_eq!(
                        bits([one.widest, one.code, one.gap]),
                        bits([wide.widest.get(lane), wide.code.get(lane), wide.gap.get(lane)])
                    );
                    // The axis with the code has the gap.
                    let axis = bracket.axis_of(one.code as u32, &triangles[lane], normals[lane], front_only);
                    let far = |v: Vec3| Vector::abs(bracket.axes.transposed_times(v)).dot(bracket.half);
                    let top = triangles[lane].corners().map(|c| axis.dot(c - bracket.centre));
                    let top = top.into_iter().fold(f32::NEG_INFINITY, Real::max);
                    assert!((-top - far(axis) - one.gap).abs() < 1e-5, "{case} {lane}");
                }
            }
        }
    }
}
