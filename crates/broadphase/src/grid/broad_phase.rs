//! The three grids at work: levels refilled at each update, then questions to them.
//!
//! Who asks depends on who moved. If most boxes moved, every box asks once, of its own level only
//! what comes later, of coarser levels everything; so each pair is seen once. If fewer than half
//! moved, only these ask, everything, and the pairs of the others are kept from the last update.
//! Questions are independent of each other and shared out among threads.

use carom_core::threads::{ThreadPool, task_range};
use carom_geometry::Aabb;

use super::frame::{Crowd, Frame};
use super::level::{Entry, Level, scan};
use super::plan::{Census, NO_LEVEL, Slot};
use crate::broad_phase::{BroadPhase, Counters, Found, Hierarchy, Outcome};
use crate::{Method, Pair, Table};

/// Size of a cell relative to the boxes in it. From 1 to 2 the times of 16 000 boxes differ by 10
/// %.
const RATIO: f32 = 1.5;
/// Cells per box of a bounded grid at most.
const CELLS_PER_BOX: usize = 4;

/// If the cells of a bounded grid would be so many times too large, boxes are in clusters: a table
/// serves them better.
const SPARSE: f32 = 2.0;

/// What one thread finds.
#[derive(Clone, Debug, Default)]
struct Part {
    pairs: Vec<Pair>,
    tests: u64,
}

/// `grid`, `hash-grid` and `hier-grid`.
#[derive(Clone, Debug)]
pub(super) struct Grids<const D: usize> {
    method: Method,
    cell: Option<f32>,
    /// From small boxes to large; those beyond `slots` are not in use and keep their memory.
    levels: Vec<Level<D>>,
    slots: Vec<Slot>,
    /// Boxes in no level.
    large: Vec<Entry<D>>,
    census: Census,
    crowd: Crowd,
    ids: Vec<u32>,
    classes: Vec<u16>,
    level_of: Vec<u8>,
    members: Vec<u32>,
    /// By id: moved, new or gone since the last update.
    moved: Vec<bool>,
    /// The pairs of the last update.
    kept: Vec<Pair>,
    parts: Vec<Part>,
    counters: Counters,
}

impl<const D: usize> Grids<D> {
    pub(super) fn new(method: Method, cell: Option<f32>) -> Self {
        Self {
            method,
            cell,
            levels: Vec::new(),
            slots: Vec::new(),
            large: Vec::new(),
            census: Census::default(),
            crowd: Crowd::default(),
            ids: Vec::new(),
            classes: Vec::new(),
            level_of: Vec::new(),
            members: Vec::new(),
            moved: Vec::new(),
            kept: Vec::new(),
            parts: Vec::new(),
            counters: Counters::default(),
        }
    }

    fn levels(&self) -> &[Level<D>] {
        &self.levels[..self.slots.len()]
    }

    /// Sorts all boxes into levels.
    fn fill(&mut self, table: &Table<D>) {
        let boxes = table.boxes();
        self.ids.clear();
        self.ids.extend(table.ids());
        self.census.take(boxes, &self.ids, &mut self.classes);
        if self.method == Method::HierGrid {
            self.census.levels(self.cell, RATIO, &mut self.slots);
        } else {
            self.slots.clear();
            self.slots.push(self.census.one_level(self.cell, RATIO));
        }
        if self.slots.is_empty() {
            // All boxes are as rare as can be: a level of nobody.
            self.slots.push(Slot { extent: 0.0, cell: 1.0 });
        }
        if self.levels.len() < self.slots.len() {
            self.levels.resize_with(self.slots.len(), Level::default);
        }
        Census::assign(&self.slots, &mut self.level_of);
        let level_of = |class: u16| self.level_of[usize::from(class)];
        self.large.clear();
        for (index, slot) in self.slots.iter().enumerate() {
            self.members.clear();
            for (&id, &class) in self.ids.iter().zip(&self.classes) {
                let level = level_of(class);
                if usize::from(level) == index {
                    self.members.push(id);
                } else if index == 0 && level == NO_LEVEL {
                    self.large.push(Entry { aabb: boxes[id as usize], id });
                }
            }
            let crowd = self.crowd.locate(boxes, &self.members);
            let level = &mut self.levels[index];
            let most = CELLS_PER_BOX * self.members.len() + 64;
            let bounded = Frame::bounded(&crowd, slot.cell, most);
            let is_sparse = bounded.size() > SPARSE * slot.cell;
            if self.method == Method::HashGrid || (self.method == Method::HierGrid && is_sparse) {
                // Cells so small that the crowd does not fit into the range of coordinates would
                // help nobody.
                let widest = (0..D).fold(0.0f32, |most, k| most.max(crowd.max[k] - crowd.min[k]));
                let frame = Frame::unbounded(slot.cell.max(widest / (1 << 20) as f32));
                level.fill_unbounded(frame, boxes, &self.members);
            } else {
                level.fill_bounded(bounded, boxes, &self.members);
            }
            self.counters.cells += self.members.len() as u64;
        }
    }

    /// Marks who changed. True if so few did that only they need to ask.
    fn mark_moved(&mut self, table: &Table<D>) -> bool {
        self.moved.clear();
        self.moved.resize(table.slots(), false);
        for &id in table.removed().iter().chain(table.changed()) {
            self.moved[id as usize] = true;
        }
        2 * table.changed().len() < table.len()
    }

    /// Each box of a range asks for what comes later: positions of the first level, then of the
    /// second, …, then the large boxes.
    fn ask_all(
        levels: &[Level<D>],
        large: &[Entry<D>],
        range: std::ops::Range<usize>,
        table: &Table<D>,
        part: &mut Part,
    ) {
        let admits_all = table.admits_all();
        let mut first = 0;
        for (index, level) in levels.iter().enumerate() {
            let entries = level.entries();
            let own = |at: usize| at.saturating_sub(first).min(entries.len());
            for position in own(range.start)..own(range.end) {
                if table.has_too_many_pairs() {
                    return;
                }
                let Entry { aabb, id } = &entries[position];
                let report = &mut |other| {
                    if admits_all || table.admits(*id, other) {
                        table.push_pair(&mut part.pairs, Pair::new(*id, other));
                    }
                };
                part.tests += level.overlapping_later(position, report);
                for coarser in &levels[index + 1..] {
                    part.tests += coarser.overlapping(aabb, report);
                }
            }
            first += entries.len();
        }
        for position in range.start.saturating_sub(first)..range.end.saturating_sub(first) {
            if table.has_too_many_pairs() {
                return;
            }
            let Entry { aabb, id } = &large[position];
            let report = &mut |other| {
                if admits_all || table.admits(*id, other) {
                    table.push_pair(&mut part.pairs, Pair::new(*id, other));
                }
            };
            part.tests += scan(&large[position + 1..], aabb, report);
            for level in levels {
                part.tests += level.overlapping(aabb, report);
            }
        }
    }

    /// Each of some moved boxes asks for everything; of two that moved, the one with the smaller id
    /// reports.
    fn ask_moved(
        levels: &[Level<D>],
        large: &[Entry<D>],
        ids: &[u32],
        moved: &[bool],
        table: &Table<D>,
        part: &mut Part,
    ) {
        let admits_all = table.admits_all();
        for &id in ids {
            if table.has_too_many_pairs() {
                return;
            }
            let aabb = table.aabb(id);
            let report = &mut |other: u32| {
                let known = other == id || (moved[other as usize] && other < id);
                if !known && (admits_all || table.admits(id, other)) {
                    table.push_pair(&mut part.pairs, Pair::new(id, other));
                }
            };
            part.tests += scan(large, aabb, report);
            for level in levels {
                part.tests += level.overlapping(aabb, report);
            }
        }
    }
}

impl<const D: usize> BroadPhase<D> for Grids<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        let few = self.mark_moved(table);
        self.fill(table);
        let count = pool.threads();
        self.parts.resize_with(count, Part::default);
        let (levels, large, moved) = (&self.levels[..self.slots.len()], &self.large[..], &self.moved[..]);
        let askers = if few { table.changed().len() } else { table.len() };
        pool.for_each(&mut self.parts, |index, part| {
            part.pairs.clear();
            part.tests = 0;
            let range = task_range(askers, index, count);
            if few {
                Self::ask_moved(levels, large, &table.changed()[range], moved, table, part);
            } else {
                Self::ask_all(levels, large, range, table, part);
            }
        });
        if few {
            self.kept.retain(|pair| !moved[pair.a as usize] && !moved[pair.b as usize]);
        } else {
            self.kept.clear();
        }
        for part in &self.parts {
            self.kept.extend_from_slice(&part.pairs);
            self.counters.box_tests += part.tests;
        }
        found.pairs.extend_from_slice(&self.kept);
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum::<usize>()
            + self.large.capacity() * size_of::<Entry<D>>()
            + self.census.bytes()
            + self.crowd.bytes()
            + (self.ids.capacity() + self.members.capacity()) * size_of::<u32>()
            + self.classes.capacity() * size_of::<u16>()
            + self.level_of.capacity()
            + self.moved.capacity()
            + self.kept.capacity() * size_of::<Pair>()
            + self.parts.iter().map(|part| part.pairs.capacity() * size_of::<Pair>()).sum::<usize>()
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        // The buckets of an unbounded grid are in no order that a query could use.
        (!self.slots.is_empty() && self.levels().iter().any(Level::is_bounded)).then_some(self)
    }

    fn remark(&self) -> Option<String> {
        let sizes: Vec<String> =
            self.levels().iter().map(|level| format!("{:.3}", level.cell_size())).collect();
        let many = self.large.len();
        (!sizes.is_empty())
            .then(|| format!("cells of {} m, {many} boxes too large for them", sizes.join(", ")))
    }
}

impl<const D: usize> Hierarchy<D> for Grids<D> {
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        for entry in &self.large {
            if enter(&entry.aabb) {
                visit(entry.id);
            }
        }
        for level in self.levels() {
            level.descend(enter, visit);
        }
    }
}
