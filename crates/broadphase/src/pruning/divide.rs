//! Divide and prune: boxes are dealt into columns, each of which is sorted along its length and
//! swept.
//!
//! A set of boxes is swept along the axis on which they are widest apart for their size if few of
//! them share a place there; else it is divided across that axis into columns, and each column is a
//! set of its own. So the columns follow the density of the scene and the size of the boxes at
//! once, clusters are divided further than the empty space around them, and no bound of the world
//! is needed. A box that touches too many columns is set aside and tested against all of the set.

use super::entry::{Entry, Lattice, Spread, most_cells};
use super::sweep::{Sink, Sweep};
use crate::{Pair, Table};

/// Up to so many boxes are tested outright.
const FEW: usize = 24;
/// Divisions within divisions; what is still full then is swept.
const DEPTH: usize = 10;
/// Tests per box that a sweep should take. More cost time, fewer cost copies of boxes that touch
/// several columns.
const TESTS: f32 = 4.0;
/// A set is divided if its sweep would take this many times more.
const SLACK: f32 = 4.0;

/// Where an entry goes: its first cell, and how many more on each axis ([`AXIS_BITS`] bits each).
#[derive(Clone, Copy, Debug)]
struct Place {
    cell: u32,
    more: u32,
}

/// Bits for the cells beyond the first on one axis; a lattice has at most 2¹⁰ cells.
const AXIS_BITS: usize = 10;
/// Set aside instead of dealt out.
const ASIDE: u32 = u32::MAX;

/// The cells of one division.
#[derive(Clone, Debug)]
pub(super) struct Deal<const D: usize> {
    /// Entries by cell.
    entries: Vec<Entry<D>>,
    /// Where the cells end (and, while they are filled, how far they are).
    ends: Vec<u32>,
    places: Vec<Place>,
    /// Entries that touch too many cells.
    aside: Vec<Entry<D>>,
}

impl<const D: usize> Default for Deal<D> {
    fn default() -> Self {
        Self { entries: Vec::new(), ends: Vec::new(), places: Vec::new(), aside: Vec::new() }
    }
}

impl<const D: usize> Deal<D> {
    /// Deals `len` entries into the cells of a lattice; those that touch more than `most` cells are
    /// set aside.
    pub(super) fn fill(
        &mut self,
        lattice: &Lattice<D>,
        len: usize,
        most: u32,
        entry: impl Fn(usize) -> Entry<D>,
    ) {
        let cells = lattice.cells();
        self.ends.clear();
        self.ends.resize(cells + 1, 0);
        self.places.clear();
        self.places.reserve_exact(len);
        self.aside.clear();
        // Counted one cell further on, so that the sums become beginnings.
        let strides = strides(lattice);
        for i in 0..len {
            let e = entry(i);
            let range = lattice.range(&e);
            let cell = lattice.number(range.first()) as u32;
            if range.is_one() {
                self.ends[cell as usize + 1] += 1;
                self.places.push(Place { cell, more: 0 });
                continue;
            }
            let steps = range.more();
            if steps.iter().fold(1u32, |cells, &more| cells.saturating_mul(more + 1)) > most {
                self.aside.push(e);
                self.places.push(Place { cell, more: ASIDE });
            } else {
                let more = (0..D).fold(0, |more, k| more | steps[k] << (AXIS_BITS * k));
                for_cells::<D>(more, |step| self.ends[cell as usize + offset(&strides, step) + 1] += 1);
                self.places.push(Place { cell, more });
            }
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        // A stale entry is as good as any to make room with: all are overwritten.
        if self.entries.len() < sum as usize {
            self.entries.reserve_exact(sum as usize + sum as usize / 16 - self.entries.len());
            self.entries.resize(sum as usize, Entry::new(0, &carom_geometry::Aabb::default()));
        }
        for (i, place) in self.places.iter().enumerate() {
            let mut put = |e: Entry<D>, cell: usize| {
                let at = &mut self.ends[cell];
                self.entries[*at as usize] = e;
                *at += 1;
            };
            if place.more == 0 {
                put(entry(i), place.cell as usize);
            } else if place.more != ASIDE {
                let e = entry(i);
                for_cells::<D>(place.more, |step| {
                    let begun = (0..D).fold(0, |bits, k| bits | u32::from(step[k] == 0) << k);
                    put(
                        Entry { tag: e.tag.begins_on(begun), ..e },
                        place.cell as usize + offset(&strides, step),
                    );
                });
            }
        }
        self.ends.pop();
    }

    /// Takes everything out.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.places.clear();
        self.aside.clear();
    }

    /// Number of cells.
    pub(super) fn cells(&self) -> usize {
        self.ends.len()
    }

    /// The entries of a cell.
    #[inline]
    pub(super) fn cell(&self, cell: usize) -> &[Entry<D>] {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] as usize };
        &self.entries[start..self.ends[cell] as usize]
    }

    /// Entries in cells, counting each as often as it was dealt.
    pub(super) fn dealt(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Entries that touch too many cells.
    pub(super) fn aside(&self) -> &[Entry<D>] {
        &self.aside
    }

    /// Indices of the entries that were dealt out, ascending.
    pub(super) fn dealt_indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.iter().enumerate().filter(|(_, place)| place.more != ASIDE).map(|(i, _)| i)
    }

    /// Was the division worth it?
    pub(super) fn is_worth_it(&self) -> bool {
        let fullest = (0..self.cells()).map(|cell| self.cell(cell).len()).max().unwrap_or(0);
        is_worth_it(self.places.len(), fullest, self.dealt(), self.aside.len())
    }

    pub(super) fn bytes(&self) -> usize {
        (self.entries.capacity() + self.aside.capacity()) * size_of::<Entry<D>>()
            + self.places.capacity() * size_of::<Place>()
            + self.ends.capacity() * 4
    }
}

/// Was a division of `len` entries worth it? Only if cells are really smaller, not too much was
/// copied, and little is left over.
pub(super) fn is_worth_it(len: usize, fullest: usize, dealt: usize, aside: usize) -> bool {
    fullest * 8 <= len * 7 && dealt <= len * 3 && aside * 4 <= len
}

fn strides<const D: usize>(lattice: &Lattice<D>) -> [usize; D] {
    let mut strides = [1; D];
    for k in (0..D.saturating_sub(1)).rev() {
        strides[k] = strides[k + 1] * lattice.count[k + 1] as usize;
    }
    strides
}

#[inline]
fn offset<const D: usize>(strides: &[usize; D], step: [u32; D]) -> usize {
    (0..D).fold(0, |sum, k| sum + strides[k] * step[k] as usize)
}

/// Calls `visit` for all steps from the first cell of a place, axis by axis.
#[inline]
fn for_cells<const D: usize>(more: u32, mut visit: impl FnMut([u32; D])) {
    let last: [u32; D] = std::array::from_fn(|k| more >> (AXIS_BITS * k) & ((1 << AXIS_BITS) - 1));
    let mut step = [0; D];
    loop {
        visit(step);
        let Some(k) = (0..D).find(|&k| step[k] < last[k]) else { return };
        step[..k].fill(0);
        step[k] += 1;
    }
}

/// Finds the pairs of sets of entries; holds the memory for it.
#[derive(Clone, Debug)]
pub(super) struct Divider<const D: usize> {
    levels: Vec<Deal<D>>,
    sweep: Sweep<D>,
    pub(super) pairs: Vec<Pair>,
    pub(super) work: Work,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) tests: u64,
    pub(super) cells: u64,
}

impl<const D: usize> Default for Divider<D> {
    fn default() -> Self {
        Self {
            levels: vec![Deal::default(); DEPTH],
            sweep: Sweep::default(),
            pairs: Vec::new(),
            work: Work::default(),
        }
    }
}

impl<const D: usize> Divider<D> {
    /// All pairs among entries.
    pub(super) fn find(&mut self, entries: &[Entry<D>], table: &Table<D>) {
        let mut task = Task {
            sweep: &mut self.sweep,
            work: &mut self.work,
            sink: Sink { table, pairs: &mut self.pairs },
        };
        task.divide(&mut self.levels, entries);
    }

    /// All pairs of two sets of entries.
    pub(super) fn find_between(
        &mut self,
        many: impl Iterator<Item = Entry<D>>,
        few: &[Entry<D>],
        table: &Table<D>,
    ) {
        let mut sink = Sink { table, pairs: &mut self.pairs };
        self.work.tests += self.sweep.cross(many, few, &mut sink);
    }

    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(Deal::bytes).sum::<usize>()
            + self.sweep.bytes()
            + self.pairs.capacity() * size_of::<Pair>()
    }
}

/// What to do with a set of entries.
pub(super) enum Plan<const D: usize> {
    /// Sweep it along an axis.
    Sweep(usize),
    /// Divide it; if that fails, sweep it along an axis.
    Divide(Lattice<D>, usize),
}

impl<const D: usize> Plan<D> {
    pub(super) fn of(len: usize, entry: impl Fn(usize) -> Entry<D>) -> Self {
        let spread = Spread::of(len, entry);
        let (axis, part) = spread.best_axis();
        let tests = len as f32 * part;
        if tests <= SLACK * TESTS {
            return Self::Sweep(axis);
        }
        match Lattice::columns(&spread, tests / TESTS, axis) {
            Some(lattice) => Self::Divide(lattice, axis),
            None => Self::Sweep(axis),
        }
    }
}

struct Task<'a, const D: usize> {
    sweep: &'a mut Sweep<D>,
    work: &'a mut Work,
    sink: Sink<'a, D>,
}

impl<const D: usize> Task<'_, D> {
    fn divide(&mut self, levels: &mut [Deal<D>], entries: &[Entry<D>]) {
        if entries.len() <= FEW {
            self.work.tests += self.sweep.outright(entries, &mut self.sink);
            return;
        }
        let (lattice, axis) = match Plan::of(entries.len(), |i| entries[i]) {
            Plan::Sweep(axis) => return self.sweep_all(entries, axis),
            Plan::Divide(lattice, axis) => (lattice, axis),
        };
        let Some((deal, deeper)) = levels.split_first_mut() else { return self.sweep_all(entries, axis) };
        deal.fill(&lattice, entries.len(), most_cells(D), |i| entries[i]);
        self.work.cells += deal.dealt() as u64;
        if !deal.is_worth_it() {
            return self.sweep_all(entries, axis);
        }
        for cell in 0..deal.cells() {
            self.divide(deeper, deal.cell(cell));
        }
        if !deal.aside.is_empty() {
            let dealt = deal.dealt_indices().map(|i| entries[i]);
            self.work.tests += self.sweep.cross(dealt, &deal.aside, &mut self.sink);
            self.divide(&mut [], &deal.aside);
        }
    }

    fn sweep_all(&mut self, entries: &[Entry<D>], axis: usize) {
        self.work.tests += self.sweep.along(entries, axis, &mut self.sink);
    }
}
