//! The separating axes of a box and several triangles at a time.
//!
//! The box is that of a convex shape (its own for boxes, the smallest along its local axes for others): what it rules out is
//! ruled out for the shape. Thirteen axes: the normal of the triangle, the three of the box, and nine across an edge of each
//! (T. Akenine-Möller, "Fast 3D triangle-box overlap testing"). Gaps are true lengths along unit axes.

use carom_geometry::primitive::Triangle;
use carom_geometry::{Matrix3, Real, Vector};
use glam::Vec3;

use crate::lanes::{Lanes, Vec3Lanes};

/// A box in the frame of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    /// Axes as columns.
    pub(super) axes: Matrix3<f32>,
    /// Its middle.
    pub(super) centre: Vec3,
    /// Half extents along the axes.
    pub(super) half: Vec3,
}

/// Triangles in lanes, with unit normals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack<L> {
    pub(super) corners: [Vec3Lanes<L>; 3],
    pub(super) normal: Vec3Lanes<L>,
}

/// What the axes say, by lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaps<L> {
    /// The widest gap over all axes; below zero: the least overlap.
    pub(super) widest: L,
    /// The axis that is preferred, see [`axis_of`], and its gap.
    pub(super) code: L,
    /// The gap along the axis that is preferred.
    pub(super) gap: L,
}

/// Code of the normal of the triangle. Codes 1 to 3 are axes of the box; 4 + 3 · axis + edge are those across.
pub(super) const FACE: u32 = 0;
const FIRST_CROSS: u32 = 4;

/// Square of the sine below which an edge of the triangle is parallel to one of the box.
const PARALLEL_SINE_SQUARED: f32 = 1e-5;

/// A gap of an axis that is none.
const NO_GAP: f32 = -1e30;

impl<L: Lanes> Gaps<L> {
    #[inline]
    fn consider(&mut self, found: L, number: u32, slop: L) {
        self.widest = found.max(self.widest);
        let better = (self.gap + slop).below(found);
        self.gap = L::select(better, found, self.gap);
        self.code = L::select(better, L::splat(number as f32), self.code);
    }
}

impl Bracket {
    /// A direction in the frame of the box.
    #[inline]
    fn turned<L: Lanes>(&self, v: Vec3Lanes<L>) -> Vec3Lanes<L> {
        let [x, y, z] = self.axes.columns.map(Vec3Lanes::<L>::splat);
        Vec3Lanes { x: x.dot(v), y: y.dot(v), z: z.dot(v) }
    }

    /// The gaps of the box and every triangle of a pack. The normal of the triangle is preferred to others that are wider by
    /// less than `slop`, the axes of the box to those across edges. With `front_only` the way along the normal of the triangle
    /// leads to its front, however far the box is behind. Lanes whose triangles are all farther than `margin` may be left
    /// unfinished: their widest gap is then some gap beyond the margin.
    #[inline]
    pub(super) fn gaps<L: Lanes>(&self, pack: &Pack<L>, front_only: bool, slop: f32, margin: f32) -> Gaps<L> {
        let (zero, slop) = (L::splat(0.0), L::splat(slop));
        let centre = Vec3Lanes::<L>::splat(self.centre);
        let [hx, hy, hz] = self.half.to_array().map(L::splat);
        let normal = self.turned(pack.normal);
        let reach = normal.x.abs() * hx + normal.y.abs() * hy + normal.z.abs() * hz;
        let height = pack.normal.dot(centre - pack.corners[0]);
        let height = if front_only { height } else { height.abs() };
        let widest = height - reach;
        let mut gaps = Gaps { widest, code: L::splat(FACE as f32), gap: widest };
        let out = |widest: L| L::bits(L::splat(margin).below(widest)) == (1 << L::WIDTH) - 1;
        if out(gaps.widest) {
            return gaps;
        }
        let [a, b, c] = pack.corners.map(|corner| self.turned(corner - centre));
        let along = |a: L, b: L, c: L, half: L| {
            let (low, high) = (a.min(b.min(c)), a.max(b.max(c)));
            (low - half).max(-high - half)
        };
        gaps.consider(along(a.x, b.x, c.x, hx), 1, slop);
        gaps.consider(along(a.y, b.y, c.y, hy), 2, slop);
        gaps.consider(along(a.z, b.z, c.z, hz), 3, slop);
        if out(gaps.widest) {
            return gaps;
        }
        let corners = [a, b, c];
        for edge in 0..3 {
            let (from, third) = (corners[edge], corners[(edge + 2) % 3]);
            let f = corners[(edge + 1) % 3] - from;
            let square = f.dot(f);
            let cross = [
                Vec3Lanes { x: zero, y: -f.z, z: f.y },
                Vec3Lanes { x: f.z, y: zero, z: -f.x },
                Vec3Lanes { x: -f.y, y: f.x, z: zero },
            ];
            for (axis, line) in cross.into_iter().enumerate() {
                let length = line.dot(line);
                let is_axis = (square * L::splat(PARALLEL_SINE_SQUARED)).below(length);
                let inverse = L::splat(1.0) / L::select(is_axis, length, L::splat(1.0)).sqrt();
                let (p, q) = (line.dot(from), line.dot(third));
                let reach = line.x.abs() * hx + line.y.abs() * hy + line.z.abs() * hz;
                let found = (p.min(q) - reach).max(-p.max(q) - reach) * inverse;
                let number = FIRST_CROSS + 3 * axis as u32 + edge as u32;
                gaps.consider(L::select(is_axis, found, L::splat(NO_GAP)), number, slop);
            }
        }
        gaps
    }

    /// The axis with a code: unit vector from the triangle to the box, in the frame of the surface.
    pub(super) fn axis_of(&self, code: u32, triangle: &Triangle, normal: Vec3, front_only: bool) -> Vec3 {
        if code == FACE {
            let behind = !front_only && normal.dot(self.centre - triangle.a) < 0.0;
            return if behind { -normal } else { normal };
        }
        let corners = triangle.corners();
        let line = if code < FIRST_CROSS {
            self.axes.columns[code as usize - 1]
        } else {
            let (axis, edge) = ((code - FIRST_CROSS) / 3, (code - FIRST_CROSS) as usize % 3);
            let across = self.axes.columns[axis as usize].cross(corners[(edge + 1) % 3] - corners[edge]);
            across.unit().unwrap_or(normal)
        };
        let [p, q, r] = corners.map(|corner| line.dot(corner - self.centre));
        let (low, high) = (Real::min(p, Real::min(q, r)), Real::max(p, Real::max(q, r)));
        // The triangle lies behind the box along the line if it ends before the box ends.
        if low + high > 0.0 { -line } else { line }
    }

    /// The edge of the triangle that an axis belongs to, and the segment of the box it meets; `None` for axes of faces.
    pub(super) fn edges_of(&self, code: u32, axis: Vec3) -> Option<(usize, [Vec3; 2])> {
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
    use wide::f32x8;

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
                corners: [0, 1, 2].map(|k| Vec3Lanes::gather(|lane| triangles[lane].corners()[k])),
                normal: Vec3Lanes::gather(|lane| normals[lane]),
            };
            for front_only in [false, true] {
                let wide = bracket.gaps(&pack, front_only, 0.001, 100.0);
                for lane in 0..8 {
                    let pack = Pack::<f32> {
                        corners: triangles[lane].corners().map(Vec3Lanes::splat),
                        normal: Vec3Lanes::splat(normals[lane]),
                    };
                    let one = bracket.gaps(&pack, front_only, 0.001, 100.0);
                    let bits = |g: [f32; 3]| g.map(f32::to_bits);
                    assert_eq!(
                        bits([one.widest, one.code, one.gap]),
                        bits([wide.widest.lane(lane), wide.code.lane(lane), wide.gap.lane(lane)])
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
