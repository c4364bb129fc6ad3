//! The slow twin: Fingsics' procedure, word for word, for tests.
//!
//! Bodies in index order; on each axis the minimum, then the maximum, is given its new value and
//! moved to its place by neighbour exchanges on strict comparison; a minimum going below a maximum
//! adds the pair if the other two axes overlap by rank, a maximum going below a minimum removes it,
//! and the same upwards.

use super::Proxies;
use carom_broadphase::pair::{Pair, PairSet};

#[derive(Default)]
pub(super) struct OneByOne {
    /// Per axis the endpoints as (value, body, is maximum).
    axes: [Vec<(f32, u32, bool)>; 3],
    set: PairSet,
}

impl OneByOne {
    pub(super) fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        if self.axes[0].len() == 2 * proxies.len() {
            for (body, new) in proxies.boxes.iter().enumerate() {
                for axis in 0..3 {
                    self.reinsert(axis, (new.min[axis], body as u32, false), proxies);
                    self.reinsert(axis, (new.max[axis], body as u32, true), proxies);
                }
            }
        } else {
            self.start(proxies);
        }
        self.set.as_slice()
    }

    fn start(&mut self, proxies: &Proxies<'_, 3>) {
        for (axis, endpoints) in self.axes.iter_mut().enumerate() {
            let ends = |(i, b): (usize, &carom_geometry::Aabb<3>)| {
                [(b.min[axis], i as u32, false), (b.max[axis], i as u32, true)]
            };
            *endpoints = proxies.boxes.iter().enumerate().flat_map(ends).collect();
            endpoints.sort_by(|x, y| x.0.partial_cmp(&y.0).unwrap());
        }
        for a in 0..proxies.len() as u32 {
            for b in a + 1..proxies.len() as u32 {
                if proxies.may_pair(a as usize, b as usize) && (0..3).all(|axis| self.overlap(axis, a, b)) {
                    self.set.insert(Pair::new(a, b));
                }
            }
        }
    }

    fn rank(&self, axis: usize, body: u32, is_max: bool) -> usize {
        self.axes[axis].iter().position(|e| e.1 == body && e.2 == is_max).unwrap()
    }

    fn overlap(&self, axis: usize, a: u32, b: u32) -> bool {
        self.rank(axis, a, false) < self.rank(axis, b, true)
            && self.rank(axis, b, false) < self.rank(axis, a, true)
    }

    fn reinsert(&mut self, axis: usize, moving: (f32, u32, bool), proxies: &Proxies<'_, 3>) {
        let mut at = self.rank(axis, moving.1, moving.2);
        self.axes[axis][at] = moving;
        while at > 0 && moving.0 < self.axes[axis][at - 1].0 {
            let passed = self.axes[axis][at - 1];
            self.meet(axis, moving, passed, !moving.2, proxies);
            self.axes[axis].swap(at, at - 1);
            at -= 1;
        }
        while at + 1 < self.axes[axis].len() && moving.0 > self.axes[axis][at + 1].0 {
            let passed = self.axes[axis][at + 1];
            self.meet(axis, moving, passed, moving.2, proxies);
            self.axes[axis].swap(at, at + 1);
            at += 1;
        }
    }

    fn meet(
        &mut self,
        axis: usize,
        moving: (f32, u32, bool),
        passed: (f32, u32, bool),
        begins: bool,
        proxies: &Proxies<'_, 3>,
    ) {
        let (a, b) = (moving.1, passed.1);
        if moving.2 == passed.2 || a == b {
            return;
        }
        if !begins {
            self.set.remove(Pair::new(a, b));
        } else if proxies.may_pair(a as usize, b as usize)
            && (0..3).all(|other| other == axis || self.overlap(other, a, b))
        {
            self.set.insert(Pair::new(a, b));
        }
    }
}
