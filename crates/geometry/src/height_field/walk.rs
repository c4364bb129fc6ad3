//! Along a straight line over the cells: a ray, or a box that moves.
//!
//! The walk goes column by column along the axis in which the mover crosses more cells. For each
//! column follow, from its number alone, the times at which the mover is over it, and from these
//! the rows and the heights it passes: no sum is carried on, so no rounding adds up and no cell is
//! missed, whatever the slope. Where the pyramid shows that the mover passes above or below a block
//! of columns, the block is left in one step.

use glam::{DVec3, Vec3};

use super::HeightField;
use super::pyramid::BASE;
use crate::real::{Real, Vector};

/// Share of the size of the field by which cells are grown: the places of samples and the test of
/// triangles are rounded to `f32`.
const GROW: f64 = 4.0 * f32::EPSILON as f64;

/// A box with half extents `half` on its way from `origin` along `direction`; a ray has no extents.
pub(super) struct Mover {
    origin: DVec3,
    half: DVec3,
    direction: DVec3,
    /// 1 / direction; infinite along axes on which the mover does not move.
    inverse: DVec3,
}

/// One axis of the grid as seen by a mover.
#[derive(Clone, Copy)]
struct Axis<'a> {
    places: &'a [f32],
    per_length: f64,
    origin: f64,
    direction: f64,
    inverse: f64,
    reach: f64,
}

impl Axis<'_> {
    fn cells(&self) -> i64 {
        self.places.len() as i64 - 1
    }

    /// The cells the mover touches between two times.
    #[inline]
    fn touched(&self, from: f64, to: f64) -> (i64, i64) {
        let (a, b) = (self.origin + self.direction * from, self.origin + self.direction * to);
        let (low, high) = (Real::min(a, b) - self.reach, Real::max(a, b) + self.reach);
        let start = f64::from(self.places[0]);
        let cell = |at: f64| (((at - start) * self.per_length) as i64).clamp(0, self.cells() - 1);
        (cell(low), cell(high))
    }

    /// The times at which the mover touches the cells from `first` to before `end`.
    #[inline]
    fn times(&self, first: i64, end: i64) -> (f64, f64) {
        if self.direction == 0.0 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let low = (f64::from(self.places[first as usize]) - self.reach - self.origin) * self.inverse;
        let high = (f64::from(self.places[end as usize]) + self.reach - self.origin) * self.inverse;
        if self.direction > 0.0 { (low, high) } else { (high, low) }
    }
}

impl Mover {
    /// `None` if a number is not finite.
    pub(super) fn new(origin: Vec3, half: Vec3, direction: Vec3) -> Option<Self> {
        let finite = [origin, half, direction].into_iter().all(Vector::is_finite);
        let direction: DVec3 = direction.to::<f64>();
        finite.then(|| Self {
            origin: origin.to::<f64>(),
            half: half.to::<f64>(),
            direction,
            inverse: DVec3::ONE / direction,
        })
    }

    /// Times from `from` to `to` at which the mover touches an interval on axis `k`, grown by
    /// `grow`.
    #[inline]
    fn within(&self, k: usize, interval: [f32; 2], grow: f64, (from, to): (f64, f64)) -> (f64, f64) {
        let reach = self.half[k] + grow;
        let low = f64::from(interval[0]) - reach - self.origin[k];
        let high = f64::from(interval[1]) + reach - self.origin[k];
        let d = self.direction[k];
        if d == 0.0 {
            return if low <= 0.0 && high >= 0.0 { (from, to) } else { (f64::INFINITY, f64::NEG_INFINITY) };
        }
        let (low, high) = (low * self.inverse[k], high * self.inverse[k]);
        let (a, b) = if d > 0.0 { (low, high) } else { (high, low) };
        (Real::max(a, from), Real::min(b, to))
    }

    /// The first time at which the mover touches a box, grown a little, between 0 and `limit`.
    #[inline]
    pub(super) fn enter(&self, low: [f32; 3], high: [f32; 3], grow: f64, limit: f64) -> Option<f64> {
        let mut times = (0.0, limit);
        for k in 0..3 {
            times = self.within(k, [low[k], high[k]], grow, times);
        }
        (times.0 <= times.1).then_some(times.0)
    }
}

impl HeightField {
    /// How much cells are grown for this mover.
    pub(super) fn growth(&self, mover: &Mover) -> f64 {
        let size = |v: DVec3| Vector::abs(v).max_element();
        let far = Vector::max(Vector::abs(self.bounds.low()), Vector::abs(self.bounds.high()));
        GROW * size(far.to::<f64>() + mover.half)
            + 16.0 * f64::EPSILON * size(mover.origin)
            + f64::MIN_POSITIVE
    }

    /// Calls `visit` with the cells, holes excepted, whose box the mover may touch between the
    /// times 0 and `limit`. `visit` returns the new limit. Cells come in the order in which their
    /// columns are reached.
    #[inline]
    pub(super) fn walk(
        &self,
        mover: &Mover,
        grow: f64,
        mut limit: f64,
        mut visit: impl FnMut(u32, u32) -> f64,
    ) {
        let mut times = (0.0, limit);
        for k in 0..3 {
            times = mover.within(k, [self.bounds.min[k], self.bounds.max[k]], grow, times);
        }
        let (start, end) = times;
        let meets = start <= end; // false for NaN too
        if !meets {
            return;
        }
        let axis = |k: usize, places, per_length| Axis {
            places,
            per_length,
            origin: mover.origin[k],
            direction: mover.direction[k],
            inverse: mover.inverse[k],
            reach: mover.half[k] + grow,
        };
        let (x, z) = (axis(0, &self.xs, self.per_length[0]), axis(2, &self.zs, self.per_length[1]));
        // "Column" means a line of cells across the axis of more crossings, be it x or z.
        let along_x = (x.direction * x.per_length).abs() >= (z.direction * z.per_length).abs();
        let (along, across) = if along_x { (x, z) } else { (z, x) };
        let (low, high) = along.touched(start, end);
        let up = along.direction >= 0.0;
        let (mut at, last) = if up { (low, high) } else { (high, low) };
        // Few columns are not worth a look at large blocks.
        let mut level = self.level_for(high - low);
        let height = |t: f64| mover.origin.y + mover.direction.y * t;
        let reach = mover.half.y + grow;
        loop {
            let block = at >> level;
            let (first, stop) = (block << level, ((block + 1) << level).min(along.cells()));
            let (enter, leave) = along.times(first, stop);
            let (enter, leave) = (Real::max(enter, start), Real::min(leave, end));
            if enter > limit {
                return;
            }
            let mut busy = false;
            if enter <= leave {
                let (a, b) = (height(enter), height(leave));
                let (bottom, top) = (Real::min(a, b) - reach, Real::max(a, b) + reach);
                let meets = |[low, high]: [f32; 2]| f64::from(low) <= top && f64::from(high) >= bottom;
                let (from, to) = across.touched(enter, leave);
                if level == 0 {
                    for row in from..=to {
                        let (c, r) = if along_x { (at as u32, row as u32) } else { (row as u32, at as u32) };
                        if meets(self.cell_range(c, r)) {
                            limit = visit(c, r);
                        }
                    }
                } else {
                    busy = (from >> level..=to >> level).any(|row| {
                        let (x, z) = if along_x { (block, row) } else { (row, block) };
                        meets(self.pyramid.block(level, x as u32, z as u32))
                    });
                }
            }
            if busy {
                level = if level == BASE { 0 } else { level - 1 };
                continue;
            }
            at = if up { stop } else { first - 1 };
            if (up && at > last) || (!up && at < last) {
                return;
            }
            // At the edge of a larger block, try that.
            let larger = if level == 0 { BASE } else { level + 1 };
            let edge = if up { at } else { at + 1 };
            if larger <= self.pyramid.top() && edge % (1 << larger) == 0 && (last - at).abs() >= 1 << larger {
                level = larger;
            }
        }
    }

    /// The level to begin with on a way over `columns` columns.
    fn level_for(&self, columns: i64) -> u32 {
        let level = (columns + 1).ilog2();
        if level < BASE + 1 { 0 } else { (level - 1).min(self.pyramid.top()) }
    }
}
