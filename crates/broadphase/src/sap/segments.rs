//! All overlapping pairs of a table from nothing, by sweeps in the cells of a coarse grid.
//!
//! A single sweep along one axis (the sorted list of Baraff 1992; *box pruning* by Terdiman) tests
//! every box against all that share its place there, which in a large scene are thousands. Here
//! space is cut into columns along the swept axis; a box stands in every column it touches, and
//! each column is sorted and swept alone, eight boxes tested per instruction pair. A pair that
//! shares several columns is reported in the one that holds the larger of the two minima on each
//! axis across: exactly one. (The idea of Coumans' *multi-SAP* and of the segments of Tracy, Buss,
//! Woods 2009.)
//!
//! Boxes that touch more than [`MOST_CELLS`] columns are kept apart: a few of them are tested
//! against all boxes in passing, many are swept against all.
//!
//! Boxes are read in the order of the table and copied to their columns, so that sorts and sweeps
//! stay within a few thousand boxes that lie together; sorting all boxes at once and dealing them
//! out in order reads them in random order, and with 256 000 boxes took twice as long.

use carom_core::threads::{ThreadPool, task_range};
use carom_geometry::Aabb;

use super::cells::Cells;
use crate::columns::{Columns, note};
use crate::radix::{ordered, sort_by_upper_half};
use crate::{Pair, Table};

/// Cells above which a box is kept apart.
const MOST_CELLS: u32 = 16;
/// Boxes kept apart above which they are swept: tests of eight cost less than sorting everything.
const FEW_APART: usize = 64;

/// A box in a cell.
#[derive(Clone, Copy, Debug)]
struct Record<const D: usize> {
    aabb: Aabb<D>,
    id: u32,
}

/// Pairs found by one worker, and its memory.
#[derive(Clone, Debug)]
struct Part<const D: usize> {
    pairs: Vec<Pair>,
    tests: u64,
    keys: Vec<u64>,
    scratch: Vec<u64>,
    columns: Columns<D>,
}

impl<const D: usize> Default for Part<D> {
    fn default() -> Self {
        let columns = Columns::default();
        Self { pairs: Vec::new(), tests: 0, keys: Vec::new(), scratch: Vec::new(), columns }
    }
}

/// A grid of columns with its boxes. Only memory is kept between updates.
#[derive(Clone, Debug)]
pub(super) struct Segments<const D: usize> {
    ids: Vec<u32>,
    numbers: Vec<f32>,
    /// Boxes that are dealt out, each with its first and last cell on the axes across.
    dealt: Vec<(u32, [[u16; 2]; 2])>,
    /// Boxes kept apart.
    apart: Vec<u32>,
    /// Where each cell begins in `records`; one more than there are cells.
    starts: Vec<u32>,
    records: Vec<Record<D>>,
    apart_columns: Columns<D>,
    rest_columns: Columns<D>,
    parts: Vec<Part<D>>,
}

impl<const D: usize> Default for Segments<D> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            numbers: Vec::new(),
            dealt: Vec::new(),
            apart: Vec::new(),
            starts: Vec::new(),
            records: Vec::new(),
            apart_columns: Columns::default(),
            rest_columns: Columns::default(),
            parts: Vec::new(),
        }
    }
}

/// What an update took and what grid was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept<const D: usize> {
    pub(super) cells: Cells<D>,
    pub(super) tests: u64,
    /// Entries in cells, every box in every cell.
    pub(super) entries: u64,
}

impl<const D: usize> Segments<D> {
    /// Writes all pairs that overlap and may pair, with cells of a given size if there is one.
    pub(super) fn pairs(
        &mut self,
        table: &Table<D>,
        pool: &mut ThreadPool,
        cell: Option<f32>,
        out: &mut Vec<Pair>,
    ) -> Swept<D> {
        self.ids.clear();
        self.ids.reserve_exact(table.len());
        self.ids.extend(table.ids());
        let cells = Cells::fit(table, &self.ids, cell, &mut self.numbers);
        self.find_cells(table, &cells);
        let mut tests = if self.apart.len() > FEW_APART {
            self.sweep_apart(table, &cells, out)
        } else {
            self.meet_apart(table, &cells, out)
        };
        self.deal_out(table, &cells);
        let count = match pool.threads() {
            1 => 1,
            // Several for each: cells are not equally full.
            threads => threads * 8,
        };
        let mut parts = std::mem::take(&mut self.parts);
        parts.resize_with(count, Part::default);
        pool.for_each(&mut parts, |index, part| {
            part.pairs.clear();
            part.tests = 0;
            for cell in task_range(cells.len(), index, count) {
                self.sweep_cell(table, &cells, cell, part);
            }
        });
        for part in &parts {
            out.extend_from_slice(&part.pairs);
            tests += part.tests;
        }
        self.parts = parts;
        Swept { cells, tests, entries: self.records.len() as u64 }
    }

    /// Decides which boxes are kept apart, and which cells the others touch.
    fn find_cells(&mut self, table: &Table<D>, cells: &Cells<D>) {
        self.dealt.clear();
        self.dealt.reserve_exact(self.ids.len());
        self.apart.clear();
        self.starts.clear();
        self.starts.resize(cells.len() + 1, 0);
        for &id in &self.ids {
            let aabb = table.aabb(id);
            let mut spans = [[0; 2]; 2];
            let mut touched = 1u32;
            for k in 1..D {
                let axis = cells.axes[k];
                let (first, last) = (cells.index(k, aabb.min[axis]), cells.index(k, aabb.max[axis]));
                // There are at most 1025 cells along an axis.
                spans[k - 1] = [first as u16, last as u16];
                touched = touched.saturating_mul(last - first + 1);
            }
            if touched > MOST_CELLS {
                self.apart.push(id);
                continue;
            }
            self.dealt.push((id, spans));
            for_cells(cells, spans, |cell| self.starts[cell] += 1);
        }
    }

    /// Copies the boxes to their cells.
    fn deal_out(&mut self, table: &Table<D>, cells: &Cells<D>) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        // Not doubled as it grows: this is most of the memory.
        let sum_and_more = sum as usize + sum as usize / 16;
        self.records.reserve_exact(sum_and_more.saturating_sub(self.records.len()));
        self.records.resize(sum as usize, Record { aabb: Aabb::EMPTY, id: 0 });
        let (starts, records) = (&mut self.starts, &mut self.records);
        for &(id, spans) in &self.dealt {
            let record = Record { aabb: *table.aabb(id), id };
            for_cells(cells, spans, |cell| {
                records[starts[cell] as usize] = record;
                starts[cell] += 1;
            });
        }
        // Each start has moved to the end of its cell, which is where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// Sorts and sweeps a cell.
    fn sweep_cell(&self, table: &Table<D>, cells: &Cells<D>, cell: usize, part: &mut Part<D>) {
        let records = &self.records[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        if records.len() < 2 {
            return;
        }
        part.keys.clear();
        let key =
            |(at, record): (u64, &Record<D>)| u64::from(ordered(record.aabb.min[cells.axes[0]])) << 32 | at;
        part.keys.extend((0u64..).zip(records).map(key));
        sort_by_upper_half(&mut part.keys, &mut part.scratch);
        let columns = &mut part.columns;
        columns.reserve(records.len());
        for (to, &key) in part.keys.iter().enumerate() {
            let Record { aabb, id } = &records[key as u32 as usize];
            columns.put(to, *id, aabb, cells.axes);
        }
        let here = cell_on_axes(cells, cell);
        for i in 0..records.len() {
            if table.has_too_many_pairs() {
                return;
            }
            part.tests += columns.sweep(i, columns, i + 1, records.len(), |i, j| {
                let is_here = (1..D).all(|k| {
                    let first = |at| cells.index(k, columns.low(at, k));
                    first(i).max(first(j)) == here[k]
                });
                if is_here {
                    note(table, &mut part.pairs, columns.id(i), columns.id(j));
                }
            });
        }
    }

    /// Tests a few boxes kept apart against each other and against all others; returns the number
    /// of tests.
    fn meet_apart(&mut self, table: &Table<D>, cells: &Cells<D>, out: &mut Vec<Pair>) -> u64 {
        if self.apart.is_empty() {
            return 0;
        }
        let apart = &mut self.apart_columns;
        apart.fill(table, self.apart.iter().copied(), cells.axes);
        let mut tests = apart.meet_each_other(|| table.has_too_many_pairs(), |a, b| note(table, out, a, b));
        for &(a, _) in &self.dealt {
            if table.has_too_many_pairs() {
                break;
            }
            tests += apart.meet_all(table.aabb(a), cells.axes, |b| note(table, out, a, b));
        }
        tests
    }

    /// Sweeps many boxes kept apart against each other and against all others; returns the number
    /// of tests.
    fn sweep_apart(&mut self, table: &Table<D>, cells: &Cells<D>, out: &mut Vec<Pair>) -> u64 {
        self.parts.resize_with(self.parts.len().max(1), Part::default);
        let Part { keys, scratch, .. } = &mut self.parts[0];
        let mut fill = |columns: &mut Columns<D>, ids: &mut dyn Iterator<Item = u32>| {
            keys.clear();
            keys.extend(
                ids.map(|id| u64::from(ordered(table.aabb(id).min[cells.axes[0]])) << 32 | u64::from(id)),
            );
            sort_by_upper_half(keys, scratch);
            columns.fill(table, keys.iter().map(|&key| key as u32), cells.axes);
        };
        fill(&mut self.apart_columns, &mut self.apart.iter().copied());
        fill(&mut self.rest_columns, &mut self.dealt.iter().map(|(id, _)| *id));
        let (apart, rest, mut tests) = (&self.apart_columns, &self.rest_columns, 0);
        for i in 0..apart.len() {
            if table.has_too_many_pairs() {
                break;
            }
            tests +=
                apart.sweep(i, apart, i + 1, apart.len(), |i, j| note(table, out, apart.id(i), apart.id(j)));
            // Those that begin where it begins or later …
            let first = rest.lows().partition_point(|&low| low < apart.low(i, 0));
            tests +=
                apart.sweep(i, rest, first, rest.len(), |i, j| note(table, out, apart.id(i), rest.id(j)));
        }
        // … and those that begin earlier.
        let mut first = 0;
        for j in 0..rest.len() {
            if table.has_too_many_pairs() {
                break;
            }
            while first < apart.len() && apart.low(first, 0) <= rest.low(j, 0) {
                first += 1;
            }
            tests +=
                rest.sweep(j, apart, first, apart.len(), |j, i| note(table, out, rest.id(j), apart.id(i)));
        }
        tests
    }

    /// Boxes that were kept apart.
    pub(super) fn kept_apart(&self) -> usize {
        self.apart.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let of_part = |part: &Part<D>| {
            part.pairs.capacity() * size_of::<Pair>()
                + (part.keys.capacity() + part.scratch.capacity()) * size_of::<u64>()
                + part.columns.bytes()
        };
        self.parts.iter().map(of_part).sum::<usize>()
            + (self.ids.capacity() + self.apart.capacity() + self.starts.capacity()) * size_of::<u32>()
            + self.numbers.capacity() * size_of::<f32>()
            + self.dealt.capacity() * size_of::<(u32, [[u16; 2]; 2])>()
            + self.records.capacity() * size_of::<Record<D>>()
            + self.apart_columns.bytes()
            + self.rest_columns.bytes()
    }
}

/// Calls `visit` for each cell of a span.
#[inline]
fn for_cells<const D: usize>(cells: &Cells<D>, spans: [[u16; 2]; 2], mut visit: impl FnMut(usize)) {
    for first in spans[0][0]..=spans[0][1] {
        if D == 2 {
            visit(usize::from(first));
            continue;
        }
        for second in spans[1][0]..=spans[1][1] {
            visit(usize::from(first) * cells.count[D - 1] as usize + usize::from(second));
        }
    }
}

/// The inverse of [`for_cells`]: where a cell is on each axis across.
fn cell_on_axes<const D: usize>(cells: &Cells<D>, cell: usize) -> [u32; D] {
    let mut on_axes = [0; D];
    let mut rest = cell as u32;
    for k in (1..D).rev() {
        on_axes[k] = rest % cells.count[k];
        rest /= cells.count[k];
    }
    on_axes
}
