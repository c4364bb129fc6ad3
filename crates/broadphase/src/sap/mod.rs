//! Persistent sweep and prune on three axes (after Terdiman 2007), with the original's behaviour on ties.
//!
//! Per axis one array of 2n endpoints is kept sorted across steps. Two boxes overlap on an axis if each one's minimum
//! stands before the other's maximum *in the array*; a pair is in the set if that holds on all three axes. Equal
//! values keep an order that depends on history, so boxes that exactly touch count or not as they came: that is how the
//! program whose results we reproduce behaves.
//!
//! The original re-inserts endpoint after endpoint, body after body. [`one_by_one`] does the same and is our slow twin.
//! The fast path, [`Sap::update_together`], gives all endpoints their new values first and then insertion-sorts each
//! array once: it exchanges only endpoints that really change order and walks memory in a straight line. The result
//! is the same because
//!
//! * without ties, sorted is sorted; for a tie the order of the two follows from which was re-inserted last and from
//!   where it came ([`stands_before_on_tie`]);
//! * the pair set depends only on the final order: every change of "min before max" is met as an exchange.
//!
//! The one exception: a body that jumps up by more than its own width in one step passes its own maximum with its
//! minimum, and the original then adds boxes it flew over as pairs that do not overlap ("ghosts"). Steps with such a
//! jump, and steps while a ghost lives, take the slow path, which reproduces them.

mod endpoint;
mod one_by_one;

use std::cmp::Ordering;

use carom_geometry::Aabb;

use crate::pair::{Pair, PairSet};
use crate::{BroadPhase, Counters, Proxies};
use endpoint::{Endpoint, stands_before_on_tie};
pub use one_by_one::OneByOne;

/// The persistent sweep and prune.
#[derive(Clone, Debug, Default)]
pub struct Sap {
    axes: [Vec<Endpoint>; 3],
    /// Boxes of the previous step.
    previous: Vec<Aabb<3>>,
    set: PairSet,
    /// Pairs of the set that do not overlap; while there are any, the slow path runs.
    has_ghosts: bool,
    begun: Vec<Pair>,
    ended: Vec<Pair>,
    counters: Counters,
}

impl BroadPhase<3> for Sap {
    /// A change of the number of bodies starts the sweep anew.
    fn pairs(&mut self, proxies: &Proxies<'_, 3>) -> &[Pair] {
        debug_assert!(proxies.boxes.iter().all(Aabb::is_valid), "boxes are checked where bodies move");
        if self.previous.len() != proxies.len() {
            self.start(proxies);
        } else if self.has_ghosts || self.some_body_jumps(proxies.boxes) {
            self.update_one_by_one(proxies);
        } else {
            self.update_together(proxies);
        }
        self.set.as_slice()
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl Sap {
    /// Sorts the endpoints (stably, in body order, min before max) and finds the first pairs by one sweep.
    fn start(&mut self, proxies: &Proxies<'_, 3>) {
        self.set.clear();
        self.has_ghosts = false;
        self.previous.clear();
        self.previous.extend_from_slice(proxies.boxes);
        for (axis, endpoints) in self.axes.iter_mut().enumerate() {
            endpoints.clear();
            endpoints.extend(proxies.boxes.iter().enumerate().flat_map(|(body, b)| {
                [Endpoint::min(b.min[axis], body), Endpoint::max(b.max[axis], body)]
            }));
            // Boxes are valid, so no value is NaN; −0 and +0 are equal here as in every comparison below.
            endpoints.sort_by(|x, y| x.value.partial_cmp(&y.value).unwrap_or(Ordering::Equal));
        }
        let mut open: Vec<u32> = Vec::new();
        for endpoint in &self.axes[0] {
            let body = endpoint.body();
            if endpoint.is_max() {
                // A flat box turned round by history cannot occur in a fresh sort: min comes first.
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

    /// Does some body move up by more than its own width on some axis, so that its minimum passes its maximum?
    fn some_body_jumps(&self, boxes: &[Aabb<3>]) -> bool {
        boxes.iter().zip(&self.previous).any(|(new, old)| (0..3).any(|axis| new.min[axis] > old.max[axis]))
    }

    /// The fast path: new values for all, one insertion sort per axis, then the pair changes.
    fn update_together(&mut self, proxies: &Proxies<'_, 3>) {
        self.begun.clear();
        self.ended.clear();
        for axis in 0..3 {
            self.sort_axis(axis, proxies);
        }
        self.previous.copy_from_slice(proxies.boxes);
        let mut changes = 0;
        for &pair in &self.ended {
            changes += u64::from(self.set.remove(pair));
        }
        for at in 0..self.begun.len() {
            let pair = self.begun[at];
            let (a, b) = (pair.a as usize, pair.b as usize);
            if (0..3).all(|axis| self.overlap_on(axis, proxies.boxes, a, b)) {
                changes += u64::from(self.set.insert(pair));
            }
        }
        self.counters.pair_changes += changes;
    }

    /// Gives one axis its new values and sorts it, noting pairs whose overlap on this axis may begin or end.
    fn sort_axis(&mut self, axis: usize, proxies: &Proxies<'_, 3>) {
        let (boxes, previous) = (proxies.boxes, self.previous.as_slice());
        let endpoints = self.axes[axis].as_mut_slice();
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut swaps, mut tests) = (0, 0);
        for at in 0..endpoints.len() {
            let mut moving = endpoints[at];
            moving.value = moving.value_in(boxes, axis);
            let mut hole = at;
            while hole > 0 {
                let passed = endpoints[hole - 1];
                let before = moving.value < passed.value
                    || (moving.value == passed.value && stands_before_on_tie(moving, passed, previous, axis));
                if !before {
                    break;
                }
                endpoints[hole] = passed;
                hole -= 1;
                if (moving.tag ^ passed.tag) & 1 == 0 {
                    continue; // two minima or two maxima: nothing begins or ends
                }
                tests += 1;
                let (a, b) = (moving.body() as usize, passed.body() as usize);
                if moving.is_max() {
                    // A maximum went below a minimum: the overlap ends, if there was one.
                    if previous[a].overlaps(&previous[b]) && a != b {
                        self.ended.push(Pair::new(a as u32, b as u32));
                    }
                } else if proxies.may_pair(a, b)
                    && closed_overlap(&boxes[a], &boxes[b], u)
                    && closed_overlap(&boxes[a], &boxes[b], v)
                {
                    self.begun.push(Pair::new(a as u32, b as u32));
                }
            }
            swaps += (at - hole) as u64;
            endpoints[hole] = moving;
        }
        self.counters.swaps += swaps;
        self.counters.box_tests += tests;
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
        endpoints[first..].iter().find(|e| e.tag == min.tag || e.tag == max.tag).is_some_and(|e| e.tag == min.tag)
    }
}

fn closed_overlap(a: &Aabb<3>, b: &Aabb<3>, axis: usize) -> bool {
    a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]
}

#[cfg(test)]
mod tests;
