//! Questions to a height field: triangles in a box, along a ray, along a moving box.

use glam::Vec3;

use super::HeightField;
use super::pyramid::{BASE, NOTHING};
use super::walk::Mover;
use super::{pyramid, slot};
use crate::bounds::Aabb;
use crate::mesh::{Nearest, TriangleHit, WatertightRay};
use crate::primitive::{Ray, RayHit};
use crate::real::Real;
use crate::shape::RayCast;

/// Cells along one side up to which a query looks at all of them rather than at the pyramid.
const FEW: u32 = 8;
/// Entries a walk down the pyramid can hold: four blocks to begin with, three siblings left behind per level.
const STACK: usize = 4 + 3 * 32;

/// A run of cells `[column, row]`, both ends included.
struct CellRange {
    first: [u32; 2],
    last: [u32; 2],
}

impl HeightField {
    /// Calls `visit` with every triangle whose box meets the region, each once; touching counts.
    pub fn for_each_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32)) {
        self.any_in_box(region, |triangle| {
            visit(triangle);
            false
        });
    }

    /// Calls `accept` with triangles whose box meets the region until it returns true; returns whether it did.
    pub fn any_in_box(&self, region: &Aabb<3>, mut accept: impl FnMut(u32) -> bool) -> bool {
        if !self.bounds.overlaps(region) {
            return false;
        }
        let meets = |[low, high]: [f32; 2]| low <= region.max[1] && high >= region.min[1];
        let cells = self.cells_in(region);
        let mut cell = |column: u32, row: u32| {
            if self.is_hole(column, row) {
                return false;
            }
            let halves = self.half_ranges(column, row);
            let first = 2 * self.cell_index(column, row);
            meets(halves[0]) && accept(first) || meets(halves[1]) && accept(first + 1)
        };
        let CellRange { first, last } = cells;
        if last[0] - first[0] < FEW && last[1] - first[1] < FEW {
            return (first[1]..=last[1]).any(|row| (first[0]..=last[0]).any(|column| cell(column, row)));
        }
        self.descend(&cells, meets, cell)
    }

    /// Looks at the cells of blocks whose range `meets`, until `accept` returns true.
    fn descend(
        &self,
        cells: &CellRange,
        meets: impl Fn([f32; 2]) -> bool,
        mut accept: impl FnMut(u32, u32) -> bool,
    ) -> bool {
        let widest = (cells.last[0] - cells.first[0]).max(cells.last[1] - cells.first[1]);
        let level = (widest.ilog2() + 1).clamp(BASE, self.pyramid.top());
        let mut stack = [(0u32, 0u32, 0u32); STACK];
        let mut len = 0;
        let inside = |level: u32, axis: usize| cells.first[axis] >> level..=cells.last[axis] >> level;
        for z in inside(level, 1) {
            for x in inside(level, 0) {
                stack[len] = (level, x, z);
                len += 1;
            }
        }
        while len > 0 {
            len -= 1;
            let (level, x, z) = stack[len];
            if !meets(self.pyramid.block(level, x, z)) {
                continue;
            }
            let step = if level == BASE { 0 } else { level - 1 };
            let shift = level - step;
            let part = |axis: usize, at: u32| {
                let all = inside(step, axis);
                (*all.start()).max(at << shift)..=(*all.end()).min(((at + 1) << shift) - 1)
            };
            for row in part(1, z) {
                for column in part(0, x) {
                    if step > 0 {
                        stack[len] = (step, column, row);
                        len += 1;
                    } else if accept(column, row) {
                        return true;
                    }
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
                slot(places, self.spacing[k], region.min[axis]),
                slot(places, self.spacing[k], region.max[axis]),
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

    /// The first triangle a ray in local coordinates meets with `0 ≤ t ≤ max`, from either side; of several at the same
    /// time the one with the lowest number. A ray that is not finite or has no direction meets nothing.
    ///
    /// A ray through an edge or corner between triangles meets one of them.
    #[must_use]
    pub fn cast(&self, ray: &Ray, max: f32) -> Option<TriangleHit> {
        let prepared = WatertightRay::new(ray)?;
        let mover = Mover::new(ray.origin, Vec3::ZERO, ray.direction)?;
        let mut nearest = Nearest::none(max);
        self.walk(&mover, self.growth(&mover), later(max), |column, row| {
            let first = 2 * self.cell_index(column, row);
            for (half, corners) in self.cell_corners(column, row).into_iter().enumerate() {
                if let Some(t) = prepared.meet(corners, nearest.t) {
                    nearest.offer(t, first + half as u32);
                }
            }
            later(nearest.t)
        });
        nearest
            .found()
            .then(|| prepared.describe(self.corners(nearest.triangle), nearest.t, nearest.triangle))
    }

    /// The triangles that `start`, moved by `displacement` over the times 0 to 1, may touch.
    ///
    /// `visit` is called with a triangle and a time at which, or before which, the moving box first touches the box of the
    /// triangle; earlier ones come first, roughly. No triangle is missed; one that is passed at a distance of some
    /// rounding errors may be named too. `visit` returns the last time that is still of interest, 1 for all: return the
    /// time of a hit to hear of little that comes later.
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
