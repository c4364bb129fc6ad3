//! `multi-sap`: sweep and prune in the cells of a coarse grid (the idea of Coumans' *multi-SAP* and of the segments of Tracy,
//! Buss, Woods 2009).
//!
//! A single sweep tests every box against all that share its place on one axis, which in a large scene are thousands. Here space is
//! cut into columns along the swept axis; a box stands in every column it touches, and each column is swept alone. All
//! boxes are sorted once and dealt out in that order, so no column has to be sorted. A pair that shares several columns is reported in
//! the one that holds the larger of the two minima on each axis across: exactly one. Boxes that touch more than
//! [`MOST_CELLS`] columns are kept apart and swept against all.
//!
//! Cost: O(n) for sorting by digits and dealing out, and a few tests per box whatever n is. Nothing is kept between updates
//! but memory.

use super::cells::Cells;
use super::endpoint::{ordered, sort_by_value};
use crate::brute::lanes::{Columns, note};
use crate::brute::nothing_changed;
use crate::finder::{Counters, Finder, Found, Outcome};
use crate::{Pair, Table, Workers};

/// Cells above which a box is kept apart.
const MOST_CELLS: u32 = 16;

/// Pairs found by one worker.
#[derive(Clone, Debug, Default)]
struct Part {
    pairs: Vec<Pair>,
    tests: u64,
}

/// `multi-sap`.
pub(super) struct MultiSap<const D: usize> {
    wanted_cell: Option<f32>,
    cells: Option<Cells<D>>,
    ids: Vec<u32>,
    /// Value on the swept axis and place in `ids`.
    keys: Vec<u64>,
    scratch: Vec<u64>,
    numbers: Vec<f32>,
    /// Boxes that are dealt out, in order, each with its first and last cell on the axes across.
    dealt: Vec<(u32, [[u32; 2]; 2])>,
    /// Where each cell begins in `columns`; one more than there are cells.
    starts: Vec<u32>,
    columns: Columns<D>,
    /// Boxes kept apart, in order.
    apart: Columns<D>,
    /// All others in order, if any is kept apart.
    rest: Columns<D>,
    parts: Vec<Part>,
    counters: Counters,
}

impl<const D: usize> MultiSap<D> {
    pub(super) fn new(wanted_cell: Option<f32>) -> Self {
        Self {
            wanted_cell,
            cells: None,
            ids: Vec::new(),
            keys: Vec::new(),
            scratch: Vec::new(),
            numbers: Vec::new(),
            dealt: Vec::new(),
            starts: Vec::new(),
            columns: Columns::default(),
            apart: Columns::default(),
            rest: Columns::default(),
            parts: Vec::new(),
            counters: Counters::default(),
        }
    }

    /// Sorts the boxes and decides which are kept apart, and which cells the others touch.
    fn sort(&mut self, table: &Table<D>, cells: &Cells<D>) {
        let swept = cells.axes[0];
        self.keys.clear();
        let key = |&id: &u32| u64::from(ordered(table.aabb(id).min[swept])) << 32 | u64::from(id);
        self.keys.extend(self.ids.iter().map(key));
        sort_by_value(&mut self.keys, &mut self.scratch);
        self.dealt.clear();
        self.apart.clear();
        self.starts.clear();
        self.starts.resize(cells.len() + 1, 0);
        for &key in &self.keys {
            let id = key as u32;
            let aabb = table.aabb(id);
            let mut spans = [[0; 2]; 2];
            let mut touched = 1u32;
            for k in 1..D {
                let axis = cells.axes[k];
                let (first, last) = (cells.index(k, aabb.min[axis]), cells.index(k, aabb.max[axis]));
                spans[k - 1] = [first, last];
                touched = touched.saturating_mul(last - first + 1);
            }
            if touched > MOST_CELLS {
                self.apart.push(id, aabb, cells.axes);
                continue;
            }
            self.dealt.push((id, spans));
            for_cells(cells, spans, |cell| self.starts[cell] += 1);
        }
        self.apart.close();
    }

    /// Writes the boxes to the places of their cells.
    fn deal_out(&mut self, table: &Table<D>, cells: &Cells<D>) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.counters.cells += u64::from(sum);
        self.columns.reserve(sum as usize);
        let (starts, columns) = (&mut self.starts, &mut self.columns);
        for &(id, spans) in &self.dealt {
            for_cells(cells, spans, |cell| {
                columns.put(starts[cell] as usize, id, table.aabb(id), cells.axes);
                starts[cell] += 1;
            });
        }
        // Each start has moved to the end of its cell, which is where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// Sweeps cells; a pair is reported in one of them.
    fn sweep_cells(
        &self,
        table: &Table<D>,
        cells: &Cells<D>,
        range: std::ops::Range<usize>,
        part: &mut Part,
    ) {
        let columns = &self.columns;
        for cell in range {
            let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
            for i in start..end {
                let report = |i, j| {
                    // Cells are counted along the last axis first, as in `for_cells`.
                    let mut rest = cell as u32;
                    let is_here = (1..D).rev().all(|k| {
                        let here = rest % cells.count[k];
                        rest /= cells.count[k];
                        let of_both =
                            cells.index(k, columns.low(i, k)).max(cells.index(k, columns.low(j, k)));
                        of_both == here
                    });
                    if is_here {
                        note(table, &mut part.pairs, columns.id(i), columns.id(j));
                    }
                };
                part.tests += columns.sweep(i, columns, i + 1, end, report);
            }
        }
    }

    /// Sweeps the boxes kept apart against each other and against all others.
    fn sweep_apart(&mut self, table: &Table<D>, cells: &Cells<D>, out: &mut Vec<Pair>) {
        let apart = &self.apart;
        let (count, mut tests) = (apart.len(), 0);
        if count == 0 {
            return;
        }
        self.rest.fill(table, self.dealt.iter().map(|(id, _)| *id), cells.axes);
        let rest = &self.rest;
        for i in 0..count {
            let among = |i, j| note(table, out, apart.id(i), apart.id(j));
            tests += apart.sweep(i, apart, i + 1, count, among);
            // Those that begin where it begins or later …
            let first = rest.lows().partition_point(|&low| low < apart.low(i, 0));
            tests +=
                apart.sweep(i, rest, first, rest.len(), |i, j| note(table, out, apart.id(i), rest.id(j)));
        }
        // … and those that begin earlier.
        let mut first = 0;
        for j in 0..rest.len() {
            while first < count && apart.low(first, 0) <= rest.low(j, 0) {
                first += 1;
            }
            tests += rest.sweep(j, apart, first, count, |j, i| note(table, out, rest.id(j), apart.id(i)));
        }
        self.counters.box_tests += tests;
    }
}

/// Calls `visit` for each cell of a span.
#[inline]
fn for_cells<const D: usize>(cells: &Cells<D>, spans: [[u32; 2]; 2], mut visit: impl FnMut(usize)) {
    for first in spans[0][0]..=spans[0][1] {
        if D == 2 {
            visit(first as usize);
            continue;
        }
        for second in spans[1][0]..=spans[1][1] {
            visit((first * cells.count[D - 1] + second) as usize);
        }
    }
}

impl<const D: usize> Finder<D> for MultiSap<D> {
    fn update(&mut self, table: &Table<D>, workers: &Workers, found: &mut Found) -> Outcome {
        if nothing_changed(table) {
            return Outcome::Unchanged;
        }
        self.ids.clear();
        self.ids.extend(table.ids());
        let cells = Cells::fit(table, &self.ids, self.wanted_cell, &mut self.numbers);
        self.cells = Some(cells);
        self.sort(table, &cells);
        self.deal_out(table, &cells);
        let count = match workers.threads() {
            1 => 1,
            // Several for each: cells are not equally full.
            threads => threads * 8,
        };
        let mut parts = std::mem::take(&mut self.parts);
        parts.resize_with(count, Part::default);
        workers.for_each(&mut parts, |index, part| {
            part.pairs.clear();
            part.tests = 0;
            self.sweep_cells(table, &cells, Workers::part(cells.len(), index, count), part);
        });
        for part in &parts {
            found.pairs.extend_from_slice(&part.pairs);
            self.counters.box_tests += part.tests;
        }
        self.parts = parts;
        self.sweep_apart(table, &cells, &mut found.pairs);
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        let pairs: usize = self.parts.iter().map(|part| part.pairs.capacity()).sum();
        pairs * size_of::<Pair>()
            + (self.keys.capacity() + self.scratch.capacity()) * size_of::<u64>()
            + (self.ids.capacity() + self.starts.capacity()) * size_of::<u32>()
            + self.numbers.capacity() * size_of::<f32>()
            + self.dealt.capacity() * size_of::<(u32, [[u32; 2]; 2])>()
            + self.columns.bytes()
            + self.apart.bytes()
            + self.rest.bytes()
    }

    fn remark(&self) -> Option<String> {
        self.cells.map(|cells| format!("{}; {} boxes kept apart", cells.remark(), self.apart.len()))
    }
}
