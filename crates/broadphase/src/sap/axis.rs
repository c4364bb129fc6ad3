//! The endpoints of all boxes on one axis, kept in order from update to update.
//!
//! Every way to put the axis in order again tells the pairs (lower end, upper end) of which the
//! lower one came to stand before the upper one: only there can an overlap begin. Where nearly
//! nothing moved, each endpoint that did is searched and moved alone; else all endpoints get their
//! new values first, and one insertion sort follows.

use super::endpoint::{SENTINEL, end_of, id, is_upper, moved, push_ends, sink, sort};
use crate::Table;
use crate::radix::ordered;

/// The box the id had is gone.
pub(super) const GONE: u8 = 1;
/// The box has moved.
pub(super) const MOVED: u8 = 2;
/// The box has come.
pub(super) const NEW: u8 = 4;

/// One axis.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    axis: usize,
    /// A sentinel, then all endpoints in order.
    endpoints: Vec<u64>,
    /// By id, both ends as integers: eight bytes instead of a box, so that more of them are in the
    /// cache when endpoints ask in their order. Means nothing for free ids.
    values: Vec<[u32; 2]>,
}

/// What following took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub(super) exchanges: u64,
    /// False if it was given up, and the axis is in no order.
    pub(super) is_done: bool,
}

impl Axis {
    /// An axis without boxes.
    pub(super) fn new(axis: usize) -> Self {
        Self { axis, endpoints: vec![SENTINEL], values: Vec::new() }
    }

    /// The endpoints in order.
    pub(super) fn endpoints(&self) -> &[u64] {
        &self.endpoints[1..]
    }

    fn ends<const D: usize>(&self, table: &Table<D>, id: u32) -> [u32; 2] {
        let aabb = table.aabb(id);
        [ordered(aabb.min[self.axis]), ordered(aabb.max[self.axis])]
    }

    /// Takes over all boxes of a table.
    pub(super) fn rebuild<const D: usize>(&mut self, table: &Table<D>, scratch: &mut [Vec<u64>; 2]) {
        self.endpoints.clear();
        self.values.resize(table.slots(), [0; 2]);
        let [ends, scratch] = scratch;
        ends.clear();
        for id in table.ids() {
            self.values[id as usize] = self.ends(table, id);
            push_ends(ends, table.aabb(id), id, self.axis);
        }
        sort(ends, scratch);
        self.endpoints.push(SENTINEL);
        self.endpoints.extend_from_slice(ends);
    }

    /// Follows all changes but newcomers by one insertion sort, dropping what is gone; `marks` tell
    /// by id what happened. Gives up after `budget` exchanges.
    pub(super) fn follow_all<const D: usize>(
        &mut self,
        table: &Table<D>,
        marks: &[u8],
        budget: u64,
        mut begin: impl FnMut(u32, u32),
    ) -> Followed {
        self.values.resize(table.slots(), [0; 2]);
        for &id in table.changed() {
            self.values[id as usize] = self.ends(table, id);
        }
        let (endpoints, values) = (&mut self.endpoints, &self.values);
        let (mut len, mut exchanges, mut last) = (1, 0, SENTINEL);
        for at in 1..endpoints.len() {
            let mut moving = endpoints[at];
            let box_id = id(moving) as usize;
            let mark = marks[box_id];
            if mark != 0 {
                if mark & GONE != 0 {
                    continue;
                }
                moving = moved(moving, values[box_id][usize::from(is_upper(moving))]);
            }
            len += 1;
            // Nearly all stand where they stood: these are not read back from memory.
            if moving > last {
                endpoints[len - 1] = moving;
                last = moving;
                continue;
            }
            exchanges += sink(endpoints, len - 1, moving, |passed| {
                if !is_upper(moving) && is_upper(passed) {
                    begin(id(moving), id(passed));
                }
            });
            if exchanges > budget {
                return Followed { exchanges, is_done: false };
            }
        }
        endpoints.truncate(len);
        Followed { exchanges, is_done: true }
    }

    /// Follows boxes that moved, where none came or went, one endpoint after the other. Gives up
    /// after `budget` exchanges.
    pub(super) fn follow_few<const D: usize>(
        &mut self,
        table: &Table<D>,
        budget: u64,
        mut begin: impl FnMut(u32, u32),
    ) -> Followed {
        let mut exchanges = 0;
        for &box_id in table.changed() {
            let now = self.ends(table, box_id);
            let before = std::mem::replace(&mut self.values[box_id as usize], now);
            let endpoints = &mut self.endpoints;
            for end in 0..2 {
                let [old, new] = [before, now].map(|values| moved(end_of(box_id, end == 1), values[end]));
                // Every endpoint stands where its value says.
                let Ok(at) = endpoints.binary_search(&old) else {
                    debug_assert!(false, "an endpoint of box {box_id} is lost");
                    return Followed { exchanges, is_done: false };
                };
                if new <= old {
                    exchanges += sink(endpoints, at, new, |passed| {
                        if end == 0 && is_upper(passed) && id(passed) != box_id {
                            begin(box_id, id(passed));
                        }
                    });
                } else {
                    exchanges += rise(endpoints, at, new, |passed| {
                        if end == 1 && !is_upper(passed) && id(passed) != box_id {
                            begin(id(passed), box_id);
                        }
                    });
                }
                if exchanges > budget {
                    return Followed { exchanges, is_done: false };
                }
            }
        }
        Followed { exchanges, is_done: true }
    }

    /// Merges newcomers into the axis.
    pub(super) fn merge<const D: usize>(
        &mut self,
        table: &Table<D>,
        newcomers: &[u32],
        scratch: &mut [Vec<u64>; 2],
    ) {
        let [ends, scratch] = scratch;
        ends.clear();
        for &id in newcomers {
            push_ends(ends, table.aabb(id), id, self.axis);
        }
        sort(ends, scratch);
        // From the back, so that nothing is overwritten before it has been moved.
        let endpoints = &mut self.endpoints;
        let mut old = endpoints.len();
        let mut to = old + ends.len();
        endpoints.resize(to, SENTINEL);
        while let Some(&end) = ends.last() {
            to -= 1;
            if endpoints[old - 1] > end {
                endpoints[to] = endpoints[old - 1];
                old -= 1;
            } else {
                endpoints[to] = end;
                ends.pop();
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.endpoints.capacity() * size_of::<u64>() + self.values.capacity() * size_of::<[u32; 2]>()
    }
}

/// The counterpart of [`sink`]: moves an endpoint up to its place among those after it.
fn rise(endpoints: &mut [u64], at: usize, moving: u64, mut passed: impl FnMut(u64)) -> u64 {
    let mut hole = at;
    while let Some(&other) = endpoints.get(hole + 1)
        && other < moving
    {
        endpoints[hole] = other;
        passed(other);
        hole += 1;
    }
    endpoints[hole] = moving;
    (hole - at) as u64
}
