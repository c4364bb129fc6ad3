//! The box of a height field in a pose: exact, by branch and bound over the pyramid.

use glam::Vec3;

use super::HeightField;
use super::pyramid::BASE;
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::real::Vector;
use crate::shape::Bounded;

/// Entries the search can hold: three siblings are left behind per level, and one is being looked
/// at.
const STACK: usize = 3 * 32 + 1;

impl Bounded<f32> for HeightField {
    fn aabb(&self) -> Aabb<3> {
        self.bounds
    }

    /// The same box, to the bit, as around all samples beside cells that are no holes, moved one by
    /// one.
    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        let rotation = pose.rotation.to_matrix();
        let place = pose.translation;
        let far = Vector::max(Vector::abs(self.bounds.low()), Vector::abs(self.bounds.high()));
        let mut bounds = Aabb::EMPTY;
        for axis in 0..3 {
            // The matrix sorts out, the quaternion decides; the slack covers the rounding of both.
            let slack = 64.0 * f32::EPSILON * (far.x + far.y + far.z + place[axis].abs());
            for side in [1.0, -1.0] {
                let direction = rotation.row(axis) * side;
                let reached = |bounds: &Aabb<3>| {
                    if side > 0.0 { bounds.max[axis] - place[axis] } else { place[axis] - bounds.min[axis] }
                };
                self.search(direction, slack, reached(&bounds), |point| {
                    if direction.dot(point) + slack >= reached(&bounds) {
                        bounds = bounds.with_point(pose.apply(point));
                    }
                    reached(&bounds)
                });
            }
        }
        bounds
    }
}

impl HeightField {
    /// Calls `visit` with samples that may lie farther along `direction` than what it returned
    /// last; at first, than `least`.
    fn search(&self, direction: Vec3, slack: f32, mut least: f32, mut visit: impl FnMut(Vec3) -> f32) {
        let mut stack = [(0.0f32, 0u32, 0u32, 0u32); STACK];
        let (top, mut len) = (self.pyramid.top(), 1);
        stack[0] = (self.promise(direction, top, 0, 0) + slack, top, 0, 0);
        while len > 0 {
            len -= 1;
            let (promise, level, x, z) = stack[len];
            if promise < least {
                continue;
            }
            if level == BASE {
                self.samples_of(x, z, |point| least = visit(point));
                continue;
            }
            let base = len;
            let [across, down] = self.cells().map(|n| n.div_ceil(1 << (level - 1)));
            for (x, z) in [(2 * x, 2 * z), (2 * x + 1, 2 * z), (2 * x, 2 * z + 1), (2 * x + 1, 2 * z + 1)] {
                if x >= across || z >= down {
                    continue;
                }
                let entry = (self.promise(direction, level - 1, x, z) + slack, level - 1, x, z);
                // The most promising one on top.
                let mut place = len;
                while place > base && stack[place - 1].0 > entry.0 {
                    stack[place] = stack[place - 1];
                    place -= 1;
                }
                stack[place] = entry;
                len += 1;
            }
        }
    }

    /// How far along `direction` a block reaches at most; −∞ for a block of holes.
    fn promise(&self, direction: Vec3, level: u32, x: u32, z: u32) -> f32 {
        let [low, high] = self.pyramid.block(level, x, z);
        if low > high {
            return f32::NEG_INFINITY;
        }
        let ends = |places: &[f32], at: u32| {
            let end = (u64::from(at + 1) << level).min(places.len() as u64 - 1);
            [places[(at << level) as usize], places[end as usize]]
        };
        let reach = |[low, high]: [f32; 2], d: f32| if d > 0.0 { high * d } else { low * d };
        reach(ends(&self.xs, x), direction.x)
            + reach([low, high], direction.y)
            + reach(ends(&self.zs, z), direction.z)
    }

    /// The samples beside the cells of a block of the lowest stored level.
    fn samples_of(&self, x: u32, z: u32, mut visit: impl FnMut(Vec3)) {
        let [across, down] = self.cells();
        let part = |at: u32, count: u32| at << BASE..((at + 1) << BASE).min(count);
        let (columns, rows) = (part(x, across), part(z, down));
        if self.holes.is_empty() {
            for row in rows.start..=rows.end {
                for column in columns.start..=columns.end {
                    visit(self.point(column, row));
                }
            }
            return;
        }
        for row in rows {
            for column in columns.clone().filter(|column| !self.is_hole(*column, row)) {
                for (c, r) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    visit(self.point(column + c, row + r));
                }
            }
        }
    }
}
