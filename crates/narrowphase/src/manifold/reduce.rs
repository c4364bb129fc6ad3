//! Four of many contact points.
//!
//! The deepest point is kept, since it is what the solver must push out, and of all sets of four
//! with it the one that spans the largest area: with a point `j` for the other end of a diagonal
//! the best of the rest are the farthest on either side of it, so all sets are searched in n²
//! products, eight at a time. Greedy choices (farthest, then largest triangle) are as fast for few
//! points and lose up to a third of the area.
//!
//! Four points that were chosen before stay if they still span 95 % of the best area and one is
//! nearly the deepest, so that noise does not make the choice flicker (hysteresis as in Box3D, E.
//! Catto).

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::{Real, Vector};
use glam::Vec3;

use super::{FeatureId, Manifold, ManifoldPoint};

/// Most points that can be reduced at once; later ones are not looked at.
pub const MAX_CANDIDATES: usize = 64;

/// Share of the largest area at which the points of the frame before are kept.
const KEPT_AREA: f32 = 0.95;

/// How much less deep than the deepest the deepest of the points kept may be, in units of the root
/// of the area: the height of a slope of 2 mm per metre.
const KEPT_DEPTH: f32 = 0.002;

/// Depths that differ by less than this share of the extent are equal.
const SAME_DEPTH: f32 = 1e-5;

/// Up to four chosen points by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    indices: [u8; Manifold::CAPACITY],
    count: u8,
}

impl Chosen {
    /// The numbers, ascending.
    #[inline]
    #[must_use]
    pub fn indices(&self) -> &[u8] {
        &self.indices[..usize::from(self.count)]
    }

    fn push(&mut self, index: usize) {
        let index = index as u8;
        if usize::from(self.count) < Manifold::CAPACITY && !self.indices().contains(&index) {
            self.indices[usize::from(self.count)] = index;
            self.count += 1;
        }
    }

    fn sorted(mut self) -> Self {
        self.indices[..usize::from(self.count)].sort_unstable();
        self
    }
}

/// Points in the plane of contact, by coordinate. `N` is a multiple of 8.
pub(crate) struct Candidates<const N: usize> {
    pub(crate) xs: [f32; N],
    pub(crate) ys: [f32; N],
    pub(crate) separations: [f32; N],
    pub(crate) ids: [FeatureId; N],
    pub(crate) len: usize,
}

impl<const N: usize> Candidates<N> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { xs: [0.0; N], ys: [0.0; N], separations: [0.0; N], ids: [FeatureId(0); N], len: 0 }
    }

    /// As [`Self::push`], but two points do not get the same name: where two sides lie on one line
    /// in the plane of contact, they meet at both ends. Of two points in one place, as a polygon
    /// seen from its side has, the deeper one stays. Returns where the point is, if it is.
    #[inline]
    pub(crate) fn push_renamed(
        &mut self,
        x: f32,
        y: f32,
        separation: f32,
        id: FeatureId,
        near: f32,
    ) -> Option<usize> {
        let mut name = id;
        for k in 0..self.len {
            if self.ids[k] == id {
                let (dx, dy) = (self.xs[k] - x, self.ys[k] - y);
                if dx * dx + dy * dy <= near * near {
                    if separation >= self.separations[k] {
                        return None;
                    }
                    (self.xs[k], self.ys[k], self.separations[k]) = (x, y, separation);
                    return Some(k);
                }
                name = id.other();
            }
        }
        self.push(x, y, separation, name);
        Some(self.len - 1)
    }

    #[inline]
    pub(crate) fn push(&mut self, x: f32, y: f32, separation: f32, id: FeatureId) {
        if self.len < N {
            (self.xs[self.len], self.ys[self.len]) = (x, y);
            (self.separations[self.len], self.ids[self.len]) = (separation, id);
            self.len += 1;
        }
    }

    /// Four of the points, or all if there are no more.
    pub(crate) fn reduced(&self, previous: &[FeatureId]) -> Chosen {
        if self.len <= Manifold::CAPACITY {
            return Chosen { indices: [0, 1, 2, 3], count: self.len as u8 };
        }
        let separations = &self.separations[..self.len];
        let deepest = self.deepest();
        let (best, chosen) = self.widest(deepest);
        if previous.len() == Manifold::CAPACITY
            && let Some(old) = self.among(previous)
        {
            let least =
                old.indices().iter().fold(f32::INFINITY, |s, &k| Real::min(separations[usize::from(k)], s));
            let area = self.twice_the_area(old.indices);
            if area >= KEPT_AREA * best && least <= separations[deepest] + KEPT_DEPTH * Real::sqrt(0.5 * best)
            {
                return old.sorted();
            }
        }
        chosen.sorted()
    }

    /// The deepest point; of those as deep but for rounding the one farthest from the middle. On a
    /// flat face all are equally deep, and a point in the middle of a side would cost a corner.
    fn deepest(&self) -> usize {
        let count = self.len as f32;
        let sum = |list: &[f32]| list.iter().fold(0.0, |sum, x| sum + x) / count;
        let (x0, y0) = (sum(&self.xs[..self.len]), sum(&self.ys[..self.len]));
        let away = |k: usize| {
            let (x, y) = (self.xs[k] - x0, self.ys[k] - y0);
            x * x + y * y
        };
        let least = (0..self.len).fold(f32::INFINITY, |least, k| Real::min(self.separations[k], least));
        let extent = (0..self.len).fold(0.0, |most, k| Real::max(away(k), most));
        let limit = least + SAME_DEPTH * Real::sqrt(extent);
        let mut deepest: Option<usize> = None;
        for k in 0..self.len {
            if self.separations[k] <= limit && deepest.is_none_or(|d| away(k) > away(d)) {
                deepest = Some(k);
            }
        }
        deepest.unwrap_or(0)
    }

    /// The largest area, doubled, of four points with this one, and the points.
    fn widest(&self, deepest: usize) -> (f32, Chosen) {
        let (x0, y0) = (self.xs[deepest], self.ys[deepest]);
        let mut best = (0.0, deepest, deepest, deepest);
        for block in (0..self.len).step_by(8) {
            // SimdFloat behind the end hold anything and are not looked at.
            let load = |array: &[f32; N], origin: f32| match array.get(block..block + 8) {
                Some(&[a, b, c, d, e, f, g, h]) => {
                    f32x8::new([a, b, c, d, e, f, g, h]) - f32x8::splat(origin)
                }
                _ => f32x8::splat(0.0),
            };
            let (xs, ys) = (load(&self.xs, x0), load(&self.ys, y0));
            let zero = f32x8::splat(0.0);
            let (mut left, mut right, mut left_at, mut right_at) = (zero, zero, zero, zero);
            for i in 0..self.len {
                let across = xs * f32x8::splat(self.ys[i] - y0) - ys * f32x8::splat(self.xs[i] - x0);
                let number = f32x8::splat(i as f32);
                let (more, less) = (left.below(across), across.below(right));
                left = f32x8::select(more, across, left);
                left_at = f32x8::select(more, number, left_at);
                right = f32x8::select(less, across, right);
                right_at = f32x8::select(less, number, right_at);
            }
            let area = (left - right).to_array();
            let (left_at, right_at) = (left_at.to_array(), right_at.to_array());
            for (k, &area) in area.iter().enumerate().take(self.len - block) {
                if area > best.0 {
                    best = (area, block + k, left_at[k] as usize, right_at[k] as usize);
                }
            }
        }
        let mut chosen = Chosen::default();
        chosen.push(deepest);
        let (area, opposite, left, right) = best;
        if area > 0.0 {
            let across = |k: usize| {
                (self.xs[opposite] - x0) * (self.ys[k] - y0) - (self.ys[opposite] - y0) * (self.xs[k] - x0)
            };
            chosen.push(opposite);
            // Where nothing lies on a side, the number is no answer.
            if across(left) > 0.0 {
                chosen.push(left);
            }
            if across(right) < 0.0 {
                chosen.push(right);
            }
        } else {
            // All on a line, or in one place.
            let far = self.farthest(deepest);
            chosen.push(far);
            chosen.push(self.farthest(far));
        }
        (area, chosen)
    }

    fn farthest(&self, from: usize) -> usize {
        let square = |k: usize| {
            let (x, y) = (self.xs[k] - self.xs[from], self.ys[k] - self.ys[from]);
            x * x + y * y
        };
        (0..self.len).fold(from, |f, k| if square(k) > square(f) { k } else { f })
    }

    /// The points with these names, if there is one for each.
    fn among(&self, ids: &[FeatureId]) -> Option<Chosen> {
        let mut chosen = Chosen::default();
        for id in ids {
            chosen.push(self.ids[..self.len].iter().position(|known| known == id)?);
        }
        (usize::from(chosen.count) == ids.len()).then_some(chosen)
    }

    /// Twice the area of four points in any order: half the largest product of two diagonals.
    fn twice_the_area(&self, four: [u8; 4]) -> f32 {
        let p = four.map(|k| (self.xs[usize::from(k)], self.ys[usize::from(k)]));
        let across = |a: usize, b: usize, c: usize, d: usize| {
            let (x, y) = (p[b].0 - p[a].0, p[b].1 - p[a].1);
            Real::abs(x * (p[d].1 - p[c].1) - y * (p[d].0 - p[c].0))
        };
        Real::max(across(0, 1, 2, 3), Real::max(across(0, 2, 1, 3), across(0, 3, 1, 2)))
    }
}

/// Chooses up to four of any contact points with a common normal, in the frame of the first shape;
/// `previous` are the names of the points in use so far. Of more than 64 points the first 64 are
/// looked at.
///
/// The deepest point is among them (or one that is hardly less deep, if the previous points stay).
/// If it is a corner of the hull of all points, no other four with it span a larger area; previous
/// points stay above 95 % of that.
#[must_use]
pub fn reduce(points: &[ManifoldPoint], normal: Vec3, previous: &[FeatureId]) -> Chosen {
    let mut candidates = Candidates::<MAX_CANDIDATES>::new();
    let (u, v) = normal.frame();
    let Some(first) = points.first() else { return Chosen::default() };
    for point in points {
        let from_first = point.on_a - first.on_a;
        candidates.push(u.dot(from_first), v.dot(from_first), point.separation, point.feature);
    }
    candidates.reduced(previous)
}
