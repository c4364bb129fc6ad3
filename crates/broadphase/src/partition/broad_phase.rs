//! Trees at work: built again when something changed, then searched leaf by leaf.

use carom_core::threads::{ThreadPool, task_range};

use super::build::Builder;
use super::pairs::Search;
use super::tree::{CellTree, Kind, Limits};
use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Hierarchy, Outcome};
use crate::pair_list::sort;
use crate::{Pair, Table};

/// What one thread finds.
#[derive(Clone, Debug, Default)]
struct Part<const D: usize> {
    search: Search<D>,
    pairs: Vec<Pair>,
    counters: Counters,
}

/// All kinds of trees as a method.
#[derive(Clone, Debug)]
pub(super) struct Trees<const D: usize> {
    tree: CellTree<D>,
    builder: Builder<D>,
    parts: Vec<Part<D>>,
    scratch: Vec<Pair>,
    counters: Counters,
    /// Had boxes tighter volumes at the last update?
    has_bounds: bool,
}

impl<const D: usize> Trees<D> {
    pub(super) fn new(kind: Kind, limits: Limits) -> Self {
        Self {
            tree: CellTree::empty(kind, limits),
            builder: Builder::default(),
            parts: Vec::new(),
            scratch: Vec::new(),
            counters: Counters::default(),
            has_bounds: false,
        }
    }
}

impl<const D: usize> BroadPhase<D> for Trees<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        self.has_bounds = table.has_bounds();
        self.builder.follow(&mut self.tree, table);
        let (tree, count, admits_all) = (&self.tree, pool.threads(), table.admits_all());
        self.parts.resize_with(count, Part::default);
        pool.for_each(&mut self.parts, |index, part| {
            let Part { search, pairs, counters } = part;
            pairs.clear();
            *counters = Counters::default();
            let mut report = |a: u32, b: u32| {
                let pair = Pair::new(tree.ids[a as usize], tree.ids[b as usize]);
                if admits_all || table.admits(pair.a, pair.b) {
                    table.push_pair(pairs, pair);
                }
                !table.has_too_many_pairs()
            };
            search.in_nodes(tree, task_range(tree.nodes.len(), index, count), counters, &mut report);
            search.of_large(tree, task_range(tree.large.len(), index, count), counters, &mut report);
        });
        for part in &self.parts {
            found.pairs.extend_from_slice(&part.pairs);
            self.counters.box_tests += part.counters.box_tests;
            self.counters.node_visits += part.counters.node_visits;
        }
        if self.tree.repeats_pairs() {
            sort(&mut found.pairs, &mut self.scratch, table.slots());
            found.pairs.dedup();
        }
        Outcome::All
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn bytes(&self) -> usize {
        let part = |part: &Part<D>| part.search.bytes() + part.pairs.capacity() * size_of::<Pair>();
        self.tree.bytes()
            + self.builder.bytes()
            + self.parts.iter().map(part).sum::<usize>()
            + self.scratch.capacity() * size_of::<Pair>()
    }

    fn contract(&self) -> Contract {
        if self.tree.kind() == Kind::Bsp && self.has_bounds {
            Contract::OrientedSubset
        } else {
            Contract::Exact
        }
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        Some(&self.tree)
    }

    fn remark(&self) -> Option<String> {
        let figures = self.tree.statistics();
        Some(format!(
            "{} leaves in {} levels, {:.1} boxes per leaf, {} entries twice, {} boxes apart",
            figures.leaves,
            figures.depth + 1,
            figures.mean_leaf,
            figures.duplicates,
            figures.large
        ))
    }
}
