//! From sorted axes to pairs, in the three ways of Moraga's thesis (2019): by the positions of the
//! ends, or by a sweep of each axis and the intersection of what it finds, as hash sets or as
//! sorted lists.
//!
//! Sweeps need memory for all pairs that overlap on an axis, which in a large scene is a large
//! multiple of the answer. They are counted first, in O(n); if there are more than [`MOST`],
//! positions are used instead and the broad phase says so.

use super::active::Active;
use super::endpoint::{id, is_upper};
use crate::options::Extraction;
use crate::pair::PairSet;
use crate::pair_list;
use crate::{Pair, Table};

/// Pairs of all axes together that are written down: half a gigabyte.
const MOST: u64 = 1 << 26;

/// Memory for any of the ways.
#[derive(Clone, Debug)]
pub(super) struct Extractor<const D: usize> {
    way: Extraction,
    open: Active,
    sets: [PairSet; D],
    lists: [Vec<Pair>; D],
    scratch: Vec<Pair>,
    /// Per box in use its id and, per axis, the positions of its ends.
    spans: Vec<(u32, [[u32; 2]; D])>,
    /// By id, the place in `spans`.
    places: Vec<u32>,
    /// Updates in which there were too many pairs for a sweep.
    too_many: u64,
}

impl<const D: usize> Extractor<D> {
    pub(super) fn new(way: Extraction) -> Self {
        Self {
            way,
            open: Active::default(),
            sets: std::array::from_fn(|_| PairSet::default()),
            lists: [const { Vec::new() }; D],
            scratch: Vec::new(),
            spans: Vec::new(),
            places: Vec::new(),
            too_many: 0,
        }
    }

    /// Writes the pairs that overlap on all axes and may pair; returns how many pairs were looked
    /// at. `axes` are endpoints in order, without sentinels.
    pub(super) fn pairs(&mut self, table: &Table<D>, axes: [&[u64]; D], out: &mut Vec<Pair>) -> u64 {
        let count: u64 = axes.iter().map(|axis| overlaps_on(axis)).sum();
        let is_too_many = self.way != Extraction::Positions && count > MOST;
        self.too_many += u64::from(is_too_many);
        match self.way {
            Extraction::Hash if !is_too_many => {
                self.by_sets(table, axes, out);
                count
            }
            Extraction::Sorted if !is_too_many => {
                self.by_lists(table, axes, out);
                count
            }
            _ => self.by_positions(table, axes, out),
        }
    }

    /// All pairs of boxes, by the positions of their ends.
    fn by_positions(&mut self, table: &Table<D>, axes: [&[u64]; D], out: &mut Vec<Pair>) -> u64 {
        self.spans.clear();
        self.places.resize(table.slots(), 0);
        for id in table.ids() {
            self.places[id as usize] = self.spans.len() as u32;
            self.spans.push((id, [[0; 2]; D]));
        }
        for (axis, endpoints) in axes.iter().enumerate() {
            for (position, &endpoint) in (0u32..).zip(*endpoints) {
                let place = self.places[id(endpoint) as usize] as usize;
                self.spans[place].1[axis][usize::from(is_upper(endpoint))] = position;
            }
        }
        for (i, (a, first)) in self.spans.iter().enumerate() {
            if table.has_too_many_pairs() {
                break;
            }
            for (b, second) in &self.spans[i + 1..] {
                // Without early outs: six comparisons cost less than a wrong guess.
                let overlap = (0..D)
                    .fold(true, |all, k| all & (first[k][0] < second[k][1]) & (second[k][0] < first[k][1]));
                if overlap && table.admits(*a, *b) {
                    table.push_pair(out, Pair { a: *a, b: *b });
                }
            }
        }
        let len = self.spans.len() as u64;
        len * len.saturating_sub(1) / 2
    }

    fn by_sets(&mut self, table: &Table<D>, axes: [&[u64]; D], out: &mut Vec<Pair>) {
        for (set, axis) in self.sets.iter_mut().zip(axes) {
            set.clear();
            self.open.reset(table.slots());
            sweep(axis, &mut self.open, |a, b| {
                set.insert(Pair::new(a, b));
            });
        }
        let shortest = (0..D).min_by_key(|&axis| self.sets[axis].as_slice().len()).unwrap_or(0);
        let is_on_all = |pair: Pair| (0..D).all(|axis| axis == shortest || self.sets[axis].contains(pair));
        let pairs = self.sets[shortest].as_slice().iter().copied();
        out.extend(pairs.filter(|&pair| is_on_all(pair) && table.admits(pair.a, pair.b)));
    }

    fn by_lists(&mut self, table: &Table<D>, axes: [&[u64]; D], out: &mut Vec<Pair>) {
        for (list, axis) in self.lists.iter_mut().zip(axes) {
            list.clear();
            self.open.reset(table.slots());
            sweep(axis, &mut self.open, |a, b| list.push(Pair::new(a, b)));
            pair_list::sort(list, &mut self.scratch, table.slots());
        }
        let shortest = (0..D).min_by_key(|&axis| self.lists[axis].len()).unwrap_or(0);
        let mut cursors = [0; D];
        for &pair in &self.lists[shortest] {
            let is_on_all = self.lists.iter().zip(&mut cursors).all(|(list, cursor)| {
                while list.get(*cursor).is_some_and(|&other| other < pair) {
                    *cursor += 1;
                }
                list.get(*cursor) == Some(&pair)
            });
            if is_on_all && table.admits(pair.a, pair.b) {
                table.push_pair(out, pair);
            }
        }
    }

    pub(super) fn remark(&self) -> Option<String> {
        (self.too_many > 0).then(|| {
            format!("{} updates by positions: more than {MOST} pairs overlapped on the axes", self.too_many)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let pairs: usize = self.lists.iter().chain([&self.scratch]).map(Vec::capacity).sum();
        pairs * size_of::<Pair>()
            + self.sets.iter().map(PairSet::bytes).sum::<usize>()
            + self.open.bytes()
            + self.spans.capacity() * size_of::<(u32, [[u32; 2]; D])>()
            + self.places.capacity() * size_of::<u32>()
    }
}

/// Reports every pair that overlaps on an axis once: when an interval ends, all that are still open
/// overlap it (algorithm 2 of the thesis).
pub(super) fn sweep(endpoints: &[u64], open: &mut Active, mut report: impl FnMut(u32, u32)) {
    for &endpoint in endpoints {
        let id = id(endpoint);
        if is_upper(endpoint) {
            open.close(id);
            open.ids().iter().for_each(|&other| report(id, other));
        } else {
            open.open(id);
        }
    }
}

/// How many pairs [`sweep`] reports.
fn overlaps_on(endpoints: &[u64]) -> u64 {
    let (mut open, mut count) = (0, 0);
    for &endpoint in endpoints {
        if is_upper(endpoint) {
            open -= 1;
            count += open;
        } else {
            open += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sap::endpoint::{lower, upper};

    /// Figure 2.1 of the thesis: b3 b1 b2 e3 e1 b5 b4 e5 e2 e4.
    #[test]
    fn the_sweep_of_the_thesis_finds_six_pairs() {
        let order = [(3, 0), (1, 0), (2, 0), (3, 1), (1, 1), (5, 0), (4, 0), (5, 1), (2, 1), (4, 1)];
        let end = |(at, &(id, is_upper)): (u8, &(u32, u32))| {
            if is_upper == 1 { upper(f32::from(at), id) } else { lower(f32::from(at), id) }
        };
        let endpoints: Vec<u64> = (0..).zip(&order).map(end).collect();
        let mut open = Active::default();
        open.reset(6);
        let mut pairs = Vec::new();
        sweep(&endpoints, &mut open, |a, b| pairs.push((a, Pair::new(a, b))));
        assert_eq!(overlaps_on(&endpoints), 6);
        // By the interval whose end reports them.
        let at = |end: u32| {
            let mut found: Vec<(u32, u32)> =
                pairs.iter().filter(|(by, _)| *by == end).map(|(_, pair)| (pair.a, pair.b)).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(at(3), [(1, 3), (2, 3)]);
        assert_eq!(at(1), [(1, 2)]);
        assert_eq!(at(5), [(2, 5), (4, 5)]);
        assert_eq!(at(2), [(2, 4)]);
        assert_eq!(at(4), []);
    }
}
