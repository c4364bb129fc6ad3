//! Questions to a height field: triangles in a box, along a ray, along a moving box.

use glam::Vec3;

use super::HeightField;
use super::pyramid::{BASE, NOTHING};
use super::walk::Mover;
use super::{pyramid, slot};
use crate::bounds::Aabb;
use crate::mesh::{Nearest, TriangleHit, WatertightRay};
use crate::primitive::{Ray, RayHit, Triangle};
use crate::real::Real;
use crate::shape::RayCast;

/// Cells along one side up to which a query looks at all of them rather than at the pyramid.
const FEW: u32 = 32;
/// Entries a walk down the pyramid can hold: four blocks to begin with, three siblings left behind
/// per level.
const STACK: usize = 4 + 3 * 32;

/// A run of cells `[column, row]`, both ends included.
#[derive(Clone, Copy)]
struct CellRange {
    first: [u32; 2],
    last: [u32; 2],
}

/// A triangle that a query came by.
struct Found {
    triangle: u32,
    column: u32,
    row: u32,
    /// Heights as in [`HeightField::cell_heights`].
    heights: [f32; 4],
}

impl HeightField {
    /// Calls `visit` with every triangle whose box meets the region, each once; touching counts.
    #[inline]
    pub fn for_each_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32)) {
        self.search_box(region, |found| {
            visit(found.triangle);
            false
        });
    }

    /// The same with the corners, which are at hand.
    #[inline]
    pub fn for_each_triangle_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32, &Triangle)) {
        self.search_box(region, |found| {
            let halves = self.halves(found.column, found.row, found.heights);
            let [a, b, c] = halves[found.triangle as usize % 2];
            visit(found.triangle, &Triangle::new(a, b, c));
            false
        });
    }

    /// Calls `accept` with triangles whose box meets the region until it returns true; returns
    /// whether it did.
    #[inline]
    pub fn any_in_box(&self, region: &Aabb<3>, mut accept: impl FnMut(u32) -> bool) -> bool {
        self.search_box(region, |found| accept(found.triangle))
    }

    #[inline]
    fn search_box(&self, region: &Aabb<3>, mut accept: impl FnMut(&Found) -> bool) -> bool {
        if !self.bounds.overlaps(region) {
            return false;
        }
        let meets = |low: f32, high: f32| low <= region.max[1] && high >= region.min[1];
        let cells = self.cells_in(region);
        let CellRange { first, last } = cells;
        if last[0] < first[0] || last[1] < first[1] {
            return false; // an inverted region
        }
        if last[0] - first[0] < FEW && last[1] - first[1] < FEW {
            return self.scan(&cells, meets, &mut accept);
        }
        self.descend(&cells, meets, &mut accept)
    }

    /// Looks at all of these cells, until `accept` returns true.
    #[inline]
    fn scan(
        &self,
        cells: &CellRange,
        meets: impl Fn(f32, f32) -> bool,
        accept: &mut impl FnMut(&Found) -> bool,
    ) -> bool {
        let count = (cells.last[0] - cells.first[0]) as usize + 2;
        for row in cells.first[1]..=cells.last[1] {
            let start = row as usize * self.columns as usize + cells.first[0] as usize;
            let upper = &self.heights[start..start + count];
            let lower = &self.heights[start + self.columns as usize..][..count];
            let columns = cells.first[0]..;
            for (column, (up, down)) in columns.zip(upper.windows(2).zip(lower.windows(2))) {
                let heights = [up[0], up[1], down[0], down[1]];
                let (low, high) = (Real::min(up[1], down[0]), Real::max(up[1], down[0]));
                let first = meets(Real::min(up[0], low), Real::max(up[0], high));
                let second = meets(Real::min(down[1], low), Real::max(down[1], high));
                if (first || second) && !self.is_hole(column, row) {
                    let triangle = 2 * self.cell_index(column, row);
                    let mut found = Found { triangle, column, row, heights };
                    if first && accept(&found) {
                        return true;
                    }
                    found.triangle += 1;
                    if second && accept(&found) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Looks at the cells of blocks whose range `meets`, until `accept` returns true.
    fn descend(
        &self,
        cells: &CellRange,
        meets: impl Fn(f32, f32) -> bool + Copy,
        accept: &mut impl FnMut(&Found) -> bool,
    ) -> bool {
        let widest = (cells.last[0] - cells.first[0]).max(cells.last[1] - cells.first[1]);
        let level = (widest.ilog2() + 1).clamp(BASE, self.pyramid.top());
        let mut stack = [(0u32, 0u32, 0u32); STACK];
        let mut len = 0;
        // The part of a block, in blocks of a lower level, that lies in the range.
        let part = |[x, z]: [u32; 2], from: u32, to: u32| {
            let clip = |axis: usize, at: u32| {
                let (low, high) = (at << (from - to), ((at + 1) << (from - to)) - 1);
                (low.max(cells.first[axis] >> to), high.min(cells.last[axis] >> to))
            };
            let ((x0, x1), (z0, z1)) = (clip(0, x), clip(1, z));
            CellRange { first: [x0, z0], last: [x1, z1] }
        };
        for z in cells.first[1] >> level..=cells.last[1] >> level {
            for x in cells.first[0] >> level..=cells.last[0] >> level {
                stack[len] = (level, x, z);
                len += 1;
            }
        }
        while len > 0 {
            len -= 1;
            let (level, x, z) = stack[len];
            let [low, high] = self.pyramid.block(level, x, z);
            if !meets(low, high) {
                continue;
            }
            if level == BASE {
                if self.scan(&part([x, z], BASE, 0), meets, accept) {
                    return true;
                }
                continue;
            }
            let CellRange { first, last } = part([x, z], level, level - 1);
            for z in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    stack[len] = (level - 1, x, z);
                    len += 1;
                }
            }
        }
        false
    }

    /// The cells that meet a region which meets the field.
    fn cells_in(&self, region: &Aabb<3>) -> CellRange {
        let mut range = CellRange { first: [0; 2], last: [0; 2] };
        for (k, axis, places) in [(0, 0, &self.xs), (1, 2, &self.zs)] {
            // A region that touches the line between two cells touches both.
            let (mut low, mut high) = (
                slot(places, self.per_length[k], region.min[axis]),
                slot(places, self.per_length[k], region.max[axis]),
            );
            if low > 0 && places[low as usize] >= region.min[axis] {
                low -= 1;
            }
            if high as usize + 2 < places.len() && places[high as usize + 1] <= region.max[axis] {
                high += 1;
            }
            (range.first[k], range.last[k]) = (low, high);
        }
        range
    }

    /// Lowest and highest point of both triangles of a cell.
    #[inline]
    fn half_ranges(&self, column: u32, row: u32) -> [[f32; 2]; 2] {
        let [h00, h10, h01, h11] = self.cell_heights(column, row);
        [pyramid::range([h00, h01, h10, h10]), pyramid::range([h01, h11, h10, h10])]
    }

    /// The first triangle a ray in local coordinates meets with `0 ≤ t ≤ max`, from either side; of
    /// several at the same time the one with the lowest number. A ray that is not finite or has no
    /// direction meets nothing.
    ///
    /// A ray through an edge or corner between triangles meets one of them.
    #[must_use]
    pub fn cast(&self, ray: &Ray, max: f32) -> Option<TriangleHit> {
        let prepared = WatertightRay::new(ray)?;
        let mover = Mover::new(ray.origin, Vec3::ZERO, ray.direction)?;
        let mut nearest = Nearest::none(max);
        let mut nearest_corners = [Vec3::ZERO; 3];
        self.walk(&mover, self.growth(&mover), later(max), |column, row| {
            let number = 2 * self.cell_index(column, row);
            let [first, second] = self.cell_corners(column, row);
            // The halves share two corners.
            let [a, b, c] = first.map(|corner| prepared.flatten(corner));
            let d = prepared.flatten(second[1]);
            for (half, (flat, corners)) in [([a, b, c], first), ([b, d, c], second)].into_iter().enumerate() {
                if let Some(t) = prepared.meet_flat(flat, nearest.t)
                    && nearest.offer(t, number + half as u32)
                {
                    nearest_corners = corners;
                }
            }
            later(nearest.t)
        });
        nearest.found().then(|| prepared.describe(nearest_corners, nearest.t, nearest.triangle))
    }

    /// The triangles that `start`, moved by `displacement` over the times 0 to 1, may touch.
    ///
    /// `visit` is called with a triangle and a time at which, or before which, the moving box first
    /// touches the box of the triangle; earlier ones come first, roughly. No triangle is missed;
    /// one that is passed at a distance of some rounding errors may be named too. `visit` returns
    /// the last time that is still of interest, 1 for all: return the time of a hit to hear of
    /// little that comes later.
    ///
    /// Nothing is visited if a number is not finite.
    pub fn sweep_box(&self, start: &Aabb<3>, displacement: Vec3, mut visit: impl FnMut(u32, f32) -> f32) {
        let Some(mover) = Mover::new(start.centre(), start.half(), displacement) else { return };
        let grow = self.growth(&mover);
        let mut limit = 1.0f32;
        self.walk(&mover, grow, 1.0, |column, row| {
            let (c, r) = (column as usize, row as usize);
            let first = 2 * self.cell_index(column, row);
            for (half, [low, high]) in self.half_ranges(column, row).into_iter().enumerate() {
                let (low, high) = ([self.xs[c], low, self.zs[r]], [self.xs[c + 1], high, self.zs[r + 1]]);
                if let Some(time) = mover.enter(low, high, grow, f64::from(limit)) {
                    // Rounding to `f32` must not make it late.
                    let time = Real::max(time * (1.0 - f64::from(f32::EPSILON)), 0.0) as f32;
                    limit = visit(first + half as u32, time);
                }
            }
            f64::from(limit)
        });
    }
}

/// The time with room for its rounding to `f32`; infinite times stay.
#[inline]
fn later(t: f32) -> f64 {
    f64::from(t) * (1.0 + f64::from(f32::EPSILON)) + f64::from(f32::MIN_POSITIVE)
}

/// The surface is two-sided; there is nothing below it.
impl RayCast<f32> for HeightField {
    fn cast_ray(&self, ray: &Ray, max: f32) -> Option<RayHit> {
        self.cast(ray, max).map(RayHit::from)
    }
}

const _: () = assert!(NOTHING[0] > NOTHING[1], "nothing meets the range of a hole");
