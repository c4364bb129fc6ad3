//! How far boxes move from update to update, from a sample: what an insertion sort would have to
//! exchange.

use super::cells::{Cells, sample};
use crate::Table;

/// Boxes watched.
const SAMPLE: usize = 256;

/// Some boxes and where they were.
#[derive(Clone, Debug)]
pub(super) struct Pace<const D: usize> {
    watched: Vec<(u32, [f32; D])>,
}

impl<const D: usize> Default for Pace<D> {
    fn default() -> Self {
        Self { watched: Vec::new() }
    }
}

impl<const D: usize> Pace<D> {
    /// Remembers where some boxes are.
    pub(super) fn watch(&mut self, table: &Table<D>) {
        self.watched.clear();
        let ids = sample(table.slots(), SAMPLE).map(|at| at as u32).filter(|&id| table.is_alive(id));
        self.watched.extend(ids.map(|id| (id, table.aabb(id).min)));
    }

    /// Exchanges of all axes together since they were watched, if boxes are evenly spread: an
    /// endpoint that moves by d passes 2n·d/range others, and each exchange has two sides. Infinite
    /// if nothing was watched or all of it is gone.
    pub(super) fn exchanges(&self, table: &Table<D>, cells: &Cells<D>) -> f32 {
        let (mut count, mut sums) = (0, [0.0f32; D]);
        for (id, before) in &self.watched {
            if !table.is_alive(*id) || table.is_new(*id) {
                continue;
            }
            count += 1;
            for axis in 0..D {
                // From infinity to infinity is not far, and a leap is not farther than the boxes
                // are spread.
                let (now, before) = (table.aabb(*id).min[axis], before[axis]);
                let step = if now > before { now - before } else { before - now };
                let part = step / cells.range[axis];
                sums[axis] += if part < 1.0 { part } else { f32::from(u8::from(now != before)) };
            }
        }
        if count == 0 {
            return f32::INFINITY;
        }
        let boxes = table.len() as f32;
        sums.iter().fold(0.0, |sum, part| sum + part / count as f32 * 2.0 * boxes * boxes)
    }

    pub(super) fn bytes(&self) -> usize {
        self.watched.capacity() * size_of::<(u32, [f32; D])>()
    }
}
