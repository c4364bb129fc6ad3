//! The original's way: endpoint after endpoint is given its new value and moved to its place.
//!
//! Slower than sorting all at once (endpoints pass each other and back again), but the meaning of the method: bodies in
//! index order; on each axis the minimum, then the maximum; strict comparisons; a minimum going below a maximum adds the
//! pair if the other two axes overlap by rank, a maximum going below a minimum removes it, and the same upwards.

use carom_geometry::Aabb;

use super::Sap;
use super::endpoint::Endpoint;
use crate::pair::Pair;
use crate::{BroadPhase, Proxies};

/// Where each endpoint stands, per axis, by tag.
type Ranks = [Vec<u32>; 3];

impl Sap {
    /// One step by the original's procedure.
    pub(super) fn update_one_by_one(&mut self, proxies: &Proxies<'_, 3>) {
        let mut ranks = self.ranks();
        for (body, new) in proxies.boxes.iter().enumerate() {
            for axis in 0..3 {
                self.reinsert(&mut ranks, axis, Endpoint::min(new.min[axis], body), proxies);
                self.reinsert(&mut ranks, axis, Endpoint::max(new.max[axis], body), proxies);
            }
        }
        self.previous.copy_from_slice(proxies.boxes);
        self.has_ghosts = self
            .set
            .as_slice()
            .iter()
            .any(|pair| (0..3).any(|axis| !overlap_by_rank(&ranks[axis], pair.a, pair.b)));
    }

    fn ranks(&self) -> Ranks {
        std::array::from_fn(|axis| {
            let endpoints = &self.axes[axis];
            let mut ranks = vec![0; endpoints.len()];
            for (rank, endpoint) in endpoints.iter().enumerate() {
                ranks[endpoint.tag as usize] = rank as u32;
            }
            ranks
        })
    }

    fn reinsert(&mut self, ranks: &mut Ranks, axis: usize, moving: Endpoint, proxies: &Proxies<'_, 3>) {
        let start = ranks[axis][moving.tag as usize] as usize;
        let mut at = start;
        while at > 0 && moving.value < self.axes[axis][at - 1].value {
            let passed = self.axes[axis][at - 1];
            self.meet(ranks, axis, moving, passed, !moving.is_max(), proxies);
            self.axes[axis][at] = passed;
            ranks[axis][passed.tag as usize] = at as u32;
            at -= 1;
        }
        while at + 1 < self.axes[axis].len() && moving.value > self.axes[axis][at + 1].value {
            let passed = self.axes[axis][at + 1];
            self.meet(ranks, axis, moving, passed, moving.is_max(), proxies);
            self.axes[axis][at] = passed;
            ranks[axis][passed.tag as usize] = at as u32;
            at += 1;
        }
        self.counters.swaps += at.abs_diff(start) as u64;
        self.axes[axis][at] = moving;
        ranks[axis][moving.tag as usize] = at as u32;
    }

    /// Two endpoints exchange places; `begins` if that can only begin an overlap on this axis.
    fn meet(
        &mut self,
        ranks: &Ranks,
        axis: usize,
        moving: Endpoint,
        passed: Endpoint,
        begins: bool,
        proxies: &Proxies<'_, 3>,
    ) {
        let (a, b) = (moving.body(), passed.body());
        if moving.is_max() == passed.is_max() || a == b {
            return;
        }
        let pair = Pair::new(a, b);
        let changed = if begins {
            self.counters.box_tests += 1;
            proxies.may_pair(a as usize, b as usize)
                && (0..3).all(|other| other == axis || overlap_by_rank(&ranks[other], a, b))
                && self.set.insert(pair)
        } else {
            self.set.remove(pair)
        };
        self.counters.pair_changes += u64::from(changed);
    }
}

fn overlap_by_rank(ranks: &[u32], a: u32, b: u32) -> bool {
    let (min, max) = (|body: u32| ranks[(body << 1) as usize], |body: u32| ranks[(body << 1 | 1) as usize]);
    min(a) < max(b) && min(b) < max(a)
}

/// The slow twin as a method of its own, for tests and measurements.
#[derive(Clone, Debug, Default)]
pub struct OneByOne(Sap);

impl BroadPhase<3> for OneByOne {
    fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        if self.0.previous.len() == proxies.len() {
            self.0.update_one_by_one(proxies);
        } else {
            debug_assert!(proxies.boxes.iter().all(Aabb::is_valid));
            self.0.start(proxies);
        }
        self.0.set.as_slice()
    }

    fn counters(&self) -> crate::Counters {
        self.0.counters
    }
}
