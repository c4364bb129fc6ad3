//! One axis sorted and swept: all overlapping pairs of a table from nothing.
//!
//! Boxes stand in the order of their lower ends on one axis; each is tested against those that begin before it ends, eight
//! at a time (the sorted list of Baraff 1992 on one axis, as *box pruning* by Terdiman). Cost: the sort, and an eighth of
//! the number of pairs that overlap on that axis. The axis is the one on which a sample of pairs overlaps least.

use super::endpoint::{ordered, sort_by_value};
use crate::brute::lanes::{Columns, note};
use crate::{Pair, Table};

/// Pairs looked at to choose the axis.
const SAMPLE: usize = 1024;

/// An axis in order, and its boxes.
#[derive(Clone, Debug)]
pub(super) struct Sweep<const D: usize> {
    axis: usize,
    columns: Columns<D>,
    /// Value and place before; see [`Sweep::sort`].
    keys: Vec<u64>,
    scratch: Vec<u64>,
    order: Vec<u32>,
    order_before: Vec<u32>,
}

impl<const D: usize> Default for Sweep<D> {
    fn default() -> Self {
        Self {
            axis: 0,
            columns: Columns::default(),
            keys: Vec::new(),
            scratch: Vec::new(),
            order: Vec::new(),
            order_before: Vec::new(),
        }
    }
}

/// What an update of a sweep has cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    pub(super) tests: u64,
    /// Sum of the distances by which boxes changed their place in the order; nothing if there was no order to compare with.
    pub(super) disorder: Option<u64>,
}

impl<const D: usize> Sweep<D> {
    /// The axis with the fewest overlaps.
    pub(super) fn axis(&self) -> usize {
        self.axis
    }

    /// Writes all pairs that overlap and may pair. `is_same` says that the boxes are those of the last call, moved.
    pub(super) fn pairs(&mut self, table: &Table<D>, is_same: bool, out: &mut Vec<Pair>) -> Swept {
        let is_same = is_same && self.order.len() == table.len();
        if !is_same {
            self.order.clear();
            self.order.extend(table.ids());
        }
        let axis = best_axis(table, &self.order, self.axis);
        let is_comparable = is_same && axis == self.axis;
        self.axis = axis;
        let disorder = self.sort(table);
        let axes = std::array::from_fn(|k| (axis + k) % D);
        self.columns.fill(table, self.order.iter().copied(), axes);
        let len = self.columns.len();
        let mut tests = 0;
        for i in 0..len {
            let report = |i, j| note(table, out, self.columns.id(i), self.columns.id(j));
            tests += self.columns.sweep(i, &self.columns, i + 1, len, report);
        }
        Swept { tests, disorder: is_comparable.then_some(disorder) }
    }

    /// Puts the order right; returns by how many places boxes moved, all together.
    fn sort(&mut self, table: &Table<D>) -> u64 {
        self.keys.clear();
        let key = |(place, &id): (u64, &u32)| u64::from(ordered(table.aabb(id).min[self.axis])) << 32 | place;
        self.keys.extend((0u64..).zip(&self.order).map(key));
        sort_by_value(&mut self.keys, &mut self.scratch);
        std::mem::swap(&mut self.order, &mut self.order_before);
        self.order.clear();
        let mut moved = 0;
        for (place, key) in self.keys.iter().enumerate() {
            let before = *key as u32 as usize;
            moved += place.abs_diff(before) as u64;
            self.order.push(self.order_before[before]);
        }
        moved
    }

    pub(super) fn bytes(&self) -> usize {
        self.columns.bytes()
            + (self.keys.capacity() + self.scratch.capacity()) * size_of::<u64>()
            + (self.order.capacity() + self.order_before.capacity()) * size_of::<u32>()
    }
}

/// The axis on which a sample of pairs overlaps least; `present` unless another one is clearly better.
pub(super) fn best_axis<const D: usize>(table: &Table<D>, ids: &[u32], present: usize) -> usize {
    let len = ids.len();
    if len < 2 {
        return present;
    }
    let mut overlaps = [0u32; D];
    // A stride that is no divisor of common numbers of boxes, and partners half a list away.
    let stride = (len / SAMPLE).max(1) | 1;
    for (count, at) in (0..len).step_by(stride).enumerate() {
        let (a, b) = (table.aabb(ids[at]), table.aabb(ids[(at * 7 + len / 2 + count) % len]));
        for (axis, overlap) in overlaps.iter_mut().enumerate() {
            *overlap += u32::from(a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]);
        }
    }
    let best = (0..D).min_by_key(|&axis| overlaps[axis]).unwrap_or(present);
    if overlaps[best] * 4 < overlaps[present] * 3 { best } else { present }
}
