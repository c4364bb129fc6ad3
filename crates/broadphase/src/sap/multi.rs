//! `multi-sap`: sweep and prune in the cells of a coarse grid, all anew in every update (module
//! `segments`).

use carom_core::threads::ThreadPool;

use super::cells::Cells;
use super::segments::Segments;
use crate::Table;
use crate::broad_phase::{BroadPhase, Counters, Found, Outcome};

/// `multi-sap`.
pub(super) struct MultiSap<const D: usize> {
    cell: Option<f32>,
    segments: Segments<D>,
    cells: Option<Cells<D>>,
    counters: Counters,
}

impl<const D: usize> MultiSap<D> {
    pub(super) fn new(cell: Option<f32>) -> Self {
        Self { cell, segments: Segments::default(), cells: None, counters: Counters::default() }
    }
}

impl<const D: usize> BroadPhase<D> for MultiSap<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        let swept = self.segments.pairs(table, pool, self.cell, &mut found.pairs);
        self.cells = Some(swept.cells);
        self.counters.box_tests += swept.tests;
        self.counters.cells += swept.entries;
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.segments.bytes()
    }

    fn remark(&self) -> Option<String> {
        self.cells.map(|cells| format!("{}; {} boxes kept apart", cells.remark(), self.segments.kept_apart()))
    }
}
