//! Persistent sweep and prune on three axes (after Terdiman 2007), with Fingsics' behaviour on
//! ties.
//!
//! Per axis one array of 2n endpoints is kept sorted across steps. Two boxes overlap on an axis if
//! each one's minimum stands before the other's maximum *in the array*; a pair is in the set if
//! that holds on all three axes. Equal values keep an order that depends on history, so boxes that
//! exactly touch count or not as they came: that is how the program whose results we reproduce
//! behaves.
//!
//! Fingsics re-inserts endpoint after endpoint, body after body; a test twin does the same. Here
//! all endpoints get their new values first, and each array is then insertion-sorted once: only
//! endpoints that really change order are exchanged, and memory is walked in a straight line. The
//! result is the same because
//!
//! * without ties, sorted is sorted; for a tie the order of the two follows from which was
//!   re-inserted last and from where it came (`stands_before_on_tie`);
//! * the pair set depends only on the final order: an overlap can begin only where a minimum passes
//!   below a maximum, which the sort sees, and an overlap that ended is found by looking through
//!   the set, which is no longer than the list of pairs to be tested anyway.
//!
//! Nearly all minima that pass a maximum belong to boxes far apart on the other two axes. Each
//! endpoint therefore carries which of 32 slabs its box touches on those axes (module `slabs`), so
//! that the sort rejects them without leaving its array.
//!
//! The one exception is a body that jumps over others within a step; module `ghosts` deals with it.

mod endpoint;
mod ghosts;
mod slabs;

use std::cmp::Ordering;

use carom_geometry::Aabb;

use crate::broad_phase::{PairFinder, Proxies};
use carom_broadphase::Counters;
use carom_broadphase::pair::{Pair, PairSet};
use endpoint::{Endpoint, stands_before_on_tie};
use ghosts::Ghosts;
use slabs::Slabs;

/// The persistent sweep and prune.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sap {
    axes: [Vec<Endpoint>; 3],
    /// Boxes of the previous step.
    previous: Vec<Aabb<3>>,
    set: PairSet,
    ghosts: Ghosts,
    slabs: Slabs,
    /// Pairs whose overlap may have begun in this step.
    begun: Vec<Pair>,
    counters: Counters,
}

impl PairFinder<3> for Sap {
    /// A change of the number of bodies starts the sweep anew.
    fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        debug_assert!(proxies.boxes.iter().all(Aabb::is_valid), "boxes are checked where bodies move");
        if self.previous.len() != proxies.len() {
            self.start(proxies);
        } else {
            self.update(proxies);
        }
        self.set.as_slice()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl Sap {
    /// Sorts the endpoints (stably, in body order, min before max) and finds the first pairs by one
    /// sweep.
    fn start(&mut self, proxies: &Proxies<'_, 3>) {
        self.set.clear();
        self.ghosts = Ghosts::default();
        self.previous.clear();
        self.previous.extend_from_slice(proxies.boxes);
        for (axis, endpoints) in self.axes.iter_mut().enumerate() {
            endpoints.clear();
            endpoints.extend(
                proxies.boxes.iter().enumerate().flat_map(|(body, b)| {
                    [Endpoint::min(b.min[axis], body), Endpoint::max(b.max[axis], body)]
                }),
            );
            // Boxes are valid, so no value is NaN; −0 and +0 are equal here as in every comparison
            // below.
            endpoints.sort_by(|x, y| x.value.partial_cmp(&y.value).unwrap_or(Ordering::Equal));
        }
        let mut open: Vec<u32> = Vec::new();
        for endpoint in &self.axes[0] {
            let body = endpoint.body();
            if endpoint.is_max() {
                if let Some(at) = open.iter().position(|&other| other == body) {
                    open.swap_remove(at);
                }
                continue;
            }
            for &other in &open {
                self.counters.box_tests += 1;
                let (b, o) = (body as usize, other as usize);
                if proxies.may_pair(b, o) && (1..3).all(|axis| self.overlap_on(axis, proxies.boxes, b, o)) {
                    self.set.insert(Pair::new(body, other));
                }
            }
            open.push(body);
        }
        self.counters.pair_changes += self.set.as_slice().len() as u64;
    }

    /// New values for all, one insertion sort per axis, then the pair changes.
    fn update(&mut self, proxies: &Proxies<'_, 3>) {
        let (mut set, mut begun, mut ghosts) = (
            std::mem::take(&mut self.set),
            std::mem::take(&mut self.begun),
            std::mem::take(&mut self.ghosts),
        );
        begun.clear();
        // Before the sort, while the arrays still tell the order of the step before.
        ghosts.foresee(proxies, &self.previous, &set, |axis, low, high| {
            self.min_before_max(axis, &self.previous, low, high)
        });
        self.slabs.measure(proxies.boxes);
        for axis in 0..3 {
            self.sort_axis(axis, proxies.boxes, &mut begun);
        }
        self.previous.copy_from_slice(proxies.boxes);
        let overlap = |pair: Pair| {
            let (a, b) = (pair.a as usize, pair.b as usize);
            (0..3).all(|axis| self.overlap_on(axis, proxies.boxes, a, b))
        };
        let mut changes = set.retain(overlap);
        for &pair in &begun {
            if proxies.may_pair(pair.a as usize, pair.b as usize) && overlap(pair) {
                changes += u64::from(set.insert(pair));
            }
        }
        ghosts.settle(&mut set, overlap);
        self.counters.box_tests += begun.len() as u64;
        self.counters.pair_changes += changes;
        (self.set, self.begun, self.ghosts) = (set, begun, ghosts);
    }

    /// Gives one axis its new values and sorts it, noting pairs whose overlap on this axis begins
    /// and that may overlap on the other two.
    fn sort_axis(&mut self, axis: usize, boxes: &[Aabb<3>], begun: &mut Vec<Pair>) {
        let previous = self.previous.as_slice();
        let endpoints = self.axes[axis].as_mut_slice();
        let slabs = &self.slabs.of_body;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut swaps = 0;
        for at in 0..endpoints.len() {
            let mut moving = endpoints[at];
            let body = moving.body() as usize;
            moving.value = moving.value_in(boxes, axis);
            moving.slabs = [slabs[body][u], slabs[body][v]];
            let mut hole = at;
            while hole > 0 {
                let passed = endpoints[hole - 1];
                if passed.value <= moving.value
                    && (passed.value != moving.value || !stands_before_on_tie(moving, passed, previous, axis))
                {
                    break;
                }
                endpoints[hole] = passed;
                hole -= 1;
                if !moving.is_max()
                    && passed.is_max()
                    && moving.shares_slabs(passed)
                    && moving.body() != passed.body()
                {
                    begun.push(Pair::new(moving.body(), passed.body()));
                }
            }
            swaps += (at - hole) as u64;
            endpoints[hole] = moving;
        }
        self.counters.swaps += swaps;
    }

    /// Does each one's minimum stand before the other's maximum in the array of this axis?
    fn overlap_on(&self, axis: usize, boxes: &[Aabb<3>], a: usize, b: usize) -> bool {
        self.min_before_max(axis, boxes, a, b) && self.min_before_max(axis, boxes, b, a)
    }

    fn min_before_max(&self, axis: usize, boxes: &[Aabb<3>], low: usize, high: usize) -> bool {
        let (min, max) = (boxes[low].min[axis], boxes[high].max[axis]);
        if min != max {
            return min < max;
        }
        // A tie: look the two up. Rare, so a search beats keeping every position.
        let endpoints = &self.axes[axis];
        let first = endpoints.partition_point(|e| e.value < min);
        let (min, max) = (Endpoint::min(min, low), Endpoint::max(max, high));
        endpoints[first..]
            .iter()
            .find(|e| e.tag == min.tag || e.tag == max.tag)
            .is_some_and(|e| e.tag == min.tag)
    }
}

#[cfg(test)]
mod one_by_one;
#[cfg(test)]
mod tests;
