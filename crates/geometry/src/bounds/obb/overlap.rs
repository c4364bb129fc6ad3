//! Overlap of oriented boxes by 15 separating axes, which cannot miss an overlap.
//!
//! Two boxes are apart iff a face normal of one of them or the cross product of an edge of each
//! separates them (Gottschalk, Lin and Manocha). The textbook test goes wrong where edges are
//! nearly parallel: their cross product is all rounding error. Usually a constant is added to the
//! rotation matrix, which is at the same time too large (boxes that are well apart are reported)
//! and not derived from anything. Here:
//!
//! **Which sets.** A box is the set of its stored numbers (see [`Obb`]), axes orthonormal up to κ =
//! 8ε = 16u, with u = ε/2 the rounding unit. For *any* vector L the boxes are apart if |L·t| > Σ
//! aₖ|L·Aₖ| + Σ bₖ|L·Bₖ|, with t the offset of the centres. So it does not matter whether L is the
//! cross product it is meant to be; it matters only that the three terms are right *for the L that
//! was used*.
//!
//! **Errors.** Let the boxes share a point. Then |t| ≤ h (1 + κ), h = Σ aₖ + Σ bₖ. The difference
//! of the centres has a *relative* error of u wherever the boxes are, a scalar product of three
//! terms one of 3u of the lengths.
//!
//! * L = Aᵢ: |L·t| is off by 4u h; replacing Σ aₖ|Aᵢ·Aₖ| by aᵢ costs κ Σ aₖ; the products with B 3u
//!   Σ bₖ; adding up 4u h. Together less than (κ + 13u) h. The same for Bⱼ, whose t·Bⱼ is computed
//!   from Bⱼ itself.
//! * L = Aᵢ × Bⱼ: with R the *rounded* products Aᵢ·Bⱼ, let L =
//!   `R[i+1][j] A[i+2] − R[i+2][j] A[i+1]` exactly, and λ = `|R[i+1][j]| + |R[i+2][j]|`. Then |L·t|
//!   is off by 6u λh, the part of A by κλ Σ aₖ. L·Bₙ is the 2×2 minor of R in the rows i+1, i+2 and
//!   the columns j, n: computed as such, not as the entry of R that equals it in exact arithmetic,
//!   it is off by 5u λ, and by 3u λ for n = j, where it is taken as 0. Adding up costs 5u λh.
//!   Together (κ + 18u) λh: *the error shrinks with the axis*, which is what the minors are for.
//!
//! **Remedy.** Each box is enlarged on all sides by τ times the sum of its half extents before the
//! test. That adds at least τ h on face axes and at least τ h λ/√2 on the others, so τ ≥ √2 (κ +
//! 18u) ≈ 48u is enough; τ = 32ε = 64u leaves room for the rounding of the enlargement. Underflow
//! is covered by [`Real::MIN_POSITIVE`] there and by a least gap on edge axes.
//!
//! **Consequences.** Boxes that share a point are reported, always (coordinates up to some 10¹⁵ in
//! `f32`). Boxes that are reported are at most [`SLACK`]·ε·h apart. For the normals nᵢ of the faces
//! of the Minkowski sum that meet at the feature nearest to the other centre lie in one octant of
//! A, and a unit vector of the cone they span has n·nᵢ ≥ 1/√3 for one of them; along it the gap is
//! at most the enlargement √3 τ h plus the error τ h: √3 (√3 + 1) · 32ε h < 160ε h. A face whose
//! normal is itself all rounding error is at most as wide as its edges deviate from parallel, hence
//! costs another 3u h.
//!
//! A comparison with NaN never separates: boxes whose centre or size is NaN overlap everything.

use super::Obb;
use crate::bounds::rounding::sum;
use crate::bounds::{Aabb, BoundingSphere};
use crate::real::{Real, Vector};

/// Boxes reported as overlapping are at most this many ε times the sum of their six half extents
/// apart.
pub const SLACK: f64 = 160.0;

/// Enlargement of each box, relative to the sum of its half extents, in units of ε.
const TAU: f64 = 32.0;

/// Half extents enlarged against rounding.
#[inline]
pub(super) fn enlarged<S: Real>(half: S::Vec3) -> S::Vec3 {
    half + S::Vec3::splat(S::of(TAU) * S::EPSILON * sum(half) + S::MIN_POSITIVE)
}

/// Gap below which an edge axis does not separate: above the error of underflowing products.
#[inline]
pub(super) fn least_gap<S: Real>() -> S {
    S::MIN_POSITIVE / S::EPSILON
}

impl<S: Real> Obb<S> {
    /// Do the boxes share a point? Touching counts. Never misses; boxes at most [`SLACK`]·ε times
    /// the sum of their half extents apart may be reported too (2·10⁻⁵ of it in `f32`).
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (enlarged::<S>(self.half), enlarged::<S>(other.half));
        let t = other.centre - self.centre;
        !far_apart::<S>(a, b, t) && self.no_axis_separates(other, a, b, t)
    }

    /// The 15 axes; `a` and `b` are the enlarged half extents, `t` is the offset of the centres.
    #[inline]
    fn no_axis_separates(&self, other: &Self, a: S::Vec3, b: S::Vec3, t: S::Vec3) -> bool {
        let mut rows = [S::Vec3::ZERO; 3];
        let mut t_in_a = [S::ZERO; 3];
        for i in 0..3 {
            let axis = self.axes.columns[i];
            t_in_a[i] = axis.dot(t);
            rows[i] = other.axes.transposed_times(axis);
            if t_in_a[i].abs() > b.dot(Vector::abs(rows[i])) + a[i] {
                return false;
            }
        }
        !(faces_separate::<S>(a, b, &rows, other.axes.transposed_times(t))
            || edges_separate::<S>(a, b, &rows, t_in_a))
    }

    /// Does the box share a point with an axis-aligned one? As safe as between oriented boxes.
    #[inline]
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb<3, S>) -> bool {
        let first = Obb::of_aabb(aabb);
        let (a, b) = (enlarged::<S>(first.half), enlarged::<S>(self.half));
        let t = self.centre - first.centre;
        let rows = self.axes.transposed().columns;
        let apart = |i: usize| t[i].abs() > b.dot(Vector::abs(rows[i])) + a[i];
        if apart(0) || apart(1) || apart(2) {
            return false;
        }
        !(faces_separate::<S>(a, b, &rows, self.axes.transposed_times(t))
            || edges_separate::<S>(a, b, &rows, t.to_array()))
    }

    /// Does the box share a point with a sphere? Never misses; a gap of [`SLACK`]·ε times the
    /// radius and the half extents may be overlooked.
    #[inline]
    #[must_use]
    pub fn overlaps_sphere(&self, sphere: &BoundingSphere<S>) -> bool {
        let half = enlarged::<S>(self.half);
        let local = self.local(sphere.centre);
        let radius = sphere.radius + S::of(TAU) * S::EPSILON * (sphere.radius + sum(half)) + S::MIN_POSITIVE;
        (local - Vector::clamp(local, -half, half)).length_squared() <= radius * radius
    }
}

/// Are the spheres around the boxes so far apart that the axes would separate as well?
///
/// With the radii p = |a|, q = |b| it is (p + q)² ≤ 2 (p² + q²), which saves roots. If |t|² exceeds
/// that by a share δ = 1024ε, the boxes are more than δ/3 (p + q) ≥ δ/(3√3) h > [`SLACK`]·ε·h
/// apart.
#[inline]
fn far_apart<S: Real>(a: S::Vec3, b: S::Vec3, t: S::Vec3) -> bool {
    let share = S::TWO + S::of(2048.0) * S::EPSILON;
    t.length_squared() > (a.length_squared() + b.length_squared()) * share + S::MIN_POSITIVE
}

/// Does a face normal of the second box separate?
#[inline]
fn faces_separate<S: Real>(a: S::Vec3, b: S::Vec3, rows: &[S::Vec3; 3], t_in_b: S::Vec3) -> bool {
    let reach =
        Vector::abs(rows[0]) * a.x() + Vector::abs(rows[1]) * a.y() + Vector::abs(rows[2]) * a.z() + b;
    let t = Vector::abs(t_in_b);
    t.x() > reach.x() || t.y() > reach.y() || t.z() > reach.z()
}

/// Does a cross product of edges separate? `rows[i][j]` is Aᵢ·Bⱼ.
#[inline]
fn edges_separate<S: Real>(a: S::Vec3, b: S::Vec3, rows: &[S::Vec3; 3], t_in_a: [S; 3]) -> bool {
    let least = least_gap::<S>();
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (p, q) = (rows[i1], rows[i2]);
        let minors = Vector::abs(p.cross(q));
        let (reach_p, reach_q) = (Vector::abs(p) * a[i2], Vector::abs(q) * a[i1]);
        let offset = Vector::abs(p * t_in_a[i2] - q * t_in_a[i1]);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach = (reach_q[j] + reach_p[j]) + (b[j1] * minors[j2] + b[j2] * minors[j1]);
            if offset[j] - reach > least {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, Rotation};
    use glam::Vec3;
    use proptest::prelude::*;

    /// Cubes whose diagonals lie along the offset come closest to their spheres; others are random.
    fn turn() -> impl Strategy<Value = Rotation> {
        let random = prop::array::uniform4(-1.0f32..1.0).prop_filter_map("null", Rotation::from_xyzw);
        prop_oneof![Just(Rotation::IDENTITY), random]
    }

    fn half() -> impl Strategy<Value = Vec3> {
        let sizes = prop::array::uniform3(0.01f32..2.0).prop_map(Vec3::from);
        prop_oneof![Just(Vec3::ONE), sizes]
    }

    proptest! {
        #[test]
        fn far_spheres_are_separated_by_an_axis_too(
            turns in (turn(), turn()),
            halves in (half(), half()),
            way in prop_oneof![Just(Vec3::ONE), prop::array::uniform3(-1.0f32..1.0).prop_map(Vec3::from)],
            beyond in prop_oneof![0.9999f32..1.002, 0.8f32..1.5],
            scale in prop::sample::select(vec![1.0f32, 1e-12, 1e-19, 1e-21, 1e-30, 1e12, 1e18, 3e18]),
        ) {
            let way = way.normalize_or(Vec3::X);
            let radius = (2.0 * (halves.0.length_squared() + halves.1.length_squared())).sqrt();
            let first = Obb::of_pose(&Pose::new(Vec3::ZERO, turns.0), halves.0 * scale);
            let second = Obb::of_pose(&Pose::new(way * (radius * beyond * scale), turns.1), halves.1 * scale);
            let (a, b) = (enlarged::<f32>(first.half), enlarged::<f32>(second.half));
            let t = second.centre - first.centre;
            if far_apart::<f32>(a, b, t) {
                prop_assert!(!first.no_axis_separates(&second, a, b, t));
            }
        }
    }

    #[test]
    fn spheres_decide_as_soon_as_their_margin_allows() {
        let (a, b) = (enlarged::<f32>(Vec3::ONE), enlarged::<f32>(Vec3::splat(0.5)));
        let least = (2.0 * (a.length_squared() + b.length_squared())).sqrt();
        assert!(!far_apart::<f32>(a, b, Vec3::X * least));
        assert!(far_apart::<f32>(a, b, Vec3::X * (least * 1.001)));
        assert!(!far_apart::<f32>(a, b, Vec3::splat(f32::NAN)));
    }
}
